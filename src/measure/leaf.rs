//! What is measured once: the EDUs of a text.

use std::sync::{Arc, OnceLock};

use super::domain::{KINDS, NUMBERINGS, OPENINGS, index_of};
use super::recurrence::Recurrence;
use super::{form, level};
use crate::lexcore::{Core, Extractor};
use crate::schema::{Form, LeafSource, RelationId, Schema};
use crate::text::time::TimeValue;
use crate::text::words::{List, Punctuation, Tag, Word};
use crate::text::{Analysis, BlockKind, Document, find_entities};
use crate::tree::{self, Value};

/// How many words at the start of an EDU are searched for cues.
const CUE_WINDOW: usize = 4;

/// A text as the automaton reads it. The codes in its leaves are those of the schema it was
/// measured with.
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// The text's id.
    pub id: Arc<str>,
    /// Its EDUs in order.
    pub leaves: Vec<Leaf>,
    /// The EDUs as trees carry them.
    pub edus: Vec<tree::Edu>,
    /// The content words of each sentence, as sorted hashes.
    pub(super) sentences: Vec<Arc<[u32]>>,
    /// For each EDU, how many lie from the break behind it to the next break at least as strong.
    pub(super) reach: Vec<u32>,
    /// Where content words come again; see [`Text::recurrence`].
    recurrence: OnceLock<Recurrence>,
}

/// An EDU, measured.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Its symbol, by trigger or form.
    pub symbol: RelationId,
    /// The cue class it begins with: index in the schema + 1, 0 for none.
    pub cue: u16,
    /// The cue classes within its first words, as cue numbers.
    pub cues: Vec<u16>,
    /// The class of its final word, an index into the table of tails.
    pub tail: u8,
    /// It ends in a verb of speech.
    pub speech: bool,
    /// A verb of saying, thinking or showing stands in it.
    pub says: bool,
    /// The mark it ends with, an index into the classes of punctuation.
    pub punct: u8,
    /// What it opens with.
    pub opening: u8,
    /// The numbering it begins with.
    pub numbering: u8,
    /// The kind of its block.
    pub kind: u8,
    /// The block it stands in, from 0.
    pub block: u32,
    /// Who speaks.
    pub speaker: Option<Arc<str>>,
    /// The sentence it begins in, from 0.
    pub sentence: u32,
    /// The sentence it ends in, from 0.
    pub last_sentence: u32,
    /// Sentences after it before its block ends.
    pub sentences_left: u32,
    /// It begins a block.
    pub opens_block: bool,
    /// It ends a block.
    pub closes_block: bool,
    /// It begins a sentence.
    pub opens_sentence: bool,
    /// It ends a sentence.
    pub closes_sentence: bool,
    /// It begins with a pronoun.
    pub pronoun: bool,
    /// The part of speech of its first word.
    pub first: u8,
    /// The part of speech of its last word.
    pub final_word: u8,
    /// Its first word, as a hash.
    pub first_word: Option<u32>,
    /// Its first noun, as a hash.
    pub topic: Option<u32>,
    /// Its characters.
    pub chars: u32,
    /// Its words.
    pub words: u32,
    /// Its verbs.
    pub verbs: u32,
    /// Brackets that it opens and does not close, and that it closes without opening.
    pub brackets: Balance,
    /// The same for quotes.
    pub quotes: Balance,
    /// How strong the break behind it is, an index into the levels.
    pub level_after: u8,
    /// Its content words, as sorted hashes.
    pub content: Arc<[u32]>,
    /// The entities it names, as sorted hashes.
    pub entities: Arc<[u32]>,
    /// The schema's attributes, by index.
    pub attributes: Arc<[Option<Value>]>,
}

/// What a span opens and does not close, and closes without having opened it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// Opened, not closed.
    pub open: u32,
    /// Closed, not opened.
    pub closed: u32,
}

impl Balance {
    /// Of two neighbours.
    pub fn then(self, next: Balance) -> Balance {
        let matched = self.open.min(next.closed);
        Balance {
            open: self.open - matched + next.open,
            closed: self.closed + next.closed - matched,
        }
    }
}

