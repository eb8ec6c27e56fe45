//! Summaries as a specification: what each method takes, what comes along, what is left out.

use arsg::diagnostic::Source;
use arsg::summarize::{
    Fit, Landscape, Length, Method, Order, Priority, SourceText, Summary, SummaryJson,
    SummaryLayout, SummaryOptions, UnitKind, contradictions, priority_sequence, summarize, to_html,
    to_markdown, to_text, units,
};
use arsg::text::Document;
use arsg::tree::{Builder, Child, Edu, NodeId, Role, Roles, Tree};
use proptest::prelude::*;

use crate::fixtures::FINANCE;

fn text(id: &str, body: &str) -> SourceText {
    let document = Document::from_text(id, body);
    let analysis = FINANCE.analyzer.analyze(&document);
    SourceText::new(document, analysis)
}

/// A text of one paragraph that comes with its EDUs, and a tree over them.
fn parsed(
    id: &str,
    edus: &[&str],
    draw: impl FnOnce(&mut Builder, &[NodeId]) -> NodeId,
) -> SourceText {
    let document = Document::from_edus(id, [edus.to_vec()]);
    let analysis = FINANCE.analyzer.analyze(&document);
    let mut builder = Builder::over(edus.iter().map(|edu| Edu::new(*edu)));
    let leaves = builder.leaves();
    let root = draw(&mut builder, &leaves);
    SourceText::new(document, analysis).with_tree(Some(builder.finish(root).unwrap()))
}

fn shown(summary: &Summary) -> Vec<&str> {
    summary
        .lines
        .iter()
        .map(|line| line.shown.as_str())
        .collect()
}

fn with(method: Method, length: Length) -> SummaryOptions {
    SummaryOptions::default().method(method).length(length)
}

/// The tree of the test, drawn by hand (N nucleus, S satellite; leaves are EDUs 1 to 7):
///
/// ```text
///                 root
///             N /      \ S
///           joint      elaboration
///      N /  N |  \ N      S /   \ N
///    cause    4   5        6     7
///   N /  \ S
///  purpose 3
///  S / \ N
///   1   2
/// ```
fn drawn_by_hand() -> Tree {
    let mut b = Builder::over((1..=7).map(|n| Edu::new(n.to_string())));
    let l = b.leaves();
    let purpose = b
        .join(l[0], l[1], Roles::SatelliteNucleus, Some("purpose".into()))
        .unwrap();
    let cause = b
        .join(purpose, l[2], Roles::NucleusSatellite, Some("cause".into()))
        .unwrap();
    let nucleus = |node| Child {
        node,
        role: Role::Nucleus,
        relation: Some("joint".into()),
    };
    let joint = b
        .join_all(&[nucleus(cause), nucleus(l[3]), nucleus(l[4])])
        .unwrap();
    let side = b
        .join(l[5], l[6], Roles::SatelliteNucleus, Some("context".into()))
        .unwrap();
    let root = b
        .join(
            joint,
            side,
            Roles::NucleusSatellite,
            Some("elaboration".into()),
        )
        .unwrap();
    b.finish(root).unwrap()
}

#[test]
fn algorithm_7_goes_down_the_nuclei_and_restarts_at_the_highest_sibling() {
    let order: Vec<usize> = priority_sequence(&drawn_by_hand())
        .iter()
        .map(|e| e + 1)
        .collect();
    // Down: root, joint, cause, purpose, 2. Pending then, by depth: 1 elaboration (S); 2: 4 (N), 5 (N);
    // 3: 3 (S); 4: 1 (S). The elaboration gives 7 and leaves 6 (S) at depth 2, behind the nuclei 4, 5.
    assert_eq!(order, [2, 7, 4, 5, 6, 3, 1]);
}

#[test]
fn algorithm_7_is_not_lost_in_a_deep_tree() {
    let count = 50_000;
    let mut b = Builder::over((0..count).map(|n| Edu::new(n.to_string())));
    let leaves = b.leaves();
    let mut top = leaves[count - 1];
    for leaf in leaves[..count - 1].iter().rev() {
        top = b.join(*leaf, top, Roles::NucleusSatellite, None).unwrap();
    }
    let order = priority_sequence(&b.finish(top).unwrap());
    assert_eq!(order, (0..count).collect::<Vec<_>>());
}

