//! What the grammar page asks and is answered: files, drafts, rules from corrections.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FileText, Problem, TreeView};

/// The files of the grammar, the schema and the cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct FilesAnswer {
    /// The files.
    pub(in crate::serve) files: Vec<FileRow>,
}

/// A file of the project.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct FileRow {
    /// Its path in the project.
    pub(in crate::serve) path: String,
    /// `grammar`, `schema` or `cases`.
    pub(in crate::serve) kind: &'static str,
}

/// A file by its path in the project.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ReadAsk {
    /// The path.
    pub(in crate::serve) path: String,
}

/// What it holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct ReadAnswer {
    /// The text.
    pub(in crate::serve) text: String,
    /// What tells this content from any other.
    pub(in crate::serve) hash: String,
}

/// A file as it stands in the editor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct DraftAsk {
    /// The path.
    pub(in crate::serve) path: String,
    /// The text.
    pub(in crate::serve) text: String,
    /// What the file held when it was read; to save it.
    #[serde(default)]
    pub(in crate::serve) hash: String,
}

/// What is wrong with it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct CheckAnswer {
    /// The problems of this file, as its grammar sees it.
    pub(in crate::serve) problems: Vec<Problem>,
    /// Its words with their kinds.
    pub(in crate::serve) colours: Vec<ColourJson>,
}

/// A coloured stretch of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct ColourJson {
    /// Its first and last character, the last not included.
    pub(in crate::serve) range: (usize, usize),
    /// The kind of word, by the names of the language server protocol.
    pub(in crate::serve) colour: &'static str,
}

/// A file as it stands in the editor, and where the cursor is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct CursorAsk {
    /// The path.
    pub(in crate::serve) path: String,
    /// The text.
    pub(in crate::serve) text: String,
    /// Before this character, counted in UTF-16.
    pub(in crate::serve) at: usize,
}

/// What can stand there.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct CompleteAnswer {
    /// In a useful order.
    pub(in crate::serve) completions: Vec<CompletionJson>,
}

/// Something that can stand at the cursor.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct CompletionJson {
    /// What the list shows.
    pub(in crate::serve) label: String,
    /// What kind of word it is.
    pub(in crate::serve) kind: &'static str,
    /// Said beside it.
    pub(in crate::serve) detail: Option<String>,
    /// What it puts in the place of `range`.
    pub(in crate::serve) insert: String,
    /// What it takes the place of.
    pub(in crate::serve) range: (usize, usize),
}

/// What a word means.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct HoverAnswer {
    /// In Markdown; none where there is nothing to say.
    pub(in crate::serve) text: Option<String>,
}

/// Rules that would make the grammar right.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct FixAnswer {
    /// How many gold texts they were measured by.
    pub(in crate::serve) gold_texts: usize,
    /// What `arsg fix --json` says.
    pub(in crate::serve) answer: Value,
    /// The tree that each proposal makes of the text.
    pub(in crate::serve) proposals: Vec<ProposalJson>,
}

/// What a proposal makes of the text.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct ProposalJson {
    /// Its number.
    pub(in crate::serve) number: usize,
    /// The tree.
    pub(in crate::serve) tree: TreeView,
}

/// Which proposal to take.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct AcceptAsk {
    /// The text.
    pub(in crate::serve) id: String,
    /// The proposal's number.
    pub(in crate::serve) number: usize,
    /// The names of its rules: another proposal must not slip in.
    pub(in crate::serve) names: Vec<String>,
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct AcceptAnswer {
    /// The files, each with what changed.
    pub(in crate::serve) files: Vec<FileText>,
    /// The names of the cases that were added.
    pub(in crate::serve) cases: Vec<String>,
    /// The names of the rules.
    pub(in crate::serve) names: Vec<Arc<str>>,
}

/// F1 by what is compared: S, N, R, F.
pub(in crate::serve) type FigureJson = BTreeMap<&'static str, f64>;

/// What an unsaved change does.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct EffectAnswer {
    /// Problems that keep the grammar from working; nothing else is told then.
    pub(in crate::serve) problems: Vec<Problem>,
    /// The regression cases.
    pub(in crate::serve) cases: Vec<CaseRow>,
    /// The texts whose trees change.
    pub(in crate::serve) texts: Vec<ChangedText>,
    /// How many texts have another tree; the first of them are shown.
    pub(in crate::serve) changed: usize,
    /// How many texts were parsed.
    pub(in crate::serve) looked: usize,
    /// F1 against finished labels and cases by hand: S, N, R and F before and after.
    pub(in crate::serve) figures: Option<(FigureJson, FigureJson)>,
    /// How many trees by hand that is measured on.
    pub(in crate::serve) gold: usize,
}

/// A regression case before and after.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct CaseRow {
    /// Its name.
    pub(in crate::serve) name: String,
    /// Its file.
    pub(in crate::serve) file: String,
    /// Whether it passed before.
    pub(in crate::serve) before: bool,
    /// Whether it passes now.
    pub(in crate::serve) after: bool,
    /// Why it fails now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::serve) why: Option<String>,
}

/// A text whose tree changes.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct ChangedText {
    /// Its id.
    pub(in crate::serve) id: String,
    /// What changes, a line each.
    pub(in crate::serve) differences: Vec<String>,
    /// The tree before.
    pub(in crate::serve) old: Option<TreeView>,
    /// The tree after.
    pub(in crate::serve) new: Option<TreeView>,
}

/// What became of a file that was saved.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::serve) struct SaveAnswer {
    /// The text, laid out.
    pub(in crate::serve) text: String,
    /// What tells it from any other.
    pub(in crate::serve) hash: String,
    /// True where the grammar works and is in use now.
    pub(in crate::serve) in_use: bool,
    /// What is wrong with it.
    pub(in crate::serve) problems: Vec<Problem>,
}
