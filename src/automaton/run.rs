//! Configurations and steps: a stack, the remaining input, and what has been done.
//!
//! Everything lives in one arena and nothing in it changes, so a configuration is a few numbers:
//! a beam keeps many of them, and taking a step back is free.

use std::sync::Arc;

use super::Text;
use super::attributes;
use super::decide::{ActionChoice, Counting, Label, Workspace};
use super::program::{Outcome, Program};
use super::view::Nodes;
use crate::grammar::{Action, Equation};
use crate::measure::{Joined, NodeIndex, ParsedSpan};

/// No cell, no step.
const NONE: u32 = u32::MAX;

/// A configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct State {
    /// The topmost cell of the stack.
    top: u32,
    /// How many nodes are on the stack.
    pub(super) depth: u32,
    /// The next EDU of the input.
    pub(super) next: u32,
    /// The last step that led here.
    last: u32,
    /// The logarithm of the probability of all steps that led here.
    pub(super) log_probability: f64,
}

impl State {
    pub(super) const START: State = State {
        top: NONE,
        depth: 0,
        next: 0,
        last: NONE,
        log_probability: 0.0,
    };
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    node: NodeIndex,
    below: u32,
}

/// One step of a derivation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Shift or reduce.
    pub action: Action,
    /// The node that was shifted or made.
    pub node: NodeIndex,
    /// The probability of the action; 1 where there was no choice.
    pub action_probability: f64,
    /// There was no choice: nothing to reduce, or nothing to shift.
    pub forced: bool,
    /// No preference spoke.
    pub action_fallback: bool,
    /// For reductions: what it became and why.
    pub label: Option<Labelled>,
}

/// Why a reduction made what it made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// What the two nodes became.
    pub outcome: Outcome,
    /// The probability among all that the two nodes could have become.
    pub probability: f64,
    /// The production that spoke loudest for it, by its place in the grammar; none for the
    /// fallback, or where somebody else decided.
    pub rule: Option<u32>,
    /// The best other: its production and its probability.
    pub runner_up: Option<(u32, f64)>,
    /// No production fitted.
    pub fallback: bool,
}

impl Step {
    /// The probability of the whole step.
    pub fn probability(&self) -> f64 {
        self.action_probability * self.label.map_or(1.0, |label| label.probability)
    }

    /// True when no rule covered it.
    pub fn is_fallback(&self) -> bool {
        self.action_fallback || self.label.is_some_and(|label| label.fallback)
    }
}

#[derive(Debug, Clone, Copy)]
struct Past {
    before: u32,
    step: Step,
}

/// All nodes, stack cells and steps of one text.
#[derive(Debug)]
pub(super) struct Arena {
    pub(super) nodes: Vec<ParsedSpan>,
    cells: Vec<Cell>,
    past: Vec<Past>,
}

impl Arena {
    /// The leaves of a text.
    pub(super) fn new(text: &Text) -> Arena {
        let count = text.len() as u32;
        let mut nodes = Vec::with_capacity(2 * text.len());
        nodes.extend((0..count).map(|at| ParsedSpan::leaf(text, at)));
        Arena {
            nodes,
            cells: Vec::with_capacity(2 * text.len()),
            past: Vec::with_capacity(2 * text.len()),
        }
    }

    pub(super) fn node(&self, at: NodeIndex) -> &ParsedSpan {
        &self.nodes[at.index()]
    }

