//! Times in Chinese news: 2019年9月1日, 8月份, 1—8月, 上半年, 去年同期, 昨日, 十二五期间.
//!
//! [`scan`] finds the expressions and says, against the document's date, which days they mean.

mod resolve;
mod shape;

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::chinese::chinese;
use super::numeral::begins_numeral;

/// A time expression in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time {
    /// Its stretch of the text, in bytes.
    pub range: Range<usize>,
    /// The days it means; none where the text alone cannot tell (近日, 案发后).
    pub value: Option<TimeValue>,
}

/// The days a time expression means, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeValue {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Hour and minute, of a single day.
    pub clock: Option<(u8, u8)>,
}

impl std::fmt::Display for TimeValue {
    /// `2019`, `2019-H1`, `2019-Q3`, `2019-08`, `2019-09-01`, `2019-09-01T14:28`,
    /// `2019-01/2019-08` or `2019-09-01/2019-09-07`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TimeValue { from, to, clock } = *self;
        if from == to {
            write!(f, "{from}")?;
            return match clock {
                Some((hour, minute)) => write!(f, "T{hour:02}:{minute:02}"),
                None => Ok(()),
            };
        }
        let whole_months = from.day() == 1 && to == to.last_of_month();
        let same_year = from.year() == to.year();
        let year = from.year();
        match (from.month(), to.month()) {
            _ if !whole_months => write!(f, "{from}/{to}"),
            (a, b) if same_year && a == b => write!(f, "{year:04}-{a:02}"),
            (1, 12) if same_year => write!(f, "{year:04}"),
            (1, 6) if same_year => write!(f, "{year:04}-H1"),
            (7, 12) if same_year => write!(f, "{year:04}-H2"),
            (a, b) if same_year && a % 3 == 1 && b == a + 2 => {
                write!(f, "{year:04}-Q{}", b / 3)
            }
            (1, 12) => write!(f, "{year:04}/{:04}", to.year()),
            (a, b) => write!(f, "{year:04}-{a:02}/{:04}-{b:02}", to.year()),
        }
    }
}

/// Finds the time expressions of a text. Relative ones are read against `anchor`, the day the text
/// was written, and against the dates found before them.
///
/// ```
/// let times = arsg::text::time::scan("8月份我市CPI同比上涨2.4%", Some(jiff::civil::date(2019, 9, 10)));
/// assert_eq!(times[0].value.unwrap().to_string(), "2019-08");
/// ```
pub fn scan(text: &str, anchor: Option<Date>) -> Vec<Time> {
    let starts = text.char_indices().map(|(at, _)| at);
    scan_in_context(text, 0, starts, &mut TimeContext::new(anchor))
}

/// What earlier expressions of a document have said.
#[derive(Debug, Clone, Copy)]
pub struct TimeContext {
    anchor: Option<Date>,
    last: Option<Date>,
}

impl TimeContext {
    /// The beginning of a document written on that day.
    pub fn new(anchor: Option<Date>) -> TimeContext {
        TimeContext { anchor, last: None }
    }
}

/// Like [`scan`], for a piece of a document that begins at byte `offset`. Expressions are looked
/// for at the given starts (those of words) only.
pub(crate) fn scan_in_context(
    piece: &str,
    offset: usize,
    starts: impl Iterator<Item = usize>,
    context: &mut TimeContext,
) -> Vec<Time> {
    let starters = &*STARTERS;
    let mut times = Vec::new();
    let mut taken = 0;
    for at in starts {
        let Some(rest) = piece.get(at..).filter(|_| at >= taken) else {
            continue;
        };
        let Some(c) = rest.chars().next().filter(|c| starters.has(*c)) else {
            continue;
        };
        if begins_numeral(c) {
            let length = numeral_length(rest);
            if !numeral_may_begin(rest, length) {
                taken = at + length;
                continue;
            }
        } else if !may_begin(c, rest) {
            continue;
        }
        let before = piece[..at].chars().next_back().unwrap_or(' ');
        if is_latin(c) && is_latin(before) {
            continue;
        }
        if let Some((length, shape)) = shape::expression(rest, before) {
            times.push(Time {
                range: offset + at..offset + at + length,
                value: resolve::resolve(&shape, context),
            });
            taken = at + length;
        }
    }
    times
}

/// The characters that can begin an expression, and what can stand behind each.
struct Starters {
    /// One bit for each character of the basic plane.
    bits: Box<[u64; 1024]>,
    /// The characters that can stand second, by the first.
    followers: FxHashMap<char, String>,
}

