//! Synthesis by tables: what gold trees do, as weights of answers to questions.
//!
//! Shift or reduce is one decision, what two nodes become another, where an EDU begins a third. Each is a
//! softmax over what can be done, and a weight speaks for one part of it: a relation with its roles, a
//! class of relations, roles alone. The penalty leaves most weights at nothing; what is left becomes
//! tables, one for each question that is asked ([`super::rows`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cells::{Cell, CellFit, Decisions, FittedCells, Question, fit_cells};
use super::example::Instances;
use super::literals::{Asked, Literals};
use super::rows::answers;
use crate::automaton::Outcome;
use crate::grammar::{Roles, Table};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;

/// Weights are written with two digits behind the point.
const WEIGHT_STEPS: f64 = 100.0;

/// Literals of which one holds, beside which others are asked: they make the further keys of a table.
pub(super) type Division = Vec<Vec<u32>>;

/// A question with where it comes from.
struct Candidate {
    /// The literal it asks.
    literal: u32,
    /// The literals of its cell, in the order of the division.
    cell: Vec<u32>,
    /// The division, from 1; 0 is none.
    division: usize,
    holds: Vec<u32>,
}

/// What is to be learned: the instances, and what they are asked.
pub(super) struct TableLearner<'l> {
    pub(super) schema: &'l Schema,
    pub(super) literals: &'l Literals,
    pub(super) instances: &'l Instances,
    pub(super) divisions: &'l [Division],
    pub(super) least_count: usize,
    pub(super) least_weight: f64,
}

/// A part of what can be done, as rows write it, and the outcomes that have it.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) outcomes: Vec<u32>,
}

