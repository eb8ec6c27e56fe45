//! Digests as machines read them.

use serde::{Deserialize, Serialize};

use super::super::SourceText;
use super::super::report::StepJson;
use super::piece::Piece;

/// A digest: stories, each in order of time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg digest")]
pub struct DigestJson {
    /// How many texts it is of.
    pub texts: usize,
    /// The first day that a text was written on, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The stories, those that most texts tell first.
    pub stories: Vec<StoryJson>,
    /// One line for each day that matters.
    pub timeline: Vec<TimelineJson>,
    /// What other texts are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherJson>,
    /// How many more stories there are.
    pub more: usize,
}

/// Texts of one event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StoryJson {
    /// What it is headed by.
    pub headline: String,
    /// The texts that tell it.
    pub sources: Vec<SourceJson>,
    /// The day of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The day of the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Its lines, in order of time.
    pub lines: Vec<DigestLineJson>,
}

/// A line of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DigestLineJson {
    /// The document or the item of a roundup that it is taken from.
    pub id: String,
    /// What is shown.
    pub text: String,
    /// The day that it tells of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The EDUs shown, counted from 0, the second number not included.
    pub edus: (usize, usize),
    /// How many characters it has.
    pub characters: usize,
    /// The texts that tell it, the one it is taken from first.
    pub sources: Vec<SourceJson>,
    /// What was said before of the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierJson>,
    /// What other texts say against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<AgainstJson>,
    /// Why it was taken, in words.
    pub why: Vec<String>,
    /// What it was chosen by.
    pub score: f64,
    /// The paragraph around it.
    pub around: String,
    /// The way from the root of the tree down to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<StepJson>,
}

/// A text that tells something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SourceJson {
    /// The document.
    pub doc: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The host of its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// An earlier version of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EarlierJson {
    /// What was said.
    pub text: String,
    /// What the line says, and what was said before.
    pub states: (String, String),
    /// Where.
    pub source: SourceJson,
}

/// What contradicts a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgainstJson {
    /// What is said.
    pub text: String,
    /// Who or what both are about.
    pub about: String,
    /// What the line says, and what is said against it.
    pub states: (String, String),
    /// Where.
    pub source: SourceJson,
}

/// A day that matters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TimelineJson {
    /// The day.
    pub date: String,
    /// What happened.
    pub text: String,
    /// How many texts tell it.
    pub sources: usize,
    /// Its story, counted from 0.
    pub story: usize,
}

/// A text that is not told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OtherJson {
    /// What it is headed by.
    pub headline: String,
    /// Where it is.
    pub source: SourceJson,
}

/// The JSON schema of a digest.
pub fn json_schema() -> String {
    crate::json::schema::<DigestJson>()
}

/// The document of a piece.
pub(super) fn source_of(piece: &Piece) -> SourceJson {
    let document = &piece.text.document;
    let id = document.id.as_str();
    let doc = if piece.is_item {
        id.rsplit_once('#').map_or(id, |(doc, _)| doc)
    } else {
        id
    };
    SourceJson {
        doc: doc.to_owned(),
        title: piece.document_title.clone(),
        date: document.date.map(|date| date.to_string()),
        url: document.url.clone(),
        site: document.url.as_deref().and_then(host).map(str::to_owned),
    }
}

/// The host of an address, without `www.`.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.strip_prefix("www.").unwrap_or(host);
    (!host.is_empty()).then_some(host)
}

/// The paragraph that EDUs lie in.
pub(super) fn sentence_around(text: &SourceText, edus: &std::ops::Range<usize>) -> String {
    let edu = text.analysis.edus.get(edus.start);
    let block = edu.and_then(|edu| text.document.blocks.get(edu.block));
    block.map_or_else(String::new, |block| {
        text.document.block_text(block).trim().to_owned()
    })
}

/// One line a day: what most texts tell, of equals what was chosen first.
pub(super) fn timeline(stories: &[StoryJson]) -> Vec<TimelineJson> {
    let mut days: std::collections::BTreeMap<&str, (usize, f64, usize, &DigestLineJson)> =
        std::collections::BTreeMap::new();
    for (number, story) in stories.iter().enumerate() {
        for line in &story.lines {
            let Some(date) = line.date.as_deref() else {
                continue;
            };
            let told = line.sources.len();
            let is_better = days.get(date).is_none_or(|(most, score, _, _)| {
                told > *most || (told == *most && line.score > *score)
            });
            if is_better {
                days.insert(date, (told, line.score, number, line));
            }
        }
    }
    let days = days.into_iter();
    days.map(|(date, (sources, _, story, line))| TimelineJson {
        date: date.to_owned(),
        text: line.text.clone(),
        sources,
        story,
    })
    .collect()
}