static STARTERS: LazyLock<Starters> = LazyLock::new(|| {
    let mut followers: FxHashMap<char, String> = FxHashMap::default();
    for (firsts, seconds) in FORMS {
        for first in firsts.chars() {
            followers.entry(first).or_default().push_str(seconds);
        }
    }
    for word in chinese().time.beginnings() {
        let mut chars = word.chars();
        if let (Some(first), Some(second)) = (chars.next(), chars.next()) {
            followers.entry(first).or_default().push(second);
        }
    }
    let numerals = ('\0'..='\u{ffff}').filter(|c| begins_numeral(*c));
    let words = followers.keys().copied();
    let mut bits = Box::new([0_u64; 1024]);
    for first in numerals.chain(words).chain(BEFORE_NUMERALS.chars()) {
        if let Some(bits) = bits.get_mut(first as usize / 64) {
            *bits |= 1 << (first as usize % 64);
        }
    }
    Starters { bits, followers }
});

/// True for a character that can begin an expression.
pub(crate) fn may_begin_time(c: char) -> bool {
    STARTERS.has(c)
}

impl Starters {
    fn has(&self, c: char) -> bool {
        let code = c as usize;
        code <= 0xffff && self.bits[code / 64] >> (code % 64) & 1 == 1
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// A quick look that spares most positions of a text the parser: the second character must be
/// able to go on with what the first begins.
fn may_begin(first: char, rest: &str) -> bool {
    let Some(second) = rest.chars().nth(1) else {
        return false;
    };
    let seconds = STARTERS.followers.get(&first);
    seconds.is_some_and(|seconds| measure_among(second, seconds)) || numeral_follows(first, second)
}

/// Quicker than `str::contains` for a handful of characters.
fn measure_among(c: char, few: &str) -> bool {
    few.chars().any(|one| one == c)
}

/// 2019年, 8日, 1—8月, 14:28: what stands behind the numeral tells. Most numbers are amounts.
fn numeral_may_begin(rest: &str, length: usize) -> bool {
    match rest[length..].chars().next() {
        Some('.' | '/') => length == 4,
        Some(
            '年' | '月' | '日' | '号' | '时' | '点' | '季' | '个' | '天' | '周' | '多' | '余'
            | '至' | '到' | '-' | '—' | ':' | '：' | '期' | '小' | '分' | '星' | '世' | '财' | '－'
            | '–' | '～' | '~' | 'Q' | 'H' | '前' | '后' | '”' | '"' | '」' | '规' | '黄' | '假'
            | '长' | '节' | '交',
        ) => true,
        _ => false,
    }
}

/// How many bytes the numeral takes that a text begins with.
fn numeral_length(rest: &str) -> usize {
    let ascii = rest.bytes().take_while(u8::is_ascii_digit).count();
    let wide = rest[ascii..].chars().take_while(|c| begins_numeral(*c));
    ascii + wide.map(char::len_utf8).sum::<usize>()
}

/// 前三季度, 近5年, 晚10时.
fn numeral_follows(first: char, second: char) -> bool {
    measure_among(first, BEFORE_NUMERALS) && begins_numeral(second)
}

/// What can stand before the numeral that an expression goes on with.
const BEFORE_NUMERALS: &str = "前近早晚头第去来";

/// The first two characters of the calendar forms that the parser knows: any of the left with any of
/// the right. Those of the lexicon's words come on top.
const FORMS: &[(&str, &str)] = &[
    ("今", "年天日儿晚早晨夜后"),
    ("昨", "天日晚夜晨"),
    ("明", "年天日晚早晨"),
    ("前", "年天日几半"),
    ("后", "年天半"),
    ("当", "年月天日晚夜周"),
    ("本", "年月周世"),
    ("上", "年半月个上周一旬星礼世"),
    ("下", "年半月个周一旬星礼"),
    ("近", "几数多半"),
    ("同", "年月日天一"),
    ("次", "年月日"),
    ("中", "旬"),
    ("周", "一二三四五六日天末内"),
    ("星", "期"),
    ("礼", "拜"),
    ("年", "内初底末终中"),
    ("月", "内初底末中"),
    ("岁", "末"),
    ("去全来", "年"),
    ("过", "去"),
    ("未", "来"),
    ("最", "近"),
    ("此", "后"),
    ("接", "下"),
    ("几数多半", "年天个日月小"),
    ("这", "个"),
    ("头", "两几"),
    ("第", "一二三四"),
    ("翌隔", "日"),
    ("QH", "1234"),
];

#[cfg(test)]
mod tests {
    use super::super::chinese::PrefixSet;
    use super::*;

    /// What a text written on Thursday, 12 September 2019 means by its times.
    fn found(text: &str) -> Vec<(&str, String)> {
        scan(text, Some(jiff::civil::date(2019, 9, 12)))
            .into_iter()
            .map(|time| {
                let value = time.value.map(|value| value.to_string());
                (&text[time.range], value.unwrap_or_default())
            })
            .collect()
    }

    macro_rules! times {
        ($($text:literal => [$($piece:literal = $value:literal),*];)*) => {
            $({
                let expected: Vec<(&str, String)> = vec![$(($piece, $value.to_owned())),*];
                assert_eq!(found($text), expected, "{}", $text);
            })*
        };
    }

    #[test]
    fn calendar_dates() {
        times! {
            "2019年9月1日，工信部发布报告" => ["2019年9月1日" = "2019-09-01"];
            "２０１２年６月１２日" => ["２０１２年６月１２日" = "2012-06-12"];
            "二〇一九年九月一日" => ["二〇一九年九月一日" = "2019-09-01"];
            "截至2019-08-31，" => ["2019-08-31" = "2019-08-31"];
            "8月份我市CPI上涨" => ["8月份" = "2019-08"];
            "预计12月收官" => ["12月" = "2018-12"];
            "8日上午9时30分许" => ["8日上午9时30分许" = "2019-09-08T09:30"];
            "9月11日凌晨" => ["9月11日凌晨" = "2019-09-11"];
            "1998年" => ["1998年" = "1998"];
            "9月上旬" => ["9月上旬" = "2019-09-01/2019-09-10"];
            "2018年底" => ["2018年底" = "2018-12"];
        }
    }

    #[test]
    fn ranges() {
        times! {
            "1—8月平均" => ["1—8月" = "2019-01/2019-08"];
            "1至8月份" => ["1至8月份" = "2019-01/2019-08"];
            "2016年至2018年" => ["2016年至2018年" = "2016/2018"];
            "2016-2018年" => ["2016-2018年" = "2016/2018"];
            "9月1日至5日" => ["9月1日至5日" = "2019-09-01/2019-09-05"];
            "8月28日到9月3日" => ["8月28日到9月3日" = "2019-08-28/2019-09-03"];
        }
    }

    #[test]
    fn parts_of_years() {
        times! {
            "上半年" => ["上半年" = "2019-H1"];
            "今年前三季度" => ["今年前三季度" = "2019-01/2019-09"];
            "2018年第四季度" => ["2018年第四季度" = "2018-Q4"];
            "去年同期" => ["去年同期" = "2018"];
            "今年前8个月" => ["今年前8个月" = "2019-01/2019-08"];
            "三季度" => ["三季度" = "2019-Q3"];
            "2025Q3营收" => ["2025Q3" = "2025-Q3"];
            "十二五期间" => ["十二五期间" = "2011/2015"];
            "“十三五”期间" => ["十三五”期间" = "2016/2020"];
            "2019财年" => ["2019财年" = "2019"];
            "上世纪90年代" => ["上世纪90年代" = "1990/1999"];
        }
    }

    #[test]
    fn relative_days() {
        times! {
            "昨日，" => ["昨日" = "2019-09-11"];
            "今天（12日）" => ["今天" = "2019-09-12", "12日" = "2019-09-12"];
            "昨晚10时许" => ["昨晚10时许" = "2019-09-11T22:00"];
            "周三收盘" => ["周三" = "2019-09-11"];
            "上周五" => ["上周五" = "2019-09-06"];
            "本周" => ["本周" = "2019-09-09/2019-09-15"];
            "上月" => ["上月" = "2019-08"];
            "去年8月" => ["去年8月" = "2018-08"];
            "去年底" => ["去年底" = "2018-12"];
            "近日，" => ["近日" = ""];
            "3月5日发布，当日股价上涨" => ["3月5日" = "2019-03-05", "当日" = "2019-03-05"];
        }
    }

    #[test]
    fn every_time_of_the_lexicon_is_found() {
        let words = &chinese().time;
        let lists = [&words.vague, &words.festival, &words.forenoon];
        for word in lists.into_iter().flat_map(PrefixSet::words) {
            let found: Vec<&str> = found(word).into_iter().map(|(piece, _)| piece).collect();
            assert_eq!(found, [word]);
        }
        for word in words.holiday.words() {
            let during = format!("{word}期间");
            assert_eq!(found(&during), [(during.as_str(), String::new())]);
        }
    }

    #[test]
    fn what_is_no_time() {
        times! {
            "10年期国债收益率" => [];
            "1年期LPR" => [];
            "投资10年" => [];
            "上海市" => [];
            "两会" => [];
            "三星电子" => [];
            "第一名" => [];
            "中国" => [];
            "一季报" => [];
            "每日经济新闻" => [];
            "人民日报" => [];
            "周小川表示" => [];
            "五粮液" => [];
            "下降" => [];
            "前往" => [];
            "3.5%" => [];
            "周一良先生" => [];
            "两年前往海外" => [];
            "上涨3点建议" => [];
        }
    }
}
