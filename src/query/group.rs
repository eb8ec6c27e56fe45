//! Hits counted by what they answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::bank::{Bank, Treebank};
use super::hits::Hit;
use crate::diagnostic::Source;
use crate::error::Result;
use crate::grammar::formula::Formula;
use crate::grammar::load_tree_value;

/// What stands for an answer that there is not.
const UNKNOWN: &str = "unknown";

/// What hits are asked, to count them by it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// As it is written.
    pub text: String,
    what: What,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    /// `id`: the text.
    Text,
    /// `roles`: `NS`, `SN` or `NN`.
    Roles,
    /// What a formula comes to.
    Value(Formula),
}

/// Reads what hits are asked: `id`, `roles`, or anything that has a value: `B.cue`, `level(A, B)`.
pub fn load_asked(text: &str, bank: &Treebank) -> Result<Asked> {
    let what = match text {
        "id" => What::Text,
        "roles" => What::Roles,
        _ => What::Value(load_tree_value(&Source::new("by", text), &bank.schema)?),
    };
    let text = text.to_owned();
    Ok(Asked { text, what })
}

impl Asked {
    /// What a node answers.
    pub fn answer(&self, bank: &Bank, hit: Hit) -> String {
        let node = bank.asked.tree().node(hit.node);
        match &self.what {
            What::Text => bank.id().to_owned(),
            What::Roles => {
                let roles = node.pair().map(|pair| pair.roles);
                roles.map_or(UNKNOWN, |roles| roles.as_str()).to_owned()
            }
            What::Value(formula) => {
                let value = formula.evaluate(&bank.asked.facts(hit.node));
                value.map_or_else(|| UNKNOWN.to_owned(), |value| value.to_string())
            }
        }
    }
}

/// Hits that answer alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The answers, one for each question.
    pub answers: Vec<Arc<str>>,
    /// How many hits.
    pub count: usize,
}

/// Counts hits by their answers, the most frequent first.
pub fn group(bank: &Treebank, hits: &[Hit], asked: &[Asked]) -> Vec<Group> {
    let mut counts: BTreeMap<Vec<Arc<str>>, usize> = BTreeMap::new();
    for hit in hits {
        let Some(own) = bank.banks.get(hit.tree) else {
            continue;
        };
        let answers = asked.iter().map(|asked| asked.answer(own, *hit).into());
        *counts.entry(answers.collect()).or_default() += 1;
    }
    let mut groups: Vec<Group> = counts
        .into_iter()
        .map(|(answers, count)| Group { answers, count })
        .collect();
    groups.sort_by(|a, b| {
        b.count
            .cmp(&a.count)
            .then_with(|| a.answers.cmp(&b.answers))
    });
    groups
}
