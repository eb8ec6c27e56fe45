//! What rules mean: probabilities computed by hand, for both ways to decide.

use std::sync::Arc;

use arsg::automaton::explain::Explainer;
use arsg::automaton::{Counting, Engine, Leaf, Outcome, ParseOptions, Search, Session, Text};
use arsg::grammar::{Action, Grammar, Memory, Pattern, Roles, Value};
use arsg::schema::RhetoricId;
use arsg::tree::{self, Format, WriteOptions, write};
use arsg::{Document, Tree};
use proptest::prelude::*;

use crate::fixtures::ENGINE;

const SCHEMA: &str = r#"
[domain]
name = "meaning"
language = "zh"
start = "篇章"
[relation."篇章"]
[relation."事件"]
[relation."变动"]
parent = "事件"
[relation."上涨"]
parent = "变动"
[relation."下跌"]
parent = "变动"
[relation."声明"]
parent = "事件"
[rhetoric.cause]
class = "causal"
[rhetoric.result]
class = "causal"
[rhetoric.elaboration]
class = "elaboration"
[rhetoric.contrast]
kind = "multinuc"
[attribute.time]
type = "time"
leaf = "time"
synthesis = "max"
[attribute.polarity]
type = "int"
leaf = "polarity"
[attribute.size]
type = "int"
synthesis = "sum"
[attribute.object]
type = "set"
leaf = "object"
synthesis = "union"
[attribute.note]
type = "int"
synthesis = "none"
[cue.because]
words = ["因为"]
[cue.but]
words = ["但"]
"#;

/// Ten thousandths of a millionth: sums in another order differ by less.
const SLACK: f64 = 1e-10;

fn grammar(rules: &str) -> Grammar {
    let files = Memory::new()
        .with("schema.toml", SCHEMA)
        .with("a.arsg", format!("schema \"schema.toml\"\n{rules}"));
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    loaded.into_result().unwrap()
}

fn engine(rules: &str) -> Arc<Engine> {
    Arc::new(Engine::new(grammar(rules)))
}

fn leaf(engine: &Engine, symbol: &str) -> Leaf {
    let schema = engine.schema();
    Leaf::plain(schema.relation(symbol).unwrap(), schema)
}

/// A cue class as leaves carry it.
fn cue(engine: &Engine, name: &str) -> u16 {
    let at = engine.schema().cues.iter().position(|c| c.name == name);
    at.unwrap() as u16 + 1
}

fn attribute(engine: &Engine, name: &str) -> usize {
    let attributes = &engine.schema().attributes;
    attributes.iter().position(|a| a.name == name).unwrap()
}

fn with(engine: &Engine, mut leaf: Leaf, name: &str, value: Value) -> Leaf {
    let mut values = leaf.attributes.to_vec();
    values[attribute(engine, name)] = Some(value);
    leaf.attributes = values.into();
    leaf
}

fn text(leaves: Vec<Leaf>) -> Arc<Text> {
    let edus = (1..=leaves.len()).map(|at| tree::Edu::new(format!("第{at}句。")));
    Arc::new(Text::of_leaves("t", edus.collect(), leaves))
}

fn plain(engine: &Engine, symbols: &[&str]) -> Arc<Text> {
    text(symbols.iter().map(|s| leaf(engine, s)).collect())
}

/// A session with the first two EDUs on the stack.
fn two_on_the_stack(engine: &Arc<Engine>, text: &Arc<Text>, counting: Counting) -> Session {
    let mut session = Session::new(Arc::clone(engine), Arc::clone(text), counting);
    session.shift().unwrap();
    session.shift().unwrap();
    session
}

fn shift_probability(engine: &Arc<Engine>, text: &Arc<Text>, counting: Counting) -> f64 {
    let session = two_on_the_stack(engine, text, counting);
    let all = session.suggestions();
    let shift = all.iter().find(|s| s.action == Action::Shift);
    shift.unwrap().probability
}

/// What the first two EDUs become where there is nothing left to shift: relations and
/// probabilities, the most probable first.
fn labels(engine: &Arc<Engine>, text: &Arc<Text>, counting: Counting) -> Vec<(String, f64)> {
    assert_eq!(text.len(), 2);
    let session = two_on_the_stack(engine, text, counting);
    let suggestions = session.suggestions().into_iter();
    let named = suggestions.map(|s| {
        let relation = s.outcome.unwrap().relation;
        let name = engine.schema().rhetoric_of(relation).unwrap().name.clone();
        (name, s.probability)
    });
    named.collect()
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < SLACK, "{found} is not {wanted}");
}

