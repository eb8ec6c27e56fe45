//! Summaries of many texts that were read and parsed before: Algorithm 8, the default method, the baselines.
//!
//! `benches/peers/textrank.py` sets TextRank beside sumy.

#![allow(clippy::expect_used)] // a bench without its grammar of words says so by panicking

use std::sync::LazyLock;

use arsg::automaton::Engine;
use arsg::embed::{CoreSet, Model, Parameters, PhraseReader, Trainer};
use arsg::grammar::embedded_grammar;
use arsg::schema::{Schema, embedded_schema};
use arsg::summarize::{
    Landscape, Length, Method, SourceText, SummaryOptions, similarity_ranks, summarize,
};
use arsg::text::{Analyzer, Document};
use arsg::tree::{Builder, Edu, Roles, Tree};
use divan::counter::ItemsCount;
use rayon::prelude::*;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TEXTS: usize = 1000;
const SENTENCES: usize = 25;

static SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| embedded_schema("finance").expect("it is shipped"));
static ANALYZER: LazyLock<Analyzer> = LazyLock::new(|| Analyzer::new(&SCHEMA));

/// Finance news of 25 sentences with trees and weights.
static NEWS: LazyLock<Vec<SourceText>> = LazyLock::new(|| {
    let numbers: Vec<usize> = (0..TEXTS).collect();
    numbers.par_iter().map(|number| text(*number)).collect()
});

fn document(number: usize) -> Document {
    let sentences: Vec<&str> = include_str!("../tests/cores/finance.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let chosen = (0..SENTENCES).map(|at| sentences[(number * 7 + at * 5) % sentences.len()]);
    let body: Vec<&str> = chosen.collect();
    Document::from_text(number.to_string(), body.join("\n"))
}

fn text(number: usize) -> SourceText {
    let document = document(number);
    let analysis = ANALYZER.analyze(&document);
    let edus = analysis.edus.iter();
    let edus: Vec<Edu> = edus
        .map(|edu| Edu::new(document.slice(&edu.range)))
        .collect();
    let tree = branching(edus, number);
    let weight = (number % 50 + 1) as f64;
    SourceText::new(document, analysis)
        .with_tree(tree)
        .with_weight(weight)
}

/// A tree whose branches turn with the number.
fn branching(edus: Vec<Edu>, number: usize) -> Option<Tree> {
    let mut builder = Builder::over(edus);
    let mut level = builder.leaves();
    while level.len() > 1 {
        let mut above = Vec::with_capacity(level.len().div_ceil(2));
        for (at, pair) in level.chunks(2).enumerate() {
            let roles = match (at + number) % 3 {
                0 => Roles::NucleusSatellite,
                1 => Roles::SatelliteNucleus,
                _ => Roles::NucleusNucleus,
            };
            above.push(match pair {
                [left, right] => builder.join(*left, *right, roles, None).ok()?,
                [one] => *one,
                _ => return None,
            });
        }
        level = above;
    }
    let root = *level.first()?;
    builder.finish(root).ok()
}

/// A thousand texts to one summary.
#[divan::bench(args = ["paper", "arsg", "lead", "textrank", "mmr"], sample_count = 10)]
fn thousand_texts(bencher: divan::Bencher, name: &str) {
    LazyLock::force(&NEWS);
    let options = SummaryOptions::default()
        .method(Method::find(name).expect("it is a method"))
        .length(Length::Words(300));
    bencher
        .counter(ItemsCount::new(TEXTS))
        .bench(|| summarize(&NEWS, &options).expect("texts can be summarized"));
}

/// Algorithm 8 from the start, model and grammar loaded: words and EDUs, cores and impacts, cubes, the
/// trees of the representatives, SEd, f.
#[divan::bench(sample_count = 5)]
fn thousand_texts_from_the_start(bencher: divan::Bencher) {
    LazyLock::force(&ANALYZER);
    let engine = Engine::new(embedded_grammar("finance").expect("it is shipped"));
    let documents: Vec<Document> = (0..TEXTS).map(document).collect();
    let model = model(&documents);
    let options = SummaryOptions::default().method(Method::Paper);
    let places: Vec<usize> = (0..TEXTS).collect();
    bencher.counter(ItemsCount::new(TEXTS)).bench(|| {
        let documents = documents.par_iter().cloned();
        let read = documents.map(|document| SourceText::read(document, &engine, &ANALYZER));
        let mut texts: Vec<SourceText> = read.collect();
        let landscape = Landscape::of(&texts, &SCHEMA, Some(model.clone()), 1);
        let landscape = landscape.expect("texts can be embedded");
        landscape
            .weigh(&mut texts, &places, 1)
            .expect("impacts can be divided");
        texts.par_iter_mut().for_each(|text| {
            if Method::Paper.reads_tree(text) {
                text.parse(&engine, &Default::default());
            }
        });
        summarize(&texts, &options).expect("texts can be summarized")
    });
}

/// A model of the texts, soon trained.
fn model(documents: &[Document]) -> Model {
    let parameters = Parameters::default().epochs(2);
    let reader = PhraseReader::new(&SCHEMA, parameters.grain);
    let mut cores = CoreSet::default();
    for document in documents {
        cores.add(&reader.read(document).1);
    }
    let mut trainer = Trainer::new(parameters, cores, None).expect("the texts have cores");
    while !trainer.is_finished()
        && trainer
            .train_epoch(|_| ())
            .is_ok_and(|epoch| epoch.is_some())
    {}
    trainer.into_model()
}

/// TextRank over one text of twenty sentences, words given.
#[divan::bench]
fn rank_twenty_sentences(bencher: divan::Bencher) {
    let sentences: Vec<Vec<u32>> = (0..20u32)
        .map(|n| (0..18).map(|word| (n * 7 + word * word) % 160).collect())
        .collect();
    bencher
        .counter(ItemsCount::new(1usize))
        .bench(|| similarity_ranks(&sentences));
}

fn main() {
    divan::main();
}
