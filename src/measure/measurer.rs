//! What measuring needs beside the nodes.

use std::sync::Arc;

use super::leaf::{Leaf, Text};
use super::span::ParsedSpan;
use crate::schema::{RhetoricId, Schema};

/// A text to measure, with what depends on the schema alone.
#[derive(Debug, Clone, Copy)]
pub struct Measurer<'t> {
    /// The text.
    pub text: &'t Text,
    /// What depends on the schema alone.
    pub tables: &'t Tables,
}

/// What depends on the schema alone.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    /// The coarse class of each rhetorical relation, as a number; 0 is `none`.
    classes: Vec<u32>,
    /// The names of the classes, `none` first.
    pub class_names: Vec<Arc<str>>,
    /// For each cue class, those that answer it: cue numbers.
    answers: Vec<Vec<u16>>,
}

impl Tables {
    /// The tables of a schema.
    pub fn new(schema: &Schema) -> Tables {
        let mut class_names: Vec<Arc<str>> = vec!["none".into()];
        let mut classes = Vec::new();
        for rhetoric in &schema.rhetoric {
            let known = class_names
                .iter()
                .position(|name| **name == *rhetoric.class);
            let at = known.unwrap_or_else(|| {
                class_names.push(rhetoric.class.as_str().into());
                class_names.len() - 1
            });
            classes.push(at as u32);
        }
        let number = |name: &String| {
            let at = schema.cues.iter().position(|class| class.name == *name)?;
            u16::try_from(at + 1).ok()
        };
        // Cue numbers begin at 1: 0 is no cue, and nothing answers it.
        let mut answers = vec![Vec::new()];
        answers.extend(schema.cues.iter().map(|class| {
            let named = class.answered_by.iter().filter_map(number);
            named.collect::<Vec<u16>>()
        }));
        Tables {
            classes,
            class_names,
            answers,
        }
    }
}

impl Tables {
    /// The coarse class of a rhetorical relation, an index into the names of classes.
    pub fn class(&self, relation: RhetoricId) -> Option<u32> {
        self.classes.get(relation.index()).copied()
    }
}

impl<'t> Measurer<'t> {
    /// The first EDU of a node.
    pub(super) fn first(&self, node: &ParsedSpan) -> &'t Leaf {
        &self.text.leaves[node.first as usize]
    }

    /// Its last EDU.
    pub(super) fn last(&self, node: &ParsedSpan) -> &'t Leaf {
        &self.text.leaves[node.last as usize]
    }

    /// The EDU that its nuclei lead to.
    pub(super) fn head(&self, node: &ParsedSpan) -> &'t Leaf {
        &self.text.leaves[node.head as usize]
    }

    /// How strong the break between two neighbours is, an index into the levels.
    pub fn level(&self, a: &ParsedSpan, b: &ParsedSpan) -> Option<u8> {
        (a.last + 1 == b.first).then(|| self.last(a).level_after)
    }

    /// True when a cue at the start of the second answers one at the start of the first.
    pub(super) fn paired(&self, a: &ParsedSpan, b: &ParsedSpan) -> bool {
        let second = &self.first(b).cues;
        self.first(a).cues.iter().any(|cue| {
            let answers = self.tables.answers.get(usize::from(*cue));
            answers.is_some_and(|answers| second.iter().any(|cue| answers.contains(cue)))
        })
    }
}
