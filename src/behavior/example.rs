//! Texts with gold trees, ready to learn from.

use std::sync::Arc;

use super::oracle::Oracle;
use super::said::{Said, SpokenOf, understand};
use crate::automaton::{Outcome, Questionnaire, Text, Walk};
use crate::error::{Error, Result};
use crate::grammar::{Action, Pattern};
use crate::schema::Schema;
use crate::text::{Analyzer, Document};
use crate::tree::Tree;

/// A text and its gold tree.
#[derive(Debug, Clone)]
pub struct Example {
    /// The document, for boundary rules.
    pub document: Arc<Document>,
    /// The text, measured with its gold EDUs.
    pub text: Arc<Text>,
    /// The gold tree.
    pub tree: Tree,
    /// What the gold tree says to do.
    pub oracle: Oracle,
    /// What the annotator said of the actions beyond the tree.
    pub(super) spoken: SpokenOf,
    /// False where the program divided the text and the tree was carried over to its EDUs.
    pub is_gold: bool,
}

impl Example {
    /// Reads a document with its gold EDUs and pairs it with its tree.
    pub fn new(
        document: Document,
        mut tree: Tree,
        analyzer: &Analyzer,
        schema: &Schema,
    ) -> Result<Example> {
        let id = document.id.clone();
        let analysis = analyzer.analyze(&document);
        let text = Text::new(&document, &analysis, schema);
        if text.len() != tree.edus.len() {
            return Err(Error::Mismatch(format!(
                "`{id}` has {} EDUs, and its tree has {}",
                text.len(),
                tree.edus.len()
            )));
        }
        tree.locate(&document);
        let oracle = Oracle::new(&tree, schema).map_err(|relation| {
            Error::Mismatch(format!(
                "the tree of `{id}` has the relation `{relation}`, which the schema does not know"
            ))
        })?;
        Ok(Example {
            document: Arc::new(document),
            text: Arc::new(text),
            tree,
            oracle,
            spoken: SpokenOf::new(),
            is_gold: true,
        })
    }

    /// The same with what the annotator said of the actions: reasons, symbols, equations.
    pub fn with_said(mut self, said: &[Said], schema: &Schema) -> Result<Example> {
        self.spoken = understand(said, schema)?;
        Ok(self)
    }

    /// The actions that rebuild the tree, with the symbols that the annotator gave new nodes.
    pub fn actions(&self) -> Vec<(Action, Option<Outcome>)> {
        let mut actions = self.oracle.actions();
        for (at, spoken) in &self.spoken {
            if let Some((_, Some(outcome))) = actions.get_mut(*at) {
                outcome.parent = spoken.parent;
            }
        }
        actions
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.document.id
    }
}

/// Contexts in which somebody did something.
#[derive(Debug, Default, Clone)]
pub(super) struct Instances {
    /// The literals that held, in order.
    pub(super) holding: Vec<Vec<u32>>,
    /// What was done: 0 is shift, 1 reduce; or the number of an outcome.
    pub(super) done: Vec<u32>,
    /// How much each counts.
    pub(super) importance: Vec<f64>,
    /// The written rules that held, in order.
    pub(super) spoken: Vec<Vec<u32>>,
}

impl Instances {
    pub(super) fn push(&mut self, holding: Vec<u32>, done: u32) {
        self.holding.push(holding);
        self.done.push(done);
        self.importance.push(1.0);
        self.spoken.push(Vec::new());
    }

    pub(super) fn extend(&mut self, other: Instances) {
        self.holding.extend(other.holding);
        self.done.extend(other.done);
        self.importance.extend(other.importance);
        self.spoken.extend(other.spoken);
    }

    /// Takes what stands from `first` on out of the answers, as written rules that held.
    pub(super) fn part_written(&mut self, first: u32) {
        for (holding, spoken) in self.holding.iter_mut().zip(&mut self.spoken) {
            let from = holding.partition_point(|literal| *literal < first);
            *spoken = holding.split_off(from);
            for rule in spoken {
                *rule -= first;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.done.len()
    }
}

/// What was done where there was a choice, and what pairs of nodes became.
#[derive(Debug, Default, Clone)]
pub(super) struct Behavior {
    pub(super) actions: Instances,
    pub(super) labels: Instances,
}

impl Behavior {
    /// The same, with every instance counting so much.
    pub(super) fn with_importance(mut self, importance: f64) -> Behavior {
        self.actions.importance.fill(importance);
        self.labels.importance.fill(importance);
        self
    }

    pub(super) fn extend(&mut self, other: Behavior) {
        self.actions.extend(other.actions);
        self.labels.extend(other.labels);
    }
}

/// The behaviour that rebuilds a gold tree.
pub(super) fn gold_behavior(
    example: &Example,
    questionnaire: &Questionnaire,
    schema: &Arc<Schema>,
    number: &dyn Fn(Outcome) -> u32,
) -> Behavior {
    let mut behavior = Behavior::default();
    let mut walk = Walk::new(schema, Arc::clone(&example.text));
    for (at, (action, outcome)) in example.actions().into_iter().enumerate() {
        let holding = if walk.has_choice() || outcome.is_some() {
            walk.answers(questionnaire)
        } else {
            Vec::new()
        };
        if walk.has_choice() {
            behavior.actions.push(holding.clone(), action as u32);
        }
        match outcome {
            None => walk.shift(),
            Some(outcome) => {
                behavior
                    .labels
                    .push(holding, number(whatever_symbol(outcome)));
                let spoken = example.spoken.get(&at);
                walk.reduce_with(outcome, spoken.map_or(&[], |spoken| &spoken.equations));
            }
        }
    }
    behavior
}

/// What the gold tree would have done in the configurations that somebody else's steps led to, where
/// these had left the gold tree.
pub(super) fn error_behavior(
    example: &Example,
    steps: &[(Action, Option<Outcome>)],
    questionnaire: &Questionnaire,
    schema: &Arc<Schema>,
    number: &dyn Fn(Outcome) -> u32,
) -> Behavior {
    let mut behavior = Behavior::default();
    let mut walk = Walk::new(schema, Arc::clone(&example.text));
    let mut astray = false;
    for (action, outcome) in steps {
        let wanted = if walk.has_choice() {
            example.oracle.action(&walk)
        } else {
            None
        };
        if astray && (wanted.is_some() || outcome.is_some()) {
            let holding = walk.answers(questionnaire);
            if let Some(wanted) = wanted {
                behavior.actions.push(holding.clone(), wanted as u32);
            }
            if outcome.is_some()
                && let Some(gold) = gold_outcome(example, &walk)
            {
                behavior.labels.push(holding, number(gold));
            }
        }
        astray |= wanted.is_some_and(|wanted| wanted != *action);
        match outcome {
            None => walk.shift(),
            Some(made) => {
                // A wrong label is an error state too: what stands above sees it.
                let gold = gold_outcome(example, &walk);
                astray |= gold.is_some_and(|gold| gold != whatever_symbol(*made));
                walk.reduce(*made);
            }
        }
    }
    behavior
}

/// The outcome without the symbol of the new node: weights are learned for relations and roles.
pub(super) fn whatever_symbol(outcome: Outcome) -> Outcome {
    Outcome {
        parent: Pattern::Any,
        ..outcome
    }
}

/// What the gold tree makes of the two topmost nodes, if it joins them.
fn gold_outcome(example: &Example, walk: &Walk) -> Option<Outcome> {
    let mut stack = walk.stack().map(|(_, span)| span);
    let (b, a) = stack.next().zip(stack.next())?;
    example.oracle.outcome(a, b).map(|(gold, _)| gold)
}
