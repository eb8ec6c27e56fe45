//! Every call that changes the disk. In debug builds tests can make each of them fail.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

#[cfg(debug_assertions)]
use super::faults;
use super::replace::folder_of;
use crate::error::{Error, Result};

/// A call that a signal interrupted is done again.
fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// The place where tests make a call fail; nothing in release builds.
fn meet(call: &str, path: &Path) -> io::Result<()> {
    #[cfg(debug_assertions)]
    return faults::meet(call, path);
    #[cfg(not(debug_assertions))]
    {
        let _ = (call, path);
        Ok(())
    }
}

/// Makes a folder and those above it, and waits until they are safe on disk.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let fail = |error| Error::write(folder, error);
    let missing: Vec<&Path> = folder
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && !above.is_dir())
        .collect();
    retry(|| meet("make", folder).and_then(|()| fs::create_dir_all(folder))).map_err(fail)?;
    missing.into_iter().rev().try_for_each(sync_folder)
}

/// Makes a file that grows. Fails where there is one already.
pub(super) fn make_file(path: &Path) -> io::Result<File> {
    let make = || OpenOptions::new().append(true).create_new(true).open(path);
    let file = retry(|| meet("make", path).and_then(|()| make()))?;
    #[cfg(debug_assertions)]
    {
        faults::opened(path, 0);
        faults::made(path);
    }
    Ok(file)
}

/// Opens a file that grows, to read it and go on.
pub(super) fn open_growing(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).append(true).open(path)?;
    #[cfg(debug_assertions)]
    faults::opened(path, file.metadata()?.len());
    Ok(file)
}

/// Opens a file that exists for its lock alone.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    let mut how = OpenOptions::new();
    how.write(true).create(true).truncate(false);
    retry(|| meet("make", path).and_then(|()| how.open(path)))
}

/// Notes that a temporary file was made.
pub(super) fn made_temporary(path: &Path) -> io::Result<()> {
    retry(|| meet("make", path))?;
    #[cfg(debug_assertions)]
    faults::opened(path, 0);
    Ok(())
}

/// Writes some of the bytes.
pub(super) fn write(file: &mut File, path: &Path, bytes: &[u8]) -> io::Result<usize> {
    meet("write", path)?;
    file.write(bytes)
}

/// Writes all bytes.
pub(super) fn write_all(file: &mut File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    retry(|| meet("write", path))?;
    file.write_all(bytes)
}

/// Cuts a file off.
pub(super) fn cut(file: &File, path: &Path, length: u64) -> io::Result<()> {
    retry(|| meet("cut", path).and_then(|()| file.set_len(length)))
}

/// Waits until the content of a file is safe.
pub(super) fn sync(file: &File, path: &Path) -> io::Result<()> {
    retry(|| meet("sync", path).and_then(|()| file.sync_all()))?;
    #[cfg(debug_assertions)]
    faults::synced(path, file);
    Ok(())
}

/// Gives a temporary file its name with `rename`; nobody sees half a file.
pub(super) fn rename<T>(
    from: &Path,
    to: &Path,
    rename: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    retry(|| meet("rename", to))?;
    #[cfg(debug_assertions)]
    faults::renaming(from, to);
    let _ = from;
    rename()
}

/// Takes a file away; one that is not there is no error.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match retry(|| meet("remove", path).and_then(|()| fs::remove_file(path))) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path, error)),
        _ => Ok(()),
    }
}

/// Locks a file; false where somebody else has locked it.
pub(crate) fn lock(file: &File, path: &Path) -> io::Result<bool> {
    retry(|| {
        meet("lock", path)?;
        match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    })
}

/// Waits until the folder of a file knows on disk that the file is there.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    // Folders cannot be opened everywhere; where they cannot, renaming itself is all there is.
    #[cfg(unix)]
    {
        let folder = folder_of(path);
        let sync = || meet("sync", folder).and_then(|()| File::open(folder)?.sync_all());
        retry(sync).map_err(|error| Error::write(folder, error))?;
        #[cfg(debug_assertions)]
        faults::folder_synced(folder);
    }
    #[cfg(not(unix))]
    let _ = (path, folder_of(path));
    Ok(())
}
