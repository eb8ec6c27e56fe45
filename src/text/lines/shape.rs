//! What the characters of one line tell: its mark, its numbering, its label, how it ends.

use std::ops::Range;

use super::words::{LineClass, line_words};
use super::{LineMark, LineNumbering, LineWrap};
use crate::text::document::is_blank;
use crate::text::words::Punctuation;

/// Labels have at most this many characters.
const LONGEST_LABEL: usize = 14;
/// Numbers of items have at most this many digits: 2019 is a year.
const LONGEST_NUMBER: usize = 3;

/// The markup that a line begins with, how long it is, and how many `#` it has.
pub(super) fn mark(line: &str) -> (LineMark, usize, u8) {
    let hashes = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && line[hashes..].starts_with(is_blank) {
        return (LineMark::Hash, behind(line, hashes), hashes as u8);
    }
    if is_ruler(line) {
        return (LineMark::Ruler, 0, 0);
    }
    if is_row(line) {
        return (LineMark::Table, 0, 0);
    }
    let Some(first) = line.chars().next() else {
        return (LineMark::None, 0, 0);
    };
    let length = first.len_utf8();
    let spaced = line[length..].starts_with(is_blank);
    match first {
        '>' | '＞' => (LineMark::Quote, behind(line, length), 0),
        '-' | '*' | '+' | '–' | '·' if spaced => (LineMark::Bullet, behind(line, length), 0),
        '•' | '●' | '○' | '■' | '□' | '◆' | '◇' | '▪' | '▶' | '►' | '➤' | '※' | '★' | '☆' | '✓'
        | '✔' | '◎' => (LineMark::Bullet, behind(line, length), 0),
        _ => (LineMark::None, 0, 0),
    }
}

/// Where what stands behind a mark and its blanks begins.
fn behind(line: &str, mark: usize) -> usize {
    let rest = line.get(mark..).unwrap_or_default();
    mark + (rest.len() - rest.trim_start_matches(is_blank).len())
}

/// `---`, `* * *`, `======`.
fn is_ruler(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !is_blank(*c));
    let Some(first) = marks.next() else {
        return false;
    };
    matches!(first, '-' | '*' | '_' | '=' | '—' | '─' | '~' | '·') && {
        let mut others = 0;
        marks.all(|c| {
            others += 1;
            c == first
        }) && others >= 2
    }
}

/// A row of a table: cells between bars, or three and more between tabs.
fn is_row(line: &str) -> bool {
    let barred = line.starts_with('|') && line.ends_with('|') && line.matches('|').count() >= 3;
    barred || (line.matches(" | ").count() >= 2) || columns(line) >= 3
}

/// How many cells a line has between bars or tabs.
pub(super) fn columns(line: &str) -> u32 {
    let tabs = line.split('\t').filter(|cell| !cell.trim().is_empty());
    let inner = line.trim_matches('|');
    let bars = inner.split('|').filter(|cell| !cell.trim().is_empty());
    tabs.count().max(bars.count()) as u32
}

/// What stands around a whole line, and what is inside.
pub(super) fn wrap(body: &str) -> (LineWrap, &str) {
    if let Some(inner) = body
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"))
        && !inner.is_empty()
        && !inner.contains("**")
    {
        return (LineWrap::Bold, inner.trim_matches(is_blank));
    }
    let mut chars = body.chars();
    let (Some(first), Some(last)) = (chars.next(), chars.next_back()) else {
        return (LineWrap::None, body);
    };
    let found = match (first, last) {
        ('【', '】') | ('[', ']') | ('〔', '〕') | ('［', '］') => LineWrap::Square,
        ('（', '）' | ')') | ('(', ')' | '）') => LineWrap::Round,
        ('《', '》') | ('〈', '〉') | ('<', '>') => LineWrap::Angle,
        ('“', '”') | ('「', '」') | ('『', '』') | ('"', '"') => LineWrap::Quotes,
        _ => return (LineWrap::None, body),
    };
    let inner = chars.as_str();
    // （一）目标（试行） is two pairs, not one around the whole.
    if inner.contains(last) || inner.contains(first) {
        return (LineWrap::None, body);
    }
    (found, inner.trim_matches(is_blank))
}

/// The mark that a line ends with; a quote or a bracket that closes behind a mark does not hide it,
/// nor does a note such as `[1]`.
pub(super) fn end(body: &str) -> Punctuation {
    let rest = without_notes(body);
    let last = last_mark(rest);
    if !matches!(last, Punctuation::CloseQuote | Punctuation::CloseBracket) && !rest.ends_with('"')
    {
        return last;
    }
    let closing = |c: char| {
        let mark = Punctuation::of(c.encode_utf8(&mut [0; 4]));
        matches!(mark, Punctuation::CloseQuote | Punctuation::CloseBracket) || c == '"'
    };
    let inner = last_mark(rest.trim_end_matches(closing));
    if inner.ends_sentence() || inner == Punctuation::Semicolon {
        inner
    } else {
        last
    }
}

