//! Stable ids of rules that have no name of their own.
//!
//! An id is derived from what a rule means (its pattern, relation, roles and reason), not from how
//! or where it is written: the order of files, rules, conjuncts and set members, layout, counts,
//! weights and equations do not change it.

use std::sync::Arc;

use super::formula::{Argument, Formula, Literal};
use super::model::{Action, Pattern, Shape};
use crate::schema::Schema;
use crate::text::structure::LineRole;

/// Letters that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// How many of them an id ends in: forty bits, enough for a hundred thousand rules.
const LENGTH: usize = 8;

/// The id of a production: `Rise-causal-cause-4k7qx2m9`.
pub fn production_id(shape: &Shape, reason: Option<&Formula>, schema: &Schema) -> Arc<str> {
    let relation = schema.rhetoric_of(shape.relation);
    let relation = relation.map_or("", |rhetoric| rhetoric.name.as_str());
    let [left, right] = shape.children.map(|child| child.name(schema));
    let [x, y] = shape.roles.letters();
    let parent = shape.parent.name(schema);
    let mut key = format!("{parent}[{relation}]<-{left}:{x} {right}:{y}");
    let parent = match shape.parent {
        Pattern::Any => "any",
        Pattern::Symbol(_) => parent,
    };
    write_reason(&mut key, reason, schema);
    format!("{parent}-{relation}-{}", short_hash(&key)).into()
}

/// The id of a preference: `shift-4k7qx2m9`.
pub fn preference_id(
    action: Action,
    pattern: &[Pattern; 3],
    reason: Option<&Formula>,
    schema: &Schema,
) -> Arc<str> {
    let [a, b, c] = pattern.map(|symbol| symbol.name(schema));
    let action = action.as_str();
    let mut key = format!("{action} {a} {b}.{c}");
    write_reason(&mut key, reason, schema);
    format!("{action}-{}", short_hash(&key)).into()
}

/// The id of a boundary rule: `cut-4k7qx2m9` or `join-4k7qx2m9`.
pub fn boundary_id(cut: bool, reason: Option<&Formula>, schema: &Schema) -> Arc<str> {
    let action = if cut { "cut" } else { "join" };
    let mut key = action.to_owned();
    write_reason(&mut key, reason, schema);
    format!("{action}-{}", short_hash(&key)).into()
}

/// The id of a block rule: `heading-2-4k7qx2m9`.
pub fn block_id(role: LineRole, reason: Option<&Formula>, schema: &Schema) -> Arc<str> {
    let name = role.to_string().replace(' ', "-");
    let mut key = format!("block {name}");
    write_reason(&mut key, reason, schema);
    format!("{name}-{}", short_hash(&key)).into()
}

fn short_hash(key: &str) -> String {
    let hash = blake3::hash(key.as_bytes());
    let mut bits = u64::from_le_bytes(std::array::from_fn(|at| hash.as_bytes()[at]));
    let letters = (0..LENGTH).map(|_| {
        let letter = LETTERS[(bits % 32) as usize];
        bits /= 32;
        char::from(letter)
    });
    letters.collect()
}

fn write_reason(key: &mut String, reason: Option<&Formula>, schema: &Schema) {
    if let Some(reason) = reason {
        key.push_str(" when ");
        write_key(key, reason, schema);
    }
}

/// Writes a formula in a form that equals that of every formula which differs only in the order
/// of operands that may be exchanged.
pub(super) fn write_key(key: &mut String, formula: &Formula, schema: &Schema) {
    match formula {
        Formula::Literal(literal) => write_literal(key, literal),
        Formula::Attribute(node, at) => {
            let attribute = schema.attributes.get(*at as usize);
            let name = attribute.map_or("", |attribute| attribute.name.as_str());
            key.push_str(node.as_str());
            key.push('.');
            key.push_str(name);
        }
        Formula::Call(function, arguments) => {
            key.push_str(function.get().name);
            for argument in arguments {
                key.push(' ');
                match argument {
                    Argument::Node(node) => key.push_str(node.as_str()),
                    Argument::Value(value) => write_key(key, value, schema),
                }
            }
            key.push(';');
        }
        Formula::Variable(at) => key.push_str(&format!("${at}")),
        Formula::Set(items) => write_sorted(key, "{}", items, schema),
        Formula::And(items) => write_sorted(key, "and", items, schema),
        Formula::Or(items) => write_sorted(key, "or", items, schema),
        Formula::Not(inner) => write_operation(key, "not", [inner], schema),
        Formula::Negate(inner) => write_operation(key, "neg", [inner], schema),
        Formula::Implies(left, right) => write_operation(key, "implies", [left, right], schema),
        Formula::In(left, right) => write_operation(key, "in", [left, right], schema),
        Formula::Arithmetic(op, left, right) => {
            write_operation(key, op.as_str(), [left, right], schema);
        }
        Formula::Compare(op, left, right) => {
            write_operation(key, op.as_str(), [left, right], schema);
        }
    }
}

fn write_operation<const N: usize>(
    key: &mut String,
    name: &str,
    operands: [&Formula; N],
    schema: &Schema,
) {
    key.push('(');
    key.push_str(name);
    for operand in operands {
        key.push(' ');
        write_key(key, operand, schema);
    }
    key.push(')');
}

fn write_sorted(key: &mut String, name: &str, items: &[Formula], schema: &Schema) {
    let mut keys: Vec<String> = items
        .iter()
        .map(|item| {
            let mut key = String::new();
            write_key(&mut key, item, schema);
            key
        })
        .collect();
    keys.sort_unstable();
    key.push('(');
    key.push_str(name);
    for item in keys {
        key.push(' ');
        key.push_str(&item);
    }
    key.push(')');
}

fn write_literal(key: &mut String, literal: &Literal) {
    match literal {
        Literal::Bool(value) => key.push_str(if *value { "true" } else { "false" }),
        Literal::Int(value) => key.push_str(&value.to_string()),
        Literal::Float(value) => key.push_str(&format!("{value:?}")),
        Literal::Symbol(name) => key.push_str(name),
        Literal::Rank(values, rank) => key.push_str(values.get(usize::from(*rank)).unwrap_or(&"")),
        Literal::Text(text) | Literal::Time(text) => key.push_str(&format!("{text:?}")),
    }
}