fn near_all(found: &[(String, f64)], wanted: &[(&str, f64)]) {
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    for ((name, probability), (wanted_name, wanted)) in found.iter().zip(wanted) {
        assert_eq!(name, wanted_name, "{found:?}");
        near(*probability, *wanted);
    }
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[test]
fn instances_of_one_level_add_up() {
    let engine = engine(
        "prefer shift  上涨 下跌 . 声明  x 9\n\
         prefer reduce 上涨 下跌 . 声明  x 31\n",
    );
    let text = plain(&engine, &["上涨", "下跌", "声明"]);
    for counting in [Counting::default(), Counting::Literal] {
        near(shift_probability(&engine, &text, counting), 9.0 / 40.0);
    }
}

const LEVELS: &str = "prefer shift  _ _ . _           x 3\n\
                      prefer reduce _ _ . _           x 1\n\
                      prefer reduce 变动 _ . _        x 4\n\
                      prefer shift  上涨 下跌 . 声明  x 6\n\
                      prefer reduce 上涨 下跌 . 声明  x 2\n  when B.cue = because\n";

#[test]
fn general_levels_are_mixed_in_with_the_weight_of_two_instances() {
    let engine = engine(LEVELS);
    let text = plain(&engine, &["上涨", "下跌", "声明"]);
    let general = 3.0 / 4.0;
    let kinds = (0.0 + 2.0 * general) / (4.0 + 2.0);
    let specific = (6.0 + 2.0 * kinds) / (6.0 + 2.0);
    near(
        shift_probability(&engine, &text, Counting::default()),
        specific,
    );
    near(
        shift_probability(&engine, &text, Counting::Interpolated(5.0)),
        {
            let kinds = 5.0 * general / (4.0 + 5.0);
            (6.0 + 5.0 * kinds) / (6.0 + 5.0)
        },
    );
}

#[test]
fn a_reason_is_a_level_within_its_pattern() {
    let engine = engine(LEVELS);
    let because = Leaf {
        cue: cue(&engine, "because"),
        ..leaf(&engine, "下跌")
    };
    let text = text(vec![leaf(&engine, "上涨"), because, leaf(&engine, "声明")]);
    let without = (6.0 + 2.0 * 0.25) / 8.0;
    let found = shift_probability(&engine, &text, Counting::default());
    near(found, (0.0 + 2.0 * without) / (2.0 + 2.0));
    // The paper's own: within the most specific pattern all instances add up.
    near(
        shift_probability(&engine, &text, Counting::Literal),
        6.0 / 8.0,
    );
}

#[test]
fn back_off_goes_up_the_hierarchy_and_ends_at_any() {
    let engine = engine(LEVELS);
    let cases = [
        // 上涨 上涨 . 声明: 变动 _ . _ and _ _ . _ speak.
        (["上涨", "上涨", "声明"], (0.0 + 2.0 * 0.75) / 6.0, 0.0),
        // 声明 is no 变动: only _ _ . _ speaks.
        (["声明", "下跌", "声明"], 0.75, 0.75),
    ];
    for (symbols, interpolated, literal) in cases {
        let text = plain(&engine, &symbols);
        near(
            shift_probability(&engine, &text, Counting::default()),
            interpolated,
        );
        near(
            shift_probability(&engine, &text, Counting::Literal),
            literal,
        );
    }
}

#[test]
fn productions_share_by_instances() {
    let engine = engine(
        "上涨[cause] <- 上涨:N 下跌:S       x 12\n\
         上涨[result] <- 上涨:N 下跌:S      x 3\n\
         变动[contrast] <- 变动:N 变动:N    x 5\n",
    );
    let text = plain(&engine, &["上涨", "下跌"]);
    let contrast = 2.0 / 17.0;
    near_all(
        &labels(&engine, &text, Counting::default()),
        &[
            ("cause", 12.0 / 17.0),
            ("result", 3.0 / 17.0),
            ("contrast", contrast),
        ],
    );
    near_all(
        &labels(&engine, &text, Counting::Literal),
        &[("cause", 12.0 / 15.0), ("result", 3.0 / 15.0)],
    );
}

#[test]
fn productions_of_one_outcome_speak_together() {
    let engine = engine(
        "变动[cause] <- 上涨:N 下跌:S       x 3\n\
         变动[cause] <- 上涨:N 下跌:S       x 5\n  when B.length = 1\n\
         变动[result] <- 上涨:N 下跌:S      x 4\n",
    );
    let text = plain(&engine, &["上涨", "下跌"]);
    near_all(
        &labels(&engine, &text, Counting::Literal),
        &[("cause", 8.0 / 12.0), ("result", 4.0 / 12.0)],
    );
    let general = 3.0 / 7.0;
    near_all(
        &labels(&engine, &text, Counting::default()),
        &[
            ("cause", (5.0 + 2.0 * general) / 7.0),
            ("result", 2.0 * (4.0 / 7.0) / 7.0),
        ],
    );
}

#[test]
fn weights_add_up_to_log_odds() {
    let engine = engine(
        "decide weights\n\
         prefer shift  _ _ . _        x 3 w +0.25\n\
         prefer reduce 变动 _ . _     x 4 w +1.5\n\
         prefer shift  上涨 _ . 声明  x 6 w +0.75\n  when A.length = 1\n\
         prefer reduce 上涨 _ . 声明  x 6 w +9\n  when A.length > 1\n\
         上涨[cause] <- 上涨:N _:S    x 1 w +2\n\
         上涨[cause] <- _:N 下跌:S    x 1 w -0.5\n\
         上涨[result] <- _:N _:S      x 1 w +0.5\n\
         变动[contrast] <- _:N _:N    x 1 w -3\n",
    );
    let three = plain(&engine, &["上涨", "下跌", "声明"]);
    let odds = 0.25 - 1.5 + 0.75;
    for counting in [Counting::default(), Counting::Literal] {
        near(shift_probability(&engine, &three, counting), logistic(odds));
    }
    // Each outcome by its own odds against the rest, then all normalised.
    let two = plain(&engine, &["上涨", "下跌"]);
    let own = [logistic(1.5), logistic(0.5), logistic(-3.0)];
    let sum: f64 = own.iter().sum();
    near_all(
        &labels(&engine, &two, Counting::default()),
        &[
            ("cause", own[0] / sum),
            ("result", own[1] / sum),
            ("contrast", own[2] / sum),
        ],
    );
}

#[test]
fn the_first_of_the_file_wins_a_tie() {
    for (first, second) in [("shift ", "reduce"), ("reduce", "shift ")] {
        let engine = engine(&format!(
            "prefer {first} _ _ . _  x 4\nprefer {second} _ _ . _  x 4\n\
             上涨[cause] <- _:N _:S  x 2\n上涨[result] <- _:N _:S  x 2\n"
        ));
        let text = plain(&engine, &["上涨", "下跌", "声明"]);
        let steps = engine.steps(&text, &ParseOptions::default());
        assert_eq!(steps[2].action.as_str(), first.trim());
        assert_eq!(steps[2].action_probability, 0.5);
    }
    for (first, second) in [("cause", "result"), ("result", "cause")] {
        let engine = engine(&format!(
            "上涨[{first}] <- _:N _:S  x 2\n上涨[{second}] <- _:N _:S  x 2\n"
        ));
        let text = plain(&engine, &["上涨", "下跌"]);
        let parse = engine.parse_text(text, &ParseOptions::default());
        let tree = parse.tree().unwrap();
        assert_eq!(tree.node(tree.root()).relation().unwrap().as_ref(), first);
    }
}

#[test]
fn what_is_said_of_an_unknown_value_is_neither_true_nor_false() {
    let rules = "prefer shift  _ _ . _  x 1\n\
                 prefer reduce _ _ . _  x 8\n  when A.polarity > 0\n\
                 prefer reduce _ _ . _  x 8\n  when not A.polarity > 0\n\
                 prefer reduce _ _ . _  x 8\n  when A.polarity > 0 or A.length > 1\n\
                 prefer reduce _ _ . _  x 8\n  when S.length = 1\n";
    let unknown = engine(rules);
    let text = plain(&unknown, &["上涨", "下跌", "声明"]);
    near(shift_probability(&unknown, &text, Counting::Literal), 1.0);
    // `true or unknown` is true, `known` is never unknown.
    for reason in [
        "A.polarity > 0 or A.length = 1",
        "not known(A.polarity)",
        "A.polarity > 0 implies A.length = 1",
        "not (A.polarity > 0 and A.length > 1)",
    ] {
        let engine = engine(&format!(
            "{rules}prefer reduce _ _ . _  x 3\n  when {reason}\n"
        ));
        near(shift_probability(&engine, &text, Counting::Literal), 0.25);
    }
    let known = with(&unknown, leaf(&unknown, "上涨"), "polarity", Value::Int(-1));
    let mut leaves = vec![known];
    leaves.extend(["下跌", "声明"].map(|symbol| leaf(&unknown, symbol)));
    near(
        shift_probability(&unknown, &self::text(leaves), Counting::Literal),
        1.0 / 9.0,
    );
}

fn set(members: &[&str]) -> Value {
    Value::Set(Arc::new(members.iter().map(|m| Arc::from(*m)).collect()))
}

/// Two leaves with all attributes, joined by the only production.
fn joined(rules: &str) -> impl Fn(&str) -> Option<Value> + use<> {
    let engine = engine(rules);
    let full = |symbol, time: &str, polarity, size, object: &str| {
        let leaf = leaf(&engine, symbol);
        let leaf = with(&engine, leaf, "time", Value::Time(time.into()));
        let leaf = with(&engine, leaf, "polarity", Value::Int(polarity));
        let leaf = with(&engine, leaf, "size", Value::Int(size));
        let leaf = with(&engine, leaf, "object", set(&[object]));
        with(&engine, leaf, "note", Value::Int(1))
    };
    let text = text(vec![
        full("上涨", "2019-08", 1, 3, "股市"),
        full("下跌", "2019-09", -1, 4, "油价"),
    ]);
    let mut session = two_on_the_stack(&engine, &text, Counting::default());
    let outcome = session.suggestions()[0].outcome.unwrap();
    let node = session.reduce(outcome).unwrap();
    let values = session.node(node).unwrap().attributes.clone();
    move |name| values[attribute(&engine, name)].clone()
}

#[test]
fn without_equations_attributes_go_straight_forward() {
    for (roles, polarity) in [("上涨:N 下跌:S", 1), ("上涨:S 下跌:N", -1)] {
        let of = joined(&format!("上涨[cause] <- {roles}\n"));
        assert_eq!(
            of("polarity"),
            Some(Value::Int(polarity)),
            "the nucleus wins"
        );
        assert_eq!(
            of("time"),
            Some(Value::Time("2019-09".into())),
            "the later one"
        );
        assert_eq!(of("size"), Some(Value::Int(7)), "the sum");
        assert_eq!(of("object"), Some(set(&["股市", "油价"])), "both");
        assert_eq!(of("note"), None, "nothing");
    }
    let of = joined("变动[contrast] <- 上涨:N 下跌:N\n");
    assert_eq!(
        of("polarity"),
        Some(Value::Int(1)),
        "of two nuclei the left one"
    );
}

#[test]
fn equations_set_what_they_name_and_leave_the_rest() {
    let of = joined(
        "上涨[cause] <- 上涨:N 下跌:S\n  set D.time = min(A.time, B.time)\n       \
         D.size = A.size * B.size + D.note\n       D.note = A.length + B.length\n",
    );
    assert_eq!(of("time"), Some(Value::Time("2019-08".into())));
    assert_eq!(of("note"), Some(Value::Int(2)));
    assert_eq!(
        of("size"),
        Some(Value::Int(14)),
        "equations see each other's values"
    );
    assert_eq!(
        of("polarity"),
        Some(Value::Int(1)),
        "the rest goes straight forward"
    );
}

#[test]
fn a_parent_of_any_symbol_takes_the_nucleus_and_the_root_the_start_symbol() {
    for (roles, wanted) in [("_:N _:S", "上涨"), ("_:S _:N", "下跌")] {
        let engine = engine(&format!("_[cause] <- {roles}\n"));
        let text = plain(&engine, &["上涨", "下跌"]);
        let mut session = two_on_the_stack(&engine, &text, Counting::default());
        let outcome = session.suggestions()[0].outcome.unwrap();
        let node = session.reduce(outcome).unwrap();
        let symbol = session.node(node).unwrap().symbol;
        assert_eq!(engine.schema().relation_name(symbol), wanted);
        let tree = session.tree().unwrap();
        assert_eq!(tree.node(tree.root()).symbol.as_deref(), Some("篇章"));
    }
}

#[test]
fn where_no_rule_speaks_the_fallback_does_and_says_so() {
    // Undeclared: the weaker break is closed first.
    let engine1 = engine("变动[cause] <- 声明:N 声明:S\n");
    let levels = |first, second| {
        let mut leaves = ["上涨", "下跌", "声明"].map(|symbol| leaf(&engine1, symbol));
        leaves[0].level_after = first;
        leaves[1].level_after = second;
        text(leaves.to_vec())
    };
    for (first, second, action) in [(2, 4, Action::Reduce), (4, 2, Action::Shift)] {
        let steps = engine1.steps(&levels(first, second), &ParseOptions::default());
        assert_eq!(steps[2].action, action);
        assert!(steps[2].action_fallback && steps[2].is_fallback());
    }
    let parse = engine1.parse_text(levels(2, 4), &ParseOptions::default());
    let tree = parse.tree().unwrap();
    let root = tree.node(tree.root());
    assert!(root.fallback);
    assert_eq!(root.relation().unwrap().as_ref(), "elaboration");
    assert_eq!(root.decision.as_ref().unwrap().rule.as_ref(), "fallback");
    let said = engine1.describe_uncovered(&parse).unwrap();
    assert!(said.contains("no rule covers 2 of 5 steps"), "{said}");

    let declared =
        engine("fallback shift\nfallback _[contrast] <- _:N _:N\n变动[cause] <- 声明:N 声明:S\n");
    let parse = declared.parse_text(levels(2, 4), &ParseOptions::default());
    assert_eq!(parse.derivations[0].steps[2].action, Action::Shift);
    let tree = parse.tree().unwrap();
    assert_eq!(
        tree.node(tree.root()).relation().unwrap().as_ref(),
        "contrast"
    );
}

#[test]
fn draws_fall_as_often_as_they_are_probable() {
    let engine = engine(
        "prefer shift  _ _ . _         x 3\n\
         prefer reduce _ _ . _         x 5\n\
         变动[cause] <- _:N _:S        x 6\n\
         变动[result] <- _:N _:S       x 3\n\
         变动[contrast] <- _:N _:N     x 1\n",
    );
    let text = plain(&engine, &["上涨", "下跌", "声明"]);
    let draws = 20_000_u32;
    let mut shifts = 0_u32;
    let mut relations = [0_u32; 4];
    for seed in 0..u64::from(draws) {
        let options = ParseOptions::default().search(Search::Sample(seed));
        let parse = engine.parse_text(Arc::clone(&text), &options);
        let derivation = &parse.derivations[0];
        shifts += u32::from(derivation.steps[2].action == Action::Shift);
        let tree = &derivation.tree;
        let name = tree.node(tree.root()).relation().unwrap();
        let rhetoric = &engine.schema().rhetoric;
        relations[rhetoric.iter().position(|r| *r.name == **name).unwrap()] += 1;
    }
    // Four standard deviations of a binomial: a false alarm in 16,000 runs, and seeds are fixed.
    let close = |count: u32, p: f64| {
        let n = f64::from(draws);
        let off = (f64::from(count) - n * p).abs();
        assert!(
            off < 4.0 * (n * p * (1.0 - p)).sqrt(),
            "{count} of {n}, not {p}"
        );
    };
    close(shifts, 3.0 / 8.0);
    close(relations[0], 0.6);
    close(relations[1], 0.3);
    assert_eq!(relations[2], 0);
    close(relations[3], 0.1);
}

#[test]
fn the_same_seed_draws_the_same_tree() {
    let engine = &*ENGINE;
    let options = ParseOptions::default().search(Search::Sample(7));
    let trees: Vec<Tree> = (0..2)
        .map(|_| engine.parse_with(&news(1), &options).into_tree().unwrap())
        .collect();
    assert_eq!(trees[0], trees[1]);
}

/// Two close choices one after the other lead to a tree that few probable trees are like.
#[test]
fn the_most_probable_spans_are_not_those_of_the_best_steps() {
    let engine = engine(
        "变动[cause] <- _:N _:S    x 1\n\
         prefer shift  _ _ . _     x 11 when C.edu = 3\n\
         prefer reduce _ _ . _     x 9  when C.edu = 3\n\
         prefer shift  _ _ . _     x 51 when C.edu = 4 and A.edu = 2\n\
         prefer reduce _ _ . _     x 49 when C.edu = 4 and A.edu = 2\n\
         prefer shift  _ _ . _     x 95 when C.edu = 4 and A.length = 2\n\
         prefer reduce _ _ . _     x 5  when C.edu = 4 and A.length = 2\n\
         prefer shift  _ _ . _     x 5  when C.edu = 4 and A.edu = 1 and B.length = 2\n\
         prefer reduce _ _ . _     x 95 when C.edu = 4 and A.edu = 1 and B.length = 2\n",
    );
    let text = plain(&engine, &["上涨", "下跌", "声明", "上涨"]);
    let spans = |search| {
        let options = ParseOptions::default().search(search);
        let parse = engine.parse_text(Arc::clone(&text), &options);
        let tree = parse.tree().unwrap();
        let nodes = tree.post_order().filter(|(_, node)| node.pair().is_some());
        nodes
            .map(|(_, node)| (node.span().start, node.span().end))
            .collect::<Vec<_>>()
    };
    assert_eq!(spans(Search::Best), [(2, 4), (1, 4), (0, 4)]);
    assert_eq!(spans(Search::Spans(8)), [(0, 2), (2, 4), (0, 4)]);
    // A beam of one sees one way only.
    assert_eq!(spans(Search::Spans(1)), spans(Search::Best));

    // Whoever asks why a less probable step was taken is told.
    let despite = |search| -> Vec<String> {
        let options = ParseOptions::default().search(search);
        let steps = engine.steps(&text, &options);
        let explainer = Explainer::new(&engine, &text, &steps, &options);
        let details = (1..=explainer.len()).filter_map(|step| explainer.detail(step));
        details.filter_map(|d| d.action?.despite).collect()
    };
    assert!(despite(Search::Best).is_empty());
    assert_eq!(
        despite(Search::Spans(8)),
        [
            "shift is more probable, but the tree with the most probable spans has a node over EDUs 1-2"
        ]
    );
}

#[test]
fn weights_and_counts_are_read_by_the_best_step() {
    let search = |decide: &str| {
        let engine = engine(&format!(
            "decide {decide}\n变动[cause] <- _:N _:S x 1 w +1\n"
        ));
        let text = plain(&engine, &["上涨", "下跌", "声明"]);
        let tree = engine
            .parse_text(text, &ParseOptions::default())
            .into_tree();
        tree.unwrap().annotations.origin["search"].to_string()
    };
    assert_eq!(search("weights"), "best");
    assert_eq!(search("counts"), "best");
}

#[test]
fn rules_can_ask_what_nodes_begin_and_end_with() {
    let engine = engine(
        "变动[cause] <- _:N _:S      x 1\n\
         变动[result] <- _:N _:S     x 9 when B.begins = \"但\"\n\
         变动[contrast] <- _:N _:N   x 9 when A.ends = \"时\" and B.begins != \"但\"\n",
    );
    let relation = |first: &str, second: &str| {
        let document = Document::from_edus("a", [[first, second]]);
        let tree = engine.parse(&document).into_tree().unwrap();
        tree.node(tree.root()).relation().unwrap().to_string()
    };
    assert_eq!(relation("价格上涨，", "“但进口下降。”"), "result");
    assert_eq!(relation("价格上涨时，", "进口下降。"), "contrast");
    assert_eq!(relation("价格上涨，", "进口下降。"), "cause");
}

#[test]
fn rules_can_ask_for_the_nucleus_and_the_breaks_inside() {
    let engine = engine(
        "变动[result] <- _:S _:N     x 9 when A.length = 1 and B.length = 1\n\
         变动[cause] <- _:N _:S      x 1\n\
         变动[contrast] <- _:N _:N   x 9 when A.head-tail = de and A.inner = comma\n\
         prefer reduce _ _ . _       x 1\n",
    );
    let relation = |edus: [&str; 3]| {
        let document = Document::from_edus("a", [edus]);
        let tree = engine.parse(&document).into_tree().unwrap();
        tree.node(tree.root()).relation().unwrap().to_string()
    };
    // The nucleus is the second EDU, whatever the first one ends with.
    let nucleus = ["价格上涨，", "这是进口的，", "出口回升。"];
    assert_eq!(relation(nucleus), "contrast");
    let satellite = ["这是进口的，", "价格上涨，", "出口回升。"];
    assert_eq!(relation(satellite), "cause");
    // A sentence ends inside A.
    let broken = ["价格上涨。", "这是进口的，", "出口回升。"];
    assert_eq!(relation(broken), "cause");
}

/// Two relations of one class are likelier together than a third one that leads alone.
#[test]
fn where_weights_decide_classes_go_before_relations() {
    let engine = engine(
        "decide weights\n\
         _[elaboration] <- _:N _:S   x 1 w -1.0\n\
         _[cause] <- _:N _:S         x 1 w -1.3\n\
         _[result] <- _:N _:S        x 1 w -1.2\n",
    );
    let document = Document::from_edus("a", [["价格上涨，", "进口下降。"]]);
    let tree = engine.parse(&document).into_tree().unwrap();
    let relation = tree.node(tree.root()).relation().unwrap();
    assert_eq!(&**relation, "result");

    let text = engine.read(&document);
    let steps = engine.steps(&text, &ParseOptions::default());
    let explainer = Explainer::new(&engine, &text, &steps, &ParseOptions::default());
    let label = explainer.detail(3).and_then(|detail| detail.label).unwrap();
    let despite = label.despite.unwrap();
    assert!(
        despite.starts_with("_[elaboration] NS is more probable, but class and roles go first"),
        "{despite}"
    );
    // What speaks for the chosen one is told first, though others weigh more.
    assert_eq!(label.spoke[0].weight, Some(-1.2));
}

fn rules() -> impl Strategy<Value = String> {
    let symbol = || prop::sample::select(vec!["_", "事件", "变动", "上涨", "下跌"]);
    let reason = || {
        prop::sample::select(vec![
            "",
            "\n  when A.length > 1",
            "\n  when B.cue = because",
            "\n  when level(A, B) < level(B, C)",
            "\n  when A.polarity > 0 or B.depth = 0",
        ])
    };
    let preference = (
        any::<bool>(),
        symbol(),
        symbol(),
        1..9u32,
        -20..20i32,
        reason(),
    );
    let preference = preference.prop_map(|(shift, a, c, count, weight, reason)| {
        let action = if shift { "shift" } else { "reduce" };
        let weight = f64::from(weight) / 10.0;
        format!("prefer {action} {a} _ . {c}  x {count} w {weight:+}{reason}\n")
    });
    let outcome = prop::sample::select(vec![
        ("上涨[cause]", "N", "S"),
        ("_[result]", "S", "N"),
        ("变动[contrast]", "N", "N"),
    ]);
    let production = (outcome, symbol(), symbol(), 1..9u32, -20..20i32, reason());
    let production = production.prop_map(|((parent, x, y), a, b, count, weight, reason)| {
        let weight = f64::from(weight) / 10.0;
        format!("{parent} <- {a}:{x} {b}:{y}  x {count} w {weight:+}{reason}\n")
    });
    let rule = prop_oneof![preference, production];
    let decide = prop::sample::select(vec!["counts", "weights"]);
    (decide, prop::collection::vec(rule, 1..10)).prop_map(|(decide, mut rules)| {
        // The same rule twice is an error.
        rules.sort_by_key(|rule| head(rule));
        rules.dedup_by(|a, b| head(a) == head(b));
        format!("decide {decide}\n{}", rules.concat())
    })
}

/// What makes two rules the same: all but count and weight.
fn head(rule: &str) -> (String, String) {
    let (head, rest) = rule.split_once("  x ").unwrap();
    let when = rest.split_once('\n').map_or("", |(_, when)| when);
    (head.to_owned(), when.to_owned())
}

fn leaves(engine: &Engine, seeds: &[(usize, u8, bool)]) -> Arc<Text> {
    let symbols = ["上涨", "下跌", "声明"];
    let leaves = seeds.iter().map(|(symbol, level, because)| Leaf {
        level_after: *level,
        cue: if *because { cue(engine, "because") } else { 0 },
        ..leaf(engine, symbols[*symbol])
    });
    text(leaves.collect())
}

/// All complete derivations, by trying everything: their log probabilities.
fn exhaustive(session: &mut Session, so_far: f64, found: &mut Vec<f64>) {
    if session.is_complete() {
        found.push(so_far);
        return;
    }
    for suggestion in session.suggestions() {
        if suggestion.probability == 0.0 {
            continue;
        }
        match suggestion.outcome {
            None => session.shift().unwrap(),
            Some(outcome) => {
                session.reduce(outcome).unwrap();
            }
        }
        exhaustive(session, so_far + suggestion.probability.ln(), found);
        assert!(session.undo());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_beam_without_an_end_is_exhaustive_search(
        rules in rules(),
        seeds in prop::collection::vec((0..3usize, 0..6u8, any::<bool>()), 1..6),
        literal in any::<bool>(),
    ) {
        let engine = engine(&rules);
        let text = leaves(&engine, &seeds);
        let counting = if literal { Counting::Literal } else { Counting::default() };
        let mut all = Vec::new();
        let mut session = Session::new(Arc::clone(&engine), Arc::clone(&text), counting);
        exhaustive(&mut session, 0.0, &mut all);
        all.sort_by(|a, b| b.total_cmp(a));
        let total: f64 = all.iter().map(|log| log.exp()).sum();
        prop_assert!((total - 1.0).abs() < 1e-9, "derivations come to {total}");
        for width in [usize::MAX, all.len() + 1] {
            let options = ParseOptions::default().search(Search::Beam(width)).counting(counting).derivations(usize::MAX);
            let parse = engine.parse_text(Arc::clone(&text), &options);
            if width == usize::MAX {
                prop_assert_eq!(parse.derivations.len(), all.len());
            }
            for (found, wanted) in parse.derivations.iter().zip(&all) {
                prop_assert!((found.log_probability - wanted).abs() < 1e-9);
            }
        }
        // The best step each time is one of the derivations, and no better than the best.
        let best = engine.parse_text(Arc::clone(&text), &ParseOptions::default().counting(counting));
        let log = best.derivations[0].log_probability;
        prop_assert!(all.iter().any(|other| (other - log).abs() < 1e-9));
    }

    #[test]
    fn steps_and_trees_tell_the_same_story(
        rules in rules(),
        seeds in prop::collection::vec((0..3usize, 0..6u8, any::<bool>()), 1..12),
        seed in any::<u64>(),
    ) {
        let engine = engine(&rules);
        let text = leaves(&engine, &seeds);
        for search in [Search::Best, Search::Beam(3), Search::Sample(seed), Search::Spans(4)] {
            let options = ParseOptions::default().search(search);
            let parse = engine.parse_text(Arc::clone(&text), &options);
            let derivation = &parse.derivations[0];
            prop_assert_eq!(&derivation.steps, &engine.steps(&text, &options));
            prop_assert_eq!(derivation.steps.len(), 2 * seeds.len() - 1);
            prop_assert_eq!(derivation.tree.edus.len(), seeds.len());
            let log: f64 = derivation.steps.iter().map(|s| s.probability().ln()).sum();
            // A tree of probable spans may hold a step that nothing speaks for: both are then beyond all numbers.
            let same = log == derivation.log_probability;
            prop_assert!(same || (log - derivation.log_probability).abs() < 1e-9);
            let root = derivation.tree.node(derivation.tree.root());
            prop_assert_eq!(root.symbol.as_deref(), Some("篇章"));
        }
    }
}

#[test]
fn a_session_makes_what_the_grammar_does_not_know() {
    let engine = engine("变动[cause] <- _:N _:S\n");
    let text = plain(&engine, &["上涨", "下跌"]);
    let mut session = two_on_the_stack(&engine, &text, Counting::default());
    assert!(session.shift().is_err(), "nothing is left to shift");
    let outcome = Outcome {
        parent: Pattern::Any,
        relation: RhetoricId(3),
        roles: Roles::NucleusNucleus,
    };
    session.reduce(outcome).unwrap();
    assert_eq!(session.steps()[2].label.unwrap().probability, 0.0);
    assert!(session.is_complete() && session.reduce(outcome).is_err());
    assert!(session.undo() && session.redo() && !session.redo());
    let tree = session.tree().unwrap();
    assert_eq!(
        tree.node(tree.root()).relation().unwrap().as_ref(),
        "contrast"
    );
}

fn news(number: usize) -> Document {
    let opening = [
        "因为关税上调，",
        "由于需求疲软，",
        "受降息提振，",
        "央行表示，",
    ][number % 4];
    let text = format!(
        "{number}月出口同比下降\n\n{opening}{number}月份出口同比下降2.1%，但进口增长1.4%。\
         分析师认为，外需放缓，是主要原因。\n股市方面，沪指收跌0.6%，深成指收涨。"
    );
    Document::from_text(format!("news-{number}"), text)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    use rayon::prelude::*;
    let engine = &*ENGINE;
    let written = |number: usize| {
        let searches = [
            Search::Best,
            Search::Beam(4),
            Search::Sample(3),
            Search::Spans(8),
        ];
        let options = ParseOptions::default().search(searches[number % 4]);
        let parse = engine.parse_with(&news(number), &options);
        write(
            parse.tree().unwrap(),
            Format::Json,
            &WriteOptions::default(),
        )
    };
    let serial: Vec<String> = (0..48).map(written).collect();
    let parallel: Vec<String> = (0..48).into_par_iter().map(written).collect();
    assert_eq!(serial, parallel);
}

#[test]
fn texts_of_any_length_parse() {
    let engine = &*ENGINE;
    let parse = engine.parse(&Document::from_text("empty", ""));
    assert!(parse.tree().is_none() && parse.derivations.is_empty());
    let parse = engine.parse(&Document::from_text("blank", " \n\u{3000}\n"));
    assert!(parse.tree().is_none());
    let one = engine.parse(&Document::from_text("one", "沪指收跌。"));
    let tree = one.tree().unwrap();
    assert_eq!((tree.edus.len(), tree.len()), (1, 1));
    assert_eq!(tree.node(tree.root()).symbol.as_deref(), Some("Report"));
    let wordless = Document::from_edus("wordless", [vec!["", "。", "  "], vec!["……", ""]]);
    let parse = engine.parse(&wordless);
    assert_eq!(parse.tree().unwrap().edus.len(), 5);
}

#[test]
fn a_hundred_thousand_edus_parse() {
    let engine = &*ENGINE;
    let parts = [
        "出口同比下降2.1%，",
        "但进口增长1.4%。",
        "分析师认为，",
        "外需放缓。",
    ];
    let paragraph: Vec<&str> = parts.iter().copied().cycle().take(20).collect();
    let document = Document::from_edus("long", vec![paragraph; 5_000]);
    let parse = engine.parse(&document);
    let tree = parse.tree().unwrap();
    assert_eq!(tree.edus.len(), 100_000);
    // One paragraph without an end is the other extreme.
    let flat = engine_text(engine, 100_000);
    assert_eq!(engine.steps(&flat, &ParseOptions::default()).len(), 199_999);
}

/// A text of equal leaves, without any break.
fn engine_text(engine: &Engine, length: usize) -> Text {
    let leaf = Leaf::plain(engine.schema().relation("Clause").unwrap(), engine.schema());
    let edus = vec![tree::Edu::new("涨。"); length];
    Text::of_leaves("flat", edus, vec![leaf; length])
}
