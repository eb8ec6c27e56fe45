//! Bytes to documents, words and EDUs.
//!
//! [`corpus`] streams [`Document`]s from files; an [`Analyzer`] divides a document into words with tags and
//! into EDUs, and gives an [`Analysis`]. [`time`] reads times, [`find_entities`] finds names.

mod analysis;
pub(crate) mod chinese;
pub mod corpus;
mod document;
mod entities;
mod language;
pub mod lines;
mod numeral;
pub mod segment;
pub mod structure;
pub mod time;
pub mod words;

pub use analysis::{Analysis, Analyzer, Edu};
pub use document::{Block, BlockKind, Document, json_schema};
pub(crate) use document::{DocumentJson, line_ranges, parse_date};
pub use entities::{Entity, EntityKind, find_entities};
pub use language::{Script, script_of};
pub(crate) use numeral::{begins_numeral, chinese_digit, spell_digit};
