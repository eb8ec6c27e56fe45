//! Merging tables: rows of both, counts of the same row added up.

use super::super::model::Count;
use super::{Row, Table};
use crate::diagnostic::{Code, Diagnostic};

/// Adds the rows of a table to another one of the same name; gives what cannot be merged.
/// A table of a module that both grammars use is counted once.
pub(in super::super) fn merge_table(into: &mut Table, from: &Table) -> Option<Diagnostic> {
    if !from.rule.shares.is_empty() && into.rule.shares == from.rule.shares {
        return None;
    }
    let same_question = into.decision == from.decision
        && into.subjects == from.subjects
        && into.rule.reason == from.rule.reason;
    if !same_question {
        let message = format!(
            "the table `{}` does not ask the same in both grammars",
            from.rule.id
        );
        return Some(conflict(message, into, from));
    }
    for row in &from.rows {
        let same = |known: &&mut Row| known.keys == row.keys && known.outcome == row.outcome;
        match into.rows.iter_mut().find(same) {
            None => into.rows.push(row.clone()),
            Some(known) if known.weight == row.weight => {
                known.count = sum(known.count, row.count);
                known.kept |= row.kept;
            }
            Some(_) => {
                let message = format!(
                    "the table `{}` has a row with another weight in each grammar",
                    from.rule.id
                );
                return Some(conflict(message, into, from));
            }
        }
    }
    into.rule.doc = into.rule.doc.take().max(from.rule.doc.clone());
    None
}

fn sum(left: Option<Count>, right: Option<Count>) -> Option<Count> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.saturating_add(right.get())),
        (left, right) => left.or(right),
    }
}

fn conflict(message: String, into: &Table, from: &Table) -> Diagnostic {
    let mut conflict =
        Diagnostic::new(Code::G026, message).help("rename one of them, or make them the same");
    conflict.place = from.rule.named_place();
    match into.rule.named_place() {
        Some(place) => conflict.related(place, "the other one"),
        None => conflict,
    }
}
