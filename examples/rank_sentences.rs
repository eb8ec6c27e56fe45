//! TextRank over sentences that are already apart: `rank_sentences DOCUMENTS.jsonl [SECONDS]`.
//!
//! A line is a JSON list of sentences. Cuts words as jieba does, ranks, and prints documents a second on
//! all cores and the rank of every sentence: one side of `benches/peers/textrank.py`.

use std::time::{Duration, Instant};

use arsg::summarize::similarity_ranks;
use jieba_rs::Jieba;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> arsg::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or_else(|| arsg::Error::Usage("which documents?".to_owned()))?;
    let seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let text = std::fs::read_to_string(&path).map_err(|error| arsg::Error::read(&path, error))?;
    let documents: Vec<Vec<String>> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let jieba = Jieba::new();
    let found: Vec<Vec<f64>> = documents.par_iter().map(|d| ranks(&jieba, d)).collect();
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < Duration::from_secs_f64(seconds) {
        let again: f64 = documents.par_iter().map(|d| ranks(&jieba, d)[0]).sum();
        std::hint::black_box(again);
        rounds += 1;
    }
    let rate = (rounds * documents.len()) as f64 / start.elapsed().as_secs_f64();
    println!(
        "{}",
        serde_json::json!({"documents_a_second": rate, "ranks": found})
    );
    Ok(())
}

/// The ranks of the sentences of a document, one at least.
fn ranks(jieba: &Jieba, sentences: &[String]) -> Vec<f64> {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let words: Vec<Vec<u32>> = sentences
        .iter()
        .map(|sentence| {
            let words = jieba.cut(sentence, true).into_iter();
            let words = words.map(|token| token.word);
            words
                .filter(|word| word.chars().next().is_some_and(char::is_alphabetic))
                .map(|word| {
                    let next = numbers.len() as u32;
                    *numbers.entry(word).or_insert(next)
                })
                .collect()
        })
        .collect();
    if words.is_empty() {
        vec![0.0]
    } else {
        similarity_ranks(&words)
    }
}
