//! All functions of the formula language, one entry each.

mod gaps;
mod lines;
mod nodes;
mod pairs;
mod places;
mod values;
mod words;

use super::function::Function;

/// No bound.
const MANY: i64 = i64::MAX;

const GROUPS: [&[Function]; 7] = [
    nodes::FUNCTIONS,
    pairs::FUNCTIONS,
    words::FUNCTIONS,
    gaps::FUNCTIONS,
    lines::FUNCTIONS,
    values::FUNCTIONS,
    places::FUNCTIONS,
];

/// All functions: of nodes, of pairs, of words, of the gap, of lines, of values in general, and of
/// places in trees. A function of one
/// node may be written `B.cue` or `cue(B)`.
pub static FUNCTIONS: [Function; count()] = joined();

const fn count() -> usize {
    let (mut sum, mut group) = (0, 0);
    while group < GROUPS.len() {
        sum += GROUPS[group].len();
        group += 1;
    }
    sum
}

const fn joined() -> [Function; count()] {
    let mut all = [nodes::FUNCTIONS[0]; count()];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut member = 0;
        while member < GROUPS[group].len() {
            all[at] = GROUPS[group][member];
            at += 1;
            member += 1;
        }
        group += 1;
    }
    all
}

#[cfg(test)]
mod tests;
