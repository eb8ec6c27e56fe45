//! What is asked of one node.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Bool, Float, Int, Set, Symbol, Text},
    COMPLETENESS,
    Domain::{self, Cues, Ordered, Tails, Values},
    KINDS, LEVELS, NUCLEARITIES, NUMBERINGS, OPENINGS, PARTS_OF_SPEECH, PUNCTUATION,
};
use crate::measure::form;
use crate::measure::function::{Function, Measure, Parameter, Scope};
use crate::measure::learning::*;
use crate::measure::measured::Measured;
use crate::measure::measurer::Measurer;
use crate::measure::span::ParsedSpan;
use crate::tree::Roles;

const LENGTHS: &[i64] = &[2, 3, 4, 6, 9, 14, 22];
/// Greater lengths say little together with something else.
const SHORT: &[i64] = &[2, 3, 4];
const DEPTHS: &[i64] = &[1, 2, 3, 5];
const CHARS: &[i64] = &[6, 10, 16, 25, 40, 80];
const WORD_COUNTS: &[i64] = &[1, 2, 3, 5, 8];
const VERBS: &[i64] = &[1, 2, 3];
const SENTENCES: &[i64] = &[2, 3, 5];
const SENTENCES_LEFT: &[i64] = &[1, 2, 3, 5];
const MAIN_LEVELS: &[&str] = &["comma", "semicolon", "sentence", "paragraph"];

const fn node(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'t> fn(&Measurer<'t>, &ParsedSpan) -> Measured<'t>,
) -> Function {
    let parameters = &[Parameter::Node];
    let measure = Measure::Node(measure);
    Function::new(name, parameters, (Scope::Nodes, result), [doc, zh], measure)
}

/// One literal for each value of a single node.
const fn each(turn: u8) -> Cut {
    Cut::new(Ask::Each, NODES, turn)
}

/// Whether it holds; whether it does not, alone only.
const fn flag(turn: u8) -> [Cut; 2] {
    [
        Cut::new(Ask::Holds, NODES, turn).in_pairs_at(&[A, B, C]),
        Cut::new(Ask::Fails, NODES, turn + 1),
    ]
}

/// Whether two nodes agree in it.
const fn same(turn: u8) -> Cut {
    Cut::new(Ask::Same, PAIRS, turn).in_pairs_at(&[AB, BC])
}

/// Whether two nodes on the stack agree in it.
const fn same_on_stack(turn: u8) -> Cut {
    let cut = Cut::new(Ask::Same, PAIRS, turn);
    cut.of(&[SA, AB]).in_pairs_at(&[AB])
}

/// What is asked of heads, for labels.
const fn head(ask: Ask, turn: u8) -> Cut {
    Cut::new(ask, HEADS, turn)
}

/// How it compares between A and B.
const fn a_against_b(name: &'static str, turn: u8) -> Cut {
    Cut::new(Ask::Against(name, &[B]), ORDERS, turn).of(&[A])
}

