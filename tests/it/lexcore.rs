//! Lexical cores: snapshots of hand-written sentences, and how much of hand-found events is found.

use arsg::lexcore::{Core, Extractor, Part};
use arsg::text::{Analysis, Document};

use crate::fixtures::{Domain, FINANCE, GENERAL};

/// A hand-found event.
#[derive(serde::Deserialize)]
struct Event {
    time: String,
    who: Vec<String>,
    state: String,
}

#[derive(serde::Deserialize)]
struct Text {
    text: String,
    cores: Vec<Event>,
}

#[derive(serde::Deserialize)]
struct Gold {
    text: Vec<Text>,
}

/// Found, right and wanted, for precision and recall.
#[derive(Default, Debug, Clone, Copy)]
struct Count {
    found: usize,
    right: usize,
    wanted: usize,
    met: usize,
}

impl Count {
    fn f1(self) -> f64 {
        let precision = self.right as f64 / self.found.max(1) as f64;
        let recall = self.met as f64 / self.wanted.max(1) as f64;
        2.0 * precision * recall / (precision + recall).max(1e-9)
    }
}

fn overlaps(a: &str, b: &str) -> bool {
    !a.is_empty() && !b.is_empty() && (a.contains(b) || b.contains(a))
}

fn words<'a>(document: &'a Document, part: &Option<Part>) -> &'a str {
    part.as_ref().map_or("", |part| document.slice(&part.range))
}

fn analyze(domain: &Domain, document: &Document) -> (Analysis, Vec<Core>) {
    let analysis = domain.analyzer.analyze(document);
    let cores = Extractor::new(&domain.schema).extract(document, &analysis);
    (analysis, cores)
}

/// What was found of the gold cores of texts: times, participants, states and whole cores (a core is
/// right when its state and one of its participants are, roles free).
#[derive(Default)]
struct Score {
    time: Count,
    participants: Count,
    state: Count,
    core: Count,
}

/// The event that a state means: one that is spelled the same, else the one that shares most with
/// it; of two like ones the one that nobody has claimed yet.
fn meant(events: &[Event], claimed: &[bool], state: &str) -> Option<usize> {
    let overlapping = (0..events.len()).filter(|&at| overlaps(state, &events[at].state));
    overlapping.max_by_key(|&at| {
        let event = events[at].state.as_str();
        let shared = event.len().min(state.len());
        let free = !claimed[at];
        (event == state, shared, free, std::cmp::Reverse(at))
    })
}

impl Score {
    /// Overlap counts of the cores of gold texts.
    fn of(gold: &str) -> Score {
        let gold: Gold = toml::from_str(gold).unwrap();
        let mut score = Score::default();
        for text in &gold.text {
            let document = Document::from_text("a", text.text.as_str());
            let (_, cores) = analyze(&GENERAL, &document);
            let mut claimed = vec![false; text.cores.len()];
            for core in &cores {
                score.count_found(&document, core, &text.cores, &mut claimed);
            }
            for (event, claimed) in text.cores.iter().zip(&claimed) {
                score.time.wanted += usize::from(!event.time.is_empty());
                score.participants.wanted += event.who.len();
                score.state.wanted += 1;
                score.core.wanted += 1;
                if !claimed {
                    println!("missed: {} | {:?} | {}", event.time, event.who, event.state);
                }
            }
        }
        score
    }

    fn count_found(
        &mut self,
        document: &Document,
        core: &Core,
        events: &[Event],
        claimed: &mut [bool],
    ) {
        let state = document.slice(&core.state.range);
        let parts = [words(document, &core.agent), words(document, &core.object)];
        let time = words(document, &core.time);
        let meant = meant(events, claimed, state);
        let event = meant.map(|at| &events[at]);
        let takes_part =
            |part: &str| event.is_some_and(|event| event.who.iter().any(|who| overlaps(part, who)));
        let right_parts = parts.iter().filter(|part| takes_part(part)).count();
        let right_time = event.is_some_and(|event| overlaps(time, &event.time));
        let undated = event.is_some_and(|event| event.time.is_empty());
        let whole = right_parts > 0;
        self.state.found += 1;
        self.state.right += usize::from(event.is_some());
        self.participants.found += parts.iter().filter(|part| !part.is_empty()).count();
        self.participants.right += right_parts;
        self.time.found += usize::from(!time.is_empty() && !undated);
        self.time.right += usize::from(right_time);
        self.core.found += 1;
        self.core.right += usize::from(whole);
        if let (Some(at), Some(event)) = (meant, event)
            && !claimed[at]
        {
            claimed[at] = true;
            let met = |who: &&String| parts.iter().any(|part| overlaps(part, who));
            self.state.met += 1;
            self.time.met += usize::from(right_time);
            self.participants.met += event.who.iter().filter(met).count();
            self.core.met += usize::from(whole);
        }
        if !whole || !right_time {
            println!("wrong: {time} | {} | {} | {state}", parts[0], parts[1]);
        }
    }

