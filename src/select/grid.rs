//! Steps 1 and 2 of Algorithm 31: the cube that holds all impacts, and its division.

use ndarray::{Array2, ArrayView1, ArrayView2, s};
use serde::{Deserialize, Serialize};

use super::space::Cores;
use crate::embed::{PrincipalAxes, ROLES};
use crate::error::{Error, Result};

/// Which coordinates are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum GridKind {
    /// All 4 w, as printed. At w = 150 nearly every impact has a cube of its own.
    Full,
    /// So many leading principal axes of each of the four blocks.
    Projected {
        /// Axes a block.
        axes: usize,
    },
}

/// I_1 to I_4: into how many parts the edges are divided, for times, agents, objects and states.
pub type Divisions = [u32; ROLES];

/// A division of the space of impacts, or of that of cores, into cubes. It goes on beyond the cube that
/// it was fitted to, for what lies outside.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The axes of the four blocks, where impacts are projected.
    axes: Option<[PrincipalAxes; ROLES]>,
    /// Where the cube begins, coordinate by coordinate.
    origin: Vec<f64>,
    /// C_1 to C_4.
    edges: [f64; ROLES],
    divisions: Divisions,
}

/// The grid of cores is fitted to those of so many texts at most.
const MOST_TEXTS: usize = 2000;
/// ... and to so many of each.
const MOST_CORES: usize = 100;

/// Iterations until the leading axis stands still where the second has nearly as much variance, which of
/// means is usual: on a mixture of both, most texts share a cube.
const ITERATIONS: usize = 400;

/// An edge of less than this share of the longest is rounding.
const FLAT: f64 = 1e-12;

impl Grid {
    /// The smallest cube that holds all impacts (rows of 4 w coordinates), divided.
    pub fn new(impacts: ArrayView2<'_, f32>, kind: GridKind, divisions: Divisions) -> Result<Grid> {
        if divisions.contains(&0) {
            return Err(Error::Usage(
                "an edge is divided into at least 1 part".to_owned(),
            ));
        }
        if !impacts.ncols().is_multiple_of(ROLES) {
            return Err(Error::Mismatch(
                "impacts have four blocks of the same width".to_owned(),
            ));
        }
        let width = impacts.ncols() / ROLES;
        let axes = match kind {
            GridKind::Full => None,
            GridKind::Projected { axes: 0 } => {
                return Err(Error::Usage("a block needs at least 1 axis".to_owned()));
            }
            GridKind::Projected { axes } => Some(std::array::from_fn(|block| {
                let columns = block * width..(block + 1) * width;
                PrincipalAxes::fit_in(impacts.slice(s![.., columns]), axes, ITERATIONS)
            })),
        };
        let mut grid = Grid {
            axes,
            origin: Vec::new(),
            edges: [0.0; ROLES],
            divisions,
        };
        grid.fit(impacts);
        Ok(grid)
    }

    /// The smallest cube that holds the cores of so many texts, divided. The paper calls the space of
    /// cores and that of impacts two spaces, and so each has a grid of its own: beside sums of many
    /// cores, single ones would all lie in one cube. Of many cores, some spread evenly over the texts
    /// say where it lies.
    pub fn of_cores(
        texts: usize,
        cores: &dyn Cores,
        kind: GridKind,
        divisions: Divisions,
    ) -> Result<Grid> {
        let step = texts.div_ceil(MOST_TEXTS).max(1);
        let (mut flat, mut width) = (Vec::new(), 0);
        for text in (0..texts).step_by(step) {
            let Ok(text) = u32::try_from(text) else {
                break;
            };
            let mut seen = 0;
            cores.each(text, &mut |core| {
                seen += 1;
                if seen <= MOST_CORES {
                    width = core.len();
                    flat.extend_from_slice(core);
                }
            });
        }
        let rows = flat.len().checked_div(width).unwrap_or_default();
        let points = Array2::from_shape_vec((rows, width), flat);
        let points =
            points.map_err(|_| Error::Mismatch("cores have vectors of one length".to_owned()))?;
        Grid::new(points.view(), kind, divisions)
    }

    /// The coordinates of the cube that holds a core or an impact, counted from 0; below 0 and from
    /// I_k on for cores outside.
    pub fn cube(&self, point: ArrayView1<'_, f32>) -> Vec<i32> {
        let block = self.block().max(1);
        let place = self.place(point);
        let cells = place.iter().zip(&self.origin).enumerate();
        cells
            .map(|(at, (x, origin))| {
                let block = (at / block).min(ROLES - 1);
                cell(x - origin, self.edges[block], self.divisions[block])
            })
            .collect()
    }

    /// The edges of the cube that holds all impacts: C_1 to C_4.
    pub fn edges(&self) -> [f64; ROLES] {
        self.edges
    }

