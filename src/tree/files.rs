//! Trees of files and folders.

use std::path::{Path, PathBuf};

use super::{Format, Read, read_file};
use crate::error::{Error, Result};
use crate::files;

/// Lists the files below a folder that hold trees by their extension, or all of them.
pub fn tree_files(folder: &Path, all: bool) -> Result<Vec<PathBuf>> {
    let mut files = files::find_files_and_tell(&[folder.to_owned()])?;
    files.retain(|file| {
        let format = Format::from_extension(file);
        all || format.is_some_and(|f| f.is_readable() && f != Format::Edus)
    });
    if files.is_empty() {
        Err(Error::Empty(format!(
            "`{}` holds no tree files",
            folder.display()
        )))
    } else {
        Ok(files)
    }
}

/// Reads all trees of a file or folder.
pub fn read_all(path: &Path, format: Option<Format>) -> Result<Read> {
    if !path.is_dir() {
        return read_file(path, format);
    }
    let mut all = Read::default();
    for file in tree_files(path, format.is_some())? {
        let read = read_file(&file, format)?;
        all.trees.extend(read.trees);
        all.diagnostics.extend(read.diagnostics);
    }
    Ok(all)
}
