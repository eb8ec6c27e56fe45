//! What is known about words: jieba's dictionary, the language's lists, the schema's vocabulary.

use std::borrow::Borrow;
use std::cell::OnceCell;

use jieba_rs::Jieba;

use super::super::chinese::chinese;
use super::super::time::{Time, TimeContext, may_begin_time, scan_in_context};
use super::cutter::Cutter;
use super::known::{ByWord, Known, Memories};
use super::{Lists, Punctuation, Tag, Word, join};
use crate::schema::Schema;

/// The language's word lists (`schemas/lexicon/chinese.toml`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum List {
    /// Verbs of saying.
    Speech,
    /// Verbs of thinking and wanting.
    Cognition,
    /// Verbs that leave what happens to the word after them.
    Light,
    /// Light verbs that are never an event themselves.
    Empty,
    /// Verbs that are never what a text tells.
    Stop,
    /// Modal and auxiliary verbs.
    Modal,
    /// Verbs of going and bringing somewhere.
    Motion,
    /// Nouns that are events.
    Event,
    /// Words between a verb and its amount.
    Amount,
    /// Suffixes of organisations.
    OrganisationSuffix,
    /// Suffixes of places.
    PlaceSuffix,
    /// What a person is called by.
    Title,
    /// Endings of verbs.
    Complement,
    /// Prepositions whose phrase is no argument.
    Oblique,
    /// Prepositions whose phrase is an argument.
    Towards,
    /// Particles after verbs.
    Aspect,
    /// Pronouns that stand for somebody named before.
    Person,
    /// Nouns that say too little to be an argument.
    Hollow,
    /// Verbs that can stand before a noun as its modifier.
    Attributive,
    /// Verbs that tell nothing without an object: 冲击.
    Transitive,
    /// Units that a number takes along: 美元, 桶.
    Unit,
    /// Verbs of one character that tell something by themselves.
    Telling,
    /// Nouns that make a kind of thing or person of whatever verb stands before them.
    CompoundHead,
    /// Words behind a phrase that make a place or a time of it.
    PlaceOrTime,
    /// Verbs that tell nothing that happens.
    Stative,
    /// Verbs whose object does what the next verb says.
    Pivot,
    /// Nouns that name people and those who act like them.
    People,
    /// Numbers that are money.
    Money,
    /// Numbers that are percentages.
    Percent,
    /// Cues of the schema that count behind the subject as well.
    AfterSubject,
}

const LISTS: &[(&str, List)] = &[
    ("speech", List::Speech),
    ("cognition", List::Cognition),
    ("light", List::Light),
    ("empty", List::Empty),
    ("stop", List::Stop),
    ("modal", List::Modal),
    ("motion", List::Motion),
    ("event", List::Event),
    ("amount", List::Amount),
    ("organisation-suffix", List::OrganisationSuffix),
    ("place-suffix", List::PlaceSuffix),
    ("title", List::Title),
    ("complement", List::Complement),
    ("oblique", List::Oblique),
    ("towards", List::Towards),
    ("aspect", List::Aspect),
    ("person", List::Person),
    ("hollow", List::Hollow),
    ("attributive", List::Attributive),
    ("transitive", List::Transitive),
    ("unit", List::Unit),
    ("telling", List::Telling),
    ("compound-head", List::CompoundHead),
    ("place-or-time", List::PlaceOrTime),
    ("stative", List::Stative),
    ("pivot", List::Pivot),
    ("people", List::People),
];

/// In bytes.
const ONE_CHARACTER: usize = 3;
const TWO_CHARACTERS: usize = 6;
const FOUR_CHARACTERS: usize = 12;

/// Cuts and tags texts. Built once for a schema, shared by threads.
pub struct Lexicon {
    cutter: Cutter,
    entries: ByWord<Entry>,
    memories: Memories,
}

/// What is known about one word beyond jieba's tag.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) tag: Option<Tag>,
    pub(super) lists: Lists,
    pub(super) trigger: u16,
    pub(super) concept: u16,
    pub(super) cue: u16,
}

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lexicon({} entries)", self.entries.len())
    }
}

impl Lexicon {
    /// Grows the dictionary by the language's lists and the schema's vocabulary.
    pub fn new(schema: &Schema) -> Lexicon {
        let mut lexicon = Lexicon {
            cutter: Cutter::default(),
            entries: ByWord::default(),
            memories: Memories::default(),
        };
        lexicon.add_language();
        lexicon.add_schema(schema);
        lexicon
    }

