//! What a text's own page asks and is answered: its trees, what is done to them, questions.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;
use crate::behavior::{EdgeJson, EditJson, RemarkJson, SignJson};

/// One text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct OpenAsk {
    /// Its id.
    pub(in crate::serve) id: String,
    /// Which window asks: a name of its own for every tab.
    #[serde(default)]
    pub(in crate::serve) window: String,
}

/// Whether anything changed since.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct LookAsk {
    /// The text.
    pub(in crate::serve) id: String,
    /// Which window asks.
    pub(in crate::serve) window: String,
}

/// How the text stands now.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct LookAnswer {
    /// How many actions its label has.
    pub(in crate::serve) version: usize,
    /// How many windows have it open.
    pub(in crate::serve) windows: usize,
}

/// Something done to a text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ActAsk {
    /// The text.
    pub(in crate::serve) id: String,
    /// Which window asks.
    #[serde(default)]
    pub(in crate::serve) window: String,
    /// How many actions its label had when this was decided.
    pub(in crate::serve) version: usize,
    /// What to do.
    pub(in crate::serve) act: ActJson,
}

/// What can be done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(in crate::serve) enum ActJson {
    /// Take the next EDU on the stack.
    Shift,
    /// Join the two topmost nodes.
    Reduce {
        /// The relation.
        relation: Arc<str>,
        /// `NS`, `SN` or `NN`.
        roles: Arc<str>,
        /// The symbol of the new node; left out, the nucleus's.
        #[serde(default)]
        symbol: Option<Arc<str>>,
        /// Why, as a formula of the grammar language.
        #[serde(default)]
        reason: Option<String>,
    },
    /// Take the last action back.
    Undo,
    /// Do it again.
    Redo,
    /// Take everything apart and begin with the first EDU.
    Clear,
    /// Take the grammar's tree.
    Adopt,
    /// Take the tree that the answers leave.
    Derive,
    /// Change what stands.
    Edit(EditJson),
    /// Say something beside the tree.
    Remark(RemarkJson),
}

/// A text and everything about its tree.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct TextAnswer {
    /// Its id.
    pub(in crate::serve) id: String,
    /// Its headline.
    pub(in crate::serve) title: String,
    /// How many actions its label has.
    pub(in crate::serve) version: usize,
    /// `parse` while nobody did anything, else `label`.
    pub(in crate::serve) basis: &'static str,
    /// Whose label it is.
    pub(in crate::serve) annotator: String,
    /// Why nothing can be done to it, where that is so.
    pub(in crate::serve) busy: Option<String>,
    /// True when one tree covers it.
    pub(in crate::serve) complete: bool,
    /// How many actions can be taken back, and how many done again.
    pub(in crate::serve) undo_redo: (usize, usize),
    /// Steps done, and how many there will be.
    pub(in crate::serve) progress: (usize, usize),
    /// Time spent on it.
    pub(in crate::serve) seconds: f64,
    /// How sure the grammar is of its own tree.
    pub(in crate::serve) confidence: Option<f64>,
    /// What stands.
    pub(in crate::serve) tree: TreeView,
    /// What is odd.
    pub(in crate::serve) warnings: Vec<WarningJson>,
    /// Notes on nodes.
    pub(in crate::serve) notes: Vec<NoteJson>,
    /// Which EDUs were said to belong together, or not to.
    pub(in crate::serve) answers: Vec<AnswerJson>,
    /// What signals relations.
    pub(in crate::serve) signals: Vec<SignJson>,
    /// Relations beside the tree.
    pub(in crate::serve) edges: Vec<EdgeJson>,
    /// What was done, the last of it first.
    pub(in crate::serve) history: Vec<HistoryLine>,
    /// What there is to say about the label's file.
    pub(in crate::serve) said: Vec<String>,
}

/// Trees side by side over EDUs, ready to be drawn.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(in crate::serve) struct TreeView {
    /// The EDUs.
    pub(in crate::serve) edus: Vec<EduView>,
    /// The nodes, children before parents; nuclei in a row are one node.
    pub(in crate::serve) nodes: Vec<NodeView>,
    /// The places of the roots.
    pub(in crate::serve) roots: Vec<usize>,
    /// How many roots stand on the stack.
    pub(in crate::serve) shifted: usize,
}

