//! What stands of a label: EDUs, the trees over them, and what was said beside them.

use std::ops::Range;
use std::sync::Arc;

use super::edit::{Edge, Edit, Remark, Sign};
use super::forest::Forest;
use crate::automaton::{Engine, Text};
use crate::error::{Error, Result};
use crate::text::Document;
use crate::tree::{EduSpan, SecondaryEdge, Signal, SignalSource, Tree};

/// EDUs and the trees over them.
#[derive(Debug, Clone)]
pub(super) struct Stand {
    pub(super) document: Arc<Document>,
    pub(super) text: Arc<Text>,
    pub(super) forest: Forest,
}

impl Stand {
    pub(super) fn new(engine: &Engine, document: Document) -> Stand {
        let text = Arc::new(engine.read(&document));
        Stand {
            forest: Forest::new(text.len()),
            document: Arc::new(document),
            text,
        }
    }

    /// After an edit, or why it cannot be done.
    pub(super) fn edited(&self, edit: &Edit, engine: &Engine) -> Result<Stand> {
        let forest = self.forest.edited(edit)?;
        let (document, text) = match edit.divided(&self.document)? {
            None => (Arc::clone(&self.document), Arc::clone(&self.text)),
            Some(document) => {
                let text = engine.read(&document);
                (Arc::new(document), Arc::new(text))
            }
        };
        if text.len() != forest.edus() {
            let message = format!(
                "the text has {} EDUs, the trees {}",
                text.len(),
                forest.edus()
            );
            return Err(Error::Internal(message));
        }
        Ok(Stand {
            document,
            text,
            forest,
        })
    }
}

/// What was said beside the trees, by stretches of the text: EDUs may be divided otherwise later.
#[derive(Debug, Clone, Default)]
pub(super) struct Remarks {
    answers: Vec<(Range<usize>, bool)>,
    notes: Vec<(Range<usize>, Arc<str>)>,
    signals: Vec<(Range<usize>, Sign)>,
    edges: Vec<(Range<usize>, Range<usize>, Edge)>,
}

/// The stretch of text under some EDUs.
fn stretch(document: &Document, span: EduSpan) -> Result<Range<usize>> {
    let edus: Vec<Range<usize>> = document.edus().map(|(_, range)| range).collect();
    let wrong = || Error::Missing(format!("there are no EDUs {span}"));
    let first = edus.get(span.start as usize).ok_or_else(wrong)?;
    let last = (span.end as usize).checked_sub(1);
    let last = last.and_then(|last| edus.get(last)).ok_or_else(wrong)?;
    if first.start < last.end {
        Ok(first.start..last.end)
    } else {
        Err(wrong())
    }
}

/// The EDUs that make up a stretch of text exactly.
fn span_of(document: &Document, stretch: &Range<usize>) -> Option<EduSpan> {
    let edus: Vec<Range<usize>> = document.edus().map(|(_, range)| range).collect();
    let first = edus.iter().position(|edu| edu.start == stretch.start)?;
    let last = edus.iter().position(|edu| edu.end == stretch.end)?;
    Some(EduSpan {
        start: u32::try_from(first).ok()?,
        end: u32::try_from(last + 1).ok()?,
    })
    .filter(|span| span.start < span.end)
}

impl Remarks {
    /// Takes a remark, which must speak of EDUs that are there.
    pub(super) fn add(&mut self, remark: &Remark, document: &Document) -> Result<()> {
        match remark {
            Remark::Answer { span, together } => {
                let at = stretch(document, *span)?;
                self.answers.retain(|(known, _)| *known != at);
                self.answers.extend(together.map(|together| (at, together)));
            }
            Remark::Note { span, text } => {
                let at = stretch(document, *span)?;
                self.notes.retain(|(known, _)| *known != at);
                if !text.is_empty() {
                    self.notes.push((at, Arc::clone(text)));
                }
            }
            Remark::Signal(sign) => {
                let at = stretch(document, sign.span)?;
                let same = |known: &(Range<usize>, Sign)| {
                    known.0 == at
                        && (&known.1.kind, &known.1.subtype, &known.1.words)
                            == (&sign.kind, &sign.subtype, &sign.words)
                };
                self.signals.retain(|known| !same(known));
                if sign.stands {
                    self.signals.push((at, sign.clone()));
                }
            }
            Remark::Edge(edge) => {
                let (from, to) = (
                    stretch(document, edge.source)?,
                    stretch(document, edge.target)?,
                );
                self.edges.retain(|(source, target, known)| {
                    (source, target, &known.relation) != (&from, &to, &edge.relation)
                });
                if edge.stands {
                    self.edges.push((from, to, edge.clone()));
                }
            }
        }
        Ok(())
    }

