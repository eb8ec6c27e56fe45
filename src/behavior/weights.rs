//! Synthesis by weights: short rules that all speak, with fitted log-odds.
//!
//! Shift or reduce is one decision, what two nodes become another: one against the rest for every
//! relation and order of roles. Rules are single literals and literals in cells: how strong the break
//! between A and B is, how it compares with the one before C, and for shift or reduce how strong
//! exactly both are. Shift or reduce hangs on several things at once, and so do labels: boosted rules
//! of a few literals have half a say in the one and in the other where it was seen often, unless rules
//! must be few. Labels can be learned from the parser's own error states as well: texts are parsed by
//! rules learned from the others, and where the parse has left the gold tree, what the gold tree calls a
//! pair is its label.

use std::sync::Arc;

use rayon::prelude::*;

use super::boost::Boost;
use super::example::{Behavior, Example, Instances, error_behavior, gold_behavior};
use super::fit::Fit;
use super::literals::{Literals, Seen, seen_in};
use super::short_rules::{Fitted, ShortRules, average_fits};
use crate::automaton::{Engine, Outcome, ParseOptions, Questionnaire, Search};
use crate::grammar::functions::LEVELS;
use crate::grammar::{
    Action, Count, Decide, Fallback, Grammar, Pattern, Preference, Production, Roles, Shape, Weight,
};
use crate::schema::{RhetoricId, Schema};
use crate::stopwatch::Stopwatch;

/// How rules are learned by weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WeightOptions {
    /// How rules for shift or reduce are boosted.
    pub action_boost: Boost,
    /// What instances count against the penalty, for rules for shift or reduce that are not boosted.
    pub action_c: f64,
    /// How often such a rule must have been seen.
    pub action_count: usize,
    /// What instances count against the penalty, for labels.
    pub label_c: f64,
    /// How often a label rule must have been seen.
    pub label_count: usize,
    /// How rules for labels are boosted.
    pub label_boost: Boost,
    /// How often a label must have been seen so that rules for it are boosted.
    pub boosted_label: usize,
    /// Rules weaker than this are left out.
    pub least_weight: f64,
    /// Whether the parser's own error states are learned from, too.
    pub error_states: bool,
    /// Whether they teach shift and reduce as well as labels. That is good where the best step is
    /// taken each time; a vote does as well without.
    pub error_actions: bool,
    /// Whether pairs of literals are tried.
    pub pairs: bool,
    /// In how many parts texts are divided to find error states.
    pub parts: usize,
    /// How often each text is parsed once more by drawing, to find states beside those of the best
    /// parse.
    pub draws: u64,
}

impl Default for WeightOptions {
    fn default() -> WeightOptions {
        WeightOptions {
            action_boost: Boost::default(),
            action_c: 0.15,
            action_count: 20,
            label_c: 0.2,
            label_count: 8,
            label_boost: Boost {
                rounds: 30,
                rate: 0.25,
                least_count: 15,
                literal_share: 0.5,
                least_weight: 0.1,
                ..Boost::default()
            },
            boosted_label: 100,
            least_weight: 0.05,
            error_states: false,
            error_actions: false,
            pairs: false,
            parts: 5,
            draws: 2,
        }
    }
}

/// A relation seen less often than this is not learned; one that was seen at all has its rule.
const LEAST_OUTCOME: usize = 1;

/// What an error state of one parse counts, beside an instance of a gold tree.
const ERROR_SHARE: f64 = 0.5;

/// Of few rules, this share goes to shift or reduce.
const ACTION_SHARE: f64 = 0.65;
/// Where rules are few, a relation is learned that at least this share of nodes has.
const FREQUENT_OUTCOME: f64 = 0.005;
/// How much stricter rules are chosen each time that there are too many.
const STRICTER: f64 = 0.5;
/// How often what lies between too loose and strict enough is halved.
const HALVINGS: usize = 4;
/// No stricter than this.
const STRICTEST: f64 = 1e-3;

