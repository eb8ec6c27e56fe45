//! From blocks to EDUs.
//!
//! A [`Segmenter`] decides before which words of a block an EDU begins. A schema says how its texts
//! are cut ([`Segmentation`](crate::schema::Segmentation)): finance news wants clauses that carry one
//! core each, other texts are cut finer. Grammars with `boundary` rules are segmenters too.

mod clauses;

use std::ops::Range;

pub(crate) use clauses::carries_predicate;
pub use clauses::clause_ends;

use super::document::BlockKind;
use super::words::{Punctuation, Tag, Word};

/// Decides where EDUs begin.
pub trait Segmenter: Send + Sync {
    /// The indices of the words that begin an EDU, in order. The first word of a block always
    /// does, whether it is named or not.
    fn starts(&self, text: &str, words: &[Word], kind: BlockKind) -> Vec<usize>;
}

/// The sentences of a block as ranges of its words: each ends with its mark and what closes
/// behind it, notes as `[1]` with it.
pub fn sentences(words: &[Word]) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < words.len() {
        let mark = words[at].punctuation;
        at += 1;
        if !mark.ends_sentence() {
            continue;
        }
        while let Some(behind) = after_closing(words, at) {
            at = behind;
        }
        sentences.push(start..at);
        start = at;
    }
    if start < words.len() {
        sentences.push(start..words.len());
    }
    sentences
}

/// Behind a closing mark or a note that stands at `at`; nothing when none does.
fn after_closing(words: &[Word], at: usize) -> Option<usize> {
    match words.get(at..)? {
        [first, ..] if closes(first.punctuation) => Some(at + 1),
        rest => note_length(rest).map(|length| at + length),
    }
}

/// How many words the mark of a note takes that words begin with: `[1]`, `［2］`.
pub fn note_length(words: &[Word]) -> Option<usize> {
    match words {
        [open, number, close, ..]
            if open.punctuation == Punctuation::OpenBracket
                && number.tag == Tag::Number
                && close.punctuation == Punctuation::CloseBracket =>
        {
            Some(3)
        }
        _ => None,
    }
}

/// Marks that belong to what stands before them.
fn closes(mark: Punctuation) -> bool {
    mark.ends_sentence() || matches!(mark, Punctuation::CloseBracket | Punctuation::CloseQuote)
}
