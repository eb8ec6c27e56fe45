//! What an EDU looks like: its first and last words, its marks.

use std::sync::Arc;

use super::domain::{KINDS, PARTS_OF_SPEECH, PUNCTUATION, index_of};
use super::leaf::Balance;
use crate::text::BlockKind;
use crate::text::segment::note_length;
use crate::text::words::{List, Punctuation, Tag, Word, tail_code};

/// The mark that the words end with, closing quotes and brackets apart where another mark stands
/// before them.
pub(super) fn final_mark(words: &[Word]) -> Punctuation {
    let mut last = Punctuation::None;
    for word in words.iter().rev() {
        let mark = word.punctuation;
        match mark {
            Punctuation::None => break,
            Punctuation::CloseQuote | Punctuation::CloseBracket => {
                if last == Punctuation::None {
                    last = mark;
                }
            }
            mark => return mark,
        }
    }
    last
}

/// The last word that is no mark.
fn last_word(words: &[Word]) -> Option<&Word> {
    words.iter().rev().find(|word| word.tag != Tag::Sign)
}

/// The first words that are no marks.
fn first_words(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.tag != Tag::Sign)
}

/// True when the last word says something: 他表示，
pub(super) fn ends_in_speech(words: &[Word]) -> bool {
    last_word(words).is_some_and(|word| word.is(List::Speech))
}

/// The class of the last word. Two short words may make one tail: 情况 + 下 counts as 下.
pub(super) fn tail(words: &[Word], text: &str) -> u8 {
    let Some(last) = last_word(words) else {
        return 0;
    };
    let word = last.text(text);
    let whole = tail_code(word);
    if whole != 0 {
        return whole;
    }
    // jieba joins 疫情 + 期间 or keeps 来看 apart; the end of a longer word tells as well.
    let mut ends = word.char_indices().map(|(at, _)| at).skip(1);
    ends.find_map(|at| {
        let end = word.get(at..).unwrap_or_default();
        let code = if end.chars().count() > 1 {
            tail_code(end)
        } else {
            0
        };
        (code != 0).then_some(code)
    })
    .unwrap_or(0)
}

/// How many words a subject may have that a connective stands behind.
const LONGEST_SUBJECT: usize = 5;

/// The cue class that the words begin with, as a number, or else that of the cue behind a short
/// subject; 0 for none.
pub(super) fn first_cue(words: &[Word]) -> u16 {
    match first_words(words).next().map_or(0, cue_number) {
        0 => behind_subject(words).map_or(0, cue_number),
        cue => cue,
    }
}

/// The cue that stands right behind the subject: 公司因此……, 今年的产量则……. A subject is a few words
/// without a verb or a mark, one of which names somebody, something or a time.
fn behind_subject(words: &[Word]) -> Option<&Word> {
    let is_name =
        |word: &Word| word.tag.is_nominal() || matches!(word.tag, Tag::Pronoun | Tag::Time);
    let is_part = |word: &Word| {
        let belongs = matches!(
            word.tag,
            Tag::Number
                | Tag::Measure
                | Tag::Adjective
                | Tag::Distinguisher
                | Tag::De
                | Tag::Locative
        );
        is_name(word) || belongs
    };
    let movable = |word: &Word| word.cue().is_some() && word.is(List::AfterSubject);
    let opening = words.iter().take_while(|word| word.tag == Tag::Sign);
    let words = words.get(opening.count()..)?;
    let at = words.iter().take(LONGEST_SUBJECT + 1).position(movable)?;
    let subject = words.get(..at)?;
    let stands_behind = subject.iter().all(is_part) && subject.iter().any(is_name);
    words.get(at).filter(|_| stands_behind)
}

/// The cue classes among the first words.
pub(super) fn cues(words: &[Word], window: usize) -> Vec<u16> {
    let mut found: Vec<u16> = first_words(words)
        .take(window)
        .map(cue_number)
        .filter(|cue| *cue != 0)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The cue class of a word, as a number; 0 for none.
pub(super) fn cue_number(word: &Word) -> u16 {
    word.cue()
        .and_then(|cue| u16::try_from(cue + 1).ok())
        .unwrap_or(0)
}

/// What the words open with.
pub(super) fn opening(words: &[Word]) -> &'static str {
    let Some(first) = words.first() else {
        return "none";
    };
    match first.punctuation {
        Punctuation::None if first.tag == Tag::Number => "number",
        Punctuation::None => "none",
        Punctuation::OpenQuote => "quote",
        Punctuation::OpenBracket if is_note(words) => "note",
        Punctuation::OpenBracket => "bracket",
        Punctuation::Dash => "dash",
        _ => "mark",
    }
}

