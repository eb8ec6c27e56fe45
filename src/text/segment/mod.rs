//! From blocks to EDUs.
//!
//! A [`Segmenter`] decides before which words of a block an EDU begins. Segmentation is a profile,
//! not a constant of the program: finance news wants clauses that carry one core each, other texts
//! are cut finer. Grammars with `boundary` rules are segmenters too.

mod clauses;

use std::ops::Range;

pub(crate) use clauses::carries_predicate;
pub use clauses::{ClauseProfile, clause_ends};

use super::document::BlockKind;
use super::words::{Punctuation, Word};

/// Decides where EDUs begin.
pub trait Segmenter: Send + Sync {
    /// The indices of the words that begin an EDU, in order. The first word of a block always
    /// does, whether it is named or not.
    fn starts(&self, text: &str, words: &[Word], kind: BlockKind) -> Vec<usize>;
}

/// The sentences of a block as ranges of its words: each ends with its mark and what closes
/// behind it.
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
        while at < words.len() && closes(words[at].punctuation) {
            at += 1;
        }
        sentences.push(start..at);
        start = at;
    }
    if start < words.len() {
        sentences.push(start..words.len());
    }
    sentences
}

/// Marks that belong to what stands before them.
fn closes(mark: Punctuation) -> bool {
    mark.ends_sentence() || matches!(mark, Punctuation::CloseBracket | Punctuation::CloseQuote)
}