fn rate_cut(id: &str) -> SourceText {
    let edus = [
        "央行周三表示，",
        "将下调存款准备金率0.5个百分点，",
        "这是今年第二次下调。",
    ];
    parsed(id, &edus, |b, l| {
        let said = b
            .join(
                l[1],
                l[2],
                Roles::NucleusSatellite,
                Some("elaboration-additional".into()),
            )
            .unwrap();
        b.join(
            l[0],
            said,
            Roles::SatelliteNucleus,
            Some("attribution-positive".into()),
        )
        .unwrap()
    })
}

#[test]
fn a_chosen_edu_brings_its_attribution_and_is_closed_by_a_stop() {
    let whole = with(Method::Paper, Length::Edus(2)).whole(true);
    let summary = summarize(&[rate_cut("a")], &whole).unwrap();
    assert_eq!(
        shown(&summary),
        ["央行周三表示，将下调存款准备金率0.5个百分点。"]
    );
    assert_eq!((summary.edus, summary.lines[0].rank), (2, 1));
    let path: String = summary.lines[0]
        .path
        .iter()
        .map(|step| step.role.letter())
        .collect();
    assert_eq!(path, "NNN");
}

#[test]
fn pieces_of_one_clause_come_together() {
    let edus = ["特斯拉", "（总部位于得克萨斯）", "昨日宣布降价。"];
    let text = parsed("a", &edus, |b, l| {
        let left = b
            .join(
                l[0],
                l[1],
                Roles::NucleusSatellite,
                Some("elaboration".into()),
            )
            .unwrap();
        b.join(left, l[2], Roles::NucleusNucleus, Some("same-unit".into()))
            .unwrap()
    });
    let printed = with(Method::Paper, Length::Edus(1));
    let bare = summarize(std::slice::from_ref(&text), &printed).unwrap();
    assert_eq!(shown(&bare), ["特斯拉。"], "an EDU and no more, as printed");
    let summary = summarize(&[text], &printed.whole(true)).unwrap();
    assert_eq!(
        shown(&summary),
        ["特斯拉（总部位于得克萨斯）昨日宣布降价。"]
    );
}

#[test]
fn algorithm_8_weighs_texts_and_reads_f_from_a_formula() {
    let heavy = text("heavy", "沪指周一大涨百分之三。\n成交额突破万亿元。").with_weight(9.0);
    let light = text("light", "油价昨夜下跌百分之二。\n原油库存增加。").with_weight(2.0);
    let mut options = with(Method::Paper, Length::Edus(2));
    options.order = Some(Order::Priority);
    let summary = summarize(&[light.clone(), heavy.clone()], &options).unwrap();
    assert_eq!(
        shown(&summary),
        ["沪指周一大涨百分之三。", "成交额突破万亿元。"]
    );
    let f = |line: usize| summary.lines[line].priority;
    assert_eq!((f(0), f(1)), (9.0, 4.5));
    options.priority = Priority::read(&Source::new("f", "weight - 5 * rank")).unwrap();
    let summary = summarize(&[light, heavy], &options).unwrap();
    assert_eq!(
        shown(&summary),
        ["沪指周一大涨百分之三。", "成交额突破万亿元。"]
    );
    assert_eq!(summary.lines[1].priority, -1.0);
    assert!(Priority::read(&Source::new("f", "wieght / rank")).is_err());
}

#[test]
fn what_was_said_is_not_said_again_unless_the_paper_asks() {
    let texts = [
        text("a", "央行宣布下调基准利率。"),
        text("b", "央行宣布下调基准利率。"),
    ];
    for method in Method::ALL {
        let name = method.as_str();
        let lines = if method.is_printed() { 2 } else { 1 };
        let mut options = with(method, Length::Edus(5));
        // TextRank takes from a sentence that was said all its rank, but says it again as printed.
        assert_eq!(
            summarize(&texts, &options).unwrap().lines.len(),
            lines,
            "{name}"
        );
        options.redundancy = Some(0.5);
        assert_eq!(
            summarize(&texts, &options).unwrap().lines.len(),
            1,
            "{name}"
        );
    }
}

