//! Labels of the loop: a text with its tree, and what the annotator said beyond it.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::behavior::Said;
use crate::diagnostic::Source;
use crate::text::Document;
use crate::text::DocumentJson;
use crate::tree::{Format, Tree, WriteOptions, read, write};

/// A text, divided into EDUs, and the tree that somebody gave it. Rounds hold them whole, so that a
/// loop goes on whatever became of where they came from.
#[derive(Debug, Clone)]
pub struct TextLabel {
    /// The text.
    pub document: Document,
    /// Its tree; of the EDUs it knows the numbers only.
    pub tree: Tree,
    /// Reasons, symbols and equations that the annotator gave.
    pub said: Vec<Said>,
}

impl TextLabel {
    /// A text with its tree.
    pub fn new(document: Document, mut tree: Tree) -> TextLabel {
        for edu in &mut tree.edus {
            edu.text = Arc::from("");
        }
        let said = Vec::new();
        TextLabel {
            document,
            tree,
            said,
        }
    }

    /// The same with what the annotator said of the actions that build the tree.
    pub fn with_said(mut self, said: Vec<Said>) -> TextLabel {
        self.said = said;
        self
    }
}

#[derive(Serialize, Deserialize)]
struct Wire {
    document: DocumentJson,
    tree: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    said: Vec<Said>,
}

impl Serialize for TextLabel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let how = WriteOptions {
            binary: true,
            ..WriteOptions::default()
        };
        let mut tree = self.tree.clone();
        tree.id = None;
        let tree = write(&tree, Format::Sexp, &how);
        let words: Vec<&str> = tree.split_whitespace().collect();
        let wire = Wire {
            document: DocumentJson::from(&self.document),
            tree: words.join(" "),
            said: self.said.clone(),
        };
        wire.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TextLabel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextLabel, D::Error> {
        let wire = Wire::deserialize(deserializer)?;
        let document = wire.document.into_document("").map_err(D::Error::custom)?;
        let source = Source::new("<label>", wire.tree);
        let tree = read(&source, Some(Format::Sexp)).into_tree();
        let tree = tree.map_err(|error| D::Error::custom(error.to_string()))?;
        Ok(TextLabel {
            document,
            tree,
            said: wire.said,
        })
    }
}
