//! When what a line tells happened.

use std::ops::Range;

use jiff::civil::Date;

use super::super::SourceText;

/// A line tells of the day that its first words name, if that is not long before its text was written and not
/// behind it; else of the day of its text.
pub(super) fn day(text: &SourceText, edus: &Range<usize>) -> Option<Date> {
    let written = text.document.date;
    let first = text.analysis.edus.get(edus.start)?;
    let start = first.range.start;
    let opening = text.document.text.get(start..)?;
    let length: usize = opening.chars().take(OPENING).map(char::len_utf8).sum();
    let named = text.analysis.times.iter().find_map(|time| {
        let inside = start <= time.range.start && time.range.start < start + length;
        let value = time
            .value
            .filter(|value| inside && value.from == value.to)?;
        Some(value.from)
    });
    let plausible = |day: &Date| match written {
        Some(written) => {
            let days = (written - *day).get_days();
            (0..=LONGEST_AGO).contains(&days)
        }
        None => true,
    };
    named.filter(plausible).or(written)
}

/// Characters of a line's opening: 当地时间周四（8月6日），……
const OPENING: usize = 12;
/// Days between what happened and its report.
const LONGEST_AGO: i32 = 45;
