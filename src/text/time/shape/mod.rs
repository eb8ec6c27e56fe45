//! What a time expression says, before anybody asks which days it means (nom).

mod clock;
mod date;
mod vague;

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use self::clock::clock;
use self::date::full_date;
use self::vague::vague;
use super::super::chinese::chinese;
use super::super::numeral::{Whole, begins_numeral, digit, whole};
use super::numeral_length;

/// What an expression says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A date, as far as it is given.
    Date(DateShape),
    /// From one date to another.
    Range(DateShape, DateShape),
    /// The years of a five-year plan, a decade, a span of years.
    Years(i16, i16),
    /// The n-th decade of a century (上世纪90年代): the last digit pair and whether "last" century.
    Decade { century: Option<i16>, tens: u8 },
    /// A day of a week, weeks from now.
    Week {
        weeks: i8,
        day: Option<u8>,
        clock: Option<(u8, u8)>,
    },
    /// A time that only the reader's knowledge can place: 近日, 案发后, 春节期间.
    Vague,
}

/// A date as far as it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DateShape {
    pub(super) year: Option<Year>,
    /// First and last month.
    pub(super) months: Option<Months>,
    pub(super) days: Option<Days>,
    pub(super) clock: Option<(u8, u8)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Year {
    Given(i16),
    /// 去年 is -1.
    Relative(i16),
    /// 当年, 同年: the year spoken of.
    Same,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Months {
    Given(u8, u8),
    /// 上月 is -1.
    Relative(i8),
    /// 当月, 同月.
    Same,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Days {
    /// First and last day of the month; 31 is the last whatever the month.
    Given(u8, u8),
    /// 昨日 is -1.
    Relative(i16),
    /// 当日, 同日.
    Same,
    /// 次日, 翌日.
    Next,
}

type Parsed<'a, T> = IResult<&'a str, T>;

/// The expression at the beginning of `input`, with its length in bytes. `before` is the character
/// before it.
pub(super) fn expression(input: &str, before: char) -> Option<(usize, Shape)> {
    let (rest, shape) = any_shape(input).ok()?;
    let length = input.len() - rest.len();
    let text = &input[..length];
    (!continues_a_word(text, rest) && !cut_out_of_a_word(text, before)).then_some((length, shape))
}

/// The first character tells which shapes are worth trying; a date is parsed once, with or without
/// another behind it.
fn any_shape(input: &str) -> Parsed<'_, Shape> {
    let first = input.chars().next().unwrap_or(' ');
    if matches!(first, '十' | '九' | '八')
        && let Ok(found) = plan_period(input)
    {
        return Ok(found);
    }
    if (begins_numeral(first) || matches!(first, '上' | '本'))
        && input.chars().take(LONGEST_DECADE).any(|c| c == '代')
        && let Ok(found) = decade(input)
    {
        return Ok(found);
    }
    if matches!(first, '周' | '星' | '礼' | '上' | '下' | '本' | '这' | '当')
        && let Ok(found) = weekday(input)
    {
        return Ok(found);
    }
    match full_date(input) {
        Ok((rest, date)) => {
            let (rest, last) = opt(preceded(dash, full_date)).parse(rest)?;
            Ok((
                rest,
                last.map_or(Shape::Date(date), |last| Shape::Range(date, last)),
            ))
        }
        Err(_) => alt((year_range, vague)).parse(input),
    }
}

/// 二十世纪九十年代 is as long as a decade gets.
const LONGEST_DECADE: usize = 9;

/// 10年期, 一季报, 三年级: the expression is the beginning of another word.
fn continues_a_word(text: &str, rest: &str) -> bool {
    // 过去三年期间 is no 年期.
    let is_period = text.ends_with('年') && rest.starts_with("期间");
    !is_period && chinese().time.inside_word.has_across(text, rest)
}

/// 每日, 第一: what stands before makes it something else.
fn cut_out_of_a_word(text: &str, before: char) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    match before {
        '.' | '．' => digit(first).is_some() && !text.contains('年'),
        '每' | '第' | '逐' => true,
        _ => false,
    }
}

fn plan_period(input: &str) -> Parsed<'_, Shape> {
    let ordinal = alt((
        value(5_i16, tag("十五")),
        value(4, tag("十四")),
        value(3, tag("十三")),
        value(2, tag("十二")),
        value(1, tag("十一")),
        value(0, tag("十")),
        value(-1, tag("九")),
        value(-2, tag("八")),
    ));
    let closing = opt(alt((tag("”"), tag("\""), tag("」"))));
    let (rest, (ordinal, _, _, _)) = (
        ordinal,
        tag("五"),
        closing,
        alt((tag("规划期间"), tag("规划期"), tag("时期"), tag("期间"))),
    )
        .parse(input)?;
    // The tenth plan ran from 2001 to 2005, each plan takes five years.
    let first = 2001 + 5 * ordinal;
    Ok((rest, Shape::Years(first, first + 4)))
}

