//! The literals that learned rules are made of: everything worth asking about a configuration or a
//! gap, as formulas of the grammar language.

use std::collections::BTreeMap;

use crate::automaton::Text;
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::functions::{
    COMPLETENESS, KINDS, LEVELS, NUCLEARITIES, NUMBERINGS, OPENINGS, PARTS_OF_SPEECH, PUNCTUATION,
    TAILS,
};
use crate::grammar::{load_boundary_reason, load_reason};
use crate::schema::Schema;

/// A list of literals, and which of them may stand in pairs.
#[derive(Debug, Default)]
pub(super) struct Literals {
    pub(super) formulas: Vec<Formula>,
    /// The text of each, for looking one up.
    texts: Vec<String>,
    /// May be combined with any other of these.
    pub(super) pairs: Vec<bool>,
    /// Is asked only when two nodes get their label. How nodes were joined is known to gold trees
    /// better than to any parser, so what that is worth where a parser has to act cannot be learned
    /// from them; and what nodes begin and end with says nothing about where they end.
    pub(super) for_labels: Vec<bool>,
}

/// The letters and characters that EDUs often begin with, and those they often end with.
#[derive(Debug, Default, Clone)]
pub(super) struct Letters {
    begins: Vec<String>,
    ends: Vec<String>,
}

/// A letter is worth asking for when so many EDUs have it.
const LEAST_LETTERS: usize = 8;

impl Letters {
    /// Those of texts.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t Text>) -> Letters {
        let mut counts = [BTreeMap::new(), BTreeMap::new()];
        for text in texts {
            for (counts, letters) in counts.iter_mut().zip(text.letters()) {
                for letter in letters {
                    *counts.entry(letter).or_insert(0) += 1;
                }
            }
        }
        let often = |counts: BTreeMap<&str, usize>| {
            let often = counts.into_iter().filter(|(_, n)| *n >= LEAST_LETTERS);
            often.map(|(letter, _)| letter.to_owned()).collect()
        };
        let [begins, ends] = counts;
        Letters {
            begins: often(begins),
            ends: often(ends),
        }
    }
}

impl Literals {
    /// The literals about nodes.
    pub(super) fn of_nodes(schema: &Schema, letters: &Letters) -> Literals {
        let mut literals = Literals::default();
        for (text, pairs) in node_texts(schema, letters) {
            let source = Source::new("<literal>", text.as_str());
            if let Ok(formula) = load_reason(&source, schema) {
                literals.push(formula, text, pairs);
            }
        }
        literals
    }

    /// The literals about gaps between words.
    pub(super) fn of_gaps(schema: &Schema, words: &[(String, Vec<String>)]) -> Literals {
        let mut literals = Literals::default();
        for (text, pairs) in super::gaps::gap_texts(schema, words) {
            let source = Source::new("<literal>", text.as_str());
            if let Ok(formula) = load_boundary_reason(&source, schema) {
                literals.push(formula, text, pairs);
            }
        }
        literals
    }

    fn push(&mut self, formula: Formula, text: String, pairs: bool) {
        let of_labels = [
            ".relation",
            ".class",
            ".nuclearity",
            ".head-",
            ".begins",
            ".ends",
        ];
        self.for_labels
            .push(of_labels.iter().any(|name| text.contains(name)));
        self.formulas.push(formula);
        self.texts.push(text);
        self.pairs.push(pairs);
    }

    /// The place of a literal.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let at = self.texts.iter().position(|known| known == text);
        at.and_then(|at| u32::try_from(at).ok())
    }

    /// Several literals as one reason.
    pub(super) fn reason(&self, literals: &[u32]) -> Option<Formula> {
        let mut formulas = literals
            .iter()
            .map(|at| self.formulas[*at as usize].clone());
        match literals.len() {
            0 => None,
            1 => formulas.next(),
            _ => Some(Formula::And(formulas.collect())),
        }
    }
}

/// Cuts for numbers of EDUs.
const LENGTHS: &[u32] = &[2, 3, 4, 6, 9, 14, 22];
const DEPTHS: &[u32] = &[1, 2, 3, 5];
const VERBS: &[u32] = &[1, 2, 3];
const WORDS: &[u32] = &[1, 2, 3, 5, 8];
const CHARS: &[u32] = &[6, 10, 16, 25, 40, 80];
const SENTENCES_LEFT: &[u32] = &[1, 2, 3, 5];
const REACHES: &[u32] = &[2, 3, 4, 6, 9, 14, 25];
const SHARES: &[&str] = &["0", "0.1", "0.2", "0.35", "0.5"];
const RATIOS: &[&str] = &["0.25", "0.5", "0.8", "1.25", "2", "4"];

