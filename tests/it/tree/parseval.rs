//! Parseval, computed by hand.

use arsg::diagnostic::Source;
use arsg::tree::{
    Baseline, Breakdown, Counts, Figures, Format, Level, Pairing, ParsevalOptions, RelationGrain,
    Report, Tree, pair_by_id, parseval, read,
};
use arsg::{Document, text::BlockKind};

use crate::fixtures::GENERAL;

fn tree(text: &str) -> Tree {
    read(&Source::new("test", text), Some(Format::Sexp))
        .into_tree()
        .unwrap()
}

fn compare(gold: &Tree, predicted: &Tree, options: &ParsevalOptions) -> Report {
    let pair = Pairing {
        id: "a".into(),
        gold: gold.clone(),
        predicted: predicted.clone(),
    };
    let (report, problems) = parseval(&[pair], options, Some(&GENERAL.schema));
    assert!(problems.is_empty(), "{problems:?}");
    report
}

fn matched(figures: &Figures) -> [usize; 4] {
    figures.named().map(|(_, counts)| counts.matched)
}

// gold                      predicted
//        1-4 cause NS              1-4 result NS      span, roles, class agree; the name does not
//       /        \                /      \
//   1-2 elab NS  3-4 list NN     1      2-4 elab NS   not in gold
//                                       /     \
//                                      2     3-4 sequence NN   span, roles, class agree
const GOLD: &str = "(causal-cause NS (elaboration-additional NS 1 2) (joint-list NN 3 4))";
const PREDICTED: &str =
    "(causal-result NS 1 (elaboration-additional NS 2 (joint-sequence NN 3 4)))";

#[test]
fn original_parseval_counts_inner_nodes_with_the_root() {
    let report = compare(&tree(GOLD), &tree(PREDICTED), &ParsevalOptions::default());
    assert_eq!(matched(&report.original), [2, 2, 2, 2]);
    assert_eq!(
        (report.original.span.gold, report.original.span.predicted),
        (3, 3)
    );
    assert!((report.original.span.f1() - 2.0 / 3.0).abs() < 1e-12);
    let fine = ParsevalOptions::default().grain(RelationGrain::Fine);
    let report = compare(&tree(GOLD), &tree(PREDICTED), &fine);
    assert_eq!(matched(&report.original), [2, 2, 0, 0]);
    let rootless = ParsevalOptions::default().root(false);
    let report = compare(&tree(GOLD), &tree(PREDICTED), &rootless);
    assert_eq!(matched(&report.original), [1, 1, 1, 1]);
    assert_eq!(report.original.span.gold, 2);
}

#[test]
fn rst_parseval_counts_all_nodes_but_the_root() {
    // Stretches of gold: 1 2 1-2 3 4 3-4; of predicted: 1 2-4 2 3-4 3 4. Shared: 1 2 3 4 3-4.
    // Roles agree on 1 (N), 3 (N), 4 (N), 3-4 (S); 2 is S in gold and N in predicted.
    // Labels agree on 1 (span), 3 (joint), 4 (joint); 3-4 is causal in gold, elaboration predicted.
    let report = compare(&tree(GOLD), &tree(PREDICTED), &ParsevalOptions::default());
    assert_eq!(matched(&report.rst), [5, 4, 3, 3]);
    assert_eq!((report.rst.span.gold, report.rst.span.predicted), (6, 6));
}

#[test]
fn two_annotators_agree_the_same_both_ways() {
    // A joins 1-2 and 3-5; B joins 2-3 first. Shared spans: 4-5 and the root.
    let a = tree(
        "(joint-list NN (causal-cause SN 1 2) (context-background SN 3 (joint-other NN 4 5)))",
    );
    let b = tree("(causal-result SN 1 (joint-list NN (purpose-goal NS 2 3) (joint-other NN 4 5)))");
    let there = compare(&a, &b, &ParsevalOptions::default());
    let back = compare(&b, &a, &ParsevalOptions::default());
    assert_eq!(matched(&there.original), [2, 1, 1, 1]);
    assert_eq!(matched(&there.original), matched(&back.original));
    assert_eq!(there.original.full.f1(), 0.25);
}

#[test]
fn relations_count_by_themselves() {
    let report = compare(&tree(GOLD), &tree(PREDICTED), &ParsevalOptions::default());
    let found: Vec<(&str, Counts)> = report
        .relations
        .iter()
        .map(|score| (score.relation.as_str(), score.counts))
        .collect();
    let counts = |matched| Counts {
        matched,
        gold: 1,
        predicted: 1,
    };
    assert_eq!(
        found,
        [
            ("causal", counts(1)),
            ("elaboration", counts(0)),
            ("joint", counts(1))
        ]
    );
}

