//! The grammar language from the outside: shipped grammars, modules, formulas, hostile files.

use std::collections::BTreeSet;
use std::sync::Arc;

use arsg::Error;
use arsg::diagnostic::{Code, Renderer, Source};
use arsg::grammar::formula::{FunctionId, Node};
use arsg::grammar::functions::LEVELS;
use arsg::grammar::{
    Change, Count, Decide, Decision, Facts, Grammar, Memory, Production, Row, Value, diff,
    embedded_files, embedded_grammar, embedded_texts, format, load_boundary_reason, load_formula,
    load_reason, merge,
};
use arsg::schema::ValueType;

use crate::fixtures::SMALL_SCHEMA;

fn files(text: &str) -> Memory<'static> {
    Memory::new()
        .with("schema.toml", SMALL_SCHEMA)
        .with("a.arsg", format!("schema \"schema.toml\"\n{text}"))
}

fn load(text: &str) -> Grammar {
    let loaded = Grammar::load("a.arsg", &files(text), None).unwrap();
    let said = Renderer::default().render(&loaded.diagnostics);
    assert!(said.is_empty(), "{said}");
    loaded.grammar
}

fn codes(text: &str) -> Vec<&'static str> {
    let loaded = Grammar::load("a.arsg", &files(text), None).unwrap();
    loaded.check().iter().map(|d| d.code.as_str()).collect()
}

#[test]
fn shipped_grammars_check_without_a_word_and_are_laid_out_canonically() {
    for (name, text) in embedded_texts() {
        let path = std::path::Path::new(name);
        if path.extension() != Some("arsg".as_ref()) {
            continue;
        }
        let (name, text) = ((*name).to_owned(), (*text).to_owned());
        assert_eq!(
            format(&Source::new(name.clone(), text.as_str())).unwrap(),
            text,
            "{name}"
        );
        let loaded = Grammar::load(path, &embedded_files(), None).unwrap();
        let said = Renderer::default().render(&loaded.check());
        assert!(said.is_empty(), "{said}");
    }
}

#[test]
fn the_seed_grammar_is_worth_having() {
    let grammar = embedded_grammar("seed").unwrap();
    assert!(
        grammar.productions.len() >= 60,
        "{}",
        grammar.productions.len()
    );
    assert!(
        grammar.preferences.len() >= 60,
        "{}",
        grammar.preferences.len()
    );
    let stats = grammar.stats();
    assert_eq!(stats.relations, grammar.schema.rhetoric.len());
    let rule = grammar.rule("rise-explained").unwrap().rule();
    assert_eq!(rule.doc.as_deref(), Some("股价上涨，因为利率下调。"));
    assert_eq!(rule.count().get(), 12);
    assert!(embedded_grammar("nothing").is_err());
}

#[test]
fn a_module_is_read_once_and_comes_before_what_uses_it() {
    let files = Memory::new()
        .with("schema.toml", SMALL_SCHEMA)
        .with("a.arsg", "schema \"schema.toml\"\nuse \"b.arsg\"\nuse \"c.arsg\"\nrule 甲\n  上涨[cause] <- _ _\n")
        .with("b.arsg", "use \"c.arsg\"\nrule 乙\n  上涨[cause] <- _ 上涨\n")
        .with("c.arsg", "rule 丙\n  上涨[cause] <- 上涨 _\n");
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let ids: Vec<&str> = loaded
        .grammar
        .productions
        .iter()
        .map(|p| &*p.rule.id)
        .collect();
    assert_eq!(ids, ["丙", "乙", "甲"]);
    assert_eq!(loaded.grammar.modules, ["c.arsg", "b.arsg", "a.arsg"]);
}

#[test]
fn derived_ids_depend_on_meaning_alone() {
    let plain =
        load("上涨[cause] <- 上涨:N 下跌:S x 1\n  when B.cue in {because, so} and A.length > 2\n");
    let other = load(
        "上涨[cause]<-上涨:N 下跌:S x 9 w +1\n # why\n when A.length>2 and cue(B) in {so,because}\n set D.polarity = 1\n",
    );
    assert_eq!(plain.productions[0].rule.id, other.productions[0].rule.id);
    let id = &plain.productions[0].rule.id;
    assert!(id.starts_with("上涨-cause-"), "{id}");
    let reason = load("上涨[cause] <- 上涨:N 下跌:S x 1\n");
    assert_ne!(&reason.productions[0].rule.id, id);
}

