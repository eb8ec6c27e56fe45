//! `arsg induce` as a person meets it: the same bytes each time, and no more rules than asked for.

use std::path::Path;

use crate::fixtures::project;
use crate::run::{arsg, printed};

const LEARN: [&str; 5] = ["induce", "trees", "--docs", "corpus/news.jsonl", "-o"];

/// What was learned, as text.
fn learned(folder: &Path, name: &str, more: &[&str]) -> String {
    printed(folder, &[&LEARN[..], &[name], more].concat());
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// How many productions, preferences and rows of tables a grammar has.
fn rules(grammar: &str) -> usize {
    let begins = |line: &&str| {
        line.starts_with("prefer ") || line.contains(" <- ") || line.starts_with("  | ")
    };
    grammar.lines().filter(begins).count()
}

#[test]
fn the_same_trees_give_the_same_bytes() {
    let folder = project();
    let first = learned(folder.path(), "a.arsg", &["--boundary"]);
    let again = learned(folder.path(), "b.arsg", &["--boundary", "--threads", "1"]);
    assert!(first.contains("boundary"), "{first}");
    assert!(first == again);
}

#[test]
fn trees_of_one_edu_teach_no_labels() {
    let folder = project();
    std::fs::write(folder.path().join("zero.txt"), [0; 100]).unwrap();
    for more in [&[][..], &["--boundary"], &["--keep", "general/written"]] {
        let line = [&["induce", "zero.txt", "-o", "zero.arsg"][..], more].concat();
        let (code, _, notes) = arsg(folder.path(), &line);
        assert_eq!(code, Some(0), "{notes}");
        printed(folder.path(), &["check", "zero.arsg"]);
    }
}

#[test]
fn compact_grammars_keep_to_their_size() {
    let folder = project();
    let more = ["--decide", "counts", "--compact", "60"];
    let few = learned(folder.path(), "counts.arsg", &more);
    assert!((20..=60).contains(&rules(&few)), "{few}");
    printed(folder.path(), &["check", "counts.arsg"]);
}

#[test]
fn tables_keep_to_their_number_and_to_their_lines() {
    let folder = project();
    let tables = |text: &str| text.lines().filter(|l| l.starts_with("table ")).count();
    let whole = learned(folder.path(), "whole.arsg", &[]);
    let few = learned(folder.path(), "few.arsg", &["--tables", "6"]);
    // The two that always speak are not counted.
    assert!((3..=8).contains(&tables(&few)), "{few}");
    assert!(tables(&few) < tables(&whole));
    printed(folder.path(), &["check", "few.arsg"]);
    let lines = |text: &str| text.lines().count();
    let short = learned(folder.path(), "short.arsg", &["--budget", "60"]);
    assert!(
        lines(&short) <= 75 && lines(&short) < lines(&whole),
        "{short}"
    );
    let by_size = printed(
        folder.path(),
        &[
            &LEARN[..4],
            &["--tables", "4,8", "--folds", "2", "--gold-only"],
        ]
        .concat(),
    );
    assert!(by_size.contains("4 tables: 2 folds: S "), "{by_size}");
    assert!(by_size.contains("8 tables: 2 folds: S "), "{by_size}");
}

const WRITTEN: &str = "\
grammar  written 1.0
schema   \"schemas/finance.toml\"
start    Report
decide   weights

## Always a list, says somebody who is mistaken.
rule all-is-a-list
  _[joint-list] <- _:N _:N                       strong

## A heading waits. # with a comment of its own
rule heading-waits
  prefer shift  _ _ . _                          mild
  when A.heading
";

#[test]
fn written_rules_stay_and_are_judged() {
    let folder = project();
    let root = folder.path();
    std::fs::write(root.join("written.arsg"), WRITTEN).unwrap();
    let more = ["--keep", "written.arsg", "--report", "report.jsonl"];
    let own = learned(root, "mine.arsg", &more);
    for kept in [
        "## Always a list, says somebody who is mistaken.\nrule all-is-a-list\n",
        "rule heading-waits\n",
    ] {
        assert!(own.contains(kept), "{own}");
    }
    let report = std::fs::read_to_string(root.join("report.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let list = lines.iter().find(|line| line["rule"] == "all-is-a-list");
    let list = list.unwrap();
    assert!(list["wrong"].as_u64() > list["right"].as_u64(), "{report}");
    let (code, _, said) = arsg(root, &[&LEARN[..], &["mine.arsg"], &more].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("the trees contradict `all-is-a-list`"),
        "{said}"
    );
    // The tables speak against what the rule says of everything.
    assert!(own.contains("joint-list NN"), "{own}");
}

/// What a linguist did to a learned grammar outlives new trees.
#[test]
fn edits_survive_learning_anew() {
    let folder = project();
    let root = folder.path();
    std::fs::write(root.join("written.arsg"), WRITTEN).unwrap();
    let own = learned(root, "mine.arsg", &["--keep", "written.arsg", "--boundary"]);
    let row = own
        .lines()
        .find(|line| line.starts_with("  | ") && line.contains("joint-list NN"))
        .unwrap();
    let (head, _) = row.rsplit_once(['+', '-']).unwrap();
    let marked = format!("{} +3.21 !", head.trim_end());
    let edited = own
        .replacen(row, &marked, 1)
        .replacen("table shift-usual  ", "table how-far-to-read  ", 1)
        .replacen(
            "## A heading waits.",
            "# My own remark.\n\n## A heading waits.",
            1,
        );
    std::fs::write(root.join("mine.arsg"), &edited).unwrap();
    printed(root, &["fmt", "-w", "mine.arsg"]);
    let before = std::fs::read_to_string(root.join("mine.arsg")).unwrap();
    // Fewer trees, so that rows have a reason to move.
    for entry in std::fs::read_dir(root.join("trees")).unwrap().take(2) {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let more = ["--from", "mine.arsg", "--update", "--boundary"];
    let (code, _, said) = arsg(root, &[&LEARN[..4], &more].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("rows changed ("), "{said}");
    let after = std::fs::read_to_string(root.join("mine.arsg")).unwrap();
    assert_ne!(before, after, "no row moved");
    for kept in ["+3.21 !", "table how-far-to-read", "# My own remark."] {
        assert!(after.replace("  ", " ").contains(kept), "{kept}\n{after}");
    }
    let is_row = |line: &&str| line.starts_with("  | ");
    let but_rows = |text: &str| -> Vec<String> {
        let others = text.lines().filter(|line| !is_row(line));
        others.map(str::to_owned).collect()
    };
    assert_eq!(but_rows(&before), but_rows(&after));
    assert_eq!(
        before.lines().filter(is_row).count(),
        after.lines().filter(is_row).count()
    );
}

#[test]
fn an_action_that_is_impossible_is_shown_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\"id\": \"b\", \"text\": \"因为下雨，比赛取消了。\"}";
    std::fs::write(folder.path().join("news.jsonl"), text).unwrap();
    let line = "annotate news.jsonl --automatic --labels labels --grammar finance";
    printed(folder.path(), &line.split(' ').collect::<Vec<_>>());
    let path = folder.path().join("labels/b.label");
    let label = std::fs::read_to_string(&path).unwrap();
    let (header, actions) = label.split_once('\n').unwrap();
    let reduce = "{\"action\":\"reduce\",\"relation\":\"causal-cause\",\"roles\":\"NS\"}";
    std::fs::write(&path, format!("{header}\n{reduce}\n{actions}")).unwrap();
    let line = ["induce", "labels", "--schema", "finance", "-o", "a.arsg"];
    let (code, _, notes) = arsg(folder.path(), &line);
    assert_eq!(code, Some(3), "{notes}");
    assert!(notes.contains("b.label:2:"), "{notes}");
    assert!(!folder.path().join("a.arsg").exists());
}
