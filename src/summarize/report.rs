//! Summaries as machines read them.

use serde::{Deserialize, Serialize};

use super::{Contradiction, Line, SourceText, Summary, SummaryOptions};
use crate::text::{BlockKind, Document};

/// A summary with where every line comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg summary")]
pub struct SummaryJson {
    /// How it was made: `arsg`, `paper`, `lead`, `openings`, `lexrank`, `textrank`, `mmr` or `cnnlm`.
    pub method: String,
    /// The length asked for: `auto`, `10` (EDUs), `5%`, `300w` (words) or `300c` (characters).
    pub length: String,
    /// What was chosen: `edu`, `clause` or `sentence`.
    pub unit: String,
    /// The document it is of, where it is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The cluster of texts it is of, counted from 1, where they were clustered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<usize>,
    /// How many texts it is of.
    pub texts: usize,
    /// How many words it has, marks not counted.
    pub words: usize,
    /// How many EDUs it shows.
    pub edus: usize,
    /// Its lines.
    pub lines: Vec<LineJson>,
    /// What in the texts contradicts its lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<ContradictionJson>,
}

/// A line of a summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LineJson {
    /// What is shown.
    pub text: String,
    /// The document it comes from.
    pub doc: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its date, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The EDUs shown, counted from 0: stretches from the first up to, not including, the second number.
    pub edus: Vec<(usize, usize)>,
    /// How many words it has.
    pub words: usize,
    /// The weight of its text.
    pub weight: f64,
    /// Its place in its text's own order of priority, from 1.
    pub rank: usize,
    /// What it was chosen by: f of Algorithm 8, or the method's own score.
    pub f: f64,
    /// Why it was taken, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// The way from the root of the tree down to it; empty without a tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<StepJson>,
}

/// A step on the way down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StepJson {
    /// `N` or `S`.
    pub role: char,
    /// The relation to its sibling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// The EDUs it covers, counted from 0, the second number not included.
    pub edus: (usize, usize),
}

/// What contradicts a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ContradictionJson {
    /// The line, counted from 0.
    pub line: usize,
    /// Who or what it is about.
    pub about: String,
    /// When.
    pub when: String,
    /// The state that the line tells.
    pub state: String,
    /// The state that is told against it.
    pub opposite: String,
    /// The document that tells it.
    pub doc: String,
    /// The EDU that tells it, counted from 0.
    pub edu: usize,
    /// What that says.
    pub text: String,
}

/// The JSON schema of a summary.
pub fn json_schema() -> String {
    crate::json::schema::<SummaryJson>()
}

impl SummaryJson {
    /// The machine form of a summary of these texts.
    pub fn of(
        texts: &[SourceText],
        summary: &Summary,
        contradictions: &[Contradiction],
        options: &SummaryOptions,
    ) -> SummaryJson {
        let unknown = Document::default();
        let document = |text: usize| texts.get(text).map_or(&unknown, |text| &text.document);
        let lines = summary.lines.iter().map(|line| {
            let source = document(line.text);
            LineJson {
                text: line.shown.clone(),
                doc: source.id.clone(),
                title: source.title.clone(),
                date: source.date.map(|date| date.to_string()),
                url: source.url.clone(),
                edus: line.edus.iter().map(|e| (e.start, e.end)).collect(),
                words: line.words,
                weight: line.weight,
                rank: line.rank,
                f: line.priority,
                why: texts
                    .get(line.text)
                    .map_or_else(Vec::new, |text| reasons(text, line)),
                path: line.path.iter().map(StepJson::from).collect(),
            }
        });
        let contradictions = contradictions.iter().map(|found| {
            let (text, edu) = found.against;
            let range = texts
                .get(text)
                .and_then(|text| text.analysis.edus.get(edu))
                .map(|edu| edu.range.clone());
            let source = document(text);
            ContradictionJson {
                line: found.line,
                about: found.about.clone(),
                when: found.when.clone(),
                state: found.states.0.clone(),
                opposite: found.states.1.clone(),
                doc: source.id.clone(),
                edu,
                text: source.slice(&range.unwrap_or_default()).trim().to_owned(),
            }
        });
        SummaryJson {
            method: options.method.as_str().to_owned(),
            length: options.length.to_string(),
            unit: options
                .unit
                .unwrap_or(options.method.default_unit())
                .as_str()
                .to_owned(),
            id: match texts {
                [only] => Some(only.document.id.clone()),
                _ => None,
            },
            cluster: None,
            texts: texts.len(),
            words: summary.words,
            edus: summary.edus,
            lines: lines.collect(),
            contradictions: contradictions.collect(),
        }
    }
}

/// Why a line was taken: where it stands in its text and in its tree.
fn reasons(text: &SourceText, line: &Line) -> Vec<String> {
    let mut why = Vec::new();
    let first = line.edus.first().map_or(0, |edus| edus.start);
    let edu = text.analysis.edus.get(first);
    let is_heading = |edu: &&crate::text::Edu| {
        let block = text.document.blocks.get(edu.block);
        block.is_some_and(|block| matches!(block.kind, BlockKind::Heading(_)))
    };
    let before = first
        .checked_sub(1)
        .and_then(|at| text.analysis.edus.get(at));
    let opens_block = edu.is_some_and(|edu| before.is_none_or(|before| before.block != edu.block));
    let mut content = text.analysis.edus.iter().enumerate();
    let lede = content.find(|(_, edu)| !is_heading(edu)).map(|(at, _)| at);
    if lede == Some(first) {
        why.push("opens its text".to_owned());
    } else if opens_block {
        why.push("opens its paragraph".to_owned());
    }
    why.extend(satellite_steps(&line.path));
    why
}

/// How many satellites stand on the way down, in words; nothing without a tree.
pub(super) fn satellite_steps(path: &[super::PathStep]) -> Option<String> {
    let steps = path.iter().filter(|step| step.role.letter() == 'S').count();
    (!path.is_empty()).then(|| match steps {
        0 => "no satellite step".to_owned(),
        1 => "one satellite step".to_owned(),
        steps => format!("{steps} satellite steps"),
    })
}

impl From<&super::PathStep> for StepJson {
    fn from(step: &super::PathStep) -> StepJson {
        StepJson {
            role: step.role.letter(),
            relation: step.relation.as_deref().map(str::to_owned),
            edus: (step.edus.start, step.edus.end),
        }
    }
}
