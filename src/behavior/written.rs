//! Rules that people wrote, as a learner meets them: each says what it says wherever its reason holds,
//! and what is learned is fitted to what they leave open.

use std::sync::Arc;

use super::example::{Behavior, Instances};
use crate::automaton::Outcome;
use crate::diagnostic::Source;
use crate::grammar::formula::Formula;
use crate::grammar::{Action, Decision, Grammar, Pattern, Row, Table, load_reason};
use crate::schema::Schema;

/// What a written rule says where it holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Says {
    /// For an action.
    Action(Action, f64),
    /// For an outcome.
    Outcome(Outcome, f64),
    /// For every outcome that fits a row of a label table.
    Row(Row),
}

impl Says {
    fn weight(&self) -> f64 {
        match self {
            Says::Action(_, weight) | Says::Outcome(_, weight) => *weight,
            Says::Row(row) => row.weight.get(),
        }
    }
}

/// Who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// A rule, by its name.
    Rule(String),
    /// A row: the place of its table in the grammar, and its own in the table.
    Row(usize, usize),
}

/// Written rules with their reasons as formulas, in the same order.
#[derive(Debug, Default)]
pub(super) struct WrittenRules {
    pub(super) formulas: Vec<Formula>,
    pub(super) says: Vec<Says>,
    pub(super) who: Vec<Who>,
    /// Those whose weights are learned anew: they say nothing until then.
    pub(super) is_free: Vec<bool>,
}

/// Whether the rows of tables stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// They do.
    Kept,
    /// Those that a person marked do; the others are learned anew.
    Free,
}

impl WrittenRules {
    /// All rules and tables of a grammar that decide by weights, but for boundaries.
    pub(super) fn of(grammar: &Grammar, rows: Rows) -> WrittenRules {
        let mut written = WrittenRules::default();
        let schema = &grammar.schema;
        for preference in &grammar.preferences {
            if let Some(weight) = preference.rule.pull() {
                let reason = preference.rule.reason.as_ref();
                let formula = with_symbols(["A", "B", "C"], preference.pattern, reason, schema);
                let says = Says::Action(preference.action, weight);
                written.add(formula, says, Who::Rule(preference.rule.id.to_string()));
            }
        }
        for production in &grammar.productions {
            if let Some(weight) = production.rule.pull() {
                let reason = production.rule.reason.as_ref();
                let children = production.shape.children;
                let formula = with_symbols(["A", "B"], children, reason, schema);
                let outcome = Outcome {
                    parent: Pattern::Any,
                    ..Outcome::of(&production.shape)
                };
                let says = Says::Outcome(outcome, weight);
                written.add(formula, says, Who::Rule(production.rule.id.to_string()));
            }
        }
        let decides = |table: &Table| table.decision != Decision::Boundary;
        written.add_tables(grammar, decides, rows);
        written
    }

    /// The boundary tables of a grammar. The one that always speaks stays as it is: it was moved towards
    /// boundaries on purpose.
    pub(super) fn of_boundaries(grammar: &Grammar) -> WrittenRules {
        let mut written = WrittenRules::default();
        let decides = |table: &Table| table.decision == Decision::Boundary;
        written.add_tables(grammar, decides, Rows::Free);
        for (who, is_free) in written.who.iter().zip(&mut written.is_free) {
            if let Who::Row(table, _) = who {
                *is_free &= !always_speaks(&grammar.tables[*table]);
            }
        }
        written
    }

    fn add_tables(&mut self, grammar: &Grammar, wanted: impl Fn(&Table) -> bool, rows: Rows) {
        let numbered = grammar.tables.iter().enumerate();
        for (number, table) in numbered.filter(|(_, table)| wanted(table)) {
            for (at, row) in table.rows.iter().enumerate() {
                let says = match table.decision {
                    Decision::Shift | Decision::Boundary => {
                        Says::Action(Action::Shift, row.weight.get())
                    }
                    Decision::Reduce => Says::Action(Action::Reduce, row.weight.get()),
                    Decision::Label => Says::Row(row.clone()),
                };
                let reason = table.row_reason(row);
                let reason = reason.unwrap_or_else(|| Formula::And(Vec::new()));
                self.add(reason, says, Who::Row(number, at));
                if let Some(is_free) = self.is_free.last_mut() {
                    *is_free = rows == Rows::Free && !row.kept;
                }
            }
        }
    }

    fn add(&mut self, formula: Formula, says: Says, who: Who) {
        self.formulas.push(formula);
        self.says.push(says);
        self.who.push(who);
        self.is_free.push(false);
    }

    /// What each rule that stays as it is says of shift (0) and reduce (1).
    pub(super) fn on_actions(&self) -> Vec<Vec<(u32, f64)>> {
        self.of_fixed(action_outcomes)
    }

    /// What each rule that stays as it is says of outcomes, by their place in the list.
    pub(super) fn on_labels(&self, outcomes: &[Outcome], schema: &Schema) -> Vec<Vec<(u32, f64)>> {
        self.of_fixed(|says| label_outcomes(says, outcomes, schema))
    }

