//! Where weights decide: what was taken against its rival, who tipped the scales, what would turn it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::choice::Share;
use super::turn::{Trial, Turn};
use super::words::{reason_facts, row_facts};
use super::{Explainer, short_place};
use crate::automaton::program::{Origin, RuleSet, Speaker};
use crate::automaton::view::View;
use crate::grammar::{Count, Row, Rule, Table};

/// A decision by weights, against the strongest rival or the one that was named.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighing {
    /// What was taken.
    pub chosen: Share,
    /// What it is compared with.
    pub rival: Share,
    /// The log-odds of what was taken against its rival: the sum of all contributions.
    pub margin: f64,
    /// What tables and rules add to that, the greatest first. Those that say the same of both are left
    /// out.
    pub contributions: Vec<Contribution>,
    /// Where written rules and tables disagree: who outvotes whom.
    pub outvoted: Option<String>,
    /// Changes of one weight or strength that would make the rival win, the most fitting first.
    pub turns: Vec<Turn>,
    /// A rule that would make the rival win, as a grammar writes it.
    pub rule_to_write: Option<String>,
}

/// What a table or a rule adds to a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    /// The name of the table, or the id of the rule.
    pub by: String,
    /// Where it is written, `file:line`: of a table the row that says most.
    pub place: Option<String>,
    /// True for a rule that a person wrote: it has a name or a strength.
    pub written: bool,
    /// How strongly it speaks, where a word says it.
    pub strength: Option<&'static str>,
    /// What it found: `B begins with 但 (but)`.
    pub words: String,
    /// What it says of it; of a table, row by row.
    pub says: Vec<Said>,
    /// How much it adds: positive for what was taken, negative for its rival.
    pub amount: f64,
}

/// What one rule or one row says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said {
    /// The answers of the row; none of a rule.
    pub row: Option<String>,
    /// What it speaks for.
    pub speaks_for: String,
    /// Its weight.
    pub weight: f64,
    /// How often it was seen.
    pub count: Option<u64>,
    /// Where it is written: `file:line`.
    pub place: Option<String>,
}

/// A rule or row that spoke, and for what.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'g> {
    pub(super) speaker: Speaker<'g>,
    pub(super) origin: Origin,
    pub(super) side: u32,
    pub(super) amount: f64,
}

impl Spoken<'_> {
    /// Rows of a table stand together; a rule stands alone.
    fn group(&self) -> (bool, u32) {
        match self.origin {
            Origin::Rule(at) => (false, at),
            Origin::Row { table, .. } => (true, table),
        }
    }

    pub(super) fn is_written(&self) -> bool {
        match self.speaker {
            Speaker::Rule(any) => is_written(any.rule()),
            Speaker::Row(..) => false,
        }
    }
}

fn is_written(rule: &Rule) -> bool {
    rule.named || rule.strength.is_some()
}

/// What decides: the sides in question and who spoke.
pub(super) struct Scales<'s, 'g> {
    pub(super) spoken: &'s [Spoken<'g>],
    pub(super) chosen: u32,
    pub(super) rival: u32,
    /// Shift or reduce: what speaks for one speaks against the other.
    pub(super) two_sided: bool,
}

impl Scales<'_, '_> {
    /// 1 for what was taken, -1 for its rival, 0 for what is neither.
    pub(super) fn direction(&self, side: u32) -> f64 {
        if side == self.chosen {
            1.0
        } else if side == self.rival || self.two_sided {
            -1.0
        } else {
            0.0
        }
    }

    /// What some of those who spoke add to the decision.
    fn amount<'a, 'g: 'a>(&self, spoken: impl Iterator<Item = &'a Spoken<'g>>) -> f64 {
        let amounts = spoken.map(|one| self.direction(one.side) * one.amount);
        amounts.sum()
    }
}

/// Less is nothing: sums of weights that cancel each other out.
const NOTHING: f64 = 1e-9;

