//! Where compiled reasons get their answers from.

use crate::grammar::formula::{FunctionId, Node};
use crate::grammar::{Facts, Value};
use crate::measure::{Codes, Gap, Measure, Measured};

/// A configuration of nodes, or a gap between words.
pub(super) trait Probe: Facts {
    /// A function of nothing (a gap), of one node or word, or of two nodes.
    fn probe(&self, function: FunctionId, nodes: &[Node]) -> Measured<'_>;

    /// A stored attribute.
    fn stored(&self, node: Node, attribute: u32) -> Option<&Value>;
}

impl Probe for Gap<'_> {
    fn probe(&self, function: FunctionId, nodes: &[Node]) -> Measured<'_> {
        match (function.get().measure, nodes) {
            (Measure::Gap(measure), []) => measure(self),
            (Measure::Word(measure), [node]) => match self.word(*node) {
                Some(word) => measure(self, word),
                None => Measured::Unknown,
            },
            _ => Measured::Unknown,
        }
    }

    fn stored(&self, _: Node, _: u32) -> Option<&Value> {
        None
    }
}

impl Facts for Gap<'_> {
    fn attribute(&self, _: Node, _: u32) -> Option<Value> {
        None
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], _: &[Value]) -> Option<Value> {
        let codes = Codes {
            schema: self.schema(),
            classes: &[],
        };
        codes.value(self.probe(function, nodes), function.get().result)
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
