//! What else could be the matter: a weight, a word that the vocabulary lacks, a gold tree that says the
//! opposite.

use serde::{Serialize, Serializer};

use super::Repair;
use super::correction::{Correction, Deed, Divergence, Wanted};
use super::proposal::{Known, Wrong};
use crate::automaton::explain::{Detail, Explainer};
use crate::automaton::{Outcome, ParseOptions};
use crate::named::named_enum;
use crate::text::Document;
use crate::text::words::Tag;

/// Something that may be the matter beside a missing rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// What it is about.
    pub kind: HintKind,
    /// In words.
    pub text: String,
    /// What to write, where that can be said.
    pub line: Option<String>,
}

named_enum! {
    /// What may be the matter.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HintKind {
        /// A rule or a row of a table that is there says too much or too little.
        Weight = "weight",
        /// The schema lacks a word.
        Word = "word",
        /// EDUs are cut elsewhere.
        Cut = "cut",
        /// A gold tree or another correction says the opposite.
        Contradiction = "contradiction",
    }
}

impl Serialize for HintKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// So many changes of weights are told.
const TURNS: usize = 2;

impl Repair {
    pub(super) fn hints(&self, document: &Document, wrong: &Wrong<'_>, known: &Known) -> Vec<Hint> {
        let mut hints = self.contradictions(wrong.correction, document, known);
        if let Some(at) = wrong.correction.divergence(wrong.steps) {
            hints.extend(self.weights(wrong, at, &self.options));
        }
        hints.extend(self.words(document, wrong.correction));
        hints
    }

    /// Gold trees that say the opposite.
    fn contradictions(
        &self,
        correction: &Correction,
        document: &Document,
        known: &Known,
    ) -> Vec<Hint> {
        let hint = |text: String| Hint {
            kind: HintKind::Contradiction,
            text,
            line: None,
        };
        let mut hints = Vec::new();
        let own = self.bank.find(&document.id);
        if let Some(own) = own.filter(|own| !correction.holds(&own.gold.tree, self.engine.schema()))
        {
            hints.push(hint(format!(
                "the gold tree of this text ({}) has something else over EDUs {}",
                own.gold.source, correction.span
            )));
        }
        let same: usize = known.all().map(|here| here.contradictions()).sum();
        if same > 0 {
            let times = crate::diagnostic::plural(same, "decision");
            hints.push(hint(format!(
                "{times} of gold trees in just this situation went the other way: no reason can tell them apart"
            )));
        }
        hints
    }

    /// Changes of one weight or strength that would do.
    fn weights(&self, wrong: &Wrong<'_>, at: Divergence, options: &ParseOptions) -> Vec<Hint> {
        let explainer = Explainer::new(&self.engine, wrong.text, wrong.steps, options);
        let rival: Option<Outcome> = match at.deed {
            Deed::Label(outcome) => Some(outcome),
            Deed::Act(_) => None,
        };
        let Some(Detail { action, label, .. }) =
            explainer.detail_against(at.step + 1, rival.as_ref())
        else {
            return Vec::new();
        };
        let choice = match at.deed {
            Deed::Act(_) => action,
            Deed::Label(_) => label,
        };
        let weighing = choice.and_then(|choice| choice.weighing);
        let turns = weighing.into_iter().flat_map(|weighing| weighing.turns);
        let hints = turns.take(TURNS).map(|turn| Hint {
            kind: HintKind::Weight,
            text: format!("no rule is needed for this step: {turn}"),
            line: None,
        });
        hints.collect()
    }

    /// Words that begin the parts of the node and are no connectives of the schema, though they look like it.
    fn words(&self, document: &Document, correction: &Correction) -> Vec<Hint> {
        let Wanted::Label(outcome) = correction.wanted else {
            return Vec::new();
        };
        let schema = self.engine.schema();
        let Some(rhetoric) = schema.rhetoric_of(outcome.relation) else {
            return Vec::new();
        };
        let Some(class) = rhetoric.cues.first() else {
            return Vec::new();
        };
        let structured = self.engine.analyzer().structured(document);
        let analysis = self.engine.analyzer().analyze(&structured);
        let mut hints = Vec::new();
        for at in correction.span.range() {
            let Some(edu) = analysis.edus.get(at) else {
                continue;
            };
            let words = analysis.words.get(edu.words.clone()).unwrap_or_default();
            let Some(first) = words.first() else { continue };
            let word = first.text(&structured.text);
            let is_known = schema
                .cues
                .iter()
                .any(|class| class.words.iter().any(|known| known == word));
            if !matches!(first.tag, Tag::Conjunction | Tag::Preposition)
                || is_known
                || word.chars().count() < 2
            {
                continue;
            }
            hints.push(Hint {
                kind: HintKind::Word,
                text: format!(
                    "EDU {} begins with `{word}`, which no class of connectives has; in a class that speaks for `{}`, rules would see it",
                    at + 1,
                    rhetoric.name
                ),
                line: Some(format!("[cue.{class}]\nwords = [\"{word}\"]")),
            });
        }
        hints
    }
}
