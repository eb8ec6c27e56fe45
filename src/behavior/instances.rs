//! The rule instances that actions contribute: the paper's rough productions and preferences.

use rustc_hash::FxHashMap;
use std::sync::Arc;

use super::action::Seen;
use super::labelling::Done;
use crate::grammar::{Action, Count, Grammar, Pattern, Preference, Production, Rule, Shape};
use crate::schema::Schema;

/// Rules with the number of their instances, in the order in which they first occurred. What two
/// sets have in common adds up, so sets can be joined in any grouping.
#[derive(Debug, Clone, Default)]
pub struct RuleInstances {
    /// `D(Lf) <- A, B`, one for each kind of reduction.
    pub productions: Vec<Production>,
    /// `(A, B, C, <, slf)` and `(A, B, C, >, rlf)`, one for each kind of choice.
    pub preferences: Vec<Preference>,
    /// Places by id; productions of one id may differ in their equations.
    places: FxHashMap<Arc<str>, Vec<usize>>,
}

impl RuleInstances {
    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.productions.len() + self.preferences.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds all instances of another set.
    pub fn add(&mut self, other: &RuleInstances) {
        for production in &other.productions {
            self.add_production(production.clone());
        }
        for preference in &other.preferences {
            self.add_preference(preference.clone());
        }
    }

    /// Adds all instances of another set, so many times.
    pub fn add_times(&mut self, other: &RuleInstances, times: u64) {
        let grown = |rule: &mut Rule| {
            let count = rule.count().get().saturating_mul(times);
            rule.count = Count::new(count);
        };
        for production in &other.productions {
            let mut production = production.clone();
            grown(&mut production.rule);
            self.add_production(production);
        }
        for preference in &other.preferences {
            let mut preference = preference.clone();
            grown(&mut preference.rule);
            self.add_preference(preference);
        }
    }

    /// The same rules, each with one instance.
    pub fn each_once(&self) -> RuleInstances {
        let mut each = self.clone();
        let productions = each.productions.iter_mut().map(|p| &mut p.rule);
        let preferences = each.preferences.iter_mut().map(|p| &mut p.rule);
        for rule in productions.chain(preferences) {
            rule.count = Some(Count::MIN);
        }
        each
    }

    /// Adds instances of a production.
    pub fn add_production(&mut self, new: Production) {
        let places = self.places.entry(Arc::clone(&new.rule.id)).or_default();
        let known = places.iter().find(|at| {
            let known = self.productions.get(**at);
            known.is_some_and(|known| known.equations == new.equations)
        });
        match known.and_then(|at| self.productions.get_mut(*at)) {
            Some(known) => count(&mut known.rule, &new.rule),
            None => {
                places.push(self.productions.len());
                self.productions.push(new);
            }
        }
    }

    /// Adds instances of a preference.
    pub fn add_preference(&mut self, new: Preference) {
        let places = self.places.entry(Arc::clone(&new.rule.id)).or_default();
        match places.first().and_then(|at| self.preferences.get_mut(*at)) {
            Some(known) => count(&mut known.rule, &new.rule),
            None => {
                places.push(self.preferences.len());
                self.preferences.push(new);
            }
        }
    }

    /// The rules as a grammar writes them.
    pub fn to_text(&self, schema: &Arc<Schema>) -> String {
        let grammar = Grammar {
            schema: Arc::clone(schema),
            productions: self.productions.clone(),
            preferences: self.preferences.clone(),
            ..Grammar::default()
        };
        let text = grammar.to_text();
        // Rules alone: how they decide is the grammar's that takes them up.
        let rules = text.split_once("\n\n").map_or("", |(_, rules)| rules);
        rules.to_owned()
    }

    /// The rules of which a grammar has none with the same pattern and reason.
    pub fn unknown_to(&self, grammar: &Grammar) -> RuleInstances {
        let known: std::collections::HashSet<&str> =
            grammar.rules().map(|any| &*any.rule().id).collect();
        let mut new = RuleInstances::default();
        let is_new = |rule: &Rule| !known.contains(&*rule.id);
        for production in self.productions.iter().filter(|p| is_new(&p.rule)) {
            new.add_production(production.clone());
        }
        for preference in self.preferences.iter().filter(|p| is_new(&p.rule)) {
            new.add_preference(preference.clone());
        }
        new
    }

    /// Adds what one action contributes.
    pub(super) fn add_action(&mut self, done: &Done, schema: &Schema) {
        let symbol = |seen: &Option<Seen>| {
            let name = &seen.as_ref()?.symbol;
            schema.relation(name).map(Pattern::Symbol)
        };
        let context = &done.context;
        let (a, b) = (symbol(&context.a), symbol(&context.b));
        let (Some(a), Some(b)) = (a, b) else {
            return;
        };
        let action = match done.outcome {
            None => Action::Shift,
            Some(outcome) => {
                let parent = match (outcome.parent, a, b) {
                    (Pattern::Any, Pattern::Symbol(left), Pattern::Symbol(right)) => {
                        Pattern::Symbol(outcome.symbol(left, right))
                    }
                    (parent, ..) => parent,
                };
                let shape = Shape {
                    parent,
                    relation: outcome.relation,
                    children: [a, b],
                    roles: outcome.roles,
                };
                let reason = done.reason.clone();
                let equations = done.equations.clone();
                let mut production = Production::new(shape, reason, equations, schema);
                production.rule.count = Some(Count::MIN);
                self.add_production(production);
                Action::Reduce
            }
        };
        if let Some(c) = symbol(&context.c) {
            let reason = done.reason.clone();
            let mut preference = Preference::new(action, [a, b, c], reason, schema);
            preference.rule.count = Some(Count::MIN);
            self.add_preference(preference);
        }
    }
}

fn count(known: &mut Rule, new: &Rule) {
    known.count = Some(known.count().saturating_add(new.count().get()));
}
