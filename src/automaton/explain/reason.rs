//! Reasons with the value of everything in them.

use serde::Serialize;

use super::Explainer;
use crate::automaton::view::View;
use crate::grammar::formula::{Domain, Formula};
use crate::grammar::functions::Answer;
use crate::grammar::{AnyRule, Value};

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
    pub(super) fn voice(&self, rule: AnyRule<'_>, view: &View<'_>) -> Voice {
        let schema = self.engine.schema();
        let own = rule.rule();
        let conjuncts = own.reason.as_ref().map_or(&[][..], Formula::conjuncts);
        let speaks_for = match rule {
            AnyRule::Preference(preference) => preference.action.as_str().to_owned(),
            AnyRule::Production(production) => {
                let shape = &production.shape;
                let relation = production.rhetoric(schema);
                format!(
                    "{}[{}] {}",
                    shape.parent.name(schema),
                    relation.map_or("", |relation| relation.name.as_str()),
                    super::roles_text(shape.roles)
                )
            }
            AnyRule::Boundary(boundary) => {
                if boundary.cut {
                    "a boundary".to_owned()
                } else {
                    "no boundary".to_owned()
                }
            }
        };
        Voice {
            rule: own.id.to_string(),
            place: own.place.as_ref().map(ToString::to_string),
            doc: own.doc.as_ref().map(ToString::to_string),
            head: rule.head(schema).to_string(),
            speaks_for,
            count: own.count(),
            weight: own.weight,
            reason: conjuncts.iter().map(|part| conjunct(part, view)).collect(),
        }
    }
}

fn conjunct(formula: &Formula, view: &View<'_>) -> Conjunct {
    let mut values: Vec<(String, Option<String>)> = Vec::new();
    formula.visit(&mut |part| {
        let domain = match part {
            Formula::Attribute(..) => None,
            Formula::Call(function, _) => match function.get().result {
                Answer::Symbol(domain) => Some(domain),
                // What a comparison says of itself need not be said twice.
                Answer::Bool if part == formula => return,
                _ => None,
            },
            _ => return,
        };
        let asked = part.text(view.schema);
        if !values.iter().any(|(known, _)| *known == asked) {
            let value = part.evaluate(view);
            values.push((asked, value.map(|value| shown(&value, domain))));
        }
    });
    Conjunct {
        text: formula.text(view.schema),
        truth: formula.truth(view),
        values,
    }
}

/// A value as people read it; ordered symbols by their name.
pub(super) fn shown(value: &Value, domain: Option<Domain>) -> String {
    match (value, domain) {
        (Value::Rank(rank), Some(Domain::Ordered(list))) => {
            let name = list.get(usize::from(*rank)).copied();
            name.unwrap_or_default().to_owned()
        }
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Float(value), _) => format!("{value:.3}"),
        (Value::Rank(rank), _) => rank.to_string(),
        (Value::Symbol(text) | Value::Time(text), _) => text.to_string(),
        (Value::Text(text), _) => format!("\"{text}\""),
        (Value::Set(members), _) => {
            let members: Vec<&str> = members.iter().map(AsRef::as_ref).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}
