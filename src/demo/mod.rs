//! The demo: a corpus that ships inside the binary, and the whole method on it.
//!
//! [`run`] does what the paper does, on texts small enough to look at: statistics, phrase vectors,
//! representatives, rounds of picking near and training far, a grammar, a tree, a summary, and the
//! comparison with the baselines. Every [`DemoStep`] says what happens and why; [`page`] makes one page
//! of all of them.

mod corpus;
mod material;
mod page;
mod rounds;
mod run;
mod step;

pub use corpus::{corpus, events};
pub use page::page;
pub use run::run;
pub use step::{DemoPicture, DemoStep};
