//! Parsing step by step: what annotators and workbenches use.

use std::sync::Arc;

use super::Text;
use super::decide::Counting;
use super::engine::Engine;
use super::program::Outcome;
use super::run::{Arena, Labelled, Reduction, State, Step};
use crate::error::{Error, Result};
use crate::grammar::formula::Formula;
use crate::grammar::{Action, Equation};
use crate::measure::{NodeIndex, ParsedSpan};
use crate::tree::Tree;

/// A parse that somebody drives: one action at a time, with suggestions, and back again.
#[derive(Debug)]
pub struct Session {
    engine: Arc<Engine>,
    text: Arc<Text>,
    counting: Counting,
    arena: Arena,
    /// All configurations from the start to now.
    states: Vec<State>,
    /// Configurations that were taken back, the last one first to come again.
    undone: Vec<State>,
}

/// A step that is possible now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suggestion {
    /// Shift, or reduce.
    pub action: Action,
    /// What the two topmost nodes would become.
    pub outcome: Option<Outcome>,
    /// How probable the step is.
    pub probability: f64,
    /// The production that speaks loudest for it, by its place in the grammar.
    pub rule: Option<u32>,
}

impl Session {
    /// Begins a text.
    pub fn new(engine: Arc<Engine>, text: Arc<Text>, counting: Counting) -> Session {
        Session {
            arena: Arena::new(&text),
            engine,
            text,
            counting,
            states: vec![State::START],
            undone: Vec::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &Arc<Text> {
        &self.text
    }

    /// The engine.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The nodes on the stack, the topmost first.
    pub fn stack(&self) -> Vec<NodeIndex> {
        self.arena.stack(&self.state()).collect()
    }

    /// A node of the session.
    pub fn node(&self, at: NodeIndex) -> Option<&ParsedSpan> {
        self.arena.nodes.get(at.index())
    }

    /// The next EDU of the input, counted from 0; none at the end.
    pub fn next_edu(&self) -> Option<u32> {
        let next = self.state().next;
        ((next as usize) < self.text.len()).then_some(next)
    }

    /// True when one tree covers the text, or there is nothing to parse.
    pub fn is_complete(&self) -> bool {
        self.next_edu().is_none() && self.state().depth <= 1
    }

    /// What can be done now and how probable it is, the most probable first.
    pub fn suggestions(&self) -> Vec<Suggestion> {
        let state = self.state();
        let mut decider = self.engine.decider(&self.text, self.counting);
        let possible = decider.possible(&self.arena, &state);
        let mut suggestions = Vec::new();
        if possible.can_shift {
            suggestions.push(Suggestion {
                action: Action::Shift,
                outcome: None,
                probability: possible.probability(Action::Shift),
                rule: None,
            });
        }
        if possible.can_reduce {
            let reduce = possible.probability(Action::Reduce);
            let labels = decider.labels(&self.arena, &state);
            suggestions.extend(labels.iter().map(|label| Suggestion {
                action: Action::Reduce,
                outcome: Some(label.outcome),
                probability: reduce * label.probability,
                rule: label.rule,
            }));
        }
        self.engine.give_back(decider.workspace);
        suggestions.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        suggestions
    }

    /// Whether a reason is true now; nothing when that is unknown.
    pub fn truth(&self, reason: &Formula) -> Option<bool> {
        let nodes = self.arena.view(&self.state(), &self.text);
        reason.truth(&self.engine.program.view(&self.text, nodes))
    }

    /// Takes the next EDU on the stack.
    pub fn shift(&mut self) -> Result<()> {
        if self.next_edu().is_none() {
            return Err(no_edu());
        }
        let probability = self.probability(Action::Shift, None);
        let state = self.arena.shift(&self.state(), probability, false, false);
        self.enter(state);
        Ok(())
    }

    /// Joins the two topmost nodes, whether the grammar knows the outcome or not.
    pub fn reduce(&mut self, outcome: Outcome) -> Result<NodeIndex> {
        let state = self.state();
        if state.depth < 2 {
            return Err(no_pair());
        }
        let known = |s: &Suggestion| s.outcome == Some(outcome);
        let rule = self
            .suggestions()
            .into_iter()
            .find(known)
            .and_then(|s| s.rule);
        let how = Reduction {
            label: Labelled {
                outcome,
                probability: self.probability(Action::Reduce, Some(outcome)),
                rule,
                runner_up: None,
                fallback: false,
            },
            action_probability: 1.0,
            forced: false,
            action_fallback: false,
        };
        let state = self
            .arena
            .reduce(&state, &how, &self.engine.program, &self.text);
        self.enter(state);
        self.arena.stack(&state).next().ok_or_else(no_pair)
    }

    /// Does what somebody else decided, without asking the grammar: a shift, or a reduction with
    /// its own attribute equations.
    pub fn follow(&mut self, decided: Option<(Outcome, &[Equation])>) -> Result<()> {
        let state = self.state();
        let next = match decided {
            None if self.next_edu().is_none() => return Err(no_edu()),
            None => self.arena.shift(&state, 1.0, false, false),
            Some(_) if state.depth < 2 => return Err(no_pair()),
            Some((outcome, equations)) => {
                let how = Reduction::decided(outcome, false);
                let program = &self.engine.program;
                self.arena
                    .reduce_with(&state, &how, equations, program, &self.text)
            }
        };
        self.enter(next);
        Ok(())
    }

    /// Takes the last action back; false when there is none.
    pub fn undo(&mut self) -> bool {
        if self.states.len() < 2 {
            return false;
        }
        self.undone.extend(self.states.pop());
        true
    }

    /// Does again what was taken back last; false when there is nothing.
    pub fn redo(&mut self) -> bool {
        let again = self.undone.pop();
        self.states.extend(again);
        again.is_some()
    }

    /// What has been done.
    pub fn steps(&self) -> Vec<Step> {
        self.arena.steps(&self.state())
    }

    /// The finished tree.
    pub fn tree(&self) -> Result<Tree> {
        self.engine
            .build_tree(&self.text, &self.arena, &self.state())
    }

    fn state(&self) -> State {
        self.states.last().copied().unwrap_or(State::START)
    }

    fn enter(&mut self, state: State) {
        self.undone.clear();
        self.states.push(state);
    }

    /// How probable the engine holds an action; what it would never do has probability 0.
    fn probability(&self, action: Action, outcome: Option<Outcome>) -> f64 {
        let all = self.suggestions();
        let own = all
            .iter()
            .filter(|s| s.action == action && s.outcome == outcome);
        own.map(|suggestion| suggestion.probability).sum()
    }
}

fn no_edu() -> Error {
    Error::Usage("there is no EDU left to shift".to_owned())
}

fn no_pair() -> Error {
    Error::Usage("there are no two nodes to join".to_owned())
}