impl TableLearner<'_> {
    /// The tables of a decision as text; `decision` is the word of their heads and begins their names.
    pub(super) fn learn(&self, decision: &str, parts: &[Part], how: CellFit) -> String {
        let stopwatch = Stopwatch::start();
        let candidates = self.candidates();
        let outcomes = parts.iter().flat_map(|part| &part.outcomes).max();
        let mut parts_of = vec![Vec::new(); outcomes.map_or(0, |most| *most as usize + 1)];
        // Shift and boundary tables speak for the first of two outcomes.
        if parts.len() == 1 {
            parts_of.push(Vec::new());
        }
        for (number, part) in parts.iter().enumerate() {
            for outcome in &part.outcomes {
                parts_of[*outcome as usize].push(number as u32);
            }
        }
        let decisions = Decisions {
            parts_of,
            parts: parts.len(),
            done: self.instances.done.clone(),
            importance: self.instances.importance.clone(),
            given: Vec::new(),
        };
        let questions: Vec<Question> = candidates
            .iter()
            .map(|candidate| Question {
                holds: candidate.holds.clone(),
                cost: 1.0,
            })
            .collect();
        let fitted = fit_cells(&decisions, &questions, how);
        tracing::info!(
            decision,
            instances = self.instances.len(),
            questions = questions.len(),
            cells = fitted.cells.len(),
            took = %stopwatch,
            "fitted tables"
        );
        self.text(decision, parts, &candidates, &fitted)
    }

    /// All literals, alone and in cells, that hold often enough; of those that hold in the same
    /// instances, the first.
    fn candidates(&self) -> Vec<Candidate> {
        let mut found: FxHashMap<(usize, u32, Vec<u32>), Vec<u32>> = FxHashMap::default();
        for (at, holding) in self.instances.holding.iter().enumerate() {
            for literal in holding {
                let key = (0, *literal, Vec::new());
                found.entry(key).or_default().push(at as u32);
            }
            for (number, lists) in self.divisions.iter().enumerate() {
                let within = |list: &Vec<u32>| {
                    let holds = |literal: &&u32| holding.binary_search(literal).is_ok();
                    list.iter().find(holds).copied()
                };
                let cell: Option<Vec<u32>> = lists.iter().map(within).collect();
                let Some(cell) = cell else { continue };
                let divides = |literal: &u32| lists.iter().any(|list| list.contains(literal));
                for literal in holding.iter().filter(|literal| !divides(literal)) {
                    let key = (number + 1, *literal, cell.clone());
                    found.entry(key).or_default().push(at as u32);
                }
            }
        }
        let all = self.instances.len();
        let mut candidates: Vec<Candidate> = found
            .into_iter()
            .filter(|(_, holds)| holds.len() >= self.least_count && holds.len() < all)
            .map(|((division, literal, cell), holds)| Candidate {
                literal,
                cell,
                division,
                holds,
            })
            .collect();
        candidates.sort_by(|a, b| {
            (a.division, a.literal, &a.cell).cmp(&(b.division, b.literal, &b.cell))
        });
        let mut seen: FxHashMap<Vec<u32>, ()> = FxHashMap::default();
        candidates.retain(|candidate| seen.insert(candidate.holds.clone(), ()).is_none());
        candidates
    }

    fn text(
        &self,
        decision: &str,
        parts: &[Part],
        candidates: &[Candidate],
        fitted: &FittedCells,
    ) -> String {
        let mut text = self.always(decision, parts, fitted);
        // By division and subject, in the order of the literals.
        let mut tables: BTreeMap<(usize, u32), Vec<Cell>> = BTreeMap::new();
        let mut firsts: FxHashMap<&str, u32> = FxHashMap::default();
        for cell in &fitted.cells {
            let candidate = &candidates[cell.question as usize];
            let subject = self.asked(candidate.literal).subject.as_str();
            let first = self.first_of(subject, &mut firsts);
            let table = tables.entry((candidate.division, first)).or_default();
            table.push(*cell);
        }
        for ((division, _), cells) in tables {
            self.write_table(&mut text, decision, parts, division, &cells, candidates);
        }
        text
    }

    fn asked(&self, literal: u32) -> &Asked {
        &self.literals.asked[literal as usize]
    }

    /// The first literal of a subject.
    fn first_of<'t>(&'t self, subject: &'t str, firsts: &mut FxHashMap<&'t str, u32>) -> u32 {
        *firsts.entry(subject).or_insert_with(|| {
            let mut asked = self.literals.asked.iter();
            asked
                .position(|asked| asked.subject == subject)
                .unwrap_or(0) as u32
        })
    }

    /// The table that always speaks.
    fn always(&self, decision: &str, parts: &[Part], fitted: &FittedCells) -> String {
        let mut text = format!(
            "## How usual each outcome is, before anything is asked. 未提问之前各结果的常见程度。\n\
             table {decision}-usual\n  {decision}\n"
        );
        if parts.len() == 1 {
            let weight = fitted.always.first().copied().unwrap_or(0.0);
            let count = self.count(|_| true, &parts[0]);
            let _ = writeln!(text, "  | {}{}", weight_text(weight), count_text(count));
        }
        for single in parts
            .iter()
            .filter(|part| part.outcomes.len() == 1 && parts.len() > 1)
        {
            let outcome = single.outcomes[0];
            let of = parts.iter().zip(&fitted.always);
            let own = of.filter(|(part, _)| part.outcomes.contains(&outcome));
            let weight: f64 = own.map(|(_, weight)| weight).sum();
            let count = self.count(|_| true, single);
            let _ = writeln!(
                text,
                "  | {} {}{}",
                single.name,
                weight_text(weight),
                count_text(count)
            );
        }
        text.push('\n');
        text
    }

    /// How many instances a part was done in, of those that fit.
    fn count(&self, fits: impl Fn(usize) -> bool, part: &Part) -> usize {
        let done = self.instances.done.iter().enumerate();
        let own = done.filter(|(at, done)| part.outcomes.contains(done) && fits(*at));
        own.count()
    }

    fn write_table(
        &self,
        text: &mut String,
        decision: &str,
        parts: &[Part],
        division: usize,
        cells: &[Cell],
        candidates: &[Candidate],
    ) {
        let mut literals: Vec<(u32, &Asked)> = Vec::new();
        for cell in cells {
            let literal = candidates[cell.question as usize].literal;
            if !literals.iter().any(|(known, _)| *known == literal) {
                literals.push((literal, self.asked(literal)));
            }
        }
        literals.sort_by_key(|(literal, _)| *literal);
        let Some((_, first)) = literals.first() else {
            return;
        };
        // By cell of the division and part, the weights of literals.
        let mut sums: BTreeMap<(Vec<u32>, u32), FxHashMap<u32, f64>> = BTreeMap::new();
        for cell in cells {
            let candidate = &candidates[cell.question as usize];
            let own = sums.entry((candidate.cell.clone(), cell.part)).or_default();
            *own.entry(candidate.literal).or_default() += cell.weight;
        }
        let mut rows = String::new();
        for (key, wanting) in answers(&literals, self.schema) {
            for ((cell, part), weights) in &sums {
                let weight: f64 = wanting.iter().filter_map(|l| weights.get(l)).sum();
                if weight.abs() < self.least_weight {
                    continue;
                }
                let mut keys = vec![key.clone()];
                keys.extend(cell.iter().map(|literal| self.cell_key(*literal)));
                let part = &parts[*part as usize];
                let used: Vec<u32> = literals.iter().map(|(literal, _)| *literal).collect();
                let fits = |at: usize| {
                    let holding = &self.instances.holding[at];
                    let holds = |literal: &u32| holding.binary_search(literal).is_ok();
                    cell.iter().all(holds)
                        && used
                            .iter()
                            .all(|literal| holds(literal) == wanting.contains(literal))
                };
                let count = self.count(fits, part);
                let _ = writeln!(
                    rows,
                    "  | {} {} {}{}",
                    keys.join(", "),
                    if parts.len() > 1 { &part.name } else { "" },
                    weight_text(weight),
                    count_text(count)
                );
            }
        }
        if rows.is_empty() {
            return;
        }
        let cell = cells
            .first()
            .map(|cell| &candidates[cell.question as usize].cell);
        let mut subjects = vec![first.subject.clone()];
        let beside = cell.into_iter().flatten();
        subjects.extend(beside.map(|literal| self.asked(*literal).subject.clone()));
        let [english, chinese] = first.docs;
        let _ = write!(
            text,
            "## {}: {english}. {}：{chinese}。\ntable {decision}-{}\n  {decision} by {}\n{rows}\n",
            first.subject,
            first.subject,
            table_name(&subjects, division),
            subjects.join(", ")
        );
    }

    /// A literal of a division as the key of a row.
    fn cell_key(&self, literal: u32) -> String {
        let asked = self.asked(literal);
        let keys = answers(&[(literal, asked)], self.schema);
        let own = keys
            .into_iter()
            .find(|(_, wanting)| wanting.contains(&literal));
        own.map_or_else(String::new, |(key, _)| key)
    }
}

