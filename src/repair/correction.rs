//! What a person says is wrong with a tree, and where the automaton left the right path.

use serde::Serialize;

use crate::automaton::{Deed, Outcome, Step};
use crate::diagnostic::nearest;
use crate::error::{Error, Result};
use crate::grammar::{Action, Pattern, Roles};
use crate::schema::{RhetoricId, Schema};
use crate::tree::{EduSpan, Tree};

/// Something of a tree that should be otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// The EDUs that it is about.
    pub span: EduSpan,
    /// What they should be.
    pub wanted: Wanted,
}

/// What some EDUs should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// A node with this relation and these roles.
    Label(Outcome),
    /// A node, whatever its relation.
    Node,
    /// No node.
    NoNode,
}

/// The first step that made a correction impossible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// The step, counted from 0.
    pub step: usize,
    /// What should have been done.
    pub deed: Deed,
}

/// What stands for no node, as people write it.
const NO_NODE: &str = "not a node";
/// What stands for a node with any relation.
const ANY_NODE: &str = "a node";

impl Correction {
    /// Reads a correction: `11-12`, and `causal-cause SN`, `causal-cause`, `a node` or `not a node`.
    pub fn read(span: &str, wanted: &str, schema: &Schema) -> Result<Correction> {
        let span = read_span(span)?;
        if span.edus() < 2 {
            let message = "a node has two EDUs or more: `11-12`";
            return Err(Error::Usage(message.to_owned()));
        }
        let wanted = match wanted.trim() {
            NO_NODE => Wanted::NoNode,
            ANY_NODE => Wanted::Node,
            label => Wanted::Label(read_label(label, schema)?),
        };
        Ok(Correction { span, wanted })
    }

    /// What it takes to attach some EDUs to their neighbours: both are nodes, and so are they together,
    /// with a relation if one is named.
    pub fn attach(
        one: &str,
        other: &str,
        wanted: Option<&str>,
        schema: &Schema,
    ) -> Result<Vec<Correction>> {
        let (mut left, mut right) = (read_span(one)?, read_span(other)?);
        if right.start < left.start {
            (left, right) = (right, left);
        }
        if left.end != right.start {
            return Err(Error::Usage(format!(
                "EDUs {left} and {right} are no neighbours; only neighbours can be joined"
            )));
        }
        let parts = [left, right].into_iter().filter(|part| part.edus() > 1);
        let mut all: Vec<Correction> = parts
            .map(|span| Correction {
                span,
                wanted: Wanted::Node,
            })
            .collect();
        let wanted = match wanted {
            Some(label) => Wanted::Label(read_label(label, schema)?),
            None => Wanted::Node,
        };
        let span = EduSpan {
            start: left.start,
            end: right.end,
        };
        all.push(Correction { span, wanted });
        Ok(all)
    }

    /// The corrections that turn one tree into another over the same EDUs: what the right tree has and
    /// the found one has not, from the left and from small to great.
    pub fn between(found: &Tree, right: &Tree, schema: &Schema) -> Result<Vec<Correction>> {
        let mut all = Vec::new();
        let right = right.clone().binary();
        for (_, node) in right.post_order() {
            let Some(pair) = node.pair() else { continue };
            let name = pair.relation.as_deref().unwrap_or(crate::tree::UNLABELLED);
            let correction = Correction {
                span: node.span(),
                wanted: Wanted::Label(outcome(name, Some(pair.roles), schema)?),
            };
            if !correction.holds(found, schema) {
                all.push(correction);
            }
        }
        all.sort_by_key(|correction| (correction.span.end, correction.span.edus()));
        Ok(all)
    }

    /// True when a tree is as the correction wants it.
    pub fn holds(&self, tree: &Tree, schema: &Schema) -> bool {
        let node = tree.post_order().find(|(_, node)| node.span() == self.span);
        let pair = node.and_then(|(_, node)| node.pair());
        match (self.wanted, pair) {
            (Wanted::NoNode, pair) => pair.is_none(),
            (_, None) => false,
            (Wanted::Node, Some(_)) => true,
            (Wanted::Label(outcome), Some(pair)) => {
                let wanted = schema.rhetoric_of(outcome.relation);
                let wanted = wanted.map(|rhetoric| rhetoric.name.as_str());
                pair.roles == outcome.roles && pair.relation.as_deref() == wanted
            }
        }
    }

    /// True when both can hold of one tree.
    pub fn fits(&self, other: &Correction) -> bool {
        let (a, b) = (self.span, other.span);
        let nodes = |one: &Correction| one.wanted != Wanted::NoNode;
        if a == b {
            return match (self.wanted, other.wanted) {
                (Wanted::Label(one), Wanted::Label(two)) => one == two,
                _ => nodes(self) == nodes(other),
            };
        }
        let crosses = a.start < b.end && b.start < a.end && !a.covers(b) && !b.covers(a);
        !(nodes(self) && nodes(other) && crosses)
    }

    /// What it wants, in words: `causal-cause SN`, `a node`, `not a node`.
    pub fn wanted_text(&self, schema: &Schema) -> String {
        match self.wanted {
            Wanted::Label(outcome) => label_text(outcome, schema),
            Wanted::Node => ANY_NODE.to_owned(),
            Wanted::NoNode => NO_NODE.to_owned(),
        }
    }

