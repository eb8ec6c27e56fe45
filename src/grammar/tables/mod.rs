//! Tables: the weights of one question (or of two or three together), a row for each answer.
//!
//! A linguist reads a table as a factor group: what is asked, the answers, how much each says and how
//! often it was seen. A row holds where the table's condition holds and every subject has the answer of
//! its key; rows of one table never hold together, except where the answer is a set. Answers without a
//! row say nothing.

mod layout;
mod merge;
mod resolve;
mod update;

pub(super) use layout::{row_line, table_head};
pub(super) use merge::merge_table;
pub(super) use resolve::table_rule;
pub use update::update_rows;

use std::sync::Arc;

use super::formula::{Argument, Comparison, Formula, FunctionId, Literal};
use super::functions::Scope;
use super::model::{Count, Rule, Weight};
use crate::diagnostic::Place;
use crate::named::named_enum;
use crate::schema::{RhetoricId, Schema};
use crate::tree::Roles;

/// A table of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name as the id, its doc comment, and as the reason where it speaks.
    pub rule: Rule,
    /// What its rows decide.
    pub decision: Decision,
    /// What is asked; nothing in a table that always speaks.
    pub subjects: Vec<Subject>,
    /// What the answers say.
    pub rows: Vec<Row>,
}

named_enum! {
    /// What a table decides.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Decision {
        /// Positive weights speak for shift.
        Shift = "shift",
        /// Positive weights speak for reduce.
        Reduce = "reduce",
        /// Weights speak for what two nodes become.
        Label = "label",
        /// Positive weights speak for the beginning of an EDU.
        Boundary = "boundary",
    }
}

/// What is asked by a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A value with few answers, or one that is cut into ranges: `B.cue`, `A.length`.
    Value(Formula),
    /// Whether something holds: `A.heading`, `A.punct = B.punct`.
    Truth(Formula),
    /// A set; each of its members may have a row: `B.cues`.
    Members(Formula),
    /// How two values compare: `level(A, B) vs level(B, C)`.
    Versus(Formula, Formula),
}

/// What one answer says.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The answers it is about, one for each subject.
    pub keys: Vec<Key>,
    /// What it speaks for, in a table of labels.
    pub outcome: Option<OutcomePattern>,
    /// How much it says.
    pub weight: Weight,
    /// How often it was seen.
    pub count: Option<Count>,
    /// True when learning leaves it alone: a person wrote or changed it.
    pub kept: bool,
    /// Where it is written.
    pub place: Option<Place>,
}

/// Answers that share a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    /// One answer.
    Value(Literal),
    /// All answers on one side: `>= 3`.
    Bound(Comparison, Literal),
    /// `3 to 5`: both ends belong to it, of numbers with a fraction the upper one alone, so that ranges
    /// can stand beside each other.
    Range(Literal, Literal),
    /// The first value of `vs` is less than, equal to or greater than the second.
    Order(Comparison),
    /// `else`: every answer that no other row of the table names.
    Else,
    /// There is no answer.
    Unknown,
}

/// What rows of label tables speak for: every outcome that fits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutcomePattern {
    /// Which relations.
    pub relation: RelationPattern,
    /// Which roles; nothing fits all.
    pub roles: Option<Roles>,
}

/// Some relations.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelationPattern {
    /// `*`
    Any,
    /// `causal-*`: all relations of a class.
    Class(Arc<str>),
    /// One relation.
    One(RhetoricId),
}

/// The words for how two values compare.
pub(super) const ORDERS: [(&str, Comparison); 3] = [
    ("less", Comparison::Less),
    ("equal", Comparison::Equal),
    ("greater", Comparison::Greater),
];
/// The words for answers that are not listed and for no answer.
pub(super) const ELSE: &str = "else";
pub(super) const UNKNOWN: &str = "unknown";

impl OutcomePattern {
    /// True when a relation with these roles fits.
    pub fn fits(&self, relation: RhetoricId, roles: Roles, schema: &Schema) -> bool {
        let fits = match &self.relation {
            RelationPattern::Any => true,
            RelationPattern::Class(class) => schema
                .rhetoric_of(relation)
                .is_some_and(|rhetoric| *rhetoric.class == **class),
            RelationPattern::One(one) => *one == relation,
        };
        fits && self.roles.is_none_or(|wanted| wanted == roles)
    }

    /// The one outcome it names, if it names one.
    pub fn single(&self) -> Option<(RhetoricId, Roles)> {
        match (&self.relation, self.roles) {
            (RelationPattern::One(relation), Some(roles)) => Some((*relation, roles)),
            _ => None,
        }
    }

    /// As written: `causal-* NS`.
    pub fn text(&self, schema: &Schema) -> String {
        let relation = match &self.relation {
            RelationPattern::Any => "*".to_owned(),
            RelationPattern::Class(class) => format!("{class}-*"),
            RelationPattern::One(one) => {
                let rhetoric = schema.rhetoric_of(*one);
                rhetoric.map_or(String::new(), |rhetoric| rhetoric.name.clone())
            }
        };
        match self.roles {
            Some(roles) => format!("{relation} {}", roles.letters().concat()),
            None => relation,
        }
    }
}