/// An EDU.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(in crate::serve) struct EduView {
    /// Its text.
    pub(in crate::serve) text: String,
    /// The paragraph it stands in.
    pub(in crate::serve) block: u32,
    /// True in headings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::serve) heading: bool,
}

/// A node: a leaf without children, or what joins them.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(in crate::serve) struct NodeView {
    /// Its first and last EDU, from 1.
    pub(in crate::serve) span: Span,
    /// The places of its children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::serve) children: Vec<usize>,
    /// A letter for each child.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(in crate::serve) roles: String,
    /// The relation between them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(in crate::serve) relation: String,
    /// True where the grammar has the same node in its tree.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::serve) parsed: bool,
    /// How probable the grammar holds it, where it made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) probability: Option<f64>,
}

/// Something odd.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct WarningJson {
    /// The node.
    pub(in crate::serve) span: Span,
    /// `unattached`, `stacked`, `unknown-relation`, `other-kind` or `crosses-sentence`.
    pub(in crate::serve) kind: &'static str,
    /// How many satellites are stacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) number: Option<usize>,
}

/// A note.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct NoteJson {
    /// The node.
    pub(in crate::serve) span: Span,
    /// What it says.
    pub(in crate::serve) text: Arc<str>,
}

/// An answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct AnswerJson {
    /// The EDUs.
    pub(in crate::serve) span: Span,
    /// Whether they belong together.
    pub(in crate::serve) together: bool,
}

/// Something that was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct HistoryLine {
    /// Its place among the actions, from 1.
    pub(in crate::serve) number: usize,
    /// `shift`, `reduce`, `undo`, `redo`, the name of an edit, or `remark`.
    pub(in crate::serve) what: &'static str,
    /// The EDUs it was done to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) span: Option<Span>,
    /// The relation that came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) relation: Option<Arc<str>>,
    /// False where it was taken back.
    pub(in crate::serve) stands: bool,
}

/// What would come of joining two nodes, or of a node's children.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ProposeAsk {
    /// The text.
    pub(in crate::serve) id: String,
    /// The node that is moved, or whose children are joined.
    pub(in crate::serve) node: Span,
    /// What it holds on to; left out for the node's own children, or the halves of an EDU.
    #[serde(default)]
    pub(in crate::serve) to: Option<Span>,
}

/// What the grammar would make of them.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct ProposeAnswer {
    /// The left one.
    pub(in crate::serve) left: Span,
    /// The right one.
    pub(in crate::serve) right: Span,
    /// The most probable first.
    pub(in crate::serve) proposals: Vec<Proposal>,
}

/// A relation that two nodes may have.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct Proposal {
    /// The relation.
    pub(in crate::serve) relation: Arc<str>,
    /// `NS`, `SN` or `NN`.
    pub(in crate::serve) roles: &'static str,
    /// How probable the grammar holds it.
    pub(in crate::serve) probability: f64,
}

/// What the grammar would do next.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct SuggestAnswer {
    /// The most probable first.
    pub(in crate::serve) suggestions: Vec<SuggestionJson>,
    /// The nodes on the stack, the topmost last.
    pub(in crate::serve) stack: Vec<Span>,
    /// The next EDU, from 1.
    pub(in crate::serve) next: Option<u32>,
}

/// A step that is possible.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct SuggestionJson {
    /// `shift` or `reduce`.
    pub(in crate::serve) action: &'static str,
    /// The relation, of reductions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) relation: Option<Arc<str>>,
    /// The roles, of reductions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) roles: Option<&'static str>,
    /// How probable the grammar holds it.
    pub(in crate::serve) probability: f64,
    /// The rule that speaks loudest for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) rule: Option<String>,
}

/// What to ask next.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct QuestionsAnswer {
    /// The most divisive first.
    pub(in crate::serve) open: Vec<QuestionJson>,
    /// How many different trees the draws have.
    pub(in crate::serve) trees: usize,
    /// The most probable tree under the answers.
    pub(in crate::serve) tree: Option<TreeView>,
    /// The answers so far.
    pub(in crate::serve) answers: Vec<AnswerJson>,
}

/// Do these EDUs belong together?
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct QuestionJson {
    /// The EDUs.
    pub(in crate::serve) span: Span,
    /// The share of draws in which they do.
    pub(in crate::serve) share: f64,
}
