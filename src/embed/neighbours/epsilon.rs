//! How near is near.

use std::str::FromStr;

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::{Reach, nearest_others};

/// A distance, or a share of the points that shall have another point nearer than it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Epsilon {
    /// That distance: `2.5`.
    Distance(f64),
    /// A quantile of nearest-neighbour distances, from 0 to 1: `p05`.
    Share(f64),
    /// A quantile of the distances from the chosen points, from 0 to 1: `r50` has half of the others
    /// near.
    Chosen(f64),
}

impl Epsilon {
    /// The distance, among some points of which some are chosen; 0 where a quantile is asked of too
    /// few points.
    pub fn measure(self, points: ArrayView2<'_, f32>, chosen: &[u32]) -> f64 {
        match self {
            Epsilon::Distance(distance) => distance,
            Epsilon::Share(share) => epsilon_at(points, share).unwrap_or_default(),
            Epsilon::Chosen(share) => epsilon_from(points, chosen, share).unwrap_or_default(),
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
        let share = |percent: &str| {
            let percent = number(percent).filter(|percent| *percent <= 100.0);
            percent.map(|percent| percent / 100.0)
        };
        let read = match (text.strip_prefix('p'), text.strip_prefix('r')) {
            (Some(percent), _) => share(percent).map(Epsilon::Share),
            (_, Some(percent)) => share(percent).map(Epsilon::Chosen),
            _ => number(text).map(Epsilon::Distance),
        };
        read.ok_or_else(|| {
            "write a distance as 2.5, a percentile of the distances of nearest neighbours as p05, or of \
             the distances from representatives as r50"
                .to_owned()
        })
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
    quantile(&mut distances, share)
}

/// The epsilon that has a share (0 to 1) of the points nearer than it to one of the chosen ones, which
/// are left out. None where all are chosen, or none is.
fn epsilon_from(points: ArrayView2<'_, f32>, chosen: &[u32], share: f64) -> Option<f64> {
    let mut reach = Reach::new(points);
    reach.add(chosen);
    let others = reach.farthest(points.nrows());
    let mut distances: Vec<f64> = others.iter().map(|other| other.distance).collect();
    distances.retain(|distance| distance.is_finite() && *distance > 0.0);
    // Nearer than epsilon is near: the point at the quantile shall be.
    quantile(&mut distances, share).map(f64::next_up)
}

fn quantile(distances: &mut [f64], share: f64) -> Option<f64> {
    distances.par_sort_unstable_by(f64::total_cmp);
    let last = distances.len().checked_sub(1)?;
    let at = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    distances.get(at).copied()
}
