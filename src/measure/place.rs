//! Where a node stands in a finished tree.

use crate::tree::{EduSpan, Role};

/// Where a node stands in a finished tree: what only queries can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreePlace {
    /// Its EDUs.
    pub span: EduSpan,
    /// What it is to its parent; the root is nothing to anybody.
    pub role: Option<Role>,
    /// It is the left child of its parent; the root is no child.
    pub is_left: Option<bool>,
    /// How many nodes stand above it.
    pub above: u32,
}
