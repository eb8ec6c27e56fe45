//! From fitted cells to the rows of a table.
//!
//! A learner asks by literals: one answer, everything from a cut on, a level and all below. A reader
//! wants rows that do not overlap. So the literals of one subject cut its answers into the fewest
//! stretches that they tell apart, and the weight of a stretch is the sum of the weights of all literals
//! that want it.

use std::collections::BTreeMap;

use super::literals::{Asked, Wants};
use crate::grammar::functions::LEVELS;
use crate::schema::Schema;

/// The answers of a subject that its literals tell apart, each as a key of a row, with the literals
/// that want it.
pub(super) fn answers(literals: &[(u32, &Asked)], schema: &Schema) -> Vec<(String, Vec<u32>)> {
    let mut wants = literals.iter().map(|(_, asked)| &asked.wants);
    let ordered_by_number = wants
        .clone()
        .any(|w| matches!(w, Wants::AtLeast(_) | Wants::Number(_)));
    let keys = if ordered_by_number {
        whole_numbers(literals)
    } else if wants.clone().any(|w| matches!(w, Wants::Above(_))) {
        numbers(literals)
    } else if wants.any(|w| {
        matches!(
            w,
            Wants::FromLevel(_) | Wants::BelowLevel(_) | Wants::AboveLevel(_)
        )
    }) {
        levels(literals)
    } else {
        names(literals, schema)
    };
    let wanting = |test: &dyn Fn(&Wants) -> bool| -> Vec<u32> {
        let wanting = literals.iter().filter(|(_, asked)| test(&asked.wants));
        wanting.map(|(at, _)| *at).collect()
    };
    let mut answers: Vec<(String, Vec<u32>)> = keys
        .into_iter()
        .map(|(key, test)| (key, wanting(&*test)))
        .collect();
    for (key, wants) in [("unknown", Wants::Unknown)] {
        if literals.iter().any(|(_, asked)| asked.wants == wants) {
            answers.push((key.to_owned(), wanting(&|own| *own == wants)));
        }
    }
    answers.retain(|(_, wanting)| !wanting.is_empty());
    answers
}

/// Tells whether a literal wants an answer.
type Test = Box<dyn Fn(&Wants) -> bool>;

