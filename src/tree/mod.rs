//! Attributed rhetorical trees: built, read, written, drawn, scored.
//!
//! A [`Tree`] stands over the EDUs of one text. Inside it is binary, as the shift-reduce automaton
//! makes it; nodes of others' treebanks with more than two children are kept as right-heavy chains
//! whose inner links are marked as [parts](Node::is_part), and [`Tree::children`] gives the n-ary
//! node back. Nodes lie in one arena in post-order, so a pass from the leaves to the root is a
//! plain loop, and a tree of any depth is read, written and dropped without recursion.

mod annotation;
mod build;
mod edus;
mod files;
mod format;
mod node;
mod value;
mod view;

mod dis;
mod draw;
mod json;
mod parseval;
mod rs3;
mod rsd;
mod sexp;

#[cfg(test)]
mod properties;

pub use annotation::{
    Annotations, DeclaredRelation, SecondaryEdge, Signal, SignalSource, SignalType,
};
pub use build::{Builder, JoinError};
pub(crate) use draw::tidy_text;
pub use draw::{TextDrawing, draw_html, draw_svg, draw_text};
pub use edus::{Edu, read_edus};
pub use files::{read_all, tree_files};
pub use format::{Format, Read, WriteOptions, count_unwritable, decode, read, read_file, write};
pub use json::json_schema;
pub(crate) use json::{ValueJson, attributes_from, attributes_json};
pub use node::{Child, Decision, EduSpan, Node, NodeId, Pair, Role, Roles};
pub(crate) use parseval::letters;
pub use parseval::{
    Baseline, Breakdown, Counts, Definition, DocumentScore, Figures, Interval, Level, Pairing,
    ParsevalOptions, RelationGrain, RelationScore, Report, pair_by_id, parseval,
};
pub use value::{Attributes, Value};
pub use view::PreOrder;

use std::sync::Arc;

/// What stands for a relation that has no name, in formats that need one.
pub const UNLABELLED: &str = "unlabelled";

/// A rhetorical tree over the EDUs of one text.
///
/// [`Tree::post_order`] goes through the nodes from the leaves to the root, [`Tree::children`] gives those of
/// one node; a [`Builder`] makes a tree by hand. [`read()`], [`write()`] and [`draw_text`] turn text into trees
/// and back, [`parseval()`] compares two.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The text's id, where known; formats without ids take it from the file's name.
    pub id: Option<Arc<str>>,
    /// The EDUs in text order.
    pub edus: Vec<Edu>,
    /// What others' formats say beyond the tree itself.
    pub annotations: Annotations,
    nodes: Vec<Node>,
}
