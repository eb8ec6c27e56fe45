//! Writing rs3 and rs4: one element a line, as rstWeb's own tools expect.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use super::super::annotation::{DeclaredRelation, SignalSource, SignalType};
use super::super::format::{escape_xml, one_line};
use super::super::node::{Child, NodeId, Role};
use super::super::{Tree, UNLABELLED};

/// The tree as rs3, or with signals and secondary edges as rs4.
pub(in super::super) fn write(tree: &Tree, with_signals: bool) -> String {
    let tree = &tree.clone().unmix();
    let mut elements = Elements::of(tree);
    elements.link(tree);
    elements.name(tree);
    let mut out = String::from("<rst>\n\t<header>\n\t\t<relations>\n");
    for relation in header(tree) {
        let _ = match &relation.kind {
            Some(kind) => writeln!(
                out,
                "\t\t\t<rel name=\"{}\" type=\"{}\"/>",
                escape_xml(&relation.name),
                escape_xml(kind)
            ),
            None => writeln!(out, "\t\t\t<rel name=\"{}\"/>", escape_xml(&relation.name)),
        };
    }
    out.push_str("\t\t</relations>\n");
    if with_signals {
        write_signal_types(tree, &mut out);
    }
    out.push_str("\t</header>\n\t<body>\n");
    elements.write(tree, &mut out);
    if with_signals {
        write_annotations(tree, &elements, &mut out);
    }
    out.push_str("\t</body>\n</rst>\n");
    out
}

