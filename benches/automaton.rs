//! Compiling grammars and parsing with them, on one core.
//!
//! `cargo bench --bench automaton`; the counter shows EDUs per second. What is measured:
//!
//! - `counts`: `Engine::steps` over measured texts, 9,000 productions and 11,000 preferences over the
//!   finance schema that decide by counts, interpolated;
//! - `weights`: `Text::new` (cores and all attributes of analysed documents) and `Engine::steps`, 5,700
//!   rules that decide by weights; words and EDUs have been read before;
//! - `counts_by_edus`: ten times the EDUs; `counts_by_rules`: ten times the rules, the added ones for
//!   symbols that the texts do not have;
//! - `general`: the default grammar over raw texts: words and EDUs alone (`segment`, the yardstick), and
//!   trees as well (`parse`); `general_by_tables`: `Text::new` and `Engine::steps` with it, and with ten
//!   times its tables;
//! - `load`, `compile`: from the text of a grammar to an engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failure here is the test failing

use std::fmt::Write;
use std::sync::Arc;

use arsg::automaton::{Engine, Leaf, ParseOptions, Text};
use arsg::grammar::{Grammar, Memory, embedded_grammar};
use arsg::schema::{RelationId, RhetoricKind, Schema, embedded_schema};
use arsg::text::Analysis;
use arsg::tree::Edu;
use arsg::{Document, tree};
use divan::Bencher;
use divan::counter::ItemsCount;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// Numbers that look drawn and are always the same.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Symbols that texts have; the others are for rules that never apply.
fn symbols(schema: &Schema, in_texts: bool) -> Vec<String> {
    let leaf = |r: &&arsg::schema::Relation| !r.triggers.is_empty() || !r.forms.is_empty();
    let all: Vec<String> = schema
        .relations
        .iter()
        .filter(leaf)
        .map(|r| r.name.clone())
        .collect();
    let half = all.len() / 2;
    if in_texts {
        all[..half].to_vec()
    } else {
        all[half..].to_vec()
    }
}

fn reason(draws: &mut Draws, cues: &[String], preference: bool) -> String {
    let first = match draws.below(4) {
        0 => format!("B.cue = {}", draws.of(cues)),
        1 => format!("A.length > {}", draws.below(6)),
        2 => format!("level(A, B) {} comma", draws.of(&["<=", ">", "="])),
        _ => format!("B.punct = {}", draws.of(&["comma", "stop", "semicolon"])),
    };
    match (draws.below(2), preference) {
        (0, _) => first,
        (_, true) => format!(
            "{first} and level(A, B) {} level(B, C)",
            draws.of(&["<", ">="])
        ),
        (_, false) => format!("{first} and B.words > {}", draws.below(8)),
    }
}

/// Relations with a satellite, and cue classes that no word of the language is called like.
fn vocabulary() -> (Vec<String>, Vec<String>) {
    const WORDS: [&str; 5] = ["and", "or", "not", "in", "if"];
    let schema = embedded_schema("finance").expect("the shipped schema loads");
    let with_satellite = |r: &&arsg::schema::Rhetoric| r.kind == RhetoricKind::Rst;
    let relations = schema.rhetoric.iter().filter(with_satellite);
    let cues = schema.cues.iter().map(|cue| cue.name.clone());
    (
        relations.map(|relation| relation.name.clone()).collect(),
        cues.filter(|cue| !WORDS.contains(&cue.as_str())).collect(),
    )
}

/// A learned grammar: so many productions and preferences for the given symbols.
fn learned(productions: usize, preferences: usize, known: &[String], decide: &str) -> String {
    let (relations, cues) = vocabulary();
    let mut draws = Draws(7);
    let mut text = format!(
        "decide {decide}\n_[{}] <- _:N _:S  x 1 w +0.1\n",
        relations[0]
    );
    text.push_str("prefer reduce _ _ . _  x 2 w +0.1\nprefer shift _ _ . _  x 1 w +0.1\n");
    let mut seen = std::collections::BTreeSet::new();
    let mut push = |draws: &mut Draws, is_preference: bool, text: &mut String| loop {
        let (a, b, c) = (draws.of(known), draws.of(known), draws.of(known));
        let head = if is_preference {
            format!("prefer {} {a} {b} . {c}", draws.of(&["shift", "reduce"]))
        } else {
            format!("{a}[{}] <- {a}:N {b}:S", draws.of(&relations))
        };
        let reason = reason(draws, &cues, is_preference);
        if seen.insert(format!("{head} {reason}")) {
            let weight = draws.below(400) as f64 / 100.0 - 2.0;
            let count = draws.below(90) + 1;
            let _ = writeln!(text, "{head}  x {count} w {weight:+}\n  when {reason}");
            return;
        }
    };
    for _ in 0..productions {
        push(&mut draws, false, &mut text);
    }
    for _ in 0..preferences {
        push(&mut draws, true, &mut text);
    }
    text
}

