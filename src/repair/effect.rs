//! What rules would do to gold texts and to the corpus. Only texts in which a rule can turn a decision are
//! parsed again.

use rayon::prelude::*;
use serde::Serialize;

use super::Repair;
use super::correction::alike;
use super::draft::Draft;
use super::proposal::Attempt;
use crate::automaton::{Deed, Questionnaire, Step, Trial, TriedRule, Walk};
use crate::gold::{ParsedGold, Scores, figures_of};
use crate::grammar::formula::Formula;
use crate::tree::Figures;

/// What rules do to gold texts.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Effect {
    /// How often the rules would have spoken in gold texts.
    pub spoke: usize,
    /// How often what they speak for is what the gold tree has.
    pub right: usize,
    /// How often the gold tree has something else.
    pub wrong: usize,
    /// How often they would have spoken in texts of the corpus without gold trees.
    pub spoke_in_corpus: usize,
    /// How many gold texts were parsed again.
    pub parsed_again: usize,
    /// The gold texts whose trees change, those that lose first.
    pub changed: Vec<ChangedText>,
    /// The figures of the other gold texts as they are.
    pub before: Scores,
    /// The same with the rules.
    pub after: Scores,
}

/// A gold text whose tree changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedText {
    /// Its id.
    pub id: String,
    /// How many nodes have their right span, roles and relation (S, N and R together), more or fewer than before.
    pub gain: i64,
    /// A regression case that turns: `fails now` or `passes now`.
    pub case: Option<&'static str>,
}

impl Effect {
    /// True when S, N or R of the other gold texts is lower than before.
    pub fn harms(&self) -> bool {
        let (before, after) = (&self.before, &self.after);
        after.s < before.s || after.n < before.n || after.r < before.r
    }

    /// How many regression cases fail that passed.
    pub fn failing_cases(&self) -> usize {
        let fails = |text: &&ChangedText| text.case == Some(FAILS);
        self.changed.iter().filter(fails).count()
    }
}

/// The figures of a text with a proposal, and what changes in it, if anything does.
type Changed = (Figures, Option<ChangedText>);

const FAILS: &str = "fails now";
const PASSES: &str = "passes now";

/// What rules said along the derivation of one text.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    spoke: usize,
    right: usize,
    wrong: usize,
    /// Somewhere they spoke against what was done.
    turns: bool,
}

/// The rules of several proposals, asked together.
struct Asked<'a> {
    /// For each formula its proposal; those without a formula always speak.
    drafts: Vec<(usize, &'a Draft)>,
    /// For each formula of the questionnaire its draft.
    asked: Vec<usize>,
    questionnaire: Questionnaire,
}

