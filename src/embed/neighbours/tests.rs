use ndarray::{Array2, ArrayView2};
use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::embed::seed::{Purpose, stream};

/// The definition: every pair, coordinate after coordinate, in double precision.
fn naive(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), b.nrows()), |(i, j)| {
        let mut sum = 0.0_f64;
        for (x, y) in a.row(i).iter().zip(b.row(j)) {
            sum += (f64::from(*x) - f64::from(*y)).powi(2);
        }
        sum.sqrt()
    })
}

/// Clusters of points of very different lengths, with some points twice.
fn clustered(seed: u64, count: usize, width: usize, offset: f32) -> Array2<f32> {
    let mut random = stream(seed, Purpose::Pairs, 1);
    let mut points = Array2::zeros((count, width));
    let centres = Array2::from_shape_fn((7, width), |_| random.random_range(-1.0_f32..1.0));
    for at in 0..count {
        if at % 11 == 10 {
            let earlier = points.row(random.random_range(0..at)).to_owned();
            points.row_mut(at).assign(&earlier);
            continue;
        }
        let centre = centres.row(random.random_range(0..7));
        let scale = random.random_range(0.1_f32..4.0);
        for (cell, x) in points.row_mut(at).iter_mut().zip(centre) {
            *cell = offset + scale * x + random.random_range(-0.1_f32..0.1);
        }
    }
    points
}

fn check_against_naive(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, epsilon: f64) -> usize {
    let distances = naive(a, b);
    let expected: Vec<(u32, u32)> = distances
        .indexed_iter()
        .filter(|(_, distance)| **distance < epsilon)
        .map(|((i, j), _)| (i as u32, j as u32))
        .collect();
    let pairs = pairs_between(a, b, epsilon);
    let found: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(found, expected, "epsilon {epsilon}");
    for pair in pairs {
        let exact = distances[(pair.left as usize, pair.right as usize)];
        assert!((pair.distance - exact).abs() <= 1e-12 * exact.max(1.0));
    }
    expected.len()
}

#[test]
fn joins_agree_with_the_plain_scan_at_every_epsilon() {
    let (a, b) = (clustered(1, 700, 60, 0.0), clustered(2, 300, 60, 0.0));
    let mut sizes = Vec::new();
    for epsilon in [0.0, 1e-9, 0.5, 0.9, 2.0, 5.0, 40.0] {
        sizes.push(check_against_naive(a.view(), b.view(), epsilon));
    }
    assert_eq!(sizes[0], 0, "nothing is nearer than nothing");
    assert_eq!(
        sizes.last(),
        Some(&(700 * 300)),
        "everything is near enough"
    );
    assert!(
        sizes.is_sorted() && sizes[3] > 0 && sizes[4] < 100_000,
        "{sizes:?}"
    );
    let within = pairs_within(a.view(), 2.0);
    let distances = naive(a.view(), a.view());
    let expected = distances
        .indexed_iter()
        .filter(|((i, j), distance)| i < j && **distance < 2.0)
        .map(|((i, j), _)| (i as u32, j as u32));
    let found: Vec<(u32, u32)> = within.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(found, expected.collect::<Vec<_>>());
}

/// A large common offset makes matrix products cancel; the answers must not notice.
#[test]
fn cancellation_does_not_show() {
    for offset in [0.0, 1e3, 1e5] {
        let points = clustered(3, 400, 40, offset);
        // Epsilon exactly at a distance that occurs: strictly nearer, no more, no less.
        let distances = naive(points.view(), points.view());
        let epsilon = distances[(3, 8)];
        let found = check_against_naive(points.view(), points.view(), epsilon);
        assert!(found > 400);
    }
}

#[test]
fn ties_on_a_lattice_are_strict() {
    let points = Array2::from_shape_fn((512, 3), |(at, axis)| (at >> (3 * axis) & 7) as f32);
    let pairs = pairs_within(points.view(), 1.0);
    assert_eq!(pairs.len(), 0);
    let pairs = pairs_within(points.view(), 1.0 + 1e-12);
    assert_eq!(pairs.len(), 3 * 7 * 64);
    let nearest = nearest_others(points.view());
    for (number, neighbour) in nearest.iter().enumerate() {
        let neighbour = neighbour.expect("there are others");
        assert_eq!(neighbour.distance, 1.0);
        // The lowest number among the equally near ones: one step down the highest axis if it can.
        let down = [64, 8, 1].into_iter().find(|step| number / step % 8 > 0);
        let lowest = down.map_or(1, |step| number - step);
        assert_eq!(neighbour.number as usize, lowest, "{number}");
    }
}

#[test]
fn the_nearest_member_agrees_with_the_plain_scan() {
    let (queries, set) = (clustered(5, 600, 50, 2.0), clustered(6, 900, 50, 2.0));
    let distances = naive(queries.view(), set.view());
    for (row, found) in distances
        .rows()
        .into_iter()
        .zip(nearest(queries.view(), set.view()))
    {
        let found = found.expect("the set is not empty");
        let best = row.iter().copied().fold(f64::INFINITY, f64::min);
        let first = row.iter().position(|distance| *distance == best);
        assert_eq!(Some(found.number as usize), first);
    }
    assert_eq!(
        nearest(queries.view(), Array2::zeros((0, 50)).view()),
        vec![None; 600]
    );
    assert!(nearest(Array2::zeros((0, 50)).view(), set.view()).is_empty());
}

