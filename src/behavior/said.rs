//! What an annotator says of an action beyond what the tree shows: its reason, the symbol of the new
//! node, attribute equations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::grammar::formula::Formula;
use crate::grammar::{Equation, Pattern, load_equations, load_reason};
use crate::schema::Schema;

/// What was said of one action.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Which of the shifts and reductions that build the tree, counted from 0.
    pub action: usize,
    /// The symbol D of the new node, where it is not the nucleus's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Why, as a formula of the grammar language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Attribute equations, as a grammar writes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equations: Vec<String>,
}

impl Said {
    /// True when nothing was said.
    pub fn is_empty(&self) -> bool {
        self.symbol.is_none() && self.reason.is_none() && self.equations.is_empty()
    }
}

/// The same, understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spoken {
    /// D; any for the nucleus's.
    pub(super) parent: Pattern,
    pub(super) reason: Option<Formula>,
    pub(super) equations: Vec<Equation>,
}

/// What was said, by the action.
pub(super) type SpokenOf = BTreeMap<usize, Spoken>;

/// Reads what was said in the words of a schema.
pub(super) fn understand(said: &[Said], schema: &Schema) -> Result<SpokenOf> {
    let each = said.iter().map(|said| {
        let parent = match &said.symbol {
            None => Pattern::Any,
            Some(name) => match schema.relation(name) {
                Some(symbol) => Pattern::Symbol(symbol),
                None => {
                    return Err(Error::Mismatch(format!(
                        "a label has the symbol `{name}`, which the schema `{}` does not know",
                        schema.name
                    )));
                }
            },
        };
        let reason = said.reason.as_deref();
        let reason = reason.map(|text| load_reason(&Source::new("<reason>", text), schema));
        let equations = match said.equations.as_slice() {
            [] => Vec::new(),
            written => load_equations(&Source::new("<equations>", written.join("\n")), schema)?,
        };
        let spoken = Spoken {
            parent,
            reason: reason.transpose()?,
            equations,
        };
        Ok((said.action, spoken))
    });
    each.collect()
}
