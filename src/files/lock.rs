//! Locks: one process works on a file or a folder at a time.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::{disk, replace::folder_of};
use crate::error::{Error, Result};

/// A lock that is held until it is dropped. When the process dies the system takes it away.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    path: PathBuf,
    is_taken_away: bool,
}

impl Lock {
    /// Locks a folder by the file `.lock` in it, which stays.
    pub fn folder(folder: &Path) -> Result<Lock> {
        let path = folder.join(".lock");
        let file = hold(&path, folder)?;
        Ok(Lock {
            _file: file,
            path,
            is_taken_away: false,
        })
    }

    /// Locks the right to write a file, by a file beside it that goes away with the lock.
    pub fn beside(file: &Path) -> Result<Lock> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = folder_of(file).join(format!(".{name}.lock"));
        loop {
            let held = hold(&path, file)?;
            // Whoever held it before may have taken it away between our opening and locking.
            if is_same(&held, &path) {
                return Ok(Lock {
                    _file: held,
                    path,
                    is_taken_away: true,
                });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_taken_away {
            // A lock file that stays is in nobody's way.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn hold(path: &Path, what: &Path) -> Result<File> {
    let fail = |error| Error::write(path, error);
    let file = disk::open_lock(path).map_err(fail)?;
    if disk::lock(&file, path).map_err(fail)? {
        return Ok(file);
    }
    Err(Error::Busy(format!(
        "another process is working on `{}`",
        what.display()
    )))
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        _ => false,
    }
}

/// Elsewhere a file that is open cannot be taken away.
#[cfg(not(unix))]
fn is_same(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_writes_a_file_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.safetensors");
        let first = Lock::beside(&path).unwrap();
        let second = Lock::beside(&path).unwrap_err();
        assert!(matches!(second, Error::Busy(_)), "{second}");
        drop(first);
        drop(Lock::beside(&path).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
