//! What made-up texts are made of: clauses with slots, words for the slots, topics.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::diagnostic::nearest;
use crate::error::{Error, Result};
use crate::schema::{RelationId, Schema};
use crate::text::words::tail_names;

/// Words for slots, by the names of the slots.
pub(super) type Words = BTreeMap<String, Vec<String>>;

/// Clauses, words and topics, with names resolved against a schema.
#[derive(Debug, Clone)]
pub struct Frames {
    /// Words for slots in every topic.
    pub(super) words: Words,
    /// Words to set before a clause, by the number of their cue class (index + 1).
    pub(super) cues: BTreeMap<u16, Vec<String>>,
    /// Words to set behind a clause, by the place of their class among the tails.
    pub(super) tails: BTreeMap<u8, Vec<String>>,
    /// All clauses.
    pub(super) clauses: Vec<String>,
    /// What texts are about.
    pub(super) topics: Vec<Topic>,
}

/// What texts are about.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) words: Words,
    pub(super) symbols: Vec<(RelationId, f64)>,
    /// For each rhetorical relation of the schema, how much the topic likes it.
    pub(super) relations: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    words: Words,
    #[serde(default)]
    cues: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    tails: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    relations: BTreeMap<String, f64>,
    frames: BTreeMap<String, Vec<String>>,
    topic: toml::map::Map<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicFile {
    share: f64,
    #[serde(default)]
    words: Words,
    #[serde(default)]
    symbols: BTreeMap<String, f64>,
    #[serde(default)]
    relations: BTreeMap<String, f64>,
}

/// Frames that ship in the binary, by the name of their schema.
const EMBEDDED: &[(&str, &str)] = &[("finance", include_str!("../../schemas/frames/finance.toml"))];

impl Frames {
    /// The shipped frames for a schema.
    pub fn embedded(schema: &Schema) -> Result<Frames> {
        match EMBEDDED.iter().find(|(name, _)| *name == schema.name) {
            Some((name, text)) => Frames::read(
                text,
                &format!("<embedded>/schemas/frames/{name}.toml"),
                schema,
            ),
            None => Err(Error::Usage(format!(
                "no frames for the schema `{}` are shipped; give a file with --frames",
                schema.name
            ))),
        }
    }

    /// Frames from a file.
    pub fn load(path: &Path, schema: &Schema) -> Result<Frames> {
        let text = crate::files::read_text(path)?;
        Frames::read(&text, &path.display().to_string(), schema)
    }

    /// Frames from TOML; `name` is what errors call it.
    pub fn read(text: &str, name: &str, schema: &Schema) -> Result<Frames> {
        let fail = |what: String| Error::Damaged(format!("`{name}`: {what}"));
        let file: File = toml::from_str(text).map_err(|error| fail(error.to_string()))?;
        let mut cues = BTreeMap::new();
        for (class, words) in file.cues {
            let known = schema.cues.iter().map(|cue| cue.name.as_str());
            let at = place(&class, known, "cue class").map_err(fail)?;
            cues.insert(at as u16 + 1, words);
        }
        let mut tails = BTreeMap::new();
        for (class, words) in file.tails {
            let known = tail_names().iter().copied();
            let at = place(&class, known, "class of final words").map_err(fail)?;
            tails.insert(at as u8, words);
        }
        let mut topics = Vec::new();
        for (topic, value) in file.topic {
            let read: TopicFile = value
                .try_into()
                .map_err(|error| fail(format!("topic `{topic}`: {error}")))?;
            topics.push(Topic::new(topic, read, &file.relations, schema).map_err(fail)?);
        }
        if topics.is_empty() {
            return Err(fail("there is no topic".to_owned()));
        }
        Ok(Frames {
            words: file.words,
            cues,
            tails,
            clauses: file.frames.into_values().flatten().collect(),
            topics,
        })
    }
}

impl Topic {
    fn new(
        name: String,
        file: TopicFile,
        usual: &BTreeMap<String, f64>,
        schema: &Schema,
    ) -> Result<Topic, String> {
        let mut symbols = Vec::new();
        for (symbol, weight) in &file.symbols {
            let known = schema.relations.iter().map(|r| r.name.as_str());
            let at = place(symbol, known, "symbol")?;
            symbols.push((RelationId(at as u32), *weight));
        }
        let mut relations = vec![1.0; schema.rhetoric.len()];
        for (relation, weight) in usual.iter().chain(&file.relations) {
            let known = schema.rhetoric.iter().map(|r| r.name.as_str());
            let at = place(relation, known, "rhetorical relation")?;
            if let Some(own) = relations.get_mut(at) {
                *own = *weight;
            }
        }
        let weights = file
            .symbols
            .values()
            .chain(file.relations.values())
            .chain(usual.values());
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if !weights.chain([&file.share]).all(is_weight) {
            return Err(format!("topic `{name}`: weights are numbers from 0 on"));
        }
        Ok(Topic {
            name,
            share: file.share,
            words: file.words,
            symbols,
            relations,
        })
    }

    /// The words for a slot.
    pub(super) fn words<'f>(&'f self, slot: &str, frames: &'f Frames) -> &'f [String] {
        let own = self.words.get(slot).or_else(|| frames.words.get(slot));
        own.map_or(&[], Vec::as_slice)
    }
}

fn place<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    what: &str,
) -> Result<usize, String> {
    known
        .clone()
        .position(|other| other == name)
        .ok_or_else(|| {
            let hint =
                nearest(name, known).map_or(String::new(), |near| format!("; is it `{near}`?"));
            format!("the schema knows no {what} `{name}`{hint}")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;

    #[test]
    fn misspelt_names_are_found() -> Result<()> {
        let schema = embedded_schema("finance")?;
        let read = |topic: &str| {
            let text = format!("[frames]\na = [\"涨\"]\n[topic.t]\nshare = 1\n{topic}\n");
            Frames::read(&text, "f.toml", &schema).map_err(|error| error.to_string())
        };
        assert!(read("").is_ok());
        let error = read("symbols = { Rize = 1 }").expect_err("misspelt");
        assert!(error.contains("`Rize`; is it `Rise`?"), "{error}");
        let error = read("relations = { causal-cose = 1 }").expect_err("misspelt");
        assert!(error.contains("causal-cause"), "{error}");
        assert!(read("symbols = { Rise = -1 }").is_err());
        Ok(())
    }

    #[test]
    fn shipped_frames_fit_the_schema() -> Result<()> {
        let frames = Frames::embedded(&embedded_schema("finance")?)?;
        assert!(frames.topics.len() >= 12 && frames.clauses.len() >= 200);
        Ok(())
    }
}
