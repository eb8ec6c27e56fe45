//! A label's file while somebody works on it: a line for each action, on disk before the next key.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::file::LabelFile;
use crate::error::{Error, Result};
use crate::files::{self, GrowingFile};

/// A file that grows line by line. While it is open, nobody else can write to it.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: GrowingFile,
}

impl Journal {
    /// Begins a file. One that is there already is never overwritten.
    pub(super) fn begin(path: &Path) -> Result<Journal> {
        if let Some(folder) = path.parent() {
            files::disk::make_folder(folder)?;
        }
        let file = GrowingFile::begin(path);
        let file = file.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let by = annotator_of(path);
                Error::Busy(format!(
                    "`{}` was begun by {by} meanwhile; leave the text and open it again, \
                     or keep a label of your own in another folder with --labels",
                    path.display()
                ))
            }
            _ => Error::write(path, error),
        })?;
        let begun = lock(&file, path).and_then(|()| file.sync_entry());
        if let Err(error) = begun {
            // An empty label would only be in the way. If it stays, reading it says what it is.
            let _ = files::disk::remove(path);
            return Err(error);
        }
        Ok(Journal {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens a file to go on with it, and reads it.
    pub(super) fn resume(path: &Path) -> Result<(Journal, Vec<u8>)> {
        let file = GrowingFile::resume(path);
        let mut file = file.map_err(|error| Error::write(path, error))?;
        lock(&file, path)?;
        let bytes = file.read()?;
        let journal = Journal {
            path: path.to_owned(),
            file,
        };
        Ok((journal, bytes))
    }

    /// Cuts off a torn last line: what lies behind the first `intact` bytes.
    pub(super) fn cut_torn_line(&mut self, intact: u64) -> Result<()> {
        self.file.cut(intact)
    }

    /// Adds a line, which ends in a line end. It is on disk when this returns; of a line that
    /// could not be written whole nothing is left.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        if self.file.was_changed()? {
            return Err(Error::Busy(format!(
                "`{}` was changed by somebody else; leave the text and come back to see how it stands",
                self.path.display()
            )));
        }
        self.file.append(line.as_bytes())
    }
}

/// Keeps others from writing to a label as long as it is open here.
pub(super) fn lock(file: &GrowingFile, path: &Path) -> Result<()> {
    if file.lock()? {
        return Ok(());
    }
    Err(Error::Busy(format!(
        "somebody is working on `{}`, the label of {}; look at it with --read-only, \
         or keep a label of your own in another folder with --labels",
        path.display(),
        annotator_of(path)
    )))
}

/// Who began a label, for a message.
fn annotator_of(path: &Path) -> String {
    let bytes = files::read_bytes(path).unwrap_or_default();
    let label = LabelFile::read(&bytes, "").label;
    label.map_or("somebody else".to_owned(), |label| {
        format!("`{}`", label.header.annotator)
    })
}
