//! Where compiled reasons get their answers from.

use crate::grammar::formula::{FunctionId, Node};
use crate::grammar::{Facts, Value};
use crate::measure::{Codes, Gap, LineAt, Measure, Measured};

/// A configuration of nodes, a gap between words, or a line.
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

impl Probe for LineAt<'_> {
    fn probe(&self, function: FunctionId, nodes: &[Node]) -> Measured<'_> {
        match (function.get().measure, nodes) {
            (Measure::Page(measure), []) => measure(self),
            (Measure::Line(measure), [node]) => match self.asked(*node) {
                Some((line, number)) => measure(self, line, number),
                None => Measured::Unknown,
            },
            _ => Measured::Unknown,
        }
    }

    fn stored(&self, _: Node, _: u32) -> Option<&Value> {
        None
    }
}

/// What formulas see of something that stores no attributes: only what its functions measure.
macro_rules! measured_facts {
    ($($what:ident)*) => {$(
        impl Facts for $what<'_> {
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
    )*};
}

measured_facts! { Gap LineAt }
