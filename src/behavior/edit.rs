//! What an annotator does to a tree beyond shift and reduce: changes of what stands, and remarks beside it.

use std::sync::Arc;

use super::action::Join;
use crate::error::{Error, Result};
use crate::text::Document;
use crate::tree::{EduSpan, Role};

/// A step that makes a tree: none shifts the next EDU, a join reduces.
pub type Made = Option<Arc<Join>>;

/// A change of what stands. Nodes are named by the EDUs that they cover.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// Takes a node from where it is and joins it with another, or with the nearest node above that which
    /// stands beside it.
    Attach {
        /// The node.
        node: EduSpan,
        /// What it holds on to.
        to: EduSpan,
        /// What the node becomes; the other is a nucleus.
        role: Role,
        /// The relation between them. Its roles follow from `role` and the order of the two.
        join: Join,
    },
    /// Gives a node another relation or nuclearity.
    Relate {
        /// The node.
        node: EduSpan,
        /// What its children become.
        join: Join,
    },
    /// Takes a node out of its tree.
    Unlink {
        /// The node.
        node: EduSpan,
    },
    /// Divides an EDU; the first half keeps its place.
    Cut {
        /// The EDU, counted from 0.
        edu: u32,
        /// Before this character of it, counted from 0.
        at: u32,
        /// What the halves are to each other, where the EDU stood in a tree.
        join: Join,
    },
    /// Joins an EDU with the next one.
    Unite {
        /// The first of them, counted from 0.
        edu: u32,
    },
    /// Puts another structure over some EDUs: that of a parse, of another label.
    Take {
        /// The EDUs.
        over: EduSpan,
        /// The steps that make it.
        made: Vec<Made>,
    },
}

/// What an annotator says beside the tree. Remarks stay when the tree changes, and undo leaves them alone.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// Do these EDUs belong together?
    Answer {
        /// The EDUs.
        span: EduSpan,
        /// Nothing takes an earlier answer back.
        together: Option<bool>,
    },
    /// A note on a node; an empty one takes it away.
    Note {
        /// The node's EDUs.
        span: EduSpan,
        /// What it says.
        text: Arc<str>,
    },
    /// Words that signal a relation.
    Signal(Sign),
    /// A relation beside the tree.
    Edge(Edge),
}

/// Words or forms that signal the relation of a node to its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// The node's EDUs.
    pub span: EduSpan,
    /// `dm`, `lexical` ...
    pub kind: Arc<str>,
    /// A subtype of it; may be empty.
    pub subtype: Arc<str>,
    /// The words as they stand in the text; may be empty.
    pub words: Arc<str>,
    /// False takes it away.
    pub stands: bool,
}

/// A relation between two nodes beside the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// From here.
    pub source: EduSpan,
    /// To there.
    pub target: EduSpan,
    /// The relation.
    pub relation: Arc<str>,
    /// False takes it away.
    pub stands: bool,
}

impl Edit {
    /// Its name in labels.
    pub fn as_str(&self) -> &'static str {
        match self {
            Edit::Attach { .. } => "attach",
            Edit::Relate { .. } => "relate",
            Edit::Unlink { .. } => "unlink",
            Edit::Cut { .. } => "cut",
            Edit::Unite { .. } => "unite",
            Edit::Take { .. } => "take",
        }
    }

    /// The joins that it brings, whose names must be known.
    pub(super) fn joins(&self) -> Vec<&Join> {
        match self {
            Edit::Attach { join, .. } | Edit::Relate { join, .. } | Edit::Cut { join, .. } => {
                vec![join]
            }
            Edit::Take { made, .. } => made.iter().flatten().map(|join| &**join).collect(),
            Edit::Unlink { .. } | Edit::Unite { .. } => Vec::new(),
        }
    }

    /// The document with the EDUs it makes; nothing where the EDUs stay.
    pub(super) fn divided(&self, document: &Document) -> Result<Option<Document>> {
        match self {
            Edit::Cut { edu, at, .. } => cut_edu(document, *edu, *at).map(Some),
            Edit::Unite { edu } => unite_edus(document, *edu).map(Some),
            _ => Ok(None),
        }
    }
}

/// The block of an EDU and its place among the block's EDUs.
fn place_of(document: &Document, edu: u32) -> Result<(usize, usize)> {
    let mut left = edu as usize;
    for (at, block) in document.blocks.iter().enumerate() {
        let edus = block.edus.as_ref().map_or(1, Vec::len);
        if !block.kind.is_content() {
            continue;
        }
        if left < edus {
            return Ok((at, left));
        }
        left -= edus;
    }
    Err(Error::Missing(format!("there is no EDU {}", edu + 1)))
}

fn cut_edu(document: &Document, edu: u32, at: u32) -> Result<Document> {
    let (block, place) = place_of(document, edu)?;
    let mut document = document.clone();
    let whole = document.blocks[block].range.clone();
    let edus = document.blocks[block]
        .edus
        .get_or_insert_with(|| vec![whole]);
    let range = edus[place].clone();
    let text = document.text.get(range.clone()).unwrap_or_default();
    let offset = text
        .char_indices()
        .nth(at as usize)
        .map(|(offset, _)| offset);
    let Some(middle) = offset.filter(|offset| *offset > 0) else {
        return Err(Error::Usage(format!(
            "EDU {} cannot be cut before character {}: nothing would be left on one side",
            edu + 1,
            at + 1
        )));
    };
    let middle = range.start + middle;
    edus.splice(place..=place, [range.start..middle, middle..range.end]);
    Ok(document)
}

fn unite_edus(document: &Document, edu: u32) -> Result<Document> {
    let (block, place) = place_of(document, edu)?;
    let mut document = document.clone();
    let edus = document.blocks[block].edus.as_mut();
    let Some(edus) = edus.filter(|edus| place + 1 < edus.len()) else {
        return Err(Error::Usage(format!(
            "EDU {} is the last of its paragraph: EDUs never reach over a line",
            edu + 1
        )));
    };
    let united = edus[place].start..edus[place + 1].end;
    edus.splice(place..=place + 1, [united]);
    Ok(document)
}
