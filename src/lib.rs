//! An embedded rules engine for attributed rhetorical structure grammars of Chinese texts.
//!
//! A linguist writes a *schema* (the vocabulary of a domain) and a *grammar* (rules over it). The engine
//! cuts a text into elementary discourse units (EDUs) and joins them to a rhetorical tree, and it can say
//! of every step which rules decided and why.
//!
//! # Parse a text
//! An [`Engine`] is a compiled [`Grammar`]. Build it once and share it between threads.
//!
//! ```
//! use arsg::grammar::embedded_grammar;
//! use arsg::tree::{TextDrawing, draw_text};
//! use arsg::{Document, Engine};
//!
//! # fn main() -> arsg::Result<()> {
//! let engine = Engine::new(embedded_grammar("finance")?);
//! let document = Document::from_edus("news", [["由于需求疲软，", "国际油价下跌。"]]);
//! let parse = engine.parse(&document);
//! let tree = parse.tree().expect("a text with words has a tree");
//! let root = tree.node(tree.root());
//! assert_eq!(root.relation().map(|name| &**name), Some("causal-cause"));
//! println!("{}", draw_text(tree, &TextDrawing::default()));
//! # Ok(())
//! # }
//! ```
//!
//! A [`Document`] is a text with its paragraphs; [`text::corpus::open`] reads whole corpora. [`Engine::parse`]
//! gives a [`Parse`], and that a [`Tree`], which [`tree::write()`] and [`tree::read()`] know in all common
//! formats. [`automaton::ParseOptions`] say how to search.
//!
//! # Write a grammar
//! A grammar is text, and reads from a file ([`Grammar::read`]) or from a string:
//!
//! ```
//! use arsg::{Document, Engine, Grammar};
//!
//! # fn main() -> arsg::Result<()> {
//! let grammar: Grammar = r#"
//!     schema "finance"
//!     _[joint-list]   <- _:N _:N  x 2
//!     _[causal-cause] <- _:S _:N  x 5  when A.cue = because
//! "#.parse()?;
//! let parse = Engine::new(grammar).parse(&Document::from_text("oil", "由于需求疲软，国际油价下跌。"));
//! let tree = parse.tree().expect("a text with words has a tree");
//! assert_eq!(tree.node(tree.root()).relation().map(|name| &**name), Some("causal-cause"));
//! # Ok(())
//! # }
//! ```
//!
//! What is wrong with it comes back as [`Diagnostic`]s, all at once, each with a place and a help. Formulas
//! ask about nodes by the functions of [`measure::FUNCTIONS`]; the names that they speak of are the
//! [`Schema`]'s. [`grammar::format()`], [`grammar::diff()`] and [`grammar::merge()`] do what they say.
//!
//! # Where to read on
//! - Ask why: [`automaton::explain::Explainer`] replays a parse, [`automaton::Session`] lets a person parse
//!   step by step, [`automaton::cases`] are regression tests of a grammar.
//! - Learn a grammar: [`behavior::Induction`] makes one from gold trees; [`behavior::Labelling`] records what
//!   an annotator does.
//! - Choose which texts people label: [`embed`] turns texts into vectors, [`select`] chooses, [`learn`] is the
//!   loop of picking near and training far.
//! - Use trees: [`summarize()`](summarize::summarize) makes summaries whose lines say where they come from,
//!   [`evaluate`] measures them, [`generate`] runs a grammar backwards.
//! - Work in a project: [`project`] is the folder with `arsg.toml`, [`demo`] and [`experiment`] run the whole
//!   method.
//!
//! Results never depend on threads, hash order or the clock, and nothing that is read can make the library
//! panic. What goes wrong is an [`Error`].
//!
//! # Features
//! The features `cli` (the `arsg` command), `lsp` (its language server) and `neural` (the sentiment classifier
//! and the CNNLM baseline) are on by default; a program that embeds the engine does without them: `default-features = false`.
//!
//! Data flows downwards through the modules below; a module may use what stands above it, never
//! what stands below. `docs/architecture.md` has the map and the invariants.

// The rooms of the house, in the order in which data flows: a room uses those above it, never those
// below. `tests/it/layers.rs` holds the order. Rooms are documented inside: a doc comment here would
// make links in them be looked for here.

// Named enums, option structs, columns of a terminal, problems in files, errors at work, files on disk,
// JSON lines, times for the log, processor features.
pub mod named;
mod setters;
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

// Texts with gold trees as a grammar parses them; from a wrong node to the rule that was missing.
pub mod gold;
pub mod repair;
pub mod profile;
// Questions to treebanks, and changes of them; a grammar as a page to read.
pub mod query;
pub mod reference;

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

// What editors ask about grammars, schemas and cases while they are being written; the language server.
pub mod edit;
#[cfg(feature = "lsp")]
pub mod lsp;

// The workbench in the browser.
#[cfg(feature = "serve")]
pub mod serve;

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
