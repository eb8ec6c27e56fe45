//! The files of folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::diagnostic::plural;
use crate::error::{Error, Result};

/// The files of a mix of files and folders, and what was passed over in the folders.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct FoundFiles {
    /// The files, in the order of their names.
    pub files: Vec<PathBuf>,
    /// Links that lead nowhere or to what is read already, pipes and devices.
    pub passed_over: PassedOver,
}

/// What folders hold that was passed over, counted by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassedOver(BTreeMap<&'static str, u64>);

impl PassedOver {
    /// Counts one.
    pub(crate) fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Adds up.
    pub(crate) fn extend(&mut self, other: &PassedOver) {
        for (what, count) in &other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// True when nothing was passed over.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of each kind.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(what, count)| (*what, *count))
    }
}

/// `skipped: 1 README, 3 trees`.
impl std::fmt::Display for PassedOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counted = self.counts();
        let counted = counted.map(|(what, count)| plural(count as usize, what));
        write!(f, "skipped: {}", counted.collect::<Vec<_>>().join(", "))
    }
}

/// Finds the files of a mix of files and folders. Folders are walked to the bottom, in the order of
/// their names; hidden files are left out. What is named stays, whatever it is; in a folder only
/// regular files count, and each of them once, so that links cannot lead in a circle.
pub fn find_files(paths: &[PathBuf]) -> Result<FoundFiles> {
    let mut found = FoundFiles::default();
    for path in paths {
        if path == Path::new("-") || !path.is_dir() {
            found.files.push(path.clone());
        } else {
            walk(path, &mut found)?;
        }
    }
    Ok(found)
}

/// Finds files, and logs a warning about what was passed over.
pub(crate) fn find_files_and_tell(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let found = find_files(paths)?;
    if !found.passed_over.is_empty() {
        tracing::warn!("{}", found.passed_over);
    }
    Ok(found.files)
}

fn walk(folder: &Path, found: &mut FoundFiles) -> Result<()> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        let Ok(about) = std::fs::metadata(&path) else {
            found.passed_over.add("broken link");
            continue;
        };
        if !about.is_dir() && !about.is_file() {
            found.passed_over.add("special file");
            continue;
        }
        if !is_new(&about, &mut seen) {
            found.passed_over.add("repeated link");
            continue;
        }
        if about.is_file() {
            found.files.push(path);
            continue;
        }
        let entries = std::fs::read_dir(&path).map_err(|error| Error::read(&path, error))?;
        let mut inside = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::read(&path, error))?;
            if !entry.file_name().to_string_lossy().starts_with('.') {
                inside.push(entry.path());
            }
        }
        inside.sort();
        pending.extend(inside.into_iter().rev());
    }
    Ok(())
}

/// True when a file or folder comes for the first time.
#[cfg(unix)]
fn is_new(about: &Metadata, seen: &mut BTreeSet<(u64, u64)>) -> bool {
    use std::os::unix::fs::MetadataExt;
    seen.insert((about.dev(), about.ino()))
}

/// Elsewhere files cannot be told apart cheaply; the system ends circles itself.
#[cfg(not(unix))]
fn is_new(_about: &Metadata, _seen: &mut BTreeSet<(u64, u64)>) -> bool {
    true
}
