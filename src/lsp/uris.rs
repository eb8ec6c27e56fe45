//! Files as editors name them. What ships in the binary is laid out in a folder of its own, so that every
//! editor can open it.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

use crate::edit::Workspace;
use crate::error::Result;
use crate::files::sources::normalize;
use crate::grammar::embedded_texts;

/// The page about all codes.
const CODES: &str = include_str!("../../docs/codes.md");
/// The folder that shipped files seem to lie in.
const SHELF: &str = "<embedded>";

/// Where shipped files are laid out for editors.
#[derive(Debug, Clone)]
pub(super) struct Shelf {
    folder: PathBuf,
    is_laid_out: bool,
}

impl Shelf {
    /// A folder for shipped files: the one named, else one of this version among the user's caches.
    pub(super) fn new(named: Option<&str>) -> Shelf {
        let folder = match named {
            Some(folder) => PathBuf::from(folder),
            None => caches().join("arsg").join(env!("CARGO_PKG_VERSION")),
        };
        Shelf {
            folder: normalize(&folder),
            is_laid_out: false,
        }
    }

    /// Writes what is not there yet.
    pub(super) fn lay_out(&mut self) -> Result<()> {
        if self.is_laid_out {
            return Ok(());
        }
        let pages = [("codes.md", CODES)];
        for (name, text) in embedded_texts().iter().chain(&pages) {
            let path = self.folder.join(name);
            if crate::files::read_text(&path).is_ok_and(|there| there == *text) {
                continue;
            }
            if let Some(parent) = path.parent() {
                crate::files::disk::make_folder(parent)?;
            }
            crate::files::replace(&path, text.as_bytes())?;
        }
        self.is_laid_out = true;
        Ok(())
    }

    /// How an editor names a file.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        let path = match path.strip_prefix(SHELF) {
            Ok(own) => self.folder.join(own),
            Err(_) => path.to_owned(),
        };
        Uri::from_str(&file_uri(&path)).ok()
    }

    /// The file that an editor names.
    pub(super) fn path(&self, uri: &Uri) -> PathBuf {
        let path = normalize(&uri_path(uri.as_str()));
        match path.strip_prefix(&self.folder) {
            Ok(own) => Path::new(SHELF).join(own),
            Err(_) => path,
        }
    }

    /// The page of a code.
    pub(super) fn code_page(&self, code: &str) -> Option<Uri> {
        let page = file_uri(&self.folder.join("codes.md"));
        Uri::from_str(&format!("{page}#{}", code.to_lowercase())).ok()
    }

    /// True for a file that nobody can change.
    pub(super) fn holds(path: &Path) -> bool {
        Workspace::is_shipped(path)
    }
}

/// The folder of the user's caches.
fn caches() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA")) {
        return PathBuf::from(folder);
    }
    match named("HOME") {
        Some(home) => PathBuf::from(home).join(".cache"),
        None => std::env::temp_dir(),
    }
}

/// A path as a URI: everything but plain letters is written with `%`.
pub(super) fn file_uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from("file://");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte);
        // The colon of a drive is written, as editors do.
        if is_plain {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// The path of a `file:` URI; any other is taken for a name.
fn uri_path(uri: &str) -> PathBuf {
    let Some(rest) = uri.strip_prefix("file://") else {
        return PathBuf::from(uri);
    };
    let rest = rest.split(['#', '?']).next().unwrap_or_default();
    // A host before the path is this machine.
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        let hex = (byte == b'%').then(|| {
            let mut ahead = left.clone();
            let digits = [ahead.next()?, ahead.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match hex.flatten() {
            Some(value) => {
                bytes.push(value);
                left.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    let has_drive = path.as_bytes().get(2) == Some(&b':');
    match path.strip_prefix('/') {
        Some(own) if has_drive => PathBuf::from(own),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_paths_go_there_and_back() {
        for path in ["/家/新闻 1/a.arsg", "/a/100%.arsg", "/b/c#d.toml"] {
            let uri = file_uri(Path::new(path));
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(uri_path(&uri), Path::new(path));
        }
        assert_eq!(uri_path("file:///c%3A/x.arsg"), Path::new("c:/x.arsg"));
        assert_eq!(uri_path("file:///a%zz"), Path::new("/a%zz"));
    }

    #[test]
    fn shipped_files_have_a_place_on_the_disk() {
        let shelf = Shelf::new(Some("/cache/arsg"));
        let path = Path::new("<embedded>/grammars/general.arsg");
        let uri = shelf.uri(path).map(|uri| uri.as_str().to_owned());
        assert_eq!(
            uri.as_deref(),
            Some("file:///cache/arsg/grammars/general.arsg")
        );
        let back =
            Uri::from_str("file:///cache/arsg/grammars/general.arsg").map(|uri| shelf.path(&uri));
        assert_eq!(back.ok().as_deref(), Some(path));
    }
}