/// True for the marks of notes and nothing else: `[1]`, `[2][3]。`
pub(super) fn is_note(words: &[Word]) -> bool {
    let bare = |word: &Word| word.tag == Tag::Sign || word.tag == Tag::Number;
    note_length(words).is_some() && words.iter().all(bare)
}

/// True when the first word stands for something named before: 他, 这, 该.
pub(super) fn begins_with_pronoun(words: &[Word]) -> bool {
    let first = first_words(words).next();
    first.is_some_and(|word| word.tag == Tag::Pronoun || word.is(List::Person))
}

/// The part of speech of the first word, a code.
pub(super) fn first_part_of_speech(words: &[Word]) -> u8 {
    let first = first_words(words).next();
    part_of_speech(first.map_or(Tag::Sign, |word| word.tag))
}

/// The part of speech of the last word, a code.
pub(super) fn final_part_of_speech(words: &[Word]) -> u8 {
    part_of_speech(last_word(words).map_or(Tag::Sign, |word| word.tag))
}

/// The names that treebanks give to brackets: they are marks and no letters.
const NAMED_BRACKETS: [&str; 6] = ["-LSB-", "-RSB-", "-LRB-", "-RRB-", "-LCB-", "-RCB-"];

/// The first letter or digit; marks do not count.
pub(super) fn first_letter(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        if let Some(behind) = NAMED_BRACKETS
            .iter()
            .find_map(|name| rest.strip_prefix(name))
        {
            rest = behind;
            continue;
        }
        let first = rest.chars().next()?;
        let (letter, behind) = rest.split_at_checked(first.len_utf8())?;
        if first.is_alphanumeric() {
            return Some(letter);
        }
        rest = behind;
    }
}

/// The last one.
pub(super) fn last_letter(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        if let Some(before) = NAMED_BRACKETS
            .iter()
            .find_map(|name| rest.strip_suffix(name))
        {
            rest = before;
            continue;
        }
        let last = rest.chars().next_back()?;
        let (before, letter) = rest.split_at_checked(rest.len() - last.len_utf8())?;
        if last.is_alphanumeric() {
            return Some(letter);
        }
        rest = before;
    }
}

/// The first word, as a hash.
pub(super) fn first_word(words: &[Word], text: &str) -> Option<u32> {
    first_words(words).next().map(|word| hash(word.text(text)))
}

/// The first word that names something, as a hash.
pub(super) fn first_noun(words: &[Word], text: &str) -> Option<u32> {
    let noun = words.iter().find(|word| word.tag.is_nominal());
    noun.map(|word| hash(word.text(text)))
}

/// The coarse part of speech of a tag, a code among [`PARTS_OF_SPEECH`].
pub(super) fn part_of_speech(tag: Tag) -> u8 {
    let name = match tag {
        Tag::Noun | Tag::VerbalNoun => "noun",
        Tag::Person
        | Tag::Place
        | Tag::Organisation
        | Tag::Proper
        | Tag::Abbreviation
        | Tag::Latin => "name",
        Tag::Time => "time",
        Tag::Verb => "verb",
        Tag::Adjective | Tag::Distinguisher => "adjective",
        Tag::Adverb => "adverb",
        Tag::Preposition => "preposition",
        Tag::Conjunction => "conjunction",
        Tag::De | Tag::Particle => "particle",
        Tag::Number => "number",
        Tag::Measure => "measure",
        Tag::Pronoun => "pronoun",
        Tag::Locative => "place",
        Tag::Sign => "punctuation",
        Tag::Idiom | Tag::Other => "other",
    };
    index_of(PARTS_OF_SPEECH, name)
}

