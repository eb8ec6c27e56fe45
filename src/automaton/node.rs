//! Nodes of a tree in the making, and what can be measured of them.

use std::sync::Arc;

use super::form;
use super::leaf::{Balance, Text};
use super::measure::{Measure, Measured};
use crate::grammar::Roles;
use crate::grammar::Value;
use crate::grammar::functions::{COMPLETENESS, NUCLEARITIES};
use crate::schema::{RelationId, Schema};

/// How many content words a span is remembered by. Shorter spans are compared exactly, longer
/// ones by the words with the smallest hashes, which are a fair sample.
const SKETCH: usize = 64;

/// Index of a node in its arena: the leaves first, in text order, then what was joined.
pub type NodeIndex = u32;

/// A span that has been parsed.
#[derive(Debug, Clone)]
pub struct Span {
    /// Its first EDU.
    pub first: u32,
    /// Its last EDU.
    pub last: u32,
    /// Its symbol.
    pub symbol: RelationId,
    /// How its children were joined; leaves have none.
    pub joined: Option<Joined>,
    /// The height of its tree.
    pub height: u32,
    /// The EDU that its nuclei lead to.
    pub head: u32,
    /// The strongest break inside it, an index into the levels.
    pub inner: u8,
    /// The break behind it.
    pub level_after: u8,
    /// Characters, words and verbs.
    pub chars: u32,
    /// Its words.
    pub words: u32,
    /// Its verbs.
    pub verbs: u32,
    /// Brackets left open or closed.
    pub brackets: Balance,
    /// Quotes left open or closed.
    pub quotes: Balance,
    /// A sample of its content words, sorted.
    pub content: Arc<[u32]>,
    /// A sample of the entities it names, sorted.
    pub entities: Arc<[u32]>,
    /// The schema's attributes, by index.
    pub attributes: Arc<[Option<Value>]>,
}

/// How two spans were joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    /// The left one.
    pub left: NodeIndex,
    /// The right one.
    pub right: NodeIndex,
    /// The rhetorical relation, by its index in the schema.
    pub relation: u32,
    /// What they are to each other.
    pub roles: Roles,
}

impl Span {
    /// The span of one EDU.
    pub fn leaf(text: &Text, at: u32) -> Span {
        let leaf = &text.leaves[at as usize];
        Span {
            first: at,
            last: at,
            symbol: leaf.symbol,
            joined: None,
            height: 0,
            head: at,
            inner: 0,
            level_after: leaf.level_after,
            chars: leaf.chars,
            words: leaf.words,
            verbs: leaf.verbs,
            brackets: leaf.brackets,
            quotes: leaf.quotes,
            content: Arc::clone(&leaf.content),
            entities: Arc::clone(&leaf.entities),
            attributes: Arc::clone(&leaf.attributes),
        }
    }

    /// Two neighbours as one. Attributes are the caller's.
    pub fn join(a: &Span, b: &Span, symbol: RelationId, joined: Joined, samples: bool) -> Span {
        let sample = |left: &Arc<[u32]>, right: &Arc<[u32]>| {
            if samples {
                united(left, right)
            } else {
                Arc::clone(left)
            }
        };
        Span {
            first: a.first,
            last: b.last,
            symbol,
            joined: Some(joined),
            height: a.height.max(b.height) + 1,
            head: match joined.roles {
                Roles::SatelliteNucleus => b.head,
                _ => a.head,
            },
            inner: a.inner.max(b.inner).max(a.level_after),
            level_after: b.level_after,
            chars: a.chars.saturating_add(b.chars),
            words: a.words.saturating_add(b.words),
            verbs: a.verbs.saturating_add(b.verbs),
            brackets: a.brackets.then(b.brackets),
            quotes: a.quotes.then(b.quotes),
            content: sample(&a.content, &b.content),
            entities: sample(&a.entities, &b.entities),
            attributes: Arc::clone(&a.attributes),
        }
    }

    /// How many EDUs it has.
    pub fn length(&self) -> u32 {
        self.last - self.first + 1
    }
}

/// The smallest members of both, each once.
fn united(left: &Arc<[u32]>, right: &Arc<[u32]>) -> Arc<[u32]> {
    if right.is_empty() {
        return Arc::clone(left);
    }
    if left.is_empty() {
        return Arc::clone(right);
    }
    let mut both = Vec::with_capacity((left.len() + right.len()).min(SKETCH));
    let (mut l, mut r) = (left.iter().peekable(), right.iter().peekable());
    while both.len() < SKETCH {
        let next = match (l.peek(), r.peek()) {
            (Some(a), Some(b)) if a < b => l.next(),
            (Some(a), Some(b)) if a > b => r.next(),
            (Some(_), Some(_)) => {
                r.next();
                l.next()
            }
            (Some(_), None) => l.next(),
            (None, _) => r.next(),
        };
        match next {
            Some(next) => both.push(*next),
            None => break,
        }
    }
    both.into()
}

