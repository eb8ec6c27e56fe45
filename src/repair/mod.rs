//! From a wrong node to the rule that was missing.
//!
//! A [`Repair`] holds a grammar and the gold texts it is measured by. [`Repair::propose`] takes a text and
//! what a person says is wrong with its tree ([`Correction`]); it finds the step where the automaton left the
//! right path and proposes rules, from general to specific, made of what holds there. Each is tried: on the text
//! itself, and on the gold texts in which it speaks. [`Repair::accept`] says what files become when a proposal
//! is taken; only [`Edits::write`] writes them.

mod accept;
mod correction;
mod cut;
mod draft;
mod effect;
mod evidence;
mod ground;
mod hints;
mod place;
mod proposal;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

pub use accept::{Edit, Edits};
pub use correction::{Correction, CorrectionText, Divergence, Wanted};
pub use cut::{Cut, CutProposal};
pub use effect::{ChangedText, Effect};
pub use hints::{Hint, HintKind};
pub use place::Home;

use crate::automaton::{Deed, Engine, ParseOptions, Text, Walk};
use crate::behavior::Oracle;
use crate::error::{Error, Result};
use crate::gold::{GoldText, ParsedGold, Treebank};
use crate::grammar::Grammar;
use crate::text::Document;
use crate::tree::{Figures, Tree};

use correction::label_text;
use ground::Vocabulary;
use proposal::{Attempt, Known, Wrong};

/// A grammar with the gold texts that corrections are measured by.
#[derive(Debug)]
pub struct Repair {
    engine: Engine,
    bank: Treebank,
    /// Texts without gold trees, to count where rules speak.
    corpus: Vec<ParsedGold>,
    options: ParseOptions,
    vocabulary: Vocabulary,
    /// The beginning of a walk.
    start: Walk,
}

/// What can be done about some corrections of one text.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// The text's id.
    pub id: String,
    /// The gold texts that proposals are measured by: all but this one.
    pub gold_texts: usize,
    /// The corrections, each with what can be done about it.
    pub corrections: Vec<Corrected>,
    /// Where EDUs begin elsewhere than in the corrected tree, with boundary rules that would set it right.
    pub cuts: Vec<Cut>,
    /// The text, for who accepts.
    #[serde(skip)]
    document: Document,
    /// The corrections as they were given.
    #[serde(skip)]
    asked: Vec<Correction>,
}

/// A correction and what can be done about it.
#[derive(Debug, Clone, Serialize)]
pub struct Corrected {
    /// What should be otherwise.
    #[serde(flatten)]
    pub correction: CorrectionText,
    /// True when the tree is as wanted already.
    pub holds: bool,
    /// True when it waits: many nodes are wrong, and this one may follow from those before it.
    pub waits: bool,
    /// Where the automaton left the right path, and what it should have done.
    pub divergence: Option<String>,
    /// The step, counted from 1.
    pub step: Option<usize>,
    /// Rules that would take the right step, from general to specific.
    pub proposals: Vec<Proposal>,
    /// What else could be the matter.
    pub hints: Vec<Hint>,
}

/// Rules that would correct a tree.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// Its number in the answer, from 1.
    pub number: usize,
    /// The rules as a grammar has them, with their comments.
    pub rules: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// Whether the correction holds when they are accepted.
    pub holds: bool,
    /// How many other nodes of the text change.
    pub other_nodes: usize,
    /// What they do to the other gold texts.
    pub effect: Effect,
    /// The tree that they make of the text.
    #[serde(skip)]
    tree: Tree,
    #[serde(skip)]
    drafts: Vec<draft::Draft>,
}

/// So many proposals are made for a correction.
pub const MOST_PROPOSALS: usize = 5;
/// Where fewer do different things, those that do the same as another are shown as well.
const FEWEST: usize = 3;
/// So many attempts are measured on gold texts.
const MEASURED: usize = 14;
/// Where many nodes of a tree are wrong, the first so many are looked at: later ones often follow from them.
const MOST_CORRECTIONS: usize = 3;

impl Repair {
    /// Parses the gold texts once, and the texts of the corpus that have no gold tree.
    pub fn new(
        grammar: Grammar,
        gold: Vec<GoldText>,
        corpus: Vec<Document>,
        options: ParseOptions,
    ) -> Repair {
        Repair::of_engine(Engine::new(grammar), gold, corpus, options)
    }

    /// The same with an engine that reads plain texts in a way of its own.
    pub fn of_engine(
        engine: Engine,
        gold: Vec<GoldText>,
        corpus: Vec<Document>,
        options: ParseOptions,
    ) -> Repair {
        let bank = Treebank::new(&engine, gold, &options);
        let known: std::collections::BTreeSet<&str> =
            bank.texts.iter().map(ParsedGold::id).collect();
        let corpus: Vec<ParsedGold> = corpus
            .into_par_iter()
            .filter(|document| !known.contains(document.id.as_str()))
            .filter_map(|document| without_gold(&engine, document, &options))
            .collect();
        let schema = Arc::clone(&engine.grammar().schema);
        let start = Walk::new(&schema, Arc::new(Text::default()));
        Repair {
            vocabulary: Vocabulary::new(&schema),
            start,
            engine,
            bank,
            corpus,
            options,
        }
    }

