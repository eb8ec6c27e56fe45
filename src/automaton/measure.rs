//! What can be measured, by the names of the grammar's functions.

use std::cmp::Ordering;

use crate::grammar::formula::Node;
use crate::grammar::functions::{FunctionId, Scope};
use crate::grammar::{Facts, Value};

/// A measured value: codes stand for symbols of the function's domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measured<'v> {
    Unknown,
    Bool(bool),
    Int(i64),
    Float(f64),
    Code(u32),
    Name(&'v str),
}

impl Measured<'_> {
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Measured::Int(value) => Some(value as f64),
            Measured::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The value in formulas; codes need their domain.
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Measured::Unknown | Measured::Code(_) => None,
            Measured::Bool(value) => Some(Value::Bool(value)),
            Measured::Int(value) => Some(Value::Int(value)),
            Measured::Float(value) => Some(Value::Float(value)),
            Measured::Name(name) => Some(Value::Text(name.into())),
        }
    }

    pub(super) fn compare(self, other: Measured<'_>) -> Option<Ordering> {
        match (self, other) {
            (Measured::Code(left), Measured::Code(right)) => Some(left.cmp(&right)),
            (Measured::Bool(left), Measured::Bool(right)) => Some(left.cmp(&right)),
            (Measured::Name(left), Measured::Name(right)) => Some(left.cmp(right)),
            _ => self.number()?.partial_cmp(&other.number()?),
        }
    }
}

/// Where answers come from: a configuration of nodes, or a gap between words.
pub(super) trait Probe: Facts {
    /// A function of nothing (a gap), of one node or word, or of two nodes.
    fn probe(&self, measure: Measure, nodes: &[Node]) -> Measured<'_>;

    /// A stored attribute.
    fn stored(&self, node: Node, attribute: u32) -> Option<&Value>;
}

/// The functions whose answer is a plain value. `cues` is a set and is answered where formulas are
/// evaluated; `near` needs a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Measure {
    Symbol,
    Cue,
    Tail,
    Speech,
    Punct,
    Opening,
    Numbering,
    Heading,
    Kind,
    Speaker,
    Completeness,
    Length,
    Chars,
    Words,
    OpenBracket,
    OpenQuote,
    Relation,
    Class,
    Nuclearity,
    Depth,
    Edu,
    Sentence,
    Paragraph,
    Position,
    OpensBlock,
    ClosesBlock,
    SentencesLeft,
    Pronoun,
    Verbs,
    Level,
    Overlap,
    Ratio,
    Paired,
    Reach,
    SharedEntity,
    Sentences,
    First,
    Final,
    Begins,
    Ends,
    Inner,
    HeadCue,
    HeadTail,
    HeadSpeech,
    HeadFirst,
    HeadFinal,
    Ahead,
    Tie,
    Onward,
    Continues,
    Parallel,
    // Of words.
    Word,
    Pos,
    WordCue,
    WordPunct,
    WordLength,
    Verb,
    WordSpeech,
    Cognition,
    // Of a gap.
    SinceMark,
    UntilMark,
    NextMark,
    VerbsBefore,
    VerbsAfter,
    CharsBefore,
    InBracket,
    InQuote,
    UntilDe,
    VerbBeforeDe,
    HeadAfterDe,
    ParagraphStart,
    Block,
}

