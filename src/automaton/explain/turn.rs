//! What would turn a decision: the smallest change of one weight, or a rule to write.

use std::collections::BTreeMap;

use serde::Serialize;

use super::weighing::{Scales, Spoken, row_label};
use super::{Explainer, short_place};
use crate::automaton::decide::{Label, logistic};
use crate::automaton::program::{Origin, Program, Speaker};
use crate::automaton::view::View;
use crate::grammar::formula::Node;
use crate::grammar::{AnyRule, Count, Pattern, Shape, Strength};
use crate::measure::LEVELS;

/// A change of one weight or strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turn {
    /// The table or rule.
    pub by: String,
    /// The row of the table, with what it speaks for.
    pub row: Option<String>,
    /// Where it is written: `file:line`.
    pub place: Option<String>,
    /// What it says now: a weight or a word.
    pub from: String,
    /// What it would have to say.
    pub to: String,
    /// The change of its weight.
    pub change: f64,
    /// How often it was seen: a change of what is seen seldom changes little else.
    pub count: Option<u64>,
}

/// `raise row `but` of `cue-of-B` from +1.2 to +2.0 (grammar.arsg:12)`
impl std::fmt::Display for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = if self.change > 0.0 { "raise" } else { "lower" };
        match (&self.row, self.to.as_str()) {
            (Some(row), to) => {
                let (by, from) = (&self.by, &self.from);
                write!(f, "{verb} `{row}` of `{by}` from {from} to {to}")?;
            }
            (None, GONE) => write!(f, "delete `{}`, which is {}", self.by, self.from)?,
            (None, to) => write!(f, "{verb} `{}` from {} to {to}", self.by, self.from)?,
        }
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

/// Sums of weights by side.
pub(super) type Sums = BTreeMap<u32, f64>;

/// A decision that can be taken again with other weights.
pub(super) enum Trial<'p> {
    /// Shift or reduce.
    Action,
    /// What two nodes become.
    Label(&'p Program),
}

impl Trial<'_> {
    pub(super) fn sums<'a, 'g: 'a>(&self, spoken: impl Iterator<Item = &'a Spoken<'g>>) -> Sums {
        let mut sums = Sums::new();
        for one in spoken {
            *sums.entry(one.side).or_insert(0.0) += one.amount;
        }
        sums
    }

    /// The side that wins; nothing where nobody speaks.
    pub(super) fn winner(&self, sums: &Sums) -> Option<u32> {
        let program = match self {
            Trial::Action => {
                let sum = |side| sums.get(&side).copied().unwrap_or(0.0);
                return (!sums.is_empty()).then(|| u32::from(sum(1) > sum(0)));
            }
            Trial::Label(program) => program,
        };
        let greatest = sums.values().copied().fold(f64::NEG_INFINITY, f64::max);
        let share = |sum: f64| {
            if program.labels_by_tables {
                (sum - greatest).exp()
            } else {
                logistic(sum)
            }
        };
        let total: f64 = sums.values().map(|sum| share(*sum)).sum();
        let labels = sums.iter().filter_map(|(side, sum)| {
            Some(Label {
                outcome: *program.outcomes.get(*side as usize)?,
                probability: share(*sum) / total,
                rule: None,
            })
        });
        let mut labels: Vec<Label> = labels.collect();
        labels.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        program.prefer_likely_kinds(&mut labels, &mut Vec::new());
        let first = labels.first()?.outcome;
        let side = program.outcomes.iter().position(|known| *known == first)?;
        u32::try_from(side).ok()
    }

    /// What a side is called.
    pub(super) fn name(&self, side: u32) -> String {
        match (self, side) {
            (Trial::Action, 0) => "shift".to_owned(),
            (Trial::Action, _) => "reduce".to_owned(),
            (Trial::Label(program), side) => {
                let outcome = program.outcomes.get(side as usize);
                outcome.map_or_else(String::new, |outcome| {
                    super::short_outcome(outcome, &program.grammar.schema)
                })
            }
        }
    }
}

/// No weight is changed by more: nothing weighs more than `always`.
const GREATEST: f64 = 8.0;
/// Weights have two digits behind the point.
const DIGITS: f64 = 100.0;
/// Strengths that a rule could have, the weakest first.
const STRENGTHS: [Strength; 3] = [Strength::Mild, Strength::Strong, Strength::Always];
/// What stands for the strength of a rule that would have to go.
const GONE: &str = "nothing";
/// What speaks for the rival with less is no reason for a rule.
const TELLING: f64 = 0.4;
/// Longer reasons are not proposed.
const LONGEST_REASON: usize = 64;