#[test]
fn all_mistakes_of_a_file_are_found_in_one_run() {
    let found = codes(
        "rule a\n  上张[cause] <- _ _\n\nprefer shfit _ _ . _\n\n上涨[cause] <- 上涨:S 下跌:S\n\nboundary when next.cue == but\nfoo bar\n",
    );
    assert_eq!(found, ["G017", "G032", "G030", "G003", "G007"]);
}

#[test]
fn hostile_files_get_an_answer() {
    let deep = format!(
        "上涨[cause] <- _ _\n  when {}true{}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(codes(&deep), ["G002"]);
    let nots = format!("上涨[cause] <- _ _\n  when {} true", "not ".repeat(100_000));
    assert_eq!(codes(&nots), ["G002"]);
    let minuses = format!(
        "上涨[cause] <- _ _\n  when A.length > {}1",
        "-".repeat(100_000)
    );
    assert_eq!(codes(&minuses), ["G002"]);
    let sum = format!(
        "上涨[cause] <- _ _\n  when A.length{} > 1",
        " + 1".repeat(100_000)
    );
    assert_eq!(codes(&sum), ["G002"]);
    let chain = format!(
        "上涨[cause] <- _ _\n  when true{}",
        " implies true".repeat(100_000)
    );
    assert_eq!(codes(&chain), ["G002"]);
    // Long is not deep.
    let wide = format!(
        "上涨[cause] <- _ _\n  when A.length > 1{}",
        " and B.length > 2".repeat(50_000)
    );
    assert_eq!(codes(&wide), Vec::<&str>::new());
    assert!(format(&Source::new("wide", wide)).is_ok());
    let lines = "\n".repeat(1_000_000);
    assert_eq!(codes(&lines), Vec::<&str>::new());
    let open = "(".repeat(1_000_000);
    assert!(!codes(&open).is_empty());
    let bom = "\u{feff}grammar a\n";
    assert!(!codes(bom).contains(&"G999"));
}

#[test]
fn a_million_lines_are_read() {
    let text = "上涨[cause] <- _ _ x 1\n  when A.length = 1\n".repeat(50_000);
    let found = Grammar::load("a.arsg", &files(&text), None).unwrap();
    assert_eq!(found.grammar.productions.len(), 1);
    assert_eq!(found.grammar.productions[0].rule.count().get(), 50_000);
}

#[test]
fn a_diff_tells_what_a_changed_count_does() {
    let old = load("上涨[cause] <- 上涨 下跌 x 10\n上涨[result] <- 上涨 下跌 x 10\n");
    let new = load("# 换了次序\n上涨[result] <- 上涨 下跌 x 10\n\n上涨[cause]<-上涨 下跌 x 30\n");
    let changes = diff(&old, &new);
    assert_eq!(changes.rules.len(), 1);
    let change = &changes.rules[0];
    assert_eq!(change.change, Change::Changed);
    assert_eq!(change.aspects[0].what, "count");
    let odds: Vec<(Option<f64>, Option<f64>)> =
        change.odds.iter().map(|o| (o.old, o.new)).collect();
    assert_eq!(odds, [(Some(0.5), Some(0.75)), (Some(0.5), Some(0.25))]);
    assert!(
        changes.to_text().contains("50.0% -> 75.0%"),
        "{}",
        changes.to_text()
    );
    assert_eq!(diff(&old, &old).to_text(), "no semantic change\n");
}

#[test]
fn a_changed_reason_is_a_change_and_not_two() {
    let old = load("上涨[cause] <- 上涨 下跌 x 10\n  when B.cue = because\n");
    let new = load("上涨[cause] <- 上涨 下跌 x 10\n  when B.cue in {because, so}\n");
    let changes = diff(&old, &new);
    assert_eq!(changes.rules.len(), 1, "{}", changes.to_text());
    assert_eq!(changes.rules[0].aspects[0].what, "reason");
    assert!(changes.to_markdown().contains("`B.cue in {because, so}`"));
}

#[test]
fn a_rule_under_another_name_is_renamed() {
    let old = load("rule 旧\n  上涨[cause] <- 上涨 下跌 x 10\n");
    let new = load("rule 新\n  上涨[cause] <- 上涨 下跌 x 10\n");
    let changes = diff(&old, &new);
    assert_eq!(changes.rules.len(), 1, "{}", changes.to_text());
    assert_eq!(changes.rules[0].change, Change::Renamed);
    assert!(changes.rules[0].odds.is_empty());
    let text = changes.to_text();
    assert!(
        text.starts_with("1 rule renamed\n~ 旧 -> 新 (renamed)  "),
        "{text}"
    );
    assert!(changes.to_markdown().contains("`旧` → `新` (renamed)"));
}

#[test]
fn a_diff_shows_what_changed_and_nothing_else() {
    let old = load(
        "上涨[cause] <- 上涨 下跌 x 10\n  when B.cue = because\n  set D.polarity = 1\n      D.topic = market\n",
    );
    let new = load(
        "上涨[cause] <- 上涨 下跌 x 12\n  when B.cue = because\n  set D.polarity = 1\n      D.topic = policy\n",
    );
    let text = diff(&old, &new).to_text();
    assert!(text.contains("    when B.cue = because\n"), "{text}");
    assert!(
        text.contains("equations: D.topic = market -> D.topic = policy\n"),
        "{text}"
    );
    assert!(
        !text.contains("polarity") && !text.contains("100.0%"),
        "{text}"
    );
    let markdown = diff(&old, &new).to_markdown();
    assert!(!markdown.contains("->"), "{markdown}");
}

#[test]
fn a_shared_module_is_counted_once_whatever_the_order() {
    let grammar = |name: &str, own: u64| {
        let files = Memory::new()
            .with("schema.toml", SMALL_SCHEMA)
            .with(
                "m.arsg",
                "rule 共\n  上涨[cause] <- 上涨 下跌 x 40\n上涨[result] <- _ _ x 7\n",
            )
            .with(
                name,
                format!("schema \"schema.toml\"\nuse \"m.arsg\"\n上涨[result] <- _ _ x {own}\n"),
            );
        Grammar::load(name, &files, None).unwrap().grammar
    };
    let (a, b, c) = (
        grammar("a.arsg", 1),
        grammar("b.arsg", 2),
        grammar("c.arsg", 4),
    );
    let ab = merge(&[a.clone(), b.clone()]).unwrap();
    let cb = merge(&[c.clone(), b.clone()]).unwrap();
    let left = merge(&[ab, c.clone()]).unwrap();
    assert_eq!(left.to_text(), merge(&[a.clone(), cb]).unwrap().to_text());
    assert_eq!(left.to_text(), merge(&[c, a, b]).unwrap().to_text());
    let counts: Vec<u64> = left
        .productions
        .iter()
        .map(|p| p.rule.count().get())
        .collect();
    assert_eq!(counts, [7 + 1 + 2 + 4, 40]);
}

#[test]
fn weights_under_counts_are_remarked_on_even_in_a_module() {
    assert_eq!(
        codes("decide counts\n上涨[cause] <- _ _ x 1 w +1\n"),
        ["G050"]
    );
    // A module that does not say how to decide leaves that to who uses it.
    assert!(codes("上涨[cause] <- _ _ x 1 w +1\n").is_empty());
}

#[test]
fn a_whole_grammar_may_be_used_by_one_that_starts_the_same() {
    let files = Memory::new()
        .with("schema.toml", SMALL_SCHEMA)
        .with(
            "whole.arsg",
            "start 篇章\nfallback reduce\n上涨[cause] <- _ _\n",
        )
        .with(
            "a.arsg",
            "schema \"schema.toml\"\nuse \"whole.arsg\"\nstart 篇章\nfallback shift\n",
        );
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(found, ["G055"]);
    assert!(loaded.diagnostics[0].message.starts_with("`fallback`"));
}

/// What a beginner writes, and a part of the help that the answer must have.
const BEGINNERS: &[(&str, &str)] = &[
    ("上涨[cause <- 上涨 下跌", "close it with `]`"),
    (
        "上涨[cause] <- 上涨 下跌\n  when (B.speech",
        "close it with `)`",
    ),
    ("上涨[cause] <- 上涨 下跌\n  when B.speech)", "delete it"),
    (
        "上涨(cause) <- 上涨(N), 下跌(S)  12",
        "write `上涨[cause] <- 上涨:N 下跌:S  x 12`",
    ),
    (
        "上涨[cause] -> 上涨:N 下跌:S",
        "write `上涨[cause] <- 上涨:N 下跌:S`",
    ),
    ("上涨 下跌 -> 变动", "write `变动[RELATION] <- 上涨 下跌`"),
    ("上涨[cause] <- 上涨:N 下跌:S 12", "S  x 12`"),
    ("上涨[cause] <- 上涨:N 下跌:S x12", "S  x 12`"),
    ("上涨[cause] <- 上涨:N 下跌:S * 12", "S  x 12`"),
    (
        "上涨[cause] <- 上涨:N, 下跌:S",
        "write `上涨[cause] <- 上涨:N 下跌:S`",
    ),
    (
        "上涨[cause] <- 上涨:N 下跌:S 变动:S",
        "a production joins two",
    ),
    (
        "prefer shift 上涨 下跌 变动",
        "write `prefer shift 上涨 下跌 . 变动`",
    ),
    (
        "prefer shift 上涨:N 下跌:S . 变动",
        "write `prefer shift 上涨 下跌 . 变动`",
    ),
    ("上涨[cause] <- _ _\n  when B.speech x 12", "before `when`"),
    (
        "上涨[cause] <- _ _\n  set D.polarity = 1\n  when B.speech",
        "`when`, then `set`",
    ),
    (
        "上涨[cause] <- _ _\n  when B.speech\n  when A.speech",
        "join the two with `and`",
    ),
    (
        "上涨[cause] <- _ _\n  set D.polarity = 1\n  set D.topic = market",
        "`set` once",
    ),
    ("上涨[cause] <- _ _\n  when A.length <> 2", "write `!=`"),
    ("上涨[cause] <- _ _\n  when B.cue not = so", "write `!=`"),
    ("上涨[cause] <- _ _\n  when A.length => 2", "write `>=`"),
    (
        "上涨[cause] <- _ _\n  when A.length-B.length > 2",
        "`A.length - B.length`",
    ),
    (
        "上涨[cause] <- _ _\n  when B.speech, A.speech",
        "with `and`",
    ),
    (
        "上涨[cause] <- _ _\n  when if B.speech then A.speech",
        "implies",
    ),
    ("上涨[cause] <- _ _\n  if B.speech", "begins with `when`"),
    (
        "上涨[cause] <- _ _\n  set topic = market",
        "`D.topic = ...`",
    ),
    (
        "上涨[cause] <- _ _\n  set D.polarity = 1, D.topic = market",
        "no comma",
    ),
    ("上涨[cause] <- _ _\n  when A.time < 2019", "`\"2019\"`"),
    ("上涨[cause] <- _ _\n  when B.cue = 因为", "write `because`"),
    (
        "上涨[cause] <- _ _\n  when B.cue = \"因为\"",
        "write `because`",
    ),
    ("上涨[cause] <- 利率 _", "it is a concept"),
    ("上涨[cause] <- N:上涨 _", "write `上涨:N`"),
    ("上涨[cause] <- 上涨:n _", "write `N`"),
    ("no-boundary x 3", "`no boundary`"),
    ("boundary 3", "`x 3`"),
    ("// 注", "comments begin with `#`"),
    ("上涨[cause] <- _ _ // 注", "comments begin with `#`"),
    ("rule 涨 因\n上涨[cause] <- _ _", "one word"),
    ("(ae): 上涨(cause) <- 上涨(N), 下跌(S)  12", "after `set`"),
    (
        "(上涨, 下跌, _, ≻, B.speech, 12)",
        "write `prefer reduce 上涨 下跌 . _  x 12`",
    ),
    ("shift 上涨 下跌 . _", "write `prefer shift A B . C`"),
    ("use 连接词.arsg", "`use \"连接词.arsg\"`"),
    ("fallback 上涨[cause]", "`fallback D[RELATION] <- _ _`"),
    ("上涨[cause] <- _ _\n  when cue = because", "write `B.cue`"),
    ("boundary when prev.punct = \"，\"", "`comma`"),
];

#[test]
fn beginners_are_told_what_to_write() {
    for (written, wanted) in BEGINNERS {
        // The rule before it must not be blamed.
        let before = "下跌[cause] <- 下跌:N 下跌:S x 2\n";
        let loaded = Grammar::load("a.arsg", &files(&format!("{before}{written}\n")), None);
        let found = loaded.unwrap().diagnostics;
        let helps: Vec<&str> = found.iter().filter_map(|d| d.help.as_deref()).collect();
        assert!(
            helps.iter().any(|help| help.contains(wanted)),
            "{written}\n{}",
            Renderer::default().render(&found)
        );
        for diagnostic in &found {
            let line = diagnostic.place.as_ref().map(|place| place.line_column().0);
            assert!(line >= Some(3), "{written}: line {line:?}");
        }
    }
}

#[test]
fn the_papers_arrow_is_understood() {
    let grammar = load("上涨[cause] ← 上涨:N 下跌:S x 3\n");
    assert_eq!(grammar.productions.len(), 1);
    let text = format(&Source::new("a", "上涨[cause] ← 上涨:N 下跌:S\n")).unwrap();
    assert_eq!(text, "上涨[cause] <- 上涨:N 下跌:S\n");
}

#[test]
fn merging_adds_counts_and_refuses_contradictions() {
    let a = load("上涨[cause] <- 上涨 下跌 x 10\nrule 名\n  下跌[cause] <- 下跌 下跌 x 1\n");
    let b = load("上涨[cause] <- 上涨 下跌 x 5\n上涨[result] <- 上涨 下跌\n");
    let merged = merge(&[a.clone(), b.clone()]).unwrap();
    let counts: Vec<u64> = merged
        .productions
        .iter()
        .map(|p| p.rule.count().get())
        .collect();
    assert_eq!(counts, [15, 1, 1]);
    assert_eq!(merged.to_text(), merge(&[b, a.clone()]).unwrap().to_text());
    let other = load("rule 名\n  上涨[cause] <- 下跌 下跌 x 1\n");
    let Err(arsg::Error::Invalid(conflicts)) = merge(&[a, other]) else {
        panic!("a name that means two things was merged");
    };
    assert_eq!(conflicts[0].related.len(), 1);
}

/// Facts in which only what is put in is known.
struct Known(Vec<(&'static str, Value)>);

impl Facts for Known {
    fn attribute(&self, node: Node, attribute: u32) -> Option<Value> {
        let name = format!("{}.{attribute}", node.as_str());
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.clone())
    }

    fn measure(&self, function: FunctionId, _: &[Node], _: &[Value]) -> Option<Value> {
        let name = function.get().name;
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.clone())
    }

    fn variable(&self, at: u32) -> Option<Value> {
        self.0.get(at as usize).map(|(_, value)| value.clone())
    }
}

#[test]
fn what_is_not_known_is_not_true_and_not_false() {
    let truth = |reason: &str, known: Vec<(&'static str, Value)>| {
        let grammar = load(&format!("上涨[cause] <- _ _\n  when {reason}\n"));
        grammar.productions[0]
            .rule
            .reason
            .as_ref()
            .and_then(|r| r.truth(&Known(known)))
    };
    let speech = || vec![("speech", Value::Bool(true))];
    assert_eq!(truth("A.polarity = 1", vec![]), None);
    assert_eq!(truth("not A.polarity = 1", vec![]), None);
    assert_eq!(truth("A.polarity = 1 or B.speech", speech()), Some(true));
    assert_eq!(
        truth("A.polarity = 1 and not B.speech", speech()),
        Some(false)
    );
    assert_eq!(
        truth("A.polarity = 1 implies B.speech", speech()),
        Some(true)
    );
    assert_eq!(truth("known(A.polarity)", vec![]), Some(false));
    assert_eq!(truth("max(A.polarity, 1) = 1", vec![]), Some(true));
    let members: BTreeSet<Arc<str>> = ["利率".into(), "股价".into()].into_iter().collect();
    let set = || vec![("A.2", Value::Set(Arc::new(members.clone())))];
    assert_eq!(
        truth("利率 in A.object and count(A.object) = 2", set()),
        Some(true)
    );
    assert_eq!(truth("same(A.object, A.object)", set()), Some(true));
    assert_eq!(
        truth(
            "level(A, B) < comma",
            vec![("level", Value::Rank(LEVELS, 1))]
        ),
        Some(true)
    );
}

#[test]
fn the_priority_function_is_a_formula_with_free_variables() {
    let variables = [("weight", ValueType::Float), ("rank", ValueType::Int)];
    let priority = |text: &str| {
        load_formula(
            &Source::new("arsg.toml", text),
            &variables,
            ValueType::Float,
        )
    };
    let facts = Known(vec![("weight", Value::Float(3.0)), ("rank", Value::Int(2))]);
    assert_eq!(priority("weight / rank").unwrap().number(&facts), Some(1.5));
    assert_eq!(
        priority("if(rank = 2, -weight + 2 * rank, 0)")
            .unwrap()
            .number(&facts),
        Some(1.0)
    );
    assert_eq!(
        priority("weight / (rank - 2)").unwrap().number(&facts),
        None
    );
    let Err(arsg::Error::Invalid(found)) = priority("wieght / rank") else {
        panic!("an unknown variable was taken");
    };
    assert_eq!(found[0].help.as_deref(), Some("did you mean `weight`?"));
    assert!(priority("weight > rank").is_err());
    assert!(priority("A.cue = because").is_err());
}

#[test]
fn rules_can_be_made_without_a_file() {
    let read = load("上涨[cause] <- 上涨:N 下跌:S x 3\n  when B.cue = because\n");
    let schema = &read.schema;
    let reason = load_reason(&Source::new("learned", "cue(B) = because"), schema).unwrap();
    let shape = read.productions[0].shape;
    let mut made = Production::new(shape, Some(reason), Vec::new(), schema);
    made.rule.count = Count::new(3);
    assert_eq!(made.rule.id, read.productions[0].rule.id);
    let grammar = Grammar {
        schema: Arc::clone(schema),
        productions: vec![made],
        ..Grammar::default()
    };
    let line = "上涨[cause] <- 上涨:N 下跌:S                     x 3\n  when B.cue = because\n";
    assert!(grammar.to_text().ends_with(line), "{}", grammar.to_text());
    let cut = load_boundary_reason(
        &Source::new("learned", "in-quote and next.cue = but"),
        schema,
    );
    assert!(cut.is_ok());
    assert!(load_reason(&Source::new("learned", "B.cue"), schema).is_err());
}

#[test]
fn a_cue_class_may_be_called_and() {
    let files = Memory::new()
        .with("s.toml", "[domain]\nname = \"s\"\nstart = \"T\"\n[relation.T]\n[rhetoric.r]\n[cue.and]\nwords = [\"和\"]\n[cue.not]\nwords = [\"不\"]\n[cue.when]\nwords = [\"当\"]\n")
        .with("a.arsg", "schema \"s.toml\"\nT[r] <- _ _ when B.cue = and and C.cue in {and, not, when} and contains(A.cues, not) and A.cue != not\n");
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let reason = loaded.grammar.productions[0].rule.reason.as_ref().unwrap();
    assert_eq!(
        reason.text(&loaded.grammar.schema),
        "B.cue = and and C.cue in {and, not, when} and contains(A.cues, not) and A.cue != not"
    );
}

#[test]
fn a_small_grammar_is_not_scolded_for_what_it_leaves_out() {
    let files = embedded_files();
    let mine = "schema \"../schemas/finance.toml\"\nstart Report\nfallback _[joint-list] <- _ _\n\
                Explanation[causal-cause] <- Rise:N Policy:S x 12\n";
    let files = Memory::over(&files).with("grammars/mine.arsg", mine);
    let found = Grammar::load("grammars/mine.arsg", &files, None)
        .unwrap()
        .check();
    let codes: Vec<&str> = found.iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["G048"], "{}", Renderer::default().render(&found));
    let help = found[0].help.as_deref().unwrap();
    assert!(help.contains("`arsg stats schemas/finance.toml`"), "{help}");
}

