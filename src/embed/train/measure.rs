//! The distance d of loss (100) and its slope.

use crate::embed::ROLES;

/// A distance, seen as the length of e = t + a + o - s.
pub(super) trait Measure: Send + Sync {
    /// What a coordinate of e and of e with each of its parts replaced leaves for the slopes: for
    /// L1 the five signs, in one byte.
    type Trace: Copy + Default + Send + Sync;
    /// A coordinate of a slope.
    type Cell: Copy + Default;
    /// Holds the sum of as many cells as a batch can bring.
    type Sum: Copy + Default;

    /// What a coordinate adds to the length, before [`Measure::root`].
    fn part(x: f32) -> f32;

    /// The length, from the sum of the parts.
    fn root(sum: f32) -> f32;

    /// Notes the coordinates of e (number 0, which begins the traces), or of e with a part replaced
    /// (1 to 4).
    fn trace(number: usize, coordinates: &[f32], traces: &mut [Self::Trace]);

    /// A coordinate of the slope that one row gets.
    fn slope(trace: Self::Trace, share: &Share) -> Self::Cell;

    fn add(cell: Self::Cell, sum: Self::Sum) -> Self::Sum;
    fn to_f32(sum: Self::Sum) -> f32;
}

/// What of a quadruple's slopes one row gets: `right` times that of e, less those of e with the
/// parts of `wrong` replaced (a bit each).
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    pub(super) right: u8,
    pub(super) wrong: u8,
    /// The inverse lengths of e and of e with each part replaced.
    pub(super) inverse: Inverses,
}

/// Inverse lengths: of e, then of e with each of its parts replaced.
pub(super) type Inverses = [f32; 1 + ROLES];

/// The sum of the absolute coordinates.
pub(super) struct L1;

/// The Euclidean length.
pub(super) struct L2;

impl Measure for L1 {
    type Trace = u8;
    type Cell = i8;
    type Sum = i32;

    #[inline(always)]
    fn part(x: f32) -> f32 {
        x.abs()
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum
    }

    /// Bit 0 is set where e is positive, bits 1 to 4 where e with a part replaced is. At zero any
    /// sign is a slope of the absolute value; this takes minus.
    #[inline(always)]
    fn trace(number: usize, coordinates: &[f32], traces: &mut [u8]) {
        let each = traces.iter_mut().zip(coordinates);
        match number {
            0 => each.for_each(|(trace, x)| *trace = u8::from(*x > 0.0)),
            _ => each.for_each(|(trace, x)| *trace |= u8::from(*x > 0.0) << number),
        }
    }

    /// A sign is twice its bit less one.
    #[inline(always)]
    fn slope(trace: u8, share: &Share) -> i8 {
        let right = (trace & 1).wrapping_neg() & share.right;
        let wrong = (trace >> 1) & share.wrong;
        let wrong = (wrong & 1) + (wrong >> 1 & 1) + (wrong >> 2 & 1) + (wrong >> 3 & 1);
        let ones = share.right as i8 - share.wrong.count_ones() as i8;
        (right as i8 - wrong as i8) * 2 - ones
    }

    #[inline(always)]
    fn add(cell: i8, sum: i32) -> i32 {
        sum + i32::from(cell)
    }

    #[inline(always)]
    fn to_f32(sum: i32) -> f32 {
        sum as f32
    }
}

impl Measure for L2 {
    type Trace = [f32; 1 + ROLES];
    type Cell = f32;
    type Sum = f32;

    #[inline(always)]
    fn part(x: f32) -> f32 {
        x * x
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum.sqrt()
    }

    #[inline(always)]
    fn trace(number: usize, coordinates: &[f32], traces: &mut [Self::Trace]) {
        for (trace, x) in traces.iter_mut().zip(coordinates) {
            trace[number] = *x;
        }
    }

    #[inline(always)]
    fn slope(trace: Self::Trace, share: &Share) -> f32 {
        let mut slope = f32::from(share.right) * trace[0] * share.inverse[0];
        for role in 0..ROLES {
            if share.wrong >> role & 1 == 1 {
                slope -= trace[1 + role] * share.inverse[1 + role];
            }
        }
        slope
    }

    #[inline(always)]
    fn add(cell: f32, sum: f32) -> f32 {
        sum + cell
    }

    #[inline(always)]
    fn to_f32(sum: f32) -> f32 {
        sum
    }
}

/// The length of `e`; `parts` is room of the same size. Sums fold the second half of the parts on
/// the first, and so on: always the same sum, in registers of any width.
#[inline(always)]
pub(super) fn length<M: Measure>(e: &[f32], parts: &mut [f32]) -> f32 {
    for (part, x) in parts.iter_mut().zip(e) {
        *part = M::part(*x);
    }
    let mut rest = parts;
    while rest.len() >= FOLDED && rest.len().is_multiple_of(2) {
        let (first, second) = rest.split_at_mut(rest.len() / 2);
        for (first, second) in first.iter_mut().zip(second) {
            *first += *second;
        }
        rest = first;
    }
    M::root(rest.iter().sum())
}

/// So few numbers are added one by one.
const FOLDED: usize = 16;

/// The distance of two vectors; `room` holds as many numbers as both.
#[inline(always)]
pub(super) fn distance<M: Measure>(a: &[f32], b: &[f32], room: &mut [f32]) -> f32 {
    let (difference, parts) = room.split_at_mut(a.len());
    for (difference, (a, b)) in difference.iter_mut().zip(a.iter().zip(b)) {
        *difference = a - b;
    }
    length::<M>(difference, parts)
}
