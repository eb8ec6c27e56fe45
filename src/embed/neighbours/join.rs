//! All pairs nearer than epsilon.

use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

use super::boxes::{BOX, Bounds, Boxes, Slack, axes_of, below};
use super::distance;
use crate::embed::PrincipalAxes;

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

/// All pairs of different points (rows) whose distance is less than epsilon, each once with the
/// lower number on the left, sorted.
pub fn pairs_within(points: ArrayView2<'_, f32>, epsilon: f64) -> Vec<Pair> {
    let axes = axes_of(points);
    let boxes = Boxes::new(points, &axes);
    Join {
        left: &boxes,
        right: &boxes,
        axes: &axes,
        epsilon,
        same: true,
    }
    .run()
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
    let (left, right) = (Boxes::new(left, &axes), Boxes::new(right, &axes));
    Join {
        left: &left,
        right: &right,
        axes: &axes,
        epsilon,
        same: false,
    }
    .run()
}

struct Join<'a> {
    left: &'a Boxes<'a>,
    right: &'a Boxes<'a>,
    axes: &'a PrincipalAxes,
    epsilon: f64,
    /// The points are compared with themselves.
    same: bool,
}

/// Room for the work on a pair of boxes.
struct Room {
    products: Array2<f32>,
    left: Array2<f32>,
    right: Array2<f32>,
    squares: (Vec<f32>, Vec<f32>),
    candidates: Vec<(u16, u16)>,
}

impl Join<'_> {
    fn run(&self) -> Vec<Pair> {
        let width = self.left.points.ncols();
        let room = || Room {
            products: Array2::zeros((BOX, BOX)),
            left: Array2::zeros((BOX, width)),
            right: Array2::zeros((BOX, width)),
            squares: (vec![0.0; BOX], vec![0.0; BOX]),
            candidates: Vec::new(),
        };
        let mut pairs: Vec<Pair> = (0..self.left.boxes.len())
            .into_par_iter()
            .with_max_len(1)
            .map_init(room, |room, left| {
                let mut pairs = Vec::new();
                let first = if self.same { left } else { 0 };
                let bounds = &self.left.boxes[left];
                let mut gathered = false;
                for right in first..self.right.boxes.len() {
                    let other = &self.right.boxes[right];
                    let twin = self.same && left == right;
                    self.compare(bounds, other, twin, &mut gathered, room, &mut pairs);
                }
                pairs
            })
            .flatten_iter()
            .collect();
        pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
        pairs
    }

    /// Compares all points of one box with all of another. `gathered` says whether the left box's
    /// points stand in the room already.
    fn compare(
        &self,
        left: &Bounds,
        right: &Bounds,
        twin: bool,
        gathered: &mut bool,
        room: &mut Room,
        pairs: &mut Vec<Pair>,
    ) {
        let slack = left.slack(right, self.left.points.ncols());
        if left.apart(right) > self.epsilon + slack.distance {
            return;
        }
        self.left
            .products(left, self.right, right, &mut room.products);
        let limit = self.limit(slack, slack.sketch);
        let squares = &self.left.squares[left.range.clone()];
        let shape = (left.range.len(), right.range.len());
        let few = shape.0 * shape.1 / MANY;
        if !collect_below(
            &room.products,
            squares,
            shape,
            limit,
            few,
            &mut room.candidates,
        ) {
            self.full_products(left, right, gathered, room);
            let (limit, all) = (self.limit(slack, slack.full), usize::MAX);
            let squares = &room.squares.0;
            collect_below(
                &room.products,
                squares,
                shape,
                limit,
                all,
                &mut room.candidates,
            );
        }
        let (lefts, rights) = (self.left.members(left), self.right.members(right));
        for (a, b) in &room.candidates {
            let (a, b) = (usize::from(*a), usize::from(*b));
            if twin && a >= b {
                continue;
            }
            let (left, right) = (lefts[a], rights[b]);
            if let Some(distance) = self.exact(left, right) {
                let swap = self.same && left > right;
                let (left, right) = if swap { (right, left) } else { (left, right) };
                pairs.push(Pair {
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

    /// The exact distance, when it is less than epsilon.
    fn exact(&self, left: u32, right: u32) -> Option<f64> {
        let a = self.left.points.row(left as usize);
        let b = self.right.points.row(right as usize);
        let exact = match (a.as_slice(), b.as_slice()) {
            (Some(a), Some(b)) => {
                if surely_farther(a, b, self.epsilon) {
                    return None;
                }
                distance(a, b)
            }
            _ => distance(&a.to_vec(), &b.to_vec()),
        };
        (exact < self.epsilon).then_some(exact)
    }

    /// The squared distances of the points themselves, in single precision.
    fn full_products(&self, left: &Bounds, right: &Bounds, gathered: &mut bool, room: &mut Room) {
        if !*gathered {
            gather(
                self.left,
                left,
                self.axes,
                &mut room.left,
                &mut room.squares.0,
            );
            *gathered = true;
        }
        gather(
            self.right,
            right,
            self.axes,
            &mut room.right,
            &mut room.squares.1,
        );
        let shape = (left.range.len(), right.range.len());
        let a = room.left.slice(s![..shape.0, ..]);
        let b = room.right.slice(s![..shape.1, ..]);
        let mut out = room.products.slice_mut(s![..shape.0, ..shape.1]);
        ndarray::linalg::general_mat_mul(-2.0, &a, &b.t(), 0.0, &mut out);
        for mut row in out.rows_mut() {
            for (cell, square) in row.iter_mut().zip(&room.squares.1) {
                *cell += square;
            }
        }
    }
}

/// Copies the points of a box, less the common mean, with their squared lengths.
fn gather(
    boxes: &Boxes<'_>,
    bounds: &Bounds,
    axes: &PrincipalAxes,
    into: &mut Array2<f32>,
    squares: &mut [f32],
) {
    let rows = into.rows_mut().into_iter().zip(squares);
    for ((mut row, square), number) in rows.zip(boxes.members(bounds)) {
        let point = boxes.points.row(*number as usize);
        let mut sum = 0.0;
        for (cell, (x, mean)) in row.iter_mut().zip(point.iter().zip(&axes.mean)) {
            *cell = (f64::from(*x) - mean) as f32;
            sum += f64::from(*cell) * f64::from(*cell);
        }
        *square = sum as f32;
    }
}

/// The places whose squared distance is not above the limit; false when there are more than `most`,
/// and not all of them were collected.
fn collect_below(
    products: &Array2<f32>,
    squares: &[f32],
    (rows, columns): (usize, usize),
    limit: f64,
    most: usize,
    found: &mut Vec<(u16, u16)>,
) -> bool {
    found.clear();
    for (a, square) in squares.iter().enumerate().take(rows) {
        let places = below(products.row(a), columns, limit - f64::from(*square));
        found.extend(places.into_iter().map(|b| (a as u16, b)));
        if found.len() > most {
            return false;
        }
    }
    true
}

/// A quick look in single precision that is never wrong when it says yes: no differences cancel, so
/// the sum is off by less than its number of terms in units.
pub(super) fn surely_farther(a: &[f32], b: &[f32], than: f64) -> bool {
    const LANES: usize = 16;
    let mut lanes = [0.0_f32; LANES];
    let (chunks_a, _) = a.as_chunks::<LANES>();
    let (chunks_b, _) = b.as_chunks::<LANES>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += (a - b) * (a - b);
        }
    }
    let sum: f32 = lanes.iter().sum();
    let units = (a.len() + 16) as f64 * f64::from(f32::EPSILON);
    sum.is_finite() && f64::from(sum) * (1.0 - units) > than * than
}
