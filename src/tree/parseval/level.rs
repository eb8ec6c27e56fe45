//! Where in a text a node joins: inside a sentence, between sentences, across paragraphs.

use super::super::edus::{Edu, number_sentences};
use super::super::{NodeId, Tree};
use crate::named::named_enum;
use crate::text::Document;

named_enum! {
    /// The level of a node.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Level {
        /// All its EDUs are of one sentence.
        Sentence = "within a sentence",
        /// Several sentences of one paragraph.
        Paragraph = "between sentences",
        /// More than one paragraph.
        Text = "across paragraphs",
    }
}

impl Level {
    /// The level of a node over EDUs that know their sentences.
    pub(super) fn of(tree: &Tree, edus: &[Edu], id: NodeId) -> Level {
        let range = tree.node(id).span().range();
        let inner = edus.get(range).unwrap_or_default();
        match (inner.first(), inner.last()) {
            (Some(a), Some(b)) if a.block != b.block => Level::Text,
            (Some(a), Some(b)) if a.sentence != b.sentence => Level::Paragraph,
            _ => Level::Sentence,
        }
    }
}

impl Tree {
    /// Takes blocks and sentences from a document of the same text, by the characters that EDUs
    /// begin with. False, and nothing changed, when the texts differ.
    pub fn locate(&mut self, document: &Document) -> bool {
        let theirs = Edu::of_document(document);
        let (ours, their_text) = (text_of(&self.edus), text_of(&theirs));
        if ours != their_text {
            return false;
        }
        let ends = ends(&theirs);
        let mut start = 0;
        for edu in &mut self.edus {
            let at = ends.partition_point(|&end| end <= start);
            if let Some(found) = theirs.get(at) {
                edu.block = found.block;
                edu.sentence = found.sentence;
            }
            start += letters(&edu.text).count();
        }
        true
    }
}

/// The EDUs with sentences: as they are where all know theirs, else from their punctuation.
pub(super) fn with_sentences(tree: &Tree) -> Vec<Edu> {
    let mut edus = tree.edus.clone();
    if edus.iter().any(|edu| edu.sentence.is_none()) {
        number_sentences(&mut edus);
    }
    edus
}

/// The characters that count: no white space, and marks that treebanks escape as what they stand for.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    /// What treebanks write for marks that their formats use themselves.
    const ESCAPES: [(&str, char); 11] = [
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&amp;", '&'),
        ("-LSB-", '['),
        ("-RSB-", ']'),
        ("-LRB-", '('),
        ("-RRB-", ')'),
        ("-LCB-", '{'),
        ("-RCB-", '}'),
    ];
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            for (escape, mark) in ESCAPES {
                if let Some(after) = rest.strip_prefix(escape) {
                    rest = after;
                    return Some(mark);
                }
            }
            let mut chars = rest.chars();
            let c = chars.next()?;
            rest = chars.as_str();
            if !c.is_whitespace() {
                return Some(c);
            }
        }
    })
}

pub(super) fn text_of(edus: &[Edu]) -> String {
    edus.iter().flat_map(|edu| letters(&edu.text)).collect()
}

/// Where every EDU ends, in characters that count.
pub(super) fn ends(edus: &[Edu]) -> Vec<usize> {
    let mut end = 0;
    let each = edus.iter().map(|edu| {
        end += letters(&edu.text).count();
        end
    });
    each.collect()
}
