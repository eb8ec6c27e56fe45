//! Parts of the day and hours: 凌晨, 上午9时30分许, 14:28.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, peek, value, verify};
use nom::multi::many_m_n;
use nom::sequence::terminated;

use super::super::super::chinese::chinese;
use super::super::super::numeral::{Whole, whole};
use super::{Parsed, begins, follows_numeral, no};

/// 凌晨, 上午9时30分许, 晚10点半左右. None inside when it names a part of the day only.
pub(super) fn clock(input: &str) -> Parsed<'_, Option<(u8, u8)>> {
    let (rest, part) = opt(day_part).parse(input)?;
    let (rest, hour) = opt(hour).parse(rest)?;
    if part.is_none() && hour.is_none() {
        return Err(no(input));
    }
    let (rest, _) = opt(alt((tag("许"), tag("左右"), tag("前后")))).parse(rest)?;
    let clock = hour.map(|(hour, minute)| match part {
        Some(afternoon) if afternoon && hour < 12 => (hour + 12, minute),
        _ => (hour % 24, minute),
    });
    Ok((rest, clock))
}

/// 16日晚: one character is enough behind a day.
pub(super) fn evening(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| matches!(c, '晚' | '早' | '夜'))?;
    let (rest, part) = alt((tag("晚"), tag("早"), tag("夜"))).parse(input)?;
    let goes_on = &chinese().time.behind_part_of_day;
    if goes_on.longest_at_start_of(rest).is_some() {
        return Err(no(input));
    }
    Ok((rest, part))
}

/// True for the parts of the day whose hours count from noon.
fn day_part(input: &str) -> Parsed<'_, bool> {
    let words = &chinese().time;
    let forenoon = words.forenoon.longest_at_start_of(input);
    let afternoon = words.afternoon.longest_at_start_of(input);
    if let Some(word) = forenoon.or(afternoon) {
        return Ok((&input[word.len()..], forenoon.is_none()));
    }
    begins(input, |c| matches!(c, '晚' | '早'))?;
    alt((
        value(true, terminated(tag("晚"), peek(whole))),
        value(false, terminated(tag("早"), peek(whole))),
    ))
    .parse(input)
}

fn hour(input: &str) -> Parsed<'_, (u8, u8)> {
    follows_numeral(input, |c| matches!(c, '时' | '点' | ':' | '：'))?;
    alt((spoken_hour, digital_hour)).parse(input)
}

fn spoken_hour(input: &str) -> Parsed<'_, (u8, u8)> {
    let hour = verify(whole, |n: &Whole| n.value <= 24 && n.characters <= 3);
    let minute = verify(whole, |n: &Whole| n.value < 60 && n.characters <= 3);
    let (rest, (hour, _, minute)) = (
        hour,
        alt((tag("时"), tag("点钟"), tag("点"))),
        opt(alt((
            value(30, tag("半")),
            value(0, tag("整")),
            value(15, tag("一刻")),
            value(45, tag("三刻")),
            terminated(minute, opt(tag("分"))).map(|n| n.value),
        ))),
    )
        .parse(input)?;
    let (rest, _) = many_m_n(0, 1, (whole, tag("秒"))).parse(rest)?;
    // 3点 may count points of an index or of an argument: 上涨3点, 三点建议.
    let certain = minute.is_some() || input[..input.len() - rest.len()].contains('时');
    let counted = &chinese().time.behind_points;
    let is_count = rest.starts_with(['，', '。', '；', '、', '：'])
        || counted.longest_at_start_of(rest).is_some();
    if !certain && is_count {
        return Err(no(input));
    }
    Ok((rest, (hour.value as u8, minute.unwrap_or(0) as u8)))
}

/// 14:28, 9：30.
fn digital_hour(input: &str) -> Parsed<'_, (u8, u8)> {
    let hour = verify(whole, |n: &Whole| {
        n.arabic && n.value <= 24 && n.characters <= 2
    });
    let minute = verify(whole, |n: &Whole| {
        n.arabic && n.value < 60 && n.characters == 2
    });
    let (rest, (hour, _, minute)) = (hour, alt((tag(":"), tag("："))), minute).parse(input)?;
    Ok((rest, (hour.value as u8, minute.value as u8)))
}
