//! What the reader of claims knows of words (`schemas/lexicon/claims.toml`).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::text::chinese::WordSet;

const SHIPPED: &str = include_str!("../../schemas/lexicon/claims.toml");

/// Opposites, units and word lists.
#[derive(Debug, Default)]
pub(super) struct ClaimLexicon {
    /// The sides that each word stands on: pair and side.
    sides: FxHashMap<String, Vec<(usize, bool)>>,
    /// Units, the longest first, each with the first of its kind.
    units: Vec<(String, String)>,
    pub(super) lists: ClaimLists,
}

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    opposites: Opposites,
    units: Units,
    list: ClaimLists,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opposites {
    pairs: Vec<[Vec<String>; 2]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Units {
    same: Vec<Vec<String>>,
}

/// The word lists. The file says of each what it is for.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ClaimLists {
    pub(super) denying: WordSet,
    pub(super) not_denying: WordSet,
    pub(super) planned: WordSet,
    pub(super) phase: WordSet,
    pub(super) generic: WordSet,
    pub(super) changing: WordSet,
    pub(super) updating: Ends,
    pub(super) at_least: Ends,
    pub(super) more: Ends,
    pub(super) at_most: Ends,
    pub(super) about: Ends,
}

/// Words that are looked for right before or behind something.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ends {
    words: Vec<String>,
}

impl Ends {
    /// True when one of them closes the text.
    pub(super) fn closes(&self, text: &str) -> bool {
        self.words.iter().any(|word| text.ends_with(word.as_str()))
    }

    /// True when one of them opens the text.
    pub(super) fn opens(&self, text: &str) -> bool {
        self.opening(text) > 0
    }

    /// The bytes of the one that opens the text.
    pub(super) fn opening(&self, text: &str) -> usize {
        let mut all = self.words.iter();
        let found = all.find(|word| text.starts_with(word.as_str()));
        found.map_or(0, String::len)
    }
}

impl ClaimLexicon {
    fn of(written: Written) -> ClaimLexicon {
        let mut sides: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for (pair, both) in written.opposites.pairs.into_iter().enumerate() {
            for (words, side) in both.into_iter().zip([false, true]) {
                for word in words {
                    sides.entry(word).or_default().push((pair, side));
                }
            }
        }
        let mut units = Vec::new();
        for kind in written.units.same {
            let Some(first) = kind.first().cloned() else {
                continue;
            };
            units.extend(kind.into_iter().map(|unit| (unit, first.clone())));
        }
        units.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.0.cmp(&b.0)));
        ClaimLexicon {
            sides,
            units,
            lists: written.list,
        }
    }

    /// The unit that a text begins with, by the first of its kind, and its bytes.
    pub(super) fn unit(&self, text: &str) -> Option<(&str, usize)> {
        let mut all = self.units.iter();
        let (unit, first) = all.find(|(unit, _)| text.starts_with(unit.as_str()))?;
        Some((first, unit.len()))
    }

    /// True when two states cannot both hold.
    pub(super) fn are_opposite(&self, left: &str, right: &str) -> bool {
        let (Some(left), Some(right)) = (self.sides.get(left), self.sides.get(right)) else {
            return false;
        };
        left.iter()
            .any(|(pair, side)| right.contains(&(*pair, !side)) && !right.contains(&(*pair, *side)))
    }

    /// True for words that have an opposite.
    pub(super) fn has_opposite(&self, word: &str) -> bool {
        self.sides.contains_key(word)
    }

    /// True when two words say the same of something: they stand on one side.
    pub(super) fn are_alike(&self, left: &str, right: &str) -> bool {
        if left == right {
            return true;
        }
        let (Some(left), Some(right)) = (self.sides.get(left), self.sides.get(right)) else {
            return false;
        };
        left.iter().any(|side| right.contains(side))
    }
}

/// The shipped lists, read once a process. A test sees to it that they can be read.
pub(super) fn shipped() -> &'static ClaimLexicon {
    static LEXICON: LazyLock<ClaimLexicon> =
        LazyLock::new(|| ClaimLexicon::of(toml::from_str(SHIPPED).unwrap_or_default()));
    &LEXICON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lists_can_be_read() {
        let written: Result<Written, _> = toml::from_str(SHIPPED);
        assert!(written.is_ok(), "{written:?}");
        let lexicon = shipped();
        assert!(lexicon.are_opposite("批准", "否决") && lexicon.are_opposite("下跌", "上涨"));
        assert!(!lexicon.are_opposite("批准", "核准") && lexicon.are_alike("批准", "核准"));
        assert_eq!(lexicon.unit("个百分点"), Some(("%", "个百分点".len())));
    }
}
