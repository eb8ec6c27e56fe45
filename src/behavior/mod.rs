//! Learning from behaviour (the paper's Sections 4 and 5): what an annotator does is recorded action
//! by action, with what was on the stack and in the input; a [`Label`] is such a record. Replaying
//! it in a [`Labelling`] gives its tree and the rule [`Instances`] it contributes.

mod action;
mod annotator;
mod file;
mod instances;
mod journal;
mod json;
mod label;
mod labelling;

#[cfg(test)]
mod properties;

pub use action::{Act, Context, Join, Recorded, Seen};
pub use annotator::{Annotator, GoldTrees, SelfLabelling, Verdict};
pub use file::{LabelFile, label_file_name, read_label};
pub use instances::Instances;
pub use json::json_schema;
pub use label::{Header, Label};
pub use labelling::{IDLE_SECONDS, Labelling, Resumed};
