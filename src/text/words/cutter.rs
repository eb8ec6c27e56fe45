//! Cutting words: jieba over its own dictionary and the vocabulary of the language and the schema.
//!
//! Loading the whole dictionary takes longer than reading a short text. So a short text is cut by a small
//! jieba that has only the words that can occur in it. Both cut alike: jieba looks at nothing but the words
//! that stand in a piece, and at the total of all frequencies, which [`FILLER`] keeps the same.

use std::borrow::Borrow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use jieba_rs::Jieba;
use rustc_hash::FxHashSet;

use super::known::ByWord;

/// jieba's dictionary (MIT licence), sorted by bytes: a word, its frequency and its tag in each line.
const DICTIONARY: &str = include_str!("../../../schemas/lexicon/jieba.txt");

/// A word that no text has. Its frequency makes all frequencies add up to [`TOTAL`].
const FILLER: &str = "\u{10ffff}";

/// The frequencies of the dictionary add up to 60.1 million; the rest is room for vocabulary.
const TOTAL: usize = 64_000_000;

/// How many bytes are read before the whole dictionary is loaded. A small jieba for this many costs less
/// than a tenth of the whole one.
const SHORT: usize = 6_000;

/// Cuts and tags pieces of text. Built once for a schema, shared by threads.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// Words of the dictionary that fall apart wherever they occur.
    splits: Vec<&'static str>,
    additions: Vec<Addition>,
    added: ByWord<Option<&'static str>>,
    whole: OnceLock<Jieba>,
    /// How many bytes were read by small jiebas.
    read: AtomicUsize,
}

/// A word of the vocabulary, with its tag if the dictionary does not have it.
#[derive(Debug)]
struct Addition {
    word: Box<str>,
    tag: &'static str,
}

impl Cutter {
    /// Makes a word known, with that tag if the dictionary has none for it.
    pub(super) fn add(&mut self, word: &str, tag: &'static str) {
        let known = self.added.of(word);
        if known.is_none() {
            *known = Some(tag);
            self.additions.push(Addition {
                word: word.into(),
                tag,
            });
        }
    }

    /// Makes a word of the dictionary fall apart wherever it occurs.
    pub(super) fn split(&mut self, word: &'static str) {
        self.splits.push(word);
    }

    /// True for words of the dictionary and for added ones.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.tag(word).is_some()
    }

    /// The tag of a word of the dictionary, or of an added one.
    pub(super) fn tag(&self, word: &str) -> Option<&'static str> {
        let added = || self.added.get(word).copied().flatten();
        find(word).map(|line| line.tag).or_else(added)
    }

    /// A jieba that cuts this piece as the whole one does.
    pub(super) fn for_piece(&self, piece: &str) -> impl Borrow<Jieba> {
        let whole = || Lent::Whole(self.whole.get_or_init(|| self.load_whole()));
        if self.whole.get().is_some() {
            return whole();
        }
        let read = self.read.fetch_add(piece.len(), Ordering::Relaxed);
        if read.saturating_add(piece.len()) > SHORT {
            whole()
        } else {
            Lent::Small(Box::new(self.load_for(piece)))
        }
    }

    fn load_whole(&self) -> Jieba {
        self.load(lines(DICTIONARY), |_| true)
    }

    /// A jieba with the words whose characters all occur in the piece.
    fn load_for(&self, piece: &str) -> Jieba {
        let characters: FxHashSet<char> = piece.chars().collect();
        let may_occur = |word: &str| word.chars().all(|c| characters.contains(&c));
        let mut sorted: Vec<char> = characters.iter().copied().collect();
        sorted.sort_unstable();
        let lines = sorted.into_iter().map(beginning_with).flat_map(lines);
        self.load(lines.filter(|line| may_occur(line.word)), may_occur)
    }

    /// A jieba with these lines of the dictionary and the vocabulary that is wanted.
    fn load(&self, lines: impl Iterator<Item = Line>, wanted: impl Fn(&str) -> bool) -> Jieba {
        let mut jieba = Jieba::empty();
        let mut total = 0;
        for line in lines {
            jieba.add_word(line.word, Some(line.frequency), Some(line.tag));
            total += line.frequency;
        }
        for word in self.splits.iter().filter(|word| wanted(word)) {
            // A word that never occurs is never chosen.
            jieba.add_word(word, Some(0), None);
            total -= find(word).map_or(0, |line| line.frequency);
        }
        fill(&mut jieba, total);
        for Addition { word, tag } in &self.additions {
            if wanted(word) && !jieba.has_word(word) {
                total += jieba.add_word(word, None, Some(tag));
                fill(&mut jieba, total);
            }
        }
        jieba
    }
}

/// Makes all frequencies add up to [`TOTAL`], so that it does not matter which words are loaded.
fn fill(jieba: &mut Jieba, total: usize) {
    jieba.add_word(FILLER, Some(TOTAL.saturating_sub(total)), None);
}

