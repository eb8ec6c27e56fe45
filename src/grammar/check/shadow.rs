//! Rules that never get to speak, because more specific ones always do.
//!
//! With `decide counts` the most specific pattern whose reason holds decides. A rule is lost when,
//! for every combination of symbols it matches, a more specific rule without a reason matches too.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::model::{Pattern, Rule};
use super::reach::Reach;
use crate::schema::{RelationId, Schema};

/// Patterns that match more combinations than this are let pass.
const MAX_COMBINATIONS: usize = 20_000;

/// Every rule that is lost, with a rule that wins against it.
pub(super) fn lost<'r, const N: usize>(
    rules: &[(&'r Rule, [Pattern; N])],
    reach: &Reach,
    schema: &Schema,
) -> Vec<(&'r Rule, &'r Rule)> {
    let mut strong: FxHashMap<[Pattern; N], &Rule> = FxHashMap::default();
    for (rule, pattern) in rules {
        if rule.reason.is_none() {
            strong.entry(*pattern).or_insert(rule);
        }
    }
    let mut judged: FxHashMap<[Pattern; N], Option<&Rule>> = FxHashMap::default();
    let mut lost = Vec::new();
    for (rule, pattern) in rules {
        let winner = *judged
            .entry(*pattern)
            .or_insert_with(|| winner(pattern, &strong, reach, schema));
        if let Some(winner) = winner {
            lost.push((*rule, winner));
        }
    }
    lost
}

/// One of the rules that together always win against a pattern, if they do.
fn winner<'r, const N: usize>(
    pattern: &[Pattern; N],
    strong: &FxHashMap<[Pattern; N], &'r Rule>,
    reach: &Reach,
    schema: &Schema,
) -> Option<&'r Rule> {
    let others = strong.len() - usize::from(strong.contains_key(pattern));
    if others == 0 {
        return None;
    }
    let matching: [Vec<RelationId>; N] = pattern.map(|symbol| {
        let made = reach.made.iter().copied();
        made.filter(|made| symbol.matches(*made, schema)).collect()
    });
    let combinations: usize = matching.iter().map(Vec::len).product();
    // Without a combination the rule is unreachable, which is reported elsewhere. A pattern of
    // which each symbol matches itself alone has no more specific one.
    if combinations == 0 || combinations > MAX_COMBINATIONS {
        return None;
    }
    let mut winner = None;
    let mut seen = FxHashSet::default();
    for number in 0..combinations {
        let mut rest = number;
        let symbols: [RelationId; N] = std::array::from_fn(|at| {
            let choices = &matching[at];
            let symbol = choices[rest % choices.len()];
            rest /= choices.len();
            symbol
        });
        if !seen.insert(symbols) {
            continue;
        }
        winner = Some(more_specific(&symbols, pattern, strong, schema)?);
    }
    winner
}

/// A rule without a reason that matches `symbols` and is more specific than `pattern`.
fn more_specific<'r, const N: usize>(
    symbols: &[RelationId; N],
    pattern: &[Pattern; N],
    strong: &FxHashMap<[Pattern; N], &'r Rule>,
    schema: &Schema,
) -> Option<&'r Rule> {
    // For each position: the symbol and its ancestors, up to the pattern's own.
    let ladders: [Vec<Pattern>; N] = std::array::from_fn(|at| {
        let mut ladder = Vec::new();
        for ancestor in schema.ancestors(symbols[at]) {
            ladder.push(Pattern::Symbol(ancestor));
            if pattern[at] == Pattern::Symbol(ancestor) {
                return ladder;
            }
        }
        ladder.push(Pattern::Any);
        ladder
    });
    let steps: usize = ladders.iter().map(Vec::len).product();
    (0..steps).find_map(|number| {
        let mut rest = number;
        let candidate: [Pattern; N] = std::array::from_fn(|at| {
            let ladder = &ladders[at];
            let step = ladder[rest % ladder.len()];
            rest /= ladder.len();
            step
        });
        if candidate == *pattern {
            None
        } else {
            strong.get(&candidate).copied()
        }
    })
}