    /// The first step that makes the correction impossible; nothing where it holds.
    pub fn divergence(&self, steps: &[Step]) -> Option<Divergence> {
        let (start, end) = (self.span.start, self.span.end);
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for (step, done) in steps.iter().enumerate() {
            let act = |action| {
                Some(Divergence {
                    step,
                    deed: Deed::Act(action),
                })
            };
            let Some(label) = done.label else {
                let top = stack.last().copied();
                let next = top.map_or(0, |(_, end)| end);
                let complete = top.is_some_and(|top| top == (start, end));
                if self.wanted != Wanted::NoNode && next == end && !complete {
                    return act(Action::Reduce);
                }
                stack.push((next, next + 1));
                continue;
            };
            let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                return None;
            };
            let made = (left.0, right.1);
            if made == (start, end) {
                match self.wanted {
                    Wanted::Label(wanted) if !alike(wanted, label.outcome) => {
                        let deed = Deed::Label(wanted);
                        return Some(Divergence { step, deed });
                    }
                    Wanted::NoNode if !done.forced => return act(Action::Shift),
                    Wanted::NoNode => return self.earlier(steps, step, left, right),
                    _ => return None,
                }
            }
            if self.wanted != Wanted::NoNode && made.0 < start && start < made.1 && made.1 < end {
                return act(Action::Shift);
            }
            stack.push(made);
        }
        None
    }

    /// Nothing is left to shift where a node was made that should be none: its left part should have been
    /// joined with what stands before it, before its right part came.
    fn earlier(
        &self,
        steps: &[Step],
        made: usize,
        left: (u32, u32),
        right: (u32, u32),
    ) -> Option<Divergence> {
        if left.0 == 0 {
            return None;
        }
        let mut next = 0;
        for (step, done) in steps.iter().enumerate().take(made) {
            if done.label.is_none() {
                if next == right.0 {
                    let deed = Deed::Act(Action::Reduce);
                    return Some(Divergence { step, deed });
                }
                next += 1;
            }
        }
        None
    }
}

/// True when two outcomes have the same relation and roles, whatever symbol they make.
pub(super) fn alike(one: Outcome, other: Outcome) -> bool {
    one.relation == other.relation && one.roles == other.roles
}

/// `causal-cause SN`
pub(super) fn label_text(outcome: Outcome, schema: &Schema) -> String {
    let relation = schema.rhetoric_of(outcome.relation);
    let relation = relation.map_or("", |relation| relation.name.as_str());
    format!("{relation} {}", outcome.roles)
}

fn read_span(written: &str) -> Result<EduSpan> {
    let (first, last) = written.split_once('-').unwrap_or((written, written));
    let number = |part: &str| part.trim().parse().ok().filter(|number: &u32| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(EduSpan {
            start: first - 1,
            end: last,
        }),
        _ => Err(Error::Usage(format!(
            "`{written}` names no EDUs; they are numbered from 1: `3-5`, or `3` for one"
        ))),
    }
}

fn read_label(written: &str, schema: &Schema) -> Result<Outcome> {
    let mut words = written.split_whitespace();
    let (Some(name), roles, None) = (words.next(), words.next(), words.next()) else {
        return Err(Error::Usage(format!(
            "`{written}` is no label; write a relation and its roles (`causal-cause SN`), `{ANY_NODE}` or `{NO_NODE}`"
        )));
    };
    let all = [
        Roles::NucleusSatellite,
        Roles::SatelliteNucleus,
        Roles::NucleusNucleus,
    ];
    let roles = match roles {
        None => None,
        Some(written) => {
            let known = all.into_iter().find(|roles| roles.as_str() == written);
            Some(known.ok_or_else(|| {
                Error::Usage(format!(
                    "`{written}` are no roles; there are `NS`, `SN` and `NN`"
                ))
            })?)
        }
    };
    outcome(name, roles, schema)
}

/// A relation and roles by name; the usual roles where none are given.
fn outcome(name: &str, roles: Option<Roles>, schema: &Schema) -> Result<Outcome> {
    let at = schema.rhetoric.iter().position(|known| known.name == name);
    let Some((at, rhetoric)) = at.and_then(|at| Some((at, schema.rhetoric.get(at)?))) else {
        let names = schema.rhetoric.iter().map(|known| known.name.as_str());
        let help = nearest(name, names.collect::<Vec<_>>())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(Error::Usage(format!(
            "the schema has no relation `{name}`{help}"
        )));
    };
    let roles = roles.unwrap_or_else(|| Roles::usual(rhetoric.kind));
    if !roles.fit(rhetoric.kind) {
        let fitting = match Roles::usual(rhetoric.kind) {
            Roles::NucleusNucleus => "`NN`",
            _ => "`NS` and `SN`",
        };
        return Err(Error::Usage(format!(
            "`{name}` cannot have the roles `{roles}`; it can have {fitting}"
        )));
    }
    Ok(Outcome {
        parent: Pattern::Any,
        relation: RhetoricId::new(at),
        roles,
    })
}

/// A correction as reports have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CorrectionText {
    /// Its EDUs: `11-12`.
    pub edus: String,
    /// What they should be.
    pub wanted: String,
}

impl CorrectionText {
    pub(super) fn new(correction: &Correction, schema: &Schema) -> CorrectionText {
        CorrectionText {
            edus: correction.span.to_string(),
            wanted: correction.wanted_text(schema),
        }
    }
}
