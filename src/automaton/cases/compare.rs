//! How a tree differs from the one that was expected.

use std::collections::BTreeMap;

use similar::{ChangeTag, TextDiff};

use crate::tree::{EduSpan, Node, TextDrawing, Tree, draw_text};

/// Something that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A span that should be a node, and is none.
    Missing(EduSpan),
    /// A span that is a node, and should be none.
    Extra(EduSpan),
    /// Something of a node: what, which one, what was found.
    Other {
        /// The node.
        span: EduSpan,
        /// `relation`, `roles`, `symbol`, or the name of an attribute.
        what: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

/// Everything that is not as expected: shape, roles and relations, symbols and attributes only
/// where the expected tree names them. Both must stand over the same EDUs.
pub fn differences(expected: &Tree, found: &Tree) -> Vec<Difference> {
    let nodes = |tree: &Tree| -> BTreeMap<EduSpan, Node> {
        let all = tree.post_order();
        all.map(|(_, node)| (node.span(), node.clone())).collect()
    };
    let (wanted, made) = (nodes(expected), nodes(found));
    let mut differences = Vec::new();
    for (span, node) in &wanted {
        match made.get(span) {
            None => differences.push(Difference::Missing(*span)),
            Some(other) => compare(*span, node, other, &mut differences),
        }
    }
    let extra = made.keys().filter(|span| !wanted.contains_key(span));
    differences.extend(extra.map(|span| Difference::Extra(*span)));
    differences
}

fn compare(span: EduSpan, wanted: &Node, made: &Node, differences: &mut Vec<Difference>) {
    let mut differ = |what: &str, expected: String, found: String| {
        if expected != found {
            let what = what.to_owned();
            differences.push(Difference::Other {
                span,
                what,
                expected,
                found,
            });
        }
    };
    if let (Some(wanted), Some(made)) = (wanted.pair(), made.pair()) {
        let name = |relation: Option<&std::sync::Arc<str>>| {
            relation.map_or_else(|| "none".to_owned(), |name| name.to_string())
        };
        differ("roles", wanted.roles.to_string(), made.roles.to_string());
        differ(
            "relation",
            name(wanted.relation.as_ref()),
            name(made.relation.as_ref()),
        );
    }
    if let Some(symbol) = &wanted.symbol {
        let found = made.symbol.as_deref().unwrap_or("none");
        differ("symbol", symbol.to_string(), found.to_owned());
    }
    for (name, value) in wanted.attributes.iter() {
        let found = made.attributes.get(name);
        let found = found.map_or_else(|| "unknown".to_owned(), ToString::to_string);
        differ(name, value.to_string(), found);
    }
}

impl Difference {
    /// The same where nobody knows what should be: from an old tree to a new one.
    pub fn as_change(&self) -> String {
        match self {
            Difference::Missing(span) => format!("EDUs {span} are no longer one node"),
            Difference::Extra(span) => format!("EDUs {span} are one node now"),
            Difference::Other {
                span,
                what,
                expected,
                found,
            } => format!("EDUs {span}: {what} was `{expected}`, is `{found}` now"),
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Difference::Missing(span) => write!(f, "EDUs {span} should be one node"),
            Difference::Extra(span) => write!(f, "EDUs {span} should not be one node"),
            Difference::Other {
                span,
                what,
                expected,
                found,
            } => write!(
                f,
                "EDUs {span}: {what} should be `{expected}`, not `{found}`"
            ),
        }
    }
}

/// The expected tree and the one found, drawn into one another: `-` expected, `+` found.
pub(super) fn draw_differences(expected: &Tree, found: &Tree) -> String {
    let how = TextDrawing::default();
    let mut expected = expected.clone().binary();
    expected.edus.clone_from(&found.edus);
    let found = strip_like(found.clone(), &expected);
    let (before, after) = (draw_text(&expected, &how), draw_text(&found, &how));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let mut out = String::new();
    for change in diff.iter_all_changes() {
        out.push_str(match change.tag() {
            ChangeTag::Delete => "- ",
            ChangeTag::Insert => "+ ",
            ChangeTag::Equal => "  ",
        });
        out.push_str(change.value());
    }
    out
}

/// The tree with no more said of its nodes than another one says: symbols, attributes and texts
/// only where that one has some anywhere.
pub(super) fn strip_like(mut tree: Tree, like: &Tree) -> Tree {
    let symbols = like.post_order().any(|(_, node)| node.symbol.is_some());
    let attributes = like
        .post_order()
        .any(|(_, node)| !node.attributes.is_empty());
    let texts = like.edus.iter().any(|edu| !edu.text.is_empty());
    let ids: Vec<_> = tree.post_order().map(|(id, _)| id).collect();
    for id in ids {
        let node = tree.node_mut(id);
        if !symbols {
            node.symbol = None;
        }
        if !attributes {
            node.attributes = Default::default();
        }
    }
    if !texts {
        for edu in &mut tree.edus {
            edu.text = "".into();
        }
    }
    tree
}
