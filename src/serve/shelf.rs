//! The texts of a project, and the list that shows them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::bench::{Bench, Fact};
use super::messages::{Caller, TextRow, TextsAnswer, TextsAsk};
use crate::behavior::{Forest, label_file_name, read_label};
use crate::error::Result;
use crate::project::Project;
use crate::text::corpus;
use crate::text::{BlockKind, Document};

/// Where pasted and imported texts go.
pub(super) const TEXTS: &str = "texts";

/// The most texts that are held; a corpus that is larger is worked on in parts.
const MOST_TEXTS: usize = 50_000;

/// How many characters of a text stand for a headline.
const TITLE: usize = 40;

/// The texts by their ids, in the order in which they were read.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    order: Vec<String>,
    documents: BTreeMap<String, Arc<Document>>,
    notes: Vec<String>,
}

impl Shelf {
    /// Reads the project's corpus and its folder `texts`; without a project, the folder's texts.
    pub(super) fn read(folder: &Path, project: Option<&Project>) -> Result<Shelf> {
        let mut named: Vec<PathBuf> = match project {
            None => vec![folder.to_owned()],
            Some(project) => {
                let texts = folder.join(project.path(TEXTS));
                let corpus = project.corpus().map(|corpus| folder.join(corpus));
                corpus.into_iter().chain([texts]).collect()
            }
        };
        named.retain(|path| path.exists());
        named.dedup();
        let mut shelf = Shelf::default();
        let mut found = corpus::find_texts(&named)?;
        if !found.passed_over.is_empty() {
            shelf.notes.push(found.passed_over.to_string());
        }
        found
            .files
            .retain(|file| file.extension().is_none_or(|ending| ending != "case"));
        for file in found.files {
            let reader = match corpus::open(&file, None) {
                Ok(reader) => reader,
                Err(error) => {
                    shelf.notes.push(error.to_string());
                    continue;
                }
            };
            for read in reader {
                match read {
                    Ok(document) => shelf.add(document),
                    Err(skip) => shelf.notes.push(skip.to_string()),
                }
            }
        }
        Ok(shelf)
    }

    fn add(&mut self, document: Document) {
        if self.order.len() >= MOST_TEXTS {
            if self.order.len() == MOST_TEXTS {
                self.notes
                    .push(format!("only the first {MOST_TEXTS} texts are shown"));
            }
            return;
        }
        if self.documents.contains_key(&document.id) {
            self.notes.push(format!(
                "there are two texts `{}`; the first is shown",
                document.id
            ));
            return;
        }
        self.order.push(document.id.clone());
        self.documents
            .insert(document.id.clone(), Arc::new(document));
    }

    pub(super) fn document(&self, id: &str) -> Option<Arc<Document>> {
        self.documents.get(id).cloned()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }
}

/// The headline, or how the text begins.
pub(super) fn title_of(document: &Document) -> String {
    if let Some(title) = &document.title {
        return title.clone();
    }
    let heading = document
        .blocks
        .iter()
        .find(|block| block.kind == BlockKind::Heading(0));
    let first = heading.or_else(|| document.blocks.first());
    let text = first
        .map(|block| document.block_text(block))
        .unwrap_or_default();
    let mut title: String = text.chars().take(TITLE).collect();
    if text.chars().count() > TITLE {
        title.push('…');
    }
    title
}

/// What is known of a text's labels.
#[derive(Default)]
struct Labelled {
    annotators: Vec<String>,
    seconds: f64,
    done: Vec<Forest>,
}

impl Labelled {
    fn read(folders: &[PathBuf], id: &str) -> Labelled {
        let name = label_file_name(id);
        let mut all = Labelled::default();
        for folder in folders {
            let file = folder.join(&name);
            if !file.is_file() {
                continue;
            }
            let Some(label) = read_label(&file).ok().and_then(|file| file.label) else {
                continue;
            };
            all.annotators.push(label.header.annotator.to_string());
            all.seconds += label.seconds();
            if label.is_complete() {
                all.done.push(label.forest());
            }
        }
        all
    }

    fn state(&self) -> &'static str {
        let differ = self
            .done
            .windows(2)
            .any(|pair| pair[0].knots() != pair[1].knots());
        match (self.annotators.len(), self.done.len()) {
            (0, _) => "parsed",
            _ if differ => "disputed",
            (_, 0) => "work",
            _ => "done",
        }
    }
}

impl Bench {
    /// The list of texts.
    pub(super) fn texts(&self, _: &Caller, ask: TextsAsk) -> Result<TextsAnswer> {
        let facts = self.facts();
        let folders = self.label_folders();
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        let mut rows = Vec::with_capacity(shelf.order.len());
        for id in shelf.ids() {
            let Some(document) = shelf.document(id) else {
                continue;
            };
            let labelled = Labelled::read(&folders, id);
            let fact = facts.get(id);
            rows.push(TextRow {
                id: id.to_owned(),
                title: title_of(&document),
                edus: fact.map(|fact| fact.edus),
                state: labelled.state(),
                minutes: labelled.seconds / 60.0,
                annotators: labelled.annotators,
                confidence: fact.map(|fact| fact.confidence),
                worth: None,
            });
        }
        let notes = shelf.notes.clone();
        drop(shelf);
        if ask.worth {
            rank(&mut rows, &facts);
        }
        let measured = rows.iter().filter(|row| row.edus.is_some()).count();
        Ok(TextsAnswer {
            texts: rows,
            measured,
            notes,
        })
    }
}

/// The texts that nobody finished, those first on which the grammar is least sure.
fn rank(rows: &mut [TextRow], facts: &BTreeMap<String, Fact>) {
    let confidence = |row: &TextRow| facts.get(&row.id).map_or(1.0, |fact| fact.confidence);
    let mut order: Vec<usize> = (0..rows.len())
        .filter(|at| rows[*at].state != "done" && rows[*at].edus.is_some_and(|edus| edus > 1))
        .collect();
    order.sort_by(|a, b| {
        let by = confidence(&rows[*a]).total_cmp(&confidence(&rows[*b]));
        by.then(rows[*a].id.cmp(&rows[*b].id))
    });
    for (worth, at) in order.into_iter().enumerate() {
        rows[at].worth = Some(worth + 1);
    }
}
