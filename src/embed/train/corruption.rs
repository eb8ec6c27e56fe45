//! Corrupted quadruples, equation (101): one part replaced by another phrase of its role.
//!
//! The double sum of (100) over W and W' is approximated: each quadruple meets, for each of its
//! parts, k phrases drawn uniformly from the part's table, never the true one. A part that is
//! missing is not corrupted: that an unknown agent is not this one, nobody can say.

use rand::Rng;

use crate::embed::seed::{Purpose, stream};
use crate::embed::{Quad, ROLES};

/// Where the draws of a batch come from.
pub(super) struct Corruption {
    pub(super) seed: u64,
    pub(super) purpose: Purpose,
    /// The number of the batch, counted through the whole training.
    pub(super) batch: u64,
    /// Rows of each table, the missing phrase among them.
    pub(super) rows: [usize; ROLES],
}

/// Tasks of a batch have streams of their own; no batch has more.
const TASK_BITS: u32 = 20;

impl Corruption {
    /// Fills in the wrong rows of one task's quadruples, k after each other; 0 for none.
    pub(super) fn draw(&self, task: usize, quads: &[Quad], wrong: &mut [Quad]) {
        let index = (self.batch << TASK_BITS) | task as u64;
        let mut random = stream(self.seed, self.purpose, index);
        let negatives = wrong.len() / quads.len().max(1);
        for (quad, wrong) in quads.iter().zip(wrong.chunks_exact_mut(negatives.max(1))) {
            for (role, wrong) in wrong
                .iter_mut()
                .flat_map(|wrong| wrong.iter_mut().enumerate())
            {
                // Drawn in every case, so that one draw does not hang on another.
                let draw = u64::from(random.next_u32());
                let right = quad[role];
                let others = self.rows[role].saturating_sub(2) as u64;
                *wrong = if right == 0 || others == 0 {
                    0
                } else {
                    let other = 1 + ((draw * others) >> 32) as u32;
                    other + u32::from(other >= right)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_phrase_may_come_but_never_the_true_one_nor_the_missing_one() {
        let corruption = Corruption {
            seed: 1,
            purpose: Purpose::Corruption,
            batch: 0,
            rows: [5, 3, 2, 9],
        };
        let quads = vec![[2, 0, 1, 8]; 500];
        let mut wrong = vec![[0; ROLES]; quads.len() * 2];
        corruption.draw(0, &quads, &mut wrong);
        let mut seen = [const { Vec::new() }; ROLES];
        for (role, row) in wrong.iter().flat_map(|wrong| wrong.iter().enumerate()) {
            seen[role].push(*row);
        }
        for rows in &mut seen {
            rows.sort_unstable();
            rows.dedup();
        }
        assert_eq!(seen[0], [1, 3, 4]);
        assert_eq!(seen[1], [0], "a missing part is not corrupted");
        assert_eq!(seen[2], [0], "the only phrase of a role has no other");
        assert_eq!(seen[3], [1, 2, 3, 4, 5, 6, 7]);
    }
}
