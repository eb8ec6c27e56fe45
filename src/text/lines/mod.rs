//! The lines of a plain text, measured: what block rules are told.
//!
//! A line is asked for what its characters tell ([`Line`]) and for its place among the others ([`Lines`]).
//! Everything is counted in one pass over the text, so that long texts take time in proportion.

mod shape;
mod words;

use std::ops::Range;

use rustc_hash::FxHashMap;

pub use self::words::LineClass;
use super::document::{is_blank, line_ranges, trim_range};
use super::words::Punctuation;
use crate::named::named_enum;

named_enum! {
    /// The markup that a line begins with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum LineMark {
        /// None.
        #[default]
        None = "none",
        /// `# `
        Hash = "hash",
        /// `> `
        Quote = "quote",
        /// `- `, `* `, `•`
        Bullet = "bullet",
        /// Cells between bars or tabs.
        Table = "table",
        /// `---`
        Ruler = "ruler",
    }
}

named_enum! {
    /// What stands around a whole line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum LineWrap {
        /// Nothing.
        #[default]
        None = "none",
        /// 【……】
        Square = "square",
        /// （……）
        Round = "round",
        /// 《……》
        Angle = "angle",
        /// “……”
        Quotes = "quotes",
        /// `**……**`
        Bold = "bold",
    }
}

named_enum! {
    /// The kind of numbering that a line begins with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum LineNumbering {
        /// None.
        #[default]
        None = "none",
        /// 1. 2、
        Arabic = "arabic",
        /// 1.1 2.3.1
        Decimal = "decimal",
        /// 一、
        Chinese = "chinese",
        /// （1） 1)
        Bracketed = "bracketed",
        /// （一）
        BracketedChinese = "bracketed-chinese",
        /// ①
        Circled = "circled",
        /// a. B)
        Letter = "letter",
        /// IV.
        Roman = "roman",
        /// 第一章
        Chapter = "chapter",
        /// 第一，
        Ordinal = "ordinal",
        /// 方法1 Part 2
        Step = "step",
        /// 1洗净 2切块: numbers with nothing behind them that count up through the text
        Bare = "bare",
    }
}

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Line {
    /// Its stretch of the text, without blanks at either end.
    pub range: Range<usize>,
    /// The same without markup.
    pub body: Range<usize>,
    /// Characters of the body.
    pub chars: u32,
    /// The markup it begins with.
    pub mark: LineMark,
    /// How many `#` it begins with.
    pub hashes: u8,
    /// What stands around the whole body.
    pub wrap: LineWrap,
    /// The kind of numbering it begins with.
    pub numbering: LineNumbering,
    /// How deep the numbering goes.
    pub depth: u8,
    /// The mark it begins with.
    pub opens: Punctuation,
    /// The mark it ends with.
    pub end: Punctuation,
    /// What stands before its first colon.
    pub label: Option<Label>,
    /// What its words tell.
    pub says: LineClass,
    /// Commas in it.
    pub commas: u32,
    /// Marks in it that end sentences.
    pub stops: u32,
    /// Cells between bars or tabs.
    pub columns: u32,
    /// Latin capitals alone.
    pub capitals: bool,
    /// A date stands in it.
    pub has_date: bool,
    /// It is nothing but a date.
    pub is_date: bool,
    /// An address of the web or of mail stands in it.
    pub has_link: bool,
    /// Blank lines stand around it.
    pub alone: bool,
    /// How many lines look like it: the same numbering, wrap, markup and end, and as short.
    pub alike: u32,
    /// How many lines below it the next text is, the next line being 1.
    pub until_text: Option<u32>,
}

/// What stands before the first colon of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// Its stretch of the text.
    pub range: Range<usize>,
    /// Where what is said behind it begins.
    pub behind: usize,
    /// Its class.
    pub class: LineClass,
    /// How many lines of the text have it.
    pub count: u32,
}

/// The lines of a text that are not blank.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines<'t> {
    /// The text.
    pub text: &'t str,
    /// Its lines.
    pub lines: Vec<Line>,
    /// How many labels stand before several lines each.
    pub repeated_labels: u32,
    /// How many lines ask something that the line below answers.
    pub questions: u32,
}

