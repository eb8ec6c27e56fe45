//! The schemas that ship inside the binary.

use std::sync::Arc;

use super::Schema;
use crate::diagnostic::{Source, likely};
use crate::error::{Error, Result};

const EMBEDDED: &[(&str, &str)] = &[
    ("finance", include_str!("../../schemas/finance.toml")),
    ("general", include_str!("../../schemas/general.toml")),
    ("health", include_str!("../../schemas/health.toml")),
];

/// A shipped schema by its name: `finance`, `general` or `health`.
pub fn embedded_schema(name: &str) -> Result<Schema> {
    Schema::load(&embedded_source(name)?).into_result()
}

/// The text of a shipped schema.
pub(super) fn embedded_source(name: &str) -> Result<Arc<Source>> {
    match EMBEDDED.iter().find(|(known, _)| *known == name) {
        Some((name, text)) => Ok(Source::new(
            format!("<embedded>/schemas/{name}.toml"),
            *text,
        )),
        None => {
            let names: Vec<&str> = embedded_schema_names().collect();
            Err(unknown_name("schema", name, &names))
        }
    }
}

/// True for what may name a shipped schema; everything else is the path of a file.
pub(crate) fn is_shipped_name(written: &str) -> bool {
    !written.contains(['/', '\\', '.'])
}

/// The names of the shipped schemas; grammars of the same names are shipped as well.
pub fn embedded_schema_names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// Nothing of that name is shipped; what is, and what may have been meant.
pub(crate) fn unknown_name(what: &str, name: &str, shipped: &[&str]) -> Error {
    let names: Vec<String> = shipped.iter().map(|name| format!("`{name}`")).collect();
    let meant = match likely(name, shipped).first() {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => String::new(),
    };
    Error::Usage(format!(
        "no {what} `{name}` is shipped; shipped are {}{meant}",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Renderer;

    #[test]
    fn shipped_schemas_load_without_a_word_of_complaint() {
        for (name, text) in EMBEDDED {
            let loaded = Schema::load(&Source::new(*name, *text));
            let complaints = Renderer::default().render(&loaded.diagnostics);
            assert!(loaded.diagnostics.is_empty(), "{complaints}");
        }
    }
}
