//! Exact neighbours by Euclidean distance.
//!
//! The method needs exact sets, so nothing here is approximate: what is skipped is skipped because
//! a lower bound of its distance, with its rounding errors accounted for, is too large; what is
//! reported has been measured in double precision.
//!
//! 1. Points are centred and sketched: their coordinates on the leading principal axes, and the
//!    length of what these leave over. Distances of sketches never exceed those of the points.
//! 2. Points are sorted into boxes of their sketches; pairs of boxes that are too far apart are
//!    skipped (norms and block means are coordinates of the sketch).
//! 3. For the other pairs of boxes, a small matrix product gives all distances of sketches.
//! 4. What is left is measured directly, or, where much is left, by a full matrix product first;
//!    for products the rows of a box are packed once.

mod boxes;
mod epsilon;
mod join;
mod nearest;
mod packed;

pub use epsilon::{Epsilon, epsilon_at};
pub use join::{Pair, PairJson, pairs_between, pairs_within};
pub use nearest::{Neighbour, Reach, nearest, nearest_others};

/// Lanes of exact sums.
const LANES: usize = 8;

/// The Euclidean distance, in double precision.
pub fn distance(a: &[f32], b: &[f32]) -> f64 {
    let mut lanes = [0.0_f64; LANES];
    let (chunks_a, rest_a) = a.as_chunks::<LANES>();
    let (chunks_b, rest_b) = b.as_chunks::<LANES>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            let difference = f64::from(*a) - f64::from(*b);
            *lane += difference * difference;
        }
    }
    for (lane, (a, b)) in lanes.iter_mut().zip(rest_a.iter().zip(rest_b)) {
        let difference = f64::from(*a) - f64::from(*b);
        *lane += difference * difference;
    }
    lanes.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
