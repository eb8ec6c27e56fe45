//! What was found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::bank::{Bank, Treebank};
use super::group::{Asked, Group};
use super::hits::{Found, Hit};
use crate::columns::{columns, cut, fill, make_visible, widest};
use crate::diagnostic::plural;
use crate::tree::{NodeId, Tree, UNLABELLED};

/// A node that was found, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HitJson {
    /// The text's id.
    pub id: String,
    /// The file of the tree.
    pub file: String,
    /// The node itself.
    #[serde(flatten)]
    pub node: NodeJson,
    /// Its left child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<NodeJson>,
    /// Its right child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<NodeJson>,
    /// The node above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<NodeJson>,
    /// What it was asked, with the answers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by: BTreeMap<String, String>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeJson {
    /// Its EDUs: `3-5`.
    pub edus: String,
    /// The relation between its children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// Their roles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<&'static str>,
    /// Its symbol, where the tree has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Its text.
    pub text: String,
}

impl NodeJson {
    fn of(tree: &Tree, id: NodeId) -> NodeJson {
        let node = tree.node(id);
        let pair = node.pair();
        let relation = pair.map(|pair| pair.relation.as_deref().unwrap_or(UNLABELLED));
        NodeJson {
            edus: node.span().to_string(),
            relation: relation.map(str::to_owned),
            roles: pair.map(|pair| pair.roles.as_str()),
            symbol: node.symbol.as_deref().map(str::to_owned),
            text: tree.text(id),
        }
    }
}

impl HitJson {
    /// A hit with what it answers.
    pub fn of(bank: &Bank, hit: Hit, asked: &[Asked]) -> HitJson {
        let tree = bank.asked.tree();
        let node = tree.node(hit.node);
        let pair = node.pair();
        let answers = asked
            .iter()
            .map(|asked| (asked.text.clone(), asked.answer(bank, hit)));
        HitJson {
            id: bank.id().to_owned(),
            file: bank.file.display().to_string(),
            node: NodeJson::of(tree, hit.node),
            a: pair.map(|pair| NodeJson::of(tree, pair.left)),
            b: pair.map(|pair| NodeJson::of(tree, pair.right)),
            parent: node.parent().map(|above| NodeJson::of(tree, above)),
            by: answers.collect(),
        }
    }
}

/// How many were found, and the groups with their shares.
pub fn tell_found(bank: &Treebank, found: &Found, asked: &[Asked], groups: &[Group]) -> String {
    let hits = found.hits.len();
    let share = match found.looked_at {
        0 => 0.0,
        all => 100.0 * hits as f64 / all as f64,
    };
    let mut out = format!(
        "{hits} of {} ({share:.1}%), in {} of {}\n",
        plural(found.looked_at, "node"),
        found.texts,
        plural(bank.banks.len(), "text")
    );
    if asked.is_empty() || groups.is_empty() {
        return out;
    }
    let names: Vec<&str> = asked.iter().map(|asked| asked.text.as_str()).collect();
    let rows: Vec<String> = groups
        .iter()
        .map(|group| group.answers.join(", "))
        .collect();
    let head = names.join(", ");
    let width = widest(rows.iter().map(String::as_str).chain([head.as_str()]));
    let _ = writeln!(out, "\n{head}");
    for (row, group) in rows.iter().zip(groups) {
        let share = 100.0 * group.count as f64 / hits.max(1) as f64;
        let row = make_visible(row);
        let _ = writeln!(
            out,
            "  {row}{}  {:>6}  {share:>5.1}%",
            fill(&row, width),
            group.count
        );
    }
    out
}

/// A hit with its children, what stands around it, and the node above it.
pub fn tell_hit(bank: &Bank, hit: Hit, asked: &[Asked], width: usize) -> String {
    let tree = bank.asked.tree();
    let node = tree.node(hit.node);
    let named = |id: NodeId| {
        let node = NodeJson::of(tree, id);
        match (node.relation, node.roles) {
            (Some(relation), Some(roles)) => format!("{relation} {roles}"),
            _ => "EDU".to_owned(),
        }
    };
    let mut out = format!("{} {}  {}", bank.id(), node.span(), named(hit.node));
    if let Some(above) = node.parent() {
        let role = tree.role(hit.node).letter();
        let _ = write!(
            out,
            "  ({role} of {} {})",
            tree.node(above).span(),
            named(above)
        );
    }
    for asked in asked {
        let _ = write!(out, "  {} {}", asked.text, asked.answer(bank, hit));
    }
    out.push('\n');
    let mut line = |name: &str, edus: &str, text: &str| {
        let text = make_visible(text);
        let _ = writeln!(out, "  {name} {edus:<6} {}", cut(&text, width));
    };
    let edu = |at: u32| tree.edus.get(at as usize).map_or("", |edu| &*edu.text);
    let span = node.span();
    if let Some(before) = span.start.checked_sub(1) {
        line("·", &format!("{}", before + 1), edu(before));
    }
    match node.pair() {
        Some(pair) => {
            for (name, id) in [("A", pair.left), ("B", pair.right)] {
                line(name, &tree.node(id).span().to_string(), &tree.text(id));
            }
        }
        None => line("D", &span.to_string(), &tree.text(hit.node)),
    }
    if (span.end as usize) < tree.edus.len() {
        line("·", &format!("{}", span.end + 1), edu(span.end));
    }
    out
}

