//! `arsg induce` as a person meets it: the same bytes each time, and no more rules than asked for.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command;

use std::path::Path;

use command::arsg;

const LEARN: [&str; 5] = ["induce", "trees", "--docs", "corpus/news.jsonl", "-o"];

/// A project with trees in it.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, said) = arsg(folder.path(), &["init", "."]);
    assert_eq!(code, Some(0), "{said}");
    folder
}

/// What was learned, as text.
fn learned(folder: &Path, name: &str, more: &[&str]) -> String {
    let (code, _, said) = arsg(folder, &[&LEARN[..], &[name], more].concat());
    assert_eq!(code, Some(0), "{said}");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// How many productions and preferences a grammar has.
fn rules(grammar: &str) -> usize {
    let begins = |line: &&str| line.starts_with("prefer ") || line.contains(" <- ");
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
fn compact_grammars_keep_to_their_size() {
    let folder = project();
    let whole = rules(&learned(folder.path(), "whole.arsg", &[]));
    for (name, decide) in [("weights.arsg", "weights"), ("counts.arsg", "counts")] {
        let more = ["--decide", decide, "--compact", "60"];
        let few = learned(folder.path(), name, &more);
        assert!((20..=60).contains(&rules(&few)), "{few}");
        assert!(rules(&few) < whole);
        let (code, _, said) = arsg(folder.path(), &["check", name]);
        assert_eq!(code, Some(0), "{said}");
    }
}