fn files(text: &str) -> Memory<'static> {
    Memory::new().with("a.arsg", text)
}

fn engine(text: &str) -> Engine {
    let schema = Arc::new(embedded_schema("finance").expect("the shipped schema loads"));
    let loaded = Grammar::load("a.arsg", &files(text), Some(schema)).expect("it can be read");
    Engine::new(
        loaded
            .into_result()
            .unwrap_or_else(|error| panic!("{error:?}")),
    )
}

/// Measured texts with symbols, cues, marks and breaks as news has them.
fn texts(engine: &Engine, count: usize, edus: usize) -> Vec<Text> {
    let schema = engine.schema();
    let known: Vec<RelationId> = symbols(schema, true)
        .iter()
        .filter_map(|s| schema.relation(s))
        .collect();
    let mut draws = Draws(11);
    let mut leaf = |at: usize| {
        let mut leaf = Leaf::plain(*draws.of(&known), schema);
        leaf.cue = (draws.below(3) / 2 * draws.below(schema.cues.len())) as u16;
        // comma, comma, stop; every twelfth a new paragraph
        let (punct, level) = if at % 12 == 11 {
            (5, 5)
        } else if at % 3 == 2 {
            (5, 4)
        } else {
            (2, 2)
        };
        (leaf.punct, leaf.level_after) = (punct, level);
        leaf.words = 3 + draws.below(9) as u32;
        leaf.chars = 2 * leaf.words;
        leaf
    };
    (0..count)
        .map(|number| {
            let leaves: Vec<Leaf> = (0..edus).map(&mut leaf).collect();
            let edus: Vec<Edu> = vec![tree::Edu::new("油价下跌，"); leaves.len()];
            Text::of_leaves(format!("t{number}"), edus, leaves)
        })
        .collect()
}

fn parse_all(bencher: Bencher<'_, '_>, engine: &Engine, texts: &[Text]) {
    let edus: usize = texts.iter().map(Text::len).sum();
    let options = ParseOptions::default();
    bencher.counter(ItemsCount::new(edus)).bench_local(|| {
        let steps = texts.iter().map(|text| engine.steps(text, &options).len());
        assert_eq!(steps.sum::<usize>(), 2 * edus - texts.len());
    });
}

fn finance_symbols(in_texts: bool) -> Vec<String> {
    symbols(
        &embedded_schema("finance").expect("the shipped schema loads"),
        in_texts,
    )
}

#[divan::bench]
fn counts(bencher: Bencher<'_, '_>) {
    let engine = engine(&learned(9_000, 11_000, &finance_symbols(true), "counts"));
    let texts = texts(&engine, 100, 100);
    parse_all(bencher, &engine, &texts);
}

#[divan::bench(args = [10_000, 100_000])]
fn counts_by_edus(bencher: Bencher<'_, '_>, edus: usize) {
    let engine = engine(&learned(9_000, 11_000, &finance_symbols(true), "counts"));
    let texts = texts(&engine, 1, edus);
    parse_all(bencher, &engine, &texts);
}

#[divan::bench(args = [2_000, 20_000])]
fn counts_by_rules(bencher: Bencher<'_, '_>, rules: usize) {
    let mut text = learned(900, 1_100, &finance_symbols(true), "counts");
    if rules > 2_000 {
        let more = (rules - 2_000) / 2;
        let others = learned(more, more, &finance_symbols(false), "counts");
        // The header and the three rules for any symbol are there already.
        text.extend(others.lines().skip(4).map(|line| format!("{line}\n")));
    }
    let engine = engine(&text);
    let texts = texts(&engine, 100, 100);
    parse_all(bencher, &engine, &texts);
}

