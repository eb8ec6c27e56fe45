//! The distance d of loss (100) and its slope.

use super::reading::Unit;
use crate::embed::ROLES;
use crate::embed::table::LANES;

/// Coordinates that are worked on together.
pub(super) type Chunk = [f32; LANES];

/// A distance, seen as the length of e = t + a + o - s.
pub(super) trait Measure: Send + Sync {
    /// What a coordinate of e and of e with each of its parts replaced leaves for the slopes: for
    /// L1 signs and their sum, in one byte.
    type Trace: Copy + Default + Send + Sync;
    /// A coordinate of the slopes of a few places, added up.
    type Sum: Copy + Default + Send;
    /// So many places a sum can hold.
    const PLACES: usize;

    /// What a coordinate adds to the length, before [`Measure::root`].
    fn part(x: f32) -> f32;

    /// The length, from the sum of the parts.
    fn root(sum: f32) -> f32;

    /// Notes coordinates of e with a part replaced (0 to 3), or of e itself ([`ROLES`]); traces
    /// begin as defaults.
    fn trace(number: usize, coordinates: &Chunk, traces: &mut [Self::Trace; LANES]);

    /// Completes the traces of a unit once its active corruptions are known.
    fn settle(traces: &mut [Self::Trace], active: u8);

    /// Adds the slope that a unit gives to its true row of a role: every active corruption holds
    /// it, but for its own role's. Returns what [`Measure::slope`] takes off again.
    fn add_true(role: usize, unit: &Unit, traces: &[Self::Trace], sums: &mut [Self::Sum]) -> i32;

    /// The same for the row that the corruption of a role puts in.
    fn add_wrong(role: usize, unit: &Unit, traces: &[Self::Trace], sums: &mut [Self::Sum]) -> i32;

    /// The slope that a sum stands for, given all that its places said to take off.
    fn slope(sum: Self::Sum, off: i32) -> f32;
}

/// The sum of the absolute coordinates.
pub(super) struct L1;

/// The Euclidean length.
pub(super) struct L2;

/// The slope of an absolute value is its sign, twice a bit less one (at zero any sign is a slope;
/// this takes minus). With n active corruptions a true row gets n times the sign of e less the signs
/// of e with each active part but its own replaced: n x sign(e) - sum of the active signs, the same
/// for all four rows, and its own sign back. The former is even and from -8 to 8.
impl Measure for L1 {
    /// Bits 0 to 3: e with a part replaced is positive. Bit 4: e is. Settled, bits 4 to 7: half of
    /// what all four true rows get, plus 4.
    type Trace = u8;
    /// Half a slope, without its constants.
    type Sum = i8;
    /// A place adds -1 to 9.
    const PLACES: usize = 14;

    #[inline(always)]
    fn part(x: f32) -> f32 {
        x.abs()
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum
    }

    #[inline(always)]
    fn trace(number: usize, coordinates: &Chunk, traces: &mut [u8; LANES]) {
        for (trace, x) in traces.iter_mut().zip(coordinates) {
            *trace |= u8::from(*x > 0.0) << number;
        }
    }

    #[inline(always)]
    fn settle(traces: &mut [u8], active: u8) {
        let corruptions = active.count_ones() as u8;
        for trace in traces {
            let signs = *trace & active;
            let pairs = signs - (signs >> 1 & 0b0101);
            let wrong = (pairs & 0b0011) + (pairs >> 2);
            let right = (*trace >> 4).wrapping_neg() & corruptions;
            *trace = *trace & 0b1111 | (right + 4 - wrong) << 4;
        }
    }

    #[inline(always)]
    fn add_true(role: usize, unit: &Unit, traces: &[u8], sums: &mut [i8]) -> i32 {
        let each = sums.iter_mut().zip(traces);
        match unit.active >> role & 1 {
            0 => each.for_each(|(sum, trace)| *sum += (trace >> 4) as i8),
            _ => each.for_each(|(sum, trace)| {
                *sum += ((trace >> 4) + (trace >> role & 1)) as i8;
            }),
        }
        8 + i32::from(unit.active >> role & 1)
    }

    #[inline(always)]
    fn add_wrong(role: usize, _: &Unit, traces: &[u8], sums: &mut [i8]) -> i32 {
        for (sum, trace) in sums.iter_mut().zip(traces) {
            *sum -= (trace >> role & 1) as i8;
        }
        -1
    }

    #[inline(always)]
    fn slope(sum: i8, off: i32) -> f32 {
        (2 * i32::from(sum) - off) as f32
    }
}

impl Measure for L2 {
    type Trace = [f32; ROLES + 1];
    type Sum = f32;
    const PLACES: usize = usize::MAX;

    #[inline(always)]
    fn part(x: f32) -> f32 {
        x * x
    }

    #[inline(always)]
    fn root(sum: f32) -> f32 {
        sum.sqrt()
    }

    #[inline(always)]
    fn trace(number: usize, coordinates: &Chunk, traces: &mut [Self::Trace; LANES]) {
        for (trace, x) in traces.iter_mut().zip(coordinates) {
            trace[number] = *x;
        }
    }

    #[inline(always)]
    fn settle(_: &mut [Self::Trace], _: u8) {}

    #[inline(always)]
    fn add_true(role: usize, unit: &Unit, traces: &[Self::Trace], sums: &mut [f32]) -> i32 {
        let right = unit.active.count_ones() as f32 * unit.inverse[ROLES];
        let others = unit.active & !(1 << role);
        for (sum, trace) in sums.iter_mut().zip(traces) {
            *sum += right * trace[ROLES];
            for other in (0..ROLES).filter(|other| others >> other & 1 == 1) {
                *sum -= trace[other] * unit.inverse[other];
            }
        }
        0
    }

    #[inline(always)]
    fn add_wrong(role: usize, unit: &Unit, traces: &[Self::Trace], sums: &mut [f32]) -> i32 {
        for (sum, trace) in sums.iter_mut().zip(traces) {
            *sum -= trace[role] * unit.inverse[role];
        }
        0
    }

    #[inline(always)]
    fn slope(sum: f32, _: i32) -> f32 {
        sum
    }
}

/// Adds up the parts of a length in columns, then the columns: always the same sum, in registers
/// of any width.
#[derive(Clone, Copy, Default)]
pub(super) struct Columns([f32; COLUMNS]);

const COLUMNS: usize = 8;

impl Columns {
    #[inline(always)]
    pub(super) fn add<M: Measure>(&mut self, coordinates: &Chunk) {
        for coordinates in coordinates.as_chunks::<COLUMNS>().0 {
            for (column, x) in self.0.iter_mut().zip(coordinates) {
                *column += M::part(*x);
            }
        }
    }

    #[inline(always)]
    pub(super) fn length<M: Measure>(&self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.0;
        M::root(((a + e) + (c + g)) + ((b + f) + (d + h)))
    }
}

/// The distance of two vectors; what the longer one has more does not count.
#[inline(always)]
pub(super) fn distance<M: Measure>(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<LANES>();
    let (b, b_rest) = b[..length].as_chunks::<LANES>();
    let mut columns = Columns::default();
    for (a, b) in a.iter().zip(b) {
        let difference: Chunk = std::array::from_fn(|lane| a[lane] - b[lane]);
        columns.add::<M>(&difference);
    }
    let mut rest: Chunk = [0.0; LANES];
    for (rest, (a, b)) in rest.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *rest = a - b;
    }
    columns.add::<M>(&rest);
    columns.length::<M>()
}
