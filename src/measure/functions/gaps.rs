//! What boundary rules ask of the gap itself.
//!
//! How far back the last EDU began is not learned: in gold texts it is always right, in a text that is
//! being divided it is not.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Bool, Int, Symbol},
    Domain::Values,
    KINDS, PARTS_OF_SPEECH, PUNCTUATION,
};
use crate::measure::form::{part_of_speech, punctuation_code};
use crate::measure::function::{Function, Measure, Scope};
use crate::measure::gap::Gap;
use crate::measure::learning::*;
use crate::measure::measured::Measured;

const COUNTS: &[i64] = &[1, 2, 3, 4, 6, 8, 11, 15];
/// Those that may stand in pairs.
const MAIN_COUNTS: &[i64] = &[2, 4, 8];
const VERBS: &[i64] = &[1, 2, 3];

const fn gap(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'g> fn(&Gap<'g>) -> Measured<'g>,
) -> Function {
    let measure = Measure::Gap(measure);
    Function::new(name, &[], (Scope::Words, result), [doc, zh], measure)
}

const fn distance(turn: u8) -> Cut {
    let cut = Cut::new(Ask::AtLeast(COUNTS), GAPS, turn);
    cut.in_pairs().with(MAIN_COUNTS)
}

const fn verbs(turn: u8) -> [Cut; 2] {
    [
        Cut::new(Ask::AtLeast(VERBS), GAPS, turn).in_pairs(),
        Cut::new(Ask::Equals(0), GAPS, turn + 1).in_pairs(),
    ]
}

const fn flag(turn: u8) -> [Cut; 2] {
    [
        Cut::new(Ask::Holds, GAPS, turn).in_pairs(),
        Cut::new(Ask::Fails, GAPS, turn + 1),
    ]
}

const fn each(turn: u8) -> Cut {
    Cut::new(Ask::Each, GAPS, turn).in_pairs()
}

pub(super) const FUNCTIONS: &[Function] = &[
    gap(
        "since-mark",
        Int(0, MANY),
        [
            "words since the last mark; right behind a mark, words of the clause it ends",
            "距上一个标点的词数；紧接标点之后则为其所结束的小句的词数",
        ],
        |at| Measured::count(at.before.since_mark),
    )
    .learned(&[distance(1)]),
    gap(
        "until-mark",
        Int(0, MANY),
        ["words until the next mark", "距下一个标点的词数"],
        |at| Measured::count(at.after.until_mark),
    )
    .learned(&[distance(2)]),
    gap(
        "next-mark",
        Symbol(Values(PUNCTUATION)),
        ["the next mark", "下一个标点"],
        |at| Measured::code(punctuation_code(at.after.mark)),
    )
    .learned(&[each(16)]),
    gap(
        "verbs-before",
        Int(0, MANY),
        [
            "verbs since the last mark; right behind a mark, verbs of the clause it ends",
            "上一个标点以来的动词数；紧接标点之后则为其所结束的小句的动词数",
        ],
        |at| Measured::count(at.before.verbs),
    )
    .learned(&verbs(6)),
    gap(
        "verbs-after",
        Int(0, MANY),
        ["verbs until the next mark", "到下一个标点为止的动词数"],
        |at| Measured::count(at.after.verbs),
    )
    .learned(&verbs(8)),
    gap(
        "chars-before",
        Int(0, MANY),
        ["characters since the last EDU began", "本 EDU 已有的字数"],
        |at| Measured::count(at.chars),
    ),
    gap(
        "in-bracket",
        Bool,
        ["the gap stands inside brackets", "在括号内"],
        |at| Measured::Bool(at.before.brackets > 0),
    )
    .learned(&flag(10)),
    gap(
        "in-quote",
        Bool,
        ["the gap stands inside quotes", "在引号内"],
        |at| Measured::Bool(at.before.quotes > 0),
    )
    .learned(&flag(12)),
    gap(
        "until-de",
        Int(0, MANY),
        [
            "words until the next 的 before a mark",
            "到标点前下一个“的”的词数",
        ],
        |at| at.after.until_de.map_or(Measured::Unknown, Measured::count),
    )
    .or_unknown()
    .learned(&[
        distance(3),
        Cut::new(Ask::Known, GAPS, 4).in_pairs(),
        Cut::new(Ask::Missing, GAPS, 5),
    ]),
    gap(
        "verb-before-de",
        Bool,
        [
            "a verb stands between the gap and that 的",
            "与该“的”之间有动词",
        ],
        |at| Measured::Bool(at.after.verb_before_de),
    )
    .learned(&flag(14)),
    gap(
        "head-after-de",
        Symbol(Values(PARTS_OF_SPEECH)),
        ["the part of speech after that 的", "该“的”之后的词性"],
        |at| match at.after.head_after_de {
            Some(tag) => Measured::code(part_of_speech(tag)),
            None => Measured::Unknown,
        },
    )
    .or_unknown()
    .learned(&[each(17)]),
    gap(
        "paragraph-start",
        Bool,
        ["a paragraph begins here", "此处段落开始"],
        |at| Measured::Bool(at.word == 0),
    ),
    gap(
        "block",
        Symbol(Values(KINDS)),
        ["the kind of block", "所在块的种类"],
        |at| Measured::code(at.kind()),
    )
    .learned(&[each(18)]),
];
