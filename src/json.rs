//! What machines read: values as lines of JSON, and the schemas of those lines.

use serde::Serialize;

use crate::error::{Error, Result};

/// A value as one line, with its line end.
pub(crate) fn line(value: &impl Serialize) -> Result<String> {
    written(serde_json::to_string(value))
}

/// A value laid out for people, with its line end.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String> {
    written(serde_json::to_string_pretty(value))
}

/// The JSON schema of a type, laid out for people.
pub(crate) fn schema<T: schemars::JsonSchema>() -> String {
    pretty(&schemars::schema_for!(T)).unwrap_or_default()
}

fn written(text: serde_json::Result<String>) -> Result<String> {
    match text {
        Ok(text) => Ok(text + "\n"),
        Err(error) => Err(Error::Internal(error.to_string())),
    }
}
