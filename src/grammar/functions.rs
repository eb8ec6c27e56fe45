//! What formulas can ask about nodes, pairs of nodes and words: the table of functions, which stands in
//! [`crate::measure`].

pub use crate::measure::{
    Answer, COMPLETENESS, Domain, FUNCTIONS, Function, FunctionId, KINDS, LEVELS, NUCLEARITIES,
    NUMBERINGS, OPENINGS, PARTS_OF_SPEECH, PUNCTUATION, Parameter, Scope,
};
