//! Corpora: files of any known format, read as a stream of documents.
//!
//! The format is told from the content, not from the name. Nothing is dropped silently: what
//! cannot be read comes out of the stream as a [`Skip`] that says where and why, and the rest is
//! still read.

mod batches;
mod clean;
mod domain;
mod duplicates;
mod foreign;
mod formats;
mod lines;
mod sogou;
mod tally;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

pub use batches::process_in_batches;
pub use clean::{Cleaned, Cleaning};
pub use domain::domain_of;
pub use duplicates::{Duplicate, Duplicates};
pub use foreign::Foreign;
pub use formats::{Format, Reader};
pub use tally::Tally;

use crate::error::{Error, Result};
use crate::files::{self, PassedOver};
use crate::named::named_enum;

/// Something of a corpus that was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// The kind of problem, for counting.
    pub reason: SkipReason,
    /// The file, or `<stdin>`.
    pub file: String,
    /// 1-based line where it begins; 0 where the file is not known any more (then `file` is the id).
    pub line: u64,
    /// What exactly.
    pub detail: String,
}

named_enum! {
    /// Why something was not taken, or was taken with damage.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum SkipReason {
        /// A record that is not what its format asks for.
        Malformed = "malformed record",
        /// A record without its end; what it has is kept.
        Truncated = "record cut off",
        /// A document without text.
        Empty = "document without text",
        /// A line or record over the limit.
        TooLong = "line or record over the limit",
        /// Bytes that are not text in the file's encoding; replaced, the rest is kept.
        BadBytes = "bytes that are not text",
        /// The system stopped reading in the middle of the file.
        Unreadable = "unreadable rest of the file",
        /// A line shorter than the cleaning allows.
        ShortLine = "very short line",
        /// A line longer than the cleaning allows.
        LongLine = "extremely long line",
        /// A document of which cleaning left nothing.
        NothingLeft = "nothing left after cleaning",
        /// A document of another domain.
        OtherDomain = "other domain",
        /// The same text as an earlier document.
        ExactDuplicate = "exact duplicate",
        /// Nearly the same text as an earlier document.
        NearDuplicate = "near duplicate",
    }
}

impl SkipReason {
    /// True for texts that repeat an earlier one.
    pub fn is_duplicate(self) -> bool {
        matches!(self, SkipReason::ExactDuplicate | SkipReason::NearDuplicate)
    }

    /// True when a whole document is lost by it.
    pub fn loses_document(self) -> bool {
        matches!(
            self,
            SkipReason::Malformed
                | SkipReason::Empty
                | SkipReason::TooLong
                | SkipReason::Unreadable
                | SkipReason::NothingLeft
                | SkipReason::OtherDomain
        )
    }
}

impl std::fmt::Display for Skip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file)?,
            line => write!(f, "{}:{line}", self.file)?,
        }
        write!(f, ": {}", self.reason.as_str())?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// Opens a file, or stdin for `-`, as a stream of documents.
pub fn open(path: &Path, format: Option<Format>) -> Result<Reader> {
    if path == Path::new("-") {
        let stdin: Box<dyn Read + Send> = Box::new(std::io::stdin());
        return Reader::new(stdin, "<stdin>", format);
    }
    let file = File::open(path).map_err(|error| Error::read(path, error))?;
    Reader::new(Box::new(file), &path.display().to_string(), format)
}

/// The files to read texts from, and what lies beside them.
#[derive(Debug, Clone, Default)]
pub struct TextFiles {
    /// The files named, and those of folders that are texts.
    pub files: Vec<PathBuf>,
    /// What else folders hold.
    pub passed_over: PassedOver,
}

/// The texts of a mix of files and folders. Trees, grammars, schemas, labels, drawings, binary files
/// and what is called README are passed over in folders, and counted; one that is named stays, and
/// [`open`] says what it is. Regression cases (`*.case`) stay.
pub fn find_texts(paths: &[PathBuf]) -> Result<TextFiles> {
    let mut texts = TextFiles::default();
    for path in paths {
        let found = files::find_files(std::slice::from_ref(path))?;
        if path == Path::new("-") || !path.is_dir() {
            texts.files.extend(found.files);
            continue;
        }
        texts.passed_over.extend(&found.passed_over);
        for file in found.files {
            let is_case = file.extension().is_some_and(|ending| ending == "case");
            // What cannot be read is reported where it is opened.
            match Foreign::of(&file) {
                Ok(Some(foreign)) if !is_case => texts.passed_over.add(foreign.as_str()),
                _ => texts.files.push(file),
            }
        }
    }
    Ok(texts)
}