/// A jieba that is shared or made for one piece.
enum Lent<'c> {
    Whole(&'c Jieba),
    Small(Box<Jieba>),
}

impl Borrow<Jieba> for Lent<'_> {
    fn borrow(&self) -> &Jieba {
        match self {
            Lent::Whole(jieba) => jieba,
            Lent::Small(jieba) => jieba,
        }
    }
}

/// A line of the dictionary.
struct Line {
    word: &'static str,
    frequency: usize,
    tag: &'static str,
}

fn lines(part: &'static str) -> impl Iterator<Item = Line> {
    part.lines().filter_map(parse_line)
}

fn parse_line(line: &'static str) -> Option<Line> {
    let (word, rest) = line.split_once(' ')?;
    let (frequency, tag) = rest.split_once(' ')?;
    Some(Line {
        word,
        frequency: frequency.parse().ok()?,
        tag,
    })
}

/// The line of a word.
fn find(word: &str) -> Option<Line> {
    let at = first_line(|line| line.split(' ').next().unwrap_or(line) < word);
    let line = DICTIONARY.get(at..)?.lines().next().and_then(parse_line);
    line.filter(|line| line.word == word)
}

/// The lines whose words begin with a character.
fn beginning_with(first: char) -> &'static str {
    let begin = first_line(|line| line.chars().next().is_some_and(|c| c < first));
    let end = first_line(|line| line.chars().next().is_some_and(|c| c <= first));
    DICTIONARY.get(begin..end).unwrap_or_default()
}

/// Where the first line begins that does not come before what is looked for.
fn first_line(comes_before: impl Fn(&str) -> bool) -> usize {
    let bytes = DICTIONARY.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &bytes[low..middle]).map_or(low, |at| low + at + 1);
        let end = memchr::memchr(b'\n', &bytes[middle..]).map_or(bytes.len(), |at| middle + at);
        if comes_before(DICTIONARY.get(start..end).unwrap_or_default()) {
            low = (end + 1).min(bytes.len());
        } else {
            high = start;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cutter() -> Cutter {
        let mut cutter = Cutter::default();
        cutter.add("净利润", "n");
        cutter.add("净利润率", "n");
        cutter.add("降准", "v");
        cutter.split("发生爆炸");
        cutter
    }

    #[test]
    fn the_dictionary_is_sorted_and_every_line_is_read() {
        let words: Vec<&str> = lines(DICTIONARY).map(|line| line.word).collect();
        assert_eq!(words.len(), DICTIONARY.lines().count());
        assert!(words.is_sorted());
        assert!(words.len() > 300_000);
    }

    #[test]
    fn words_are_found_by_themselves_and_by_their_first_character() {
        assert_eq!(find("因为").map(|line| line.tag), Some("c"));
        assert!(find("因").is_some());
        assert!(find("因为下").is_none());
        let lines: Vec<&str> = lines(beginning_with('齉')).map(|line| line.word).collect();
        assert!(lines.iter().all(|word| word.starts_with('齉')), "{lines:?}");
        assert_eq!(beginning_with('\u{0}'), "");
        assert_eq!(beginning_with('\u{10ffff}'), "");
    }

    #[test]
    fn a_small_jieba_cuts_as_the_whole_one() {
        let cutter = cutter();
        let whole = cutter.load_whole();
        for text in [
            "",
            "因为下雨，比赛取消了。",
            "央行宣布降准，公司净利润率升至12.5%，净利润大增。",
            "化工厂昨夜发生爆炸，消防队员连夜赶赴现场。",
            "魏特勒夫在Café遇见了莎拉•李，4S店 2024年\t\u{3000}关门😀。",
            "\u{10ffff}",
        ] {
            let small = cutter.load_for(text);
            assert_eq!(small.cut(text, true), whole.cut(text, true), "{text}");
            assert_eq!(small.tag(text, true), whole.tag(text, true), "{text}");
        }
    }

    #[test]
    fn vocabulary_is_known_and_split_words_fall_apart() {
        let cutter = cutter();
        assert!(cutter.has_word("净利润率") && cutter.has_word("因为"));
        assert!(!cutter.has_word("净利润率升"));
        assert_eq!(cutter.tag("降准"), Some("v"));
        let text = "净利润率下降，工厂发生爆炸";
        let jieba = cutter.load_for(text);
        let words: Vec<&str> = jieba.cut(text, true).iter().map(|t| t.word).collect();
        assert!(words.contains(&"净利润率"), "{words:?}");
        assert!(
            words.contains(&"发生") && words.contains(&"爆炸"),
            "{words:?}"
        );
    }

    #[test]
    fn the_whole_dictionary_is_loaded_once_texts_get_long() {
        let cutter = cutter();
        let _ = cutter.for_piece("因为下雨");
        assert!(cutter.whole.get().is_none());
        let _ = cutter.for_piece(&"因为下雨".repeat(SHORT));
        assert!(cutter.whole.get().is_some());
    }
}