impl<'a> Asked<'a> {
    fn new(attempts: &'a [Attempt], repair: &Repair) -> Asked<'a> {
        let mut drafts = Vec::new();
        for (number, attempt) in attempts.iter().enumerate() {
            drafts.extend(attempt.drafts.iter().map(|draft| (number, draft)));
        }
        let numbered = drafts.iter().enumerate();
        let asked = numbered.filter_map(|(at, (_, draft))| Some((at, draft.asked.clone()?)));
        let (asked, formulas): (Vec<usize>, Vec<Formula>) = asked.unzip();
        Asked {
            drafts,
            asked,
            questionnaire: Questionnaire::new(&formulas, repair.engine.schema()),
        }
    }

    /// The drafts that speak where a walk stands.
    fn speaking(&self, walk: &Walk) -> Vec<usize> {
        let holding = walk.answers(&self.questionnaire);
        let mut all: Vec<usize> = holding
            .iter()
            .filter_map(|at| self.asked.get(*at as usize).copied())
            .collect();
        let always = self.drafts.iter().enumerate();
        all.extend(always.filter_map(|(at, (_, draft))| draft.asked.is_none().then_some(at)));
        all
    }

    /// What every proposal says in one text.
    fn said(&self, text: &ParsedGold, repair: &Repair, proposals: usize) -> Vec<Said> {
        let mut said = vec![Said::default(); proposals];
        text.walk(&repair.engine, &repair.start, |walk, _, step| {
            let acts = walk.has_choice();
            if !acts && step.label.is_none() {
                return;
            }
            for at in self.speaking(walk) {
                let Some((proposal, draft)) = self.drafts.get(at) else {
                    continue;
                };
                if let Some(own) = said.get_mut(*proposal) {
                    count(own, draft.deed, text, walk, step, acts);
                }
            }
        });
        said
    }
}

/// Counts a rule that speaks before a step.
fn count(own: &mut Said, deed: Deed, text: &ParsedGold, walk: &Walk, step: &Step, acts: bool) {
    let right = match (deed, step.label) {
        (Deed::Act(action), _) if acts => {
            own.turns |= step.action != action;
            let gold = text.oracle.action(walk);
            gold.map(|gold| gold == action)
        }
        (Deed::Label(outcome), Some(label)) => {
            own.turns |= !alike(outcome, label.outcome);
            text.label_for(walk).map(|gold| alike(gold, outcome))
        }
        _ => return,
    };
    own.spoke += 1;
    match right {
        Some(true) => own.right += 1,
        Some(false) => own.wrong += 1,
        None => {}
    }
}

impl Repair {
    /// What each of these would do to all texts but the one that is corrected.
    pub(super) fn effects(&self, attempts: &[Attempt], without: &str) -> Vec<Effect> {
        let asked = Asked::new(attempts, self);
        let others: Vec<&ParsedGold> = self
            .bank
            .texts
            .iter()
            .filter(|text| text.id() != without)
            .collect();
        let said: Vec<Vec<Said>> = others
            .par_iter()
            .map(|text| asked.said(text, self, attempts.len()))
            .collect();
        let in_corpus: Vec<Vec<Said>> = self
            .corpus
            .par_iter()
            .filter(|text| text.id() != without)
            .map(|text| asked.said(text, self, attempts.len()))
            .collect();
        let numbered = attempts.iter().enumerate();
        let effects = numbered.map(|(number, attempt)| {
            let mut effect = self.effect(attempt, &others, |at| said[at][number]);
            effect.spoke_in_corpus = in_corpus.iter().map(|said| said[number].spoke).sum();
            effect
        });
        effects.collect()
    }

    fn effect(
        &self,
        attempt: &Attempt,
        others: &[&ParsedGold],
        said: impl Fn(usize) -> Said + Sync,
    ) -> Effect {
        let rules: Vec<TriedRule> = attempt.drafts.iter().map(|d| d.rule.clone()).collect();
        let trial = Trial::new(&self.engine, &rules);
        let again: Vec<usize> = (0..others.len())
            .filter(|at| attempt.adds_outcomes || said(*at).turns)
            .collect();
        let parsed: Vec<(usize, Option<Changed>)> = again
            .par_iter()
            .map(|at| (*at, self.changed(others[*at], &trial)))
            .collect();
        let mut figures: Vec<Figures> = others.iter().map(|text| text.figures).collect();
        let mut effect = Effect {
            parsed_again: again.len(),
            before: Scores::of(&sum(&figures)),
            ..Effect::default()
        };
        for (at, found) in parsed {
            let Some((own, changed)) = found else {
                continue;
            };
            figures[at] = own;
            effect.changed.extend(changed);
        }
        effect
            .changed
            .sort_by(|a, b| a.gain.cmp(&b.gain).then_with(|| a.id.cmp(&b.id)));
        effect.after = Scores::of(&sum(&figures));
        for at in 0..others.len() {
            let own = said(at);
            effect.spoke += own.spoke;
            effect.right += own.right;
            effect.wrong += own.wrong;
        }
        effect
    }

    /// The figures of a text with the rules, and what changes, if anything does.
    fn changed(&self, text: &ParsedGold, trial: &Trial) -> Option<Changed> {
        let parse = trial.parse(&text.text, &self.options)?;
        let figures = figures_of(&text.gold.tree, &parse.tree, self.engine.schema());
        let same = crate::automaton::cases::differences(&text.found, &parse.tree).is_empty();
        let matched = |figures: &Figures| {
            let all = [figures.span, figures.nuclearity, figures.relation];
            all.iter().map(|counts| counts.matched as i64).sum::<i64>()
        };
        let case = match (text.passes(&text.found), text.passes(&parse.tree)) {
            (true, false) => Some(FAILS),
            (false, true) => Some(PASSES),
            _ => None,
        };
        let changed = (!same).then(|| ChangedText {
            id: text.id().to_owned(),
            gain: matched(&figures) - matched(&text.figures),
            case,
        });
        Some((figures, changed))
    }
}

fn sum(figures: &[Figures]) -> Figures {
    let mut all = Figures::default();
    for own in figures {
        all.add(own);
    }
    all
}
