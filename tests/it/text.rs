//! What holds for the reading of any text whatever.

use arsg::Schema;
use arsg::diagnostic::Source;
use arsg::lexcore::{CoreJson, Extractor};
use arsg::text::corpus::{Format, Reader};
use arsg::text::{Analyzer, Document, find_entities, time};
use proptest::prelude::*;

use crate::fixtures::{Domain, FINANCE, GENERAL};

/// Text made of what Chinese news is made of, and of anything else.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("2019年9月1日".to_owned()),
        Just("１—８月".to_owned()),
        Just("去年同期".to_owned()),
        Just("央行下调利率".to_owned()),
        Just("海川集团的净利润".to_owned()),
        Just("同比增长12.5%".to_owned()),
        Just("，".to_owned()),
        Just("。”".to_owned()),
        Just("《关于（".to_owned()),
        Just("》“、".to_owned()),
        Just("被".to_owned()),
        Just("\r\n　　".to_owned()),
        Just("😀\u{0}\u{e40c}\u{fffd}".to_owned()),
        Just("國際貨幣基金組織".to_owned()),
        "[a-zA-Z0-9&. ]{1,8}",
        "[一-龥]{1,5}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// The EDUs that the reader of a schema cuts a text into.
fn edus(schema: &Schema, text: &str) -> Vec<String> {
    let document = Document::from_text("a", text);
    let analysis = Analyzer::new(schema).analyze(&document);
    let ranges = analysis.edus.iter().map(|edu| &edu.range);
    ranges
        .map(|range| document.slice(range).to_owned())
        .collect()
}

#[test]
fn a_schema_cuts_as_it_says_whatever_its_name() {
    let text =
        "2019年9月1日，海川集团发布公告。净利润增长12.5%，达3.2亿元，其中海外业务，贡献过半。";
    let shipped = include_str!("../../schemas/finance.toml");
    let schema = |text: &str| {
        Schema::load(&Source::new("copy.toml", text))
            .into_result()
            .unwrap()
    };
    let cut = edus(&FINANCE.schema, text);
    let renamed = shipped.replace("name = \"finance\"", "name = \"粮油\"");
    let renamed = schema(&renamed);
    assert_eq!(renamed.name, "粮油");
    assert_eq!(edus(&renamed, text), cut);
    let finer = shipped.replace(
        "segmentation = \"predicates\"",
        "segmentation = \"clauses\"",
    );
    let finer = edus(&schema(&finer), text);
    assert!(finer.len() > cut.len(), "{finer:?}\n{cut:?}");
}

