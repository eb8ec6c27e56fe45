//! Tables and strengths in every tool: diff, merge, stats, check, coverage.

use arsg::Document;
use arsg::automaton::cases::read_cases;
use arsg::automaton::{Coverage, Engine, ParseOptions, Search};
use arsg::behavior::{Example, provenance};
use arsg::diagnostic::{Code, Source};
use arsg::grammar::{Change, Grammar, Memory, diff, merge};
use arsg::text::Analyzer;

const GRAMMAR: &str = r#"
grammar  small 1.0
schema   "general"
start    Text
decide   weights

rule but-second
  _[adversative-contrast] <- _:N _:N             mild
  when B.cue = but

table usual  label
  |                             joint-list NN                     +1.9  x 900
  |                             * NN                              +0.1

## The connective that B begins with.
table cue-of-B  label by B.cue
  when level(A, B) < sentence
  | but                         adversative-*                     +2.1  x 159
  | because                     causal-cause NS                   +2.8  x 40

table breaks  shift by level(A, B) vs level(B, C)
  | less                          -1.2  x 3120
  | greater                       +1.4  x 2890  !
"#;

fn load(text: &str) -> Grammar {
    text.parse().unwrap()
}

/// What `arsg diff` prints, without the first line, which counts.
fn changes(new: &str) -> (String, Vec<String>) {
    let diff = diff(&load(GRAMMAR), &load(new));
    let text = diff.to_text();
    let mut lines = text.lines().map(str::to_owned);
    (lines.next().unwrap(), lines.collect())
}

#[test]
fn a_changed_cell_is_one_line_with_its_effect() {
    let (counted, lines) = changes(&GRAMMAR.replace("+2.1  x 159", "+2.5  x 159  !"));
    assert_eq!(counted, "1 row changed");
    assert_eq!(
        lines,
        [
            "~ cue-of-B  but  adversative-*: weight +2.1 -> +2.5, kept (none) -> ! \
             (odds times 1.49: 50% become 59.9%)"
        ]
    );
    let diff = diff(&load(GRAMMAR), &load(&GRAMMAR.replace("+2.1", "+2.5")));
    let json = serde_json::to_value(&diff).unwrap();
    let row = &json["rules"][0];
    assert_eq!(row["id"], "cue-of-B");
    assert_eq!(row["row"], "but  adversative-*");
    assert_eq!(row["aspects"][0]["new"], "+2.5");
    assert!((row["even_choice"].as_f64().unwrap() - 0.5987).abs() < 1e-4);
    assert!(diff.to_markdown().contains("50% become 59.9%"));
}

#[test]
fn rows_that_come_and_go_are_one_line_each() {
    let new = GRAMMAR.replace(
        "| because                     causal-cause NS                   +2.8  x 40",
        "| so                          causal-result NS                  +1.5  x 20",
    );
    let (counted, lines) = changes(&new);
    assert_eq!(counted, "1 row removed, 1 added");
    assert_eq!(
        lines,
        [
            "- cue-of-B  label B.cue | because  causal-cause NS  +2.8  x 40",
            "+ cue-of-B  label B.cue | so  causal-result NS  +1.5  x 20",
        ]
    );
}

#[test]
fn a_renamed_table_and_a_new_comment_are_told_once() {
    let old = load(GRAMMAR);
    let renamed = diff(
        &old,
        &load(&GRAMMAR.replace("table breaks", "table strong-breaks")),
    );
    let [change] = renamed.rules.as_slice() else {
        panic!("{}", renamed.to_text());
    };
    assert_eq!(change.change, Change::Renamed);
    assert_eq!(change.new_id.as_deref(), Some("strong-breaks"));
    let new = GRAMMAR.replace("The connective that B begins with.", "句内 B 的连接词。");
    let said = diff(&old, &load(&new));
    assert_eq!(said.rules.len(), 1, "{}", said.to_text());
    assert_eq!(said.rules[0].aspects[0].what, "doc");
}

