//! Boundary rules learned from texts that are divided into EDUs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::boost::Boost;
use super::example::{Example, Instances};
use super::fit::Fit;
use super::literals::{Literals, Seen};
use super::short_rules::{ShortRules, average_fits};
use crate::automaton::{Questionnaire, may_begin};
use crate::grammar::{Boundary, Count, Weight};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;
use crate::text::{Analysis, Analyzer, Document};
use crate::tree::Counts;

/// How boundary rules are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BoundaryOptions {
    /// How rules of several literals are boosted.
    pub boost: Boost,
    /// What gaps count against the penalty, for rules of one literal or two.
    pub c: f64,
    /// How often a rule must have been seen.
    pub least_count: usize,
    /// Rules weaker than this are left out.
    pub least_weight: f64,
    /// How often a word must have been seen to be asked for.
    pub word_count: usize,
    /// By how much the rule that always holds leans towards a boundary: a start that is missed
    /// costs as much as one too many, but is likelier.
    pub leaning: f64,
}

impl Default for BoundaryOptions {
    fn default() -> BoundaryOptions {
        BoundaryOptions {
            boost: Boost {
                rounds: 700,
                least_count: 8,
                least_weight: 0.02,
                ..Boost::default()
            },
            c: 0.3,
            least_count: 8,
            least_weight: 0.05,
            word_count: 12,
            leaning: 0.5,
        }
    }
}

/// A document whose words and gold EDUs are known.
struct Reading {
    document: Arc<Document>,
    analysis: Analysis,
}

/// Learns boundary rules.
pub fn boundaries_by_weights(
    examples: &[&Example],
    analyzer: &Analyzer,
    schema: &Schema,
    options: &BoundaryOptions,
) -> Vec<Boundary> {
    let stopwatch = Stopwatch::start();
    let readings: Vec<Reading> = examples
        .iter()
        .map(|example| Reading {
            document: Arc::clone(&example.document),
            // Words as they are cut where nobody knows the EDUs.
            analysis: analyzer.analyze(&undivided(&example.document)),
        })
        .collect();
    let words = frequent_words(&readings, options.word_count);
    let literals = Literals::of_gaps(schema, &words);
    let questionnaire = Questionnaire::new(&literals.formulas, schema);
    let mut gaps = Instances::default();
    for reading in &readings {
        collect(reading, &questionnaire, schema, &mut gaps);
    }
    let cuts: Vec<bool> = gaps.done.iter().map(|done| *done == 0).collect();
    let rules = ShortRules {
        literals: &literals,
        divisions: Vec::new(),
        fit: Fit {
            c: options.c,
            ..Fit::default()
        },
        least_count: options.least_count,
        least_weight: options.least_weight,
        pairs: true,
    };
    let (short, boosted) = rayon::join(
        || rules.fitted(&gaps, &rules.candidates(&gaps), &cuts, 1.0),
        || {
            let literals = literals.formulas.len();
            options.boost.fitted(&gaps, literals, &cuts)
        },
    );
    let (fitted, always) = average_fits(short, boosted);
    let boundary = |literals_of: &[u32], count: usize, weight: f64| {
        let mut rule = Boundary::new(weight > 0.0, literals.reason(literals_of), schema);
        rule.rule.count = Count::new(count.max(1) as u64);
        rule.rule.weight = Weight::new(rounded(weight.abs()));
        rule
    };
    let always = always + options.leaning;
    let usual = cuts.iter().filter(|cut| **cut == (always > 0.0)).count();
    let mut boundaries = vec![boundary(&[], usual, always)];
    boundaries.extend(
        fitted
            .iter()
            .map(|rule| boundary(&rule.literals, rule.count, rule.weight)),
    );
    tracing::info!(
        gaps = gaps.len(),
        rules = boundaries.len(),
        took = %stopwatch,
        "fitted where EDUs begin"
    );
    boundaries
}

/// How well an analyzer finds the EDUs of texts that come with them: starts of EDUs at their
/// places in the text, the first of a document not counted.
pub fn boundary_score(examples: &[&Example], analyzer: &Analyzer) -> Counts {
    let mut counts = Counts::default();
    for example in examples {
        let gold = starts(&example.document);
        let mut raw = undivided(&example.document);
        analyzer.segment(&mut raw);
        let found = starts(&raw);
        counts.gold += gold.len();
        counts.predicted += found.len();
        counts.matched += found
            .iter()
            .filter(|start| gold.binary_search(start).is_ok())
            .count();
    }
    counts
}

/// A document without its EDUs.
pub(super) fn undivided(document: &Document) -> Document {
    let mut document = document.clone();
    for block in &mut document.blocks {
        block.edus = None;
    }
    document
}

fn starts(document: &Document) -> Vec<usize> {
    document
        .edus()
        .skip(1)
        .map(|(_, range)| range.start)
        .collect()
}

/// What every gap of a document holds, and whether an EDU begins there.
fn collect(
    reading: &Reading,
    questionnaire: &Questionnaire,
    schema: &Schema,
    gaps: &mut Instances,
) {
    let Reading { document, analysis } = reading;
    for (number, words) in analysis.blocks.iter().enumerate() {
        let Some(block) = document.blocks.get(number) else {
            continue;
        };
        let begins = |at: usize| {
            let edus = block.edus.iter().flatten();
            let start = analysis.words[words.start + at].start as usize;
            edus.clone().any(|edu| edu.start == start)
        };
        let own = &analysis.words[words.clone()];
        let cuts: Vec<usize> = (0..own.len()).filter(|at| begins(*at)).collect();
        let all = questionnaire.ask_at_gaps(&document.text, own, block.kind, schema, &cuts);
        for (at, holding) in all.into_iter().enumerate() {
            let word = at + 1;
            if may_begin(&own[word]) {
                gaps.push(holding, u32::from(cuts.binary_search(&word).is_err()));
            }
        }
    }
}

/// Words worth asking for.
fn frequent_words(readings: &[Reading], least: usize) -> Seen {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reading in readings {
        for word in &reading.analysis.words {
            *counts.entry(word.text(&reading.document.text)).or_default() += 1;
        }
    }
    let sayable = |word: &&str| !word.contains(['"', '\\', '\n']) && !word.trim().is_empty();
    let often = counts
        .iter()
        .filter(|(_, count)| **count >= least)
        .map(|(word, _)| *word);
    let words: Vec<String> = often.filter(sayable).map(str::to_owned).collect();
    Seen::from([("word", words)])
}

/// A weight as it is written: with three digits behind the point.
fn rounded(weight: f64) -> f64 {
    (weight * 1000.0).round() / 1000.0
}
