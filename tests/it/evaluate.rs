//! What evaluations say, and what they can never say.

use std::sync::LazyLock;

use arsg::evaluate::{
    Classifier, Judge, Polarity, PolarityLexicon, Tokens, Training, WEIGHTS, score, score_against,
};
use arsg::summarize::SourceText;
use arsg::text::Document;
use proptest::prelude::*;

use crate::fixtures::FINANCE;

static CLASSIFIER: LazyLock<Classifier> =
    LazyLock::new(|| Classifier::train::<&str>(&[], &FINANCE.schema, Training::default()).unwrap());

fn text(title: &str, body: &str) -> SourceText {
    let mut document = Document::from_text("a", body);
    document.title = Some(title.to_owned()).filter(|title| !title.is_empty());
    let analysis = FINANCE.analyzer.analyze(&document);
    SourceText::new(document, analysis)
}

/// A judge that compares characters and leaves sentiment aside.
fn judge(texts: &[SourceText]) -> Judge<'static> {
    let (schema, analyzer) = (&FINANCE.schema, &FINANCE.analyzer);
    Judge::new(texts, schema, analyzer, Tokens::Characters, None).unwrap()
}

#[test]
fn a_summary_that_is_the_text_covers_it() {
    let texts = [text("央行降息", "中国人民银行宣布降息。")];
    let judge = judge(&texts);
    let found = judge.evaluate(&["中国人民银行宣布降息。"], None).unwrap();
    assert_eq!((found.novelty, found.overlap), (1.0, 1.0));
    assert!(
        found.entities_recall > 0.99 && found.centroid > 0.99,
        "{found:?}"
    );
    assert_eq!(found.entities_paper, 1.0);
    let nothing = judge.evaluate::<&str>(&[], None).unwrap();
    assert_eq!((nothing.score, nothing.score_strict), (0.0, 0.0));
}

#[test]
fn saying_things_twice_is_not_new() {
    let texts = [text("", "央行宣布降息。股市随后大涨。")];
    let judge = judge(&texts);
    let twice = judge
        .evaluate(&["央行宣布降息。", "央行宣布降息。"], None)
        .unwrap();
    assert_eq!(twice.novelty, 0.0);
    let new = judge
        .evaluate(&["央行宣布降息。", "股市随后大涨。"], None)
        .unwrap();
    assert_eq!(new.novelty, 1.0);
    assert_eq!(new.titles, None);
}

/// 油价上涨 and 油价下跌 share two of four characters, one of three pairs, and a sequence of two of four:
/// (1/2 + 1/3 + 1/2) / 3 is what is not new.
#[test]
fn what_is_half_said_is_half_new() {
    let judge = judge(&[text("", "油价上涨。油价下跌。")]);
    let found = judge.evaluate(&["油价上涨。", "油价下跌。"], None).unwrap();
    assert!(
        (found.novelty - (1.0 - 4.0 / 9.0)).abs() < 1e-12,
        "{}",
        found.novelty
    );
}

/// What the titles say is the lexicon's word, not the network's own reading of them.
#[test]
fn sentiment_is_compared_with_the_labels_of_the_titles() {
    let rows = include_str!("../data/polarity.tsv").lines();
    let titles: Vec<&str> = rows.map(|row| row.split_once('\t').unwrap().1).collect();
    let read = CLASSIFIER.predict(&titles).unwrap();
    let lexicon = PolarityLexicon::shipped();
    let mut disputed = 0;
    for (title, read) in titles.iter().zip(&read) {
        let label = lexicon.label(title);
        if label == *read {
            continue;
        }
        let texts = [text(title, "本报讯。")];
        let (schema, analyzer) = (&FINANCE.schema, &FINANCE.analyzer);
        let judge = Judge::new(&texts, schema, analyzer, Tokens::Words, Some(&CLASSIFIER)).unwrap();
        for unit in &titles {
            let says = CLASSIFIER.predict(&[unit]).unwrap()[0];
            let found = judge.evaluate(&[unit], Some(&CLASSIFIER)).unwrap();
            let expected = f64::from(u8::from(says == label));
            assert_eq!(found.sentiment, expected, "{title}: {unit}");
        }
        disputed += 1;
        if disputed == 2 {
            break;
        }
    }
    assert!(disputed > 0, "the network errs somewhere");
}

