//! One step of training: the loss of a batch, its slope, and who is moved by it.
//!
//! The work is cut so that the result does not depend on the number of threads, and so that
//! nothing is written twice: first every quadruple by itself leaves its slopes (no table is
//! written), then every row by itself gathers, in the order of the batch, the slopes of the
//! quadruples that it stands in, and is moved.

use rayon::prelude::*;

use super::adam::Adam;
use super::corruption::Corruption;
use super::measure::{Cell, Measure};
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
    /// For every quadruple: the slopes at its four true rows, then at the row of each corruption,
    /// all but for the sign with which a part enters e.
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

impl<M: Measure + Sync> Batch<M> {
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
        for role in 0..ROLES {
            let visits = &self.visits[role];
            let this = &*self;
            adam.update(role, &mut tables[role], ROWS_A_TASK, |row, sums, gradient| {
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
        ROLES * (1 + self.negatives)
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
                    reading: Reading::new(stride, margin),
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
                        visit(quad[role], (at * slots + role) as u32);
                        for negative in role * negatives..(role + 1) * negatives {
                            if active >> negative & 1 == 1 {
                                let row = wrong[at * ROLES * negatives + negative];
                                visit(row, (at * slots + ROLES + negative) as u32);
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
            stride: self.stride,
            slots: self.slots(),
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
    stride: usize,
    slots: usize,
    entries: &'a [u32],
    scale: f32,
    sums: &'a mut [<M::Cell as Cell>::Sum],
    gradient: &'a mut [f32],
}

impl<M: Measure> Work for Gathering<'_, M> {
    #[inline(always)]
    fn run(self) {
        for entry in self.entries {
            let entry = *entry as usize;
            let slope = &self.slopes[entry * self.stride..][..self.stride];
            let each = self.sums.iter_mut().zip(slope);
            match entry % self.slots < ROLES {
                true => each.for_each(|(sum, cell)| *sum = cell.add_to(*sum)),
                false => each.for_each(|(sum, cell)| *sum = cell.take_from(*sum)),
            }
        }
        for (cell, sum) in self.gradient.iter_mut().zip(self.sums.iter()) {
            *cell = M::Cell::to_f32(*sum) * self.scale;
        }
    }
}

/// How the four parts enter e = t + a + o - s.
const SIGNS: [f32; ROLES] = [1.0, 1.0, 1.0, -1.0];

/// The quadruples of one task, and what they leave behind.
struct Task<'a, M: Measure> {
    reading: Reading<M>,
    tables: &'a [Table; ROLES],
    quads: &'a [Quad],
    wrong: &'a [u32],
    slopes: &'a mut [M::Cell],
    active: &'a mut [u64],
    losses: &'a mut [f32],
}

impl<M: Measure> Work for Task<'_, M> {
    #[inline(always)]
    fn run(mut self) {
        let corruptions = self.wrong.len() / self.quads.len().max(1);
        let stride = self.reading.right.len();
        let each = self
            .slopes
            .chunks_exact_mut((ROLES + corruptions) * stride)
            .zip(self.wrong.chunks_exact(corruptions))
            .zip(self.active.iter_mut().zip(self.losses))
            .zip(self.quads);
        for (((slopes, wrong), (active, loss)), quad) in each {
            (*active, *loss) = self.reading.read(self.tables, quad, wrong, slopes);
        }
    }
}

/// Reads one quadruple after the other.
struct Reading<M: Measure> {
    margin: f32,
    right: Vec<f32>,
    wrong: Vec<f32>,
    slope: Vec<M::Cell>,
    common: Vec<M::Cell>,
}

impl<M: Measure> Reading<M> {
    fn new(stride: usize, margin: f32) -> Reading<M> {
        Reading {
            margin,
            right: vec![0.0; stride],
            wrong: vec![0.0; stride],
            slope: vec![M::Cell::default(); stride],
            common: vec![M::Cell::default(); stride],
        }
    }

    /// Leaves the slopes of one quadruple and its corruptions; says which of these are within the
    /// margin, and their loss.
    #[inline(always)]
    fn read(
        &mut self,
        tables: &[Table; ROLES],
        quad: &Quad,
        wrong: &[u32],
        slopes: &mut [M::Cell],
    ) -> (u64, f32) {
        let stride = self.right.len();
        let rows: [&[f32]; ROLES] =
            std::array::from_fn(|role| tables[role].padded(quad[role] as usize));
        residual(&mut self.right, rows);
        let length = M::length(&self.right);
        M::slope(&self.right, length, &mut self.slope);
        let (true_rows, corrupted) = slopes.split_at_mut(ROLES * stride);
        let negatives = wrong.len() / ROLES;
        let mut active = 0;
        let mut loss = 0.0;
        self.common.fill(M::Cell::default());
        for (at, (row, own)) in wrong.iter().zip(corrupted.chunks_exact_mut(stride)).enumerate() {
            if *row == 0 {
                continue;
            }
            let role = at / negatives;
            let other = tables[role].padded(*row as usize);
            replaced(&mut self.wrong, &self.right, rows[role], other, SIGNS[role]);
            let wrong_length = M::length(&self.wrong);
            let excess = self.margin + length - wrong_length;
            if excess <= 0.0 {
                continue;
            }
            loss += excess;
            active |= 1 << at;
            M::slope(&self.wrong, wrong_length, own);
            for ((common, right), own) in self.common.iter_mut().zip(&self.slope).zip(own) {
                *common = common.plus(right.minus(*own));
            }
        }
        // All corruptions hold a true row, but for those of its own role.
        for (role, slope) in true_rows.chunks_exact_mut(stride).enumerate() {
            slope.copy_from_slice(&self.common);
            for at in role * negatives..(role + 1) * negatives {
                if active >> at & 1 == 1 {
                    let own = &corrupted[at * stride..][..stride];
                    for (cell, own) in slope.iter_mut().zip(own) {
                        *cell = cell.plus(*own);
                    }
                }
            }
        }
        (active, loss)
    }
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
