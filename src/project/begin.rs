//! How a project begins: a grammar that works, on texts that are there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::overlay::{self, Base, Language};
use crate::automaton::Engine;
use crate::automaton::cases::Case;
use crate::behavior::{Annotator, GoldTrees, Labelling, label_file_name};
use crate::demo::events;
use crate::error::{Error, Result};
use crate::files;
use crate::grammar::{embedded_grammar, embedded_texts};
use crate::json;
use crate::tree::{Format, WriteOptions, write};

/// The shipped grammar that a project begins with, and what it is called there.
const GRAMMAR: &str = "seed";
const CALLED: &str = "finance";
/// The events of the demo corpus that its texts tell.
const EVENTS: [&str; 3] = ["cpi", "oil", "rates"];
/// How many texts are labelled.
const LABELS: usize = 2;

macro_rules! own_files {
    ($($path:literal)*) => {
        /// Files of `examples/init`.
        const OWN: &[(&str, &str)] = &[
            $(($path, include_str!(concat!("../../examples/init/", $path)))),*
        ];
    };
}

own_files! {
    "arsg.toml"
    "README.md"
    "check.sh"
    "github-workflow.yml"
    "out-gitignore"
    "cases/causes.case"
    "cases/contrasts.case"
    "cases/sources.case"
    "texts/today.txt"
}

/// The scripts of the action for pull requests.
const REVIEW: [(&str, &str); 2] = [
    (".github/review.sh", include_str!("../../action/review.sh")),
    (".github/post.sh", include_str!("../../action/post.sh")),
];

/// What a file of `examples/init` is called in a project, where that is something else.
const RENAMED: &[(&str, &str)] = &[
    ("out-gitignore", "out/.gitignore"),
    ("github-workflow.yml", ".github/workflows/grammar.yml"),
];

/// A project that was just begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// Its folder.
    pub folder: PathBuf,
    /// Its files, as seen from there, sorted.
    pub files: Vec<String>,
}

/// Begins a project in a folder, which need not be there yet. Nothing is written when any of the
/// files is there already.
pub fn begin(folder: &Path) -> Result<Begun> {
    write_all(folder, contents()?)
}

/// Begins a project whose grammar is one rule on top of a shipped grammar, or on top of nothing, with a
/// case that shows it. Like [`begin`], it overwrites nothing.
pub fn begin_on(folder: &Path, base: Base, language: Language) -> Result<Begun> {
    write_all(folder, overlay::contents(base, language)?)
}

pub(super) fn write_all(folder: &Path, mut files: Vec<(String, String)>) -> Result<Begun> {
    files.sort();
    let there = files.iter().find(|(path, _)| folder.join(path).exists());
    if let Some((path, _)) = there {
        return Err(Error::Exists(format!(
            "`{}` is there already, and nothing was written; choose a new folder",
            folder.join(path).display()
        )));
    }
    let made_folder = !folder.exists();
    for (at, (path, text)) in files.iter().enumerate() {
        if let Err(error) = put(&folder.join(path), text) {
            let written = files.iter().take(at + 1);
            take_back(folder, written.map(|(path, _)| path.as_str()), made_folder);
            return Err(error);
        }
    }
    Ok(Begun {
        folder: folder.to_owned(),
        files: files.into_iter().map(|(path, _)| path).collect(),
    })
}

fn put(path: &Path, text: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        crate::files::disk::make_folder(parent)?;
    }
    files::replace(path, text.as_bytes())?;
    make_runnable(path)
}

/// Half a project would be in the way of the next attempt. What cannot be removed stays; the error
/// that led here is the one to tell.
fn take_back<'p>(folder: &Path, written: impl Iterator<Item = &'p str>, made_folder: bool) {
    for path in written {
        let path = folder.join(path);
        let _ = std::fs::remove_file(&path);
        let above = path.ancestors().skip(1);
        for parent in above.take_while(|parent| *parent != folder) {
            // Folders that hold something else stay.
            let _ = std::fs::remove_dir(parent);
        }
    }
    if made_folder {
        let _ = std::fs::remove_dir(folder);
    }
}

/// All files with their texts.
fn contents() -> Result<Vec<(String, String)>> {
    let mut files: Vec<(String, String)> = Vec::new();
    for (path, text) in OWN {
        let renamed = RENAMED.iter().find(|(from, _)| from == path);
        let path = renamed.map_or(*path, |(_, to)| to);
        files.push((path.to_owned(), (*text).to_owned()));
    }
    let review = REVIEW.iter();
    files.extend(review.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    files.extend(grammar_files());
    let cases = events(&EVENTS)?;
    files.push(("corpus/news.jsonl".to_owned(), documents(&cases)?));
    for case in &cases {
        if let Some(tree) = &case.tree {
            let path = format!("trees/{}.rs3", case.name);
            files.push((path, write(tree, Format::Rs3, &WriteOptions::default())));
        }
    }
    files.extend(labels(&cases)?);
    Ok(files)
}

/// The shipped grammar with its modules and its schema, in the folders of a project.
fn grammar_files() -> Vec<(String, String)> {
    let schema = format!("schemas/{CALLED}.toml");
    let main = format!("grammars/{GRAMMAR}.arsg");
    let modules = format!("grammars/{GRAMMAR}/");
    let files = embedded_texts().iter().filter_map(|(path, text)| {
        if *path == schema {
            return Some((schema.clone(), (*text).to_owned()));
        }
        let name = match path.strip_prefix(&modules) {
            Some(module) => module.to_owned(),
            None if *path == main => format!("{CALLED}.arsg"),
            None => return None,
        };
        Some((format!("grammars/{name}"), as_in_project(text)))
    });
    files.collect()
}

/// A shipped file whose modules stand beside it, not in a folder of their own.
fn as_in_project(text: &str) -> String {
    text.replace(&format!("\"{GRAMMAR}/"), "\"")
        .replace("\"../../schemas/", "\"../schemas/")
        .replace(
            &format!("grammar  {GRAMMAR} "),
            &format!("grammar  {CALLED} "),
        )
}

fn documents(cases: &[Case]) -> Result<String> {
    cases
        .iter()
        .map(|case| json::line(&case.document))
        .collect()
}

/// Labels of the first texts, as `arsg annotate --gold` makes them.
fn labels(cases: &[Case]) -> Result<Vec<(String, String)>> {
    let engine = Arc::new(Engine::new(embedded_grammar(GRAMMAR)?));
    let trees = cases.iter().filter_map(|case| case.tree.clone());
    let mut gold = GoldTrees::new("gold", trees);
    let mut files = Vec::new();
    for case in cases.iter().take(LABELS) {
        let mut labelling = Labelling::new(&engine, &case.document, gold.name());
        gold.annotate(&mut labelling)?;
        let path = format!("labels/{}", label_file_name(&case.name));
        files.push((path, labelling.label().to_lines()?));
    }
    Ok(files)
}

/// Scripts may be run.
#[cfg(unix)]
fn make_runnable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if path.extension().is_none_or(|ending| ending != "sh") {
        return Ok(());
    }
    let metadata = std::fs::metadata(path).map_err(|error| Error::read(path, error))?;
    let mut permissions = metadata.permissions();
    // Whoever may read it may run it.
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    std::fs::set_permissions(path, permissions).map_err(|error| Error::write(path, error))
}

#[cfg(not(unix))]
fn make_runnable(_path: &Path) -> Result<()> {
    Ok(())
}