    /// F1 of times, participants, states and cores, in percent, as a line.
    fn line(&self) -> String {
        let [time, participants, state, core] = self.f1().map(|f1| 100.0 * f1);
        format!(
            "time {time:.1}, agent + object {participants:.1}, state {state:.1}, core {core:.1}"
        )
    }

    fn f1(&self) -> [f64; 4] {
        [self.time, self.participants, self.state, self.core].map(Count::f1)
    }

    /// Holds that no F1 falls below its floor.
    fn holds(&self, floors: [f64; 4]) {
        println!("{}", self.line());
        for (f1, floor) in self.f1().into_iter().zip(floors) {
            assert!(f1 >= floor, "{}, floors {floors:?}", self.line());
        }
    }
}

/// Texts that the rules and lists were written with.
#[test]
fn most_hand_found_events_are_found() {
    let score = Score::of(include_str!("../cores/general.toml"));
    score.holds([0.87, 0.88, 0.96, 0.93]);
}

/// Texts that nobody looked at while the rules and lists were written.
#[test]
fn events_of_unseen_texts_are_found() {
    let score = Score::of(include_str!("../cores/unseen.toml"));
    score.holds([0.65, 0.61, 0.79, 0.67]);
}

#[test]
fn an_exact_state_is_meant_before_a_longer_one() {
    let event = |state: &str| Event {
        time: String::new(),
        who: Vec::new(),
        state: state.to_owned(),
    };
    let events = ["食物中毒", "说", "中毒", "说"].map(event);
    assert_eq!(meant(&events, &[false; 4], "中毒"), Some(2));
    assert_eq!(meant(&events, &[false; 4], "说"), Some(1));
    assert_eq!(meant(&events, &[false, true, false, false], "说"), Some(3));
    assert_eq!(meant(&events, &[false; 4], "死亡"), None);
}

/// A core as a line: when | who | what | how; what is inherited in parentheses.
fn line(document: &Document, core: &Core) -> String {
    let cell = |part: &Option<Part>| match part {
        None => "-".to_owned(),
        Some(part) if part.is_inherited() => format!("({})", document.slice(&part.range)),
        Some(part) => document.slice(&part.range).to_owned(),
    };
    let when = core.when.map(|when| format!(" = {when}"));
    let denied = if core.negated { "not " } else { "" };
    let mut line = format!(
        "{}{} | {} | {} | {denied}{}",
        cell(&core.time),
        when.unwrap_or_default(),
        cell(&core.agent),
        cell(&core.object),
        document.slice(&core.state.range)
    );
    if core.amount.is_some() {
        line.push_str(&format!(" {}", words(document, &core.amount)));
    }
    if core.basis.is_some() {
        line.push_str(&format!(" [{}]", words(document, &core.basis)));
    }
    line
}

fn report(text: &str) -> String {
    let document = Document {
        date: Some(jiff::civil::date(2019, 9, 12)),
        ..Document::from_text("a", text)
    };
    let (analysis, cores) = analyze(&FINANCE, &document);
    let edus = analysis.edus.iter().map(|edu| document.slice(&edu.range));
    let mut report = format!("{}\n", edus.collect::<Vec<_>>().join(" / "));
    for core in cores {
        report.push_str(&format!("    {}\n", line(&document, &core)));
    }
    report
}

#[test]
fn cores_and_edus_of_finance_sentences() {
    let sentences = include_str!("../cores/finance.txt");
    let reports = sentences.lines().map(|sentence| match sentence {
        heading if heading.starts_with('#') => format!("\n{heading}\n"),
        sentence => report(sentence),
    });
    insta::assert_snapshot!(reports.collect::<String>());
}

