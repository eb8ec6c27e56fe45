//! The gaps between words, as boundary rules see them.

use std::sync::Arc;

use super::form::part_of_speech;
use super::leaf::{index_of, is_speech, punctuation_code};
use super::measure::{Measure, Measured, Probe};
use crate::grammar::formula::{Domain, FunctionId, Node};
use crate::grammar::functions::{Answer, KINDS};
use crate::grammar::{Facts, Value};
use crate::schema::Schema;
use crate::text::BlockKind;
use crate::text::words::{List, Punctuation, Tag, Word};

/// What every gap of a block can be asked, counted in one pass from each side.
pub(super) struct Gaps<'w> {
    text: &'w str,
    words: &'w [Word],
    schema: &'w Schema,
    kind: u8,
    /// For each gap (before the word of that number).
    before: Vec<Before>,
    after: Vec<After>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Before {
    since_mark: u32,
    verbs: u32,
    brackets: u32,
    quotes: u32,
}

#[derive(Debug, Clone, Copy)]
struct After {
    until_mark: u32,
    mark: Punctuation,
    verbs: u32,
    /// Words to the next 的, if one stands before the next mark.
    until_de: Option<u32>,
    verb_before_de: bool,
    head_after_de: Option<Tag>,
}

impl<'w> Gaps<'w> {
    pub(super) fn new(
        text: &'w str,
        words: &'w [Word],
        kind: BlockKind,
        schema: &'w Schema,
    ) -> Gaps<'w> {
        let kind = match kind {
            BlockKind::Heading(_) => "heading",
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem => "list-item",
            BlockKind::Quote => "quote",
        };
        Gaps {
            text,
            words,
            schema,
            kind: index_of(KINDS, kind),
            before: before(words),
            after: after(words),
        }
    }

    /// The gap before a word, when the current EDU began `chars` characters ago.
    pub(super) fn at(&self, word: usize, chars: u32) -> Gap<'_> {
        Gap {
            gaps: self,
            word,
            chars,
        }
    }
}

fn before(words: &[Word]) -> Vec<Before> {
    let mut now = Before::default();
    let mut all = Vec::with_capacity(words.len());
    // Right behind a mark the clause that it ends is what counts.
    let mut behind_mark = false;
    for word in words {
        all.push(now);
        if behind_mark {
            (now.since_mark, now.verbs) = (0, 0);
        }
        behind_mark = parts(word.punctuation);
        if !behind_mark {
            now.since_mark += 1;
            now.verbs += u32::from(word.tag == Tag::Verb);
        }
        match word.punctuation {
            Punctuation::OpenBracket => now.brackets += 1,
            Punctuation::CloseBracket => now.brackets = now.brackets.saturating_sub(1),
            Punctuation::OpenQuote => now.quotes += 1,
            Punctuation::CloseQuote => now.quotes = now.quotes.saturating_sub(1),
            _ => {}
        }
    }
    all
}

fn after(words: &[Word]) -> Vec<After> {
    let mut now = After {
        until_mark: 0,
        mark: Punctuation::None,
        verbs: 0,
        until_de: None,
        verb_before_de: false,
        head_after_de: None,
    };
    let mut all = vec![now; words.len()];
    for (at, word) in words.iter().enumerate().rev() {
        if parts(word.punctuation) {
            now = After {
                until_mark: 0,
                mark: word.punctuation,
                verbs: 0,
                until_de: None,
                verb_before_de: false,
                head_after_de: None,
            };
        } else {
            now.until_mark += 1;
            let verb = word.tag == Tag::Verb;
            now.verbs += u32::from(verb);
            if word.tag == Tag::De {
                now.until_de = Some(0);
                now.verb_before_de = false;
                now.head_after_de = words.get(at + 1).map(|next| next.tag);
            } else {
                now.until_de = now.until_de.map(|words| words + 1);
                now.verb_before_de |= verb && now.until_de.is_some();
            }
        }
        all[at] = now;
    }
    all
}

/// Marks that clauses and items lie between.
fn parts(mark: Punctuation) -> bool {
    mark.parts_clauses() || matches!(mark, Punctuation::Enumeration | Punctuation::Dash)
}