/// No heading is longer; longer lines are text even without an end mark.
const LONG: u32 = 45;
/// A line that ends with a colon and is as long announces what follows.
const LEAD_IN: u32 = 12;
/// Lines are alike up to this length.
const SHORT: u32 = 40;

impl<'t> Lines<'t> {
    /// Measures the lines of a text.
    pub fn new(text: &'t str) -> Lines<'t> {
        let mut lines: Vec<Line> = Vec::new();
        let mut blank = true;
        for range in line_ranges(text) {
            let Some(range) = trim_range(text, range) else {
                blank = true;
                continue;
            };
            if !blank && let Some(last) = lines.last_mut() {
                last.alone = false;
            }
            let mut line = Line::new(text, range);
            line.alone = blank;
            blank = false;
            lines.push(line);
        }
        let mut all = Lines {
            text,
            lines,
            repeated_labels: 0,
            questions: 0,
        };
        all.number_bare_steps();
        all.count_labels();
        all.count_alike();
        all.look_ahead();
        all.count_questions();
        all
    }

    /// Finds numbers without a mark behind them (1洗净 2切块). They are numbers of steps where they count up
    /// from 1; where the same character stands behind all of them, it is a unit (1月 2月 3月).
    fn number_bare_steps(&mut self) {
        let mut run: Vec<(usize, char)> = Vec::new();
        for at in 0..=self.lines.len() {
            let line = self.lines.get(at);
            let number = line.and_then(|line| bare_number(self.text, line));
            let goes_on = number.is_some_and(|(number, _)| number as usize == run.len() + 1);
            let begins = number.is_some_and(|(number, _)| number == 1);
            if let (Some((_, behind)), true, false) = (number, goes_on, begins) {
                run.push((at, behind));
            } else if begins || line.is_none() {
                let is_unit = run.iter().all(|(_, behind)| *behind == run[0].1);
                if run.len() > 1 && !is_unit {
                    for (step, _) in &run {
                        self.lines[*step].numbering = LineNumbering::Bare;
                        self.lines[*step].depth = 1;
                    }
                }
                run.clear();
                run.extend(number.map(|(_, behind)| (at, behind)));
            }
        }
    }

    /// Counts questions with an answer below: who asks and who answers take turns in an interview.
    fn count_questions(&mut self) {
        let asks = |line: &Line| line.end == Punctuation::Question;
        let pairs = self.lines.windows(2);
        let answered = pairs.filter(|pair| asks(&pair[0]) && !asks(&pair[1]) && pair[1].is_text());
        self.questions = answered.count() as u32;
    }

    fn count_labels(&mut self) {
        let text = self.text;
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        let labels = self.lines.iter().filter_map(|line| line.label.as_ref());
        for label in labels {
            *counts.entry(label_text(text, label)).or_default() += 1;
        }
        self.repeated_labels = counts.values().filter(|count| **count > 1).count() as u32;
        for label in self.lines.iter_mut().filter_map(|line| line.label.as_mut()) {
            label.count = counts.get(label_text(text, label)).copied().unwrap_or(1);
        }
    }

    fn count_alike(&mut self) {
        let key = |line: &Line| (line.numbering, line.wrap, line.mark, line.end);
        let mut counts: FxHashMap<_, u32> = FxHashMap::default();
        for line in self.lines.iter().filter(|line| line.chars <= SHORT) {
            *counts.entry(key(line)).or_default() += 1;
        }
        for line in &mut self.lines {
            line.alike = counts.get(&key(line)).copied().unwrap_or(0);
        }
    }

    fn look_ahead(&mut self) {
        let mut until = None;
        for line in self.lines.iter_mut().rev() {
            line.until_text = until;
            until = if line.is_text() {
                Some(1)
            } else {
                until.map(|lines: u32| lines + 1)
            };
        }
    }
}

/// The number that a line begins with, and the character right behind it, where that is a Chinese one.
fn bare_number(text: &str, line: &Line) -> Option<(u32, char)> {
    if line.numbering != LineNumbering::None || line.mark != LineMark::None {
        return None;
    }
    let body = text.get(line.body.clone())?;
    let behind = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = body.get(..body.len() - behind.len())?;
    let next = behind
        .chars()
        .next()
        .filter(|next| ('一'..='鿿').contains(next))?;
    (digits.len() <= 2).then(|| digits.parse().ok().map(|number| (number, next)))?
}

fn label_text<'t>(text: &'t str, label: &Label) -> &'t str {
    let own = text.get(label.range.clone()).unwrap_or_default();
    own.trim_matches(is_blank)
}

