//! Points sorted into boxes of their sketches.

use std::ops::Range;
use std::sync::OnceLock;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::packed::{LANES, Packed};
use crate::embed::PrincipalAxes;

/// Points in a box, at most: a whole number of panels, which stay in the second cache.
pub(super) const BOX: usize = 5 * LANES;
/// Coordinates of a sketch: principal axes, and the length of what they leave over.
const SKETCH: usize = 32;
/// Half a unit in the last place of single precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;
/// Points that one task sketches.
const POINTS_A_TASK: usize = 1024;

/// Points with their sketches.
pub(super) struct Sketched<'a> {
    points: ArrayView2<'a, f32>,
    rows: Array2<f32>,
    /// Distances from the common mean.
    lengths: Vec<f64>,
}

/// Some points, sorted into boxes of their sketches.
pub(super) struct Boxes<'a> {
    pub(super) points: ArrayView2<'a, f32>,
    /// The points' numbers, box after box.
    pub(super) order: Vec<u32>,
    pub(super) boxes: Vec<Bounds>,
}

/// What is known of a box.
pub(super) struct Bounds {
    pub(super) range: Range<usize>,
    least: Vec<f32>,
    most: Vec<f32>,
    /// The largest distance of a point from the common mean.
    pub(super) reach: f64,
    /// The points' sketches.
    pub(super) sketches: Packed,
    /// The points less the common mean, once somebody needs them.
    centred: OnceLock<Packed>,
}

/// Rounding errors of bounds between two boxes.
#[derive(Clone, Copy)]
pub(super) struct Slack {
    /// Of a distance of sketches, or of centred points, in single precision.
    pub(super) distance: f64,
    /// Of a squared distance of sketches by matrix product.
    pub(super) sketch: f64,
    /// Of a squared distance of points by matrix product.
    pub(super) full: f64,
}

impl<'a> Sketched<'a> {
    pub(super) fn new(points: ArrayView2<'a, f32>, axes: &PrincipalAxes) -> Sketched<'a> {
        let (rows, lengths) = sketch(points, axes);
        Sketched {
            points,
            rows,
            lengths,
        }
    }

    /// All points in boxes.
    pub(super) fn boxes(&self) -> Boxes<'a> {
        self.boxes_of((0..self.points.nrows() as u32).collect())
    }

    /// Some points in boxes; all are rows.
    pub(super) fn boxes_of(&self, mut order: Vec<u32>) -> Boxes<'a> {
        let rows = &self.rows;
        let mut ranges = Vec::new();
        let whole = 0..order.len();
        let mut pending = Vec::from([whole]);
        while let Some(range) = pending.pop() {
            if range.len() <= BOX {
                if !range.is_empty() {
                    ranges.push(range);
                }
                continue;
            }
            let part = &mut order[range.clone()];
            let axis = widest(rows, part);
            // A whole number of full boxes on the left: fewer, fuller boxes.
            let middle = (part.len() / 2).next_multiple_of(BOX).min(part.len() - 1);
            let key = |number: &u32| rows[(*number as usize, axis)];
            part.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
            pending.push(range.start + middle..range.end);
            pending.push(range.start..range.start + middle);
        }
        let boxes = ranges
            .into_par_iter()
            .map(|range| Bounds::new(rows, &self.lengths, &order, range))
            .collect();
        Boxes {
            points: self.points,
            order,
            boxes,
        }
    }
}

impl Boxes<'_> {
    /// The numbers of a box's points.
    pub(super) fn members(&self, bounds: &Bounds) -> &[u32] {
        &self.order[bounds.range.clone()]
    }

    /// The points of a box, less the common mean.
    pub(super) fn centred<'b>(&self, bounds: &'b Bounds, axes: &PrincipalAxes) -> &'b Packed {
        bounds.centred.get_or_init(|| {
            let mut rows = Array2::zeros((bounds.range.len(), self.points.ncols()));
            for (mut row, number) in rows.rows_mut().into_iter().zip(self.members(bounds)) {
                let point = self.points.row(*number as usize);
                for (cell, (x, mean)) in row.iter_mut().zip(point.iter().zip(&axes.mean)) {
                    *cell = (f64::from(*x) - mean) as f32;
                }
            }
            Packed::new(rows.view())
        })
    }
}

