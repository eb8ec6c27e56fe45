//! How much people label, and whom near texts learn from.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The training limit: how many texts people label at most. Texts labelled by transfer are free.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Limit {
    /// So many: `1000`.
    Texts(usize),
    /// A percentage of all texts: `2%`.
    Percent(f64),
}

impl Limit {
    /// Where nobody says anything: 2% of the texts, but a dozen at least, since fewer labels teach
    /// nothing.
    pub fn usual(texts: usize) -> Limit {
        const PERCENT: f64 = 2.0;
        const LEAST: usize = 12;
        let share = Limit::Percent(PERCENT);
        if share.of(texts) >= LEAST {
            share
        } else {
            Limit::Texts(LEAST)
        }
    }

    /// How many texts people label in a round, where nobody says: a twentieth of the limit, but a
    /// handful at least, so that nobody waits for one text after another.
    pub fn usual_k(self, texts: usize) -> usize {
        const ROUNDS: usize = 20;
        const LEAST: usize = 5;
        self.of(texts).div_ceil(ROUNDS).max(LEAST)
    }

    /// The number, of so many texts; a percentage gives at least one.
    pub fn of(self, texts: usize) -> usize {
        match self {
            Limit::Texts(count) => count.min(texts),
            Limit::Percent(percent) => {
                let count = (texts as f64 * percent / 100.0).floor() as usize;
                count.max(1).min(texts)
            }
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let read = match text.strip_suffix('%') {
            Some(percent) => {
                let percent = percent.trim().parse::<f64>().ok();
                percent
                    .filter(|percent| (0.0..=100.0).contains(percent))
                    .map(Limit::Percent)
            }
            None => text.parse().ok().map(Limit::Texts),
        };
        read.ok_or_else(|| "write a number of texts as 1000, or a percentage as 2%".to_owned())
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Texts(count) => write!(f, "{count}"),
            Limit::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// Which labelled texts a near text adds instances to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Transfer {
    /// All that are nearer than epsilon, as printed: a pair each.
    All,
    /// The nearest alone.
    Nearest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_percentages() {
        assert_eq!("1000".parse(), Ok(Limit::Texts(1000)));
        assert_eq!("2%".parse(), Ok(Limit::Percent(2.0)));
        assert_eq!("0.5 %".parse(), Ok(Limit::Percent(0.5)));
        for wrong in ["", "%", "101%", "-1", "NaN%", "viele"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
        assert_eq!(Limit::usual(60), Limit::Texts(12));
        assert_eq!(Limit::usual(5000), Limit::Percent(2.0));
        assert_eq!([12, 200].map(|n| Limit::Texts(n).usual_k(5000)), [5, 10]);
        assert_eq!(Limit::Texts(1000).of(40), 40);
        assert_eq!(Limit::Percent(2.0).of(261_137), 5222);
        assert_eq!(Limit::Percent(2.0).of(10), 1);
        assert_eq!(Limit::Percent(2.0).of(0), 0);
        assert_eq!(
            Limit::Percent(0.5).to_string().parse(),
            Ok(Limit::Percent(0.5))
        );
    }
}
