//! How types and functions are called in messages.

use super::formula::Type;
use super::functions::{Domain, Function, Parameter};
pub(super) use crate::diagnostic::list_names;
use crate::schema::ValueType;

/// The most names that a help line lists.
pub(super) const MAX_LISTED: usize = 16;

/// `a number`, `a cue class`.
pub(super) fn with_article(found: Type) -> String {
    let noun = match (found.value, found.domain) {
        (ValueType::Bool, _) => return "true or false".to_owned(),
        (ValueType::Int, _) => "whole number",
        (ValueType::Float, _) => "number",
        (ValueType::Text, _) => "text",
        (ValueType::Time, _) => "time",
        (ValueType::Set, _) => "set",
        (ValueType::Symbol, Domain::Relations) => "domain relation",
        (ValueType::Symbol, Domain::Rhetoric) => "rhetorical relation",
        (ValueType::Symbol, Domain::Classes) => "class of relations",
        (ValueType::Symbol, Domain::Concepts) => "concept",
        (ValueType::Symbol, Domain::Cues) => "cue class",
        (ValueType::Symbol, _) => "symbol",
    };
    format!("a {noun}")
}

pub(super) fn no_member(domain: Domain) -> &'static str {
    match domain {
        Domain::Relations => "no domain relation of the schema",
        Domain::Rhetoric => "no rhetorical relation of the schema",
        Domain::Classes => "no class of rhetorical relations",
        Domain::Concepts => "no concept of the schema",
        Domain::Cues => "no cue class of the schema",
        _ => "not a value it can have",
    }
}

pub(super) fn wanted_by(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Node => "a node",
        Parameter::Word => "a word",
        Parameter::Line => "a line",
        Parameter::Relation => "a domain relation",
        Parameter::Number => "a number",
        Parameter::Ordered => "a number, a time or a level",
        Parameter::Truth => "true or false",
        Parameter::Text => "a text in quotes",
        Parameter::Set => "a set",
        Parameter::Any => "a value",
    }
}

/// How a function is called: `level(A, B)`, `B.cue`, `max(a, b)`.
pub fn usage(function: &Function) -> String {
    match function.parameters {
        [] => return function.name.to_owned(),
        [Parameter::Node] => return format!("B.{}", function.name),
        [Parameter::Word] => return format!("next.{}", function.name),
        [Parameter::Line] => return format!("line.{}", function.name),
        _ => {}
    }
    let names: Vec<&str> = function
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| match (parameter, at) {
            (Parameter::Node, 0) => "A",
            (Parameter::Node, _) => "B",
            (Parameter::Relation, _) => "Symbol",
            (Parameter::Text, _) => "\"text\"",
            (Parameter::Truth, _) => "condition",
            (Parameter::Set, 0) => "set",
            (_, 0) => "a",
            (_, 1) => "b",
            _ => "c",
        })
        .collect();
    format!("{}({})", function.name, names.join(", "))
}
