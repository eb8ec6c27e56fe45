//! Every command has a help with examples, and every example runs as printed.

use std::fs;
use std::path::Path;

use crate::fixtures::project;
use crate::run::{run, run_all, said};

/// Makes what the examples speak of from what `arsg init` makes; few texts, so that it is quick.
const FILES: &str = "
rm trees/oil-* trees/rrr-*
head -6 corpus/news.jsonl > news.jsonl
cp texts/today.txt text.txt
tail -2 corpus/news.jsonl > newer.jsonl
printf '<doc>\\n<url>http://business.example.com/1</url>\\n<docno>1</docno>\\n<contenttitle>降息</contenttitle>\\n<content>央行宣布降息。</content>\\n</doc>\\n' > news.dat
mkdir docs dev dev-docs gold treebank predicted
cp corpus/news.jsonl docs/news.jsonl
cp trees/cpi-august-f* dev/
cp corpus/news.jsonl dev-docs/
cp trees/*.rs3 gold/
cp trees/*.rs3 treebank/
cp trees/cpi-august-flash.rs3 text.rs3
cp text.rs3 gold.rs3
arsg -q convert text.rs3 a.dis
cp a.dis predicted.dis
arsg -q parse news.jsonl --format rs3 --out predicted
arsg -q parse news.jsonl --json > predicted.jsonl
arsg -q merge grammars/finance.arsg -o old.arsg
sed 's/x 22/x 23/' old.arsg > new.arsg
cp old.arsg shard-1.arsg
cp new.arsg shard-2.arsg
cp old.arsg draft.arsg
cp schemas/finance.toml schemas/general.toml
arsg -q summarize news.jsonl > summary.txt
cp summary.txt human.txt
echo shift > commands.txt
cp -r trees news-trees
echo 'change causal-cause to causal-result' > changes.txt
arsg -q embed train news.jsonl -o news.safetensors --width 8 --epochs 2
arsg -q embed impacts news.jsonl -m news.safetensors -o impacts.safetensors
arsg -q learn loop --corpus news.jsonl --model news.safetensors
git init -q -b main
git add -A
git -c user.name=a -c user.email=a@example.org commit -qm 1
git -c user.name=a -c user.email=a@example.org commit -qm 2 --allow-empty
";

/// Commands whose examples take long and are run by tests of their own.
const ELSEWHERE: [&str; 3] = ["demo", "experiment", "serve"];

fn prepared() -> tempfile::TempDir {
    let folder = project();
    let lines: Vec<String> = FILES.lines().skip(1).map(str::to_owned).collect();
    run_all(&lines, folder.path());
    folder
}

/// All commands with the commands below them: `check`, `embed train`, ...
fn names() -> Vec<String> {
    let listed = |line: &str, heading: &str| -> Vec<String> {
        let help = said(&run(line, Path::new(".")));
        let from = help.find(heading).unwrap_or(help.len());
        help[from..]
            .lines()
            .skip(1)
            .take_while(|line| !line.starts_with("Options:"))
            .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
            .map(|(name, _)| name.to_owned())
            .filter(|name| !name.starts_with(' ') && name != "help")
            .collect()
    };
    let mut names = Vec::new();
    for name in listed("arsg --help", "Start:") {
        let below = listed(&format!("arsg {name} --help"), "\nCommands:");
        if below.is_empty() {
            names.push(name)
        } else {
            names.extend(below.iter().map(|below| format!("{name} {below}")))
        }
    }
    names
}

/// The examples of a help, without what is said beside them.
fn examples(name: &str) -> Vec<String> {
    let help = said(&run(&format!("arsg {name} --help"), Path::new(".")));
    let Some((_, rest)) = help
        .split_once("\nExamples:\n")
        .or_else(|| help.split_once("\nExample:\n"))
    else {
        panic!("`arsg {name} --help` has no example");
    };
    let mut found = Vec::new();
    for line in rest.lines().take_while(|line| !line.is_empty()) {
        let line = line.strip_prefix("  ").unwrap_or(line);
        if line.starts_with("    ") {
            continue; // what is said below a long example
        }
        let starts = ["arsg ", "echo ", "cat ", "cd "];
        assert!(
            starts.iter().any(|start| line.starts_with(start)),
            "`arsg {name} --help` breaks a line before `{line}`: shorten the example"
        );
        let example = line.split_once("  ").map_or(line, |(example, _)| example);
        found.push(example.trim().to_owned());
    }
    assert!(!found.is_empty(), "`arsg {name} --help` has no example");
    found
}

#[test]
fn every_example_runs_as_printed() {
    let folder = prepared();
    let mut failed = Vec::new();
    for name in names() {
        for example in examples(&name) {
            if ELSEWHERE.contains(&name.as_str()) {
                continue;
            }
            let output = run(&example, folder.path());
            if !output.status.success() {
                failed.push(format!("`{example}`\n{}", said(&output)));
            }
        }
        // What one command's examples have overwritten, the next ones' need.
        run("git checkout -q -- .", folder.path());
        run("git clean -fdq cases", folder.path());
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn all_commands_are_found() {
    let names = names();
    for name in [
        "init",
        "demo",
        "check",
        "embed train",
        "corpus split",
        "man",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    run_all(&["arsg man --out man1".to_owned()], folder.path());
    let bash = said(&run("arsg completions bash", folder.path()));
    for name in names() {
        let first = name.split(' ').next().unwrap();
        assert!(bash.contains(first), "{first}");
        let page = folder
            .path()
            .join(format!("man1/arsg-{}.1", name.replace(' ', "-")));
        let page = fs::read_to_string(&page).unwrap_or_default();
        assert!(
            page.contains("Examples") || page.contains("Example"),
            "{name}: {page}"
        );
    }
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let output = run(&format!("arsg completions {shell}"), folder.path());
        assert!(
            output.status.success() && output.stdout.len() > 1000,
            "{shell}"
        );
    }
}

#[test]
fn what_is_misspelt_is_suggested() {
    let folder = project();
    for name in ["text.txt", "text.rs3", "news.jsonl", "news.safetensors"] {
        fs::write(folder.path().join(name), "股价上涨。").unwrap();
    }
    for (line, help) in [
        ("arsg chekc", "'check'"),
        ("arsg parse txet.txt", "did you mean `text.txt`?"),
        (
            "arsg check grammars/finanec.arsg",
            "did you mean `grammars/finance.arsg`?",
        ),
        ("arsg test casses", "did you mean `cases`?"),
        ("arsg convert text.rs4", "did you mean `text.rs3`?"),
        ("arsg parse text.txt -g finanse", "did you mean `finance`?"),
        (
            "arsg cores text.txt --schema genral",
            "did you mean `general`?",
        ),
        (
            "arsg parse text.txt -o nirgends/a.svg",
            "there is no folder `nirgends`",
        ),
        (
            "arsg cluster news.jsonl -m nwes.safetensors",
            "did you mean `news.safetensors`?",
        ),
    ] {
        let output = run(line, folder.path());
        assert!(!output.status.success(), "{line}");
        assert!(said(&output).contains(help), "{line}: {}", said(&output));
    }
    let broken = "sed -i 's/causes.arsg/cuases.arsg/' grammars/finance.arsg; arsg check";
    let output = run(broken, folder.path());
    assert!(
        said(&output).contains("did you mean `grammars/causes.arsg`?"),
        "{}",
        said(&output)
    );
}

#[test]
fn colours_are_for_terminals_and_no_color_is_heard() {
    let folder = project();
    let has_colour = |line: &str| {
        let said = said(&run(line, folder.path()));
        // Sequences that end in `m` set colours; others move the cursor.
        let sequences = said.split("\x1b[").skip(1);
        let mut ends = sequences.filter_map(|rest| rest.chars().find(char::is_ascii_alphabetic));
        ends.any(|end| end == 'm')
    };
    assert!(!has_colour("arsg parse texts/today.txt"));
    assert!(has_colour("arsg parse texts/today.txt --color always"));
    assert!(!has_colour("arsg parse texts/today.txt --color never"));
    // `script` gives a terminal.
    if run("command -v script", folder.path()).status.success() {
        let on_terminal = "script -qec 'arsg parse texts/today.txt' /dev/null";
        assert!(has_colour(on_terminal));
        assert!(!has_colour(&format!("NO_COLOR=1 {on_terminal}")));
    }
}
