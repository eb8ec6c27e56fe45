//! Means with confidence intervals.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A mean with its 95% interval, by drawing the values again.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

const RESAMPLES: usize = 2000;
/// What lies outside of a 95% interval on either side.
const TAIL: f64 = 0.025;
/// The drawing is the same for the same number of values.
const SEED: u64 = 1;

impl Interval {
    /// The mean of values; of none it is 0.
    pub fn of(values: &[f64]) -> Interval {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        if values.len() < 2 {
            let (low, high) = (mean, mean);
            return Interval { mean, low, high };
        }
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let drawn = values
                    .iter()
                    .map(|_| values[rng.random_range(0..values.len())]);
                drawn.sum::<f64>() / count
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means.get((share * RESAMPLES as f64) as usize).copied();
        Interval {
            mean,
            low: at(TAIL).unwrap_or(mean),
            high: at(1.0 - TAIL).unwrap_or(mean),
        }
    }

    /// The mean of what one has more than the other, pair by pair.
    pub fn of_gains(ours: &[f64], theirs: &[f64]) -> Interval {
        let gains: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        Interval::of(&gains)
    }

    /// The figures as they are written; nothing is written as less than nothing.
    fn rounded(self, places: usize) -> [f64; 3] {
        let scale = 10f64.powi(i32::try_from(places).unwrap_or(0));
        [self.mean, self.low, self.high].map(|value| (value * scale).round() / scale + 0.0)
    }

    /// `77.6 [75.1, 79.9]`; of a single value only that.
    pub fn to_text(self, places: usize) -> String {
        let [mean, low, high] = self.rounded(places);
        if self.low == self.high {
            format!("{mean:.places$}")
        } else {
            format!("{mean:.places$} [{low:.places$}, {high:.places$}]")
        }
    }

    /// The same with a sign.
    pub fn to_gain(self, places: usize) -> String {
        let [mean, low, high] = self.rounded(places);
        if self.low == self.high {
            format!("{mean:+.places$}")
        } else {
            format!("{mean:+.places$} [{low:+.places$}, {high:+.places$}]")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_mean_and_shrinks_with_more_values() {
        let few = Interval::of(&[1.0, 2.0, 3.0]);
        let many = Interval::of(&[1.0, 2.0, 3.0].repeat(30));
        assert_eq!((few.mean, many.mean), (2.0, 2.0));
        assert!(few.low <= few.mean && few.mean <= few.high);
        assert!(many.high - many.low < few.high - few.low);
        assert_eq!(Interval::of(&[]).to_text(1), "0.0");
        assert_eq!(Interval::of(&[7.25]).to_gain(2), "+7.25");
        assert_eq!(Interval::of(&[-0.01]).to_gain(1), "+0.0");
        assert_eq!(Interval::of_gains(&[3.0], &[1.0]).mean, 2.0);
    }
}
