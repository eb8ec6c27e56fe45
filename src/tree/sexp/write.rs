//! Writing s-expressions.

use std::sync::Arc;

use super::super::Tree;
use super::super::format::DEEPEST_INDENT;
use super::super::node::{Child, NodeId, Role};
use super::super::value::{Attributes, Value};
use super::lex::{name, quoted};

/// The tree with its n-ary nodes, a child a line; children that are numbers only share a line.
pub(in super::super) fn write(tree: &Tree) -> String {
    let mut out = String::new();
    if let Some(id) = &tree.id {
        out.push_str(&format!("@{}\n", name(id)));
    }
    let mut open: Vec<Open> = Vec::new();
    for (child, depth) in tree.pre_order() {
        while open.pop_if(|last| last.depth >= depth).is_some() {
            out.push(')');
        }
        match open.last() {
            None => {}
            Some(above) if above.on_one_line => out.push(' '),
            Some(_) => {
                out.push('\n');
                out.push_str(&"  ".repeat(depth.min(DEEPEST_INDENT)));
            }
        }
        let node = tree.node(child.node);
        if node.is_leaf() {
            out.push_str(&leaf(tree, child.node));
            continue;
        }
        let children = tree.children(child.node);
        out.push_str(&head(tree, child.node, &children));
        open.push(Open {
            depth,
            on_one_line: children.iter().all(|child| {
                let node = tree.node(child.node);
                let text = tree.edus.get(node.span().start as usize);
                node.is_leaf() && text.is_none_or(|edu| edu.text.is_empty())
            }),
        });
    }
    for _ in open {
        out.push(')');
    }
    out.push('\n');
    out
}

struct Open {
    depth: usize,
    on_one_line: bool,
}

fn leaf(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let mut out = match &node.symbol {
        // A symbol that looks like a number would be read as one.
        Some(symbol) if symbol.parse::<usize>().is_err() => format!("{}:", bare(symbol)),
        _ => String::new(),
    };
    out.push_str(&node.span().first().to_string());
    let text = tree.edus.get(node.span().start as usize);
    if let Some(edu) = text.filter(|edu| !edu.text.is_empty()) {
        out.push(':');
        out.push_str(&quoted(&edu.text));
    }
    if node.fallback {
        out.push('!');
    }
    out + &attributes(&node.attributes)
}

fn head(tree: &Tree, id: NodeId, children: &[Child]) -> String {
    let node = tree.node(id);
    let nuclei = children.iter().filter(|c| c.role == Role::Nucleus).count();
    let carriers = children
        .iter()
        .filter(|child| child.role == Role::Satellite || nuclei > 1);
    let mut names: Vec<String> = carriers
        .map(|child| optional(child.relation.as_ref()))
        .collect();
    if names.windows(2).all(|pair| pair[0] == pair[1]) {
        names.truncate(1);
    }
    let relations = names.join("|");
    let roles: String = children.iter().map(|child| child.role.letter()).collect();
    let mut out = match &node.symbol {
        Some(symbol) => format!("({}[{relations}] {roles}", bare(symbol)),
        None => format!("({relations} {roles}"),
    };
    if node.fallback {
        out.push_str(" !");
    }
    if !node.attributes.is_empty() {
        out.push(' ');
        out.push_str(&attributes(&node.attributes));
    }
    out
}

fn optional(relation: Option<&Arc<str>>) -> String {
    relation.map_or_else(|| "_".to_owned(), |relation| name(relation))
}

/// A symbol stands bare: what it cannot hold is replaced.
fn bare(symbol: &str) -> String {
    if name(symbol).starts_with('"') {
        symbol.replace(|c: char| name(&c.to_string()).starts_with('"'), "-")
    } else {
        symbol.to_owned()
    }
}

fn attributes(attributes: &Attributes) -> String {
    if attributes.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> = attributes
        .iter()
        .map(|(key, value)| format!("{}={}", name(key), print_value(value)))
        .collect();
    format!("{{{}}}", pairs.join(" "))
}

/// A symbol that would be read as something else gets a sign of its own.
fn print_symbol(symbol: &str) -> String {
    let written = name(symbol);
    let taken = matches!(symbol, "true" | "false") || symbol.parse::<f64>().is_ok();
    if taken || written.starts_with('"') {
        format!("={written}")
    } else {
        written
    }
}

fn print_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Symbol(symbol) => print_symbol(symbol),
        Value::Rank(..) => print_symbol(&value.to_string()),
        Value::Text(text) => quoted(text),
        Value::Time(time) => format!("@{}", name(time)),
        Value::Set(names) => {
            let names: Vec<String> = names.iter().map(|symbol| name(symbol)).collect();
            format!("[{}]", names.join(" "))
        }
    }
}
