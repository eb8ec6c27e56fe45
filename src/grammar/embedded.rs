//! The grammars that ship inside the binary.

use std::path::{Path, PathBuf};

use super::model::Grammar;
use crate::error::Result;
use crate::files::Memory;
use crate::schema::unknown_name as unknown;

/// Files by the path they have in the project, with their texts.
macro_rules! shipped {
    ($($path:literal,)*) => {
        &[$(($path, include_str!(concat!("../../", $path)))),*]
    };
}

/// Grammars, modules and schemas by the path they have in the project.
const EMBEDDED: &[(&str, &str)] = shipped![
    "grammars/general.arsg",
    "grammars/finance.arsg",
    "grammars/seed.arsg",
    "grammars/health.arsg",
    "grammars/general/written.arsg",
    "grammars/general/causes.arsg",
    "grammars/general/conditions.arsg",
    "grammars/general/contrasts.arsg",
    "grammars/general/purposes.arsg",
    "grammars/general/times.arsg",
    "grammars/general/attribution.arsg",
    "grammars/general/details.arsg",
    "grammars/general/lists.arsg",
    "grammars/general/frames.arsg",
    "grammars/general/headings.arsg",
    "grammars/general/breaks.arsg",
    "grammars/general/labels.arsg",
    "grammars/general/boundaries.arsg",
    "grammars/blocks.arsg",
    "grammars/finance/news.arsg",
    "grammars/finance/markets.arsg",
    "grammars/finance/companies.arsg",
    "grammars/finance/boundaries.arsg",
    "grammars/health/news.arsg",
    "grammars/health/medicine.arsg",
    "grammars/seed/connectives.arsg",
    "grammars/seed/attribution.arsg",
    "grammars/seed/boundaries.arsg",
    "grammars/seed/causes.arsg",
    "grammars/seed/contrasts.arsg",
    "grammars/seed/lists.arsg",
    "grammars/seed/passages.arsg",
    "grammars/seed/time.arsg",
    "schemas/finance.toml",
    "schemas/general.toml",
    "schemas/health.toml",
];

/// The folder that shipped files seem to lie in. Nothing on a disk is called so.
const SHELF: &str = "<embedded>";

/// Grammars, modules and schemas that ship in the binary: paths in the project, and texts.
pub fn embedded_texts() -> &'static [(&'static str, &'static str)] {
    EMBEDDED
}

/// What ships in the binary, as files: `grammars/finance.arsg` and all it needs.
pub fn embedded_files() -> Memory<'static> {
    EMBEDDED
        .iter()
        .fold(Memory::new(), |files, (path, text)| files.with(path, *text))
}

/// The path under which [`Grammar::load`] finds a shipped grammar or module, whatever files it is given:
/// `general`, `general/causes`. An error names what is shipped.
pub fn embedded_path(name: &str) -> Result<PathBuf> {
    let path = shelf_path(name);
    if shelf_text(&path).is_some() {
        return Ok(path);
    }
    Err(unknown(
        "grammar",
        name,
        &embedded_grammar_names().collect::<Vec<_>>(),
    ))
}

/// A path as a person writes it, where grammars are named: a file that is there, else a shipped grammar of
/// that name (`general`, `general/causes`), else the path as it is.
pub fn named_path(written: &Path) -> PathBuf {
    let name = written.to_str().filter(|_| !written.exists());
    let shipped = name.and_then(|name| embedded_path(name).ok());
    shipped.unwrap_or_else(|| written.to_owned())
}

/// The names of the shipped grammars and modules.
pub fn embedded_grammar_names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().filter_map(|(path, _)| {
        let file = path.strip_prefix("grammars/")?;
        file.strip_suffix(".arsg")
    })
}

/// A shipped grammar by its name: `finance`, or one of its modules.
pub fn embedded_grammar(name: &str) -> Result<Grammar> {
    embedded_path(name)?;
    let path = format!("grammars/{name}.arsg");
    Grammar::load(path, &embedded_files(), None)?.into_result()
}

/// Where a shipped grammar of that name would lie.
pub(super) fn shelf_path(name: &str) -> PathBuf {
    PathBuf::from(format!("{SHELF}/grammars/{name}.arsg"))
}

/// True for the path of something shipped.
pub(crate) fn is_on_shelf(path: &Path) -> bool {
    path.starts_with(SHELF)
}

/// The text of a shipped file; nothing for other paths.
pub(crate) fn shelf_text(path: &Path) -> Option<&'static str> {
    let own = path.strip_prefix(SHELF).ok()?;
    let mut known = EMBEDDED.iter();
    let (_, text) = known.find(|(known, _)| Path::new(known) == own)?;
    Some(text)
}

/// The name of the shipped schema at a path; nothing for other paths.
pub(super) fn shelf_schema(path: &Path) -> Option<&str> {
    let own = path
        .strip_prefix(SHELF)
        .ok()?
        .strip_prefix("schemas")
        .ok()?;
    shelf_text(path)?;
    own.to_str()?.strip_suffix(".toml")
}