    /// The grammar, ready to parse.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The gold texts.
    pub fn treebank(&self) -> &Treebank {
        &self.bank
    }

    /// What can be done to make the tree of a document the given one: corrections of nodes, or, where that tree
    /// has other EDUs, of cuts.
    pub fn propose_tree(&self, document: &Document, right: &Tree) -> Result<Answer> {
        let parse = self.engine.parse_with(document, &self.options);
        let found = parse.tree().ok_or_else(|| no_edus(&document.id))?;
        if found.edus.len() == right.edus.len() {
            let corrections = Correction::between(found, right, self.engine.schema())?;
            return self.propose(document, &corrections);
        }
        let mut answer = self.propose(document, &[])?;
        answer.cuts = self.cuts(document, right);
        if answer.cuts.is_empty() {
            return Err(Error::Mismatch(format!(
                "`{}` has {} EDUs, and the corrected tree has {} or another text",
                document.id,
                found.edus.len(),
                right.edus.len()
            )));
        }
        Ok(answer)
    }

    /// What can be done about some corrections of a document.
    pub fn propose(&self, document: &Document, corrections: &[Correction]) -> Result<Answer> {
        let parse = self.engine.parse_with(document, &self.options);
        let derivation = parse.derivations.first();
        let derivation = derivation.ok_or_else(|| no_edus(&document.id))?;
        let edus = parse.text.len();
        for correction in corrections {
            if correction.span.end as usize > edus {
                let (id, span) = (&document.id, correction.span);
                return Err(Error::Missing(format!(
                    "`{id}` has EDUs 1 to {edus}, no {span}"
                )));
            }
        }
        let schema = self.engine.schema();
        let mut answer = Answer {
            id: document.id.clone(),
            gold_texts: self.bank.texts.len() - usize::from(self.bank.find(&document.id).is_some()),
            corrections: Vec::new(),
            cuts: Vec::new(),
            document: document.clone(),
            asked: corrections.to_vec(),
        };
        let mut number = 0;
        let mut looked_at = 0;
        for (at, correction) in corrections.iter().enumerate() {
            let holds = correction.holds(&derivation.tree, schema);
            let divergence = correction.divergence(&derivation.steps).filter(|_| !holds);
            let mut corrected = Corrected {
                correction: CorrectionText::new(correction, schema),
                holds,
                waits: !holds && looked_at == MOST_CORRECTIONS,
                step: divergence.map(|at| at.step + 1),
                divergence: divergence.map(|at| self.tell(at, &derivation.steps)),
                proposals: Vec::new(),
                hints: Vec::new(),
            };
            if !holds && !corrected.waits {
                looked_at += 1;
                let wrong = Wrong {
                    text: &parse.text,
                    steps: &derivation.steps,
                    correction,
                };
                let mut known = Known::default();
                let attempts = self.attempts(&wrong, &mut known);
                let proposals = self.chosen(attempts, &derivation.tree, &document.id);
                corrected.proposals = self.numbered(proposals, &derivation.tree, &mut number);
                corrected.hints = self.hints(document, &wrong, &known);
            }
            let others = corrections.iter().enumerate();
            let against = others.filter(|(other, _)| *other != at);
            let against = against.filter(|(_, other)| !correction.fits(other));
            corrected.hints.extend(against.map(|(_, other)| Hint {
                kind: HintKind::Contradiction,
                text: format!(
                    "EDUs {} cannot be {} when EDUs {} are {}",
                    correction.span,
                    correction.wanted_text(schema),
                    other.span,
                    other.wanted_text(schema)
                ),
                line: None,
            }));
            answer.corrections.push(corrected);
        }
        Ok(answer)
    }

    /// The attempts that are worth showing, with what they do, from general to specific.
    fn chosen(&self, attempts: Vec<Attempt>, found: &Tree, id: &str) -> Vec<(Attempt, Effect)> {
        let mut seen: BTreeMap<String, ()> = BTreeMap::new();
        let schema = self.engine.schema();
        let mut attempts = attempts;
        attempts.retain(|attempt| {
            let texts = attempt.drafts.iter().map(|draft| draft.to_text(schema));
            seen.insert(texts.collect(), ()).is_none()
        });
        // Those that do it first, and of those the ones that leave the rest of the text alone.
        attempts.sort_by_key(|attempt| (!attempt.holds, attempt.length));
        attempts.truncate(MEASURED);
        let effects = self.effects(&attempts, id);
        let mut measured: Vec<(Attempt, Effect)> = attempts.into_iter().zip(effects).collect();
        measured.sort_by_key(|(attempt, effect)| {
            let changed = changed_nodes(found, &attempt.tree);
            (
                !attempt.holds,
                effect.harms(),
                effect.failing_cases(),
                changed,
                attempt.length,
            )
        });
        let mut measured = apart(measured);
        measured.truncate(MOST_PROPOSALS);
        measured.sort_by_key(|(attempt, effect)| {
            let spoke = effect.spoke + effect.spoke_in_corpus;
            (!attempt.holds, std::cmp::Reverse(spoke), attempt.length)
        });
        measured
    }

