//! Digests as a specification: stories, lines in order of time, versions and contradictions.

use std::sync::LazyLock;

use arsg::Engine;
use arsg::experiment::{References, tabulate_references};
use arsg::grammar::embedded_grammar;
use arsg::summarize::digest::{
    DigestJson, DigestLayout, DigestOptions, Digester, Known, LeftOut, Piece, Reading, digest,
    query, to_atom, to_digest_markdown, to_digest_page, to_digest_text, to_rss,
};
use arsg::summarize::{Length, SourceText, SummaryOptions, contradict};
use arsg::text::{Document, corpus};

use crate::fixtures::FINANCE;

static ENGINE: LazyLock<Engine> =
    LazyLock::new(|| Engine::new(embedded_grammar("general").unwrap()));

fn document(id: &str, day: i8, title: &str, body: &str) -> Document {
    let mut document = Document::from_text(id, body);
    document.title = Some(title.to_owned());
    document.date = Some(jiff::civil::date(2024, 5, day));
    document.url = Some(format!("https://{id}.example.com/{day}"));
    document
}

fn pieces(documents: Vec<Document>) -> Vec<Piece> {
    let digester = Digester::new(&ENGINE, &FINANCE.analyzer);
    let read = documents.into_iter().enumerate();
    let read = read.map(|(number, document)| digester.read(document, number));
    read.filter_map(|reading| match reading {
        Reading::Pieces(pieces) => Some(pieces),
        Reading::LeftOut(_) => None,
    })
    .flatten()
    .collect()
}

fn told(documents: Vec<Document>, options: &DigestOptions) -> DigestJson {
    digest(pieces(documents), &ENGINE, options)
}

/// A mine explodes, a bank cuts its rate; two sites tell of each.
fn week() -> Vec<Document> {
    vec![
        document(
            "north",
            6,
            "青岭煤矿发生瓦斯爆炸",
            "5月6日，青岭煤矿发生瓦斯爆炸，造成12人遇难。\n省应急管理厅已派出救援队赶赴青岭煤矿。\n青岭煤矿去年产煤90万吨。",
        ),
        document(
            "south",
            7,
            "青岭煤矿爆炸遇难人数上升",
            "5月6日，青岭煤矿瓦斯爆炸造成15人遇难。\n5月7日，青岭煤矿负责人被警方控制。\n省应急管理厅表示，青岭煤矿的救援仍在进行。",
        ),
        document(
            "east",
            8,
            "澜江银行下调存款利率",
            "5月8日，澜江银行宣布下调存款利率20个基点。\n澜江银行行长周明远表示，下调存款利率将减轻负债压力。",
        ),
        document(
            "west",
            8,
            "澜江银行存款利率下调20个基点",
            "澜江银行周三宣布，存款利率下调20个基点。\n分析师林清认为，澜江银行的净息差将因此回升。",
        ),
    ]
}

#[test]
fn texts_of_one_event_are_one_story_in_order_of_time() {
    let found = told(week(), &DigestOptions::default());
    assert_eq!(found.texts, 4);
    assert_eq!(found.stories.len(), 2, "{found:#?}");
    for story in &found.stories {
        assert_eq!(story.sources.len(), 2);
        let days: Vec<_> = story.lines.iter().map(|line| line.date.clone()).collect();
        assert!(
            days.is_sorted() && days.iter().all(Option::is_some),
            "{days:?}"
        );
    }
    let rate = found
        .stories
        .iter()
        .find(|s| s.headline.contains("澜江银行"));
    let rate = rate.unwrap();
    let cut: Vec<_> = rate
        .lines
        .iter()
        .filter(|l| l.text.contains("20个基点"))
        .collect();
    assert_eq!(cut.len(), 1, "one fact, one line: {:#?}", rate.lines);
    assert_eq!(cut[0].sources.len(), 2);
}

#[test]
fn the_latest_version_wins_and_names_the_earlier() {
    let found = told(week(), &DigestOptions::default());
    let mine = found
        .stories
        .iter()
        .find(|s| s.headline.contains("煤矿"))
        .unwrap();
    let line = mine
        .lines
        .iter()
        .find(|line| line.text.contains("遇难"))
        .unwrap();
    assert!(line.text.contains("15人"), "{line:#?}");
    let earlier = line.earlier.as_ref().unwrap();
    assert!(earlier.text.contains("12人") && earlier.source.doc == "north");
    assert!(!mine.lines.iter().any(|line| line.text.contains("12人")));
    let text = to_digest_text(&found, DigestLayout::default());
    assert!(
        text.contains("先前：") && text.contains("单一来源"),
        "{text}"
    );
}

