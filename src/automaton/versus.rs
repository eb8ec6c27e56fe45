//! Two grammars over the same texts: which trees change, and how much.

use std::sync::Arc;

use super::cases::{Difference, differences};
use super::{Engine, ParseOptions};
use crate::columns::fill;
use crate::schema::Schema;
use crate::text::Document;
use crate::tree::{self, Figures, Pairing, TextDrawing, Tree, draw_text, parseval};

/// A text as two grammars see it.
#[derive(Debug, Clone)]
pub struct Versus {
    /// The text's id.
    pub id: Arc<str>,
    /// What the old grammar makes; none for a text without EDUs.
    pub old: Option<Tree>,
    /// What the new grammar makes.
    pub new: Option<Tree>,
    /// What should come out, if that is known.
    pub gold: Option<Tree>,
    /// What is different; empty when both make the same tree.
    pub differences: Vec<Difference>,
    /// The grammars divide the text into different EDUs.
    pub other_edus: bool,
}

/// Figures over all texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VersusFigures {
    /// The new trees against the old ones.
    pub between: Figures,
    /// The old trees against the gold ones.
    pub old: Option<Figures>,
    /// The new trees against the gold ones.
    pub new: Option<Figures>,
}

impl Versus {
    /// Parses a document with both.
    pub fn new(
        document: &Document,
        old: &Engine,
        new: &Engine,
        gold: Option<Tree>,
        options: &ParseOptions,
    ) -> Versus {
        let before = old.parse_with(document, options).into_tree();
        let after = new.parse_with(document, options).into_tree();
        let edus = |tree: &Tree| -> Vec<Arc<str>> {
            tree.edus.iter().map(|edu| Arc::clone(&edu.text)).collect()
        };
        let other_edus = before.as_ref().map(edus) != after.as_ref().map(edus);
        let differences = match (&before, &after) {
            (Some(before), Some(after)) if !other_edus => shape(before, after),
            _ => Vec::new(),
        };
        Versus {
            id: document.id.as_str().into(),
            old: before,
            new: after,
            gold,
            differences,
            other_edus,
        }
    }

    /// True when the grammars make different trees.
    pub fn is_changed(&self) -> bool {
        self.other_edus || !self.differences.is_empty()
    }

    /// Both trees side by side, `|` between them where a line differs.
    pub fn draw_side_by_side(&self, width: usize) -> String {
        let column = (width.saturating_sub(3) / 2).max(20);
        let how = TextDrawing {
            width: column,
            ..TextDrawing::default()
        };
        let drawn = |tree: &Option<Tree>| tree.as_ref().map(|tree| draw_text(tree, &how));
        let (old, new) = (drawn(&self.old), drawn(&self.new));
        let old: Vec<&str> = old.iter().flat_map(|text| text.lines()).collect();
        let new: Vec<&str> = new.iter().flat_map(|text| text.lines()).collect();
        let mut out = String::new();
        for at in 0..old.len().max(new.len()) {
            let left = old.get(at).copied().unwrap_or_default();
            let right = new.get(at).copied().unwrap_or_default();
            let mark = if left == right { " " } else { "|" };
            let gap = fill(left, column);
            let line = format!("{left}{gap} {mark} {right}");
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// What differs in shape, roles and relations; symbols and attributes follow from them.
fn shape(before: &Tree, after: &Tree) -> Vec<Difference> {
    let mut bare = before.clone();
    let ids: Vec<_> = bare.post_order().map(|(id, _)| id).collect();
    for id in ids {
        let node = bare.node_mut(id);
        node.symbol = None;
        node.attributes = Default::default();
    }
    differences(&bare, after)
}

/// Parseval between the two, and of each against gold where some texts have it.
pub fn score_versus(
    texts: &[Versus],
    options: &tree::ParsevalOptions,
    schema: &Schema,
) -> VersusFigures {
    let between = texts
        .iter()
        .filter_map(|text| pairing(text, &text.old, &text.new));
    let old = texts
        .iter()
        .filter_map(|text| pairing(text, &text.gold, &text.old));
    let new = texts
        .iter()
        .filter_map(|text| pairing(text, &text.gold, &text.new));
    let figures = |pairs: Vec<Pairing>| {
        let (report, _) = parseval(&pairs, options, Some(schema));
        (!report.documents.is_empty()).then_some(report.original)
    };
    VersusFigures {
        between: figures(between.collect()).unwrap_or_default(),
        old: figures(old.collect()),
        new: figures(new.collect()),
    }
}

fn pairing(text: &Versus, gold: &Option<Tree>, predicted: &Option<Tree>) -> Option<Pairing> {
    Some(Pairing {
        id: Arc::clone(&text.id),
        gold: gold.clone()?,
        predicted: predicted.clone()?,
    })
}
