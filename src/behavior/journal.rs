//! A label's file while somebody works on it: a line an action, on disk before the next key.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file that grows line by line.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// How long it is, as far as we know: more means that somebody else writes to it.
    length: u64,
}

impl Journal {
    /// Opens a file to go on after its first `intact` bytes, or begins one. What lies behind them
    /// is cut off.
    pub(super) fn open(path: &Path, intact: u64) -> Result<Journal> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        }
        let fail = |error| Error::write(path, error);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(fail)?;
        if file.metadata().map_err(fail)?.len() != intact {
            file.set_len(intact).map_err(fail)?;
        }
        Ok(Journal {
            path: path.to_owned(),
            file,
            length: intact,
        })
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
