//! Short answers: what tipped the scales, in words, and what would turn it.

use std::sync::Arc;

use arsg::automaton::explain::{Detail, Explainer, Weighing, detail_text, explanation_html};
use arsg::automaton::{Engine, ParseOptions, Search};
use arsg::grammar::{Grammar, Weight};
use arsg::{Document, Error};

/// A grammar of a few tables and two written rules.
const GRAMMAR: &str = r#"
grammar  small 1.0
schema   "general"
start    Text
decide   weights

## The clause with 但 stands against the last.
rule but-second
  _[adversative-contrast] <- _:N _:N             mild
  when B.cue = but

rule because-first
  _[causal-cause] <- _:S _:N                     strong
  when A.cue = because and level(A, B) <= comma

table usual
  label
  |                             joint-list NN                     +1.9  x 900
  |                             causal-cause SN                   -1.2  x 20
  |                             adversative-concession SN         +0.1  x 80

table cue-of-B
  label by B.cue
  | but                         adversative-*                     +1.2  x 159
  | but                         adversative-concession SN         +2.0  x 60

table breaks
  shift by level(A, B) vs level(B, C)
  | less                          -1.2  x 3120
  | equal                         +0.3  x 2011
  | greater                       +1.4  x 2890

table mark-of-A
  shift by A.punct
  | comma                         +0.1  x 700
"#;

fn engine(grammar: &str) -> Arc<Engine> {
    Arc::new(Engine::new(grammar.parse::<Grammar>().unwrap()))
}

fn options() -> ParseOptions {
    ParseOptions::default().search(Search::Best)
}

/// What is known about the node over some EDUs.
fn explained(engine: &Engine, edus: &[&str], first: u32, last: u32, rival: Option<&str>) -> Detail {
    let text = engine.read(&Document::from_edus("t", [edus.to_vec()]));
    let options = options();
    let steps = engine.steps(&text, &options);
    let explainer = Explainer::new(engine, &text, &steps, &options);
    let step = explainer.step_of(first, last).unwrap();
    let rival = rival.map(|name| explainer.outcome(name).unwrap());
    explainer.detail_against(step, rival.as_ref()).unwrap()
}

fn label(detail: &Detail) -> &Weighing {
    detail.label.as_ref().unwrap().weighing.as_ref().unwrap()
}

const BUT: &[&str] = &["股价上涨了，", "但是成交量下降。"];
const BECAUSE: &[&str] = &["因为天下大雨，", "比赛取消了。", "观众都回家了。"];

