//! The nearest member of a set, and the points farthest from a set.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::boxes::{BOX, Bounds, Boxes, Sketched, axes_of, places_below};
use super::join::Join;
use super::{Pair, distance, surely_farther};
use crate::embed::PrincipalAxes;

/// The nearest member of a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Its number.
    pub number: u32,
    /// Its distance, in double precision.
    pub distance: f64,
}

/// For every query the nearest point of the set; of several equally near the one with the lowest
/// number. None when the set is empty.
pub fn nearest(queries: ArrayView2<'_, f32>, set: ArrayView2<'_, f32>) -> Vec<Option<Neighbour>> {
    let axes = axes_of(if set.nrows() >= queries.nrows() {
        set
    } else {
        queries
    });
    let boxes = |points| Sketched::new(points, &axes).boxes();
    let mut found = vec![None; queries.nrows()];
    search(&boxes(queries), &boxes(set), false, &mut found);
    found
}

/// For every point the nearest other point.
pub fn nearest_others(points: ArrayView2<'_, f32>) -> Vec<Option<Neighbour>> {
    let boxes = Sketched::new(points, &axes_of(points)).boxes();
    let mut found = vec![None; points.nrows()];
    search(&boxes, &boxes, true, &mut found);
    found
}

/// How far every point is from a set that grows: |M, e| of Algorithm 4, where only new members
/// need comparing.
pub struct Reach<'a> {
    axes: PrincipalAxes,
    sketched: Sketched<'a>,
    /// The points outside the set, and a few that have come in since.
    boxes: Boxes<'a>,
    nearest: Vec<Option<Neighbour>>,
    is_member: Vec<bool>,
    members: usize,
}

/// The boxes are made anew when fewer than this share of their points is outside the set.
const LEAST_OUTSIDE: f64 = 0.75;

