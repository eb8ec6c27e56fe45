//! Writing dis.

use std::fmt::Write;

use super::super::Tree;
use super::super::format::{DEEPEST_INDENT, one_line};
use super::super::node::{Child, Role};
use super::super::rs3::label;

/// The tree with its n-ary nodes.
pub(in super::super) fn write(tree: &Tree) -> String {
    let mut out = String::new();
    let mut open: Vec<usize> = Vec::new();
    let multinuclear = multinuclear_children(tree);
    for (child, depth) in tree.pre_order() {
        close(&mut open, depth, &mut out);
        indent(depth, &mut out);
        let node = tree.node(child.node);
        let span = node.span();
        let role = match child.role {
            _ if depth == 0 => "Root",
            Role::Nucleus => "Nucleus",
            Role::Satellite => "Satellite",
        };
        if node.is_leaf() {
            let _ = write!(out, "( {role} (leaf {}) ", span.first());
            if depth > 0 {
                let _ = write!(out, "(rel2par {}) ", relation(&child, &multinuclear));
            }
            let text = tree.edus.get(span.start as usize).map(|edu| &*edu.text);
            let text = one_line(text.unwrap_or_default()).replace("_!", "_ !");
            let _ = writeln!(out, "(text _!{text}_!) )");
            continue;
        }
        let _ = write!(out, "( {role} (span {} {}) ", span.first(), span.last());
        if depth > 0 {
            let _ = write!(out, "(rel2par {})", relation(&child, &multinuclear));
        }
        out.push('\n');
        open.push(depth);
    }
    close(&mut open, 0, &mut out);
    out
}

/// Closes every bracket at `depth` or deeper.
fn close(open: &mut Vec<usize>, depth: usize, out: &mut String) {
    while let Some(last) = open.pop_if(|last| *last >= depth) {
        indent(last, out);
        out.push_str(")\n");
    }
}

fn indent(depth: usize, out: &mut String) {
    for _ in 0..depth.min(DEEPEST_INDENT) {
        out.push_str("  ");
    }
}

/// By node: whether it is one of several nuclei.
fn multinuclear_children(tree: &Tree) -> Vec<bool> {
    let mut several = vec![false; tree.len()];
    for (id, node) in tree.post_order() {
        if node.is_part() || node.is_leaf() {
            continue;
        }
        let children = tree.children(id);
        if children.iter().filter(|c| c.role == Role::Nucleus).count() > 1 {
            for child in children {
                several[child.node.index()] = true;
            }
        }
    }
    several
}

fn relation(child: &Child, multinuclear: &[bool]) -> String {
    let lone = child.role == Role::Nucleus && !multinuclear[child.node.index()];
    if lone {
        return "span".to_owned();
    }
    let name = label(child.relation.as_ref());
    name.replace(|c: char| c.is_whitespace() || matches!(c, '(' | ')'), "-")
}