    fn add_language(&mut self) {
        let chinese = chinese();
        for (name, table) in &chinese.tags {
            let tag = Tag::from_jieba(name);
            for word in &table.words {
                self.entry(word, name).tag.get_or_insert(tag);
            }
        }
        for (name, table) in &chinese.lists {
            let Some((_, list)) = LISTS.iter().find(|(known, _)| known == name) else {
                continue;
            };
            for word in &table.words {
                let entry = self.entries.of(word);
                entry.lists = entry.lists.with(*list);
            }
        }
        for word in &chinese.split.words {
            self.cutter.split(word);
        }
    }

    fn add_schema(&mut self, schema: &Schema) {
        use crate::schema::ConceptKind;
        for (at, concept) in schema.concepts.iter().enumerate() {
            let tag = match concept.kind {
                ConceptKind::Agent => "nz",
                ConceptKind::Object => "n",
            };
            for word in &concept.words {
                let known = self.known_tag(word);
                let entry = self.entry(word, tag);
                entry.concept = at as u16 + 1;
                if !known.is_some_and(Tag::is_nominal) {
                    entry.tag.get_or_insert(Tag::from_jieba(tag));
                }
            }
        }
        for (at, class) in schema.cues.iter().enumerate() {
            for word in &class.words {
                let speaks = self.ends_in_speech(word);
                let entry = self.entry(word, "c");
                if speaks {
                    entry.lists = entry.lists.with(List::Speech);
                }
                if entry.cue == 0 {
                    entry.cue = at as u16 + 1;
                    if class.after_subject.contains(word) {
                        entry.lists = entry.lists.with(List::AfterSubject);
                    }
                }
            }
        }
        for (at, relation) in schema.relations.iter().enumerate() {
            for word in &relation.triggers {
                let entry = self.entry(word, "v");
                if entry.trigger == 0 {
                    entry.trigger = at as u16 + 1;
                }
            }
        }
    }

    /// 数据显示, 研究表明: a word that ends in a verb of saying is one.
    fn ends_in_speech(&self, word: &str) -> bool {
        let end = word.len().checked_sub(TWO_CHARACTERS);
        let end = end.and_then(|at| word.get(at..));
        let entry = end.and_then(|end| self.lookup(end));
        entry.is_some_and(|entry| entry.lists.has(List::Speech))
    }

    /// The tag that the dictionary gives a word.
    fn known_tag(&self, word: &str) -> Option<Tag> {
        self.cutter.tag(word).map(Tag::from_jieba)
    }

    /// The entry of a word, which the dictionary gets to know.
    fn entry(&mut self, word: &str, tag: &'static str) -> &mut Entry {
        self.cutter.add(word, tag);
        self.entries.of(word)
    }

    pub(super) fn lookup(&self, word: &str) -> Option<&Entry> {
        self.entries.get(word)
    }

    /// The words and times of a piece of a document that begins at byte `offset`.
    pub fn read(
        &self,
        piece: &str,
        offset: usize,
        context: &mut TimeContext,
    ) -> (Vec<Word>, Vec<Time>) {
        let jieba = self.cutter.for_piece(piece);
        let jieba = jieba.borrow();
        let tokens = jieba.cut(piece, true);
        let mut words = Vec::with_capacity(tokens.len());
        let mut starts = Vec::new();
        let mut memory = self.memories.borrow();
        let tagged = OnceCell::new();
        let keys = memory.keys(piece, &tokens);
        for (token, key) in tokens.iter().zip(keys) {
            let known = memory.recall(key, token.word, || {
                let tag = tag_of(jieba, token, || {
                    tagged.get_or_init(|| jieba.tag(piece, true))
                });
                self.know(token.word, tag)
            });
            if known.begins_time {
                starts.push(token.byte_start);
            }
            let start = (offset + token.byte_start) as u32;
            if known.second == 0 {
                words.push(known.at(start, token.word.len()));
                continue;
            }
            let second = usize::from(known.second);
            words.extend(self.two_words(token.word, second, start));
            let letters = token
                .word
                .get(second..)
                .and_then(|word| word.chars().next());
            if letters.is_some_and(may_begin_time) {
                starts.push(token.byte_start + second);
            }
        }
        self.memories.give_back(memory);
        let mut times = scan_in_context(piece, offset, starts.into_iter(), context);
        join::join_named_brackets(&mut words, piece, offset);
        join::join_titles(&mut words, &mut times, piece, offset);
        join::join_times(&mut words, &times);
        join::join_numbers(&mut words, piece, offset);
        join::join_names(&mut words, piece, offset);
        retag(&mut words);
        (words, times)
    }

