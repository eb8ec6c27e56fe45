//! Regression cases: how they are read, run and updated, and what `arsg test`, `explain`, `coverage`
//! and `diff --on` say.

use std::path::Path;

use arsg::automaton::cases::{
    Case, CaseFile, Failure, Verdict, read_case_file, read_cases, update_cases,
};
use arsg::automaton::{Engine, ParseOptions};
use arsg::diagnostic::Source;
use arsg::grammar::{Grammar, Memory, embedded_grammar};
use arsg::schema::embedded_schema;
use arsg::tree::{Format, Pairing, ParsevalOptions, WriteOptions, parseval, write};

use crate::fixtures::{ENGINE, SMALL_SCHEMA};
use crate::run::arsg;

/// A grammar that knows causes only.
const GRAMMAR: &str = "schema \"schema.toml\"\nfallback shift\n\n\
    ## 因为……，……\n\
    rule because-first\n  变动[cause] <- 变动:S 变动:N  x 8\n  when A.cue = because\n  set D.polarity = B.polarity\n\n\
    rule so\n  变动[result] <- 变动:N 变动:S  x 1\n  when A.cue = because and B.cue in {none, so}\n";

fn engine() -> Engine {
    let files = Memory::new()
        .with("schema.toml", SMALL_SCHEMA)
        .with("a.arsg", GRAMMAR);
    let loaded = Grammar::load("a.arsg", &files, None).unwrap();
    Engine::new(loaded.into_result().unwrap())
}

fn file(text: &str) -> CaseFile {
    let file = read_cases(&Source::new("a.case", text));
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    file
}

fn failure(case: &Case) -> Failure {
    match case.run(&engine(), &ParseOptions::default()) {
        Verdict::Failed(failure) => failure,
        other => panic!("{}: {other:?}", case.name),
    }
}

const CAUSE: &str = "===\n因果\n:title 油价\n:date 2019-09-10\n:source 新合财经\n:strict\n===\n\
                     因为利率上涨，\n油价下跌。\n---\n(cause SN 1 2)\n";

#[test]
fn a_case_is_a_document_with_its_tree_and_what_is_known_of_it() {
    let file = file(&format!(
        "{CAUSE}\n===\n两段\n:raw\n===\n股市上涨。\n\n油价下跌。\n---\n"
    ));
    let [first, second] = file.cases.as_slice() else {
        panic!("{} cases", file.cases.len());
    };
    assert_eq!(first.document.id, "因果");
    assert_eq!(first.document.title.as_deref(), Some("油价"));
    assert_eq!(first.document.date.unwrap().to_string(), "2019-09-10");
    assert_eq!(first.metadata["source"], "新合财经");
    assert!(first.asks.strict && !first.asks.raw);
    assert_eq!(first.document.edus().count(), 2);
    assert_eq!(first.tree.as_ref().unwrap().edus.len(), 2);
    assert!(second.asks.raw && second.tree.is_none());
    assert_eq!(second.document.blocks.len(), 2);
    assert_eq!(second.place.to_string(), "a.case:14:1");
}

#[test]
fn only_what_the_expected_tree_names_is_compared() {
    for tree in [
        "(cause SN 1 2)",
        "(篇章[cause] SN 上涨:1 下跌:2)",
        "(篇章[cause] SN {polarity=0} 1:\"因为利率上涨，\" 2)",
    ] {
        let file = file(&CAUSE.replace("(cause SN 1 2)", tree));
        let verdict = file.cases[0].run(&engine(), &ParseOptions::default());
        assert!(matches!(verdict, Verdict::Passed), "{tree}: {verdict:?}");
    }
    for (tree, wrong) in [
        ("(cause NS 1 2)", "EDUs 1-2: roles should be `NS`, not `SN`"),
        (
            "(result SN 1 2)",
            "EDUs 1-2: relation should be `result`, not `cause`",
        ),
        (
            "(变动[cause] SN 1 2)",
            "EDUs 1-2: symbol should be `变动`, not `篇章`",
        ),
        (
            "(cause SN {polarity=1} 1 2)",
            "EDUs 1-2: polarity should be `1`, not `0`",
        ),
    ] {
        let file = file(&CAUSE.replace("(cause SN 1 2)", tree));
        let said = failure(&file.cases[0]).to_string();
        assert!(said.starts_with(wrong), "{said}");
    }
}