/// Weights are written with three digits behind the point.
const WEIGHT_STEPS: f64 = 1000.0;

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
    // Error states are about what a parser gets into; simple rules show that well enough.
    let quick = WeightOptions {
        pairs: false,
        boosted_label: usize::MAX,
        ..options.clone()
    };
    let scout = Learner::new(schema, &quick, &seen);
    let behavior = learner.behavior(examples, &|behavior| scout.grammar(behavior, None), watch);
    learner.grammar(&behavior, most)
}

/// What is learned when it is chosen just so strictly that no more than so many rules come out.
fn few<R>(most: usize, learn: impl Fn(f64) -> Vec<R>) -> Vec<R> {
    let (mut loose, mut strict) = (1.0, 1.0);
    let mut rules = learn(strict);
    if rules.len() <= most {
        return rules;
    }
    while rules.len() > most && strict > STRICTEST {
        loose = strict;
        strict *= STRICTER;
        rules = learn(strict);
    }
    for _ in 0..HALVINGS {
        let between = f64::sqrt(loose * strict);
        let more = learn(between);
        if more.len() > most {
            loose = between;
        } else {
            (rules, strict) = (more, between);
        }
    }
    rules
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
        let mut behavior =
            error_behavior(example, &steps, &self.questionnaire, &self.schema, &|o| {
                self.number(o)
            });
        if !self.options.error_actions {
            behavior.actions = Instances::default();
        }
        self.as_a_parser_sees_it(behavior)
    }

    /// The whole grammar from what was done, of at most so many rules where that is said.
    fn grammar(&self, behavior: &Behavior, most: Option<usize>) -> Grammar {
        let (actions, labels) = (&behavior.actions, &behavior.labels);
        let (by_action, by_label) = (self.action_rules(), self.label_rules());
        let (for_actions, for_labels) =
            (by_action.candidates(actions), by_label.candidates(labels));
        let shifts: Vec<bool> = actions.done.iter().map(|done| *done == 0).collect();
        let preferences = || {
            let stopwatch = Stopwatch::start();
            let (short, boosted) = rayon::join(
                || by_action.fitted(actions, &for_actions, &shifts, 1.0),
                || self.boosted(&self.options.action_boost, actions, &shifts),
            );
            let rules = self.preferences(&shifts, average_fits(short, boosted));
            tracing::info!(
                instances = actions.len(),
                rules = rules.len(),
                took = %stopwatch,
                "fitted shift and reduce"
            );
            rules
        };
        let productions = || {
            self.productions(labels, LEAST_OUTCOME, |wanted| {
                let short = by_label.fitted(labels, &for_labels, wanted, 1.0);
                let seen = wanted.iter().filter(|wanted| **wanted).count();
                if seen >= self.options.boosted_label {
                    let boosted = self.boosted(&self.options.label_boost, labels, wanted);
                    average_fits(short, boosted)
                } else {
                    short
                }
            })
        };
        let (preferences, productions) = match most {
            None => rayon::join(preferences, productions),
            Some(most) => {
                let preferences = few((most as f64 * ACTION_SHARE) as usize, |strictness| {
                    let fitted = by_action.fitted(actions, &for_actions, &shifts, strictness);
                    self.preferences(&shifts, fitted)
                });
                let frequent = (labels.len() as f64 * FREQUENT_OUTCOME) as usize;
                let least = frequent.max(LEAST_OUTCOME);
                let left = most.saturating_sub(preferences.len());
                let productions = few(left, |strictness| {
                    self.productions(labels, least, |wanted| {
                        by_label.fitted(labels, &for_labels, wanted, strictness)
                    })
                });
                (preferences, productions)
            }
        };
        Grammar {
            name: self.schema.name.clone(),
            schema: Arc::clone(&self.schema),
            start: Some(self.schema.start),
            decide: Decide::Weights,
            fallback: Fallback::default(),
            productions,
            preferences,
            ..Grammar::default()
        }
    }

    fn boosted(&self, how: &Boost, instances: &Instances, wanted: &[bool]) -> (Vec<Fitted>, f64) {
        how.fitted(instances, self.literals.formulas.len(), wanted)
    }

    fn action_rules(&self) -> ShortRules<'_> {
        let coarse = vec![self.stages.clone(), self.orders.clone()];
        let divisions = vec![coarse, self.levels.to_vec()];
        self.short_rules(divisions, self.options.action_c, self.options.action_count)
    }

    fn label_rules(&self) -> ShortRules<'_> {
        let divisions = vec![vec![self.stages.clone()]];
        self.short_rules(divisions, self.options.label_c, self.options.label_count)
    }

    fn short_rules(
        &self,
        divisions: Vec<Vec<Vec<u32>>>,
        c: f64,
        least_count: usize,
    ) -> ShortRules<'_> {
        ShortRules {
            literals: &self.literals,
            divisions,
            fit: Fit {
                c,
                ..Fit::default()
            },
            least_count,
            least_weight: self.options.least_weight,
            pairs: self.options.pairs,
        }
    }

    fn preferences(
        &self,
        shifts: &[bool],
        (fitted, always): (Vec<Fitted>, f64),
    ) -> Vec<Preference> {
        let prefer = |literals: &[u32], count: usize, weight: f64| {
            let (action, weight) = if weight > 0.0 {
                (Action::Shift, weight)
            } else {
                (Action::Reduce, -weight)
            };
            let reason = self.literals.reason(literals);
            let mut rule = Preference::new(action, [Pattern::Any; 3], reason, &self.schema);
            rule.rule.count = Count::new(count.max(1) as u64);
            rule.rule.weight = Weight::new(rounded(weight));
            rule
        };
        let usual = shifts
            .iter()
            .filter(|shift| **shift == (always > 0.0))
            .count();
        let mut preferences = vec![prefer(&[], usual, always)];
        let fitted = fitted.iter();
        preferences.extend(fitted.map(|rule| prefer(&rule.literals, rule.count, rule.weight)));
        preferences
    }

    fn productions(
        &self,
        labels: &Instances,
        least_outcome: usize,
        fit: impl Fn(&[bool]) -> (Vec<Fitted>, f64) + Sync,
    ) -> Vec<Production> {
        let outcomes = (0..self.outcomes.len() as u32).into_par_iter();
        let productions = outcomes.flat_map_iter(|outcome| {
            let wanted: Vec<bool> = labels.done.iter().map(|done| *done == outcome).collect();
            let count = wanted.iter().filter(|wanted| **wanted).count();
            if count < least_outcome {
                return Vec::new();
            }
            let stopwatch = Stopwatch::start();
            let (fitted, always) = fit(&wanted);
            let relation = self.outcomes[outcome as usize].relation.index();
            tracing::info!(
                relation = self.schema.rhetoric[relation].name,
                instances = count,
                rules = fitted.len() + 1,
                took = %stopwatch,
                "fitted a relation"
            );
            let mut rules = vec![self.production(outcome, &[], count, always)];
            let fitted = fitted.iter();
            rules.extend(
                fitted
                    .map(|rule| self.production(outcome, &rule.literals, rule.count, rule.weight)),
            );
            rules
        });
        productions.collect()
    }

    fn production(&self, outcome: u32, literals: &[u32], count: usize, weight: f64) -> Production {
        let outcome = self.outcomes[outcome as usize];
        let shape = Shape {
            parent: outcome.parent,
            relation: outcome.relation,
            children: [Pattern::Any; 2],
            roles: outcome.roles,
        };
        let reason = self.literals.reason(literals);
        let mut rule = Production::new(shape, reason, Vec::new(), &self.schema);
        rule.rule.count = Count::new(count.max(1) as u64);
        rule.rule.weight = Weight::new(rounded(weight));
        rule
    }
}

/// A weight as it is written.
pub(super) fn rounded(weight: f64) -> f64 {
    (weight * WEIGHT_STEPS).round() / WEIGHT_STEPS
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
