//! Principal axes: the directions in which points differ most.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand::RngExt;

use super::seed::{Purpose, stream};

/// An origin and orthonormal directions, the one with most variance first.
#[derive(Debug, Clone)]
pub struct PrincipalAxes {
    /// The mean of the points.
    pub mean: Array1<f64>,
    /// A direction a column; columns beyond the rank of the points are zero.
    pub directions: Array2<f64>,
    /// The variance along each direction.
    pub variances: Vec<f64>,
}

/// The covariance is estimated from so many points at most, taken evenly.
const SAMPLE: usize = 4096;
const ITERATIONS: usize = 24;
/// A direction of less than this share of its length is noise.
const NOISE: f64 = 1e-9;

impl PrincipalAxes {
    /// The `count` leading axes of the points (rows), by orthogonal iteration on their covariance.
    pub fn fit(points: ArrayView2<'_, f32>, count: usize) -> PrincipalAxes {
        PrincipalAxes::fit_in(points, count, ITERATIONS)
    }

    /// The same in so many iterations: few of them leave a mixture of axes whose variances are much alike.
    pub fn fit_in(points: ArrayView2<'_, f32>, count: usize, iterations: usize) -> PrincipalAxes {
        let width = points.ncols();
        let count = count.min(width);
        let step = points.nrows().div_ceil(SAMPLE).max(1);
        let rows = points.rows().into_iter().step_by(step);
        let mut sample = Array2::<f64>::zeros((rows.len(), width));
        for (mut into, row) in sample.rows_mut().into_iter().zip(rows) {
            into.zip_mut_with(&row, |into, x| *into = f64::from(*x));
        }
        let mean = sample
            .mean_axis(Axis(0))
            .unwrap_or_else(|| Array1::zeros(width));
        sample -= &mean;
        let covariance = sample.t().dot(&sample) / sample.nrows().max(1) as f64;
        let mut random = stream(0, Purpose::Axes, 0);
        let mut directions =
            Array2::from_shape_fn((width, count), |_| random.random_range(-1.0..1.0));
        orthonormalize(&mut directions);
        for _ in 0..iterations {
            directions = covariance.dot(&directions);
            orthonormalize(&mut directions);
        }
        let images = covariance.dot(&directions);
        let variances: Vec<f64> = (0..count)
            .map(|at| directions.column(at).dot(&images.column(at)))
            .collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| variances[*b].total_cmp(&variances[*a]));
        PrincipalAxes {
            mean,
            directions: directions.select(Axis(1), &order),
            variances: order.iter().map(|at| variances[*at]).collect(),
        }
    }

    /// The coordinates of a point along the axes.
    pub fn project(&self, point: ArrayView1<'_, f32>) -> Array1<f64> {
        let centred: Array1<f64> = point
            .iter()
            .zip(&self.mean)
            .map(|(x, mean)| f64::from(*x) - mean)
            .collect();
        centred.dot(&self.directions)
    }
}

/// Makes the columns orthonormal, twice over against rounding; the largest coordinate of each is
/// positive, so that pictures do not flip.
fn orthonormalize(columns: &mut Array2<f64>) {
    for at in 0..columns.ncols() {
        let mut column = columns.column(at).to_owned();
        let before = column.dot(&column).sqrt();
        for _ in 0..2 {
            for earlier in 0..at {
                let earlier = columns.column(earlier);
                let share = earlier.dot(&column);
                column.scaled_add(-share, &earlier);
            }
        }
        let length = column.dot(&column).sqrt();
        let largest = column.iter().fold(
            0.0_f64,
            |most, x| if x.abs() > most.abs() { *x } else { most },
        );
        let scale = if length > NOISE * before && length.is_finite() {
            largest.signum() / length
        } else {
            0.0
        };
        column.mapv_inplace(|x| if scale == 0.0 { 0.0 } else { x * scale });
        columns.column_mut(at).assign(&column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_axis_of_a_cloud_comes_first() {
        let mut random = stream(3, Purpose::Pairs, 0);
        let scales = [0.1, 5.0, 1.0, 0.0];
        let points = Array2::from_shape_fn((500, 4), |(_, at)| {
            7.0 + scales[at] * random.random_range(-1.0_f32..1.0)
        });
        let axes = PrincipalAxes::fit(points.view(), 4);
        assert!(axes.directions[(1, 0)] > 0.999);
        assert!(axes.directions[(2, 1)] > 0.999);
        assert!((axes.mean[3] - 7.0).abs() < 1e-6);
        let gram = axes.directions.t().dot(&axes.directions);
        for ((i, j), value) in gram.indexed_iter() {
            let expected = f64::from(u8::from(i == j && i < 3));
            assert!((value - expected).abs() < 1e-12, "{gram}");
        }
        let nothing = PrincipalAxes::fit(Array2::zeros((0, 4)).view(), 2);
        assert_eq!(nothing.variances, [0.0, 0.0]);
    }
}
