//! What the page asks and is answered. Every call has a JSON schema with both.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::behavior::{EdgeJson, EditJson, RemarkJson, SignJson};
use crate::diagnostic::{Diagnostic, Severity};
use crate::error::Error;

/// The first and last EDU of a node, from 1.
pub(super) type Span = (u32, u32);

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Caller {
    /// The name that a person gave, if one did.
    pub(super) name: Option<String>,
}

/// The longest name of an annotator, in characters.
const LONGEST_NAME: usize = 60;

impl Caller {
    /// From the header that carries the name, percent-encoded.
    pub(super) fn of(header: Option<&str>) -> Caller {
        let name = header.map(decode).unwrap_or_default();
        let name: String = name
            .chars()
            .filter(|c| !c.is_control())
            .take(LONGEST_NAME)
            .collect();
        let name = name.trim();
        Caller {
            name: (!name.is_empty()).then(|| name.to_owned()),
        }
    }
}

/// Takes percent-encoding away.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let pair = tail
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let coded = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match coded.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Nothing to say.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Why something was not done.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Refusal {
    /// In a line.
    error: String,
    /// `usage`, `missing`, `busy`, `behind` or `failed`.
    kind: &'static str,
    /// What to do about it.
    help: Option<String>,
    /// What is wrong in a file.
    problems: Vec<Problem>,
}

impl Refusal {
    pub(super) fn of(error: &Error) -> Refusal {
        let problems = match error {
            Error::Invalid(found) => found.iter().map(Problem::of).collect(),
            _ => Vec::new(),
        };
        let first: Option<&Problem> = problems.first();
        Refusal {
            error: first.map_or_else(|| error.to_string(), |problem| problem.message.clone()),
            kind: match error {
                Error::Usage(_) | Error::Invalid(_) => "usage",
                Error::Missing(_) => "missing",
                Error::Duplicate(_) => "behind",
                Error::Busy(_) | Error::Exists(_) => "busy",
                _ => "failed",
            },
            help: error.help(),
            problems,
        }
    }
}

/// Something wrong in a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Problem {
    /// Its stable code.
    code: String,
    /// `error` or `warning`.
    severity: &'static str,
    /// What is wrong.
    message: String,
    /// What to do about it.
    help: Option<String>,
    /// The file.
    file: Option<String>,
    /// Its first and last character, the last not included.
    range: Option<(usize, usize)>,
    /// The line, from 1.
    line: Option<usize>,
}

impl Problem {
    pub(super) fn of(found: &Diagnostic) -> Problem {
        let place = found.place.as_ref();
        let characters = |at: usize| {
            let text = place.and_then(|place| place.source().text().get(..at));
            text.map_or(0, |text| text.encode_utf16().count())
        };
        Problem {
            code: found.code.to_string(),
            severity: match found.severity() {
                Severity::Error => "error",
                _ => "warning",
            },
            message: found.message.clone(),
            help: found.help.clone(),
            file: place.map(|place| place.source().name().to_owned()),
            range: place.map(|place| {
                let range = place.range();
                (characters(range.start), characters(range.end))
            }),
            line: place.map(|place| place.line_column().0),
        }
    }
}

impl Problem {
    /// What the editor says of an unsaved text.
    pub(super) fn of_editor(found: &crate::edit::Problem, text: &str) -> Problem {
        let units = |at: usize| {
            text.get(..at)
                .map_or(0, |before| before.encode_utf16().count())
        };
        let range = &found.spot.range;
        let before = text.get(..range.start).unwrap_or_default();
        Problem {
            code: found.code.unwrap_or_default().to_owned(),
            severity: found.weight.as_str(),
            message: found.message.clone(),
            help: found.help.clone(),
            file: None,
            range: Some((units(range.start), units(range.end))),
            line: Some(before.matches('\n').count() + 1),
        }
    }
}

/// What the page works on.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProjectAnswer {
    /// The folder's name.
    pub(super) name: String,
    /// The grammar's name and version.
    pub(super) grammar: String,
    /// The schema's name.
    pub(super) schema: String,
    /// Who works on labels where no other name is given.
    pub(super) user: String,
    /// False where there is no `arsg.toml`.
    pub(super) is_project: bool,
    /// The relations, in the order of the schema.
    pub(super) relations: Vec<RelationInfo>,
    /// Types of signals with their subtypes.
    pub(super) signals: BTreeMap<&'static str, Vec<&'static str>>,
}

