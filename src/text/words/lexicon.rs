//! What is known about words: jieba's dictionary, the language's lists, the schema's vocabulary.

use rustc_hash::FxHashMap;

use super::super::time::{Context, Time, scan_in_context};
use super::{Lists, Punctuation, Tag, Word, join};
use crate::diagnostic::Source;
use crate::schema::{Reading, Schema};

/// The language's word lists (`schemas/lexicon/chinese.toml`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
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
    /// Units that a number takes along: 美元, 桶.
    Unit,
    /// Verbs of one character that tell something by themselves.
    Telling,
    /// Nouns that make a kind of thing or person of whatever verb stands before them.
    CompoundHead,
    /// Words behind a phrase that make a place or a time of it.
    PlaceOrTime,
    /// Numbers that are money.
    Money,
    /// Numbers that are percentages.
    Percent,
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
    ("unit", List::Unit),
    ("telling", List::Telling),
    ("compound-head", List::CompoundHead),
    ("place-or-time", List::PlaceOrTime),
];

const CHINESE: &str = include_str!("../../../schemas/lexicon/chinese.toml");

/// Cuts and tags texts. Built once for a schema, shared by threads.
pub struct Lexicon {
    jieba: jieba_rs::Jieba,
    entries: FxHashMap<Box<str>, Entry>,
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

/// What is known about marks: nothing but what they are.
static NOTHING: Entry = Entry {
    tag: None,
    lists: Lists(0),
    trigger: 0,
    concept: 0,
    cue: 0,
};

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lexicon({} entries)", self.entries.len())
    }
}

impl Lexicon {
    /// Grows the dictionary by the language's lists and the schema's vocabulary.
    pub fn new(schema: &Schema) -> Lexicon {
        let mut lexicon = Lexicon {
            jieba: jieba_rs::Jieba::new(),
            entries: FxHashMap::default(),
        };
        lexicon.add_language();
        lexicon.add_schema(schema);
        lexicon
    }

    fn add_language(&mut self) {
        let mut reading = Reading::new(&Source::new("<embedded>/lexicon/chinese.toml", CHINESE));
        let root = reading.parse(CHINESE);
        let root = root.get_ref();
        for table in reading.tables(root, "tag") {
            let tag = Tag::from_jieba(table.name);
            for word in reading.texts(&table, "words") {
                self.entry(word.get_ref(), table.name)
                    .tag
                    .get_or_insert(tag);
            }
        }
        for table in reading.tables(root, "list") {
            let Some((_, list)) = LISTS.iter().find(|(name, _)| *name == table.name) else {
                continue;
            };
            for word in reading.texts(&table, "words") {
                let entry = self
                    .entries
                    .entry(word.get_ref().as_str().into())
                    .or_default();
                entry.lists = entry.lists.with(*list);
            }
        }
        if let Some(table) = reading.table(root, "split") {
            for word in reading.texts(&table, "words") {
                // A word that never occurs is never chosen.
                self.jieba.add_word(word.get_ref(), Some(0), None);
            }
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
                let entry = self.entry(word, "c");
                if entry.cue == 0 {
                    entry.cue = at as u16 + 1;
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

    /// The tag that jieba's own dictionary gives a word.
    fn known_tag(&self, word: &str) -> Option<Tag> {
        if !self.jieba.has_word(word) {
            return None;
        }
        match self.jieba.tag(word, false).as_slice() {
            [whole] => Some(Tag::from_jieba(whole.tag)),
            _ => None,
        }
    }

    /// The entry of a word, which the dictionary gets to know.
    fn entry(&mut self, word: &str, tag: &str) -> &mut Entry {
        if !self.jieba.has_word(word) {
            self.jieba.add_word(word, None, Some(tag));
        }
        self.entries.entry(word.into()).or_default()
    }

    pub(super) fn lookup(&self, word: &str) -> Option<&Entry> {
        self.entries.get(word)
    }

    /// The words and times of a piece of a document that begins at byte `offset`.
    pub fn read(
        &self,
        piece: &str,
        offset: usize,
        context: &mut Context,
    ) -> (Vec<Word>, Vec<Time>) {
        let tagged = self.jieba.tag(piece, true);
        let starts = tagged.iter().map(|token| token.byte_start);
        let mut times = scan_in_context(piece, offset, starts, context);
        let mut words = Vec::with_capacity(tagged.len());
        for token in tagged {
            let start = (offset + token.byte_start) as u32;
            self.push(&mut words, token.word, start, Tag::from_jieba(token.tag));
        }
        join::join_titles(&mut words, &mut times, piece, offset);
        join::join_times(&mut words, &times);
        join::join_numbers(&mut words, piece, offset);
        join::join_names(&mut words, piece, offset);
        retag(&mut words);
        (words, times)
    }

    fn push(&self, words: &mut Vec<Word>, text: &str, start: u32, tag: Tag) {
        let known = match tag {
            Tag::Sign => Some(&NOTHING),
            _ => self.lookup(text),
        };
        let entry = match known {
            Some(entry) => *entry,
            None => {
                if let Some(cut) = self.two_words(text, tag) {
                    let (first, second) = text.split_at(cut);
                    let tag = |word| self.known_tag(word).unwrap_or(Tag::Noun);
                    self.push(words, first, start, tag(first));
                    self.push(words, second, start + cut as u32, tag(second));
                    return;
                }
                Entry::default()
            }
        };
        let tag = match tag {
            // 每盎司, 每股: a measure, whatever the dictionary says.
            Tag::Idiom | Tag::Noun | Tag::Pronoun if text.starts_with('每') => Tag::Measure,
            tag => tag,
        };
        let punctuation = match tag {
            Tag::Sign | Tag::Other => Punctuation::of(text),
            _ => Punctuation::None,
        };
        words.push(Word {
            start,
            end: start + text.len() as u32,
            tag: entry.tag.unwrap_or(tag),
            lists: entry.lists,
            punctuation,
            trigger: entry.trigger,
            concept: entry.concept,
            cue: entry.cue,
        });
    }

    /// Where the second half of four characters begins that are two words: 价格上涨, 发生爆炸 and
    /// 赶赴现场 stand in the dictionary as one, 明显改善 was guessed to be one.
    fn two_words(&self, text: &str, tag: Tag) -> Option<usize> {
        const FOUR_CHARACTERS: usize = 12;
        const TWO_CHARACTERS: usize = 6;
        if text.len() != FOUR_CHARACTERS || !text.is_char_boundary(TWO_CHARACTERS) {
            return None;
        }
        let (first, second) = text.split_at(TWO_CHARACTERS);
        let known = |word: &str| self.jieba.has_word(word);
        if !known(first) || !known(second) {
            return None;
        }
        let light = || {
            self.lookup(first)
                .is_some_and(|entry| entry.lists.has(List::Empty))
        };
        let state = || self.lookup(second).is_some_and(|entry| entry.trigger != 0);
        let phrase = || tag == Tag::Idiom && self.known_tag(first) == Some(Tag::Verb);
        (light() || state() || phrase() || !known(text)).then_some(TWO_CHARACTERS)
    }
}

/// Nouns that what stands around them shows to be verbs: 增派了, 已调运.
fn retag(words: &mut [Word]) {
    const ONE_CHARACTER: usize = 3;
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
