//! The paper's method on small examples that are computed by hand.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use arsg::behavior::{Act, Join, Labelling, RuleInstances};
use arsg::grammar::{Decide, Grammar, Production, Roles, Strength};
use arsg::learn::{Gain, GrammarRules, Rules, Sizes, TextLabel};
use arsg::schema::Schema;
use arsg::summarize::{Landscape, SourceText};
use arsg::text::Document;

use crate::fixtures::{ENGINE, FINANCE};
use crate::run::{arsg, json_lines, printed, succeed, with_stdin};

/// What is done to a text: nothing is a shift.
type Step = Option<(&'static str, Roles)>;
const SHIFT: Step = None;

fn reduce(relation: &'static str, roles: Roles) -> Step {
    Some((relation, roles))
}

/// A label as an annotator makes it.
fn label(id: &str, edus: &[&str], steps: &[Step]) -> Labelling {
    let document = Document::from_edus(id, [edus]);
    let mut labelling = Labelling::new(&ENGINE, &document, "甲");
    for step in steps {
        let act = match step {
            None => Act::Shift,
            Some((relation, roles)) => Act::Reduce(Join::new(*relation, *roles)),
        };
        labelling.act(act, None).unwrap();
    }
    assert!(labelling.is_complete());
    labelling
}

fn text_label(labelling: &Labelling) -> TextLabel {
    let document = labelling.label().header.document.clone();
    let label = TextLabel::new(document, labelling.tree().unwrap());
    label.with_said(labelling.said())
}

fn rules(gain: Gain) -> GrammarRules {
    let schema = Arc::new(FINANCE.schema.clone());
    GrammarRules::new(&schema, "finance", Decide::Counts, gain)
}

/// The rules as a grammar writes them, a line each.
fn lines(rules: &RuleInstances, schema: &Schema) -> Vec<String> {
    let text = rules.to_text(&Arc::new(schema.clone()));
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| line.contains(" x "))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    lines.sort();
    lines
}

/// Two texts of three EDUs: in the first the last two are joined first, in the second the first two. So
/// each has two reductions and one choice.
fn two_tiny_texts() -> [Labelling; 2] {
    let first = label(
        "甲",
        &["沪指上涨，", "油价上涨，", "金价下跌。"],
        &[
            SHIFT,
            SHIFT,
            SHIFT,
            reduce("adversative-contrast", Roles::NucleusNucleus),
            reduce("elaboration-additional", Roles::NucleusSatellite),
        ],
    );
    let second = label(
        "乙",
        &["油价上涨，", "沪指下跌，", "金价上涨。"],
        &[
            SHIFT,
            SHIFT,
            reduce("causal-cause", Roles::SatelliteNucleus),
            SHIFT,
            reduce("joint-list", Roles::NucleusNucleus),
        ],
    );
    [first, second]
}

#[test]
fn two_tiny_texts_give_four_productions_and_two_preferences() {
    let mut rules = rules(Gain::One);
    for labelling in two_tiny_texts() {
        let label = text_label(&labelling);
        rules.increase(&label.document.id.clone(), &label).unwrap();
    }
    let expected = Sizes {
        productions: 4,
        precedences: 2,
    };
    assert_eq!(rules.sizes(), expected);
    let rough = lines(rules.rough(), &FINANCE.schema);
    assert_eq!(
        rough,
        [
            "Fall[causal-cause] <- Rise:S Fall:N x 1",
            "Fall[joint-list] <- Fall:N Rise:N x 1",
            "Rise[adversative-contrast] <- Rise:N Fall:N x 1",
            "Rise[elaboration-additional] <- Rise:N Rise:S x 1",
            "prefer reduce Rise Fall . Rise x 1",
            "prefer shift Rise Rise . Fall x 1",
        ]
    );
    // The same rules as those that `annotate --rules` writes.
    let mut by_annotate = RuleInstances::default();
    for labelling in two_tiny_texts() {
        by_annotate.add(&labelling.instances());
    }
    assert_eq!(rough, lines(&by_annotate, &FINANCE.schema));
}

/// Four times the same sentence, joined from the left: one production three times, and the choice to
/// join before the next one comes, twice.
fn four_alike() -> Labelling {
    let list = reduce("joint-list", Roles::NucleusNucleus);
    label(
        "丙",
        &["沪指上涨，", "沪指上涨，", "沪指上涨，", "沪指上涨。"],
        &[SHIFT, SHIFT, list, SHIFT, list, SHIFT, list],
    )
}

