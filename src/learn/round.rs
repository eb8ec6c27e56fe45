//! What happens in a round, and what is told of it.

use serde::{Deserialize, Serialize};

use super::Sizes;

/// A round: texts that were picked near, then texts that were labelled because they were far. Round
/// 0 labels the representatives. Texts stand here by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Round<L> {
    /// How many texts there were.
    pub texts: usize,
    /// |S12|: the pairs of a near text and a labelled one.
    pub pairs: u64,
    /// S2' of Algorithm 4: near texts, each with the text whose label it carries from now on.
    pub near: Vec<(u32, u32)>,
    /// Algorithm 5: how many instances each labelled text's rules gain.
    pub times: Vec<(u32, u64)>,
    /// S3: texts to label, the farthest first; in round 0 the representatives.
    pub chosen: Vec<u32>,
    /// Their labels, in that order; none while any is missing.
    pub labels: Option<Vec<Labelled<L>>>,
}

/// A text's label.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled<L> {
    /// The label.
    pub label: L,
    /// How long it took, where that is known.
    pub minutes: Option<f64>,
    /// True for a label that a grammar made by itself.
    pub automatic: bool,
}

/// A finished round in figures: a row of the paper's table of quantitative results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg round of learning")]
pub struct Row {
    /// The round; 0 is the initial model.
    pub round: usize,
    /// Texts labelled by transfer in this round.
    pub near: usize,
    /// Texts chosen to be labelled by people in this round.
    pub far: usize,
    /// Pairs of a near text and a labelled one.
    pub pairs: u64,
    /// Texts with labels in all.
    pub labelled: usize,
    /// Of these, by people, or by gold trees in their place.
    pub human: usize,
    /// Of these, by a grammar in the place of people.
    #[serde(default)]
    pub automatic: usize,
    /// Texts without labels.
    pub unlabelled: usize,
    /// The size of the grammar.
    #[serde(flatten)]
    pub sizes: Sizes,
    /// Minutes of human work in this round, as far as they are known.
    pub minutes: Option<f64>,
}

impl<L> Round<L> {
    /// Minutes of human work, as far as they are known.
    pub fn minutes(&self) -> Option<f64> {
        let labels = self.labels.iter().flatten();
        labels
            .filter_map(|labelled| labelled.minutes)
            .reduce(|sum, minutes| sum + minutes)
    }
}

impl Row {
    /// The head of a table of rows.
    pub const HEAD: &'static str = "round      near       far   labelled     human automatic     PPR(AT)    PF(AT)   minutes\n";

    /// The row of a table.
    pub fn line(&self) -> String {
        let minutes = self
            .minutes
            .map_or("-".to_owned(), |minutes| format!("{minutes:.1}"));
        format!(
            "{:>5} {:>9} {:>9} {:>10} {:>9} {:>9} {:>11} {:>9} {:>9}\n",
            self.round,
            self.near,
            self.far,
            self.labelled,
            self.human,
            self.automatic,
            self.sizes.productions,
            self.sizes.precedences,
            minutes
        )
    }
}
