//! An embedded rules engine for attributed rhetorical structure grammars.
//!
//! Data flows downwards through the modules below; a module may use what stands above it, never
//! what stands below. `docs/architecture.md` has the map and the invariants.
//!
//! ```
//! use arsg::automaton::Engine;
//! use arsg::grammar::embedded_grammar;
//! use arsg::Document;
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

// Modules are documented inside: a doc comment here would make links in them be looked for here.

// Enums whose variants have names.
pub mod named;

// What is wrong, where, and what to do about it.
pub mod diagnostic;
// What can go wrong while working.
pub mod error;
// Files: read whole, replaced whole.
pub mod files;

// Values as lines of JSON.
mod json;

// How long steps take, for the log.
mod stopwatch;

// Wide registers and memory asked for ahead, where the machine has them.
mod wide;

// HTML pages that stand by themselves.
mod page;

// ROUGE-1, ROUGE-2 and ROUGE-L.
pub mod rouge;

// Phrase vectors, impacts of texts, exact neighbours, clusters.
pub mod embed;
// The loop of picking near and training far.
pub mod learn;
// EDUs to lexical cores (t, a, o, s).
pub mod lexcore;
// Plots as SVG.
pub mod plot;
// The domain's vocabulary: relations, concepts, rhetoric, attributes.
pub mod schema;
// Cubes, divergence, and the texts that people label first.
pub mod select;
// Bytes to documents, words and EDUs.
pub mod text;
// Attributed rhetorical trees: read, written, drawn, scored.
pub mod tree;

// The grammar language: syntax, meaning, check, format, diff, merge.
pub mod grammar;

// The shift-reduce automaton: grammars compiled, run, explained.
pub mod automaton;

// What annotators do: actions, labels, and grammars learned from them.
pub mod behavior;
// How good a summary is.
pub mod evaluate;
// The paper's tables as runs over any corpus.
pub mod experiment;
// A grammar run backwards: made-up texts with gold trees.
pub mod generate;
// Summaries of one text or of many, with where every line comes from.
pub mod summarize;

// The demo corpus, and the whole method on it.
pub mod demo;
// A linguist's project: `arsg.toml`, and how a project begins.
pub mod project;

#[doc(hidden)]
pub mod cli;

pub use diagnostic::Diagnostic;
pub use error::{Error, Result};
pub use grammar::Grammar;
pub use schema::Schema;
pub use text::Document;
pub use tree::Tree;
