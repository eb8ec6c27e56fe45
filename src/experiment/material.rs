//! The texts of an experiment, with what is known of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::automaton::cases::{Case, is_case_file, read_case_file};
use crate::demo;
use crate::error::Result;
use crate::text::{Document, corpus};
use crate::tree::Tree;

/// Texts, gold trees by the ids of their texts, and texts that tell of one event.
#[derive(Debug, Default)]
pub struct Material {
    /// The texts.
    pub documents: Vec<Document>,
    /// Their gold trees, where they have one.
    pub gold: BTreeMap<String, Tree>,
    /// Places of texts that tell of one event, where that is known.
    pub events: Vec<Vec<usize>>,
}

impl Material {
    /// The demo corpus.
    pub fn of_demo() -> Result<Material> {
        let cases = demo::corpus()?;
        let mut material = Material {
            events: find_events(&cases),
            ..Material::default()
        };
        material.add_cases(cases);
        Ok(material)
    }

    /// Reads the texts of files; regression cases bring their trees.
    pub fn read(files: &[PathBuf]) -> Result<Material> {
        let mut material = Material::default();
        for file in files {
            if is_case_file(file) {
                material.add_cases(read_case_file(file)?.into_result()?);
            } else {
                let documents = corpus::open(file, None)?.flatten();
                material.documents.extend(documents);
            }
        }
        Ok(material)
    }

    /// Adds gold trees that name their texts.
    pub fn add_gold(&mut self, trees: Vec<Tree>) {
        for tree in trees {
            if let Some(id) = tree.id.clone() {
                self.gold.insert(id.to_string(), tree);
            }
        }
    }

    fn add_cases(&mut self, cases: Vec<Case>) {
        for case in cases {
            if let Some(tree) = case.tree {
                self.gold.insert(case.document.id.clone(), tree);
            }
            self.documents.push(case.document);
        }
    }
}

/// Cases that stand in one file tell of one event, but for those that stand alone.
fn find_events(cases: &[Case]) -> Vec<Vec<usize>> {
    let mut events: Vec<Vec<usize>> = Vec::new();
    let mut last = None;
    for (at, case) in cases.iter().enumerate() {
        let name = case.source().name().to_owned();
        if name.contains("singles") {
            continue;
        }
        if last.as_ref() != Some(&name) {
            events.push(Vec::new());
            last = Some(name);
        }
        if let Some(event) = events.last_mut() {
            event.push(at);
        }
    }
    events
}
