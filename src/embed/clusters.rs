//! Clusters of about the same number of texts, by their impacts.
//!
//! The points are halved, the halves halved again, until every piece is one cluster. A halving
//! begins along the piece's longest axis and is then improved as k-means does with two means, with
//! the two sides held to their shares; where exactly it cuts, within what the sizes allow, is where
//! the points leave the widest gap. Sums run in fixed order, so the answer does not depend on the
//! number of threads or on the machine.

use ndarray::ArrayView2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::neighbours::distance;

/// A cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The points, by their numbers, sorted.
    pub members: Vec<u32>,
    /// The member nearest to the cluster's mean.
    pub middle: u32,
    /// The mean distance of members from the cluster's mean.
    pub spread: f64,
}

/// A cluster, one a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg cluster")]
pub struct ClusterJson {
    /// Counted from 1.
    pub cluster: usize,
    /// How many texts.
    pub size: usize,
    /// The text nearest to the cluster's mean.
    pub middle: String,
    /// The mean distance of its texts from the cluster's mean.
    pub spread: f64,
    /// The ids of its texts.
    pub docs: Vec<String>,
}

/// A cluster may be this much larger or smaller than asked for, where that cuts better.
const PLAY: f64 = 0.2;
const POWER_ITERATIONS: usize = 6;
const MEANS_ITERATIONS: usize = 6;
/// Points that one task works through.
const POINTS_A_TASK: usize = 512;

/// Divides points (rows) into clusters of about `size`: between 0.8 and 1.2 times the number of
/// points divided by the number of clusters. Clusters come in the order of their first members.
pub fn cluster_points(points: ArrayView2<'_, f32>, size: usize) -> Vec<Cluster> {
    let count = points.nrows();
    let wanted = (count as f64 / size.max(1) as f64).round().max(1.0) as usize;
    let all: Vec<u32> = (0..count as u32).collect();
    let mut pending = vec![(all, wanted)];
    let mut found = Vec::new();
    let each = count as f64 / wanted as f64;
    while let Some((members, pieces)) = pending.pop() {
        if members.is_empty() {
            continue;
        }
        if pieces <= 1 {
            found.push(describe(points, members));
            continue;
        }
        let left = pieces / 2;
        let (a, b) = halve(points, members, left, pieces - left, each);
        pending.push((a, left));
        pending.push((b, pieces - left));
    }
    found.sort_by_key(|cluster| cluster.members.first().copied());
    found
}

/// Cuts a piece into one of `left` clusters and one of `right`.
fn halve(
    points: ArrayView2<'_, f32>,
    members: Vec<u32>,
    left: usize,
    right: usize,
    each: f64,
) -> (Vec<u32>, Vec<u32>) {
    let share = left as f64 / (left + right) as f64;
    let target = (members.len() as f64 * share).round() as usize;
    let mut direction = longest_axis(points, &members);
    let mut order = sorted_along(points, &members, &direction);
    for _ in 0..MEANS_ITERATIONS {
        let (below, above) = order.split_at(target.min(order.len()));
        let (below, above) = (mean(points, below), mean(points, above));
        direction = above.iter().zip(&below).map(|(a, b)| a - b).collect();
        let next = sorted_along(points, &members, &direction);
        let same = next.iter().zip(&order).all(|(a, b)| a.1 == b.1);
        order = next;
        if same {
            break;
        }
    }
    // Both sides must be able to give every cluster its least and its most.
    let (least, most) = (each * (1.0 - PLAY), each * (1.0 + PLAY));
    let count = order.len() as f64;
    let from = (left as f64 * least)
        .max(count - right as f64 * most)
        .ceil();
    let to = (left as f64 * most)
        .min(count - right as f64 * least)
        .floor();
    let cut = widest_gap(&order, from as usize, to as usize, target);
    let numbers = |part: &[(f64, u32)]| part.iter().map(|(_, number)| *number).collect();
    let (below, above) = order.split_at(cut);
    (numbers(below), numbers(above))
}

/// The place of the widest gap between neighbours; of equal ones the one nearest to the target.
fn widest_gap(order: &[(f64, u32)], from: usize, to: usize, target: usize) -> usize {
    let inside = |at: usize| at.clamp(1, order.len().saturating_sub(1).max(1));
    let gap = |at: usize| match (order.get(at - 1), order.get(at)) {
        (Some(a), Some(b)) => b.0 - a.0,
        _ => 0.0,
    };
    let mut best = inside(target);
    for at in inside(from)..=inside(to).max(inside(from)) {
        let nearer = at.abs_diff(target) < best.abs_diff(target);
        if gap(at) > gap(best) || (gap(at) == gap(best) && nearer) {
            best = at;
        }
    }
    best.min(order.len())
}

/// The members by their places along a direction, equal ones by their numbers.
fn sorted_along(
    points: ArrayView2<'_, f32>,
    members: &[u32],
    direction: &[f64],
) -> Vec<(f64, u32)> {
    let mut order: Vec<(f64, u32)> = members
        .par_iter()
        .with_min_len(POINTS_A_TASK)
        .map(|number| {
            let point = points.row(*number as usize);
            let products = point.iter().zip(direction).map(|(x, d)| f64::from(*x) * d);
            (products.sum(), *number)
        })
        .collect();
    order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order
}

/// The mean of some points, summed task by task in a fixed order.
fn mean<T: Numbered>(points: ArrayView2<'_, f32>, members: &[T]) -> Vec<f64> {
    let mut sums = sum_of(points, members, |_| 1.0);
    let count = members.len().max(1) as f64;
    sums.iter_mut().for_each(|sum| *sum /= count);
    sums
}

