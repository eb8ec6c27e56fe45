//! A grammar with its schema in one file, to be shipped or cached.
//!
//! Reading and compiling is quick (`benches/automaton.rs`), so nothing compiled is written: the
//! file holds what the grammar says in canonical layout, its modules joined, and the schema, under
//! the grammar's hash. What comes back is compiled anew and must have that hash.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Engine;
use crate::error::{Error, Result};
use crate::grammar::{Grammar, Memory};
use crate::schema::Schema;

/// What stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    arsg: String,
    hash: String,
    /// The schema's files: its own first, then those it stands on.
    schema: Vec<SavedFile>,
    grammar: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFile {
    path: String,
    text: String,
}

impl Engine {
    /// Writes the grammar, its modules and its schema as one file.
    pub fn save(&self, path: &Path) -> Result<()> {
        let schema = self.schema();
        if schema.sources.is_empty() {
            let message = "the schema was not read from a file".to_owned();
            return Err(Error::Internal(message));
        }
        let files = schema.sources.iter().map(|source| SavedFile {
            path: source.name().to_owned(),
            text: source.text().to_owned(),
        });
        let saved = Saved {
            arsg: env!("CARGO_PKG_VERSION").to_owned(),
            hash: self.hash().to_owned(),
            schema: files.collect(),
            grammar: self.grammar().to_text(),
        };
        let json = serde_json::to_vec(&saved).unwrap_or_default();
        crate::files::replace(path, &json)
    }

    /// Reads what [`Engine::save`] wrote. A file that is damaged, of another version, or that no
    /// longer means what it meant is refused: read the grammar's own files then.
    pub fn load(path: &Path) -> Result<Engine> {
        let refuse = |why: &str| {
            let path = path.display();
            Error::Damaged(format!("`{path}` cannot be used: {why}"))
        };
        let text = crate::files::read_text(path)?;
        let saved: Saved = serde_json::from_str(&text).map_err(|error| {
            refuse(&format!("it is damaged ({})", crate::json::problem(&error)))
        })?;
        if saved.arsg != env!("CARGO_PKG_VERSION") {
            return Err(refuse(&format!("it was saved by version {}", saved.arsg)));
        }
        let name = path.display().to_string();
        let own = saved.schema.first().map(|file| file.path.clone());
        let own = own.ok_or_else(|| refuse("it has no schema"))?;
        let files = saved.schema.into_iter();
        let files = files.fold(Memory::new(), |files, file| {
            files.with(file.path, file.text)
        });
        let schema = Schema::open(own, &files)?.into_result()?;
        let files = Memory::new().with(&name, saved.grammar);
        let grammar = Grammar::load(&name, &files, Some(Arc::new(schema)))?.into_result()?;
        let engine = Engine::new(grammar);
        if engine.hash() == saved.hash {
            Ok(engine)
        } else {
            Err(refuse("its hash is not that of what it holds"))
        }
    }
}
