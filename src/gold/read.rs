//! Gold trees from regression cases and tree files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::GoldText;
use crate::automaton::cases::{Case, is_case_file, read_case_file};
use crate::behavior::{document_of_tree, read_documents};
use crate::diagnostic::any_error;
use crate::error::{Error, Result};
use crate::text::Document;
use crate::tree::{self, Format, Tree};

/// Gold texts that were read.
#[derive(Debug, Clone, Default)]
pub struct ReadGold {
    /// The texts: each id once, cases before tree files.
    pub texts: Vec<GoldText>,
    /// What was left out, a line each.
    pub notes: Vec<String>,
}

/// Reads the gold trees of files and folders: regression cases, and trees in any known format. Trees take
/// their texts from the documents of `corpus`, matched by id; a tree without a document there brings its
/// own text.
pub fn read_gold(paths: &[PathBuf], corpus: Option<&Path>) -> Result<ReadGold> {
    let mut read = ReadGold::default();
    let mut documents = match corpus {
        Some(corpus) => read_documents(corpus, &mut read.notes)?,
        None => BTreeMap::new(),
    };
    let mut trees = Vec::new();
    for path in paths {
        if path.is_dir() {
            for file in crate::files::find_files_and_tell(std::slice::from_ref(path))? {
                if is_case_file(&file) {
                    read.texts.extend(cases_of(&file)?);
                } else if holds_trees(&file) {
                    trees.extend(trees_of(&file)?);
                }
            }
        } else if is_case_file(path) {
            read.texts.extend(cases_of(path)?);
        } else {
            trees.extend(trees_of(path)?);
        }
    }
    for (source, tree) in trees {
        let id = tree.id.as_deref().unwrap_or_default();
        let document = documents.remove(id).filter(Document::is_segmented);
        read.texts.push(gold_of_tree(tree, document, source));
    }
    let mut seen = BTreeSet::new();
    read.texts
        .retain(|text| seen.insert(text.document.id.clone()));
    Ok(read)
}

fn gold_of_tree(mut tree: Tree, document: Option<Document>, source: String) -> GoldText {
    let document = document.unwrap_or_else(|| document_of_tree(&tree));
    tree.locate(&document);
    GoldText {
        document,
        tree,
        source,
        is_case: false,
    }
}

fn holds_trees(file: &Path) -> bool {
    let format = Format::from_extension(file);
    format.is_some_and(|format| format.is_readable() && format != Format::Edus)
}

fn trees_of(file: &Path) -> Result<Vec<(String, Tree)>> {
    let read = tree::read_file(file, None)?;
    if any_error(&read.diagnostics) {
        return Err(Error::Invalid(read.diagnostics));
    }
    let name = file.display().to_string();
    let trees = read.trees.into_iter();
    Ok(trees.map(|tree| (name.clone(), tree)).collect())
}

fn cases_of(file: &Path) -> Result<Vec<GoldText>> {
    Ok(gold_of_cases(&read_case_file(file)?.into_result()?))
}

/// The gold texts of regression cases: those that expect a tree over EDUs that are given.
pub fn gold_of_cases(cases: &[Case]) -> Vec<GoldText> {
    let wanted = cases
        .iter()
        .filter(|case| !case.asks.skip && !case.asks.error && case.document.is_segmented());
    let gold = wanted.filter_map(|case| {
        let mut tree = case.tree.clone()?;
        tree.id = Some(case.document.id.as_str().into());
        // Trees of cases have numbers alone.
        for (edu, (_, range)) in tree.edus.iter_mut().zip(case.document.edus()) {
            edu.text = case.document.slice(&range).trim().into();
        }
        tree.locate(&case.document);
        Some(GoldText {
            document: case.document.clone(),
            tree,
            source: case.place.to_string(),
            is_case: true,
        })
    });
    gold.collect()
}
