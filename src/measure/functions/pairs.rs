//! What is asked of two nodes, the left one first.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Bool, Float, Int, Symbol},
    Domain::Ordered,
    LEVELS,
};
use crate::measure::function::{Function, Measure, Parameter, Scope};
use crate::measure::learning::*;
use crate::measure::measured::Measured;
use crate::measure::measurer::Measurer;
use crate::measure::span::{ParsedSpan, common, overlap};

const SHARES: &[f64] = &[0.0, 0.1, 0.2, 0.35, 0.5];
const RATIOS: &[f64] = &[0.25, 0.5, 0.8, 1.25, 2.0, 4.0];
const DISTANCES: &[i64] = &[2, 3, 4, 6, 9, 14, 25];
/// Greater distances say little together with something else.
const SHORT: &[i64] = &[2, 3, 4];
const MAIN_LEVELS: &[&str] = &["comma", "semicolon", "sentence", "paragraph"];

const fn pair(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'t> fn(&Measurer<'t>, &ParsedSpan, &ParsedSpan) -> Measured<'t>,
) -> Function {
    let parameters = &[Parameter::Node, Parameter::Node];
    let measure = Measure::Pair(measure);
    Function::new(name, parameters, (Scope::Nodes, result), [doc, zh], measure)
}

/// How it compares with the break at another place.
const fn against_level(place: &'static [Place], other: &'static [Place], turn: u8) -> Cut {
    let cut = Cut::new(Ask::Against("level", other), ORDERS, turn);
    cut.of(place).in_pairs()
}

