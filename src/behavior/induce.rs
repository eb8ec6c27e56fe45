//! Inducing a grammar from examples, and saying how good that way of learning is.

use std::sync::Arc;

use super::boundaries::{BoundaryOptions, boundary_score, boundary_tables, refit_boundaries};
use super::counts::{by_grown_counts, by_trees};
use super::example::Example;
use super::plain::{divide_by_program, score_plain};
use super::validate::{divide_into_folds, score_engine};
use super::weights::{Before, WeightOptions, alike, watched_by_weights};
use super::written::WrittenRecord;
use crate::automaton::{Engine, ParseOptions};
use crate::grammar::{Decide, Grammar};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;
use crate::text::Analyzer;
use crate::tree::{Counts, Report};

/// How to induce a grammar.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Induction {
    /// How its rules decide.
    pub decide: Decide,
    /// With counts: one decision tree for each decision, of so many rules at most.
    pub compact: Option<usize>,
    /// Whether to learn boundary rules, too.
    pub boundary: bool,
    /// With weights: what an instance of a text counts that the program divided itself, beside one of a text
    /// with its gold EDUs; 0 learns from gold EDUs alone.
    pub plain: f64,
    /// With weights: how they are fitted.
    pub weights: WeightOptions,
    /// With weights: rules that people wrote. They stay as they are, and what is learned is fitted to
    /// what they leave open.
    pub kept: Option<Arc<Grammar>>,
    /// With weights: a grammar that was learned before. Its rules stay, and so do the rows that a person
    /// marked; the other rows are fitted anew, each pulled to what it says.
    pub from: Option<Arc<Grammar>>,
    /// How boundary rules are fitted.
    pub boundaries: BoundaryOptions,
    /// How texts are drawn for folds and curves.
    pub seed: u64,
    /// How texts are parsed that are scored.
    pub parsing: ParseOptions,
}

impl Default for Induction {
    fn default() -> Induction {
        Induction {
            decide: Decide::Weights,
            compact: None,
            boundary: false,
            plain: 0.0,
            weights: WeightOptions::default(),
            kept: None,
            from: None,
            boundaries: BoundaryOptions::default(),
            seed: 1,
            parsing: ParseOptions::default(),
        }
    }
}

/// A grammar that was learned, and how the rules did that people wrote.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Induced {
    /// The grammar.
    pub grammar: Grammar,
    /// How each written rule did on the gold trees, in the order of the file.
    pub written: Vec<WrittenRecord>,
}

/// What was learned and how it did on texts it had not seen.
#[derive(Debug)]
pub struct Trial {
    /// How many texts it had seen.
    pub texts: usize,
    /// How many rules and rows of tables came out.
    pub rules: usize,
    /// Parseval with gold EDUs.
    pub report: Report,
    /// Starts of EDUs found from raw text, where boundary rules were learned.
    pub boundaries: Option<Counts>,
    /// Parseval of the same texts as plain text files, where boundary rules were learned.
    pub plain: Option<Report>,
}

impl Induction {
    /// Learns a grammar from examples.
    pub fn induce(&self, examples: &[&Example], schema: &Arc<Schema>) -> Grammar {
        self.induce_watched(examples, schema, &|_, _| {}).grammar
    }

    /// Learns a grammar from examples and tells how many steps of how many are done, where there are
    /// several.
    pub fn induce_watched(
        &self,
        examples: &[&Example],
        schema: &Arc<Schema>,
        watch: &dyn Fn(usize, usize),
    ) -> Induced {
        let stopwatch = Stopwatch::start();
        let (mut grammar, written) = match (self.decide, self.compact) {
            (Decide::Weights, _) => {
                let before = Before {
                    kept: self.kept.as_deref(),
                    from: self.from.as_deref(),
                };
                let divided = self.divided_by_program(examples, schema);
                let mut all = alike(examples);
                all.extend(divided.iter().map(|example| (example, self.plain)));
                watched_by_weights(&all, schema, &self.weights, before, watch)
            }
            (Decide::Counts, None) => (by_grown_counts(examples, schema), Vec::new()),
            (Decide::Counts, Some(rules)) => (by_trees(examples, schema, rules), Vec::new()),
        };
        if self.boundary && self.decide == Decide::Weights {
            let analyzer = Analyzer::new(schema);
            if self.from.is_some() {
                refit_boundaries(&mut grammar, examples, &analyzer, &self.boundaries);
            } else {
                let tables = boundary_tables(examples, &analyzer, schema, &self.boundaries);
                grammar.tables.extend(tables);
            }
        }
        let (texts, rules) = (examples.len(), grammar.size());
        tracing::info!(texts, rules, took = %stopwatch, "learned a grammar");
        Induced { grammar, written }
    }

