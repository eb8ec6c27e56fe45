//! The structure of plain texts, as the shipped block rules tell it.

use std::sync::{Arc, LazyLock};

use arsg::automaton::{BlockJson, BlockRules, Engine, tell_blocks};
use arsg::grammar::{Grammar, embedded_grammar};
use arsg::text::structure::Structure;
use arsg::text::{Analyzer, BlockKind, Document};

use crate::fixtures::GENERAL;
use crate::golden::json_schema;

static RULES: LazyLock<BlockRules> = LazyLock::new(|| BlockRules::shipped().unwrap().unwrap());

/// A reader with the shipped block rules.
pub(crate) fn reader() -> Analyzer {
    let rules = BlockRules::shipped().unwrap().unwrap();
    Analyzer::new(&GENERAL.schema).with_structurer(Box::new(Arc::new(rules)))
}

fn told(text: &str) -> Vec<BlockJson> {
    tell_blocks(&mut Document::from_text("a", text), Some(&*RULES))
}

/// Kind, level and text of each block.
fn kinds(text: &str) -> Vec<String> {
    let blocks = told(text);
    let line = |block: &BlockJson| match block.level {
        Some(level) => format!("{} {level}: {}", block.kind, block.text),
        None => format!("{}: {}", block.kind, block.text),
    };
    blocks.iter().map(line).collect()
}

const LONG: &str = "山上的茶园去年一共收了三千多斤春茶，比前一年多了两成。";

#[test]
fn titles_and_numbered_headings_have_their_levels() {
    let text = format!(
        "山村茶园调查\n一、概况\n{LONG}\n（一）种植\n{LONG}\n1.品种\n{LONG}\n2.面积\n{LONG}\n二、问题\n{LONG}"
    );
    let headings = kinds(&text);
    let headings: Vec<&String> = headings
        .iter()
        .filter(|line| line.starts_with('h'))
        .collect();
    let expected = [
        "heading 0: 山村茶园调查",
        "heading 1: 一、概况",
        "heading 2: （一）种植",
        "heading 3: 1.品种",
        "heading 3: 2.面积",
        "heading 1: 二、问题",
    ];
    assert_eq!(headings, expected);
    let text = format!("茶的历史\n1.引言\n{LONG}\n1.1.起源\n{LONG}\n1.1.1.传说\n{LONG}");
    let found = kinds(&text);
    assert_eq!(found[1], "heading 1: 1.引言");
    assert_eq!(found[3], "heading 2: 1.1.起源");
    assert_eq!(found[5], "heading 3: 1.1.1.传说");
}

#[test]
fn short_lines_are_headings_where_text_follows() {
    let text = format!(
        "老张的茶园\n{LONG}\n早年生活\n{LONG}\n【近况】\n{LONG}\nABSTRACT\n{LONG}\n今日要闻\n茶价上涨\n{LONG}"
    );
    let found = kinds(&text);
    assert_eq!(found[0], "heading 0: 老张的茶园");
    assert_eq!(found[2], "heading 1: 早年生活");
    assert_eq!(found[4], "heading 1: 【近况】");
    assert_eq!(found[6], "heading 1: ABSTRACT");
    assert_eq!(found[8..10], ["heading 1: 今日要闻", "heading 2: 茶价上涨"]);
    assert!(found[1].starts_with("paragraph: "));
    // A poem and a list of names have no text below them.
    let poem = "春眠不觉晓\n处处闻啼鸟\n夜来风雨声\n花落知多少";
    assert!(kinds(poem).iter().all(|line| line.starts_with("paragraph")));
    // A single line is what the text says.
    assert_eq!(kinds("山村茶园调查"), ["paragraph: 山村茶园调查"]);
}

#[test]
fn markdown_says_what_its_lines_are() {
    let text = format!(
        "# 茶\n## 产地\n{LONG}\n- 云南\n- 福建\n> 茶者，南方之嘉木也。\n**做法**\n{LONG}\n| 品种 | 斤 |\n|---|---|\n| 红茶 | 3 |\n---"
    );
    let found = kinds(&text);
    assert_eq!(found[0], "heading 0: 茶");
    assert_eq!(found[1], "heading 1: 产地");
    assert_eq!(found[3..5], ["list-item: 云南", "list-item: 福建"]);
    assert_eq!(found[5], "quote: 茶者，南方之嘉木也。");
    assert_eq!(found[6], "heading 1: 做法");
    assert!(
        found[8..11].iter().all(|line| line.starts_with("table: ")),
        "{found:?}"
    );
    assert_eq!(found[11], "aside: ---");
}

#[test]
fn what_stands_beside_the_text_is_marked() {
    let text = format!(
        "山村茶园调查\n本报记者 张山 李河\n2021-03-04 10:20\n来源：山河日报\n【2021年3月4日讯】\n{LONG}\n图为采茶现场\n{LONG}\n（文章来源：山河日报）\n责任编辑：王五\n免责声明：本文仅供参考，不构成建议。\n（完）"
    );
    let found = kinds(&text);
    let asides: Vec<usize> = (0..found.len())
        .filter(|at| found[*at].starts_with("aside"))
        .collect();
    assert_eq!(asides, [1, 2, 3, 6, 8, 9, 10, 11], "{found:?}");
    assert!(found[4].starts_with("paragraph"), "{found:?}");
}

