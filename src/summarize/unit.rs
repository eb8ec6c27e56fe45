//! What a summary is made of: EDUs, clauses or sentences.

use std::ops::Range;

use crate::named::named_enum;
use crate::text::Analysis;
use crate::text::words::Punctuation;

named_enum! {
    /// What is chosen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum UnitKind {
        /// Elementary discourse units.
        Edu = "edu",
        /// EDUs up to the next mark between clauses.
        Clause = "clause",
        /// EDUs up to the end of their sentence.
        Sentence = "sentence",
    }
}

/// Neighbouring EDUs of one block that are chosen together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its EDUs, counted through the text.
    pub edus: Range<usize>,
    /// Its words.
    pub words: Range<usize>,
    /// The block it lies in.
    pub block: usize,
    /// True for the first unit of its block.
    pub opens_block: bool,
}

/// The units of a text, in text order; together they cover all EDUs.
pub fn units(analysis: &Analysis, kind: UnitKind) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open = false;
    for (at, edu) in analysis.edus.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| analysis.edus.get(at));
        let same_block = before.is_some_and(|before| before.block == edu.block);
        let goes_on = same_block
            && match kind {
                UnitKind::Edu => false,
                UnitKind::Clause => open,
                UnitKind::Sentence => before.is_some_and(|before| before.sentence == edu.sentence),
            };
        match units.last_mut() {
            Some(unit) if goes_on => {
                unit.edus.end = at + 1;
                unit.words.end = edu.words.end;
            }
            _ => units.push(Unit {
                edus: at..at + 1,
                words: edu.words.clone(),
                block: edu.block,
                opens_block: !same_block,
            }),
        }
        open = !ends_clause(analysis, &edu.words);
    }
    units
}

/// True when the words end with a mark that parts clauses, whatever closes behind it.
fn ends_clause(analysis: &Analysis, words: &Range<usize>) -> bool {
    let words = analysis.words.get(words.clone()).unwrap_or_default();
    let marks = words.iter().rev().map(|word| word.punctuation);
    marks
        .take_while(|mark| *mark != Punctuation::None)
        .any(Punctuation::parts_clauses)
}

/// How long a summary may be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Length {
    /// At most so many EDUs.
    Edus(usize),
    /// At most this share of the texts' EDUs, in percent.
    Percent(f64),
    /// At most so many words, marks not counted.
    Words(usize),
}

impl std::str::FromStr for Length {
    type Err = String;

    /// `10`, `5%` or `300w`.
    fn from_str(text: &str) -> Result<Length, String> {
        const EXPECTED: &str =
            "write a number of EDUs (10), a share (5%) or a number of words (300w)";
        let whole = |digits: &str| match digits.trim().parse::<usize>() {
            Ok(0) | Err(_) => Err(EXPECTED.to_owned()),
            Ok(number) => Ok(number),
        };
        match text.trim().strip_suffix('%') {
            Some(share) => match share.trim().parse::<f64>() {
                Ok(share) if share > 0.0 && share <= 100.0 => Ok(Length::Percent(share)),
                _ => Err("a share lies above 0% and goes up to 100%".to_owned()),
            },
            None => match text.trim().strip_suffix('w') {
                Some(words) => whole(words).map(Length::Words),
                None => whole(text).map(Length::Edus),
            },
        }
    }
}

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Length::Edus(edus) => write!(f, "{edus}"),
            Length::Percent(share) => write!(f, "{share}%"),
            Length::Words(words) => write!(f, "{words}w"),
        }
    }
}

/// What is left of a length. The first line is always taken: a summary says at least something.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    in_words: bool,
    limit: usize,
    spent: usize,
    is_untouched: bool,
}

impl Budget {
    /// The budget over texts with `edus` EDUs in all.
    pub(super) fn new(length: Length, edus: usize) -> Budget {
        let (in_words, limit) = match length {
            Length::Edus(edus) => (false, edus.max(1)),
            Length::Percent(share) => {
                let share = edus as f64 * share.clamp(0.0, 100.0) / 100.0;
                (false, (share.round() as usize).max(1))
            }
            Length::Words(words) => (true, words.max(1)),
        };
        Budget {
            in_words,
            limit,
            spent: 0,
            is_untouched: true,
        }
    }

    /// True when so much can still be taken.
    pub(super) fn fits(&self, edus: usize, words: usize) -> bool {
        self.has_room(edus, words) || self.is_untouched
    }

    /// True when so much lies within the length.
    pub(super) fn has_room(&self, edus: usize, words: usize) -> bool {
        self.spent + self.cost(edus, words) <= self.limit
    }

    /// True when nine tenths are spent.
    pub(super) fn is_nearly_spent(&self) -> bool {
        10 * self.spent >= 9 * self.limit
    }

    /// True when the first line was longer than the length.
    pub(super) fn is_overspent(&self) -> bool {
        self.spent > self.limit
    }

    /// Takes it.
    pub(super) fn take(&mut self, edus: usize, words: usize) {
        self.spent += self.cost(edus, words);
        self.is_untouched = false;
    }

    /// Gives back what was taken.
    pub(super) fn give_back(&mut self, edus: usize, words: usize, is_untouched: bool) {
        self.spent = self.spent.saturating_sub(self.cost(edus, words));
        self.is_untouched = is_untouched;
    }

    /// True when nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.spent >= self.limit
    }

    /// What something costs in the budget's own measure.
    fn cost(&self, edus: usize, words: usize) -> usize {
        if self.in_words { words } else { edus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        assert_eq!("10".parse(), Ok(Length::Edus(10)));
        assert_eq!("5%".parse(), Ok(Length::Percent(5.0)));
        assert_eq!("300w".parse(), Ok(Length::Words(300)));
        for wrong in ["0", "0w", "-3", "120%", "nan%", "许多", ""] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_budget_takes_the_first_line_whatever_its_length() {
        let mut budget = Budget::new(Length::Percent(1.0), 12);
        assert!(budget.fits(3, 40));
        budget.take(3, 40);
        assert!(budget.is_spent() && !budget.fits(1, 1));
    }
}
