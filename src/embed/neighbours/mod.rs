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

use std::ops::{AddAssign, Mul, Sub};

use crate::wide::{Work, wide};

/// The Euclidean distance, in double precision.
pub fn distance(a: &[f32], b: &[f32]) -> f64 {
    let mut square = 0.0;
    wide(Exactly {
        points: (a, b),
        square: &mut square,
    });
    square.sqrt()
}

/// A squared distance in double precision.
struct Exactly<'a> {
    points: (&'a [f32], &'a [f32]),
    square: &'a mut f64,
}

impl Work for Exactly<'_> {
    #[inline(always)]
    fn run(self) {
        const LANES: usize = 8;
        let mut lanes = [0.0_f64; LANES];
        let (chunks_a, rest_a) = self.points.0.as_chunks::<LANES>();
        let (chunks_b, rest_b) = self.points.1.as_chunks::<LANES>();
        for (a, b) in chunks_a.iter().zip(chunks_b) {
            add_squares(&mut lanes, a, b);
        }
        add_squares(&mut lanes, rest_a, rest_b);
        *self.square = lanes.iter().sum();
    }
}

/// Adds the squared difference of two coordinates to each lane, in the precision of the lanes.
#[inline(always)]
fn add_squares<F>(lanes: &mut [F], a: &[f32], b: &[f32])
where
    F: Copy + From<f32> + Sub<Output = F> + Mul<Output = F> + AddAssign,
{
    for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
        let difference = F::from(*a) - F::from(*b);
        *lane += difference * difference;
    }
}

/// A quick look in single precision that is never wrong when it says yes: no differences cancel, so
/// the sum is off by less than its number of terms in units.
fn surely_farther(a: &[f32], b: &[f32], than: f64) -> bool {
    let mut square = 0.0;
    wide(Quickly {
        points: (a, b),
        square: &mut square,
    });
    let units = (a.len() + 16) as f64 * f64::from(f32::EPSILON);
    square.is_finite() && f64::from(square) * (1.0 - units) > than * than
}

/// A squared distance in single precision, of the coordinates that fill wide registers.
struct Quickly<'a> {
    points: (&'a [f32], &'a [f32]),
    square: &'a mut f32,
}

impl Work for Quickly<'_> {
    #[inline(always)]
    fn run(self) {
        const LANES: usize = 32;
        let mut lanes = [0.0_f32; LANES];
        let (chunks_a, _) = self.points.0.as_chunks::<LANES>();
        let (chunks_b, _) = self.points.1.as_chunks::<LANES>();
        for (a, b) in chunks_a.iter().zip(chunks_b) {
            add_squares(&mut lanes, a, b);
        }
        *self.square = lanes.iter().sum();
    }
}

#[cfg(test)]
mod tests;
