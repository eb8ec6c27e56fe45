//! Synthesis by counts: what was done how often in which context (the paper's Section 5).
//!
//! Every action gives an instance to the rough rules of its context: from the general one (how the
//! breaks compare) to special ones (the symbols of the nodes, cues, what was joined before). Where
//! they meet, the automaton mixes general and specific ones. Instances of several texts add up, so
//! grammars of shards merge to the grammar of the whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::contexts::{ContextKey, Contexts};
use super::decision_tree::{Growth, grow};
use super::example::{Behavior, Example, Instances};
use super::literals::Seen;
use super::weights::{Before, Learner, WeightOptions, alike};
use crate::automaton::{Outcome, Walk};
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::{
    Action, Count, Decide, Fallback, Grammar, Pattern, Preference, Production, Shape, load_reason,
};
use crate::schema::{RelationId, Schema};

/// Rules seen less often are only kept when nothing more general says otherwise.
const LEAST_SPECIAL: usize = 2;

/// Learns a grammar of rough rules from gold trees.
pub fn by_counts(examples: &[&Example], schema: &Arc<Schema>) -> Grammar {
    let reader = RoughReader::new(schema);
    let parts = examples.par_iter().map(|example| reader.rules(example));
    let parts: Vec<RoughRules> = parts.collect();
    let mut all = RoughRules::default();
    for part in &parts {
        all.add(part, 1);
    }
    all.grammar(schema, LEAST_SPECIAL)
}

/// Learns a compact grammar: one decision tree a decision, with so many rules in all at most. Each
/// leaf says what was usually done there.
pub fn by_trees(examples: &[&Example], schema: &Arc<Schema>, rules: usize) -> Grammar {
    grown(examples, schema, [rules / 2; 2], Keep::UsualOfLeaves)
}

/// Learns a grammar whose reasons are what tells behaviours apart: one decision tree a decision,
/// each of its nodes with all that was done there, so that the automaton mixes what little a
/// special node has seen with what the general ones above it have.
pub fn by_grown_counts(examples: &[&Example], schema: &Arc<Schema>) -> Grammar {
    const ACTION_LEAVES: usize = 200;
    const LABEL_LEAVES: usize = 150;
    grown(
        examples,
        schema,
        [ACTION_LEAVES, LABEL_LEAVES],
        Keep::AllOfNodes,
    )
}

/// What of a grown tree becomes a rule.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    UsualOfLeaves,
    AllOfNodes,
}

/// A leaf has at least so many instances, for actions and for labels.
const LEAST_IN_LEAF: [usize; 2] = [12, 6];

/// How often each text is drawn to find error states.
const DRAWS: u64 = 2;

fn grown(examples: &[&Example], schema: &Arc<Schema>, leaves: [usize; 2], keep: Keep) -> Grammar {
    let options = WeightOptions {
        draws: DRAWS,
        ..WeightOptions::default()
    };
    let learner = Learner::new(schema, &options, &Seen::new(), Before::default());
    let trees = |behavior: &Behavior| trees(&learner, behavior, leaves, keep, schema);
    let behavior = learner.behavior(&alike(examples), &trees, &|_, _| {});
    trees(&behavior)
}

fn trees(
    learner: &Learner<'_>,
    behavior: &Behavior,
    leaves: [usize; 2],
    keep: Keep,
    schema: &Arc<Schema>,
) -> Grammar {
    let mut grammar = Grammar {
        name: schema.name.clone(),
        schema: Arc::clone(schema),
        start: Some(schema.start),
        decide: Decide::Counts,
        fallback: Fallback::default(),
        ..Grammar::default()
    };
    let [action_leaves, label_leaves] = leaves;
    let [least_actions, least_labels] = LEAST_IN_LEAF;
    let actions = Growth {
        leaves: action_leaves,
        least: least_actions,
    };
    let labels = Growth {
        leaves: label_leaves,
        least: least_labels,
    };
    for (reason, done, count) in kept(&behavior.actions, learner, actions, keep) {
        let action = match done {
            0 => Action::Shift,
            _ => Action::Reduce,
        };
        let mut rule = Preference::new(action, [Pattern::Any; 3], reason, schema);
        rule.rule.count = Count::new(count as u64);
        grammar.preferences.push(rule);
    }
    for (reason, done, count) in kept(&behavior.labels, learner, labels, keep) {
        let shape = shape(learner.outcomes[done as usize], [Pattern::Any; 2]);
        let mut rule = Production::new(shape, reason, Vec::new(), schema);
        rule.rule.count = Count::new(count as u64);
        grammar.productions.push(rule);
    }
    grammar
}

/// What was done how often for which reason.
fn kept(
    instances: &Instances,
    learner: &Learner<'_>,
    how: Growth,
    keep: Keep,
) -> Vec<(Option<Formula>, u32, usize)> {
    let mut all = Vec::new();
    for node in grow(instances, &learner.literals, how) {
        let reason = node.reason(&learner.literals);
        match keep {
            Keep::AllOfNodes => {
                let done = node.done.iter();
                all.extend(done.map(|(done, count)| (reason.clone(), *done, *count)));
            }
            Keep::UsualOfLeaves if node.leaf => {
                let by_count = |entry: &(&u32, &usize)| (*entry.1, std::cmp::Reverse(*entry.0));
                let usual = node.done.iter().max_by_key(by_count);
                all.extend(usual.map(|(done, count)| (reason, *done, *count)));
            }
            Keep::UsualOfLeaves => {}
        }
    }
    all
}

