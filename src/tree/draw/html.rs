//! Trees for browsers. Rows are flat, and folding hides the rows below, so depth has no limit.

use maud::{Markup, html};

use super::super::Tree;
use super::super::node::{Child, NodeId, Role};
use super::measure::tidy_text;
use super::relation_of;
use crate::page::page_with_bar;

/// Deeper rows are not indented further.
const DEEPEST_INDENT: usize = 60;

/// A page with the tree as an outline whose subtrees fold; a node shows its rule, reason,
/// probability and attributes.
pub fn draw_html(tree: &Tree) -> String {
    let title = tree.id.as_deref().unwrap_or("tree");
    let heads = tree.heads();
    let body = html! {
        header {
            h1 { (title) } small { (tree.edus.len()) " EDUs" } "\n"
            button #fold-all { "fold all" } button #unfold-all { "unfold all" }
        } "\n"
        main { "\n"
            @for (child, depth) in tree.pre_order() {
                (row(tree, &child, depth, heads[child.node.index()] as usize)) "\n"
            }
        } "\n"
    };
    page_with_bar(
        title,
        include_str!("page.css"),
        body,
        include_str!("page.js"),
    )
}

fn row(tree: &Tree, child: &Child, depth: usize, head: usize) -> Markup {
    let node = tree.node(child.node);
    let text = tree.edus.get(head).map(|edu| tidy_text(&edu.text));
    let details = details(tree, child.node);
    let role = match child.role {
        _ if depth == 0 => "",
        Role::Nucleus => "N",
        Role::Satellite => "S",
    };
    let is_leaf = node.is_leaf();
    let indent = format!("--depth:{}", depth.min(DEEPEST_INDENT));
    html! {
        div.row.leaf[is_leaf].fallback[node.fallback] data-depth=(depth) style=(indent) {
            @if is_leaf {
                span.fold {}
            } @else {
                button.fold aria-expanded="true" aria-label="fold" { "▾" }
            }
            span class={ "role " (role) } { (role) }
            span.span { (node.span()) }
            @if let Some(symbol) = &node.symbol {
                span.symbol { (symbol) }
            }
            @if !is_leaf {
                span.relation { (relation_of(tree, child.node)) }
            }
            @if !details.is_empty() {
                button.more aria-label="details" { "ⓘ" }
            }
            span class=(if is_leaf { "text" } else { "preview" }) { (text.unwrap_or_default()) }
            @if !details.is_empty() {
                table.details hidden {
                    @for (name, value) in &details {
                        tr { th { (name) } td { (value) } }
                    }
                }
            }
        }
    }
}

/// The rows of a node's table; empty when nothing is known.
fn details(tree: &Tree, id: NodeId) -> Vec<(&str, String)> {
    let node = tree.node(id);
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(decision) = &node.decision {
        rows.push(("rule", decision.rule.to_string()));
        rows.push(("probability", format!("{:.3}", decision.probability)));
        if let Some(reason) = &decision.reason {
            rows.push(("reason", reason.to_string()));
        }
        if let Some((rule, probability)) = &decision.runner_up {
            rows.push(("runner-up", format!("{rule} ({probability:.3})")));
        }
    }
    if node.fallback {
        rows.push(("fallback", "no rule decided".to_owned()));
    }
    for (name, value) in node.attributes.iter() {
        rows.push((name, value.to_string()));
    }
    // An id alone is not worth a table on every row.
    if let Some(name) = node.name.as_ref().filter(|_| !rows.is_empty()) {
        rows.push(("id", name.to_string()));
    }
    rows
}
