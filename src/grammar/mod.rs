//! The grammar language: what a linguist writes, what it means, and what is wrong with it.
//!
//! [`parse()`] gives the syntax tree of one file, with comments; [`Grammar::load`] resolves a file
//! with its modules against a schema and never stops at the first problem. `docs/grammar.md` is the
//! reference of the language.

mod advice;
mod asking;
mod blocks;
mod build;
mod check;
mod chunks;
mod diff;
mod embedded;
mod evaluate;
mod format;
pub mod formula;
pub mod functions;
mod header;
pub mod ids;
mod load;
mod merge;
mod model;
mod operators;
mod parse;
mod print;
mod query;
mod resolve;
mod rewrite;
mod stats;
pub mod syntax;
mod tables;
mod typing;
mod vocabulary;
mod wording;
mod write;

pub use check::{Checked, Expanded, check_paths, expand};
pub use diff::{Aspect, Change, Diff, Odds, RuleChange, diff};
pub use embedded::{
    embedded_files, embedded_grammar, embedded_grammar_names, embedded_path, embedded_texts,
    named_path,
};
pub use evaluate::Facts;
pub use format::{format, format_file};
pub use load::{
    Loaded, load_boundary_reason, load_equations, load_formula, load_reason, load_tables,
};
pub use merge::merge;
pub use model::*;
#[doc(hidden)]
pub use parse::recognise;
pub use parse::{MAX_FILE_BYTES, Parsed, parse, parse_formula};
pub use query::{EDUS, Query, Relabelling, Wanted, load_query, load_relabellings, load_tree_value};
pub use stats::{Ambiguity, Big, Kind, Loud, Stats, TableKind};
pub use tables::{
    Decision, Key, OutcomePattern, RelationPattern, Row, Subject, Table, update_rows,
};
pub use wording::usage;

pub(crate) use chunks::statement_spans;
pub(crate) use diff::rival_pattern;
pub(crate) use embedded::{is_on_shelf, shelf_text};
pub(crate) use load::used_path;
pub(crate) use typing::Context;
pub(crate) use vocabulary::{NONE, Vocabulary};

pub use crate::files::{Disk, Files, Memory, Revision, split_revision};
pub use crate::tree::{Roles, Value};