/// Every literal as it is written, and whether it may stand in pairs.
fn node_texts(schema: &Schema, letters: &Letters) -> Vec<(String, bool)> {
    let mut all: Vec<(String, bool)> = Vec::new();
    let mut add = |text: String, pairs: bool| all.push((text, pairs));
    let classes = classes(schema);
    for node in ["S", "A", "B", "C", "E"] {
        let on_stack = matches!(node, "S" | "A" | "B");
        let central = matches!(node, "A" | "B" | "C");
        for class in &schema.cues {
            add(format!("{node}.cue = {}", class.name), central);
            if central {
                add(format!("contains({node}.cues, {})", class.name), false);
            }
        }
        add(format!("{node}.cue = none"), central);
        for (tail, _) in TAILS {
            if node != "E" {
                add(format!("{node}.tail = {tail}"), matches!(node, "A" | "B"));
            }
        }
        for mark in PUNCTUATION {
            add(format!("{node}.punct = {mark}"), matches!(node, "A" | "B"));
        }
        for opening in OPENINGS {
            add(format!("{node}.opening = {opening}"), central);
        }
        for numbering in NUMBERINGS {
            add(format!("{node}.numbering = {numbering}"), central);
        }
        for kind in KINDS {
            add(format!("{node}.kind = {kind}"), central);
        }
        for flag in [
            "speech",
            "heading",
            "opens-block",
            "pronoun",
            "closes-block",
        ] {
            add(format!("{node}.{flag}"), central);
            add(format!("not {node}.{flag}"), false);
        }
        for cut in CHARS {
            add(format!("{node}.chars >= {cut}"), false);
        }
        add(format!("{node}.verbs = 0"), central);
        for pos in PARTS_OF_SPEECH {
            add(format!("{node}.first = {pos}"), central);
            if node != "E" {
                add(format!("{node}.final = {pos}"), matches!(node, "A" | "B"));
            }
        }
        for symbol in leaf_symbols(schema) {
            add(format!("is({node}, {symbol})"), central);
        }
        if !on_stack {
            continue;
        }
        for flag in ["open-bracket", "open-quote"] {
            add(format!("{node}.{flag}"), true);
        }
        for cut in [2, 3, 5] {
            add(format!("{node}.sentences >= {cut}"), true);
        }
        for completeness in COMPLETENESS {
            add(format!("{node}.completeness = {completeness}"), true);
        }
        for nuclearity in NUCLEARITIES {
            add(format!("{node}.nuclearity = {nuclearity}"), central);
        }
        for class in &classes {
            add(format!("{node}.class = {class}"), central);
        }
        for rhetoric in &schema.rhetoric {
            add(format!("{node}.relation = {}", rhetoric.name), central);
        }
        for cut in LENGTHS {
            add(format!("{node}.length >= {cut}"), *cut <= 4);
        }
        for cut in SENTENCES_LEFT {
            add(format!("{node}.sentences-left >= {cut}"), node == "B");
        }
    }
    for node in ["A", "B", "C"] {
        for cut in VERBS {
            add(format!("{node}.verbs >= {cut}"), false);
        }
        for cut in WORDS {
            add(format!("{node}.words >= {cut}"), false);
        }
    }
    for node in ["S", "A", "B"] {
        for level in ["comma", "semicolon", "sentence", "paragraph"] {
            add(format!("{node}.inner >= {level}"), false);
        }
        for pair in ["level(S, A)", "level(A, B)", "level(B, C)"] {
            for op in ["<", "=", ">"] {
                add(format!("{node}.inner {op} {pair}"), false);
            }
        }
        for cut in DEPTHS {
            add(format!("{node}.depth >= {cut}"), false);
        }
    }
    for node in ["A", "B"] {
        for class in &schema.cues {
            add(format!("{node}.head-cue = {}", class.name), false);
        }
        add(format!("{node}.head-cue = none"), false);
        for (tail, _) in TAILS {
            add(format!("{node}.head-tail = {tail}"), false);
        }
        add(format!("{node}.head-speech"), false);
        for pos in PARTS_OF_SPEECH {
            add(format!("{node}.head-first = {pos}"), false);
            add(format!("{node}.head-final = {pos}"), false);
        }
        for letter in &letters.begins {
            add(format!("{node}.begins = \"{letter}\""), false);
        }
        for letter in &letters.ends {
            add(format!("{node}.ends = \"{letter}\""), false);
        }
    }
    for (left, right) in [("S", "A"), ("A", "B"), ("B", "C"), ("C", "E")] {
        for level in LEVELS {
            add(format!("level({left}, {right}) = {level}"), true);
        }
        for cut in ["comma", "semicolon", "sentence", "paragraph"] {
            add(format!("level({left}, {right}) < {cut}"), true);
            add(format!("level({left}, {right}) > {cut}"), true);
        }
    }
    for (left, right) in [
        ("level(A, B)", "level(B, C)"),
        ("level(S, A)", "level(A, B)"),
        ("level(B, C)", "level(C, E)"),
        ("level(S, A)", "level(B, C)"),
        ("level(A, B)", "level(C, E)"),
        ("overlap(A, B)", "overlap(B, C)"),
        ("reach(A, B)", "reach(B, C)"),
        ("A.length", "B.length"),
        ("A.depth", "B.depth"),
    ] {
        for op in ["<", "=", ">"] {
            add(format!("{left} {op} {right}"), left.starts_with("level"));
        }
    }
    for (left, right) in [("S", "A"), ("A", "B"), ("B", "C"), ("A", "C"), ("C", "E")] {
        for what in [
            "cue",
            "numbering",
            "punct",
            "kind",
            "opening",
            "tail",
            "symbol",
        ] {
            add(
                format!("{left}.{what} = {right}.{what}"),
                matches!((left, right), ("A", "B") | ("B", "C")),
            );
        }
        for share in SHARES {
            add(format!("overlap({left}, {right}) > {share}"), left != "S");
        }
        add(format!("shared-entity({left}, {right})"), true);
        add(format!("paired({left}, {right})"), true);
        add(format!("parallel({left}, {right})"), true);
        add(format!("continues({left}, {right})"), true);
        add(format!("not continues({left}, {right})"), true);
        if left != "C" && right != "C" {
            for what in ["class", "nuclearity", "completeness", "relation"] {
                add(format!("{left}.{what} = {right}.{what}"), left == "A");
            }
        }
    }
    for (left, right) in [("A", "C"), ("B", "C"), ("S", "C")] {
        for share in SHARES {
            add(format!("ahead({left}, {right}) > {share}"), true);
        }
    }
    for node in ["S", "A", "B"] {
        for share in SHARES {
            add(format!("onward({node}, C) > {share}"), false);
        }
    }
    for op in ["<", "=", ">"] {
        add(format!("onward(A, C) {op} onward(B, C)"), false);
        add(format!("onward(S, C) {op} onward(A, C)"), false);
        add(format!("tie(A, B) {op} onward(B, C)"), false);
    }
    for op in ["<", "=", ">"] {
        add(format!("ahead(A, C) {op} ahead(B, C)"), true);
        add(format!("overlap(A, B) {op} ahead(B, C)"), true);
    }
    for (left, right) in [("A", "B"), ("B", "C"), ("S", "A")] {
        for ratio in RATIOS {
            add(format!("ratio({left}, {right}) > {ratio}"), false);
        }
        for reach in REACHES {
            add(format!("reach({left}, {right}) >= {reach}"), *reach <= 4);
        }
    }
    all
}

