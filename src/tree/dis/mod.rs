//! dis: the bracketed trees of the RST Discourse Treebank.

mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;
