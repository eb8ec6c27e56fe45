//! The literals about gaps between words.

use crate::grammar::functions::{KINDS, PARTS_OF_SPEECH, PUNCTUATION};
use crate::schema::Schema;

const COUNTS: &[u32] = &[1, 2, 3, 4, 6, 8, 11, 15];

/// Every literal as it is written, and whether it may stand in pairs. How far back the last EDU began
/// is not asked: in gold texts it is always right, in a text that is being divided it is not. `words` are words worth
/// asking for, by their place.
pub(super) fn gap_texts(schema: &Schema, words: &[(String, Vec<String>)]) -> Vec<(String, bool)> {
    let mut all: Vec<(String, bool)> = Vec::new();
    let mut add = |text: String, pairs: bool| all.push((text, pairs));
    for place in ["prev2", "prev", "next", "next2"] {
        let near = matches!(place, "prev" | "next");
        for pos in PARTS_OF_SPEECH {
            add(format!("{place}.pos = {pos}"), true);
        }
        for mark in PUNCTUATION {
            add(format!("{place}.punct = {mark}"), *mark != "none");
        }
        for class in &schema.cues {
            add(format!("{place}.cue = {}", class.name), near);
        }
        add(format!("{place}.cue = none"), false);
        for flag in ["speech", "cognition"] {
            add(format!("{place}.{flag}"), true);
        }
        for length in [1, 2, 3] {
            add(format!("{place}.length > {length}"), near);
        }
    }
    for (place, words) in words {
        for word in words {
            let near = matches!(place.as_str(), "prev" | "next");
            add(format!("{place}.word = \"{word}\""), near);
        }
    }
    for what in ["since-mark", "until-mark", "until-de"] {
        for count in COUNTS {
            add(format!("{what} >= {count}"), matches!(count, 2 | 4 | 8));
        }
    }
    add("known(until-de)".to_owned(), true);
    add("not known(until-de)".to_owned(), false);
    for what in ["verbs-before", "verbs-after"] {
        for count in [1, 2, 3] {
            add(format!("{what} >= {count}"), true);
        }
        add(format!("{what} = 0"), true);
    }
    for flag in ["in-bracket", "in-quote", "verb-before-de"] {
        add(flag.to_owned(), true);
        add(format!("not {flag}"), false);
    }
    for mark in PUNCTUATION {
        add(format!("next-mark = {mark}"), true);
    }
    for pos in PARTS_OF_SPEECH {
        add(format!("head-after-de = {pos}"), true);
    }
    for kind in KINDS {
        add(format!("block = {kind}"), true);
    }
    all
}
