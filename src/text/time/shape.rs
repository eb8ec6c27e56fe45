//! What a time expression says, before anybody asks which days it means (nom).

use std::sync::LazyLock;

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value, verify};
use nom::multi::many_m_n;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};
use rustc_hash::FxHashMap;

use super::super::numeral::{Whole, begins_numeral, digit, whole};

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
    const AFTER_YEAR: &[&str] = &["期", "级", "报", "轻", "纪", "龄", "薪", "度报告"];
    const AFTER_QUARTER: &[&str] = &["报"];
    const JAPAN: &[&str] = &["元", "本政府", "本央行", "本首相", "本经济"];
    const AFTER_WEEKDAY: &[&str] = &["良"];
    let last = text.chars().next_back().unwrap_or(' ');
    let any = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    match last {
        '年' => any(AFTER_YEAR) && !rest.starts_with("期间"),
        '季' | '度' => any(AFTER_QUARTER),
        '日' => any(JAPAN),
        '号' => rest.starts_with(|c| "楼线院馆机门矿井台车令文公厅店库".contains(c)),
        '月' => rest.starts_with('球') || rest.starts_with('报') || rest.starts_with('饼'),
        '一' | '二' | '三' | '四' | '五' | '六' => any(AFTER_WEEKDAY),
        _ => false,
    }
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
    begins(input, begins_numeral)?;
    let (rest, (from, _, to, _)) =
        (four_digit_year, dash, four_digit_year, tag("年")).parse(input)?;
    Ok((rest, Shape::Years(from, to)))
}

fn dash(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| {
        matches!(c, '-' | '－' | '—' | '–' | '～' | '~' | '至' | '到')
    })?;
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

/// A date from year to minute, at least one part given.
fn full_date(input: &str) -> Parsed<'_, DateShape> {
    alt((iso_date, spoken_date)).parse(input)
}

/// 2019-08-31, 2019/8/31, 2019.8.31.
fn iso_date(input: &str) -> Parsed<'_, DateShape> {
    begins(input, |c| c.is_ascii_digit())?;
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
    begins(input, begins_numeral)?;
    let full = terminated(
        four_digit_year,
        alt((
            tag("年度"),
            tag("财年"),
            tag("年"),
            nom::combinator::peek(alt((tag("Q"), tag("H")))),
        )),
    );
    // 98年底 is a year; 70年来 counts years.
    let dated = nom::combinator::peek(alt((
        alt((
            tag("底"),
            tag("初"),
            tag("末"),
            tag("年初"),
            tag("上半年"),
            tag("下半年"),
        )),
        nom::combinator::recognize((whole, tag("月"))),
    )));
    let short = terminated(two_digit_year, (tag("年"), dated));
    alt((full, short)).map(Year::Given).parse(input)
}

fn four_digit_year(input: &str) -> Parsed<'_, i16> {
    let (rest, year) = verify(whole, |n: &Whole| {
        n.characters == 4 && (1840..=2100).contains(&n.value)
    })
    .parse(input)?;
    Ok((rest, year.value as i16))
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
    begins(input, |c| {
        begins_numeral(c) || matches!(c, '上' | '前' | '下' | '后' | '第' | 'H' | 'Q')
    })?;
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
    begins(input, begins_numeral)?;
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
    begins(input, begins_numeral)?;
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
                nom::combinator::peek(alt((tag("昨晚"), tag("昨夜"), tag("昨晨")))),
            )),
        ),
        value(
            Days::Relative(0),
            alt((
                tag("今天"),
                tag("今日"),
                tag("今儿"),
                nom::combinator::peek(alt((tag("今晚"), tag("今早"), tag("今晨"), tag("今夜")))),
            )),
        ),
        value(
            Days::Relative(1),
            alt((
                tag("明天"),
                tag("明日"),
                nom::combinator::peek(alt((tag("明晚"), tag("明早"), tag("明晨")))),
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
                nom::combinator::peek(alt((tag("当晚"), tag("当夜")))),
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
    begins(input, begins_numeral)?;
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

/// 凌晨, 上午9时30分许, 晚10点半左右. None inside when it names a part of the day only.
fn clock(input: &str) -> Parsed<'_, Option<(u8, u8)>> {
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
fn evening(input: &str) -> Parsed<'_, &str> {
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
    begins(input, |c| !c.is_ascii() && FIRST.contains(c))?;
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
        value(true, terminated(tag("晚"), nom::combinator::peek(whole))),
        value(false, terminated(tag("早"), nom::combinator::peek(whole))),
    ))
    .parse(input)
}

fn hour(input: &str) -> Parsed<'_, (u8, u8)> {
    begins(input, begins_numeral)?;
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

/// What may follow a date and still be part of it: 同期, 以来, 期间.
fn year_tail(input: &str) -> Parsed<'_, &str> {
    begins(input, |c| matches!(c, '同' | '期' | '以'))?;
    alt((tag("同期"), tag("期间"), tag("以来"))).parse(input)
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

/// Words for times that no calendar knows.
fn vague(input: &str) -> Parsed<'_, Shape> {
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
    begins(input, |c| {
        begins_numeral(c)
            || matches!(
                c,
                '过' | '未' | '近' | '最' | '今' | '此' | '接' | '几' | '数' | '多' | '半'
            )
    })?;
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

/// Fails at once where the first character cannot begin what follows: most alternatives of most
/// texts end here, without a look at their words.
fn begins(input: &str, can: impl Fn(char) -> bool) -> Parsed<'_, ()> {
    match input.chars().next() {
        Some(c) if can(c) => Ok((input, ())),
        _ => Err(no(input)),
    }
}

fn no(input: &str) -> nom::Err<nom::error::Error<&str>> {
    nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify))
}
