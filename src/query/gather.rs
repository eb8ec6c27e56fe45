//! Trees and texts of files and folders, whatever their format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::automaton::cases::{is_case_file, read_case_file};
use crate::behavior::read_documents;
use crate::diagnostic::{Diagnostic, any_error};
use crate::error::{Error, Result};
use crate::files;
use crate::text::Document;
use crate::text::corpus;
use crate::tree::{Format, Tree, read_file};

/// A tree with what is known of its text.
#[derive(Debug, Clone)]
pub struct GoldText {
    /// The tree.
    pub tree: Tree,
    /// Its document, where there is one; else the tree knows its EDUs.
    pub document: Option<Document>,
    /// The file it stands in.
    pub file: PathBuf,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Trees, in the order of the files.
    pub trees: Vec<GoldText>,
    /// Texts without a tree.
    pub texts: Vec<(Document, PathBuf)>,
    /// What is odd in the trees.
    pub warnings: Vec<Diagnostic>,
    /// What else is to be said, a line each.
    pub notes: Vec<String>,
}

/// Finds the trees and texts of files and folders: trees by the endings of their files (`.json` and
/// `.jsonl` by what is in them), regression cases, and everything else as texts. `docs` are the
/// documents of trees whose formats leave out where paragraphs end.
pub fn gather(paths: &[PathBuf], docs: Option<&Path>) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    for path in paths {
        // Tree files of a folder are no texts there, and are read here.
        let texts = if path.is_dir() {
            Some(corpus::find_texts(std::slice::from_ref(path))?.files)
        } else {
            None
        };
        for file in files::find_files(std::slice::from_ref(path))?.files {
            let is_text = texts.as_ref().is_none_or(|texts| texts.contains(&file));
            gathered.take_file(file, is_text)?;
        }
    }
    if let Some(docs) = docs {
        let documents = read_documents(docs, &mut gathered.notes)?;
        gathered.join_documents(documents, docs);
    }
    if any_error(&gathered.warnings) {
        return Err(Error::Invalid(gathered.warnings));
    }
    if gathered.trees.is_empty() && gathered.texts.is_empty() {
        let named: Vec<String> = paths
            .iter()
            .map(|path| format!("`{}`", path.display()))
            .collect();
        let message = format!("there is no tree and no text in {}", named.join(", "));
        return Err(Error::Empty(message));
    }
    Ok(gathered)
}

impl Gathered {
    fn take_file(&mut self, file: PathBuf, is_text: bool) -> Result<()> {
        if is_case_file(&file) {
            for case in read_case_file(&file)?.into_result()? {
                let file = file.clone();
                match case.gold() {
                    Some(tree) => self.trees.push(GoldText {
                        tree,
                        document: Some(case.document),
                        file,
                    }),
                    None => self.texts.push((case.document, file)),
                }
            }
            return Ok(());
        }
        if let Some(format) = tree_format(&file)? {
            let read = read_file(&file, Some(format))?;
            self.warnings.extend(read.diagnostics);
            let found = read.trees.into_iter().map(|tree| GoldText {
                tree,
                document: None,
                file: file.clone(),
            });
            self.trees.extend(found);
        } else if is_text {
            let documents = corpus::open(&file, None)?.flatten();
            self.texts
                .extend(documents.map(|document| (document, file.clone())));
        }
        Ok(())
    }

    /// Gives every tree the document of its id.
    fn join_documents(&mut self, mut documents: BTreeMap<String, Document>, docs: &Path) {
        for gold in &mut self.trees {
            let id = gold.tree.id.as_deref().unwrap_or_default();
            match documents.remove(id) {
                Some(document) => gold.document = Some(document),
                None if gold.document.is_none() => self.notes.push(format!(
                    "there is no document `{id}` in `{}`: paragraphs as the tree has them",
                    docs.display()
                )),
                None => {}
            }
        }
    }
}

/// The format of a file that holds trees; nothing for other files.
fn tree_format(file: &Path) -> Result<Option<Format>> {
    match Format::from_extension(file) {
        Some(Format::Json) => Ok(holds_json_trees(file)?.then_some(Format::Json)),
        Some(Format::Edus) | None => Ok(None),
        Some(format) => Ok(format.is_readable().then_some(format)),
    }
}

/// True when the first object of a JSON file is a tree: it has nodes.
fn holds_json_trees(file: &Path) -> Result<bool> {
    #[derive(serde::Deserialize)]
    struct Beginning {
        #[serde(default)]
        nodes: Option<serde::de::IgnoredAny>,
    }
    let bytes = files::read_bytes(file)?;
    let mut objects = serde_json::Deserializer::from_slice(&bytes).into_iter::<Beginning>();
    Ok(matches!(objects.next(), Some(Ok(first)) if first.nodes.is_some()))
}

/// The document of a tree: its own, or one paragraph after another as far as the tree knows them.
pub(super) fn document_of(gold: &GoldText) -> Document {
    if let Some(document) = &gold.document {
        return document.clone();
    }
    let tree = &gold.tree;
    let id: Arc<str> = tree.id.clone().unwrap_or_default();
    let paragraphs = tree.edus.chunk_by(|a, b| a.block == b.block);
    let texts = paragraphs.map(|edus| edus.iter().map(|edu| edu.text.to_string()));
    Document::from_edus(&*id, texts)
}
