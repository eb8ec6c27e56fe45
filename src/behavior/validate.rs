//! How good a way of learning is: cross-validation on gold trees.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::example::Example;
use crate::automaton::{Engine, ParseOptions};
use crate::grammar::Grammar;
use crate::schema::Schema;
use crate::tree::{self, Report, Tree, parseval};

/// Scores the trees that a grammar gives the examples, with their gold EDUs.
pub fn score(grammar: Grammar, examples: &[&Example], schema: &Schema) -> Report {
    let engine = Engine::new(grammar);
    score_engine(&engine, examples, schema, &ParseOptions::default())
}

/// The same with an engine that is ready, parsing as it is told.
pub fn score_engine(
    engine: &Engine,
    examples: &[&Example],
    schema: &Schema,
    options: &ParseOptions,
) -> Report {
    let pairs: Vec<(Tree, Tree)> = examples
        .par_iter()
        .filter_map(|example| {
            let parse = engine.parse_text(example.text.clone(), options);
            Some((example.tree.clone(), parse.into_tree()?))
        })
        .collect();
    report(pairs, schema)
}

/// Parseval over pairs of gold and predicted trees: coarse relations, the root counts.
pub fn report(pairs: Vec<(Tree, Tree)>, schema: &Schema) -> Report {
    let pairs: Vec<tree::Pairing> = pairs
        .into_iter()
        .map(|(gold, predicted)| tree::Pairing {
            id: gold.id.clone().unwrap_or_else(|| "tree".into()),
            gold,
            predicted,
        })
        .collect();
    parseval(&pairs, &tree::ParsevalOptions::default(), Some(schema)).0
}

/// Divides numbers from 0 up to `count` into `divide_into_folds` parts of about the same size.
pub fn divide_into_folds(count: usize, folds: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let folds = folds.clamp(1, count.max(1));
    let mut parts = vec![Vec::new(); folds];
    for (at, number) in order.into_iter().enumerate() {
        parts[at % folds].push(number);
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    parts
}
