//! Bytes to documents, words and EDUs.

mod document;

pub use document::{Block, BlockKind, Document};
