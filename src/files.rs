//! Files: read whole, replaced whole.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Reads a hand-written file, which must be UTF-8 (a byte order mark is taken off).
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(|error| Error::read(path, error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(Error::Encoding(format!(
                "`{}` is not UTF-8: bad byte at offset {at}; save it as UTF-8",
                path.display()
            )))
        }
    }
}

/// Replaces a file by a whole new one: a temporary beside it, flushed to disk, then renamed, so
/// that a reader sees the old file or the new one and a full disk loses nothing.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(content)
        .map_err(|error| Error::write(path, error))?;
    file.commit()
}

/// A file being written beside the one it will replace.
#[derive(Debug)]
pub struct Replacement {
    path: std::path::PathBuf,
    file: std::io::BufWriter<tempfile::NamedTempFile>,
}

impl Replacement {
    /// Opens a temporary file in the folder of `path`.
    pub fn create(path: &Path) -> Result<Replacement> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = tempfile::Builder::new()
            .prefix(".arsg-")
            .permissions_of(path)
            .tempfile_in(folder)
            .map_err(|error| Error::write(path, error))?;
        Ok(Replacement {
            path: path.to_owned(),
            file: std::io::BufWriter::new(file),
        })
    }

    /// Puts the new file in the place of the old one.
    pub fn commit(self) -> Result<()> {
        let Replacement { path, file } = self;
        let fail = |error| Error::write(&path, error);
        let file = file
            .into_inner()
            .map_err(|error| fail(error.into_error()))?;
        file.as_file().sync_all().map_err(fail)?;
        file.persist(&path).map_err(|error| fail(error.error))?;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
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

/// The path of a file as seen from a folder, with `/` between names; both are taken from the working
/// folder.
pub fn relative(file: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (file, folder) = (absolute(file), absolute(folder));
    let shared = file
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file
        .components()
        .skip(shared)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_that_is_dropped_leaves_the_old_file() -> Result<()> {
        let folder = tempfile::tempdir().map_err(|e| Error::write("temporary folder", e))?;
        let path = folder.path().join("a.arsg");
        replace(&path, "旧".as_bytes())?;
        let mut half = Replacement::create(&path)?;
        half.write_all(b"half")
            .map_err(|e| Error::write(&path, e))?;
        drop(half);
        assert_eq!(read_text(&path)?, "旧");
        replace(&path, "新".as_bytes())?;
        assert_eq!(read_text(&path)?, "新");
        assert_eq!(
            fs::read_dir(folder.path()).map(Iterator::count).ok(),
            Some(1)
        );
        Ok(())
    }
}
