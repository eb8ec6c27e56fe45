//! Parts of the day and hours: 凌晨, 上午9时30分许, 14:28.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, peek, value, verify};
use nom::multi::many_m_n;
use nom::sequence::terminated;

use super::super::super::numeral::{Whole, whole};
use super::super::among;
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
    if rest.starts_with(['报', '会', '点', '宴', '餐', '就', '于', '前']) {
        return Err(no(input));
    }
    Ok((rest, part))
}

/// True for the parts of the day whose hours count from noon.
fn day_part(input: &str) -> Parsed<'_, bool> {
    const FIRST: &str = "凌清早上今昨明中正午开盘下傍晚夜深入当尾收";
    begins(input, |c| !c.is_ascii() && among(c, FIRST))?;
    alt((
        value(
            false,
            alt((
                tag("凌晨"),
                tag("清晨"),
                tag("早晨"),
                tag("早上"),
                tag("上午"),
                tag("早间"),
                tag("今早"),
                tag("今晨"),
                tag("昨晨"),
                tag("明早"),
                tag("明晨"),
            )),
        ),
        value(
            false,
            alt((
                tag("中午"),
                tag("正午"),
                tag("午间"),
                tag("早盘"),
                tag("开盘时"),
                tag("盘中"),
                tag("盘前"),
            )),
        ),
        value(
            true,
            alt((
                tag("下午"),
                tag("午后"),
                tag("傍晚"),
                tag("晚上"),
                tag("晚间"),
                tag("夜间"),
                tag("深夜"),
                tag("夜里"),
                tag("入夜"),
            )),
        ),
        value(
            true,
            alt((
                tag("今晚"),
                tag("昨晚"),
                tag("昨夜"),
                tag("今夜"),
                tag("明晚"),
                tag("当晚"),
                tag("当夜"),
            )),
        ),
        value(true, alt((tag("尾盘"), tag("盘后"), tag("收盘时")))),
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
    if !certain
        && rest.starts_with([
            '建', '意', '要', '原', '，', '。', '；', '、', '数', '位', '：',
        ])
    {
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