    /// Cuts words where EDUs are known to begin; `begins` are byte offsets in `text`, in order.
    pub(in super::super) fn cut_at_edus(
        &self,
        words: &mut Vec<Word>,
        text: &str,
        begins: impl Iterator<Item = usize>,
    ) {
        for begin in begins {
            let at = words.partition_point(|word| (word.end as usize) <= begin);
            let crosses =
                |word: &&Word| (word.start as usize) < begin && text.is_char_boundary(begin);
            let Some(word) = words.get(at).filter(crosses) else {
                continue;
            };
            let second = begin - word.start as usize;
            let parts = self.two_words(word.text(text), second, word.start);
            words.splice(at..=at, parts);
        }
    }

    /// What is known about a word with that tag.
    fn know(&self, text: &str, tag: Tag) -> Known {
        let tag = match tag {
            // 每盎司, 每股: a measure, whatever the dictionary says.
            Tag::Idiom | Tag::Noun | Tag::Pronoun if text.starts_with('每') => Tag::Measure,
            tag => tag,
        };
        let known = Known::new(text, tag);
        if tag == Tag::Sign {
            return known;
        }
        match self.lookup(text) {
            Some(entry) => Known {
                tag: entry.tag.unwrap_or(tag),
                lists: entry.lists,
                trigger: entry.trigger,
                concept: entry.concept,
                cue: entry.cue,
                ..known
            },
            None => Known {
                second: self.second_word(text, tag).unwrap_or(0),
                lists: self.guessed_lists(text, tag),
                ..known
            },
        }
    }

    /// What the characters of a guessed word say: 扳平 and 砸坏 do something, whatever they were
    /// taken for; 仍能 and 是从 do nothing.
    fn guessed_lists(&self, text: &str, tag: Tag) -> Lists {
        let lists = Lists::default();
        let Some((first, last)) = text
            .split_at_checked(ONE_CHARACTER)
            .filter(|_| text.len() == TWO_CHARACTERS && !self.cutter.has_word(text))
        else {
            return lists;
        };
        let classes = &chinese().classes;
        let acts = |word: &str| {
            let entry = self.lookup(word);
            entry.is_some_and(|entry| entry.lists.has(List::Telling))
        };
        match tag {
            Tag::Verb if classes.no_verb.has(first) || classes.no_verb.has(last) => {
                lists.with(List::Stative)
            }
            Tag::Verb | Tag::Time | Tag::Person => lists,
            _ if acts(first) && classes.result.has(last) => lists.with(List::Telling),
            _ => lists,
        }
    }

    /// Two words that were cut as one.
    fn two_words(&self, text: &str, second: usize, start: u32) -> [Word; 2] {
        let (first, second) = text.split_at_checked(second).unwrap_or((text, ""));
        let word = |text: &str, start: u32| {
            let tag = self.known_tag(text).unwrap_or(Tag::Noun);
            self.know(text, tag).at(start, text.len())
        };
        [word(first, start), word(second, start + first.len() as u32)]
    }

    /// Where the second word begins of what was cut as one.
    fn second_word(&self, text: &str, tag: Tag) -> Option<u8> {
        if self.is_two_halves(text, tag) {
            Some(TWO_CHARACTERS as u8)
        } else if self.begins_with_a_word(text) {
            Some(ONE_CHARACTER as u8)
        } else {
            self.end_inside(text)
        }
    }

    /// 时会, 后要, 但经, 卢拉在: guessed to be one word across the place where one phrase ends and
    /// another begins. Where that place is.
    fn end_inside(&self, text: &str) -> Option<u8> {
        let (first, _) = text.split_at_checked(ONE_CHARACTER)?;
        let last = text.len().checked_sub(ONE_CHARACTER)?;
        let (_, end) = text.split_at_checked(last)?;
        let classes = &chinese().classes;
        let at = if classes.cut_behind.has(first) {
            ONE_CHARACTER
        } else if classes.cut_before.has(end) {
            last
        } else {
            return None;
        };
        let inside = at > 0 && at < text.len() && !self.cutter.has_word(text);
        u8::try_from(at).ok().filter(|_| inside)
    }

