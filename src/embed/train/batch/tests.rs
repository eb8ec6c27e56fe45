use super::*;
use crate::embed::seed::Purpose;
use crate::embed::train::AdamKind;
use crate::embed::train::adam::{Adam, Moments};
use crate::embed::train::measure::{L1, L2};

const WIDTH: usize = 21;
const MARGIN: f32 = 2.0;
/// Euclidean lengths differ less.
const SMALL_MARGIN: f32 = 0.3;
const ROWS: [usize; ROLES] = [4, 3, 5, 6];

fn tables() -> [Table; ROLES] {
    std::array::from_fn(|role| {
        let mut table = Table::zeros(1, WIDTH);
        table.grow(ROWS[role], 11, role as u64);
        // Wide enough apart that some corruptions are inside the margin and others outside.
        table.cells_mut().iter_mut().for_each(|cell| *cell *= 12.0);
        table
    })
}

/// Every row stands in it several times, parts are missing, and one row is right here and wrong
/// there.
const QUADS: [Quad; 6] = [
    [1, 1, 1, 1],
    [2, 0, 3, 2],
    [0, 2, 4, 3],
    [3, 1, 0, 5],
    [1, 2, 2, 4],
    [1, 1, 1, 2],
];

fn corruption() -> Corruption {
    Corruption {
        seed: 5,
        purpose: Purpose::Corruption,
        batch: 3,
        rows: ROWS,
    }
}

/// Loss (100) as it is written down, in double precision.
fn plain_loss(
    tables: &[Table; ROLES],
    wrong: &[Quad],
    negatives: usize,
    margin: f32,
    euclidean: bool,
) -> f64 {
    let distance = |quad: [u32; ROLES]| -> f64 {
        let cell = |role: usize, at: usize| f64::from(tables[role].vector(quad[role] as usize)[at]);
        let e = |at: usize| cell(0, at) + cell(1, at) + cell(2, at) - cell(3, at);
        if euclidean {
            (0..WIDTH).map(|at| e(at) * e(at)).sum::<f64>().sqrt()
        } else {
            (0..WIDTH).map(|at| e(at).abs()).sum()
        }
    };
    let mut loss = 0.0;
    for (quad, wrong) in QUADS.iter().zip(wrong.chunks(negatives)) {
        let places = wrong.iter().flat_map(|wrong| wrong.iter().enumerate());
        for (role, row) in places.filter(|(_, row)| **row != 0) {
            let mut corrupted = *quad;
            corrupted[role] = *row;
            loss += (f64::from(margin) + distance(*quad) - distance(corrupted)).max(0.0);
        }
    }
    loss / QUADS.len() as f64
}

/// The slope at every row, as the step computes it.
fn slopes<M: Measure>(batch: &mut Batch<M>, tables: &[Table; ROLES]) -> [Table; ROLES] {
    batch.corrupt(&QUADS, &corruption());
    batch.measure(tables, &QUADS);
    batch.index(tables, &QUADS);
    std::array::from_fn(|role| {
        let mut slopes = Table::zeros(ROWS[role], WIDTH);
        for row in 1..ROWS[role] {
            let entries = batch.visits[role].of(row);
            if !entries.is_empty() {
                let scale = 1.0 / QUADS.len() as f32;
                batch.gather(
                    role,
                    entries,
                    scale,
                    &mut Room::default(),
                    &mut slopes.row_mut(row)[..WIDTH],
                );
            }
        }
        slopes
    })
}

/// The relative difference between the slopes and finite differences of the plain loss.
fn error_against_finite_differences(
    slopes: &[Table; ROLES],
    wrong: &[Quad],
    negatives: usize,
    margin: f32,
    euclidean: bool,
) -> f64 {
    // A step that no coordinate of any e crosses zero in: the loss is then linear for L1.
    const STEP: f32 = 1.0 / 65536.0;
    let (mut difference, mut size) = (0.0, 0.0);
    for role in 0..ROLES {
        for row in 1..ROWS[role] {
            for at in 0..WIDTH {
                let mut moved = tables();
                let loss_at = |step: f32, moved: &mut [Table; ROLES]| {
                    moved[role].row_mut(row)[at] += step;
                    plain_loss(moved, wrong, negatives, margin, euclidean)
                };
                let above = loss_at(STEP, &mut moved);
                let below = loss_at(-2.0 * STEP, &mut moved);
                let finite = (above - below) / (2.0 * f64::from(STEP));
                let ours = f64::from(slopes[role].vector(row)[at]);
                difference += (finite - ours).powi(2);
                size += finite.powi(2);
            }
        }
    }
    assert!(size > 1.0, "the loss depends on the tables");
    (difference / size).sqrt()
}