#[test]
fn what_a_case_asks_beside_its_tree() {
    let uncovered = "===\n无规则\n:strict\n===\n利率上涨，\n油价下跌。\n---\n(result NS 1 2)\n";
    let file1 = file(uncovered);
    assert!(matches!(failure(&file1.cases[0]), Failure::Uncovered(_)));
    let passes = |text: &str| {
        let verdict = file(text).cases[0].run(&engine(), &ParseOptions::default());
        assert!(
            matches!(verdict, Verdict::Passed | Verdict::Skipped),
            "{text}: {verdict:?}"
        );
    };
    passes(&uncovered.replace(":strict", ":error"));
    passes(&uncovered.replace(":strict", ":skip"));
    passes(&CAUSE.replace(":strict", ":parses(2)"));
    let three = file(&CAUSE.replace(":strict", ":parses(3)"));
    let expected = Failure::OtherCount {
        expected: 3,
        found: Some(2),
    };
    assert_eq!(failure(&three.cases[0]), expected);
    let covered = file(&CAUSE.replace(":strict", ":error"));
    assert_eq!(failure(&covered.cases[0]), Failure::Covered);
}

#[test]
fn an_update_changes_trees_alone_and_never_takes_over_a_fallback() {
    let uncovered = "\n===\n无规则\n===\n利率上涨，\n油价下跌。\n---\n\n";
    let wrong = CAUSE.replace("(cause SN 1 2)", "(result NS\n  1\n  2)");
    let empty = "\n===\n未写\n===\n因为利率上涨，\n\n油价下跌。\n---\n\n";
    let last = "===\n末\n===\n因为利率走高，\n油价走低。\n---\n";
    let file = file(&format!("{wrong}{uncovered}{empty}{last}"));
    let (text, refused) = update_cases(&file, |_| true, &engine(), &ParseOptions::default());
    let filled =
        |case: &str, blank: &str| case.replace("---\n", &format!("---\n(cause SN 1 2){blank}"));
    let expected = format!(
        "{CAUSE}{uncovered}{}{}",
        filled(empty, "\n"),
        filled(last, "\n")
    );
    assert_eq!(text, expected);
    assert_eq!(refused, ["无规则"]);
    // Names that are not wanted stay as they are.
    let (text, refused) = update_cases(
        &file,
        |case| case.name == "末",
        &engine(),
        &ParseOptions::default(),
    );
    assert!(
        text.starts_with(&wrong) && text.ends_with("---\n(cause SN 1 2)\n"),
        "{text}"
    );
    assert!(refused.is_empty());
}

fn assert_passes(engine: &Engine, cases: &str) {
    let file = read_case_file(Path::new(cases)).unwrap();
    for case in file.into_result().unwrap() {
        if let Verdict::Failed(failure) = case.run(engine, &ParseOptions::default()) {
            panic!("{}: {failure}", case.name);
        }
    }
}

#[test]
fn the_seed_grammar_passes_its_cases() {
    assert_passes(&ENGINE, "tests/cases/seed.case");
}

/// The title stands above all, the lead is the nucleus, and each paragraph adds something to it.
#[test]
fn the_finance_grammar_reads_news_as_an_annotator_does() {
    let engine = Engine::new(embedded_grammar("finance").unwrap());
    assert_passes(&engine, "tests/cases/news.case");
}

#[test]
fn the_health_grammar_reads_health_news_as_an_annotator_does() {
    let engine = Engine::new(embedded_grammar("health").unwrap());
    assert_passes(&engine, "tests/cases/health.case");
}

