//! What formulas can ask about nodes, pairs of nodes and words: one table.
//!
//! The checker types formulas by it, the documentation and completion list it, the automaton
//! measures by it. To add a function, add a line here (and its measure in the automaton).
//! A function of one node may be written `B.cue` or `cue(B)`.

use Answer::{Bool, Float, Int, Set, Symbol, Text};
use Domain::{Cues, Ordered, Values};
use Scope::{Anywhere, Nodes, Words};

/// A function of the formula language.
#[derive(Debug)]
pub struct Function {
    /// Its name in formulas.
    pub name: &'static str,
    /// What it is asked about.
    pub parameters: &'static [Parameter],
    /// What it answers.
    pub result: Answer,
    /// Where it may be used.
    pub scope: Scope,
    /// A line for people.
    pub doc: &'static str,
    /// The same line in Chinese.
    pub zh: &'static str,
}

/// Index of a function in [`FUNCTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u16);

impl FunctionId {
    /// The function of that name that can be used in `scope`.
    pub fn find(name: &str, scope: Scope) -> Option<FunctionId> {
        let fits = |known: &Function| {
            known.name == name && (known.scope == scope || known.scope == Anywhere)
        };
        let at = FUNCTIONS.iter().position(fits)?;
        u16::try_from(at).ok().map(FunctionId)
    }

    /// The function's entry in the table.
    pub fn get(self) -> &'static Function {
        // Ids are made by `find` alone; the first entry stands in for one that is not.
        FUNCTIONS.get(usize::from(self.0)).unwrap_or(&FUNCTIONS[0])
    }
}

/// What a function is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// A node: A, B, C, S or E.
    Node,
    /// A word at the gap: prev2, prev, next or next2.
    Word,
    /// The name of a domain relation.
    Relation,
    /// A whole number or a number.
    Number,
    /// Something that can be ordered: numbers, times, ordered symbols.
    Ordered,
    /// A truth value.
    Truth,
    /// A set.
    Set,
    /// Any value; all parameters so marked have one type.
    Any,
}

/// What a function answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// true or false.
    Bool,
    /// A whole number within bounds.
    Int(i64, i64),
    /// A number within bounds.
    Float(f64, f64),
    /// A symbol.
    Symbol(Domain),
    /// A set of symbols.
    Set(Domain),
    /// A text.
    Text,
    /// What its last argument is.
    SameAsArgument,
}

/// The symbols that a value can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// Any symbol.
    Open,
    /// One of a list.
    Values(&'static [&'static str]),
    /// One of a list, from small to great: `<` compares them.
    Ordered(&'static [&'static str]),
    /// The domain relations of the schema.
    Relations,
    /// The rhetorical relations of the schema, or `none` for a single EDU.
    Rhetoric,
    /// The coarse classes of rhetorical relations, or `none`.
    Classes,
    /// The concepts of the schema.
    Concepts,
    /// The cue classes of the schema, or `none`.
    Cues,
    /// The values that the schema lists for the attribute of that index.
    Attribute(usize),
}

/// Where a function may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In productions and preferences.
    Nodes,
    /// In boundary rules.
    Words,
    /// In every formula.
    Anywhere,
}

/// The strength of the break between neighbours, from none to the end of a section. Opening a
/// block is weaker than closing it.
pub const LEVELS: &[&str] = &[
    "none",
    "enumeration",
    "comma",
    "semicolon",
    "sentence",
    "paragraph",
    "list-open",
    "list",
    "speaker-open",
    "speaker",
    "subsubsection-open",
    "subsubsection",
    "subsection-open",
    "subsection",
    "section-open",
    "section",
    "title-open",
    "title",
];

/// Classes of the final word of a span, with the words that belong to them.
pub const TAILS: [(&str, &[&str]); 17] = [
    ("none", &[]),
    ("de", &["的", "之"]),
    ("shi", &["时", "时候", "之时", "之际", "期间"]),
    ("hou", &["后", "之后", "以后", "以来"]),
    ("qian", &["前", "之前", "以前"]),
    ("xia", &["下", "之下", "情况下", "背景下"]),
    ("zhong", &["中", "之中", "里", "内"]),
    ("shang", &["上", "之上", "方面"]),
    ("wai", &["外", "之外", "以外"]),
    ("le", &["了"]),
    ("zhe", &["着"]),
    ("guo", &["过"]),
    ("dehua", &["的话"]),
    ("laishuo", &["来说", "来讲", "而言", "来看", "看来"]),
    ("yiyang", &["一样", "一般", "似的"]),
    ("deng", &["等", "等等", "之类"]),
    ("ma", &["吗", "呢", "吧", "么"]),
];

const TAIL_CLASSES: &[&str] = &first_of_each(&TAILS);

