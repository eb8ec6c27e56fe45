//! Who labels texts: people, gold trees, grammars.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::action::{Act, Join};
use super::labelling::Labelling;
use crate::automaton::{Engine, Outcome, ParseOptions, Step};
use crate::diagnostic::{Code, Diagnostic};
use crate::error::{Error, Result};
use crate::grammar::Action;
use crate::schema::Schema;
use crate::tree::{Edu, Node, Tree, letters};

/// Somebody or something that labels texts.
pub trait Annotator {
    /// What labels say of who made them.
    fn name(&self) -> &str;

    /// Works on a text, from wherever it stands.
    fn annotate(&mut self, labelling: &mut Labelling) -> Result<LabellingState>;
}

/// How far an annotator came with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabellingState {
    /// The tree is complete.
    Finished,
    /// Somebody left the text for later; what was done is kept.
    Paused,
    /// There is no label for the text yet; nothing was done. Not an error: ask again later.
    Waiting,
}

/// Labels texts as gold trees say. Nodes with more than two children are read as right-heavy
/// binary ones.
#[derive(Debug, Clone)]
pub struct GoldTrees {
    name: String,
    trees: BTreeMap<Arc<str>, Tree>,
}

impl GoldTrees {
    /// Trees by their ids; trees without an id are nobody's.
    pub fn new(name: impl Into<String>, trees: impl IntoIterator<Item = Tree>) -> GoldTrees {
        let by_id = trees
            .into_iter()
            .filter_map(|tree| Some((tree.id.clone()?, tree)));
        GoldTrees {
            name: name.into(),
            trees: by_id.collect(),
        }
    }
}

impl Annotator for GoldTrees {
    fn name(&self) -> &str {
        &self.name
    }

    fn annotate(&mut self, labelling: &mut Labelling) -> Result<LabellingState> {
        let Some(tree) = self.trees.get(labelling.label().id()) else {
            return Ok(LabellingState::Waiting);
        };
        let text = Arc::clone(labelling.session().text());
        check_texts(&text.id, &tree.edus, &text.edus)?;
        begin_anew(labelling)?;
        let engine = Arc::clone(labelling.session().engine());
        for (_, node) in tree.post_order() {
            labelling.decide(gold_act(node, tree, engine.schema())?, None)?;
        }
        Ok(LabellingState::Finished)
    }
}

/// The action that makes a node.
fn gold_act(node: &Node, tree: &Tree, schema: &Schema) -> Result<Act> {
    let Some(pair) = node.pair() else {
        return Ok(Act::Shift);
    };
    let Some(relation) = &pair.relation else {
        let id = tree.id.as_deref().unwrap_or("the tree");
        let message = format!("`{id}`: EDUs {} are joined by no relation", node.span());
        return Err(Error::Invalid(vec![Diagnostic::new(Code::L005, message)]));
    };
    let known = |symbol: &&Arc<str>| schema.relation(symbol).is_some();
    Ok(Act::Reduce(Join {
        // Symbols of other schemas are not ours to use.
        symbol: node.symbol.as_ref().filter(known).cloned(),
        ..Join::new(Arc::clone(relation), pair.roles)
    }))
}

/// A text to compare by: without white space and escapes.
fn plain(edu: &Edu) -> String {
    letters(&edu.text).collect()
}

/// A tree must stand over the text's own EDUs; white space does not count, and a tree that has
/// numbers only is believed.
fn check_texts(id: &str, gold: &[Edu], text: &[Edu]) -> Result<()> {
    let differs = |(gold, own): (&Edu, &Edu)| !gold.text.is_empty() && plain(gold) != plain(own);
    let message = match gold.iter().zip(text).position(differs) {
        _ if gold.len() != text.len() => {
            format!(
                "`{id}` has {} EDUs, its tree has {}",
                text.len(),
                gold.len()
            )
        }
        Some(at) => {
            let (gold, own) = (&gold[at].text, &text[at].text);
            format!(
                "EDU {} of `{id}` is `{own}`, in its tree it is `{gold}`",
                at + 1
            )
        }
        None => return Ok(()),
    };
    let help = "give the text with the EDUs of its tree";
    Err(Error::Invalid(vec![
        Diagnostic::new(Code::L008, message).help(help),
    ]))
}

/// Labels texts as a grammar parses them, with the probability of every step.
#[derive(Debug, Clone)]
pub struct SelfLabelling {
    name: String,
    options: ParseOptions,
}

impl SelfLabelling {
    /// The grammar's own name stands on the labels.
    pub fn new(engine: &Engine, options: ParseOptions) -> SelfLabelling {
        SelfLabelling {
            name: format!("grammar:{}", engine.grammar().name),
            options,
        }
    }
}

impl Annotator for SelfLabelling {
    fn name(&self) -> &str {
        &self.name
    }

    fn annotate(&mut self, labelling: &mut Labelling) -> Result<LabellingState> {
        begin_anew(labelling)?;
        let engine = Arc::clone(labelling.session().engine());
        let text = Arc::clone(labelling.session().text());
        let parse = engine.parse_text(text, &self.options);
        let Some(derivation) = parse.derivations.first() else {
            return Ok(LabellingState::Finished);
        };
        for step in &derivation.steps {
            let act = match step.action {
                Action::Shift => Act::Shift,
                Action::Reduce => Act::Reduce(join_of_step(&engine, labelling, step)),
            };
            labelling.decide(act, Some(step.probability()))?;
        }
        Ok(LabellingState::Finished)
    }
}

/// What a step of a parse made.
fn join_of_step(engine: &Engine, labelling: &Labelling, step: &Step) -> Join {
    let rule = step.label.and_then(|label| label.rule);
    let production = rule.and_then(|rule| engine.grammar().productions.get(rule as usize));
    let outcome = production.map_or_else(
        || engine.fallback_outcome(),
        |production| Outcome::of(&production.shape),
    );
    labelling.join(outcome, rule)
}

/// A program decides on a text as a whole: what somebody began is taken back, and stays recorded.
fn begin_anew(labelling: &mut Labelling) -> Result<()> {
    for _ in 0..labelling.can_undo_redo().0 {
        labelling.decide(Act::Undo, None)?;
    }
    Ok(())
}
