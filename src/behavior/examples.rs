//! Examples from files: trees with their documents, or what annotators did.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Example, read_label};
use crate::automaton::Engine;
use crate::diagnostic::{Diagnostic, any_error};
use crate::error::{Error, Result};
use crate::grammar::Grammar;
use crate::schema::Schema;
use crate::text::corpus::{self, TextFiles};
use crate::text::{Analyzer, Document};
use crate::tree::{self, Tree};

/// Examples that were read, in the order of their ids.
#[derive(Debug, Default)]
pub struct ReadExamples {
    /// The examples.
    pub examples: Vec<Example>,
    /// What is odd in the trees.
    pub warnings: Vec<Diagnostic>,
    /// What was left out, a line each.
    pub notes: Vec<String>,
}

/// Reads the trees of a file or folder and pairs them with their documents by id. Without documents
/// a tree has the paragraphs that it knows of. A folder of labels gives what annotators did.
pub fn read_examples(
    trees: &Path,
    docs: Option<&Path>,
    schema: &Arc<Schema>,
) -> Result<ReadExamples> {
    let labels = label_files(trees)?;
    if !labels.is_empty() {
        return read_labelled(&labels, schema);
    }
    let read = tree::read_all(trees, None)?;
    if any_error(&read.diagnostics) {
        return Err(Error::Invalid(read.diagnostics));
    }
    let mut all = ReadExamples {
        warnings: read.diagnostics,
        ..ReadExamples::default()
    };
    let mut documents = match docs {
        Some(docs) => read_documents(docs, &mut all.notes)?,
        None => BTreeMap::new(),
    };
    let analyzer = Analyzer::new(schema);
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    for tree in read.trees {
        let id = tree.id.clone().unwrap_or_default();
        if tree.id.is_some() && !seen.insert(Arc::from(&*id)) {
            return Err(Error::Duplicate(format!("there are two trees of `{id}`")));
        }
        let document = match (documents.remove(&*id), docs) {
            (Some(document), _) => document,
            (None, None) => document_of_tree(&tree),
            (None, Some(docs)) => {
                return Err(Error::Missing(format!(
                    "there is no document `{id}` in `{}`",
                    docs.display()
                )));
            }
        };
        all.examples
            .push(Example::new(document, tree, &analyzer, schema)?);
    }
    all.examples.sort_by(|a, b| a.id().cmp(b.id()));
    Ok(all)
}

/// Reads the documents of a file or folder by their ids; what else a folder holds is noted.
pub fn read_documents(docs: &Path, notes: &mut Vec<String>) -> Result<BTreeMap<String, Document>> {
    let TextFiles { files, passed_over } = corpus::find_texts(&[docs.to_owned()])?;
    if !passed_over.is_empty() {
        notes.push(passed_over.to_string());
    }
    let mut documents = BTreeMap::new();
    for file in files {
        for document in corpus::open(&file, None)?.flatten() {
            documents.insert(document.id.clone(), document);
        }
    }
    Ok(documents)
}

/// The label files of a folder, or the one that is named.
fn label_files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = crate::files::find_files_and_tell(&[path.to_owned()])?;
    files.retain(|file| file.extension().is_some_and(|known| known == "label"));
    Ok(files)
}

/// Reads what annotators did; labels that are not finished are noted and left out.
fn read_labelled(files: &[PathBuf], schema: &Arc<Schema>) -> Result<ReadExamples> {
    let analyzer = Analyzer::new(schema);
    let engine = Arc::new(Engine::new(Grammar {
        schema: Arc::clone(schema),
        ..Grammar::default()
    }));
    let mut all = ReadExamples::default();
    for file in files {
        let mut read = read_label(file)?;
        let labelling = read.replay(&engine);
        let (label, labelling) = match (read.label, labelling) {
            (Some(label), Some(done)) if !any_error(&read.diagnostics) => (label, done),
            _ => return Err(Error::Invalid(read.diagnostics)),
        };
        if !labelling.is_complete() {
            let unfinished = format!("`{}` is not finished and is left out", file.display());
            all.notes.push(unfinished);
            continue;
        }
        let tree = labelling.tree()?;
        let example = Example::new(label.header.document, tree, &analyzer, schema)?;
        let example = example.with_said(&labelling.said(), schema)?;
        all.examples.push(example);
    }
    all.examples.sort_by(|a, b| a.id().cmp(b.id()));
    Ok(all)
}

/// A document from what a tree knows of its text: paragraphs where it says so, else one.
pub fn document_of_tree(tree: &Tree) -> Document {
    let id = tree.id.as_deref().unwrap_or_default();
    let paragraphs = tree.edus.chunk_by(|a, b| a.block == b.block);
    let texts = paragraphs.map(|edus| edus.iter().map(|edu| edu.text.to_string()));
    Document::from_edus(id, texts)
}