/// A relation of the schema.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RelationInfo {
    /// Its name.
    pub(super) name: String,
    /// `rst` or `multinuc`.
    pub(super) kind: &'static str,
    /// Its class.
    pub(super) class: String,
    /// Words that speak for it.
    pub(super) cues: Vec<String>,
}

/// Which texts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TextsAsk {
    /// Also say which are most worth a person's time.
    #[serde(default)]
    pub(super) worth: bool,
}

/// The texts in the order of the corpus.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TextsAnswer {
    /// The texts.
    pub(super) texts: Vec<TextRow>,
    /// How many were parsed already to know their EDUs and confidence.
    pub(super) measured: usize,
    /// What could not be read.
    pub(super) notes: Vec<String>,
}

/// A text in the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TextRow {
    /// Its id.
    pub(super) id: String,
    /// Its headline, or how it begins.
    pub(super) title: String,
    /// How many EDUs it has.
    pub(super) edus: Option<usize>,
    /// `parsed`, `work`, `done` or `disputed`.
    pub(super) state: &'static str,
    /// Who labelled it.
    pub(super) annotators: Vec<String>,
    /// The minutes they spent.
    pub(super) minutes: f64,
    /// How sure the grammar is of its tree.
    pub(super) confidence: Option<f64>,
    /// Its place among those most worth a person's time, from 1.
    pub(super) worth: Option<usize>,
}

/// One text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenAsk {
    /// Its id.
    pub(super) id: String,
    /// Which window asks: a name of its own for every tab.
    #[serde(default)]
    pub(super) window: String,
}

/// Whether anything changed since.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LookAsk {
    /// The text.
    pub(super) id: String,
    /// Which window asks.
    pub(super) window: String,
}

/// How the text stands now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LookAnswer {
    /// How many actions its label has.
    pub(super) version: usize,
    /// How many windows have it open.
    pub(super) windows: usize,
}

/// Something done to a text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ActAsk {
    /// The text.
    pub(super) id: String,
    /// Which window asks.
    #[serde(default)]
    pub(super) window: String,
    /// How many actions its label had when this was decided.
    pub(super) version: usize,
    /// What to do.
    pub(super) act: ActJson,
}

/// What can be done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum ActJson {
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
pub(super) struct TextAnswer {
    /// Its id.
    pub(super) id: String,
    /// Its headline.
    pub(super) title: String,
    /// How many actions its label has.
    pub(super) version: usize,
    /// `parse` while nobody did anything, else `label`.
    pub(super) basis: &'static str,
    /// Whose label it is.
    pub(super) annotator: String,
    /// Why nothing can be done to it, where that is so.
    pub(super) busy: Option<String>,
    /// True when one tree covers it.
    pub(super) complete: bool,
    /// How many actions can be taken back, and how many done again.
    pub(super) undo_redo: (usize, usize),
    /// Steps done, and how many there will be.
    pub(super) progress: (usize, usize),
    /// Time spent on it.
    pub(super) seconds: f64,
    /// How sure the grammar is of its own tree.
    pub(super) confidence: Option<f64>,
    /// What stands.
    pub(super) tree: TreeView,
    /// What is odd.
    pub(super) warnings: Vec<WarningJson>,
    /// Notes on nodes.
    pub(super) notes: Vec<NoteJson>,
    /// Which EDUs were said to belong together, or not to.
    pub(super) answers: Vec<AnswerJson>,
    /// What signals relations.
    pub(super) signals: Vec<SignJson>,
    /// Relations beside the tree.
    pub(super) edges: Vec<EdgeJson>,
    /// What was done, the last of it first.
    pub(super) history: Vec<HistoryLine>,
    /// What there is to say about the label's file.
    pub(super) said: Vec<String>,
}

/// Trees side by side over EDUs, ready to be drawn.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct TreeView {
    /// The EDUs.
    pub(super) edus: Vec<EduView>,
    /// The nodes, children before parents; nuclei in a row are one node.
    pub(super) nodes: Vec<NodeView>,
    /// The places of the roots.
    pub(super) roots: Vec<usize>,
    /// How many roots stand on the stack.
    pub(super) shifted: usize,
}

