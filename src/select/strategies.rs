//! Ways to choose the texts that people label first.

use rand::seq::SliceRandom;

use super::draw::draw;
use super::space::{Cube, Space};
use crate::embed::neighbours::Reach;
use crate::embed::{Purpose, stream};

/// A way to choose texts from a divided space.
pub trait Strategy {
    /// The chosen texts, the most worth labelling first; never a text twice.
    fn choose(&self, space: &Space<'_>, seed: u64) -> Vec<Choice>;
}

/// A chosen text.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The text's number.
    pub text: u32,
    /// What speaks for it.
    pub why: Why,
}

/// What speaks for a text.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Why {
    /// Drawn from its cube by divergence.
    Drawn {
        /// Which draw from this cube, from 1.
        draw: usize,
        /// How probable it was among what was left of the cube.
        chance: f64,
        /// Texts in the cube.
        cube: usize,
    },
    /// Drawn from all texts alike.
    Random,
    /// The text that lies most in the middle.
    Middle,
    /// The farthest from all that were chosen before.
    Farthest {
        /// How far.
        distance: f64,
    },
}

/// Algorithms 31 and 32: from every cube some texts, drawn by divergence. The first draws of all
/// cubes come first, those of full cubes before those of sparse ones; so fewer texts than all, from
/// the front, are still representative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cubes {
    /// Algorithm 31: q texts of every cube.
    Each(usize),
    /// Algorithm 32: of a cube of p texts p / q, rounded up.
    Share(usize),
}

/// So many texts, all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random(pub usize);

/// So many texts, each the farthest from all before it; the first lies in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Farthest(pub usize);

impl Cubes {
    /// How many texts of a cube are chosen.
    fn count(self, texts: usize) -> usize {
        match self {
            Cubes::Each(q) => q.min(texts),
            Cubes::Share(q) => texts.div_ceil(q.max(1)),
        }
    }

    /// How many texts are chosen in all.
    pub fn total(self, space: &Space<'_>) -> usize {
        let cubes = space.cubes().iter();
        cubes.map(|cube| self.count(cube.texts.len())).sum()
    }

    fn drawn_from(self, space: &Space<'_>, cube: &Cube, seed: u64) -> Vec<Choice> {
        let weights: Vec<f64> = cube.texts.iter().map(|text| space.weight(*text)).collect();
        let count = self.count(cube.texts.len());
        let drawn = draw(
            &weights,
            count,
            &mut stream(seed, Purpose::Selection, cube.key),
        );
        let choices = drawn.into_iter().enumerate().filter_map(|(at, drawn)| {
            let why = Why::Drawn {
                draw: at + 1,
                chance: drawn.chance,
                cube: cube.texts.len(),
            };
            let text = *cube.texts.get(drawn.at)?;
            Some(Choice { text, why })
        });
        choices.collect()
    }
}

impl Strategy for Cubes {
    fn choose(&self, space: &Space<'_>, seed: u64) -> Vec<Choice> {
        let mut choices: Vec<(usize, Choice)> = Vec::new();
        for cube in space.cubes() {
            let drawn = self.drawn_from(space, cube, seed);
            choices.extend(drawn.into_iter().enumerate());
        }
        let size = |choice: &Choice| match choice.why {
            Why::Drawn { cube, .. } => cube,
            _ => 0,
        };
        // Stable: equally full cubes stay in their order.
        choices.sort_by_key(|(draw, choice)| (*draw, std::cmp::Reverse(size(choice))));
        choices.into_iter().map(|(_, choice)| choice).collect()
    }
}

impl Strategy for Random {
    fn choose(&self, space: &Space<'_>, seed: u64) -> Vec<Choice> {
        let mut texts: Vec<u32> = (0..space.len() as u32).collect();
        texts.shuffle(&mut stream(seed, Purpose::Selection, ALL));
        texts.truncate(self.0);
        let why = Why::Random;
        texts.into_iter().map(|text| Choice { text, why }).collect()
    }
}

impl Strategy for Farthest {
    fn choose(&self, space: &Space<'_>, _seed: u64) -> Vec<Choice> {
        let Some(middle) = middle(space).filter(|_| self.0 > 0) else {
            return Vec::new();
        };
        let mut choices = vec![Choice {
            text: middle,
            why: Why::Middle,
        }];
        let mut reach = Reach::new(space.impacts());
        let mut newest = middle;
        while choices.len() < self.0 {
            reach.add(&[newest]);
            // Texts that are the same as chosen ones are left when nothing else is: they add nothing.
            let Some(farthest) = reach.farthest(1).first().copied() else {
                break;
            };
            newest = farthest.number;
            choices.push(Choice {
                text: newest,
                why: Why::Farthest {
                    distance: farthest.distance,
                },
            });
        }
        choices
    }
}

