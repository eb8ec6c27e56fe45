use std::collections::BTreeSet;
use std::sync::Arc;

use super::FUNCTIONS;
use crate::measure::function::{Function, FunctionId, Measure, Scope, Told};
use crate::measure::learning::Ask;
use crate::measure::{
    Answer, Codes, Gap, Gaps, Joined, Measured, Measurer, Node, NodeIndex, Page, ParsedSpan,
    Tables, Text, TreePlace,
};
use crate::schema::{RhetoricId, Schema, embedded_schema};
use crate::text::lines::Lines;
use crate::text::structure::{LineKind, LineRole};
use crate::text::words::Word;
use crate::text::{Analyzer, Document};
use crate::tree::{EduSpan, Role, Roles, Value};

#[test]
fn a_name_means_one_thing_in_one_place() {
    for (at, function) in FUNCTIONS.iter().enumerate() {
        assert!(crate::schema::is_name(function.name), "{}", function.name);
        let scopes = FUNCTIONS.iter().skip(at + 1);
        let mut twins = scopes.filter(|other| other.name == function.name);
        assert!(
            twins.all(|other| other.scope != function.scope && other.scope != Scope::Anywhere),
            "{} stands twice",
            function.name
        );
    }
}

#[test]
fn a_word_has_a_cue_as_a_node_has_one() {
    let of_node = FunctionId::find("cue", Scope::Nodes).map(|id| id.get().scope);
    let of_word = FunctionId::find("cue", Scope::Words).map(|id| id.get().scope);
    assert_eq!((of_node, of_word), (Some(Scope::Nodes), Some(Scope::Words)));
    assert!(FunctionId::find("until-mark", Scope::Nodes).is_none());
    assert!(FunctionId::find("max", Scope::Words).is_some());
}

/// A text of two sentences in which every function finds something.
fn sample(schema: &Schema) -> (Text, Document, crate::text::Analysis) {
    let document = Document::from_edus(
        "样本",
        [[
            "央行行长张三表示，",
            "由于出口下降，",
            "央行决定下调利率。",
            "因此央行的决定影响很大。",
        ]],
    );
    let analysis = Analyzer::new(schema).analyze(&document);
    (Text::new(&document, &analysis, schema), document, analysis)
}