#[test]
fn lead_takes_the_first_of_every_text_heavy_texts_first() {
    let body = |what: &str| format!("{what}周一大涨百分之三。\n{what}成交额突破万亿元。");
    let texts = [
        text("light", &body("沪指")).with_weight(1.0),
        text("heavy", &body("恒指")).with_weight(5.0),
        text("middling", &body("标普")).with_weight(3.0),
    ];
    let expected = [
        "恒指周一大涨百分之三。",
        "标普周一大涨百分之三。",
        "沪指周一大涨百分之三。",
        "恒指成交额突破万亿元。",
    ];
    let printed = summarize(&texts, &with(Method::LeadPaper, Length::Edus(4))).unwrap();
    assert_eq!(shown(&printed), expected);
    let mut options = with(Method::Lead, Length::Edus(4));
    (options.order, options.redundancy) = (Some(Order::Priority), Some(1.0));
    assert_eq!(shown(&summarize(&texts, &options).unwrap()), expected);
}

/// Two sentences that are the same have the same rank; when one is taken, the penalty takes from the other
/// all that their only edge gave it.
#[test]
fn textrank_takes_from_what_was_said() {
    let said = "央行宣布下调存款基准利率。";
    let texts = [text("a", &format!("{said}\n{said}"))];
    let printed = with(Method::TextRankPaper, Length::Edus(9));
    let summary = summarize(&texts, &printed).unwrap();
    assert_eq!(shown(&summary), [said, said]);
    let [first, second] = [0, 1].map(|line| summary.lines[line].priority);
    assert!(first > 0.1, "{first}");
    assert!(second.abs() < 1e-9, "{second}");
}

/// Step 2 of Algorithm 8: a text weighs as much as its cube, and one text of each cube speaks for it.
#[test]
fn texts_weigh_as_much_as_their_cubes() {
    let rise = "国际油价周一上涨百分之三。";
    let ruin = "法院昨日裁定钢厂破产。";
    let mut texts: Vec<SourceText> = [rise, ruin, rise, rise]
        .iter()
        .enumerate()
        .map(|(at, body)| text(&at.to_string(), body))
        .collect();
    let landscape = Landscape::of(&texts, &FINANCE.schema, None, 1).unwrap();
    landscape.weigh(&mut texts, &[0, 1, 2, 3], 1).unwrap();
    let weights: Vec<f64> = texts.iter().map(|text| text.weight).collect();
    assert_eq!(weights, [3.0, 1.0, 3.0, 3.0]);
    let speakers: Vec<bool> = texts.iter().map(|text| text.is_representative).collect();
    assert!(speakers[1], "the only text of its cube");
    assert_eq!(speakers.iter().filter(|speaks| **speaks).count(), 2);
}

#[test]
fn the_default_method_prefers_what_several_texts_share() {
    let texts = [
        text(
            "a",
            "今年以来天气一直十分炎热。\n欧洲央行宣布下调存款利率。\n游客数量明显增加。",
        ),
        text(
            "b",
            "欧洲央行周四下调存款利率二十五个基点。\n电影票房创下新高。",
        ),
        text("c", "多家农场正在收割小麦。\n欧洲央行再度下调存款利率。"),
    ];
    let summary = summarize(&texts, &with(Method::Arsg, Length::Edus(1))).unwrap();
    assert!(shown(&summary)[0].contains("下调存款利率"), "{summary:?}");
}

/// A text of three paragraphs, the lede of which a strict reader would pass over.
const REPORT: &str = "新华社澜江5月6日电（记者 周航）澜江新桥通车了！\n此外，新桥的两端还设有观景台，游客可以免费参观。\n新桥花了21亿元。这意味着过江时间缩短一半。";

