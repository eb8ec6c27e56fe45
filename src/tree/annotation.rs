//! What others' formats say beyond the tree: declared relations, signals, secondary edges.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::node::NodeId;

/// Everything of a file that is not the tree itself; it survives a round trip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotations {
    /// The relations a header declares, in its order.
    pub relations: Vec<DeclaredRelation>,
    /// The types of signals a header declares (rs4).
    pub signal_types: Vec<SignalType>,
    /// What in the text signals a relation (rs4, rsd).
    pub signals: Vec<Signal>,
    /// Relations beside the tree (rs4, rsd).
    pub secondary_edges: Vec<SecondaryEdge>,
    /// What made the tree, where a parse did: program, grammar and its hash, search.
    pub origin: BTreeMap<Arc<str>, Arc<str>>,
}

/// A relation as a header declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredRelation {
    /// Its name.
    pub name: Arc<str>,
    /// `rst`, `multinuc`, or whatever the file says; it may say nothing.
    pub kind: Option<Arc<str>>,
}

/// A type of signals with its subtypes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalType {
    /// `dm`, `lexical`, `syntactic`, ...
    pub name: Arc<str>,
    /// Its subtypes, `;` between them.
    pub subtypes: Arc<str>,
}

/// What a signal speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignalSource {
    /// The relation of a node to its parent.
    Node(NodeId),
    /// A secondary edge, by its place in the list.
    Secondary(usize),
}

/// Words or forms that signal a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The relation it speaks for.
    pub source: SignalSource,
    /// Its type.
    pub kind: Arc<str>,
    /// Its subtype.
    pub subtype: Arc<str>,
    /// The words, as numbers from 1 over the text's words between spaces; may be empty.
    pub tokens: Vec<u32>,
    /// `gold` and the like.
    pub status: Option<Arc<str>>,
}

/// A relation between two nodes beside the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondaryEdge {
    /// From here.
    pub source: NodeId,
    /// To there.
    pub target: NodeId,
    /// The relation.
    pub relation: Arc<str>,
}

impl Annotations {
    /// The same with every node renamed; what speaks of a node that is gone is dropped.
    pub(super) fn rename_nodes(mut self, rename: impl Fn(NodeId) -> Option<NodeId>) -> Annotations {
        let mut places = Vec::with_capacity(self.secondary_edges.len());
        let mut edges = Vec::with_capacity(self.secondary_edges.len());
        for edge in self.secondary_edges {
            let ends = rename(edge.source).zip(rename(edge.target));
            places.push(ends.map(|_| edges.len()));
            if let Some((source, target)) = ends {
                edges.push(SecondaryEdge {
                    source,
                    target,
                    ..edge
                });
            }
        }
        self.secondary_edges = edges;
        self.signals.retain_mut(|signal| {
            let source = match signal.source {
                SignalSource::Node(node) => rename(node).map(SignalSource::Node),
                SignalSource::Secondary(at) => places
                    .get(at)
                    .copied()
                    .flatten()
                    .map(SignalSource::Secondary),
            };
            match source {
                Some(source) => {
                    signal.source = source;
                    true
                }
                None => false,
            }
        });
        self
    }
}
