//! What newcomers do wrong, and what they are told: the wrong file, the wrong place, nothing at all.

use std::fs;
use std::path::Path;

use crate::fixtures::project;
use crate::run::{arsg, run, text};

fn put(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// What a failing command says; it must say nothing on stdout.
fn refusal(folder: &Path, arguments: &[&str], code: i32) -> String {
    let (found, out, said) = arsg(folder, arguments);
    assert_eq!(found, Some(code), "{arguments:?}: {out}{said}");
    assert_eq!(out, "", "{arguments:?}");
    said
}

#[test]
fn what_is_no_text_is_not_parsed() {
    let folder = project();
    let root = folder.path();
    put(root, "picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    put(root, "cases.txt", "===\n因果\n===\n油价下跌。\n---\n1\n");
    for (path, expected) in [
        (
            "trees/oil-outlook.rs3",
            "is a tree (rs3), no text: `arsg convert` draws it",
        ),
        (
            "schemas/finance.toml",
            "is a schema or other settings (TOML), no text",
        ),
        ("grammars/finance.arsg", "is a grammar, no text"),
        ("labels/cpi-august-xinhe.label", "is a label, no text"),
        ("cases.txt", "holds regression cases"),
        ("picture.txt", "holds NUL bytes, so it is no text"),
    ] {
        let said = refusal(root, &["parse", path], 1);
        assert!(said.contains(&format!("`{path}` {expected}")), "{said}");
    }
    let said = refusal(root, &["parse", "trees"], 1);
    assert!(said.contains("skipped: 18 trees"), "{said}");
    assert!(said.contains("there is no text in `trees`"), "{said}");
    // A format that is given is believed.
    let (code, _, _) = arsg(root, &["segment", "schemas/finance.toml", "--from", "text"]);
    assert_eq!(code, Some(0));
}

#[test]
fn beside_texts_other_files_are_skipped_and_counted() {
    let folder = project();
    let root = folder.path();
    fs::remove_dir_all(root.join("corpus")).unwrap();
    put(root, "corpus/a.txt", "国际油价下跌。\n");
    put(root, "corpus/README.md", "# 说明\n这里是文本。\n");
    put(root, "corpus/chart.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    put(root, "corpus/a.rs3", "<rst>\n<header/>\n</rst>\n");
    put(root, "corpus/b.sexp", "(causal-cause SN 1 2)\n");
    put(root, "corpus/empty.txt", "\n\n");
    let (code, out, said) = arsg(root, &["parse"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(out.matches("log probability").count(), 1, "{out}");
    assert!(said.contains("2 documents: 1 kept"), "{said}");
    assert!(said.contains("1 dropped: document without text"), "{said}");
    assert!(
        said.contains("skipped: 1 README, 1 binary file, 2 trees"),
        "{said}"
    );
}

#[test]
fn a_text_without_words_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "empty.txt", "");
    put(root, "blank.txt", "  \n\u{3000}\n");
    for name in ["empty.txt", "blank.txt"] {
        for command in ["parse", "segment", "cores", "explain"] {
            let said = refusal(root, &[command, name], 1);
            assert!(
                said.contains(&format!("there is no text in `{name}`")),
                "{said}"
            );
        }
    }
    let said = refusal(root, &["parse", "-"], 1);
    assert!(said.contains("there is no text in stdin"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_project_says_that_it_does_not_read_stdin() {
    let folder = project();
    let note = "stdin is not read; give `-` to read it";
    let piped = run(
        "printf '由于需求疲软，油价下跌。' | arsg segment",
        folder.path(),
    );
    assert!(
        text(&piped.stderr).contains(note),
        "{}",
        text(&piped.stderr)
    );
    let file = run("arsg segment < texts/today.txt", folder.path());
    assert!(text(&file.stderr).contains(note));
    for silent in [
        "arsg segment < /dev/null",
        "arsg segment <&-",
        "printf '油价下跌。' | arsg segment -",
        "printf '油价下跌。' | arsg segment texts/today.txt",
    ] {
        let output = run(silent, folder.path());
        assert!(output.status.success(), "{silent}");
        assert_eq!(text(&output.stderr), "", "{silent}");
    }
}

#[test]
fn a_learned_grammar_is_used_in_the_project_that_made_it() {
    let folder = project();
    let root = folder.path();
    let learned = [
        "induce",
        "trees",
        "--docs",
        "corpus/news.jsonl",
        "--schema",
        "schemas/finance.toml",
        "--decide",
        "counts",
        "--compact",
        "100",
        "-o",
        "out/learned.arsg",
    ];
    let (code, _, said) = arsg(root, &learned);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("written to `out/learned.arsg`"), "{said}");
    let own = fs::read_to_string(root.join("grammars/finance.arsg")).unwrap();
    let used = own.replacen("\nuse ", "\nuse \"../out/learned.arsg\"\nuse ", 1);
    put(root, "grammars/finance.arsg", used);
    let (_, _, said) = arsg(root, &["check", "grammars/finance.arsg"]);
    assert!(!said.contains("another schema"), "{said}");
    // A schema with one more word is another one.
    let schema = fs::read_to_string(root.join("schemas/finance.toml")).unwrap();
    put(
        root,
        "schemas/finance.toml",
        schema + "\n[relation.Surprise]\ndoc = \"意外\"\n",
    );
    let said = refusal(root, &["check", "grammars/finance.arsg"], 3);
    assert!(said.contains("speaks of another schema"), "{said}");
    let said = refusal(root, &["induce", "trees", "-o", "nirgends/learned.arsg"], 1);
    assert!(said.contains("there is no folder `nirgends`"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_stops_no_work() {
    let folder = project();
    let root = folder.path();
    let rules: String = (0..400)
        .map(|n| format!("rule r{n} Nix[no-{n}] <- _:N _:S\n"))
        .collect();
    put(
        root,
        "grammars/bad.arsg",
        format!("grammar bad\nschema \"finance\"\n{rules}"),
    );
    // `sh` has no pipefail: the code goes to a file.
    let line = "(arsg check grammars/bad.arsg 2>&1; echo $? > code) | head -1";
    run(line, root);
    assert_eq!(fs::read_to_string(root.join("code")).unwrap().trim(), "3");
    let line = "(arsg induce trees --docs corpus -o out/l.arsg 2>&1; echo $? > code) | true";
    run(line, root);
    assert_eq!(fs::read_to_string(root.join("code")).unwrap().trim(), "0");
    let line = "(arsg embed train corpus -o out/model --epochs 2; echo $? > code) | true";
    let said = run(line, root);
    assert_eq!(fs::read_to_string(root.join("code")).unwrap().trim(), "0");
    assert!(root.join("out/model").exists(), "{}", text(&said.stderr));
}

#[test]
fn cases_are_looked_for_and_their_relations_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let said = refusal(root, &["test"], 2);
    assert!(said.contains("no case is named"), "{said}");
    let case = |tree: &str| format!("===\n因果\n===\n由于需求疲软，\n油价下跌。\n---\n{tree}\n");
    put(root, "a.case", case("(cause SN 1 2)"));
    let said = refusal(root, &["test", "a.case"], 3);
    assert!(
        said.contains("the schema has no relation `cause`"),
        "{said}"
    );
    assert!(said.contains("did you mean `causal-cause`?"), "{said}");
    put(root, "b.case", case("（causal-cause SN 1 2）"));
    let said = refusal(root, &["test", "b.case"], 3);
    assert!(said.contains("write the half-width `(`"), "{said}");
}

#[test]
fn people_count_from_1_and_see_what_rules_are_for() {
    let folder = project();
    let root = folder.path();
    put(root, "a.txt", "国际油价上涨，股价下跌。\n");
    let (_, out, _) = arsg(root, &["cores", "a.txt"]);
    assert!(
        out.lines().nth(1).unwrap().trim_start().starts_with("1  "),
        "{out}"
    );
    let (_, out, _) = arsg(root, &["cores", "a.txt", "--json"]);
    assert!(out.lines().next().unwrap().contains("\"edu\":0"), "{out}");

    let rule = "## 甲乙先并\nrule together\nprefer reduce Rise _ . _  x 9\n";
    put(
        root,
        "g.arsg",
        format!("grammar g\nschema \"finance\"\n{rule}"),
    );
    put(root, "three.txt", "国际油价上涨，股价下跌，利率上升。\n");
    let (code, out, said) = arsg(
        root,
        &["explain", "three.txt", "-g", "g.arsg", "--node", "1-2"],
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(out.contains("## 甲乙先并"), "{out}");
    let why_not = [
        "explain",
        "three.txt",
        "-g",
        "g.arsg",
        "--why-not",
        "together@1-2",
    ];
    let (_, out, said) = arsg(root, &why_not);
    assert!(out.contains("## 甲乙先并"), "{out}{said}");
}

#[test]
fn one_text_of_many_is_explained() {
    let folder = project();
    let root = folder.path();
    let (code, out, said) = arsg(root, &["explain", "cases/causes.case", "--node", "1-2"]);
    assert_eq!(code, Some(0), "{said}");
    let steps = out.lines().filter(|line| line.starts_with("step "));
    assert_eq!(steps.count(), 1, "{out}");
    assert!(said.contains("the first of"), "{said}");
    assert!(said.contains("`--id` names another"), "{said}");
    let (_, all, _) = arsg(root, &["explain", "cases/causes.case"]);
    let id = all.split(": ").next().unwrap().to_owned();
    let (code, _, said) = arsg(root, &["explain", "cases/causes.case", "--id", &id[1..]]);
    assert_eq!(code, Some(1));
    assert!(said.contains(&format!("did you mean `{id}`?")), "{said}");
}

#[test]
fn a_check_ends_with_a_verdict() {
    let folder = project();
    let limits = [
        "coverage",
        "--summary",
        "--min",
        "10",
        "--max-fallback",
        "50",
    ];
    let (code, out, said) = arsg(folder.path(), &limits);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(out.lines().count(), 3, "{out}");
    assert!(said.contains("coverage is within its limits"), "{said}");
    let (code, _, said) = arsg(folder.path(), &["coverage", "--summary", "--min", "100"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("of the rules spoke, not 100%"), "{said}");
    let script = fs::read_to_string(folder.path().join("check.sh")).unwrap();
    assert!(script.ends_with("echo \"all checks passed\"\n"), "{script}");
}

#[test]
fn what_holds_no_grammar_is_not_checked() {
    let folder = project();
    let root = folder.path();
    let said = refusal(root, &["check", "trees"], 1);
    assert!(
        said.contains("`trees` holds no grammar (`*.arsg`)"),
        "{said}"
    );
    for other in ["texts/today.txt", "trees/oil-outlook.rs3"] {
        let said = refusal(root, &["check", other], 3);
        assert!(said.contains("this is no grammar"), "{said}");
        assert!(said.contains("1 error, 0 warnings"), "{said}");
    }
    // A misspelt statement is one all the same.
    put(root, "g.arsg", "gramar g\n");
    let said = refusal(root, &["check", "g.arsg"], 3);
    assert!(!said.contains("this is no grammar"), "{said}");
    for arguments in [
        &["parse", "texts/today.txt", "--grammar", "grammars"][..],
        &["stats", "grammars"],
        &["merge", "grammars"],
    ] {
        let said = refusal(root, arguments, 1);
        assert!(said.contains("it is a folder"), "{said}");
        assert!(
            said.contains("name a file in it: `grammars/attribution.arsg`"),
            "{said}"
        );
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_folder_are_not_followed() {
    let folder = project();
    let root = folder.path();
    put(root, "elsewhere/secret.arsg", "这不是语法\n");
    std::os::unix::fs::symlink(
        root.join("elsewhere/secret.arsg"),
        root.join("grammars/z.arsg"),
    )
    .unwrap();
    std::os::unix::fs::symlink("causes.arsg", root.join("grammars/same.arsg")).unwrap();
    let (code, _, said) = arsg(root, &["check", "grammars"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("`grammars/z.arsg` leads out of its folder"),
        "{said}"
    );
    assert!(!said.contains("same.arsg` leads"), "{said}");
}

#[test]
fn trees_are_written_where_they_fit() {
    let folder = project();
    let root = folder.path();
    let said = refusal(
        root,
        &["parse", "texts/today.txt", "--out", "out/today.pdf"],
        2,
    );
    assert!(
        said.contains("`out/today.pdf` does not say its format"),
        "{said}"
    );
    let said = refusal(root, &["parse", "--out", "out/all.svg"], 2);
    assert!(
        said.contains("`out/all.svg` holds one (svg); name a folder"),
        "{said}"
    );
    let said = refusal(
        root,
        &["parse", "--format", "svg", "--out", "texts/today.txt"],
        2,
    );
    assert!(
        said.contains("`texts/today.txt` is a file; many texts need a folder"),
        "{said}"
    );
    assert!(!root.join("out/today.pdf").exists() && !root.join("out/all.svg").exists());
    let (code, _, said) = arsg(
        root,
        &["parse", "texts/today.txt", "--out", "out/today.svg"],
    );
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_comparison_without_a_commit_says_what_to_do() {
    let folder = project();
    let said = refusal(folder.path(), &["diff"], 1);
    assert!(
        said.contains("commit first, or name the old grammar's file"),
        "{said}"
    );
}

#[test]
fn what_segment_writes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let blocks = "{\"kind\":\"heading\",\"level\":0,\"text\":\"油价下跌\"},\
        {\"kind\":\"heading\",\"level\":1,\"text\":\"背景\"},\
        {\"kind\":\"paragraph\",\"text\":\"因为需求疲软，国际油价下跌，股价也下跌。\"}";
    put(
        root,
        "a.jsonl",
        format!("{{\"id\":\"a\",\"blocks\":[{blocks}]}}\n"),
    );
    let (_, lines, _) = arsg(root, &["segment", "a.jsonl"]);
    assert!(
        lines.starts_with("# 油价下跌\n\n## 背景\n\n因为"),
        "{lines}"
    );
    put(root, "a.edus", &lines);
    let (_, again, _) = arsg(root, &["segment", "a.edus"]);
    assert_eq!(again, lines);
    let (_, json, _) = arsg(root, &["segment", "a.edus", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let levels: Vec<_> = document["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["level"])
        .collect();
    assert_eq!(levels, [&0.into(), &1.into(), &serde_json::Value::Null]);
    let (_, edus, _) = arsg(root, &["convert", "a.edus", "--to", "edus"]);
    assert!(edus.starts_with("油价下跌\n\n背景\n\n因为"), "{edus}");
}

#[test]
fn one_thing_is_no_plural() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "a.txt", "油价下跌。\n");
    let (_, out, _) = arsg(root, &["parse", "a.txt"]);
    assert!(out.contains("a: 1 EDU, "), "{out}");
    let (_, out, _) = arsg(root, &["explain", "a.txt"]);
    assert!(out.starts_with("a: 1 EDU\n"), "{out}");
    let (_, out, _) = arsg(root, &["coverage", "a.txt", "--summary"]);
    assert!(out.starts_with("1 text, 1 EDU, 1 step;"), "{out}");
}

#[test]
fn a_project_divides_its_own_first_case() {
    let folder = project();
    let root = folder.path();
    for (text, edus) in [
        ("由于需求疲软，国际油价下跌。", 2),
        ("尽管市场需求疲软，公司利润仍然增长。", 2),
        ("因为生猪供应持续偏紧，猪肉价格上涨。", 2),
        ("由于天气原因，航班取消。", 1),
        ("与去年同期相比，油价下跌。", 1),
        ("因此，油价下跌。", 1),
    ] {
        put(root, "a.txt", text);
        let (_, out, _) = arsg(root, &["segment", "a.txt"]);
        assert_eq!(out.lines().count(), edus, "{out}");
    }
}
