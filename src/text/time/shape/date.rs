//! Dates as far as they are given: years, halves, quarters, months, days.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, peek, recognize, value, verify};
use nom::sequence::{preceded, terminated};

use super::super::super::numeral::{Whole, digit, whole};
use super::clock::{clock, evening};
use super::{
    DateShape, Days, Months, Parsed, Year, begins, dash, follows_numeral, four_digit_year, is_dash,
    no,
};

/// A date from year to minute, at least one part given.
pub(super) fn full_date(input: &str) -> Parsed<'_, DateShape> {
    alt((iso_date, spoken_date)).parse(input)
}

/// 2019-08-31, 2019/8/31, 2019.8.31.
fn iso_date(input: &str) -> Parsed<'_, DateShape> {
    follows_numeral(input, |c| matches!(c, '-' | '/' | '.'))?;
    let separator = |input| alt((tag("-"), tag("/"), tag("."))).parse(input);
    let (rest, (year, _, month, _, day)) =
        (four_digit_year, separator, whole, separator, whole).parse(input)?;
    let fits = (1..=12).contains(&month.value) && (1..=31).contains(&day.value);
    if !fits || rest.starts_with(|c| digit(c).is_some()) {
        return Err(no(input));
    }
    Ok((
        rest,
        DateShape {
            year: Some(Year::Given(year)),
            months: Some(Months::Given(month.value as u8, month.value as u8)),
            days: Some(Days::Given(day.value as u8, day.value as u8)),
            clock: None,
        },
    ))
}

fn spoken_date(input: &str) -> Parsed<'_, DateShape> {
    let (rest, year) = opt(terminated(year, opt(tag("的")))).parse(input)?;
    let (rest, months) = opt(months).parse(rest)?;
    let (rest, days) = match (year, months) {
        // 去年底 was a month; 去年8日 is nothing.
        (Some(_), None) => opt(relative_day).parse(rest)?,
        _ => opt(days).parse(rest)?,
    };
    let (rest, clock) = opt(clock).parse(rest)?;
    let (rest, _) = match (days, clock) {
        (Some(_), None) => opt(evening).parse(rest)?,
        _ => (rest, None),
    };
    let date = DateShape {
        year,
        months,
        days,
        clock: clock.flatten(),
    };
    if date == DateShape::default() && clock.is_none() {
        return Err(no(input));
    }
    let (rest, _) = opt(year_tail).parse(rest)?;
    Ok((rest, date))
}

fn year(input: &str) -> Parsed<'_, Year> {
    alt((relative_year, given_year)).parse(input)
}

fn relative_year(input: &str) -> Parsed<'_, Year> {
    begins(input, |c| {
        matches!(
            c,
            '前' | '去'
                | '上'
                | '今'
                | '本'
                | '年'
                | '明'
                | '下'
                | '来'
                | '后'
                | '当'
                | '同'
                | '全'
                | '次'
        )
    })?;
    alt((
        value(Year::Relative(-2), tag("前年")),
        value(
            Year::Relative(-1),
            alt((
                tag("去年"),
                tag("上年度"),
                tag("上年"),
                tag("上一年度"),
                tag("上一年"),
            )),
        ),
        value(
            Year::Relative(0),
            alt((tag("今年"), tag("本年度"), tag("本年"), tag("年内"))),
        ),
        value(
            Year::Relative(1),
            alt((tag("明年"), tag("下一年"), tag("来年"))),
        ),
        value(Year::Relative(2), tag("后年")),
        value(
            Year::Same,
            alt((tag("当年"), tag("同年"), tag("全年"), tag("次年"))),
        ),
    ))
    .parse(input)
}

/// 2019年, 98年 before a month, 2019财年; 2025Q3 leaves its 年 out.
fn given_year(input: &str) -> Parsed<'_, Year> {
    follows_numeral(input, |c| matches!(c, '年' | '财' | 'Q' | 'H'))?;
    let full = terminated(
        four_digit_year,
        alt((
            tag("年度"),
            tag("财年"),
            tag("年"),
            peek(alt((tag("Q"), tag("H")))),
        )),
    );
    // 98年底 is a year; 70年来 counts years.
    let dated = peek(alt((
        alt((
            tag("底"),
            tag("初"),
            tag("末"),
            tag("年初"),
            tag("上半年"),
            tag("下半年"),
        )),
        recognize((whole, tag("月"))),
    )));
    let short = terminated(two_digit_year, (tag("年"), dated));
    alt((full, short)).map(Year::Given).parse(input)
}