/// The sum of some points, each times its weight.
fn sum_of<T: Numbered>(
    points: ArrayView2<'_, f32>,
    members: &[T],
    weight: impl Fn(&[f32]) -> f64 + Sync,
) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = members
        .par_chunks(POINTS_A_TASK)
        .map(|members| {
            let mut sums = vec![0.0; points.ncols()];
            for member in members {
                let point = points.row(member.number() as usize);
                let point = point.as_slice().unwrap_or_default();
                let weight = weight(point);
                for (sum, x) in sums.iter_mut().zip(point) {
                    *sum += weight * f64::from(*x);
                }
            }
            sums
        })
        .collect();
    let mut total = vec![0.0; points.ncols()];
    for part in parts {
        total
            .iter_mut()
            .zip(part)
            .for_each(|(total, x)| *total += x);
    }
    total
}

trait Numbered: Sync {
    fn number(&self) -> u32;
}

impl Numbered for u32 {
    fn number(&self) -> u32 {
        *self
    }
}

impl Numbered for (f64, u32) {
    fn number(&self) -> u32 {
        self.1
    }
}

/// The direction of most variance, by a few power iterations from the farthest point.
fn longest_axis(points: ArrayView2<'_, f32>, members: &[u32]) -> Vec<f64> {
    let mean = mean(points, members);
    let centre: Vec<f32> = mean.iter().map(|x| *x as f32).collect();
    let place = |number: &u32| points.row(*number as usize);
    let farthest = members
        .par_iter()
        .map(|number| {
            let from = place(number);
            (
                distance(from.as_slice().unwrap_or_default(), &centre),
                *number,
            )
        })
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let Some((_, farthest)) = farthest else {
        return mean;
    };
    let start = place(&farthest);
    let mut axis: Vec<f64> = start
        .iter()
        .zip(&mean)
        .map(|(x, m)| f64::from(*x) - m)
        .collect();
    for _ in 0..POWER_ITERATIONS {
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 || !length.is_finite() {
            break;
        }
        axis.iter_mut().for_each(|x| *x /= length);
        let along = |point: &[f32]| -> f64 {
            let centred = point.iter().zip(&mean).map(|(x, m)| f64::from(*x) - m);
            centred.zip(&axis).map(|(x, a)| x * a).sum()
        };
        // The weights of centred points add up to nothing, so their mean drops out.
        axis = sum_of(points, members, along);
    }
    axis
}

fn describe(points: ArrayView2<'_, f32>, mut members: Vec<u32>) -> Cluster {
    members.sort_unstable();
    let centre: Vec<f32> = mean(points, &members).iter().map(|x| *x as f32).collect();
    let distances: Vec<(f64, u32)> = members
        .iter()
        .map(|number| {
            let point = points.row(*number as usize);
            (
                distance(point.as_slice().unwrap_or_default(), &centre),
                *number,
            )
        })
        .collect();
    let middle = distances
        .iter()
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    Cluster {
        middle: middle.map_or(0, |(_, number)| *number),
        spread: distances.iter().map(|(distance, _)| distance).sum::<f64>()
            / members.len().max(1) as f64,
        members,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::seed::{Purpose, stream};
    use ndarray::Array2;
    use rand::RngExt;

    /// 30 topics of about 120 points each.
    fn topics(seed: u64) -> (Array2<f32>, Vec<usize>) {
        let mut random = stream(seed, Purpose::Pairs, 2);
        let centres = Array2::from_shape_fn((30, 40), |_| random.random_range(-1.0_f32..1.0));
        let mut of = Vec::new();
        for topic in 0..30 {
            of.extend(std::iter::repeat_n(topic, random.random_range(110..130)));
        }
        let points = Array2::from_shape_fn((of.len(), 40), |(at, axis)| {
            centres[(of[at], axis)] + random.random_range(-0.2_f32..0.2)
        });
        (points, of)
    }

    #[test]
    fn clusters_are_of_the_size_asked_for_and_find_the_topics() {
        let (points, of) = topics(1);
        let found = cluster_points(points.view(), 120);
        assert_eq!(found.len(), 30);
        let mut seen: Vec<u32> = found.iter().flat_map(|c| c.members.clone()).collect();
        seen.sort_unstable();
        assert_eq!(
            seen,
            (0..of.len() as u32).collect::<Vec<_>>(),
            "each point once"
        );
        let mut pure = 0;
        for cluster in &found {
            assert!(
                (96..=144).contains(&cluster.members.len()),
                "{}",
                cluster.members.len()
            );
            assert!(cluster.members.contains(&cluster.middle));
            let mut counts = [0; 30];
            cluster
                .members
                .iter()
                .for_each(|number| counts[of[*number as usize]] += 1);
            pure += counts.iter().max().copied().unwrap_or_default();
        }
        assert!(
            pure as f64 > 0.9 * of.len() as f64,
            "{pure} of {}",
            of.len()
        );
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let (points, _) = topics(2);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool")
                .install(|| cluster_points(points.view(), 77))
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn any_number_of_points_and_any_size_will_do() {
        let (points, _) = topics(3);
        for (count, size) in [(0, 5), (1, 5), (5, 120), (7, 1), (10, 3), (100, 0)] {
            let points = points.slice(ndarray::s![..count, ..]);
            let found = cluster_points(points, size);
            let members: usize = found.iter().map(|cluster| cluster.members.len()).sum();
            assert_eq!(members, count);
            assert!(found.iter().all(|cluster| !cluster.members.is_empty()));
        }
        let equal = Array2::<f32>::ones((50, 3));
        let sizes: Vec<usize> = cluster_points(equal.view(), 10)
            .iter()
            .map(|c| c.members.len())
            .collect();
        assert_eq!(sizes, [10; 5]);
    }
}
