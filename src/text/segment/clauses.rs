//! Profiles that cut at the marks between clauses.

use super::super::document::BlockKind;
use super::super::words::{List, Punctuation, Tag, Word};
use super::{Segmenter, closes};

/// Cuts at clause marks, under a declared condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseProfile {
    /// The paper's scan by components: every EDU carries a predicate; what carries none goes with
    /// the clause it introduces (2019年9月1日，) or ends (，共12人。).
    Finance,
    /// Domain-free: every clause mark cuts, but for one word or two of introduction (但是，).
    General,
}

impl Segmenter for ClauseProfile {
    fn starts(&self, _text: &str, words: &[Word], kind: BlockKind) -> Vec<usize> {
        if matches!(kind, BlockKind::Heading(_)) && *self == ClauseProfile::Finance {
            return vec![0];
        }
        let mut starts = vec![0];
        let mut begin = 0;
        let ends = clause_ends(words);
        for (number, &end) in ends.iter().enumerate() {
            if end >= words.len() {
                break;
            }
            let next_end = ends.get(number + 1).copied().unwrap_or(words.len());
            let cut = ends_sentence(words, begin, end)
                || match self {
                    ClauseProfile::Finance => {
                        carries_predicate(&words[begin..end])
                            && rest_carries(words, end, &ends[number + 1..])
                            && carries_soon(words, end, next_end)
                    }
                    ClauseProfile::General => !is_introduction(&words[begin..end]),
                };
            if cut {
                starts.push(end);
                begin = end;
            }
        }
        starts
    }
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
        match mark {
            Punctuation::OpenBracket => opened = Some(at),
            Punctuation::CloseBracket => opened = None,
            _ => {}
        }
        at += 1;
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

/// True when the last mark of the stretch ends a sentence.
fn ends_sentence(words: &[Word], begin: usize, end: usize) -> bool {
    words[begin..end]
        .iter()
        .rev()
        .map(|word| word.punctuation)
        .take_while(|mark| *mark != Punctuation::None)
        .any(Punctuation::ends_sentence)
}

/// True when one of the clauses up to the end of the sentence carries a predicate.
fn rest_carries(words: &[Word], from: usize, ends: &[usize]) -> bool {
    let mut begin = from;
    for &end in ends {
        if carries_predicate(&words[begin..end]) {
            return true;
        }
        if ends_sentence(words, begin, end) {
            return false;
        }
        begin = end;
    }
    false
}

/// True when the next clause carries a predicate or introduces one: not a mere addition.
fn carries_soon(words: &[Word], from: usize, to: usize) -> bool {
    carries_predicate(&words[from..to]) || !ends_sentence(words, from, to)
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
