//! Quadruples with their corruptions: their losses, and what they leave for the slopes.
//!
//! A unit is a quadruple with one corruption of each of its parts; k corruptions a part make k units.

use super::measure::{Chunk, Columns, Measure};
use crate::embed::table::{LANES, Table};
use crate::embed::{Quad, ROLES};
use crate::wide::{Work, fetch};

/// How the four parts enter e = t + a + o - s.
pub(super) const SIGNS: [f32; ROLES] = [1.0, 1.0, 1.0, -1.0];

/// What a unit came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unit {
    /// The corruptions that are within the margin, a bit each; the others do not count.
    pub(super) active: u8,
    /// Their loss.
    pub(super) loss: f32,
    /// The inverse lengths of e with each of its parts replaced, and of e.
    pub(super) inverse: [f32; ROLES + 1],
}

/// The units of one task, and what they leave behind.
pub(super) struct Task<'a, M: Measure> {
    pub(super) margin: f32,
    pub(super) tables: &'a [Table; ROLES],
    pub(super) quads: &'a [Quad],
    /// For every unit, the rows that its corruptions put in; 0 for none.
    pub(super) wrong: &'a [Quad],
    pub(super) traces: &'a mut [M::Trace],
    pub(super) units: &'a mut [Unit],
}

impl<M: Measure> Work for Task<'_, M> {
    #[inline(always)]
    fn run(self) {
        let stride = self.tables[0].stride();
        let negatives = self.wrong.len() / self.quads.len().max(1);
        let quad_of = |unit: usize| self.quads.get(unit / negatives.max(1));
        let each = self
            .traces
            .chunks_exact_mut(stride)
            .zip(self.units.iter_mut());
        for (number, (traces, unit)) in each.enumerate() {
            // The rows of the next unit lie anywhere: ask for them while working on this one.
            let next = number + 1;
            for quad in [quad_of(next), self.wrong.get(next)].into_iter().flatten() {
                for (table, row) in self.tables.iter().zip(quad) {
                    fetch(table.padded(*row as usize));
                }
            }
            if let (Some(quad), Some(wrong)) = (quad_of(number), self.wrong.get(number)) {
                *unit = read::<M>(self.tables, self.margin, quad, wrong, traces);
            }
        }
    }
}

#[inline(always)]
fn read<M: Measure>(
    tables: &[Table; ROLES],
    margin: f32,
    quad: &Quad,
    wrong: &Quad,
    traces: &mut [M::Trace],
) -> Unit {
    let row = |role: usize, row: u32| tables[role].padded(row as usize);
    let rows = std::array::from_fn(|role| row(role, quad[role]));
    let others = std::array::from_fn(|role| row(role, wrong[role]));
    let lengths = measure::<M>(rows, others, traces);
    let mut unit = Unit {
        inverse: lengths.map(|length| if length > 0.0 { 1.0 / length } else { 0.0 }),
        ..Unit::default()
    };
    for role in 0..ROLES {
        let excess = margin + lengths[ROLES] - lengths[role];
        if wrong[role] != 0 && excess > 0.0 {
            unit.loss += excess;
            unit.active |= 1 << role;
        }
    }
    if unit.active != 0 {
        M::settle(traces, unit.active);
    }
    unit
}

/// The lengths of e with each of its parts replaced and of e, and their traces.
#[inline(always)]
fn measure<M: Measure>(
    rows: [&[f32]; ROLES],
    others: [&[f32]; ROLES],
    traces: &mut [M::Trace],
) -> [f32; ROLES + 1] {
    let traces = traces.as_chunks_mut::<LANES>().0;
    let count = traces.len();
    let rows = rows.map(|row| &row.as_chunks::<LANES>().0[..count]);
    let others = others.map(|row| &row.as_chunks::<LANES>().0[..count]);
    let mut columns = [Columns::default(); ROLES + 1];
    for (at, traces) in traces.iter_mut().enumerate() {
        *traces = [M::Trace::default(); LANES];
        let e = residual(rows.map(|row| &row[at]));
        M::trace(ROLES, &e, traces);
        columns[ROLES].add::<M>(&e);
        for role in 0..ROLES {
            let wrong = replaced(&e, &rows[role][at], &others[role][at], SIGNS[role]);
            M::trace(role, &wrong, traces);
            columns[role].add::<M>(&wrong);
        }
    }
    columns.map(|columns| columns.length::<M>())
}

/// e = t + a + o - s.
#[inline(always)]
fn residual([t, a, o, s]: [&Chunk; ROLES]) -> Chunk {
    std::array::from_fn(|lane| t[lane] + a[lane] + o[lane] - s[lane])
}

/// e with one part replaced by another.
#[inline(always)]
fn replaced(e: &Chunk, old: &Chunk, new: &Chunk, sign: f32) -> Chunk {
    std::array::from_fn(|lane| e[lane] + sign * (new[lane] - old[lane]))
}
