//! Why the parser did what it did: a derivation replayed, step by step.
//!
//! An [`Explainer`] holds every configuration of a derivation. [`Explainer::row`] is a line of the
//! table of steps, [`Explainer::detail`] everything about one step: which rules spoke, with what
//! instances or weights, how their reasons came out conjunct by conjunct, and which rules came
//! near. [`Explainer::why_not`] answers for a rule that did not win.

mod choice;
mod html;
mod reason;
mod short;
mod text;
mod turn;
mod weighing;
mod why_not;
mod words;

use serde::Serialize;

pub use choice::{Choice, LevelShare, Share};
pub use html::{ExplanationPage, explanation_html};
pub use reason::{Conjunct, Voice};
pub use text::{StepTable, detail_text};
pub use turn::Turn;
pub use weighing::{Contribution, Said, Weighing, row_label};
pub use why_not::{Tried, WhyNot};

pub(super) use words::reason_facts;

use super::decide::Label;
use super::run::{Arena, State, Step};
use super::view::View;
use super::{Counting, Engine, Outcome, ParseOptions, Search, Text};
use crate::automaton::program::Speaker;
use crate::diagnostic::{Place, nearest};
use crate::error::{Error, Result};
use crate::grammar::{Action, AnyRule, Pattern};
use crate::measure::{NodeIndex, ParsedSpan};
use crate::schema::Schema;
use crate::tree;

/// A derivation with all its configurations.
pub struct Explainer<'e> {
    engine: &'e Engine,
    text: &'e Text,
    counting: Counting,
    search: Search,
    arena: Arena,
    /// The configuration before each step.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A node on the stack, or an EDU to come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its EDUs, counted from 1: `3-5`.
    pub edus: String,
    /// Its symbol.
    pub symbol: String,
    /// Its relation, where it is no EDU.
    pub relation: Option<String>,
    /// The text of its first EDU.
    pub text: String,
}

/// A step in a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Counted from 1.
    pub step: usize,
    /// The stack, the topmost node last.
    pub stack: Vec<Item>,
    /// The next EDU of the input.
    pub next: Option<Item>,
    /// `shift` or `reduce`.
    pub action: &'static str,
    /// What was shifted or made.
    pub made: Item,
    /// The roles of the children of what was made.
    pub roles: Option<&'static str>,
    /// The probability of the step.
    pub probability: f64,
    /// There was nothing else to do.
    pub forced: bool,
    /// No rule covered it.
    pub fallback: bool,
    /// The rules that decided: the loudest preference for the action, the loudest production.
    pub by: Vec<String>,
    /// The best other step and its probability.
    pub runner_up: Option<(String, f64)>,
}

impl Row {
    /// How far the runner-up is behind.
    pub fn margin(&self) -> Option<f64> {
        let (_, other) = self.runner_up.as_ref()?;
        Some(self.probability - other)
    }
}

/// Everything about a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detail {
    /// The step in a line.
    pub row: Row,
    /// Shift or reduce, and why; none where there was no choice.
    pub action: Option<Choice>,
    /// What the nodes became, and why; none for shifts.
    pub label: Option<Choice>,
    /// The rule that made the node.
    pub rule: Option<Voice>,
    /// Attributes of A, B and the new node.
    pub attributes: Vec<AttributeRow>,
}

/// An attribute before and after a reduction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeRow {
    /// Its name.
    pub name: String,
    /// The value of A.
    pub a: Option<String>,
    /// The value of B.
    pub b: Option<String>,
    /// The value of the new node.
    pub d: Option<String>,
    /// The equation that set it; none where it went straight forward.
    pub equation: Option<String>,
}

impl<'e> Explainer<'e> {
    /// Replays the steps that the engine made of a text with these options.
    pub fn new(
        engine: &'e Engine,
        text: &'e Text,
        steps: &[Step],
        options: &ParseOptions,
    ) -> Explainer<'e> {
        let ParseOptions {
            counting, search, ..
        } = *options;
        let mut arena = Arena::new(text);
        let mut states = Vec::with_capacity(steps.len());
        let mut decider = engine.decider(text, counting);
        let mut state = State::START;
        for step in steps {
            states.push(state);
            let possible = decider.possible(&arena, &state);
            state = match step.action {
                Action::Shift => decider.shift(&mut arena, &state, &possible),
                Action::Reduce => {
                    let labels = decider.labels(&arena, &state);
                    let chosen = chosen_label(&labels, step);
                    decider.reduce(&mut arena, &state, &possible, &labels, chosen)
                }
            };
        }
        engine.give_back(decider.workspace);
        Explainer {
            engine,
            text,
            counting,
            search,
            arena,
            states,
            steps: steps.to_vec(),
        }
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True for a text without EDUs.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The text.
    pub fn text(&self) -> &Text {
        self.text
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// All steps in a line each.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (1..=self.len()).filter_map(|step| self.row(step))
    }