#[test]
fn a_decision_is_told_in_words_with_its_rival() {
    let engine = engine(GRAMMAR);
    let detail = explained(&engine, BUT, 1, 2, None);
    let text = detail_text(&detail, false);
    assert!(text.lines().count() <= 25, "{text}");
    for part in [
        "why adversative-concession SN (",
        ") and not adversative-contrast NN (",
        "B begins with 但是 (but): adversative-concession SN +2.00",
        "`cue-of-B` grammars/text.arsg:25",
        "mild rule for adversative-contrast NN: The clause with 但 stands against the last.",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let weighing = label(&detail);
    let sum: f64 = weighing.contributions.iter().map(|one| one.amount).sum();
    assert!((sum - weighing.margin).abs() < 1e-9);
    let shares = [&weighing.chosen, &weighing.rival].map(|share| share.sum);
    assert!((shares[0] - shares[1] - weighing.margin).abs() < 1e-9);
}

#[test]
fn everything_is_there_when_it_is_asked_for() {
    let engine = engine(GRAMMAR);
    let detail = explained(&engine, BECAUSE, 1, 2, None);
    let all = detail_text(&detail, true);
    assert!(all.contains("rules that spoke:"), "{all}");
    let page = page(&engine, BECAUSE);
    assert!(page.contains("why reduce (") && page.contains("rules that spoke:"));
    let json = serde_json::to_value(&detail).unwrap();
    assert!(json["label"]["spoke"].is_array());
    assert_eq!(json["label"]["weighing"]["rival"]["name"], "joint-list NN");
    assert_eq!(
        json["label"]["weighing"]["contributions"][0]["by"],
        "because-first"
    );
}

fn page(engine: &Engine, edus: &[&str]) -> String {
    let text = engine.read(&Document::from_edus("t", [edus.to_vec()]));
    let options = options();
    let steps = engine.steps(&text, &options);
    explanation_html(&Explainer::new(engine, &text, &steps, &options))
}

#[test]
fn a_written_rule_that_outvotes_tables_is_told() {
    let engine = engine(GRAMMAR);
    let detail = explained(&engine, BECAUSE, 1, 2, None);
    let said = label(&detail).outvoted.clone().unwrap();
    assert_eq!(
        said,
        "the strong rule `because-first` outvotes the rest, which would make it joint-list NN"
    );
    let detail = explained(&engine, BUT, 1, 2, None);
    let said = label(&detail).outvoted.clone().unwrap();
    assert_eq!(
        said,
        "the rest outvotes the mild rule `but-second`, which speaks for adversative-contrast NN"
    );
}

/// Does what is proposed, for a row, and says what the nodes become then.
fn turned(grammar: &str, edus: &[&str], place: &str, to: f64) -> String {
    let mut grammar: Grammar = grammar.parse().unwrap();
    let rows = grammar.tables.iter_mut().flat_map(|table| &mut table.rows);
    let mut changed = 0;
    for row in rows {
        let at = row.place.as_ref().unwrap();
        let own = format!("{}:{}", at.source().name(), at.line_column().0);
        if own == place {
            row.weight = Weight::new(to).unwrap();
            changed += 1;
        }
    }
    assert_eq!(changed, 1, "{place}");
    let detail = explained(&Engine::new(grammar), edus, 1, 2, None);
    label(&detail).chosen.name.clone()
}

#[test]
fn what_is_proposed_turns_it_and_nothing_less_does() {
    let engine = engine(GRAMMAR);
    for (edus, rival) in [
        (BUT, "joint-list"),
        (BUT, "adversative-contrast NN"),
        (BECAUSE, "joint-list NN"),
    ] {
        let detail = explained(&engine, edus, 1, 2, Some(rival));
        let weighing = label(&detail);
        assert!(weighing.rival.name.starts_with(rival));
        let rows = weighing.turns.iter().filter(|turn| turn.row.is_some());
        let rows: Vec<_> = rows.collect();
        assert!(!rows.is_empty());
        for turn in rows {
            let place = turn.place.as_ref().unwrap();
            let to: f64 = turn.to.parse().unwrap();
            assert_eq!(
                turned(GRAMMAR, edus, place, to),
                weighing.rival.name,
                "{turn}"
            );
            let less = to - 0.02 * turn.change.signum();
            assert_ne!(
                turned(GRAMMAR, edus, place, less),
                weighing.rival.name,
                "{turn}"
            );
        }
    }
}

#[test]
fn a_rule_to_write_is_a_rule_and_turns_it() {
    let small = engine(GRAMMAR);
    for (edus, rival) in [(BUT, "joint-list"), (BECAUSE, "joint-list NN")] {
        let detail = explained(&small, edus, 1, 2, Some(rival));
        let rule = label(&detail).rule_to_write.clone().unwrap();
        let more = format!("{GRAMMAR}\n{rule}\n");
        let detail = explained(&engine(&more), edus, 1, 2, None);
        assert!(label(&detail).chosen.name.starts_with(rival), "{rule}");
    }
    let detail = explained(&small, BECAUSE, 1, 2, None);
    let action = detail.action.unwrap().weighing.unwrap();
    assert_eq!(
        action.rule_to_write.as_deref(),
        Some("prefer shift _ _ . _  mild  when level(A, B) = comma and level(B, C) = sentence")
    );
}

#[test]
fn strengths_are_turned_by_words() {
    let engine = engine(GRAMMAR);
    let detail = explained(&engine, BUT, 1, 2, None);
    let turn = label(&detail).turns.first().unwrap();
    assert_eq!(
        turn.to_string(),
        "raise `but-second` from mild to strong (grammars/text.arsg:9)"
    );
    let detail = explained(&engine, BECAUSE, 1, 2, None);
    let turn = label(&detail).turns.first().unwrap();
    assert_eq!(
        turn.to_string(),
        "lower `because-first` from strong to mild (grammars/text.arsg:13)"
    );
}

#[test]
fn a_table_that_speaks_against_shift_speaks_for_reduce() {
    let engine = engine(GRAMMAR);
    let detail = explained(&engine, BECAUSE, 1, 2, None);
    assert_eq!(detail.row.by, ["breaks", "because-first"]);
    let text = detail_text(&detail, false);
    let words = "the break A|B (comma) is weaker than the break B|C (sentence)";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("A ends with a comma"), "{text}");
}

#[test]
fn an_unknown_rival_is_told_with_the_nearest_name() {
    let engine = engine(GRAMMAR);
    let text = engine.read(&Document::from_edus("t", [BUT.to_vec()]));
    let options = options();
    let steps = engine.steps(&text, &options);
    let explainer = Explainer::new(&engine, &text, &steps, &options);
    let error = explainer.outcome("joint-lists NN").unwrap_err();
    let wanted = "nothing in this grammar makes `joint-lists NN`; did you mean `joint-list NN`?";
    assert!(
        matches!(&error, Error::Usage(said) if said == wanted),
        "{error}"
    );
}

#[test]
fn what_nothing_can_turn_is_told() {
    let grammar = GRAMMAR.replace(" strong", " always").replace(
        "joint-list NN                     +1.9",
        "joint-list NN                     -9.9",
    );
    let engine = engine(&grammar);
    let detail = explained(&engine, BECAUSE, 1, 2, Some("joint-list"));
    assert!(label(&detail).turns.is_empty() && label(&detail).rule_to_write.is_none());
    let text = detail_text(&detail, false);
    assert!(
        text.contains("no one weight and no rule would make it joint-list NN"),
        "{text}"
    );
}
