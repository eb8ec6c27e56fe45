//! Synthesis by weights: what gold trees do, and what they would have done in the states that a parser
//! gets into, as tables.
//!
//! A parser that takes a wrong step meets configurations that no gold tree has. So texts are parsed by
//! tables learned from the others, and where a parse has left the gold tree, what loses fewest of its
//! spans is the right action, and what the gold tree calls a pair is its label.

use std::sync::Arc;

use rayon::prelude::*;

use super::cells::CellFit;
use super::example::{Behavior, Example, Instances, error_behavior, gold_behavior};
use super::literals::{Literals, Seen, seen_in};
use super::tables::{Division, Part, TableLearner, label_parts, load_tables};
use crate::automaton::{Engine, Outcome, ParseOptions, Questionnaire, Search};
use crate::grammar::functions::LEVELS;
use crate::grammar::{Decide, Fallback, Grammar, Pattern, Roles};
use crate::schema::{RhetoricId, Schema};
use crate::stopwatch::Stopwatch;

/// How rules are learned by weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WeightOptions {
    /// How weights for shift or reduce are fitted.
    pub actions: CellFit,
    /// How often a question for shift or reduce must hold.
    pub action_count: usize,
    /// How weights of labels are fitted.
    pub labels: CellFit,
    /// How often a question for labels must hold.
    pub label_count: usize,
    /// Rows nearer to nothing than this are left out.
    pub least_weight: f64,
    /// Whether the parser's own error states are learned from, too.
    pub error_states: bool,
    /// In how many parts texts are divided to find error states.
    pub parts: usize,
    /// How often each text is parsed once more by drawing, to find states beside those of the best
    /// parse.
    pub draws: u64,
}

impl Default for WeightOptions {
    fn default() -> WeightOptions {
        WeightOptions {
            actions: CellFit {
                penalty: 7.0,
                ridge: 0.05,
                least_count: 4.0,
            },
            action_count: 20,
            labels: CellFit {
                penalty: 5.0,
                ridge: 0.05,
                least_count: 4.0,
            },
            label_count: 12,
            least_weight: 0.05,
            error_states: true,
            parts: 5,
            draws: 0,
        }
    }
}

/// What an error state of one parse counts, beside an instance of a gold tree.
const ERROR_SHARE: f64 = 0.5;

/// How much greater the penalty gets each time that there are too many rows.
const STRICTER: f64 = 1.5;
/// How often it gets greater.
const MOST_STRICTER: usize = 12;

/// Who is told how many steps of how many are done.
pub(super) type Watch<'w> = &'w dyn Fn(usize, usize);

/// Learns a grammar from gold trees.
pub fn by_weights(examples: &[&Example], schema: &Arc<Schema>, options: &WeightOptions) -> Grammar {
    by_weights_of_weighed(&alike(examples), schema, options)
}

/// Learns a grammar from gold trees of which some count more than others.
pub fn by_weights_of_weighed(
    examples: &[(&Example, f64)],
    schema: &Arc<Schema>,
    options: &WeightOptions,
) -> Grammar {
    watched_by_weights(examples, schema, options, None, &|_, _| {})
}

/// Every example with the same importance.
pub(super) fn alike<'e>(examples: &[&'e Example]) -> Vec<(&'e Example, f64)> {
    examples.iter().map(|example| (*example, 1.0)).collect()
}

/// The same, of at most so many rules where that is said.
pub(super) fn watched_by_weights(
    examples: &[(&Example, f64)],
    schema: &Arc<Schema>,
    options: &WeightOptions,
    most: Option<usize>,
    watch: Watch,
) -> Grammar {
    let texts = examples.iter().map(|(example, _)| &*example.text);
    let seen = seen_in(schema, texts);
    let learner = Learner::new(schema, options, &seen);
    let behavior = learner.behavior(examples, &|behavior| learner.grammar(behavior, None), watch);
    learner.grammar(&behavior, most)
}