/// An EDU.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct EduView {
    /// Its text.
    pub(super) text: String,
    /// The paragraph it stands in.
    pub(super) block: u32,
    /// True in headings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) heading: bool,
}

/// A node: a leaf without children, or what joins them.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(super) struct NodeView {
    /// Its first and last EDU, from 1.
    pub(super) span: Span,
    /// The places of its children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    /// A letter for each child.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) roles: String,
    /// The relation between them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) relation: String,
    /// True where the grammar has the same node in its tree.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) parsed: bool,
    /// How probable the grammar holds it, where it made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<f64>,
}

/// Something odd.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WarningJson {
    /// The node.
    pub(super) span: Span,
    /// `unattached`, `stacked`, `unknown-relation`, `other-kind` or `crosses-sentence`.
    pub(super) kind: &'static str,
    /// How many satellites are stacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<usize>,
}

/// A note.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NoteJson {
    /// The node.
    pub(super) span: Span,
    /// What it says.
    pub(super) text: Arc<str>,
}

/// An answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswerJson {
    /// The EDUs.
    pub(super) span: Span,
    /// Whether they belong together.
    pub(super) together: bool,
}

/// Something that was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HistoryLine {
    /// Its place among the actions, from 1.
    pub(super) number: usize,
    /// `shift`, `reduce`, `undo`, `redo`, the name of an edit, or `remark`.
    pub(super) what: &'static str,
    /// The EDUs it was done to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) span: Option<Span>,
    /// The relation that came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relation: Option<Arc<str>>,
    /// False where it was taken back.
    pub(super) stands: bool,
}

/// What would come of joining two nodes, or of a node's children.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProposeAsk {
    /// The text.
    pub(super) id: String,
    /// The node that is moved, or whose children are joined.
    pub(super) node: Span,
    /// What it holds on to; left out for the node's own children, or the halves of an EDU.
    #[serde(default)]
    pub(super) to: Option<Span>,
}

/// What the grammar would make of them.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProposeAnswer {
    /// The left one.
    pub(super) left: Span,
    /// The right one.
    pub(super) right: Span,
    /// The most probable first.
    pub(super) proposals: Vec<Proposal>,
}

/// A relation that two nodes may have.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Proposal {
    /// The relation.
    pub(super) relation: Arc<str>,
    /// `NS`, `SN` or `NN`.
    pub(super) roles: &'static str,
    /// How probable the grammar holds it.
    pub(super) probability: f64,
}

/// What the grammar would do next.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SuggestAnswer {
    /// The most probable first.
    pub(super) suggestions: Vec<SuggestionJson>,
    /// The nodes on the stack, the topmost last.
    pub(super) stack: Vec<Span>,
    /// The next EDU, from 1.
    pub(super) next: Option<u32>,
}

/// A step that is possible.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SuggestionJson {
    /// `shift` or `reduce`.
    pub(super) action: &'static str,
    /// The relation, of reductions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relation: Option<Arc<str>>,
    /// The roles, of reductions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) roles: Option<&'static str>,
    /// How probable the grammar holds it.
    pub(super) probability: f64,
    /// The rule that speaks loudest for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<String>,
}

/// What to ask next.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuestionsAnswer {
    /// The most divisive first.
    pub(super) open: Vec<QuestionJson>,
    /// How many different trees the draws have.
    pub(super) trees: usize,
    /// The most probable tree under the answers.
    pub(super) tree: Option<TreeView>,
    /// The answers so far.
    pub(super) answers: Vec<AnswerJson>,
}

/// Do these EDUs belong together?
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuestionJson {
    /// The EDUs.
    pub(super) span: Span,
    /// The share of draws in which they do.
    pub(super) share: f64,
}

/// Why is a node as it is?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyAsk {
    /// The text.
    pub(super) id: String,
    /// The node.
    #[serde(default)]
    pub(super) node: Option<Span>,
    /// Or a step of the automaton, from 1.
    #[serde(default)]
    pub(super) step: Option<usize>,
    /// Weigh against this relation, alone or with its roles.
    #[serde(default)]
    pub(super) rival: Option<String>,
}

