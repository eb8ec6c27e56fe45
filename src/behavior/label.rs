//! Labels: what was done to a text, from its first EDU to its tree.

use std::path::Path;
use std::sync::Arc;

use super::action::{Act, Join, Recorded};
use super::file::read_label;
use super::forest::Forest;
use super::labelling::Labelling;
use super::{journal, json};
use crate::automaton::Engine;
use crate::error::{Error, Result};
use crate::files::{self, GrowingFile};
use crate::grammar::Roles;
use crate::text::Document;

/// The actions of one annotator on one text. Its tree and its rules follow from them:
/// [`Label::replay`].
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The text, and with what it was labelled.
    pub header: Header,
    /// What was done, in order.
    pub actions: Vec<Recorded>,
}

/// What a label says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The text, divided into the EDUs that were labelled.
    pub document: Document,
    /// The schema whose names the actions use.
    pub schema: Arc<str>,
    /// The schema's content hash.
    pub schema_hash: Arc<str>,
    /// The grammar that made suggestions.
    pub grammar: Arc<str>,
    /// The hash of what that grammar says.
    pub grammar_hash: Arc<str>,
    /// Who did it.
    pub annotator: Arc<str>,
}

impl Header {
    /// For a text that is divided into EDUs.
    pub fn new(engine: &Engine, document: Document, annotator: &str) -> Header {
        let (grammar, schema) = (engine.grammar(), engine.schema());
        Header {
            document,
            schema: schema.name.as_str().into(),
            schema_hash: schema.hash.as_str().into(),
            grammar: grammar.name.as_str().into(),
            grammar_hash: engine.hash().into(),
            annotator: annotator.into(),
        }
    }
}

impl Label {
    /// The text's id.
    pub fn id(&self) -> &str {
        &self.header.document.id
    }

    /// The places of the actions that stand, those taken back left out.
    pub fn standing(&self) -> Vec<usize> {
        let (mut done, mut undone) = (Vec::new(), Vec::new());
        for (at, recorded) in self.actions.iter().enumerate() {
            match recorded.act {
                Act::Shift | Act::Reduce(_) | Act::Edit(_) => {
                    undone.clear();
                    done.push(at);
                }
                Act::Remark(_) => {}
                Act::Undo => undone.extend(done.pop()),
                Act::Redo => done.extend(undone.pop()),
            }
        }
        done
    }

    /// True when the actions that stand make a tree over the whole text.
    pub fn is_complete(&self) -> bool {
        let edus = self.header.document.edus().count();
        let standing = self.standing();
        let is_edit = |at: &usize| matches!(self.actions[*at].act, Act::Edit(_));
        if !standing.iter().any(is_edit) {
            return standing.len() == (2 * edus).saturating_sub(1);
        }
        self.forest().is_complete()
    }

    /// What stands, as far as it can be told without a grammar; an action that cannot be done changes
    /// nothing.
    pub fn forest(&self) -> Forest {
        let mut forest = Forest::new(self.header.document.edus().count());
        for at in self.standing() {
            match &self.actions[at].act {
                Act::Shift => forest.shift(),
                Act::Reduce(join) => forest.reduce(Arc::new(bare(join, &self.actions[at]))),
                Act::Edit(edit) => forest = forest.edited(edit).unwrap_or(forest),
                Act::Remark(_) | Act::Undo | Act::Redo => {}
            }
        }
        forest
    }

    /// The time spent on the text.
    pub fn seconds(&self) -> f64 {
        self.actions
            .iter()
            .filter_map(|action| action.seconds)
            .sum()
    }

    /// The natural logarithm of the product of the probabilities of the actions that stand; none
    /// where the annotator gave none.
    pub fn log_probability(&self) -> Option<f64> {
        let standing = self.standing();
        let each = standing.iter().map(|at| self.actions[*at].probability);
        each.map(|probability| probability.map(f64::ln)).sum()
    }

    /// Does everything again. The engine's schema must know the names; its rules do not matter.
    pub fn replay(&self, engine: &Arc<Engine>) -> Result<Labelling> {
        let mut labelling = Labelling::with_header(engine, self.header.clone());
        for recorded in &self.actions {
            labelling.repeat(recorded)?;
        }
        Ok(labelling)
    }

    /// The label as its file holds it.
    pub fn to_lines(&self) -> Result<String> {
        let mut lines = json::write_header(&self.header)?;
        for action in &self.actions {
            lines.push_str(&json::write_action(action)?);
        }
        Ok(lines)
    }

    /// Writes the whole label, in the place of whatever is there.
    pub fn save(&self, path: &Path) -> Result<()> {
        make_folder_of(path)?;
        files::replace(path, self.to_lines()?.as_bytes())
    }

    /// Writes the whole label. It may take the place of an earlier one of the same annotator, never of
    /// anybody else's, and not while somebody works on it.
    pub fn save_over_own(&self, path: &Path) -> Result<()> {
        make_folder_of(path)?;
        let lines = self.to_lines()?;
        if !path.exists() {
            return files::create(path, lines.as_bytes());
        }
        let file = GrowingFile::resume(path).map_err(|error| Error::write(path, error))?;
        journal::lock(&file, path)?;
        let old = read_label(path)?.label;
        let by = old.map(|old| old.header.annotator);
        if by.as_ref() != Some(&self.header.annotator) {
            return Err(Error::Busy(format!(
                "`{}` is the work of {} and is kept; choose another folder with --labels",
                path.display(),
                by.map_or("somebody else".to_owned(), |by| format!("`{by}`")),
            )));
        }
        files::replace(path, lines.as_bytes())
    }
}

/// A recorded join without the symbol that it has from its nucleus.
fn bare(join: &Join, recorded: &Recorded) -> Join {
    let seen = recorded
        .context
        .as_ref()
        .and_then(|context| match join.roles {
            Roles::SatelliteNucleus => context.b.as_ref(),
            _ => context.a.as_ref(),
        });
    let own = seen.map(|seen| &seen.symbol);
    Join {
        symbol: join.symbol.clone().filter(|symbol| Some(symbol) != own),
        ..join.clone()
    }
}

fn make_folder_of(path: &Path) -> Result<()> {
    match path.parent() {
        Some(folder) => crate::files::disk::make_folder(folder),
        None => Ok(()),
    }
}