/// Stretches of whole numbers.
fn whole_numbers(literals: &[(u32, &Asked)]) -> Vec<(String, Test)> {
    let mut starts: Vec<i64> = Vec::new();
    for (_, asked) in literals {
        match asked.wants {
            Wants::AtLeast(cut) => starts.push(cut),
            Wants::Number(number) => starts.extend([number, number.saturating_add(1)]),
            _ => {}
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let wants = |value: i64| -> Test {
        Box::new(move |wants| match wants {
            Wants::AtLeast(cut) => value >= *cut,
            Wants::Number(number) => value == *number,
            _ => false,
        })
    };
    let mut keys = Vec::new();
    if let Some(first) = starts.first() {
        keys.push((format!("< {first}"), wants(first.saturating_sub(1))));
    }
    for (at, start) in starts.iter().enumerate() {
        let key = match starts.get(at + 1) {
            Some(next) if next - start == 1 => start.to_string(),
            Some(next) => format!("{start} to {}", next - 1),
            None => format!(">= {start}"),
        };
        keys.push((key, wants(*start)));
    }
    keys
}

/// Stretches of numbers; the upper end belongs to each.
fn numbers(literals: &[(u32, &Asked)]) -> Vec<(String, Test)> {
    let mut cuts: Vec<f64> = literals
        .iter()
        .filter_map(|(_, asked)| match asked.wants {
            Wants::Above(cut) => Some(cut),
            _ => None,
        })
        .collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let wants = |value: f64| -> Test {
        Box::new(move |wants| matches!(wants, Wants::Above(cut) if value > *cut))
    };
    let mut keys = Vec::new();
    let mut before: Option<f64> = None;
    for cut in &cuts {
        let key = match before {
            None => format!("<= {cut}"),
            Some(before) => format!("{before} to {cut}"),
        };
        keys.push((key, wants(*cut)));
        before = Some(*cut);
    }
    if let Some(last) = before {
        keys.push((format!("> {last}"), wants(f64::INFINITY)));
    }
    keys
}

/// Stretches of levels.
fn levels(literals: &[(u32, &Asked)]) -> Vec<(String, Test)> {
    let wanted_by = |rank: usize, wants: &Wants| match wants {
        Wants::Value(name) => LEVELS.get(rank) == Some(&name.as_str()),
        Wants::FromLevel(from) => rank >= *from,
        Wants::BelowLevel(from) => rank < *from,
        Wants::AboveLevel(from) => rank > *from,
        _ => false,
    };
    let signature = |rank: usize| -> Vec<bool> {
        let wants = literals.iter().map(|(_, asked)| &asked.wants);
        wants.map(|wants| wanted_by(rank, wants)).collect()
    };
    let mut keys: Vec<(String, Test)> = Vec::new();
    let mut first = 0;
    for rank in 0..LEVELS.len() {
        let last = rank + 1 == LEVELS.len();
        if !last && signature(rank + 1) == signature(first) {
            continue;
        }
        let name = |rank: usize| LEVELS.get(rank).copied().unwrap_or_default();
        let key = if first == rank {
            name(rank).to_owned()
        } else if first == 0 {
            format!("<= {}", name(rank))
        } else if last {
            format!(">= {}", name(first))
        } else {
            format!("{} to {}", name(first), name(rank))
        };
        let own = first;
        keys.push((key, Box::new(move |wants| wanted_by_rank(own, wants))));
        first = rank + 1;
    }
    keys
}

fn wanted_by_rank(rank: usize, wants: &Wants) -> bool {
    match wants {
        Wants::Value(name) => LEVELS.get(rank) == Some(&name.as_str()),
        Wants::FromLevel(from) => rank >= *from,
        Wants::BelowLevel(from) => rank < *from,
        Wants::AboveLevel(from) => rank > *from,
        _ => false,
    }
}

/// Answers without an order.
fn names(literals: &[(u32, &Asked)], schema: &Schema) -> Vec<(String, Test)> {
    let mut keys: BTreeMap<(usize, String), Test> = BTreeMap::new();
    for (at, (_, asked)) in literals.iter().enumerate() {
        match &asked.wants {
            Wants::Truth(truth) => {
                let truth = *truth;
                let test: Test = Box::new(move |wants| *wants == Wants::Truth(truth));
                keys.insert((usize::from(!truth), truth.to_string()), test);
            }
            Wants::Value(value) | Wants::Member(value) => {
                let own = value.clone();
                let test: Test = Box::new(
                    move |wants| matches!(wants, Wants::Value(value) | Wants::Member(value) if *value == own),
                );
                keys.insert((at, value.clone()), test);
            }
            Wants::Order(order) => {
                let own = *order;
                let test: Test = Box::new(move |wants| *wants == Wants::Order(own));
                keys.insert((at, own.to_owned()), test);
            }
            Wants::Kind(_) => {}
            _ => {}
        }
    }
    let mut all: Vec<(String, Test)> = keys
        .into_iter()
        .map(|((_, key), test)| (key, test))
        .collect();
    all.extend(kinds(literals, schema));
    all
}

/// The symbols that are a kind of one that a literal names.
fn kinds(literals: &[(u32, &Asked)], schema: &Schema) -> Vec<(String, Test)> {
    let named: Vec<crate::schema::RelationId> = literals
        .iter()
        .filter_map(|(_, asked)| match &asked.wants {
            Wants::Kind(name) => schema.relation(name),
            _ => None,
        })
        .collect();
    let mut keys: Vec<(String, Test)> = Vec::new();
    for relation in &schema.relations {
        let Some(own) = schema.relation(&relation.name) else {
            continue;
        };
        if !named.iter().any(|wanted| schema.is_a(own, *wanted)) {
            continue;
        }
        let ancestors: Vec<String> = schema
            .ancestors(own)
            .map(|ancestor| schema.relation_name(ancestor).to_owned())
            .collect();
        let test: Test =
            Box::new(move |wants| matches!(wants, Wants::Kind(name) if ancestors.contains(name)));
        keys.push((relation.name.clone(), test));
    }
    keys
}
