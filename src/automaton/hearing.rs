//! Who spoke in every decision of a derivation, and on whom it hung.

use std::collections::BTreeMap;

use super::engine::Engine;
use super::program::{Compiled, Origin, Program};
use super::run::{Arena, Decider, State, Step};
use super::view::View;
use super::{Outcome, ParseOptions, Text};
use crate::grammar::Action;

/// What is done at a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Deed {
    /// Shift, or reduce.
    Act(Action),
    /// Make this of the two topmost nodes.
    Label(Outcome),
}

/// A rule or a table, by its place among those of its kind in the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpeakerKey {
    /// A production.
    Production(u32),
    /// A preference.
    Preference(u32),
    /// A table.
    Table(u32),
}

/// A decision and everybody who spoke in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hearing {
    /// The step, counted from 0. A reduction may have two hearings: that it is one, and what it makes.
    pub step: usize,
    /// What was done.
    pub done: Deed,
    /// Who spoke.
    pub voices: Vec<HeardVoice>,
}

/// What a rule or a table said in a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct HeardVoice {
    /// Who it is.
    pub speaker: SpeakerKey,
    /// The rows that spoke, of a table.
    pub rows: Vec<u32>,
    /// What it spoke for or against, and how much.
    pub says: Vec<(Deed, f64)>,
    /// What would have been done without it, where that is something else.
    pub without: Option<Deed>,
}

impl HeardVoice {
    /// How much it speaks for a deed, against the best of what else it speaks for.
    pub fn pull(&self, deed: Deed) -> f64 {
        let own: f64 = self
            .says
            .iter()
            .filter(|says| same(says.0, deed))
            .map(|says| says.1)
            .sum();
        let others = self.says.iter().filter(|says| !same(says.0, deed));
        let other = others.map(|says| says.1).fold(f64::NEG_INFINITY, f64::max);
        match (own == 0.0, other.is_finite()) {
            (true, true) => -other,
            _ => own - other.max(0.0),
        }
    }
}

/// True when two deeds come to the same tree, whatever symbol is made.
fn same(one: Deed, other: Deed) -> bool {
    match (one, other) {
        (Deed::Act(one), Deed::Act(other)) => one == other,
        (Deed::Label(one), Deed::Label(other)) => {
            one.relation == other.relation && one.roles == other.roles
        }
        _ => false,
    }
}

impl Engine {
    /// All decisions of a derivation with who spoke in them.
    pub fn hearings(&self, text: &Text, steps: &[Step], options: &ParseOptions) -> Vec<Hearing> {
        let mut all = Vec::new();
        let mut arena = Arena::new(text);
        let mut decider = self.naming_decider(text, options.counting);
        let mut state = State::START;
        for (at, step) in steps.iter().enumerate() {
            let possible = decider.possible(&arena, &state);
            if possible.choice.is_some() {
                all.push(heard_action(&mut decider, &arena, &state, at, step));
            }
            state = match step.action {
                Action::Shift => decider.shift(&mut arena, &state, &possible),
                Action::Reduce => {
                    let labels = decider.labels(&arena, &state);
                    all.extend(heard_label(&mut decider, &arena, &state, at, step));
                    let rule = step.label.and_then(|label| label.rule);
                    let chosen = labels.iter().position(|label| label.rule == rule);
                    decider.reduce(&mut arena, &state, &possible, &labels, chosen.unwrap_or(0))
                }
            };
        }
        self.give_back(decider.workspace);
        all
    }
}

/// Those who fired by whom they belong to: rows of a table stand together.
type Groups = BTreeMap<SpeakerKey, Vec<u32>>;

fn groups(fired: &[u32], rules: &[Compiled], rule: impl Fn(u32) -> SpeakerKey) -> Groups {
    let mut groups = Groups::new();
    for at in fired {
        let Some(compiled) = rules.get(*at as usize) else {
            continue;
        };
        let key = match compiled.origin {
            Origin::Rule(own) => rule(own),
            Origin::Row { table, .. } => SpeakerKey::Table(table),
        };
        groups.entry(key).or_default().push(*at);
    }
    groups
}

/// A voice before anybody knows whether the decision hung on it.
fn voice(
    speaker: SpeakerKey,
    own: &[u32],
    rules: &[Compiled],
    deed: impl Fn(u32) -> Option<Deed>,
) -> HeardVoice {
    let mut voice = HeardVoice {
        speaker,
        rows: Vec::new(),
        says: Vec::new(),
        without: None,
    };
    for compiled in own.iter().filter_map(|at| rules.get(*at as usize)) {
        if let Origin::Row { row, .. } = compiled.origin
            && !voice.rows.contains(&row)
        {
            voice.rows.push(row);
        }
        let Some(side) = deed(compiled.side) else {
            continue;
        };
        match voice.says.iter_mut().find(|(known, _)| *known == side) {
            Some((_, sum)) => *sum += compiled.amount,
            None => voice.says.push((side, compiled.amount)),
        }
    }
    voice
}

/// Those who fired without some of them.
fn rest(fired: &[u32], own: &[u32]) -> Vec<u32> {
    let others = fired.iter().filter(|at| !own.contains(at));
    others.copied().collect()
}

fn act(side: u32) -> Deed {
    Deed::Act(match side {
        0 => Action::Shift,
        _ => Action::Reduce,
    })
}

fn heard_action(
    decider: &mut Decider<'_>,
    arena: &Arena,
    state: &State,
    at: usize,
    step: &Step,
) -> Hearing {
    let fired = std::mem::take(&mut decider.workspace.fired);
    let program: &Program = decider.program;
    let view = program.view(decider.text, arena.view(state, decider.text));
    let rules = &program.preferences.rules;
    let done = Deed::Act(step.action);
    let mut voices = Vec::new();
    for (key, own) in groups(&fired, rules, SpeakerKey::Preference) {
        let mut voice = voice(key, &own, rules, |side| Some(act(side)));
        // Only who speaks for what was done can have decided it.
        if voice.pull(done) > 0.0 {
            let rest = rest(&fired, &own);
            let counting = decider.counting;
            let choice = program.weigh_action(&rest, None, &view, counting, &mut decider.workspace);
            let other = Deed::Act(choice.best());
            voice.without = (other != done).then_some(other);
        }
        voices.push(voice);
    }
    Hearing {
        step: at,
        done,
        voices,
    }
}

fn heard_label(
    decider: &mut Decider<'_>,
    arena: &Arena,
    state: &State,
    at: usize,
    step: &Step,
) -> Option<Hearing> {
    let fired = std::mem::take(&mut decider.workspace.fired);
    let done = Deed::Label(step.label?.outcome);
    let program: &Program = decider.program;
    let view: View<'_> = program.view(decider.text, arena.view(state, decider.text));
    let rules = &program.productions.rules;
    let outcome = |side: u32| {
        let outcome = program.outcomes.get(side as usize).copied();
        outcome.map(Deed::Label)
    };
    let mut voices = Vec::new();
    let mut labels = Vec::new();
    for (key, own) in groups(&fired, rules, SpeakerKey::Production) {
        let mut voice = voice(key, &own, rules, outcome);
        if voice.pull(done) > 0.0 {
            let rest = rest(&fired, &own);
            let counting = decider.counting;
            program.weigh_labels(&rest, &view, counting, &mut decider.workspace, &mut labels);
            let other = labels.first().map(|label| Deed::Label(label.outcome));
            voice.without = other.filter(|other| !same(*other, done));
        }
        voices.push(voice);
    }
    decider.workspace.fired = fired;
    Some(Hearing {
        step: at,
        done,
        voices,
    })
}
