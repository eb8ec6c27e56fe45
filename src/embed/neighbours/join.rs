//! All pairs nearer than epsilon.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::boxes::{BOX, Bounds, Boxes, Sketched, Slack, axes_of, places_below};
use super::{distance, surely_farther};
use crate::embed::PrincipalAxes;
use crate::wide::fetch;

/// Two points nearer than epsilon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The point on the left.
    pub left: u32,
    /// The point on the right.
    pub right: u32,
    /// Their distance, in double precision.
    pub distance: f64,
}

/// Two texts nearer than epsilon, one pair a line.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg pair of texts")]
pub struct PairJson {
    /// The id of the one.
    pub left: String,
    /// The id of the other.
    pub right: String,
    /// The distance of their impacts.
    pub distance: f64,
}

/// Where more of a pair of boxes is left than one in so many, a full matrix product comes first.
const MANY: usize = 6;

/// Sketches that were in vain so many times in a row are asked once in as many times.
const PATIENCE: usize = 8;

/// All pairs of different points (rows) whose distance is less than epsilon, each once with the
/// lower number on the left, sorted.
pub fn pairs_within(points: ArrayView2<'_, f32>, epsilon: f64) -> Vec<Pair> {
    let axes = axes_of(points);
    let boxes = Sketched::new(points, &axes).boxes();
    Join {
        left: &boxes,
        right: &boxes,
        axes: &axes,
        epsilon,
        same: true,
        wanted: &|_| true,
    }
    .pairs()
}

/// All pairs of a point on the left and one on the right whose distance is less than epsilon:
/// S12 of Algorithm 4, sorted.
pub fn pairs_between(
    left: ArrayView2<'_, f32>,
    right: ArrayView2<'_, f32>,
    epsilon: f64,
) -> Vec<Pair> {
    let larger = if left.nrows() >= right.nrows() {
        left
    } else {
        right
    };
    let axes = axes_of(larger);
    let boxes = |points| Sketched::new(points, &axes).boxes();
    Join {
        left: &boxes(left),
        right: &boxes(right),
        axes: &axes,
        epsilon,
        same: false,
        wanted: &|_| true,
    }
    .pairs()
}

/// What is compared with what.
pub(super) struct Join<'a, 'l, 'r> {
    pub(super) left: &'a Boxes<'l>,
    pub(super) right: &'a Boxes<'r>,
    pub(super) axes: &'a PrincipalAxes,
    pub(super) epsilon: f64,
    /// The points are compared with themselves.
    pub(super) same: bool,
    /// Points on the left that matter.
    pub(super) wanted: &'a (dyn Fn(u32) -> bool + Sync),
}

/// Room for the work on a pair of boxes.
struct Room {
    products: Array2<f32>,
    candidates: Vec<(u16, u16)>,
    /// How many times in a row sketches have told too little apart.
    in_vain: usize,
}

