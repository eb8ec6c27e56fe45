//! How near is near.

use std::str::FromStr;

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::nearest_others;

/// A distance, or a share of the points that shall have another point nearer than it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Epsilon {
    /// That distance: `2.5`.
    Distance(f64),
    /// A quantile of nearest-neighbour distances, from 0 to 1: `p05`.
    Share(f64),
}

impl Epsilon {
    /// The distance, among some points; 0 where a quantile is asked of fewer than two points.
    pub fn measure_among(self, points: ArrayView2<'_, f32>) -> f64 {
        match self {
            Epsilon::Distance(distance) => distance,
            Epsilon::Share(share) => epsilon_at(points, share).unwrap_or_default(),
        }
    }
}

impl FromStr for Epsilon {
    type Err = String;

    fn from_str(text: &str) -> Result<Epsilon, String> {
        let number = |text: &str| {
            let number = text.parse::<f64>().ok();
            number.filter(|x| x.is_finite() && *x >= 0.0)
        };
        let read = match text.strip_prefix('p') {
            Some(percent) => number(percent)
                .filter(|percent| *percent <= 100.0)
                .map(|percent| Epsilon::Share(percent / 100.0)),
            None => number(text).map(Epsilon::Distance),
        };
        read.ok_or_else(|| "write a distance as 2.5, or a percentile as p05".to_owned())
    }
}

/// The epsilon below which a share of the points (0 to 1) has its nearest other point: p05 of the
/// nearest-neighbour distances for 0.05. Points that stand twice are left out: they would say that
/// nothing but the same is near. None for fewer than two different points.
pub fn epsilon_at(points: ArrayView2<'_, f32>, share: f64) -> Option<f64> {
    let mut distances: Vec<f64> = nearest_others(points)
        .into_par_iter()
        .flatten()
        .map(|neighbour| neighbour.distance)
        .filter(|distance| *distance > 0.0)
        .collect();
    distances.par_sort_unstable_by(f64::total_cmp);
    let last = distances.len().checked_sub(1)?;
    let at = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    distances.get(at).copied()
}
