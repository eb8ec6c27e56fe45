//! Bytes to lexical cores, against jieba's own tagging of the same text.
//!
//! `ARSG_BENCH_CORPUS=news.jsonl cargo bench --bench text` measures on a corpus of your own.

#![allow(clippy::expect_used)] // a bench without its corpus says so by panicking

use std::io::Cursor;
use std::sync::LazyLock;

use arsg::lexcore::Extractor;
use arsg::schema::{Schema, embedded_schema};
use arsg::text::Analyzer;
use arsg::text::corpus::Reader;
use divan::counter::BytesCount;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// About a megabyte of finance news, as JSON lines.
static CORPUS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    if let Some(path) = std::env::var_os("ARSG_BENCH_CORPUS") {
        return std::fs::read(path).expect("the corpus can be read");
    }
    let sentences: Vec<&str> = include_str!("../tests/cores/finance.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let mut lines = String::new();
    for number in 0..600 {
        let text: Vec<&str> = (0..16)
            .map(|at| sentences[(number * 7 + at * 5) % sentences.len()])
            .collect();
        let document = serde_json::json!({"id": number.to_string(), "date": "2019-09-12", "text": text.join("\n")});
        lines.push_str(&format!("{document}\n"));
    }
    lines.into_bytes()
});

/// The texts alone, for jieba.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let reader = Reader::new(Box::new(Cursor::new(CORPUS.clone())), "bench", None);
    let reader = reader.expect("the corpus is readable");
    reader.flatten().map(|document| document.text).collect()
});

static SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| embedded_schema("finance").expect("it is shipped"));
static ANALYZER: LazyLock<Analyzer> = LazyLock::new(|| Analyzer::new(&SCHEMA));
static JIEBA: LazyLock<jieba_rs::Jieba> = LazyLock::new(jieba_rs::Jieba::new);

fn text_bytes() -> BytesCount {
    BytesCount::new(TEXTS.iter().map(String::len).sum::<usize>())
}

/// The yardstick: what the segmenter alone costs.
#[divan::bench(threads = [1, 2], sample_count = 20)]
fn jieba_tag_alone(bencher: divan::Bencher) {
    LazyLock::force(&JIEBA);
    bencher.counter(text_bytes()).bench(|| {
        let words = TEXTS.iter().map(|text| JIEBA.tag(text, true).len());
        words.sum::<usize>()
    });
}

/// Import, words, times, EDUs and cores.
#[divan::bench(threads = [1, 2], sample_count = 20)]
fn bytes_to_cores(bencher: divan::Bencher) {
    LazyLock::force(&ANALYZER);
    bencher.counter(text_bytes()).bench(|| {
        let reader = Reader::new(Box::new(Cursor::new(CORPUS.as_slice())), "bench", None);
        let extractor = Extractor::new(&SCHEMA);
        let documents = reader.expect("the corpus is readable").flatten();
        let cores = documents.map(|document| {
            let analysis = ANALYZER.analyze(&document);
            extractor.extract(&document, &analysis).len()
        });
        cores.sum::<usize>()
    });
}

fn main() {
    divan::main();
}
