//! How good a summary is: the paper's Section 8, and what it leaves out.
//!
//! S (sentiment), N (novelty), E (entities) and W (word overlap) make the paper's Score. They alone
//! rank random picks above Lead, so the cosine with the centroid of the texts and the coverage of
//! their held-back titles always stand beside them, and so does the length.

mod measure;
mod reference;
mod sentiment;

pub use measure::{Evaluation, Judge, WEIGHTS, score};
pub use reference::{Against, Tokens, score_against};
pub use sentiment::{Classifier, Polarity, PolarityLexicon, Training};

/// The JSON schema of an evaluation.
pub fn json_schema() -> String {
    crate::json::schema::<Evaluation>()
}
