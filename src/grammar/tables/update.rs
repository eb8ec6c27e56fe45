//! A file with the rows of its tables as a grammar has them now; everything else stays as it is written.

use std::sync::Arc;

use super::super::format::format_file;
use super::super::model::Grammar;
use super::super::parse::parse;
use super::super::syntax::{Element, ItemKind, Quantity, RowItem, Span};
use super::Table;
use crate::diagnostic::{Source, any_error};
use crate::error::{Error, Result};

/// The text of a file whose tables say what those of the same name in `grammar` say. Comments, names,
/// order and everything but weights and counts of rows stay.
pub fn update_rows(source: &Arc<Source>, grammar: &Grammar) -> Result<String> {
    let mut parsed = parse(source);
    if any_error(&parsed.diagnostics) {
        return Err(Error::Invalid(parsed.diagnostics));
    }
    for element in &mut parsed.file.elements {
        let Element::Item(item) = element else {
            continue;
        };
        let ItemKind::Table(item) = &mut item.kind else {
            continue;
        };
        let own = |table: &&Table| *table.rule.id == *item.name.text;
        let Some(table) = grammar.tables.iter().find(own) else {
            continue;
        };
        for row in &table.rows {
            let place = row.place.as_ref();
            let place = place.filter(|place| place.source().name() == source.name());
            let Some(place) = place else { continue };
            let written = item.rows.iter_mut();
            let mut same = written.filter(|item| item.span.range() == place.range());
            if let Some(item) = same.next() {
                set(item, row);
            }
        }
    }
    Ok(format_file(&parsed.file))
}

fn set(item: &mut RowItem, row: &super::Row) {
    item.weight.value = row.weight;
    item.count = row.count.map(|value| Quantity {
        value,
        span: Span::default(),
    });
}
