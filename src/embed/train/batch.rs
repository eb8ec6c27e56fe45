//! One step of training: the loss of a batch, its slope, and who is moved by it.
//!
//! The work is cut so that the result does not depend on the number of threads, and so that
//! nothing is written twice: first every quadruple by itself leaves its slopes (no table is
//! written), then every row by itself gathers, in the order of the batch, the slopes of the
//! quadruples that it stands in, and is moved.

use std::ops::Range;

use rayon::prelude::*;

use super::adam::Adam;
use super::corruption::Corruption;
use super::measure::{Cell, Measure};
use super::reading::{SIGNS, Task};
use crate::embed::table::Table;
use crate::embed::wide::{Work, wide};
use crate::embed::{Quad, ROLES};

/// Quadruples that one task works through.
const QUADS_A_TASK: usize = 64;
/// Rows that one task works through.
const ROWS_A_TASK: usize = 16;

/// What a batch leaves behind for the rows, kept from step to step so that nothing is allocated.
pub(super) struct Batch<M: Measure> {
    margin: f32,
    negatives: usize,
    stride: usize,
    /// For every quadruple: the slope that all its corruptions share, then that of each.
    slopes: Vec<M::Cell>,
    /// The row that each corruption puts in; 0 for none.
    wrong: Vec<u32>,
    /// The corruptions that are within the margin, one bit each.
    active: Vec<u64>,
    losses: Vec<f32>,
    visits: [Visits; ROLES],
}

/// Which rows of a role stand in the batch, and where.
#[derive(Default)]
struct Visits {
    count: Vec<u32>,
    start: Vec<u32>,
    touched: Vec<u32>,
    entries: Vec<u32>,
}

impl<M: Measure> Batch<M> {
    pub(super) fn new(margin: f32, negatives: usize) -> Batch<M> {
        Batch {
            margin,
            negatives,
            stride: 0,
            slopes: Vec::new(),
            wrong: Vec::new(),
            active: Vec::new(),
            losses: Vec::new(),
            visits: Default::default(),
        }
    }

    /// Moves the tables one step down the slope of the batch's loss; returns the loss, summed over
    /// the batch's quadruples and their corruptions.
    pub(super) fn step(
        &mut self,
        tables: &mut [Table; ROLES],
        adam: &mut Adam,
        quads: &[Quad],
        corruption: &Corruption,
    ) -> f64 {
        self.corrupt(quads, corruption);
        self.measure(tables, quads);
        self.index(tables, quads);
        let scale = 1.0 / quads.len().max(1) as f32;
        let this = &*self;
        for (role, (table, visits)) in tables.iter_mut().zip(&this.visits).enumerate() {
            adam.update(role, table, ROWS_A_TASK, |row, sums, gradient| {
                let entries = visits.of(row);
                if !entries.is_empty() {
                    this.gather(role, entries, scale, sums, gradient);
                }
                !entries.is_empty()
            });
        }
        self.losses.iter().map(|loss| f64::from(*loss)).sum()
    }

    /// The loss of the batch alone.
    pub(super) fn loss(
        &mut self,
        tables: &[Table; ROLES],
        quads: &[Quad],
        corruption: &Corruption,
    ) -> f64 {
        self.corrupt(quads, corruption);
        self.measure(tables, quads);
        self.losses.iter().map(|loss| f64::from(*loss)).sum()
    }

    fn slots(&self) -> usize {
        1 + ROLES * self.negatives
    }

    fn corrupt(&mut self, quads: &[Quad], corruption: &Corruption) {
        let width = ROLES * self.negatives;
        self.wrong.clear();
        self.wrong.resize(quads.len() * width, 0);
        self.wrong
            .par_chunks_mut(width * QUADS_A_TASK)
            .zip(quads.par_chunks(QUADS_A_TASK))
            .enumerate()
            .for_each(|(task, (wrong, quads))| corruption.draw(task, quads, wrong));
    }

    /// The losses and slopes of all quadruples; equation (100) for a batch.
    fn measure(&mut self, tables: &[Table; ROLES], quads: &[Quad]) {
        self.stride = tables[0].stride();
        let slots = self.slots();
        let (stride, negatives, margin) = (self.stride, self.negatives, self.margin);
        // What an inactive corruption leaves is never read: no clearing.
        let size = quads.len() * slots * stride;
        self.slopes.resize(size, M::Cell::default());
        self.active.resize(quads.len(), 0);
        self.losses.resize(quads.len(), 0.0);
        let per_task = (
            self.slopes.par_chunks_mut(slots * stride * QUADS_A_TASK),
            self.wrong.par_chunks(ROLES * negatives * QUADS_A_TASK),
            self.active.par_chunks_mut(QUADS_A_TASK),
            self.losses.par_chunks_mut(QUADS_A_TASK),
            quads.par_chunks(QUADS_A_TASK),
        );
        per_task
            .into_par_iter()
            .for_each(|(slopes, wrong, active, losses, quads)| {
                wide(Task::<M> {
                    margin,
                    tables,
                    quads,
                    wrong,
                    slopes,
                    active,
                    losses,
                });
            });
    }

