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
use super::literals::{LEAST_SEEN, Literals, Seen, seen_in};
use super::refit::refit_rows;
use super::tables::{
    Division, Part, TableKeys, TableLearner, Which, label_parts, load_tables, said_by_rules,
};
use super::written::{Rows, Says, WrittenRecord, WrittenRules, action_outcomes, label_outcomes};
use crate::automaton::{Engine, Outcome, ParseOptions, Questionnaire, Search};
use crate::grammar::functions::LEVELS;
use crate::grammar::{Decide, Fallback, Grammar, Pattern, Roles, Table};
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
    /// Rows for shift or reduce that are nearer to nothing than this are left out.
    pub least_action_weight: f64,
    /// How weights of labels are fitted.
    pub labels: CellFit,
    /// How often a question for labels must hold.
    pub label_count: usize,
    /// Rows for labels that are nearer to nothing than this are left out.
    pub least_label_weight: f64,
    /// How many tables there may be, but for boundaries.
    pub most_tables: usize,
    /// How many lines these may have in all.
    pub most_lines: Option<usize>,
    /// Functions that nothing is asked about: `symbol`, `begins`.
    pub without: Vec<String>,
    /// Whether the parser's own error states are learned from, too.
    pub error_states: bool,
    /// What an error state counts beside an instance of a gold tree.
    pub error_importance: f64,
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
            least_action_weight: 0.05,
            labels: CellFit {
                penalty: 11.0,
                ridge: 0.05,
                least_count: 4.0,
            },
            label_count: 12,
            least_label_weight: 0.14,
            most_tables: 138,
            most_lines: None,
            without: Vec::new(),
            error_states: true,
            error_importance: 0.5,
            parts: 5,
            draws: 0,
        }
    }
}

/// Of the tables, this share decides shift or reduce; the others decide labels.
const ACTION_SHARE: f64 = 0.6;

/// How much greater the penalty gets each time that there are too many lines.
const STRICTER: f64 = 1.25;
/// How often it gets greater.
const MOST_STRICTER: usize = 24;

/// What stays as it is while tables are learned, and what is learned before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before<'g> {
    /// Rules and tables that people wrote.
    pub(super) kept: Option<&'g Grammar>,
    /// A grammar that was learned before: its rules stay, and its rows are fitted anew.
    pub(super) from: Option<&'g Grammar>,
}

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
    let (grammar, _) = watched_by_weights(examples, schema, options, Before::default(), &|_, _| {});
    grammar
}

/// The same on top of rules that stay as they are: what is learned is fitted to what they leave open.
pub fn by_weights_keeping(
    examples: &[(&Example, f64)],
    schema: &Arc<Schema>,
    options: &WeightOptions,
    kept: &Grammar,
) -> Grammar {
    let before = Before {
        kept: Some(kept),
        from: None,
    };
    let (grammar, _) = watched_by_weights(examples, schema, options, before, &|_, _| {});
    grammar
}

/// Every example with the same importance.
pub(super) fn alike<'e>(examples: &[&'e Example]) -> Vec<(&'e Example, f64)> {
    examples.iter().map(|example| (*example, 1.0)).collect()
}

/// The same on top of what was there before, with how written rules did.
pub(super) fn watched_by_weights(
    examples: &[(&Example, f64)],
    schema: &Arc<Schema>,
    options: &WeightOptions,
    before: Before<'_>,
    watch: Watch,
) -> (Grammar, Vec<WrittenRecord>) {
    let texts = examples.iter().map(|(example, _)| &*example.text);
    let seen = seen_in(schema, texts, LEAST_SEEN);
    let learner = Learner::new(schema, options, &seen, before);
    // Which tables are worth having is chosen once: error states hang on weights, not on tables.
    let chosen = std::cell::OnceCell::new();
    let learn = |behavior: &Behavior| {
        let which = chosen.get_or_init(|| learner.learn_tables(behavior, &learner.best_tables()).1);
        learner.learn_tables(behavior, which).0
    };
    let gold = learner.gold_behaviors(examples);
    let divided_by_people = gold.iter().zip(examples).filter(|(_, (e, _))| e.is_gold);
    let records = learner.records(divided_by_people.map(|(behavior, _)| behavior));
    let behavior = learner.with_error_states(gold, examples, &learn, watch);
    let grammar = match before.from {
        Some(from) => learner.refitted(from, &behavior),
        None => learner.grammar(&behavior),
    };
    (grammar, records)
}

