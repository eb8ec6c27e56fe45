//! Representatives: the paper's Algorithms 31 and 32, and other ways to choose, for comparison.
//!
//! A [`Grid`] divides the space of impacts into cubes; a [`Space`] knows the cube and the divergence
//! of every text; a [`Strategy`] chooses the texts that people label first.

mod draw;
mod grid;
mod json;
mod space;
mod strategies;

pub use grid::{Divisions, Grid, GridKind};
pub use json::{ChoiceJson, json_schemas};
pub use space::{Cores, Cube, Space};
pub use strategies::{Choice, Cubes, Farthest, Random, Strategy, Why};