    /// The examples as the program divides them, where they shall be learned from.
    fn divided_by_program(&self, examples: &[&Example], schema: &Arc<Schema>) -> Vec<Example> {
        if self.plain > 0.0 {
            divide_by_program(examples, schema, &self.boundaries)
        } else {
            Vec::new()
        }
    }

    /// Learns from `seen` and scores on `held`.
    pub fn trial(&self, seen: &[&Example], held: &[&Example], schema: &Arc<Schema>) -> Trial {
        let grammar = self.induce(seen, schema);
        let rules = grammar.size();
        let engine = Engine::new(grammar);
        let watch = Stopwatch::start();
        let report = score_engine(&engine, held, schema, &self.parsing);
        let plain = || score_plain(engine.grammar(), held, schema, &self.parsing);
        let plain = self.boundary.then(plain);
        tracing::info!(texts = held.len(), took = %watch, "scored a grammar");
        Trial {
            texts: seen.len(),
            rules,
            report,
            boundaries: self
                .boundary
                .then(|| boundary_score(held, engine.analyzer())),
            plain: plain.and_then(|scored| scored.ok()),
        }
    }

    /// Learns from all parts but one and scores on that one, for each of `parts` parts.
    pub fn cross_validate(
        &self,
        examples: &[&Example],
        parts: usize,
        schema: &Arc<Schema>,
        mut done: impl FnMut(&Trial),
    ) -> Vec<Trial> {
        let mut trials = Vec::new();
        for held in divide_into_folds(examples.len(), parts, self.seed) {
            let is_held = |at: &usize| held.binary_search(at).is_ok();
            let all = 0..examples.len();
            let seen: Vec<&Example> = all
                .clone()
                .filter(|at| !is_held(at))
                .map(|at| examples[at])
                .collect();
            let held: Vec<&Example> = all.filter(is_held).map(|at| examples[at]).collect();
            let trial = self.trial(&seen, &held, schema);
            done(&trial);
            trials.push(trial);
        }
        trials
    }

    /// Learns from the first so many of the texts in seeded order and scores on `held`.
    pub fn curve(
        &self,
        examples: &[&Example],
        sizes: &[usize],
        held: &[&Example],
        schema: &Arc<Schema>,
        mut done: impl FnMut(&Trial),
    ) -> Vec<Trial> {
        let order: Vec<usize> =
            divide_into_folds(examples.len(), examples.len(), self.seed).concat();
        let mut trials = Vec::new();
        for size in sizes {
            let mut drawn: Vec<usize> = order.iter().copied().take(*size).collect();
            drawn.sort_unstable();
            let seen: Vec<&Example> = drawn.into_iter().map(|at| examples[at]).collect();
            let trial = self.trial(&seen, held, schema);
            done(&trial);
            trials.push(trial);
        }
        trials
    }
}

/// The figures of all trials together: S, N and R in percent, with gold EDUs.
pub fn pooled(trials: &[Trial]) -> [f64; 3] {
    figures(trials.iter().map(|trial| &trial.report))
}

/// The same of plain texts, where boundary rules were learned.
pub fn pooled_plain(trials: &[Trial]) -> Option<[f64; 3]> {
    let all: Option<Vec<&Report>> = trials.iter().map(|trial| trial.plain.as_ref()).collect();
    all.map(|reports| figures(reports.into_iter()))
}

fn figures<'r>(reports: impl Iterator<Item = &'r Report> + Clone) -> [f64; 3] {
    let f1 = |pick: fn(&Report) -> Counts| percent(reports.clone().map(pick));
    [
        f1(|report| report.original.span),
        f1(|report| report.original.nuclearity),
        f1(|report| report.original.relation),
    ]
}

/// F1 of the starts of EDUs over all trials in percent, where boundary rules were learned.
pub fn pooled_boundaries(trials: &[Trial]) -> Option<f64> {
    let all: Option<Vec<Counts>> = trials.iter().map(|trial| trial.boundaries).collect();
    all.map(|counts| percent(counts.into_iter()))
}

fn percent(all: impl Iterator<Item = Counts>) -> f64 {
    let mut sum = Counts::default();
    for counts in all {
        sum.matched += counts.matched;
        sum.gold += counts.gold;
        sum.predicted += counts.predicted;
    }
    100.0 * sum.f1()
}
