//! Why: what spoke for a node and against it, what another step would have led to, what a rule does.

use std::sync::Arc;

use serde_json::Value;

use super::bench::Bench;
use super::desk::suggestions;
use super::messages::{
    Caller, ForceAnswer, ForceAsk, OpenAsk, RuleAnswer, RuleAsk, RuleNode, StepsAnswer, WhyAnswer,
    WhyAsk,
};
use super::view::{numbers, view_of_tree};
use crate::automaton::explain::Explainer;
use crate::automaton::{Counting, Engine, Outcome, Parse, ParseOptions, Session, Step};
use crate::behavior::read_label;
use crate::diagnostic::Place;
use crate::error::{Error, Result};
use crate::grammar::Action;
use crate::tree::EduSpan;

/// How many texts are looked through for the nodes of a rule.
const LOOKED_THROUGH: usize = 200;
/// How many of its nodes are shown.
const SHOWN_NODES: usize = 60;
/// How many characters of a node are shown.
const SHOWN_TEXT: usize = 60;

fn steps_of(parse: &Parse) -> &[Step] {
    parse
        .derivations
        .first()
        .map_or(&[], |derivation| &derivation.steps)
}

fn value(of: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(of).map_err(|error| Error::Internal(error.to_string()))
}

impl Bench {
    /// The grammar's tree over the EDUs that the caller's label has, and the engine that made it.
    fn parsed(&self, caller: &Caller, id: &str) -> Result<(Arc<Engine>, Arc<Parse>)> {
        self.at_desk(caller, id, |desk| {
            let engine = Arc::clone(desk.labelling.session().engine());
            Ok((engine, desk.parse(self, id)?))
        })
    }

    /// What spoke for a node and against it.
    pub(super) fn why(&self, caller: &Caller, ask: WhyAsk) -> Result<WhyAnswer> {
        let (engine, parse) = self.parsed(caller, &ask.id)?;
        let options = ParseOptions::default();
        let explainer = Explainer::new(&engine, &parse.text, steps_of(&parse), &options);
        let step = match (ask.step, ask.node) {
            (Some(step), _) => Some(step),
            (None, Some((first, last))) => explainer.step_of(first, last),
            (None, None) => None,
        };
        let Some(step) = step else {
            let crossed = ask
                .node
                .and_then(|(first, last)| explainer.crossed(first, last));
            return Ok(WhyAnswer {
                detail: None,
                crossed,
            });
        };
        let rival = ask.rival.as_deref().filter(|name| !name.is_empty());
        let rival = rival.map(|name| explainer.outcome(name)).transpose()?;
        let detail = explainer.detail_against(step, rival.as_ref());
        Ok(WhyAnswer {
            detail: detail.as_ref().map(value).transpose()?,
            crossed: None,
        })
    }

    /// All steps of the grammar's tree.
    pub(super) fn steps(&self, caller: &Caller, ask: OpenAsk) -> Result<StepsAnswer> {
        let (engine, parse) = self.parsed(caller, &ask.id)?;
        let options = ParseOptions::default();
        let explainer = Explainer::new(&engine, &parse.text, steps_of(&parse), &options);
        let rows = explainer.rows().map(|row| value(&row));
        Ok(StepsAnswer {
            rows: rows.collect::<Result<_>>()?,
        })
    }

    /// What another step would have led to.
    pub(super) fn force(&self, caller: &Caller, ask: ForceAsk) -> Result<ForceAnswer> {
        let (engine, parse) = self.parsed(caller, &ask.id)?;
        let text = Arc::clone(&parse.text);
        let mut session = Session::new(Arc::clone(&engine), text, Counting::default());
        let none = || Error::Missing(format!("there is no step {}", ask.step));
        let before = ask.step.checked_sub(1).ok_or_else(none)?;
        for step in steps_of(&parse).get(..before).ok_or_else(none)? {
            match step.label {
                None => session.shift()?,
                Some(label) => session.reduce(label.outcome).map(|_| ())?,
            }
        }
        let options = suggestions(&session);
        if ask.shift {
            session.shift()?;
        } else {
            let reductions = session
                .suggestions()
                .into_iter()
                .filter_map(|one| one.outcome);
            let outcome = reductions.into_iter().nth(ask.choice);
            let none = || Error::Missing("there is no such way to join the two nodes".to_owned());
            session.reduce(outcome.ok_or_else(none)?)?;
        }
        while let Some(best) = session.suggestions().into_iter().next() {
            match (best.action, best.outcome) {
                (Action::Reduce, Some(outcome)) => session.reduce(outcome).map(|_| ())?,
                _ => session.shift()?,
            }
        }
        let steps = session
            .steps()
            .iter()
            .map(|step| told(&session, step))
            .collect();
        Ok(ForceAnswer {
            tree: view_of_tree(&session.tree()?),
            steps,
            options,
        })
    }