/// The example of the paper's Section 3, in Chinese.
#[test]
fn the_papers_example() {
    insta::assert_snapshot!(report(
        "2019年1月，国际货币基金组织提示全球经济下行风险。经济增长已越过峰值。国际货币基金组织下调了发达经济体、\
         新兴市场和发展中经济体的增长预期。联合国的一份报告指出，2020年美国经济增速将放缓至2.2%，\
         欧盟经济增速将维持在2%，中国经济增速将从6.9%降至6.3%。"
    ));
}

/// News like the paper's excerpts: a minister's speech, and consumer prices.
#[test]
fn news_like_the_papers_excerpts() {
    insta::assert_snapshot!(report(
        "2019年9月1日，工业和信息化部副部长应邀作专题报告。他指出，70年来，我国制造业实现历史性突破，综合实力稳步提升，\
         创新能力明显增强，开放水平大幅提升。\n\
         国家统计局调查总队最新监测数据显示：8月份我市CPI同比上涨2.4%。其中，食品价格上涨4.8%，非食品价格上涨1.9%；\
         消费品价格上涨2.3%，服务价格上涨2.5%。1—8月平均，我市CPI比上年同期上涨2.2%。"
    ));
}

/// The cores of a text of no domain, a line each: when | who | what | how.
fn told(text: &str) -> Vec<String> {
    let document = Document::from_text("a", text);
    let (_, cores) = analyze(&GENERAL, &document);
    cores
        .iter()
        .map(|core| told_line(&document, core))
        .collect()
}

fn told_line(document: &Document, core: &Core) -> String {
    let line = line(
        document,
        &Core {
            time: None,
            when: None,
            ..core.clone()
        },
    );
    format!(
        "{}{}",
        words(document, &core.time),
        line.trim_start_matches('-')
    )
}

#[test]
fn statements_perception_and_appearance_are_states() {
    assert_eq!(
        told("12日，村民李强告诉记者，他看见两名男子跑进树林。专家认为，附近可能出现积水。"),
        [
            "12日 | 村民李强 | 记者 | 告诉",
            "12日 | 他 | 两名男子 | 看见",
            "12日 | 两名男子 | 树林 | 跑进",
            "12日 | 专家 | - | 认为",
            "12日 | 附近 | 积水 | 出现",
            "12日 | 附近 | - | 积水",
        ]
    );
}

/// The event is the noun that a light verb carries, whoever suffers or does it.
#[test]
fn light_verbs_give_way_to_their_events() {
    assert_eq!(
        told("5日，法院对这起特大诈骗案作出判决。一家商场遭到袭击，造成3人死亡。"),
        [
            "5日 | 法院 | 这起特大诈骗案 | 判决",
            "5日 | 一家商场 | - | 袭击",
            "5日 | 3人 | - | 死亡",
        ]
    );
}

/// The subject goes on through a sentence and not beyond (nobody is told of who searches); a passive verb
/// makes it the object.
#[test]
fn the_subject_goes_on_to_the_end_of_its_sentence() {
    assert_eq!(
        told("伤者从浓烟里爬出，随后被送往医院。立即展开搜救。"),
        [" | 伤者 | 浓烟 | 爬出", "随后 | (伤者) | 医院 | 送往",]
    );
}

/// Verbs that say which one, how, or that something merely is.
#[test]
fn what_identifies_or_describes_is_no_state() {
    assert_eq!(
        told("一辆满载乘客的客车驶入车站。他哭着离开了。学校有学生300人。"),
        [" | 客车 | 车站 | 驶入", " | 他 | - | 离开"]
    );
}

/// What is said may lie in another time; the next sentence is back in the story's.
#[test]
fn the_time_of_what_is_said_ends_with_its_sentence() {
    assert_eq!(
        told("9月1日，发言人宣布，总统将于下周访问邻国。反对党表示欢迎。"),
        [
            "9月1日 | 发言人 | - | 宣布",
            "下周 | 总统 | 邻国 | 访问",
            "9月1日 | 反对党 | - | 表示",
            "9月1日 | 反对党 | - | 欢迎",
        ]
    );
}

/// Where the news comes from is no time and nobody of the story.
#[test]
fn datelines_are_left_out() {
    assert_eq!(
        told("新华社喀布尔5月3日电 一处集市3日上午发生爆炸。"),
        ["3日上午 | 一处集市 | - | 爆炸"]
    );
}