    /// A step in a line, counted from 1.
    pub fn row(&self, step: usize) -> Option<Row> {
        let at = step.checked_sub(1)?;
        let (done, state) = (self.steps.get(at)?, self.states.get(at)?);
        let mut decider = self.engine.naming_decider(self.text, self.counting);
        let possible = decider.possible(&self.arena, state);
        let mut by = Vec::new();
        if possible.choice.is_some() {
            let fired = std::mem::take(&mut decider.workspace.fired);
            let loudest = self.loudest_preference(&fired, done.action);
            by.push(loudest.map_or_else(|| FALLBACK.to_owned(), |rule| self.preference_id(rule)));
        }
        let mut others: Vec<(String, f64)> = Vec::new();
        if possible.can_shift && done.action == Action::Reduce {
            let shift = possible.probability(Action::Shift);
            others.push(("shift".to_owned(), shift));
        }
        if possible.can_reduce {
            let labels = decider.labels(&self.arena, state);
            let chosen = chosen_label(&labels, done);
            let reduce = possible.probability(Action::Reduce);
            for (at, label) in labels.iter().enumerate() {
                if done.action == Action::Shift || at != chosen {
                    let name = self.outcome_name(label);
                    others.push((format!("reduce to {name}"), reduce * label.probability));
                }
            }
            if let (Action::Reduce, Some(label)) = (done.action, labels.get(chosen)) {
                let rule = label.rule.map(|rule| self.production_id(rule));
                by.push(rule.unwrap_or_else(|| FALLBACK.to_owned()));
            }
        }
        self.engine.give_back(decider.workspace);
        let runner_up = others
            .into_iter()
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        let span = self.arena.node(done.node);
        let mut stack: Vec<Item> = self.arena.stack(state).map(|at| self.item(at)).collect();
        stack.reverse();
        by.dedup();
        Some(Row {
            step,
            stack,
            next: self.next_item(state),
            action: done.action.as_str(),
            made: self.item(done.node),
            roles: span.joined.map(|joined| joined.roles.as_str()),
            probability: done.probability(),
            forced: done.forced,
            fallback: done.is_fallback(),
            by,
            runner_up,
        })
    }

    /// The step that made a span, or shifted an EDU: EDUs counted from 1, the last one included.
    pub fn step_of(&self, first: u32, last: u32) -> Option<usize> {
        let covers = |step: &Step| {
            let span = self.arena.node(step.node);
            span.first + 1 == first && span.last + 1 == last
        };
        self.steps.iter().position(covers).map(|at| at + 1)
    }

    /// Everything about a step, counted from 1.
    pub fn detail(&self, step: usize) -> Option<Detail> {
        self.detail_against(step, None)
    }

    /// Everything about a step, counted from 1; what the nodes became is weighed against an outcome of
    /// [`Explainer::outcome`], else against the most probable other one.
    pub fn detail_against(&self, step: usize, rival: Option<&Outcome>) -> Option<Detail> {
        let row = self.row(step)?;
        let (done, state) = (self.steps.get(step - 1)?, self.states.get(step - 1)?);
        let production = done.label.and_then(|label| label.rule);
        let view = self.view(state);
        let rule = production.map(|rule| self.voice(self.production(rule), &view));
        Some(Detail {
            action: self.action_choice(state, done),
            label: self.label_choice(state, done, rival),
            attributes: self.attributes(done, production),
            rule,
            row,
        })
    }

    /// The outcome that a person names: a relation, alone or with its roles (`causal-cause NS`).
    pub fn outcome(&self, name: &str) -> Result<Outcome> {
        let schema = self.engine.schema();
        let known = &self.engine.program.outcomes;
        let names: Vec<String> = known.iter().map(|one| short_outcome(one, schema)).collect();
        let fits = |known: &&String| {
            **known == name
                || known
                    .rsplit_once(' ')
                    .is_some_and(|(relation, _)| relation == name)
        };
        let found = names.iter().position(|known| fits(&known));
        found.and_then(|at| known.get(at).copied()).ok_or_else(|| {
            let names = names.iter().map(String::as_str);
            let help = nearest(name, names.collect::<Vec<_>>())
                .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
            Error::Usage(format!("nothing in this grammar makes `{name}`{help}"))
        })
    }