    /// Lists, for every row, the places of the batch that it stands in.
    fn index(&mut self, tables: &[Table; ROLES], quads: &[Quad]) {
        let slots = self.slots();
        let negatives = self.negatives;
        let (wrong, active) = (&self.wrong, &self.active);
        self.visits
            .par_iter_mut()
            .zip(tables)
            .enumerate()
            .for_each(|(role, (visits, table))| {
                visits.list(table.rows(), |visit| {
                    for (at, (quad, active)) in quads.iter().zip(active).enumerate() {
                        if *active == 0 {
                            continue;
                        }
                        visit(quad[role], (at * slots) as u32);
                        for negative in role * negatives..(role + 1) * negatives {
                            if active >> negative & 1 == 1 {
                                let row = wrong[at * ROLES * negatives + negative];
                                visit(row, (at * slots + 1 + negative) as u32);
                            }
                        }
                    }
                });
            });
    }

    /// The slope of the batch's mean loss at one row; `sums` is room to add up in.
    fn gather(
        &self,
        role: usize,
        entries: &[u32],
        scale: f32,
        sums: &mut Vec<<M::Cell as Cell>::Sum>,
        gradient: &mut [f32],
    ) {
        sums.clear();
        sums.resize(self.stride, Default::default());
        wide(Gathering::<M> {
            slopes: &self.slopes,
            active: &self.active,
            stride: self.stride,
            slots: self.slots(),
            own: role * self.negatives..(role + 1) * self.negatives,
            entries,
            scale: scale * SIGNS[role],
            sums,
            gradient,
        });
    }
}

/// Adds up the slopes of one row's places, in their order.
struct Gathering<'a, M: Measure> {
    slopes: &'a [M::Cell],
    active: &'a [u64],
    stride: usize,
    slots: usize,
    /// The corruptions of the row's own role.
    own: Range<usize>,
    entries: &'a [u32],
    scale: f32,
    sums: &'a mut [<M::Cell as Cell>::Sum],
    gradient: &'a mut [f32],
}

impl<M: Measure> Work for Gathering<'_, M> {
    #[inline(always)]
    fn run(self) {
        let slope = |slot: usize| &self.slopes[slot * self.stride..][..self.stride];
        let sums = self.sums;
        let mut add = |slot: usize| {
            let each = sums.iter_mut().zip(slope(slot));
            each.for_each(|(sum, cell)| *sum = cell.add_to(*sum));
        };
        for entry in self.entries {
            let entry = *entry as usize;
            if !entry.is_multiple_of(self.slots) {
                continue;
            }
            add(entry);
            // The shared slope counts all corruptions; those of this row's own role do not hold it.
            let active = self.active[entry / self.slots];
            for negative in self.own.clone() {
                if active >> negative & 1 == 1 {
                    add(entry + 1 + negative);
                }
            }
        }
        for entry in self.entries {
            let entry = *entry as usize;
            if !entry.is_multiple_of(self.slots) {
                let each = sums.iter_mut().zip(slope(entry));
                each.for_each(|(sum, cell)| *sum = cell.take_from(*sum));
            }
        }
        for (cell, sum) in self.gradient.iter_mut().zip(sums.iter()) {
            *cell = M::Cell::to_f32(*sum) * self.scale;
        }
    }
}

impl Visits {
    /// Two passes over the same visits: count, then enter. Row 0, the missing phrase, never moves.
    fn list(&mut self, rows: usize, walk: impl Fn(&mut dyn FnMut(u32, u32))) {
        for row in self.touched.drain(..) {
            self.count[row as usize] = 0;
        }
        self.count.resize(rows, 0);
        self.start.resize(rows, 0);
        let (count, touched) = (&mut self.count, &mut self.touched);
        walk(&mut |row, _| {
            if row != 0 {
                let count = &mut count[row as usize];
                if *count == 0 {
                    touched.push(row);
                }
                *count += 1;
            }
        });
        let mut total = 0;
        for row in touched.iter() {
            self.start[*row as usize] = total;
            total += count[*row as usize];
        }
        self.entries.resize(total as usize, 0);
        let (start, entries) = (&mut self.start, &mut self.entries);
        walk(&mut |row, entry| {
            if row != 0 {
                let start = &mut start[row as usize];
                entries[*start as usize] = entry;
                *start += 1;
            }
        });
        // Filling has moved each start to the end of its entries.
        for row in touched.iter() {
            start[*row as usize] -= count[*row as usize];
        }
    }

    /// The places of a row; rows that the batch does not touch keep the start of an earlier one.
    fn of(&self, row: usize) -> &[u32] {
        match (self.start[row] as usize, self.count[row] as usize) {
            (_, 0) => &[],
            (start, count) => &self.entries[start..start + count],
        }
    }
}

#[cfg(test)]
mod tests;
