//! Times in Chinese news: 2019年9月1日, 8月份, 1—8月, 上半年, 去年同期, 昨日, 十二五期间.
//!
//! [`scan`] finds the expressions and says, against the document's date, which days they mean.

mod resolve;
mod shape;

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;

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
    scan_in_context(text, 0, starts, &mut Context::new(anchor))
}

/// What earlier expressions of a document have said.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    anchor: Option<Date>,
    last: Option<Date>,
}

impl Context {
    /// The beginning of a document written on that day.
    pub fn new(anchor: Option<Date>) -> Context {
        Context { anchor, last: None }
    }
}

/// Like [`scan`], for a piece of a document that begins at byte `offset`. Expressions are looked
/// for at the given starts (those of words) only.
pub(crate) fn scan_in_context(
    piece: &str,
    offset: usize,
    starts: impl Iterator<Item = usize>,
    context: &mut Context,
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

/// The characters that can begin an expression, one bit for each of the basic plane.
struct Starters(Box<[u64; 1024]>);

static STARTERS: LazyLock<Starters> = LazyLock::new(|| {
    let mut bits = Box::new([0; 1024]);
    for code in 0..=0xffff_u32 {
        let starts =
            char::from_u32(code).is_some_and(|c| begins_numeral(c) || !may_follow(c).is_empty());
        bits[code as usize / 64] |= u64::from(starts) << (code % 64);
    }
    Starters(bits)
});

/// True for a character that can begin an expression.
pub(crate) fn may_begin_time(c: char) -> bool {
    STARTERS.has(c)
}

impl Starters {
    fn has(&self, c: char) -> bool {
        let code = c as usize;
        code <= 0xffff && self.0[code / 64] >> (code % 64) & 1 == 1
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// A quick look that spares most positions of a text the parser: the second character must be
/// able to go on with what the first begins.
fn may_begin(first: char, rest: &str) -> bool {
    let second = rest.chars().nth(1);
    second.is_some_and(|second| among(second, may_follow(first)) || numeral_follows(first, second))
}

/// Quicker than `str::contains` for a handful of characters.
fn among(c: char, few: &str) -> bool {
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
    matches!(first, '前' | '近' | '早' | '晚' | '头' | '第' | '去' | '来') && begins_numeral(second)
}

/// The characters that can stand second in an expression that begins with `first`.
fn may_follow(first: char) -> &'static str {
    match first {
        '今' => "年天日儿晚早晨夜后",
        '去' => "年",
        '昨' => "天日晚夜晨",
        '明' => "年天日晚早晨",
        '前' => "年天日几不期半",
        '后' => "年天半",
        '当' => "年月天日晚夜前时周",
        '本' => "年月周世",
        '上' => "年半月个上周一午旬星礼世",
        '下' => "年半月个周一午旬星礼",
        '近' => "年日期来段几两些数多半",
        '同' => "年月日天一时",
        '次' => "年月日",
        '早' => "上间晨前先些盘",
        '春' => "节运",
        '国' => "庆",
        '元' => "旦宵",
        '端' | '傍' => "午晚",
        '中' => "秋午旬",
        '清' => "明晨",
        '劳' => "动",
        '圣' => "诞",
        '日' | '稍' => "前后早",
        '目' => "前",
        '此' => "前后时",
        '随' | '其' => "后",
        '周' => "一二三四五六日天末内",
        '星' => "期",
        '礼' => "拜",
        '年' => "内初底末终中来",
        '月' => "内初底末中",
        '岁' => "末",
        '全' | '历' | '来' => "年",
        '过' => "去",
        '未' => "来",
        'Q' | 'H' => "1234",
        '第' => "一二三四",
        '凌' => "晨",
        '晚' => "上间",
        '夜' => "间里",
        '深' | '入' => "夜",
        '午' => "后间",
        '正' => "午",
        '往' => "年日",
        '翌' | '隔' | '即' => "日",
        '事' => "发后",
        '案' => "发",
        '震' => "后前",
        '除' => "夕",
        '暑' | '寒' => "期假",
        '现' => "在阶",
        '如' => "今",
        '刚' => "刚",
        '最' => "近",
        '截' => "至",
        '不' => "久",
        '新' => "世",
        '改' => "革",
        '建' => "国",
        '长' | '期' => "期间",
        '眼' | '接' => "下",
        '双' => "十休",
        '盘' => "中前后初",
        '开' => "盘市",
        '收' | '尾' => "盘",
        '几' | '数' | '多' | '半' => "年天个日月小",
        '这' => "个",
        '头' => "两几",
        '之' => "后",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
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
        }
    }
}
