//! Which symbols can stand on nodes at all.

use rustc_hash::FxHashSet;

use super::super::model::{Grammar, Pattern, Shape};
use crate::schema::{RelationId, Schema};

/// The symbols that leaves and productions make.
pub(super) struct Reach {
    /// Symbols that can stand on a node, in the order of the schema.
    pub(super) made: Vec<RelationId>,
    /// By symbol: it or a kind of it can stand on a node.
    live: Vec<bool>,
}

impl Reach {
    /// The least set that holds the leaves' symbols and what productions make of its members.
    pub(super) fn of(grammar: &Grammar) -> Reach {
        let schema = &grammar.schema;
        let mut is_made = vec![false; schema.relations.len()];
        let mut reach = Reach {
            made: Vec::new(),
            live: vec![false; schema.relations.len()],
        };
        for (at, relation) in schema.relations.iter().enumerate() {
            if !relation.triggers.is_empty() || !relation.forms.is_empty() {
                is_made[at] = true;
                reach.revive(RelationId(at as u32), schema);
            }
        }
        let mut waiting: Vec<Shape> = distinct_shapes(grammar);
        loop {
            let before = waiting.len();
            waiting.retain(|shape| {
                if !shape.children.iter().all(|child| reach.can_match(*child)) {
                    return true;
                }
                if let Pattern::Symbol(parent) = shape.parent {
                    if let Some(made) = is_made.get_mut(parent.0 as usize) {
                        *made = true;
                    }
                    reach.revive(parent, schema);
                }
                false
            });
            if waiting.len() == before {
                break;
            }
        }
        let made = is_made.iter().enumerate().filter(|(_, made)| **made);
        reach.made = made.map(|(at, _)| RelationId(at as u32)).collect();
        reach
    }

    fn revive(&mut self, symbol: RelationId, schema: &Schema) {
        for ancestor in schema.ancestors(symbol) {
            if let Some(live) = self.live.get_mut(ancestor.0 as usize) {
                *live = true;
            }
        }
    }

    /// True when some node can match the pattern.
    pub(super) fn can_match(&self, pattern: Pattern) -> bool {
        match pattern {
            Pattern::Any => self.live.contains(&true),
            Pattern::Symbol(symbol) => self.live.get(symbol.0 as usize) == Some(&true),
        }
    }
}

fn distinct_shapes(grammar: &Grammar) -> Vec<Shape> {
    let mut seen = FxHashSet::default();
    let shapes = grammar
        .productions
        .iter()
        .map(|production| production.shape);
    shapes
        .chain(grammar.fallback.production)
        .filter(|shape| seen.insert((shape.parent, shape.children)))
        .collect()
}
