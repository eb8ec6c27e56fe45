//! Times that no calendar knows: 近日, 春节期间, 三个月后.

use std::sync::LazyLock;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value};
use rustc_hash::FxHashMap;

use super::super::super::numeral::whole;
use super::{Parsed, Shape, begins, follows_numeral, no};

/// Words for times that no calendar knows.
pub(super) fn vague(input: &str) -> Parsed<'_, Shape> {
    let (rest, _) = alt((vague_word, festival, after_event, count_of_time)).parse(input)?;
    Ok((rest, Shape::Vague))
}

const VAGUE_WORDS: &[&str] = &[
    "近年来",
    "近几年",
    "近两年",
    "近些年",
    "近年",
    "近期",
    "近日",
    "近来",
    "近段时间",
    "日前",
    "目前",
    "当前",
    "眼下",
    "此前",
    "此后",
    "随后",
    "其后",
    "之后不久",
    "不久前",
    "不久后",
    "不久",
    "前不久",
    "最近",
    "刚刚",
    "现在",
    "现阶段",
    "如今",
    "当时",
    "此时",
    "同时期",
    "未来",
    "今后",
    "往年",
    "往日",
    "历年",
    "长期以来",
    "一直以来",
    "事后",
    "事发时",
    "事发后",
    "事发前",
    "案发后",
    "案发时",
    "案发前",
    "震后",
    "震前",
    "新世纪以来",
    "改革开放以来",
    "建国以来",
    "即日起",
    "日后",
    "稍后",
    "稍早",
    "早些时候",
    "截至目前",
    "截至发稿",
    "期间",
    "前期",
    "年来",
    "今后几年",
    "多年来",
    "多年前",
    "数年来",
    "几年前",
    "几年来",
    "数日",
    "数月",
    "半年来",
    "半年前",
    "早前",
    "早先",
    "上周末",
    "本周末",
    "双休日",
];

/// The vague words by their first character.
static VAGUE_BY_FIRST: LazyLock<FxHashMap<char, Vec<&str>>> = LazyLock::new(|| {
    let mut by_first: FxHashMap<char, Vec<&str>> = FxHashMap::default();
    for word in VAGUE_WORDS {
        if let Some(first) = word.chars().next() {
            by_first.entry(first).or_default().push(word);
        }
    }
    by_first
});

fn vague_word(input: &str) -> Parsed<'_, &str> {
    let first = input.chars().next().unwrap_or(' ');
    let words = VAGUE_BY_FIRST.get(&first).map_or(&[][..], Vec::as_slice);
    match words
        .iter()
        .filter(|word| input.starts_with(**word))
        .max_by_key(|word| word.len())
    {
        Some(word) => Ok((&input[word.len()..], word)),
        None => Err(no(input)),
    }
}

fn festival(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| {
        matches!(
            c,
            '春' | '国'
                | '元'
                | '端'
                | '中'
                | '清'
                | '劳'
                | '五'
                | '十'
                | '圣'
                | '除'
                | '双'
                | '暑'
                | '寒'
        )
    })?;
    let name = alt((
        tag("春节"),
        tag("国庆节"),
        tag("国庆"),
        tag("元旦"),
        tag("元宵节"),
        tag("端午节"),
        tag("端午"),
        tag("中秋节"),
        tag("中秋"),
        tag("清明节"),
        tag("劳动节"),
        tag("五一"),
        tag("十一"),
        tag("圣诞节"),
        tag("除夕"),
        tag("双十一"),
        tag("暑期"),
        tag("暑假"),
        tag("寒假"),
        tag("春运"),
    ));
    let tail = alt((
        tag("黄金周"),
        tag("假期"),
        tag("长假"),
        tag("期间"),
        tag("前夕"),
        tag("前后"),
        tag("当天"),
        tag("过后"),
    ));
    let (rest, (name, tail)) = (name, opt(tail)).parse(input)?;
    if tail.is_none() && !(name.ends_with('节') || name == "除夕" || name == "元旦") {
        return Err(no(input));
    }
    Ok((rest, name))
}

/// 事故发生后 is left to the cores; 地震发生后 too: only what stands for a point of time by itself.
fn after_event(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| matches!(c, '开' | '收' | '盘' | '截'))?;
    alt((
        tag("开盘后"),
        tag("收盘后"),
        tag("开市后"),
        tag("盘初"),
        tag("截至收盘"),
        tag("截至当日收盘"),
    ))
    .parse(input)
}

/// 三个月后, 两年前, 10多天来, 过去三年, 未来五年, 近三个月.
fn count_of_time(input: &str) -> Parsed<'_, &str> {
    let word = begins(input, |c| {
        matches!(
            c,
            '过' | '未' | '近' | '最' | '今' | '此' | '接' | '几' | '数' | '多' | '半'
        )
    });
    word.or_else(|_| follows_numeral(input, counts_time))?;
    let before = alt((
        tag("过去"),
        tag("未来"),
        tag("近"),
        tag("最近"),
        tag("今后"),
        tag("此后"),
        tag("接下来"),
    ));
    let number = alt((
        whole.map(|_| ()),
        value((), alt((tag("几"), tag("数"), tag("多"), tag("半")))),
    ));
    let unit = alt((
        tag("年"),
        tag("个多月"),
        tag("个月"),
        tag("个星期"),
        tag("星期"),
        tag("周"),
        tag("天"),
        tag("日"),
        tag("个小时"),
        tag("小时"),
        tag("分钟"),
        tag("个季度"),
        tag("个交易日"),
    ));
    let after = alt((
        tag("以后"),
        tag("之后"),
        tag("以前"),
        tag("之前"),
        tag("以来"),
        tag("之内"),
        tag("以内"),
        tag("后"),
        tag("前"),
        tag("来"),
        tag("内"),
        tag("间"),
        tag("里"),
    ));
    let (rest, (before, _, _, _, after)) = (
        opt(before),
        number,
        opt(alt((tag("多"), tag("余")))),
        unit,
        opt(after),
    )
        .parse(input)?;
    if before.is_none() && after.is_none() {
        return Err(no(input));
    }
    // 三年内容, 两年前往, 几天来自: the last character belongs to the next word.
    if after.is_some_and(|word| cuts_next_word(word, rest)) {
        return Err(no(input));
    }
    Ok((rest, ""))
}

/// The first characters of what is counted, and what may stand before it.
fn counts_time(c: char) -> bool {
    matches!(
        c,
        '年' | '个' | '星' | '周' | '天' | '日' | '小' | '分' | '多' | '余'
    )
}

fn cuts_next_word(after: &str, rest: &str) -> bool {
    let next = rest.chars().next().unwrap_or(' ');
    match after {
        "内" => "容部存外地".contains(next),
        "前" => "往来进景瞻提途".contains(next),
        "来" => "自到源".contains(next),
        "后" => "续期者台市备".contains(next),
        "间" => "接隔".contains(next),
        "里" => "程".contains(next),
        _ => false,
    }
}
