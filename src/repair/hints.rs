//! What else could be the matter: a weight, a word that the vocabulary lacks, a gold tree that says the
//! opposite.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::Repair;
use super::correction::{Correction, Divergence, Wanted, alike};
use super::proposal::{Crossroads, Known, Wrong};
use crate::automaton::explain::{Detail, Explainer};
use crate::automaton::{Deed, Hearing, Outcome, ParseOptions, Questionnaire, SpeakerKey, Trial};
use crate::grammar::{Decide, Pattern, Production};
use crate::named::named_enum;
use crate::schema::Schema;
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

/// True when the reason of a production holds at a crossroads.
fn holds(production: &Production, here: &Crossroads, schema: &Schema) -> bool {
    let Some(reason) = &production.rule.reason else {
        return true;
    };
    let questionnaire = Questionnaire::new(std::slice::from_ref(reason), schema);
    !here.walk.answers(&questionnaire).is_empty()
}

/// By how much a count may be raised.
const MULTIPLES: [u64; 5] = [2, 3, 5, 10, 20];
/// So many changes of weights are told.
const TURNS: usize = 2;

impl Repair {
    pub(super) fn hints(&self, document: &Document, wrong: &Wrong<'_>, known: &Known) -> Vec<Hint> {
        let mut hints = self.contradictions(wrong.correction, document, known);
        if let Some(at) = wrong.correction.divergence(wrong.steps) {
            hints.extend(match self.engine.grammar().decide {
                Decide::Weights => self.weights(wrong, at, &self.options),
                Decide::Counts => self.counts(wrong, at),
            });
        }
        hints.extend(self.words(document, wrong.correction));
        hints.extend(self.triggers(document, wrong.correction, known));
        hints
    }

    /// Words that would let a rule fit if they were triggers: the rule makes what is wanted, its reason holds, and
    /// one of its symbols is missing on an EDU that no trigger names.
    fn triggers(&self, document: &Document, correction: &Correction, known: &Known) -> Vec<Hint> {
        let Wanted::Label(wanted) = correction.wanted else {
            return Vec::new();
        };
        let schema = self.engine.schema();
        let covers = |here: &&Arc<Crossroads>| {
            let [a, b] = here.ground.spans;
            a.0 == correction.span.start && b.1 + 1 == correction.span.end
        };
        let Some(here) = known.all().find(covers) else {
            return Vec::new();
        };
        let structured = self.engine.analyzer().structured(document);
        let analysis = self.engine.analyzer().analyze(&structured);
        let mut hints: Vec<Hint> = Vec::new();
        for production in &self.engine.grammar().productions {
            if !alike(Outcome::of(&production.shape), wanted) || !holds(production, here, schema) {
                continue;
            }
            let nodes = production
                .shape
                .children
                .iter()
                .zip(here.ground.symbols)
                .zip(here.ground.spans);
            let misfits = nodes.filter_map(|((pattern, symbol), span)| match (pattern, symbol) {
                (Pattern::Symbol(asked), Some(own)) if !schema.is_a(own, *asked) => {
                    Some((*asked, own, span))
                }
                _ => None,
            });
            let misfits: Vec<_> = misfits.collect();
            let [(asked, own, (first, last))] = misfits.as_slice() else {
                continue;
            };
            let is_plain = schema
                .relations
                .get(own.0 as usize)
                .is_some_and(|own| own.triggers.is_empty());
            let edu = analysis.edus.get(*first as usize);
            let (true, true, Some(edu)) = (first == last, is_plain, edu) else {
                continue;
            };
            let words = analysis.words.get(edu.words.clone()).unwrap_or_default();
            let Some(verb) = words.iter().rfind(|word| word.tag == Tag::Verb) else {
                continue;
            };
            let verb = verb.text(&structured.text);
            let (asked, rule) = (schema.relation_name(*asked), &production.rule.id);
            let line = format!("[relation.{asked}]\ntriggers = [\"{verb}\"]");
            if hints.iter().all(|hint| hint.line.as_ref() != Some(&line)) {
                hints.push(Hint {
                    kind: HintKind::Word,
                    text: format!(
                        "`{rule}` would fit if EDU {} were a `{asked}`; `{verb}` is no trigger yet",
                        first + 1
                    ),
                    line: Some(line),
                });
            }
        }
        hints.truncate(TURNS);
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

    /// A rule that is there and spoke for the right thing, where more instances would do.
    fn counts(&self, wrong: &Wrong<'_>, at: Divergence) -> Vec<Hint> {
        let grammar = self.engine.grammar();
        let hearings = self.engine.hearings(wrong.text, wrong.steps, &self.options);
        let mut own = hearings.iter().filter(|hearing| hearing.step == at.step);
        let is_asked = |hearing: &&Hearing| {
            matches!(hearing.done, Deed::Act(_)) == matches!(at.deed, Deed::Act(_))
        };
        let Some(hearing) = own.find(is_asked) else {
            return Vec::new();
        };
        let mut trial = Trial::new(&self.engine, &[]);
        let mut hints = Vec::new();
        for voice in hearing
            .voices
            .iter()
            .filter(|voice| voice.pull(at.deed) > 0.0)
        {
            let rule = match voice.speaker {
                SpeakerKey::Production(at) => {
                    grammar.productions.get(at as usize).map(|one| &one.rule)
                }
                SpeakerKey::Preference(at) => {
                    grammar.preferences.get(at as usize).map(|one| &one.rule)
                }
                SpeakerKey::Table(_) => None,
            };
            let Some(rule) = rule else { continue };
            let count = rule.count().get();
            let mut does = |times: &u64| {
                trial.set_amount_of(voice.speaker, (count * times) as f64);
                let parse = trial.parse(wrong.text, &self.options);
                let next = parse.map(|parse| wrong.correction.divergence(&parse.steps));
                next.is_some_and(|next| next.is_none_or(|next| next.step > at.step))
            };
            let enough = MULTIPLES.iter().copied().find(&mut does);
            trial.set_amount_of(voice.speaker, count as f64);
            let Some(times) = enough else { continue };
            let place = rule
                .place
                .as_ref()
                .map_or_else(String::new, |place| format!(" ({place})"));
            hints.push(Hint {
                kind: HintKind::Weight,
                text: format!(
                    "no rule is needed for this step: raise `{}` from x {count} to x {}{place}",
                    rule.id,
                    count * times
                ),
                line: None,
            });
        }
        hints.truncate(TURNS);
        hints
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
