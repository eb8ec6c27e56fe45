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
        probe_nodes(&self.measurer, |node| self.nodes.get(node), function, nodes)
    }

    fn stored(&self, node: Node, attribute: u32) -> Option<&Value> {
        let node = self.nodes.get(node)?;
        node.attributes.get(attribute as usize)?.as_ref()
    }
}

/// What a function of one or two nodes comes to.
#[inline]
pub(super) fn probe_nodes<'v, 'n>(
    measurer: &Measurer<'v>,
    node: impl Fn(Node) -> Option<&'n ParsedSpan>,
    function: FunctionId,
    nodes: &[Node],
) -> Measured<'v> {
    let measured = match (function.get().measure, nodes) {
        (Measure::Node(measure), [only]) => node(*only).map(|only| measure(measurer, only)),
        (Measure::Pair(measure), [left, right]) => match (node(*left), node(*right)) {
            (Some(left), Some(right)) => Some(measure(measurer, left, right)),
            _ => None,
        },
        _ => None,
    };
    measured.unwrap_or(Measured::Unknown)
}

/// The same for every function that nodes can be asked, as a value.
pub(super) fn value_of_nodes<'n>(
    measurer: &Measurer<'_>,
    schema: &Schema,
    node: impl Fn(Node) -> Option<&'n ParsedSpan>,
    function: FunctionId,
    nodes: &[Node],
    values: &[Value],
) -> Option<Value> {
    let entry = function.get();
    match (entry.measure, nodes, values) {
        (Measure::Symbols(holds), [only], [Value::Symbol(name)]) => {
            let wanted = schema.relation(name)?;
            Some(Value::Bool(holds(schema, node(*only)?.symbol, wanted)))
        }
        (Measure::Written(holds), [only], [Value::Text(wanted)]) => {
            Some(Value::Bool(holds(measurer, node(*only)?, wanted)))
        }
        _ => {
            let codes = Codes {
                schema,
                classes: &measurer.tables.class_names,
            };
            codes.value(probe_nodes(measurer, node, function, nodes), entry.result)
        }
    }
}

impl Facts for View<'_> {
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value> {
        self.stored(node, attribute).cloned()
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], values: &[Value]) -> Option<Value> {
        let node = |node| self.nodes.get(node);
        value_of_nodes(&self.measurer, self.schema, node, function, nodes, values)
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
