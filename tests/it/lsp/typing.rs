//! A day's work of an editor, and typing at random.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arsg::edit::Workspace;
use arsg::grammar::{Memory, embedded_texts};
use serde_json::{Value, json};

use super::client::Client;
use crate::fixtures::project;

/// Opens a grammar, types a wrong relation, mends it, completes, hovers, jumps, renames, lays out.
#[test]
fn a_days_work_in_a_project_goes_through() {
    let folder = project();
    let mut client = Client::start(folder.path());
    let causes = "grammars/causes.arsg";
    client.open(causes);
    client.open("grammars/finance.arsg");
    assert_eq!(client.problems_of(causes), Vec::<Value>::new());

    // A wrong relation is told with its way out.
    client.retype(causes, "[causal-cause]", "[causal-cuase]");
    let problems = client.problems_of(causes);
    assert_eq!(problems[0]["code"], "G018");
    assert!(
        problems[0]["message"]
            .as_str()
            .unwrap()
            .contains("did you mean `causal-cause`?")
    );
    let asked = json!({
        "textDocument": {"uri": client.uri(causes)},
        "range": problems[0]["range"],
        "context": {"diagnostics": problems, "only": ["quickfix"]},
    });
    let actions = client.ask("textDocument/codeAction", asked);
    assert_eq!(actions[0]["title"], "write `causal-cause`");
    assert_eq!(actions[0]["isPreferred"], true);
    client.apply_all(&actions[0]["edit"]);
    assert_eq!(client.problems_of(causes), Vec::<Value>::new());

    // Completion inside a reason, with the rule half typed.
    let end = client.text(causes).len();
    client.type_at(
        causes,
        end..end,
        "\nrule 新规则\n  _[causal-cause] <- _:N _:S  x 2\n  when B.cu",
    );
    let asked = client.place(causes, "x 2\n  when B.cu", "x 2\n  when B.cu".len());
    let items = client.ask("textDocument/completion", asked);
    let labels: Vec<&str> = items
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["label"].as_str().unwrap())
        .collect();
    assert!(
        labels.contains(&"cue") && labels.contains(&"cues"),
        "{labels:?}"
    );
    client.retype(causes, "x 2\n  when B.cu", "x 2\n  when B.cue = because");

    // A relation in both languages.
    let asked = client.place(causes, "[causal-cause]", 3);
    let hover = client.ask("textDocument/hover", asked.clone());
    let said = hover["contents"]["value"].as_str().unwrap();
    assert!(
        said.contains("the cause of") && said.contains("卫星是核心的原因"),
        "{said}"
    );

    // From a use to the schema: relations lie in the shipped schema below, symbols in the project's.
    let found = client.ask("textDocument/definition", asked);
    assert!(
        found["uri"]
            .as_str()
            .unwrap()
            .ends_with("/.shelf/schemas/general.toml"),
        "{found}"
    );
    let rule = "Change:N";
    let asked = client.place(causes, rule, 2);
    let found = client.ask("textDocument/definition", asked.clone());
    assert!(
        found["uri"]
            .as_str()
            .unwrap()
            .ends_with("/schemas/finance.toml"),
        "{found}"
    );

    // A symbol gets another name in at least three files, and everything still holds.
    let mut asked = asked;
    asked["newName"] = json!("说明");
    let edit = client.ask("textDocument/rename", asked);
    let files = client.apply_all(&edit);
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let errors = client.problems_of(&file);
        let errors: Vec<&Value> = errors.iter().filter(|own| own["severity"] == 1).collect();
        assert!(errors.is_empty(), "{file}: {errors:?}");
    }

    // Layout.
    client.retype(
        causes,
        "_[causal-cause] <- _:N _:S  x 2",
        "_[causal-cause]<-_:N _:S x 2",
    );
    let asked = client.document(causes);
    let edits = client.ask("textDocument/formatting", asked.clone());
    client.apply(causes, &edits);
    assert!(
        client
            .text(causes)
            .contains("  _[causal-cause] <- _:N _:S                     x 2\n")
    );
    assert_eq!(client.ask("textDocument/formatting", asked), json!([]));
    client.stop();
}

/// `labels` alone is a module of `general`.
#[test]
fn a_shipped_module_opened_alone_is_seen_from_its_grammar() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    for (path, text) in embedded_texts() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // The client works in another folder.
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let mut client = Client::start_in(folder.path(), "elsewhere", json!({}));
    let module = "grammars/general/labels.arsg";
    client.open(module);
    assert_eq!(client.problems_of(module), Vec::<Value>::new());
    client.stop();
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// A grammar of so many lines, in modules' style: rules with docs, names and reasons.
fn long_grammar(lines: usize) -> String {
    let mut text = String::from(
        "grammar  long 1.0\nschema   \"general\"\nstart    Text\nfallback _[joint-list] <- _:N _:N\n",
    );
    let cues = ["because", "so", "but", "although", "if", "then"];
    let relations = [
        "causal-cause",
        "causal-result",
        "adversative-concession",
        "contingency-condition",
    ];
    let mut number = 0;
    while text.lines().count() + 5 <= lines {
        for _ in 0..50 {
            let (cue, relation) = (cues[number % 6], relations[number % 4]);
            text.push_str(&format!(
                "\n## 由于连日暴雨，公路被冲断。 {number}\nrule 规则{number}\n  _[{relation}] <- _:S _:N                     x {}\n  when A.cue = {cue} and A.words > {number}\n",
                number + 1
            ));
            number += 1;
        }
    }
    text
}

