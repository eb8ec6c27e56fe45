//! Trees as the page draws them: nuclei of one relation in a row are one node.

use std::collections::HashMap;

use super::messages::{EduView, NodeView, Span, TreeView};
use crate::behavior::Forest;
use crate::text::{BlockKind, Document};
use crate::tree::{Edu, EduSpan, Roles, Tree};

/// First and last EDU, from 1.
pub(super) fn numbers(span: EduSpan) -> Span {
    (span.first(), span.last())
}

/// The span of numbers from 1; nothing where they make no sense.
pub(super) fn span_of(numbers: Span) -> Option<EduSpan> {
    let start = numbers.0.checked_sub(1)?;
    (start < numbers.1).then_some(EduSpan {
        start,
        end: numbers.1,
    })
}

/// The tree that the grammar made, to compare nodes with.
#[derive(Default)]
pub(super) struct Parsed<'p> {
    nodes: HashMap<EduSpan, (Roles, &'p str, Option<f64>)>,
}

impl<'p> Parsed<'p> {
    pub(super) fn of(tree: Option<&'p Tree>) -> Parsed<'p> {
        let nodes = tree.into_iter().flat_map(Tree::post_order);
        let pairs = nodes.filter_map(|(_, node)| {
            let pair = node.pair()?;
            let probability = node.decision.as_ref().map(|decision| decision.probability);
            let relation = pair.relation.as_deref().unwrap_or_default();
            Some((node.span(), (pair.roles, relation, probability)))
        });
        Parsed {
            nodes: pairs.collect(),
        }
    }
}

/// The EDUs of a document.
pub(super) fn edus_of(document: &Document) -> Vec<EduView> {
    let edus = document.edus().map(|(block, range)| {
        let kind = document.blocks.get(block).map(|block| block.kind);
        EduView {
            text: document.slice(&range).to_owned(),
            block: u32::try_from(block).unwrap_or(u32::MAX),
            heading: matches!(kind, Some(BlockKind::Heading(_))),
        }
    });
    edus.collect()
}

/// The EDUs of a tree.
pub(super) fn edus_of_tree(edus: &[Edu]) -> Vec<EduView> {
    let views = edus.iter().map(|edu| EduView {
        text: edu.text.to_string(),
        block: edu.block.unwrap_or_default(),
        heading: false,
    });
    views.collect()
}

/// A forest with the grammar's opinion of its nodes.
pub(super) fn view(forest: &Forest, edus: Vec<EduView>, parsed: &Parsed<'_>) -> TreeView {
    let knots = forest.knots();
    let is_part = |at: usize| {
        let above = knots[at].parent.and_then(|parent| knots.get(parent));
        let (Some(above), Some(own)) = (above.and_then(|k| k.link.as_ref()), &knots[at].link)
        else {
            return false;
        };
        let nuclei = Roles::NucleusNucleus;
        above.right == at
            && (above.join.roles, own.join.roles) == (nuclei, nuclei)
            && above.join.relation == own.join.relation
    };
    let mut places = vec![0; knots.len()];
    let mut nodes: Vec<NodeView> = Vec::with_capacity(knots.len());
    for (at, knot) in knots.iter().enumerate() {
        if is_part(at) {
            continue;
        }
        places[at] = nodes.len();
        let mut node = NodeView {
            span: numbers(knot.span),
            ..NodeView::default()
        };
        if let Some(link) = &knot.link {
            let mut below = link;
            node.children.push(places[below.left]);
            while is_part(below.right) {
                let Some(next) = &knots[below.right].link else {
                    break;
                };
                below = next;
                node.children.push(places[below.left]);
            }
            node.children.push(places[below.right]);
            node.roles = match link.join.roles {
                Roles::NucleusNucleus => "N".repeat(node.children.len()),
                roles => roles.as_str().to_owned(),
            };
            node.relation = link.join.relation.to_string();
            if let Some((roles, relation, probability)) = parsed.nodes.get(&knot.span) {
                node.parsed = *roles == link.join.roles && **relation == *link.join.relation;
                node.probability = probability.filter(|_| node.parsed);
            }
        }
        nodes.push(node);
    }
    TreeView {
        edus,
        roots: forest.roots().iter().map(|root| places[*root]).collect(),
        nodes,
        shifted: forest.shifted(),
    }
}

/// A tree, with how probable each of its own nodes is.
pub(super) fn view_of_tree(tree: &Tree) -> TreeView {
    let edus = edus_of_tree(&tree.edus);
    view(&Forest::of_tree(tree), edus, &Parsed::of(Some(tree)))
}