/// Algorithm 5 on real rules: three near texts.
#[test]
fn near_texts_add_instances_and_no_rules() {
    let label = text_label(&four_alike());
    let counted = [
        // One instance for each near text, as printed.
        (Gain::One, 3 + 3, 2 + 3),
        // As many as the rule has in the labelled text.
        (Gain::Own, 3 * 4, 2 * 4),
        // The same, for the first and the second near text, not for the third.
        (Gain::Damped, 3 * 3, 2 * 3),
    ];
    for (gain, production, preference) in counted {
        let mut rules = rules(gain);
        rules.increase("丙", &label).unwrap();
        let before = rules.sizes();
        assert_eq!((before.productions, before.precedences), (1, 1));
        rules.enhance("丙", 2).unwrap();
        rules.enhance("丙", 1).unwrap();
        assert_eq!(rules.sizes(), before);
        assert_eq!(
            lines(rules.rough(), &FINANCE.schema),
            [
                format!("Rise[joint-list] <- Rise:N Rise:N x {production}"),
                format!("prefer reduce Rise Rise . Rise x {preference}"),
            ],
            "{gain:?}"
        );
    }
}

/// A corpus of short texts with one that is always the first to be labelled.
fn small_corpus(folder: &Path) {
    let mut texts = String::new();
    let told = [
        ("油价上涨", "需求旺盛"),
        ("金价下跌", "美元走强"),
        ("沪指上涨", "银行股走高"),
    ];
    for (at, (what, why)) in told.iter().cycle().take(18).enumerate() {
        let text = format!("因为{why}，国际{what}，涨幅{}%。分析师看好后市。", at + 1);
        writeln!(
            texts,
            "{}",
            serde_json::json!({"id": format!("t{at}"), "text": text})
        )
        .unwrap();
    }
    std::fs::write(folder.join("texts.jsonl"), texts).unwrap();
    let train = ["embed", "train", "texts.jsonl", "-o", "m.safetensors"];
    succeed(
        folder,
        &[&train[..], &["--width", "8", "--epochs", "3"]].concat(),
    );
}

/// What a person types at a text: the first pair for a reason, under a symbol, with an equation.
fn script(edus: usize) -> String {
    let mut script = "shift\nshift\nreason A.cue = because\nset D.topic = market\n\
                      reduce causal-cause SN MarketReport\n"
        .to_owned();
    for _ in 2..edus {
        script.push_str("shift\nreduce elaboration-additional NS\n");
    }
    script
}

/// Labels all that waits in a project by script; how many texts there were.
fn label_what_waits(folder: &Path) -> usize {
    let waiting = std::fs::read_to_string(folder.join("project/waiting.jsonl")).unwrap();
    let mut typed = String::new();
    let texts = json_lines(&waiting);
    for (at, text) in texts.iter().enumerate() {
        let blocks = text["blocks"].as_array().unwrap();
        let edus = blocks
            .iter()
            .map(|block| block["edus"].as_array().unwrap().len());
        if at > 0 {
            typed.push_str("next\n");
        }
        typed.push_str(&script(edus.sum()));
    }
    typed.push_str("quit\n");
    let mut annotate = with_stdin(
        folder,
        &["annotate", "project", "--plain", "--annotator", "甲"],
    );
    annotate.write_stdin(typed).assert().success();
    texts.len()
}

