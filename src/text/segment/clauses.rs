//! The ways to cut at the marks between clauses that a schema can ask for.

use super::super::document::BlockKind;
use super::super::words::{List, Punctuation, Tag, Word};
use super::{Segmenter, closes};
use crate::schema::Segmentation;

impl Segmenter for Segmentation {
    fn starts(&self, _text: &str, words: &[Word], kind: BlockKind) -> Vec<usize> {
        match (self, kind) {
            (Segmentation::Predicates, BlockKind::Heading(_)) => vec![0],
            (Segmentation::Predicates, _) => cut_by_predicates(words),
            (Segmentation::Clauses, _) => cut_by_clauses(words),
        }
    }
}

/// A cut at every end of a sentence, and between clauses where both sides carry a predicate.
fn cut_by_predicates(words: &[Word]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut begin = 0;
    let mut clauses = Vec::new();
    for end in clause_ends(words) {
        let clause = &words[begin..end];
        clauses.push((end, carries_predicate(clause), ends_sentence(clause)));
        begin = end;
    }
    let mut carried = false;
    for (number, &(end, carries, closes)) in clauses.iter().enumerate() {
        carried |= carries;
        let rest = &clauses[number + 1..];
        let Some(&(_, next_carries, next_closes)) = rest.first() else {
            break;
        };
        // A clause without a predicate goes with the one it introduces, or ends the one before.
        let introduces = || {
            let last = rest.iter().position(|(_, _, closes)| *closes);
            let sentence = &rest[..last.map_or(rest.len(), |last| last + 1)];
            !next_closes && sentence.iter().any(|(_, carries, _)| *carries)
        };
        if closes || (carried && (next_carries || introduces())) {
            starts.push(end);
            carried = false;
        }
    }
    starts
}

/// A cut at every clause mark, but behind one word or two of introduction.
fn cut_by_clauses(words: &[Word]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut begin = 0;
    for end in clause_ends(words) {
        let clause = &words[begin..end];
        if end < words.len() && (ends_sentence(clause) || !is_introduction(clause)) {
            starts.push(end);
            begin = end;
        }
    }
    starts
}

/// Where the clauses of a block end, as word indices behind their marks; the end of the block is
/// the last. Marks inside brackets do not count.
pub fn clause_ends(words: &[Word]) -> Vec<usize> {
    /// Brackets longer than this many words hold clauses of their own.
    const LONG_BRACKET: usize = 40;
    let mut ends = Vec::new();
    let mut opened: Option<usize> = None;
    let mut at = 0;
    while at < words.len() {
        let mark = words[at].punctuation;
        at += 1;
        match mark {
            Punctuation::None => continue,
            Punctuation::OpenBracket => opened = Some(at - 1),
            Punctuation::CloseBracket => opened = None,
            _ => {}
        }
        let inside = opened.is_some_and(|open| at - open < LONG_BRACKET);
        if !mark.parts_clauses() || inside {
            continue;
        }
        while at < words.len() && closes(words[at].punctuation) {
            at += 1;
        }
        ends.push(at);
    }
    if ends.last() != Some(&words.len()) {
        ends.push(words.len());
    }
    ends
}

/// True when the last mark of the clause ends a sentence.
fn ends_sentence(clause: &[Word]) -> bool {
    clause
        .iter()
        .rev()
        .map(|word| word.punctuation)
        .take_while(|mark| *mark != Punctuation::None)
        .any(Punctuation::ends_sentence)
}

/// True when the words hold something that happens or is said.
pub(crate) fn carries_predicate(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let modifies = words.get(at + 1).is_some_and(|next| next.tag == Tag::De);
        let predicate = match word.tag {
            Tag::Verb => word.trigger().is_some() || word.is(List::Speech) || !word.is(List::Stop),
            Tag::VerbalNoun | Tag::Noun | Tag::Idiom => word.trigger().is_some(),
            Tag::Adjective => at > 0 && at + 2 >= words.len(),
            // 净利润为2.3亿元.
            Tag::Preposition => {
                word.is(List::Amount)
                    && words
                        .get(at + 1)
                        .is_some_and(|next| next.tag == Tag::Number)
            }
            _ => false,
        };
        predicate && !modifies
    })
}

/// One word or two before a mark that only introduce: 但是， 其中， 同时，
fn is_introduction(words: &[Word]) -> bool {
    let said = words
        .iter()
        .filter(|word| word.punctuation == Punctuation::None)
        .count();
    said <= 2 && !words.iter().any(|word| word.tag == Tag::Verb)
}