impl Text {
    /// Measures a text whose words and EDUs have been read with the same schema.
    pub fn new(document: &Document, analysis: &Analysis, schema: &Schema) -> Text {
        let extractor = Extractor::new(schema);
        let cores = extractor.extract(document, analysis);
        let measuring = Measuring {
            document,
            analysis,
            schema,
            extractor,
        };
        let mut next_core = 0;
        let mut leaves = Vec::with_capacity(analysis.edus.len());
        for number in 0..analysis.edus.len() {
            let begin = next_core;
            while cores.get(next_core).is_some_and(|core| core.edu <= number) {
                next_core += 1;
            }
            leaves.push(measuring.leaf(number, &cores[begin..next_core]));
        }
        let edus = analysis.edus.iter().map(|edu| tree::Edu {
            block: u32::try_from(edu.block).ok(),
            sentence: u32::try_from(edu.sentence).ok(),
            ..tree::Edu::new(document.slice(&edu.range).trim())
        });
        Text::of_leaves(document.id.as_str(), edus.collect(), leaves)
    }

    /// A text of which the leaves are known. Both lists have one entry an EDU.
    pub fn of_leaves(id: impl Into<Arc<str>>, edus: Vec<tree::Edu>, leaves: Vec<Leaf>) -> Text {
        let levels: Vec<u8> = leaves.iter().map(|leaf| leaf.level_after).collect();
        Text {
            id: id.into(),
            edus,
            sentences: sentences(&leaves),
            reach: level::reach(&levels),
            recurrence: OnceLock::new(),
            leaves,
        }
    }

    /// Where content words come again, found when it is first asked for.
    pub(super) fn recurrence(&self) -> &Recurrence {
        self.recurrence
            .get_or_init(|| Recurrence::new(&self.leaves))
    }

    /// How many EDUs it has.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// True when it has none.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }
}

impl Leaf {
    /// True when it stands in a heading.
    pub(super) fn is_heading(&self) -> bool {
        // `heading` is the first of the kinds.
        self.kind == 0
    }

    /// An EDU of which nothing is known but its symbol.
    pub fn plain(symbol: RelationId, schema: &Schema) -> Leaf {
        Leaf {
            symbol,
            cue: 0,
            cues: Vec::new(),
            tail: 0,
            speech: false,
            says: false,
            punct: 0,
            opening: 0,
            numbering: 0,
            kind: index_of(KINDS, "paragraph"),
            block: 0,
            speaker: None,
            sentence: 0,
            last_sentence: 0,
            sentences_left: 0,
            opens_block: false,
            closes_block: false,
            opens_sentence: false,
            closes_sentence: false,
            pronoun: false,
            first: 0,
            final_word: 0,
            first_word: None,
            topic: None,
            chars: 0,
            words: 0,
            verbs: 0,
            brackets: Balance::default(),
            quotes: Balance::default(),
            level_after: 0,
            content: Arc::default(),
            entities: Arc::default(),
            attributes: vec![None; schema.attributes.len()].into(),
        }
    }
}

/// The content words of each sentence.
fn sentences(leaves: &[Leaf]) -> Vec<Arc<[u32]>> {
    let mut sentences: Vec<Vec<u32>> = Vec::new();
    for leaf in leaves {
        let at = leaf.sentence as usize;
        if sentences.len() <= at {
            sentences.resize(at + 1, Vec::new());
        }
        sentences[at].extend(leaf.content.iter());
    }
    let sorted = sentences.into_iter().map(|mut words| {
        words.sort_unstable();
        words.dedup();
        words.into()
    });
    sorted.collect()
}

struct Measuring<'a> {
    document: &'a Document,
    analysis: &'a Analysis,
    schema: &'a Schema,
    extractor: Extractor<'a>,
}

