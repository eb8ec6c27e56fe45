//! A configuration as formulas see it.

use super::probe::Probe;
use crate::grammar::formula::{FunctionId, Node};
use crate::grammar::{Facts, Value};
use crate::measure::{Codes, Measure, Measured, Measurer, ParsedSpan};
use crate::schema::Schema;

/// The nodes that a rule can speak of, in one configuration.
#[derive(Clone, Copy, Default)]
pub(super) struct Nodes<'n> {
    pub(super) a: Option<&'n ParsedSpan>,
    pub(super) b: Option<&'n ParsedSpan>,
    pub(super) c: Option<&'n ParsedSpan>,
    pub(super) s: Option<&'n ParsedSpan>,
    pub(super) e: Option<&'n ParsedSpan>,
}

impl<'n> Nodes<'n> {
    pub(super) fn get(&self, node: Node) -> Option<&'n ParsedSpan> {
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
    /// How strong the break between two neighbours is, an index into the levels.
    pub(super) fn level(&self, left: Node, right: Node) -> Option<u8> {
        let (left, right) = (self.nodes.get(left)?, self.nodes.get(right)?);
        self.measurer.level(left, right)
    }
}

impl Probe for View<'_> {
    fn probe(&self, function: FunctionId, nodes: &[Node]) -> Measured<'_> {
        let node = |node: &Node| self.nodes.get(*node);
        let measured = match (function.get().measure, nodes) {
            (Measure::Node(measure), [only]) => {
                node(only).map(|only| measure(&self.measurer, only))
            }
            (Measure::Pair(measure), [left, right]) => match (node(left), node(right)) {
                (Some(left), Some(right)) => Some(measure(&self.measurer, left, right)),
                _ => None,
            },
            _ => None,
        };
        measured.unwrap_or(Measured::Unknown)
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
        if let (Measure::Symbols(holds), [node], [Value::Symbol(name)]) =
            (entry.measure, nodes, values)
        {
            let wanted = self.schema.relation(name)?;
            let own = self.nodes.get(*node)?.symbol;
            return Some(Value::Bool(holds(self.schema, own, wanted)));
        }
        let codes = Codes {
            schema: self.schema,
            classes: &self.measurer.tables.class_names,
        };
        codes.value(self.probe(function, nodes), entry.result)
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