/// The share of the smaller set that the two have in common.
fn overlap(left: &[u32], right: &[u32]) -> Option<f64> {
    let smaller = left.len().min(right.len());
    if smaller == 0 {
        return None;
    }
    Some(f64::from(common(left, right)) / smaller as f64)
}

fn common(left: &[u32], right: &[u32]) -> u32 {
    let (mut l, mut r, mut both) = (0, 0, 0);
    while let (Some(a), Some(b)) = (left.get(l), right.get(r)) {
        l += usize::from(a <= b);
        r += usize::from(b <= a);
        both += u32::from(a == b);
    }
    both
}

/// What measuring needs beside the nodes.
pub(super) struct Measurer<'t> {
    pub(super) text: &'t Text,
    pub(super) tables: &'t Tables,
}

/// What depends on the schema alone.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    /// The coarse class of each rhetorical relation, as a number; 0 is `none`.
    pub(super) classes: Vec<u32>,
    /// The names of the classes, `none` first.
    pub(super) class_names: Vec<Arc<str>>,
    /// For each cue class, those that answer it: cue numbers.
    pub(super) answers: Vec<Vec<u16>>,
}

/// Cue classes that come in pairs: 虽然 ... 但是.
const PAIRS: &[(&str, &[&str])] = &[
    ("although", &["but", "also", "still", "in-fact"]),
    ("despite", &["but", "also", "still"]),
    ("because", &["so", "then", "leads-to"]),
    ("if", &["then", "so", "otherwise"]),
    ("only-if", &["then"]),
    ("unless", &["otherwise"]),
    ("even-if", &["also", "but"]),
    ("no-matter", &["also", "then"]),
    ("not-only", &["moreover", "also", "even", "and"]),
    ("both", &["also", "moreover", "and"]),
    ("on-the-one-hand", &["on-the-other"]),
    ("first", &["second", "later", "finally"]),
    ("not", &["instead", "but"]),
    ("rather", &["instead", "not"]),
    ("when", &["then"]),
    ("the-more", &["the-more"]),
];

impl Tables {
    pub(super) fn new(schema: &Schema) -> Tables {
        let mut class_names: Vec<Arc<str>> = vec!["none".into()];
        let mut classes = Vec::new();
        for rhetoric in &schema.rhetoric {
            let known = class_names
                .iter()
                .position(|name| **name == *rhetoric.class);
            let at = known.unwrap_or_else(|| {
                class_names.push(rhetoric.class.as_str().into());
                class_names.len() - 1
            });
            classes.push(at as u32);
        }
        let number = |name: &str| {
            let at = schema.cues.iter().position(|class| class.name == name)?;
            u16::try_from(at + 1).ok()
        };
        let mut answers = vec![Vec::new(); schema.cues.len() + 1];
        for (first, seconds) in PAIRS {
            if let Some(first) = number(first) {
                answers[usize::from(first)] =
                    seconds.iter().filter_map(|name| number(name)).collect();
            }
        }
        Tables {
            classes,
            class_names,
            answers,
        }
    }
}

