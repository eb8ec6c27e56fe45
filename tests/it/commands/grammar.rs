//! `arsg check`, `fmt`, `diff`, `merge` and `stats` from the shell.

use std::path::Path;

use crate::fixtures::SMALL_SCHEMA;
use crate::run::{arsg, text, with_stdin};

/// A project folder with a schema and one grammar.
fn project(grammar: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schema.toml"), SMALL_SCHEMA).unwrap();
    write(folder.path(), "a.arsg", grammar);
    folder
}

fn write(folder: &Path, name: &str, grammar: &str) {
    std::fs::write(
        folder.join(name),
        format!("schema   \"schema.toml\"\n\n{grammar}"),
    )
    .unwrap();
}

const GOOD: &str =
    "上涨[cause] <- 上涨:N 下跌:S                     x 12\n  when B.cue = because\n";

#[test]
fn check_answers_with_0_1_or_3() {
    let folder = project(GOOD);
    assert_eq!(
        arsg(folder.path(), &["check", "a.arsg", "schema.toml"]).0,
        Some(0)
    );
    write(
        folder.path(),
        "warn.arsg",
        "上涨[cause] <- 上涨 下跌\n  when A.length >= 1\n",
    );
    assert_eq!(arsg(folder.path(), &["check", "warn.arsg"]).0, Some(0));
    assert_eq!(
        arsg(folder.path(), &["check", "warn.arsg", "--deny-warnings"]).0,
        Some(1)
    );
    write(folder.path(), "bad.arsg", "上张[cause] <- 上涨 下跌\n");
    let (code, out, err) = arsg(
        folder.path(),
        &["check", "bad.arsg", "--error-format", "plain"],
    );
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(
        err.starts_with(
            "bad.arsg:3:1: error[G017]: unknown symbol `上张`\n  help: did you mean `上涨`?\n"
        ),
        "{err}"
    );
    assert_eq!(arsg(folder.path(), &["check", "nowhere.arsg"]).0, Some(1));
    assert_eq!(arsg(folder.path(), &["check"]).0, Some(2));
    let (_, out, _) = arsg(folder.path(), &["check", "bad.arsg", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["diagnostics"][0]["code"], "G017");
}

#[test]
fn check_reads_standard_input_and_takes_a_schema() {
    let folder = project(GOOD);
    let output = with_stdin(folder.path(), &["check", "--schema", "schema.toml", "-"])
        .write_stdin("上涨[cause] <- 上涨 上涨\n")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn fmt_writes_only_what_it_must() {
    let folder = project(GOOD);
    assert_eq!(
        arsg(folder.path(), &["fmt", "--check", "a.arsg"]).0,
        Some(0)
    );
    write(folder.path(), "b.arsg", "上涨[cause]<-上涨 下跌 x 3 # 注\n");
    let (code, out, _) = arsg(folder.path(), &["fmt", "--check", "."]);
    assert_eq!((code, out.as_str()), (Some(1), "./b.arsg\n"));
    let (_, out, _) = arsg(folder.path(), &["fmt", "--diff", "b.arsg"]);
    assert!(out.contains("-上涨[cause]<-上涨 下跌 x 3 # 注"), "{out}");
    assert_eq!(
        arsg(folder.path(), &["fmt", "--write", "b.arsg"]).0,
        Some(0)
    );
    assert_eq!(
        arsg(folder.path(), &["fmt", "--check", "b.arsg"]).0,
        Some(0)
    );
    let before = "上涨[cause <- 上涨 下跌\n";
    write(folder.path(), "broken.arsg", before);
    assert_eq!(
        arsg(folder.path(), &["fmt", "--write", "broken.arsg"]).0,
        Some(3)
    );
    let after = std::fs::read_to_string(folder.path().join("broken.arsg")).unwrap();
    assert!(after.ends_with(before));
}

#[test]
fn diff_merge_and_stats_speak_of_rules() {
    let folder = project(GOOD);
    write(folder.path(), "b.arsg", &GOOD.replace("x 12", "x 13"));
    let (_, out, _) = arsg(folder.path(), &["diff", "a.arsg", "b.arsg"]);
    assert!(out.contains("count: 12 -> 13"), "{out}");
    let (_, out, _) = arsg(
        folder.path(),
        &["diff", "a.arsg", "b.arsg", "--format", "json"],
    );
    let changes: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(changes["rules"][0]["aspects"][0]["what"], "count");
    let (_, out, _) = arsg(folder.path(), &["merge", "a.arsg", "b.arsg"]);
    assert!(out.contains("x 25"), "{out}");
    let (_, out, _) = arsg(folder.path(), &["stats", "--json", "a.arsg"]);
    let stats: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(stats["productions"]["instances"], 12);
    assert_eq!(
        arsg(folder.path(), &["diff", "HEAD~1:a.arsg", "a.arsg"]).0,
        Some(1)
    );
}

#[test]
fn a_grammar_does_not_read_outside_its_project() {
    let folder = project(GOOD);
    let inner = folder.path().join("x").join("y");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(inner.join("c.arsg"), "schema \"../../schema.toml\"\n").unwrap();
    let (code, _, err) = arsg(&inner, &["check", "c.arsg"]);
    assert_eq!(code, Some(3));
    assert!(err.contains("G015"), "{err}");
    assert_eq!(
        arsg(&inner, &["check", "--allow-outside", "c.arsg"]).0,
        Some(0)
    );
    std::fs::write(folder.path().join("arsg.toml"), "").unwrap();
    assert_eq!(arsg(&inner, &["check", "c.arsg"]).0, Some(0));
}

#[test]
fn a_merged_grammar_loads_from_the_folder_it_is_written_to() {
    let folder = project(GOOD);
    write(folder.path(), "b.arsg", GOOD);
    std::fs::create_dir_all(folder.path().join("out")).unwrap();
    let merging = ["merge", "a.arsg", "b.arsg", "-o", "out/all.arsg"];
    let (code, _, err) = arsg(folder.path(), &merging);
    assert_eq!(code, Some(0), "{err}");
    let text = std::fs::read_to_string(folder.path().join("out/all.arsg")).unwrap();
    assert!(text.contains("\"../schema.toml\""), "{text}");
    let (code, _, err) = arsg(folder.path(), &["check", "out/all.arsg"]);
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn merge_counts_a_shared_module_once_and_says_what_it_leaves_out() {
    let folder = project("use \"c.arsg\"\n# 注\n上涨[result] <- 上涨 下跌 x 2\n");
    write(
        folder.path(),
        "b.arsg",
        "grammar 乙\nuse \"c.arsg\"\n上涨[result] <- 上涨 下跌 x 3\n",
    );
    write(folder.path(), "c.arsg", GOOD);
    let (code, out, err) = arsg(folder.path(), &["merge", "a.arsg", "b.arsg"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("x 12") && !out.contains("x 24"), "{out}");
    assert!(out.contains("x 5"), "{out}");
    assert!(
        err.contains("2 grammars merged into `乙`: 2 productions, 0 preferences"),
        "{err}"
    );
    assert!(err.contains("the first in the alphabet"), "{err}");
    assert!(err.contains("1 plain comment left out"), "{err}");
}

#[test]
fn merge_names_the_files_that_do_not_fit() {
    let folder = project("decide counts\n");
    write(folder.path(), "b.arsg", "decide weights\n");
    let (code, _, err) = arsg(folder.path(), &["merge", "a.arsg", "b.arsg"]);
    assert_eq!(code, Some(1));
    assert!(
        err.contains("`a.arsg`") && err.contains("`b.arsg`"),
        "{err}"
    );
}

#[test]
fn stats_of_a_schema_are_its_vocabulary() {
    let folder = project(GOOD);
    let (code, out, err) = arsg(folder.path(), &["stats", "schema.toml"]);
    assert_eq!(code, Some(0), "{err}");
    for name in [
        "上涨",
        "cause",
        "contrast*",
        "polarity",
        "because",
        "因为",
        "利率",
    ] {
        assert!(out.contains(name), "{name} is not in\n{out}");
    }
    let (_, out, _) = arsg(folder.path(), &["stats", "--json", "schema.toml"]);
    let listing: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(listing["attributes"][0]["type"], "time");
}

#[test]
fn the_help_has_no_holes_and_promises_nothing() {
    let folder = project(GOOD);
    let (_, out, _) = arsg(folder.path(), &["--help"]);
    assert!(!out.contains("\n\n\n"), "{out}");
    assert!(
        !out.contains("summarize") || out.contains("  summarize "),
        "{out}"
    );
    let (_, out, _) = arsg(folder.path(), &["check", "--help"]);
    assert!(out.contains("Exit codes: 0"), "{out}");
}
