//! A label's file while somebody works on it: a line for each action, on disk before the next key.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::file::LabelFile;
use crate::error::{Error, Result};
use crate::files;

/// A file that grows line by line. While it is open, nobody else can write to it.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// How long it is, as far as we know: more means that somebody else writes to it.
    length: u64,
}

impl Journal {
    /// Begins a file. One that is there already is never overwritten.
    pub(super) fn begin(path: &Path) -> Result<Journal> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path);
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
        lock(&file, path)?;
        files::sync_folder(path)?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length: 0,
        })
    }

    /// Opens a file to go on with it, and reads it.
    pub(super) fn resume(path: &Path) -> Result<(Journal, Vec<u8>)> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut file = file.map_err(|error| Error::write(path, error))?;
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| Error::read(path, error))?;
        let journal = Journal {
            path: path.to_owned(),
            file,
            length: bytes.len() as u64,
        };
        Ok((journal, bytes))
    }

    /// Cuts off a torn last line: what lies behind the first `intact` bytes.
    pub(super) fn cut_torn_line(&mut self, intact: u64) -> Result<()> {
        if intact < self.length {
            let cut = self.file.set_len(intact);
            cut.map_err(|error| Error::write(&self.path, error))?;
            self.length = intact;
        }
        Ok(())
    }

    /// Adds a line, which ends in a line end. It is on disk when this returns; of a line that
    /// could not be written whole nothing is left.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        let fail = |error| Error::write(&self.path, error);
        if self.file.metadata().map_err(fail)?.len() != self.length {
            return Err(Error::Busy(format!(
                "`{}` was changed by somebody else; leave the text and come back to see how it stands",
                self.path.display()
            )));
        }
        let written = self.file.write_all(line.as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // If this fails too, reading repairs the torn line.
            let _ = self.file.set_len(self.length);
            return Err(fail(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Keeps others from writing to a file as long as it is open here.
pub(super) fn lock(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::Busy(format!(
            "somebody is working on `{}`, the label of {}; look at it with --read-only, \
             or keep a label of your own in another folder with --labels",
            path.display(),
            annotator_of(path)
        ))),
        Err(TryLockError::Error(error)) => Err(Error::write(path, error)),
    }
}

/// Who began a label, for a message.
fn annotator_of(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    let label = LabelFile::read(&bytes, "").label;
    label.map_or("somebody else".to_owned(), |label| {
        format!("`{}`", label.header.annotator)
    })
}