/// What is asked of contexts, and what can be done.
pub(super) struct Learner<'o> {
    schema: Arc<Schema>,
    options: &'o WeightOptions,
    pub(super) literals: Literals,
    /// What was there before, and what it says.
    before: Before<'o>,
    written: WrittenRules,
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
        before: Before<'o>,
    ) -> Learner<'o> {
        let literals = Literals::of_nodes(schema, seen, &options.without);
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
        let written = match before {
            Before {
                from: Some(from), ..
            } => WrittenRules::of(from, Rows::Free),
            Before {
                kept: Some(kept), ..
            } => WrittenRules::of(kept, Rows::Kept),
            _ => WrittenRules::default(),
        };
        let asked = [literals.formulas.as_slice(), &written.formulas].concat();
        Learner {
            questionnaire: Questionnaire::new(&asked, schema),
            before,
            written,
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
        let gold = self.gold_behaviors(examples);
        self.with_error_states(gold, examples, learn, watch)
    }

    /// What each gold tree does.
    fn gold_behaviors(&self, examples: &[(&Example, f64)]) -> Vec<Behavior> {
        let stopwatch = Stopwatch::start();
        let gold: Vec<Behavior> = examples
            .par_iter()
            .map(|(example, importance)| self.gold(example).with_importance(*importance))
            .collect();
        tracing::info!(texts = examples.len(), took = %stopwatch, "walked the gold trees");
        gold
    }

    fn with_error_states(
        &self,
        gold: Vec<Behavior>,
        examples: &[(&Example, f64)],
        learn: &dyn Fn(&Behavior) -> Grammar,
        watch: Watch,
    ) -> Behavior {
        let together = |wanted: &dyn Fn(usize) -> bool| {
            let mut all = Behavior::default();
            for (_, behavior) in gold.iter().enumerate().filter(|(at, _)| wanted(*at)) {
                all.extend(behavior.clone());
            }
            all
        };
        let mut all = together(&|_| true);
        let parts = self.options.parts;
        if !self.options.error_states || examples.len() < parts {
            return all;
        }
        let part_of: Vec<usize> = examples
            .iter()
            .map(|(example, _)| part_of(example.id(), parts))
            .collect();
        for part in 0..parts {
            let stopwatch = Stopwatch::start();
            let is_held = |at: usize| part_of[at] == part;
            let held: Vec<usize> = (0..examples.len()).filter(|at| is_held(*at)).collect();
            if held.is_empty() || held.len() == examples.len() {
                continue;
            }
            let engine = Engine::new(learn(&together(&|at| !is_held(at))));
            let errors: Vec<Vec<Behavior>> = held
                .par_iter()
                .map(|at| {
                    let (example, importance) = examples[*at];
                    let errors = self.searches().map(|search| {
                        let errors = self.errors(example, &engine, search);
                        errors.with_importance(importance * self.options.error_importance)
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

    /// How often written rules are right and wrong in gold trees.
    fn records<'b>(&self, gold: impl Iterator<Item = &'b Behavior>) -> Vec<WrittenRecord> {
        let mut all = Behavior::default();
        for behavior in gold {
            all.extend(behavior.clone());
        }
        self.written.records(&all, &self.outcomes, &self.schema)
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

    /// Written rules beside literals, and actions without what only labels are asked by.
    fn as_a_parser_sees_it(&self, mut behavior: Behavior) -> Behavior {
        let written = self.literals.formulas.len() as u32;
        behavior.actions.part_written(written);
        behavior.labels.part_written(written);
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

    /// The whole grammar from what was done, of at most so many lines where that is said.
    fn grammar(&self, behavior: &Behavior) -> Grammar {
        let which = self.best_tables();
        let (mut grammar, _) = self.learn_tables(behavior, &which);
        let Some(most) = self.options.most_lines else {
            return grammar;
        };
        let mut options = self.options.clone();
        for _ in 0..MOST_STRICTER {
            let own = self.before.kept.map_or(0, |kept| kept.tables.len());
            let lines = grammar.tables.iter().skip(own).map(Table::lines);
            if lines.sum::<usize>() <= most {
                break;
            }
            options.actions.penalty *= STRICTER;
            options.labels.penalty *= STRICTER;
            (grammar, _) = self.tables_by(&options, behavior, &which);
        }
        grammar
    }

    /// A grammar that was learned before, with its rows fitted anew.
    fn refitted(&self, from: &Grammar, behavior: &Behavior) -> Grammar {
        let mut grammar = from.clone();
        let actions = self.written.free_rows(action_outcomes);
        let said = said_by_rules(&behavior.actions, &self.written.on_actions(), 2);
        let how = self.options.actions;
        refit_rows(
            &mut grammar,
            &self.written,
            &actions,
            said,
            2,
            &behavior.actions,
            how,
        );
        let (labels, outcomes) = self.seen_outcomes(&behavior.labels);
        let count = outcomes.len();
        let free = self
            .written
            .free_rows(|says| label_outcomes(says, &outcomes, &self.schema));
        let fixed = self.written.on_labels(&outcomes, &self.schema);
        let said = said_by_rules(&labels, &fixed, count);
        let how = self.options.labels;
        refit_rows(
            &mut grammar,
            &self.written,
            &free,
            said,
            count,
            &labels,
            how,
        );
        grammar
    }

    fn best_tables(&self) -> [Which; 2] {
        let most = self.options.most_tables;
        let for_actions = (most as f64 * ACTION_SHARE).round() as usize;
        [for_actions, most.saturating_sub(for_actions)].map(Which::Best)
    }

    fn learn_tables(&self, behavior: &Behavior, which: &[Which; 2]) -> (Grammar, [Which; 2]) {
        self.tables_by(self.options, behavior, which)
    }

    fn tables_by(
        &self,
        options: &WeightOptions,
        behavior: &Behavior,
        which: &[Which; 2],
    ) -> (Grammar, [Which; 2]) {
        let [for_actions, for_labels] = which;
        let ((actions, action_keys), (labels, label_keys)) = rayon::join(
            || self.action_tables(options, &behavior.actions, for_actions),
            || self.label_tables(options, &behavior.labels, for_labels),
        );
        let learned = load_tables(&format!("{actions}{labels}"), &self.schema);
        let kept = self.written_part();
        let grammar = Grammar {
            name: self.schema.name.clone(),
            schema: Arc::clone(&self.schema),
            start: Some(self.schema.start),
            decide: Decide::Weights,
            fallback: Fallback::default(),
            tables: kept.tables.into_iter().chain(learned).collect(),
            productions: kept.productions,
            preferences: kept.preferences,
            boundaries: kept.boundaries,
            blocks: kept.blocks,
            ..Grammar::default()
        };
        let keys = [action_keys, label_keys].map(Which::These);
        (grammar, keys)
    }

    /// What stays as it is: all that was written, and of tables that are fitted anew the rows that a
    /// person marked.
    fn written_part(&self) -> Grammar {
        let mut kept = match self.before {
            Before {
                from: Some(from), ..
            } => from.clone(),
            before => return before.kept.cloned().unwrap_or_default(),
        };
        for table in &mut kept.tables {
            table.rows.retain(|row| row.kept);
        }
        kept.tables.retain(|table| !table.rows.is_empty());
        kept
    }

    fn action_tables(
        &self,
        options: &WeightOptions,
        actions: &Instances,
        which: &Which,
    ) -> (String, TableKeys) {
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
            written: &self.written.on_actions(),
            divisions: &divisions,
            least_count: options.action_count,
            least_weight: options.least_action_weight,
            leaning: 0.0,
        };
        learner.learn("shift", &[shift], options.actions, which)
    }

    fn label_tables(
        &self,
        options: &WeightOptions,
        labels: &Instances,
        which: &Which,
    ) -> (String, TableKeys) {
        let (instances, outcomes) = self.seen_outcomes(labels);
        let divisions: [Division; 1] = [vec![self.stages.clone()]];
        let learner = TableLearner {
            schema: &self.schema,
            literals: &self.literals,
            instances: &instances,
            written: &self.written.on_labels(&outcomes, &self.schema),
            divisions: &divisions,
            least_count: options.label_count,
            least_weight: options.least_label_weight,
            leaning: 0.0,
        };
        let parts = label_parts(&outcomes, &self.schema);
        learner.learn("label", &parts, options.labels, which)
    }

    /// Labels in terms of the outcomes that were seen or are written: only these can be said.
    fn seen_outcomes(&self, labels: &Instances) -> (Instances, Vec<Outcome>) {
        let mut seen: Vec<u32> = labels.done.clone();
        let written = self.written.says.iter();
        seen.extend(written.filter_map(|says| match says {
            Says::Outcome(outcome, _) => Some(self.number(*outcome)),
            _ => None,
        }));
        seen.sort_unstable();
        seen.dedup();
        let place = |outcome: &u32| seen.binary_search(outcome).unwrap_or(0) as u32;
        let instances = Instances {
            done: labels.done.iter().map(place).collect(),
            ..labels.clone()
        };
        let outcomes = seen.iter().map(|at| self.outcomes[*at as usize]);
        (instances, outcomes.collect())
    }
}

/// The part of a text by its name: another text more changes the parts of none.
pub(super) fn part_of(id: &str, parts: usize) -> usize {
    let hash = blake3::hash(id.as_bytes());
    let own = hash.as_bytes().first_chunk().copied();
    let number = own.map_or(0, u64::from_le_bytes);
    (number % parts.max(1) as u64) as usize
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
