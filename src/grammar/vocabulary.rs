//! Which symbols a value can be: the schema seen from formulas.

use rustc_hash::FxHashSet;

use super::formula::Type;
use super::functions::Domain;
use crate::schema::{LeafSource, Schema, ValueType};

/// What stands for "there is none" among cues, relations and classes.
pub(crate) const NONE: &str = "none";

/// A schema with what typing asks of it again and again.
pub(crate) struct Vocabulary<'s> {
    pub(crate) schema: &'s Schema,
    cues: FxHashSet<&'s str>,
    classes: FxHashSet<&'s str>,
}

impl<'s> Vocabulary<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Vocabulary<'s> {
        Vocabulary {
            schema,
            cues: schema.cues.iter().map(|cue| cue.name.as_str()).collect(),
            classes: schema.rhetoric.iter().map(|r| r.class.as_str()).collect(),
        }
    }

    /// The type of an attribute by its index.
    pub(crate) fn attribute_type(&self, at: usize) -> Option<Type> {
        let attribute = self.schema.attributes.get(at)?;
        let domain = match (attribute.value_type, attribute.leaf) {
            (ValueType::Symbol | ValueType::Set, LeafSource::Concepts) => Domain::Concepts,
            (ValueType::Symbol | ValueType::Set, _) => Domain::Attribute(at),
            _ => Domain::Open,
        };
        Some(Type {
            value: attribute.value_type,
            domain,
        })
    }

    /// True when a value of the domain can be this symbol.
    pub(crate) fn has(&self, domain: Domain, name: &str) -> bool {
        match domain {
            Domain::Open => true,
            Domain::Values(_) | Domain::Ordered(_) | Domain::Tails => {
                domain.list().is_some_and(|list| list.contains(&name))
            }
            Domain::Relations => self.schema.relation(name).is_some(),
            Domain::Rhetoric => name == NONE || self.schema.rhetoric(name).is_some(),
            Domain::Classes => name == NONE || self.classes.contains(name),
            Domain::Concepts => self.schema.concepts.iter().any(|c| c.name == name),
            Domain::Cues => name == NONE || self.cues.contains(name),
            Domain::Attribute(at) => match self.schema.attributes.get(at) {
                Some(attribute) if !attribute.values.is_empty() => {
                    attribute.values.iter().any(|value| value == name)
                }
                _ => true,
            },
        }
    }

    /// All symbols of a closed domain.
    pub(crate) fn values(&self, domain: Domain) -> Option<Vec<&'s str>> {
        let schema = self.schema;
        let mut values: Vec<&str> = match domain {
            Domain::Open => return None,
            Domain::Values(_) | Domain::Ordered(_) | Domain::Tails => {
                return domain.list().map(<[_]>::to_vec);
            }
            Domain::Relations => schema.relations.iter().map(|r| r.name.as_str()).collect(),
            Domain::Concepts => schema.concepts.iter().map(|c| c.name.as_str()).collect(),
            Domain::Rhetoric => schema.rhetoric.iter().map(|r| r.name.as_str()).collect(),
            Domain::Classes => {
                let mut classes: Vec<&str> = self.classes.iter().copied().collect();
                classes.sort_unstable();
                classes
            }
            Domain::Cues => schema.cues.iter().map(|c| c.name.as_str()).collect(),
            Domain::Attribute(at) => {
                let attribute = schema.attributes.get(at)?;
                if attribute.values.is_empty() {
                    return None;
                }
                return Some(attribute.values.iter().map(String::as_str).collect());
            }
        };
        if matches!(domain, Domain::Rhetoric | Domain::Classes | Domain::Cues) {
            values.push(NONE);
        }
        Some(values)
    }

    /// True when a value of one domain can ever equal one of the other.
    pub(crate) fn can_meet(&self, left: Domain, right: Domain) -> bool {
        if left == right {
            return true;
        }
        match (self.values(left), self.values(right)) {
            (Some(left), Some(right)) => left.iter().any(|value| right.contains(value)),
            _ => true,
        }
    }
}
