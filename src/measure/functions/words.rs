//! What boundary rules ask of the words at a gap.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Bool, Int, Symbol, Text},
    Domain::{Cues, Values},
    PARTS_OF_SPEECH, PUNCTUATION,
};
use crate::measure::form::{cue_number, part_of_speech, punctuation_code};
use crate::measure::function::{Function, Measure, Parameter, Scope};
use crate::measure::gap::Gap;
use crate::measure::learning::*;
use crate::measure::measured::Measured;
use crate::text::words::{List, Tag, Word};

const fn word(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'g> fn(&Gap<'g>, &'g Word) -> Measured<'g>,
) -> Function {
    let parameters = &[Parameter::Word];
    let measure = Measure::Word(measure);
    Function::new(name, parameters, (Scope::Words, result), [doc, zh], measure)
}

pub(super) const FUNCTIONS: &[Function] = &[
    word(
        "word",
        Text,
        ["the word itself", "词本身"],
        |at, word| Measured::Name(at.text_of(word)),
    )
    .learned(&[Cut::new(Ask::Seen, SEEN_WORDS, 1).in_pairs_at(&[PREV, NEXT])]),
    word(
        "pos",
        Symbol(Values(PARTS_OF_SPEECH)),
        ["its part of speech", "词性"],
        |_, word| Measured::code(part_of_speech(word.tag)),
    )
    .learned(&[Cut::new(Ask::Each, WORDS, 1).in_pairs()]),
    word(
        "cue",
        Symbol(Cues),
        ["the class of cue it is", "连接词类"],
        |_, word| Measured::Code(u32::from(cue_number(word))),
    )
    .learned(&[Cut::new(Ask::Each, WORDS, 3)
        .in_pairs_at(&[PREV, NEXT])
        .but_none()]),
    word(
        "punct",
        Symbol(Values(PUNCTUATION)),
        ["the punctuation it is", "标点类"],
        |_, word| Measured::code(punctuation_code(word.punctuation)),
    )
    .learned(&[Cut::new(Ask::Each, WORDS, 2).in_pairs().but_none()]),
    word(
        "length",
        Int(0, MANY),
        ["how many characters it has", "字数"],
        |at, word| Measured::count(at.text_of(word).chars().count() as u32),
    )
    .learned(&[Cut::new(Ask::AtLeast(&[2, 3, 4]), WORDS, 6).in_pairs_at(&[PREV, NEXT])]),
    word("verb", Bool, ["it is a verb", "是动词"], |_, word| {
        Measured::Bool(word.tag == Tag::Verb)
    }),
    word(
        "speech",
        Bool,
        ["it is a verb of speech", "是言说动词"],
        |_, word| Measured::Bool(word.is(List::Speech)),
    )
    .learned(&[Cut::new(Ask::Holds, WORDS, 4).in_pairs()]),
    word(
        "cognition",
        Bool,
        ["it is a verb of thinking or feeling", "是认知动词"],
        |_, word| Measured::Bool(word.is(List::Cognition)),
    )
    .learned(&[Cut::new(Ask::Holds, WORDS, 5).in_pairs()]),
];
