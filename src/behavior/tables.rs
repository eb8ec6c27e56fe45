//! Synthesis by tables: what gold trees do, as weights of answers to questions.
//!
//! Shift or reduce is one decision, what two nodes become another, where an EDU begins a third. Each is a
//! softmax over what can be done, and a weight speaks for one part of it: a relation with its roles, a
//! class of relations, roles alone. The penalty leaves most weights at nothing; what is left becomes
//! tables, one for each question that is asked ([`super::rows`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{
    Cell, CellFit, Decisions, FittedCells, Holds, fit_cells, gains, strengthen_cells,
};
use super::example::Instances;
use super::literals::{Asked, Literals};
use super::rows::answers;
use crate::automaton::Outcome;
use crate::grammar::{Roles, Table};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;

/// Weights are written with two digits behind the point.
const WEIGHT_STEPS: f64 = 100.0;

/// The lines of a table beside its rows.
const TABLE_LINES: f64 = 4.0;

/// Literals of which one holds, beside which others are asked: they make the further keys of a table.
pub(super) type Division = Vec<Vec<u32>>;

/// Where a question comes from.
struct Candidate {
    /// The literal it asks.
    literal: u32,
    /// The literals of its cell, in the order of the division.
    cell: Vec<u32>,
    /// The division, from 1; 0 is none.
    division: usize,
}

/// A division, a literal, and the literals of a cell.
type Question = (usize, u32, Vec<u32>);

/// Questions: where they come from and where they hold.
struct Candidates {
    about: Vec<Candidate>,
    holds: Vec<Holds>,
}

impl Candidates {
    /// Leaves those out that are not wanted, with their cells.
    fn retain(&mut self, wanted: impl Fn(&Candidate) -> bool, cells: &mut Vec<Cell>) {
        let wanted: Vec<bool> = self.about.iter().map(wanted).collect();
        let mut kept = 0;
        let numbers: Vec<Option<u32>> = wanted
            .iter()
            .map(|wanted| {
                kept += u32::from(*wanted);
                wanted.then(|| kept - 1)
            })
            .collect();
        let mut is_wanted = wanted.iter();
        self.about.retain(|_| is_wanted.next() == Some(&true));
        let mut is_wanted = wanted.iter();
        self.holds.retain(|_| is_wanted.next() == Some(&true));
        cells.retain_mut(|cell| {
            let number = numbers[cell.question as usize];
            cell.question = number.unwrap_or_default();
            number.is_some()
        });
    }
}

/// What is to be learned: the instances, and what they are asked.
pub(super) struct TableLearner<'l> {
    pub(super) schema: &'l Schema,
    pub(super) literals: &'l Literals,
    pub(super) instances: &'l Instances,
    /// What each written rule says of which outcomes.
    pub(super) written: &'l [Vec<(u32, f64)>],
    pub(super) divisions: &'l [Division],
    pub(super) least_count: usize,
    pub(super) least_weight: f64,
    /// What is added to the table that always speaks, where there are two outcomes.
    pub(super) leaning: f64,
}

/// A table by its division and the first literal of its subject.
type TableKey = (usize, u32);
pub(super) type TableKeys = BTreeSet<TableKey>;

/// Which tables are fitted.
#[derive(Debug, Clone)]
pub(super) enum Which {
    /// So many at most: those that are worth most for their length.
    Best(usize),
    /// These.
    These(TableKeys),
}

/// A part of what can be done, as rows write it, and the outcomes that have it.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) outcomes: Vec<u32>,
}

