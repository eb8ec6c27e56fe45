//! What is known about a word, and a memory of what was found out.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::super::time::may_begin_time;
use super::{Lists, Punctuation, Tag, Word};

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

/// The bytes of a word and their number as one number; none for words of more than five Chinese
/// characters.
fn short_key(word: &str) -> Option<u128> {
    const LAST: usize = 15;
    let mut bytes = [0; LAST + 1];
    bytes[LAST] = word.len() as u8;
    let room = bytes[..LAST].get_mut(..word.len())?;
    room.copy_from_slice(word.as_bytes());
    Some(u128::from_le_bytes(bytes))
}

/// What was found out about the short words of texts. It spares most words the dictionary and the
/// guess at unknown ones; as what is known about a word does not depend on where it stands, no
/// answer depends on what is remembered.
#[derive(Debug, Default)]
pub(super) struct Memory(FxHashMap<u128, Known>);

impl Memory {
    /// So many words are remembered at most.
    const ROOM: usize = 1 << 16;

    /// What is known about a word, found out when it is not remembered.
    pub(super) fn recall(&mut self, word: &str, find_out: impl FnOnce() -> Known) -> Known {
        let Some(key) = short_key(word) else {
            return find_out();
        };
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        if self.0.len() >= Memory::ROOM {
            self.0.clear();
        }
        let known = find_out();
        self.0.insert(key, known);
        known
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
