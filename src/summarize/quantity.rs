//! Numbers with their units: 12人, 0.5个百分点, 3.2亿元, 十二人, 约三成.

use std::ops::Range;

use super::claim_lexicon::ClaimLexicon;
use crate::text::{begins_numeral, chinese_digit};

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    /// Its stretch of the piece, in bytes, unit included.
    pub(super) range: Range<usize>,
    /// Its value in the unit: 3.2亿 is 320000000.
    pub(super) value: f64,
    /// What the last digit counts: 3.2亿 is told to ten millions.
    pub(super) grain: f64,
    /// The unit, by the first word of its kind.
    pub(super) unit: String,
    /// How exact it is.
    pub(super) bound: Bound,
}

/// How exact a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    About,
    AtLeast,
    AtMost,
}

impl Quantity {
    /// True when both can be true of one thing: rounded alike, or within what the other leaves open.
    pub(super) fn agrees(&self, other: &Quantity) -> bool {
        let (a, b) = (self, other);
        let grain = a.grain.max(b.grain);
        let gap = (a.value - b.value).abs();
        if gap < grain * (1.0 - 1e-9) || gap <= 1e-9 * a.value.abs() {
            return true;
        }
        let near = gap <= ABOUT * a.value.abs().max(b.value.abs());
        match (a.bound, b.bound) {
            (Bound::Exact, Bound::Exact) => false,
            (Bound::AtLeast, Bound::AtLeast) | (Bound::AtMost, Bound::AtMost) => true,
            (Bound::AtLeast, _) if b.value >= a.value => true,
            (_, Bound::AtLeast) if a.value >= b.value => true,
            (Bound::AtMost, _) if b.value <= a.value => true,
            (_, Bound::AtMost) if a.value <= b.value => true,
            (Bound::About, _) | (_, Bound::About) => near,
            _ => false,
        }
    }
}

/// A number that is told roughly may be off by this share.
const ABOUT: f64 = 0.1;

/// The quantities of a piece of text, in order; stretches that `passed_over` holds (times) are not looked at.
pub(super) fn quantities(
    piece: &str,
    passed_over: &[Range<usize>],
    lexicon: &ClaimLexicon,
) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while let Some(c) = piece.get(at..).and_then(|rest| rest.chars().next()) {
        let time = passed_over.iter().find(|range| range.contains(&at));
        if let Some(time) = time {
            at = time.end.max(at + c.len_utf8());
            continue;
        }
        let opens = begins_numeral(c) && !is_inside_name(piece, at);
        match opens.then(|| number(piece, at)).flatten() {
            Some(number) => {
                let end = number.end;
                found.extend(with_unit(piece, at, number, lexicon));
                at = end.max(at + c.len_utf8());
            }
            None => at += c.len_utf8(),
        }
    }
    found
}

/// True behind a letter or a digit: V14 is a name.
fn is_inside_name(piece: &str, at: usize) -> bool {
    let before = piece
        .get(..at)
        .and_then(|before| before.chars().next_back());
    before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
}

struct Number {
    value: f64,
    grain: f64,
    end: usize,
    /// It is 一.
    is_article: bool,
}

/// The number that begins at a byte: digits with marks, or Chinese numerals, with 十, 百, 千, 万, 亿.
fn number(piece: &str, at: usize) -> Option<Number> {
    let rest = piece.get(at..)?;
    let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.'));
    let digits = rest.get(..digits.unwrap_or(rest.len()))?;
    let digits = digits.trim_end_matches(['.', ',']);
    let (mut value, mut grain, mut end) = if digits.is_empty() {
        let (value, length) = chinese(rest)?;
        (value, 1.0, at + length)
    } else {
        let plain = digits.replace(',', "");
        let value = plain.parse::<f64>().ok()?;
        let places = plain.split_once('.').map_or(0, |(_, places)| places.len());
        let grain = 10f64.powi(-i32::try_from(places).ok()?);
        (value, grain, at + digits.len())
    };
    while let Some(c) = piece.get(end..).and_then(|rest| rest.chars().next()) {
        let Some(scale) = scale(c) else { break };
        value *= scale;
        grain *= scale;
        end += c.len_utf8();
    }
    let is_article = digits.is_empty() && value == 1.0;
    Some(Number {
        value,
        grain,
        end,
        is_article,
    })
}

fn scale(c: char) -> Option<f64> {
    Some(match c {
        '百' => 1e2,
        '千' => 1e3,
        '万' => 1e4,
        '亿' => 1e8,
        '兆' => 1e12,
        _ => return None,
    })
}

