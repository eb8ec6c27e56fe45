//! The elements of an rs3 file, before any structure is made of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::annotation::{DeclaredRelation, SignalType};
use super::super::format::one_line;
use crate::diagnostic::{Code, Diagnostic, Problems};

/// What an element is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An EDU with its text.
    Segment(String),
    /// A nucleus with its satellites.
    Span,
    /// Several nuclei.
    Multinuc,
}

/// A segment or a group.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) id: Arc<str>,
    pub(super) kind: Kind,
    /// The parent's place in the list of elements.
    pub(super) parent: Option<usize>,
    pub(super) relation: Option<Arc<str>>,
    pub(super) at: Range<usize>,
}

/// A signal, its source still by id.
#[derive(Debug)]
pub(super) struct RawSignal {
    pub(super) source: String,
    pub(super) kind: Arc<str>,
    pub(super) subtype: Arc<str>,
    pub(super) tokens: Vec<u32>,
    pub(super) status: Option<Arc<str>>,
    pub(super) at: Range<usize>,
}

/// A secondary edge, its ends still by id.
#[derive(Debug)]
pub(super) struct RawEdge {
    pub(super) id: String,
    pub(super) source: String,
    pub(super) target: String,
    pub(super) relation: Arc<str>,
    pub(super) at: Range<usize>,
}

/// Everything an rs3 or rs4 file says.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) relations: Vec<DeclaredRelation>,
    pub(super) signal_types: Vec<SignalType>,
    pub(super) elements: Vec<Element>,
    pub(super) signals: Vec<RawSignal>,
    pub(super) edges: Vec<RawEdge>,
}

impl File {
    pub(super) fn collect(document: &roxmltree::Document<'_>, problems: &mut Problems) -> File {
        let mut collecting = Collecting {
            problems,
            file: File::default(),
            places: HashMap::new(),
            parents: Vec::new(),
        };
        for node in document.descendants().filter(|node| node.is_element()) {
            collecting.element(node);
        }
        if collecting.file.elements.is_empty() && document.root_element().tag_name().name() != "rst"
        {
            let name = document.root_element().tag_name().name().to_owned();
            let at = document.root_element().range();
            collecting.problems.report(
                Code::R001,
                at.start..at.start + name.len() + 1,
                format!("the outermost element is `{name}`, not `rst`"),
            );
        }
        collecting.link_parents();
        collecting.warn_empty();
        collecting.file
    }
}

struct Collecting<'a> {
    problems: &'a mut Problems,
    file: File,
    /// Ids to places in the list of elements.
    places: HashMap<Arc<str>, usize>,
    /// The parents' ids, and where they are written.
    parents: Vec<Option<(String, Range<usize>)>>,
}

