//! Lexical cores: (time, agent, object, state change), the paper's Section 3.
//!
//! A core says in four components what a clause tells: when, who (or where), what, and how. Cores
//! are chosen, not listed: a state needs an argument in its clause, light verbs give way to the
//! event they carry, and what is only a modifier is no state.

mod arguments;
mod clause;
mod extract;
mod general;
mod json;
mod phrase;
mod statistics;

use std::ops::Range;

pub use extract::Extractor;
pub(crate) use general::dateline;
pub use json::{CoreJson, PartJson};
pub use statistics::{Statistics, TextStatistics};

use crate::named::named_enum;
use crate::schema::RelationId;
use crate::text::time::TimeValue;

/// A lexical core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Core {
    /// The EDU it comes from, counted through the document.
    pub edu: usize,
    /// When.
    pub time: Option<Part>,
    /// The days that `time` means.
    pub when: Option<TimeValue>,
    /// Who acts, or owns what changes; for events without an actor, where.
    pub agent: Option<Part>,
    /// What is acted upon, or changes.
    pub object: Option<Part>,
    /// How: the state or its change.
    pub state: Part,
    /// By how much, kept beside the state.
    pub amount: Option<Part>,
    /// Compared with when: 同比, 环比.
    pub basis: Option<Part>,
    /// The state is denied: 未, 没有, 不.
    pub negated: bool,
    /// The domain relation whose trigger the state is.
    pub relation: Option<RelationId>,
}

/// A component of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its stretch of the text, in bytes.
    pub range: Range<usize>,
    /// How it was found.
    pub found: Found,
}

named_enum! {
    /// How a component was found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Found {
        /// A word of the schema's relations.
        Trigger = "trigger",
        /// A verb.
        Verb = "verb",
        /// A noun that is an event, alone or after a light verb.
        Event = "event",
        /// A time expression of the clause.
        Clause = "clause",
        /// The noun phrase before the verb.
        Subject = "subject",
        /// What owns the thing that changes: 公司 in 公司的利润.
        Owner = "owner",
        /// The noun phrase after the verb.
        Object = "object",
        /// After 被 or 由.
        By = "by",
        /// After 把 or 将.
        Ba = "ba",
        /// After 对, 向 and the like.
        Towards = "towards",
        /// From an earlier clause.
        Inherited = "inherited",
    }
}

impl Part {
    /// A component found in its own clause.
    pub fn new(range: Range<usize>, found: Found) -> Part {
        Part { range, found }
    }

    /// The same stretch, taken over by a later core.
    pub fn inherited(&self) -> Part {
        Part::new(self.range.clone(), Found::Inherited)
    }

    /// True when it was taken over from an earlier clause.
    pub fn is_inherited(&self) -> bool {
        self.found == Found::Inherited
    }
}
