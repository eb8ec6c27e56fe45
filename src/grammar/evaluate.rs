//! What a formula comes to: the reference meaning of the language.
//!
//! Three-valued after Kleene: `None` is unknown. `not unknown` is unknown, `false and unknown` is
//! false, `true or unknown` is true, and every other operation on an unknown value is unknown.
//! Division by zero and what is not a number are unknown, too.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::formula::{Argument, Arithmetic, Formula, FunctionId, Literal, Node};
use crate::tree::Value;

/// What a formula asks the world. `None` is unknown.
pub trait Facts {
    /// The value of an attribute, by its index in the schema.
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value>;

    /// What a function of nodes or words answers; functions of values are computed here.
    fn measure(&self, function: FunctionId, nodes: &[Node], values: &[Value]) -> Option<Value>;

    /// The value of a free variable.
    fn variable(&self, at: u32) -> Option<Value>;
}

impl Formula {
    /// True when the formula is known to be true: a reason that is unknown does not hold.
    pub fn holds(&self, facts: &dyn Facts) -> bool {
        self.truth(facts) == Some(true)
    }

    /// True, false or unknown.
    pub fn truth(&self, facts: &dyn Facts) -> Option<bool> {
        match self.evaluate(facts)? {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// The number that the formula comes to.
    pub fn number(&self, facts: &dyn Facts) -> Option<f64> {
        self.evaluate(facts)?.as_number()
    }

    /// The value of the formula.
    pub fn evaluate(&self, facts: &dyn Facts) -> Option<Value> {
        match self {
            Formula::Literal(literal) => Some(literal.value()),
            Formula::Attribute(node, attribute) => facts.attribute(*node, *attribute),
            Formula::Variable(at) => facts.variable(*at),
            Formula::Call(function, arguments) => call(*function, arguments, facts),
            Formula::Set(items) => {
                let members = items.iter().map(|item| member(&item.evaluate(facts)?));
                let members: Option<BTreeSet<Arc<str>>> = members.collect();
                Some(Value::Set(Arc::new(members?)))
            }
            Formula::Not(inner) => Some(Value::Bool(!inner.truth(facts)?)),
            Formula::Negate(inner) => match inner.evaluate(facts)? {
                Value::Int(value) => value.checked_neg().map(Value::Int),
                Value::Float(value) => Some(Value::Float(-value)),
                _ => None,
            },
            Formula::And(items) => all(items, facts).map(Value::Bool),
            Formula::Or(items) => any(items, facts).map(Value::Bool),
            Formula::Implies(left, right) => match (left.truth(facts), right.truth(facts)) {
                (Some(false), _) | (_, Some(true)) => Some(Value::Bool(true)),
                (Some(true), Some(false)) => Some(Value::Bool(false)),
                _ => None,
            },
            Formula::Compare(op, left, right) => {
                let order = compare(&left.evaluate(facts)?, &right.evaluate(facts)?)?;
                Some(Value::Bool(op.holds(order)))
            }
            Formula::In(value, set) => {
                let value = value.evaluate(facts)?;
                match set.evaluate(facts)? {
                    Value::Set(set) => Some(Value::Bool(set.contains(&member(&value)?))),
                    _ => None,
                }
            }
            Formula::Arithmetic(op, left, right) => {
                arithmetic(*op, &left.evaluate(facts)?, &right.evaluate(facts)?)
            }
        }
    }
}

impl Literal {
    /// The literal as a value.
    pub fn value(&self) -> Value {
        match self {
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Int(value) => Value::Int(*value),
            Literal::Float(value) => Value::Float(*value),
            Literal::Symbol(name) => Value::Symbol(Arc::clone(name)),
            Literal::Rank(list, rank) => Value::Rank(list, *rank),
            Literal::Text(text) => Value::Text(Arc::clone(text)),
            Literal::Time(time) => Value::Time(Arc::clone(time)),
        }
    }
}

/// False if any is false, unknown if any is unknown, else true.
fn all(items: &[Formula], facts: &dyn Facts) -> Option<bool> {
    let mut known = true;
    for item in items {
        match item.truth(facts) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// True if any is true, unknown if any is unknown, else false.
fn any(items: &[Formula], facts: &dyn Facts) -> Option<bool> {
    let mut known = true;
    for item in items {
        match item.truth(facts) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}

fn call(function: FunctionId, arguments: &[Argument], facts: &dyn Facts) -> Option<Value> {
    let values = || {
        arguments.iter().filter_map(|argument| match argument {
            Argument::Value(value) => Some(value),
            Argument::Node(_) => None,
        })
    };
    let evaluated: Vec<Option<Value>> = match function.get().name {
        // Only the chosen branch is computed.
        "if" => return choose(values().collect::<Vec<_>>().as_slice(), facts),
        _ => values().map(|value| value.evaluate(facts)).collect(),
    };
    match (function.get().name, evaluated.as_slice()) {
        ("known", [value]) => Some(Value::Bool(value.is_some())),
        ("min", [left, right]) => extreme(left, right, Ordering::Less),
        ("max", [left, right]) => extreme(left, right, Ordering::Greater),
        ("same", [Some(left), Some(right)]) => Some(Value::Bool(same(left, right)?)),
        ("contains", [Some(Value::Set(set)), Some(value)]) => {
            Some(Value::Bool(set.contains(&member(value)?)))
        }
        ("count", [Some(Value::Set(set))]) => i64::try_from(set.len()).ok().map(Value::Int),
        ("union", [Some(Value::Set(left)), Some(Value::Set(right))]) => {
            Some(Value::Set(Arc::new(left.union(right).cloned().collect())))
        }
        ("common", [Some(Value::Set(left)), Some(Value::Set(right))]) => Some(Value::Set(
            Arc::new(left.intersection(right).cloned().collect()),
        )),
        ("abs", [Some(Value::Int(value))]) => value.checked_abs().map(Value::Int),
        ("abs", [Some(Value::Float(value))]) => Some(Value::Float(value.abs())),
        ("log", [Some(value)]) => finite(value.as_number()?.ln()),
        ("sqrt", [Some(value)]) => finite(value.as_number()?.sqrt()),
        ("known" | "min" | "max" | "same" | "contains" | "count" | "union" | "common", _)
        | ("abs" | "log" | "sqrt", _) => None,
        _ => {
            let nodes: Vec<Node> = arguments
                .iter()
                .filter_map(|argument| match argument {
                    Argument::Node(node) => Some(*node),
                    Argument::Value(_) => None,
                })
                .collect();
            let values: Option<Vec<Value>> = evaluated.into_iter().collect();
            facts.measure(function, &nodes, &values?)
        }
    }
}

fn choose(arguments: &[&Formula], facts: &dyn Facts) -> Option<Value> {
    match arguments {
        [condition, yes, no] => {
            if condition.truth(facts)? {
                yes.evaluate(facts)
            } else {
                no.evaluate(facts)
            }
        }
        _ => None,
    }
}

/// The smaller or greater of two; the known one where one is missing.
fn extreme(left: &Option<Value>, right: &Option<Value>, wanted: Ordering) -> Option<Value> {
    match (left, right) {
        (Some(a), Some(b)) => {
            if compare(a, b)? == wanted {
                left.clone()
            } else {
                right.clone()
            }
        }
        _ => left.clone().or(right.clone()),
    }
}

fn same(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Set(left), Value::Set(right)) => Some(!left.is_disjoint(right)),
        _ => Some(compare(left, right)? == Ordering::Equal),
    }
}

/// How two values of one type are ordered; sets are equal or not.
pub fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Rank(_, left), Value::Rank(_, right)) => Some(left.cmp(right)),
        (Value::Symbol(left), Value::Symbol(right))
        | (Value::Text(left), Value::Text(right))
        | (Value::Time(left), Value::Time(right)) => Some(left.cmp(right)),
        (Value::Set(left), Value::Set(right)) => Some(left.cmp(right)),
        _ => left.as_number()?.partial_cmp(&right.as_number()?),
    }
}

fn arithmetic(op: Arithmetic, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        let whole = match op {
            Arithmetic::Add => left.checked_add(*right),
            Arithmetic::Subtract => left.checked_sub(*right),
            Arithmetic::Multiply => left.checked_mul(*right),
            Arithmetic::Divide => return finite(*left as f64 / *right as f64),
        };
        return whole.map(Value::Int);
    }
    let (left, right) = (left.as_number()?, right.as_number()?);
    finite(match op {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
    })
}

fn finite(value: f64) -> Option<Value> {
    value.is_finite().then_some(Value::Float(value))
}

/// A value as a member of a set.
fn member(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::Symbol(name) | Value::Text(name) | Value::Time(name) => Some(Arc::clone(name)),
        Value::Int(number) => Some(number.to_string().into()),
        Value::Float(number) => Some(format!("{number:?}").into()),
        Value::Rank(_, rank) => Some(rank.to_string().into()),
        Value::Bool(_) | Value::Set(_) => None,
    }
}
