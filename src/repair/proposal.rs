//! From a wrong step to rules that would have taken the right one, tried on the text itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Repair;
use super::correction::{Correction, Divergence};
use super::draft::{Draft, Force, Symbols};
use super::evidence::{Instance, Reason, instances, reasons};
use super::ground::Ground;
use crate::automaton::{Deed, Step, Text, Trial, TriedRule, Walk};
use crate::grammar::{Decide, Equation};
use crate::tree::Tree;

/// A wrong node often needs a rule for its span and one for its label; more than so many rules are no
/// answer.
const MOST_RULES: usize = 4;
/// So many attempts that do it are enough.
const ENOUGH: usize = 3;

/// Rules that were tried on the text that is corrected.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) drafts: Vec<Draft>,
    /// How many literals its first rule asks.
    pub(super) length: usize,
    /// The correction holds with these rules.
    pub(super) holds: bool,
    /// The tree that they make.
    pub(super) tree: Tree,
    /// They make something that nothing in the grammar made.
    pub(super) adds_outcomes: bool,
}

/// A place where a step went wrong, with what gold texts say about it.
pub(super) struct Crossroads {
    pub(super) ground: Ground,
    pub(super) walk: Walk,
    instances: Vec<Instance>,
    /// The least weight that turns the step.
    force: f64,
}

/// The crossroads that were looked at, by where they are and what should be done.
#[derive(Default)]
pub(super) struct Known(BTreeMap<(usize, String), Arc<Crossroads>>);

/// A text with the steps that are to be corrected.
pub(super) struct Wrong<'w> {
    pub(super) text: &'w Arc<Text>,
    pub(super) steps: &'w [Step],
    pub(super) correction: &'w Correction,
}

impl Repair {
    /// Rules for a correction, from general to specific, each tried on its text.
    pub(super) fn attempts(&self, wrong: &Wrong<'_>, known: &mut Known) -> Vec<Attempt> {
        let Some(first) = wrong.correction.divergence(wrong.steps) else {
            return Vec::new();
        };
        let equations: Vec<Vec<Equation>> = wrong
            .steps
            .iter()
            .map(|step| self.engine.equations(step).to_vec())
            .collect();
        let here = self.crossroads(wrong, wrong.steps, &equations, first, known);
        let mut attempts: Vec<Attempt> = Vec::new();
        for symbols in Symbols::ALL {
            for reason in self.reasons(&here, first.deed, symbols) {
                let start = (first, &here, reason.literals.as_slice());
                attempts.extend(self.attempt(wrong, start, symbols, known));
            }
            // Symbols make a rule narrower: they are named where it takes them.
            let enough = attempts.iter().filter(|attempt| attempt.holds).count();
            if enough >= ENOUGH {
                break;
            }
        }
        attempts
    }

    /// Reasons for a deed that gold texts support, among configurations with these symbols.
    fn reasons(&self, here: &Crossroads, deed: Deed, symbols: Symbols) -> Vec<Reason> {
        let schema = self.engine.schema();
        let seats = if matches!(deed, Deed::Act(_)) { 3 } else { 2 };
        let fits = |instance: &Instance| {
            let nodes = here
                .ground
                .symbols
                .iter()
                .zip(&instance.symbols)
                .enumerate();
            let mut nodes = nodes.take(seats).filter(|(node, _)| symbols.names(*node));
            nodes.all(|(_, (own, other))| match (own, other) {
                (Some(own), Some(other)) => schema.is_a(*other, *own),
                _ => true,
            })
        };
        reasons(&here.ground, &here.instances, deed, here.force, &fits)
    }

    /// Tries a reason, with further rules where one alone does not do.
    fn attempt(
        &self,
        wrong: &Wrong<'_>,
        (mut at, here, reason): (Divergence, &Arc<Crossroads>, &[usize]),
        symbols: Symbols,
        known: &mut Known,
    ) -> Option<Attempt> {
        let length = reason.len();
        let mut here = Arc::clone(here);
        let mut reason = reason.to_vec();
        let mut best: Option<Attempt> = None;
        let mut drafts: Vec<Draft> = Vec::new();
        loop {
            let mut draft = Draft::new(&self.engine, &here.ground, &reason, at.deed, symbols);
            let taken: Vec<Arc<str>> = drafts.iter().map(|d| Arc::clone(&d.rule().id)).collect();
            draft.name_apart(&self.engine, &taken);
            draft.describe(&here.ground, &here.walk, wrong.text, self.engine.schema());
            drafts.push(draft);
            let rules: Vec<TriedRule> = drafts.iter().map(|draft| draft.rule.clone()).collect();
            let mut trial = Trial::new(&self.engine, &rules);
            let Some((force, parse, next)) = self.weakest(&mut trial, drafts.len() - 1, wrong, at)
            else {
                return best;
            };
            if let Some(draft) = drafts.last_mut() {
                draft.set_force(force);
            }
            best = Some(Attempt {
                drafts: drafts.clone(),
                length,
                holds: next.is_none(),
                tree: parse.tree.clone(),
                adds_outcomes: trial.adds_outcomes(),
            });
            let Some(next) = next.filter(|_| drafts.len() < MOST_RULES) else {
                return best;
            };
            let equations: Vec<Vec<Equation>> = parse
                .steps
                .iter()
                .map(|step| trial.equations(step).to_vec())
                .collect();
            here = self.crossroads(wrong, &parse.steps, &equations, next, known);
            at = next;
            // What follows should do no harm, and be about as special.
            let fitting = |other: &&Reason| (other.wrong, other.literals.len().abs_diff(length));
            let reasons = self.reasons(&here, at.deed, symbols);
            reason = reasons.iter().min_by_key(fitting)?.literals.clone();
        }
    }

