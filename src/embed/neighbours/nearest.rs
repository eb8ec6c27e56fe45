//! The nearest member of a set, and the points farthest from a set.

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::boxes::{BOX, Bounds, Boxes, axes_of, below};
use super::distance;
use super::join::surely_farther;

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
    let (queries, set) = (Boxes::new(queries, &axes), Boxes::new(set, &axes));
    search(&queries, &set, false)
}

/// For every point the nearest other point.
pub fn nearest_others(points: ArrayView2<'_, f32>) -> Vec<Option<Neighbour>> {
    let boxes = Boxes::new(points, &axes_of(points));
    search(&boxes, &boxes, true)
}

/// How far every point is from a set that grows: |M, e| of Algorithm 4, where only new members
/// need comparing.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    nearest: Vec<Option<Neighbour>>,
}

impl Reach {
    /// Distances of so many points from the empty set.
    pub fn new(points: usize) -> Reach {
        Reach {
            nearest: vec![None; points],
        }
    }

    /// The set has new members: rows of `points`, the same points every time. Numbers that are no
    /// rows are left out.
    pub fn add(&mut self, points: ArrayView2<'_, f32>, members: &[u32]) {
        let rows: Vec<usize> = members.iter().map(|number| *number as usize).collect();
        let rows: Vec<usize> = rows
            .into_iter()
            .filter(|row| *row < points.nrows())
            .collect();
        let set = points.select(Axis(0), &rows);
        let found = nearest(points, set.view());
        for (best, found) in self.nearest.iter_mut().zip(found) {
            let found = found.map(|neighbour| Neighbour {
                number: rows[neighbour.number as usize] as u32,
                ..neighbour
            });
            if let Some(found) = found
                && best.is_none_or(|best| is_nearer(found, best))
            {
                *best = Some(found);
            }
        }
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

fn search(queries: &Boxes<'_>, set: &Boxes<'_>, skip_self: bool) -> Vec<Option<Neighbour>> {
    let found: Vec<Vec<Option<Neighbour>>> = queries
        .boxes
        .par_iter()
        .with_max_len(1)
        .map_init(
            || Array2::zeros((BOX, BOX)),
            |products, bounds| search_box(queries, bounds, set, skip_self, products),
        )
        .collect();
    let mut all = vec![None; queries.points.nrows()];
    for (bounds, found) in queries.boxes.iter().zip(found) {
        for (number, found) in queries.members(bounds).iter().zip(found) {
            all[*number as usize] = found;
        }
    }
    all
}

/// The nearest points of one box's queries: the other boxes in the order of their distance, until
/// they are farther than the worst of what was found.
fn search_box(
    queries: &Boxes<'_>,
    bounds: &Bounds,
    set: &Boxes<'_>,
    skip_self: bool,
    products: &mut Array2<f32>,
) -> Vec<Option<Neighbour>> {
    let mut best: Vec<Option<Neighbour>> = vec![None; bounds.range.len()];
    let reach = |best: &Option<Neighbour>| best.map_or(f64::INFINITY, |best| best.distance);
    let mut others: Vec<(f64, usize)> = set
        .boxes
        .iter()
        .enumerate()
        .map(|(at, other)| (bounds.apart(other), at))
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
        queries.products(bounds, set, other, products);
        let rows = products
            .rows()
            .into_iter()
            .zip(&queries.squares[bounds.range.clone()]);
        let numbers = queries.members(bounds);
        let members = set.members(other);
        for (((row, square), number), best) in rows.zip(numbers).zip(&mut best) {
            if apart > reach(best) + slack.distance {
                continue;
            }
            let limit = (reach(best) + slack.distance).powi(2) + slack.sketch - f64::from(*square);
            let places = below(row, members.len(), limit);
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
    best
}
