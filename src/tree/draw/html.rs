//! Trees for browsers: one page, nothing loaded from elsewhere. Rows are flat, and folding hides
//! the rows below, so depth has no limit.

use std::fmt::Write;

use super::super::Tree;
use super::super::node::{NodeId, Role};
use super::measure::shown;
use super::{escaped, relation_of};

const PAGE: &str = include_str!("page.html");
/// Deeper rows are not indented further.
const DEEPEST_INDENT: usize = 60;

/// A page with the tree as an outline whose subtrees fold; a node shows its rule, reason,
/// probability and attributes.
pub fn draw_html(tree: &Tree) -> String {
    let title = tree.id.as_deref().unwrap_or("tree");
    let heads = tree.heads();
    let mut rows = String::new();
    for (child, depth) in tree.pre_order() {
        let node = tree.node(child.node);
        let head = heads[child.node.index()] as usize;
        let text = tree.edus.get(head).map(|edu| shown(&edu.text));
        let details = details(tree, child.node);
        let role = match child.role {
            _ if depth == 0 => "",
            Role::Nucleus => "N",
            Role::Satellite => "S",
        };
        let _ = write!(
            rows,
            "<div class=\"row{}{}\" data-depth=\"{depth}\" style=\"--depth:{}\">",
            if node.is_leaf() { " leaf" } else { "" },
            if node.fallback { " fallback" } else { "" },
            depth.min(DEEPEST_INDENT)
        );
        let _ = if node.is_leaf() {
            write!(rows, "<span class=\"fold\"></span>")
        } else {
            write!(
                rows,
                "<button class=\"fold\" aria-expanded=\"true\" aria-label=\"fold\">▾</button>"
            )
        };
        let _ = write!(
            rows,
            "<span class=\"role {role}\">{role}</span><span class=\"span\">{}</span>",
            node.span()
        );
        if let Some(symbol) = &node.symbol {
            let _ = write!(rows, "<span class=\"symbol\">{}</span>", escaped(symbol));
        }
        if !node.is_leaf() {
            let relation = escaped(&relation_of(tree, child.node));
            let _ = write!(rows, "<span class=\"relation\">{relation}</span>");
        }
        if !details.is_empty() {
            rows.push_str("<button class=\"more\" aria-label=\"details\">ⓘ</button>");
        }
        let kind = if node.is_leaf() { "text" } else { "preview" };
        let _ = write!(
            rows,
            "<span class=\"{kind}\">{}</span>",
            escaped(&text.unwrap_or_default())
        );
        if !details.is_empty() {
            let _ = write!(rows, "<table class=\"details\" hidden>{details}</table>");
        }
        rows.push_str("</div>\n");
    }
    PAGE.replace("{{TITLE}}", &escaped(title))
        .replace("{{EDUS}}", &tree.edus.len().to_string())
        .replace("{{ROWS}}", &rows)
}

/// The rows of a node's table; empty when nothing is known.
fn details(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let mut rows = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = write!(
            rows,
            "<tr><th>{}</th><td>{}</td></tr>",
            escaped(name),
            escaped(value)
        );
    };
    if let Some(decision) = &node.decision {
        row("rule", &decision.rule);
        row("probability", &format!("{:.3}", decision.probability));
        if let Some(reason) = &decision.reason {
            row("reason", reason);
        }
        if let Some((rule, probability)) = &decision.runner_up {
            row("runner-up", &format!("{rule} ({probability:.3})"));
        }
    }
    if node.fallback {
        row("fallback", "no rule decided");
    }
    for (name, value) in node.attributes.iter() {
        row(name, &value.to_string());
    }
    // An id alone is not worth a table on every row.
    if let Some(name) = node.name.as_ref().filter(|_| !rows.is_empty()) {
        let _ = write!(rows, "<tr><th>id</th><td>{}</td></tr>", escaped(name));
    }
    rows
}
