//! The grammars that ship inside the binary.

use super::model::Grammar;
use crate::error::Result;
use crate::files::Memory;
use crate::schema::unknown_name as unknown;

/// Grammars, modules and schemas by the path they have in the project.
const EMBEDDED: &[(&str, &str)] = &[
    (
        "grammars/general.arsg",
        include_str!("../../grammars/general.arsg"),
    ),
    (
        "grammars/finance.arsg",
        include_str!("../../grammars/finance.arsg"),
    ),
    (
        "grammars/connectives.arsg",
        include_str!("../../grammars/connectives.arsg"),
    ),
    (
        "grammars/attribution.arsg",
        include_str!("../../grammars/attribution.arsg"),
    ),
    (
        "grammars/boundaries.arsg",
        include_str!("../../grammars/boundaries.arsg"),
    ),
    (
        "grammars/causes.arsg",
        include_str!("../../grammars/causes.arsg"),
    ),
    (
        "grammars/contrasts.arsg",
        include_str!("../../grammars/contrasts.arsg"),
    ),
    (
        "grammars/lists.arsg",
        include_str!("../../grammars/lists.arsg"),
    ),
    (
        "grammars/passages.arsg",
        include_str!("../../grammars/passages.arsg"),
    ),
    (
        "grammars/time.arsg",
        include_str!("../../grammars/time.arsg"),
    ),
    (
        "schemas/finance.toml",
        include_str!("../../schemas/finance.toml"),
    ),
    (
        "schemas/general.toml",
        include_str!("../../schemas/general.toml"),
    ),
];

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

/// A shipped grammar by its name: `finance`, or one of its modules.
pub fn embedded_grammar(name: &str) -> Result<Grammar> {
    let path = format!("grammars/{name}.arsg");
    if !EMBEDDED.iter().any(|(known, _)| *known == path) {
        let names = EMBEDDED.iter().filter_map(|(path, _)| {
            let file = path.strip_prefix("grammars/")?;
            file.strip_suffix(".arsg")
        });
        return Err(unknown("grammar", name, &names.collect::<Vec<_>>()));
    }
    Grammar::load(path, &embedded_files(), None)?.into_result()
}
