//! Cases as files have them.

use super::compare::strip_like;
use crate::text::Document;
use crate::tree::{Format, Tree, WriteOptions, write};

/// A document whose EDUs are known, and the tree that is expected of it, as a case.
pub fn write_case(name: &str, document: &Document, tree: &Tree) -> String {
    let mut out = format!("===\n{name}\n");
    if let Some(date) = document.date {
        out.push_str(&format!(":date {date}\n"));
    }
    out.push_str("===\n");
    let mut open: Option<usize> = None;
    for (block, range) in document.edus() {
        if open.is_some_and(|open| open != block) {
            out.push('\n');
        }
        open = Some(block);
        let kind = document.blocks.get(block).map(|block| block.kind);
        out.push_str(&kind.map_or_else(String::new, |kind| kind.line_mark()));
        let edu = document.slice(&range);
        out.push_str(&edu.split_whitespace().collect::<Vec<&str>>().join(" "));
        out.push('\n');
    }
    write_expected(&mut out, tree);
    out
}

/// A running text and the tree that is expected of it, as a case.
pub fn write_raw_case(name: &str, document: &Document, tree: &Tree) -> String {
    let mut out = format!("===\n{name}\n:raw\n");
    if let Some(date) = document.date {
        out.push_str(&format!(":date {date}\n"));
    }
    out.push_str("===\n");
    for block in &document.blocks {
        out.push_str(document.block_text(block).trim());
        out.push('\n');
    }
    write_expected(&mut out, tree);
    out
}

fn write_expected(out: &mut String, tree: &Tree) {
    out.push_str("---\n");
    let bare = Tree::flat(vec![Default::default(); tree.edus.len()]);
    let mut tree = bare.map_or_else(|_| tree.clone(), |bare| strip_like(tree.clone(), &bare));
    tree.id = None;
    out.push_str(write(&tree, Format::Sexp, &WriteOptions::default()).trim_end());
    out.push('\n');
}
