//! The shift-reduce automaton: a grammar compiled, run and explained.
//!
//! An [`Engine`] is a compiled grammar; [`Engine::parse`] turns a document into a tree, and a
//! [`Session`] does it step by step. Productions and preferences whose pattern and reason hold in a
//! configuration decide (`decide`); reasons are taken apart into shared questions so that only
//! what can matter is measured (`atoms`, `program`).

#[cfg(test)]
mod agreement;
mod asked;
mod atoms;
mod attributes;
mod blocks;
pub mod cases;
mod coverage;
mod decide;
mod engine;
pub mod explain;
mod hearing;
mod logic;
mod lookups;
mod probe;
mod program;
mod questions;
mod review;
mod run;
mod saved;
mod search;
mod segment;
mod session;
mod spans;
mod structure;
mod trees;
mod trial;
mod versus;
mod view;
mod walk;

pub use asked::{AskedTree, Configuration, NodeFacts};
pub use blocks::{BlockJson, block_table, tell_blocks};
pub use coverage::{Coverage, CoverageReport, RuleUse, RuleUsed};
pub use decide::{Counting, INTERPOLATION};
pub use engine::{Derivation, Engine, Parse, ParseOptions};
pub use hearing::{Deed, HeardVoice, Hearing, SpeakerKey};
pub use program::Outcome;
pub use questions::{AskOptions, Question, Questions};
pub use review::{Review, annotations};
pub use run::{Labelled, SharedText, Step};
pub use search::Search;
pub use segment::{BoundaryRules, may_begin};
pub use session::{Session, Suggestion};
pub use structure::{BlockChoice, BlockReason, BlockRules};
pub use trial::{Trial, TrialParse, TriedRule};
pub use versus::{Versus, VersusFigures, score_versus};
pub use walk::{Questionnaire, Walk};

pub use crate::measure::{Balance, Joined, Leaf, NodeIndex, ParsedSpan, Tables, Text};