const fn first_of_each<const N: usize>(
    table: &[(&'static str, &'static [&'static str]); N],
) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = table[at].0;
        at += 1;
    }
    names
}

/// Classes of punctuation.
pub const PUNCTUATION: &[&str] = &[
    "none",
    "enumeration",
    "comma",
    "semicolon",
    "colon",
    "stop",
    "question",
    "exclamation",
    "ellipsis",
    "dash",
    "open-quote",
    "close-quote",
    "open-bracket",
    "close-bracket",
    "other",
];

/// What a span opens with, if not with a plain word.
pub const OPENINGS: &[&str] = &["none", "quote", "bracket", "dash", "number", "mark", "note"];

/// Kinds of numbering at the start of a span: 1. 一、 （1） ① a. ● 第一
pub const NUMBERINGS: &[&str] = &[
    "none",
    "arabic",
    "chinese",
    "bracketed",
    "circled",
    "letter",
    "bullet",
    "ordinal",
];

/// Kinds of blocks.
pub const KINDS: &[&str] = &["heading", "paragraph", "list-item", "quote"];

/// How complete a span is.
pub const COMPLETENESS: &[&str] = &["fragment", "sentence", "paragraph"];

/// The nuclearity of a subtree: a leaf, or the roles of its two children.
pub const NUCLEARITIES: &[&str] = &["leaf", "ns", "sn", "nn"];

/// Coarse parts of speech.
pub const PARTS_OF_SPEECH: &[&str] = &[
    "noun",
    "name",
    "verb",
    "adjective",
    "adverb",
    "pronoun",
    "number",
    "measure",
    "preposition",
    "conjunction",
    "particle",
    "place",
    "time",
    "punctuation",
    "other",
];

/// No bound.
const MANY: i64 = i64::MAX;

const fn node(name: &'static str, result: Answer, doc: &'static str, zh: &'static str) -> Function {
    Function {
        name,
        parameters: &[Parameter::Node],
        result,
        scope: Nodes,
        doc,
        zh,
    }
}

const fn pair(name: &'static str, result: Answer, doc: &'static str, zh: &'static str) -> Function {
    let parameters = &[Parameter::Node, Parameter::Node];
    Function {
        name,
        parameters,
        result,
        scope: Nodes,
        doc,
        zh,
    }
}

const fn word(name: &'static str, result: Answer, doc: &'static str, zh: &'static str) -> Function {
    Function {
        name,
        parameters: &[Parameter::Word],
        result,
        scope: Words,
        doc,
        zh,
    }
}

/// About the gap itself, so without arguments.
const fn gap(name: &'static str, result: Answer, doc: &'static str, zh: &'static str) -> Function {
    Function {
        name,
        parameters: &[],
        result,
        scope: Words,
        doc,
        zh,
    }
}

const fn general(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Answer,
    doc: &'static str,
    zh: &'static str,
) -> Function {
    Function {
        name,
        parameters,
        result,
        scope: Anywhere,
        doc,
        zh,
    }
}

/// All functions, nodes first, then pairs, words, the gap, and values in general.
#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    // ---- one node ----
    node("symbol", Symbol(Domain::Relations), "its symbol, exactly that one", "结点的符号（不含下位）"),
    node("cue", Symbol(Cues), "the class of the cue it begins with", "开头连接词的类"),
    node("cues", Set(Cues), "the cue classes within its first four words", "前四个词中的连接词类"),
    node("tail", Symbol(Values(TAIL_CLASSES)), "the class of its final word", "末词的类（的、时、后、了……）"),
    node("speech", Bool, "it ends in a verb of speech: 表示, 指出, 认为", "以言说动词结尾（表示、指出、认为）"),
    node("punct", Symbol(Values(PUNCTUATION)), "the mark it ends with", "结尾的标点"),
    node("opening", Symbol(Values(OPENINGS)), "what it opens with: a quote, a bracket, a dash", "开头是引号、括号还是破折号"),
    node("numbering", Symbol(Values(NUMBERINGS)), "the kind of numbering it begins with", "开头的编号形式"),
    node("heading", Bool, "it is the text of a heading", "是标题"),
    node("kind", Symbol(Values(KINDS)), "the kind of block it begins in", "所在块的种类"),
    node("speaker", Text, "who speaks in its block", "说话人"),
    node("completeness", Symbol(Ordered(COMPLETENESS)), "fragment < sentence < paragraph", "完整程度：片段 < 句 < 段"),
    node("length", Int(1, MANY), "how many EDUs it has", "含多少个 EDU"),
    node("chars", Int(0, MANY), "how many characters it has", "含多少个字"),
    node("words", Int(0, MANY), "how many words it has", "含多少个词"),
    node("open-bracket", Bool, "it opens a bracket that it does not close", "有未闭合的括号"),
    node("open-quote", Bool, "it opens a quote that it does not close", "有未闭合的引号"),
    node("relation", Symbol(Domain::Rhetoric), "the relation at its top, or none for an EDU", "子树顶端的修辞关系；单个 EDU 为 none"),
    node("class", Symbol(Domain::Classes), "the coarse class of that relation", "该关系的大类"),
    node("nuclearity", Symbol(Values(NUCLEARITIES)), "leaf, or the roles of its two children", "叶，或两个子结点的核心性"),
    node("depth", Int(0, MANY), "the height of its tree; 0 for an EDU", "子树高度；EDU 为 0"),
    node("edu", Int(1, MANY), "the number of its first EDU in the text", "首个 EDU 的序号"),
    node("sentence", Int(1, MANY), "the number of the sentence it begins in", "起始句的序号"),
    node("paragraph", Int(1, MANY), "the number of the paragraph it begins in", "起始段的序号"),
    node("position", Float(0.0, 1.0), "how far into the text it begins, 0 to 1", "在全文中的位置，0 到 1"),
    node("opens-block", Bool, "it begins where a block begins", "位于块首"),
    node("closes-block", Bool, "it ends where a block ends", "位于块尾"),
    node("sentences-left", Int(0, MANY), "sentences after it before the paragraph ends", "本段其后还有几句"),
    node("pronoun", Bool, "it begins with a pronoun: 他, 这, 该", "以代词开头（他、这、该）"),
    node("verbs", Int(0, MANY), "how many verbs it has", "含多少个动词"),
    node("sentences", Int(1, MANY), "how many sentences it reaches over", "跨多少个句子"),
    node("first", Symbol(Values(PARTS_OF_SPEECH)), "the part of speech of its first word", "首词的词性"),
    node("final", Symbol(Values(PARTS_OF_SPEECH)), "the part of speech of its last word", "末词的词性"),
    node("inner", Symbol(Ordered(LEVELS)), "the strongest break inside it; none for an EDU", "内部最强的断开；EDU 为 none"),
    node("head-cue", Symbol(Cues), "the class of the cue that its most nuclear EDU begins with", "核心 EDU 开头连接词的类"),
    node("head-tail", Symbol(Values(TAIL_CLASSES)), "the class of the final word of that EDU", "核心 EDU 末词的类"),
    node("head-speech", Bool, "that EDU ends in a verb of speech", "核心 EDU 以言说动词结尾"),
    node("head-first", Symbol(Values(PARTS_OF_SPEECH)), "the part of speech of its first word", "核心 EDU 首词的词性"),
    node("head-final", Symbol(Values(PARTS_OF_SPEECH)), "the part of speech of its last word", "核心 EDU 末词的词性"),
    node("begins", Text, "its first letter or character: 把, 随", "首字（标点不算）"),
    node("ends", Text, "its last letter or character: 时, 上", "末字（标点不算）"),
    // ---- two nodes ----
    pair("level", Symbol(Ordered(LEVELS)), "how strong the break between two neighbours is", "相邻两者之间断开的强度"),
    pair("overlap", Float(0.0, 1.0), "the share of content words they have in common", "实词重合的比例"),
    pair("near", Float(0.0, f64::MAX), "the distance of their embeddings", "嵌入距离"),
    pair("ratio", Float(0.0, f64::MAX), "the length of the first over that of the second, in characters", "前者与后者的字数比"),
    pair("paired", Bool, "they open with paired connectives: 虽然 ... 但是", "由成对连接词引导（虽然……但是）"),
    pair("reach", Int(0, MANY), "EDUs from here to the next break at least as strong", "到下一个同级或更强断点还有几个 EDU"),
    pair("shared-entity", Bool, "they name the same entity", "提到同一实体"),
    pair("ahead", Float(0.0, 1.0), "the share of content words that the first has in common with the sentence in which the second begins", "前者与后者所在句子的实词重合比例"),
    pair("tie", Float(0.0, 1.0), "the share of content words they have in common, rare ones counting more", "实词重合的比例，罕见词权重更大"),
    pair("onward", Float(0.0, 1.0), "the share of the first's content words that stand from the second on, up to a stronger break than the one before it; rare ones count more", "前者的实词自后者起至更强断点为止再次出现的比例，罕见词权重更大"),
    pair("continues", Bool, "the first noun of the second stands in the first", "后者的首个名词见于前者"),
    pair("parallel", Bool, "they begin with the same word", "以同一个词开头"),
    // ---- the words at a gap, for boundary rules ----
    word("word", Text, "the word itself", "词本身"),
    word("pos", Symbol(Values(PARTS_OF_SPEECH)), "its part of speech", "词性"),
    word("cue", Symbol(Cues), "the class of cue it is", "连接词类"),
    word("punct", Symbol(Values(PUNCTUATION)), "the punctuation it is", "标点类"),
    word("length", Int(0, MANY), "how many characters it has", "字数"),
    word("verb", Bool, "it is a verb", "是动词"),
    word("speech", Bool, "it is a verb of speech", "是言说动词"),
    word("cognition", Bool, "it is a verb of thinking or feeling", "是认知动词"),
    gap("since-mark", Int(0, MANY), "words since the last mark; right behind a mark, words of the clause it ends", "距上一个标点的词数；紧接标点之后则为其所结束的小句的词数"),
    gap("until-mark", Int(0, MANY), "words until the next mark", "距下一个标点的词数"),
    gap("next-mark", Symbol(Values(PUNCTUATION)), "the next mark", "下一个标点"),
    gap("verbs-before", Int(0, MANY), "verbs since the last mark; right behind a mark, verbs of the clause it ends", "上一个标点以来的动词数；紧接标点之后则为其所结束的小句的动词数"),
    gap("verbs-after", Int(0, MANY), "verbs until the next mark", "到下一个标点为止的动词数"),
    gap("chars-before", Int(0, MANY), "characters since the last EDU began", "本 EDU 已有的字数"),
    gap("in-bracket", Bool, "the gap stands inside brackets", "在括号内"),
    gap("in-quote", Bool, "the gap stands inside quotes", "在引号内"),
    gap("until-de", Int(0, MANY), "words until the next 的 before a mark", "到标点前下一个“的”的词数"),
    gap("verb-before-de", Bool, "a verb stands between the gap and that 的", "与该“的”之间有动词"),
    gap("head-after-de", Symbol(Values(PARTS_OF_SPEECH)), "the part of speech after that 的", "该“的”之后的词性"),
    gap("paragraph-start", Bool, "a paragraph begins here", "此处段落开始"),
    gap("block", Symbol(Values(KINDS)), "the kind of block", "所在块的种类"),
    // ---- values in general ----
    general("same", &[Parameter::Any, Parameter::Any], Bool, "both are known and equal; for sets: they share a member", "两者已知且相等；集合则为有共同成员"),
    Function { name: "is", parameters: &[Parameter::Node, Parameter::Relation], result: Bool, scope: Nodes, doc: "its symbol is that one or a kind of it", zh: "符号为所给符号或其下位" },
    general("known", &[Parameter::Any], Bool, "the value is there", "该值存在"),
    general("contains", &[Parameter::Set, Parameter::Any], Bool, "the set has the member", "集合含该成员"),
    general("count", &[Parameter::Set], Int(0, MANY), "how many members the set has", "集合成员数"),
    general("union", &[Parameter::Set, Parameter::Set], Answer::SameAsArgument, "all members of both", "并集"),
    general("common", &[Parameter::Set, Parameter::Set], Answer::SameAsArgument, "the members they share", "交集"),
    general("min", &[Parameter::Ordered, Parameter::Ordered], Answer::SameAsArgument, "the smaller; the known one if one is missing", "较小者；缺一则取另一"),
    general("max", &[Parameter::Ordered, Parameter::Ordered], Answer::SameAsArgument, "the greater; the known one if one is missing", "较大者；缺一则取另一"),
    general("abs", &[Parameter::Number], Answer::SameAsArgument, "the number without its sign", "绝对值"),
    general("log", &[Parameter::Number], Float(f64::MIN, f64::MAX), "the natural logarithm", "自然对数"),
    general("sqrt", &[Parameter::Number], Float(0.0, f64::MAX), "the square root", "平方根"),
    general("if", &[Parameter::Truth, Parameter::Any, Parameter::Any], Answer::SameAsArgument, "the second where the first is true, else the third", "前者为真取第二项，否则取第三项"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing_in_one_place() {
        for (at, function) in FUNCTIONS.iter().enumerate() {
            assert!(crate::schema::is_name(function.name), "{}", function.name);
            let scopes = FUNCTIONS.iter().skip(at + 1);
            let mut twins = scopes.filter(|other| other.name == function.name);
            assert!(
                twins.all(|other| other.scope != function.scope && other.scope != Anywhere),
                "{} stands twice",
                function.name
            );
        }
    }

    #[test]
    fn a_word_has_a_cue_as_a_node_has_one() {
        let of_node = FunctionId::find("cue", Nodes).map(|id| id.get().scope);
        let of_word = FunctionId::find("cue", Words).map(|id| id.get().scope);
        assert_eq!((of_node, of_word), (Some(Nodes), Some(Words)));
        assert!(FunctionId::find("until-mark", Nodes).is_none());
        assert!(FunctionId::find("max", Words).is_some());
    }
}
