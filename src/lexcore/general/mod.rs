//! The cores of texts of any kind, where no domain says which words count: what happens, what is
//! said and seen, what appears.
//!
//! A clause is read in three steps: what each word does ([`uses`]), which noun phrases stand around
//! the verbs ([`phrases`]), and which words are states ([`states`]) with what takes part in them
//! ([`participants`]). What clauses leave out comes from the clauses before ([`story`]).

mod participants;
mod phrases;
mod states;
mod story;
mod uses;

pub(super) use story::Story;
pub(crate) use story::dateline;

use crate::text::words::Word;
use phrases::Phrase;
use uses::Uses;

/// A clause that has been read.
struct Reading<'a> {
    uses: Uses<'a>,
    phrases: Vec<Phrase>,
    last_verb: Option<usize>,
    /// The last verb that tells something by itself.
    last_plain: Option<usize>,
}

impl<'a> Reading<'a> {
    fn of(words: &'a [Word], text: &'a str) -> Reading<'a> {
        let uses = Uses::of(words, text);
        let phrases = phrases::phrases(&uses);
        let words = 0..words.len();
        Reading {
            last_verb: words.clone().rev().find(|&at| uses.is_verb(at)),
            last_plain: words.rev().find(|&at| uses.is_plain(at)),
            uses,
            phrases,
        }
    }

    /// The phrases that end before the word.
    fn phrases_before(&self, at: usize) -> &[Phrase] {
        let end = self
            .phrases
            .partition_point(|phrase| phrase.words.end <= at);
        &self.phrases[..end]
    }

    /// The phrases that open at the word or behind it.
    fn phrases_from(&self, at: usize) -> &[Phrase] {
        let begin = self.phrases.partition_point(|phrase| phrase.opens < at);
        &self.phrases[begin..]
    }

    /// The phrase that the word stands in, behind its last 的.
    fn phrase_of(&self, at: usize) -> Option<&Phrase> {
        let phrase = self.phrases_before_or_at(at).last()?;
        phrase.words.contains(&at).then_some(phrase)
    }

    fn phrases_before_or_at(&self, at: usize) -> &[Phrase] {
        let end = self.phrases.partition_point(|phrase| phrase.opens <= at);
        &self.phrases[..end]
    }
}