/// Neither the rules nor the words of `health` were written with these texts in view.
#[test]
fn the_health_grammar_goes_beyond_the_general_one_on_texts_held_out() {
    let cases = read_case_file(Path::new("examples/health/held-out.case"));
    let cases = cases.unwrap().into_result().unwrap();
    assert_eq!(cases.len(), 8);
    let figures = |name: &str| {
        let engine = Engine::new(embedded_grammar(name).unwrap());
        let pairs: Vec<Pairing> = cases
            .iter()
            .map(|case| Pairing {
                id: case.name.as_str().into(),
                gold: case.gold().unwrap(),
                predicted: engine.parse(&case.document).into_tree().unwrap(),
            })
            .collect();
        let schema = embedded_schema(name).unwrap();
        let (report, _) = parseval(&pairs, &ParsevalOptions::default(), Some(&schema));
        report.original
    };
    let (general, health) = (figures("general"), figures("health"));
    assert!(health.span.f1() > general.span.f1() + 0.05);
    assert!(health.nuclearity.f1() > general.nuclearity.f1() + 0.1);
    assert!(health.relation.f1() > general.relation.f1() + 0.1);
}

#[test]
fn a_saved_grammar_comes_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("finance.saved");
    ENGINE.save(&path).unwrap();
    let again = Engine::load(&path).unwrap();
    assert_eq!(ENGINE.hash(), again.hash());
    let cases = read_case_file(Path::new("tests/cases/seed.case"))
        .unwrap()
        .cases;
    for case in &cases {
        let tree = |engine: &Engine| {
            let parse = engine.parse(&case.document);
            write(
                parse.tree().unwrap(),
                Format::Json,
                &WriteOptions::default(),
            )
        };
        assert_eq!(tree(&ENGINE), tree(&again), "{}", case.name);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in [("\"arsg\":\"", "\"arsg\":\"9"), ("x 12", "x 13"), ("{", "")] {
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        assert!(Engine::load(&path).is_err(), "{from} -> {to}");
    }
}