impl Join<'_, '_, '_> {
    /// All pairs, sorted.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = (0..self.left.boxes.len())
            .into_par_iter()
            .with_max_len(1)
            .map_init(Room::new, |room, left| {
                let mut pairs = Vec::new();
                self.compare_box(left, room, |pair| pairs.push(pair));
                pairs
            })
            .flatten_iter()
            .collect();
        pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
        pairs
    }

    /// Hands over every pair once, in any order, from any thread.
    pub(super) fn visit_pairs(&self, take: impl Fn(Pair) + Sync) {
        (0..self.left.boxes.len())
            .into_par_iter()
            .with_max_len(1)
            .for_each_init(Room::new, |room, left| self.compare_box(left, room, &take));
    }

    /// Compares a box of the left with all boxes of the right.
    fn compare_box(&self, left: usize, room: &mut Room, mut take: impl FnMut(Pair)) {
        let first = if self.same { left } else { 0 };
        let bounds = &self.left.boxes[left];
        if !self
            .left
            .members(bounds)
            .iter()
            .any(|number| (self.wanted)(*number))
        {
            return;
        }
        for right in first..self.right.boxes.len() {
            let other = &self.right.boxes[right];
            let twin = self.same && left == right;
            self.compare(bounds, other, twin, room, &mut take);
        }
    }

    /// Compares all points of one box with all of another.
    fn compare(
        &self,
        left: &Bounds,
        right: &Bounds,
        twin: bool,
        room: &mut Room,
        take: &mut impl FnMut(Pair),
    ) {
        let slack = left.slack(right, self.left.points.ncols());
        if left.least_distance(right) > self.epsilon + slack.distance {
            return;
        }
        let columns = right.range.len();
        let mut is_rough = false;
        if room.in_vain < PATIENCE || room.in_vain.is_multiple_of(PATIENCE) {
            let few = left.range.len() * columns / MANY;
            left.sketches
                .multiply_into(&right.sketches, &mut room.products);
            let limit = self.limit(slack, slack.sketch);
            is_rough = room.collect(&left.sketches.squares, columns, limit, few);
        }
        if is_rough {
            room.in_vain = 0;
        } else {
            room.in_vain += 1;
            let centred = self.left.centred(left, self.axes);
            let others = self.right.centred(right, self.axes);
            centred.multiply_into(others, &mut room.products);
            let limit = self.limit(slack, slack.full);
            room.collect(&centred.squares, columns, limit, usize::MAX);
        }
        self.measure(left, right, twin, is_rough, &room.candidates, take);
    }

    /// Measures what is left of two boxes.
    fn measure(
        &self,
        left: &Bounds,
        right: &Bounds,
        twin: bool,
        is_rough: bool,
        candidates: &[(u16, u16)],
        take: &mut impl FnMut(Pair),
    ) {
        let (lefts, rights) = (self.left.members(left), self.right.members(right));
        let soon = candidates.iter().skip(1).map(Some).chain([None]);
        for ((a, b), soon) in candidates.iter().zip(soon) {
            if let Some((_, b)) = soon {
                let row = self.right.points.row(rights[usize::from(*b)] as usize);
                fetch(row.as_slice().unwrap_or_default());
            }
            let (a, b) = (usize::from(*a), usize::from(*b));
            if twin && a >= b {
                continue;
            }
            let (left, right) = (lefts[a], rights[b]);
            if !(self.wanted)(left) {
                continue;
            }
            if let Some(distance) = self.exact(left, right, is_rough) {
                let swap = self.same && left > right;
                let (left, right) = if swap { (right, left) } else { (left, right) };
                take(Pair {
                    left,
                    right,
                    distance,
                });
            }
        }
    }

    /// What a squared distance that rounding has moved may be at most.
    fn limit(&self, slack: Slack, product: f64) -> f64 {
        (self.epsilon + slack.distance).powi(2) + product
    }

    /// The exact distance, when it is less than epsilon. What a full product has left over mostly is,
    /// so that only where it is a rough guess a quick look pays.
    fn exact(&self, left: u32, right: u32, is_rough: bool) -> Option<f64> {
        let a = self.left.points.row(left as usize);
        let b = self.right.points.row(right as usize);
        let exact = match (a.as_slice(), b.as_slice()) {
            (Some(a), Some(b)) => {
                if is_rough && surely_farther(a, b, self.epsilon) {
                    return None;
                }
                distance(a, b)
            }
            _ => distance(&a.to_vec(), &b.to_vec()),
        };
        (exact < self.epsilon).then_some(exact)
    }
}

impl Room {
    fn new() -> Room {
        Room {
            products: Array2::zeros((BOX, BOX)),
            candidates: Vec::new(),
            in_vain: 0,
        }
    }

    /// Collects the places whose squared distance is not above the limit; false when there are more
    /// than `most`, and not all of them were collected. `squares` are the rows' squared lengths.
    fn collect(&mut self, squares: &[f32], columns: usize, limit: f64, most: usize) -> bool {
        self.candidates.clear();
        for (a, square) in squares.iter().enumerate() {
            let places = places_below(self.products.row(a), columns, limit - f64::from(*square));
            let places = places.into_iter().map(|b| (a as u16, b));
            self.candidates.extend(places);
            if self.candidates.len() > most {
                return false;
            }
        }
        true
    }
}
