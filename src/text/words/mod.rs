//! Words: jieba's cut and tags, corrected and joined where Chinese news needs it.

mod cutter;
mod join;
mod known;
mod lexicon;
mod tag;
mod tails;

pub use lexicon::{Lexicon, List};
pub use tag::{Punctuation, Tag};
pub use tails::{TailClass, tail_code, tail_names, tails};

use std::ops::Range;

use crate::schema::RelationId;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Byte offset of its first character.
    pub start: u32,
    /// Byte offset behind its last character.
    pub end: u32,
    /// Its part of speech.
    pub tag: Tag,
    /// The lists it stands in.
    pub lists: Lists,
    /// The mark it is, if it is one.
    pub punctuation: Punctuation,
    /// The relation it triggers: index + 1, 0 for none.
    trigger: u16,
    /// The concept it names: index + 1, 0 for none.
    concept: u16,
    /// The cue class it belongs to: index + 1, 0 for none.
    cue: u16,
}

/// The word lists that a word stands in, as a set of [`List`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lists(u32);

impl Lists {
    /// True when the word stands in that list.
    pub fn has(self, list: List) -> bool {
        self.0 & (1 << list as u32) != 0
    }

    fn with(self, list: List) -> Lists {
        Lists(self.0 | (1 << list as u32))
    }

    /// That list, if it is one of them, and no other.
    fn measure_among(self, list: List) -> Lists {
        Lists(self.0 & (1 << list as u32))
    }
}

impl Word {
    /// Its stretch of the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its text.
    pub fn text<'a>(&self, document: &'a str) -> &'a str {
        document.get(self.range()).unwrap_or_default()
    }

    /// How many bytes it takes.
    pub fn length(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// True when it stands in that list.
    pub fn is(&self, list: List) -> bool {
        self.lists.has(list)
    }

    /// The domain relation it triggers.
    pub fn trigger(&self) -> Option<RelationId> {
        self.trigger
            .checked_sub(1)
            .map(|at| RelationId(u32::from(at)))
    }

    /// The concept it names, as an index into the schema's concepts.
    pub fn concept(&self) -> Option<usize> {
        self.concept.checked_sub(1).map(usize::from)
    }

    /// The cue class it belongs to, as an index into the schema's cues.
    pub fn cue(&self) -> Option<usize> {
        self.cue.checked_sub(1).map(usize::from)
    }
}
