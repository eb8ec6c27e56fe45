//! Attribute values.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::schema::ValueType;

/// A value that an attribute has or that a formula computes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// true or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A name from a fixed set.
    Symbol(Arc<str>),
    /// An ordered symbol: a list from small to great, and its place there. Formulas compare these; a
    /// node keeps them as plain symbols, see [`Value::settled`].
    Rank(&'static [&'static str], u8),
    /// Any text.
    Text(Arc<str>),
    /// A point or stretch of time, as ISO 8601 writes it, so that texts sort as times do.
    Time(Arc<str>),
    /// A set of symbols.
    Set(Arc<BTreeSet<Arc<str>>>),
}

impl Value {
    /// Its type in schemas and grammars.
    pub fn value_type(&self) -> ValueType {
        match self {
            Value::Bool(_) => ValueType::Bool,
            Value::Int(_) => ValueType::Int,
            Value::Float(_) => ValueType::Float,
            Value::Symbol(_) | Value::Rank(..) => ValueType::Symbol,
            Value::Text(_) => ValueType::Text,
            Value::Time(_) => ValueType::Time,
            Value::Set(_) => ValueType::Set,
        }
    }

    /// The value as a number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The number as a value, unless it is none.
    pub(crate) fn finite(number: f64) -> Option<Value> {
        number.is_finite().then_some(Value::Float(number))
    }

    /// How two values of one type are ordered; sets are equal or not.
    pub fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
            (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
            (Value::Rank(_, left), Value::Rank(_, right)) => Some(left.cmp(right)),
            (Value::Symbol(left), Value::Symbol(right))
            | (Value::Text(left), Value::Text(right))
            | (Value::Time(left), Value::Time(right)) => Some(left.cmp(right)),
            (Value::Set(left), Value::Set(right)) => Some(left.cmp(right)),
            _ => self.as_number()?.partial_cmp(&other.as_number()?),
        }
    }

    /// The value as a member of a set.
    pub(crate) fn member(&self) -> Option<Arc<str>> {
        match self {
            Value::Symbol(name) | Value::Text(name) | Value::Time(name) => Some(Arc::clone(name)),
            Value::Int(number) => Some(number.to_string().into()),
            Value::Float(number) => Some(format!("{number:?}").into()),
            Value::Rank(_, rank) => Some(rank.to_string().into()),
            Value::Bool(_) | Value::Set(_) => None,
        }
    }

    /// The value as nodes keep it: an ordered symbol by its name.
    pub fn settled(self) -> Value {
        match self {
            Value::Rank(list, rank) => Value::Symbol(rank_name(list, rank).into()),
            other => other,
        }
    }
}

/// The name at a place of a list of ordered symbols.
fn rank_name(list: &[&'static str], rank: u8) -> &'static str {
    list.get(usize::from(rank)).copied().unwrap_or_default()
}

/// As a person reads it: no quotes, sets in braces.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Symbol(text) | Value::Text(text) | Value::Time(text) => f.write_str(text),
            Value::Rank(list, rank) => f.write_str(rank_name(list, *rank)),
            Value::Set(values) => {
                let names: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
                write!(f, "{{{}}}", names.join(", "))
            }
        }
    }
}

/// The attributes of a node, in the order they were set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attributes(Vec<(Arc<str>, Value)>);

impl Attributes {
    /// A value that an attribute has or that a formula computes.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// Sets an attribute; one that is there keeps its place.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: Value) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, Value)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(pairs: I) -> Attributes {
        let mut attributes = Attributes::default();
        for (name, value) in pairs {
            attributes.set(name, value);
        }
        attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_again_keeps_the_place() {
        let mut attributes: Attributes = [("时间", Value::Int(1)), ("极性", Value::Int(-1))]
            .into_iter()
            .collect();
        attributes.set("时间", Value::Time("2019-09-01".into()));
        let names: Vec<&str> = attributes.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["时间", "极性"]);
        assert_eq!(
            attributes.get("时间"),
            Some(&Value::Time("2019-09-01".into()))
        );
        assert_eq!(attributes.get("对象"), None);
    }
}
