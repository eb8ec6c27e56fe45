//! Rust errors, problems and panics as Python exceptions.
//!
//! The exceptions are classes of `arsg._errors`, so that they can be pickled and have fields.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arsg::Error;
use arsg::diagnostic::{Diagnostic, Place, Renderer, Severity};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What was being read when something did not validate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Grammar,
    Tree,
}

impl What {
    fn class(self) -> &'static str {
        match self {
            What::Grammar => "GrammarError",
            What::Tree => "TreeError",
        }
    }
}

/// What stops work on a text, without Python.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the library.
    Error(Error),
    /// A panic, with its message.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

/// Does work whose panics become failures.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::Panic(said(&*panic))))
}

/// What a panic says.
pub(crate) fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}

impl Failure {
    /// The Python exception.
    pub(crate) fn into_py(self, py: Python<'_>, what: What) -> PyErr {
        match self {
            Failure::Error(error) => error_to_py(py, &error, what),
            Failure::Panic(message) => {
                let message = format!("a mistake in arsg itself: {message}; please report it");
                new_error(py, "InternalError", &message, None)
            }
        }
    }
}

/// The exception for an error of the library.
pub(crate) fn error_to_py(py: Python<'_>, error: &Error, what: What) -> PyErr {
    let class = match error {
        Error::Read { path, source } | Error::Write { path, source } => {
            return system_error(error, path, source);
        }
        Error::Invalid(diagnostics) => {
            return invalid(py, what.class(), &error.to_string(), diagnostics);
        }
        Error::Usage(_) | Error::Setting(_) => "UsageError",
        Error::Missing(_) => "MissingError",
        Error::Unparsed(_) | Error::Empty(_) => "ParseError",
        Error::Internal(_) => "InternalError",
        _ => "ArsgError",
    };
    new_error(py, class, &error.to_string(), error.help())
}

/// What the system said, as Python says it: `FileNotFoundError` and its like.
fn system_error(error: &Error, path: &std::path::Path, source: &io::Error) -> PyErr {
    let path = path.display().to_string();
    match source.raw_os_error().or_else(|| number_of(source.kind())) {
        Some(number) => {
            let told = error.to_string();
            let reason = told.rsplit_once("`: ").map_or(&*told, |(_, reason)| reason);
            PyOSError::new_err((number, reason.to_owned(), path))
        }
        None => PyOSError::new_err(error.to_string()),
    }
}

/// The number that Python tells its kinds of system errors by.
fn number_of(kind: io::ErrorKind) -> Option<i32> {
    const ENOENT: i32 = 2;
    const EACCES: i32 = 13;
    const EISDIR: i32 = 21;
    match kind {
        io::ErrorKind::NotFound => Some(ENOENT),
        io::ErrorKind::PermissionDenied => Some(EACCES),
        io::ErrorKind::IsADirectory => Some(EISDIR),
        _ => None,
    }
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("arsg._errors")?.getattr(name)
}

fn new_error(py: Python<'_>, name: &str, message: &str, help: Option<String>) -> PyErr {
    match class(py, name).and_then(|class| class.call1((message, help))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// An exception of a class of `arsg._errors` with nothing but a message.
pub(crate) fn plain_error(py: Python<'_>, name: &str, message: &str) -> PyErr {
    new_error(py, name, message, None)
}

fn invalid(py: Python<'_>, name: &str, message: &str, problems: &[Diagnostic]) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let drawing = Renderer::default().render(problems);
        class(py, name)?.call1((message, diagnostics(py, problems)?, drawing))
    };
    match made() {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Problems as a list of `arsg.Diagnostic`.
pub(crate) fn diagnostics<'py>(
    py: Python<'py>,
    problems: &[Diagnostic],
) -> PyResult<Bound<'py, PyList>> {
    let class = class(py, "Diagnostic")?;
    let all = PyList::empty(py);
    for problem in problems {
        let fields = PyDict::new(py);
        fields.set_item("code", problem.code.as_str())?;
        let severity = match problem.severity() {
            Severity::Error => "error",
            _ => "warning",
        };
        fields.set_item("severity", severity)?;
        fields.set_item("message", &problem.message)?;
        set_place(&fields, problem.place.as_ref())?;
        fields.set_item("label", problem.label.as_deref())?;
        fields.set_item("help", problem.help.as_deref())?;
        all.append(class.call((), Some(&fields))?)?;
    }
    Ok(all)
}

fn set_place(fields: &Bound<'_, PyDict>, place: Option<&Place>) -> PyResult<()> {
    let Some(place) = place else { return Ok(()) };
    let (line, column) = place.line_column();
    fields.set_item("path", place.source().name())?;
    fields.set_item("line", line)?;
    fields.set_item("column", column)?;
    let before = |byte: usize| {
        let text = place.source().text().get(..byte).unwrap_or_default();
        text.chars().count()
    };
    let range = place.range();
    fields.set_item("start", before(range.start))?;
    fields.set_item("end", before(range.end))?;
    fields.set_item("text", place.text())
}

/// Panics as a mistake of the library would: by an index out of bounds.
pub(crate) fn panic_for_a_test(py: Python<'_>) -> PyResult<()> {
    let nothing: Vec<u8> = Vec::new();
    let first = crate::waiting::detached(py, What::Grammar, || {
        let at = nothing.len();
        Ok(nothing[at])
    });
    first.map(|_| ())
}
