//! Files: read whole, replaced whole, named after what they hold.

mod names;
mod replace;
pub(crate) mod sources;

pub use names::{FileNames, name_for_id};
pub use replace::{Replacement, create, replace, sync_folder};
pub use sources::{Disk, Files, Memory, Revision, split_revision};

use std::fs;
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
