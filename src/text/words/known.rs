//! What is known about a word, and a memory of what was found out.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::super::time::may_begin_time;
use super::{Lists, Punctuation, Tag, Word};
use crate::wide::fetch;

/// All that a text's word gets from the dictionary, wherever it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) tag: Tag,
    pub(super) lists: Lists,
    pub(super) punctuation: Punctuation,
    pub(super) trigger: u16,
    pub(super) concept: u16,
    pub(super) cue: u16,
    /// Where the second of two words begins that were cut as one: 价格|上涨, 于|本周; 0 for one
    /// word.
    pub(super) second: u8,
    /// Its first character can begin a time.
    pub(super) begins_time: bool,
}

impl Known {
    /// A word of that tag that no list knows.
    pub(super) fn new(text: &str, tag: Tag) -> Known {
        Known {
            tag,
            lists: Lists::default(),
            punctuation: match tag {
                Tag::Sign | Tag::Other => Punctuation::of(text),
                _ => Punctuation::None,
            },
            trigger: 0,
            concept: 0,
            cue: 0,
            second: 0,
            begins_time: text.chars().next().is_some_and(may_begin_time),
        }
    }

    /// The word where it stands in a text.
    pub(super) fn at(&self, start: u32, length: usize) -> Word {
        Word {
            start,
            end: start + length as u32,
            tag: self.tag,
            lists: self.lists,
            punctuation: self.punctuation,
            trigger: self.trigger,
            concept: self.concept,
            cue: self.cue,
        }
    }
}

/// Things by word. Nearly all words are short, and a short word is its own key.
#[derive(Debug)]
pub(super) struct ByWord<T> {
    short: FxHashMap<u128, T>,
    long: FxHashMap<Box<str>, T>,
}

impl<T> Default for ByWord<T> {
    fn default() -> ByWord<T> {
        ByWord {
            short: FxHashMap::default(),
            long: FxHashMap::default(),
        }
    }
}

impl<T> ByWord<T> {
    pub(super) fn get(&self, word: &str) -> Option<&T> {
        match short_key(word) {
            Some(key) => self.short.get(&key),
            None => self.long.get(word),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }
}

impl<T: Default> ByWord<T> {
    /// The thing of a word, made when there is none.
    pub(super) fn of(&mut self, word: &str) -> &mut T {
        match short_key(word) {
            Some(key) => self.short.entry(key).or_default(),
            None => self.long.entry(word.into()).or_default(),
        }
    }
}

/// The bytes of a word and their number as one number; none for words of more than five
/// Chinese characters.
fn short_key(word: &str) -> Option<u128> {
    let mut bytes = [0; LAST + 1];
    bytes[LAST] = word.len() as u8;
    let room = bytes[..LAST].get_mut(..word.len())?;
    room.copy_from_slice(word.as_bytes());
    Some(u128::from_le_bytes(bytes)).filter(|key| *key != NO_KEY)
}

/// What is no word's key.
const NO_KEY: u128 = 0;

/// The place of a key's last byte, which holds the length.
const LAST: usize = 15;

/// The key of the word that begins at byte `start` of a piece: cut out of the piece in one read
/// where sixteen bytes are left.
fn key_in(piece: &str, start: usize, word: &str) -> Option<u128> {
    let length = word.len();
    let here = piece.as_bytes().get(start..)?.first_chunk::<{ LAST + 1 }>();
    match here {
        Some(bytes) if (1..=LAST).contains(&length) => {
            let own = u128::from_le_bytes(*bytes) & (u128::MAX >> (128 - 8 * length));
            Some(own | (length as u128) << (8 * LAST))
        }
        _ => short_key(word),
    }
}

/// What was found out about the words of texts: of short ones the two last of each set, of long ones
/// the first. It spares most words the dictionary and the guess at unknown ones; as what is known
/// about a word does not depend on where it stands, no answer depends on what is remembered.
#[derive(Debug)]
pub(super) struct Memory {
    short: Vec<Set>,
    long: FxHashMap<Box<str>, Known>,
}

/// Words that share a line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Set([(u128, Option<Known>); 2]);

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            short: vec![Set::default(); 1 << Memory::BITS],
            long: FxHashMap::default(),
        }
    }
}

impl Memory {
    /// Sets of short words, as a power of two.
    const BITS: u32 = 16;
    /// Long words that are remembered at most.
    const LONG: usize = 1 << 12;
    /// Bytes of the longest of them.
    const LONGEST: usize = 64;

    /// The keys of a piece's words, [`NO_KEY`] for long ones; what is remembered of them is asked for
    /// at once, so that the reading does not wait for memory word by word.
    pub(super) fn keys(&self, piece: &str, tokens: &[jieba_rs::Token<'_>]) -> Vec<u128> {
        let keys = tokens.iter().map(|token| {
            let key = key_in(piece, token.byte_start, token.word).unwrap_or(NO_KEY);
            if let Some(set) = self.short.get(Memory::set_of(key)) {
                fetch(&set.0[..1]);
            }
            key
        });
        keys.collect()
    }

    /// What is known about a word, found out when it is not remembered.
    pub(super) fn recall(
        &mut self,
        key: u128,
        word: &str,
        find_out: impl FnOnce() -> Known,
    ) -> Known {
        let set = self.short.get_mut(Memory::set_of(key));
        let Some(set) = set.filter(|_| key != NO_KEY) else {
            return self.recall_long(word, find_out);
        };
        let [first, second] = &mut set.0;
        if let (true, Some(known)) = (first.0 == key, first.1) {
            return known;
        }
        std::mem::swap(first, second);
        if let (true, Some(known)) = (first.0 == key, first.1) {
            return known;
        }
        let known = find_out();
        *first = (key, Some(known));
        known
    }

    fn recall_long(&mut self, word: &str, find_out: impl FnOnce() -> Known) -> Known {
        if let Some(known) = self.long.get(word) {
            return *known;
        }
        let known = find_out();
        if self.long.len() < Memory::LONG && word.len() <= Memory::LONGEST {
            self.long.insert(word.into(), known);
        }
        known
    }

    fn set_of(key: u128) -> usize {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(ODD);
        (mixed >> (u64::BITS - Memory::BITS)) as usize
    }
}

/// Each reading borrows a memory of its own, so that threads do not wait for each other.
#[derive(Debug, Default)]
pub(super) struct Memories(Mutex<Vec<Memory>>);

impl Memories {
    pub(super) fn borrow(&self) -> Memory {
        let mut memories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        memories.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, memory: Memory) {
        let mut memories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        memories.push(memory);
    }
}