#[test]
fn another_strength_is_told_with_its_effect() {
    let (counted, lines) = changes(&GRAMMAR.replace(" mild", " strong"));
    assert_eq!(counted, "1 rule changed");
    assert!(
        lines.contains(&"    strength: mild -> strong".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"    odds times 12.18: 50% become 92.4%".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn stats_count_tables_and_strengths() {
    let stats = load(GRAMMAR).stats();
    let json = serde_json::to_value(&stats).unwrap();
    assert_eq!(json["tables"]["label"]["tables"], 2);
    assert_eq!(json["tables"]["label"]["rows"], 4);
    assert_eq!(json["tables"]["shift"]["instances"], 6010);
    assert_eq!(json["tables"]["shift"]["kept"], 1);
    assert_eq!(json["strengths"]["mild"], 1);
    assert_eq!(stats.relations, 3);
    assert_eq!(stats.loudest[0].id, "cue-of-B");
    let text = stats.to_string();
    for part in [
        "kept (!)",
        "rules by strength: 1 mild",
        "-1.20 to  +1.40  breaks  shift by level(A, B) vs level(B, C)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn tables_of_a_module_that_both_use_are_counted_once() {
    let module = "decide weights\ntable usual\n  label\n  | joint-list NN +1.9 x 900\n";
    let own = |name: &str, count: u32| {
        format!(
            "grammar {name}\nschema \"general\"\ndecide weights\nuse \"tables.arsg\"\n\
             table breaks\n  shift by level(A, B)\n  | comma +0.5 x {count}\n"
        )
    };
    let files = Memory::new()
        .with("tables.arsg", module)
        .with("a.arsg", own("a", 3))
        .with("b.arsg", own("b", 4));
    let both = ["a.arsg", "b.arsg"].map(|path| {
        let loaded = Grammar::load(path, &files, None).unwrap();
        loaded.into_result().unwrap()
    });
    let merged = merge(&both).unwrap();
    let counts = |id: &str| {
        let table = merged.tables.iter().find(|table| &*table.rule.id == id);
        table.unwrap().rows[0].count.unwrap().get()
    };
    assert_eq!(counts("usual"), 900);
    assert_eq!(counts("breaks"), 7);
    assert_eq!(load(&merged.to_text()).tables.len(), 2);
}

#[test]
fn what_can_never_speak_in_a_table_is_found() {
    let codes = |text: &str| -> Vec<(Code, usize)> {
        let files = Memory::new().with(
            "a.arsg",
            format!("schema \"general\"\ndecide weights\n{text}"),
        );
        let found = Grammar::load("a.arsg", &files, None).unwrap().check();
        let line = |place: &arsg::diagnostic::Place| place.line_column().0;
        let found = found
            .iter()
            .map(|one| (one.code, one.place.as_ref().map_or(0, line)));
        found.collect()
    };
    let table =
        "table a\n  shift by A.length\n  when A.length > 3 and B.cue = but\n  | >= 5 +0.5\n";
    assert_eq!(codes(table), []);
    let row = table.replace("| >= 5", "| 2 +0.1\n  | 3 to 4 +0.2\n  | >= 5");
    assert_eq!(codes(&row), [(Code::G042, 6)]);
    let never = table.replace("B.cue = but", "A.length < 2");
    assert_eq!(codes(&never), [(Code::G042, 3)]);
}

#[test]
fn a_table_speaks_once_in_a_decision() {
    let engine = Engine::new(load(GRAMMAR));
    let document = Document::from_edus(
        "t",
        [["股价上涨了，", "但是成交量下降，", "大家都很谨慎。"]],
    );
    let options = ParseOptions::default().search(Search::Best);
    let text = engine.read(&document);
    let report = Coverage::of_text(&text, &engine, &options).report(engine.grammar());
    let used = |id: &str| {
        let rule = report.rules.iter().find(|rule| rule.rule == id).unwrap();
        (rule.spoke, rule.won, rule.head.clone())
    };
    // Two nodes are made, by tables whose rows speak for several outcomes at once.
    assert_eq!(used("usual").0, 2);
    assert_eq!(used("usual").2, "label");
    let (spoke, won, head) = used("cue-of-B");
    assert!(spoke == 1 && won <= 1, "{spoke} {won}");
    assert_eq!(head, "label by B.cue");
}

#[test]
fn the_texts_behind_a_table_are_known() {
    let engine = Engine::new(load(GRAMMAR));
    let schema = engine.schema();
    let text = include_str!("../../../examples/demo/oil.case");
    let cases = read_cases(&Source::new("oil.case", text))
        .into_result()
        .unwrap();
    let analyzer = Analyzer::new(schema);
    let examples = cases
        .into_iter()
        .take(4)
        .map(|case| Example::new(case.document, case.tree.unwrap(), &analyzer, schema).unwrap());
    let examples: Vec<Example> = examples.collect();
    let all: Vec<&Example> = examples.iter().collect();
    let rows = provenance(&engine, &all);
    let of = |id: &str| rows.iter().find(|row| row.rule == id).unwrap();
    assert_eq!(rows.len(), 4, "one rule and three tables");
    assert!(!of("usual").texts.is_empty());
    assert!(!of("breaks").texts.is_empty());
}