impl Explainer<'_> {
    pub(super) fn spoken<'p, const N: usize>(
        set: &RuleSet<N>,
        fired: &[u32],
        speaker: impl Fn(u32) -> Speaker<'p>,
    ) -> Vec<Spoken<'p>> {
        let all = fired.iter().map(|at| {
            let rule = &set.rules[*at as usize];
            Spoken {
                speaker: speaker(*at),
                origin: rule.origin,
                side: rule.side,
                amount: rule.amount,
            }
        });
        all.collect()
    }

    pub(super) fn weighing(
        &self,
        scales: &Scales<'_, '_>,
        [chosen, rival]: [Share; 2],
        trial: &Trial<'_>,
        view: &View<'_>,
    ) -> Weighing {
        let mut groups: BTreeMap<(bool, u32), Vec<&Spoken<'_>>> = BTreeMap::new();
        for one in scales.spoken {
            groups.entry(one.group()).or_default().push(one);
        }
        let contributions = groups.values();
        let contributions = contributions.map(|group| self.contribution(group, scales, view));
        let mut contributions: Vec<Contribution> = contributions
            .filter(|contribution| contribution.amount.abs() > NOTHING)
            .collect();
        contributions.sort_by(|a, b| {
            let by_amount = b.amount.abs().total_cmp(&a.amount.abs());
            by_amount.then_with(|| a.by.cmp(&b.by))
        });
        Weighing {
            margin: scales.amount(scales.spoken.iter()),
            outvoted: self.outvoted(scales, &contributions, trial),
            turns: self.turns(scales, trial),
            rule_to_write: self.rule_to_write(scales, trial, view),
            chosen,
            rival,
            contributions,
        }
    }

    fn contribution(
        &self,
        group: &[&Spoken<'_>],
        scales: &Scales<'_, '_>,
        view: &View<'_>,
    ) -> Contribution {
        let mut facts: Vec<String> = Vec::new();
        let mut says: Vec<(f64, Said)> = Vec::new();
        let mut seen: Vec<Origin> = Vec::new();
        for one in group {
            if seen.contains(&one.origin) {
                continue;
            }
            seen.push(one.origin);
            let same = group.iter().filter(|other| other.origin == one.origin);
            let own = scales.amount(same.copied());
            if own.abs() <= NOTHING {
                continue;
            }
            let new = match one.speaker {
                Speaker::Rule(any) => rule_facts(any.rule(), view),
                Speaker::Row(table, row) => row_facts(table, row, view),
            };
            for fact in new {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
            says.push((own, self.said(one.speaker)));
        }
        says.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let rule = group.first().map(|one| one.speaker.rule());
        Contribution {
            by: rule.map_or_else(String::new, |rule| rule.id.to_string()),
            place: says.first().and_then(|(_, said)| said.place.clone()),
            written: group.iter().any(|one| one.is_written()),
            strength: rule
                .and_then(|rule| rule.strength)
                .map(|word| word.as_str()),
            words: facts.join(", "),
            says: says.into_iter().map(|(_, said)| said).collect(),
            amount: scales.amount(group.iter().copied()),
        }
    }

    pub(super) fn said(&self, speaker: Speaker<'_>) -> Said {
        match speaker {
            Speaker::Rule(any) => Said {
                row: None,
                speaks_for: self.speaks_for(any),
                weight: any.rule().pull().unwrap_or(0.0),
                count: any.rule().count.map(Count::get),
                place: any.rule().place.as_ref().map(short_place),
            },
            Speaker::Row(table, row) => Said {
                row: Some(row_name(row)),
                speaks_for: self.row_speaks_for(table, row),
                weight: row.weight.get(),
                count: row.count.map(Count::get),
                place: row
                    .place
                    .as_ref()
                    .or(table.rule.place.as_ref())
                    .map(short_place),
            },
        }
    }

    /// Who outvotes whom, where written rules and the rest disagree.
    fn outvoted(
        &self,
        scales: &Scales<'_, '_>,
        contributions: &[Contribution],
        trial: &Trial<'_>,
    ) -> Option<String> {
        let written = |contribution: &&Contribution| contribution.written;
        let rules: Vec<&Contribution> = contributions.iter().filter(written).collect();
        let for_chosen: f64 = rules.iter().map(|rule| rule.amount).sum();
        let without = scales.spoken.iter().filter(|one| !one.is_written());
        let others = contributions.len() - rules.len();
        if rules.is_empty() || others == 0 {
            return None;
        }
        let loudest = rules.iter().find(|rule| rule.amount * for_chosen > 0.0)?;
        let how = match loudest.strength {
            Some(strength) => format!("{strength} rule"),
            None => "written rule".to_owned(),
        };
        let would_be = trial.winner(&trial.sums(without))?;
        if for_chosen > 0.0 && would_be != scales.chosen {
            return Some(format!(
                "the {how} `{}` outvotes the rest, which would make it {}",
                loudest.by,
                trial.name(would_be)
            ));
        }
        if for_chosen < 0.0 && would_be == scales.chosen {
            return Some(format!(
                "the rest outvotes the {how} `{}`, which speaks for {}",
                loudest.by,
                trial.name(scales.rival)
            ));
        }
        None
    }
}

/// What a rule is about: what its author says, else what its reason found.
fn rule_facts(rule: &Rule, view: &View<'_>) -> Vec<String> {
    let doc = rule.doc.as_ref().and_then(|doc| doc.lines().next());
    if let Some(doc) = doc {
        return vec![doc.to_owned()];
    }
    match &rule.reason {
        Some(reason) => reason_facts(reason, view),
        None => Vec::new(),
    }
}

/// The answers of a row as its table writes them.
fn row_name(row: &Row) -> String {
    let keys: Vec<String> = row.keys.iter().map(crate::grammar::Key::text).collect();
    keys.join(", ")
}

/// A row as its table writes it, and what it speaks for: `but adversative-*`.
pub fn row_label(table: &Table, row: &Row, schema: &crate::schema::Schema) -> String {
    let outcome = row.outcome.as_ref().map(|outcome| outcome.text(schema));
    let parts = [row_name(row), outcome.unwrap_or_default()];
    let said: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    match said.as_slice() {
        [] => table.decision.as_str().to_owned(),
        said => said.join(" "),
    }
}
