//! What a formula comes to: the reference meaning of the language.
//!
//! Three-valued after Kleene: `None` is unknown. `not unknown` is unknown, `false and unknown` is
//! false, `true or unknown` is true, and every other operation on an unknown value is unknown.
//! Division by zero and what is not a number are unknown, too.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::formula::{Argument, Arithmetic, Formula, FunctionId, Literal, Node};
use crate::measure::Measure;
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
                let members = items.iter().map(|item| item.evaluate(facts)?.member());
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
                let order = left.evaluate(facts)?.compare(&right.evaluate(facts)?)?;
                Some(Value::Bool(op.holds(order)))
            }
            Formula::In(value, set) => {
                let value = value.evaluate(facts)?;
                match set.evaluate(facts)? {
                    Value::Set(set) => Some(Value::Bool(set.contains(&value.member()?))),
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
    look_for(false, items, facts)
}

/// True if any is true, unknown if any is unknown, else false.
fn any(items: &[Formula], facts: &dyn Facts) -> Option<bool> {
    look_for(true, items, facts)
}

/// What is looked for, if any of the formulas is that; unknown if any is unknown; else the opposite.
fn look_for(wanted: bool, items: &[Formula], facts: &dyn Facts) -> Option<bool> {
    let mut known = true;
    for item in items {
        match item.truth(facts) {
            Some(truth) if truth == wanted => return Some(wanted),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!wanted)
}

fn call(function: FunctionId, arguments: &[Argument], facts: &dyn Facts) -> Option<Value> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut values: Vec<Option<Value>> = Vec::new();
    for argument in arguments {
        match argument {
            Argument::Node(node) => nodes.push(*node),
            Argument::Value(value) => values.push(value.evaluate(facts)),
        }
    }
    if let Measure::Values(compute) = function.get().measure {
        return compute(&values);
    }
    let values: Option<Vec<Value>> = values.into_iter().collect();
    facts.measure(function, &nodes, &values?)
}

fn arithmetic(op: Arithmetic, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        let whole = match op {
            Arithmetic::Add => left.checked_add(*right),
            Arithmetic::Subtract => left.checked_sub(*right),
            Arithmetic::Multiply => left.checked_mul(*right),
            Arithmetic::Divide => return Value::finite(*left as f64 / *right as f64),
        };
        return whole.map(Value::Int);
    }
    let (left, right) = (left.as_number()?, right.as_number()?);
    Value::finite(match op {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
    })
}