pub(super) const FUNCTIONS: &[Function] = &[
    pair(
        "level",
        Symbol(Ordered(LEVELS)),
        [
            "how strong the break between two neighbours is",
            "相邻两者之间断开的强度",
        ],
        |at, a, b| at.level(a, b).map_or(Measured::Unknown, Measured::code),
    )
    .told("the break {0}|{1}", ["{} at {0}|{1}", "no mark at {0}|{1}"])
    .learned(&[
        Cut::new(Ask::Each, BREAKS, 1).in_pairs(),
        Cut::new(Ask::BesideLevel(MAIN_LEVELS), BREAKS, 2).in_pairs(),
        against_level(&[AB], &[BC], 1),
        against_level(&[SA], &[AB], 2),
        against_level(&[BC], &[CE], 3),
        against_level(&[SA], &[BC], 4),
        against_level(&[AB], &[CE], 5),
    ]),
    pair(
        "overlap",
        Float(0.0, 1.0),
        [
            "the share of content words they have in common",
            "实词重合的比例",
        ],
        |_, a, b| Measured::share(overlap(&a.content, &b.content)),
    )
    .told("what {0} and {1} share", ["{0} and {1} share {%} of their content words", ""])
    .or_unknown()
    .comparing_words()
    .learned(&[
        Cut::new(Ask::Above(SHARES), PAIRS, 8).in_pairs_at(&[AB, BC, AC, CE]),
        Cut::new(Ask::Against("overlap", &[BC]), ORDERS, 6).of(&[AB]),
        Cut::new(Ask::Against("ahead", &[BC]), AHEAD_ORDERS, 1)
            .beside(1)
            .of(&[AB])
            .in_pairs(),
    ]),
    pair(
        "ratio",
        Float(0.0, f64::MAX),
        [
            "the length of the first over that of the second, in characters",
            "前者与后者的字数比",
        ],
        |_, a, b| {
            let ratio = || f64::from(a.chars) / f64::from(b.chars);
            Measured::share((b.chars > 0).then(ratio))
        },
    )
    .told("the length of {0} over that of {1}", ["{0} is {} times as long as {1}", ""])
    .or_unknown()
    .learned(&[Cut::new(Ask::Above(RATIOS), REACHES, 1)]),
    pair(
        "paired",
        Bool,
        [
            "they open with paired connectives: 虽然 ... 但是",
            "由成对连接词引导（虽然……但是）",
        ],
        |at, a, b| Measured::Bool(at.paired(a, b)),
    )
    .told("", ["{0} and {1} open with paired connectives", "{0} and {1} have no paired connectives"])
    .learned(&[Cut::new(Ask::Holds, PAIRS, 10).in_pairs()]),
    pair(
        "reach",
        Int(0, MANY),
        [
            "EDUs from here to the next break at least as strong",
            "到下一个同级或更强断点还有几个 EDU",
        ],
        |at, a, b| {
            if a.last + 1 == b.first {
                Measured::count(at.text.reach[a.last as usize])
            } else {
                Measured::Unknown
            }
        },
    )
    .told("the way from {0}|{1} to the next break as strong", ["{} EDUs from {0}|{1} to the next break as strong", ""])
    .learned(&[
        Cut::new(Ask::AtLeast(DISTANCES), REACHES, 2)
            .in_pairs()
            .with(SHORT),
        Cut::new(Ask::Against("reach", &[BC]), ORDERS, 7).of(&[AB]),
    ]),
    pair(
        "shared-entity",
        Bool,
        ["they name the same entity", "提到同一实体"],
        |_, a, b| Measured::Bool(common(&a.entities, &b.entities) > 0),
    )
    .told("", ["{0} and {1} name the same entity", "{0} and {1} name no common entity"])
    .comparing_words()
    .learned(&[Cut::new(Ask::Holds, PAIRS, 9).in_pairs()]),
    pair(
        "ahead",
        Float(0.0, 1.0),
        [
            "the share of content words that the first has in common with the sentence in which the second begins",
            "前者与后者所在句子的实词重合比例",
        ],
        |at, a, b| {
            let sentence = at.text.sentences.get(at.first(b).sentence as usize);
            Measured::share(sentence.and_then(|words| overlap(&a.content, words)))
        },
    )
    .told("what {0} shares with the sentence of {1}", ["{0} shares {%} of its content words with the sentence of {1}", ""])
    .or_unknown()
    .comparing_words()
    .learned(&[
        Cut::new(Ask::Above(SHARES), AHEAD, 1).in_pairs(),
        Cut::new(Ask::Against("ahead", &[BC]), AHEAD_ORDERS, 1)
            .of(&[AC])
            .in_pairs(),
    ]),
    pair(
        "tie",
        Float(0.0, 1.0),
        [
            "the share of content words they have in common, rare ones counting more",
            "实词重合的比例，罕见词权重更大",
        ],
        |at, a, b| Measured::share(at.text.recurrence().tie(&a.content, &b.content)),
    )
    .told("the tie between {0} and {1}", ["{0} and {1} share {%} of their words, rare ones counting more", ""])
    .or_unknown()
    .comparing_words()
    .learned(&[Cut::new(Ask::Against("onward", &[BC]), ONWARD_ORDERS, 1)
        .beside(2)
        .of(&[AB])]),
    pair(
        "onward",
        Float(0.0, 1.0),
        [
            "the share of the first's content words that stand from the second on, up to a stronger break than the one before it; rare ones count more",
            "前者的实词自后者起至更强断点为止再次出现的比例，罕见词权重更大",
        ],
        |at, a, b| Measured::share(at.text.recurrence().onward(&a.content, b.first)),
    )
    .told("what of {0} comes again from {1} on", ["{%} of {0}'s words come again from {1} on", ""])
    .or_unknown()
    .comparing_words()
    .learned(&[
        Cut::new(Ask::Above(SHARES), ONWARD, 1),
        Cut::new(Ask::Against("onward", &[BC]), ONWARD_ORDERS, 1).of(&[AC]),
        Cut::new(Ask::Against("onward", &[AC]), ONWARD_ORDERS, 1)
            .beside(1)
            .of(&[SC]),
    ]),
    pair(
        "continues",
        Bool,
        [
            "the first noun of the second stands in the first",
            "后者的首个名词见于前者",
        ],
        |at, a, b| match at.first(b).topic {
            Some(topic) => Measured::Bool(a.content.binary_search(&topic).is_ok()),
            None => Measured::Unknown,
        },
    )
    .told("", ["{1}'s first noun stands in {0}", "{1}'s first noun does not stand in {0}"])
    .or_unknown()
    .comparing_words()
    .learned(&[
        Cut::new(Ask::Holds, PAIRS, 12).in_pairs(),
        Cut::new(Ask::Fails, PAIRS, 13).in_pairs(),
    ]),
    pair(
        "parallel",
        Bool,
        ["they begin with the same word", "以同一个词开头"],
        |at, a, b| {
            let [a, b] = [a, b].map(|node| at.first(node).first_word);
            Measured::Bool(a.is_some() && a == b)
        },
    )
    .told("", ["{0} and {1} begin with the same word", "{0} and {1} begin with different words"])
    .learned(&[Cut::new(Ask::Holds, PAIRS, 11).in_pairs()]),
];