#[test]
fn a_growing_set_reaches_as_far_as_the_whole_set() {
    let points = clustered(9, 500, 30, 0.0);
    let mut reach = Reach::new(points.view());
    reach.add(&[4, 77, 9_999]);
    reach.add(&[300]);
    let mut whole = Reach::new(points.view());
    whole.add(&[300, 77, 4]);
    assert_eq!(reach.nearest(), whole.nearest());
    let distances = naive(points.view(), points.view());
    let from_set = |at: usize| [4, 77, 300].map(|member| distances[(at, member)]);
    let farthest = reach.farthest(3);
    let mut expected: Vec<(f64, usize)> = (0..500)
        .map(|at| (from_set(at).into_iter().fold(f64::INFINITY, f64::min), at))
        .collect();
    expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let found: Vec<usize> = farthest.iter().map(|point| point.number as usize).collect();
    assert_eq!(
        found,
        expected[..3].iter().map(|(_, at)| *at).collect::<Vec<_>>()
    );
}

/// Boxes are made anew as the set takes in most of the points.
#[test]
fn a_set_may_grow_until_nothing_is_outside() {
    let points = clustered(21, 700, 20, 0.0);
    let mut reach = Reach::new(points.view());
    let order: Vec<u32> = (0..700).map(|at| at * 317 % 700).collect();
    for (at, new) in order.chunks(70).enumerate() {
        let epsilon = 1.5;
        reach.add(new);
        let set = &order[..70 * (at + 1)];
        let mut whole = Reach::new(points.view());
        whole.add(set);
        assert_eq!(reach.nearest(), whole.nearest());
        let within = pairs_within(points.view(), epsilon);
        let ways = within
            .iter()
            .flat_map(|pair| [(pair.left, pair.right), (pair.right, pair.left)]);
        let mut expected: Vec<(u32, u32)> = ways
            .filter(|(left, right)| !set.contains(left) && new.contains(right))
            .collect();
        expected.sort_unstable();
        let pairs = reach.pairs(new, |_| true, epsilon);
        let found: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
        assert_eq!(found, expected);
    }
    assert!(reach.farthest(1).is_empty());
}

#[test]
fn pairs_with_some_members_are_those_of_the_plain_scan() {
    let points = clustered(12, 600, 40, 1.0);
    let reach = Reach::new(points.view());
    let (members, epsilon) = ([7, 350, 9_999, 31], 2.0);
    let odd = |number: u32| number % 2 == 1;
    let distances = naive(points.view(), points.view());
    let expected: Vec<(u32, u32)> = (0..600)
        .flat_map(|left| [7, 31, 350].map(|right| (left, right)))
        .filter(|(left, right)| {
            odd(*left) && distances[(*left as usize, *right as usize)] < epsilon
        })
        .collect();
    let pairs = reach.pairs(&members, odd, epsilon);
    let found: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(found, expected);
    let count = |member: u32| {
        expected
            .iter()
            .filter(|(_, right)| *right == member)
            .count() as u64
    };
    assert_eq!(reach.count_near(&members, odd, epsilon), members.map(count));
    assert!(expected.len() > 10);
}

#[test]
fn epsilon_can_be_a_quantile_of_nearest_distances() {
    let points = Array2::from_shape_vec((4, 1), vec![0.0, 1.0, 3.0, 10.0]).expect("four points");
    // The nearest others are 1, 1, 2 and 7 away.
    assert_eq!(epsilon_at(points.view(), 0.0), Some(1.0));
    assert_eq!(epsilon_at(points.view(), 0.67), Some(2.0));
    assert_eq!(epsilon_at(points.view(), 1.0), Some(7.0));
    assert_eq!(epsilon_at(Array2::zeros((1, 5)).view(), 0.5), None);
    assert_eq!("p67".parse(), Ok(Epsilon::Share(0.67)));
    assert_eq!("2.5".parse(), Ok(Epsilon::Distance(2.5)));
    assert!(
        ["p101", "-1", "p", "", "inf", "near"]
            .iter()
            .all(|text| text.parse::<Epsilon>().is_err())
    );
    let twins = Array2::from_shape_vec((4, 1), vec![0.0, 0.0, 3.0, 10.0]).expect("four points");
    assert_eq!(
        epsilon_at(twins.view(), 0.0),
        Some(3.0),
        "twins do not count"
    );
}

#[test]
fn what_is_not_a_number_is_near_nothing_and_disturbs_nobody() {
    let mut points = clustered(4, 300, 20, 0.0);
    points.row_mut(17).fill(f32::NAN);
    points.row_mut(18).fill(f32::INFINITY);
    let found = pairs_within(points.view(), 2.0);
    assert!(
        found
            .iter()
            .all(|pair| ![17, 18].contains(&pair.left) && ![17, 18].contains(&pair.right))
    );
    let distances = naive(points.view(), points.view());
    let expected = distances
        .indexed_iter()
        .filter(|((i, j), d)| i < j && **d < 2.0);
    assert_eq!(found.len(), expected.count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn joins_agree_with_the_plain_scan_on_any_points(
        seed in any::<u64>(),
        count in 1_usize..300,
        width in 1_usize..70,
        epsilon in 0.0_f64..4.0,
        offset in -50.0_f32..50.0,
    ) {
        let points = clustered(seed, count, width, offset);
        check_against_naive(points.view(), points.view(), epsilon);
    }
}
