//! Texts with the trees that they should get, as a grammar parses them now.
//!
//! [`read_gold`] collects gold trees from regression cases and tree files. A [`Treebank`] has parsed all of
//! them once: whoever changes a grammar compares with it, and parses again only what a change can touch.

mod read;

use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

pub use read::{ReadGold, gold_of_cases, read_gold};

use crate::automaton::cases::differences;
use crate::automaton::{Engine, Outcome, ParseOptions, Step, Text, Walk};
use crate::behavior::Oracle;
use crate::schema::Schema;
use crate::text::Document;
use crate::tree::{Figures, Pairing, ParsevalOptions, Tree, parseval};

/// A text and the tree that it should get.
#[derive(Debug, Clone)]
pub struct GoldText {
    /// The text.
    pub document: Document,
    /// Its gold tree.
    pub tree: Tree,
    /// Where the tree stands.
    pub source: String,
    /// True for a regression case: it fails when the tree is another one.
    pub is_case: bool,
}

/// A gold text as a grammar parses it.
#[derive(Debug, Clone)]
pub struct ParsedGold {
    /// The text and its gold tree.
    pub gold: GoldText,
    /// The text, measured.
    pub text: Arc<Text>,
    /// What the gold tree would do.
    pub oracle: Oracle,
    /// What the grammar does.
    pub steps: Vec<Step>,
    /// The tree that it makes.
    pub found: Tree,
    /// How good that is.
    pub figures: Figures,
}

impl ParsedGold {
    /// The text's id.
    pub fn id(&self) -> &str {
        &self.gold.document.id
    }

    /// Walks along the steps that the grammar takes; `start` is a walk of the same schema. Each step comes with
    /// its number, counted from 0, and the walk as it stands before.
    pub fn walk(&self, engine: &Engine, start: &Walk, mut visit: impl FnMut(&Walk, usize, &Step)) {
        let mut walk = start.begin(Arc::clone(&self.text));
        for (at, step) in self.steps.iter().enumerate() {
            visit(&walk, at, step);
            walk.follow(step, engine.equations(step));
        }
    }

    /// What the gold tree makes of the two topmost nodes of a walk, where it has exactly this node.
    pub fn label_for(&self, walk: &Walk) -> Option<Outcome> {
        let mut stack = walk.stack().map(|(_, span)| span);
        let (b, a) = stack.next().zip(stack.next())?;
        let (outcome, exact) = self.oracle.outcome(a, b)?;
        exact.then_some(outcome)
    }

    /// True when a tree is as the case expects it; texts that are no cases always pass.
    pub fn passes(&self, found: &Tree) -> bool {
        !self.gold.is_case || differences(&self.gold.tree, found).is_empty()
    }
}

/// Gold texts, each parsed once.
#[derive(Debug, Clone, Default)]
pub struct Treebank {
    /// The texts, in the order in which they were read.
    pub texts: Vec<ParsedGold>,
    /// What could not be compared, a line each.
    pub left_out: Vec<String>,
}

impl Treebank {
    /// Parses gold texts. Where the grammar finds other EDUs than the gold tree has, or the tree has a
    /// relation that the schema does not know, the text is left out.
    pub fn new(engine: &Engine, gold: Vec<GoldText>, options: &ParseOptions) -> Treebank {
        let parsed: Vec<Result<ParsedGold, String>> = gold
            .into_par_iter()
            .map(|gold| parsed(engine, gold, options))
            .collect();
        let mut bank = Treebank::default();
        for text in parsed {
            match text {
                Ok(text) => bank.texts.push(text),
                Err(why) => bank.left_out.push(why),
            }
        }
        bank
    }

    /// The figures over all texts but the one with this id.
    pub fn figures_without(&self, id: &str) -> Figures {
        let mut all = Figures::default();
        for text in self.texts.iter().filter(|text| text.id() != id) {
            all.add(&text.figures);
        }
        all
    }

    /// The figures over all texts.
    pub fn figures(&self) -> Figures {
        let mut all = Figures::default();
        for text in &self.texts {
            all.add(&text.figures);
        }
        all
    }

    /// The text of that id.
    pub fn find(&self, id: &str) -> Option<&ParsedGold> {
        self.texts.iter().find(|text| text.id() == id)
    }
}

fn parsed(engine: &Engine, gold: GoldText, options: &ParseOptions) -> Result<ParsedGold, String> {
    let id = &gold.document.id;
    let text = Arc::new(engine.read(&gold.document));
    if text.len() != gold.tree.edus.len() {
        return Err(format!(
            "`{id}` ({}) has {} EDUs, and the grammar finds {}",
            gold.source,
            gold.tree.edus.len(),
            text.len()
        ));
    }
    let oracle = Oracle::new(&gold.tree, engine.schema()).map_err(|relation| {
        let from = &gold.source;
        format!("`{id}` ({from}) has the relation `{relation}`, which the schema does not know")
    })?;
    let parse = engine.parse_text(Arc::clone(&text), options);
    let derivation = parse.derivations.into_iter().next();
    let derivation = derivation.ok_or_else(|| format!("`{id}` has no EDUs"))?;
    let figures = figures_of(&gold.tree, &derivation.tree, engine.schema());
    Ok(ParsedGold {
        text,
        oracle,
        steps: derivation.steps,
        found: derivation.tree,
        figures,
        gold,
    })
}

/// Original Parseval of one tree, relations by class.
pub fn figures_of(gold: &Tree, found: &Tree, schema: &Schema) -> Figures {
    let pair = Pairing {
        id: gold.id.clone().unwrap_or_default(),
        gold: gold.clone(),
        predicted: found.clone(),
    };
    let options = ParsevalOptions::default().bootstrap(0);
    parseval(&[pair], &options, Some(schema)).0.original
}

/// S, N and R: F1 in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct Scores {
    /// Spans.
    pub s: f64,
    /// Spans with nuclearity.
    pub n: f64,
    /// Spans with the class of their relation.
    pub r: f64,
}

impl Scores {
    /// The figures in percent.
    pub fn of(figures: &Figures) -> Scores {
        Scores {
            s: 100.0 * figures.span.f1(),
            n: 100.0 * figures.nuclearity.f1(),
            r: 100.0 * figures.relation.f1(),
        }
    }
}
