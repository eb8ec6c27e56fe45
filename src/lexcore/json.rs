//! Cores as machines read them: offsets count characters of the document's text.

use serde::{Deserialize, Serialize};

use super::{Core, Part};
use crate::schema::Schema;
use crate::text::Document;

/// A core, one a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg lexical core")]
pub struct CoreJson {
    /// The document's id.
    pub doc: String,
    /// The EDU, counted from 0 through the document.
    pub edu: usize,
    /// When.
    pub time: Option<PartJson>,
    /// Who, or where.
    pub agent: Option<PartJson>,
    /// What.
    pub object: Option<PartJson>,
    /// How.
    pub state: PartJson,
    /// By how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<PartJson>,
    /// Compared with when: 同比, 环比.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<PartJson>,
    /// The state is denied.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
    /// The domain relation that the state triggers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
}

/// A component of a core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PartJson {
    /// Its text.
    pub text: String,
    /// First character.
    pub start: usize,
    /// Behind the last character.
    pub end: usize,
    /// Taken over from an earlier clause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inherited: bool,
    /// How it was found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// Of times: the days that are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl CoreJson {
    /// The JSON schema of a core.
    pub fn json_schema() -> String {
        crate::json::schema::<CoreJson>()
    }

    /// The machine form of a document's cores.
    pub fn of(document: &Document, cores: &[Core], schema: &Schema) -> Vec<CoreJson> {
        let mut characters = Characters::new(&document.text);
        let mut part = |part: &Part| PartJson {
            text: document.slice(&part.range).to_owned(),
            start: characters.before(part.range.start),
            end: characters.before(part.range.end),
            inherited: part.is_inherited(),
            found: part.found.as_str().to_owned(),
            value: None,
        };
        cores
            .iter()
            .map(|core| CoreJson {
                doc: document.id.clone(),
                edu: core.edu,
                time: core.time.as_ref().map(|time| PartJson {
                    value: core.when.map(|when| when.to_string()),
                    ..part(time)
                }),
                agent: core.agent.as_ref().map(&mut part),
                object: core.object.as_ref().map(&mut part),
                state: part(&core.state),
                amount: core.amount.as_ref().map(&mut part),
                basis: core.basis.as_ref().map(&mut part),
                negated: core.negated,
                relation: core
                    .relation
                    .map(|relation| schema.relation_name(relation).to_owned()),
            })
            .collect()
    }
}

/// Counts characters before byte offsets; one count of every 256 bytes is kept.
struct Characters<'a> {
    text: &'a str,
    counts: Vec<usize>,
}

const STRIDE: usize = 256;

impl<'a> Characters<'a> {
    fn new(text: &'a str) -> Characters<'a> {
        let mut counts = vec![0];
        let mut count = 0;
        for chunk in text.as_bytes().chunks(STRIDE) {
            count += chunk.iter().filter(|byte| starts_character(**byte)).count();
            counts.push(count);
        }
        Characters { text, counts }
    }

    fn before(&mut self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let stride = byte / STRIDE;
        let rest = &self.text.as_bytes()[stride * STRIDE..byte];
        self.counts[stride] + rest.iter().filter(|byte| starts_character(**byte)).count()
    }
}

fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_right_everywhere() {
        let text = "沪指a".repeat(200);
        let mut characters = Characters::new(&text);
        for (count, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(characters.before(byte), count);
        }
        assert_eq!(characters.before(usize::MAX), 600);
    }
}