/// What is asked of contexts, and what can be done.
pub(super) struct Learner<'o> {
    schema: Arc<Schema>,
    options: &'o WeightOptions,
    pub(super) literals: Literals,
    questionnaire: Questionnaire,
    pub(super) outcomes: Vec<Outcome>,
    /// The literals that make cells: three strengths of the break between A and B, how it compares
    /// with the one before C, and how strong exactly each of the two is.
    stages: Vec<u32>,
    orders: Vec<u32>,
    levels: [Vec<u32>; 2],
}

impl<'o> Learner<'o> {
    pub(super) fn new(
        schema: &Arc<Schema>,
        options: &'o WeightOptions,
        seen: &Seen,
    ) -> Learner<'o> {
        let literals = Literals::of_nodes(schema, seen);
        let found = |texts: &[&str]| texts.iter().filter_map(|t| literals.find(t)).collect();
        let stages = found(&[
            "level(A, B) < sentence",
            "level(A, B) = sentence",
            "level(A, B) > sentence",
        ]);
        let orders = found(&[
            "level(A, B) < level(B, C)",
            "level(A, B) = level(B, C)",
            "level(A, B) > level(B, C)",
        ]);
        let levels = |pair: &str| {
            let texts = LEVELS
                .iter()
                .map(|level| format!("level({pair}) = {level}"));
            texts.filter_map(|text| literals.find(&text)).collect()
        };
        let levels = [levels("A, B"), levels("B, C")];
        Learner {
            questionnaire: Questionnaire::new(&literals.formulas, schema),
            outcomes: outcomes(schema),
            schema: Arc::clone(schema),
            options,
            literals,
            stages,
            orders,
            levels,
        }
    }

    /// What gold trees do, and what they would have done in the states that a parser gets into which
    /// has learned from the others only.
    pub(super) fn behavior(
        &self,
        examples: &[(&Example, f64)],
        learn: &dyn Fn(&Behavior) -> Grammar,
        watch: Watch,
    ) -> Behavior {
        let stopwatch = Stopwatch::start();
        let gold: Vec<Behavior> = examples
            .par_iter()
            .map(|(example, importance)| self.gold(example).with_importance(*importance))
            .collect();
        let together = |wanted: &dyn Fn(usize) -> bool| {
            let mut all = Behavior::default();
            for (_, behavior) in gold.iter().enumerate().filter(|(at, _)| wanted(*at)) {
                all.extend(behavior.clone());
            }
            all
        };
        let mut all = together(&|_| true);
        let (actions, labels) = (all.actions.len(), all.labels.len());
        tracing::info!(texts = examples.len(), actions, labels, took = %stopwatch, "walked the gold trees");
        let parts = self.options.parts;
        if !self.options.error_states || examples.len() < parts {
            return all;
        }
        for part in 0..parts {
            let stopwatch = Stopwatch::start();
            let engine = Engine::new(learn(&together(&|at| at % parts != part)));
            let held = examples
                .par_iter()
                .enumerate()
                .filter(|(at, _)| at % parts == part);
            let errors: Vec<Vec<Behavior>> = held
                .map(|(_, (example, importance))| {
                    let errors = self.searches().map(|search| {
                        let errors = self.errors(example, &engine, search);
                        errors.with_importance(importance * ERROR_SHARE)
                    });
                    errors.collect()
                })
                .collect();
            for behavior in errors.into_iter().flatten() {
                all.extend(behavior);
            }
            let labels = all.labels.len();
            tracing::info!(part = part + 1, parts, labels, took = %stopwatch, "found error states");
            // The last step is the grammar of all.
            watch(part + 1, parts + 1);
        }
        all
    }

    fn number(&self, outcome: Outcome) -> u32 {
        let at = self.outcomes.iter().position(|known| *known == outcome);
        at.unwrap_or(0) as u32
    }

    fn gold(&self, example: &Example) -> Behavior {
        let behavior = gold_behavior(example, &self.questionnaire, &self.schema, &|o| {
            self.number(o)
        });
        self.as_a_parser_sees_it(behavior)
    }

    /// Actions without what only labels are asked by.
    fn as_a_parser_sees_it(&self, mut behavior: Behavior) -> Behavior {
        for holding in &mut behavior.actions.holding {
            holding.retain(|literal| !self.literals.for_labels[*literal as usize]);
        }
        behavior
    }

    /// The ways in which a text is parsed to find error states.
    fn searches(&self) -> impl Iterator<Item = Search> {
        let drawn = (1..=self.options.draws).map(Search::Sample);
        std::iter::once(Search::Best).chain(drawn)
    }

    fn errors(&self, example: &Example, engine: &Engine, search: Search) -> Behavior {
        let how = ParseOptions {
            search,
            ..ParseOptions::default()
        };
        let parse = engine.parse_text(Arc::clone(&example.text), &how);
        let steps = super::steps_of(&parse);
        let behavior = error_behavior(example, &steps, &self.questionnaire, &self.schema, &|o| {
            self.number(o)
        });
        self.as_a_parser_sees_it(behavior)
    }

    /// The whole grammar from what was done, of at most so many rows where that is said.
    fn grammar(&self, behavior: &Behavior, most: Option<usize>) -> Grammar {
        let mut factor = 1.0;
        let mut grammar = self.learn_tables(behavior, factor);
        let rows = |grammar: &Grammar| grammar.tables.iter().map(|table| table.rows.len()).sum();
        for _ in 0..MOST_STRICTER {
            let rows: usize = rows(&grammar);
            if most.is_none_or(|most| rows <= most) {
                break;
            }
            factor *= STRICTER;
            grammar = self.learn_tables(behavior, factor);
        }
        grammar
    }

    fn learn_tables(&self, behavior: &Behavior, factor: f64) -> Grammar {
        let (actions, labels) = rayon::join(
            || self.action_tables(&behavior.actions, factor),
            || self.label_tables(&behavior.labels, factor),
        );
        Grammar {
            name: self.schema.name.clone(),
            schema: Arc::clone(&self.schema),
            start: Some(self.schema.start),
            decide: Decide::Weights,
            fallback: Fallback::default(),
            tables: load_tables(&format!("{actions}{labels}"), &self.schema),
            ..Grammar::default()
        }
    }

    fn action_tables(&self, actions: &Instances, factor: f64) -> String {
        let divisions: [Division; 2] = [
            vec![self.stages.clone(), self.orders.clone()],
            self.levels.to_vec(),
        ];
        let shift = Part {
            name: String::new(),
            outcomes: vec![0],
        };
        let learner = TableLearner {
            schema: &self.schema,
            literals: &self.literals,
            instances: actions,
            divisions: &divisions,
            least_count: self.options.action_count,
            least_weight: self.options.least_weight,
        };
        learner.learn("shift", &[shift], stricter(self.options.actions, factor))
    }

    fn label_tables(&self, labels: &Instances, factor: f64) -> String {
        // Only what was seen can be said.
        let mut seen: Vec<u32> = labels.done.clone();
        seen.sort_unstable();
        seen.dedup();
        let outcomes: Vec<Outcome> = seen.iter().map(|at| self.outcomes[*at as usize]).collect();
        let place = |outcome: &u32| seen.binary_search(outcome).unwrap_or(0) as u32;
        let instances = Instances {
            done: labels.done.iter().map(place).collect(),
            ..labels.clone()
        };
        let divisions: [Division; 1] = [vec![self.stages.clone()]];
        let learner = TableLearner {
            schema: &self.schema,
            literals: &self.literals,
            instances: &instances,
            divisions: &divisions,
            least_count: self.options.label_count,
            least_weight: self.options.least_weight,
        };
        let parts = label_parts(&outcomes, &self.schema);
        learner.learn("label", &parts, stricter(self.options.labels, factor))
    }
}

fn stricter(how: CellFit, factor: f64) -> CellFit {
    CellFit {
        penalty: how.penalty * factor,
        ..how
    }
}

/// Every relation in every order of roles that its kind allows.
fn outcomes(schema: &Schema) -> Vec<Outcome> {
    let all = [
        Roles::NucleusSatellite,
        Roles::SatelliteNucleus,
        Roles::NucleusNucleus,
    ];
    let mut outcomes = Vec::new();
    for relation in (0..schema.rhetoric.len()).map(RhetoricId::new) {
        for roles in all {
            outcomes.push(Outcome {
                parent: Pattern::Any,
                relation,
                roles,
            });
        }
    }
    outcomes
}