fn next_edit(dice: &mut Dice, text: &str) -> (std::ops::Range<usize>, String) {
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(dice.below(text.len() + 1));
    let words = [
        "[",
        "]",
        "\"",
        "#",
        " when ",
        "\n",
        "\n\n",
        "Rise",
        "因为",
        "B.cue = ",
        "(",
        "|",
        "table t label by B.cue\n",
        "rule ",
        "，",
        "𠮷",
        "x 3",
        "\r\n",
        "use \"general\"\n",
    ];
    match dice.below(4) {
        0 => {
            let end = boundary((start + dice.below(30)).min(text.len()));
            (start..end, String::new())
        }
        1 => {
            let end = boundary((start + dice.below(12)).min(text.len()));
            (start..end, words[dice.below(words.len())].to_owned())
        }
        _ => (start..start, words[dice.below(words.len())].to_owned()),
    }
}

/// What a workspace that knows nothing of earlier texts says of a text.
fn fresh_problems(path: &Path, text: &str) -> Vec<(Option<String>, String)> {
    let mut workspace = Workspace::new(Box::new(Memory::new()));
    workspace.open(path, text);
    let found = workspace.problems(path).into_iter();
    let told = found.map(|own| {
        let help = own
            .help
            .map_or(String::new(), |help| format!("\nhelp: {help}"));
        (
            own.code.map(str::to_owned),
            format!("{}{help}", own.message),
        )
    });
    told.collect()
}

/// 200 random edits on a grammar of 5,000 lines: typed, deleted, renamed. After each, what was told is what a
/// fresh load says; and how long answers took is printed (`-- --nocapture`).
#[test]
fn typing_at_random_never_leaves_the_text_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path());
    let path = "long.arsg";
    let whole = client.folder.join(path);
    client.open_with(path, &long_grammar(5_000));
    client.problems_of(path);
    let mut dice = Dice(20_190_910);
    let mut answers: Vec<Duration> = Vec::new();
    let mut checks: Vec<Duration> = Vec::new();
    for number in 0..200 {
        if number % 20 == 19 {
            rename_some_rule(&mut client, path, &mut dice);
        } else {
            let (range, new) = next_edit(&mut dice, client.text(path));
            let watch = Instant::now();
            client.type_at(path, range.clone(), &new);
            let at = range.start + new.len();
            let asked = json!({
                "textDocument": {"uri": client.uri(path)},
                "position": client.position(path, at),
            });
            client.ask("textDocument/completion", asked);
            answers.push(watch.elapsed());
        }
        let watch = Instant::now();
        let told = client.problems_of(path);
        checks.push(watch.elapsed());
        let told: Vec<(Option<String>, String)> = told
            .iter()
            .map(|own| {
                let code = own["code"].as_str().map(str::to_owned);
                (code, own["message"].as_str().unwrap().to_owned())
            })
            .collect();
        if number % 10 == 0 {
            assert_eq!(
                told,
                fresh_problems(&whole, client.text(path)),
                "after edit {number}"
            );
        }
    }
    // The last text, once more in full.
    let told = client.problems_of(path).len();
    assert_eq!(told, fresh_problems(&whole, client.text(path)).len());
    for (what, times) in [
        ("a completion right after a keystroke", &mut answers),
        ("all problems", &mut checks),
    ] {
        times.sort();
        println!(
            "{what}: median {:?}, slowest {:?}",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
    client.stop();
}

/// Gives a rule another name, if there is one at a random place.
fn rename_some_rule(client: &mut Client, path: &str, dice: &mut Dice) {
    let text = client.text(path).to_owned();
    let from = dice.below(text.len());
    let found = text
        .char_indices()
        .map(|(at, _)| at)
        .filter(|at| *at > from);
    let Some(at) = found
        .into_iter()
        .find(|at| text[*at..].starts_with("rule 规则"))
    else {
        return;
    };
    let mut asked = json!({
        "textDocument": {"uri": client.uri(path)},
        "position": client.position(path, at + "rule 规".len()),
    });
    asked["newName"] = json!(format!("新名{}", dice.below(1_000_000)));
    let edit = client.ask("textDocument/rename", asked);
    if edit["error"].is_null() && !edit.is_null() {
        client.apply_all(&edit);
    }
}

/// The library's answers to bytes at random places of broken files: it never panics.
#[test]
fn no_place_of_a_broken_file_makes_an_answer_fail() {
    let mut dice = Dice(7);
    let texts: Vec<String> = embedded_texts()
        .iter()
        .filter(|(path, _)| path.contains("finance/") || path.ends_with("blocks.arsg"))
        .map(|(_, text)| (*text).to_owned())
        .collect();
    for number in 0..60 {
        let mut text = texts[number % texts.len()].clone();
        for _ in 0..6 {
            let (range, new) = next_edit(&mut dice, &text);
            text.replace_range(range, &new);
        }
        let mut workspace = Workspace::new(Box::new(Memory::new()));
        let endings = ["arsg", "toml", "case"];
        let path = PathBuf::from(format!("broken.{}", endings[number % 3]));
        workspace.open(&path, text.clone());
        workspace.problems(&path);
        workspace.fix_all(&path);
        workspace.colours(&path);
        workspace.outline(&path);
        workspace.folds(&path);
        workspace.format(&path);
        workspace.hints(&path, 0..text.len());
        for _ in 0..20 {
            let at = dice.below(text.len() + 20);
            workspace.complete(&path, at);
            workspace.hover(&path, at);
            workspace.definition(&path, at);
            workspace.references(&path, at, true);
            workspace.fixes(&path, at..at + 3);
            let _ = workspace.rename(&path, at, "新名");
            workspace.format_typed(&path, at, "\n");
            workspace.format_range(&path, at..at + 40);
        }
    }
}