    /// The weakest force with which the rule added last takes the right step, and what comes of it.
    fn weakest(
        &self,
        trial: &mut Trial,
        rule: usize,
        wrong: &Wrong<'_>,
        at: Divergence,
    ) -> Option<(Force, crate::automaton::TrialParse, Option<Divergence>)> {
        let ladder = Force::ladder(self.engine.grammar().decide);
        ladder.iter().find_map(|force| {
            trial.set_amount(rule, force.amount());
            let parse = trial.parse(wrong.text, &self.options)?;
            let next = wrong.correction.divergence(&parse.steps);
            let holds = wrong.correction.holds(&parse.tree, self.engine.schema());
            // Two nodes that are joined now may still get another label.
            let is_label =
                |next: &Divergence| matches!((at.deed, next.deed), (Deed::Act(_), Deed::Label(_)));
            let is_further =
                |next: &Divergence| next.step > at.step || (next.step == at.step && is_label(next));
            match next {
                None if holds => Some((*force, parse, None)),
                Some(next) if is_further(&next) => Some((*force, parse, Some(next))),
                _ => None,
            }
        })
    }

    /// What holds before a step, and which reasons gold texts support there.
    fn crossroads(
        &self,
        wrong: &Wrong<'_>,
        steps: &[Step],
        equations: &[Vec<Equation>],
        at: Divergence,
        known: &mut Known,
    ) -> Arc<Crossroads> {
        let mut walk = self.start.begin(Arc::clone(wrong.text));
        for (step, equations) in steps.iter().zip(equations).take(at.step) {
            walk.follow(step, equations);
        }
        let spans: Vec<String> = walk
            .stack()
            .map(|(_, span)| format!("{}-{}", span.first, span.last))
            .collect();
        let key = (at.step, format!("{:?} {}", at.deed, spans.join(" ")));
        if let Some(found) = known.0.get(&key) {
            return Arc::clone(found);
        }
        let ground = self.vocabulary.ground(&walk, wrong.text, &self.engine);
        let without = &wrong.text.id;
        let instances = instances(
            &self.bank,
            &self.engine,
            &self.start,
            &ground,
            at.deed,
            without,
        );
        let force = steps
            .get(at.step)
            .map_or(f64::INFINITY, |step| self.force(step, at.deed));
        let found = Arc::new(Crossroads {
            ground,
            walk,
            instances,
            force,
        });
        known.0.insert(key, Arc::clone(&found));
        found
    }

    /// The least weight that turns an action here; infinite where only a trial can tell.
    fn force(&self, step: &Step, deed: Deed) -> f64 {
        if self.engine.grammar().decide == Decide::Counts {
            return f64::INFINITY;
        }
        match deed {
            Deed::Label(_) => f64::INFINITY,
            Deed::Act(_) => {
                let sure = step.action_probability;
                let margin = (sure / (1.0 - sure)).ln();
                let ladder = Force::ladder(Decide::Weights).iter();
                let mut enough = ladder.map(|force| force.amount());
                enough
                    .find(|amount| *amount > margin)
                    .unwrap_or(f64::INFINITY)
            }
        }
    }
}

impl Crossroads {
    /// Gold decisions in which all that holds here holds too, and which turning would make wrong: the same
    /// situation, decided otherwise.
    pub(super) fn contradictions(&self) -> usize {
        let mut own = super::ground::Bits::default();
        for at in 0..self.ground.literals.len() {
            if let Some(word) = own.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        let same = self.instances.iter().filter(|one| one.holds == own);
        same.filter(|one| one.good == Some(false)).count()
    }
}

impl Known {
    /// What was found at the first step that was looked at for a correction.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Crossroads>> {
        self.0.values()
    }
}