#[test]
fn a_grammar_reads_from_a_string() {
    for name in ["finance", "general"] {
        let shipped = embedded_grammar(name).unwrap();
        let again: Grammar = shipped.to_text().parse().unwrap();
        assert_eq!(again.to_text(), shipped.to_text());
    }
    let module: Grammar = "schema \"finance\"\nuse \"causes.arsg\"\n".parse().unwrap();
    let causes = embedded_grammar("causes").unwrap();
    assert_eq!(module.rules().count(), causes.rules().count());

    let wrong = "schema \"finance\"\nprefer wait _ _ . _\nprefer shift _ _ . _ x 0\n";
    let Err(Error::Invalid(problems)) = wrong.parse::<Grammar>() else {
        panic!("both rules are wrong");
    };
    let codes: Vec<Code> = problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::G032, Code::G005]);
}

const TABLES: &str = "\
decide   weights

## 断点的强弱。
table breaks  shift by level(A, B) vs level(B, C)
  | less                          -1.2  x 3120
  | greater                       +1.4

table lengths  reduce by A.length, A.heading
  when level(A, B) < sentence
  | 1, true                       +0.3
  | 2 to 4, false                 +0.2  !
  | >= 5, else                    -0.1

table cues  label by B.cue
  | because                     cause NS                          +3.0  x 40
  | but                         * NN                              +2.0
  | none                        causal-*                          +0.2