/// What a function answers about the sample, as a value.
fn answers(function: &Function, schema: &Schema) -> Vec<Option<Value>> {
    let (text, document, analysis) = sample(schema);
    let tables = Tables::new(schema);
    let codes = Codes {
        schema,
        classes: &tables.class_names,
    };
    let value = |measured: Measured<'_>| codes.value(measured, function.result);
    let measurer = Measurer {
        text: &text,
        tables: &tables,
    };
    let leaves: Vec<ParsedSpan> = (0..4).map(|edu| ParsedSpan::leaf(&text, edu)).collect();
    let joined = Joined {
        left: NodeIndex::of_edu(1),
        right: NodeIndex::of_edu(2),
        relation: RhetoricId(0),
        roles: Roles::SatelliteNucleus,
    };
    let pair = ParsedSpan::join(&leaves[1], &leaves[2], leaves[2].symbol, joined, true);
    let gaps = Gaps::new(
        &document.text,
        &analysis.words,
        document.blocks[0].kind,
        schema,
    );
    let around: Vec<(Gap<'_>, &Word)> = analysis
        .words
        .iter()
        .enumerate()
        .map(|(at, word)| (gaps.at(at, 1), word))
        .collect();
    match function.measure {
        Measure::Node(measure) => vec![value(measure(&measurer, &pair))],
        Measure::Pair(measure) => vec![value(measure(&measurer, &pair, &leaves[3]))],
        Measure::Symbols(holds) => {
            vec![Some(Value::Bool(holds(schema, pair.symbol, pair.symbol)))]
        }
        Measure::Place(measure) => {
            let place = TreePlace {
                span: EduSpan { start: 1, end: 3 },
                role: Some(Role::Satellite),
                is_left: Some(false),
                above: 1,
            };
            vec![value(measure(&place))]
        }
        Measure::Written(holds) => {
            vec![Some(Value::Bool(holds(&measurer, &pair, "利率")))]
        }
        Measure::Word(measure) => around
            .iter()
            .map(|(gap, word)| value(measure(gap, word)))
            .collect(),
        Measure::Gap(measure) => around.iter().map(|(gap, _)| value(measure(gap))).collect(),
        Measure::Line(_) | Measure::Page(_) => answers_about_lines(function, &codes),
        Measure::Values(compute) => vec![compute(&arguments(function))],
    }
}

/// What a function answers about the line above each line of a page.
fn answers_about_lines(function: &Function, codes: &Codes<'_>) -> Vec<Option<Value>> {
    let lines = Lines::new("题目\n一、概况\n问：怎么样？\n答：很好。\n问：真的？\n完");
    let mut page = Page::new(&lines, codes.schema);
    let mut answers = Vec::new();
    while let Some(here) = page.here() {
        let measured = match function.measure {
            Measure::Page(measure) => Some(measure(&here)),
            Measure::Line(measure) => {
                let above = here.asked(Node::Prev);
                above.map(|(line, number)| measure(&here, line, number))
            }
            _ => None,
        };
        answers.extend(measured.map(|measured| codes.value(measured, function.result)));
        let kind = LineKind::Heading;
        page.decide(LineRole { kind, level: 1 });
    }
    answers
}

/// Values that fit a function of values.
fn arguments(function: &Function) -> Vec<Option<Value>> {
    use crate::measure::Parameter;
    let set = || Value::Set(Arc::new(BTreeSet::from(["利率".into()])));
    let parameters = function.parameters.iter().enumerate();
    let fitting = parameters.map(|(at, parameter)| match parameter {
        Parameter::Truth => Value::Bool(true),
        Parameter::Set => set(),
        Parameter::Any if at > 0 => Value::Symbol("利率".into()),
        Parameter::Any => Value::Symbol("油价".into()),
        _ => Value::Int(at as i64 + 1),
    });
    fitting.map(Some).collect()
}

/// True when a value is of the kind that a function is said to answer.
fn is_of(value: &Value, answer: Answer) -> bool {
    match answer {
        Answer::Bool => matches!(value, Value::Bool(_)),
        Answer::Int(low, high) => {
            matches!(value, Value::Int(number) if (low..=high).contains(number))
        }
        Answer::Float(low, high) => {
            matches!(value, Value::Float(number) if (low..=high).contains(number))
        }
        Answer::Symbol(_) => matches!(value, Value::Symbol(_) | Value::Rank(..)),
        Answer::Set(_) => matches!(value, Value::Set(_)),
        Answer::Text => matches!(value, Value::Text(_)),
        Answer::SameAsArgument => true,
    }
}

#[test]
fn every_function_answers_and_answers_what_it_says() {
    let schema = embedded_schema("finance").unwrap();
    for function in &FUNCTIONS {
        let answers = answers(function, &schema);
        let name = function.name;
        let known: Vec<&Value> = answers.iter().flatten().collect();
        // Nobody speaks in the sample: the one thing that a plain text does not say.
        assert!(
            !known.is_empty() || name == "speaker",
            "{name} never answers"
        );
        assert!(
            function.may_be_unknown || known.len() == answers.len(),
            "{name} has no answer somewhere"
        );
        for value in known {
            assert!(is_of(value, function.result), "{name}: {value:?}");
        }
    }
}

/// Which nodes a truth holds of: every EDU alone, then the first two as one.
fn holds_of(name: &str, edus: [&str; 3]) -> [bool; 4] {
    let schema = embedded_schema("general").unwrap();
    let document = Document::from_edus("样本", [edus]);
    let analysis = Analyzer::new(&schema).analyze(&document);
    let text = Text::new(&document, &analysis, &schema);
    let tables = Tables::new(&schema);
    let measurer = Measurer {
        text: &text,
        tables: &tables,
    };
    let [a, b, c] = [0, 1, 2].map(|edu| ParsedSpan::leaf(&text, edu));
    let joined = Joined {
        left: NodeIndex::of_edu(0),
        right: NodeIndex::of_edu(1),
        relation: RhetoricId(0),
        roles: Roles::NucleusSatellite,
    };
    let both = ParsedSpan::join(&a, &b, a.symbol, joined, false);
    let function = FunctionId::find(name, Scope::Nodes).unwrap().get();
    let Measure::Node(measure) = function.measure else {
        panic!("{name} is no function of a node");
    };
    [&a, &b, &c, &both].map(|node| measure(&measurer, node) == Measured::Bool(true))
}

#[test]
fn a_node_speaks_when_its_last_word_does() {
    let held = holds_of(
        "speech",
        ["行长表示，", "出口继续增长，", "数据显示进口下降。"],
    );
    assert_eq!(held, [true, false, false, false]);
}

#[test]
fn a_word_that_ends_in_a_verb_of_speech_speaks() {
    let held = holds_of(
        "speech",
        ["最新数据显示，", "市场普遍认为，", "消息公布后，"],
    );
    assert_eq!(held, [true, true, false, true]);
    let held = holds_of("speech", ["比如说，", "也就是说，", "有研究表明，"]);
    assert_eq!(held, [false, false, true, false]);
}

/// The symbol of an EDU of finance news.
fn symbol_of(edu: &str) -> String {
    let schema = embedded_schema("finance").unwrap();
    let document = Document::from_edus("样本", [[edu]]);
    let analysis = Analyzer::new(&schema).analyze(&document);
    let text = Text::new(&document, &analysis, &schema);
    schema.relation_name(text.leaves[0].symbol).to_owned()
}

#[test]
fn a_trigger_inside_a_noun_triggers_nothing() {
    for (edu, symbol) in [
        ("交付时间延迟了两周，", "Delay"),
        ("低延迟网络很受欢迎，", "Clause"),
        ("两家公司整合了渠道，", "Merge"),
        ("垂直整合能力是它的优势，", "Clause"),
        ("公司上市三年，", "ListShares"),
        ("两家上市公司来自南方，", "Clause"),
        ("涨幅比上月扩大，", "Growth"),
    ] {
        assert_eq!(symbol_of(edu), symbol, "{edu}");
    }
}

#[test]
fn a_node_says_something_wherever_its_verb_stands() {
    let held = holds_of(
        "says",
        [
            "行长表示利率将下调，",
            "出口继续增长，",
            "最新调查表明进口下降。",
        ],
    );
    assert_eq!(held, [true, false, true, true]);
    let held = holds_of("says", ["出口增长，", "大家认为前景不明，", "价格上涨。"]);
    assert_eq!(held, [false, true, false, true]);
}

/// The class of the cue that an EDU begins with, by name.
fn cue_of(edu: &str) -> String {
    let schema = embedded_schema("general").unwrap();
    let document = Document::from_edus("样本", [[edu]]);
    let analysis = Analyzer::new(&schema).analyze(&document);
    let text = Text::new(&document, &analysis, &schema);
    let cue = usize::from(text.leaves[0].cue).checked_sub(1);
    cue.map_or("none", |cue| &schema.cues[cue].name).to_owned()
}

#[test]
fn a_cue_opens_an_edu_or_stands_behind_a_short_subject() {
    for (edu, class) in [
        ("因此公司下调了目标，", "so"),
        ("公司因此下调了目标，", "so"),
        ("该公司的主要产品则卖得很好，", "for-its-part"),
        ("他却不肯走，", "but"),
        ("“我们也很高兴，", "also"),
        ("去年则没有这样的事，", "for-its-part"),
        ("小店之所以受欢迎，", "the-reason-why"),
        ("双方虽然吵了一架，", "although"),
        // The cue belongs to what is said, not to the clause that says it.
        ("公司宣布因此停产，", "none"),
        ("房间里，他也睡着了，", "none"),
        // Behind the subject these words are verbs or adverbs.
        ("议会通过了法案，", "none"),
        ("他只是笑了笑，", "none"),
        ("暴雨导致停电，", "none"),
    ] {
        assert_eq!(cue_of(edu), class, "{edu}");
    }
}

#[test]
fn a_time_may_be_a_cue() {
    for (edu, class) in [
        ("随后公司裁员，", "later"),
        ("公司随后裁员，", "later"),
        ("此前双方已经签约，", "before"),
        ("目前情况稳定，", "now"),
        ("近年来人口减少，", "maybe-before"),
        ("2019年9月1日学校开学，", "none"),
    ] {
        assert_eq!(cue_of(edu), class, "{edu}");
    }
}

#[test]
fn learners_compare_functions_that_there_are_at_places_of_their_round() {
    for function in &FUNCTIONS {
        for cut in function.cuts {
            let name = function.name;
            if let Ask::Against(other, places) = cut.ask {
                let found = FunctionId::find(other, function.scope);
                let parameters = found.map_or(0, |id| id.get().parameters.len());
                let fit = places.iter().all(|place| place.len() == parameters);
                assert!(fit, "{name} against {other}");
            }
            let listed = cut.round.places;
            let known = cut.places.iter().all(|place| listed.contains(place));
            assert!(known || listed.is_empty(), "{name} asks at a foreign place");
        }
    }
}

#[test]
fn answers_about_nodes_are_told_in_words() {
    for function in &FUNCTIONS {
        let places: &[&str] = match function.measure {
            Measure::Node(_) => &["{0}"],
            Measure::Pair(_) => &["{0}", "{1}"],
            _ => continue,
        };
        let Told { noun, yes, no } = function.told;
        let sentences = [yes, no].into_iter().filter(|told| !told.is_empty());
        for sentence in sentences {
            let is_whole = places.iter().all(|place| sentence.contains(place));
            assert!(is_whole, "{}: {sentence}", function.name);
        }
        let is_flag = matches!(function.result, Answer::Bool);
        let has_answer = ["{}", "{a}", "{%}"].iter().any(|place| yes.contains(place));
        assert_eq!(has_answer, !is_flag, "{}: {yes}", function.name);
        assert!(!is_flag || !no.is_empty(), "{}", function.name);
        assert!(is_flag || !noun.is_empty(), "{}", function.name);
    }
}