#[test]
fn what_stands_below_a_step_is_an_item() {
    let text = format!(
        "如何炒茶\n茶要当天炒。\n方法1杀青\n1把锅烧热。火要匀。\n铁锅比铝锅好。\n2倒入鲜叶。\n一次不超过两斤。\n方法2揉捻\n{LONG}"
    );
    let found = kinds(&text);
    assert!(found[3].starts_with("paragraph: 1"), "{found:?}");
    assert_eq!(found[4], "list-item: 铁锅比铝锅好。");
    assert!(found[5].starts_with("paragraph: 2"), "{found:?}");
    assert_eq!(found[6], "list-item: 一次不超过两斤。");
    assert!(found[8].starts_with("paragraph"), "{found:?}");
    // Months are no steps.
    let found = kinds("山村的一年\n1月下雪，人们修理农具。\n孩子们放假。\n2月开花，田里忙起来。");
    assert!(found[2].starts_with("paragraph"), "{found:?}");
}

#[test]
fn questions_and_answers_take_turns() {
    let text = "茶园访谈\n张山种了三十年茶。\n今年收成怎么样？\n很好。\n雨水也足。\n价格呢？\n涨了一些。\n明年还种吗？\n当然。";
    let blocks = told(text);
    let spoken: Vec<Option<&str>> = blocks.iter().map(|b| b.speaker.as_deref()).collect();
    let (asks, answers) = (Some("问"), Some("答"));
    let expected = [
        None, None, asks, answers, answers, asks, answers, asks, answers,
    ];
    assert_eq!(spoken, expected);
    // One question does not make an interview.
    let blocks = told("茶园\n茶为什么会苦？\n因为含有茶碱。\n水温高，茶就苦。");
    assert!(blocks.iter().all(|block| block.speaker.is_none()));
}

#[test]
fn speakers_are_told_by_role_and_by_repetition() {
    let text = "茶园访谈\n记者：今年收成怎么样？\n张山：很好。\n雨水也足。\n记者：价格呢？\n张山：涨了一些。";
    let blocks = told(text);
    let spoken: Vec<(Option<&str>, &str)> = blocks
        .iter()
        .map(|block| (block.speaker.as_deref(), block.text.as_str()))
        .collect();
    assert_eq!(spoken[1], (Some("记者"), "今年收成怎么样？"));
    assert_eq!(spoken[2], (Some("张山"), "很好。"));
    assert_eq!(spoken[3], (Some("张山"), "雨水也足。"));
    assert_eq!(spoken[5], (Some("张山"), "涨了一些。"));
}

#[test]
fn every_decision_names_its_rule_and_how_sure_it_is() {
    let blocks = told(&format!("茶\n一、概况\n{LONG}"));
    assert_eq!(blocks[1].rule.as_deref(), Some("chinese-number"));
    assert!(blocks[1].confidence.is_some_and(|share| share > 0.9));
    assert!(
        blocks[1]
            .why
            .as_deref()
            .is_some_and(|why| why.contains("总体要求"))
    );
    assert_eq!(
        (blocks[2].rule.as_deref(), blocks[2].confidence),
        (None, Some(1.0))
    );
    let validator = json_schema("block", &BlockJson::json_schema());
    for block in &blocks {
        let value = serde_json::to_value(block).unwrap();
        assert!(validator.is_valid(&value), "{value}");
    }
}

#[test]
fn a_title_that_a_document_came_with_is_its_first_block() {
    let mut titled = Document::from_text("a", format!("{LONG}\n{LONG}"));
    titled.title = Some("山村茶园调查。".to_owned());
    let reader = reader();
    let both = [
        titled,
        Document::from_text("a", format!("山村茶园调查\n{LONG}\n{LONG}")),
    ];
    for document in both {
        let found = reader.structured(&document);
        assert_eq!(found.blocks[0].kind, BlockKind::Heading(0));
        assert_eq!(found.blocks.len(), 3);
        assert!(!found.plain);
    }
}

#[test]
fn asides_stay_in_the_document_and_out_of_the_tree() {
    let text = format!("山村茶园调查\n本报记者 张山\n{LONG}\n（完）");
    let mut document = Document::from_text("a", text.as_str());
    let analysis = reader().segment(&mut document);
    assert_eq!(document.blocks.len(), 4);
    assert!(
        analysis
            .edus
            .iter()
            .all(|edu| document.blocks[edu.block].kind.is_content())
    );
    assert!(document.is_segmented());
    let wire = serde_json::to_string(&document).unwrap();
    assert!(
        wire.contains("本报记者 张山") && wire.contains("\"aside\""),
        "{wire}"
    );
    let kept = reader().with_structure(Structure::Keep);
    let all = kept.segment(&mut Document::from_text("a", text.as_str()));
    assert!(all.edus.len() > analysis.edus.len());
    let none = reader().with_structure(Structure::None);
    let plain = Document::from_text("a", text.as_str());
    assert!(
        none.structured(&plain)
            .blocks
            .iter()
            .all(|block| block.kind == BlockKind::Paragraph)
    );
}

#[test]
fn documents_with_blocks_and_grammars_without_block_rules_are_left_alone() {
    let known = Document::from_edus("a", [["一、概况"], [LONG]]);
    assert_eq!(*reader().structured(&known), known);
    let grammar: Grammar = embedded_grammar("seed/connectives").unwrap();
    let engine = Engine::new(grammar);
    let plain = Document::from_text("a", format!("一、概况\n{LONG}"));
    assert!(engine.block_rules().is_none());
    assert_eq!(*engine.analyzer().structured(&plain), plain);
}

#[test]
fn counts_decide_too() {
    let text = "grammar a\nschema \"general\"\nblock heading 1 x 9\n  when line.chars <= 4\nblock paragraph x 1\n  when line.chars <= 4\n";
    let grammar: Grammar = text.parse().unwrap();
    let rules = BlockRules::new(&grammar).unwrap();
    let blocks = tell_blocks(
        &mut Document::from_text("a", "概况\n今年春茶很多。"),
        Some(&rules),
    );
    assert_eq!(
        (blocks[0].level, blocks[0].confidence),
        (Some(1), Some(0.9))
    );
    assert_eq!(blocks[1].kind, "paragraph");
}