/// A number in Chinese numerals below ten thousand, and its bytes.
fn chinese(text: &str) -> Option<(f64, usize)> {
    let (mut sum, mut last, mut length, mut known) = (0.0, 0.0, 0, false);
    let mut fraction: Option<f64> = None;
    for c in text.chars() {
        match (chinese_digit(c).map(f64::from), c, fraction) {
            (Some(digit), _, Some(place)) => {
                last += digit * place;
                fraction = Some(place / 10.0);
            }
            // 二〇一九 is read digit by digit, 一百零五 is not.
            (Some(digit), _, None) if sum == 0.0 => last = last * 10.0 + digit,
            (Some(digit), _, None) => last = digit,
            (None, '十', None) => {
                sum += 10.0 * if last == 0.0 { 1.0 } else { last };
                last = 0.0;
            }
            (None, '百', None) if known => {
                sum += 100.0 * last;
                last = 0.0;
            }
            (None, '千', None) if known => {
                sum += 1000.0 * last;
                last = 0.0;
            }
            (None, '点', None) if known => {
                let next = text
                    .get(length + c.len_utf8()..)
                    .and_then(|t| t.chars().next());
                if !next.is_some_and(begins_numeral) {
                    break;
                }
                fraction = Some(0.1);
            }
            _ => break,
        }
        known = true;
        length += c.len_utf8();
    }
    known.then_some((sum + last, length))
}

/// Behind a number stands its unit; without one it counts nothing that could be compared.
fn with_unit(
    piece: &str,
    start: usize,
    number: Number,
    lexicon: &ClaimLexicon,
) -> Option<Quantity> {
    let behind = piece.get(number.end..)?;
    // 10多人, 三十余家
    let skipped = lexicon.lists.more.opening(behind);
    let behind = behind.get(skipped..)?;
    let is_more = skipped > 0;
    let share = behind
        .starts_with('成')
        .then_some(("%", '成'.len_utf8(), 10.0));
    let (unit, length, times) = match share {
        Some(share) => share,
        None => {
            let (unit, length) = lexicon.unit(behind)?;
            // 一次, 一项: an article more than a number.
            if number.is_article && length == unit.len() {
                return None;
            }
            (unit, length, 1.0)
        }
    };
    let end = number.end + skipped + length;
    let before = piece.get(..start)?;
    let after = piece.get(end..)?;
    // 170%—199% is a range, of which neither end is told.
    let ranges = ['-', '—', '–', '～', '~', '至'];
    if before.ends_with(ranges) || after.starts_with(ranges) {
        return None;
    }
    let bound = if is_more
        || lexicon.lists.at_least.closes(before)
        || lexicon.lists.at_least.opens(after)
    {
        Bound::AtLeast
    } else if lexicon.lists.at_most.closes(before) || lexicon.lists.at_most.opens(after) {
        Bound::AtMost
    } else if lexicon.lists.about.closes(before) || lexicon.lists.about.opens(after) {
        Bound::About
    } else {
        Bound::Exact
    };
    Some(Quantity {
        range: start..end,
        value: number.value * times,
        grain: number.grain * times,
        unit: unit.to_owned(),
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::super::claim_lexicon::shipped;
    use super::*;

    fn read(piece: &str) -> Vec<(f64, String)> {
        let found = quantities(piece, &[], shipped()).into_iter();
        found
            .map(|quantity| (quantity.value, quantity.unit))
            .collect()
    }

    fn one(piece: &str) -> Quantity {
        quantities(piece, &[], shipped()).remove(0)
    }

    #[test]
    fn numbers_of_every_script_with_their_units() {
        let value = |value: f64, unit: &str| (value, unit.to_owned());
        assert_eq!(
            read("造成12人受伤、三人死亡"),
            [value(12.0, "人"), value(3.0, "人")]
        );
        assert_eq!(
            read("净利润3.2亿元，增长两成"),
            [value(3.2e8, "元"), value(20.0, "%")]
        );
        assert_eq!(read("二十三名工人被困"), [value(23.0, "人")]);
        assert_eq!(read("成交1,024.5万股"), [value(10_245_000.0, "股")]);
        assert_eq!(read("一百零五家"), [value(105.0, "家")]);
        assert_eq!(read("推出V14版本"), []);
    }

    #[test]
    fn rounded_and_rough_numbers_agree() {
        let agree = |a: &str, b: &str| one(a).agrees(&one(b));
        assert!(agree("44.4万辆", "44.42万辆"));
        assert!(agree("超过12人", "13人") && agree("近100家", "98家") && agree("10多人", "13人"));
        assert!(!agree("12人", "13人") && !agree("至少20人", "13人") && !agree("3.2%", "3.8%"));
    }
}
