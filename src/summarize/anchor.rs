//! Where a unit stands in its tree, and what must come along for it to be understood.

use std::ops::Range;
use std::sync::Arc;

use super::SourceText;
use crate::tree::{NodeId, Role, Roles, Tree};

/// A step on the way from the root down to what is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct PathStep {
    /// What the node is to its parent; the root counts as a nucleus.
    pub role: Role,
    /// The relation between the node and its sibling; none at the root.
    pub relation: Option<Arc<str>>,
    /// The EDUs it covers, counted from 0.
    pub edus: Range<usize>,
}

/// The way from the root to the leaf of the EDU that matters most among `edus`: the one with the
/// fewest satellites on its way, of equals the first.
pub fn path(tree: &Tree, edus: &Range<usize>) -> Vec<PathStep> {
    let ways = edus.clone().filter_map(|edu| {
        let leaf = leaf(tree, edu)?;
        let satellites = ancestors(tree, leaf).filter(|&id| tree.role(id) == Role::Satellite);
        Some((satellites.count(), edu, leaf))
    });
    let Some((_, _, leaf)) = ways.min() else {
        return Vec::new();
    };
    let mut steps: Vec<PathStep> = ancestors(tree, leaf)
        .map(|id| PathStep {
            role: tree.role(id),
            relation: tree
                .node(id)
                .parent()
                .and_then(|parent| tree.node(parent).relation().cloned()),
            edus: tree.node(id).span().range(),
        })
        .collect();
    steps.reverse();
    steps
}

/// A relation whose pieces are one clause.
const SAME_UNIT: &str = "same-unit";
/// The class of relations between what is said and who says it.
const ATTRIBUTION: &str = "attribution";

/// The EDUs that make a readable whole of one EDU, in text order: the other pieces of its clause, and
/// who says it (of a source that is chosen: what it says). Without a tree it is the whole sentence.
pub(super) fn make_whole(text: &SourceText, edu: usize) -> Vec<Range<usize>> {
    let sentence = sentence(text, edu);
    let Some(tree) = text.tree() else {
        return vec![sentence];
    };
    let Some(leaf) = leaf(tree, edu) else {
        return std::iter::once(edu..edu + 1).collect();
    };
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut around = edu..edu + 1;
    for id in ancestors(tree, leaf).skip(1) {
        let Some(pair) = tree.node(id).pair() else {
            continue;
        };
        let span = tree.node(id).span().range();
        let relation = pair.relation.as_deref().unwrap_or_default();
        let left = tree.node(pair.left).span().range();
        let right = tree.node(pair.right).span().range();
        if relation.starts_with(SAME_UNIT) {
            around = around.start.min(span.start)..around.end.max(span.end);
        } else if relation.starts_with(ATTRIBUTION) {
            let (source, said) = match pair.roles {
                Roles::SatelliteNucleus => (left, right),
                _ => (right, left),
            };
            if source.contains(&edu) {
                pieces.push(within(&said, &sentence))
            } else {
                pieces.push(source)
            }
        }
        if !(sentence.start <= span.start && span.end <= sentence.end) {
            break;
        }
    }
    pieces.push(around);
    unite_stretches(pieces)
}

/// The EDUs of the sentence that an EDU begins in.
fn sentence(text: &SourceText, edu: usize) -> Range<usize> {
    let edus = &text.analysis.edus;
    let number = edus.get(edu).map(|edu| (edu.block, edu.sentence));
    let same = |at: &usize| edus.get(*at).map(|edu| (edu.block, edu.sentence)) == number;
    let start = (0..edu).rev().take_while(same).last().unwrap_or(edu);
    let end = (edu + 1..edus.len()).take_while(same).last();
    start..end.map_or(edu + 1, |last| last + 1)
}

/// The part of a span that lies in the sentence, or the span's EDU next to it.
fn within(span: &Range<usize>, sentence: &Range<usize>) -> Range<usize> {
    let common = span.start.max(sentence.start)..span.end.min(sentence.end);
    if !common.is_empty() {
        common
    } else if span.start >= sentence.end {
        span.start..span.start + 1
    } else {
        span.end.saturating_sub(1)..span.end
    }
}

/// Stretches in text order, those that touch or overlap made one.
pub(super) fn unite_stretches(mut stretches: Vec<Range<usize>>) -> Vec<Range<usize>> {
    stretches.retain(|stretch| !stretch.is_empty());
    stretches.sort_by_key(|stretch| (stretch.start, stretch.end));
    let mut united: Vec<Range<usize>> = Vec::new();
    for stretch in stretches {
        match united.last_mut() {
            Some(last) if stretch.start <= last.end => last.end = last.end.max(stretch.end),
            _ => united.push(stretch),
        }
    }
    united
}

/// The leaf over an EDU. Leaves lie in text order, so it is found by halving.
fn leaf(tree: &Tree, edu: usize) -> Option<NodeId> {
    let mut id = tree.root();
    while let Some(pair) = tree.node(id).pair() {
        let left = tree.node(pair.left).span().range();
        id = if edu < left.end {
            pair.left
        } else {
            pair.right
        };
    }
    (tree.node(id).span().start as usize == edu).then_some(id)
}

fn ancestors(tree: &Tree, leaf: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::successors(Some(leaf), |id| tree.node(*id).parent())
}