#[test]
fn a_lede_is_always_told_and_later_sentences_may_lean_on_it() {
    let summary = summarize(
        &[text("a", REPORT)],
        &with(Method::Arsg, Length::Characters(45)),
    )
    .unwrap();
    assert_eq!(
        shown(&summary),
        [
            "澜江新桥通车了！",
            "此外，新桥的两端还设有观景台，游客可以免费参观。",
            "新桥花了21亿元。"
        ]
    );
}

#[test]
fn one_text_is_told_to_the_nearest_unit_and_several_are_never_longer() {
    let of = |fit, characters| {
        let mut options = with(Method::Openings, Length::Characters(characters));
        options.fit = fit;
        let summary = summarize(&[text("a", REPORT)], &options).unwrap();
        summary.lines.len()
    };
    // Lines of 8, 24 and 9 characters.
    assert_eq!((of(None, 10), of(None, 21), of(None, 36)), (1, 2, 2));
    assert_eq!(of(None, 38), 3);
    assert_eq!(
        of(Some(Fit::AtMost), 21),
        2,
        "what is too long is skipped for what fits"
    );
    assert_eq!(of(Some(Fit::AtMost), 16), 1);
}

#[test]
fn a_text_with_content_is_never_without_a_summary() {
    for body in [
        "他表示，这将带来变化。\n这意味着什么？\n（完）",
        "股价上涨",
        "“涨了！”\n“跌了！”",
        "1、油价\n2、金价\n3、铜价",
    ] {
        for method in Method::ALL {
            let summary = summarize(&[text("a", body)], &with(method, Length::Usual)).unwrap();
            assert!(!summary.lines.is_empty(), "{body} by {method:?}");
        }
    }
}

#[test]
fn quotations_are_closed_and_relays_and_bullets_are_not_shown() {
    let body = "● 北方日报获悉，“新桥今天通车。车流平稳。”局长说。";
    let summary = summarize(
        &[text("a", body)],
        &with(Method::Openings, Length::Characters(9)),
    )
    .unwrap();
    assert_eq!(shown(&summary), ["“新桥今天通车。”"]);
}

#[test]
fn nobody_speaks_without_a_name() {
    let body =
        "他表示，公司明年将扩大产能。\n特斯拉首席财务官周五出席业绩会。\n他还表示，成本正在下降。";
    for method in [Method::Arsg, Method::Lead, Method::TextRank, Method::Mmr] {
        let mut body = body.to_owned();
        body.insert_str(0, "特斯拉昨日公布三季度财报。\n");
        let summary = summarize(&[text("a", &body)], &with(method, Length::Edus(2))).unwrap();
        let lines = shown(&summary);
        for (at, line) in lines.iter().enumerate() {
            assert!(!line.starts_with('他') || at > 0, "{lines:?}");
        }
    }
}

/// What of `bodies`, the sentences behind the first of a text, may stand in a summary of two texts.
fn standing_alone(sentences: &[&str]) -> Vec<String> {
    let other = text("b", "欧洲央行周四宣布维持利率不变。");
    let mut found = Vec::new();
    for sentence in sentences {
        // A question before it is never taken, so that there is nothing to lean on.
        let body = format!("东海证券周三发布年度展望。\n后市怎么看？{sentence}");
        let texts = [text("a", &body), other.clone()];
        let options = with(Method::Lead, Length::Words(500));
        let summary = summarize(&texts, &options).unwrap();
        let is_shown = shown(&summary).iter().any(|line| line == sentence);
        found.extend(is_shown.then(|| (*sentence).to_owned()));
    }
    found
}

#[test]
fn sentences_that_need_another_one_do_not_stand_among_other_texts() {
    let orphans = [
        "据悉，这笔资金将用于建设新的数据中心。",
        "在此之前，北海航运的股价一度跌停。",
        "从战略角度看，此次收购对远山集团意义重大。",
        "需求持续增长，而我们的产能却存在限制。",
        "已服务1.3万家企业客户、累计支持170个模型。",
        "报告期公司主要产品价格同比上升。",
        "年报将毛利率改善归因于成本管理。",
        "为应对增长的需求，两家公司均在扩张产能。",
        "游戏业务：预计2026年收入同比增长12%。",
        "林一帆：去年公司收入增长超过一倍。",
        "操作规模合计达21000亿元。",
        "单纯出售软件，很难形成长期壁垒。",
    ];
    assert_eq!(standing_alone(&orphans), Vec::<String>::new());
}