pub(super) const FUNCTIONS: &[Function] = &[
    node(
        "symbol",
        Symbol(Domain::Relations),
        ["its symbol, exactly that one", "结点的符号（不含下位）"],
        |_, node| Measured::Code(node.symbol.0),
    )
    .told("symbol", ["{0} is {a}", ""])
    .learned(&[same(7)]),
    node(
        "cue",
        Symbol(Cues),
        [
            "the class of the cue it begins with, or that stands behind a short subject",
            "开头（或短主语之后）连接词的类",
        ],
        |at, node| Measured::Code(u32::from(at.first(node).cue)),
    )
    .told("connective", ["{0} begins with {}", "{0} begins with no connective"])
    .learned(&[each(1).in_pairs_at(&[A, B, C]), same(1)]),
    node(
        "cues",
        Set(Cues),
        [
            "the cue classes within its first four words",
            "前四个词中的连接词类",
        ],
        |at, node| Measured::Cues(&at.first(node).cues),
    )
    .told("connectives", ["{0} has {} among its first words", ""])
    .learned(&[Cut::new(Ask::Contains, NODES, 1).of(&[A, B, C]).beside(1)]),
    node(
        "tail",
        Symbol(Tails),
        [
            "the class of its final word",
            "末词的类（的、时、后、了……）",
        ],
        |at, node| Measured::code(at.last(node).tail),
    )
    .told("final word", ["{0}'s final word is {}", "{0}'s final word is of no class"])
    .learned(&[each(2).of(&[S, A, B, C]).in_pairs_at(&[A, B]), same(6)]),
    node(
        "speech",
        Bool,
        [
            "it ends in a verb of speech: 表示, 指出, 认为",
            "以言说动词结尾（表示、指出、认为）",
        ],
        |at, node| Measured::Bool(at.last(node).speech),
    )
    .told("ending", ["{0} ends in a verb of speech", "{0} does not end in a verb of speech"])
    .learned(&flag(7)),
    node(
        "says",
        Bool,
        [
            "a verb of saying, thinking or showing stands anywhere in it: 他表示利率将下调",
            "含有言说、认知或显示义动词（表示、认为、显示），位置不限",
        ],
        |at, node| {
            let edus = &at.text.leaves[node.first as usize..=node.last as usize];
            Measured::Bool(edus.iter().any(|leaf| leaf.says))
        },
    )
    .told("verbs", ["{0} has a verb of saying or thinking", "{0} has no verb of saying or thinking"]),
    node(
        "punct",
        Symbol(Values(PUNCTUATION)),
        ["the mark it ends with", "结尾的标点"],
        |at, node| Measured::code(at.last(node).punct),
    )
    .told("final mark", ["{0} ends with {a}", "{0} ends without a mark"])
    .learned(&[each(3).in_pairs_at(&[A, B]), same(3)]),
    node(
        "opening",
        Symbol(Values(OPENINGS)),
        [
            "what it opens with: a quote, a bracket, a dash",
            "开头是引号、括号还是破折号",
        ],
        |at, node| Measured::code(at.first(node).opening),
    )
    .told("opening", ["{0} opens with {a}", "{0} opens with no quote, bracket or dash"])
    .learned(&[each(4).in_pairs_at(&[A, B, C]), same(5)]),
    node(
        "numbering",
        Symbol(Values(NUMBERINGS)),
        ["the kind of numbering it begins with", "开头的编号形式"],
        |at, node| Measured::code(at.first(node).numbering),
    )
    .told("numbering", ["{0} has {} numbering", "{0} has no numbering"])
    .learned(&[each(5).in_pairs_at(&[A, B, C]), same(2)]),
    node(
        "heading",
        Bool,
        ["it is the text of a heading", "是标题"],
        |at, node| {
            let (first, last) = (at.first(node), at.last(node));
            Measured::Bool(first.is_heading() && first.block == last.block)
        },
    )
    .told("block", ["{0} is a heading", "{0} is no heading"])
    .learned(&flag(9)),
    node(
        "kind",
        Symbol(Values(KINDS)),
        ["the kind of block it begins in", "所在块的种类"],
        |at, node| Measured::code(at.first(node).kind),
    )
    .told("block", ["{0} stands in {a}", ""])
    .learned(&[each(6).in_pairs_at(&[A, B, C]), same(4)]),
    node(
        "speaker",
        Text,
        ["who speaks in its block", "说话人"],
        |at, node| Measured::name(at.first(node).speaker.as_deref()),
    )
    .told("speaker", ["in {0} speaks {}", ""])
    .or_unknown(),
    node(
        "completeness",
        Symbol(Ordered(COMPLETENESS)),
        [
            "fragment < sentence < paragraph",
            "完整程度：片段 < 句 < 段",
        ],
        |at, node| Measured::code(completeness(at, node)),
    )
    .told("completeness", ["{0} is {a}", ""])
    .learned(&[each(24).of(&[S, A, B]).in_pairs(), same_on_stack(16)]),
    node(
        "length",
        Int(1, MANY),
        ["how many EDUs it has", "含多少个 EDU"],
        |_, node| Measured::count(node.length()),
    )
    .told("length", ["{0} has {} EDUs", ""])
    .learned(&[
        Cut::new(Ask::AtLeast(LENGTHS), NODES, 28)
            .of(&[S, A, B])
            .in_pairs()
            .with(SHORT),
        a_against_b("length", 8),
    ]),
    node(
        "chars",
        Int(0, MANY),
        ["how many characters it has", "含多少个字"],
        |_, node| Measured::count(node.chars),
    )
    .told("length", ["{0} has {} characters", ""])
    .learned(&[Cut::new(Ask::AtLeast(CHARS), NODES, 17)]),
    node(
        "words",
        Int(0, MANY),
        ["how many words it has", "含多少个词"],
        |_, node| Measured::count(node.words),
    )
    .told("length", ["{0} has {} words", ""])
    .learned(&[Cut::new(Ask::AtLeast(WORD_COUNTS), COUNTS, 2)]),
    node(
        "open-bracket",
        Bool,
        [
            "it opens a bracket that it does not close",
            "有未闭合的括号",
        ],
        |_, node| Measured::Bool(node.brackets.open > 0),
    )
    .told("brackets", ["{0} leaves a bracket open", "{0} leaves no bracket open"])
    .learned(&[Cut::new(Ask::Holds, NODES, 21).of(&[S, A, B]).in_pairs()]),
    node(
        "open-quote",
        Bool,
        ["it opens a quote that it does not close", "有未闭合的引号"],
        |_, node| Measured::Bool(node.quotes.open > 0),
    )
    .told("quotes", ["{0} leaves a quote open", "{0} leaves no quote open"])
    .learned(&[Cut::new(Ask::Holds, NODES, 22).of(&[S, A, B]).in_pairs()]),
    node(
        "relation",
        Symbol(Domain::Rhetoric),
        [
            "the relation at its top, or none for an EDU",
            "子树顶端的修辞关系；单个 EDU 为 none",
        ],
        |_, node| Measured::Code(node.joined.map_or(0, |joined| joined.relation.0 + 1)),
    )
    .told("relation", ["{0} is joined by {}", "{0} is one EDU"])
    .for_labels()
    .learned(&[
        Cut::new(Ask::EachButNone, NODES, 27)
            .of(&[S, A, B])
            .in_pairs_at(&[A, B]),
        same_on_stack(17),
    ]),
    node(
        "class",
        Symbol(Domain::Classes),
        ["the coarse class of that relation", "该关系的大类"],
        |at, node| {
            let class = node
                .joined
                .and_then(|joined| at.tables.class(joined.relation));
            Measured::Code(class.unwrap_or(0))
        },
    )
    .told("class", ["{0} is joined by {}-*", "{0} is one EDU"])
    .for_labels()
    .learned(&[
        Cut::new(Ask::EachButNone, NODES, 26)
            .of(&[S, A, B])
            .in_pairs_at(&[A, B]),
        same_on_stack(14),
    ]),
    node(
        "nuclearity",
        Symbol(Values(NUCLEARITIES)),
        [
            "leaf, or the roles of its two children",
            "叶，或两个子结点的核心性",
        ],
        |_, node| Measured::code(nuclearity(node)),
    )
    .told("roles", ["{0} is {} inside", "{0} is one EDU"])
    .for_labels()
    .learned(&[
        each(25).of(&[S, A, B]).in_pairs_at(&[A, B]),
        same_on_stack(15),
    ]),
    node(
        "depth",
        Int(0, MANY),
        ["the height of its tree; 0 for an EDU", "子树高度；EDU 为 0"],
        |_, node| Measured::count(node.height),
    )
    .told("height", ["{0}'s tree is {} high", ""])
    .learned(&[
        Cut::new(Ask::AtLeast(DEPTHS), INSIDES, 3),
        a_against_b("depth", 9),
    ]),
    node(
        "edu",
        Int(1, MANY),
        ["the number of its first EDU in the text", "首个 EDU 的序号"],
        |_, node| Measured::count(node.first + 1),
    )
    .told("first EDU", ["{0} begins at EDU {}", ""]),
    node(
        "sentence",
        Int(1, MANY),
        ["the number of the sentence it begins in", "起始句的序号"],
        |at, node| Measured::count(at.first(node).sentence + 1),
    )
    .told("sentence", ["{0} begins in sentence {}", ""]),
    node(
        "paragraph",
        Int(1, MANY),
        ["the number of the paragraph it begins in", "起始段的序号"],
        |at, node| Measured::count(at.first(node).block + 1),
    )
    .told("paragraph", ["{0} begins in paragraph {}", ""]),
    node(
        "position",
        Float(0.0, 1.0),
        [
            "how far into the text it begins, 0 to 1",
            "在全文中的位置，0 到 1",
        ],
        |at, node| Measured::Float(f64::from(node.first) / at.text.len() as f64),
    )
    .told("position", ["{0} begins {%} into the text", ""]),
    node(
        "opens-block",
        Bool,
        ["it begins where a block begins", "位于块首"],
        |at, node| Measured::Bool(at.first(node).opens_block),
    )
    .told("beginning", ["{0} begins a block", "{0} begins inside a block"])
    .learned(&flag(11)),
    node(
        "closes-block",
        Bool,
        ["it ends where a block ends", "位于块尾"],
        |at, node| Measured::Bool(at.last(node).closes_block),
    )
    .told("end", ["{0} ends a block", "{0} ends inside a block"])
    .learned(&flag(15)),
    node(
        "sentences-left",
        Int(0, MANY),
        [
            "sentences after it before the paragraph ends",
            "本段其后还有几句",
        ],
        |at, node| Measured::count(at.last(node).sentences_left),
    )
    .told("rest of the paragraph", ["{0} has {} sentences behind it in its paragraph", ""])
    .learned(&[Cut::new(Ask::AtLeast(SENTENCES_LEFT), NODES, 29)
        .of(&[S, A, B])
        .in_pairs_at(&[B])]),
    node(
        "pronoun",
        Bool,
        [
            "it begins with a pronoun: 他, 这, 该",
            "以代词开头（他、这、该）",
        ],
        |at, node| Measured::Bool(at.first(node).pronoun),
    )
    .told("beginning", ["{0} begins with a pronoun", "{0} does not begin with a pronoun"])
    .learned(&flag(13)),
    node(
        "verbs",
        Int(0, MANY),
        ["how many verbs it has", "含多少个动词"],
        |_, node| Measured::count(node.verbs),
    )
    .told("number of verbs", ["{0} has {} verbs", ""])
    .learned(&[
        Cut::new(Ask::Equals(0), NODES, 18).in_pairs_at(&[A, B, C]),
        Cut::new(Ask::AtLeast(VERBS), COUNTS, 1),
    ]),
    node(
        "sentences",
        Int(1, MANY),
        ["how many sentences it reaches over", "跨多少个句子"],
        |at, node| {
            let (first, last) = (at.first(node).sentence, at.last(node).last_sentence);
            Measured::count(last + 1 - first.min(last))
        },
    )
    .told("number of sentences", ["{0} reaches over {} sentences", ""])
    .learned(&[Cut::new(Ask::AtLeast(SENTENCES), NODES, 23)
        .of(&[S, A, B])
        .in_pairs()]),
    node(
        "first",
        Symbol(Values(PARTS_OF_SPEECH)),
        ["the part of speech of its first word", "首词的词性"],
        |at, node| Measured::code(at.first(node).first),
    )
    .told("first word", ["{0}'s first word: {}", ""])
    .learned(&[each(19).in_pairs_at(&[A, B, C])]),
    node(
        "final",
        Symbol(Values(PARTS_OF_SPEECH)),
        ["the part of speech of its last word", "末词的词性"],
        |at, node| Measured::code(at.last(node).final_word),
    )
    .told("last word", ["{0}'s last word: {}", ""])
    .learned(&[each(19).beside(1).of(&[S, A, B, C]).in_pairs_at(&[A, B])]),
    node(
        "inner",
        Symbol(Ordered(LEVELS)),
        [
            "the strongest break inside it; none for an EDU",
            "内部最强的断开；EDU 为 none",
        ],
        |_, node| Measured::code(node.inner),
    )
    .told("strongest inner break", ["{0}'s strongest inner break is {a}", "{0} has no break inside"])
    .learned(&[
        Cut::new(Ask::AtLeastLevel(MAIN_LEVELS), INSIDES, 1),
        Cut::new(Ask::Against("level", &[SA, AB, BC]), INSIDES, 2),
    ]),
    node(
        "head-cue",
        Symbol(Cues),
        [
            "the class of the cue that its most nuclear EDU begins with, or has behind a short subject",
            "核心 EDU 开头（或短主语之后）连接词的类",
        ],
        |at, node| Measured::Code(u32::from(at.head(node).cue)),
    )
    .told("head's connective", ["{0}'s head begins with {}", "{0}'s head begins with no connective"])
    .for_labels()
    .learned(&[head(Ask::Each, 1)]),
    node(
        "head-tail",
        Symbol(Tails),
        [
            "the class of the final word of that EDU",
            "核心 EDU 末词的类",
        ],
        |at, node| Measured::code(at.head(node).tail),
    )
    .told("head's final word", ["{0}'s head has {} as its final word", "the final word of {0}'s head is of no class"])
    .for_labels()
    .learned(&[head(Ask::Each, 2)]),
    node(
        "head-speech",
        Bool,
        [
            "that EDU ends in a verb of speech",
            "核心 EDU 以言说动词结尾",
        ],
        |at, node| Measured::Bool(at.head(node).speech),
    )
    .told("head", ["{0}'s head ends in a verb of speech", "{0}'s head does not end in a verb of speech"])
    .for_labels()
    .learned(&[head(Ask::Holds, 3)]),
    node(
        "head-first",
        Symbol(Values(PARTS_OF_SPEECH)),
        [
            "the part of speech of its first word",
            "核心 EDU 首词的词性",
        ],
        |at, node| Measured::code(at.head(node).first),
    )
    .told("head's first word", ["the first word of {0}'s head: {}", ""])
    .for_labels()
    .learned(&[head(Ask::Each, 4)]),
    node(
        "head-final",
        Symbol(Values(PARTS_OF_SPEECH)),
        ["the part of speech of its last word", "核心 EDU 末词的词性"],
        |at, node| Measured::code(at.head(node).final_word),
    )
    .told("head's last word", ["the last word of {0}'s head: {}", ""])
    .for_labels()
    .learned(&[head(Ask::Each, 4).beside(1)]),
    node(
        "begins",
        Text,
        ["its first letter or character: 把, 随", "首字（标点不算）"],
        |at, node| {
            let text = &at.text.edus[node.first as usize].text;
            Measured::name(form::first_letter(text))
        },
    )
    .told("first character", ["{0}'s first character is {}", ""])
    .or_unknown()
    .for_labels()
    .learned(&[head(Ask::Seen, 5)]),
    node(
        "ends",
        Text,
        ["its last letter or character: 时, 上", "末字（标点不算）"],
        |at, node| {
            let text = &at.text.edus[node.last as usize].text;
            Measured::name(form::last_letter(text))
        },
    )
    .told("last character", ["{0}'s last character is {}", ""])
    .or_unknown()
    .for_labels()
    .learned(&[head(Ask::Seen, 6)]),
];

fn completeness(at: &Measurer<'_>, node: &ParsedSpan) -> u8 {
    let (first, last) = (at.first(node), at.last(node));
    if first.opens_block && last.closes_block {
        2
    } else if first.opens_sentence && last.closes_sentence {
        1
    } else {
        0
    }
}

fn nuclearity(node: &ParsedSpan) -> u8 {
    match node.joined.map(|joined| joined.roles) {
        None => 0,
        Some(Roles::NucleusSatellite) => 1,
        Some(Roles::SatelliteNucleus) => 2,
        Some(Roles::NucleusNucleus) => 3,
    }
}
