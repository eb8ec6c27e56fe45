//! Derivations as trees.

use std::sync::Arc;

use super::Text;
use super::program::Program;
use super::run::Step;
use crate::error::{Error, Result};
use crate::grammar::Action;
use crate::measure::ParsedSpan;
use crate::tree::{self, Builder, Decision, NodeId, Tree};

/// What stands for the rule where no rule decided.
const FALLBACK: &str = "fallback";

/// The tree that steps make; the root gets the start symbol.
pub(super) fn build_tree(
    text: &Text,
    spans: &[ParsedSpan],
    steps: &[Step],
    program: &Program,
) -> Result<Tree> {
    let mut builder = Builder::over(text.edus.iter().cloned());
    builder.id = (!text.id.is_empty()).then(|| Arc::clone(&text.id));
    let naming = Naming::new(program);
    let mut places: Vec<Option<NodeId>> = vec![None; spans.len()];
    for (at, leaf) in builder.leaves().into_iter().enumerate() {
        places[at] = Some(leaf);
        naming.fill_node(builder.node_mut(leaf), &spans[at]);
    }
    let mut stack: Vec<NodeId> = Vec::new();
    let failed = |error: tree::JoinError| Error::Internal(error.to_string());
    for step in steps {
        let span = &spans[step.node.index()];
        match (step.action, span.joined) {
            (Action::Reduce, Some(joined)) => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                    return Err(Error::Internal("a reduction lacks its nodes".to_owned()));
                };
                let relation = naming.rhetoric.get(joined.relation.index()).cloned();
                let made = builder
                    .join(left, right, joined.roles, relation)
                    .map_err(failed)?;
                let node = builder.node_mut(made);
                naming.fill_node(node, span);
                node.fallback = step.is_fallback();
                node.decision = naming.decision(step);
                stack.push(made);
            }
            _ => stack.extend(places.get(step.node.index()).copied().flatten()),
        }
    }
    let [root] = stack.as_slice() else {
        return Err(Error::Internal(
            "the text is not parsed to its end".to_owned(),
        ));
    };
    naming.give_start_symbol(builder.node_mut(*root));
    builder.finish(*root).map_err(failed)
}

/// Names that many nodes share.
struct Naming<'p> {
    program: &'p Program,
    rhetoric: Vec<Arc<str>>,
    symbols: Vec<Arc<str>>,
    attributes: Vec<Arc<str>>,
}

impl<'p> Naming<'p> {
    fn new(program: &'p Program) -> Naming<'p> {
        let schema = &program.grammar.schema;
        let shared = |name: &str| Arc::from(name);
        Naming {
            program,
            rhetoric: schema.rhetoric.iter().map(|r| shared(&r.name)).collect(),
            symbols: schema.relations.iter().map(|r| shared(&r.name)).collect(),
            attributes: schema.attributes.iter().map(|a| shared(&a.name)).collect(),
        }
    }

    fn fill_node(&self, node: &mut tree::Node, span: &ParsedSpan) {
        node.symbol = self.symbols.get(span.symbol.0 as usize).cloned();
        for (name, value) in self.attributes.iter().zip(span.attributes.iter()) {
            if let Some(value) = value {
                node.attributes.set(Arc::clone(name), value.clone());
            }
        }
    }

    /// A root that is no kind of the start symbol becomes one.
    fn give_start_symbol(&self, root: &mut tree::Node) {
        let schema = &self.program.grammar.schema;
        let start = self.program.grammar.start();
        let symbol = root
            .symbol
            .as_deref()
            .and_then(|name| schema.relation(name));
        if !symbol.is_some_and(|symbol| schema.is_a(symbol, start)) {
            root.symbol = self.symbols.get(start.0 as usize).cloned();
        }
    }

    fn decision(&self, step: &Step) -> Option<Decision> {
        let label = step.label?;
        let rule = label.rule.map(|rule| self.program.production(rule).rule());
        let reason = rule.and_then(|rule| rule.reason.as_ref());
        let schema = &self.program.grammar.schema;
        Some(Decision {
            rule: rule.map_or_else(|| FALLBACK.into(), |rule| Arc::clone(&rule.id)),
            probability: step.probability(),
            reason: reason.map(|reason| reason.text(schema).into()),
            runner_up: label.runner_up.map(|(rule, probability)| {
                let id = Arc::clone(&self.program.production(rule).rule().id);
                (id, step.action_probability * probability)
            }),
        })
    }
}