#[test]
fn sentences_that_say_who_and_when_stand_among_other_texts() {
    let whole = [
        "东海证券认为，明年出口将温和回升。",
        "截至周五收盘，上证指数上涨0.34%。",
        "据新华社报道，两国将于周一在日内瓦重启谈判。",
        "今年前五个月，全国工业企业利润同比增长18.8%。",
        "远山集团宣布收购北海航运，两家公司周四签署协议。",
        "一、二季度，中国出口分别增长3%和5%。",
        "美股市场：三大指数周一全线上涨。",
        "“十五五”规划建议已经发布，北京将率先试点。",
    ];
    assert_eq!(standing_alone(&whole), whole);
}

#[test]
fn fragments_items_and_words_that_nobody_says_are_passed_over() {
    let fragments = [
        "（简称“标的公司”）收购了北海航运的全部股权。",
        "2、北海航运海外收入大幅增长，盈利有所提升。",
        "③远山集团计划明年在上海建厂。",
        "“新规限制了财务投资的比例，上海的企业因此受益。”",
        "东海证券发布此内容旨在传播更多信息，与本平台立场无关。",
    ];
    assert_eq!(standing_alone(&fragments), Vec::<String>::new());
}

#[test]
fn an_announcement_opens_its_own_text_only() {
    let digest = "周末重要资讯有：央行宣布降准；两部门发布购房新政。\n统计局周六公布工业利润。";
    let alone = summarize(&[text("a", digest)], &with(Method::Arsg, Length::Words(40)));
    assert!(shown(&alone.unwrap())[0].starts_with("周末重要资讯有"));
    let texts = [text("a", digest), text("b", "统计局周六公布工业利润。")];
    let both = summarize(&texts, &with(Method::Arsg, Length::Words(90))).unwrap();
    assert!(!shown(&both).iter().any(|line| line.contains("重要资讯有")));
}

#[test]
fn headings_fragments_and_notes_of_the_page_are_passed_over() {
    let body = "今日热点导览\n央行宣布下调基准利率。\n责任编辑：张三，未经授权不得转载本文内容。\n（界面新闻）";
    let summary = summarize(&[text("a", body)], &with(Method::Arsg, Length::Edus(9))).unwrap();
    assert_eq!(shown(&summary), ["央行宣布下调基准利率。"]);
}

#[test]
fn contradictions_stand_side_by_side() {
    let dated = |id: &str, body: &str| {
        let mut document = Document::from_text(id, body);
        document.date = Some(jiff::civil::date(2019, 9, 2));
        let analysis = FINANCE.analyzer.analyze(&document);
        SourceText::new(document, analysis)
    };
    let texts = [
        dated("a", "2019年8月，万科销售额同比增长12%。"),
        dated("b", "2019年8月，万科销售额同比下降3%。"),
    ];
    let options = with(Method::Arsg, Length::Edus(1));
    let summary = summarize(&texts, &options).unwrap();
    let found = contradictions(&texts, &summary);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_ne!(found[0].said.0, found[0].against.0);
    let json = SummaryJson::of(&texts, &summary, &found, &options);
    assert!(to_text(&json, SummaryLayout { explain: true }).contains("  ! "));
    let agreeing = [
        texts[0].clone(),
        dated("c", "2019年8月，万科销售额同比增长12.3%。"),
    ];
    let summary = summarize(&agreeing, &options).unwrap();
    assert!(contradictions(&agreeing, &summary).is_empty());
}

#[test]
fn a_text_does_not_contradict_itself() {
    let told = |between: &str| {
        let body =
            format!("2019年8月，公司净利润同比增长12%。{between}2019年8月，公司净利润同比下降3%。");
        let text = [text("a", &body)];
        let summary = summarize(&text, &with(Method::Arsg, Length::Edus(9))).unwrap();
        contradictions(&text, &summary).len()
    };
    assert_eq!((told(""), told("\n")), (0, 0));
}

