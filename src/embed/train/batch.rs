//! One step of training: the loss of a batch, its slope, and who is moved by it.
//!
//! The work is cut so that the result does not depend on the number of threads, and so that
//! nothing is written twice: first every quadruple by itself leaves its trace (no table is
//! written), then every row by itself gathers, in the order of the batch, the slopes of the
//! quadruples that it stands in, and is moved.

use rayon::prelude::*;

use super::adam::Adam;
use super::corruption::Corruption;
use super::measure::Measure;
use super::reading::{SIGNS, Task, Unit};
use crate::embed::table::Table;
use crate::embed::{Quad, ROLES};
use crate::wide::{Work, fetch, wide};

/// Quadruples that one task works through.
const QUADS_A_TASK: usize = 64;
/// Rows that one task works through.
const ROWS_A_TASK: usize = 16;
/// Traces are asked for so many places ahead.
const SOON: usize = 3;

/// What a batch leaves behind for the rows, kept from step to step so that nothing is allocated.
pub(super) struct Batch<M: Measure> {
    margin: f32,
    negatives: usize,
    stride: usize,
    /// For every unit: the rows that its corruptions put in; 0 for none.
    wrong: Vec<Quad>,
    units: Vec<Unit>,
    traces: Vec<M::Trace>,
    visits: [Visits; ROLES],
}

/// Which rows of a role stand in the batch, and where.
#[derive(Default)]
struct Visits {
    count: Vec<u32>,
    start: Vec<u32>,
    touched: Vec<u32>,
    /// Twice the number of a unit, and one more where the row is the corruption's.
    entries: Vec<u32>,
}

/// Room for the slopes of a few places of one row.
pub(super) struct Room<M: Measure>(Vec<M::Sum>);

impl<M: Measure> Default for Room<M> {
    fn default() -> Room<M> {
        Room(Vec::new())
    }
}

impl<M: Measure> Batch<M> {
    pub(super) fn new(margin: f32, negatives: usize) -> Batch<M> {
        Batch {
            margin,
            negatives,
            stride: 0,
            wrong: Vec::new(),
            units: Vec::new(),
            traces: Vec::new(),
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
        let loss = self.loss(tables, quads, corruption);
        self.index(tables, quads);
        let scale = 1.0 / quads.len().max(1) as f32;
        let this = &*self;
        for (role, (table, visits)) in tables.iter_mut().zip(&this.visits).enumerate() {
            let width = table.width();
            adam.update(role, table, ROWS_A_TASK, |row, room, gradient| {
                let entries = visits.of(row);
                if !entries.is_empty() {
                    this.gather(role, entries, scale, room, &mut gradient[..width]);
                }
                !entries.is_empty()
            });
        }
        loss
    }

    /// The loss of the batch alone; equation (100) with the corruptions drawn.
    pub(super) fn loss(
        &mut self,
        tables: &[Table; ROLES],
        quads: &[Quad],
        corruption: &Corruption,
    ) -> f64 {
        self.corrupt(quads, corruption);
        self.measure(tables, quads);
        self.units.iter().map(|unit| f64::from(unit.loss)).sum()
    }

    fn corrupt(&mut self, quads: &[Quad], corruption: &Corruption) {
        self.wrong.clear();
        self.wrong.resize(quads.len() * self.negatives, [0; ROLES]);
        self.wrong
            .par_chunks_mut(self.negatives * QUADS_A_TASK)
            .zip(quads.par_chunks(QUADS_A_TASK))
            .enumerate()
            .for_each(|(task, (wrong, quads))| corruption.draw(task, quads, wrong));
    }

    /// The losses and traces of all units.
    fn measure(&mut self, tables: &[Table; ROLES], quads: &[Quad]) {
        self.stride = tables[0].stride();
        let (stride, margin) = (self.stride, self.margin);
        let units = self.wrong.len();
        self.units.resize(units, Unit::default());
        self.traces.resize(units * stride, M::Trace::default());
        let units_a_task = self.negatives * QUADS_A_TASK;
        let per_task = (
            self.traces.par_chunks_mut(stride * units_a_task),
            self.units.par_chunks_mut(units_a_task),
            self.wrong.par_chunks(units_a_task),
            quads.par_chunks(QUADS_A_TASK),
        );
        per_task
            .into_par_iter()
            .for_each(|(traces, units, wrong, quads)| {
                wide(Task::<M> {
                    margin,
                    tables,
                    quads,
                    wrong,
                    traces,
                    units,
                });
            });
    }

    /// Lists, for every row, the places of the batch that it stands in.
    fn index(&mut self, tables: &[Table; ROLES], quads: &[Quad]) {
        let negatives = self.negatives;
        let (wrong, units) = (&self.wrong, &self.units);
        self.visits
            .par_iter_mut()
            .zip(tables)
            .enumerate()
            .for_each(|(role, (visits, table))| {
                visits.list(table.rows(), |visit| {
                    for (number, unit) in units.iter().enumerate() {
                        if unit.active == 0 {
                            continue;
                        }
                        let entry = 2 * number as u32;
                        visit(quads[number / negatives][role], entry);
                        if unit.active >> role & 1 == 1 {
                            visit(wrong[number][role], entry + 1);
                        }
                    }
                });
            });
    }

    /// The slope of the batch's mean loss at one row.
    fn gather(
        &self,
        role: usize,
        entries: &[u32],
        scale: f32,
        room: &mut Room<M>,
        gradient: &mut [f32],
    ) {
        room.0.resize(self.stride, M::Sum::default());
        wide(Gathering {
            batch: self,
            role,
            entries,
            scale: scale * SIGNS[role],
            sums: &mut room.0,
            gradient,
        });
    }
}

/// Adds up the slopes of one row's places, in their order.
struct Gathering<'a, M: Measure> {
    batch: &'a Batch<M>,
    role: usize,
    entries: &'a [u32],
    scale: f32,
    sums: &'a mut [M::Sum],
    gradient: &'a mut [f32],
}

impl<M: Measure> Work for Gathering<'_, M> {
    #[inline(always)]
    fn run(self) {
        let stride = self.batch.stride;
        let traces_of = |entry: u32| &self.batch.traces[entry as usize / 2 * stride..][..stride];
        self.gradient.fill(0.0);
        let mut soon = self.entries.iter().skip(SOON);
        for places in self.entries.chunks(M::PLACES) {
            self.sums.fill(M::Sum::default());
            let mut off = 0;
            for entry in places {
                if let Some(soon) = soon.next() {
                    fetch(traces_of(*soon));
                }
                let (unit, traces) = (&self.batch.units[*entry as usize / 2], traces_of(*entry));
                off += match entry % 2 {
                    0 => M::add_true(self.role, unit, traces, self.sums),
                    _ => M::add_wrong(self.role, unit, traces, self.sums),
                };
            }
            for (cell, sum) in self.gradient.iter_mut().zip(&*self.sums) {
                *cell += M::slope(*sum, off);
            }
        }
        for cell in self.gradient {
            *cell *= self.scale;
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
