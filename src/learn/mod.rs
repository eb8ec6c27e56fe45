//! The second representation: the paper's Section 6.
//!
//! Labels come from a [`LabelSource`], rules go into [`Rules`]; both are traits, so that any grammar
//! can drive the loop. A [`LearningLoop`] is the loop itself (Algorithms 2, 4, 5 and 6) over impacts, a
//! [`Division`] its sets S1 and S2, a [`LoopFolder`] its state on disk. [`GrammarRules`] are the rules of
//! a real grammar, a [`Teacher`] has labels from people and gold trees; a [`Course`] is a project with
//! both: its texts, its model, its loop.
//!
//! Everything that happens is written down as [`Round`]s: who was labelled by whom. The rules are
//! what the rounds make of them, so that a loop that was stopped anywhere goes on by doing the
//! rounds again, and ends with the same bytes.

mod counts;
mod course;
mod division;
mod label;
mod learning_loop;
mod limit;
mod plots;
mod loop_folder;
mod round;
mod rules;
mod teacher;
mod texts;

#[cfg(test)]
mod tests;

pub use counts::RuleCounts;
pub use course::{
    Beginning, Course, CourseSettings, Documents, Selection, WaitingTexts, seen_from, waiting_in,
};
pub use division::{Division, Near};
pub use label::TextLabel;
pub use learning_loop::{LearningLoop, LoopOptions, Progress};
pub use limit::{Limit, Transfer};
pub use loop_folder::LoopFolder;
pub use plots::{division_chart, labels_chart, rules_chart};
pub use round::{Labelled, Round, Row};
pub use rules::{Gain, GrammarRules};
pub use teacher::{Gold, Teacher};
pub use texts::Lines;

use crate::error::Result;

/// Who labels texts: a person, gold labels, or several in turn.
pub trait LabelSource {
    /// What a text is labelled with: its tree, or what was done to build it.
    type Label;

    /// The label of a text, by its id.
    fn label(&mut self, text: &str) -> Result<Answer<Self::Label>>;
}

/// What an annotator says to a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<L> {
    /// The label, and how long it took where that is known.
    Labelled {
        /// The label.
        label: L,
        /// Minutes of human work.
        minutes: Option<f64>,
        /// True for a label that a grammar made by itself.
        automatic: bool,
    },
    /// Not yet: the loop pauses.
    Waiting,
}

/// The rules that the loop learns.
pub trait Rules {
    /// What a text is labelled with.
    type Label;

    /// Says which round comes next, for rules that keep the pieces of each source apart.
    fn begin_round(&mut self, _round: usize) {}

    /// Algorithm 6: takes in the label of a text; new types of rules may come of it.
    fn increase(&mut self, text: &str, label: &Self::Label) -> Result<()>;

    /// Algorithm 5: adds `times` to the number of instances of each rule of a text that was taken in
    /// before. No type of rule may come of it; the loop looks.
    fn enhance(&mut self, text: &str, times: u64) -> Result<()>;

    /// How many types of rules there are.
    fn sizes(&self) -> Sizes;

    /// The rules as a file, after a round; whatever has to be fitted to the counts is fitted here.
    fn grammar(&mut self) -> Result<String>;

    /// The rules by their sources, for rules that keep them apart: names and files.
    fn pieces(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// How many types of rules a grammar has.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
pub struct Sizes {
    /// |PPR(AT)|: productions.
    pub productions: usize,
    /// |PF(AT)|: precedences.
    pub precedences: usize,
}
