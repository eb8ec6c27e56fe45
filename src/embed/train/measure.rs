//! The distance d of loss (100) and its slope.

use crate::embed::table::LANES;

/// A distance, seen as the length of e = t + a + o - s.
pub(super) trait Measure {
    /// What a slope is made of: for L1 signs, which take a byte and add up without rounding.
    type Cell: Cell;

    /// The length of `e`.
    fn length(e: &[f32]) -> f32;

    /// The slope of the length at `e`.
    fn slope(e: &[f32], length: f32, slope: &mut [Self::Cell]);
}

/// A number that slopes are made of.
pub(super) trait Cell: Copy + Default + Send + Sync + 'static {
    /// Holds the sum of as many cells as a batch can bring.
    type Sum: Copy + Default;

    fn minus(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn add_to(self, sum: Self::Sum) -> Self::Sum;
    fn take_from(self, sum: Self::Sum) -> Self::Sum;
    fn to_f32(sum: Self::Sum) -> f32;
}

/// The sum of the absolute coordinates.
pub(super) struct L1;

/// The Euclidean length.
pub(super) struct L2;

impl Measure for L1 {
    type Cell = i8;

    #[inline(always)]
    fn length(e: &[f32]) -> f32 {
        sum_lanes(e, |x| x.abs())
    }

    #[inline(always)]
    fn slope(e: &[f32], _length: f32, slope: &mut [i8]) {
        for (cell, x) in slope.iter_mut().zip(e) {
            *cell = i8::from(*x > 0.0) - i8::from(*x < 0.0);
        }
    }
}

impl Measure for L2 {
    type Cell = f32;

    #[inline(always)]
    fn length(e: &[f32]) -> f32 {
        sum_lanes(e, |x| x * x).sqrt()
    }

    #[inline(always)]
    fn slope(e: &[f32], length: f32, slope: &mut [f32]) {
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        for (cell, x) in slope.iter_mut().zip(e) {
            *cell = x * scale;
        }
    }
}

impl Cell for i8 {
    type Sum = i32;

    #[inline(always)]
    fn minus(self, other: i8) -> i8 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn plus(self, other: i8) -> i8 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn add_to(self, sum: i32) -> i32 {
        sum + i32::from(self)
    }

    #[inline(always)]
    fn take_from(self, sum: i32) -> i32 {
        sum - i32::from(self)
    }

    #[inline(always)]
    fn to_f32(sum: i32) -> f32 {
        sum as f32
    }
}

impl Cell for f32 {
    type Sum = f32;

    #[inline(always)]
    fn minus(self, other: f32) -> f32 {
        self - other
    }

    #[inline(always)]
    fn plus(self, other: f32) -> f32 {
        self + other
    }

    #[inline(always)]
    fn add_to(self, sum: f32) -> f32 {
        sum + self
    }

    #[inline(always)]
    fn take_from(self, sum: f32) -> f32 {
        sum - self
    }

    #[inline(always)]
    fn to_f32(sum: f32) -> f32 {
        sum
    }
}

/// Adds up in fixed lanes: the compiler may use registers of any width, the sum is always the same.
#[inline(always)]
pub(super) fn sum_lanes(values: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (chunks, _) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += f(*x);
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
    }
    lanes[0]
}
