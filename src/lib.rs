//! An embedded rules engine for attributed rhetorical structure grammars.
//!
//! Data flows downwards through the modules below; a module may use what stands above it, never
//! what stands below. `docs/architecture.md` has the map and the invariants.
//!
//! ```
//! use arsg::grammar::embedded_grammar;
//! use arsg::{Document, Engine};
//!
//! # fn main() -> arsg::Result<()> {
//! let engine = Engine::new(embedded_grammar("finance")?);
//! let document = Document::from_edus("news", [["由于需求疲软，", "国际油价下跌。"]]);
//! let parse = engine.parse(&document);
//! let tree = parse.tree().expect("a text with words has a tree");
//! let root = tree.node(tree.root());
//! assert_eq!(root.relation().map(|name| &**name), Some("causal-cause"));
//! # Ok(())
//! # }
//! ```

// The rooms of the house, in the order in which data flows: a room uses those above it, never those
// below. `tests/it/layers.rs` holds the order. Rooms are documented inside: a doc comment here would
// make links in them be looked for here.

// Named enums, columns of a terminal, problems in files, errors at work, files on disk, JSON lines,
// processor features.
pub mod named;
mod columns;
pub mod diagnostic;
pub mod error;
pub mod files;
mod json;
mod stopwatch;
mod wide;

// Pages, charts, networks and ROUGE, which know nothing of texts.
mod page;
mod neural;
pub mod plot;
pub mod rouge;

// A domain's vocabulary; bytes to documents, words and EDUs; EDUs to lexical cores.
pub mod schema;
pub mod text;
pub mod lexcore;

// Rhetorical trees; what can be asked of nodes, words and gaps; the grammar language; the automaton.
pub mod tree;
pub mod measure;
pub mod grammar;
pub mod automaton;

// What annotators do, and grammars learned from it.
pub mod behavior;

// Texts as vectors; the texts to label first; the loop that learns from few labels; made-up texts.
pub mod embed;
pub mod select;
pub mod learn;
pub mod generate;

// Summaries, and how good they are.
pub mod summarize;
pub mod evaluate;

// The demo corpus; a linguist's project; the paper's tables as runs.
pub mod demo;
pub mod project;
pub mod experiment;

// The `arsg` command.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use automaton::{Engine, Parse};
pub use diagnostic::Diagnostic;
pub use error::{Error, Result};
pub use grammar::Grammar;
pub use schema::Schema;
pub use text::Document;
pub use tree::Tree;
