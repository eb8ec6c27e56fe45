//! A grammar with a few rules more, tried on texts that are measured already.

use std::sync::Arc;

use super::decide::Workspace;
use super::engine::Engine;
use super::program::Program;
use super::run::{Arena, Decider, Step};
use super::search::run;
use super::{ParseOptions, SpeakerKey, Text, trees};
use crate::grammar::{Action, Equation, Preference, Production};
use crate::tree::Tree;

/// A rule that is tried.
#[derive(Debug, Clone, PartialEq)]
pub enum TriedRule {
    /// What two nodes become.
    Production(Production),
    /// Shift or reduce.
    Preference(Preference),
}

/// A grammar with some rules added behind all others. It parses texts that are measured already: nothing
/// is read again, and nothing is written.
#[derive(Debug)]
pub struct Trial {
    program: Program,
    /// Where each added rule stands among the compiled ones of its kind.
    places: Vec<(Action, usize)>,
    adds_outcomes: bool,
}

/// What a trial made of a text.
#[derive(Debug, Clone)]
pub struct TrialParse {
    /// What was done.
    pub steps: Vec<Step>,
    /// The tree.
    pub tree: Tree,
}

impl Trial {
    /// The engine's grammar with these rules added.
    pub fn new(engine: &Engine, rules: &[TriedRule]) -> Trial {
        let mut grammar = engine.grammar().clone();
        let mut places = Vec::with_capacity(rules.len());
        for rule in rules {
            match rule {
                TriedRule::Production(production) => {
                    places.push((Action::Reduce, grammar.productions.len()));
                    grammar.productions.push(production.clone());
                }
                TriedRule::Preference(preference) => {
                    places.push((Action::Shift, grammar.preferences.len()));
                    grammar.preferences.push(preference.clone());
                }
            }
        }
        let program = Program::new(Arc::new(grammar));
        Trial {
            adds_outcomes: program.outcomes.len() > engine.outcomes().len(),
            program,
            places,
        }
    }

    /// Lets an added rule speak with another count or weight.
    pub fn set_amount(&mut self, rule: usize, amount: f64) {
        // Rules are compiled in the order of the grammar, before rows of tables.
        let compiled = match self.places.get(rule) {
            Some((Action::Reduce, at)) => self.program.productions.rules.get_mut(*at),
            Some((Action::Shift, at)) => self.program.preferences.rules.get_mut(*at),
            None => None,
        };
        if let Some(compiled) = compiled {
            compiled.amount = amount;
        }
    }

    /// Lets a rule of the grammar speak with another count or weight.
    pub fn set_amount_of(&mut self, speaker: SpeakerKey, amount: f64) {
        let compiled = match speaker {
            SpeakerKey::Production(at) => self.program.productions.rules.get_mut(at as usize),
            SpeakerKey::Preference(at) => self.program.preferences.rules.get_mut(at as usize),
            SpeakerKey::Table(_) => None,
        };
        if let Some(compiled) = compiled {
            compiled.amount = amount;
        }
    }

    /// True when a rule makes something that nothing in the grammar made: rows of tables about classes
    /// of relations speak for it too, so it may change texts in which the rule never speaks.
    pub fn adds_outcomes(&self) -> bool {
        self.adds_outcomes
    }

    /// Parses a measured text; nothing for one without EDUs.
    pub fn parse(&self, text: &Text, options: &ParseOptions) -> Option<TrialParse> {
        let mut decider = Decider {
            program: &self.program,
            text,
            counting: options.counting,
            workspace: Workspace::default(),
        };
        let mut arena = Arena::new(text);
        let states = run(options.search, &mut decider, &mut arena);
        let steps = arena.steps(states.first()?);
        let tree = trees::build_tree(text, &arena.nodes, &steps, &self.program).ok()?;
        Some(TrialParse { steps, tree })
    }

    /// The equations by which a step made its node.
    pub fn equations(&self, step: &Step) -> &[Equation] {
        self.program
            .equations(step.label.and_then(|label| label.rule))
    }
}