/// The coarse classes of rhetorical relations, each once.
fn classes(schema: &Schema) -> Vec<&str> {
    let mut classes: Vec<&str> = Vec::new();
    for rhetoric in &schema.rhetoric {
        if !classes.contains(&rhetoric.class.as_str()) {
            classes.push(&rhetoric.class);
        }
    }
    classes
}

/// Symbols that a leaf can have.
fn leaf_symbols(schema: &Schema) -> Vec<&str> {
    let leaf = |relation: &&crate::schema::Relation| {
        !relation.triggers.is_empty() || !relation.forms.is_empty()
    };
    let relations = schema.relations.iter().filter(leaf);
    relations.map(|relation| relation.name.as_str()).collect()
}

/// Words that a schema's cues and triggers do not hold but that a gap may ask for are the
/// caller's.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{embedded_schema, embedded_schema_names};

    #[test]
    fn every_literal_is_a_formula_of_the_language() {
        for name in embedded_schema_names() {
            let schema = embedded_schema(name).unwrap();
            let letters = Letters {
                begins: vec!["把".to_owned()],
                ends: vec!["时".to_owned()],
            };
            let texts = node_texts(&schema, &letters);
            for (text, _) in &texts {
                let source = Source::new("<literal>", text.as_str());
                assert!(load_reason(&source, &schema).is_ok(), "{text}");
            }
            assert_eq!(
                Literals::of_nodes(&schema, &letters).formulas.len(),
                texts.len()
            );
        }
    }
}
