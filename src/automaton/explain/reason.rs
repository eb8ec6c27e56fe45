//! Reasons with the value of everything in them.

use serde::Serialize;

use super::Explainer;
use crate::automaton::program::Speaker;
use crate::automaton::view::View;
use crate::grammar::formula::Formula;
use crate::grammar::functions::Answer;
use crate::grammar::{AnyRule, Count, Row, Table, Value};

/// A rule in a configuration: what it says, and how its reason came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Voice {
    /// Its id.
    pub rule: String,
    /// Where it is written: `file:line:column`.
    pub place: Option<String>,
    /// What its doc comment says.
    pub doc: Option<String>,
    /// Its head as written.
    pub head: String,
    /// What it speaks for: `shift`, `reduce`, or what the nodes become.
    pub speaks_for: String,
    /// Its instances.
    pub count: u64,
    /// Its weight, where weights decide.
    pub weight: Option<f64>,
    /// The conjuncts of its reason; none for a rule without one.
    pub reason: Vec<Conjunct>,
}

impl Voice {
    /// True when every conjunct is true.
    pub fn holds(&self) -> bool {
        self.reason
            .iter()
            .all(|conjunct| conjunct.truth == Some(true))
    }

    /// How many conjuncts are not true.
    pub fn failed(&self) -> usize {
        let failed = |conjunct: &&Conjunct| conjunct.truth != Some(true);
        self.reason.iter().filter(failed).count()
    }
}

/// A part of a reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conjunct {
    /// As written.
    pub text: String,
    /// True, false, or unknown.
    pub truth: Option<bool>,
    /// What it asks, and the answers.
    pub values: Vec<(String, Option<String>)>,
}

impl Conjunct {
    /// `true`, `false` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.truth {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        }
    }
}

impl Explainer<'_> {
    pub(super) fn voice(&self, speaker: Speaker<'_>, view: &View<'_>) -> Voice {
        let own = speaker.rule();
        let doc = own.doc.as_ref().map(ToString::to_string);
        let told = |reason: Option<&Formula>| {
            let parts = reason.map_or(&[][..], Formula::conjuncts);
            parts.iter().map(|part| conjunct(part, view)).collect()
        };
        match speaker {
            Speaker::Rule(rule) => Voice {
                rule: own.id.to_string(),
                place: own.place.as_ref().map(ToString::to_string),
                doc,
                head: rule.head(self.engine.schema()).to_string(),
                speaks_for: self.speaks_for(rule),
                count: own.count().get(),
                weight: own.pull(),
                reason: told(own.reason.as_ref()),
            },
            Speaker::Row(table, row) => Voice {
                rule: own.id.to_string(),
                place: row.place.as_ref().map(ToString::to_string),
                doc,
                head: self.row_head(table, row),
                speaks_for: self.row_speaks_for(table, row),
                count: row.count.map_or(1, Count::get),
                weight: Some(row.weight.get()),
                reason: told(table.row_reason(row).as_ref()),
            },
        }
    }

    pub(super) fn speaks_for(&self, rule: AnyRule<'_>) -> String {
        let schema = self.engine.schema();
        match rule {
            AnyRule::Preference(preference) => preference.action.as_str().to_owned(),
            AnyRule::Production(production) => {
                let shape = &production.shape;
                let relation = production.rhetoric(schema);
                format!(
                    "{}[{}] {}",
                    shape.parent.name(schema),
                    relation.map_or("", |relation| relation.name.as_str()),
                    shape.roles
                )
            }
            AnyRule::Block(block) => block.role.to_string(),
            AnyRule::Boundary(boundary) => {
                if boundary.cut {
                    "a boundary".to_owned()
                } else {
                    "no boundary".to_owned()
                }
            }
        }
    }

    /// `B.cue = but`: the row by its answers.
    fn row_head(&self, table: &Table, row: &Row) -> String {
        let schema = self.engine.schema();
        let asked = table.subjects.iter().zip(&row.keys);
        let parts: Vec<String> = asked
            .map(|(subject, key)| format!("{}: {}", subject.text(schema), key.text()))
            .collect();
        if parts.is_empty() {
            "always".to_owned()
        } else {
            parts.join(", ")
        }
    }

    pub(super) fn row_speaks_for(&self, table: &Table, row: &Row) -> String {
        match &row.outcome {
            Some(outcome) => outcome.text(self.engine.schema()),
            None => table.decision.as_str().to_owned(),
        }
    }
}

fn conjunct(formula: &Formula, view: &View<'_>) -> Conjunct {
    let mut values: Vec<(String, Option<String>)> = Vec::new();
    formula.visit(&mut |part| {
        let tells = match part {
            Formula::Attribute(..) => true,
            // What a condition says of itself need not be said twice.
            Formula::Call(function, _) => part != formula || function.get().result != Answer::Bool,
            _ => false,
        };
        if !tells {
            return;
        }
        let asked = part.text(view.schema);
        if !values.iter().any(|(known, _)| *known == asked) {
            let value = part.evaluate(view);
            values.push((asked, value.map(|value| shown(&value))));
        }
    });
    Conjunct {
        text: formula.text(view.schema),
        truth: formula.truth(view),
        values,
    }
}

/// A value as people read it: numbers short, texts in quotes.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Float(value) => format!("{value:.3}"),
        Value::Text(text) => format!("\"{text}\""),
        other => other.to_string(),
    }
}
