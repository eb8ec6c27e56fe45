//! How good the tables are: the loss of held-out quadruples, and where the true state stands among
//! all states, seen from t + a + o.

use rayon::prelude::*;

use super::corruption::Corruption;
use super::measure::{L1, L2, Measure, sum_lanes};
use super::{Distance, Engine, Epoch, Trainer};
use crate::embed::seed::Purpose;
use crate::embed::table::{LANES, Table};
use crate::embed::{Quad, ROLES, Role};

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
        let ranked = match self.held_out.is_empty() {
            true => &self.training,
            false => &self.held_out,
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
    let parts = [time.padded(quad[0] as usize), agent.padded(quad[1] as usize)];
    let mut sum: Vec<f32> = object.padded(quad[2] as usize).to_vec();
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    let mut difference = vec![0.0; sum.len()];
    let mut distance = |row: usize| {
        let inputs = sum.iter().zip(states.padded(row));
        for (difference, (sum, state)) in difference.iter_mut().zip(inputs) {
            *difference = sum - state;
        }
        M::length(&difference)
    };
    let own = distance(quad[Role::State.index()] as usize);
    let (mut nearer, mut equal) = (0_u32, 0_u32);
    for row in 1..states.rows() {
        let other = distance(row);
        nearer += u32::from(other < own);
        equal += u32::from(other == own);
    }
    1.0 + f64::from(nearer) + f64::from(equal.saturating_sub(1)) / 2.0
}

impl Distance {
    /// The distance of two vectors.
    pub fn between(self, a: &[f32], b: &[f32]) -> f32 {
        let mut difference: Vec<f32> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        difference.resize(difference.len().next_multiple_of(LANES), 0.0);
        match self {
            Distance::L1 => sum_lanes(&difference, f32::abs),
            Distance::L2 => sum_lanes(&difference, |x| x * x).sqrt(),
        }
    }
}
