//! Examples as the program meets them: plain texts whose blocks and EDUs it finds by itself.
//!
//! Rules that have only seen gold EDUs are at a loss where a text is divided otherwise. So a gold tree is
//! carried over to the EDUs that the program finds: one that lies inside several gold EDUs stands for the
//! first of them, and the parts of one that was cut too often belong together before anything else.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::boundaries::{BoundaryOptions, boundary_tables};
use super::example::Example;
use super::validate::report;
use super::weights::part_of;
use crate::automaton::{Engine, ParseOptions};
use crate::error::Result;
use crate::grammar::{Decide, Grammar, embedded_grammar};
use crate::schema::{Rhetoric, RhetoricKind, Schema};
use crate::stopwatch::Stopwatch;
use crate::text::{Analyzer, Document};
use crate::tree::{Builder, Edu, NodeId, Report, Roles, Tree};

/// In how many parts texts are divided, so that each is cut by rules learned from the others.
const PARTS: usize = 5;

/// The relation between the parts of one EDU.
const SAME_UNIT: &str = "same-unit";

/// The grammar whose rules tell the structure of plain texts where a learned one has none.
const BLOCKS: &str = "blocks";

/// The same examples as plain texts, each divided by boundary rules learned from the others.
pub(super) fn divide_by_program(
    examples: &[&Example],
    schema: &Arc<Schema>,
    options: &BoundaryOptions,
) -> Vec<Example> {
    let watch = Stopwatch::start();
    let reader = Analyzer::new(schema);
    let parts: Vec<Vec<Example>> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            let is_held = |example: &&Example| part_of(example.id(), PARTS) == part;
            let (held, seen): (Vec<&Example>, Vec<&Example>) =
                examples.iter().partition(|example| is_held(example));
            if held.is_empty() || seen.is_empty() {
                return Vec::new();
            }
            let cutter = Engine::new(Grammar {
                schema: Arc::clone(schema),
                decide: Decide::Weights,
                tables: boundary_tables(&seen, &reader, schema, options),
                ..Grammar::default()
            });
            let Ok(cutter) = with_blocks(cutter.grammar()) else {
                return Vec::new();
            };
            let divided = held.iter().filter_map(|held| divide(held, &cutter, schema));
            divided.collect()
        })
        .collect();
    let mut all: Vec<Example> = parts.into_iter().flatten().collect();
    all.sort_by(|a, b| a.id().cmp(b.id()));
    tracing::info!(texts = all.len(), took = %watch, "divided texts by learned rules");
    all
}

/// An engine that reads plain texts: with the shipped block rules where the grammar has none.
fn with_blocks(grammar: &Grammar) -> Result<Engine> {
    let mut grammar = grammar.clone();
    if grammar.blocks.is_empty() {
        grammar.blocks = embedded_grammar(BLOCKS)?.blocks;
    }
    Ok(Engine::new(grammar))
}

/// Parses plain texts and scores the trees: what a user of the grammar gets.
pub fn score_plain(
    grammar: &Grammar,
    examples: &[&Example],
    schema: &Schema,
    options: &ParseOptions,
) -> Result<Report> {
    let engine = with_blocks(grammar)?;
    let pairs = examples.par_iter().filter_map(|example| {
        let tree = engine
            .parse_with(&plain(&example.document), options)
            .into_tree()?;
        Some((example.tree.clone(), tree))
    });
    Ok(report(pairs.collect(), schema))
}

/// A document as a plain text file: one line for each block, nothing marked.
fn plain(document: &Document) -> Document {
    let blocks = document.blocks.iter();
    let lines: Vec<&str> = blocks.map(|block| document.block_text(block)).collect();
    Document {
        date: document.date,
        ..Document::from_text(document.id.clone(), lines.join("\n"))
    }
}

/// An example as a plain text that the program has divided; nothing if its tree cannot be carried over.
fn divide(example: &Example, cutter: &Engine, schema: &Schema) -> Option<Example> {
    let mut document = plain(&example.document);
    cutter.analyzer().segment(&mut document);
    let gold = example.document.edus().map(|(_, edu)| edu);
    let gold = letter_starts(&example.document.text, gold);
    let own = letter_starts(&document.text, document.edus().map(|(_, edu)| edu));
    let edus = Edu::of_document(&document);
    let tree = carry_over(&example.tree, &gold, edus, &own, schema)?;
    let example = Example::new(document, tree, cutter.analyzer(), schema);
    example.ok().map(|example| Example {
        is_gold: false,
        ..example
    })
}

/// How many letters, white space not counted, stand before each EDU.
fn letter_starts(text: &str, edus: impl Iterator<Item = Range<usize>>) -> Vec<usize> {
    let (mut letters, mut at) = (0, 0);
    let starts = edus.map(|edu| {
        let between = text.get(at..edu.start).unwrap_or_default();
        letters += between.chars().filter(|c| !c.is_whitespace()).count();
        at = edu.start;
        letters
    });
    starts.collect()
}

