//! The simplest rules that can be learned.

use std::collections::{BTreeMap, BTreeSet};

use super::{Rules, Sizes};
use crate::error::Result;

/// Rules that are nothing but names with numbers of instances; a label is a list of names. It shows
/// what the loop asks of rules, and what the loop itself costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleCounts {
    counts: BTreeMap<String, u64>,
    labels: BTreeMap<String, Vec<String>>,
}

/// Names that begin so are precedences.
const PREFER: &str = "prefer ";

impl RuleCounts {
    /// The numbers of instances by name.
    pub fn counts(&self) -> &BTreeMap<String, u64> {
        &self.counts
    }
}

impl Rules for RuleCounts {
    type Label = Vec<String>;

    fn increase(&mut self, text: &str, label: &Vec<String>) -> Result<()> {
        for rule in label {
            *self.counts.entry(rule.clone()).or_default() += 1;
        }
        self.labels.insert(text.to_owned(), label.clone());
        Ok(())
    }

    fn enhance(&mut self, text: &str, times: u64) -> Result<()> {
        let rules: BTreeSet<&String> = self.labels.get(text).into_iter().flatten().collect();
        for rule in rules {
            *self.counts.entry(rule.clone()).or_default() += times;
        }
        Ok(())
    }

    fn sizes(&self) -> Sizes {
        let names = self.counts.keys();
        let precedences = names.filter(|name| name.starts_with(PREFER)).count();
        Sizes {
            productions: self.counts.len() - precedences,
            precedences,
        }
    }

    fn grammar(&mut self) -> Result<String> {
        let lines = self.counts.iter();
        Ok(lines
            .map(|(rule, count)| format!("{rule} x {count}\n"))
            .collect())
    }
}
