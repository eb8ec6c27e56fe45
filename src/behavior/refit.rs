//! Learning anew from tables that were learned before.
//!
//! Each row is fitted again, pulled to what it says: it moves when the trees ask for it, and by what they
//! ask for. Rows that a person marked with `!` and written rules stay. No row comes and none goes, so
//! names, order and comments of a grammar outlive every new round of trees.

use std::collections::BTreeMap;

use super::cells::{Cell, CellFit, Decisions, KnownCell, refit_cells};
use super::example::Instances;
use super::written::{Who, WrittenRules, always_speaks};
use crate::grammar::{Count, Grammar, Weight};

/// How strongly a row is pulled to what it says, against one instance that asks for something else.
const PULL: f64 = 2.0;
/// A smaller change is none: it would change lines and no trees.
const LEAST_CHANGE: f64 = 0.1;
/// Weights are written with two digits behind the point.
const STEPS: f64 = 100.0;

/// Fits free rows of a grammar to instances and changes them; gives how many were looked at.
pub(super) fn refit_rows(
    grammar: &mut Grammar,
    written: &WrittenRules,
    free: &[(u32, Vec<u32>, f64)],
    fixed: Vec<f32>,
    outcomes: usize,
    instances: &Instances,
    how: CellFit,
) -> usize {
    if free.is_empty() || instances.done.is_empty() {
        return 0;
    }
    // Rows that speak for the same outcomes share a part.
    let mut parts: BTreeMap<&[u32], u32> = BTreeMap::new();
    for (_, spoken_for, _) in free {
        let next = parts.len() as u32;
        parts.entry(spoken_for).or_insert(next);
    }
    let mut parts_of = vec![Vec::new(); outcomes];
    for (spoken_for, part) in &parts {
        for outcome in *spoken_for {
            if let Some(own) = parts_of.get_mut(*outcome as usize) {
                own.push(*part);
            }
        }
    }
    let mut questions = vec![Vec::new(); written.says.len()];
    for (at, spoken) in instances.spoken.iter().enumerate() {
        for rule in spoken {
            questions[*rule as usize].push(at as u32);
        }
    }
    let decisions = Decisions {
        parts_of,
        parts: parts.len(),
        done: instances.done.clone(),
        importance: instances.importance.clone(),
        given: fixed,
    };
    let known = free.iter().map(|(rule, spoken_for, weight)| KnownCell {
        cell: Cell {
            question: *rule,
            part: parts[spoken_for.as_slice()],
            weight: *weight,
        },
        is_free: match &written.who[*rule as usize] {
            Who::Row(table, _) => always_speaks(&grammar.tables[*table]),
            Who::Rule(_) => false,
        },
    });
    let known: Vec<KnownCell> = known.collect();
    let weights = refit_cells(&decisions, &questions, &known, how, PULL);
    for ((rule, spoken_for, old), new) in free.iter().zip(weights) {
        let Who::Row(table, row) = &written.who[*rule as usize] else {
            continue;
        };
        let row = &mut grammar.tables[*table].rows[*row];
        if (new - old).abs() >= LEAST_CHANGE {
            row.weight = Weight::new((new * STEPS).round() / STEPS).unwrap_or(row.weight);
            let holds = questions[*rule as usize].iter();
            let seen = holds.filter(|at| spoken_for.contains(&instances.done[**at as usize]));
            row.count = Count::new(seen.count() as u64);
        }
    }
    free.len()
}