    /// The nodes of the stack, the topmost first.
    pub(super) fn stack(&self, state: &State) -> impl Iterator<Item = NodeIndex> + '_ {
        let mut at = state.top;
        std::iter::from_fn(move || {
            let cell = self.cells.get(at as usize)?;
            at = cell.below;
            Some(cell.node)
        })
    }

    /// The steps that led to a state, the first one first.
    pub(super) fn steps(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = state.last;
        while let Some(past) = self.past.get(at as usize) {
            steps.push(past.step);
            at = past.before;
        }
        steps.reverse();
        steps
    }

    /// The nodes that rules can speak of.
    pub(super) fn view(&self, state: &State, text: &Text) -> Nodes<'_> {
        let mut stack = self.stack(state);
        let b = stack.next().map(|at| self.node(at));
        let a = stack.next().map(|at| self.node(at));
        let s = stack.next().map(|at| self.node(at));
        let edu = |at: u32| ((at as usize) < text.len()).then(|| self.node(NodeIndex::of_edu(at)));
        Nodes {
            a,
            b,
            c: edu(state.next),
            s,
            e: edu(state.next + 1),
        }
    }

    pub(super) fn shift(
        &mut self,
        state: &State,
        probability: f64,
        forced: bool,
        fallback: bool,
    ) -> State {
        let node = NodeIndex::of_edu(state.next);
        let step = Step {
            action: Action::Shift,
            node,
            action_probability: probability,
            forced,
            action_fallback: fallback,
            label: None,
        };
        State {
            top: self.push(node, state.top),
            depth: state.depth + 1,
            next: state.next + 1,
            last: self.remember(step, state.last),
            log_probability: state.log_probability + step.probability().ln(),
        }
    }

    /// Joins the two topmost nodes as a rule says; the caller has seen that there are two.
    pub(super) fn reduce(
        &mut self,
        state: &State,
        how: &Reduction,
        program: &Program,
        text: &Text,
    ) -> State {
        let equations = program.equations(how.label.rule);
        self.reduce_with(state, how, equations, program, text)
    }

    /// Joins the two topmost nodes with the given equations.
    pub(super) fn reduce_with(
        &mut self,
        state: &State,
        how: &Reduction,
        equations: &[Equation],
        program: &Program,
        text: &Text,
    ) -> State {
        let mut stack = self.stack(state);
        let (Some(right), Some(left)) = (stack.next(), stack.next()) else {
            return *state;
        };
        drop(stack);
        let below = self
            .cells
            .get(state.top as usize)
            .map_or(NONE, |cell| cell.below);
        let below = self
            .cells
            .get(below as usize)
            .map_or(NONE, |cell| cell.below);
        let outcome = how.label.outcome;
        let joined = Joined {
            left,
            right,
            relation: outcome.relation,
            roles: outcome.roles,
        };
        let nodes = self.view(state, text);
        let span = join_spans(nodes, joined, outcome, equations, program, text);
        let Some(span) = span else {
            return *state;
        };
        let node = NodeIndex::new(self.nodes.len());
        self.nodes.push(span);
        let step = Step {
            action: Action::Reduce,
            node,
            action_probability: how.action_probability,
            forced: how.forced,
            action_fallback: how.action_fallback,
            label: Some(how.label),
        };
        State {
            top: self.push(node, below),
            depth: state.depth - 1,
            next: state.next,
            last: self.remember(step, state.last),
            log_probability: state.log_probability + step.probability().ln(),
        }
    }

    fn push(&mut self, node: NodeIndex, below: u32) -> u32 {
        self.cells.push(Cell { node, below });
        (self.cells.len() - 1) as u32
    }

    fn remember(&mut self, step: Step, before: u32) -> u32 {
        self.past.push(Past { before, step });
        (self.past.len() - 1) as u32
    }
}

/// A and B as one node.
fn join_spans(
    nodes: Nodes<'_>,
    joined: Joined,
    outcome: Outcome,
    equations: &[Equation],
    program: &Program,
    text: &Text,
) -> Option<ParsedSpan> {
    let (a, b) = (nodes.a?, nodes.b?);
    let symbol = outcome.symbol(a.symbol, b.symbol);
    let mut span = ParsedSpan::join(a, b, symbol, joined, program.compares_words);
    let view = program.view(text, nodes);
    span.attributes = attributes::synthesize_attributes(&view, joined.roles, equations);
    Some(span)
}

/// How two nodes are to be joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reduction {
    pub(super) label: Labelled,
    pub(super) action_probability: f64,
    pub(super) forced: bool,
    pub(super) action_fallback: bool,
}

impl Reduction {
    /// What somebody else decided: no rule made it, and it is certain.
    pub(super) fn decided(outcome: Outcome, forced: bool) -> Reduction {
        Reduction {
            label: Labelled {
                outcome,
                probability: 1.0,
                rule: None,
                runner_up: None,
                fallback: false,
            },
            action_probability: 1.0,
            forced,
            action_fallback: false,
        }
    }
}

/// What can be done in a configuration, and how probable it is.
#[derive(Debug, Clone)]
pub(super) struct Possible {
    /// None where there is no choice.
    pub(super) choice: Option<ActionChoice>,
    pub(super) can_shift: bool,
    pub(super) can_reduce: bool,
}

