//! Checking many files at once: any mix of grammars, modules, schemas and folders of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::model::Grammar;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::error::{Error, Result};
use crate::files::Files;
use crate::files::sources::normalize;
use crate::schema::Schema;

/// What checking some files came to.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The grammars and modules that were looked at.
    pub grammars: Vec<String>,
    /// The schemas that were looked at by themselves.
    pub schemas: Vec<String>,
    /// Everything found, each problem once.
    pub diagnostics: Vec<Diagnostic>,
    /// Links that lead out of the folders named, and were not followed.
    pub links: Vec<PathBuf>,
}

impl Checked {
    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.number_of(Severity::Error)
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.number_of(Severity::Warning)
    }

    fn number_of(&self, severity: Severity) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|diagnostic| diagnostic.severity() == severity)
            .count()
    }
}

/// Checks files: what ends in `.toml` is a schema, everything else a grammar; folders stand for the
/// grammars in them. A module that another of the grammars uses is checked as part of that.
pub fn check_paths(
    paths: &[PathBuf],
    files: &dyn Files,
    schema: Option<Arc<Schema>>,
) -> Result<Checked> {
    let mut checked = Checked::default();
    let mut seen = Seen::default();
    let mut grammars = Vec::new();
    let Expanded { files: all, links } = expand(paths)?;
    checked.links = links;
    for path in all {
        if path.extension().is_some_and(|ending| ending == "toml") {
            let name = path.display().to_string();
            let loaded = Schema::open(&path, files)?;
            let hidden = super::hidden_attributes(&loaded.schema);
            let found = loaded.diagnostics.into_iter().chain(hidden);
            checked
                .diagnostics
                .extend(found.filter(|found| seen.is_new(found)));
            checked.schemas.push(name);
        } else {
            let loaded = Grammar::load(&path, files, schema.clone())?;
            grammars.push((path, loaded));
        }
    }
    let is_part = |path: &Path| {
        let name = normalize(path).display().to_string();
        grammars.iter().any(|(other, loaded)| {
            other != path
                && loaded.grammar.start.is_some()
                && loaded.grammar.modules.contains(&name)
        })
    };
    for (path, loaded) in &grammars {
        checked.grammars.push(path.display().to_string());
        if !is_part(path) {
            let found = loaded.check().into_iter();
            checked
                .diagnostics
                .extend(found.filter(|found| seen.is_new(found)));
        }
    }
    Ok(checked)
}

/// The problems reported so far: those of a module or a schema show up in every grammar that uses it.
#[derive(Default)]
struct Seen(FxHashSet<(Code, Option<At>, String)>);

/// The name of a source, and where in it.
type At = (String, usize);

impl Seen {
    fn is_new(&mut self, found: &Diagnostic) -> bool {
        let place = found.place.as_ref();
        let place = place.map(|at| (at.source().name().to_owned(), at.range().start));
        self.0.insert((found.code, place, found.message.clone()))
    }
}

/// The files that some paths stand for.
#[derive(Debug, Clone, Default)]
pub struct Expanded {
    /// Files as they were named, and the grammars in folders.
    pub files: Vec<PathBuf>,
    /// Links to grammars that lead out of the folders named; they are not followed.
    pub links: Vec<PathBuf>,
}

/// Files as they are, folders as the grammars in them. A folder without grammars is an error.
pub fn expand(paths: &[PathBuf]) -> Result<Expanded> {
    let mut all = Expanded::default();
    for path in paths {
        if !path.is_dir() {
            all.files.push(path.clone());
            continue;
        }
        let (inside, links): (Vec<PathBuf>, Vec<PathBuf>) = grammars_in(path)?
            .into_iter()
            .partition(|file| !leads_out(file, path));
        if inside.is_empty() {
            let message = format!("`{}` holds no grammar (`*.arsg`)", path.display());
            return Err(Error::Missing(message));
        }
        all.files.extend(inside);
        all.links.extend(links);
    }
    Ok(all)
}

/// True for a link to a file that does not lie in the folder.
fn leads_out(file: &Path, folder: &Path) -> bool {
    file.is_symlink()
        && match (file.canonicalize(), folder.canonicalize()) {
            (Ok(file), Ok(folder)) => !file.starts_with(folder),
            // One that leads nowhere is told of where it is read.
            _ => false,
        }
}

/// The grammars in a folder and the folders below it, by name. Links to folders are not followed.
fn grammars_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::read(&folder, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::read(&folder, error))?;
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(path),
                _ if path.metadata().is_ok_and(|about| !about.is_file()) => {
                    let is_grammar = path.extension().is_some_and(|ending| ending == "arsg");
                    if is_grammar {
                        tracing::warn!("skipped `{}`: it is not a regular file", path.display());
                    }
                }
                _ if path.extension().is_some_and(|ending| ending == "arsg") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