fn last_mark(text: &str) -> Punctuation {
    let last = text.chars().next_back();
    last.map_or(Punctuation::None, |c| match c {
        // Marks of amounts are no marks of sentences.
        '%' | '％' | '‰' | '℃' | '°' | '+' | '＋' | '#' | '/' | '$' | '€' | '￥' => {
            Punctuation::None
        }
        _ => Punctuation::of(c.encode_utf8(&mut [0; 4])),
    })
}

/// The text without notes at its end: `[12]`, and `-LSB-12-RSB-` as treebanks write it.
fn without_notes(text: &str) -> &str {
    let mut rest = text.trim_end_matches(is_blank);
    loop {
        let open = if let Some(inner) = rest.strip_suffix("-RSB-") {
            inner.rfind("-LSB-")
        } else if let Some(inner) = rest.strip_suffix([']', '］']) {
            inner.rfind(['[', '［'])
        } else {
            None
        };
        match open {
            Some(at) if at > 0 => rest = rest[..at].trim_end_matches(is_blank),
            _ => return rest,
        }
    }
}

/// What stands before the first colon, if that is short and has no other mark, and what the colon ends at.
pub(super) fn label(inner: &str) -> Option<(Range<usize>, usize)> {
    let mut chars = inner.char_indices();
    let (at, colon) = chars
        .by_ref()
        .take(LONGEST_LABEL + 1)
        .find(|(_, c)| matches!(c, '：' | ':'))?;
    let label = inner.get(..at)?;
    let rest = inner.get(at + colon.len_utf8()..)?;
    let marked = |c: char| {
        let mark = Punctuation::of(c.encode_utf8(&mut [0; 4]));
        let inside = matches!(mark, Punctuation::OpenBracket | Punctuation::CloseBracket);
        mark != Punctuation::None
            && !inside
            && !matches!(c, '·' | ' ' | '.' | '*' | '-' | '/' | '#')
    };
    let is_address = rest.starts_with("//");
    let is_clock = label.ends_with(|c: char| c.is_ascii_digit())
        && rest.starts_with(|c: char| c.is_ascii_digit());
    let is_label = !label.trim_matches(is_blank).is_empty() && !label.contains(marked);
    (is_label && !is_address && !is_clock).then(|| (0..at, at + colon.len_utf8()))
}

/// The class of a label: by all of it, or by what stands before a name (`本报记者 张三`).
pub(super) fn label_class(label: &str) -> LineClass {
    let bare = label.trim_matches(|c: char| is_blank(c) || "（）()【】[]*".contains(c));
    let squeezed: String = bare.chars().filter(|c| !is_blank(*c)).collect();
    line_words().of_label(&squeezed)
}

/// The kind of numbering that a line begins with, and how deep it goes: `2.1.` goes two deep.
pub(super) fn numbering(body: &str) -> (LineNumbering, u8) {
    let found = by_bracket(body)
        .or_else(|| by_digits(body))
        .or_else(|| by_numeral(body))
        .or_else(|| by_word(body))
        .or_else(|| by_letter(body));
    found.unwrap_or((LineNumbering::None, 0))
}

/// Digits of either width.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_numeral(c: char) -> bool {
    crate::text::begins_numeral(c) && !is_digit(c)
}

/// Behind the digits or the Chinese numerals that a text begins with, and whether they are Chinese.
fn behind_number(text: &str) -> Option<(&str, bool)> {
    let length = |rest: &str| text[..text.len() - rest.len()].chars().count();
    let rest = text.trim_start_matches(is_digit);
    if rest.len() < text.len() {
        return (length(rest) <= LONGEST_NUMBER).then_some((rest, false));
    }
    let rest = text.trim_start_matches(is_numeral);
    (1..=LONGEST_NUMBER)
        .contains(&length(rest))
        .then_some((rest, true))
}

