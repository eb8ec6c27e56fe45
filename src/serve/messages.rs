//! What the page asks and is answered. Every call has a JSON schema with both.

mod grammar;
mod text;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) use grammar::*;
pub(super) use text::*;

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
