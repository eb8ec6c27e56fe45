//! The account of a corpus: what was kept, what was dropped, and why.

use std::collections::BTreeMap;

use super::{Skip, SkipReason};
use crate::diagnostic::plural;
use crate::files::PassedOver;

/// How many examples of each reason are kept.
const EXAMPLES: usize = 3;

/// The account of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents kept.
    pub kept: u64,
    /// Documents dropped because they repeat an earlier one.
    pub dropped_duplicates: u64,
    /// Files of folders that are no texts.
    pub passed_over: PassedOver,
    skipped: BTreeMap<SkipReason, (u64, Vec<Skip>)>,
}

impl Tally {
    /// Counts something that was not taken.
    pub fn skip(&mut self, skip: Skip) {
        let (count, examples) = self.skipped.entry(skip.reason).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(skip);
        }
    }

    /// How often that reason was met.
    pub fn count(&self, reason: SkipReason) -> u64 {
        self.skipped.get(&reason).map_or(0, |(count, _)| *count)
    }

    /// All documents that were met: the kept ones and those lost whole.
    pub fn documents(&self) -> u64 {
        let lost = self.skipped.iter();
        let lost = lost.filter(|(reason, _)| reason.loses_document());
        self.kept + self.dropped_duplicates + lost.map(|(_, (count, _))| count).sum::<u64>()
    }

    /// The account for people: a line a reason, with examples.
    pub fn report(&self) -> String {
        let documents = plural(self.documents() as usize, "document");
        let mut text = format!("{documents}: {} kept\n", self.kept);
        for (reason, (count, examples)) in &self.skipped {
            let dropped =
                reason.loses_document() || (reason.is_duplicate() && self.dropped_duplicates > 0);
            let fate = if dropped { "dropped" } else { "noted" };
            text.push_str(&format!("  {count} {fate}: {}\n", reason.as_str()));
            for skip in examples {
                text.push_str(&format!("      {skip}\n"));
            }
        }
        if !self.passed_over.is_empty() {
            text.push_str(&format!("{}\n", self.passed_over));
        }
        text
    }

    /// The account for machines.
    pub fn to_json(&self) -> serde_json::Value {
        let skipped: serde_json::Map<String, serde_json::Value> = self
            .skipped
            .iter()
            .map(|(reason, (count, examples))| {
                let examples: Vec<String> = examples.iter().map(Skip::to_string).collect();
                let entry = serde_json::json!({
                    "count": count,
                    "drops_document": reason.loses_document(),
                    "examples": examples,
                });
                (reason.as_str().to_owned(), entry)
            })
            .collect();
        serde_json::json!({
            "documents": self.documents(), "kept": self.kept, "skipped": skipped,
            "passed_over": self.passed_over.counts().collect::<std::collections::BTreeMap<_, _>>(),
        })
    }
}