/// A hit on one line, the border between its children in the middle; of an EDU the EDU itself.
pub fn keyword_line(bank: &Bank, hit: Hit, width: usize) -> String {
    let tree = bank.asked.tree();
    let node = tree.node(hit.node);
    let edus = |from: u32, to: u32| {
        let edus = tree
            .edus
            .get(from as usize..to as usize)
            .unwrap_or_default();
        edus.iter().map(|edu| &*edu.text).collect::<String>()
    };
    let span = node.span();
    let count = u32::try_from(tree.edus.len()).unwrap_or(u32::MAX);
    let (before, mark, after) = match node.pair() {
        Some(pair) => {
            let border = tree.node(pair.right).span().start;
            let mark = format!(" {} ", pair.relation.as_deref().unwrap_or(UNLABELLED));
            (edus(0, border), mark, edus(border, count))
        }
        None => {
            let own = tree.text(hit.node);
            (
                edus(0, span.start),
                format!("【{own}】"),
                edus(span.end, count),
            )
        }
    };
    let side = width.saturating_sub(columns(&mark)) / 2;
    let (before, after) = (make_visible(&before), make_visible(&after));
    let before = last_columns(&before, side);
    let gap = " ".repeat(side.saturating_sub(columns(before)));
    format!(
        "{gap}{before}{mark}{}  {} {span}\n",
        cut(&after, side),
        bank.id()
    )
}

/// The end of a text, as much as fits.
fn last_columns(text: &str, width: usize) -> &str {
    let mut start = text.len();
    for (at, _) in text.char_indices().rev() {
        if text.get(at..).is_none_or(|end| columns(end) > width) {
            break;
        }
        start = at;
    }
    text.get(start..).unwrap_or_default()
}

/// Hits as a table with a head, cells parted by `mark` and quoted where they must be.
pub fn table(bank: &Treebank, hits: &[Hit], asked: &[Asked], mark: char) -> String {
    let mut out = String::new();
    let mut row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell_text(cell, mark)).collect();
        out.push_str(&cells.join(&mark.to_string()));
        out.push('\n');
    };
    let head = [
        "id", "edus", "relation", "roles", "a", "b", "parent", "text_a", "text_b", "file",
    ];
    let mut names: Vec<String> = head.map(str::to_owned).into();
    names.extend(asked.iter().map(|asked| asked.text.clone()));
    row(&names);
    for hit in hits {
        let Some(own) = bank.banks.get(hit.tree) else {
            continue;
        };
        let hit = HitJson::of(own, *hit, asked);
        let child = |node: &Option<NodeJson>| match node {
            Some(node) => (node.edus.clone(), node.text.clone()),
            None => (String::new(), String::new()),
        };
        let (mut a, b) = (child(&hit.a), child(&hit.b));
        if hit.a.is_none() {
            a.1.clone_from(&hit.node.text);
        }
        let parent = hit.parent.as_ref().and_then(|above| above.relation.clone());
        let mut cells = vec![
            hit.id,
            hit.node.edus,
            hit.node.relation.unwrap_or_default(),
            hit.node.roles.unwrap_or_default().to_owned(),
            a.0,
            b.0,
            parent.unwrap_or_default(),
            a.1,
            b.1,
            hit.file,
        ];
        cells.extend(
            asked
                .iter()
                .map(|asked| hit.by.get(&asked.text).cloned().unwrap_or_default()),
        );
        row(&cells);
    }
    out
}

/// A cell: in CSV quoted where it has to be; in TSV without tabs and line ends.
fn cell_text(cell: &str, mark: char) -> String {
    if mark == '\t' {
        return cell.replace(['\t', '\n', '\r'], " ");
    }
    if cell.contains([mark, '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
