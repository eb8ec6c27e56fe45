//! `arsg induce` as a person meets it: the same bytes each time, and no more rules than asked for.

use std::path::Path;

use crate::fixtures::project;
use crate::run::printed;

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
fn compact_grammars_keep_to_their_size() {
    let folder = project();
    let whole = rules(&learned(folder.path(), "whole.arsg", &[]));
    for (name, decide) in [("weights.arsg", "weights"), ("counts.arsg", "counts")] {
        let more = ["--decide", decide, "--compact", "60"];
        let few = learned(folder.path(), name, &more);
        assert!((20..=60).contains(&rules(&few)), "{few}");
        assert!(rules(&few) < whole);
        printed(folder.path(), &["check", name]);
    }
}