/// 98年, 08年: only with two digits that no count of years has.
fn two_digit_year(input: &str) -> Parsed<'_, i16> {
    let (rest, year) = verify(whole, |n: &Whole| {
        n.arabic && n.characters == 2 && (n.value < 10 || n.value >= 70)
    })
    .parse(input)?;
    let century = if year.value >= 70 { 1900 } else { 2000 };
    Ok((rest, century + year.value as i16))
}

fn months(input: &str) -> Parsed<'_, Months> {
    alt((
        half_or_quarter,
        year_edge,
        month_span,
        first_months,
        relative_month,
        given_month,
    ))
    .parse(input)
}

fn half_or_quarter(input: &str) -> Parsed<'_, Months> {
    let word = begins(input, |c| {
        matches!(c, '上' | '前' | '下' | '后' | '第' | 'H' | 'Q')
    });
    word.or_else(|_| follows_numeral(input, |c| c == '季'))?;
    let half = alt((
        value((1, 6), alt((tag("上半年"), tag("前半年"), tag("H1")))),
        value((7, 12), alt((tag("下半年"), tag("后半年"), tag("H2")))),
    ));
    let number = verify(whole, |n: &Whole| {
        (1..=4).contains(&n.value) && n.characters == 1
    });
    let quarter = terminated(
        preceded(opt(tag("第")), number),
        alt((tag("季度"), tag("季"))),
    )
    .map(|n| (n.value as u8 * 3 - 2, n.value as u8 * 3));
    let latin = preceded(
        tag("Q"),
        verify(whole, |n: &Whole| {
            (1..=4).contains(&n.value) && n.characters == 1
        }),
    )
    .map(|n| (n.value as u8 * 3 - 2, n.value as u8 * 3));
    let first = preceded(
        tag("前"),
        terminated(
            verify(whole, |n: &Whole| (2..=3).contains(&n.value)),
            (opt(tag("个")), alt((tag("季度"), tag("季")))),
        ),
    )
    .map(|n| (1, n.value as u8 * 3));
    let (rest, (from, to)) = alt((half, quarter, latin, first)).parse(input)?;
    Ok((rest, Months::Given(from, to)))
}

/// 1—8月, 1至8月份, 1月-8月.
fn month_span(input: &str) -> Parsed<'_, Months> {
    follows_numeral(input, |c| c == '月' || is_dash(c))?;
    let is_month = |n: &Whole| (1..=12).contains(&n.value) && n.characters <= 2;
    let (rest, (from, _, _, to, _)) = (
        verify(whole, is_month),
        opt(tag("月")),
        dash,
        verify(whole, is_month),
        month_word,
    )
        .parse(input)?;
    if to.value < from.value || rest.starts_with(|c| digit(c).is_some()) {
        return Err(no(input));
    }
    Ok((rest, Months::Given(from.value as u8, to.value as u8)))
}

/// 年初, 年底, 年中: with or without a year before them.
fn year_edge(input: &str) -> Parsed<'_, Months> {
    begins(input, |c| matches!(c, '年' | '岁' | '初' | '底' | '末'))?;
    alt((
        value(Months::Given(1, 1), alt((tag("年初"), tag("初")))),
        value(
            Months::Given(12, 12),
            alt((
                tag("年底"),
                tag("年末"),
                tag("年终"),
                tag("岁末"),
                tag("底"),
                tag("末"),
            )),
        ),
        value(Months::Given(6, 6), tag("年中")),
    ))
    .parse(input)
}

/// 前8个月, 头两个月.
fn first_months(input: &str) -> Parsed<'_, Months> {
    begins(input, |c| matches!(c, '前' | '头'))?;
    let number = verify(whole, |n: &Whole| (2..=11).contains(&n.value));
    let (rest, number) = preceded(
        alt((tag("前"), tag("头"))),
        terminated(number, (opt(tag("个")), tag("月"))),
    )
    .parse(input)?;
    Ok((rest, Months::Given(1, number.value as u8)))
}

