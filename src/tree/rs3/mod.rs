//! rs3 and rs4: the XML of RSTTool and rstWeb.
//!
//! A satellite's parent is its nucleus; a nucleus with satellites stands under a `span` group; the
//! nuclei of a multi-nuclear node stand under a `multinuc` group. So every constituent of our tree
//! is one element: a leaf is a segment, a node with one nucleus a `span` group, a node with
//! several a `multinuc` group.

mod element;
mod structure;
mod write;

use std::sync::Arc;

use super::format::Read;
use crate::diagnostic::{Code, Diagnostic, Place, Problems, Source};

pub(super) use write::{label, write};

/// Reads one tree.
pub(super) fn read(source: &Arc<Source>) -> Read {
    let document = match roxmltree::Document::parse(source.text()) {
        Ok(document) => document,
        Err(error) => {
            return Read {
                trees: Vec::new(),
                diagnostics: vec![syntax_problem(source, &error)],
            };
        }
    };
    let mut problems = Problems::new(source);
    let file = element::File::collect(&document, &mut problems);
    let tree = if problems.any_error() {
        None
    } else {
        structure::build(file, &mut problems)
    };
    Read {
        trees: tree.into_iter().collect(),
        diagnostics: problems.into_vec(),
    }
}

fn syntax_problem(source: &Arc<Source>, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let line = usize::try_from(at.row).unwrap_or(1).saturating_sub(1);
    let column = usize::try_from(at.col).unwrap_or(1).saturating_sub(1);
    let start: usize = source
        .text()
        .split_inclusive('\n')
        .take(line)
        .map(str::len)
        .sum();
    let rest = source.text().get(start..).unwrap_or_default();
    let into: usize = rest.chars().take(column).map(char::len_utf8).sum();
    let place = Place::new(source, start + into..start + into + 1);
    if matches!(error, roxmltree::Error::DtdDetected) {
        return Diagnostic::new(
            Code::R001,
            "the file declares a document type, and entities of its own are not read",
        )
        .at(place)
        .help("delete the `<!DOCTYPE ...>` declaration");
    }
    let is_end = source.text().trim_end().len() <= start + into + 1;
    let is_cut = matches!(
        error,
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream
    );
    if is_cut || (is_end && !source.text().trim_end().ends_with('>')) {
        let end = source.text().trim_end().len();
        let last = source
            .text()
            .get(..end)
            .and_then(|text| text.chars().next_back());
        let place = Place::new(source, end - last.map_or(0, char::len_utf8)..end);
        return Diagnostic::new(
            Code::R001,
            "the file is cut off: its last elements are not closed",
        )
        .at(place)
        .help("copy or download it again");
    }
    if matches!(
        error,
        roxmltree::Error::MalformedEntityReference(_)
            | roxmltree::Error::UnknownEntityReference(..)
    ) {
        return Diagnostic::new(Code::R001, "not valid XML: a bare `&`")
            .at(place)
            .help("write `&amp;` for `&`");
    }
    let message = error.to_string();
    let message = message.split(" at ").next().unwrap_or(&message);
    Diagnostic::new(Code::R001, format!("not valid XML: {message}")).at(place)
}