/// Why.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WhyAnswer {
    /// What `arsg explain --node --json` says; none where the grammar's tree has no such node.
    pub(super) detail: Option<Value>,
    /// Why it has none.
    pub(super) crossed: Option<String>,
}

/// All steps of a text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StepsAnswer {
    /// What `arsg explain --json` says of them.
    pub(super) rows: Vec<Value>,
}

/// What if another step were taken?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForceAsk {
    /// The text.
    pub(super) id: String,
    /// The step to be another, from 1.
    pub(super) step: usize,
    /// `shift`, or left out to reduce.
    #[serde(default)]
    pub(super) shift: bool,
    /// What to reduce to: the number of the suggestion among the reductions there, from 0.
    #[serde(default)]
    pub(super) choice: usize,
}

/// What would come of it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ForceAnswer {
    /// The tree.
    pub(super) tree: TreeView,
    /// All steps in a line each: `shift` or the relation, with the EDUs.
    pub(super) steps: Vec<String>,
    /// What else could be done at that step.
    pub(super) options: Vec<SuggestionJson>,
}

/// A rule or table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleAsk {
    /// Its id.
    pub(super) rule: String,
}

/// What it says and does.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RuleAnswer {
    /// The file, as it is known in the project.
    pub(super) file: Option<String>,
    /// The line it begins in, from 1.
    pub(super) line: Option<usize>,
    /// Its text in the grammar.
    pub(super) text: String,
    /// Nodes of the texts that it made.
    pub(super) nodes: Vec<RuleNode>,
    /// How many texts were looked through.
    pub(super) looked: usize,
}

/// A node that a rule made.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RuleNode {
    /// The text.
    pub(super) id: String,
    /// The node.
    pub(super) span: Span,
    /// The text of the node, shortened.
    pub(super) text: String,
    /// Whether a finished label has the same node; unknown without a label.
    pub(super) right: Option<bool>,
}

/// Two trees of one text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareAsk {
    /// The text.
    pub(super) id: String,
    /// `parse`, or the name of an annotator; left out, the first there is.
    #[serde(default)]
    pub(super) left: Option<String>,
    /// The same.
    #[serde(default)]
    pub(super) right: Option<String>,
}

/// Side by side.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CompareAnswer {
    /// All sides there are.
    pub(super) sides: Vec<String>,
    /// Which is left, and which right.
    pub(super) chosen: (String, String),
    /// The left tree.
    pub(super) left: TreeView,
    /// The right tree.
    pub(super) right: TreeView,
    /// Where they differ: the node, and what about it: `only-left`, `only-right`, `roles`, `relation`.
    pub(super) differences: Vec<(Span, &'static str)>,
    /// F1 of spans, nuclearity, relations, and all of it.
    pub(super) figures: BTreeMap<&'static str, f64>,
    /// The steps that make each node of either side that differs, to take it over.
    pub(super) other_edus: bool,
}

/// A text to keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasteAsk {
    /// The text: a paragraph a line.
    pub(super) text: String,
    /// What to call it; left out, its first words.
    #[serde(default)]
    pub(super) name: String,
}

/// A file to take in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportAsk {
    /// Its name, whose ending tells the format.
    pub(super) name: String,
    /// What it holds.
    pub(super) content: String,
}

/// What was taken in.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ImportAnswer {
    /// The ids of the texts.
    pub(super) ids: Vec<String>,
    /// What was left out, and why.
    pub(super) notes: Vec<String>,
}

/// Trees to write.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportAsk {
    /// The texts; none stands for all that have a label.
    #[serde(default)]
    pub(super) ids: Vec<String>,
    /// `rs3`, `rs4`, `dis`, `rsd`, `json`, `svg`, `sexp` or `html`.
    pub(super) format: String,
}

/// What to save.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ExportAnswer {
    /// A file for every tree, or one for all.
    pub(super) files: Vec<FileText>,
    /// Texts that have no finished tree.
    pub(super) notes: Vec<String>,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FileText {
    /// Its name.
    pub(super) name: String,
    /// What it holds.
    pub(super) text: String,
}