/// A reason, a symbol and an equation that an annotator types in round 0 stand in the last grammar and
/// fire on a text that nobody has seen.
fn what_was_typed_stands_and_fires(decide: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    small_corpus(path);
    let begin = [
        "learn",
        "project",
        "--corpus",
        "texts.jsonl",
        "--model",
        "m.safetensors",
    ];
    let more = [
        "--limit",
        "5",
        "--initial",
        "40%",
        "--k",
        "2",
        "--decide",
        decide,
        "--epsilon",
        "0.0001",
    ];
    let (_, note) = succeed(path, &[&begin[..], &more].concat());
    assert!(
        note.contains("people label at most 5 of 18 texts, 2 at first"),
        "{note}"
    );
    assert!(note.contains("arsg annotate project\n"), "{note}");
    let mut rounds = 0;
    while path.join("project/waiting.jsonl").exists() {
        rounds += 1;
        assert!(label_what_waits(path) > 0 && rounds < 5);
        succeed(path, &["learn", "project"]);
    }
    assert!(rounds >= 2, "{rounds} rounds");
    let grammar = std::fs::read_to_string(path.join("project/grammar.arsg")).unwrap();
    let rule = grammar
        .split("\n\n")
        .flat_map(|block| block.split("\n_").chain([block]))
        .find(|rule| rule.contains("MarketReport[causal-cause] <-"));
    let rule = rule.unwrap_or_else(|| panic!("{grammar}"));
    assert!(rule.contains("A.cue = because"), "{rule}");
    assert!(rule.contains("D.topic = market"), "{rule}");
    let read: Grammar = Grammar::read(path.join("project/grammar.arsg"))
        .unwrap()
        .into_result()
        .unwrap();
    let reason = |rule: &Production| rule.rule.reason.as_ref().map(|r| r.text(&read.schema));
    let is_typed = |rule: &&Production| reason(rule).as_deref() == Some("A.cue = because");
    let typed: Vec<&Production> = read.productions.iter().filter(is_typed).collect();
    for rule in &typed {
        let strength = (decide == "weights").then_some(Strength::Strong);
        assert_eq!(rule.rule.strength, strength, "{grammar}");
        assert!(!rule.equations.is_empty(), "{grammar}");
    }
    // A text that is not in the corpus.
    let new =
        "{\"id\":\"new\",\"text\":\"因为银行股走高，国际油价上涨，涨幅9%。分析师看好后市。\"}\n";
    std::fs::write(path.join("new.jsonl"), new).unwrap();
    let parse = [
        "parse",
        "new.jsonl",
        "--grammar",
        "project/grammar.arsg",
        "--format",
        "json",
    ];
    let tree = printed(path, &parse);
    assert!(tree.contains("\"MarketReport\""), "{tree}");
    assert!(tree.contains("market"), "{tree}");
    let mut ids = typed.iter().map(|rule| &*rule.rule.id);
    assert!(ids.any(|id| tree.contains(id)), "{grammar} {tree}");
    // In the folder, the project's own grammar is found.
    let (code, _, note) = arsg(&path.join("project"), &["check"]);
    assert_eq!(code, Some(0), "{note}");
}

#[test]
fn what_an_annotator_types_stands_and_fires_where_counts_decide() {
    what_was_typed_stands_and_fires("counts");
}

#[test]
fn what_an_annotator_types_stands_and_fires_where_weights_decide() {
    what_was_typed_stands_and_fires("weights");
}

/// A text about five things, one about one thing, and the demo corpus around them.
#[test]
fn divergence_is_seldom_nothing_and_grows_with_what_a_text_tells_of() {
    let five = "国际油价上涨。央行下调利率。公司净利润下降。房价下跌。人民币升值。";
    let one = "国际油价上涨。国际油价上涨。国际油价上涨。国际油价上涨。国际油价上涨。";
    let told = [five, one].map(|body| Document::from_text(body, body));
    let demo = arsg::demo::corpus().unwrap().into_iter();
    let documents = told.into_iter().chain(demo.map(|case| case.document));
    let texts: Vec<SourceText> = documents
        .map(|document| {
            let analysis = FINANCE.analyzer.analyze(&document);
            SourceText::new(document, analysis)
        })
        .collect();
    let landscape = Landscape::of(&texts, &FINANCE.schema, None, 1).unwrap();
    let space = landscape.space().unwrap();
    let spread = |text: usize| space.divergence(text as u32);
    assert!(
        spread(0) > 4.0 * spread(1).max(1.0),
        "{} {}",
        spread(0),
        spread(1)
    );
    let spreads = (2..texts.len()).filter(|text| spread(*text) > 0.0).count();
    assert!(
        10 * spreads > 9 * (texts.len() - 2),
        "{spreads} of {}",
        texts.len() - 2
    );
    let fullest = space.cubes().iter().map(|cube| cube.texts.len()).max();
    assert!(
        3 * fullest.unwrap() <= texts.len(),
        "{fullest:?} of {}",
        texts.len()
    );
}

/// Made-up texts of several topics, with a model.
fn generated(folder: &Path, count: &str) {
    let generate = [
        "generate",
        "-n",
        count,
        "--seed",
        "5",
        "--out",
        "texts.jsonl",
    ];
    succeed(
        folder,
        &[&generate[..], &["--trees", "trees.jsonl"]].concat(),
    );
    let train = [
        "embed",
        "train",
        "texts.jsonl",
        "-o",
        "m.safetensors",
        "--width",
        "20",
    ];
    succeed(folder, &train);
}

