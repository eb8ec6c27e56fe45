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

/// How long a summary is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Length {
    /// What a reader expects: a fifth of the text's characters, at most [`READERS_MOST`] a text and
    /// [`READERS_MOST_IN_ALL`] of several; ten EDUs where the paper is followed as printed.
    #[default]
    Usual,
    /// So many EDUs.
    Edus(usize),
    /// This share of the texts' EDUs, in percent.
    Percent(f64),
    /// So many words, marks not counted.
    Words(usize),
    /// So many characters, marks counted and white space not.
    Characters(usize),
}

/// A reader wants a fifth of a text, and no more characters than these.
pub const READERS_MOST: usize = 200;
/// And no more than these of several texts.
pub const READERS_MOST_IN_ALL: usize = 600;
/// One character of so many.
const READERS_SHARE: usize = 5;
/// The paper's summaries have ten EDUs.
const PRINTED_EDUS: usize = 10;

impl std::str::FromStr for Length {
    type Err = String;

    /// `auto`, `10`, `5%`, `300w`, `300c` or `300字`.
    fn from_str(text: &str) -> Result<Length, String> {
        const EXPECTED: &str = "write a number of EDUs (10), a share (5%), a number of words (300w) or of characters (300c, 300字), or `auto`";
        let whole = |digits: &str| match digits.trim().parse::<usize>() {
            Ok(0) | Err(_) => Err(EXPECTED.to_owned()),
            Ok(number) => Ok(number),
        };
        let text = text.trim();
        if text == USUAL {
            return Ok(Length::Usual);
        }
        if let Some(share) = text.strip_suffix('%') {
            return match share.trim().parse::<f64>() {
                Ok(share) if share > 0.0 && share <= 100.0 => Ok(Length::Percent(share)),
                _ => Err("a share lies above 0% and goes up to 100%".to_owned()),
            };
        }
        if let Some(words) = text.strip_suffix('w') {
            return whole(words).map(Length::Words);
        }
        match text.strip_suffix(['c', '字']) {
            Some(characters) => whole(characters).map(Length::Characters),
            None => whole(text).map(Length::Edus),
        }
    }
}

/// How the usual length is written.
const USUAL: &str = "auto";

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Length::Usual => write!(f, "{USUAL}"),
            Length::Edus(edus) => write!(f, "{edus}"),
            Length::Percent(share) => write!(f, "{share}%"),
            Length::Words(words) => write!(f, "{words}w"),
            Length::Characters(characters) => write!(f, "{characters}c"),
        }
    }
}

named_enum! {
    /// How a summary keeps to its length.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Fit {
        /// It is never longer; what is too long is skipped for what fits. Only a first unit may be longer.
        AtMost = "at-most",
        /// It ends with the unit that brings it nearest to the length, and skips none.
        Nearest = "nearest",
    }
}

/// How much something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Size {
    pub(super) edus: usize,
    /// Marks not counted.
    pub(super) words: usize,
    /// White space not counted.
    pub(super) characters: usize,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.edus += other.edus;
        self.words += other.words;
        self.characters += other.characters;
    }
}

/// What is left of a length. The first line is always taken: a summary says at least something.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    measure: fn(Size) -> usize,
    limit: usize,
    spent: usize,
    is_untouched: bool,
}

impl Budget {
    /// The budget over `texts` texts that are `whole` together.
    pub(super) fn new(length: Length, is_printed: bool, whole: Size, texts: usize) -> Budget {
        let (measure, limit): (fn(Size) -> usize, usize) = match length {
            Length::Usual if is_printed => (|size| size.edus, PRINTED_EDUS),
            Length::Usual => {
                let most = READERS_MOST.saturating_mul(texts).min(match texts {
                    1 => READERS_MOST,
                    _ => READERS_MOST_IN_ALL,
                });
                let share = whole.characters / READERS_SHARE;
                (|size| size.characters, share.min(most))
            }
            Length::Edus(edus) => (|size| size.edus, edus),
            Length::Percent(share) => {
                let share = whole.edus as f64 * share.clamp(0.0, 100.0) / 100.0;
                (|size| size.edus, share.round() as usize)
            }
            Length::Words(words) => (|size| size.words, words),
            Length::Characters(characters) => (|size| size.characters, characters),
        };
        Budget {
            measure,
            limit: limit.max(1),
            spent: 0,
            is_untouched: true,
        }
    }

    /// True when so much can still be taken.
    pub(super) fn fits(&self, size: Size) -> bool {
        self.is_untouched || self.spent + (self.measure)(size) <= self.limit
    }

    /// True when taking it brings what is spent nearer to the length.
    pub(super) fn brings_nearer(&self, size: Size) -> bool {
        let cost = (self.measure)(size);
        self.is_untouched || 2 * self.spent + cost <= 2 * self.limit
    }

    /// Takes it.
    pub(super) fn take(&mut self, size: Size) {
        self.spent += (self.measure)(size);
        self.is_untouched = false;
    }

    /// Gives back what was taken.
    pub(super) fn give_back(&mut self, size: Size, is_untouched: bool) {
        self.spent = self.spent.saturating_sub((self.measure)(size));
        self.is_untouched = is_untouched;
    }

    /// True when nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.spent >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn size(edus: usize, words: usize, characters: usize) -> Size {
        Size {
            edus,
            words,
            characters,
        }
    }

    #[test]
    fn lengths_are_read_as_people_write_them() {
        assert_eq!("10".parse(), Ok(Length::Edus(10)));
        assert_eq!("5%".parse(), Ok(Length::Percent(5.0)));
        assert_eq!("300w".parse(), Ok(Length::Words(300)));
        assert_eq!("300c".parse(), Ok(Length::Characters(300)));
        assert_eq!("300字".parse(), Ok(Length::Characters(300)));
        assert_eq!("auto".parse(), Ok(Length::Usual));
        for wrong in ["0", "0w", "-3", "120%", "nan%", "许多", "", "字", "c"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_budget_takes_the_first_line_whatever_its_length() {
        let whole = size(12, 200, 400);
        let mut budget = Budget::new(Length::Percent(1.0), false, whole, 1);
        assert!(budget.fits(size(3, 40, 80)) && budget.brings_nearer(size(3, 40, 80)));
        budget.take(size(3, 40, 80));
        assert!(budget.is_spent() && !budget.fits(size(1, 1, 1)));
    }

    #[test]
    fn the_nearest_unit_ends_a_summary() {
        let mut budget = Budget::new(Length::Characters(100), false, Size::default(), 1);
        budget.take(size(1, 30, 70));
        assert!(
            budget.brings_nearer(size(1, 30, 60)),
            "130 is as near as 70"
        );
        assert!(!budget.brings_nearer(size(1, 30, 61)));
        assert!(!budget.fits(size(1, 30, 60)));
    }

    #[test]
    fn the_usual_length_is_a_fifth_and_no_more_than_a_reader_wants() {
        let limit = |characters, texts| {
            Budget::new(Length::Usual, false, size(9, 9, characters), texts).limit
        };
        assert_eq!((limit(500, 1), limit(5000, 1)), (100, 200));
        assert_eq!((limit(5000, 2), limit(90_000, 40)), (400, 600));
        assert_eq!(
            Budget::new(Length::Usual, true, size(99, 9, 9), 1).limit,
            10
        );
    }
}
