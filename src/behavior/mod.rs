//! What annotators do, and grammars learned from it.

mod boundaries;
mod contexts;
mod counts;
mod decision_tree;
mod example;
mod fit;
mod gaps;
mod induce;
mod literals;
mod oracle;
mod short_rules;
mod validate;
mod weights;

pub use boundaries::{BoundaryOptions, boundaries_by_weights, boundary_score};
pub use counts::{by_counts, by_trees};
pub use example::Example;
pub use induce::{Induction, Trial, end_to_end, pooled};
pub use oracle::Oracle;
pub use validate::{folds, report, score, score_engine};
pub use weights::{WeightOptions, by_weights};

use crate::automaton::{Outcome, Parse};
use crate::grammar::Action;

/// The steps of a parse in the terms of an oracle.
fn steps_of(parse: &Parse) -> Vec<(Action, Option<Outcome>)> {
    let steps = parse.derivations.first().map_or(&[][..], |derivation| &derivation.steps);
    let outcome = |step: &crate::automaton::Step| step.label.map(|label| label.outcome);
    steps.iter().map(|step| (step.action, outcome(step))).collect()
}
