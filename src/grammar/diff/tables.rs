//! What changed in tables, row by row.

use super::{Aspect, Change, RuleChange, even_choice};
use crate::grammar::{Count, Grammar, Row, Table};
use crate::schema::Schema;

/// The rows that changed, went or came, in the order of the tables. A table that asks the same under
/// another name is a renamed one.
pub(super) fn changed_rows(old: &Grammar, new: &Grammar) -> Vec<RuleChange> {
    let mut changes = Vec::new();
    let mut met: Vec<&str> = Vec::new();
    for table in &old.tables {
        match counterpart(table, old, new) {
            Some(now) => {
                met.push(&now.rule.id);
                changes.extend(changed_table(table, now, &new.schema));
                compare(table, now, old, new, &mut changes);
            }
            None => all_rows(Change::Removed, table, &old.schema, &mut changes),
        }
    }
    for table in &new.tables {
        if !met.contains(&&*table.rule.id) {
            all_rows(Change::Added, table, &new.schema, &mut changes);
        }
    }
    changes
}

/// The table that a table has become: the one of its name, else the only new one that asks the same.
fn counterpart<'n>(table: &Table, old: &Grammar, new: &'n Grammar) -> Option<&'n Table> {
    let same = |now: &&Table| asks_the_same(table, now, old, new);
    let named = new.tables.iter().find(|now| now.rule.id == table.rule.id);
    if named.is_some() {
        return named.filter(same);
    }
    let is_new = |now: &&Table| old.tables.iter().all(|was| was.rule.id != now.rule.id);
    let mut others = new.tables.iter().filter(is_new).filter(same);
    others.next().filter(|_| others.next().is_none())
}

/// What changed in a table besides its rows: its name and its comment.
fn changed_table(was: &Table, is: &Table, schema: &Schema) -> Option<RuleChange> {
    let doc = |table: &Table| table.rule.doc.as_deref().unwrap_or_default().to_owned();
    let aspects: Vec<Aspect> = (was.rule.doc != is.rule.doc)
        .then(|| Aspect {
            what: "doc",
            old: doc(was),
            new: doc(is),
        })
        .into_iter()
        .collect();
    let new_id = (was.rule.id != is.rule.id).then(|| is.rule.id.to_string());
    if aspects.is_empty() && new_id.is_none() {
        return None;
    }
    let (head, reason) = asked(is, schema);
    Some(RuleChange {
        change: if aspects.is_empty() {
            Change::Renamed
        } else {
            Change::Changed
        },
        id: was.rule.id.to_string(),
        new_id,
        row: None,
        head,
        reason,
        count: seen(is),
        aspects,
        odds: Vec::new(),
        even_choice: None,
    })
}

/// How often the rows of a table were seen, all together.
fn seen(table: &Table) -> u64 {
    let counts = table.rows.iter().filter_map(|row| row.count);
    counts.fold(0, |sum, count| sum.saturating_add(count.get()))
}

fn asks_the_same(was: &Table, is: &Table, old: &Grammar, new: &Grammar) -> bool {
    asked(was, &old.schema) == asked(is, &new.schema)
}

/// What a table asks, as written.
fn asked(table: &Table, schema: &Schema) -> (String, Option<String>) {
    let subjects = table.subjects.iter().map(|subject| subject.text(schema));
    let subjects: Vec<String> = subjects.collect();
    let condition = table.rule.reason.as_ref();
    (
        format!("{} {}", table.decision.as_str(), subjects.join(", ")),
        condition.map(|condition| condition.text(schema)),
    )
}

fn compare(was: &Table, is: &Table, old: &Grammar, new: &Grammar, changes: &mut Vec<RuleChange>) {
    let name = |row: &Row, schema: &Schema| row_name(row, schema);
    for row in &was.rows {
        let own = name(row, &old.schema);
        match is.rows.iter().find(|now| name(now, &new.schema) == own) {
            None => changes.push(one_row(Change::Removed, was, row, &old.schema)),
            Some(now) => {
                let aspects = row_aspects(row, now);
                if !aspects.is_empty() {
                    let weights = [row, now].map(|row| row.weight.get());
                    changes.push(RuleChange {
                        aspects,
                        even_choice: even_choice(weights),
                        ..one_row(Change::Changed, is, now, &new.schema)
                    });
                }
            }
        }
    }
    for row in &is.rows {
        let own = name(row, &new.schema);
        if !was.rows.iter().any(|was| name(was, &old.schema) == own) {
            changes.push(one_row(Change::Added, is, row, &new.schema));
        }
    }
}

fn all_rows(change: Change, table: &Table, schema: &Schema, changes: &mut Vec<RuleChange>) {
    let rows = table.rows.iter();
    changes.extend(rows.map(|row| one_row(change, table, row, schema)));
}

/// `but  adversative-contrast NN`: what tells a row from the others of its table.
fn row_name(row: &Row, schema: &Schema) -> String {
    let keys: Vec<String> = row.keys.iter().map(|key| key.text()).collect();
    let outcome = row.outcome.as_ref().map(|outcome| outcome.text(schema));
    let parts = [keys.join(", "), outcome.unwrap_or_default()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("  ")
}

fn one_row(change: Change, table: &Table, row: &Row, schema: &Schema) -> RuleChange {
    let (asks, reason) = asked(table, schema);
    let name = row_name(row, schema);
    let weight = match change {
        Change::Changed | Change::Renamed => String::new(),
        Change::Removed | Change::Added => format!("  {}", row.weight),
    };
    RuleChange {
        change,
        id: table.rule.id.to_string(),
        new_id: None,
        head: format!("{asks} | {name}{weight}"),
        row: Some(name),
        reason,
        count: row.count.map_or(0, Count::get),
        aspects: Vec::new(),
        odds: Vec::new(),
        even_choice: None,
    }
}

fn row_aspects(was: &Row, is: &Row) -> Vec<Aspect> {
    let mut aspects = Vec::new();
    if was.weight != is.weight {
        aspects.push(Aspect {
            what: "weight",
            old: was.weight.to_string(),
            new: is.weight.to_string(),
        });
    }
    if was.count != is.count {
        let text = |row: &Row| row.count.map_or(String::new(), |count| count.to_string());
        aspects.push(Aspect {
            what: "count",
            old: text(was),
            new: text(is),
        });
    }
    if was.kept != is.kept {
        let text = |row: &Row| if row.kept { "!" } else { "" }.to_owned();
        aspects.push(Aspect {
            what: "kept",
            old: text(was),
            new: text(is),
        });
    }
    aspects
}
