//! Axes: from values to pixels, with round numbers along them.

/// Ticks along an axis, about.
const TICKS: f64 = 6.0;

/// A linear axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    least: f64,
    most: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// An axis from pixel `from` to pixel `to` that holds all values and ends at round numbers.
    pub(super) fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            least = least.min(value);
            most = most.max(value);
        }
        if least > most {
            (least, most) = (0.0, 1.0);
        }
        if most - least < f64::EPSILON * most.abs().max(1.0) {
            (least, most) = (least - 0.5, most + 0.5);
        }
        let step = round_step((most / TICKS) - (least / TICKS));
        Scale {
            least: (least / step).floor() * step,
            most: (most / step).ceil() * step,
            step,
            from,
            to,
        }
    }

    /// The pixel of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = (value / self.step - self.least / self.step)
            / (self.most / self.step - self.least / self.step);
        self.from + share * (self.to - self.from)
    }

    /// The pixels and names of the round numbers.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let count = (self.most / self.step - self.least / self.step).round() as usize;
        let places = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        (0..=count.min(20))
            .map(|at| {
                let value = self.least + at as f64 * self.step;
                let name = if value.abs() >= 1e7 {
                    format!("{value:e}")
                } else {
                    format!("{value:.places$}")
                };
                let name = if name.trim_start_matches(['-', '0', '.']).is_empty() {
                    "0".to_owned()
                } else {
                    name
                };
                (self.place(value), name)
            })
            .collect()
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let share = step / power;
    let digit = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|digit| share <= *digit * 1.0001);
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let scale = Scale::over([0.13, 4.7].into_iter(), 0.0, 100.0);
        let names: Vec<String> = scale.ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(scale.place(0.0), 0.0);
        assert_eq!(scale.place(5.0), 100.0);
        let fine = Scale::over([-0.02, 0.031].into_iter(), 0.0, 1.0);
        let names: Vec<String> = fine.ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(
            names,
            ["-0.02", "-0.01", "0", "0.01", "0.02", "0.03", "0.04"]
        );
    }

    #[test]
    fn one_value_or_none_still_has_an_axis() {
        for values in [vec![], vec![7.0], vec![0.0, 0.0]] {
            let scale = Scale::over(values.into_iter(), 0.0, 1.0);
            assert!(scale.ticks().len() > 2);
            assert!(scale.ticks().iter().all(|(at, _)| at.is_finite()));
        }
    }
}