impl Bounds {
    fn new(sketches: &Array2<f32>, lengths: &[f64], order: &[u32], range: Range<usize>) -> Bounds {
        let members = &order[range.clone()];
        let numbers: Vec<usize> = members.iter().map(|number| *number as usize).collect();
        let rows = sketches.select(Axis(0), &numbers);
        let edge = |pick: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
            let columns = rows.columns().into_iter();
            columns
                .map(|column| column.iter().fold(from, |edge, x| pick(edge, *x)))
                .collect()
        };
        Bounds {
            least: edge(f32::min, f32::INFINITY),
            most: edge(f32::max, f32::NEG_INFINITY),
            reach: numbers
                .iter()
                .map(|number| lengths[*number])
                .fold(0.0, nan_max),
            sketches: Packed::new(rows.view()),
            centred: OnceLock::new(),
            range,
        }
    }

    /// No two points of the two boxes have sketches nearer than this, as sketches are rounded.
    pub(super) fn least_distance(&self, other: &Bounds) -> f64 {
        let mut sum = 0.0;
        for at in 0..self.least.len() {
            let below = f64::from(other.least[at]) - f64::from(self.most[at]);
            let above = f64::from(self.least[at]) - f64::from(other.most[at]);
            let gap = below.max(above).max(0.0);
            sum += gap * gap;
        }
        sum.sqrt()
    }

    /// How far rounding may have moved what is computed for two boxes. A product of n terms is off
    /// by at most about n units of |a| |b|, in whatever order it is summed, and 2 |a| |b| is at most
    /// half of (|a| + |b|)^2; a few units more cover the squared lengths and the threshold. What the
    /// axes leave over is the root of a difference in double precision, and may be off by 1e-6.
    pub(super) fn slack(&self, other: &Bounds, width: usize) -> Slack {
        let reach = self.reach + other.reach;
        let product = |terms: usize| (terms as f64 / 2.0 + 32.0) * UNIT * reach * reach;
        Slack {
            distance: 32.0 * UNIT * reach,
            sketch: product(SKETCH),
            full: product(width),
        }
    }
}

/// The places of a row of products that are not above the limit; what is not a number stays in.
pub(super) fn places_below(row: ArrayView1<'_, f32>, columns: usize, limit: f64) -> Vec<u16> {
    // Rounded up: a limit in single precision must not cut below the true one.
    let limit = (limit as f32).next_up();
    let is_out = |x: &f32| *x > limit;
    let row = row.as_slice().and_then(|row| row.get(..columns));
    let row = row.unwrap_or_default();
    // Counting is wide work, and mostly nothing is left.
    let out: u32 = row.iter().map(|x| u32::from(is_out(x))).sum();
    if out as usize == row.len() {
        return Vec::new();
    }
    let places = row.iter().enumerate().filter(|(_, x)| !is_out(x));
    places.map(|(at, _)| at as u16).collect()
}

/// The larger one; not a number wins, so that bounds made of it skip nothing.
fn nan_max(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The axis along which some points lie widest apart.
fn widest(rows: &Array2<f32>, numbers: &[u32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for axis in 0..rows.ncols() {
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for number in numbers {
            let x = rows[(*number as usize, axis)];
            least = least.min(x);
            most = most.max(x);
        }
        if most - least > best.1 {
            best = (axis, most - least);
        }
    }
    best.0
}

/// The sketch of every point, and its distance from the mean.
fn sketch(points: ArrayView2<'_, f32>, axes: &PrincipalAxes) -> (Array2<f32>, Vec<f64>) {
    let count = points.nrows();
    let mut sketches = vec![0.0_f32; count * SKETCH];
    let mut lengths = vec![0.0; count];
    let tasks = sketches
        .par_chunks_mut(SKETCH * POINTS_A_TASK)
        .zip(lengths.par_chunks_mut(POINTS_A_TASK))
        .enumerate();
    tasks.for_each(|(task, (sketches, lengths))| {
        let first = task * POINTS_A_TASK;
        let mut centred = points
            .slice(s![first..first + lengths.len(), ..])
            .mapv(f64::from);
        centred -= &axes.mean;
        let coordinates = centred.dot(&axes.directions);
        let each = sketches
            .chunks_exact_mut(SKETCH)
            .zip(lengths)
            .zip(centred.rows().into_iter().zip(coordinates.rows()));
        for ((sketch, length), (point, coordinates)) in each {
            let square = point.dot(&point);
            *length = square.sqrt();
            for (cell, x) in sketch.iter_mut().zip(&coordinates) {
                *cell = *x as f32;
            }
            if let Some(last) = sketch.last_mut() {
                let left_over = square - coordinates.dot(&coordinates);
                *last = left_over.max(0.0).sqrt() as f32;
            }
        }
    });
    let sketches =
        Array2::from_shape_fn((count, SKETCH), |(at, axis)| sketches[at * SKETCH + axis]);
    (sketches, lengths)
}

/// The axes that sketches use.
pub(super) fn axes_of(points: ArrayView2<'_, f32>) -> PrincipalAxes {
    PrincipalAxes::fit(points, SKETCH - 1)
}
