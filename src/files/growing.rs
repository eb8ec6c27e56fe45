//! Files that grow line by line, each line on disk before the next.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{disk, read};
use crate::error::{Error, Result};

/// A file that grows. Nothing in it is ever overwritten.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: File,
    /// How long it is, as far as we know: anything else means that somebody else writes to it.
    length: u64,
}

impl GrowingFile {
    /// Makes a file that is not there yet.
    pub fn begin(path: &Path) -> io::Result<GrowingFile> {
        Ok(GrowingFile {
            file: disk::make_file(path)?,
            path: path.to_owned(),
            length: 0,
        })
    }

    /// Opens a file to go on with it.
    pub fn resume(path: &Path) -> io::Result<GrowingFile> {
        let file = disk::open_growing(path)?;
        Ok(GrowingFile {
            length: file.metadata()?.len(),
            path: path.to_owned(),
            file,
        })
    }

    /// Keeps others from writing to it as long as it is open here; false where somebody else does.
    pub fn lock(&self) -> Result<bool> {
        disk::lock(&self.file, &self.path).map_err(|error| Error::write(&self.path, error))
    }

    /// Waits until its folder knows on disk that it is there.
    pub fn sync_entry(&self) -> Result<()> {
        disk::sync_folder(&self.path)
    }

    /// What it holds.
    pub fn read(&mut self) -> Result<Vec<u8>> {
        let bytes = read::read_within(self.file.by_ref(), &self.path, read::LARGEST_FILE)?;
        self.length = bytes.len() as u64;
        Ok(bytes)
    }

    /// Cuts off what lies behind the first `intact` bytes.
    pub fn cut(&mut self, intact: u64) -> Result<()> {
        if intact < self.length {
            let cut = disk::cut(&self.file, &self.path, intact);
            cut.map_err(|error| Error::write(&self.path, error))?;
            self.length = intact;
        }
        Ok(())
    }

    /// True when somebody else has written to it.
    pub fn was_changed(&self) -> Result<bool> {
        let about = self.file.metadata();
        let about = about.map_err(|error| Error::read(&self.path, error))?;
        Ok(about.len() != self.length)
    }

    /// Adds bytes. They are on disk when this returns; of bytes that could not be written whole
    /// nothing is left.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written = disk::write_all(&mut self.file, &self.path, bytes);
        let written = written.and_then(|()| disk::sync(&self.file, &self.path));
        if let Err(error) = written {
            // If this fails too, reading repairs the torn line.
            let _ = disk::cut(&self.file, &self.path, self.length);
            return Err(Error::write(&self.path, error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}
