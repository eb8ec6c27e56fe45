//! One quadruple with its corruptions: its loss, and the slopes it leaves.

use super::measure::{Cell, Measure, SUM_LANES, sum};
use crate::embed::table::Table;
use crate::embed::wide::Work;
use crate::embed::{Quad, ROLES};

/// How the four parts enter e = t + a + o - s.
pub(super) const SIGNS: [f32; ROLES] = [1.0, 1.0, 1.0, -1.0];

/// The quadruples of one task, and what they leave behind.
pub(super) struct Task<'a, M: Measure> {
    pub(super) margin: f32,
    pub(super) tables: &'a [Table; ROLES],
    pub(super) quads: &'a [Quad],
    /// For every quadruple, the rows that its corruptions put in: role by role, 0 for none.
    pub(super) wrong: &'a [u32],
    /// For every quadruple, the slope that all corruptions share, then that of each.
    pub(super) slopes: &'a mut [M::Cell],
    /// The corruptions that are within the margin, one bit each.
    pub(super) active: &'a mut [u64],
    pub(super) losses: &'a mut [f32],
}

impl<M: Measure> Work for Task<'_, M> {
    #[inline(always)]
    fn run(self) {
        let corruptions = self.wrong.len() / self.quads.len().max(1);
        let stride = self.tables[0].stride();
        let each = self
            .slopes
            .chunks_exact_mut((1 + corruptions) * stride)
            .zip(self.wrong.chunks_exact(corruptions))
            .zip(self.active.iter_mut().zip(self.losses))
            .zip(self.quads);
        let mut right = vec![M::Cell::default(); stride];
        for (((slopes, wrong), (active, loss)), quad) in each {
            (*active, *loss) = read::<M>(self.tables, self.margin, quad, wrong, slopes, &mut right);
        }
    }
}

/// Leaves the slopes of one quadruple; says which corruptions are within the margin, and the loss.
#[inline(always)]
fn read<M: Measure>(
    tables: &[Table; ROLES],
    margin: f32,
    quad: &Quad,
    wrong: &[u32],
    slopes: &mut [M::Cell],
    right: &mut [M::Cell],
) -> (u64, f32) {
    let stride = right.len();
    let negatives = wrong.len() / ROLES;
    let row = |role: usize, row: u32| tables[role].padded(row as usize);
    let rows = std::array::from_fn(|role| row(role, quad[role]));
    let (common, own) = slopes.split_at_mut(stride);
    let mut active = 0;
    let mut loss = 0.0;
    for negative in 0..negatives {
        let places: [usize; ROLES] = std::array::from_fn(|role| role * negatives + negative);
        let others = std::array::from_fn(|role| row(role, wrong[places[role]]));
        let (length, wrong_lengths) = measure::<M>(rows, others, right, own, places);
        for (place, wrong_length) in places.into_iter().zip(wrong_lengths) {
            let excess = margin + length - wrong_length;
            if wrong[place] == 0 || excess <= 0.0 {
                continue;
            }
            let inverse = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
            let (of_right, of_wrong) = (inverse(length), inverse(wrong_length));
            let first = active == 0;
            loss += excess;
            active |= 1 << place;
            let own = &mut own[place * stride..][..stride];
            for ((common, own), right) in common.iter_mut().zip(own).zip(&*right) {
                *own = M::scaled(*own, of_wrong);
                let so_far = if first { M::Cell::default() } else { *common };
                *common = so_far.plus(M::scaled(*right, of_right).minus(*own));
            }
        }
    }
    (active, loss)
}

/// The lengths of e and of e with each of its parts replaced, with the slopes of all, in one pass
/// over the rows.
#[inline(always)]
fn measure<M: Measure>(
    [t, a, o, s]: [&[f32]; ROLES],
    others: [&[f32]; ROLES],
    right: &mut [M::Cell],
    own: &mut [M::Cell],
    places: [usize; ROLES],
) -> (f32, [f32; ROLES]) {
    let stride = right.len();
    let mut lengths = [0.0; SUM_LANES];
    let mut wrong_lengths = [[0.0; SUM_LANES]; ROLES];
    for start in (0..stride).step_by(SUM_LANES) {
        let chunk = |row: &[f32]| -> [f32; SUM_LANES] {
            row[start..][..SUM_LANES].try_into().unwrap_or_default()
        };
        let parts = [chunk(t), chunk(a), chunk(o), chunk(s)];
        let mut e = [0.0; SUM_LANES];
        let into = &mut right[start..][..SUM_LANES];
        for lane in 0..SUM_LANES {
            e[lane] = parts[0][lane] + parts[1][lane] + parts[2][lane] - parts[3][lane];
            lengths[lane] += M::part(e[lane]);
            into[lane] = M::slope(e[lane]);
        }
        for role in 0..ROLES {
            let other = chunk(others[role]);
            let into = &mut own[places[role] * stride + start..][..SUM_LANES];
            for lane in 0..SUM_LANES {
                let wrong = e[lane] + SIGNS[role] * (other[lane] - parts[role][lane]);
                wrong_lengths[role][lane] += M::part(wrong);
                into[lane] = M::slope(wrong);
            }
        }
    }
    (
        M::root(sum(lengths)),
        wrong_lengths.map(|lanes| M::root(sum(lanes))),
    )
}