/// One gap.
pub(super) struct Gap<'g> {
    gaps: &'g Gaps<'g>,
    word: usize,
    chars: u32,
}

impl Gap<'_> {
    fn word(&self, node: Node) -> Option<&Word> {
        let at = match node {
            Node::Prev2 => self.word.checked_sub(2)?,
            Node::Prev => self.word.checked_sub(1)?,
            Node::Next => self.word,
            Node::Next2 => self.word + 1,
            _ => return None,
        };
        self.gaps.words.get(at)
    }

    fn of_word(&self, measure: Measure, word: &Word) -> Measured<'_> {
        match measure {
            Measure::Word => Measured::Name(word.text(self.gaps.text)),
            Measure::Pos => Measured::Code(u32::from(part_of_speech(word.tag))),
            Measure::WordCue => Measured::Code(word.cue().map_or(0, |cue| cue as u32 + 1)),
            Measure::WordPunct => Measured::Code(u32::from(punctuation_code(word.punctuation))),
            Measure::WordLength => Measured::Int(word.text(self.gaps.text).chars().count() as i64),
            Measure::Verb => Measured::Bool(word.tag == Tag::Verb),
            Measure::WordSpeech => Measured::Bool(is_speech(word)),
            Measure::Cognition => Measured::Bool(word.is(List::Cognition)),
            _ => Measured::Unknown,
        }
    }

    fn of_gap(&self, measure: Measure) -> Measured<'_> {
        let (Some(before), Some(after)) = (
            self.gaps.before.get(self.word),
            self.gaps.after.get(self.word),
        ) else {
            return Measured::Unknown;
        };
        let int = |value: u32| Measured::Int(i64::from(value));
        match measure {
            Measure::SinceMark => int(before.since_mark),
            Measure::UntilMark => int(after.until_mark),
            Measure::NextMark => Measured::Code(u32::from(punctuation_code(after.mark))),
            Measure::VerbsBefore => int(before.verbs),
            Measure::VerbsAfter => int(after.verbs),
            Measure::CharsBefore => int(self.chars),
            Measure::InBracket => Measured::Bool(before.brackets > 0),
            Measure::InQuote => Measured::Bool(before.quotes > 0),
            Measure::UntilDe => after.until_de.map_or(Measured::Unknown, int),
            Measure::VerbBeforeDe => Measured::Bool(after.verb_before_de),
            Measure::HeadAfterDe => match after.head_after_de {
                Some(tag) => Measured::Code(u32::from(part_of_speech(tag))),
                None => Measured::Unknown,
            },
            Measure::ParagraphStart => Measured::Bool(self.word == 0),
            Measure::Block => Measured::Code(u32::from(self.gaps.kind)),
            _ => Measured::Unknown,
        }
    }
}

impl Probe for Gap<'_> {
    fn probe(&self, measure: Measure, nodes: &[Node]) -> Measured<'_> {
        match nodes {
            [] => self.of_gap(measure),
            [node] => match self.word(*node) {
                Some(word) => self.of_word(measure, word),
                None => Measured::Unknown,
            },
            _ => Measured::Unknown,
        }
    }

    fn stored(&self, _: Node, _: u32) -> Option<&Value> {
        None
    }
}

impl Facts for Gap<'_> {
    fn attribute(&self, _: Node, _: u32) -> Option<Value> {
        None
    }

    fn measure(&self, function: FunctionId, nodes: &[Node], _: &[Value]) -> Option<Value> {
        let measured = self.probe(Measure::of(function)?, nodes);
        let Measured::Code(code) = measured else {
            return measured.value();
        };
        let name: Arc<str> = match function.get().result {
            Answer::Symbol(Domain::Values(list)) => (*list.get(code as usize)?).into(),
            Answer::Symbol(Domain::Cues) => match (code as usize).checked_sub(1) {
                None => "none".into(),
                Some(at) => self.gaps.schema.cues.get(at)?.name.as_str().into(),
            },
            _ => return None,
        };
        Some(Value::Symbol(name))
    }

    fn variable(&self, _: u32) -> Option<Value> {
        None
    }
}
