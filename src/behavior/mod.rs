//! Learning from behaviour (the paper's Sections 4 and 5): what an annotator does is recorded action
//! by action, with what was on the stack and in the input; a [`Label`] is such a record. Replaying
//! it in a [`Labelling`] gives its tree and the [`RuleInstances`] it contributes. From many gold
//! trees an [`Induction`] makes a grammar: by weights, by counts, or compact.

mod action;
mod annotator;
mod boundaries;
mod cells;
mod contexts;
mod counts;
mod decision_tree;
mod example;
mod examples;
mod file;
mod induce;
mod instances;
mod journal;
mod json;
mod label;
mod labelling;
mod literals;
mod oracle;
mod plain;
mod refit;
mod rough;
mod rows;
mod said;
mod tables;
mod validate;
mod weights;
mod written;

#[cfg(test)]
mod properties;
mod provenance;

pub use action::{Act, Context, Join, Recorded, Seen};
pub use annotator::{Annotator, GoldTrees, LabellingState, SelfLabelling};
pub use boundaries::{BoundaryOptions, boundary_score, boundary_tables};
pub use cells::CellFit;
pub use counts::{by_counts, by_grown_counts, by_trees};
pub use example::Example;
pub use examples::{ReadExamples, document_of_tree, read_documents, read_examples};
pub use file::{LabelFile, label_file_name, read_label};
pub use induce::{Induced, Induction, Trial, pooled, pooled_boundaries, pooled_plain};
pub use instances::RuleInstances;
pub use json::json_schema;
pub use label::{Header, Label};
pub use labelling::{IDLE_SECONDS, Labelling, Resumed};
pub use oracle::Oracle;
pub use plain::score_plain;
pub use provenance::{Provenance, provenance};
pub use rough::{KeptContexts, RoughReader, RoughRules};
pub use said::Said;
pub use validate::{divide_into_folds, report, score, score_engine};
pub use weights::{WeightOptions, by_weights, by_weights_keeping, by_weights_of_weighed};
pub use written::WrittenRecord;

use crate::automaton::{Outcome, Parse};
use crate::grammar::Action;

/// The steps of a parse in the terms of an oracle.
fn steps_of(parse: &Parse) -> Vec<(Action, Option<Outcome>)> {
    let steps = parse
        .derivations
        .first()
        .map_or(&[][..], |derivation| &derivation.steps);
    let outcome = |step: &crate::automaton::Step| step.label.map(|label| label.outcome);
    steps
        .iter()
        .map(|step| (step.action, outcome(step)))
        .collect()
}
