//! A whole grammar as a page to read: what a team puts on its site.
//!
//! [`Reference::of`] collects what the files say: their comments, every rule with its doc comment, tables,
//! relations and cue classes with the comments above them in the schema. [`Reference::add_examples`] adds what
//! a treebank shows of the rules; [`Reference::to_markdown`] and [`Reference::to_html`] write the page.

mod collect;
mod html;
mod markdown;

pub use collect::{CueEntry, Entry, Module, Reference, RelationEntry, TableEntry, TableRow};
