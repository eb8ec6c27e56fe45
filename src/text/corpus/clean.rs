//! Cleaning as in the paper's Section 8: very short lines out, extremely long ones ignored.

use super::super::document::{Block, BlockKind, Document};
use super::SkipReason;

/// What is cleaned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cleaning {
    /// Lines with fewer characters than this are dropped.
    pub shortest_line: usize,
    /// Lines with more characters than this are dropped.
    pub longest_line: usize,
}

impl Default for Cleaning {
    /// A line of one or two characters says nothing; SogouCA has whole articles on one line, so
    /// only what no article reaches is extremely long.
    fn default() -> Self {
        Cleaning {
            shortest_line: 3,
            longest_line: 20_000,
        }
    }
}

/// A cleaned document and what was dropped from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cleaned {
    /// None when nothing was left.
    pub document: Option<Document>,
    /// How many lines were dropped, by reason.
    pub dropped: Vec<(SkipReason, usize)>,
}

impl Cleaning {
    /// Drops the lines that are too short or too long; headings and items of lists may be short.
    pub fn clean(&self, document: Document) -> Cleaned {
        let verdict = |block: &Block| {
            let characters = document.block_text(block).chars().count();
            let may_be_short = block.kind != BlockKind::Paragraph;
            if characters < self.shortest_line && !may_be_short {
                Some(SkipReason::ShortLine)
            } else if characters > self.longest_line {
                Some(SkipReason::LongLine)
            } else {
                None
            }
        };
        let verdicts: Vec<Option<SkipReason>> = document.blocks.iter().map(verdict).collect();
        let count = |reason| verdicts.iter().filter(|v| **v == Some(reason)).count();
        let dropped: Vec<(SkipReason, usize)> = [SkipReason::ShortLine, SkipReason::LongLine]
            .into_iter()
            .map(|reason| (reason, count(reason)))
            .filter(|(_, times)| *times > 0)
            .collect();
        let kept = verdicts.iter().filter(|verdict| verdict.is_none()).count();
        let document = match kept {
            0 => None,
            _ => Some(keep(document, &verdicts)),
        };
        Cleaned { document, dropped }
    }
}

/// The document with the blocks that no verdict fell on, each on a line of its own.
fn keep(document: Document, verdicts: &[Option<SkipReason>]) -> Document {
    let mut kept = Document {
        id: document.id.clone(),
        title: document.title.clone(),
        date: document.date,
        url: document.url.clone(),
        abstracts: document.abstracts.clone(),
        plain: document.plain,
        ..Document::default()
    };
    for (block, verdict) in document.blocks.iter().zip(verdicts) {
        if verdict.is_some() {
            continue;
        }
        let speaker = block.speaker.clone();
        match &block.edus {
            Some(edus) => {
                let texts = edus.iter().map(|edu| document.slice(edu));
                kept.push_segmented(block.kind, speaker, texts);
            }
            None => kept.push_text(block.kind, speaker, document.block_text(block)),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_and_counts() {
        let long = "长".repeat(20_001);
        let document = Document::from_text("a", format!("图\n央行降息。\n{long}\n市场上涨。"));
        let cleaned = Cleaning::default().clean(document);
        assert_eq!(
            cleaned.dropped,
            [(SkipReason::ShortLine, 1), (SkipReason::LongLine, 1)]
        );
        assert_eq!(
            cleaned.document.map(|d| d.text).as_deref(),
            Some("央行降息。\n市场上涨。")
        );
        let nothing = Cleaning::default().clean(Document::from_text("b", "图"));
        assert_eq!(nothing.document, None);
    }
}
