//! What `arsg select` prints for machines.

use serde::{Deserialize, Serialize};

use super::{Choice, Space, Why};
use crate::json;

/// A chosen text, one a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg chosen text")]
pub struct ChoiceJson {
    /// The document's id.
    pub doc: String,
    /// The number of its cube, in the order of their first texts.
    pub cube: u32,
    /// The coordinates of that cube.
    pub coordinates: Vec<i32>,
    /// Texts in that cube.
    pub texts: usize,
    /// How far its cores spread over cubes.
    pub divergence: f64,
    /// Why it was chosen, in words.
    pub why: String,
    /// How probable it was, when it was drawn by divergence.
    pub chance: Option<f64>,
    /// How far it is from all chosen before it, when it was chosen for that.
    pub distance: Option<f64>,
}

impl ChoiceJson {
    /// Describes a choice; `doc` is the text's id.
    pub fn new(space: &Space<'_>, choice: &Choice, doc: &str) -> ChoiceJson {
        let number = space.cube_of(choice.text).unwrap_or_default();
        let cube = space.cubes().get(number as usize);
        let (mut chance, mut distance) = (None, None);
        match choice.why {
            Why::Drawn { chance: drawn, .. } => chance = Some(drawn),
            Why::Farthest { distance: far } => distance = Some(far),
            Why::Random | Why::Middle => {}
        }
        ChoiceJson {
            doc: doc.to_owned(),
            cube: number,
            coordinates: cube
                .map(|cube| cube.coordinates.clone())
                .unwrap_or_default(),
            texts: cube.map_or(0, |cube| cube.texts.len()),
            divergence: space.divergence(choice.text),
            why: choice.why.to_string(),
            chance,
            distance,
        }
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Drawn { cube: 1, .. } => f.write_str("the only text of its cube"),
            Why::Drawn { draw, chance, cube } => write!(
                f,
                "draw {draw} of a cube of {cube} texts, with a chance of {:.1}% by divergence",
                100.0 * chance
            ),
            Why::Random => f.write_str("drawn from all texts alike"),
            Why::Middle => f.write_str("nearest to the mean of all texts"),
            Why::Farthest { distance } => {
                write!(f, "farthest from all chosen before it, at {distance:.3}")
            }
        }
    }
}

/// The schemas by the names of their files under `schemas/json`.
pub fn json_schemas() -> [(&'static str, String); 1] {
    [("choice", json::schema::<ChoiceJson>())]
}
