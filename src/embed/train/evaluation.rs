//! How good the tables are: the loss of held-out quadruples, and where the true state stands among
//! all states, seen from t + a + o.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::corruption::Corruption;
use super::measure::{self, L1, L2, Measure};
use super::{Distance, Engine, Epoch, Trainer};
use crate::embed::seed::Purpose;
use crate::embed::table::Table;
use crate::embed::{Quad, ROLES, Role};
use crate::wide::{Work, wide};

/// Ranks are taken over so many quadruples at most, spread evenly.
const MOST_RANKED: usize = 2000;
/// The true state among the nearest so many is a hit.
const HITS: f64 = 10.0;

impl Trainer {
    pub(super) fn evaluate(&mut self, epoch: u32, loss: f64) -> Epoch {
        let corruption = Corruption {
            seed: self.parameters.seed,
            purpose: Purpose::HeldOutCorruption,
            batch: 0,
            rows: self.vocabulary.rows(),
        };
        let held_out_loss = match &mut self.engine {
            Engine::L1(batch) => batch.loss(&self.tables, &self.held_out, &corruption),
            Engine::L2(batch) => batch.loss(&self.tables, &self.held_out, &corruption),
        };
        let ranked = if self.held_out.is_empty() {
            &self.training
        } else {
            &self.held_out
        };
        let step = ranked.len().div_ceil(MOST_RANKED).max(1);
        let sample: Vec<&Quad> = ranked.iter().step_by(step).collect();
        let ranks: Vec<f64> = sample
            .par_iter()
            .map(|quad| match self.parameters.distance {
                Distance::L1 => rank::<L1>(&self.tables, quad),
                Distance::L2 => rank::<L2>(&self.tables, quad),
            })
            .collect();
        let count = ranks.len().max(1) as f64;
        Epoch {
            epoch,
            loss,
            held_out_loss: held_out_loss / self.held_out.len().max(1) as f64,
            mean_rank: ranks.iter().sum::<f64>() / count,
            hits_at_10: ranks.iter().filter(|rank| **rank <= HITS).count() as f64 / count,
        }
    }
}

/// The rank of a quadruple's state among all states, from 1; ties count half.
fn rank<M: Measure>(tables: &[Table; ROLES], quad: &Quad) -> f64 {
    let [time, agent, object, states] = tables;
    let parts = [
        time.padded(quad[0] as usize),
        agent.padded(quad[1] as usize),
    ];
    let mut sum: Vec<f32> = object.padded(quad[2] as usize).to_vec();
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    let mut distances = vec![0.0; states.rows()];
    wide(Distances::<M> {
        from: &sum,
        to: states,
        distances: &mut distances,
        measure: PhantomData,
    });
    let own = distances[quad[Role::State.index()] as usize];
    let others = &distances[1..];
    let nearer = others.iter().filter(|other| **other < own).count();
    let equal = others.iter().filter(|other| **other == own).count();
    1.0 + nearer as f64 + equal.saturating_sub(1) as f64 / 2.0
}

/// The distances of all rows of a table from a vector.
struct Distances<'a, M> {
    from: &'a [f32],
    to: &'a Table,
    distances: &'a mut [f32],
    measure: PhantomData<M>,
}

impl<M: Measure> Work for Distances<'_, M> {
    #[inline(always)]
    fn run(self) {
        for (row, distance) in self.distances.iter_mut().enumerate() {
            *distance = measure::distance::<M>(self.from, self.to.padded(row));
        }
    }
}

impl Distance {
    /// The distance of two vectors.
    pub fn between(self, a: &[f32], b: &[f32]) -> f32 {
        match self {
            Distance::L1 => measure::distance::<L1>(a, b),
            Distance::L2 => measure::distance::<L2>(a, b),
        }
    }
}