/// `B.cue, level(A, B)` as a name: `B-cue-level-A-B`.
fn table_name(subjects: &[String], division: usize) -> String {
    let mut name = String::new();
    let letters = subjects.first().into_iter().flat_map(|text| text.chars());
    for letter in letters {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if letter == '=' {
            name.push_str("same-");
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-').to_owned();
    match (division, subjects.len()) {
        (0, _) => name,
        (_, 2) => format!("{name}-by-break"),
        _ => format!("{name}-by-breaks-{division}"),
    }
}

fn weight_text(weight: f64) -> String {
    let rounded = (weight * WEIGHT_STEPS).round() / WEIGHT_STEPS;
    format!("{:+}", rounded + 0.0)
}

fn count_text(count: usize) -> String {
    if count == 0 {
        String::new()
    } else {
        format!(" x {count}")
    }
}

/// The parts of labels: relations with their roles, classes, classes with roles, and roles alone. Of
/// parts that the same outcomes have, the most special stays.
pub(super) fn label_parts(outcomes: &[Outcome], schema: &Schema) -> Vec<Part> {
    let mut by_name: Vec<(String, Vec<u32>)> = Vec::new();
    let mut add =
        |name: String, outcome: u32| match by_name.iter_mut().find(|(known, _)| *known == name) {
            Some((_, outcomes)) => outcomes.push(outcome),
            None => by_name.push((name, vec![outcome])),
        };
    for (at, outcome) in outcomes.iter().enumerate() {
        let roles: &Roles = &outcome.roles;
        let roles = roles.letters().concat();
        let Some(rhetoric) = schema.rhetoric_of(outcome.relation) else {
            continue;
        };
        let at = at as u32;
        add(format!("{} {roles}", rhetoric.name), at);
        add(format!("{}-* {roles}", rhetoric.class), at);
        add(format!("{}-*", rhetoric.class), at);
        add(format!("* {roles}"), at);
    }
    // The most special first, so that it is the one that stays.
    by_name.sort_by_key(|(name, outcomes)| (name.contains('*'), outcomes.len()));
    let mut seen: Vec<Vec<u32>> = Vec::new();
    by_name.retain(|(_, outcomes)| {
        let new = !seen.contains(outcomes);
        seen.push(outcomes.clone());
        new
    });
    let parts = by_name.into_iter();
    parts
        .map(|(name, outcomes)| Part { name, outcomes })
        .collect()
}

/// The tables of a text that a learner wrote.
pub(super) fn load_tables(text: &str, schema: &Arc<Schema>) -> Vec<Table> {
    match crate::grammar::load_tables(text, schema) {
        Ok(tables) => tables,
        // Learners write what the language can read; anything else is a mistake of ours.
        Err(error) => {
            tracing::error!(%error, "learned tables cannot be read");
            debug_assert!(false, "{error}");
            Vec::new()
        }
    }
}
