//! What many tests begin with. Each is made once, when the first test asks for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use arsg::automaton::Engine;
use arsg::grammar::embedded_grammar;
use arsg::schema::{Schema, embedded_schema};
use arsg::text::Analyzer;
use tempfile::TempDir;

use crate::run::printed;

/// A schema of a few symbols, for small grammars.
pub(crate) const SMALL_SCHEMA: &str = include_str!("../diagnostics/schema.toml");

/// A shipped schema, and the analyzer that reads texts by it.
pub(crate) struct Domain {
    pub(crate) schema: Schema,
    pub(crate) analyzer: Analyzer,
}

fn domain(name: &str) -> Domain {
    let schema = embedded_schema(name).unwrap();
    let analyzer = Analyzer::new(&schema);
    Domain { schema, analyzer }
}

pub(crate) static FINANCE: LazyLock<Domain> = LazyLock::new(|| domain("finance"));
pub(crate) static GENERAL: LazyLock<Domain> = LazyLock::new(|| domain("general"));

/// The engine of the shipped finance grammar.
pub(crate) static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(embedded_grammar("seed").unwrap())));

/// A project as `arsg init` begins it.
pub(crate) fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), &["init", "."]);
    folder
}

/// Every file below a folder by its path; what was being written when a program died does not count.
pub(crate) fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !name.contains(".arsg-") {
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    files
}
