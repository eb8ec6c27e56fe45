//! Trees for terminals.

use super::super::Tree;
use super::super::node::{NodeId, Role};
use super::measure::tidy_text;
use super::relation_of;
use crate::columns::{columns, cut, make_visible};
use crate::setters::setters;

/// How a terminal drawing looks.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TextDrawing {
    /// How many columns there are.
    pub width: usize,
    /// Whether to colour.
    pub color: bool,
    /// Whether nodes show their rule and probability.
    pub rules: bool,
}

setters! {
    TextDrawing {
        width: usize,
        color: bool,
        rules: bool,
    }
}

impl Default for TextDrawing {
    fn default() -> TextDrawing {
        TextDrawing {
            width: 100,
            color: false,
            rules: false,
        }
    }
}

const NUCLEUS: &str = "\x1b[1;32m";
const SATELLITE: &str = "\x1b[33m";
const RELATION: &str = "\x1b[36m";
const FAINT: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// A line a node: its role, its relation and span, or its number and text, cut to the width.
pub fn draw_text(tree: &Tree, how: &TextDrawing) -> String {
    let mut out = String::new();
    // Whether the ancestor at each depth still has children to come.
    let mut more: Vec<usize> = Vec::new();
    for (child, depth) in tree.pre_order() {
        more.truncate(depth);
        let last = match more.last_mut() {
            Some(left) => {
                *left -= 1;
                *left == 0
            }
            None => true,
        };
        let mut line = Line::new(how);
        line.branches(&more, last);
        if depth > 0 {
            let (color, letter) = match child.role {
                Role::Nucleus => (NUCLEUS, "N "),
                Role::Satellite => (SATELLITE, "S "),
            };
            line.push(letter, color);
        }
        if tree.node(child.node).is_leaf() {
            line.leaf(tree, child.node)
        } else {
            line.node(tree, child.node)
        }
        out.push_str(line.text.trim_end());
        out.push('\n');
        more.push(tree.children(child.node).len());
    }
    out
}

struct Line<'a> {
    how: &'a TextDrawing,
    text: String,
    used: usize,
}

impl<'a> Line<'a> {
    fn new(how: &'a TextDrawing) -> Line<'a> {
        Line {
            how,
            text: String::new(),
            used: 0,
        }
    }

    fn push(&mut self, text: &str, color: &str) {
        let text = cut(
            &make_visible(text),
            self.how.width.saturating_sub(self.used),
        );
        if text.is_empty() {
            return;
        }
        self.used += columns(&text);
        if self.how.color && !color.is_empty() {
            self.text.push_str(&format!("{color}{text}{PLAIN}"))
        } else {
            self.text.push_str(&text)
        }
    }

    /// The lines from the ancestors; far ones are left out where they would fill half the width.
    fn branches(&mut self, more: &[usize], last: bool) {
        let Some((_, above)) = more.split_last() else {
            return;
        };
        let room = (self.how.width / 4).max(2);
        let hidden = above.len().saturating_sub(room);
        if hidden > 0 {
            self.push("…", FAINT);
        }
        let lines: String = above
            .iter()
            .skip(hidden)
            .map(|left| if *left > 0 { "│ " } else { "  " })
            .collect();
        self.push(&lines, FAINT);
        self.push(if last { "└─" } else { "├─" }, FAINT);
    }

    fn leaf(&mut self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        if let Some(symbol) = &node.symbol {
            self.push(&format!("{symbol}:"), RELATION);
        }
        self.push(&format!("{} ", node.span()), FAINT);
        let edu = tree.edus.get(node.span().start as usize);
        self.push(&edu.map(|edu| tidy_text(&edu.text)).unwrap_or_default(), "");
    }

    fn node(&mut self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        let relation = relation_of(tree, id);
        let name = match (&node.symbol, relation.is_empty()) {
            (Some(symbol), true) => symbol.to_string(),
            (Some(symbol), false) => format!("{symbol}[{relation}]"),
            (None, true) => "·".to_owned(),
            (None, false) => relation,
        };
        self.push(&format!("{name} "), RELATION);
        self.push(&node.span().to_string(), FAINT);
        if node.fallback {
            self.push(" !", SATELLITE);
        }
        if let Some(decision) = node.decision.as_ref().filter(|_| self.how.rules) {
            let said = format!("  {} p {:.2}", decision.rule, decision.probability);
            self.push(&said, FAINT);
        }
    }
}