/// Well below the 1% that must be noticed, well above what single precision brings.
const TOLERANCE: f64 = 2e-3;

fn check<M: Measure>(negatives: usize, margin: f32, euclidean: bool) {
    let mut batch = Batch::<M>::new(margin, negatives);
    let slopes = slopes(&mut batch, &tables());
    let wrong = batch.wrong.clone();
    let error = |slopes: &[Table; ROLES]| {
        error_against_finite_differences(slopes, &wrong, negatives, margin, euclidean)
    };
    let counts = batch.units.iter().map(|unit| unit.active.count_ones());
    assert!(counts.clone().any(|active| active > 0));
    let drawn = batch
        .wrong
        .iter()
        .map(|wrong| wrong.iter().filter(|row| **row != 0).count());
    let outside = counts
        .zip(drawn)
        .any(|(active, drawn)| (active as usize) < drawn);
    assert!(outside, "some corruption is outside the margin");
    assert!(error(&slopes) < TOLERANCE, "{}", error(&slopes));
    let mut scaled = slopes.clone();
    for table in &mut scaled {
        table.cells_mut().iter_mut().for_each(|cell| *cell *= 1.01);
    }
    assert!(error(&scaled) > TOLERANCE, "1% too much must be noticed");
    for role in 0..ROLES {
        let mut swapped = slopes.clone();
        swapped[role]
            .cells_mut()
            .iter_mut()
            .for_each(|cell| *cell = -*cell);
        assert!(
            error(&swapped) > TOLERANCE,
            "a swapped sign of role {role} must be noticed"
        );
    }
}

#[test]
fn slopes_agree_with_finite_differences() {
    check::<L1>(1, MARGIN, false);
    check::<L1>(3, MARGIN, false);
    check::<L2>(1, SMALL_MARGIN, true);
    check::<L2>(3, SMALL_MARGIN, true);
}

#[test]
fn the_loss_is_the_papers() {
    let mut batch = Batch::<L1>::new(MARGIN, 2);
    let loss = batch.loss(&tables(), &QUADS, &corruption()) / QUADS.len() as f64;
    let plain = plain_loss(&tables(), &batch.wrong, 2, MARGIN, false);
    assert!((loss - plain).abs() < 1e-5 * plain, "{loss} {plain}");
}

#[test]
fn the_most_corruptions_do_not_overflow() {
    // Every corruption is inside such a margin.
    const HUGE: f32 = 1e6;
    let mut batch = Batch::<L1>::new(HUGE, 15);
    let slopes = slopes(&mut batch, &tables());
    let wrong = batch.wrong.clone();
    assert!(batch.units.iter().all(|unit| unit.active.count_ones() >= 2));
    let finite = |role: usize, row: usize, at: usize| {
        let mut moved = tables();
        moved[role].row_mut(row)[at] += 1.0 / 65536.0;
        let above = plain_loss(&moved, &wrong, 15, HUGE, false);
        (above - plain_loss(&tables(), &wrong, 15, HUGE, false)) * 65536.0
    };
    for (role, table) in slopes.iter().enumerate() {
        let ours = f64::from(table.vector(1)[0]);
        assert!(
            (ours - finite(role, 1, 0)).abs() < 0.02,
            "role {role}: {ours}"
        );
    }
}

#[test]
fn a_step_goes_down_the_slope() {
    let mut tables = tables();
    let moments = ROWS.map(|rows| Moments::zeros(rows, WIDTH));
    let mut adam = Adam::new(AdamKind::Lazy, 0.001, moments, [0; ROLES]);
    let mut batch = Batch::<L1>::new(MARGIN, 1);
    let before = batch.loss(&tables, &QUADS, &corruption());
    for _ in 0..50 {
        batch.step(&mut tables, &mut adam, &QUADS, &corruption());
    }
    let after = batch.loss(&tables, &QUADS, &corruption());
    assert!(after < before * 0.9, "{before} -> {after}");
}