table usual  label
  | cause NS                          -2.0
  | contrast NN                       +0.5

table shares  shift by ratio(A, B)
  | <= 0.5                        -0.1
  | 0.5 to 2.0                    +0.1
  | > 2.0                         +0.2
";

#[test]
fn tables_keep_what_they_say_and_how_they_are_laid_out() {
    let grammar = load(TABLES);
    assert_eq!(grammar.tables.len(), 5);
    let cues = &grammar.tables[2];
    assert_eq!(cues.decision, Decision::Label);
    assert_eq!(cues.rows.len(), 3);
    assert_eq!(cues.rows[0].count, Count::new(40));
    assert!(grammar.tables[1].rows[1].kept);
    let laid_out = format(&Source::new("a.arsg", TABLES)).unwrap();
    assert_eq!(laid_out, TABLES);
    // What is written from the meaning means the same.
    let again = load(
        grammar
            .to_text()
            .strip_prefix("schema   \"schema.toml\"\n")
            .unwrap_or_default(),
    );
    let said = |grammar: &Grammar| -> Vec<_> {
        let rows = grammar.tables.iter().flat_map(|table| table.rows.clone());
        let without_place = rows.map(|row| Row { place: None, ..row });
        without_place.collect()
    };
    assert_eq!(said(&again), said(&grammar));
}

