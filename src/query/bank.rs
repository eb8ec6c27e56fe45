//! Trees over their measured texts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::gather::{GoldText, document_of};
use super::hits::{Found, Hit};
use crate::automaton::{AskedTree, Engine, Tables, Text};
use crate::error::{Error, Result};
use crate::grammar::{Query, Wanted};
use crate::schema::{RhetoricKind, Schema};
use crate::text::{Analyzer, Document};
use crate::tree::{Roles, Tree, UNLABELLED};

/// Trees that can be searched, in their order.
#[derive(Debug)]
pub struct Treebank {
    /// The schema, with all relations of the trees.
    pub schema: Arc<Schema>,
    /// The trees.
    pub banks: Vec<Bank>,
    /// What could not be put over its text, a line each.
    pub notes: Vec<String>,
}

/// A tree, and the file that it comes from.
#[derive(Debug)]
pub struct Bank {
    /// The tree over its text.
    pub asked: AskedTree,
    /// The file.
    pub file: PathBuf,
}

impl Bank {
    /// The text's id.
    pub fn id(&self) -> &str {
        self.asked.tree().id.as_deref().unwrap_or_default()
    }
}

/// The schema with all relations that stand in trees.
pub fn with_relations_of<'t>(schema: &Schema, trees: impl Iterator<Item = &'t Tree>) -> Schema {
    let mut names: BTreeMap<Arc<str>, RhetoricKind> = BTreeMap::new();
    for tree in trees {
        for (_, node) in tree.post_order() {
            let Some(pair) = node.pair() else {
                continue;
            };
            let name = pair.relation.clone().unwrap_or_else(|| UNLABELLED.into());
            let kind = match pair.roles {
                Roles::NucleusNucleus => RhetoricKind::Multinuc,
                _ => RhetoricKind::Rst,
            };
            names.entry(name).or_insert(kind);
        }
    }
    schema.clone().with_relations(names)
}

impl Treebank {
    /// Puts gold trees over their texts, and parses texts that have none with the engine.
    pub fn new(
        schema: &Schema,
        gold: Vec<GoldText>,
        texts: Vec<(Document, PathBuf)>,
        engine: Option<&Engine>,
    ) -> Result<Treebank> {
        let schema = with_relations_of(schema, gold.iter().map(|gold| &gold.tree));
        let schema = Arc::new(schema);
        let tables = Arc::new(Tables::new(&schema));
        let analyzer = Analyzer::new(&schema);
        let read = |gold: &GoldText| {
            let document = document_of(gold);
            let text = Text::new(&document, &analyzer.analyze(&document), &schema);
            let mut tree = gold.tree.clone();
            if tree.id.is_none() {
                tree.id = Some(text.id.clone());
            }
            tree.locate(&document);
            let asked = AskedTree::new(tree, Arc::new(text), &schema, &tables)?;
            let file = gold.file.clone();
            Ok(Bank { asked, file })
        };
        let parsed = |(document, file): &(Document, PathBuf)| {
            let parse = engine?.parse(document);
            let text = Arc::clone(&parse.text);
            let tree = parse.into_tree()?;
            let asked = AskedTree::new(tree, text, &schema, &tables);
            let file = file.clone();
            Some(asked.map(|asked| Bank { asked, file }))
        };
        let mut all: Vec<Result<Bank>> = gold.par_iter().map(read).collect();
        all.extend(texts.par_iter().filter_map(parsed).collect::<Vec<_>>());
        let mut bank = Treebank {
            schema,
            banks: Vec::with_capacity(all.len()),
            notes: Vec::new(),
        };
        for one in all {
            match one {
                Ok(one) => bank.banks.push(one),
                Err(error) => bank.notes.push(error.to_string()),
            }
        }
        if bank.banks.is_empty() {
            let why = bank.notes.first().cloned();
            let why = why.unwrap_or_else(|| "there is no tree to search".to_owned());
            return Err(Error::Empty(why));
        }
        Ok(bank)
    }

    /// The nodes of which the condition of a query is known to hold, in the order of the texts.
    pub fn search(&self, query: &Query) -> Found {
        let of_tree = |(at, bank): (usize, &Bank)| {
            let asked = &bank.asked;
            let mut looked_at = 0;
            let mut hits = Vec::new();
            for node in asked.nodes(query.wanted == Wanted::Edus) {
                if !self.fits(query, asked, node) {
                    continue;
                }
                looked_at += 1;
                let condition = query.condition.as_ref();
                if condition.is_none_or(|condition| condition.holds(&asked.facts(node))) {
                    hits.push(Hit { tree: at, node });
                }
            }
            // The order of reading, parents before what is in them.
            hits.sort_by_key(|hit| {
                let span = asked.tree().node(hit.node).span();
                (span.start, std::cmp::Reverse(span.end))
            });
            (looked_at, hits)
        };
        let of_trees: Vec<(usize, Vec<Hit>)> =
            self.banks.par_iter().enumerate().map(of_tree).collect();
        let mut found = Found::default();
        for (looked_at, hits) in of_trees {
            found.texts += usize::from(!hits.is_empty());
            found.looked_at += looked_at;
            found.hits.extend(hits);
        }
        found
    }

    /// True when a node has the relation and the roles that a query asks for.
    pub(super) fn fits(&self, query: &Query, asked: &AskedTree, node: crate::tree::NodeId) -> bool {
        let Wanted::Joins(pattern) = &query.wanted else {
            return true;
        };
        let Some(pair) = asked.tree().node(node).pair() else {
            return false;
        };
        let name = pair.relation.as_deref().unwrap_or(UNLABELLED);
        let relation = self
            .schema
            .rhetoric
            .iter()
            .position(|known| known.name == name);
        relation.is_some_and(|relation| {
            let relation = crate::schema::RhetoricId::new(relation);
            pattern.fits(relation, pair.roles, &self.schema)
        })
    }
}