/// The files of the grammar, the schema and the cases.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FilesAnswer {
    /// The files.
    pub(super) files: Vec<FileRow>,
}

/// A file of the project.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FileRow {
    /// Its path in the project.
    pub(super) path: String,
    /// `grammar`, `schema` or `cases`.
    pub(super) kind: &'static str,
}

/// A file by its path in the project.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadAsk {
    /// The path.
    pub(super) path: String,
}

/// What it holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReadAnswer {
    /// The text.
    pub(super) text: String,
    /// What tells this content from any other.
    pub(super) hash: String,
}

/// A file as it stands in the editor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DraftAsk {
    /// The path.
    pub(super) path: String,
    /// The text.
    pub(super) text: String,
    /// What the file held when it was read; to save it.
    #[serde(default)]
    pub(super) hash: String,
}

/// What is wrong with it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CheckAnswer {
    /// The problems of this file, as its grammar sees it.
    pub(super) problems: Vec<Problem>,
    /// Its words with their kinds.
    pub(super) colours: Vec<ColourJson>,
}

/// A coloured stretch of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ColourJson {
    /// Its first and last character, the last not included.
    pub(super) range: (usize, usize),
    /// The kind of word, by the names of the language server protocol.
    pub(super) colour: &'static str,
}

/// A file as it stands in the editor, and where the cursor is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CursorAsk {
    /// The path.
    pub(super) path: String,
    /// The text.
    pub(super) text: String,
    /// Before this character, counted in UTF-16.
    pub(super) at: usize,
}

/// What can stand there.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CompleteAnswer {
    /// In a useful order.
    pub(super) completions: Vec<CompletionJson>,
}

/// Something that can stand at the cursor.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CompletionJson {
    /// What the list shows.
    pub(super) label: String,
    /// What kind of word it is.
    pub(super) kind: &'static str,
    /// Said beside it.
    pub(super) detail: Option<String>,
    /// What it puts in the place of `range`.
    pub(super) insert: String,
    /// What it takes the place of.
    pub(super) range: (usize, usize),
}

/// What a word means.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HoverAnswer {
    /// In Markdown; none where there is nothing to say.
    pub(super) text: Option<String>,
}

/// Rules that would make the grammar right.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FixAnswer {
    /// How many gold texts they were measured by.
    pub(super) gold_texts: usize,
    /// What `arsg fix --json` says.
    pub(super) answer: Value,
    /// The tree that each proposal makes of the text.
    pub(super) proposals: Vec<ProposalJson>,
}

/// What a proposal makes of the text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProposalJson {
    /// Its number.
    pub(super) number: usize,
    /// The tree.
    pub(super) tree: TreeView,
}

/// Which proposal to take.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AcceptAsk {
    /// The text.
    pub(super) id: String,
    /// The proposal's number.
    pub(super) number: usize,
    /// The names of its rules: another proposal must not slip in.
    pub(super) names: Vec<String>,
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AcceptAnswer {
    /// The files, each with what changed.
    pub(super) files: Vec<FileText>,
    /// The names of the cases that were added.
    pub(super) cases: Vec<String>,
    /// The names of the rules.
    pub(super) names: Vec<Arc<str>>,
}

/// F1 by what is compared: S, N, R, F.
pub(super) type FigureJson = BTreeMap<&'static str, f64>;

/// What an unsaved change does.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EffectAnswer {
    /// Problems that keep the grammar from working; nothing else is told then.
    pub(super) problems: Vec<Problem>,
    /// The regression cases.
    pub(super) cases: Vec<CaseRow>,
    /// The texts whose trees change.
    pub(super) texts: Vec<ChangedText>,
    /// How many texts have another tree; the first of them are shown.
    pub(super) changed: usize,
    /// How many texts were parsed.
    pub(super) looked: usize,
    /// F1 against finished labels and cases by hand: S, N, R and F before and after.
    pub(super) figures: Option<(FigureJson, FigureJson)>,
    /// How many trees by hand that is measured on.
    pub(super) gold: usize,
}

