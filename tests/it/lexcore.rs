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

/// Overlap F1 of times, participants, states and whole cores (a core is right when its state and
/// one of its participants are, roles free).
fn score(verbose: bool) -> [f64; 4] {
    let gold: Gold = toml::from_str(include_str!("../cores/general.toml")).unwrap();
    let mut counts = [Count::default(); 4];
    for text in &gold.text {
        let document = Document::from_text("a", text.text.as_str());
        let (_, cores) = analyze(&GENERAL, &document);
        let mut claimed = vec![false; text.cores.len()];
        for core in &cores {
            let state = document.slice(&core.state.range);
            let parts = [
                words(&document, &core.agent),
                words(&document, &core.object),
            ];
            let event = text
                .cores
                .iter()
                .position(|event| overlaps(state, &event.state));
            let event = event.map(|at| (at, &text.cores[at]));
            let right_state = event.is_some();
            counts[2].found += 1;
            counts[2].right += usize::from(right_state);
            let named = parts.iter().filter(|part| !part.is_empty());
            let right_parts = named
                .clone()
                .filter(|part| {
                    event.is_some_and(|(_, event)| event.who.iter().any(|who| overlaps(part, who)))
                })
                .count();
            counts[1].found += named.count();
            counts[1].right += right_parts;
            let time = words(&document, &core.time);
            counts[0].found += usize::from(!time.is_empty());
            counts[0].right +=
                usize::from(event.is_some_and(|(_, event)| overlaps(time, &event.time)));
            counts[3].found += 1;
            let whole = right_state && right_parts > 0;
            counts[3].right += usize::from(whole);
            if let Some((at, event)) = event {
                if !claimed[at] {
                    counts[2].met += 1;
                    counts[0].met += usize::from(overlaps(time, &event.time));
                    counts[1].met += event
                        .who
                        .iter()
                        .filter(|who| parts.iter().any(|part| overlaps(part, who)))
                        .count();
                    counts[3].met += usize::from(whole);
                }
                claimed[at] = true;
            }
            if verbose && !whole {
                println!("wrong: {time} | {} | {} | {state}", parts[0], parts[1]);
            }
        }
        for (event, claimed) in text.cores.iter().zip(&claimed) {
            counts[0].wanted += 1;
            counts[1].wanted += event.who.len();
            counts[2].wanted += 1;
            counts[3].wanted += 1;
            if verbose && !claimed {
                println!("missed: {} | {:?} | {}", event.time, event.who, event.state);
            }
        }
    }
    counts.map(Count::f1)
}

#[test]
fn most_hand_found_events_are_found() {
    let [time, participants, state, core] = score(true);
    println!("time {time:.3}, agent + object {participants:.3}, state {state:.3}, core {core:.3}");
    assert!(time >= 0.80, "time {time}");
    assert!(participants >= 0.70, "agent + object {participants}");
    assert!(state >= 0.80, "state {state}");
    assert!(core >= 0.70, "core {core}");
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
