//! Bracketed trees that people write by hand, in regression cases above all.
//!
//! ```text
//! ; because it rains, the match is off and the players go home
//! (causal-cause SN
//!   1:"因为下雨，"
//!   (joint-list NN 2:"比赛取消，" 3:"球员回家。"))
//! ```
//!
//! A node is its relation, a role (`N` or `S`) for every child, and the children. A leaf is the
//! number of its EDU, its text in quotes, or both. What a grammar adds is optional: a symbol
//! (`Rise[causal-cause]`, `Fall:2`), `!` where a fallback decided, attributes in braces
//! (`{polarity=1 time=@2019-09-01 objects=[油价 股市]}`), `@name` before the tree for the text's id.

mod lex;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;
