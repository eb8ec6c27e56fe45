//! Writes made-up finance news as document JSON lines, for runs at full size:
//!
//!     cargo run --release --example made_news -- 261000 7 > made.jsonl
//!
//! Every text is about one of some hundred topics (a market, a commodity, a company), on one day;
//! its sentences tell when, who, what and how. The same number and seed give the same texts.

use std::io::{BufWriter, Write};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PLACES: &[&str] = &[
    "北京", "上海", "深圳", "广州", "天津", "重庆", "南京", "杭州", "武汉", "成都", "西安", "青岛",
    "大连", "厦门", "苏州", "长沙", "郑州", "沈阳", "合肥", "福州",
];
const TRADES: &[&str] = &[
    "钢铁", "汽车", "地产", "银行", "保险", "证券", "煤炭", "电力", "石油", "化工", "医药", "食品",
    "纺织", "家电", "电子", "通信", "航空", "航运", "水泥", "有色",
];
const ENDINGS: &[&str] = &["集团", "股份", "公司", "控股", "实业"];
const GOODS: &[&str] = &[
    "黄金",
    "白银",
    "原油",
    "铜",
    "铝",
    "大豆",
    "玉米",
    "小麦",
    "棉花",
    "白糖",
    "橡胶",
    "螺纹钢",
    "铁矿石",
    "焦炭",
    "天然气",
    "猪肉",
    "鸡蛋",
    "苹果",
    "棕榈油",
    "锌",
];
const MEASURES: &[&str] = &[
    "价格",
    "销量",
    "产量",
    "出口量",
    "进口量",
    "库存",
    "净利润",
    "营业收入",
    "股价",
    "成交额",
    "市值",
    "毛利率",
    "订单",
    "投资额",
];
const CHANGES: &[&str] = &[
    "上涨", "下跌", "增长", "下滑", "回升", "回落", "攀升", "下挫", "反弹", "大涨", "大跌", "走高",
    "走低", "增加", "减少", "飙升",
];
const DEEDS: &[&str] = &[
    "收购", "增持", "减持", "发布", "推出", "签署", "获得", "投资", "回购", "出售",
];
const MATTERS: &[&str] = &[
    "股份",
    "新产品",
    "合作协议",
    "订单",
    "年度报告",
    "融资计划",
    "生产线",
    "子公司",
    "债券",
    "专利",
];

/// What a text is about.
struct Topic {
    companies: Vec<String>,
    goods: Vec<&'static str>,
    changes: Vec<&'static str>,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| {
        let given = arguments.next().and_then(|text| text.parse().ok());
        given.unwrap_or(default)
    };
    let (texts, seed) = (number(1000), number(7));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let topics: Vec<Topic> = (0..400).map(|_| topic(&mut random)).collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for text in 0..texts {
        let Some(topic) = topics.choose(&mut random) else {
            break;
        };
        let (year, month, day) = (
            random.random_range(2010..2013),
            random.random_range(1..=12),
            random.random_range(1..=28),
        );
        let sentences = random.random_range(5..16);
        let body: String = (0..sentences)
            .map(|_| sentence(topic, &mut random))
            .collect();
        let line = serde_json::json!({
            "id": format!("made-{text}"),
            "date": format!("{year}-{month:02}-{day:02}"),
            "title": format!("{}{}", topic.companies[0], topic.changes[0]),
            "text": body,
        });
        writeln!(out, "{line}")?;
    }
    out.flush()
}

fn some<T: Copy>(from: &[T], count: usize, random: &mut ChaCha8Rng) -> Vec<T> {
    from.sample(random, count).copied().collect()
}

fn topic(random: &mut ChaCha8Rng) -> Topic {
    let companies = (0..8).map(|_| {
        let parts = [PLACES, TRADES, ENDINGS].map(|list| some(list, 1, random));
        parts.concat().concat()
    });
    Topic {
        companies: companies.collect(),
        goods: some(GOODS, 4, random),
        changes: some(CHANGES, 4, random),
    }
}

fn sentence(topic: &Topic, random: &mut ChaCha8Rng) -> String {
    let pick = |list: &[&'static str], random: &mut ChaCha8Rng| {
        list.choose(random).copied().unwrap_or_default()
    };
    let company = topic.companies.choose(random).map_or("", String::as_str);
    let when = match random.random_range(0..5) {
        0 => format!(
            "{}月{}日，",
            random.random_range(1..=12),
            random.random_range(1..=28)
        ),
        1 => "去年，".to_owned(),
        2 => "今年上半年，".to_owned(),
        _ => String::new(),
    };
    let share = random.random_range(1..900);
    let (whole, tenth) = (share / 10, share % 10);
    let (goods, change) = (pick(&topic.goods, random), pick(&topic.changes, random));
    match random.random_range(0..4) {
        0 => format!(
            "{when}{company}{}{}。",
            pick(DEEDS, random),
            pick(MATTERS, random)
        ),
        1 => format!(
            "{when}{goods}{}{change}{whole}.{tenth}%。",
            pick(MEASURES, random)
        ),
        2 => format!(
            "{when}{company}{}{change}{whole}.{tenth}%，{goods}价格{}。",
            pick(MEASURES, random),
            pick(&topic.changes, random)
        ),
        _ => format!(
            "{when}{company}的{goods}{}同比{change}{whole}.{tenth}%。",
            pick(MEASURES, random)
        ),
    }
}
