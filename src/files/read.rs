//! Reading files whole, up to a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};

/// No file that is read whole is larger than this. Corpora are streamed and may be of any size.
pub const LARGEST_FILE: u64 = 128 << 20;

/// No file of vectors is larger than this.
pub const LARGEST_MODEL: u64 = 16 << 30;

/// Reads a file whole. One over [`LARGEST_FILE`] is an error.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    read_up_to(path, LARGEST_FILE)
}

/// Reads a file whole. One over the limit is an error.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let fail = |error| Error::read(path, error);
    let file = File::open(path).map_err(fail)?;
    let about = file.metadata().map_err(fail)?;
    // A device may never end: what is no plain file is not read as far.
    let limit = if about.is_file() {
        limit
    } else {
        limit.min(LARGEST_FILE)
    };
    // Told before anything is read; what a pipe holds nobody knows.
    if about.len() > limit {
        return Err(too_large(path, limit));
    }
    read_within(file, path, limit)
}

/// Reads standard input whole. More than [`LARGEST_FILE`] is an error.
pub fn read_stdin() -> Result<Vec<u8>> {
    read_within(std::io::stdin().lock(), Path::new("<stdin>"), LARGEST_FILE)
}

/// Reads to the end; more than the limit is an error.
pub(super) fn read_within(input: impl Read, path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = input.take(limit + 1);
    input
        .read_to_end(&mut bytes)
        .map_err(|error| Error::read(path, error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(path, limit));
    }
    Ok(bytes)
}

/// Reads a hand-written file, which must be UTF-8 (a byte order mark is taken off).
pub fn read_text(path: &Path) -> Result<String> {
    decode(read_bytes(path)?, &format!("`{}`", path.display()))
}

/// Reads what a person wrote from standard input.
pub fn read_stdin_text() -> Result<String> {
    decode(read_stdin()?, "<stdin>")
}

fn decode(bytes: Vec<u8>, name: &str) -> Result<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(Error::Encoding(format!(
                "{name} is not UTF-8: bad byte at offset {at}; save it as UTF-8"
            )))
        }
    }
}

fn too_large(path: &Path, limit: u64) -> Error {
    Error::TooLarge(format!(
        "`{}` is too large: files of this kind may have up to {} MB; divide it into several",
        path.display(),
        limit >> 20
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_the_limit_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_up_to(&path, 5).unwrap(), b"12345");
        let error = read_up_to(&path, 4).unwrap_err();
        assert!(matches!(error, Error::TooLarge(_)), "{error}");
        let piped = read_within(std::io::repeat(1), Path::new("pipe"), 1000);
        assert!(matches!(piped, Err(Error::TooLarge(_))), "{piped:?}");
    }
}