fn shape(outcome: Outcome, children: [Pattern; 2]) -> Shape {
    Shape {
        parent: outcome.parent,
        relation: outcome.relation,
        children,
        roles: outcome.roles,
    }
}

/// Finds the rough rules of texts.
pub struct RoughReader {
    contexts: Contexts,
    schema: Arc<Schema>,
}

impl RoughReader {
    /// For the texts of a schema.
    pub fn new(schema: &Arc<Schema>) -> RoughReader {
        RoughReader {
            contexts: Contexts::new(schema),
            schema: Arc::clone(schema),
        }
    }

    /// The rough rules of a text, with their instances.
    pub fn rules(&self, example: &Example) -> RoughRules {
        RoughRules::of(example, &self.contexts, &self.schema)
    }
}

/// Rough rules with the numbers of their instances.
#[derive(Debug, Clone, Default)]
pub struct RoughRules {
    preferences: BTreeMap<ContextKey<3>, [usize; 2]>,
    productions: BTreeMap<ContextKey<2>, BTreeMap<Outcome, usize>>,
}

impl RoughRules {
    fn of(example: &Example, contexts: &Contexts, schema: &Arc<Schema>) -> RoughRules {
        let mut rough = RoughRules::default();
        let mut walk = Walk::new(schema, Arc::clone(&example.text));
        for (action, outcome) in example.oracle.actions() {
            if walk.has_choice() {
                for (pattern, reason) in contexts.of_action(&walk) {
                    let counts = rough.preferences.entry((pattern, reason)).or_default();
                    counts[action as usize] += 1;
                }
            }
            match outcome {
                None => walk.shift(),
                Some(outcome) => {
                    for (pattern, reason) in contexts.of_label(&walk) {
                        let counts = rough.productions.entry((pattern, reason)).or_default();
                        *counts.entry(outcome).or_default() += 1;
                    }
                    walk.reduce(outcome);
                }
            }
        }
        rough
    }

    /// Adds the instances of another set, so many times.
    pub fn add(&mut self, other: &RoughRules, times: usize) {
        for (context, counts) in &other.preferences {
            if !self.preferences.contains_key(context) {
                self.preferences.insert(context.clone(), [0; 2]);
            }
            if let Some(own) = self.preferences.get_mut(context) {
                own[0] += counts[0] * times;
                own[1] += counts[1] * times;
            }
        }
        for (context, counts) in &other.productions {
            if !self.productions.contains_key(context) {
                self.productions.insert(context.clone(), BTreeMap::new());
            }
            if let Some(own) = self.productions.get_mut(context) {
                for (outcome, count) in counts {
                    *own.entry(*outcome).or_default() += count * times;
                }
            }
        }
    }

    /// The same rules, each with one instance.
    pub fn each_once(&self) -> RoughRules {
        let once = |count: &usize| (*count).min(1);
        let mut each = self.clone();
        for counts in each.preferences.values_mut() {
            *counts = counts.each_ref().map(once);
        }
        for count in each.productions.values_mut().flat_map(BTreeMap::values_mut) {
            *count = once(count);
        }
        each
    }

    /// How many productions and preferences there are.
    pub fn sizes(&self) -> [usize; 2] {
        let productions = self.productions.values().map(BTreeMap::len).sum();
        let preferences = self.preferences.values();
        let preferences = preferences.map(|counts| counts.iter().filter(|n| **n > 0).count());
        [productions, preferences.sum()]
    }

    /// The grammar of rules whose contexts were seen so often at least.
    pub fn grammar(&self, schema: &Arc<Schema>, least: usize) -> Grammar {
        let mut reasons = Reasons::new(schema);
        let pattern = |symbol: &Option<RelationId>| symbol.map_or(Pattern::Any, Pattern::Symbol);
        let mut preferences = Vec::new();
        for ((symbols, reason), counts) in &self.preferences {
            if counts.iter().sum::<usize>() < least {
                continue;
            }
            for (action, count) in [Action::Shift, Action::Reduce].into_iter().zip(counts) {
                if *count > 0 {
                    let children = symbols.each_ref().map(pattern);
                    let mut rule = Preference::new(action, children, reasons.get(reason), schema);
                    rule.rule.count = Count::new(*count as u64);
                    preferences.push(rule);
                }
            }
        }
        let mut productions = Vec::new();
        for ((symbols, reason), counts) in &self.productions {
            if counts.values().sum::<usize>() < least {
                continue;
            }
            for (outcome, count) in counts {
                let children = symbols.each_ref().map(pattern);
                let shape = shape(*outcome, children);
                let mut rule = Production::new(shape, reasons.get(reason), Vec::new(), schema);
                rule.rule.count = Count::new(*count as u64);
                productions.push(rule);
            }
        }
        Grammar {
            name: schema.name.clone(),
            schema: Arc::clone(schema),
            start: Some(schema.start),
            decide: Decide::Counts,
            fallback: Fallback::default(),
            productions,
            preferences,
            ..Grammar::default()
        }
    }
}

/// Reasons by their text, each read once.
struct Reasons<'s> {
    schema: &'s Schema,
    known: BTreeMap<String, Option<Formula>>,
}

impl<'s> Reasons<'s> {
    fn new(schema: &'s Schema) -> Reasons<'s> {
        Reasons {
            schema,
            known: BTreeMap::new(),
        }
    }

    fn get(&mut self, text: &str) -> Option<Formula> {
        if !self.known.contains_key(text) {
            let source = Source::new("<reason>", text);
            let read = load_reason(&source, self.schema).ok();
            self.known.insert(text.to_owned(), read);
        }
        self.known.get(text).cloned().flatten()
    }
}
