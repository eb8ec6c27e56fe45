//! Speeds of the first representation, each beside a plain implementation of the same work.
//!
//! Quadruples a second count a quadruple with one corruption of each of its parts; pairs a second
//! count every pair of points whose distance is decided, looked at or not.

use arsg::embed::neighbours::{distance, nearest_others, pairs_between, pairs_within};
use arsg::embed::{CoreSet, Parameters, Phrase, Quad, Role, Trainer};
use divan::Bencher;
use divan::counter::ItemsCount;
use ndarray::{Array2, ArrayView2};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

/// Distinct times, agents, objects and states of the paper's corpus.
const PHRASES: [u32; 4] = [7605, 2865, 5469, 3308];
const WIDTH: usize = 150;

/// Quadruples drawn uniformly: no phrase is frequent, which is the worst case for caches.
fn quads(count: usize) -> Vec<Quad> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..count)
        .map(|_| PHRASES.map(|phrases| random.random_range(1..=phrases)))
        .collect()
}

fn core_set(count: usize) -> CoreSet {
    let mut set = CoreSet::default();
    for (role, phrases) in Role::ALL.into_iter().zip(PHRASES) {
        for number in 0..phrases {
            let name = format!("{number}");
            if let Some(phrase) = Phrase::new([name.as_str()]) {
                set.vocabulary.add(role, phrase, 1);
            }
        }
    }
    set.quads = quads(count);
    set
}

/// An epoch with its evaluation.
const QUADS: usize = 1 << 21;

#[divan::bench(sample_count = 4, sample_size = 1)]
fn train_epoch(bencher: Bencher) {
    let parameters = Parameters::default().held_out(0.0).batch(16_384);
    bencher
        .counter(ItemsCount::new(QUADS))
        .with_inputs(|| Trainer::new(parameters.clone(), core_set(QUADS), None))
        .bench_local_values(|trainer| trainer.map(|mut trainer| trainer.train_epoch(|_| {})).ok());
}

/// What one would write down first: a gradient table, filled quadruple by quadruple, then Adam over
/// all rows; one thread.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn train_plain(bencher: Bencher) {
    const SOME: usize = 1 << 14;
    let quads = quads(SOME);
    bencher
        .counter(ItemsCount::new(SOME))
        .with_inputs(|| PHRASES.map(|phrases| Plain::new(phrases as usize + 1)))
        .bench_local_values(|mut tables| {
            let mut random = ChaCha8Rng::seed_from_u64(2);
            for batch in quads.chunks(1024) {
                for quad in batch {
                    for role in 0..4 {
                        let mut wrong = *quad;
                        wrong[role] = random.random_range(1..=PHRASES[role]);
                        plain_step(&mut tables, *quad, wrong);
                    }
                }
                tables.iter_mut().for_each(Plain::adam);
            }
            tables
        });
}

