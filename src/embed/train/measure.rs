//! The distance d of loss (100) and its slope.

/// Sums run in so many lanes, whatever the width of the registers: always the same sum.
pub(super) const SUM_LANES: usize = 8;

/// A distance, seen as the length of e = t + a + o - s.
pub(super) trait Measure: Send + Sync {
    /// What a slope is made of: for L1 signs, which take a byte and add up without rounding.
    type Cell: Cell;

    /// What a coordinate adds to the length, before [`Measure::root`].
    fn part(x: f32) -> f32;

    /// The length, from the sum of the parts.
    fn root(sum: f32) -> f32;

    /// A coordinate of the slope, before [`Measure::scaled`].
    fn slope(x: f32) -> Self::Cell;

    /// A coordinate of the slope, once the length is known (as its inverse).
    fn scaled(cell: Self::Cell, inverse: f32) -> Self::Cell;
}

/// A number that slopes are made of.
pub(super) trait Cell: Copy + Default + Send + Sync + 'static {
    /// Holds the sum of as many cells as a batch can bring.
    type Sum: Copy + Default + Send;

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
    fn part(x: f32) -> f32 {
        x.abs()
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum
    }

    #[inline(always)]
    fn slope(x: f32) -> i8 {
        i8::from(x > 0.0) - i8::from(x < 0.0)
    }

    #[inline(always)]
    fn scaled(cell: i8, _inverse: f32) -> i8 {
        cell
    }
}

impl Measure for L2 {
    type Cell = f32;

    #[inline(always)]
    fn part(x: f32) -> f32 {
        x * x
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum.sqrt()
    }

    #[inline(always)]
    fn slope(x: f32) -> f32 {
        x
    }

    #[inline(always)]
    fn scaled(cell: f32, inverse: f32) -> f32 {
        cell * inverse
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

/// The distance of two vectors whose length is a multiple of the lanes.
#[inline(always)]
pub(super) fn distance<M: Measure>(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; SUM_LANES];
    let (a, _) = a.as_chunks::<SUM_LANES>();
    let (b, _) = b.as_chunks::<SUM_LANES>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..SUM_LANES {
            lanes[lane] += M::part(a[lane] - b[lane]);
        }
    }
    M::root(sum(lanes))
}

/// The sum of the lanes, in a fixed order.
#[inline(always)]
pub(super) fn sum(lanes: [f32; SUM_LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
