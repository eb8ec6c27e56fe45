//! Named entities: who, where, how much, from tags, suffixes and the schema.

use std::ops::Range;

use super::words::{List, Tag, Word};
use crate::named::named_enum;
use crate::schema::{ConceptKind, Schema};

/// A named entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its stretch of the text, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: EntityKind,
}

named_enum! {
    /// What an entity is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum EntityKind {
        /// A company, an office, a body.
        Organisation = "organisation",
        /// A place.
        Place = "place",
        /// A person.
        Person = "person",
        /// An amount of money.
        Money = "money",
        /// A percentage.
        Percent = "percent",
    }
}

/// The entities among the words, in text order, never overlapping.
pub fn find_entities(words: &[Word], schema: &Schema) -> Vec<Entity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let end = name_end(words, at);
        if let Some(kind) = kind_of(&words[at..end], schema) {
            found.push(Entity {
                range: words[at].start as usize..words[end - 1].end as usize,
                kind,
            });
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// A name can run over this many words: 国家统计局天津调查总队.
const LONGEST_NAME: usize = 6;

/// Where a name that begins at `at` ends: behind the last suffix of an organisation or a place
/// that nouns lead up to, or behind the word itself.
fn name_end(words: &[Word], at: usize) -> usize {
    let mut end = at + 1;
    if !words[at].tag.is_proper() && words[at].concept().is_none() {
        return end;
    }
    for (next, word) in words
        .iter()
        .enumerate()
        .take(at + LONGEST_NAME)
        .skip(at + 1)
    {
        let suffix = word.is(List::OrganisationSuffix) || word.is(List::PlaceSuffix);
        if suffix || word.tag == Tag::Organisation {
            end = next + 1;
        } else if !word.tag.is_nominal() || word.trigger().is_some() {
            break;
        }
    }
    end
}

fn kind_of(name: &[Word], schema: &Schema) -> Option<EntityKind> {
    let (first, last) = (name.first()?, name.last()?);
    if name.len() > 1 && last.is(List::PlaceSuffix) && !last.is(List::OrganisationSuffix) {
        return Some(EntityKind::Place);
    }
    if name.len() > 1 || first.tag == Tag::Organisation {
        return Some(EntityKind::Organisation);
    }
    match first.tag {
        Tag::Number if first.is(List::Percent) => Some(EntityKind::Percent),
        Tag::Number if first.is(List::Money) => Some(EntityKind::Money),
        Tag::Place => Some(EntityKind::Place),
        Tag::Person => Some(EntityKind::Person),
        Tag::Proper => match first.concept().and_then(|at| schema.concepts.get(at)) {
            Some(concept) if concept.kind == ConceptKind::Agent => Some(EntityKind::Organisation),
            _ => None,
        },
        _ => None,
    }
}