impl<'a> Reach<'a> {
    /// Distances of points (rows) from the empty set.
    pub fn new(points: ArrayView2<'a, f32>) -> Reach<'a> {
        let axes = axes_of(points);
        let sketched = Sketched::new(points, &axes);
        Reach {
            boxes: sketched.boxes(),
            nearest: vec![None; points.nrows()],
            is_member: vec![false; points.nrows()],
            members: 0,
            sketched,
            axes,
        }
    }

    /// The set has new members, by number; numbers that are no rows are left out.
    pub fn add(&mut self, members: &[u32]) {
        let members = self.rows_of(members);
        for member in &members {
            let is_member = &mut self.is_member[*member as usize];
            self.members += usize::from(!*is_member);
            *is_member = true;
        }
        self.keep_members();
        let outside = self.nearest.len() - self.members;
        if (outside as f64) < LEAST_OUTSIDE * self.boxes.order.len() as f64 {
            let points = 0..self.nearest.len() as u32;
            let outside = points.filter(|point| !self.is_member[*point as usize]);
            self.boxes = self.sketched.boxes_of(outside.collect());
        }
        let set = self.sketched.boxes_of(members);
        search(&self.boxes, &set, false, &mut self.nearest);
        self.keep_members();
    }

    /// A member is its own nearest: nothing needs to be looked at for its sake.
    fn keep_members(&mut self) {
        let points = self.nearest.iter_mut().zip(&self.is_member).zip(0..);
        for ((nearest, _), number) in points.filter(|((_, is_member), _)| **is_member) {
            *nearest = Some(Neighbour {
                number,
                distance: 0.0,
            });
        }
    }

    /// All pairs of a wanted point outside the set on the left and one of the members on the right
    /// that are nearer than epsilon, sorted: S12 of Algorithm 4.
    pub fn pairs(
        &self,
        members: &[u32],
        wanted: impl Fn(u32) -> bool + Sync,
        epsilon: f64,
    ) -> Vec<Pair> {
        self.join(members, &wanted, epsilon, |join| join.pairs())
    }

    /// How many wanted points outside the set are nearer than epsilon to each of the members.
    pub fn count_near(
        &self,
        members: &[u32],
        wanted: impl Fn(u32) -> bool + Sync,
        epsilon: f64,
    ) -> Vec<u64> {
        let counts: Vec<AtomicU64> = (0..self.nearest.len()).map(|_| AtomicU64::new(0)).collect();
        self.join(members, &wanted, epsilon, |join| {
            join.visit_pairs(|pair| {
                counts[pair.right as usize].fetch_add(1, Relaxed);
            });
        });
        let count = |member: &u32| {
            counts
                .get(*member as usize)
                .map_or(0, |count| count.load(Relaxed))
        };
        members.iter().map(count).collect()
    }

    fn join<T>(
        &self,
        members: &[u32],
        wanted: &(dyn Fn(u32) -> bool + Sync),
        epsilon: f64,
        run: impl FnOnce(&Join<'_, 'a, 'a>) -> T,
    ) -> T {
        let wanted = |point: u32| !self.is_member[point as usize] && wanted(point);
        run(&Join {
            left: &self.boxes,
            right: &self.sketched.boxes_of(self.rows_of(members)),
            axes: &self.axes,
            epsilon,
            same: false,
            wanted: &wanted,
        })
    }

    fn rows_of(&self, members: &[u32]) -> Vec<u32> {
        let rows = members.iter().copied();
        rows.filter(|row| (*row as usize) < self.nearest.len())
            .collect()
    }

    /// The nearest member of every point; none while the set is empty.
    pub fn nearest(&self) -> &[Option<Neighbour>] {
        &self.nearest
    }

    /// The `count` points farthest from the set, the farthest first, equally far ones by their
    /// numbers; points at distance 0 are in the set, or as good as in it, and left out.
    pub fn farthest(&self, count: usize) -> Vec<Neighbour> {
        let mut all: Vec<Neighbour> = self
            .nearest
            .iter()
            .enumerate()
            .map(|(number, nearest)| Neighbour {
                number: number as u32,
                distance: nearest.map_or(f64::INFINITY, |nearest| nearest.distance),
            })
            .filter(|point| point.distance > 0.0)
            .collect();
        all.sort_by(|a, b| {
            b.distance
                .total_cmp(&a.distance)
                .then(a.number.cmp(&b.number))
        });
        all.truncate(count);
        all
    }
}

fn is_nearer(a: Neighbour, b: Neighbour) -> bool {
    (a.distance, a.number) < (b.distance, b.number)
}

/// Looks for members of the set that are nearer than what was found before.
fn search(queries: &Boxes<'_>, set: &Boxes<'_>, skip_self: bool, found: &mut [Option<Neighbour>]) {
    let before = &*found;
    let better: Vec<Vec<Option<Neighbour>>> = queries
        .boxes
        .par_iter()
        .with_max_len(1)
        .map_init(
            || Array2::zeros((BOX, BOX)),
            |products, bounds| {
                let members = queries.members(bounds).iter();
                let mut best: Vec<_> = members.map(|number| before[*number as usize]).collect();
                search_box(queries, bounds, set, skip_self, products, &mut best);
                best
            },
        )
        .collect();
    for (bounds, better) in queries.boxes.iter().zip(better) {
        for (number, better) in queries.members(bounds).iter().zip(better) {
            found[*number as usize] = better;
        }
    }
}

/// The nearest points of one box's queries: the other boxes in the order of their distance, until
/// they are farther than the worst of what was found.
fn search_box(
    queries: &Boxes<'_>,
    bounds: &Bounds,
    set: &Boxes<'_>,
    skip_self: bool,
    products: &mut Array2<f32>,
    best: &mut [Option<Neighbour>],
) {
    let reach = |best: &Option<Neighbour>| best.map_or(f64::INFINITY, |best| best.distance);
    let mut others: Vec<(f64, usize)> = set
        .boxes
        .iter()
        .enumerate()
        .map(|(at, other)| (bounds.least_distance(other), at))
        .collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (apart, at) in others {
        let Some(other) = set.boxes.get(at) else {
            continue;
        };
        let slack = bounds.slack(other, queries.points.ncols());
        let worst = best.iter().map(reach).fold(0.0, f64::max);
        if apart > worst + slack.distance {
            // The slack differs from box to box: a later box may still be near enough.
            continue;
        }
        bounds.sketches.multiply_into(&other.sketches, products);
        let rows = products.rows().into_iter().zip(&bounds.sketches.squares);
        let numbers = queries.members(bounds);
        let members = set.members(other);
        for (((row, square), number), best) in rows.zip(numbers).zip(&mut *best) {
            if apart > reach(best) + slack.distance {
                continue;
            }
            let limit = (reach(best) + slack.distance).powi(2) + slack.sketch - f64::from(*square);
            let places = places_below(row, members.len(), limit);
            let query = queries.points.row(*number as usize);
            for member in places.iter().map(|place| &members[usize::from(*place)]) {
                if skip_self && member == number {
                    continue;
                }
                let point = set.points.row(*member as usize);
                let distance = match (query.as_slice(), point.as_slice()) {
                    (Some(a), Some(b)) if surely_farther(a, b, reach(best)) => continue,
                    (Some(a), Some(b)) => distance(a, b),
                    _ => distance(&query.to_vec(), &point.to_vec()),
                };
                let found = Neighbour {
                    number: *member,
                    distance,
                };
                if best.is_none_or(|best| is_nearer(found, best)) {
                    *best = Some(found);
                }
            }
        }
    }
}