#[test]
fn what_sources_of_one_day_say_against_each_other_stands_side_by_side() {
    let documents = vec![
        document(
            "a",
            9,
            "青岭煤矿与远山集团的收购协议",
            "5月9日，青岭煤矿与远山集团签署收购协议。",
        ),
        document(
            "b",
            9,
            "青岭煤矿与远山集团尚未签署收购协议",
            "5月9日，青岭煤矿与远山集团尚未签署收购协议。",
        ),
    ];
    let found = told(documents, &DigestOptions::default());
    assert_eq!(found.stories.len(), 1, "{found:#?}");
    let against: Vec<_> = found.stories[0]
        .lines
        .iter()
        .flat_map(|line| &line.against)
        .collect();
    assert_eq!(against.len(), 1, "{found:#?}");
    assert!(to_digest_text(&found, DigestLayout::default()).contains("矛盾："));
}

#[test]
fn items_of_a_roundup_join_the_stories_they_tell() {
    let mut documents = week();
    documents.push(document(
        "roundup",
        8,
        "8点早报汇总：财经早餐",
        "澜江银行下调存款利率\n澜江银行5月8日宣布，下调存款利率20个基点，行长周明远表示将减轻负债压力。\n远山集团回应裁员\n远山集团表示，没有裁员计划，生产经营一切正常。",
    ));
    let found = told(documents, &DigestOptions::default());
    let rate = found
        .stories
        .iter()
        .find(|s| s.headline.contains("澜江银行"))
        .unwrap();
    assert_eq!(rate.sources.len(), 3, "{found:#?}");
    assert!(!rate.lines.iter().any(|line| line.text.contains("裁员")));
}

#[test]
fn readers_get_what_they_ask_for_and_only_what_is_new() {
    let asked = query("存款利率", &FINANCE.analyzer, None);
    let found = told(week(), &DigestOptions::default().query(asked));
    assert_eq!(found.stories.len(), 1);
    assert!(found.stories[0].headline.contains("存款利率"));
    let since = told(
        week(),
        &DigestOptions::default().since(Some(jiff::civil::date(2024, 5, 8))),
    );
    assert!(
        since
            .stories
            .iter()
            .all(|s| s.headline.contains("澜江银行")),
        "{since:#?}"
    );
    let mut known = Known::default();
    known.read_digest(&told(week(), &DigestOptions::default()));
    let mut news = week();
    news.push(document(
        "later",
        9,
        "青岭煤矿复产",
        "5月9日，青岭煤矿获准恢复生产，青岭煤矿负责人已被免职。",
    ));
    let update = told(news, &DigestOptions::default().known(known));
    let lines: Vec<_> = update.stories.iter().flat_map(|s| &s.lines).collect();
    assert!(
        lines.iter().any(|line| line.text.contains("恢复生产")),
        "{lines:#?}"
    );
    assert!(
        !lines.iter().any(|line| line.text.contains("15人")),
        "{lines:#?}"
    );
}

#[test]
fn lengths_and_timelines_are_kept() {
    let short = told(
        week(),
        &DigestOptions::default().length(Length::Characters(60)),
    );
    let characters: usize = short
        .stories
        .iter()
        .flat_map(|s| &s.lines)
        .map(|l| l.characters)
        .sum();
    assert!(characters <= 100, "{characters}");
    let found = told(week(), &DigestOptions::default());
    let days: Vec<&str> = found.timeline.iter().map(|day| day.date.as_str()).collect();
    assert!(days.is_sorted() && days.len() >= 2, "{days:?}");
    let how = DigestLayout {
        timeline: true,
        ..DigestLayout::default()
    };
    assert_eq!(to_digest_text(&found, how).lines().count(), days.len());
}