    fn of_fixed(&self, outcomes: impl Fn(&Says) -> Vec<u32>) -> Vec<Vec<(u32, f64)>> {
        let says = self.says.iter().zip(&self.is_free);
        let said = says.map(|(says, is_free)| {
            let spoken_for = if *is_free { Vec::new() } else { outcomes(says) };
            let spoken_for = spoken_for.into_iter();
            spoken_for.map(|at| (at, says.weight())).collect()
        });
        said.collect()
    }

    /// What rows that are learned anew say: the number of the rule, the outcomes it speaks for, and how
    /// much it says now.
    pub(super) fn free_rows(
        &self,
        outcomes: impl Fn(&Says) -> Vec<u32>,
    ) -> Vec<(u32, Vec<u32>, f64)> {
        let says = self.says.iter().zip(&self.is_free).enumerate();
        let free = says.filter(|(_, (_, is_free))| **is_free);
        let free = free.map(|(at, (says, _))| (at as u32, outcomes(says), says.weight()));
        free.filter(|(_, outcomes, _)| !outcomes.is_empty())
            .collect()
    }

    /// How often each rule was right and wrong in what was done; tables are left out.
    pub(super) fn records(
        &self,
        behavior: &Behavior,
        outcomes: &[Outcome],
        schema: &Schema,
    ) -> Vec<WrittenRecord> {
        let mut right = vec![0; self.says.len()];
        let mut wrong = vec![0; self.says.len()];
        let mut tell = |instances: &Instances, outcomes: &dyn Fn(&Says) -> Vec<u32>| {
            let spoken_for: Vec<Vec<u32>> = self.says.iter().map(outcomes).collect();
            for (spoken, done) in instances.spoken.iter().zip(&instances.done) {
                for rule in spoken {
                    let rule = *rule as usize;
                    // A rule against something is right where something else was done.
                    let speaks_for = self.says[rule].weight() > 0.0;
                    match spoken_for[rule].as_slice() {
                        [] => {}
                        own if own.contains(done) == speaks_for => right[rule] += 1,
                        _ => wrong[rule] += 1,
                    }
                }
            }
        };
        tell(&behavior.actions, &action_outcomes);
        tell(&behavior.labels, &|says| {
            label_outcomes(says, outcomes, schema)
        });
        let who = self.who.iter().zip(right.into_iter().zip(wrong));
        let records = who.filter_map(|(who, (right, wrong))| match who {
            Who::Rule(rule) => Some(WrittenRecord {
                rule: rule.clone(),
                right,
                wrong,
            }),
            Who::Row(..) => None,
        });
        records.collect()
    }
}

/// True for a table that asks nothing.
pub(super) fn always_speaks(table: &Table) -> bool {
    table.subjects.is_empty() && table.rule.reason.is_none()
}

/// Shift (0) or reduce (1), where that is spoken for.
pub(super) fn action_outcomes(says: &Says) -> Vec<u32> {
    match says {
        Says::Action(action, _) => vec![*action as u32],
        Says::Outcome(..) | Says::Row(_) => Vec::new(),
    }
}

/// The outcomes that are spoken for, by their place in the list.
pub(super) fn label_outcomes(says: &Says, outcomes: &[Outcome], schema: &Schema) -> Vec<u32> {
    let fits = |outcome: &Outcome| match says {
        Says::Action(..) => false,
        Says::Outcome(wanted, _) => outcome == wanted,
        Says::Row(row) => row
            .outcome
            .as_ref()
            .is_some_and(|pattern| pattern.fits(outcome.relation, outcome.roles, schema)),
    };
    let numbered = outcomes.iter().enumerate();
    let own = numbered.filter(|(_, outcome)| fits(outcome));
    own.map(|(at, _)| at as u32).collect()
}

/// How a written rule did on gold trees.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct WrittenRecord {
    /// The rule's name or id.
    pub rule: String,
    /// How often it spoke where the gold trees do what it says.
    pub right: usize,
    /// How often where they do something else.
    pub wrong: usize,
}

impl WrittenRecord {
    /// True when the trees speak against the rule: it is wrong more often than right, and not by chance.
    pub fn is_contradicted(&self) -> bool {
        const FEW: usize = 4;
        self.wrong > self.right && self.wrong >= FEW
    }
}

/// A reason with what the pattern asks of the nodes.
fn with_symbols<const N: usize>(
    nodes: [&str; N],
    pattern: [Pattern; N],
    reason: Option<&Formula>,
    schema: &Arc<Schema>,
) -> Formula {
    let symbols = nodes.iter().zip(pattern).filter_map(|(node, symbol)| {
        let Pattern::Symbol(symbol) = symbol else {
            return None;
        };
        let text = format!("is({node}, {})", schema.relation_name(symbol));
        load_reason(&Source::new("<pattern>", text), schema).ok()
    });
    let mut parts: Vec<Formula> = symbols.collect();
    parts.extend(reason.map_or(&[][..], Formula::conjuncts).iter().cloned());
    Formula::And(parts)
}