fn relative_month(input: &str) -> Parsed<'_, Months> {
    begins(input, |c| {
        matches!(c, '上' | '本' | '这' | '月' | '下' | '次' | '当' | '同')
    })?;
    alt((
        value(Months::Relative(-2), tag("上上月")),
        value(Months::Relative(-1), alt((tag("上个月"), tag("上月")))),
        value(
            Months::Relative(0),
            alt((tag("本月"), tag("这个月"), tag("月内"))),
        ),
        value(
            Months::Relative(1),
            alt((tag("下个月"), tag("下月"), tag("次月"))),
        ),
        value(Months::Same, alt((tag("当月"), tag("同月")))),
    ))
    .parse(input)
}

fn given_month(input: &str) -> Parsed<'_, Months> {
    follows_numeral(input, |c| c == '月')?;
    let month = verify(whole, |n: &Whole| {
        (1..=12).contains(&n.value) && n.characters <= 2
    });
    let (rest, month) = terminated(month, month_word).parse(input)?;
    Ok((rest, Months::Given(month.value as u8, month.value as u8)))
}

fn month_word(input: &str) -> Parsed<'_, &str> {
    alt((tag("月份"), tag("月"))).parse(input)
}

fn days(input: &str) -> Parsed<'_, Days> {
    alt((relative_day, tenth, given_days)).parse(input)
}

fn relative_day(input: &str) -> Parsed<'_, Days> {
    begins(input, |c| {
        matches!(
            c,
            '前' | '昨' | '今' | '明' | '后' | '当' | '同' | '次' | '翌' | '隔' | '第'
        )
    })?;
    alt((
        value(Days::Relative(-2), alt((tag("前天"), tag("前日")))),
        value(
            Days::Relative(-1),
            alt((
                tag("昨天"),
                tag("昨日"),
                peek(alt((tag("昨晚"), tag("昨夜"), tag("昨晨")))),
            )),
        ),
        value(
            Days::Relative(0),
            alt((
                tag("今天"),
                tag("今日"),
                tag("今儿"),
                peek(alt((tag("今晚"), tag("今早"), tag("今晨"), tag("今夜")))),
            )),
        ),
        value(
            Days::Relative(1),
            alt((
                tag("明天"),
                tag("明日"),
                peek(alt((tag("明晚"), tag("明早"), tag("明晨")))),
            )),
        ),
        value(Days::Relative(2), tag("后天")),
        value(
            Days::Same,
            alt((
                tag("当天"),
                tag("当日"),
                tag("同日"),
                tag("同一天"),
                tag("同天"),
                peek(alt((tag("当晚"), tag("当夜")))),
            )),
        ),
        value(
            Days::Next,
            alt((tag("次日"), tag("翌日"), tag("隔日"), tag("第二天"))),
        ),
    ))
    .parse(input)
}

/// 上旬, 中旬, 下旬, 月初, 月底.
fn tenth(input: &str) -> Parsed<'_, Days> {
    begins(input, |c| {
        matches!(c, '上' | '中' | '下' | '月' | '初' | '底' | '末')
    })?;
    alt((
        value(
            Days::Given(1, 10),
            alt((tag("上旬"), tag("月初"), tag("初"))),
        ),
        value(Days::Given(11, 20), alt((tag("中旬"), tag("月中")))),
        value(
            Days::Given(21, 31),
            alt((tag("下旬"), tag("月底"), tag("月末"), tag("底"), tag("末"))),
        ),
    ))
    .parse(input)
}

/// 5日, 5号, 1至5日.
fn given_days(input: &str) -> Parsed<'_, Days> {
    follows_numeral(input, |c| matches!(c, '日' | '号') || is_dash(c))?;
    let is_day = |n: &Whole| (1..=31).contains(&n.value) && n.characters <= 3;
    let several = (
        verify(whole, is_day),
        opt(day_word),
        dash,
        verify(whole, is_day),
        day_word,
    )
        .map(|(first, _, _, last, _)| (first.value as u8, last.value as u8));
    let one =
        terminated(verify(whole, is_day), day_word).map(|day| (day.value as u8, day.value as u8));
    let (rest, (first, last)) = alt((several, one)).parse(input)?;
    if last < first {
        return Err(no(input));
    }
    Ok((rest, Days::Given(first, last)))
}

fn day_word(input: &str) -> Parsed<'_, &str> {
    alt((tag("日"), tag("号"))).parse(input)
}

/// What may follow a date and still be part of it: 同期, 以来, 期间.
fn year_tail(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| matches!(c, '同' | '期' | '以'))?;
    alt((tag("同期"), tag("期间"), tag("以来"))).parse(input)
}
