//! The demo: a corpus that ships inside the binary, and the whole method on it.

mod corpus;

pub use corpus::{corpus, events};