/// The tree of a text over other EDUs: those that begin in a gold EDU stand in its place.
fn carry_over(
    tree: &Tree,
    gold: &[usize],
    edus: Vec<Edu>,
    own: &[usize],
    schema: &Schema,
) -> Option<Tree> {
    let same_unit = join_of_parts(schema)?;
    let tree = tree.clone().binary();
    let mut builder = Builder::over(edus);
    let leaves = builder.leaves();
    let mut made: Vec<Option<NodeId>> = vec![None; tree.len()];
    for (id, node) in tree.post_order() {
        made[id.index()] = match node.pair() {
            None => {
                let edu = node.span().start as usize;
                let begins = *gold.get(edu)?;
                let ends = gold.get(edu + 1).copied().unwrap_or(usize::MAX);
                // Whatever stands before the first gold EDU belongs to it.
                let first = if edu == 0 {
                    0
                } else {
                    own.partition_point(|at| *at < begins)
                };
                let last = own.partition_point(|at| *at < ends);
                let mut parts = leaves.get(first..last)?.iter().rev().copied();
                let end = parts.next();
                parts.try_fold(end, |right, left| {
                    let relation = Some(Arc::clone(&same_unit));
                    let join = builder.join(left, right?, Roles::NucleusNucleus, relation);
                    Some(Some(join.ok()?))
                })?
            }
            Some(pair) => match (made[pair.left.index()], made[pair.right.index()]) {
                (Some(left), Some(right)) => {
                    let relation = pair.relation.clone();
                    Some(builder.join(left, right, pair.roles, relation).ok()?)
                }
                (left, right) => left.or(right),
            },
        };
    }
    let root = made[tree.root().index()]?;
    let mut carried = builder.finish(root).ok()?;
    carried.id = tree.id;
    Some(carried)
}

/// The relation between the parts of one EDU, or what comes nearest to it in a schema.
fn join_of_parts(schema: &Schema) -> Option<Arc<str>> {
    let named = schema.rhetoric.iter().find(|known| known.name == SAME_UNIT);
    let several_nuclei = |known: &&Rhetoric| known.kind == RhetoricKind::Multinuc;
    let relation = named.or_else(|| schema.rhetoric.iter().find(several_nuclei))?;
    Some(Arc::from(&*relation.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;

    /// A gold tree over EDUs of these lengths: the first two belong together.
    fn tree(edus: &[&str]) -> Tree {
        let mut builder = Builder::over(edus.iter().map(|edu| Edu::new(*edu)));
        let leaves = builder.leaves();
        let inner = builder
            .join(
                leaves[0],
                leaves[1],
                Roles::SatelliteNucleus,
                Some("causal-cause".into()),
            )
            .unwrap();
        let root = builder
            .join(
                inner,
                leaves[2],
                Roles::NucleusNucleus,
                Some("joint-list".into()),
            )
            .unwrap();
        builder.finish(root).unwrap()
    }

    fn carried(own: &[(&str, usize)]) -> Option<String> {
        let schema = embedded_schema("general").unwrap();
        let gold = tree(&["因为下雨，", "比赛取消了，", "大家回家。"]);
        let edus = own.iter().map(|(text, _)| Edu::new(*text)).collect();
        let starts: Vec<usize> = own.iter().map(|(_, start)| *start).collect();
        let tree = carry_over(&gold, &[0, 5, 11], edus, &starts, &schema)?;
        let spans = tree.post_order().filter_map(|(_, node)| {
            let relation = node.relation()?;
            Some(format!(
                "{relation} {}-{}",
                node.span().first(),
                node.span().last()
            ))
        });
        Some(spans.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn the_same_edus_keep_the_tree() {
        let own = [("因为下雨，", 0), ("比赛取消了，", 5), ("大家回家。", 11)];
        assert_eq!(
            carried(&own).as_deref(),
            Some("causal-cause 1-2, joint-list 1-3")
        );
    }

    #[test]
    fn an_edu_that_holds_two_stands_for_the_first() {
        let own = [("因为下雨，比赛取消了，", 0), ("大家回家。", 11)];
        assert_eq!(carried(&own).as_deref(), Some("joint-list 1-2"));
    }

    #[test]
    fn parts_of_one_edu_belong_together() {
        let own = [
            ("因为", 0),
            ("下雨，", 2),
            ("比赛取消了，", 5),
            ("大家回家。", 11),
        ];
        assert_eq!(
            carried(&own).as_deref(),
            Some("same-unit 1-2, causal-cause 1-3, joint-list 1-4")
        );
    }

    #[test]
    fn letters_before_edus_are_counted_without_white_space() {
        let starts = letter_starts("甲 乙\n丙丁", [0..3, 4..7, 8..14].into_iter());
        assert_eq!(starts, [0, 1, 2]);
    }
}
