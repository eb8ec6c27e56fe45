//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::disk;
use super::sweep::{PREFIX, RANDOM, sweep};
use crate::error::{Error, Result};

/// How many links may lead from one to the next, as on Linux.
const MAX_LINKS: usize = 40;

/// Replaces a file by a whole new one: a temporary beside it, flushed to disk, then renamed, so
/// that a reader sees the old file or the new one and a full disk loses nothing. A link stays a link:
/// the file that it leads to is replaced. A device or a pipe is written to.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(content)
        .map_err(|error| Error::write(path, error))?;
    file.commit()
}

/// Writes a whole new file. Fails with [`Error::Exists`] when there is one already.
pub fn create(path: &Path, content: &[u8]) -> Result<()> {
    let fail = |error| Error::write(path, error);
    let mut file = Temporary::beside(path)?;
    file.write_all(content).map_err(fail)?;
    disk::sync(file.0.as_file(), file.0.path()).map_err(fail)?;
    let from = file.0.path().to_owned();
    let named = disk::rename(&from, path, || {
        let named = file.0.persist_noclobber(path);
        named.map_err(|error| error.error)
    });
    named.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::Exists(format!("`{}` is there already", path.display()))
        }
        _ => fail(error),
    })?;
    disk::sync_folder(path)
}

/// A file being written beside the one it will replace.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Takes the place of a regular file when it is whole.
    Whole(BufWriter<Temporary>),
    /// Goes straight to a device or a pipe, which cannot be replaced.
    Straight(BufWriter<File>),
}

impl Replacement {
    /// Opens a temporary file in the folder of `path`, or `path` itself if it is a device or a pipe.
    pub fn create(path: &Path) -> Result<Replacement> {
        let path = follow_links(path)?;
        let sink = match fs::metadata(&path) {
            Ok(about) if about.is_dir() => {
                return Err(Error::write(path, io::ErrorKind::IsADirectory.into()));
            }
            Ok(about) if !about.is_file() => {
                let file = File::options().write(true).open(&path);
                let file = file.map_err(|error| Error::write(&path, error))?;
                Sink::Straight(BufWriter::new(file))
            }
            _ => Sink::Whole(BufWriter::new(Temporary::beside(&path)?)),
        };
        Ok(Replacement { path, sink })
    }

    /// Puts the new file in the place of the old one.
    pub fn commit(self) -> Result<()> {
        let path = self.path;
        let fail = |error| Error::write(&path, error);
        match self.sink {
            Sink::Straight(mut file) => file.flush().map_err(fail),
            Sink::Whole(file) => {
                let file = file.into_inner();
                let Temporary(file) = file.map_err(|error| fail(error.into_error()))?;
                let from = file.path().to_owned();
                disk::sync(file.as_file(), &from).map_err(fail)?;
                let rename = || file.persist(&path).map_err(|error| error.error);
                disk::rename(&from, &path, rename).map_err(fail)?;
                disk::sync_folder(&path)
            }
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Whole(file) => file.write(bytes),
            Sink::Straight(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Whole(file) => file.flush(),
            Sink::Straight(file) => file.flush(),
        }
    }
}

/// A file with a name of ours. It goes away when it is dropped, and is locked while it is written, so
/// that nobody takes it for what a killed process left.
#[derive(Debug)]
struct Temporary(NamedTempFile);

impl Temporary {
    fn beside(path: &Path) -> Result<Temporary> {
        let fail = |error| Error::write(path, error);
        let folder = folder_of(path);
        sweep(folder);
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .rand_bytes(RANDOM)
            .permissions_of(path)
            .tempfile_in(folder)
            .map_err(fail)?;
        disk::made_temporary(file.path()).map_err(fail)?;
        // Where files cannot be locked, their age alone protects them.
        let _ = file.as_file().try_lock();
        Ok(Temporary(file))
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let path = self.0.path().to_owned();
        disk::write(self.0.as_file_mut(), &path, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The path that links lead to in the end, whether something is there or not.
fn follow_links(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            // Nothing is there, or no link.
            Err(_) => return Ok(path),
        }
    }
    let message = "its links lead in a circle";
    Err(Error::write(path, io::Error::other(message)))
}

/// New files are readable as any file a person makes; replaced ones keep their permissions.
trait PermissionsOf {
    fn permissions_of(&mut self, path: &Path) -> &mut Self;
}

impl PermissionsOf for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_of(&mut self, path: &Path) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::metadata(path)
            .map(|data| data.permissions())
            .unwrap_or_else(|_| fs::Permissions::from_mode(0o666));
        self.permissions(permissions)
    }

    #[cfg(not(unix))]
    fn permissions_of(&mut self, _path: &Path) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_text;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_replacement_that_is_dropped_leaves_the_old_file() {
        let folder = folder();
        let path = folder.path().join("a.arsg");
        replace(&path, "旧".as_bytes()).unwrap();
        let mut half = Replacement::create(&path).unwrap();
        half.write_all(b"half").unwrap();
        drop(half);
        assert_eq!(read_text(&path).unwrap(), "旧");
        replace(&path, "新".as_bytes()).unwrap();
        assert_eq!(read_text(&path).unwrap(), "新");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another() {
        let folder = folder();
        let path = folder.path().join("a.label");
        create(&path, "甲".as_bytes()).unwrap();
        let second = create(&path, "乙".as_bytes());
        assert!(matches!(second, Err(Error::Exists(_))), "{second:?}");
        assert_eq!(read_text(&path).unwrap(), "甲");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let [file, near, far] = ["a.arsg", "near", "far"].map(|name| folder.path().join(name));
        fs::write(&file, "旧").unwrap();
        std::os::unix::fs::symlink("a.arsg", &near).unwrap();
        std::os::unix::fs::symlink(&near, &far).unwrap();
        replace(&far, "新".as_bytes()).unwrap();
        assert!(far.is_symlink() && near.is_symlink());
        assert_eq!(read_text(&file).unwrap(), "新");
        // A link to nothing makes the file it names.
        fs::remove_file(&file).unwrap();
        replace(&far, "又".as_bytes()).unwrap();
        assert_eq!(read_text(&file).unwrap(), "又");
        let [left, right] = ["left", "right"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&left, &right).unwrap();
        std::os::unix::fs::symlink(&right, &left).unwrap();
        assert!(replace(&left, b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_written_to() {
        use std::os::unix::fs::FileTypeExt;
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
        let refused = replace(folder().path(), b"");
        assert!(matches!(refused, Err(Error::Write { .. })), "{refused:?}");
    }
}
