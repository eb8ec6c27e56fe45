//! Quadruples with their corruptions: their losses, and what they leave for the slopes.
//!
//! A unit is a quadruple with one corruption of each of its parts; k corruptions a part make k units.

use super::measure::{Inverses, Measure, Share, length};
use crate::embed::table::Table;
use crate::embed::wide::{Work, fetch};
use crate::embed::{Quad, ROLES};

/// How the four parts enter e = t + a + o - s.
pub(super) const SIGNS: [f32; ROLES] = [1.0, 1.0, 1.0, -1.0];

/// What a unit came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unit {
    /// The corruptions that are within the margin, a bit each; the others do not count.
    pub(super) active: u8,
    /// Their loss.
    pub(super) loss: f32,
    inverse: Inverses,
}

impl Unit {
    /// What the true row of a role gets: every active corruption holds it, but for its own role's.
    pub(super) fn share_of_true(&self, role: usize) -> Share {
        Share {
            right: self.active.count_ones() as u8,
            wrong: self.active & !(1 << role),
            inverse: self.inverse,
        }
    }

    /// What the row that the corruption of a role puts in gets.
    pub(super) fn share_of_wrong(&self, role: usize) -> Share {
        Share {
            right: 0,
            wrong: 1 << role,
            inverse: self.inverse,
        }
    }
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
        let mut room = Room::new(stride);
        for (number, (traces, unit)) in each.enumerate() {
            // The rows of the next unit lie anywhere: ask for them while working on this one.
            let next = number + 1;
            for quad in [quad_of(next), self.wrong.get(next)].into_iter().flatten() {
                for (table, row) in self.tables.iter().zip(quad) {
                    fetch(table.padded(*row as usize));
                }
            }
            if let (Some(quad), Some(wrong)) = (quad_of(number), self.wrong.get(number)) {
                *unit = read::<M>(self.tables, self.margin, quad, wrong, traces, &mut room);
            }
        }
    }
}

/// Room for one unit.
struct Room {
    e: Vec<f32>,
    wrong: Vec<f32>,
    parts: Vec<f32>,
}

impl Room {
    fn new(stride: usize) -> Room {
        Room {
            e: vec![0.0; stride],
            wrong: vec![0.0; stride],
            parts: vec![0.0; stride],
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
    room: &mut Room,
) -> Unit {
    let row = |role: usize, row: u32| tables[role].padded(row as usize);
    let rows = std::array::from_fn(|role| row(role, quad[role]));
    let others = std::array::from_fn(|role| row(role, wrong[role]));
    let [length, wrong_lengths @ ..] = measure::<M>(rows, others, traces, room);
    let inverse = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
    let [t, a, o, s] = wrong_lengths.map(inverse);
    let mut unit = Unit {
        inverse: [inverse(length), t, a, o, s],
        ..Unit::default()
    };
    for role in 0..ROLES {
        let excess = margin + length - wrong_lengths[role];
        if wrong[role] != 0 && excess > 0.0 {
            unit.loss += excess;
            unit.active |= 1 << role;
        }
    }
    unit
}

/// The lengths of e and of e with each of its parts replaced, and their traces.
#[inline(always)]
fn measure<M: Measure>(
    rows: [&[f32]; ROLES],
    others: [&[f32]; ROLES],
    traces: &mut [M::Trace],
    room: &mut Room,
) -> [f32; 1 + ROLES] {
    let Room { e, wrong, parts } = room;
    residual(e, rows);
    M::trace(0, e, traces);
    let mut lengths = [length::<M>(e, parts); 1 + ROLES];
    for role in 0..ROLES {
        replaced(wrong, e, rows[role], others[role], SIGNS[role]);
        M::trace(1 + role, wrong, traces);
        lengths[1 + role] = length::<M>(wrong, parts);
    }
    lengths
}

/// e = t + a + o - s.
#[inline(always)]
fn residual(e: &mut [f32], [t, a, o, s]: [&[f32]; ROLES]) {
    let inputs = t.iter().zip(a).zip(o.iter().zip(s));
    for (e, ((t, a), (o, s))) in e.iter_mut().zip(inputs) {
        *e = t + a + o - s;
    }
}

/// e with one part replaced by another.
#[inline(always)]
fn replaced(into: &mut [f32], e: &[f32], old: &[f32], new: &[f32], sign: f32) {
    let inputs = e.iter().zip(old.iter().zip(new));
    for (into, (e, (old, new))) in into.iter_mut().zip(inputs) {
        *into = e + sign * (new - old);
    }
}
