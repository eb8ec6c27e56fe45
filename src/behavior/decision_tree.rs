//! Synthesis of compact grammars: one decision tree a decision, each of its nodes a rule.
//!
//! Every node is a reason that a linguist can read from the top down: the literals on its path. The
//! other side of a literal is what is known to be false or is not known, so that exactly one leaf
//! holds in every configuration.

use std::collections::BTreeMap;

use super::example::Instances;
use super::literals::Literals;
use crate::grammar::formula::{Argument, Formula, FunctionId};
use crate::grammar::functions::Scope;

/// How a decision tree grows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// How many leaves it may have.
    pub(super) leaves: usize,
    /// How many instances a leaf must have.
    pub(super) least: usize,
}

/// A node: its path, and how often each thing was done there.
#[derive(Debug, Clone)]
pub(super) struct TreeNode {
    /// Literals from the top down, and whether they hold.
    pub(super) path: Vec<(u32, bool)>,
    pub(super) done: BTreeMap<u32, usize>,
    /// True when it is not divided any more.
    pub(super) leaf: bool,
}

/// A node that may still be divided.
struct Open {
    path: Vec<(u32, bool)>,
    members: Vec<u32>,
    /// The best literal to divide by, and what it gains.
    best: Option<(u32, f64)>,
}

/// Grows a tree, always dividing where most is gained; gives all its nodes, from the top down.
pub(super) fn grow(instances: &Instances, literals: &Literals, how: Growth) -> Vec<TreeNode> {
    let all: Vec<u32> = (0..instances.len() as u32).collect();
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut open = vec![opened(Vec::new(), all, instances, literals, how)];
    while open.len() < how.leaves {
        let widest = open
            .iter()
            .enumerate()
            .filter_map(|(at, node)| node.best.map(|(literal, gain)| (at, literal, gain)))
            .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
        let Some((at, literal, _)) = widest else {
            break;
        };
        let node = open.swap_remove(at);
        nodes.push(node.finished(instances, false));
        let holds = |member: &u32| {
            let holding = &instances.holding[*member as usize];
            holding.binary_search(&literal).is_ok()
        };
        let (yes, no): (Vec<u32>, Vec<u32>) = node.members.into_iter().partition(holds);
        for (members, side) in [(yes, true), (no, false)] {
            let mut path = node.path.clone();
            path.push((literal, side));
            open.push(opened(path, members, instances, literals, how));
        }
    }
    nodes.extend(open.iter().map(|node| node.finished(instances, true)));
    nodes.sort_by(|a, b| a.path.cmp(&b.path));
    nodes
}

impl Open {
    fn finished(&self, instances: &Instances, leaf: bool) -> TreeNode {
        TreeNode {
            done: tally(&self.members, instances),
            path: self.path.clone(),
            leaf,
        }
    }
}

fn tally(members: &[u32], instances: &Instances) -> BTreeMap<u32, usize> {
    let mut done = BTreeMap::new();
    for member in members {
        *done.entry(instances.done[*member as usize]).or_default() += 1;
    }
    done
}

fn opened(
    path: Vec<(u32, bool)>,
    members: Vec<u32>,
    instances: &Instances,
    literals: &Literals,
    how: Growth,
) -> Open {
    let best = best_literal(&members, instances, literals, how);
    Open {
        path,
        members,
        best,
    }
}

/// The literal that makes what is done most certain.
fn best_literal(
    members: &[u32],
    instances: &Instances,
    literals: &Literals,
    how: Growth,
) -> Option<(u32, f64)> {
    let total = tally(members, instances);
    if total.len() < 2 || members.len() < 2 * how.least {
        return None;
    }
    let kinds: Vec<u32> = total.keys().copied().collect();
    let width = kinds.len();
    // How often each thing was done where a literal held.
    let mut held = vec![0_u32; literals.formulas.len() * width];
    for member in members {
        let done = instances.done[*member as usize];
        let kind = kinds.binary_search(&done).unwrap_or(0);
        for literal in &instances.holding[*member as usize] {
            held[*literal as usize * width + kind] += 1;
        }
    }
    let whole: Vec<u32> = total.values().map(|count| *count as u32).collect();
    let before = uncertainty(&whole);
    let mut best: Option<(u32, f64)> = None;
    for (literal, yes) in held.chunks_exact(width).enumerate() {
        let inside: u32 = yes.iter().sum();
        let outside = members.len() as u32 - inside;
        if (inside as usize) < how.least || (outside as usize) < how.least {
            continue;
        }
        let no: Vec<u32> = whole.iter().zip(yes).map(|(all, yes)| all - yes).collect();
        let gain = before - uncertainty(yes) - uncertainty(&no);
        if best.is_none_or(|(_, known)| gain > known + 1e-9) {
            best = Some((literal as u32, gain));
        }
    }
    best.filter(|(_, gain)| *gain > 0.0)
}

/// Entropy times the number of instances.
fn uncertainty(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let share = |count: &u32| match count {
        0 => 0.0,
        count => -f64::from(*count) * (f64::from(*count) / f64::from(total)).ln(),
    };
    counts.iter().map(share).sum()
}

impl TreeNode {
    /// Its path as a reason.
    pub(super) fn reason(&self, literals: &Literals) -> Option<Formula> {
        let conjuncts: Vec<Formula> = self
            .path
            .iter()
            .map(|(literal, holds)| {
                let formula = literals.formulas[*literal as usize].clone();
                if *holds { formula } else { otherwise(formula) }
            })
            .collect();
        match conjuncts.len() {
            0 => None,
            1 => conjuncts.into_iter().next(),
            _ => Some(Formula::And(conjuncts)),
        }
    }
}

/// What holds where a formula does not: it is false, or what it asks for is not there.
fn otherwise(formula: Formula) -> Formula {
    let negated = match &formula {
        Formula::Not(inner) => (**inner).clone(),
        Formula::Compare(op, left, right) => {
            Formula::Compare(op.opposite(), left.clone(), right.clone())
        }
        _ => Formula::Not(Box::new(formula.clone())),
    };
    let unsure = maybe_unknown(&formula);
    match (unsure.is_empty(), FunctionId::find("known", Scope::Nodes)) {
        (false, Some(known)) => {
            let missing = unsure.into_iter().map(|asked| {
                Formula::Not(Box::new(Formula::Call(known, vec![Argument::Value(asked)])))
            });
            Formula::Or(missing.chain([negated]).collect())
        }
        _ => negated,
    }
}

/// The parts of a formula whose value may be missing: not all nodes are always there, and not every
/// function always has an answer.
fn maybe_unknown(formula: &Formula) -> Vec<Formula> {
    let mut found = Vec::new();
    formula.visit(&mut |part| {
        let unsure = match part {
            Formula::Call(function, arguments) => {
                let asks_nodes = function.get().scope != Scope::Anywhere;
                let missing = |argument: &Argument| matches!(argument, Argument::Node(node) if node.may_be_missing());
                asks_nodes && (function.get().may_be_unknown || arguments.iter().any(missing))
            }
            Formula::Attribute(..) => true,
            _ => false,
        };
        if unsure && !found.contains(part) {
            found.push(part.clone());
        }
    });
    found
}