#[test]
fn nothing_little_and_much_are_summarized_sensibly() {
    for method in Method::ALL {
        let name = method.as_str();
        let options = with(method, Length::Edus(3));
        assert!(summarize(&[], &options).unwrap().lines.is_empty(), "{name}");
        assert!(
            summarize(&[text("a", "")], &options)
                .unwrap()
                .lines
                .is_empty(),
            "{name}"
        );
        let marks = summarize(&[text("a", "……！！")], &options).unwrap();
        assert!(marks.lines.is_empty(), "{name}: {marks:?}");
        let one = summarize(&[text("a", "降息。"), text("b", "")], &options).unwrap();
        assert_eq!(shown(&one), ["降息。"], "{name}");
    }
}

#[test]
fn five_thousand_texts_are_no_trouble() {
    let texts: Vec<SourceText> = (0..5000)
        .map(|n| {
            let body = format!("第{n}家公司昨日公布业绩。\n净利润增长{n}万元。\n股价上涨。");
            text(&n.to_string(), &body)
        })
        .collect();
    for method in [
        Method::Arsg,
        Method::Paper,
        Method::Lead,
        Method::TextRank,
        Method::Mmr,
    ] {
        let summary = summarize(&texts, &with(method, Length::Words(60))).unwrap();
        assert!((1..=60).contains(&summary.words), "{}", method.as_str());
    }
}

#[test]
fn units_tile_the_text() {
    let text = text(
        "a",
        "央行宣布降息，市场大涨；分析师认为，牛市来了。成交放大。\n完。",
    );
    for kind in UnitKind::ALL {
        let units = units(&text.analysis, kind);
        let edus: Vec<usize> = units.iter().flat_map(|unit| unit.edus.clone()).collect();
        assert_eq!(edus, (0..text.analysis.edus.len()).collect::<Vec<_>>());
    }
    assert_eq!(units(&text.analysis, UnitKind::Sentence).len(), 3);
}

#[test]
fn pages_and_lists_escape_what_they_show() {
    let mut document = Document::from_text("a", "公司A<b>&B昨日宣布合并。");
    document.title = Some("A_*B <合并>".to_owned());
    let analysis = FINANCE.analyzer.analyze(&document);
    let texts = [SourceText::new(document, analysis)];
    let options = with(Method::Lead, Length::Edus(1));
    let summary = summarize(&texts, &options).unwrap();
    let json = SummaryJson::of(&texts, &summary, &[], &options);
    let page = to_html(&json, SummaryLayout { explain: true });
    assert!(
        page.contains("A&lt;b&gt;&amp;B") && !page.contains("<合并>"),
        "{page}"
    );
    let list = to_markdown(&json, SummaryLayout::default());
    assert!(list.contains("A\\_\\*B \\<合并>"), "{list}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the text, a summary keeps to its length, shows only what is there, and the same again.
    #[test]
    fn any_text_any_length(
        bodies in prop::collection::vec("[央行降息股价上涨下跌他表示，。；：“”（）、\n0-9a-c？！%]{0,80}", 0..5),
        words in 1usize..40,
    ) {
        let texts: Vec<SourceText> = bodies.iter().map(|body| text("t", body)).collect();
        for method in [Method::Arsg, Method::Paper, Method::Lead, Method::TextRank, Method::Mmr] {
            let options = with(method, Length::Words(words));
            let summary = summarize(&texts, &options).unwrap();
            // One text is told to the nearest unit.
            let longest = summary.lines.iter().map(|line| line.words).max().unwrap_or(0);
            let is_near = texts.len() == 1 && summary.words - longest < words;
            prop_assert!(summary.words <= words || summary.lines.len() == 1 || is_near);
            prop_assert_eq!(&summary, &summarize(&texts, &options).unwrap());
            for line in &summary.lines {
                prop_assert!(line.words > 0 && !line.shown.is_empty());
                let edus = &texts[line.text].analysis.edus;
                prop_assert!(line.edus.iter().all(|range| range.end <= edus.len()));
            }
        }
    }
}