impl Explainer<'_> {
    /// Every change of one weight that would make the rival win, the most fitting first: what says much
    /// and is seen seldom.
    pub(super) fn turns(&self, scales: &Scales<'_, '_>, trial: &Trial<'_>) -> Vec<Turn> {
        let sums = trial.sums(scales.spoken.iter());
        if trial.winner(&sums) == Some(scales.rival) {
            return Vec::new();
        }
        let mut by_origin: Vec<(Origin, Vec<&Spoken<'_>>)> = Vec::new();
        for one in scales.spoken {
            match by_origin
                .iter_mut()
                .find(|(origin, _)| *origin == one.origin)
            {
                Some((_, group)) => group.push(one),
                None => by_origin.push((one.origin, vec![one])),
            }
        }
        let mut turns: Vec<(bool, f64, Turn)> = Vec::new();
        for (_, group) in &by_origin {
            let direction: f64 = group.iter().map(|one| scales.direction(one.side)).sum();
            let Some(one) = group.first().filter(|_| direction != 0.0) else {
                continue;
            };
            let sign = -direction.signum();
            let wins = |change: f64| {
                let mut changed = sums.clone();
                for one in group {
                    *changed.entry(one.side).or_insert(0.0) += sign * change;
                }
                trial.winner(&changed) == Some(scales.rival)
            };
            if let Some(turn) = self.turn(one.speaker, sign, &wins) {
                let seen = turn.count.unwrap_or(1) as f64;
                // What says nothing yet is no good place for a great change.
                let fitting = (one.amount.abs() / seen.sqrt()) / turn.change.abs();
                let fitting = match one.speaker {
                    // A table that asks nothing speaks everywhere.
                    Speaker::Row(table, _) if table.subjects.is_empty() => -1.0 / fitting,
                    _ => fitting,
                };
                turns.push((one.is_written(), fitting, turn));
            }
        }
        turns.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
        turns.into_iter().map(|(.., turn)| turn).collect()
    }

    fn turn(&self, speaker: Speaker<'_>, sign: f64, wins: &impl Fn(f64) -> bool) -> Option<Turn> {
        let change = smallest(wins)?;
        let schema = self.engine.schema();
        let rule = speaker.rule();
        let by = rule.id.to_string();
        Some(match speaker {
            Speaker::Rule(_) => {
                let now = rule.pull().unwrap_or(0.0);
                let to = match rule.strength {
                    Some(strength) => other_strength(strength, sign, change)?,
                    None => weight(now + sign * change),
                };
                Turn {
                    by,
                    row: None,
                    place: rule.place.as_ref().map(short_place),
                    from: rule
                        .strength
                        .map_or_else(|| weight(now), |word| word.to_string()),
                    to,
                    change: sign * change,
                    count: rule.count.map(Count::get),
                }
            }
            Speaker::Row(table, row) => Turn {
                by,
                row: Some(row_label(table, row, schema)),
                place: row.place.as_ref().or(rule.place.as_ref()).map(short_place),
                from: weight(row.weight.get()),
                to: weight(row.weight.get() + sign * change),
                change: sign * change,
                count: row.count.map(Count::get),
            },
        })
    }

    /// The weakest rule that would make the rival win, with the reason that lies nearest.
    pub(super) fn rule_to_write(
        &self,
        scales: &Scales<'_, '_>,
        trial: &Trial<'_>,
        view: &View<'_>,
    ) -> Option<String> {
        let sums = trial.sums(scales.spoken.iter());
        if trial.winner(&sums) == Some(scales.rival) {
            return None;
        }
        let strength = STRENGTHS.into_iter().find(|strength| {
            let mut changed = sums.clone();
            *changed.entry(scales.rival).or_insert(0.0) += strength.weight();
            trial.winner(&changed) == Some(scales.rival)
        })?;
        let schema = self.engine.schema();
        let head = match trial {
            Trial::Action => format!("prefer {} _ _ . _", trial.name(scales.rival)),
            Trial::Label(program) => {
                let outcome = program.outcomes.get(scales.rival as usize)?;
                let shape = Shape {
                    parent: outcome.parent,
                    relation: outcome.relation,
                    children: [Pattern::Any; 2],
                    roles: outcome.roles,
                };
                let head = crate::grammar::syntax::Head::Production(shape.to_syntax(schema));
                head.to_string()
            }
        };
        let reason = self.likely_reason(scales, trial, view);
        let reason =
            reason.map_or_else(|| "when ...".to_owned(), |reason| format!("when {reason}"));
        Some(format!("{head}  {}  {reason}", strength.as_str()))
    }

    /// What a person would name first: a connective, else what speaks most for the rival.
    fn likely_reason(
        &self,
        scales: &Scales<'_, '_>,
        trial: &Trial<'_>,
        view: &View<'_>,
    ) -> Option<String> {
        let schema = self.engine.schema();
        let level = |left: Node, right: Node| {
            let level = view
                .level(left, right)
                .and_then(|at| LEVELS.get(usize::from(at)));
            let pair = format!("level({}, {})", left.as_str(), right.as_str());
            level.map(|level| format!("{pair} = {level}"))
        };
        let nodes: &[Node] = match trial {
            Trial::Action => &[Node::C],
            Trial::Label(_) => &[Node::B, Node::A],
        };
        for node in nodes {
            let span = view.nodes.get(*node)?;
            let leaf = view.measurer.text.leaves.get(span.first as usize)?;
            let cue = usize::from(leaf.cue).checked_sub(1);
            if let Some(cue) = cue.and_then(|at| schema.cues.get(at)) {
                let cue = format!("{}.cue = {}", node.as_str(), cue.name);
                let near = match node {
                    Node::C => level(Node::B, Node::C),
                    _ => level(Node::A, Node::B),
                };
                return Some(near.map_or_else(|| cue.clone(), |near| format!("{cue} and {near}")));
            }
        }
        if let (Trial::Action, Some(before), Some(after)) =
            (trial, level(Node::A, Node::B), level(Node::B, Node::C))
        {
            return Some(format!("{before} and {after}"));
        }
        let near = level(Node::A, Node::B);
        let mut against: Vec<&Spoken<'_>> = scales.spoken.iter().collect();
        against.retain(|one| -scales.direction(one.side) * one.amount >= TELLING);
        against.sort_by(|a, b| b.amount.abs().total_cmp(&a.amount.abs()));
        let reasons = against.iter().filter_map(|one| match one.speaker {
            Speaker::Rule(AnyRule::Boundary(_) | AnyRule::Block(_)) => None,
            Speaker::Rule(any) => any.rule().reason.clone(),
            Speaker::Row(table, row) => table.row_reason(row),
        });
        let mut texts = reasons.map(|reason| reason.text(schema));
        let told = texts.find(|text| text.len() <= LONGEST_REASON);
        match (told, near) {
            (Some(told), Some(near)) if !told.contains("level(A, B)") => {
                Some(format!("{told} and {near}"))
            }
            (told, near) => told.or(near),
        }
    }
}