#[test]
fn different_segmentations_are_compared_by_characters() {
    let gold = tree(r#"(causal-cause SN "因为下雨，" (joint-list NN "比赛 取消，" "大家回家。"))"#);
    let predicted = tree(
        r#"(causal-cause SN (same-unit NN "因为" "下雨，") (joint-list NN "比赛取消，" "大家 回家。"))"#,
    );
    let report = compare(&gold, &predicted, &ParsevalOptions::default());
    let original = report.original.span;
    assert_eq!(
        (original.matched, original.gold, original.predicted),
        (2, 2, 3)
    );
    // 因为下雨， is a leaf here and a node there: the same stretch.
    assert_eq!(report.rst.span.matched, 4);
    assert_eq!((report.rst.span.gold, report.rst.span.predicted), (4, 6));
}

#[test]
fn what_cannot_be_compared_is_said() {
    let pair = |a: &str, b: &str| Pairing {
        id: "a".into(),
        gold: tree(a),
        predicted: tree(b),
    };
    let pairs = [pair("(list NN 1 2)", "(list NNN 1 2 3)")];
    let (report, problems) = parseval(&pairs, &ParsevalOptions::default(), None);
    assert!(report.documents.is_empty());
    assert_eq!(problems[0].code.as_str(), "R021");
    let pairs = [pair(r#"(list NN "一" "二")"#, r#"(list NN "一" "三")"#)];
    let (report, problems) = parseval(&pairs, &ParsevalOptions::default(), None);
    assert_eq!(report.original.span.matched, 1);
    assert_eq!(problems[0].code.as_str(), "R022");
}

#[test]
fn levels_come_from_the_document_or_from_punctuation() {
    let text = r#"@a (organization-heading SN "赛事 综述" (joint-list NN
        (causal-cause SN "因为下雨，" "比赛取消。") "大家回家。"))"#;
    let mut document = Document {
        id: "a".into(),
        ..Document::default()
    };
    document.push_segmented(BlockKind::Heading(0), None, ["赛事综述"]);
    document.push_segmented(
        BlockKind::Paragraph,
        None,
        ["因为下雨，", "比赛取消。", "大家回家。"],
    );
    let mut located = tree(text);
    assert!(located.locate(&document));
    let report = compare(&located, &located, &ParsevalOptions::default());
    let levels: Vec<(Level, usize)> = report
        .levels
        .iter()
        .map(|(level, figures)| (*level, figures.span.gold))
        .collect();
    assert_eq!(
        levels,
        [
            (Level::Sentence, 1),
            (Level::Paragraph, 1),
            (Level::Text, 1)
        ]
    );
    let by_marks = compare(&tree(text), &tree(text), &ParsevalOptions::default());
    let levels: Vec<Level> = by_marks.levels.iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [Level::Sentence, Level::Paragraph]);
    assert!(!tree("(list NN 1 2)").locate(&document));
}

#[test]
fn baselines_know_nothing() {
    let gold = tree("(joint-list NN (causal-cause SN 1 2) (joint-list NN 3 4))");
    let score = |baseline: Baseline| {
        let predicted = baseline.tree(gold.edus.clone()).unwrap();
        compare(&gold, &predicted, &ParsevalOptions::default())
            .original
            .span
            .matched
    };
    // Right: 3-4 2-4 1-4; left: 1-2 1-3 1-4.
    assert_eq!(score(Baseline::RightBranching), 2);
    assert_eq!(score(Baseline::LeftBranching), 2);
}

#[test]
fn intervals_are_the_same_for_the_same_seed() {
    let named = |id: &str, text: &str| tree(&format!("@{id} {text}"));
    let gold = vec![
        named("a", GOLD),
        named("b", GOLD),
        named("c", GOLD),
        named("x", GOLD),
    ];
    let predicted = vec![
        named("c", PREDICTED),
        named("b", GOLD),
        named("a", PREDICTED),
    ];
    let (pairs, problems) = pair_by_id(gold, predicted);
    assert_eq!(problems.len(), 1, "x has no partner");
    let (once, _) = parseval(&pairs, &ParsevalOptions::default(), None);
    let (twice, _) = parseval(&pairs, &ParsevalOptions::default(), None);
    assert_eq!(once, twice);
    let interval = once.intervals.unwrap()[0];
    assert!(interval.low <= once.original.span.f1() && once.original.span.f1() <= interval.high);
    assert!(interval.low < interval.high);
    let ids: Vec<&str> = once
        .documents
        .iter()
        .map(|document| &*document.id)
        .collect();
    assert_eq!(ids, ["a", "b", "c"]);
    let per = [Breakdown::Document, Breakdown::Level, Breakdown::Relation];
    insta::assert_snapshot!(once.to_text(&per));
}