    fn numbered(
        &self,
        chosen: Vec<(Attempt, Effect)>,
        found: &Tree,
        number: &mut usize,
    ) -> Vec<Proposal> {
        let schema = self.engine.schema();
        let proposals = chosen.into_iter().map(|(attempt, effect)| {
            *number += 1;
            let drafts = attempt.drafts;
            Proposal {
                number: *number,
                rules: drafts.iter().map(|draft| draft.to_text(schema)).collect(),
                names: drafts.iter().map(|d| d.rule().id.to_string()).collect(),
                holds: attempt.holds,
                other_nodes: changed_nodes(found, &attempt.tree).saturating_sub(1),
                effect,
                tree: attempt.tree,
                drafts,
            }
        });
        proposals.collect()
    }

    /// `step 5 reduced EDUs 1-2; it should have shifted`
    fn tell(&self, at: Divergence, steps: &[crate::automaton::Step]) -> String {
        let schema = self.engine.schema();
        let number = at.step + 1;
        let done = steps.get(at.step).and_then(|step| step.label);
        let done = match done {
            Some(label) => format!("made {}", label_text(label.outcome, schema)),
            None => "took the next EDU".to_owned(),
        };
        let should = match at.deed {
            Deed::Act(crate::grammar::Action::Shift) => "wait for the next EDU".to_owned(),
            Deed::Act(crate::grammar::Action::Reduce) => "join the two nodes first".to_owned(),
            Deed::Label(outcome) => format!("make {}", label_text(outcome, schema)),
        };
        format!("step {number} {done}; it should {should}")
    }
}

impl Proposal {
    /// The tree that the text gets with the rules.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

impl Answer {
    /// A boundary rule by its number.
    pub fn cut_proposal(&self, number: usize) -> Option<&CutProposal> {
        let mut all = self.cuts.iter().flat_map(|cut| &cut.proposals);
        all.find(|proposal| proposal.number == number)
    }

    /// True when every correction that does not wait holds or has a proposal that makes it hold.
    pub fn is_solved(&self) -> bool {
        let nodes = self
            .corrections
            .iter()
            .all(|one| one.holds || one.waits || one.proposals.iter().any(|own| own.holds));
        let cuts = self
            .cuts
            .iter()
            .all(|cut| cut.proposals.iter().any(|own| own.holds));
        nodes && cuts
    }

    /// A proposal by its number.
    pub fn proposal(&self, number: usize) -> Option<&Proposal> {
        let mut all = self.corrections.iter().flat_map(|one| &one.proposals);
        all.find(|proposal| proposal.number == number)
    }
}

/// Those that do something else than all before them go first: five ways to say the same are no choice.
fn apart(measured: Vec<(Attempt, Effect)>) -> Vec<(Attempt, Effect)> {
    let mut seen: Vec<Effect> = Vec::new();
    let (mut new, mut alike) = (Vec::new(), Vec::new());
    for (attempt, effect) in measured {
        if seen.contains(&effect) && effect.spoke > 0 {
            alike.push((attempt, effect));
        } else {
            seen.push(effect.clone());
            new.push((attempt, effect));
        }
    }
    if new.len() < FEWEST {
        new.extend(alike);
    }
    new
}

/// A text that has no gold tree, with what the grammar makes of it.
fn without_gold(engine: &Engine, document: Document, options: &ParseOptions) -> Option<ParsedGold> {
    let parse = engine.parse_with(&document, options);
    let derivation = parse.derivations.into_iter().next()?;
    let oracle = Oracle::new(&derivation.tree, engine.schema()).ok()?;
    Some(ParsedGold {
        text: parse.text,
        oracle,
        steps: derivation.steps,
        figures: Figures::default(),
        gold: GoldText {
            document,
            tree: derivation.tree.clone(),
            source: String::new(),
            is_case: false,
        },
        found: derivation.tree,
    })
}

/// How many nodes of one tree are no nodes of the other, or have another label there.
fn changed_nodes(one: &Tree, other: &Tree) -> usize {
    type Label = (crate::tree::EduSpan, Option<Arc<str>>, &'static str);
    let nodes = |tree: &Tree| -> std::collections::BTreeSet<Label> {
        let nodes = tree.post_order().filter_map(|(_, node)| {
            let pair = node.pair()?;
            Some((node.span(), pair.relation.clone(), pair.roles.as_str()))
        });
        nodes.collect()
    };
    nodes(one).difference(&nodes(other)).count()
}

fn no_edus(id: &str) -> Error {
    Error::Empty(format!("`{id}` has no EDUs"))
}