/// The code of a mark among [`PUNCTUATION`].
pub(super) fn punctuation_code(mark: Punctuation) -> u8 {
    let name = match mark {
        Punctuation::None => "none",
        Punctuation::Enumeration => "enumeration",
        Punctuation::Comma => "comma",
        Punctuation::Semicolon => "semicolon",
        Punctuation::Colon => "colon",
        Punctuation::Stop => "stop",
        Punctuation::Question => "question",
        Punctuation::Exclamation => "exclamation",
        Punctuation::Ellipsis => "ellipsis",
        Punctuation::Dash => "dash",
        Punctuation::OpenQuote => "open-quote",
        Punctuation::CloseQuote => "close-quote",
        Punctuation::OpenBracket => "open-bracket",
        Punctuation::CloseBracket => "close-bracket",
        Punctuation::Other => "other",
    };
    index_of(PUNCTUATION, name)
}

/// The code of a kind of block among [`KINDS`].
pub(super) fn kind_code(kind: BlockKind) -> u8 {
    index_of(KINDS, kind.as_str())
}

/// What is opened and closed among the words.
pub(super) fn balance(words: &[Word], opens: Punctuation, closes: Punctuation) -> Balance {
    words.iter().fold(Balance::default(), |sum, word| {
        let one = match word.punctuation {
            mark if mark == opens => Balance { open: 1, closed: 0 },
            mark if mark == closes => Balance { open: 0, closed: 1 },
            _ => return sum,
        };
        sum.then(one)
    })
}

/// The words that carry content, as sorted hashes.
pub(super) fn content(words: &[Word], text: &str) -> Arc<[u32]> {
    let carries = |word: &&Word| {
        let open_class = word.tag.is_nominal() || matches!(word.tag, Tag::Verb | Tag::Adjective);
        open_class && !word.is(List::Stop) && !word.is(List::Modal) && !word.is(List::Speech)
    };
    hashed(words.iter().filter(carries).map(|word| word.text(text)))
}

/// Texts as sorted hashes, each once.
pub(super) fn hashed<'t>(texts: impl Iterator<Item = &'t str>) -> Arc<[u32]> {
    let mut hashes: Vec<u32> = texts.map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into()
}

/// A word as a number.
fn hash(text: &str) -> u32 {
    // FNV-1a in 64 bits on every machine, then mixed so that the upper half depends on all bytes.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (hash >> 32) as u32
}

/// The kind of numbering that a text begins with.
pub(super) fn numbering(text: &str) -> &'static str {
    const CHINESE: &str = "一二三四五六七八九十百";
    const BULLETS: &str = "●•■◆▪·※★-*";
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return "none";
    };
    let rest = chars.as_str();
    let separated = |rest: &str, digits: fn(char) -> bool| {
        let rest = rest.trim_start_matches(digits);
        rest.starts_with(['.', '、', '．', ')', '）', ' ', '　'])
    };
    match first {
        '第' if rest.starts_with(|c| CHINESE.contains(c)) => "ordinal",
        '（' | '(' => match rest.chars().next() {
            Some(c) if c.is_ascii_digit() || CHINESE.contains(c) => "bracketed",
            _ => "none",
        },
        '①'..='⑳' | '㈠'..='㈩' => "circled",
        c if c.is_ascii_digit() && separated(rest, |c| c.is_ascii_digit() || c == '.') => "arabic",
        c if c.is_ascii_digit() && rest.starts_with('.') => "arabic",
        c if CHINESE.contains(c) && separated(rest, |c| CHINESE.contains(c)) => "chinese",
        c if c.is_ascii_alphabetic() && rest.starts_with(['.', '、', ')', '）']) => "letter",
        c if BULLETS.contains(c) => "bullet",
        _ => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numberings_are_told_apart() {
        for (text, kind) in [
            ("1.研究背景", "arabic"),
            ("2.1.人民日报的成功经验", "arabic"),
            ("3、加强监管", "arabic"),
            ("一、总体要求", "chinese"),
            ("（二）主要目标", "bracketed"),
            ("①利率上升", "circled"),
            ("a. first", "letter"),
            ("● 要点", "bullet"),
            ("第一，利率上升", "ordinal"),
            ("2019年出口下降", "none"),
            ("一家公司上市", "none"),
            ("", "none"),
        ] {
            assert_eq!(numbering(text), kind, "{text}");
        }
    }

    #[test]
    fn what_one_span_opens_the_next_can_close() {
        let open = Balance { open: 1, closed: 0 };
        let close = Balance { open: 0, closed: 1 };
        assert_eq!(open.then(close), Balance::default());
        assert_eq!(close.then(open), Balance { open: 1, closed: 1 });
    }
}
