//! Which labels are taken for which.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::gold::{ParsedGold, Treebank};
use crate::named::named_enum;
use crate::tree::{EduSpan, Tree};

named_enum! {
    /// What is wrong with a node.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ConfusionKind {
        /// The gold tree has a node, and the found one has none.
        Span = "span",
        /// Another relation.
        Relation = "relation",
        /// The same relation with other roles.
        Roles = "roles",
    }
}

impl Serialize for ConfusionKind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// Nodes that should be one thing and are another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// What kind of mistake it is.
    pub kind: ConfusionKind,
    /// What the gold trees have.
    pub gold: String,
    /// What was found there; none where there is no such node.
    pub found: Option<String>,
    /// The nodes.
    pub nodes: Vec<WrongNode>,
}

/// A node that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrongNode {
    /// The text.
    pub id: String,
    /// The EDUs: `3-5`.
    pub edus: String,
    /// The command that explains it.
    pub explain: String,
    /// The command that proposes rules for it.
    pub fix: String,
}

type Label = (String, &'static str);

/// All wrong nodes by what they are taken for, the most frequent first.
pub(super) fn confusions(bank: &Treebank) -> Vec<Confusion> {
    let mut all: BTreeMap<(ConfusionKind, String, Option<String>), Vec<WrongNode>> =
        BTreeMap::new();
    for text in &bank.texts {
        let found = labels(&text.found);
        for (span, gold) in labels(&text.gold.tree.clone().binary()) {
            let other = found.get(&span);
            let kind = match other {
                None => ConfusionKind::Span,
                Some(other) if *other == gold => continue,
                Some(other) if other.0 == gold.0 => ConfusionKind::Roles,
                Some(_) => ConfusionKind::Relation,
            };
            let key = (kind, shown(&gold), other.map(shown));
            all.entry(key)
                .or_default()
                .push(wrong_node(text, span, &gold, kind));
        }
    }
    let mut all: Vec<Confusion> = all
        .into_iter()
        .map(|((kind, gold, found), nodes)| Confusion {
            kind,
            gold,
            found,
            nodes,
        })
        .collect();
    all.sort_by_key(|confusion| std::cmp::Reverse(confusion.nodes.len()));
    all
}

fn labels(tree: &Tree) -> BTreeMap<EduSpan, Label> {
    let nodes = tree.post_order().filter_map(|(_, node)| {
        let pair = node.pair()?;
        let relation = pair.relation.as_deref().unwrap_or_default().to_owned();
        Some((node.span(), (relation, pair.roles.as_str())))
    });
    nodes.collect()
}

fn shown((relation, roles): &Label) -> String {
    format!("{relation} {roles}")
}

fn wrong_node(text: &ParsedGold, span: EduSpan, gold: &Label, kind: ConfusionKind) -> WrongNode {
    let wanted = shown(gold);
    let ask = match kind {
        ConfusionKind::Span => String::new(),
        _ => format!("--node {span} --rival '{wanted}'"),
    };
    let explain = explain_command(text, &ask);
    WrongNode {
        id: text.id().to_owned(),
        edus: span.to_string(),
        fix: explain_command(text, &format!("--node {span} --to '{wanted}'")).replacen(
            "arsg explain",
            "arsg fix",
            1,
        ),
        explain,
    }
}

/// The command that explains a text: by the case file that it stands in, else by its id in the corpus.
pub(super) fn explain_command(text: &ParsedGold, ask: &str) -> String {
    let id = text.id();
    let id = if id.contains(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))) {
        format!("'{id}'")
    } else {
        id.to_owned()
    };
    let file = if text.gold.is_case {
        format!(" {}", file_of(&text.gold.source))
    } else {
        String::new()
    };
    format!("arsg explain{file} --id {id} {ask}")
        .trim_end()
        .to_owned()
}

/// The file of `cases/a.case:3:1`.
fn file_of(place: &str) -> &str {
    let mut parts = place.rsplitn(3, ':');
    let _ = (parts.next(), parts.next());
    parts.next().unwrap_or(place)
}