impl Measurer<'_> {
    /// What is measured of one node.
    pub(super) fn one(&self, measure: Measure, node: &Span) -> Measured<'_> {
        let [first, last, head] =
            [node.first, node.last, node.head].map(|at| &self.text.leaves[at as usize]);
        let code = |code: u8| Measured::Code(u32::from(code));
        let int = |value: u32| Measured::Int(i64::from(value));
        match measure {
            Measure::Symbol => Measured::Code(node.symbol.0),
            Measure::Cue => Measured::Code(u32::from(first.cue)),
            Measure::Tail => code(last.tail),
            Measure::Speech => Measured::Bool(last.speech),
            Measure::Punct => code(last.punct),
            Measure::Opening => code(first.opening),
            Measure::Numbering => code(first.numbering),
            Measure::Heading => Measured::Bool(is_heading(first.kind) && first.block == last.block),
            Measure::Kind => code(first.kind),
            Measure::Completeness => code(self.completeness(node)),
            Measure::Length => int(node.length()),
            Measure::Chars => int(node.chars),
            Measure::Words => int(node.words),
            Measure::OpenBracket => Measured::Bool(node.brackets.open > 0),
            Measure::OpenQuote => Measured::Bool(node.quotes.open > 0),
            Measure::Relation => {
                Measured::Code(node.joined.map_or(0, |joined| joined.relation + 1))
            }
            Measure::Class => {
                let class = node
                    .joined
                    .and_then(|j| self.tables.classes.get(j.relation as usize));
                Measured::Code(class.copied().unwrap_or(0))
            }
            Measure::Nuclearity => code(nuclearity(node)),
            Measure::Depth => int(node.height),
            Measure::Edu => int(node.first + 1),
            Measure::Sentence => int(first.sentence + 1),
            Measure::Paragraph => int(first.block + 1),
            Measure::Position => {
                Measured::Float(f64::from(node.first) / self.text.leaves.len() as f64)
            }
            Measure::OpensBlock => Measured::Bool(first.opens_block),
            Measure::ClosesBlock => Measured::Bool(last.closes_block),
            Measure::SentencesLeft => int(last.sentences_left),
            Measure::Pronoun => Measured::Bool(first.pronoun),
            Measure::Verbs => int(node.verbs),
            Measure::Sentences => {
                int(last.last_sentence + 1 - first.sentence.min(last.last_sentence))
            }
            Measure::Inner => code(node.inner),
            Measure::HeadCue => Measured::Code(u32::from(head.cue)),
            Measure::HeadTail => code(head.tail),
            Measure::HeadSpeech => Measured::Bool(head.speech),
            Measure::HeadFirst => code(head.first),
            Measure::HeadFinal => code(head.final_word),
            Measure::First => code(first.first),
            Measure::Final => code(last.final_word),
            Measure::Begins => {
                let text = &self.text.edus[node.first as usize].text;
                form::first_letter(text).map_or(Measured::Unknown, Measured::Name)
            }
            Measure::Ends => {
                let text = &self.text.edus[node.last as usize].text;
                form::last_letter(text).map_or(Measured::Unknown, Measured::Name)
            }
            Measure::Speaker => match &first.speaker {
                Some(speaker) => Measured::Name(speaker),
                None => Measured::Unknown,
            },
            _ => Measured::Unknown,
        }
    }

    /// What is measured of two nodes, the left one first.
    pub(super) fn two(&self, measure: Measure, a: &Span, b: &Span) -> Measured<'_> {
        let neighbours = a.last + 1 == b.first;
        match measure {
            Measure::Level if neighbours => {
                Measured::Code(u32::from(self.text.leaves[a.last as usize].level_after))
            }
            Measure::Reach if neighbours => {
                Measured::Int(i64::from(self.text.reach[a.last as usize]))
            }
            Measure::Overlap => {
                overlap(&a.content, &b.content).map_or(Measured::Unknown, Measured::Float)
            }
            Measure::SharedEntity => Measured::Bool(common(&a.entities, &b.entities) > 0),
            Measure::Ratio if b.chars > 0 => {
                Measured::Float(f64::from(a.chars) / f64::from(b.chars))
            }
            Measure::Paired => Measured::Bool(self.paired(a, b)),
            Measure::Ahead => {
                let sentence = self.text.leaves[b.first as usize].sentence as usize;
                let words = self.text.sentences.get(sentence);
                let share = words.and_then(|words| overlap(&a.content, words));
                share.map_or(Measured::Unknown, Measured::Float)
            }
            Measure::Tie => {
                let share = self.text.recurrence().tie(&a.content, &b.content);
                share.map_or(Measured::Unknown, Measured::Float)
            }
            Measure::Onward => {
                let share = self.text.recurrence().onward(&a.content, b.first);
                share.map_or(Measured::Unknown, Measured::Float)
            }
            Measure::Continues => match self.text.leaves[b.first as usize].topic {
                Some(topic) => Measured::Bool(a.content.binary_search(&topic).is_ok()),
                None => Measured::Unknown,
            },
            Measure::Parallel => {
                let first = |node: &Span| self.text.leaves[node.first as usize].first_word;
                Measured::Bool(first(a).is_some() && first(a) == first(b))
            }
            _ => Measured::Unknown,
        }
    }

    fn completeness(&self, node: &Span) -> u8 {
        let first = &self.text.leaves[node.first as usize];
        let last = &self.text.leaves[node.last as usize];
        let at = match () {
            () if first.opens_block && last.closes_block => 2,
            () if first.opens_sentence && last.closes_sentence => 1,
            () => 0,
        };
        debug_assert!(at < COMPLETENESS.len());
        at as u8
    }

    fn paired(&self, a: &Span, b: &Span) -> bool {
        let (a, b) = (
            &self.text.leaves[a.first as usize],
            &self.text.leaves[b.first as usize],
        );
        a.cues.iter().any(|cue| {
            let answers = self.tables.answers.get(usize::from(*cue));
            answers.is_some_and(|answers| b.cues.iter().any(|cue| answers.contains(cue)))
        })
    }
}

fn is_heading(kind: u8) -> bool {
    // `heading` is the first of the kinds.
    kind == 0
}

fn nuclearity(node: &Span) -> u8 {
    let code = match node.joined.map(|joined| joined.roles) {
        None => 0,
        Some(Roles::NucleusSatellite) => 1,
        Some(Roles::SatelliteNucleus) => 2,
        Some(Roles::NucleusNucleus) => 3,
    };
    debug_assert!(code < NUCLEARITIES.len());
    code as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_the_share_of_the_smaller_set() {
        assert_eq!(overlap(&[1, 2, 3, 4], &[3, 4]), Some(1.0));
        assert_eq!(overlap(&[1, 2, 3, 4], &[4, 9]), Some(0.5));
        assert_eq!(overlap(&[], &[4, 9]), None);
        assert_eq!(*united(&[1, 3].into(), &[2, 3, 9].into()), [1, 2, 3, 9]);
    }
}