/// Rules for any symbols with short reasons, as `decide weights` learns them.
fn weighted(rules: usize) -> String {
    let (relations, cues) = vocabulary();
    let mut draws = Draws(3);
    let mut seen = std::collections::BTreeSet::new();
    let mut text = String::from("decide weights\n");
    while seen.len() < rules {
        let node = draws.of(&["A", "B", "C", "S"]);
        let literal = |draws: &mut Draws| match draws.below(9) {
            0 => format!("{node}.cue = {}", draws.of(&cues)),
            1 => format!("{node}.length > {}", draws.below(12)),
            2 => format!(
                "level(A, B) = {}",
                draws.of(&["comma", "sentence", "paragraph", "semicolon"])
            ),
            3 => format!(
                "{node}.punct = {}",
                draws.of(&["comma", "stop", "colon", "semicolon", "question"])
            ),
            4 => format!(
                "{node}.tail = {}",
                draws.of(&["de", "shi", "hou", "zhong", "le", "deng"])
            ),
            5 => format!("overlap(A, B) > 0.{}", draws.below(9)),
            6 => format!("{node}.depth = {}", draws.below(9)),
            7 => format!("{node}.verbs > {}", draws.below(9)),
            _ => "level(A, B) > level(B, C)".to_owned(),
        };
        let reason = match draws.below(2) {
            0 => literal(&mut draws),
            _ => format!("{} and {}", literal(&mut draws), literal(&mut draws)),
        };
        let head = match draws.below(2) {
            0 => format!("_[{}] <- _:N _:S", draws.of(&relations)),
            _ => format!("prefer {} _ _ . _", draws.of(&["shift", "reduce"])),
        };
        if seen.insert(format!("{head} {reason}")) {
            let weight = draws.below(400) as f64 / 100.0 - 2.0;
            let _ = writeln!(text, "{head}  x 5 w {weight:+}\n  when {reason}");
        }
    }
    text
}

#[divan::bench]
fn weights(bencher: Bencher<'_, '_>) {
    measure_and_parse(bencher, &engine(&weighted(5_700)));
}

/// Fifty news texts of twenty lines each.
fn news() -> Vec<Document> {
    let lines = include_str!("../tests/cores/finance.txt").lines();
    let sentences: Vec<&str> = lines
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    let texts = (0..50).map(|number| {
        let lines = sentences.iter().copied().cycle().skip(number * 7).take(20);
        let lines: Vec<&str> = lines.collect();
        Document::from_text(format!("d{number}"), lines.join("\n"))
    });
    texts.collect()
}

/// Measures the attributes of texts that have been cut, and parses them.
fn measure_and_parse(bencher: Bencher<'_, '_>, engine: &Engine) {
    let documents = news().into_iter().map(|document| {
        let analysis = engine.analyzer().analyze(&document);
        (document, analysis)
    });
    let documents: Vec<(Document, Analysis)> = documents.collect();
    let edus: usize = documents
        .iter()
        .map(|(_, analysis)| analysis.edus.len())
        .sum();
    let options = ParseOptions::default();
    bencher.counter(ItemsCount::new(edus)).bench_local(|| {
        let steps = documents.iter().map(|(document, analysis)| {
            let text = Text::new(document, analysis, engine.schema());
            engine.steps(&text, &options).len()
        });
        assert_eq!(steps.sum::<usize>(), 2 * edus - documents.len());
    });
}

#[divan::bench(args = ["segment", "parse"])]
fn general(bencher: Bencher<'_, '_>, what: &str) {
    let engine = Engine::new(embedded_grammar("general").expect("the shipped grammar loads"));
    let documents = news();
    let edus = documents.iter().map(|document| engine.read(document).len());
    let edus: usize = edus.sum();
    bencher.counter(ItemsCount::new(edus)).bench_local(|| {
        for document in &documents {
            if what == "parse" {
                assert!(engine.parse(document).tree().is_some());
            } else {
                let mut raw = document.clone();
                engine.analyzer().segment(&mut raw);
            }
        }
    });
}

#[divan::bench(args = [1, 10])]
fn general_by_tables(bencher: Bencher<'_, '_>, times: usize) {
    let mut grammar = embedded_grammar("general").expect("the shipped grammar loads");
    let tables = grammar.tables.clone();
    for _ in 1..times {
        grammar.tables.extend(tables.iter().cloned());
    }
    measure_and_parse(bencher, &Engine::new(grammar));
}

#[divan::bench(args = [6_000, 20_000])]
fn load(bencher: Bencher<'_, '_>, rules: usize) {
    let text = learned(rules / 2, rules / 2, &finance_symbols(true), "counts");
    let files = files(&text);
    let schema = Arc::new(embedded_schema("finance").expect("the shipped schema loads"));
    bencher.bench_local(|| Grammar::load("a.arsg", &files, Some(Arc::clone(&schema))).is_ok());
}

/// Without the lexicon, which does not depend on the rules: `BoundaryRules` and words apart.
#[divan::bench(args = [0, 6_000, 20_000])]
fn compile(bencher: Bencher<'_, '_>, rules: usize) {
    let grammar = engine(&learned(
        rules / 2,
        rules / 2,
        &finance_symbols(true),
        "counts",
    ))
    .grammar()
    .clone();
    bencher
        .with_inputs(|| grammar.clone())
        .bench_local_values(Engine::new);
}