#[test]
fn foreign_texts_and_advertisements_are_left_out_and_named() {
    let digester = Digester::new(&ENGINE, &FINANCE.analyzer);
    let english = document(
        "e",
        1,
        "Rates",
        "The central bank kept its rates unchanged on Monday.",
    );
    let why = |reading| match reading {
        Reading::LeftOut(why) => Some(why),
        Reading::Pieces(_) => None,
    };
    assert!(matches!(
        why(digester.read(english.clone(), 0)),
        Some(LeftOut::Foreign(_))
    ));
    let advert = document("a", 1, "粉丝福利：免费抽手机", "转发本文即可参加。");
    assert_eq!(why(digester.read(advert, 0)), Some(LeftOut::Advertisement));
    let forced = Digester::new(&ENGINE, &FINANCE.analyzer).take_foreign(true);
    assert_eq!(why(forced.read(english, 0)), None);
}

#[test]
fn every_form_of_a_digest_escapes_what_it_shows() {
    let documents = vec![document(
        "x",
        1,
        "甲<b>公司*降价",
        "5月1日，甲公司A<b>&B宣布降价5%。",
    )];
    let found = told(documents, &DigestOptions::default());
    let page = to_digest_page(&found);
    assert!(
        page.contains("A&lt;b&gt;&amp;B") && !page.contains("公司A<b>"),
        "{page}"
    );
    assert!(to_digest_markdown(&found, DigestLayout::default()).contains("甲\\<b>公司\\*降价"));
    for feed in [to_atom(&found), to_rss(&found)] {
        let read = roxmltree::Document::parse(&feed);
        assert!(read.is_ok(), "{feed}");
        assert!(feed.contains("甲&lt;b&gt;公司*降价"), "{feed}");
    }
}

#[test]
fn nothing_gives_an_empty_digest() {
    let found = told(Vec::new(), &DigestOptions::default());
    assert!(found.stories.is_empty() && found.timeline.is_empty());
    let marks = told(
        vec![document("m", 1, "……", "……！！")],
        &DigestOptions::default(),
    );
    assert!(marks.stories.is_empty(), "{marks:?}");
}

/// Pairs of sentences of one event, written by hand: half of them contradict each other.
#[test]
fn contradictions_are_found_and_not_made_up() {
    let pairs = std::fs::read_to_string("tests/data/contradictions.tsv").unwrap();
    let text = |id: &str, body: &str| {
        let mut document = Document::from_text(id, body);
        document.date = Some(jiff::civil::date(2024, 5, 10));
        let analysis = FINANCE.analyzer.analyze(&document);
        SourceText::new(document, analysis)
    };
    let (mut right, mut found, mut all, mut total) = (0, 0, 0, 0);
    for line in pairs.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [expected, left, other] = parts[..] else {
            panic!("three columns: {line}");
        };
        let conflict = contradict(&text("a", left), &text("b", other));
        let is_expected = expected == "yes";
        total += 1;
        all += usize::from(is_expected);
        found += usize::from(conflict.is_some());
        right += usize::from(conflict.is_some() && is_expected);
        if conflict.is_some() != is_expected {
            println!("{line}\n    {conflict:?}");
        }
    }
    println!("{total} pairs: {right} of {found} found are right, {right} of {all} are found");
    assert!(total >= 60 && all * 2 <= total + 2);
    assert!(
        right as f64 >= 0.9 * found as f64,
        "precision: {right} of {found}"
    );
    assert!(right as f64 >= 0.6 * all as f64, "recall: {right} of {all}");
}

/// Forty news texts with abstracts, all written for this test.
#[test]
fn single_texts_are_told_better_than_by_lead() {
    let documents = corpus::open("tests/data/abstracts.jsonl".as_ref(), None).unwrap();
    let documents: Vec<Document> = documents.map(Result::unwrap).collect();
    assert_eq!(documents.len(), 40);
    let how = Default::default();
    let texts: Vec<SourceText> = documents
        .into_iter()
        .map(|document| SourceText::read_and_parse(document, &ENGINE, &FINANCE.analyzer, &how))
        .collect();
    let references = References::usual(SummaryOptions::default(), false);
    let none = |_: &str| None;
    let table = tabulate_references(&texts, none, &FINANCE.analyzer, &references, || ()).unwrap();
    println!("{}", table.to_markdown());
    let mean = |row: usize| -> f64 {
        table.rows[row][1]
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let names: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    let row = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let ours = mean(row("arsg"));
    assert!(ours >= 44.0, "{ours}");
    for other in [
        "first sentences of paragraphs",
        "lead",
        "lexrank",
        "textrank",
    ] {
        assert!(
            ours > mean(row(other)),
            "{other}: {} against {ours}",
            mean(row(other))
        );
    }
}
