//! Reading, checking and formatting a grammar of the size the paper ends with (about 9,000
//! productions and 10,000 preferences), against pest's recognition of the same text alone.
//!
//! `cargo bench --bench grammar`. The allocation figures show that memory grows with the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a failure here is the test failing

use std::fmt::Write;
use std::sync::Arc;

use arsg::Grammar;
use arsg::diagnostic::Source;
use arsg::grammar::{Memory, format, recognise};
use arsg::schema::{Schema, embedded_schema};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: &[usize] = &[5_000, 10_000, 20_000];

fn main() {
    divan::main();
}

/// A learned grammar: one rule in two has a single literal, the others two.
fn generated(rules: usize) -> String {
    let schema = schema();
    let relations: Vec<&str> = schema
        .rhetoric
        .iter()
        .filter(|rhetoric| rhetoric.kind == arsg::schema::RhetoricKind::Rst)
        .map(|rhetoric| rhetoric.name.as_str())
        .collect();
    let cues: Vec<&str> = schema.cues.iter().map(|cue| cue.name.as_str()).collect();
    let mut text = String::from("grammar bench 1.0\nstart Text\ndecide weights\n\n");
    for n in 0..rules {
        let weight = (n % 400) as f64 / 100.0 - 2.0;
        let cue = cues[n % cues.len()];
        let node = ["A", "B", "C"][n / 7 % 3];
        let count = n % 977 + 1;
        let head = match n % 2 {
            0 => format!("Span[{}] <- _:N _:S", relations[n / 2 % relations.len()]),
            _ => format!("prefer {} _ _ . _", ["shift", "reduce"][n / 2 % 2]),
        };
        let _ = writeln!(text, "{head}  x {count} w {weight:+}");
        let _ = match n / 2 % 2 {
            0 => writeln!(text, "  when {node}.cue = {cue} and A.chars > {}", n / 4),
            _ => writeln!(
                text,
                "  when level(A, B) > level(B, C) and {node}.words = {}",
                n / 4
            ),
        };
    }
    text
}

fn schema() -> Schema {
    embedded_schema("general").expect("the shipped schema loads")
}

#[divan::bench(args = SIZES)]
fn pest_alone(bencher: divan::Bencher<'_, '_>, rules: usize) {
    let text = generated(rules);
    bencher.bench_local(|| {
        let recognised = recognise(&text);
        assert_eq!(recognised, rules + 3);
        recognised
    });
}

#[divan::bench(args = SIZES)]
fn load_and_check(bencher: divan::Bencher<'_, '_>, rules: usize) {
    let files = Memory::new().with("a.arsg", generated(rules));
    let schema = Arc::new(schema());
    bencher.bench_local(|| {
        let loaded = Grammar::load("a.arsg", &files, Some(Arc::clone(&schema)));
        loaded.map(|loaded| loaded.check().len())
    });
}

#[divan::bench(args = SIZES)]
fn fmt(bencher: divan::Bencher<'_, '_>, rules: usize) {
    let source = Source::new("a.arsg", generated(rules));
    bencher.bench_local(|| format(&source));
}

#[divan::bench(args = SIZES)]
fn load_check_and_fmt(bencher: divan::Bencher<'_, '_>, rules: usize) {
    let text = generated(rules);
    let files = Memory::new().with("a.arsg", text.as_str());
    let source = Source::new("a.arsg", text);
    let schema = Arc::new(schema());
    bencher.bench_local(|| {
        let loaded = Grammar::load("a.arsg", &files, Some(Arc::clone(&schema)));
        (loaded.map(|loaded| loaded.check().len()), format(&source))
    });
}