impl Possible {
    pub(super) fn probability(&self, action: Action) -> f64 {
        self.choice
            .as_ref()
            .map_or(1.0, |choice| choice.probability(action))
    }

    pub(super) fn is_forced(&self) -> bool {
        self.choice.is_none()
    }

    pub(super) fn is_fallback(&self) -> bool {
        self.choice.as_ref().is_some_and(|choice| choice.fallback)
    }
}

/// Decides over one text.
pub(super) struct Decider<'p> {
    pub(super) program: &'p Program,
    pub(super) text: &'p Text,
    pub(super) counting: Counting,
    pub(super) workspace: Workspace,
}

impl Decider<'_> {
    /// What can be done; preferences are asked only where there is a choice.
    pub(super) fn possible(&mut self, arena: &Arena, state: &State) -> Possible {
        let can_shift = (state.next as usize) < self.text.len();
        let can_reduce = state.depth >= 2;
        self.workspace.begin(self.program.questions.slots());
        let choice = (can_shift && can_reduce).then(|| {
            let nodes = arena.view(state, self.text);
            let view = self.program.view(self.text, nodes);
            self.program
                .choose_action(&view, self.counting, &mut self.workspace)
        });
        Possible {
            choice,
            can_shift,
            can_reduce,
        }
    }

    /// What the two topmost nodes may become, the chosen one first. Measurements of the same
    /// configuration are kept from [`Decider::possible`].
    pub(super) fn labels(&mut self, arena: &Arena, state: &State) -> Vec<Label> {
        let mut labels = Vec::new();
        self.labels_into(arena, state, &mut labels);
        labels
    }

    /// The same into a list that is used again and again.
    pub(super) fn labels_into(&mut self, arena: &Arena, state: &State, labels: &mut Vec<Label>) {
        let nodes = arena.view(state, self.text);
        let view = self.program.view(self.text, nodes);
        self.program
            .choose_label(&view, self.counting, &mut self.workspace, labels);
    }

    /// Shift or reduce, for nodes that stand nowhere yet.
    pub(super) fn choose(&self, nodes: Nodes<'_>, workspace: &mut Workspace) -> ActionChoice {
        workspace.begin(self.program.questions.slots());
        let view = self.program.view(self.text, nodes);
        self.program.choose_action(&view, self.counting, workspace)
    }

    /// What A and B most probably become; nothing where one of them is missing.
    pub(super) fn join_most_probably(
        &self,
        nodes: Nodes<'_>,
        [left, right]: [NodeIndex; 2],
        workspace: &mut Workspace,
    ) -> Option<(ParsedSpan, f64)> {
        workspace.begin(self.program.questions.slots());
        let view = self.program.view(self.text, nodes);
        let mut labels = Vec::new();
        self.program
            .choose_label(&view, self.counting, workspace, &mut labels);
        let label = labels.first()?;
        let joined = Joined {
            left,
            right,
            relation: label.outcome.relation,
            roles: label.outcome.roles,
        };
        let equations = self.program.equations(label.rule);
        join_spans(
            nodes,
            joined,
            label.outcome,
            equations,
            self.program,
            self.text,
        )
        .map(|span| (span, label.probability))
    }

    pub(super) fn shift(&self, arena: &mut Arena, state: &State, possible: &Possible) -> State {
        arena.shift(
            state,
            possible.probability(Action::Shift),
            possible.is_forced(),
            possible.is_fallback(),
        )
    }

    pub(super) fn reduce(
        &self,
        arena: &mut Arena,
        state: &State,
        possible: &Possible,
        labels: &[Label],
        chosen: usize,
    ) -> State {
        let label = labels[chosen];
        let other = labels.iter().enumerate().find(|(at, _)| *at != chosen);
        let runner_up = other.and_then(|(_, label)| Some((label.rule?, label.probability)));
        let how = Reduction {
            label: Labelled {
                outcome: label.outcome,
                probability: label.probability,
                rule: label.rule,
                runner_up,
                fallback: label.rule.is_none(),
            },
            action_probability: possible.probability(Action::Reduce),
            forced: possible.is_forced(),
            action_fallback: possible.is_fallback(),
        };
        arena.reduce(state, &how, self.program, self.text)
    }
}

/// A text shared by whoever works on it.
pub type SharedText = Arc<Text>;