fn decade(input: &str) -> Parsed<'_, Shape> {
    let century = alt((
        value(1900_i16, tag("上世纪")),
        value(1900, tag("20世纪")),
        value(1900, tag("二十世纪")),
        value(2000, tag("本世纪")),
        value(2000, tag("21世纪")),
    ));
    let tens = verify(whole, |n: &Whole| {
        n.value <= 90 && n.value.is_multiple_of(10)
    });
    let (rest, (century, tens, _, _)) = (
        opt(century),
        tens,
        tag("年代"),
        opt(alt((
            tag("初期"),
            tag("中期"),
            tag("末期"),
            tag("初"),
            tag("末"),
        ))),
    )
        .parse(input)?;
    let tens = tens.value as u8;
    Ok((rest, Shape::Decade { century, tens }))
}

/// 2016-2018年.
fn year_range(input: &str) -> Parsed<'_, Shape> {
    follows_numeral(input, is_dash)?;
    let (rest, (from, _, to, _)) =
        (four_digit_year, dash, four_digit_year, tag("年")).parse(input)?;
    Ok((rest, Shape::Years(from, to)))
}

/// What can stand between the ends of a range.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '－' | '—' | '–' | '～' | '~' | '至' | '到')
}

fn dash(input: &str) -> Parsed<'_, &str> {
    begins(input, is_dash)?;
    alt((
        tag("——"),
        tag("--"),
        tag("—"),
        tag("-"),
        tag("－"),
        tag("–"),
        tag("～"),
        tag("~"),
        tag("至"),
        tag("到"),
    ))
    .parse(input)
}

fn four_digit_year(input: &str) -> Parsed<'_, i16> {
    let (rest, year) = verify(whole, |n: &Whole| {
        n.characters == 4 && (1840..=2100).contains(&n.value)
    })
    .parse(input)?;
    Ok((rest, year.value as i16))
}

fn weekday(input: &str) -> Parsed<'_, Shape> {
    let weeks = alt((
        value(-2, tag("上上")),
        value(-1, alt((tag("上一"), tag("上个"), tag("上")))),
        value(1, alt((tag("下一"), tag("下个"), tag("下")))),
        value(0, alt((tag("本"), tag("这"), tag("当")))),
    ));
    let day = alt((
        value(1_u8, tag("一")),
        value(2, tag("二")),
        value(3, tag("三")),
        value(4, tag("四")),
        value(5, tag("五")),
        value(6, tag("六")),
        value(7, alt((tag("日"), tag("天")))),
        value(6, tag("末")),
    ));
    let (rest, (weeks, word, day)) = (
        opt(weeks),
        alt((tag("星期"), tag("礼拜"), tag("周"))),
        opt(day),
    )
        .parse(input)?;
    if day.is_none() && weeks.is_none() {
        return if word == "周" && rest.starts_with('内') {
            let this_week = Shape::Week {
                weeks: 0,
                day: None,
                clock: None,
            };
            Ok((&rest['内'.len_utf8()..], this_week))
        } else {
            Err(no(input))
        };
    }
    let (rest, clock) = opt(clock).parse(rest)?;
    let weeks = weeks.unwrap_or(0);
    let clock = clock.flatten();
    Ok((rest, Shape::Week { weeks, day, clock }))
}

/// Fails at once where the first character cannot begin what follows: most alternatives of most
/// texts end here, without a look at their words.
#[inline]
fn begins(input: &str, can: impl Fn(char) -> bool) -> Parsed<'_, ()> {
    match input.chars().next() {
        Some(c) if can(c) => Ok((input, ())),
        _ => Err(no(input)),
    }
}

/// Fails at once where no numeral stands, or one that something else follows.
fn follows_numeral(input: &str, can: impl Fn(char) -> bool) -> Parsed<'_, ()> {
    match behind_numeral(input) {
        Some(c) if can(c) => Ok((input, ())),
        _ => Err(no(input)),
    }
}

/// The character behind the numeral that the input begins with.
fn behind_numeral(input: &str) -> Option<char> {
    match numeral_length(input) {
        0 => None,
        length => input[length..].chars().next(),
    }
}

fn no(input: &str) -> nom::Err<nom::error::Error<&str>> {
    nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify))
}
