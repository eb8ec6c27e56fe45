//! Synthesis by counts: what was done how often in which context (the paper's Section 5).
//!
//! Every action gives an instance to the rough rules of its context: from the general one (how the
//! breaks compare) to special ones (the symbols of the nodes, cues, what was joined before). Where
//! they meet, the automaton mixes general and specific ones. Instances of several texts add up, so
//! grammars of shards merge to the grammar of the whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::contexts::{Context, Contexts};
use super::decision_tree::{Growth, grow};
use super::example::{Behavior, Example};
use super::weights::{Learner, WeightOptions};
use crate::automaton::{Outcome, Walk};
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::{
    Action, Decide, Fallback, Grammar, Pattern, Preference, Production, Shape, load_reason,
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

/// Learns a compact grammar: one decision tree a decision, with so many rules in all at most.
pub fn by_trees(examples: &[&Example], schema: &Arc<Schema>, rules: usize) -> Grammar {
    let options = WeightOptions::default();
    let learner = Learner::new(schema, &options);
    let half = rules / 2;
    let trees = |behavior: &Behavior| compact(&learner, behavior, half, schema);
    let alike: Vec<(&Example, f64)> = examples.iter().map(|example| (*example, 1.0)).collect();
    let behavior = learner.behavior(&alike, &trees);
    trees(&behavior)
}

fn compact(
    learner: &Learner<'_>,
    behavior: &Behavior,
    leaves: usize,
    schema: &Arc<Schema>,
) -> Grammar {
    let growth = |least| Growth { leaves, least };
    let mut grammar = Grammar {
        name: schema.name.clone(),
        schema: Arc::clone(schema),
        start: Some(schema.start),
        decide: Decide::Counts,
        fallback: Fallback::default(),
        ..Grammar::default()
    };
    for leaf in grow(&behavior.actions, &learner.literals, growth(12)) {
        let usual = leaf
            .done
            .iter()
            .max_by_key(|(done, count)| (**count, std::cmp::Reverse(**done)));
        let Some((done, count)) = usual else {
            continue;
        };
        let action = if *done == 0 {
            Action::Shift
        } else {
            Action::Reduce
        };
        let reason = leaf.reason(&learner.literals);
        let mut rule = Preference::new(action, [Pattern::Any; 3], reason, schema);
        rule.rule.count = Some(*count as u64);
        grammar.preferences.push(rule);
    }
    for leaf in grow(&behavior.labels, &learner.literals, growth(6)) {
        let usual = leaf
            .done
            .iter()
            .max_by_key(|(done, count)| (**count, std::cmp::Reverse(**done)));
        let Some((done, count)) = usual else {
            continue;
        };
        let outcome = learner.outcomes[*done as usize];
        let reason = leaf.reason(&learner.literals);
        let mut rule = Production::new(
            shape(outcome, [Pattern::Any; 2]),
            reason,
            Vec::new(),
            schema,
        );
        rule.rule.count = Some(*count as u64);
        grammar.productions.push(rule);
    }
    grammar
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
    preferences: BTreeMap<Context<3>, [usize; 2]>,
    productions: BTreeMap<Context<2>, BTreeMap<Outcome, usize>>,
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
                    rule.rule.count = Some(*count as u64);
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
                rule.rule.count = Some(*count as u64);
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
