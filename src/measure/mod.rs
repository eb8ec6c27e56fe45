//! What can be asked of nodes, pairs of nodes, words, gaps and lines, and how it is measured.
//!
//! A [`Text`] is a document whose EDUs have been measured once; a [`ParsedSpan`] is a stretch of it that has
//! been parsed. Every function of the formula language is one [`Function`] in [`FUNCTIONS`]: its name
//! and type, what it says in English and Chinese, how it is measured, whether the answer may be
//! missing, and how learners cut it. The checker types formulas by these entries, the automaton
//! measures by them, learners make their literals of them, and the documentation lists them. To add a
//! function, add an entry in `functions/` and a test; what a new entry needs to know of an EDU's words
//! is measured once, in `leaf`.

mod codes;
mod domain;
mod form;
mod function;
mod functions;
mod gap;
mod leaf;
pub mod learning;
mod level;
mod measured;
mod measurer;
mod node;
mod page;
mod place;
mod recurrence;
mod span;

pub use codes::Codes;
pub use domain::{
    Answer, COMPLETENESS, Domain, KINDS, LEVELS, NUCLEARITIES, NUMBERINGS, OPENINGS,
    PARTS_OF_SPEECH, PUNCTUATION, ROLES, SIDES,
};
pub use function::{Function, FunctionId, Measure, Parameter, Scope, Told};
pub use functions::FUNCTIONS;
pub use gap::{Gap, Gaps};
pub use leaf::{Balance, Leaf, Text};
pub use measured::Measured;
pub use measurer::{Measurer, Tables};
pub use node::Node;
pub use page::{LineAt, Page};
pub use place::TreePlace;
pub use span::{Joined, NodeIndex, ParsedSpan};