impl Line {
    fn new(text: &str, range: Range<usize>) -> Line {
        let whole = text.get(range.clone()).unwrap_or_default();
        let (mark, length, hashes) = shape::mark(whole);
        let start = if length < whole.len() { length } else { 0 };
        let body = whole[start..]
            .trim_end_matches(|c| mark == LineMark::Hash && (c == '#' || is_blank(c)));
        let body = if body.is_empty() { whole } else { body };
        let (wrap, inner) = shape::wrap(body);
        // Bold type is markup; brackets belong to the text.
        let body = if wrap == LineWrap::Bold { inner } else { body };
        let place = |part: &str| {
            let at = range.start + (part.as_ptr() as usize - whole.as_ptr() as usize);
            at..at + part.len()
        };
        let (numbering, depth) = shape::numbering(body);
        let label = shape::label(inner).map(|(label, behind)| {
            let at = place(inner).start;
            Label {
                class: shape::label_class(&inner[label.clone()]),
                range: at + label.start..at + label.end,
                behind: at + behind,
                count: 1,
            }
        });
        let count = |holds: fn(Punctuation) -> bool| {
            let marks = body
                .char_indices()
                .map(|(at, _)| Punctuation::of(&body[at..]));
            marks.filter(|mark| holds(*mark)).count() as u32
        };
        Line {
            body: place(body),
            chars: body.chars().count() as u32,
            mark,
            hashes,
            wrap,
            numbering,
            depth,
            opens: Punctuation::of(body),
            end: shape::end(body),
            label,
            says: words::line_words().of_line(inner),
            commas: count(|mark| matches!(mark, Punctuation::Comma | Punctuation::Semicolon)),
            stops: count(Punctuation::ends_sentence),
            columns: shape::columns(whole),
            capitals: shape::is_capitals(body),
            has_date: shape::has_date(body),
            is_date: shape::is_date_only(inner),
            has_link: ["http", "www.", "@"].iter().any(|sign| body.contains(sign)),
            alone: false,
            alike: 0,
            until_text: None,
            range,
        }
    }

    /// True when it reads as running text: it ends a sentence, or is long.
    fn is_text(&self) -> bool {
        let announces = self.end == Punctuation::Colon && self.chars >= LEAD_IN;
        let ends = self.end.ends_sentence() || self.end == Punctuation::Semicolon || announces;
        // What people say is text, whoever says it; sources and disclaimers are not.
        let is_said = matches!(
            self.label_class(),
            LineClass::None | LineClass::Speaker | LineClass::Fact
        );
        (ends && is_said) || self.chars > LONG
    }