/// The text whose impact is nearest to the mean of all.
fn middle(space: &Space<'_>) -> Option<u32> {
    let impacts = space.impacts();
    let mut mean = vec![0.0; impacts.ncols()];
    for row in impacts.rows() {
        for (sum, x) in mean.iter_mut().zip(row) {
            *sum += f64::from(*x) / impacts.nrows() as f64;
        }
    }
    let from_mean = |text: usize| -> f64 {
        let row = impacts.row(text);
        let squares = row
            .iter()
            .zip(&mean)
            .map(|(x, mean)| (f64::from(*x) - mean).powi(2));
        squares.sum()
    };
    let texts = (0..impacts.nrows()).map(|text| (from_mean(text), text as u32));
    let nearest = texts.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.map(|(_, text)| text)
}

/// The stream of a draw from all texts.
const ALL: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::select::{Grid, GridKind};
    use ndarray::Array2;

    /// Ten texts in a row along the objects, in cubes of 6, 3 and 1.
    fn row() -> Array2<f32> {
        let places = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.1, 1.2, 1.3, 3.0];
        Array2::from_shape_fn(
            (10, 4),
            |(at, axis)| if axis == 2 { places[at] } else { 0.0 },
        )
    }

    fn with_space<T>(look: impl FnOnce(&Space<'_>) -> T) -> Result<T> {
        let impacts = row();
        let grid = Grid::new(impacts.view(), GridKind::Full, [1, 1, 3, 1])?;
        // The cores of the second text spread, those of the others do not.
        let mut cores: Vec<Vec<Vec<f32>>> = vec![Vec::new(); 10];
        cores[1] = vec![vec![0.0; 4], vec![0.0, 0.0, 2.5, 0.0]];
        Ok(look(&Space::new(impacts.view(), &grid, &grid, &cores)))
    }

    fn texts(choices: &[Choice]) -> Vec<u32> {
        choices.iter().map(|choice| choice.text).collect()
    }

    #[test]
    fn every_cube_gives_q_texts_or_all_it_has() -> Result<()> {
        with_space(|space| {
            for seed in 0..20 {
                let choices = Cubes::Each(3).choose(space, seed);
                assert_eq!(choices.len(), 7);
                assert_eq!(Cubes::Each(3).total(space), 7);
                let cubes: Vec<Option<u32>> = choices
                    .iter()
                    .map(|choice| space.cube_of(choice.text))
                    .collect();
                // First draws of the full, the middling and the sparse cube, then second ones.
                assert_eq!(cubes, [0, 1, 2, 0, 1, 0, 1].map(Some));
                let mut once = texts(&choices);
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), 7);
                assert_eq!(
                    choices,
                    Cubes::Each(3).choose(space, seed),
                    "the seed decides"
                );
            }
        })
    }

    #[test]
    fn a_share_of_every_cube_is_rounded_up() -> Result<()> {
        with_space(|space| {
            let of = |q| Cubes::Share(q).choose(space, 1).len();
            assert_eq!(
                [of(1), of(2), of(3), of(100)],
                [10, 3 + 2 + 1, 2 + 1 + 1, 3]
            );
        })
    }

    #[test]
    fn texts_whose_cores_spread_come_first_nearly_always() -> Result<()> {
        with_space(|space| {
            let first = |seed| Cubes::Each(1).choose(space, seed)[0].text;
            let spread = (0..200).filter(|seed| first(*seed) == 1).count();
            // 2 of 2.05 weights.
            assert!(spread > 180, "{spread}");
        })
    }

    #[test]
    fn the_farthest_are_the_ends_and_the_random_are_any() -> Result<()> {
        with_space(|space| {
            let far = Farthest(3).choose(space, 1);
            // The mean is 0.81: the text at 1.1 lies nearest, 3.0 farthest from it, then 0.0.
            assert_eq!(texts(&far), [6, 9, 0]);
            assert_eq!(far[0].why, Why::Middle);
            assert_eq!(Farthest(99).choose(space, 1).len(), 10);
            let random = texts(&Random(4).choose(space, 1));
            assert_eq!(random.len(), 4);
            assert_ne!(random, texts(&Random(4).choose(space, 2)));
        })
    }
}