impl Subject {
    /// What must hold so that the answer is the one of a key; nothing for `else`, which hangs on the
    /// other rows.
    pub fn formula(&self, key: &Key) -> Option<Formula> {
        let boxed = |formula: &Formula| Box::new(formula.clone());
        let literal = |literal: &Literal| Box::new(Formula::Literal(literal.clone()));
        let compare = |op: Comparison, value: &Formula, with: &Literal| {
            Formula::Compare(op, boxed(value), literal(with))
        };
        Some(match (self, key) {
            (_, Key::Else) => return None,
            (Subject::Versus(left, right), Key::Order(op)) => {
                Formula::Compare(*op, boxed(left), boxed(right))
            }
            (_, Key::Unknown) => {
                let known: Vec<Formula> = self.values().map(known).collect();
                Formula::Not(Box::new(match <[Formula; 1]>::try_from(known) {
                    Ok([one]) => one,
                    Err(several) => Formula::And(several),
                }))
            }
            (Subject::Truth(value), Key::Value(Literal::Bool(true))) => value.clone(),
            (Subject::Truth(value), Key::Value(_)) => Formula::Not(boxed(value)),
            (Subject::Members(set), Key::Value(member)) => {
                let contains = FunctionId::find("contains", Scope::Anywhere)?;
                let arguments = [set.clone(), Formula::Literal(member.clone())];
                Formula::Call(contains, arguments.map(Argument::Value).into())
            }
            (Subject::Value(value), Key::Value(one)) => compare(Comparison::Equal, value, one),
            (Subject::Value(value), Key::Bound(op, bound)) => compare(*op, value, bound),
            (Subject::Value(value), Key::Range(least, most)) => {
                let from = match least {
                    Literal::Float(_) => Comparison::Greater,
                    _ => Comparison::GreaterEqual,
                };
                let until = compare(Comparison::LessEqual, value, most);
                Formula::And(vec![compare(from, value, least), until])
            }
            _ => return None,
        })
    }

    /// The formulas that are asked.
    pub fn values(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self {
            Subject::Value(value) | Subject::Truth(value) | Subject::Members(value) => {
                (value, None)
            }
            Subject::Versus(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }

    /// As written.
    pub fn text(&self, schema: &Schema) -> String {
        let texts: Vec<String> = self.values().map(|value| value.text(schema)).collect();
        texts.join(" vs ")
    }
}

fn known(value: &Formula) -> Formula {
    match FunctionId::find("known", Scope::Anywhere) {
        Some(known) => Formula::Call(known, vec![Argument::Value(value.clone())]),
        None => Formula::Literal(Literal::Bool(true)),
    }
}

impl Table {
    /// What it decides and what it asks, as written: `label by B.cue`.
    pub fn head(&self, schema: &Schema) -> String {
        table_head(&self.to_syntax(schema))
    }

    /// How many lines it takes with its comment and the empty line after it.
    pub fn lines(&self) -> usize {
        let comment = self
            .rule
            .doc
            .as_deref()
            .map_or(0, |doc| doc.lines().count());
        comment + usize::from(self.rule.reason.is_some()) + self.rows.len() + 2
    }

    /// The outcomes that its rows name one by one.
    pub fn outcomes(&self) -> impl Iterator<Item = (RhetoricId, Roles)> + '_ {
        let patterns = self.rows.iter().filter_map(|row| row.outcome.as_ref());
        patterns.filter_map(OutcomePattern::single)
    }

    /// What must hold so that the key of a subject fits, `else` included; nothing where every answer
    /// has a row of its own.
    pub fn key_formula(&self, subject: usize, key: &Key) -> Option<Formula> {
        let asked = self.subjects.get(subject)?;
        if let Some(formula) = asked.formula(key) {
            return Some(formula);
        }
        let mut none_of: Vec<Formula> = asked.values().map(known).collect();
        let mut seen: Vec<&Key> = Vec::new();
        for row in &self.rows {
            let Some(key) = row.keys.get(subject) else {
                continue;
            };
            if matches!(key, Key::Else | Key::Unknown) || seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let formula = asked.formula(key);
            none_of.extend(formula.map(|formula| Formula::Not(Box::new(formula))));
        }
        Some(Formula::And(none_of))
    }

    /// What must hold so that a row speaks.
    pub fn row_reason(&self, row: &Row) -> Option<Formula> {
        let mut parts: Vec<Formula> = Vec::new();
        let condition = self.rule.reason.iter().cloned();
        let keys = row.keys.iter().enumerate();
        let keys = keys.filter_map(|(at, key)| self.key_formula(at, key));
        for formula in condition.chain(keys) {
            match formula {
                Formula::And(inner) => parts.extend(inner),
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => Some(Formula::And(parts)),
        }
    }
}

impl Key {
    /// As written.
    pub fn text(&self) -> String {
        self.to_syntax().to_string()
    }
}
