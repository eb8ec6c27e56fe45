//! How tables are written.

use std::fmt::{self, Write as _};

use super::super::formula::{Comparison, Formula, Literal};
use super::super::syntax::{
    Expr, ExprKind, Item, ItemKind, KeyItem, KeyKind, OutcomeItem, Quantity, RowItem, Span,
    SubjectItem, TableItem, Word,
};
use super::{ELSE, Key, ORDERS, OutcomePattern, Subject, Table, UNKNOWN};
use crate::columns::columns;
use crate::schema::Schema;

/// Outcomes begin here, and so do weights where rows have none. A longer key pushes its own line alone
/// out, so that a changed row changes one line.
const OUTCOME_COLUMN: usize = 28;
/// Weights of labels begin here.
const WEIGHT_COLUMN: usize = 60;
/// Weights have so many columns.
const WEIGHT_COLUMNS: usize = 6;

impl fmt::Display for KeyItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            KeyKind::Value(value) => write!(f, "{value}"),
            KeyKind::Bound(op, value) => write!(f, "{} {value}", op.as_str()),
            KeyKind::Range(least, most) => write!(f, "{least} to {most}"),
        }
    }
}

impl fmt::Display for SubjectItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        match &self.versus {
            Some(versus) => write!(f, " vs {versus}"),
            None => Ok(()),
        }
    }
}

/// `label by B.cue, level(A, B)`
pub(in super::super) fn table_head(table: &TableItem) -> String {
    let subjects: Vec<String> = table.subjects.iter().map(ToString::to_string).collect();
    match subjects.as_slice() {
        [] => table.decision.text.to_string(),
        _ => format!("{} by {}", table.decision.text, subjects.join(", ")),
    }
}

/// `but         adversative-contrast NN      +2.1  x 40`
pub(in super::super) fn row_line(row: &RowItem) -> String {
    let keys: Vec<String> = row.keys.iter().map(ToString::to_string).collect();
    let mut line = keys.join(", ");
    let fill_to = |line: &mut String, column: usize| {
        let gap = column.saturating_sub(columns(line)).max(2);
        let _ = write!(line, "{:gap$}", "");
    };
    match &row.outcome {
        Some(outcome) => {
            let from = if keys.is_empty() {
                0
            } else {
                fill_to(&mut line, OUTCOME_COLUMN);
                OUTCOME_COLUMN
            };
            line.push_str(&outcome.relation.text);
            if let Some(roles) = &outcome.roles {
                let _ = write!(line, " {}", roles.text);
            }
            fill_to(&mut line, WEIGHT_COLUMN - OUTCOME_COLUMN + from);
        }
        None if keys.is_empty() => {}
        None => fill_to(&mut line, OUTCOME_COLUMN),
    }
    let weight = row.weight.value.to_string();
    let _ = write!(line, "{weight:>WEIGHT_COLUMNS$}");
    if let Some(count) = &row.count {
        let _ = write!(line, "  x {}", count.value);
    }
    if row.kept {
        line.push_str("  !");
    }
    line
}

impl Key {
    /// As a syntax tree.
    pub(in super::super) fn to_syntax(&self) -> KeyItem {
        let value =
            |literal: &Literal| Formula::Literal(literal.clone()).to_expr(&Schema::default());
        let kind = match self {
            Key::Value(literal) => KeyKind::Value(value(literal)),
            Key::Bound(op, literal) => KeyKind::Bound(*op, value(literal)),
            Key::Range(least, most) => KeyKind::Range(value(least), value(most)),
            Key::Order(op) => KeyKind::Value(name(order_name(*op))),
            Key::Else => KeyKind::Value(name(ELSE)),
            Key::Unknown => KeyKind::Value(name(UNKNOWN)),
        };
        KeyItem {
            kind,
            span: Span::default(),
        }
    }
}

fn order_name(op: Comparison) -> &'static str {
    let known = ORDERS.iter().find(|(_, known)| *known == op);
    known.map_or(ELSE, |(name, _)| name)
}

fn name(text: &str) -> Expr {
    Expr {
        kind: ExprKind::Name(text.into()),
        span: Span::default(),
    }
}

fn word(text: &str) -> Word {
    Word {
        text: text.into(),
        span: Span::default(),
    }
}

impl OutcomePattern {
    fn to_syntax(&self, schema: &Schema) -> OutcomeItem {
        let text = self.text(schema);
        let (relation, roles) = match text.split_once(' ') {
            Some((relation, roles)) => (word(relation), Some(word(roles))),
            None => (word(&text), None),
        };
        OutcomeItem { relation, roles }
    }
}

impl Table {
    /// The table as a syntax tree.
    pub fn to_syntax(&self, schema: &Schema) -> TableItem {
        let quantity = |value| Quantity {
            value,
            span: Span::default(),
        };
        let subject = |subject: &Subject| {
            let mut values = subject.values().map(|value| value.to_expr(schema));
            let first = values.next();
            SubjectItem {
                value: first.unwrap_or_else(|| name(UNKNOWN)),
                versus: values.next(),
            }
        };
        let rows = self.rows.iter().map(|row| RowItem {
            keys: row.keys.iter().map(Key::to_syntax).collect(),
            outcome: row.outcome.as_ref().map(|o| o.to_syntax(schema)),
            weight: Quantity {
                value: row.weight,
                span: Span::default(),
            },
            count: row.count.map(quantity),
            kept: row.kept,
            span: Span::default(),
        });
        let reason = self.rule.reason.as_ref();
        TableItem {
            name: word(&self.rule.id),
            decision: word(self.decision.as_str()),
            subjects: self.subjects.iter().map(subject).collect(),
            when: reason.map(|reason| reason.to_expr(schema)),
            rows: rows.collect(),
        }
    }

    pub(in super::super) fn to_item(&self, schema: &Schema) -> Item {
        Item {
            kind: ItemKind::Table(Box::new(self.to_syntax(schema))),
            comments: Vec::new(),
            span: Span::default(),
        }
    }
}
