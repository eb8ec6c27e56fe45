//! The summarizer's own word lists (`schemas/lexicon/summaries.toml`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::text::chinese::WordSet;

const SHIPPED: &str = include_str!("../../schemas/lexicon/summaries.toml");

/// What the summarizer knows about words and relations.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryLexicon {
    /// What a satellite step of a relation costs beyond one, by name or class.
    #[serde(rename = "relation")]
    pub(super) relations: BTreeMap<String, f64>,
    /// The word lists.
    #[serde(rename = "list")]
    pub(super) lists: SummaryLists,
}

/// The word lists. The file says of each what it is for, with an example.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct SummaryLists {
    pub(super) leaning: WordSet,
    pub(super) loose: WordSet,
    pub(super) background: Phrases,
    pub(super) opening: Phrases,
    pub(super) nameless: WordSet,
    pub(super) pointing: WordSet,
    pub(super) demonstrative: Phrases,
    pub(super) quantifier: Phrases,
    pub(super) we: WordSet,
    pub(super) viewpoint: Phrases,
    pub(super) reader: WordSet,
    pub(super) company: WordSet,
    pub(super) period: WordSet,
    pub(super) aspect: WordSet,
    pub(super) counted: Phrases,
    pub(super) setting: WordSet,
    pub(super) label: WordSet,
    pub(super) page: Phrases,
    pub(super) advert: Phrases,
    pub(super) roundup: Phrases,
    pub(super) column: Phrases,
    pub(super) relay: Phrases,
    pub(super) overview: Phrases,
    pub(super) common: WordSet,
}

/// Pieces of text that are looked for inside others.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    words: Vec<String>,
}

impl Phrases {
    /// True when the text begins with one of them.
    pub(super) fn begin(&self, text: &str) -> bool {
        self.words.iter().any(|phrase| text.starts_with(phrase))
    }

    /// True when the text ends with one of them.
    pub(super) fn end(&self, text: &str) -> bool {
        self.words.iter().any(|phrase| text.ends_with(phrase))
    }

    /// True when one of them stands somewhere in the text.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        self.words.iter().any(|phrase| text.contains(phrase))
    }
}

/// The shipped lists, read once a process. A test sees to it that they can be read.
pub(super) fn shipped() -> &'static SummaryLexicon {
    static LEXICON: LazyLock<SummaryLexicon> =
        LazyLock::new(|| toml::from_str(SHIPPED).unwrap_or_default());
    &LEXICON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lists_can_be_read() {
        let lexicon: Result<SummaryLexicon, _> = toml::from_str(SHIPPED);
        assert!(lexicon.is_ok(), "{lexicon:?}");
        assert!(shipped().lists.leaning.has("他"));
        assert!(shipped().lists.counted.begin("两家公司均表示"));
    }
}
