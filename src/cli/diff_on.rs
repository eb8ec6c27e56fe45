//! `arsg diff --on`: what a change of the grammar does to trees.

use std::collections::HashMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::input::text_files;
use super::numbers;
use super::terminal::Terminal;
use super::trees::read_all;
use crate::automaton::cases::is_case_file;
use crate::automaton::cases::read_case_file;
use crate::automaton::{Engine, ParseOptions, Review, Versus, VersusFigures, score_versus};
use crate::diagnostic::plural;
use crate::error::Result;
use crate::grammar::{Diff, Grammar};
use crate::schema::Schema;
use crate::text::{Document, corpus};
use crate::tree::{self, Figures, RelationGrain, Tree};

#[derive(clap::Args)]
pub(super) struct OnArgs {
    /// Also parse these texts with both grammars: case files, or any corpus
    #[arg(long, value_name = "FILE|DIR")]
    on: Vec<PathBuf>,
    /// Trees that should come out, matched by name (default: those of the cases)
    #[arg(long, value_name = "FILE|DIR", requires = "on")]
    gold: Option<PathBuf>,
    /// Columns for the trees of changed texts (20 to 10000)
    #[arg(long, value_name = "N", default_value_t = 160, value_parser = numbers::whole::<usize>(20, 10000))]
    width: usize,
}

/// What the change does.
pub(super) struct Effect {
    texts: Vec<Versus>,
    figures: VersusFigures,
    how: tree::ParsevalOptions,
    width: usize,
}

impl OnArgs {
    /// Parses with both grammars, if there is something to parse.
    pub(super) fn compare_trees(
        &self,
        old: &Grammar,
        new: &Grammar,
        terminal: &Terminal,
    ) -> Result<Option<Effect>> {
        if self.on.is_empty() {
            return Ok(None);
        }
        let mut documents = self.documents(terminal)?;
        if let Some(gold) = &self.gold {
            let mut trees: HashMap<String, Tree> = HashMap::new();
            for tree in read_all(gold, None, terminal)? {
                trees.insert(tree.id.as_deref().unwrap_or_default().to_owned(), tree);
            }
            for (document, tree) in &mut documents {
                *tree = trees.remove(&document.id);
            }
        }
        let (old, new) = (Engine::new(old.clone()), Engine::new(new.clone()));
        let options = ParseOptions::default();
        let texts: Vec<Versus> = documents
            .into_par_iter()
            .map(|(document, gold)| Versus::new(&document, &old, &new, gold, &options))
            .collect();
        let how = tree::ParsevalOptions {
            grain: RelationGrain::Coarse,
            bootstrap: 0,
            ..tree::ParsevalOptions::default()
        };
        let figures = score_versus(&texts, &how, new.schema());
        Ok(Some(Effect {
            texts,
            figures,
            how,
            width: self.width,
        }))
    }

    fn documents(&self, terminal: &Terminal) -> Result<Vec<(Document, Option<Tree>)>> {
        let mut documents = Vec::new();
        for file in text_files(&self.on, terminal)? {
            if is_case_file(&file) {
                let cases = read_case_file(&file)?.into_result()?;
                documents.extend(cases.into_iter().map(|case| (case.document, case.tree)));
            } else {
                let read = corpus::open(&file, None)?.flatten();
                documents.extend(read.map(|document| (document, None)));
            }
        }
        Ok(documents)
    }
}

impl Effect {
    fn changed(&self) -> impl Iterator<Item = &Versus> {
        self.texts.iter().filter(|text| text.is_changed())
    }

    /// For those who review the change.
    pub(super) fn review<'e>(&'e self, changes: &'e Diff, schema: &Schema) -> Review<'e> {
        Review::new(changes, &self.texts, self.figures, &self.how, schema)
    }

    /// For a pull request.
    pub(super) fn to_markdown(&self, changes: &Diff, schema: &Schema) -> String {
        let review = self.review(changes, schema);
        review.to_markdown(self.texts.len(), self.width)
    }

    /// For people.
    pub(super) fn to_text(&self) -> String {
        let changed = self.changed().count();
        let mut out = format!(
            "\n{}: {} with the same tree, {changed} changed\n",
            plural(self.texts.len(), "text"),
            self.texts.len() - changed
        );
        let mut line = |what: &str, figures: &Figures, how: &str| {
            let named = figures
                .named()
                .map(|(letter, counts)| format!("{letter} {:.1}", 100.0 * counts.f1()));
            out.push_str(&format!("{what}: {}{how}\n", named.join("  ")));
        };
        line(
            "new against old",
            &self.figures.between,
            "   (F1, relations by class)",
        );
        if let (Some(old), Some(new)) = (&self.figures.old, &self.figures.new) {
            line("old against gold", old, "");
            line("new against gold", new, "");
        }
        for text in self.changed() {
            out.push_str(&format!("\n{} (old | new)\n", text.id));
            for difference in &text.differences {
                out.push_str(&format!("{}\n", difference.as_change()));
            }
            if text.other_edus {
                out.push_str("the grammars divide it into different EDUs\n");
            }
            out.push_str(&text.draw_side_by_side(self.width));
        }
        out
    }

    /// For machines.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let figures = |figures: &Figures| {
            let named = figures
                .named()
                .map(|(letter, counts)| (letter, counts.f1()));
            serde_json::json!(std::collections::BTreeMap::from(named))
        };
        let texts: Vec<_> = self
            .texts
            .iter()
            .map(|text| {
                let differences: Vec<String> = text
                    .differences
                    .iter()
                    .map(|difference| difference.as_change())
                    .collect();
                serde_json::json!({
                    "id": &*text.id, "changed": text.is_changed(), "differences": differences,
                })
            })
            .collect();
        serde_json::json!({
            "texts": texts,
            "new_against_old": figures(&self.figures.between),
            "old_against_gold": self.figures.old.as_ref().map(figures),
            "new_against_gold": self.figures.new.as_ref().map(figures),
        })
    }
}
