//! The attributes of a new node: equations, and "straight forward" for the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::view::View;
use crate::grammar::formula::{FunctionId, Node};
use crate::grammar::{Equation, Facts, Roles, Value};
use crate::schema::Synthesis;

/// How many members a united set may have: without an end, the sets of a long text would grow
/// with the square of its length.
const MAX_MEMBERS: usize = 256;

/// The attributes of the parent of A and B.
pub(super) fn synthesize_attributes(
    view: &View<'_>,
    roles: Roles,
    equations: &[Equation],
) -> Arc<[Option<Value>]> {
    let (Some(a), Some(b)) = (view.nodes.a, view.nodes.b) else {
        return Arc::default();
    };
    let (nucleus, other) = match roles {
        Roles::SatelliteNucleus => (b, a),
        Roles::NucleusSatellite | Roles::NucleusNucleus => (a, b),
    };
    let attributes = &view.schema.attributes;
    let nothing_new = attributes.iter().enumerate().all(|(at, attribute)| {
        let own = nucleus.attributes.get(at).and_then(Option::as_ref);
        let others = other.attributes.get(at).and_then(Option::as_ref);
        keeps(attribute.synthesis, own, others)
    });
    if nothing_new && equations.is_empty() {
        return Arc::clone(&nucleus.attributes);
    }
    let mut values: Vec<Option<Value>> = Vec::with_capacity(attributes.len());
    for (at, attribute) in attributes.iter().enumerate() {
        let own = nucleus.attributes.get(at).and_then(Option::as_ref);
        let others = other.attributes.get(at).and_then(Option::as_ref);
        values.push(inherit(attribute.synthesis, own, others));
    }
    let mut new = NewNode { view, values };
    for equation in equations {
        let value = equation.value.evaluate(&new).map(Value::settled);
        if let Some(place) = new.values.get_mut(equation.attribute as usize) {
            *place = value;
        }
    }
    new.values.into()
}

/// True when what is inherited is certainly what the nucleus has.
fn keeps(how: Synthesis, own: Option<&Value>, other: Option<&Value>) -> bool {
    match (how, own, other) {
        (_, None, None) => true,
        (Synthesis::None, ..) => false,
        (_, Some(_), None) | (Synthesis::Nucleus, Some(_), _) => true,
        (Synthesis::Union, Some(Value::Set(own)), Some(Value::Set(other))) => {
            Arc::ptr_eq(own, other) || other.is_subset(own)
        }
        _ => false,
    }
}

fn inherit(how: Synthesis, own: Option<&Value>, other: Option<&Value>) -> Option<Value> {
    use std::cmp::Ordering::{Greater, Less};
    let (Some(left), Some(right)) = (own, other) else {
        return match how {
            Synthesis::None => None,
            _ => own.or(other).cloned(),
        };
    };
    let extreme = |wanted| {
        if left.compare(right) == Some(wanted) {
            Some(left.clone())
        } else {
            Some(right.clone())
        }
    };
    match (how, left, right) {
        (Synthesis::None, ..) => None,
        (Synthesis::Nucleus, ..) => Some(left.clone()),
        (Synthesis::Max, ..) => extreme(Greater),
        (Synthesis::Min, ..) => extreme(Less),
        (Synthesis::Sum, Value::Int(left), Value::Int(right)) => {
            Some(Value::Int(left.saturating_add(*right)))
        }
        (Synthesis::Sum, ..) => Some(Value::Float(left.as_number()? + right.as_number()?)),
        (Synthesis::Union, Value::Set(left), Value::Set(right)) => Some(unite_sets(left, right)),
        (Synthesis::Union, ..) => Some(left.clone()),
    }
}

fn unite_sets(left: &Arc<BTreeSet<Arc<str>>>, right: &Arc<BTreeSet<Arc<str>>>) -> Value {
    if right.is_subset(left) {
        return Value::Set(Arc::clone(left));
    }
    let room = MAX_MEMBERS.saturating_sub(left.len());
    let added = right.difference(left).take(room).cloned();
    let mut both: BTreeSet<Arc<str>> = (**left).clone();
    both.extend(added);
    Value::Set(Arc::new(both))
}

/// A configuration with the node that is being made.
struct NewNode<'v> {
    view: &'v View<'v>,
    values: Vec<Option<Value>>,
}

impl Facts for NewNode<'_> {
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value> {
        match node {
            Node::D => self.values.get(attribute as usize)?.clone(),
            node => self.view.attribute(node, attribute),
        }
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], values: &[Value]) -> Option<Value> {
        self.view.measure(function, nodes, values)
    }

    fn variable(&self, at: u32) -> Option<Value> {
        self.view.variable(at)
    }
}
