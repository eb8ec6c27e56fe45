//! Synthesis by counts: what was done how often in which context (the paper's Section 5), as rough
//! rules or as decision trees.

use std::sync::Arc;

use rayon::prelude::*;

use super::decision_tree::{Growth, grow};
use super::example::{Behavior, Example, Instances};
use super::literals::Seen;
use super::rough::{RoughReader, RoughRules};
use super::weights::{Before, Learner, WeightOptions, alike};
use crate::automaton::Outcome;
use crate::grammar::formula::Formula;
use crate::grammar::{
    Action, Count, Decide, Fallback, Grammar, Pattern, Preference, Production, Shape,
};
use crate::schema::Schema;

/// Learns a grammar of rough rules from gold trees.
pub fn by_counts(examples: &[&Example], schema: &Arc<Schema>) -> Grammar {
    let reader = RoughReader::new(schema);
    let parts = examples.par_iter().map(|example| reader.rules(example));
    let parts: Vec<RoughRules> = parts.collect();
    let mut all = RoughRules::default();
    for part in &parts {
        all.add(part, 1);
    }
    all.grammar(schema)
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

pub(super) fn shape(outcome: Outcome, children: [Pattern; 2]) -> Shape {
    Shape {
        parent: outcome.parent,
        relation: outcome.relation,
        children,
        roles: outcome.roles,
    }
}