struct Plain {
    cells: Vec<f32>,
    slopes: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Plain {
    fn new(rows: usize) -> Plain {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let size = rows * WIDTH;
        Plain {
            cells: (0..size)
                .map(|_| random.random_range(-0.05..0.05))
                .collect(),
            slopes: vec![0.0; size],
            first: vec![0.0; size],
            second: vec![0.0; size],
        }
    }

    fn adam(&mut self) {
        for at in 0..self.cells.len() {
            let slope = std::mem::take(&mut self.slopes[at]);
            self.first[at] = 0.9 * self.first[at] + 0.1 * slope;
            self.second[at] = 0.999 * self.second[at] + 0.001 * slope * slope;
            self.cells[at] -= 0.001 * self.first[at] / (self.second[at].sqrt() + 1e-8);
        }
    }
}

fn plain_step(tables: &mut [Plain; 4], quad: Quad, wrong: Quad) {
    let e = |quad: Quad, at: usize| -> f32 {
        let cell = |role: usize| tables[role].cells[quad[role] as usize * WIDTH + at];
        cell(0) + cell(1) + cell(2) - cell(3)
    };
    let length = |quad: Quad| (0..WIDTH).map(|at| e(quad, at).abs()).sum::<f32>();
    if 2.0 + length(quad) - length(wrong) <= 0.0 {
        return;
    }
    for at in 0..WIDTH {
        let e = |quad: Quad| -> f32 {
            let cell = |role: usize| tables[role].cells[quad[role] as usize * WIDTH + at];
            cell(0) + cell(1) + cell(2) - cell(3)
        };
        let (right_slope, wrong_slope) = (e(quad).signum(), e(wrong).signum());
        for role in 0..4 {
            let sign = if role == 3 { -1.0 } else { 1.0 };
            tables[role].slopes[quad[role] as usize * WIDTH + at] += sign * right_slope;
            tables[role].slopes[wrong[role] as usize * WIDTH + at] -= sign * wrong_slope;
        }
    }
}

const POINTS: usize = 20_000;
const DIMENSIONS: usize = 600;

/// Impacts as texts give them: sums of a few cores from one of 200 topics.
fn impacts(seed: u64) -> Array2<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shared = ChaCha8Rng::seed_from_u64(99);
    let topics = Array2::from_shape_fn((200, DIMENSIONS), |_| shared.random_range(-0.3_f32..0.3));
    let mut points = Array2::zeros((POINTS, DIMENSIONS));
    for mut row in points.rows_mut() {
        let topic = topics.row(random.random_range(0..200));
        let cores = random.random_range(3..30) as f32;
        for (cell, centre) in row.iter_mut().zip(topic) {
            *cell = cores * centre + cores.sqrt() * random.random_range(-0.1_f32..0.1);
        }
    }
    points
}

/// A ball of noise, where nothing but the matrix product helps.
fn noise() -> Array2<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    Array2::from_shape_fn((POINTS, DIMENSIONS), |_| {
        (0..4).map(|_| random.random_range(-1.0_f32..1.0)).sum()
    })
}

const ALL_PAIRS: usize = POINTS * POINTS;
/// Near enough for texts of one topic and about one length.
const EPSILON: f64 = 8.0;
/// Within the bulk of the distances of noise (about 40), so that no bound can skip a box.
const NOISE_EPSILON: f64 = 36.5;

#[divan::bench(sample_count = 3, sample_size = 1)]
fn pairs_within_impacts(bencher: Bencher) {
    let points = impacts(7);
    bencher
        .counter(ItemsCount::new(ALL_PAIRS))
        .bench_local(|| pairs_within(points.view(), EPSILON).len());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn pairs_between_impacts(bencher: Bencher) {
    let (left, right) = (impacts(7), impacts(8));
    bencher
        .counter(ItemsCount::new(ALL_PAIRS))
        .bench_local(|| pairs_between(left.view(), right.view(), EPSILON).len());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn pairs_within_noise(bencher: Bencher) {
    let points = noise();
    bencher
        .counter(ItemsCount::new(ALL_PAIRS))
        .bench_local(|| pairs_within(points.view(), NOISE_EPSILON).len());
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn nearest_others_impacts(bencher: Bencher) {
    let points = impacts(7);
    bencher
        .counter(ItemsCount::new(ALL_PAIRS))
        .bench_local(|| nearest_others(points.view()).len());
}

/// The scan that all the others must agree with, over a tenth of the points; one thread.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn pairs_plain(bencher: Bencher) {
    const SOME: usize = POINTS / 10;
    let points = impacts(7);
    let row = |points: &ArrayView2<'_, f32>, at: usize| points.row(at).to_vec();
    bencher
        .counter(ItemsCount::new(SOME * SOME))
        .bench_local(|| {
            let points = points.view();
            let mut count = 0;
            for a in 0..SOME {
                let left = row(&points, a);
                for b in 0..SOME {
                    let right = points.row(b);
                    let right = right.as_slice().unwrap_or_default();
                    count += usize::from(distance(&left, right) < EPSILON);
                }
            }
            count
        });
}
