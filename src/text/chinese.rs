//! What the reader knows about Chinese words, whatever the domain (`schemas/lexicon/chinese.toml`).

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

const SHIPPED: &str = include_str!("../../schemas/lexicon/chinese.toml");

/// The shipped lexicon, read once a process. A test sees to it that it can be read.
pub(crate) fn chinese() -> &'static Chinese {
    static CHINESE: LazyLock<Chinese> =
        LazyLock::new(|| toml::from_str(SHIPPED).unwrap_or_default());
    &CHINESE
}

/// All that the file says.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Chinese {
    /// `[tag.X]`: words with the tag they get, by jieba's name of the tag.
    #[serde(rename = "tag", deserialize_with = "in_file_order")]
    pub(super) tags: Vec<(String, Words)>,
    /// `[split]`: words of jieba's dictionary that hold two words.
    pub(super) split: Words,
    /// `[list.X]`: lists that words are marked with where they are read.
    #[serde(rename = "list", deserialize_with = "in_file_order")]
    pub(super) lists: Vec<(String, Words)>,
    /// `[class.X]`: words that count by their spelling alone.
    #[serde(rename = "class")]
    pub(crate) classes: Classes,
    /// `[time.X]`: the vocabulary of time expressions.
    pub(super) time: TimeWords,
    /// `[tail.X]`: classes of final words.
    #[serde(rename = "tail", deserialize_with = "in_file_order")]
    pub(super) tails: Vec<(String, Words)>,
}

/// Words in the order of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub(super) words: Vec<String>,
}

/// Words that count by their spelling alone, whatever their tag. The file says of each class what it
/// is for, with an example.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Classes {
    pub(crate) negation: WordSet,
    pub(crate) passive: WordSet,
    pub(crate) agent_marker: WordSet,
    pub(crate) disposal: WordSet,
    pub(crate) beneficiary: WordSet,
    pub(crate) lead_in: WordSet,
    pub(crate) before_predicate: WordSet,
    pub(crate) starting_point: WordSet,
    pub(crate) comparison: WordSet,
    pub(crate) basis: WordSet,
    pub(crate) limit: WordSet,
    pub(crate) limit_denied: WordSet,
    pub(crate) prevention: WordSet,
    pub(crate) receipt: WordSet,
    pub(crate) behind_event: WordSet,
    pub(crate) kind_of_event: WordSet,
    pub(crate) noun_joiner: WordSet,
    pub(crate) noun_opener: WordSet,
    pub(crate) phrase_joiner: WordSet,
    pub(crate) verbal_adverb: WordSet,
    pub(crate) sure_adverb: WordSet,
    pub(crate) demonstrative: WordSet,
    pub(crate) counter: WordSet,
    pub(crate) stands_alone: WordSet,
    pub(crate) object_pronoun: WordSet,
    pub(crate) between_places: WordSet,
    pub(crate) list_ending: WordSet,
    pub(crate) manner: WordSet,
    pub(crate) issue: WordSet,
    pub(crate) within: WordSet,
    pub(crate) occasion: WordSet,
    pub(crate) holding: WordSet,
    pub(crate) copula: WordSet,
    pub(crate) source: WordSet,
    pub(crate) origin: WordSet,
    pub(crate) doer_marker: WordSet,
    pub(crate) dateline: WordSet,
    pub(super) result: WordSet,
    pub(super) no_verb: WordSet,
    pub(super) cut_behind: WordSet,
    pub(super) cut_before: WordSet,
    pub(super) before_any_word: WordSet,
    pub(super) before_time: WordSet,
    pub(super) before_state: WordSet,
    pub(super) number_ending: WordSet,
    pub(super) percent_ending: WordSet,
    pub(super) money_ending: WordSet,
    pub(super) abbreviation: WordSet,
}

/// The vocabulary of time expressions. The file says of each list what it is for, with an example.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct TimeWords {
    pub(super) vague: PrefixSet,
    pub(super) festival: PrefixSet,
    pub(super) holiday: PrefixSet,
    pub(super) around_festival: PrefixSet,
    pub(super) forenoon: PrefixSet,
    pub(super) afternoon: PrefixSet,
    pub(super) inside_word: CutWords,
    pub(super) behind_part_of_day: PrefixSet,
    pub(super) behind_points: PrefixSet,
    pub(super) behind_count: PrefixSet,
}

