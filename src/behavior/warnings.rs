//! What is odd in trees that are being made: nothing is wrong with the file, but somebody should look.

use super::forest::{Forest, Knot};
use crate::schema::{Name, Schema};
use crate::tree::{Edu, EduSpan, Roles};

/// Something odd about a node.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// It holds on to nothing, though other EDUs are joined.
    Unattached,
    /// So many satellites of one relation are stacked on one side of one nucleus: often they belong together
    /// first.
    Stacked(usize),
    /// The schema does not know the relation.
    UnknownRelation,
    /// A relation of several nuclei between nucleus and satellite, or the other way round.
    OtherKind,
    /// It joins a part of a sentence with what stands outside of it.
    CrossesSentence,
}

/// How many satellites in a row are called a stack.
const STACK: usize = 3;

/// What is odd in a forest, by the EDUs of the node, in text order.
pub fn warnings(forest: &Forest, edus: &[Edu], schema: &Schema) -> Vec<(EduSpan, Warning)> {
    let knots = forest.knots();
    let mut found = Vec::new();
    let is_begun = forest.roots().len() < knots.len();
    if is_begun && forest.roots().len() > 1 {
        let roots = forest.roots().iter().filter_map(|root| knots.get(*root));
        found.extend(roots.map(|root| (root.span, Warning::Unattached)));
    }
    for knot in knots {
        let Some(link) = &knot.link else { continue };
        match schema.lookup(&link.join.relation) {
            Some(Name::Rhetoric(id)) => {
                let kind = schema.rhetoric_of(id).map(|relation| relation.kind);
                if kind.is_some_and(|kind| !link.join.roles.fit(kind)) {
                    found.push((knot.span, Warning::OtherKind));
                }
            }
            _ => found.push((knot.span, Warning::UnknownRelation)),
        }
        if crosses_sentence(knot, knots, edus) {
            found.push((knot.span, Warning::CrossesSentence));
        }
        let stacked = stack_under(knot, knots);
        if stacked >= STACK && !is_stacked_on(knot, knots) {
            found.push((knot.span, Warning::Stacked(stacked)));
        }
    }
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found
}

/// True where the node divides a sentence: one child ends inside a sentence that goes on in the other, and
/// either reaches out of that sentence.
fn crosses_sentence(knot: &Knot, knots: &[Knot], edus: &[Edu]) -> bool {
    let Some(link) = &knot.link else { return false };
    let Some(left) = knots.get(link.left).map(|left| left.span) else {
        return false;
    };
    let sentence = |at: u32| edus.get(at as usize).and_then(|edu| edu.sentence);
    let (Some(before), Some(after)) = (sentence(left.end.saturating_sub(1)), sentence(left.end))
    else {
        return false;
    };
    let first = sentence(knot.span.start);
    let last = sentence(knot.span.end.saturating_sub(1));
    before == after && (first != Some(before) || last != Some(after))
}

/// How many satellites of the node's relation hold on to its nucleus, one above the other, on one side.
fn stack_under(knot: &Knot, knots: &[Knot]) -> usize {
    let mut count = 0;
    let mut at = Some(knot);
    let top = knot
        .link
        .as_ref()
        .map(|link| (link.join.roles, link.join.relation.clone()));
    while let Some(link) = at.and_then(|knot| knot.link.as_ref()) {
        let nucleus = match link.join.roles {
            Roles::NucleusSatellite => link.left,
            Roles::SatelliteNucleus => link.right,
            _ => break,
        };
        if Some((link.join.roles, link.join.relation.clone())) != top {
            break;
        }
        count += 1;
        at = knots.get(nucleus);
    }
    count
}

/// True where the node above goes on with the stack.
fn is_stacked_on(knot: &Knot, knots: &[Knot]) -> bool {
    let above = knot.parent.and_then(|parent| knots.get(parent));
    let (Some(above), Some(own)) = (above.and_then(|above| above.link.as_ref()), &knot.link) else {
        return false;
    };
    let nucleus = match above.join.roles {
        Roles::NucleusSatellite => above.left,
        Roles::SatelliteNucleus => above.right,
        _ => return false,
    };
    let same = above.join.roles == own.join.roles && above.join.relation == own.join.relation;
    same && knots
        .get(nucleus)
        .is_some_and(|nucleus| nucleus.span == knot.span)
}
