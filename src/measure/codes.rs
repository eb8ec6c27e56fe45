//! Symbols as numbers: the codes of each domain.

use std::sync::Arc;

use super::domain::{Answer, Domain};
use super::measured::Measured;
use crate::schema::Schema;
use crate::tree::Value;

/// What stands for "there is none" among cues, relations and classes; its code is 0.
const NONE: &str = "none";

/// The codes of symbols under a schema.
#[derive(Debug, Clone, Copy)]
pub struct Codes<'s> {
    /// The schema.
    pub schema: &'s Schema,
    /// The coarse classes of rhetorical relations, `none` first; may be empty where nobody asks for
    /// them.
    pub classes: &'s [Arc<str>],
}

impl Codes<'_> {
    /// How many codes a domain has; nothing where values have no codes.
    pub fn count(&self, domain: Domain) -> Option<u32> {
        let count = match domain {
            Domain::Values(_) | Domain::Ordered(_) | Domain::Tails => domain.list()?.len(),
            Domain::Relations => self.schema.relations.len(),
            Domain::Rhetoric => self.schema.rhetoric.len() + 1,
            Domain::Classes => self.classes.len(),
            Domain::Cues => self.schema.cues.len() + 1,
            Domain::Open | Domain::Concepts | Domain::Attribute(_) => return None,
        };
        u32::try_from(count).ok()
    }

    /// The code of a symbol.
    pub fn code(&self, domain: Domain, name: &str) -> Option<u32> {
        let after_none = |at: Option<usize>| match name {
            NONE => Some(0),
            _ => at.map(|at| at + 1),
        };
        let schema = self.schema;
        let code = match domain {
            Domain::Values(_) | Domain::Ordered(_) | Domain::Tails => {
                domain.list()?.iter().position(|known| *known == name)
            }
            Domain::Relations => schema.relation(name).map(|id| id.0 as usize),
            Domain::Rhetoric => after_none(schema.rhetoric.iter().position(|r| r.name == name)),
            Domain::Classes => self.classes.iter().position(|class| **class == *name),
            Domain::Cues => after_none(schema.cues.iter().position(|c| c.name == name)),
            Domain::Open | Domain::Concepts | Domain::Attribute(_) => None,
        };
        u32::try_from(code?).ok()
    }

    /// The symbol of a code.
    fn symbol(&self, domain: Domain, code: u32) -> Option<Value> {
        let at = code as usize;
        let schema = self.schema;
        let name: &str = match (domain, at.checked_sub(1)) {
            (Domain::Ordered(list), _) => return Some(Value::Rank(list, u8::try_from(code).ok()?)),
            (Domain::Values(_) | Domain::Tails, _) => domain.list()?.get(at)?,
            (Domain::Relations, _) => &schema.relations.get(at)?.name,
            (Domain::Classes, _) => return Some(Value::Symbol(self.classes.get(at)?.clone())),
            (Domain::Rhetoric | Domain::Cues, None) => NONE,
            (Domain::Rhetoric, Some(at)) => &schema.rhetoric.get(at)?.name,
            (Domain::Cues, Some(at)) => &schema.cues.get(at)?.name,
            (Domain::Open | Domain::Concepts | Domain::Attribute(_), _) => return None,
        };
        Some(Value::Symbol(name.into()))
    }

    /// What was measured as a value of formulas.
    pub fn value(&self, measured: Measured<'_>, answer: Answer) -> Option<Value> {
        match (measured, answer) {
            (Measured::Unknown, _) => None,
            (Measured::Bool(value), _) => Some(Value::Bool(value)),
            (Measured::Int(value), _) => Some(Value::Int(value)),
            (Measured::Float(value), _) => Some(Value::Float(value)),
            (Measured::Name(name), _) => Some(Value::Text(name.into())),
            (Measured::Code(code), Answer::Symbol(domain)) => self.symbol(domain, code),
            (Measured::Cues(cues), Answer::Set(Domain::Cues)) => {
                let classes = cues.iter().filter_map(|cue| {
                    let at = usize::from(*cue).checked_sub(1)?;
                    Some(self.schema.cues.get(at)?.name.as_str().into())
                });
                Some(Value::Set(Arc::new(classes.collect())))
            }
            (Measured::Code(_) | Measured::Cues(_), _) => None,
        }
    }
}