    fn view(&self, state: &State) -> View<'_> {
        let nodes = self.arena.view(state, self.text);
        self.engine.program.view(self.text, nodes)
    }

    fn attributes(&self, done: &Step, production: Option<u32>) -> Vec<AttributeRow> {
        let Some(joined) = self.arena.node(done.node).joined else {
            return Vec::new();
        };
        let schema = self.engine.schema();
        let of = |node: NodeIndex, at: usize| {
            let value = self.arena.node(node).attributes.get(at)?.as_ref();
            value.map(reason::shown)
        };
        let rule = production.map(|rule| self.production(rule));
        let equations = match rule {
            Some(Speaker::Rule(AnyRule::Production(production))) => production.equations.as_slice(),
            _ => &[],
        };
        let rows = schema.attributes.iter().enumerate().map(|(at, attribute)| {
            let set = equations.iter().find(|e| e.attribute as usize == at);
            AttributeRow {
                name: attribute.name.clone(),
                a: of(joined.left, at),
                b: of(joined.right, at),
                d: of(done.node, at),
                equation: set.map(|equation| {
                    format!("D.{} = {}", attribute.name, equation.value.text(schema))
                }),
            }
        });
        let said = |row: &AttributeRow| {
            row.a.is_some() || row.b.is_some() || row.d.is_some() || row.equation.is_some()
        };
        rows.filter(said).collect()
    }

    fn item(&self, at: NodeIndex) -> Item {
        let span = self.arena.node(at);
        let schema = self.engine.schema();
        let relation = span.joined.map(|joined| joined.relation.index());
        let relation = relation.and_then(|at| schema.rhetoric.get(at));
        let edu = self.text.edus.get(span.first as usize);
        Item {
            edus: edus(span),
            symbol: schema.relation_name(span.symbol).to_owned(),
            relation: relation.map(|relation| relation.name.clone()),
            text: edu.map_or_else(String::new, |edu| tree::tidy_text(&edu.text)),
        }
    }

    fn next_item(&self, state: &State) -> Option<Item> {
        let next = state.next;
        ((next as usize) < self.text.len()).then(|| self.item(NodeIndex::of_edu(next)))
    }

    fn outcome_name(&self, label: &Label) -> String {
        let schema = self.engine.schema();
        let outcome = label.outcome;
        let relation = schema.rhetoric_of(outcome.relation);
        let relation = relation.map_or("", |relation| relation.name.as_str());
        let parent = outcome.parent.name(schema);
        format!("{parent}[{relation}] {}", outcome.roles)
    }

    fn production(&self, compiled: u32) -> Speaker<'e> {
        self.engine.program.production(compiled)
    }

    fn preference(&self, compiled: u32) -> Speaker<'e> {
        self.engine.program.preference(compiled)
    }

    fn production_id(&self, compiled: u32) -> String {
        self.production(compiled).rule().id.to_string()
    }

    fn preference_id(&self, compiled: u32) -> String {
        self.preference(compiled).rule().id.to_string()
    }
}

/// `causal-cause NS`, with the symbol where it makes one: `Rise[causal-cause] NS`.
fn short_outcome(outcome: &Outcome, schema: &Schema) -> String {
    let relation = schema.rhetoric_of(outcome.relation);
    let relation = relation.map_or("", |relation| relation.name.as_str());
    let roles = outcome.roles.letters().concat();
    match outcome.parent {
        Pattern::Any => format!("{relation} {roles}"),
        parent => format!("{}[{relation}] {roles}", parent.name(schema)),
    }
}

/// `file:line`; shipped files as `arsg show` names them.
fn short_place(place: &Place) -> String {
    let name = place.source().name();
    let name = name.strip_prefix("<embedded>/grammars/").unwrap_or(name);
    format!("{name}:{}", place.line_column().0)
}

/// What stands for the rule where none spoke.
const FALLBACK: &str = "fallback";

/// The place of the label that a step took.
fn chosen_label(labels: &[Label], step: &Step) -> usize {
    let rule = step.label.and_then(|label| label.rule);
    let chosen = labels.iter().position(|label| label.rule == rule);
    chosen.unwrap_or(0)
}

fn edus(span: &ParsedSpan) -> String {
    let span = tree::EduSpan {
        start: span.first,
        end: span.last + 1,
    };
    span.to_string()
}
