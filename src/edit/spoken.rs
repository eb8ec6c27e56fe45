//! How often each rule speaks over the project's cases, and how often it is right.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::workspace::Workspace;
use crate::automaton::cases::read_cases;
use crate::automaton::{Coverage, Engine, ParseOptions};
use crate::behavior::Oracle;
use crate::diagnostic::{any_error, plural};

/// How often rules spoke over some texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Spoken {
    /// How many texts were looked at.
    pub texts: usize,
    /// By the ids of rules and tables.
    pub rules: BTreeMap<String, RuleSpoken>,
}

/// How often a rule spoke.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RuleSpoken {
    /// Its pattern and its reason held.
    pub spoke: u64,
    /// What it spoke for is what the expected tree has.
    pub right: u64,
    /// The texts in which it spoke, each with its file.
    pub texts: Vec<(PathBuf, String)>,
}

impl Spoken {
    /// What is known of a rule, in a line.
    pub(super) fn tell(&self, id: &str) -> String {
        match self.rules.get(id) {
            Some(own) if own.spoke > 0 => format!(
                "spoke {}, right {}, in {} of {}",
                own.spoke,
                own.right,
                own.texts.len(),
                plural(self.texts, "case")
            ),
            _ => format!("never spoke in {}", plural(self.texts, "case")),
        }
    }
}

impl Workspace {
    /// Counts how often every rule of a file's grammar speaks over the cases with trees that test it, along
    /// the expected trees. Lenses and hovers tell it until it is counted again.
    pub fn count(&mut self, path: &Path) -> Option<Spoken> {
        let root = self.root_of(path);
        let checked = self.checked_root(&root)?;
        if any_error(&checked.problems) {
            return None;
        }
        let engine = Engine::new(checked.loaded.grammar.clone());
        let options = ParseOptions::default();
        let mut spoken = Spoken::default();
        for file in self.case_files() {
            if self.grammar_of_cases(&file).as_ref() != Some(&root) {
                continue;
            }
            let Some(source) = self.text(&file) else {
                continue;
            };
            for case in read_cases(&source)
                .cases
                .iter()
                .filter(|case| !case.asks.skip)
            {
                let Some(tree) = &case.tree else { continue };
                let Ok(oracle) = Oracle::new(tree, engine.schema()) else {
                    continue;
                };
                let text = engine.parse_with(&case.document, &options).text;
                if oracle.edus() != text.len() {
                    continue;
                }
                let coverage = Coverage::of_decisions(&text, &engine, &oracle.actions());
                spoken.add(&coverage, engine.grammar(), (&file, &case.name));
            }
        }
        self.counted.insert(root, spoken.clone());
        Some(spoken)
    }

    /// What was counted last for the grammar of a file.
    pub fn spoken(&mut self, path: &Path) -> Option<&Spoken> {
        let root = self.root_of(path);
        self.counted.get(&root)
    }
}

impl Spoken {
    fn add(
        &mut self,
        coverage: &Coverage,
        grammar: &crate::grammar::Grammar,
        (file, name): (&Path, &str),
    ) {
        self.texts += 1;
        for used in coverage.report(grammar).rules {
            let own = self.rules.entry(used.rule).or_default();
            own.spoke += used.spoke;
            own.right += used.won;
            if used.spoke > 0 {
                own.texts.push((file.to_owned(), name.to_owned()));
            }
        }
    }
}
