//! Where EDUs begin, learned from texts that are divided into them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cells::CellFit;
use super::example::{Example, Instances};
use super::literals::{Literals, Seen};
use super::refit::refit_rows;
use super::tables::{Part, TableLearner, Which, load_tables, said_by_rules};
use super::written::{WrittenRules, action_outcomes};
use crate::automaton::{Questionnaire, may_begin};
use crate::grammar::{Grammar, Table};
use crate::schema::Schema;
use crate::text::{Analysis, Analyzer, Document};
use crate::tree::Counts;

/// How boundaries are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BoundaryOptions {
    /// How weights are fitted.
    pub fit: CellFit,
    /// How many tables there may be.
    pub most_tables: usize,
    /// How often a question must hold.
    pub least_count: usize,
    /// Rows nearer to nothing than this are left out.
    pub least_weight: f64,
    /// How often a word must have been seen to be asked for.
    pub word_count: usize,
    /// By how much the table that always speaks leans towards a boundary: a start that is missed
    /// costs as much as one too many, but is likelier.
    pub leaning: f64,
}

impl Default for BoundaryOptions {
    fn default() -> BoundaryOptions {
        BoundaryOptions {
            fit: CellFit {
                penalty: 2.8,
                ridge: 0.05,
                least_count: 4.0,
            },
            most_tables: 58,
            least_count: 12,
            least_weight: 0.1,
            word_count: 12,
            leaning: 0.2,
        }
    }
}

/// A document whose words and gold EDUs are known.
struct Reading {
    document: Arc<Document>,
    analysis: Analysis,
}

/// Learns where EDUs begin, as tables.
pub fn boundary_tables(
    examples: &[&Example],
    analyzer: &Analyzer,
    schema: &Arc<Schema>,
    options: &BoundaryOptions,
) -> Vec<Table> {
    let readings = read(examples, analyzer);
    let words = frequent_words(&readings, options.word_count);
    let literals = Literals::of_gaps(schema, &words);
    let questionnaire = Questionnaire::new(&literals.formulas, schema);
    let gaps = gaps_of(&readings, &questionnaire, schema);
    let learner = TableLearner {
        schema,
        literals: &literals,
        instances: &gaps,
        written: &[],
        // Beside the mark before the gap, and beside what kind of words stand around it.
        divisions: &[
            vec![literals.of_subject("prev.punct")],
            vec![literals.of_subject("prev.pos")],
            vec![literals.of_subject("next.pos")],
        ],
        least_count: options.least_count,
        least_weight: options.least_weight,
        leaning: options.leaning,
    };
    let boundary = Part {
        name: String::new(),
        outcomes: vec![0],
    };
    let which = Which::Best(options.most_tables);
    let (text, _) = learner.learn("boundary", &[boundary], options.fit, &which);
    load_tables(&text, schema)
}

/// Fits the boundary tables of a grammar anew, each row pulled to what it says.
pub(super) fn refit_boundaries(
    grammar: &mut Grammar,
    examples: &[&Example],
    analyzer: &Analyzer,
    options: &BoundaryOptions,
) {
    let schema = Arc::clone(&grammar.schema);
    let written = WrittenRules::of_boundaries(grammar);
    let questionnaire = Questionnaire::new(&written.formulas, &schema);
    let mut gaps = gaps_of(&read(examples, analyzer), &questionnaire, &schema);
    gaps.part_written(0);
    let free = written.free_rows(action_outcomes);
    let said = said_by_rules(&gaps, &written.on_actions(), 2);
    refit_rows(grammar, &written, &free, said, 2, &gaps, options.fit);
}

fn read(examples: &[&Example], analyzer: &Analyzer) -> Vec<Reading> {
    let readings = examples.iter().map(|example| Reading {
        document: Arc::clone(&example.document),
        // Words as they are cut where nobody knows the EDUs.
        analysis: analyzer.analyze(&undivided(&example.document)),
    });
    readings.collect()
}

fn gaps_of(readings: &[Reading], questionnaire: &Questionnaire, schema: &Schema) -> Instances {
    let mut gaps = Instances::default();
    for reading in readings {
        collect(reading, questionnaire, schema, &mut gaps);
    }
    gaps
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
fn undivided(document: &Document) -> Document {
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