/// The relation as formats write it; `span` is taken, and marks nuclei.
pub(in super::super) fn label(relation: Option<&Arc<str>>) -> &str {
    match relation.map(|name| &**name) {
        None | Some("" | "span") => UNLABELLED,
        Some(name) => name,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Segment,
    Span,
    Multinuc,
}

struct Element {
    kind: Kind,
    id: String,
    parent: Option<usize>,
    relation: Arc<str>,
}

/// The elements: one for every constituent, by node, then groups that only rs3 needs.
struct Elements {
    list: Vec<Option<Element>>,
}

impl Elements {
    fn of(tree: &Tree) -> Elements {
        let element = |kind| Element {
            kind,
            id: String::new(),
            parent: None,
            relation: "span".into(),
        };
        let list = tree.post_order().map(|(id, node)| match node.pair() {
            _ if node.is_part() => None,
            None => Some(element(Kind::Segment)),
            Some(_) => {
                let nuclei = tree.children(id).into_iter();
                let nuclei = nuclei.filter(|c| c.role == Role::Nucleus).count();
                Some(element(if nuclei > 1 {
                    Kind::Multinuc
                } else {
                    Kind::Span
                }))
            }
        });
        Elements {
            list: list.collect(),
        }
    }

    /// Says whose child everything is.
    fn link(&mut self, tree: &Tree) {
        let multinuclear = multinuclear_names(tree);
        for (id, node) in tree.post_order() {
            if node.is_part() || node.is_leaf() {
                continue;
            }
            let children = tree.children(id);
            let is_multinuc = self.kind(id.index()) == Some(Kind::Multinuc);
            let nucleus = children.iter().find(|child| child.role == Role::Nucleus);
            let mut target = nucleus.map_or(id.index(), |child| child.node.index());
            if !is_multinuc {
                // A satellite whose relation may also be multi-nuclear would be read as one more
                // nucleus of a multinuc group, so a span group stands between.
                let mistaken = |child: &Child| {
                    child.role == Role::Satellite
                        && multinuclear.contains(label(child.relation.as_ref()))
                };
                if self.kind(target) == Some(Kind::Multinuc) && children.iter().any(mistaken) {
                    let between = self.list.len();
                    self.list.push(Some(Element {
                        kind: Kind::Span,
                        id: String::new(),
                        parent: Some(id.index()),
                        relation: "span".into(),
                    }));
                    self.set(target, between, "span");
                    target = between;
                } else {
                    self.set(target, id.index(), "span");
                }
            }
            for child in &children {
                let name = label(child.relation.as_ref());
                match child.role {
                    Role::Nucleus if is_multinuc => self.set(child.node.index(), id.index(), name),
                    Role::Nucleus => {}
                    Role::Satellite => self.set(child.node.index(), target, name),
                }
            }
        }
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.list.get(at)?.as_ref().map(|element| element.kind)
    }

    fn set(&mut self, at: usize, parent: usize, relation: &str) {
        if let Some(Some(element)) = self.list.get_mut(at) {
            element.parent = Some(parent);
            element.relation = relation.into();
        }
    }

    /// Keeps ids that files gave; new ones go up from the leaves in text order. Groups that only rs3
    /// needs come last: read again they are gone, and must not leave gaps.
    fn name(&mut self, tree: &Tree) {
        let mut used: HashSet<String> = HashSet::new();
        for (id, node) in tree.post_order() {
            let (Some(name), Some(element)) = (&node.name, &mut self.list[id.index()]) else {
                continue;
            };
            let name = one_line(name);
            if !name.is_empty() && used.insert(name.clone()) {
                element.id = name;
            }
        }
        let numbers = used.iter().filter_map(|name| name.parse::<u64>().ok());
        let mut last = numbers.max().unwrap_or(0);
        let mut give = |element: &mut Option<Element>| match element {
            Some(element) if element.id.is_empty() => {
                last += 1;
                element.id = last.to_string();
            }
            _ => {}
        };
        for (leaf, _) in tree.leaves() {
            give(&mut self.list[leaf.index()]);
        }
        let mut seen = vec![false; self.list.len()];
        let mut upwards = Vec::with_capacity(self.list.len());
        for (leaf, _) in tree.leaves() {
            let mut at = Some(leaf.index());
            while let Some(here) = at.filter(|&here| !std::mem::replace(&mut seen[here], true)) {
                upwards.push(here);
                at = self.list[here].as_ref().and_then(|element| element.parent);
            }
        }
        let constituents = tree.post_order().count();
        let (own, between): (Vec<usize>, Vec<usize>) =
            upwards.into_iter().partition(|at| *at < constituents);
        for at in own.into_iter().chain(between) {
            give(&mut self.list[at]);
        }
    }

    fn id(&self, at: usize) -> &str {
        let element = self.list.get(at).and_then(Option::as_ref);
        element.map_or("", |element| element.id.as_str())
    }

    /// Segments in text order, then groups by number.
    fn write(&self, tree: &Tree, out: &mut String) {
        let placed = |element: &Element| match element.parent {
            Some(parent) => format!(
                " parent=\"{}\" relname=\"{}\"",
                escape_xml(self.id(parent)),
                escape_xml(&element.relation)
            ),
            None => String::new(),
        };
        for ((leaf, _), edu) in tree.leaves().zip(&tree.edus) {
            if let Some(element) = &self.list[leaf.index()] {
                let _ = writeln!(
                    out,
                    "\t\t<segment id=\"{}\"{}>{}</segment>",
                    escape_xml(&element.id),
                    placed(element),
                    text_between_tags(&edu.text)
                );
            }
        }
        let groups = self.list.iter().flatten();
        let mut groups: Vec<&Element> = groups.filter(|e| e.kind != Kind::Segment).collect();
        groups.sort_by_key(|element| element.id.parse::<u64>().unwrap_or(u64::MAX));
        for element in groups {
            let kind = match element.kind {
                Kind::Multinuc => "multinuc",
                Kind::Span | Kind::Segment => "span",
            };
            let _ = writeln!(
                out,
                "\t\t<group id=\"{}\" type=\"{kind}\"{}/>",
                escape_xml(&element.id),
                placed(element)
            );
        }
    }
}

/// Names that stand, or may stand, on several nuclei.
fn multinuclear_names(tree: &Tree) -> HashSet<String> {
    let declared = tree.annotations.relations.iter();
    let declared = declared.filter(|relation| relation.kind.as_deref() != Some("rst"));
    let used = used_relations(tree)
        .into_iter()
        .filter(|(_, kind)| *kind == "multinuc");
    let used = used.map(|(name, _)| name);
    declared.map(|r| r.name.to_string()).chain(used).collect()
}

fn used_relations(tree: &Tree) -> BTreeSet<(String, &'static str)> {
    let mut used = BTreeSet::new();
    for (id, node) in tree.post_order() {
        if node.is_part() || node.is_leaf() {
            continue;
        }
        let children = tree.children(id);
        let nuclei = children.iter().filter(|c| c.role == Role::Nucleus).count();
        for child in &children {
            let name = || one_line(label(child.relation.as_ref()));
            match child.role {
                Role::Nucleus if nuclei > 1 => used.insert((name(), "multinuc")),
                Role::Nucleus => false,
                Role::Satellite => used.insert((name(), "rst")),
            };
        }
    }
    used
}

/// The declared relations in their order, then those that are used and not declared.
fn header(tree: &Tree) -> Vec<DeclaredRelation> {
    let mut relations = tree.annotations.relations.clone();
    for (name, kind) in used_relations(tree) {
        let known = |relation: &DeclaredRelation| {
            *relation.name == *name && relation.kind.as_deref().is_none_or(|known| known == kind)
        };
        if !relations.iter().any(known) {
            relations.push(DeclaredRelation {
                name: name.into(),
                kind: Some(kind.into()),
            });
        }
    }
    relations
}

fn write_signal_types(tree: &Tree, out: &mut String) {
    let annotations = &tree.annotations;
    let mut types = annotations.signal_types.clone();
    if types.is_empty() {
        let used = annotations.signals.iter();
        let used: BTreeSet<_> = used.map(|signal| (&signal.kind, &signal.subtype)).collect();
        for (kind, subtype) in used {
            match types.last_mut() {
                Some(last) if last.name == *kind => {
                    last.subtypes = format!("{};{subtype}", last.subtypes).into();
                }
                _ => types.push(SignalType {
                    name: Arc::clone(kind),
                    subtypes: Arc::clone(subtype),
                }),
            }
        }
    }
    if types.is_empty() {
        return;
    }
    out.push_str("\t\t<sigtypes>\n");
    for kind in types {
        let _ = writeln!(
            out,
            "\t\t\t<sig type=\"{}\" subtypes=\"{}\"/>",
            escape_xml(&kind.name),
            escape_xml(&kind.subtypes)
        );
    }
    out.push_str("\t\t</sigtypes>\n");
}

fn write_annotations(tree: &Tree, elements: &Elements, out: &mut String) {
    let annotations = &tree.annotations;
    let id = |node: NodeId| elements.id(node.index());
    let edges: Vec<String> = annotations
        .secondary_edges
        .iter()
        .map(|edge| format!("{}-{}", id(edge.source), id(edge.target)))
        .collect();
    if !edges.is_empty() {
        out.push_str("\t\t<secedges>\n");
        for (edge, name) in annotations.secondary_edges.iter().zip(&edges) {
            let _ = writeln!(
                out,
                "\t\t\t<secedge id=\"{}\" source=\"{}\" target=\"{}\" relname=\"{}\"/>",
                escape_xml(name),
                escape_xml(id(edge.source)),
                escape_xml(id(edge.target)),
                escape_xml(&edge.relation)
            );
        }
        out.push_str("\t\t</secedges>\n");
    }
    if annotations.signals.is_empty() {
        return;
    }
    out.push_str("\t\t<signals>\n");
    for signal in &annotations.signals {
        let source = match signal.source {
            SignalSource::Node(node) => id(node),
            SignalSource::Secondary(at) => edges.get(at).map_or("", String::as_str),
        };
        let tokens: Vec<String> = signal.tokens.iter().map(u32::to_string).collect();
        let _ = write!(
            out,
            "\t\t\t<signal source=\"{}\" type=\"{}\" subtype=\"{}\" tokens=\"{}\"",
            escape_xml(source),
            escape_xml(&signal.kind),
            escape_xml(&signal.subtype),
            tokens.join(",")
        );
        if let Some(status) = &signal.status {
            let _ = write!(out, " status=\"{}\"", escape_xml(status));
        }
        out.push_str("/>\n");
    }
    out.push_str("\t\t</signals>\n");
}

/// Quotes need no escape between tags, and treebanks do not escape them there.
fn text_between_tags(text: &str) -> String {
    escape_xml(&one_line(text)).replace("&quot;", "\"")
}