const OF_NODES: &[(&str, Measure)] = &[
    ("symbol", Measure::Symbol),
    ("cue", Measure::Cue),
    ("tail", Measure::Tail),
    ("speech", Measure::Speech),
    ("punct", Measure::Punct),
    ("opening", Measure::Opening),
    ("numbering", Measure::Numbering),
    ("heading", Measure::Heading),
    ("kind", Measure::Kind),
    ("speaker", Measure::Speaker),
    ("completeness", Measure::Completeness),
    ("length", Measure::Length),
    ("chars", Measure::Chars),
    ("words", Measure::Words),
    ("open-bracket", Measure::OpenBracket),
    ("open-quote", Measure::OpenQuote),
    ("relation", Measure::Relation),
    ("class", Measure::Class),
    ("nuclearity", Measure::Nuclearity),
    ("depth", Measure::Depth),
    ("edu", Measure::Edu),
    ("sentence", Measure::Sentence),
    ("paragraph", Measure::Paragraph),
    ("position", Measure::Position),
    ("opens-block", Measure::OpensBlock),
    ("closes-block", Measure::ClosesBlock),
    ("sentences-left", Measure::SentencesLeft),
    ("pronoun", Measure::Pronoun),
    ("verbs", Measure::Verbs),
    ("level", Measure::Level),
    ("overlap", Measure::Overlap),
    ("ratio", Measure::Ratio),
    ("paired", Measure::Paired),
    ("reach", Measure::Reach),
    ("shared-entity", Measure::SharedEntity),
    ("sentences", Measure::Sentences),
    ("first", Measure::First),
    ("final", Measure::Final),
    ("inner", Measure::Inner),
    ("head-cue", Measure::HeadCue),
    ("head-tail", Measure::HeadTail),
    ("head-speech", Measure::HeadSpeech),
    ("head-first", Measure::HeadFirst),
    ("head-final", Measure::HeadFinal),
    ("begins", Measure::Begins),
    ("ends", Measure::Ends),
    ("ahead", Measure::Ahead),
    ("tie", Measure::Tie),
    ("onward", Measure::Onward),
    ("continues", Measure::Continues),
    ("parallel", Measure::Parallel),
];

const OF_WORDS: &[(&str, Measure)] = &[
    ("word", Measure::Word),
    ("pos", Measure::Pos),
    ("cue", Measure::WordCue),
    ("punct", Measure::WordPunct),
    ("length", Measure::WordLength),
    ("verb", Measure::Verb),
    ("speech", Measure::WordSpeech),
    ("cognition", Measure::Cognition),
    ("since-mark", Measure::SinceMark),
    ("until-mark", Measure::UntilMark),
    ("next-mark", Measure::NextMark),
    ("verbs-before", Measure::VerbsBefore),
    ("verbs-after", Measure::VerbsAfter),
    ("chars-before", Measure::CharsBefore),
    ("in-bracket", Measure::InBracket),
    ("in-quote", Measure::InQuote),
    ("until-de", Measure::UntilDe),
    ("verb-before-de", Measure::VerbBeforeDe),
    ("head-after-de", Measure::HeadAfterDe),
    ("paragraph-start", Measure::ParagraphStart),
    ("block", Measure::Block),
];

impl Measure {
    /// The measure behind a function, if it gives a plain value.
    pub(super) fn of(function: FunctionId) -> Option<Measure> {
        let function = function.get();
        let measures = match function.scope {
            Scope::Nodes => OF_NODES,
            Scope::Words => OF_WORDS,
            Scope::Anywhere => return None,
        };
        let found = measures.iter().find(|(known, _)| *known == function.name);
        found.map(|(_, measure)| *measure)
    }

    /// True where content words or entities of spans are compared.
    pub(super) fn compares_words(self) -> bool {
        matches!(
            self,
            Measure::Overlap
                | Measure::SharedEntity
                | Measure::Ahead
                | Measure::Tie
                | Measure::Onward
                | Measure::Continues
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::functions::{FUNCTIONS, KINDS};

    #[test]
    fn every_function_of_nodes_and_words_has_its_measure() {
        for at in 0..FUNCTIONS.len() as u16 {
            let function = FunctionId(at).get();
            let elsewhere = function.scope == Scope::Anywhere
                || matches!(function.name, "cues" | "is" | "near");
            let measured = Measure::of(FunctionId(at)).is_some();
            assert!(measured != elsewhere, "{}", function.name);
        }
        assert_eq!(KINDS[0], "heading");
    }
}
