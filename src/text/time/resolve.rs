//! Which days an expression means, given when the text was written and what it said before.

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use super::shape::{DateShape, Days, Months, Shape, Year};
use super::{TimeContext, TimeValue};

/// The days a shape means; none where they cannot be told. Remembers days for what follows.
pub(super) fn resolve(shape: &Shape, context: &mut TimeContext) -> Option<TimeValue> {
    let value = match *shape {
        Shape::Date(date) => date_value(&date, context)?,
        Shape::Range(from, to) => {
            let first = date_value(&from, context)?;
            let completed = DateShape {
                year: to.year.or(Some(Year::Given(first.from.year()))),
                months: to.months.or_else(|| {
                    let month = first.from.month() as u8;
                    to.days.map(|_| Months::Given(month, month))
                }),
                ..to
            };
            let last = date_value(&completed, context)?;
            if last.to < first.from {
                return None;
            }
            days(first.from, last.to)
        }
        Shape::Years(first, last) if first <= last => years(first, last)?,
        Shape::Years(..) => return None,
        Shape::Decade { century, tens } => {
            let century = century.unwrap_or(if tens >= 30 { 1900 } else { 2000 });
            let first = century + i16::from(tens);
            years(first, first + 9)?
        }
        Shape::Week { weeks, day, clock } => TimeValue {
            clock,
            ..week(weeks, day, context)?
        },
        Shape::Vague => return None,
    };
    if value.from == value.to || value.from.month() == value.to.month() {
        context.last = Some(value.from);
    }
    Some(value)
}

fn date_value(date: &DateShape, context: &TimeContext) -> Option<TimeValue> {
    let anchor = context.anchor.or(context.last);
    if let Some(Days::Relative(_) | Days::Same | Days::Next) = date.days {
        let day = relative_day(date, context)?;
        return Some(TimeValue {
            from: day,
            to: day,
            clock: date.clock,
        });
    }
    let (year, months) = match (date.year, date.months) {
        (Some(year), months) => (year_number(year, context)?, months),
        (None, Some(months)) => return month_value(date, months, context),
        (None, None) => return day_value(date, context),
    };
    match months {
        None => years(year, year),
        Some(Months::Given(first, last)) => in_months(year, first, last, date),
        Some(months) => {
            let month = month_number(months, context, anchor?)?;
            in_months(year, month, month, date)
        }
    }
}

fn relative_day(date: &DateShape, context: &TimeContext) -> Option<Date> {
    let days = match date.days? {
        Days::Relative(days) => return context.anchor?.checked_add(i64::from(days).days()).ok(),
        Days::Same => 0,
        Days::Next => 1,
        Days::Given(..) => return None,
    };
    let spoken_of = context.last.or(context.anchor)?;
    spoken_of.checked_add(i64::from(days).days()).ok()
}

fn year_number(year: Year, context: &TimeContext) -> Option<i16> {
    Some(match year {
        Year::Given(year) => year,
        Year::Relative(years) => context.anchor?.year() + years,
        Year::Same => context.last.or(context.anchor)?.year(),
    })
}

fn month_number(months: Months, context: &TimeContext, anchor: Date) -> Option<u8> {
    Some(match months {
        Months::Given(month, _) => month,
        Months::Relative(by) => month_from(anchor, by)?.month() as u8,
        Months::Same => context.last.unwrap_or(anchor).month() as u8,
    })
}

fn month_from(date: Date, by: i8) -> Option<Date> {
    let span: Span = i64::from(by).months();
    date.first_of_month().checked_add(span).ok()
}

/// A month without a year: the nearest one, rather past than to come.
fn month_value(date: &DateShape, months: Months, context: &TimeContext) -> Option<TimeValue> {
    let anchor = context.anchor.or(context.last)?;
    match months {
        Months::Relative(by) => {
            let month = month_from(anchor, by)?;
            in_months(month.year(), month.month() as u8, month.month() as u8, date)
        }
        Months::Same => {
            let month = context.last.unwrap_or(anchor);
            in_months(month.year(), month.month() as u8, month.month() as u8, date)
        }
        Months::Given(first, last) => {
            /// A month this far ahead is more likely the one of last year.
            const MONTHS_AHEAD: i16 = 2;
            let ahead = i16::from(last) - i16::from(anchor.month());
            let part_of_year = first != last;
            let year = match ahead {
                _ if part_of_year => anchor.year(),
                ahead if ahead > MONTHS_AHEAD => anchor.year() - 1,
                _ => anchor.year(),
            };
            in_months(year, first, last, date)
        }
    }
}

/// A day without a month: of the month spoken of, or the last such day.
fn day_value(date: &DateShape, context: &TimeContext) -> Option<TimeValue> {
    let Some(Days::Given(first, last)) = date.days else {
        // A clock alone: 下午3点.
        let day = context.last.or(context.anchor)?;
        return Some(TimeValue {
            from: day,
            to: day,
            clock: date.clock,
        });
    };
    /// A day this far ahead is more likely the one of last month.
    const DAYS_AHEAD: i16 = 7;
    let near = match context.last {
        Some(day) => day,
        None => {
            let anchor = context.anchor?;
            if i16::from(first as i8) - i16::from(anchor.day()) > DAYS_AHEAD {
                month_from(anchor, -1)?
            } else {
                anchor
            }
        }
    };
    let shape = DateShape {
        days: Some(Days::Given(first, last)),
        ..*date
    };
    let month = near.month() as u8;
    in_months(near.year(), month, month, &shape)
}

fn in_months(year: i16, first: u8, last: u8, date: &DateShape) -> Option<TimeValue> {
    let begin = Date::new(year, first as i8, 1).ok()?;
    let end = Date::new(year, last as i8, 1).ok()?;
    match date.days {
        Some(Days::Given(from, to)) => {
            let from = Date::new(year, first as i8, from as i8).ok()?;
            let to = (to as i8).min(end.days_in_month());
            let to = Date::new(year, last as i8, to).ok()?;
            Some(TimeValue {
                from,
                to,
                clock: date.clock.filter(|_| from == to),
            })
        }
        _ => Some(days(begin, end.last_of_month())),
    }
}

fn week(weeks: i8, day: Option<u8>, context: &TimeContext) -> Option<TimeValue> {
    let anchor = context.anchor.or(context.last)?;
    let monday = i64::from(1 - anchor.weekday().to_monday_one_offset());
    let monday = anchor
        .checked_add((monday + 7 * i64::from(weeks)).days())
        .ok()?;
    match day {
        None => Some(days(monday, monday.checked_add(6.days()).ok()?)),
        Some(day) => {
            let mut found = monday.checked_add((i64::from(day) - 1).days()).ok()?;
            // 周五 in a text of a Monday is the Friday before.
            if weeks == 0 && found > anchor {
                found = found.checked_sub(7.days()).ok()?;
            }
            Some(days(found, found))
        }
    }
}

fn years(first: i16, last: i16) -> Option<TimeValue> {
    let from = Date::new(first, 1, 1).ok()?;
    let to = Date::new(last, 12, 31).ok()?;
    Some(days(from, to))
}

fn days(from: Date, to: Date) -> TimeValue {
    TimeValue {
        from,
        to,
        clock: None,
    }
}