    /// The class of its label.
    pub fn label_class(&self) -> LineClass {
        self.label
            .as_ref()
            .map_or(LineClass::None, |label| label.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Lines::new(text).lines.remove(0)
    }

    #[test]
    fn numberings_are_told_apart() {
        for (text, kind, depth) in [
            ("1.引言", LineNumbering::Arabic, 1),
            ("2.1.音段感知", LineNumbering::Decimal, 2),
            ("2.2.1.紧急预案", LineNumbering::Decimal, 3),
            ("1.9升水", LineNumbering::None, 0),
            ("一、总体要求", LineNumbering::Chinese, 1),
            ("（二）主要目标", LineNumbering::BracketedChinese, 1),
            ("(3) 检查", LineNumbering::Bracketed, 1),
            ("3) 检查", LineNumbering::Bracketed, 1),
            ("①利率上升", LineNumbering::Circled, 1),
            ("第一章 总则", LineNumbering::Chapter, 1),
            ("第一，利率上升", LineNumbering::Ordinal, 1),
            ("方法1播种", LineNumbering::Step, 1),
            ("Part2：展览", LineNumbering::Step, 1),
            ("IV. Methods", LineNumbering::Roman, 1),
            ("b) second", LineNumbering::Letter, 1),
            ("2019年出口下降", LineNumbering::None, 0),
            ("一家公司上市", LineNumbering::None, 0),
        ] {
            let found = line(text);
            assert_eq!((found.numbering, found.depth), (kind, depth), "{text}");
        }
    }

    #[test]
    fn bare_numbers_that_count_up_are_steps() {
        let steps = |text: &str| -> Vec<bool> {
            let lines = Lines::new(text).lines;
            let bare = lines.iter().map(|l| l.numbering == LineNumbering::Bare);
            bare.collect()
        };
        let recipe = "1洗净罗勒。\n水要凉。\n2切碎。\n1拌匀。\n2装盘。";
        assert_eq!(steps(recipe), [true, false, true, true, true]);
        assert_eq!(steps("1月下雪。\n2月开花。\n3月结果。"), [false; 3]);
        assert_eq!(steps("1名工人受伤。\n其他人没事。"), [false; 2]);
        assert_eq!(steps("3个班级参加。\n5位老师带队。"), [false; 2]);
    }

    #[test]
    fn questions_count_where_an_answer_stands_below() {
        let asked = |text: &str| Lines::new(text).questions;
        assert_eq!(asked("收成好吗？\n很好。\n雨水呢？\n也足。"), 2);
        assert_eq!(asked("收成好吗？\n雨水呢？\n都好。\n价格呢？"), 1);
    }

    #[test]
    fn an_end_mark_is_seen_behind_quotes_and_notes() {
        for (text, end) in [
            ("他说：“走吧。”", Punctuation::Stop),
            ("人口上升。[12][3]", Punctuation::Stop),
            ("人口上升。-LSB-12-RSB-", Punctuation::Stop),
            ("早年生活", Punctuation::None),
            ("伏特加(25毫升)", Punctuation::CloseBracket),
            ("涨幅为1.29%", Punctuation::None),
            ("[1]", Punctuation::CloseBracket),
        ] {
            assert_eq!(line(text).end, end, "{text}");
        }
    }

    #[test]
    fn labels_are_short_and_plain() {
        let found = line("（文章来源：每日晨报）");
        assert_eq!(
            (found.wrap, found.label_class()),
            (LineWrap::Round, LineClass::Source)
        );
        assert_eq!(line("记者：您怎么看？").label_class(), LineClass::Speaker);
        assert!(line("https://example.org/").label.is_none());
        assert!(line("早上7:00出发").label.is_none());
        assert!(line("他说，是这样：先浸泡").label.is_none());
        let text = "张三：你好。\n李四：你好。\n张三：再见。\n李四：再见。";
        let lines = Lines::new(text);
        assert_eq!(lines.repeated_labels, 2);
        assert!(
            lines
                .lines
                .iter()
                .all(|line| line.label.as_ref().is_some_and(|label| label.count == 2))
        );
    }

    #[test]
    fn markup_is_not_part_of_the_body() {
        let body = |text: &str| {
            let line = line(text);
            (line.mark, line.wrap, text[line.body].to_owned())
        };
        let of = |mark, wrap, text: &str| (mark, wrap, text.to_owned());
        assert_eq!(
            body("## 方法 ##"),
            of(LineMark::Hash, LineWrap::None, "方法")
        );
        assert_eq!(body("**方法**"), of(LineMark::None, LineWrap::Bold, "方法"));
        assert_eq!(
            body("- 一勺盐"),
            of(LineMark::Bullet, LineWrap::None, "一勺盐")
        );
        assert_eq!(
            body("> 他来了。"),
            of(LineMark::Quote, LineWrap::None, "他来了。")
        );
        assert_eq!(
            body("| 甲 | 乙 |"),
            of(LineMark::Table, LineWrap::None, "| 甲 | 乙 |")
        );
        assert_eq!(
            body("------"),
            of(LineMark::Ruler, LineWrap::None, "------")
        );
        assert_eq!(body("#"), of(LineMark::None, LineWrap::None, "#"));
        assert_eq!(body("-3度"), of(LineMark::None, LineWrap::None, "-3度"));
    }

    #[test]
    fn text_below_is_counted_in_lines() {
        let lines = Lines::new("标题\n小标题\n正文。\n尾注");
        let until: Vec<Option<u32>> = lines.lines.iter().map(|line| line.until_text).collect();
        assert_eq!(until, [Some(2), Some(1), None, None]);
    }
}
