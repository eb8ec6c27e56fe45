//! What can go wrong while working, as opposed to what is wrong in a file ([`Diagnostic`]).

mod paths;

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;

/// The library's error. Match on a variant to decide what to do; its message is for people.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read `{}`: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write `{}`: {}", path.display(), reason(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What a person wrote does not validate.
    #[error("{}", count_errors(.0))]
    Invalid(Vec<Diagnostic>),
    /// The call itself makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A setting has a value that it cannot have.
    #[error("{0}")]
    Setting(String),
    /// Something that was named is not there: a text, a node, a revision.
    #[error("{0}")]
    Missing(String),
    /// Two things have the same id.
    #[error("{0}")]
    Duplicate(String),
    /// There is nothing to work on.
    #[error("{0}")]
    Empty(String),
    /// Two inputs do not belong together: a tree and a text, two grammars.
    #[error("{0}")]
    Mismatch(String),
    /// Something is there already and is kept.
    #[error("{0}")]
    Exists(String),
    /// Somebody else is working on it.
    #[error("{0}")]
    Busy(String),
    /// A file is not UTF-8.
    #[error("{0}")]
    Encoding(String),
    /// A file holds a format that cannot be read here.
    #[error("{0}")]
    Unsupported(String),
    /// A file is larger than what is read.
    #[error("{0}")]
    TooLarge(String),
    /// A file does not hold what it should.
    #[error("{0}")]
    Damaged(String),
    /// The grammar does not cover a text that it must cover.
    #[error("{0}")]
    Unparsed(String),
    /// The neural part failed, or this build does without it.
    #[error("{0}")]
    Neural(String),
    /// A mistake in the library itself.
    #[error("{0}")]
    Internal(String),
}

/// The library's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A failure to read `path`.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Error {
        let path = path.as_ref().to_owned();
        Error::Read { path, source }
    }

    /// A failure to write `path`.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Error {
        let path = path.as_ref().to_owned();
        Error::Write { path, source }
    }

    /// What to do about it, where something can be suggested.
    pub fn help(&self) -> Option<String> {
        match self {
            Error::Read { path, source } if source.kind() == io::ErrorKind::NotFound => {
                let near = paths::nearest_path(path)?;
                Some(format!("did you mean `{}`?", near.display()))
            }
            Error::Read { path, source } if source.kind() == io::ErrorKind::IsADirectory => {
                let inside = paths::list_some_files(path)?;
                Some(format!("name a file in it: {inside}"))
            }
            Error::Write { path, source } if source.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().filter(|folder| !folder.exists())?;
                Some(format!(
                    "there is no folder `{}`; make it first",
                    folder.display()
                ))
            }
            _ => None,
        }
    }

    /// The process's exit code: 1 failure, 2 usage, 3 the input does not validate.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Invalid(_) => 3,
            _ => 1,
        }
    }
}

/// The system's reason in our own style: lower case, no error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "no space left on the device".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            let mut letters = text.chars();
            match letters.next() {
                Some(first) => first.to_lowercase().chain(letters).collect(),
                None => "unknown reason".to_owned(),
            }
        }
    }
}

fn count_errors(diagnostics: &[Diagnostic]) -> String {
    match diagnostics.iter().filter(|d| d.is_error()).count() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    }
}
