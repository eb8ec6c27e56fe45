//! Steps 3 and 4 of Algorithm 31: which texts share a cube, and how far their cores spread.

use ndarray::{ArrayView1, ArrayView2};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::grid::{Divisions, Grid, GridKind};
use crate::embed::CorpusCores;
use crate::error::Result;
use crate::stopwatch::Stopwatch;

/// Where the cores of texts come from.
pub trait Cores: Sync {
    /// Hands over the core vectors of a text, by its number.
    fn each(&self, text: u32, see: &mut dyn FnMut(&[f32]));
}

/// Core vectors at hand: for every text its cores.
impl Cores for Vec<Vec<Vec<f32>>> {
    fn each(&self, text: u32, see: &mut dyn FnMut(&[f32])) {
        let cores = self.get(text as usize);
        cores.into_iter().flatten().for_each(|core| see(core));
    }
}

impl Cores for CorpusCores {
    fn each(&self, text: u32, see: &mut dyn FnMut(&[f32])) {
        self.of(text).for_each(|core| see(&core));
    }
}

/// A cube with at least one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Cube {
    /// Its coordinates in the grid.
    pub coordinates: Vec<i32>,
    /// The texts whose impacts it holds, by number.
    pub texts: Vec<u32>,
    /// Of its coordinates: which draws belong to it, whatever other cubes there are.
    pub(super) key: u64,
}

/// The impacts of a corpus, divided.
#[derive(Debug)]
pub struct Space<'a> {
    impacts: ArrayView2<'a, f32>,
    cubes: Vec<Cube>,
    cube_of: Vec<u32>,
    divergences: Vec<f64>,
}

impl<'a> Space<'a> {
    /// Divides impacts (a text a row) and their cores, each by a grid that is fitted to them.
    pub fn divide(
        impacts: ArrayView2<'a, f32>,
        kind: GridKind,
        divisions: Divisions,
        cores: &dyn Cores,
    ) -> Result<Space<'a>> {
        let grid = Grid::new(impacts, kind, divisions)?;
        let core_grid = Grid::of_cores(impacts.nrows(), cores, kind, divisions)?;
        Ok(Space::new(impacts, &grid, &core_grid, cores))
    }

    /// Divides impacts (a text a row) by one grid, and their cores by another.
    pub fn new(
        impacts: ArrayView2<'a, f32>,
        grid: &Grid,
        core_grid: &Grid,
        cores: &dyn Cores,
    ) -> Space<'a> {
        let watch = Stopwatch::start();
        let keys: Vec<u128> = (0..impacts.nrows())
            .into_par_iter()
            .map(|text| key(&grid.cube(impacts.row(text))))
            .collect();
        let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
        let mut cubes: Vec<Cube> = Vec::new();
        let mut cube_of = Vec::with_capacity(keys.len());
        for (text, key) in keys.into_iter().enumerate() {
            let number = *numbers.entry(key).or_insert_with(|| {
                cubes.push(Cube {
                    coordinates: grid.cube(impacts.row(text)),
                    texts: Vec::new(),
                    key: key as u64,
                });
                cubes.len() as u32 - 1
            });
            cube_of.push(number);
            if let Some(cube) = cubes.get_mut(number as usize) {
                cube.texts.push(text as u32);
            }
        }
        let divergences = (0..impacts.nrows() as u32)
            .into_par_iter()
            .map(|text| divergence(core_grid, cores, text))
            .collect();
        tracing::info!(
            texts = impacts.nrows(),
            cubes = cubes.len(),
            took = %watch,
            "divided the texts into cubes"
        );
        Space {
            impacts,
            cubes,
            cube_of,
            divergences,
        }
    }

    /// The impacts, a text a row.
    pub fn impacts(&self) -> ArrayView2<'a, f32> {
        self.impacts
    }

    /// How many texts.
    pub fn len(&self) -> usize {
        self.cube_of.len()
    }

    /// True without texts.
    pub fn is_empty(&self) -> bool {
        self.cube_of.is_empty()
    }

    /// The cubes with texts, in the order of their first texts.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// The number of a text's cube.
    pub fn cube_of(&self, text: u32) -> Option<u32> {
        self.cube_of.get(text as usize).copied()
    }

    /// The divergence of a text: the sum of the distances of the cubes of its cores, pair by pair.
    pub fn divergence(&self, text: u32) -> f64 {
        self.divergences
            .get(text as usize)
            .copied()
            .unwrap_or_default()
    }

    /// What a text counts for in draws: its divergence, but never nothing, or a cube of texts with
    /// one core each could not be chosen from.
    pub fn weight(&self, text: u32) -> f64 {
        self.divergence(text).max(FLOOR)
    }
}

/// The least that a text counts for. Neighbouring cubes are 1 apart, so that a text whose cores
/// spread at all counts a hundred times as much.
const FLOOR: f64 = 0.01;

/// Div(imp) of Algorithm 31, each pair of cores once.
fn divergence(grid: &Grid, cores: &dyn Cores, text: u32) -> f64 {
    let mut cubes: Vec<Vec<i32>> = Vec::new();
    cores.each(text, &mut |core| {
        cubes.push(grid.cube(ArrayView1::from(core)))
    });
    let mut sum = 0.0;
    for (at, a) in cubes.iter().enumerate() {
        for b in cubes.iter().skip(at + 1) {
            let squares = a
                .iter()
                .zip(b)
                .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
            sum += squares.sum::<f64>().sqrt();
        }
    }
    sum
}

/// 128 bits that stand for the coordinates of a cube.
fn key(coordinates: &[i32]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for coordinate in coordinates {
        hasher.update(&coordinate.to_le_bytes());
    }
    let mut key = [0; 16];
    hasher.finalize_xof().fill(&mut key);
    u128::from_le_bytes(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn divergence_adds_up_the_distances_of_the_cubes_of_cores() -> Result<()> {
        let impacts = array![[0.0_f32, 0.0, 0.0, 0.0], [10.0, 10.0, 10.0, 10.0]];
        let grid = Grid::new(impacts.view(), GridKind::Full, [10; 4])?;
        let cores = vec![
            vec![
                vec![0.5, 0.5, 0.5, 0.5],
                vec![3.5, 4.5, 0.5, 0.5],
                vec![0.9, 0.9, 0.9, 0.9],
            ],
            vec![vec![1.0, 1.0, 1.0, 1.0]],
        ];
        let space = Space::new(impacts.view(), &grid, &grid, &cores);
        // The first and the third core share a cube; the second is 5 from both.
        assert_eq!(space.divergence(0), 10.0);
        assert_eq!((space.divergence(1), space.weight(1)), (0.0, FLOOR));
        assert_eq!(space.cubes().len(), 2);
        assert_eq!(space.cubes()[1].coordinates, [9; 4]);
        assert_eq!(space.cube_of(7), None);
        Ok(())
    }
}