/// （一） (1) 1) ①
fn by_bracket(body: &str) -> Option<(LineNumbering, u8)> {
    let first = body.chars().next()?;
    if matches!(first, '①'..='⑳' | '㈠'..='㈩' | '⑴'..='⒇' | '❶'..='❿') {
        return Some((LineNumbering::Circled, 1));
    }
    let closes = |rest: &str| rest.starts_with(['）', ')']);
    if let Some(inner) = body.strip_prefix(['（', '(']) {
        let (rest, chinese) = behind_number(inner)?;
        let kind = if chinese {
            LineNumbering::BracketedChinese
        } else {
            LineNumbering::Bracketed
        };
        return closes(rest).then_some((kind, 1));
    }
    let (rest, chinese) = behind_number(body)?;
    (!chinese && closes(rest)).then_some((LineNumbering::Bracketed, 1))
}

/// 1. 2.1. 3、
fn by_digits(body: &str) -> Option<(LineNumbering, u8)> {
    let mut rest = body;
    let mut depth = 0_u8;
    loop {
        let (behind, chinese) = behind_number(rest)?;
        if chinese {
            return None;
        }
        depth = depth.saturating_add(1);
        match behind.strip_prefix(['.', '．']) {
            Some(more) if more.starts_with(is_digit) => rest = more,
            _ => {
                rest = behind;
                break;
            }
        }
    }
    let parted = rest.starts_with(['.', '．', '、', ' ', '　', '\t']);
    match (depth, parted) {
        (1, true) => Some((LineNumbering::Arabic, 1)),
        (2, true) => Some((LineNumbering::Decimal, 2)),
        (3.., _) => Some((LineNumbering::Decimal, depth)),
        _ => None,
    }
}

/// 一、 十二.
fn by_numeral(body: &str) -> Option<(LineNumbering, u8)> {
    let (rest, chinese) = behind_number(body)?;
    let parted = rest.starts_with(['、', '．', '.', ' ', '　']);
    (chinese && parted).then_some((LineNumbering::Chinese, 1))
}

/// 第一章 第一， 方法1 Part 2
fn by_word(body: &str) -> Option<(LineNumbering, u8)> {
    let words = &line_words().numbering;
    if let Some((rest, _)) = body.strip_prefix('第').and_then(behind_number) {
        let is_chapter = words
            .chapter
            .iter()
            .any(|unit| rest.starts_with(unit.as_str()));
        return if is_chapter {
            Some((LineNumbering::Chapter, 1))
        } else {
            let parted = rest.starts_with(['，', ',', '、', '：', ':', ' ']);
            parted.then_some((LineNumbering::Ordinal, 1))
        };
    }
    let step = words
        .step
        .iter()
        .find(|word| body.starts_with(word.as_str()))?;
    let rest = body.get(step.len()..)?.trim_start_matches(is_blank);
    behind_number(rest).map(|_| (LineNumbering::Step, 1))
}

/// a. B) IV.
fn by_letter(body: &str) -> Option<(LineNumbering, u8)> {
    let rest = body.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &body[..body.len() - rest.len()];
    if !rest.starts_with(['.', '、', ')', '）', '．']) {
        return None;
    }
    let roman = |c: char| matches!(c, 'I' | 'V' | 'X');
    match letters.len() {
        1 if !letters.contains(roman) || rest.starts_with([')', '）']) => {
            Some((LineNumbering::Letter, 1))
        }
        1..=4 if letters.chars().all(roman) => Some((LineNumbering::Roman, 1)),
        _ => None,
    }
}

/// True when Latin letters are all capitals, several of them, and nothing is Chinese.
pub(super) fn is_capitals(body: &str) -> bool {
    let mut letters = 0;
    for c in body.chars() {
        if c.is_alphabetic() && !c.is_uppercase() {
            return false;
        }
        letters += u32::from(c.is_alphabetic());
    }
    letters >= 4
}

/// True when a date stands in the line: 1月2日, 2021-01-02.
pub(super) fn has_date(body: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let before = |at: usize| digit(body[..at].chars().next_back());
    let behind = |at: usize| digit(body[at..].trim_start().chars().next());
    let spoken = body
        .match_indices('月')
        .any(|(at, month)| before(at) && behind(at + month.len()));
    let mut parts = body.match_indices(['-', '/', '.']).map(|(at, _)| at);
    spoken
        || parts.any(|at| {
            let year =
                body[..at].len() >= 4 && body.as_bytes()[at - 4..at].iter().all(u8::is_ascii_digit);
            year && behind(at + 1)
        })
}

/// True when a line holds nothing but a date or a time of day.
pub(super) fn is_date_only(body: &str) -> bool {
    const PARTS: &str = "年月日时分秒";
    let is_part = |c: char| {
        c.is_ascii_digit() || is_blank(c) || "-/.:：（）()".contains(c) || PARTS.contains(c)
    };
    body.chars().all(is_part) && (has_date(body) || (body.contains('年') && body.contains('月')))
}