/// A regression case before and after.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CaseRow {
    /// Its name.
    pub(super) name: String,
    /// Its file.
    pub(super) file: String,
    /// Whether it passed before.
    pub(super) before: bool,
    /// Whether it passes now.
    pub(super) after: bool,
    /// Why it fails now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// A text whose tree changes.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ChangedText {
    /// Its id.
    pub(super) id: String,
    /// What changes, a line each.
    pub(super) differences: Vec<String>,
    /// The tree before.
    pub(super) old: Option<TreeView>,
    /// The tree after.
    pub(super) new: Option<TreeView>,
}

/// What became of a file that was saved.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SaveAnswer {
    /// The text, laid out.
    pub(super) text: String,
    /// What tells it from any other.
    pub(super) hash: String,
    /// True where the grammar works and is in use now.
    pub(super) in_use: bool,
    /// What is wrong with it.
    pub(super) problems: Vec<Problem>,
}

/// Texts to summarize.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryAsk {
    /// The texts.
    pub(super) ids: Vec<String>,
    /// How long: `10`, `5%`, `300w`.
    #[serde(default)]
    pub(super) length: Option<String>,
}

/// A call: what is asked, and what is answered.
#[derive(JsonSchema)]
#[schemars(title = "arsg workbench call")]
#[expect(dead_code, reason = "it exists for the JSON schema")]
struct Call<Q, A> {
    /// What the page asks.
    ask: Q,
    /// What it is answered.
    answer: A,
}

/// The schemas by the names of their files under `schemas/json`.
pub fn json_schemas() -> Vec<(&'static str, String)> {
    use crate::json::schema;
    use crate::summarize::SummaryJson;
    vec![
        (
            "workbench-project",
            schema::<Call<Nothing, ProjectAnswer>>(),
        ),
        ("workbench-texts", schema::<Call<TextsAsk, TextsAnswer>>()),
        ("workbench-open", schema::<Call<OpenAsk, TextAnswer>>()),
        ("workbench-look", schema::<Call<LookAsk, LookAnswer>>()),
        ("workbench-close", schema::<Call<LookAsk, Nothing>>()),
        ("workbench-act", schema::<Call<ActAsk, TextAnswer>>()),
        (
            "workbench-propose",
            schema::<Call<ProposeAsk, ProposeAnswer>>(),
        ),
        (
            "workbench-suggest",
            schema::<Call<OpenAsk, SuggestAnswer>>(),
        ),
        (
            "workbench-questions",
            schema::<Call<OpenAsk, QuestionsAnswer>>(),
        ),
        ("workbench-why", schema::<Call<WhyAsk, WhyAnswer>>()),
        ("workbench-steps", schema::<Call<OpenAsk, StepsAnswer>>()),
        ("workbench-force", schema::<Call<ForceAsk, ForceAnswer>>()),
        ("workbench-rule", schema::<Call<RuleAsk, RuleAnswer>>()),
        (
            "workbench-compare",
            schema::<Call<CompareAsk, CompareAnswer>>(),
        ),
        ("workbench-paste", schema::<Call<PasteAsk, ImportAnswer>>()),
        (
            "workbench-import",
            schema::<Call<ImportAsk, ImportAnswer>>(),
        ),
        (
            "workbench-export",
            schema::<Call<ExportAsk, ExportAnswer>>(),
        ),
        ("workbench-files", schema::<Call<Nothing, FilesAnswer>>()),
        ("workbench-read", schema::<Call<ReadAsk, ReadAnswer>>()),
        ("workbench-check", schema::<Call<DraftAsk, CheckAnswer>>()),
        ("workbench-effect", schema::<Call<DraftAsk, EffectAnswer>>()),
        ("workbench-save", schema::<Call<DraftAsk, SaveAnswer>>()),
        (
            "workbench-complete",
            schema::<Call<CursorAsk, CompleteAnswer>>(),
        ),
        ("workbench-hover", schema::<Call<CursorAsk, HoverAnswer>>()),
        ("workbench-fix", schema::<Call<OpenAsk, FixAnswer>>()),
        (
            "workbench-accept",
            schema::<Call<AcceptAsk, AcceptAnswer>>(),
        ),
        (
            "workbench-summary",
            schema::<Call<SummaryAsk, SummaryJson>>(),
        ),
        ("workbench-refusal", schema::<Refusal>()),
    ]
}
