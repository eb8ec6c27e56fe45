//! Two trees of one text, side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bench::Bench;
use super::messages::{Caller, CompareAnswer, CompareAsk};
use super::view::{numbers, view_of_tree};
use crate::behavior::{Forest, read_label};
use crate::error::{Error, Result};
use crate::tree::{Edu, Figures, Pairing, ParsevalOptions, RelationGrain, Tree, parseval};

/// The side that the grammar is.
const PARSE: &str = "parse";

impl Bench {
    /// Two trees of one text: where they differ, and how much.
    pub(super) fn compare(&self, _: &Caller, ask: CompareAsk) -> Result<CompareAnswer> {
        let sides = self.sides(&ask.id)?;
        let names: Vec<String> = sides.iter().map(|(name, _)| name.clone()).collect();
        let find = |wanted: Option<&str>, usual: usize| {
            let wanted = wanted.or_else(|| names.get(usual).map(String::as_str));
            let found = sides.iter().find(|(name, _)| Some(name.as_str()) == wanted);
            let other = || {
                Error::Missing("there is nothing to compare with: a text needs a tree of the grammar, and a finished label".to_owned())
            };
            found.or_else(|| sides.first()).ok_or_else(other)
        };
        let (left_name, left) = find(ask.left.as_deref(), 1)?;
        let (right_name, right) = find(ask.right.as_deref(), 0)?;
        let texts = |tree: &Tree| -> Vec<Arc<str>> {
            tree.edus
                .iter()
                .map(|edu: &Edu| Arc::clone(&edu.text))
                .collect()
        };
        let other_edus = texts(left) != texts(right);
        let figures = figures(&ask.id, left, right, &self.engine())?;
        Ok(CompareAnswer {
            chosen: (left_name.clone(), right_name.clone()),
            left: view_of_tree(left),
            right: view_of_tree(right),
            differences: if other_edus {
                Vec::new()
            } else {
                differences(left, right)
            },
            figures: named(&figures),
            other_edus,
            sides: names,
        })
    }

    /// The grammar's tree, and those of all finished labels.
    fn sides(&self, id: &str) -> Result<Vec<(String, Tree)>> {
        let engine = self.engine();
        let parse = self.parse(id)?;
        let mut sides: Vec<(String, Tree)> = Vec::new();
        sides.extend(parse.tree().cloned().map(|tree| (PARSE.to_owned(), tree)));
        for file in self.label_files(id) {
            let mut read = read_label(&file)?;
            let Some(done) = read.replay(&engine).filter(|done| done.is_complete()) else {
                continue;
            };
            let name = done.label().header.annotator.to_string();
            sides.push((name, done.tree()?));
        }
        Ok(sides)
    }
}

/// F1 by what is compared.
pub(super) fn named(figures: &Figures) -> BTreeMap<&'static str, f64> {
    let each = figures
        .named()
        .map(|(letter, counts)| (letter, counts.f1()));
    BTreeMap::from(each)
}

fn figures(id: &str, left: &Tree, right: &Tree, engine: &crate::Engine) -> Result<Figures> {
    let how = ParsevalOptions {
        grain: RelationGrain::Fine,
        bootstrap: 0,
        ..ParsevalOptions::default()
    };
    let pair = Pairing {
        id: id.into(),
        gold: left.clone(),
        predicted: right.clone(),
    };
    let (report, _) = parseval(&[pair], &how, Some(engine.schema()));
    Ok(report.original)
}

/// Where two trees over the same EDUs differ.
fn differences(left: &Tree, right: &Tree) -> Vec<((u32, u32), &'static str)> {
    let (left, right) = (Forest::of_tree(left), Forest::of_tree(right));
    let mut found = Vec::new();
    for knot in left.knots().iter().filter(|knot| knot.link.is_some()) {
        let (own, other) = (left.join_of(knot.span), right.join_of(knot.span));
        let what = match (own, other) {
            (Some(own), Some(other)) if own.roles != other.roles => "roles",
            (Some(own), Some(other)) if own.relation != other.relation => "relation",
            (Some(_), None) => "only-left",
            _ => continue,
        };
        found.push((numbers(knot.span), what));
    }
    for knot in right.knots().iter().filter(|knot| knot.link.is_some()) {
        if left.find(knot.span).is_none() {
            found.push((numbers(knot.span), "only-right"));
        }
    }
    found.sort();
    found
}