#[test]
fn a_table_says_what_is_wrong_with_it() {
    let head = "decide weights\n";
    let codes = |text: &str| codes(&format!("{head}{text}"));
    let has = |text: &str, code: &str| {
        let found = codes(text);
        assert!(found.contains(&code), "{text}: {found:?}");
    };
    has("table a\n  sift by A.length\n  | 1 +0.5\n", "G032");
    has("table a\n  shift by A.cue\n  | becuse +0.5\n", "G022");
    has("table a\n  shift by A.length\n  | 1, 2 +0.5\n", "G057");
    has(
        "table a\n  shift by A.length\n  | <= 3 +0.5\n  | 2 +0.1\n",
        "G058",
    );
    has(
        "table a\n  label by A.length\n  | 1 causes NS +0.5\n",
        "G018",
    );
    has(
        "table a\n  shift by level(A, B) vs level(B, C)\n  | smaller +0.5\n",
        "G057",
    );
}

#[test]
fn the_general_grammar_can_be_read_in_an_hour() {
    let grammar = embedded_grammar("general").unwrap();
    let rules = grammar.productions.len()
        + grammar.preferences.len()
        + grammar.boundaries.len()
        + grammar.blocks.len();
    assert!(grammar.tables.len() <= 200, "{}", grammar.tables.len());
    assert!(rules <= 150, "{rules}");
    let own = |path: &str| path.starts_with("grammars/general");
    let texts = embedded_texts().iter().filter(|(path, _)| own(path));
    let lines: usize = texts.map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= 3_000, "{lines}");
}

#[test]
fn the_finance_grammar_is_the_general_one_and_more() {
    let general = embedded_grammar("general").unwrap();
    let finance = embedded_grammar("finance").unwrap();
    assert_eq!(finance.decide, Decide::Weights);
    for rule in &general.productions {
        let id = &rule.rule.id;
        assert!(
            finance.productions.iter().any(|own| own.rule.id == *id),
            "{id}"
        );
    }
    assert!(finance.productions.len() > general.productions.len() + 20);
}
