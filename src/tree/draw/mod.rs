//! Drawings: for terminals, for papers, for browsers.

mod html;
mod measure;
mod svg;
mod text;

pub use html::draw_html;
pub(crate) use measure::tidy_text;
pub use svg::draw_svg;
pub use text::{TextDrawing, draw_text};

use super::Tree;
use super::format::escape_xml;
use super::node::{Child, NodeId, Role};

/// The relations of a node's children in a word: one, or where they differ all, `|` between them.
fn relation_of(tree: &Tree, id: NodeId) -> String {
    let children = tree.children(id);
    let nuclei = children.iter().filter(|c| c.role == Role::Nucleus).count();
    let carries = |child: &&Child| child.role == Role::Satellite || nuclei > 1;
    let carriers = children.iter().filter(carries);
    let mut names: Vec<&str> = carriers.filter_map(|c| c.relation.as_deref()).collect();
    names.dedup();
    names.join("|")
}