    /// A rule's text in the grammar, and the nodes that it made.
    pub(super) fn rule(&self, _: &Caller, ask: RuleAsk) -> Result<RuleAnswer> {
        let engine = self.engine();
        let grammar = engine.grammar();
        let own = grammar
            .rules()
            .map(|any| any.rule())
            .find(|rule| *rule.id == *ask.rule);
        let table = grammar.tables.iter().map(|table| &table.rule);
        let own = own.or_else(|| table.into_iter().find(|rule| *rule.id == *ask.rule));
        let none = || Error::Missing(format!("no rule is called `{}`", ask.rule));
        let rule = own.ok_or_else(none)?;
        let place = rule.place.as_ref();
        let number = grammar
            .productions
            .iter()
            .position(|known| *known.rule.id == *ask.rule);
        let (nodes, looked) = match number {
            Some(number) => self.nodes_of(u32::try_from(number).unwrap_or(u32::MAX)),
            None => (Vec::new(), 0),
        };
        Ok(RuleAnswer {
            file: place.map(|place| self.known_as(place.source().name())),
            line: place.map(|place| place.line_column().0),
            text: place.map_or_else(String::new, statement_at),
            nodes,
            looked,
        })
    }

    /// The path of a file as the project knows it.
    pub(super) fn known_as(&self, name: &str) -> String {
        let below = std::path::Path::new(name).strip_prefix(&self.folder);
        below.map_or_else(|_| name.to_owned(), |below| below.display().to_string())
    }

    /// The nodes that a production made in the texts that are parsed already or soon are.
    fn nodes_of(&self, production: u32) -> (Vec<RuleNode>, usize) {
        let ids: Vec<String> = {
            let shelf = self
                .shelf
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            shelf
                .ids()
                .take(LOOKED_THROUGH)
                .map(str::to_owned)
                .collect()
        };
        let (mut nodes, mut looked) = (Vec::new(), 0);
        for id in ids {
            let Ok(parse) = self.parse(&id) else { continue };
            looked += 1;
            let Some(derivation) = parse.derivations.first() else {
                continue;
            };
            let made = derivation.steps.iter().filter(|step| {
                let label = step.label.filter(|label| label.rule == Some(production));
                label.is_some()
            });
            let outcomes: Vec<(EduSpan, Outcome)> = made
                .filter_map(|step| {
                    let mut inner = derivation
                        .tree
                        .post_order()
                        .filter(|(_, node)| !node.is_leaf());
                    let at = reduction_number(&derivation.steps, step)?;
                    let (_, node) = inner.nth(at)?;
                    Some((node.span(), step.label?.outcome))
                })
                .collect();
            if outcomes.is_empty() {
                continue;
            }
            let label = self.finished(&id);
            for (span, outcome) in outcomes {
                let relation = self
                    .engine()
                    .schema()
                    .rhetoric_of(outcome.relation)
                    .map(|r| r.name.clone());
                let right = label.as_ref().map(|forest| {
                    let join = forest.join_of(span);
                    join.is_some_and(|join| {
                        join.roles == outcome.roles && relation.as_deref() == Some(&*join.relation)
                    })
                });
                let edus = derivation.tree.edus.get(span.range()).unwrap_or_default();
                let text: String = edus
                    .iter()
                    .flat_map(|edu| edu.text.chars())
                    .take(SHOWN_TEXT)
                    .collect();
                nodes.push(RuleNode {
                    id: id.clone(),
                    span: numbers(span),
                    text,
                    right,
                });
            }
            if nodes.len() >= SHOWN_NODES {
                break;
            }
        }
        nodes.truncate(SHOWN_NODES);
        (nodes, looked)
    }

    /// What stands in the first finished label of a text.
    fn finished(&self, id: &str) -> Option<crate::behavior::Forest> {
        let labels = self.label_files(id).into_iter();
        let read = labels.filter_map(|file| read_label(&file).ok()?.into_result().ok());
        let mut done = read.into_iter().filter(|label| label.is_complete());
        done.next().map(|label| label.forest())
    }
}

/// Which of the reductions a step is. Trees are made in post-order.
fn reduction_number(steps: &[Step], wanted: &Step) -> Option<usize> {
    let mut reductions = steps.iter().filter(|step| step.action == Action::Reduce);
    reductions.position(|step| step.node == wanted.node)
}

fn told(session: &Session, step: &Step) -> String {
    let span = session.node(step.node);
    let edus = span.map_or_else(String::new, |span| {
        let span = EduSpan {
            start: span.first,
            end: span.last + 1,
        };
        span.to_string()
    });
    let relation = step.label.and_then(|label| {
        session
            .engine()
            .schema()
            .rhetoric_of(label.outcome.relation)
    });
    match relation {
        Some(relation) => format!("{} {edus}", relation.name),
        None => format!("shift {edus}"),
    }
}

/// The statement that a rule is, with the comments above it: up to the next blank line at its own margin.
fn statement_at(place: &Place) -> String {
    let text = place.source().text();
    let range = place.range();
    let before = text.get(..range.start).unwrap_or_default();
    let mut start = before.rfind('\n').map_or(0, |at| at + 1);
    while let Some(above) = text.get(..start.saturating_sub(1)) {
        let line = above.rfind('\n').map_or(0, |at| at + 1);
        let is_doc = above.get(line..).is_some_and(|line| line.starts_with("##"));
        let is_head = above
            .get(line..)
            .is_some_and(|line| line.starts_with("rule ") || line.starts_with("table "));
        if start == 0 || !(is_doc || is_head) {
            break;
        }
        start = line;
    }
    let rest = text.get(start..).unwrap_or_default();
    let mut lines = Vec::new();
    for line in rest.lines().take(SHOWN_LINES) {
        if line.trim().is_empty() && !lines.is_empty() {
            break;
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// How many lines of a table are shown.
const SHOWN_LINES: usize = 40;