    pub(super) fn answers(&self, document: &Document) -> Vec<(EduSpan, bool)> {
        let each = self.answers.iter();
        each.filter_map(|(at, together)| Some((span_of(document, at)?, *together)))
            .collect()
    }

    pub(super) fn notes(&self, document: &Document) -> Vec<(EduSpan, Arc<str>)> {
        let each = self.notes.iter();
        each.filter_map(|(at, text)| Some((span_of(document, at)?, Arc::clone(text))))
            .collect()
    }

    pub(super) fn signals(&self, document: &Document) -> Vec<Sign> {
        let each = self.signals.iter();
        each.filter_map(|(at, sign)| {
            let span = span_of(document, at)?;
            Some(Sign {
                span,
                ..sign.clone()
            })
        })
        .collect()
    }

    pub(super) fn edges(&self, document: &Document) -> Vec<Edge> {
        let each = self.edges.iter();
        each.filter_map(|(from, to, edge)| {
            let (source, target) = (span_of(document, from)?, span_of(document, to)?);
            Some(Edge {
                source,
                target,
                ..edge.clone()
            })
        })
        .collect()
    }

    /// Puts signals and relations beside the tree on its nodes, as far as these are there.
    pub(super) fn annotate(&self, tree: &mut Tree, document: &Document) {
        let place = |tree: &Tree, span: EduSpan| {
            let mut nodes = tree.post_order();
            nodes
                .find(|(_, node)| node.span() == span)
                .map(|(id, _)| id)
        };
        for sign in self.signals(document) {
            if let Some(node) = place(tree, sign.span) {
                let tokens = tokens(tree, sign.span, &sign.words);
                tree.annotations.signals.push(Signal {
                    source: SignalSource::Node(node),
                    kind: sign.kind,
                    subtype: sign.subtype,
                    tokens,
                    status: None,
                });
            }
        }
        for edge in self.edges(document) {
            let ends = place(tree, edge.source).zip(place(tree, edge.target));
            if let Some((source, target)) = ends {
                tree.annotations.secondary_edges.push(SecondaryEdge {
                    source,
                    target,
                    relation: edge.relation,
                });
            }
        }
    }
}

/// The numbers of the words (between spaces) under a node that signal words stand in.
fn tokens(tree: &Tree, span: EduSpan, words: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut number = 0;
    for (at, edu) in tree.edus.iter().enumerate() {
        for word in edu.text.split_whitespace() {
            number += 1;
            let is_said = words.split_whitespace().any(|said| word.contains(said));
            if is_said && span.range().contains(&at) {
                found.push(number);
            }
        }
    }
    found
}

/// The remarks that say of a label what a tree carries beside its nodes.
pub(super) fn remarks_of(tree: &Tree) -> Vec<Remark> {
    let words: Vec<&str> = tree
        .edus
        .iter()
        .flat_map(|edu| edu.text.split_whitespace())
        .collect();
    let mut remarks = Vec::new();
    for edge in &tree.annotations.secondary_edges {
        remarks.push(Remark::Edge(Edge {
            source: tree.node(edge.source).span(),
            target: tree.node(edge.target).span(),
            relation: Arc::clone(&edge.relation),
            stands: true,
        }));
    }
    for signal in &tree.annotations.signals {
        let SignalSource::Node(node) = signal.source else {
            continue;
        };
        let named = signal.tokens.iter();
        let named = named.filter_map(|token| words.get((*token as usize).checked_sub(1)?));
        let said: Vec<&str> = named.copied().collect();
        remarks.push(Remark::Signal(Sign {
            span: tree.node(node).span(),
            kind: Arc::clone(&signal.kind),
            subtype: Arc::clone(&signal.subtype),
            words: said.join(" ").into(),
            stands: true,
        }));
    }
    remarks
}
