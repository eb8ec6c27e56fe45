//! All integration tests, in one program: a change of the library is linked once.
//!
//! There is one module for each room of `src/`; `commands` runs the binary as a person does.
//! What several modules need stands in `fixtures`, `golden` and `run`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod fixtures;
mod golden;
mod run;

mod behavior;
mod demo;
mod digest;
mod diagnostics;
mod edit {
    mod answers;
    pub(crate) mod names;
}
mod evaluate;
mod fuzz;
mod generate;
mod growth;
mod json_schemas;
mod layers;
mod learn;
mod lexcore;
mod licences;
#[cfg(feature = "lsp")]
mod lsp {
    mod client;
    mod features;
    mod typing;
}
#[cfg(target_os = "linux")]
mod memory;
mod method;
mod probe;
mod repair;
mod structure;
mod summarize;
mod text;
mod vocabulary;
mod writes;

mod automaton {
    mod cases;
    mod explain;
    mod meaning;
}
mod commands {
    mod annotate;
    mod corpus;
    mod demo;
    mod digest;
    mod embed;
    mod fix;
    #[cfg(all(target_os = "linux", debug_assertions))]
    mod faults;
    mod grammar;
    mod help;
    mod induce;
    #[cfg(target_os = "linux")]
    mod inputs;
    mod learn;
    mod missteps;
    mod pages;
    mod project;
    #[cfg(unix)]
    mod reviews;
    #[cfg(target_os = "linux")]
    mod robust;
    mod select;
    #[cfg(feature = "serve")]
    mod serve;
    mod summarize;
    mod tree;
    mod treebank;
}
mod grammar {
    mod docs;
    mod language;
    mod properties;
    mod shipped;
    mod tables;
}
mod schema {
    mod base;
    mod language;
    mod shipped;
}
mod tree {
    mod formats;
    mod parseval;
}