#[test]
fn entities_of_many_texts_weigh_more() {
    let texts = [
        text("", "特斯拉在上海建厂。"),
        text("", "特斯拉公布财报。"),
        text("", "特斯拉下调售价。"),
    ];
    let judge = judge(&texts);
    let common = judge.evaluate(&["特斯拉公布财报。"], None).unwrap();
    let rare = judge.evaluate(&["上海。"], None).unwrap();
    assert!(common.entities_recall > rare.entities_recall);
}

#[test]
fn references_are_compared_by_words_or_characters() {
    let summary = "央行宣布降息";
    let by = |tokens| {
        score_against(
            summary,
            &["股市大涨", "央行降息"],
            tokens,
            &FINANCE.analyzer,
        )
        .unwrap()
    };
    assert_eq!(by(Tokens::Words).rouge1.recall, 1.0);
    assert_eq!(by(Tokens::Characters).rouge_l.precision, 4.0 / 6.0);
    assert!(score_against::<&str>(summary, &[], Tokens::Words, &FINANCE.analyzer).is_none());
}

/// The hand-labelled titles of `tests/data/polarity.tsv`; nothing was trained or chosen on them.
#[test]
fn the_classifier_knows_good_news_from_bad() {
    let rows = include_str!("../data/polarity.tsv").lines();
    let labelled: Vec<(&str, f64)> = rows
        .map(|row| row.split_once('\t').unwrap())
        .map(|(label, title)| (title, label.parse().unwrap()))
        .collect();
    let titles: Vec<&str> = labelled.iter().map(|(title, _)| *title).collect();
    let found = CLASSIFIER.predict(&titles).unwrap();
    let lexicon = PolarityLexicon::shipped();
    let share = |polarities: Vec<Polarity>| {
        let right = polarities.iter().zip(&labelled);
        let right = right.filter(|(found, (_, label))| found.value() == *label);
        right.count() as f64 / labelled.len() as f64
    };
    let by_lexicon = share(titles.iter().map(|title| lexicon.label(title)).collect());
    let by_classifier = share(found);
    println!(
        "classifier {by_classifier:.3}, lexicon {by_lexicon:.3} of {}",
        titles.len()
    );
    assert!(by_classifier >= 0.75, "{by_classifier}");
}

#[test]
fn the_classifier_is_the_same_again() {
    // Two epochs: the titles are drawn anew and come in another order, which is all that could differ.
    let short = Training::default().epochs(2);
    let titles = ["沪指大涨", "公司破产"];
    let train = || Classifier::train(&titles, &FINANCE.schema, short).unwrap();
    let rows: Vec<&str> = include_str!("../data/polarity.tsv").lines().collect();
    assert_eq!(
        train().predict(&rows).unwrap(),
        train().predict(&rows).unwrap()
    );
}

proptest! {
    #[test]
    fn no_parts_take_the_score_out_of_its_range(parts in prop::array::uniform4(any::<f64>())) {
        let found = score(parts);
        prop_assert!((0.0..=100.0).contains(&found));
    }

    #[test]
    fn the_score_is_the_weighed_sum(parts in prop::array::uniform4(0.0..=1.0f64)) {
        let sum: f64 = parts.iter().zip(WEIGHTS).map(|(part, weight)| part * weight).sum();
        prop_assert!((score(parts) - sum).abs() < 1e-9);
    }

    #[test]
    fn no_summary_of_no_texts_leaves_the_range(
        units in prop::collection::vec("\\PC{0,40}", 0..6),
        bodies in prop::collection::vec("[央行降息股市大涨特斯拉上海，。\n]{0,60}", 0..4),
    ) {
        let texts: Vec<SourceText> = bodies.iter().map(|body| text(body, body)).collect();
        let judge = Judge::new(&texts, &FINANCE.schema, &FINANCE.analyzer, Tokens::Words, Some(&CLASSIFIER)).unwrap();
        let found = judge.evaluate(&units, Some(&CLASSIFIER)).unwrap();
        prop_assert!((0.0..=100.0).contains(&found.score), "{found:?}");
        prop_assert!((0.0..=100.0).contains(&found.score_strict), "{found:?}");
        for part in [found.novelty, found.entities_paper, found.entities_recall, found.overlap, found.centroid] {
            prop_assert!((0.0..=1.0).contains(&part), "{found:?}");
        }
    }
}
