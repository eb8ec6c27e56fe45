//! Adam (Kingma and Ba), row by row.

use rayon::prelude::*;

use super::AdamKind;
use crate::embed::ROLES;
use crate::embed::table::Table;
use crate::wide::{Work, wide};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Behind so many steps the second moment's correction is 1 in single precision.
const LAST_CORRECTION: usize = 20_000;

/// Moments of all rows, and how often each was moved.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    kind: AdamKind,
    rate: f32,
    pub(super) moments: [Moments; ROLES],
    /// Rows that training leaves as they are: those up to this one.
    frozen: [usize; ROLES],
    /// 1 / (1 - beta^n) of both moments, by the number of steps.
    corrections: Vec<(f32, f32)>,
}

/// Both moments of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    pub(super) first: Table,
    pub(super) second: Table,
    pub(super) steps: Vec<u32>,
}

impl Moments {
    pub(super) fn zeros(rows: usize, width: usize) -> Moments {
        Moments {
            first: Table::zeros(rows, width),
            second: Table::zeros(rows, width),
            steps: vec![0; rows],
        }
    }
}

impl Adam {
    pub(super) fn new(
        kind: AdamKind,
        rate: f32,
        moments: [Moments; ROLES],
        frozen: [usize; ROLES],
    ) -> Adam {
        let (mut power1, mut power2) = (1.0_f64, 1.0_f64);
        let corrections = (0..LAST_CORRECTION)
            .map(|_| {
                power1 *= f64::from(BETA1);
                power2 *= f64::from(BETA2);
                ((1.0 / (1.0 - power1)) as f32, (1.0 / (1.0 - power2)) as f32)
            })
            .collect();
        Adam {
            kind,
            rate,
            moments,
            frozen,
            corrections,
        }
    }

    /// Moves the rows of a table. `gradient` fills in a row's gradient and says whether it has one
    /// (R is room it may use); rows without are left alone (lazy), or go on by their momentum (dense).
    pub(super) fn update<R: Default>(
        &mut self,
        role: usize,
        table: &mut Table,
        rows_a_task: usize,
        gradient: impl Fn(usize, &mut R, &mut [f32]) -> bool + Sync,
    ) {
        let stride = table.stride();
        let frozen = self.frozen[role];
        let (kind, rate, corrections) = (self.kind, self.rate, &self.corrections);
        let Moments {
            first,
            second,
            steps,
        } = &mut self.moments[role];
        let per_task = (
            table.cells_mut().par_chunks_mut(stride * rows_a_task),
            first.cells_mut().par_chunks_mut(stride * rows_a_task),
            second.cells_mut().par_chunks_mut(stride * rows_a_task),
            steps.par_chunks_mut(rows_a_task),
        );
        per_task.into_par_iter().enumerate().for_each_init(
            || (vec![0.0; stride], R::default()),
            |(slope, room), (task, (rows, firsts, seconds, steps))| {
                let each = rows
                    .chunks_exact_mut(stride)
                    .zip(firsts.chunks_exact_mut(stride))
                    .zip(seconds.chunks_exact_mut(stride))
                    .zip(steps);
                for (at, (((row, first), second), steps)) in each.enumerate() {
                    let number = task * rows_a_task + at;
                    if number <= frozen {
                        continue;
                    }
                    if !gradient(number, room, slope) {
                        match kind {
                            AdamKind::Lazy => continue,
                            AdamKind::Dense => slope.fill(0.0),
                        }
                    }
                    let last = corrections.len() - 1;
                    let correction = corrections[(*steps as usize).min(last)];
                    *steps = steps.saturating_add(1);
                    wide(Move {
                        row,
                        first,
                        second,
                        slope,
                        rate,
                        correction,
                    });
                }
            },
        );
    }
}

/// One step of one row.
struct Move<'a> {
    row: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    slope: &'a [f32],
    rate: f32,
    correction: (f32, f32),
}

impl Work for Move<'_> {
    #[inline(always)]
    fn run(self) {
        let rate = self.rate * self.correction.0;
        let moments = self.first.iter_mut().zip(self.second.iter_mut());
        for ((cell, (first, second)), slope) in self.row.iter_mut().zip(moments).zip(self.slope) {
            *first = BETA1 * *first + (1.0 - BETA1) * slope;
            *second = BETA2 * *second + (1.0 - BETA2) * slope * slope;
            *cell -= rate * *first / ((*second * self.correction.1).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adam(kind: AdamKind) -> (Adam, Table) {
        let mut table = Table::zeros(4, 3);
        table.grow(4, 1, 0);
        let moments = std::array::from_fn(|_| Moments::zeros(4, 3));
        (Adam::new(kind, 0.001, moments, [0; ROLES]), table)
    }

    #[test]
    fn the_first_step_is_the_learning_rate_whatever_the_slope() {
        let (mut adam, mut table) = adam(AdamKind::Lazy);
        adam.update(0, &mut table, 2, |_, (), slope| {
            slope.fill(1e-3);
            true
        });
        adam.moments[0]
            .steps
            .iter()
            .skip(1)
            .for_each(|steps| assert_eq!(*steps, 1));
        let moved = table.vector(2)[0];
        let (_, before) = self::adam(AdamKind::Lazy);
        assert!((before.vector(2)[0] - moved - 0.001).abs() < 1e-6);
        assert_eq!(
            table.vector(0),
            [0.0; 3],
            "the missing phrase does not move"
        );
    }

    #[test]
    fn lazy_leaves_rows_without_slope_alone_and_dense_lets_them_glide() {
        for (kind, glides) in [(AdamKind::Lazy, false), (AdamKind::Dense, true)] {
            let (mut adam, mut table) = adam(kind);
            adam.update(0, &mut table, 16, |_, (), slope| {
                slope.fill(1.0);
                true
            });
            let before = table.clone();
            adam.update(0, &mut table, 16, |_, (), _| false);
            assert_eq!(before != table, glides, "{kind:?}");
        }
    }
}