impl TimeWords {
    /// The words that can begin an expression.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = &str> {
        let lists = [
            &self.vague,
            &self.festival,
            &self.holiday,
            &self.forenoon,
            &self.afternoon,
        ];
        lists.into_iter().flat_map(PrefixSet::words)
    }
}

/// Words that are asked for by their whole spelling.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WordSet {
    words: FxHashSet<String>,
}

impl WordSet {
    /// True when it holds the word.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

/// Words that are looked for where a text begins.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Words")]
pub(super) struct PrefixSet {
    /// By their first characters, longer words before shorter ones.
    by_first: FxHashMap<char, Vec<String>>,
}

impl From<Words> for PrefixSet {
    fn from(list: Words) -> PrefixSet {
        let mut by_first: FxHashMap<char, Vec<String>> = FxHashMap::default();
        for word in list.words {
            if let Some(first) = word.chars().next() {
                by_first.entry(first).or_default().push(word);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each entry is sorted by itself")]
        for words in by_first.values_mut() {
            words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        }
        PrefixSet { by_first }
    }
}

impl PrefixSet {
    /// The longest word that the text begins with.
    pub(super) fn longest_at_start_of(&self, text: &str) -> Option<&str> {
        let words = self.by_first.get(&text.chars().next()?)?;
        let found = words.iter().find(|word| text.starts_with(word.as_str()));
        found.map(String::as_str)
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.by_first.values().flatten().map(String::as_str)
    }
}

/// Words that are written with a bar where something else seems to end: 年|期.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Words")]
pub(super) struct CutWords {
    /// What stands before and behind the bar, by the last character before it.
    by_last: FxHashMap<char, Vec<(String, String)>>,
}

impl From<Words> for CutWords {
    fn from(list: Words) -> CutWords {
        let mut by_last: FxHashMap<char, Vec<(String, String)>> = FxHashMap::default();
        for word in &list.words {
            let parts = word.split_once('|');
            if let Some((before, behind)) = parts
                && let Some(last) = before.chars().next_back()
            {
                let parts = (before.to_owned(), behind.to_owned());
                by_last.entry(last).or_default().push(parts);
            }
        }
        CutWords { by_last }
    }
}

impl CutWords {
    /// True when the end of one text and the beginning of the next make one of the words.
    pub(super) fn has_across(&self, before: &str, behind: &str) -> bool {
        let last = before.chars().next_back();
        let words = last.and_then(|last| self.by_last.get(&last));
        words.into_iter().flatten().any(|(end, begin)| {
            before.ends_with(end.as_str()) && behind.starts_with(begin.as_str())
        })
    }
}

/// Tables in the order of the file, with their names.
fn in_file_order<'de, D>(deserializer: D) -> Result<Vec<(String, Words)>, D::Error>
where
    D: Deserializer<'de>,
{
    struct InOrder;
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, Words)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("tables of words")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut tables = Vec::new();
            while let Some(table) = map.next_entry()? {
                tables.push(table);
            }
            Ok(tables)
        }
    }
    deserializer.deserialize_map(InOrder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lexicon_can_be_read() {
        let lexicon: Result<Chinese, _> = toml::from_str(SHIPPED);
        assert!(lexicon.is_ok(), "{lexicon:?}");
        assert!(chinese().classes.negation.has("尚未"));
    }

    #[test]
    fn words_that_hold_a_time_are_written_with_a_bar() {
        let words: Vec<String> = ["年|期", "日|本政府"].map(str::to_owned).into();
        let words = CutWords::from(Words { words });
        assert!(words.has_across("10年", "期国债"));
        assert!(words.has_across("今日", "本政府宣布"));
        assert!(!words.has_across("10年", "国债"));
        let lexicon: toml::Table = toml::from_str(SHIPPED).unwrap_or_default();
        let written = lexicon["time"]["inside-word"]["words"].as_array().cloned();
        for word in written.unwrap_or_default() {
            let word = word.as_str().unwrap_or_default();
            assert!(word.split('|').count() == 2, "{word}");
        }
    }

    #[test]
    fn the_longest_word_at_the_start_counts() {
        let words: Vec<String> = ["近年", "近年来"].map(str::to_owned).into();
        let words = PrefixSet::from(Words { words });
        assert_eq!(words.longest_at_start_of("近年来，出口"), Some("近年来"));
        assert_eq!(words.longest_at_start_of("近年出口"), Some("近年"));
        assert_eq!(words.longest_at_start_of("出口近年"), None);
    }
}