#[test]
fn a_dozen_labels_reach_half_of_sixty_texts_by_nearness() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    generated(path, "60");
    let begin = [
        "learn",
        "p",
        "--corpus",
        "texts.jsonl",
        "--model",
        "m.safetensors",
    ];
    let more = ["--gold", "trees.jsonl", "--reach", "0"];
    succeed(path, &[&begin[..], &more].concat());
    let rows = json_lines(&std::fs::read_to_string(path.join("p/rounds.jsonl")).unwrap());
    let last = rows.last().unwrap();
    assert_eq!(
        (&last["human"], &last["automatic"]),
        (&12.into(), &0.into())
    );
    let near: u64 = rows.iter().map(|row| row["near"].as_u64().unwrap()).sum();
    assert!(near >= 24 && near + 12 >= 30, "{rows:?}");
    let note = succeed(path, &["learn", "p"]).1;
    assert!(note.contains("nothing waits"), "{note}");
    assert!(!path.join("p/waiting.jsonl").exists());
    let (code, _, note) = arsg(path, &["annotate", "p", "--plain"]);
    assert_eq!(code, Some(1), "{note}");
    assert!(note.contains("no text waits for a label in `p`"), "{note}");
}

#[test]
fn means_tell_topics_apart_and_the_check_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    generated(path, "200");
    let check = ["embed", "check", "texts.jsonl", "--model", "m.safetensors"];
    let (out, note) = succeed(path, &check);
    assert!(
        note.contains("`--impact mean` is the better one, and what was looked at"),
        "{note}"
    );
    let correlation = |extra: &[&str]| -> f64 {
        let found = printed(path, &[&check[..], &["--json"], extra].concat());
        json_lines(&found)[0]["correlation"].as_f64().unwrap()
    };
    let [mean, sum] = [correlation(&[]), correlation(&["--impact", "sum"])];
    assert!(mean < -0.2 && mean < sum, "{mean} {sum} {out}");
    // One setting for all: a model that is told so makes sums everywhere.
    let train = [
        "embed",
        "train",
        "texts.jsonl",
        "-o",
        "s.safetensors",
        "--width",
        "8",
    ];
    succeed(
        path,
        &[&train[..], &["--epochs", "1", "--impact", "sum"]].concat(),
    );
    let sums = [
        "embed",
        "impacts",
        "texts.jsonl",
        "--model",
        "s.safetensors",
    ];
    let by_model = printed(path, &sums);
    assert_eq!(
        by_model,
        printed(path, &[&sums[..], &["--impact", "sum"]].concat())
    );
    assert_ne!(
        by_model,
        printed(path, &[&sums[..], &["--impact", "mean"]].concat())
    );
}

/// The texts of a project are cut once, and what is learned cuts new texts in the same way.
#[test]
fn edus_do_not_change_under_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    generated(path, "40");
    let new = "{\"id\":\"new\",\"text\":\"因为供应减少，国际油价周一上涨，涨幅达9%，为三年来最高。分析师表示，后市\
               看好，不过风险仍在。\"}\n";
    std::fs::write(path.join("new.jsonl"), new).unwrap();
    for (decide, project) in [("counts", "c"), ("weights", "w")] {
        let begin = [
            "learn",
            project,
            "--corpus",
            "texts.jsonl",
            "--model",
            "m.safetensors",
        ];
        let more = ["--gold", "trees.jsonl", "--limit", "6", "--decide", decide];
        succeed(path, &[&begin[..], &more].concat());
        let corpus = std::fs::read_to_string(path.join(project).join("corpus.jsonl")).unwrap();
        for text in json_lines(&corpus) {
            for block in text["blocks"].as_array().unwrap() {
                assert!(block["edus"].is_array(), "{text}");
            }
        }
        let grammar = format!("{project}/grammar.arsg");
        let cut = |grammar: &str| printed(path, &["segment", "new.jsonl", "--grammar", grammar]);
        assert_eq!(cut(&grammar), cut("finance"), "{decide}");
        assert!(cut(&grammar).lines().count() > 3);
        succeed(path, &["check", &grammar]);
    }
}

/// A grammar that labels by itself is nobody.
#[test]
fn automatic_labels_are_not_called_human() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    generated(path, "40");
    let begin = [
        "learn",
        "p",
        "--corpus",
        "texts.jsonl",
        "--model",
        "m.safetensors",
    ];
    succeed(
        path,
        &[&begin[..], &["--limit", "5", "--initial", "100%"]].concat(),
    );
    succeed(path, &["annotate", "p", "--automatic"]);
    succeed(path, &["learn", "p"]);
    let rows = json_lines(&std::fs::read_to_string(path.join("p/rounds.jsonl")).unwrap());
    let last = rows.last().unwrap();
    assert_eq!((&last["human"], &last["automatic"]), (&0.into(), &5.into()));
}