#[test]
fn an_explanation_names_rules_reasons_and_values() {
    use arsg::automaton::explain::{Explainer, detail_text, explanation_html};
    let engine = engine();
    let file = file(&format!(
        "{CAUSE}\n===\n三\n===\n因为利率上涨，\n油价下跌，\n股市走高。\n---\n"
    ));
    let text = engine.read(&file.cases[0].document);
    let steps = engine.steps(&text, &ParseOptions::default());
    let explainer = Explainer::new(&engine, &text, &steps, &ParseOptions::default());
    let step = explainer.step_of(1, 2).unwrap();
    assert_eq!((step, explainer.step_of(1, 3)), (3, None));
    let detail = explainer.detail(step).unwrap();
    let rule = detail.rule.as_ref().unwrap();
    assert_eq!(rule.rule, "because-first");
    assert_eq!(rule.place.as_deref(), Some("a.arsg:6:3"));
    assert_eq!(rule.doc.as_deref(), Some("因为……，……"));
    assert_eq!(rule.reason[0].truth, Some(true));
    assert_eq!(
        rule.reason[0].values,
        [("A.cue".to_owned(), Some("because".to_owned()))]
    );
    let polarity = detail
        .attributes
        .iter()
        .find(|row| row.name == "polarity")
        .unwrap();
    assert_eq!(
        polarity.equation.as_deref(),
        Some("D.polarity = B.polarity")
    );
    assert_eq!(
        (polarity.a.is_some(), polarity.d.clone()),
        (true, polarity.b.clone())
    );
    // The probabilities are those of the step itself.
    let choice = detail.label.as_ref().unwrap();
    assert_eq!(choice.probability, steps[2].label.unwrap().probability);
    let last = choice.levels.last().unwrap();
    for share in &last.shares {
        let same = choice
            .shares
            .iter()
            .find(|other| other.name == share.name)
            .unwrap();
        assert!((same.probability - share.probability).abs() < 1e-12);
    }
    let said = detail_text(&detail, false);
    for part in [
        "no EDU is left to shift",
        "made by `because-first`",
        "true    B.cue in {none, so}",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let page = explanation_html(&explainer);
    assert!(page.contains("id=\"s3\"") && !page.contains("{{"), "{page}");
    // Who won instead.
    let why = explainer.why_not("so", 1, 2).unwrap();
    assert_eq!(why.tried.len(), 1);
    assert!(
        why.tried[0].answer.contains("won with"),
        "{}",
        why.tried[0].answer
    );
    assert!(
        explainer
            .why_not("because-fist", 1, 2)
            .unwrap_err()
            .to_string()
            .contains("because-first")
    );

    let text = engine.read(&file.cases[1].document);
    let steps = engine.steps(&text, &ParseOptions::default());
    let explainer = Explainer::new(&engine, &text, &steps, &ParseOptions::default());
    let why = explainer.why_not("because-first", 2, 3).unwrap();
    assert!(
        why.tried[0].answer.contains("`A.cue = because` is false"),
        "{why}"
    );
    let why = explainer.why_not("because-first", 1, 2).unwrap();
    assert!(
        why.tried[0].answer.contains("the parser shifted here"),
        "{why}"
    );
    assert!(why.crossed.unwrap().contains("joined EDUs 2-3"));
}

#[test]
fn the_commands_agree_with_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("schema.toml", SMALL_SCHEMA);
    put("a.arsg", GRAMMAR);
    put("b.arsg", &GRAMMAR.replace("x 1\n", "x 9\n"));
    put("a.case", CAUSE);
    put("a.txt", "因为利率上涨，油价下跌。");
    let run = |arguments: &[&str]| arsg(folder.path(), arguments);

    let (code, out, _) = run(&["test", "a.case", "--grammar", "a.arsg"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "1 passed, 0 failed, 0 skipped\n")
    );
    let (code, out, _) = run(&["test", "a.case", "--grammar", "b.arsg", "--json-summary"]);
    assert_eq!(code, Some(1));
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&summary["failed"], &summary["cases"][0]["outcome"]),
        (&1.into(), &"failed".into())
    );
    let (code, out, _) = run(&["test", "a.case", "--grammar", "b.arsg", "--exclude", "因*"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "0 passed, 0 failed, 0 skipped\n")
    );
    put("bad.case", "油价\n");
    assert_eq!(run(&["test", "bad.case", "--grammar", "a.arsg"]).0, Some(3));

    let (code, out, _) = run(&["diff", "a.arsg", "b.arsg", "--on", "a.case", "--json"]);
    assert_eq!(code, Some(0));
    let diff: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(diff["trees"]["texts"][0]["changed"], true);
    assert_eq!(diff["trees"]["old_against_gold"]["F"], 1.0);
    assert_eq!(diff["trees"]["new_against_gold"]["F"], 0.0);
    let (_, out, _) = run(&["diff", "a.arsg", "b.arsg", "--on", "a.case"]);
    assert!(
        out.contains("1 text: 0 with the same tree, 1 changed"),
        "{out}"
    );

    put("b.txt", "利率上涨，油价下跌。");
    let coverage = |file| {
        run(&[
            "coverage",
            file,
            "--grammar",
            "a.arsg",
            "--min",
            "100",
            "--json",
        ])
    };
    let (code, out, _) = coverage("a.txt");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &report["covered"]), (Some(0), &1.0.into()));
    assert_eq!(
        (&report["rules"][0]["won"], &report["rules"][1]["won"]),
        (&1.into(), &0.into())
    );
    let (_, out, _) = coverage("a.case");
    let same: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&same["edus"], &same["rules"]),
        (&2.into(), &report["rules"])
    );
    let (code, out, _) = coverage("b.txt");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &report["fallbacks"]), (Some(1), &1.into()));

    let (code, out, _) = run(&["explain", "a.txt", "--grammar", "a.arsg", "--json"]);
    assert_eq!(code, Some(0));
    let steps: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(steps["steps"][0]["action"], "shift");
    assert_eq!(
        run(&["explain", "a.txt", "--grammar", "a.arsg", "--step", "999"]).0,
        Some(1)
    );
    assert_eq!(
        run(&["explain", "a.txt", "--grammar", "a.arsg", "--node", "0-x"]).0,
        Some(2)
    );
}

#[test]
fn threads_do_not_change_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let news = |n: usize| {
        format!("{{\"id\":\"n{n}\",\"text\":\"因为关税上调{n}%，出口下降。但进口增长。\"}}\n")
    };
    let lines: String = (0..40).map(news).collect();
    std::fs::write(folder.path().join("news.jsonl"), lines).unwrap();
    let parse = |threads: &str| {
        arsg(
            folder.path(),
            &[
                "parse",
                "news.jsonl",
                "--json",
                "--grammar",
                "finance",
                "--threads",
                threads,
            ],
        )
        .1
    };
    let serial = parse("1");
    assert_eq!(serial.lines().count(), 40);
    assert_eq!(serial, parse("4"));
}