    /// 于本周, 且分析师, 暴降价: guessed to be one word, and begins with another that names never
    /// begin with.
    fn begins_with_a_word(&self, text: &str) -> bool {
        let Some((first, rest)) = text.split_at_checked(ONE_CHARACTER) else {
            return false;
        };
        if rest.len() < TWO_CHARACTERS || self.cutter.has_word(text) || !self.cutter.has_word(rest)
        {
            return false;
        }
        let classes = &chinese().classes;
        let is_time = || rest.chars().next().is_some_and(may_begin_time);
        let is_state = || self.lookup(rest).is_some_and(|entry| entry.trigger != 0);
        classes.before_any_word.has(first)
            || (classes.before_time.has(first) && is_time())
            || (classes.before_state.has(first) && is_state())
    }

    /// True for four characters that are two words: 价格上涨, 发生爆炸 and 赶赴现场 stand in the
    /// dictionary as one, 明显改善 was guessed to be one.
    fn is_two_halves(&self, text: &str, tag: Tag) -> bool {
        let halves = text.split_at_checked(TWO_CHARACTERS);
        let Some((first, second)) = halves.filter(|_| text.len() == FOUR_CHARACTERS) else {
            return false;
        };
        let known = |word: &str| self.cutter.has_word(word);
        if !known(first) || !known(second) {
            return false;
        }
        let light = || {
            self.lookup(first)
                .is_some_and(|entry| entry.lists.has(List::Empty))
        };
        let state = || self.lookup(second).is_some_and(|entry| entry.trigger != 0);
        let phrase = || {
            let opens = || self.known_tag(first) == Some(Tag::Verb);
            // 普遍认为: what it does is in its second half.
            tag == Tag::Idiom && (opens() || self.ends_in_speech(text))
        };
        light() || state() || phrase() || !known(text)
    }
}

/// The tag that jieba gives a word of a piece: that of its dictionary, or a guess from its
/// characters. Cut by itself the word may fall apart; then the tags of the whole piece tell.
fn tag_of<'a>(
    jieba: &Jieba,
    token: &jieba_rs::Token<'_>,
    tagged: impl FnOnce() -> &'a Vec<jieba_rs::Tag<'a>>,
) -> Tag {
    if let [whole] = jieba.tag(token.word, true).as_slice() {
        return Tag::from_jieba(whole.tag);
    }
    let tagged = tagged();
    let own = tagged.binary_search_by_key(&token.byte_start, |word| word.byte_start);
    own.map_or(Tag::Other, |own| Tag::from_jieba(tagged[own].tag))
}

/// Nouns that what stands around them shows to be verbs: 增派了, 已调运.
fn retag(words: &mut [Word]) {
    for at in 0..words.len() {
        let word = words[at];
        let nominal = matches!(word.tag, Tag::Noun | Tag::VerbalNoun | Tag::Proper);
        if !nominal || word.length() <= ONE_CHARACTER || word.concept != 0 {
            continue;
        }
        let aspect = words
            .get(at + 1)
            .is_some_and(|next| next.is(List::Aspect) && next.tag == Tag::Particle);
        let before = at.checked_sub(1).map(|before| words[before]);
        let marked = word.tag == Tag::VerbalNoun
            && before.is_some_and(|before| before.tag == Tag::Adverb && !before.is(List::Amount))
            && words.get(at + 1).is_none_or(|next| next.tag != Tag::De);
        if aspect || marked {
            words[at].tag = Tag::Verb;
        }
    }
}

impl Word {
    /// A word that covers several, with a tag of its own.
    pub(super) fn joined(start: u32, end: u32, tag: Tag, lists: Lists) -> Word {
        Word {
            start,
            end,
            tag,
            lists,
            punctuation: Punctuation::None,
            trigger: 0,
            concept: 0,
            cue: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_the_file_is_known_and_every_known_list_is_there() {
        let written: Vec<&str> = chinese().lists.iter().map(|(name, _)| &**name).collect();
        let known = || LISTS.iter().map(|(name, _)| *name);
        assert!(known().all(|name| written.contains(&name)), "{written:?}");
        assert!(
            written
                .iter()
                .all(|name| known().any(|known| known == *name)),
            "{written:?}"
        );
    }
}
