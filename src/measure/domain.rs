//! What functions answer: types, and the symbols of every list.

use crate::text::words::tail_names;

/// What a function answers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// true or false.
    Bool,
    /// A whole number within bounds.
    Int(i64, i64),
    /// A number within bounds.
    Float(f64, f64),
    /// A symbol.
    Symbol(Domain),
    /// A set of symbols.
    Set(Domain),
    /// A text.
    Text,
    /// What its last argument is.
    SameAsArgument,
}

/// The symbols that a value can be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Domain {
    /// Any symbol.
    Open,
    /// One of a list.
    Values(&'static [&'static str]),
    /// One of a list, from small to great: `<` compares them.
    Ordered(&'static [&'static str]),
    /// The domain relations of the schema.
    Relations,
    /// The rhetorical relations of the schema, or `none` for a single EDU.
    Rhetoric,
    /// The coarse classes of rhetorical relations, or `none`.
    Classes,
    /// The concepts of the schema.
    Concepts,
    /// The cue classes of the schema, or `none`.
    Cues,
    /// The classes of final words in the lexicon, `none` first.
    Tails,
    /// The values that the schema lists for the attribute of that index.
    Attribute(usize),
}

impl Domain {
    /// The symbols of a list that does not depend on the schema, in the order of their codes.
    pub fn list(self) -> Option<&'static [&'static str]> {
        match self {
            Domain::Values(list) | Domain::Ordered(list) => Some(list),
            Domain::Tails => Some(tail_names()),
            _ => None,
        }
    }
}

/// The strength of the break between neighbours, from none to the end of a section. Opening a
/// block is weaker than closing it.
pub const LEVELS: &[&str] = &[
    "none",
    "enumeration",
    "comma",
    "semicolon",
    "sentence",
    "paragraph",
    "list-open",
    "list",
    "speaker-open",
    "speaker",
    "subsubsection-open",
    "subsubsection",
    "subsection-open",
    "subsection",
    "section-open",
    "section",
    "title-open",
    "title",
];

/// Classes of punctuation.
pub const PUNCTUATION: &[&str] = &[
    "none",
    "enumeration",
    "comma",
    "semicolon",
    "colon",
    "stop",
    "question",
    "exclamation",
    "ellipsis",
    "dash",
    "open-quote",
    "close-quote",
    "open-bracket",
    "close-bracket",
    "other",
];

/// What a node is to its parent.
pub const ROLES: &[&str] = &["root", "nucleus", "satellite"];

/// Which child of its parent a node is.
pub const SIDES: &[&str] = &["root", "left", "right"];

/// What a span opens with, if not with a plain word.
pub const OPENINGS: &[&str] = &["none", "quote", "bracket", "dash", "number", "mark", "note"];

/// Kinds of numbering at the start of a span: 1. 一、 （1） ① a. ● 第一
pub const NUMBERINGS: &[&str] = &[
    "none",
    "arabic",
    "chinese",
    "bracketed",
    "circled",
    "letter",
    "bullet",
    "ordinal",
];

/// Kinds of blocks.
pub const KINDS: &[&str] = &[
    "heading",
    "paragraph",
    "list-item",
    "quote",
    "table",
    "aside",
];

/// How complete a span is.
pub const COMPLETENESS: &[&str] = &["fragment", "sentence", "paragraph"];

/// The nuclearity of a subtree: a leaf, or the roles of its two children.
pub const NUCLEARITIES: &[&str] = &["leaf", "ns", "sn", "nn"];

/// Coarse parts of speech.
pub const PARTS_OF_SPEECH: &[&str] = &[
    "noun",
    "name",
    "verb",
    "adjective",
    "adverb",
    "pronoun",
    "number",
    "measure",
    "preposition",
    "conjunction",
    "particle",
    "place",
    "time",
    "punctuation",
    "other",
];

/// The place of a name in a list; 0 where it is not there.
pub(super) fn index_of(list: &[&str], name: &str) -> u8 {
    let at = list.iter().position(|known| *known == name);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}
