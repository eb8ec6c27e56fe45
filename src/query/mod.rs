//! Questions to a treebank, and changes of its relations.
//!
//! [`gather()`] finds trees and texts, whatever their format; a [`Treebank`] holds the trees over their
//! measured texts. [`Treebank::search`] finds the nodes of which a formula holds, [`group`] counts them by
//! what they answer, [`draw`] takes a sample, and the rest writes what was found. [`rewrite`] changes
//! relations by rules and says what it did.

mod bank;
mod examples;
mod gather;
mod group;
mod hits;
mod rewrite;
mod tell;

pub use bank::{Bank, Treebank, with_relations_of};
pub use examples::{Passage, Shown, show_rules};
pub use gather::{Gathered, GoldText, gather};
pub use group::{Asked, Group, group, load_asked};
pub use hits::{Found, Hit, draw};
pub use rewrite::{FileChange, Rewriting, TreeChange, rewrite};
pub use tell::{HitJson, NodeJson, keyword_line, table, tell_found, tell_hit};
