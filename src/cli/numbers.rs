//! Numbers as arguments. Each has a range, which its help and its error say.

use clap::builder::{StringValueParser, TypedValueParser};

/// A whole number from `least` to `most`.
pub(super) fn whole<T>(least: u64, most: u64) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    StringValueParser::new().try_map(move |text| {
        let number: Option<u64> = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("write a whole number ({})", whole_range(least, most)))
    })
}

/// A seed: any whole number that fits.
pub(super) fn seed() -> impl TypedValueParser<Value = u64> {
    whole(0, u64::MAX)
}

/// A number from `least` to `most`, which may have a fraction.
pub(super) fn real<T>(least: f64, most: f64) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr + Into<f64> + Copy + Send + Sync + 'static,
{
    StringValueParser::new().try_map(move |text| {
        let number: Option<T> = text.parse().ok();
        // Nothing that is not a number lies in a range.
        let number = number.filter(|number| (least..=most).contains(&(*number).into()));
        number.ok_or_else(|| format!("write a number ({least} to {most})"))
    })
}

fn whole_range(least: u64, most: u64) -> String {
    match most {
        u64::MAX => format!("{least} to 2^64 - 1"),
        _ => format!("{least} to {most}"),
    }
}

/// The columns of a drawing.
pub(super) const WIDTHS: (u64, u64) = (20, 10_000);

/// The columns asked for, or else those of the terminal as `COLUMNS` has them, or else the default.
pub(super) fn columns(asked: Option<usize>, default: usize) -> usize {
    let terminal = || {
        let columns: usize = std::env::var("COLUMNS").ok()?.parse().ok()?;
        Some(columns.clamp(WIDTHS.0 as usize, WIDTHS.1 as usize))
    };
    asked.or_else(terminal).unwrap_or(default)
}