impl TableLearner<'_> {
    /// The tables of a decision as text; `decision` is the word of their heads and begins their names.
    pub(super) fn learn(
        &self,
        decision: &str,
        parts: &[Part],
        how: CellFit,
        which: &Which,
    ) -> (String, TableKeys) {
        // Trees of one EDU each label nothing.
        if parts.is_empty() {
            return (String::new(), TableKeys::new());
        }
        let stopwatch = Stopwatch::start();
        let mut candidates = self.candidates();
        let most = match which {
            Which::Best(most) => *most,
            Which::These(keys) => {
                let wanted = |candidate: &Candidate| keys.contains(&self.table_key(candidate));
                candidates.retain(wanted, &mut Vec::new());
                usize::MAX
            }
        };
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
        let outcome_count = parts_of.len();
        let decisions = Decisions {
            parts_of,
            parts: parts.len(),
            done: self.instances.done.clone(),
            importance: self.instances.importance.clone(),
            given: said_by_rules(self.instances, self.written, outcome_count),
        };
        let (candidates, fitted) = self.choose_tables(&decisions, candidates, how, most);
        tracing::info!(
            decision,
            instances = self.instances.len(),
            questions = candidates.about.len(),
            cells = fitted.cells.len(),
            took = %stopwatch,
            "fitted tables"
        );
        let tables = self.cells_by_table(&candidates, &fitted);
        let text = self.text(decision, parts, &candidates, &fitted);
        (text, tables.into_keys().collect())
    }

    /// The table that a candidate would stand in.
    fn table_key(&self, candidate: &Candidate) -> TableKey {
        let first = self.literals.first_of_subject(candidate.literal);
        (candidate.division, first)
    }

    /// Fits, and leaves out the tables that are worth least for their length, until so many are left.
    fn choose_tables(
        &self,
        decisions: &Decisions,
        mut candidates: Candidates,
        how: CellFit,
        most: usize,
    ) -> (Candidates, FittedCells) {
        let mut fitted = fit_cells(decisions, &candidates.holds, how, None);
        loop {
            let tables = self.cells_by_table(&candidates, &fitted);
            if tables.len() <= most {
                let least = self.least_weight;
                strengthen_cells(decisions, &candidates.holds, &mut fitted, how, least);
                return (candidates, fitted);
            }
            let (keys, groups): (Vec<TableKey>, Vec<Vec<Cell>>) = tables.into_iter().unzip();
            let gains = gains(decisions, &candidates.holds, &fitted, &groups);
            let worth = |at: usize| gains[at] / (TABLE_LINES + groups[at].len() as f64);
            let mut order: Vec<usize> = (0..groups.len()).collect();
            order.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)));
            // Not all at once: a table may take over what another said.
            order.truncate(most.max(groups.len() * 2 / 3));
            let kept: TableKeys = order.iter().map(|at| keys[*at]).collect();
            let wanted = |candidate: &Candidate| kept.contains(&self.table_key(candidate));
            candidates.retain(wanted, &mut fitted.cells);
            fitted = fit_cells(decisions, &candidates.holds, how, Some(&fitted));
        }
    }

    /// The cells of each table.
    fn cells_by_table(
        &self,
        candidates: &Candidates,
        fitted: &FittedCells,
    ) -> BTreeMap<TableKey, Vec<Cell>> {
        let mut tables: BTreeMap<TableKey, Vec<Cell>> = BTreeMap::new();
        for cell in &fitted.cells {
            let key = self.table_key(&candidates.about[cell.question as usize]);
            tables.entry(key).or_default().push(*cell);
        }
        tables
    }

    /// All literals, alone and in cells, that hold often enough; of those that hold in the same
    /// instances, the first.
    fn candidates(&self) -> Candidates {
        let mut found: FxHashMap<Question, Holds> = FxHashMap::default();
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
        let often = |holds: &Holds| holds.len() >= self.least_count && holds.len() < all;
        let mut found: Vec<(Question, Holds)> = found
            .into_iter()
            .filter(|(_, holds)| often(holds))
            .collect();
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut seen: FxHashSet<Holds> = FxHashSet::default();
        found.retain(|(_, holds)| seen.insert(holds.clone()));
        let candidates = found.into_iter().map(|((division, literal, cell), holds)| {
            let candidate = Candidate {
                literal,
                cell,
                division,
            };
            (candidate, holds)
        });
        let (about, holds) = candidates.unzip();
        Candidates { about, holds }
    }

    fn text(
        &self,
        decision: &str,
        parts: &[Part],
        candidates: &Candidates,
        fitted: &FittedCells,
    ) -> String {
        let mut text = self.always(decision, parts, fitted);
        // By division and subject, in the order of the literals.
        for (_, cells) in self.cells_by_table(candidates, fitted) {
            self.write_table(&mut text, decision, parts, &cells, candidates);
        }
        text
    }

    fn asked(&self, literal: u32) -> &Asked {
        &self.literals.asked[literal as usize]
    }

    /// The table that always speaks.
    fn always(&self, decision: &str, parts: &[Part], fitted: &FittedCells) -> String {
        let mut text = format!(
            "## How usual each outcome is, before anything is asked. 未提问之前各结果的常见程度。\n\
             table {decision}-usual\n  {decision}\n"
        );
        if parts.len() == 1 {
            let weight = fitted.always.first().copied().unwrap_or(0.0) + self.leaning;
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
        cells: &[Cell],
        candidates: &Candidates,
    ) {
        let mut literals: Vec<(u32, &Asked)> = Vec::new();
        for cell in cells {
            let literal = candidates.about[cell.question as usize].literal;
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
            let candidate = &candidates.about[cell.question as usize];
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
            .map(|cell| &candidates.about[cell.question as usize].cell);
        let mut subjects = vec![first.subject.clone()];
        let beside = cell.into_iter().flatten();
        subjects.extend(beside.map(|literal| self.asked(*literal).subject.clone()));
        let [english, chinese] = first.docs;
        let _ = write!(
            text,
            "## {}: {english}. {}：{chinese}。\ntable {decision}-{}\n  {decision} by {}\n{rows}\n",
            first.subject,
            first.subject,
            table_name(&subjects),
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

/// `B.cue, level(A, B)` as a name: `B-cue-by-break`.
fn table_name(subjects: &[String]) -> String {
    let names = subjects.iter().map(|subject| match subject.as_str() {
        "level(A, B)" => "break".to_owned(),
        "level(B, C)" => "next-break".to_owned(),
        "level(A, B) vs level(B, C)" => "order".to_owned(),
        other => plain_name(other),
    });
    names.collect::<Vec<String>>().join("-by-")
}

/// What a table asks, with hyphens between letters.
fn plain_name(subject: &str) -> String {
    let mut name = String::new();
    for letter in subject.chars() {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if letter == '=' {
            name.push_str("same-");
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_end_matches('-').to_owned()
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

/// What written rules say of every outcome in every instance; nothing at all where they are silent.
pub(super) fn said_by_rules(
    instances: &Instances,
    written: &[Vec<(u32, f64)>],
    outcomes: usize,
) -> Vec<f32> {
    if outcomes == 0 || written.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut said = vec![0.0; outcomes * instances.len()];
    for (own, spoken) in said.chunks_exact_mut(outcomes).zip(&instances.spoken) {
        for rule in spoken {
            let says = written.get(*rule as usize);
            for (outcome, weight) in says.into_iter().flatten() {
                if let Some(score) = own.get_mut(*outcome as usize) {
                    *score += *weight as f32;
                }
            }
        }
    }
    said
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