    /// Coordinates a block.
    fn block(&self) -> usize {
        self.origin.len() / ROLES
    }

    fn fit(&mut self, impacts: ArrayView2<'_, f32>) {
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for row in impacts.rows() {
            let place = self.place(row);
            least.resize(place.len(), f64::INFINITY);
            most.resize(place.len(), f64::NEG_INFINITY);
            for (at, x) in place.into_iter().enumerate() {
                least[at] = x.min(least[at]);
                most[at] = x.max(most[at]);
            }
        }
        self.origin = least;
        let block = self.block().max(1);
        let ranges = most
            .iter()
            .zip(&self.origin)
            .map(|(most, least)| most - least);
        for (at, range) in ranges.enumerate() {
            let edge = &mut self.edges[(at / block).min(ROLES - 1)];
            *edge = range.max(*edge);
        }
        let longest = self.edges.iter().copied().fold(0.0, f64::max);
        for edge in &mut self.edges {
            if *edge < FLAT * longest {
                *edge = 0.0;
            }
        }
    }

    /// The coordinates that are divided.
    fn place(&self, point: ArrayView1<'_, f32>) -> Vec<f64> {
        let Some(axes) = &self.axes else {
            return point.iter().map(|x| f64::from(*x)).collect();
        };
        let width = point.len() / ROLES;
        let blocks = axes.iter().enumerate();
        blocks
            .flat_map(|(block, axes)| {
                axes.project(point.slice(s![block * width..(block + 1) * width]))
            })
            .collect()
    }
}

/// The part of an edge that a coordinate lies in; the far end belongs to the last part.
fn cell(from_origin: f64, edge: f64, parts: u32) -> i32 {
    if edge == 0.0 {
        // Beside a flat cube there is no measure: on it, before it or behind it.
        return from_origin.partial_cmp(&0.0).map_or(0, |side| side as i32);
    }
    if from_origin == edge {
        return i32::try_from(parts - 1).unwrap_or(i32::MAX);
    }
    // Multiplied first, so that whole parts come out whole.
    (from_origin * f64::from(parts) / edge).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn edges_are_the_widest_of_their_block_and_the_far_end_belongs_to_the_last_cube() -> Result<()>
    {
        // Blocks of two coordinates: (t, t) (a, a) (o, o) (s, s).
        let impacts = array![
            [0.0_f32, 0.0, 5.0, 5.0, -1.0, 0.0, 2.0, 2.0],
            [4.0, 2.0, 5.0, 5.0, 1.0, 0.5, 2.0, 5.0],
        ];
        let grid = Grid::new(impacts.view(), GridKind::Full, [4, 3, 2, 3])?;
        assert_eq!(grid.edges(), [4.0, 0.0, 2.0, 3.0]);
        assert_eq!(grid.cube(impacts.row(0)), [0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(grid.cube(impacts.row(1)), [3, 2, 0, 0, 1, 0, 0, 2]);
        let outside = array![-0.5_f32, 9.0, 4.0, 6.0, 0.0, 0.0, 2.0, 2.0];
        assert_eq!(grid.cube(outside.view()), [-1, 9, -1, 1, 1, 0, 0, 0]);
        Ok(())
    }

    #[test]
    fn a_projected_grid_divides_the_leading_axes() -> Result<()> {
        // Objects spread along their second coordinate, the rest stands still.
        let impacts = Array2::from_shape_fn((9, 8), |(at, axis)| match axis {
            5 => at as f32,
            _ => 1.0,
        });
        let grid = Grid::new(impacts.view(), GridKind::Projected { axes: 1 }, [3; 4])?;
        let edges = grid.edges();
        assert!((edges[2] - 8.0).abs() < 1e-9 && edges[0].abs() < 1e-9);
        let objects: Vec<i32> = (0..9).map(|at| grid.cube(impacts.row(at))[2]).collect();
        assert_eq!(objects, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert!(Grid::new(impacts.view(), GridKind::Full, [1, 0, 1, 1]).is_err());
        Ok(())
    }

    #[test]
    fn no_impacts_and_odd_numbers_are_no_trouble() -> Result<()> {
        let none = Array2::<f32>::zeros((0, 8));
        let grid = Grid::new(none.view(), GridKind::Projected { axes: 2 }, [2; 4])?;
        assert!(grid.cube(ndarray::Array1::<f32>::ones(8).view()).is_empty());
        let odd = array![[f32::NAN, 1.0, f32::INFINITY, 0.0], [0.0, 2.0, 1.0, 1.0]];
        let grid = Grid::new(odd.view(), GridKind::Full, [2; 4])?;
        assert_eq!(grid.cube(odd.row(1)).len(), 4);
        Ok(())
    }
}
