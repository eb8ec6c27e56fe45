//! What a training can be told.

use serde::{Deserialize, Serialize};

use crate::embed::{ImpactKind, TimeGrain};
use crate::error::{Error, Result};
use crate::setters::setters;

/// The parameters of a training; the defaults are the paper's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Parameters {
    /// Coordinates of a phrase's vector: w.
    pub width: usize,
    /// The margin of loss (100).
    pub margin: f32,
    /// The distance of loss (100).
    pub distance: Distance,
    /// Corruptions of each part, a quadruple: k.
    pub negatives: usize,
    /// Adam's learning rate.
    pub learning_rate: f32,
    /// Whether rows that a batch does not touch move.
    pub adam: AdamKind,
    /// Quadruples a batch; 0: 1/256 of the training quadruples, between 128 and 16384.
    pub batch: usize,
    /// The most epochs.
    pub epochs: u32,
    /// Ends when the held-out loss has not fallen for so many epochs; 0: never.
    pub patience: u32,
    /// The share of quadruples that is held out.
    pub held_out: f32,
    /// Phrases met fewer times get no vector of their own.
    pub min_count: u64,
    /// How exactly times are told apart.
    pub grain: TimeGrain,
    /// Whether phrases begin as what their words come to, and not each at random.
    #[serde(default)]
    pub shared_words: bool,
    /// How cores make the impact of a text.
    #[serde(default)]
    pub impact: ImpactKind,
    /// Whether an earlier model's vectors may move.
    pub move_old: bool,
    /// The seed of all that is drawn.
    pub seed: u64,
}

setters! {
    Parameters {
        width: usize,
        margin: f32,
        distance: Distance,
        negatives: usize,
        learning_rate: f32,
        adam: AdamKind,
        batch: usize,
        epochs: u32,
        patience: u32,
        held_out: f32,
        min_count: u64,
        grain: TimeGrain,
        shared_words: bool,
        impact: ImpactKind,
        move_old: bool,
        seed: u64,
    }
}

/// The distance d of loss (100).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[non_exhaustive]
pub enum Distance {
    /// The sum of absolute differences, as in the paper.
    L1,
    /// The Euclidean distance.
    L2,
}

/// How Adam treats rows that have no slope in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AdamKind {
    /// They stay, with their moments, and a row's bias correction counts its own steps. Not the
    /// same as dense Adam: a rare phrase does not drift on by old momentum.
    Lazy,
    /// They go on by their momentum, as in Kingma and Ba.
    Dense,
}

const MOST_NEGATIVES: usize = 64;
const MOST_WIDTH: usize = 4096;
const MOST_BATCH: usize = 1 << 20;
/// More held-out quadruples than this tell no more.
const MOST_HELD_OUT: usize = 20_000;
/// A corpus this small cannot spare any.
const LEAST_TO_HOLD_OUT: usize = 100;

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            width: 150,
            margin: 2.0,
            distance: Distance::L1,
            negatives: 1,
            learning_rate: 0.001,
            adam: AdamKind::Lazy,
            batch: 0,
            epochs: 100,
            patience: 5,
            held_out: 0.05,
            min_count: 1,
            grain: TimeGrain::default(),
            shared_words: true,
            impact: ImpactKind::default(),
            move_old: false,
            seed: 1,
        }
    }
}

impl Parameters {
    /// An error for numbers that make no sense.
    pub fn check(&self) -> Result<()> {
        let sensible = [
            ("width", (1..=MOST_WIDTH).contains(&self.width), "1 to 4096"),
            (
                "negatives",
                (1..=MOST_NEGATIVES).contains(&self.negatives),
                "1 to 64",
            ),
            (
                "margin",
                self.margin.is_finite() && self.margin > 0.0,
                "above 0",
            ),
            (
                "learning rate",
                self.learning_rate.is_finite() && self.learning_rate > 0.0,
                "above 0",
            ),
            ("batch", self.batch <= MOST_BATCH, "at most 1048576"),
            (
                "held-out share",
                (0.0..=0.5).contains(&self.held_out),
                "0 to 0.5",
            ),
        ];
        match sensible.iter().find(|(_, fits, _)| !fits) {
            None => Ok(()),
            Some((name, _, range)) => Err(Error::Usage(format!("{name} must be {range}"))),
        }
    }

    /// Quadruples a batch, for so many quadruples.
    pub fn batch_size(&self, quads: usize) -> usize {
        match self.batch {
            0 => (quads / 256).clamp(128, 16_384),
            size => size,
        }
    }

    /// How many of so many quadruples are held out.
    pub(super) fn held_out_of(&self, quads: usize) -> usize {
        if quads < LEAST_TO_HOLD_OUT {
            return 0;
        }
        ((quads as f64 * f64::from(self.held_out)) as usize).min(MOST_HELD_OUT)
    }
}