impl Collecting<'_> {
    fn element(&mut self, node: roxmltree::Node<'_, '_>) {
        let at = opening(node);
        let text = |name: &str| -> Arc<str> { node.attribute(name).unwrap_or_default().into() };
        match node.tag_name().name() {
            "rel" => {
                let name = node.attribute("name").map(one_line).unwrap_or_default();
                if !name.is_empty() {
                    self.file.relations.push(DeclaredRelation {
                        name: name.into(),
                        kind: node.attribute("type").map(Into::into),
                    });
                }
            }
            "sig" => self.file.signal_types.push(SignalType {
                name: text("type"),
                subtypes: text("subtypes"),
            }),
            "segment" => {
                let words: String = node.descendants().filter_map(own_text).collect();
                self.push(node, Kind::Segment(one_line(&words)));
            }
            "group" => self.group(node),
            "signal" => self.file.signals.push(RawSignal {
                source: node.attribute("source").unwrap_or_default().to_owned(),
                kind: text("type"),
                subtype: text("subtype"),
                tokens: parse_numbers(node.attribute("tokens").unwrap_or_default()),
                status: node.attribute("status").map(Into::into),
                at,
            }),
            "secedge" => {
                let source = node.attribute("source").unwrap_or_default().to_owned();
                let target = node.attribute("target").unwrap_or_default().to_owned();
                self.file.edges.push(RawEdge {
                    id: match node.attribute("id") {
                        Some(id) => id.to_owned(),
                        None => format!("{source}-{target}"),
                    },
                    source,
                    target,
                    relation: text("relname"),
                    at,
                });
            }
            _ => {}
        }
    }

    fn group(&mut self, node: roxmltree::Node<'_, '_>) {
        let kind = match node.attribute("type") {
            Some("span") => Kind::Span,
            Some("multinuc") => Kind::Multinuc,
            other => {
                let said = match other {
                    Some(word) => format!("the type `{word}`"),
                    None => "no type".to_owned(),
                };
                self.problems.report(
                    Code::R011,
                    opening(node),
                    format!("a group with {said}: read as `span`"),
                );
                Kind::Span
            }
        };
        self.push(node, kind);
    }

    fn push(&mut self, node: roxmltree::Node<'_, '_>, kind: Kind) {
        let at = opening(node);
        let Some(id) = node
            .attribute("id")
            .map(str::trim)
            .filter(|id| !id.is_empty())
        else {
            let what = node.tag_name().name();
            self.problems
                .report(Code::R006, at, format!("a {what} without an id"));
            return;
        };
        let id: Arc<str> = id.into();
        let place = self.file.elements.len();
        if let Some(&first) = self.places.get(&id) {
            let first = self.problems.place(self.file.elements[first].at.clone());
            let problem = Diagnostic::new(Code::R006, format!("the id `{id}` is used twice"))
                .at(self.problems.place(at))
                .related(first, "first used here")
                .help("give every segment and group an id of its own");
            self.problems.push(problem);
            return;
        }
        self.places.insert(Arc::clone(&id), place);
        let parent = node.attribute_node("parent");
        self.parents
            .push(parent.map(|parent| (parent.value().trim().to_owned(), parent.range())));
        let relation = node.attribute("relname").map(one_line);
        self.file.elements.push(Element {
            id,
            kind,
            parent: None,
            relation: relation.filter(|name| !name.is_empty()).map(Into::into),
            at,
        });
    }

    /// One warning, however many there are.
    fn warn_empty(&mut self) {
        let elements = self.file.elements.iter();
        let mut empty = elements
            .filter(|element| matches!(&element.kind, Kind::Segment(text) if text.is_empty()));
        let Some(first) = empty.next() else {
            return;
        };
        let at = first.at.clone();
        let message = match empty.count() {
            0 => format!("segment `{}` has no text", first.id),
            more => format!("segment `{}` and {more} others have no text", first.id),
        };
        self.problems.report(Code::R016, at, message);
    }

    fn link_parents(&mut self) {
        for (place, parent) in std::mem::take(&mut self.parents).into_iter().enumerate() {
            let Some((parent, at)) = parent else {
                continue;
            };
            match self.places.get(parent.as_str()) {
                Some(&found) => self.file.elements[place].parent = Some(found),
                None => {
                    let id = &self.file.elements[place].id;
                    let message = format!(
                        "`{id}` has the parent `{parent}`, which is not there: read as a root"
                    );
                    self.problems.report(Code::R008, at, message);
                }
            }
        }
    }
}

/// The opening tag, for diagnostics: a whole element may be the whole file.
fn opening(node: roxmltree::Node<'_, '_>) -> Range<usize> {
    let range = node.range();
    let text = node.document().input_text().get(range.clone());
    let end = text.and_then(|text| text.find('>'));
    range.start..end.map_or(range.end, |end| range.start + end + 1)
}

fn own_text<'a>(node: roxmltree::Node<'a, '_>) -> Option<&'a str> {
    node.text().filter(|_| node.is_text())
}

/// `3,4,7` as numbers; what is no number is left out.
pub(crate) fn parse_numbers(list: &str) -> Vec<u32> {
    list.split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect()
}
