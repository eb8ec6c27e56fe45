//! Times that no calendar knows: 近日, 春节期间, 三个月后.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value};

use super::super::super::chinese::{PrefixSet, chinese};
use super::super::super::numeral::whole;
use super::{Parsed, Shape, begins, follows_numeral, no};

/// Words for times that no calendar knows.
pub(super) fn vague(input: &str) -> Parsed<'_, Shape> {
    let (rest, _) = alt((vague_word, festival, count_of_time)).parse(input)?;
    Ok((rest, Shape::Vague))
}

fn vague_word(input: &str) -> Parsed<'_, ()> {
    take_one_of(&chinese().time.vague, input)
}

/// 春节, 五一假期: a feast by itself, or what is a time only with what stands behind it.
fn festival(input: &str) -> Parsed<'_, ()> {
    let words = &chinese().time;
    let feast = take_one_of(&words.festival, input);
    let stands_alone = feast.is_ok();
    let (rest, ()) = feast.or_else(|_| take_one_of(&words.holiday, input))?;
    match take_one_of(&words.around_festival, rest) {
        Err(_) if stands_alone => Ok((rest, ())),
        found => found,
    }
}

/// Passes over the longest of the words that the input begins with.
fn take_one_of<'i>(words: &PrefixSet, input: &'i str) -> Parsed<'i, ()> {
    match words.longest_at_start_of(input) {
        Some(word) => Ok((&input[word.len()..], ())),
        None => Err(no(input)),
    }
}

/// 三个月后, 两年前, 10多天来, 过去三年, 未来五年, 近三个月.
fn count_of_time(input: &str) -> Parsed<'_, ()> {
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
    let (rest, (before, _, _, _, after)) = (
        opt(before),
        number,
        opt(alt((tag("多"), tag("余")))),
        unit_of_time,
        opt(side_of_time),
    )
        .parse(input)?;
    // 三年内容, 两年前往, 几天来自: the last character belongs to the next word.
    let cuts_word = |after: &str| {
        let word = &input[input.len() - rest.len() - after.len()..];
        let words = &chinese().time.behind_count;
        words.longest_at_start_of(word).is_some()
    };
    match (before, after) {
        (None, None) => Err(no(input)),
        (_, Some(after)) if cuts_word(after) => Err(no(input)),
        _ => Ok((rest, ())),
    }
}

/// What is counted: 三年, 两个多月, 五个交易日.
fn unit_of_time(input: &str) -> Parsed<'_, &str> {
    alt((
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
    ))
    .parse(input)
}

/// On which side of the count the time lies: 三天后, 两年前, 几年来.
fn side_of_time(input: &str) -> Parsed<'_, &str> {
    alt((
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
    ))
    .parse(input)
}

/// The first characters of what is counted, and what may stand before it.
fn counts_time(c: char) -> bool {
    matches!(
        c,
        '年' | '个' | '星' | '周' | '天' | '日' | '小' | '分' | '多' | '余'
    )
}
