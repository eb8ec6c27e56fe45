//! A configuration as formulas see it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::measure::{Measure, Measured, Probe};
use super::node::{Measurer, Span};
use crate::grammar::formula::{Domain, FunctionId, Node};
use crate::grammar::functions::Answer;
use crate::grammar::{Facts, Value};
use crate::schema::Schema;

/// The nodes that a rule can speak of, in one configuration.
#[derive(Clone, Copy, Default)]
pub(super) struct Nodes<'n> {
    pub(super) a: Option<&'n Span>,
    pub(super) b: Option<&'n Span>,
    pub(super) c: Option<&'n Span>,
    pub(super) s: Option<&'n Span>,
    pub(super) e: Option<&'n Span>,
}

impl<'n> Nodes<'n> {
    pub(super) fn get(&self, node: Node) -> Option<&'n Span> {
        match node {
            Node::A => self.a,
            Node::B => self.b,
            Node::C => self.c,
            Node::S => self.s,
            Node::E => self.e,
            _ => None,
        }
    }
}

/// A configuration: its nodes, and how to measure them.
pub(super) struct View<'v> {
    pub(super) nodes: Nodes<'v>,
    pub(super) measurer: Measurer<'v>,
    pub(super) schema: &'v Schema,
}

impl View<'_> {
    fn cue_name(&self, number: u16) -> Option<Arc<str>> {
        let at = usize::from(number).checked_sub(1)?;
        Some(self.schema.cues.get(at)?.name.as_str().into())
    }

    fn named(&self, code: u32, domain: Domain) -> Option<Value> {
        let at = code as usize;
        let before = at.checked_sub(1);
        let name: Arc<str> = match domain {
            Domain::Ordered(list) => {
                let rank = u8::try_from(code).ok()?;
                return Some(Value::Rank(list, rank));
            }
            Domain::Values(list) => (*list.get(at)?).into(),
            Domain::Relations => self.schema.relations.get(at)?.name.as_str().into(),
            Domain::Classes => Arc::clone(self.measurer.tables.class_names.get(at)?),
            Domain::Rhetoric => match before {
                None => "none".into(),
                Some(at) => self.schema.rhetoric.get(at)?.name.as_str().into(),
            },
            Domain::Cues => match before {
                None => "none".into(),
                Some(at) => self.schema.cues.get(at)?.name.as_str().into(),
            },
            Domain::Open | Domain::Concepts | Domain::Attribute(_) => return None,
        };
        Some(Value::Symbol(name))
    }
}

impl Probe for View<'_> {
    fn probe(&self, measure: Measure, nodes: &[Node]) -> Measured<'_> {
        let node = |at: usize| nodes.get(at).and_then(|node| self.nodes.get(*node));
        match (node(0), node(1), nodes.len()) {
            (Some(node), _, 1) => self.measurer.one(measure, node),
            (Some(left), Some(right), 2) => self.measurer.two(measure, left, right),
            _ => Measured::Unknown,
        }
    }

    fn stored(&self, node: Node, attribute: u32) -> Option<&Value> {
        let node = self.nodes.get(node)?;
        node.attributes.get(attribute as usize)?.as_ref()
    }
}

impl Facts for View<'_> {
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value> {
        self.stored(node, attribute).cloned()
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], values: &[Value]) -> Option<Value> {
        let entry = function.get();
        match (entry.name, nodes, values) {
            ("is", [node], [Value::Symbol(name)]) => {
                let wanted = self.schema.relation(name)?;
                let symbol = self.nodes.get(*node)?.symbol;
                Some(Value::Bool(self.schema.is_a(symbol, wanted)))
            }
            ("cues", [node], []) => {
                let first = self.nodes.get(*node)?.first as usize;
                let cues = self.measurer.text.leaves[first].cues.iter();
                let names: BTreeSet<_> = cues.filter_map(|cue| self.cue_name(*cue)).collect();
                Some(Value::Set(Arc::new(names)))
            }
            _ => match (self.probe(Measure::of(function)?, nodes), entry.result) {
                (Measured::Code(code), Answer::Symbol(domain)) => self.named(code, domain),
                (measured, _) => measured.value(),
            },
        }
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