fn check(domain: &Domain, text: &str) {
    let document = Document::from_text("a", text);
    let analysis = domain.analyzer.analyze(&document);
    for (number, block) in document.blocks.iter().enumerate() {
        let edus = analysis.edus.iter().filter(|edu| edu.block == number);
        let joined: String = edus.map(|edu| document.slice(&edu.range)).collect();
        assert_eq!(joined, document.block_text(block), "EDUs lose nothing");
        let words = &analysis.words[analysis.blocks[number].clone()];
        let joined: String = words.iter().map(|word| word.text(&document.text)).collect();
        assert_eq!(joined, document.block_text(block), "words lose nothing");
    }
    let sentences: usize = analysis.sentences.iter().map(|s| s.len()).sum();
    assert_eq!(sentences, analysis.words.len());
    let cores = Extractor::new(&domain.schema).extract(&document, &analysis);
    for core in &cores {
        assert!(core.agent.is_some() || core.object.is_some());
        assert!(core.edu < analysis.edus.len());
    }
    for core in CoreJson::of(&document, &cores, &domain.schema) {
        let characters: Vec<char> = text.chars().collect();
        let state: String = characters[core.state.start..core.state.end]
            .iter()
            .collect();
        assert_eq!(
            state, core.state.text,
            "offsets count characters of the text"
        );
    }
    let mut last = 0;
    for entity in find_entities(&analysis.words, &domain.schema) {
        assert!(entity.range.start >= last);
        last = entity.range.end;
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_in_any_text(text in any_text()) {
        check(&FINANCE, &text);
        check(&GENERAL, &text);
    }

    #[test]
    fn times_lie_in_the_text(text in any_text()) {
        for found in time::scan(&text, Some(jiff::civil::date(2019, 9, 12))) {
            prop_assert!(text.get(found.range).is_some_and(|piece| !piece.is_empty()));
        }
    }

    #[test]
    fn segmenting_again_changes_nothing(text in any_text()) {
        let mut document = Document::from_text("a", text);
        let read = GENERAL.analyzer.segment(&mut document);
        let once = document.clone();
        prop_assert_eq!(read, GENERAL.analyzer.segment(&mut document));
        prop_assert_eq!(once, document);
    }

    #[test]
    fn no_bytes_stop_a_reader(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        format in prop::option::of(prop::sample::select(vec![
            Format::Sogou, Format::JsonLines, Format::Json, Format::Text, Format::EduLines,
        ])),
    ) {
        let input = Box::new(std::io::Cursor::new(bytes));
        match Reader::new(input, "any", format) {
            Ok(reader) => prop_assert!(reader.count() < 1000),
            // Bytes that are no text are refused, unless a format is given.
            Err(_) => prop_assert!(format.is_none()),
        }
    }

    #[test]
    fn no_damage_to_a_record_stops_a_reader(cut in 0_usize..400, put in ".{0,20}") {
        let whole = "<doc>\n<url>http://finance.a.cn/20120612/1</url>\n<docno>1</docno>\n\
            <contenttitle>央行降息</contenttitle>\n<content>央行今日宣布降息。\u{e40c}市场上涨。</content>\n</doc>\n"
            .repeat(2);
        let at = whole.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(whole.len());
        let damaged = format!("{}{put}{}", &whole[..at], &whole[at..]);
        let input = Box::new(std::io::Cursor::new(damaged.into_bytes()));
        let documents = Reader::new(input, "any", Some(Format::Sogou)).unwrap().flatten().count();
        prop_assert!((1..=3).contains(&documents));
    }
}

#[test]
fn entities_of_every_kind() {
    let text =
        "国家统计局天津调查总队周一公布，青石县李家湾镇的海川公司向张建国支付3.5亿元，占比12.5%。";
    let document = Document::from_text("a", text);
    let analysis = FINANCE.analyzer.analyze(&document);
    let found: Vec<(&str, &str)> = find_entities(&analysis.words, &FINANCE.schema)
        .into_iter()
        .map(|entity| (&text[entity.range], entity.kind.as_str()))
        .collect();
    insta::assert_debug_snapshot!(found);
}

#[test]
fn gold_edus_are_kept_and_cut_words() {
    let document = Document::from_edus("a", [["国务院总", "理表示，", "经济回升。"]]);
    let analysis = GENERAL.analyzer.analyze(&document);
    assert_eq!(analysis.edus.len(), 3);
    let mut words = 0;
    for edu in &analysis.edus {
        words += edu.words.len();
        let own = &analysis.words[edu.words.clone()];
        assert_eq!(own.first().unwrap().start as usize, edu.range.start);
        assert_eq!(own.last().unwrap().end as usize, edu.range.end);
    }
    assert_eq!(words, analysis.words.len());
}

#[test]
fn no_word_crosses_the_end_of_a_phrase() {
    let words = |text: &str| {
        let document = Document::from_text("a", text);
        let analysis = GENERAL.analyzer.analyze(&document);
        let words = analysis.words.iter().map(|word| word.text(text));
        words.collect::<Vec<_>>().join(" ")
    };
    insta::assert_debug_snapshot!([
        words("他在评述时会收敛。"),
        words("挑逗对方的时候，可以多用比喻。"),
        words("加完试剂后要立即盖上盖子。"),
        words("失业率为4%，但经季节性调整后下降。"),
        words("卢拉在记者会上回答问题。"),
    ]);
}

#[test]
fn a_name_cut_short_ends_no_sentence() {
    let sentences = |text: &str| {
        let document = Document::from_text("a", text);
        FINANCE.analyzer.analyze(&document).sentences.len()
    };
    assert_eq!(sentences("公司向MP Materials Corp.的股东付款。"), 1);
    assert_eq!(
        sentences("据J.P.摩根分析师评估，客户有B.V.和Airbus S.A.S.（空客）。"),
        1
    );
    assert_eq!(sentences("首席执行官Dr. Stefan Hartung到访。他很高兴。"), 2);
    assert_eq!(sentences("样本来自彗星Wild.它已返回地球."), 2);
    assert_eq!(sentences("J.P.摩根上调评级。"), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the lines are found to be, the blocks stand in order, and all that says something lies in one
    /// of them, or is a mark or a name that a block stands for.
    #[test]
    fn blocks_hold_all_of_any_text(text in any_lines(), title in prop::option::of("[一-龥]{1,8}")) {
        let mut document = Document::from_text("a", text);
        document.title = title;
        let reader = crate::structure::reader();
        let found = reader.structured(&document);
        let mut end = 0;
        let mut between = String::new();
        for block in &found.blocks {
            prop_assert!(end <= block.range.start && block.range.start < block.range.end);
            between.push_str(found.text.get(end..block.range.start).unwrap());
            end = block.range.end;
        }
        between.push_str(found.text.get(end..).unwrap());
        let speakers: Vec<&str> = found.blocks.iter().filter_map(|b| b.speaker.as_deref()).collect();
        for line in between.lines() {
            let rest = line.trim_matches(|c: char| !c.is_alphanumeric());
            let is_name = |name: &&str| name.trim_matches(|c: char| !c.is_alphanumeric()) == rest;
            prop_assert!(rest.is_empty() || speakers.iter().any(is_name), "{line:?}");
        }
        prop_assert_eq!(found.blocks.is_empty(), document.blocks.is_empty() && document.title.is_none());
        let mut segmented = document.clone();
        let analysis = reader.segment(&mut segmented);
        prop_assert!(segmented.is_segmented());
        prop_assert_eq!(segmented.edus().count(), analysis.edus.len());
        prop_assert_eq!(found.blocks.is_empty(), analysis.edus.is_empty());
    }
}

/// Lines as plain texts have them, and others.
fn any_lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("## 概况 ##".to_owned()),
        Just("**".to_owned()),
        Just("**重点**".to_owned()),
        Just("- ".to_owned()),
        Just("- 一勺盐".to_owned()),
        Just("> 引文。".to_owned()),
        Just("记者：您怎么看？".to_owned()),
        Just("张山：".to_owned()),
        Just("- **李河**：好。".to_owned()),
        Just("（来源：网络）".to_owned()),
        Just("1.1. ".to_owned()),
        Just("| 甲 | 乙 |".to_owned()),
        Just("----".to_owned()),
        Just("（（））".to_owned()),
        Just("2021-3-4".to_owned()),
        Just("月月1月月".to_owned()),
        Just("[]]][[".to_owned()),
        any_text(),
    ];
    prop::collection::vec(line, 0..9).prop_map(|lines| lines.join("\n"))
}
