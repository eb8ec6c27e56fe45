//! What is computed of values, and the one question that names a symbol.

use std::cmp::Ordering;
use std::sync::Arc;

use super::MANY;
use crate::measure::domain::Answer::{self, Bool, Float, Int, SameAsArgument};
use crate::measure::function::{
    Function, Measure,
    Parameter::{self, Any, Number, Ordered, Set, Truth},
    Scope,
};
use crate::measure::learning::*;
use crate::tree::Value;

const fn general(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Answer,
    [doc, zh]: [&'static str; 2],
    compute: fn(&[Option<Value>]) -> Option<Value>,
) -> Function {
    let measure = Measure::Values(compute);
    let function = Function::new(
        name,
        parameters,
        (Scope::Anywhere, result),
        [doc, zh],
        measure,
    );
    function.or_unknown()
}

pub(super) const FUNCTIONS: &[Function] = &[
    general(
        "same",
        &[Any, Any],
        Bool,
        [
            "both are known and equal; for sets: they share a member",
            "两者已知且相等；集合则为有共同成员",
        ],
        |values| match values {
            [Some(Value::Set(left)), Some(Value::Set(right))] => {
                Some(Value::Bool(!left.is_disjoint(right)))
            }
            [Some(left), Some(right)] => Some(Value::Bool(left.compare(right)? == Ordering::Equal)),
            _ => None,
        },
    ),
    Function::new(
        "is",
        &[Parameter::Node, Parameter::Relation],
        (Scope::Nodes, Bool),
        [
            "its symbol is that one or a kind of it",
            "符号为所给符号或其下位",
        ],
        Measure::Symbols(|schema, own, wanted| schema.is_a(own, wanted)),
    )
    .learned(&[Cut::new(Ask::LeafSymbols, NODES, 20).in_pairs_at(&[A, B, C])]),
    Function::new(
        "has-text",
        &[Parameter::Node, Parameter::Text],
        (Scope::Nodes, Bool),
        [
            "these characters stand in one of its EDUs: has-text(A, \"受\")",
            "其中某个 EDU 含有这些字：has-text(A, \"受\")",
        ],
        Measure::Written(|at, node, wanted| {
            let edus = at.text.edus.get(node.first as usize..=node.last as usize);
            edus.is_some_and(|edus| edus.iter().any(|edu| edu.text.contains(wanted)))
        }),
    ),
    general(
        "known",
        &[Any],
        Bool,
        ["the value is there", "该值存在"],
        |values| match values {
            [value] => Some(Value::Bool(value.is_some())),
            _ => None,
        },
    ),
    general(
        "contains",
        &[Set, Any],
        Bool,
        ["the set has the member", "集合含该成员"],
        |values| match values {
            [Some(Value::Set(set)), Some(value)] => {
                Some(Value::Bool(set.contains(&value.member()?)))
            }
            _ => None,
        },
    ),
    general(
        "count",
        &[Set],
        Int(0, MANY),
        ["how many members the set has", "集合成员数"],
        |values| match values {
            [Some(Value::Set(set))] => i64::try_from(set.len()).ok().map(Value::Int),
            _ => None,
        },
    ),
    general(
        "union",
        &[Set, Set],
        SameAsArgument,
        ["all members of both", "并集"],
        |values| match values {
            [Some(Value::Set(left)), Some(Value::Set(right))] => {
                Some(Value::Set(Arc::new(left.union(right).cloned().collect())))
            }
            _ => None,
        },
    ),
    general(
        "common",
        &[Set, Set],
        SameAsArgument,
        ["the members they share", "交集"],
        |values| match values {
            [Some(Value::Set(left)), Some(Value::Set(right))] => Some(Value::Set(Arc::new(
                left.intersection(right).cloned().collect(),
            ))),
            _ => None,
        },
    ),
    general(
        "min",
        &[Ordered, Ordered],
        SameAsArgument,
        [
            "the smaller; the known one if one is missing",
            "较小者；缺一则取另一",
        ],
        |values| extreme(values, Ordering::Less),
    ),
    general(
        "max",
        &[Ordered, Ordered],
        SameAsArgument,
        [
            "the greater; the known one if one is missing",
            "较大者；缺一则取另一",
        ],
        |values| extreme(values, Ordering::Greater),
    ),
    general(
        "abs",
        &[Number],
        SameAsArgument,
        ["the number without its sign", "绝对值"],
        |values| match values {
            [Some(Value::Int(value))] => value.checked_abs().map(Value::Int),
            [Some(Value::Float(value))] => Some(Value::Float(value.abs())),
            _ => None,
        },
    ),
    general(
        "log",
        &[Number],
        Float(f64::MIN, f64::MAX),
        ["the natural logarithm", "自然对数"],
        |values| Value::finite(only_number(values)?.ln()),
    ),
    general(
        "sqrt",
        &[Number],
        Float(0.0, f64::MAX),
        ["the square root", "平方根"],
        |values| Value::finite(only_number(values)?.sqrt()),
    ),
    general(
        "if",
        &[Truth, Any, Any],
        SameAsArgument,
        [
            "the second where the first is true, else the third",
            "前者为真取第二项，否则取第三项",
        ],
        |values| match values {
            [Some(Value::Bool(true)), yes, _] => yes.clone(),
            [Some(Value::Bool(false)), _, no] => no.clone(),
            _ => None,
        },
    ),
];

/// The smaller or greater of two; the known one where one is missing.
fn extreme(values: &[Option<Value>], wanted: Ordering) -> Option<Value> {
    match values {
        [Some(left), Some(right)] => {
            if left.compare(right)? == wanted {
                Some(left.clone())
            } else {
                Some(right.clone())
            }
        }
        [left, right] => left.clone().or_else(|| right.clone()),
        _ => None,
    }
}

fn only_number(values: &[Option<Value>]) -> Option<f64> {
    match values {
        [Some(value)] => value.as_number(),
        _ => None,
    }
}