/// The strength that a rule would need: the next word that is enough, or no rule at all.
fn other_strength(strength: Strength, sign: f64, change: f64) -> Option<String> {
    let far = |weight: f64| (weight - strength.weight()) * sign;
    let words = STRENGTHS.iter().filter(|word| far(word.weight()) >= change);
    let nearest = words.min_by(|a, b| far(a.weight()).total_cmp(&far(b.weight())));
    match nearest {
        Some(word) => Some(word.to_string()),
        None => (far(0.0) >= change).then(|| GONE.to_owned()),
    }
}

/// The smallest change that does it, in hundredths.
fn smallest(wins: &impl Fn(f64) -> bool) -> Option<f64> {
    let (mut fails, mut does) = (0_u32, (GREATEST * DIGITS) as u32);
    let at = |steps: u32| f64::from(steps) / DIGITS;
    if !wins(at(does)) {
        return None;
    }
    while does - fails > 1 {
        let middle = fails.midpoint(does);
        if wins(at(middle)) {
            does = middle;
        } else {
            fails = middle;
        }
    }
    Some(at(does))
}

/// A weight with a sign, as rows write it.
fn weight(value: f64) -> String {
    let rounded = (value * DIGITS).round() / DIGITS;
    format!("{:+}", rounded + 0.0)
}