impl Measuring<'_> {
    fn leaf(&self, number: usize, cores: &[Core]) -> Leaf {
        let edus = &self.analysis.edus;
        let edu = &edus[number];
        let block = &self.document.blocks[edu.block];
        let words = &self.analysis.words[edu.words.clone()];
        let text = self.document.slice(&edu.range).trim();
        let before = number.checked_sub(1).and_then(|at| edus.get(at));
        let after = edus.get(number + 1);
        let own_block =
            |other: Option<&crate::text::Edu>| other.is_some_and(|o| o.block == edu.block);
        let last_sentence = |at: usize| self.last_sentence(at);
        let punct = form::final_mark(words);
        let spoken = form::ends_in_speech(words);
        let shape = self.form(block.kind, words, punct, spoken);
        let plain = words.iter().filter(|word| word.tag != Tag::Sign);
        Leaf {
            symbol: self.symbol(shape, words, cores),
            cue: form::first_cue(words),
            cues: form::cues(words, CUE_WINDOW),
            tail: form::tail(words, &self.document.text),
            speech: spoken,
            says: words.iter().any(says_something),
            punct: form::punctuation_code(punct),
            opening: index_of(OPENINGS, form::opening(words)),
            numbering: index_of(NUMBERINGS, form::numbering(text)),
            kind: form::kind_code(block.kind),
            block: edu.block as u32,
            speaker: block.speaker.as_deref().map(Arc::from),
            sentence: edu.sentence as u32,
            last_sentence: last_sentence(number) as u32,
            sentences_left: self.sentences_left(number),
            opens_block: !own_block(before),
            closes_block: !own_block(after),
            opens_sentence: !own_block(before)
                || before.is_some_and(|_| last_sentence(number - 1) < edu.sentence),
            closes_sentence: !own_block(after)
                || after.is_some_and(|next| next.sentence > last_sentence(number)),
            pronoun: form::begins_with_pronoun(words),
            first: form::first_part_of_speech(words),
            final_word: form::final_part_of_speech(words),
            first_word: form::first_word(words, &self.document.text),
            topic: form::first_noun(words, &self.document.text),
            chars: text.chars().count() as u32,
            words: plain.count() as u32,
            verbs: words.iter().filter(|word| word.tag == Tag::Verb).count() as u32,
            brackets: form::balance(words, Punctuation::OpenBracket, Punctuation::CloseBracket),
            quotes: form::balance(words, Punctuation::OpenQuote, Punctuation::CloseQuote),
            level_after: self.level_after(number, punct),
            content: form::content(words, &self.document.text),
            entities: self.entities(words),
            attributes: self.attributes(words, text, cores),
        }
    }

    /// The sentence in which an EDU ends.
    fn last_sentence(&self, number: usize) -> usize {
        let edu = &self.analysis.edus[number];
        let last = edu.words.end.saturating_sub(1).max(edu.words.start);
        let sentences = self
            .analysis
            .sentences
            .iter()
            .enumerate()
            .skip(edu.sentence);
        let inside = sentences.take_while(|(_, sentence)| sentence.start <= last);
        inside.last().map_or(edu.sentence, |(at, _)| at)
    }

    fn sentences_left(&self, number: usize) -> u32 {
        let edu = &self.analysis.edus[number];
        let end = self
            .analysis
            .blocks
            .get(edu.block)
            .map_or(0, |words| words.end);
        let sentences = self
            .analysis
            .sentences
            .iter()
            .skip(self.last_sentence(number) + 1);
        sentences.take_while(|sentence| sentence.end <= end).count() as u32
    }

    fn level_after(&self, number: usize, punct: Punctuation) -> u8 {
        let edus = &self.analysis.edus;
        let Some(next) = edus.get(number + 1) else {
            return level::STRONGEST;
        };
        let blocks = &self.document.blocks;
        let words_of = |edu: &crate::text::Edu| &self.analysis.words[edu.words.clone()];
        let own = &edus[number];
        if own.block != next.block {
            level::between(&blocks[own.block], &blocks[next.block])
        } else if form::is_note(words_of(next)) {
            // A note belongs to the sentence that it stands behind.
            level::inside(Punctuation::None)
        } else if form::is_note(words_of(own)) && next.sentence > own.sentence {
            level::inside(Punctuation::Stop)
        } else {
            level::inside(punct)
        }
    }

    fn form(&self, kind: BlockKind, words: &[Word], punct: Punctuation, spoken: bool) -> Form {
        match (kind, punct) {
            (BlockKind::Heading(_), _) => Form::Heading,
            (BlockKind::ListItem, _) => Form::ListItem,
            (BlockKind::Quote, _) => Form::Quote,
            (_, Punctuation::Question) => Form::Question,
            _ if spoken => Form::Speech,
            (_, Punctuation::Colon) => Form::Colon,
            _ if !words.iter().any(|word| word.tag == Tag::Verb) => Form::Fragment,
            _ => Form::Clause,
        }
    }

    /// Forms that say what an EDU is for go before its words, its words before mere clauses.
    fn symbol(&self, shape: Form, words: &[Word], cores: &[Core]) -> RelationId {
        let by_form = || {
            let relations = self.schema.relations.iter();
            let at = relations.clone().position(|r| r.forms.contains(&shape));
            let clause = || {
                self.schema
                    .relations
                    .iter()
                    .position(|r| r.forms.contains(&Form::Clause))
            };
            at.or_else(clause).map(|at| RelationId(at as u32))
        };
        let telling = !matches!(shape, Form::Fragment | Form::Clause);
        let by_words = || self.relation(words, cores);
        let found = if telling {
            by_form().or_else(by_words)
        } else {
            by_words().or_else(by_form)
        };
        found.unwrap_or(self.schema.start)
    }

    /// The domain relation that the words tell of.
    fn relation(&self, words: &[Word], cores: &[Core]) -> Option<RelationId> {
        let told = cores.iter().find_map(|core| core.relation);
        told.or_else(|| self.extractor.relation(words, &self.document.text))
    }

    fn entities(&self, words: &[Word]) -> Arc<[u32]> {
        let found = find_entities(words, self.schema);
        form::hashed(
            found
                .iter()
                .map(|entity| self.document.slice(&entity.range)),
        )
    }

    fn attributes(&self, words: &[Word], text: &str, cores: &[Core]) -> Arc<[Option<Value>]> {
        let attributes = self.schema.attributes.iter();
        attributes
            .map(|attribute| self.attribute(attribute.leaf, words, text, cores))
            .collect()
    }

    fn attribute(
        &self,
        source: LeafSource,
        words: &[Word],
        text: &str,
        cores: &[Core],
    ) -> Option<Value> {
        let slice = |range| Arc::from(self.document.slice(range));
        let parts = |part: fn(&Core) -> Option<&crate::lexcore::Part>| {
            set(cores.iter().filter_map(part).map(|part| slice(&part.range)))
        };
        match source {
            LeafSource::None => None,
            LeafSource::Polarity => {
                let relation = self.relation(words, cores)?;
                let relation = self.schema.relations.get(relation.0 as usize)?;
                Some(Value::Int(i64::from(relation.polarity)))
            }
            LeafSource::Time => {
                let when = cores.iter().find_map(|core| core.when.as_ref())?;
                Some(Value::Time(beginning(when).into()))
            }
            LeafSource::Agent => parts(|core| core.agent.as_ref()),
            LeafSource::Object => parts(|core| core.object.as_ref()),
            LeafSource::State => parts(|core| Some(&core.state)),
            LeafSource::Concepts => {
                let named = words.iter().filter_map(Word::concept);
                let names = named.filter_map(|at| self.schema.concepts.get(at));
                set(names.map(|concept| Arc::from(concept.name.as_str())))
            }
            LeafSource::Cue => {
                let cue = usize::from(form::first_cue(words)).checked_sub(1)?;
                let class = self.schema.cues.get(cue)?;
                Some(Value::Symbol(class.name.as_str().into()))
            }
            LeafSource::Text => Some(Value::Text(text.into())),
        }
    }
}

/// True for verbs of saying, thinking and showing.
fn says_something(word: &Word) -> bool {
    word.is(List::Speech) || word.is(List::Cognition)
}

/// When a stretch of time begins, as exactly as the stretch is said: texts so written sort as times.
fn beginning(when: &TimeValue) -> String {
    let (day, year, month) = (when.from, when.from.year(), when.from.month());
    if when.from == when.to {
        return day.to_string();
    }
    match when.to_string().len() {
        4 => format!("{year:04}"),
        _ => format!("{year:04}-{month:02}"),
    }
}

/// A set, or unknown when nothing is in it.
fn set(members: impl Iterator<Item = Arc<str>>) -> Option<Value> {
    let members: std::collections::BTreeSet<Arc<str>> = members.collect();
    (!members.is_empty()).then(|| Value::Set(Arc::new(members)))
}
