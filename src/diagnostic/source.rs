//! Named texts, and places in them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A named text that diagnostics can point into.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: OnceLock<Vec<usize>>,
    /// How many characters stand before each block of [`BLOCK`] bytes.
    characters: OnceLock<Vec<usize>>,
}

/// Columns are counted from the start of a block of so many bytes, so that asking for thousands of
/// places in one long line stays cheap.
const BLOCK: usize = 4096;

impl Source {
    /// Keeps a text under a name (its path, or `<stdin>`).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        Arc::new(Source {
            name: name.into(),
            text: text.into(),
            line_starts: OnceLock::new(),
            characters: OnceLock::new(),
        })
    }

    /// The path or other name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// 1-based line and column (in characters) of a byte offset.
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let byte = floor_char_boundary(&self.text, byte);
        let line = starts.partition_point(|&start| start <= byte).max(1) - 1;
        let start = starts.get(line).copied().unwrap_or(0);
        let column = self.characters_before(byte) - self.characters_before(start);
        (line + 1, column + 1)
    }

    /// How many characters stand before a byte.
    fn characters_before(&self, byte: usize) -> usize {
        let bytes = self.text.as_bytes();
        let blocks = self.characters.get_or_init(|| {
            let mut before = 0;
            let counts = bytes.chunks(BLOCK).map(|block| {
                let own = before;
                before += count_characters(block);
                own
            });
            counts.collect()
        });
        let block = byte / BLOCK;
        let before = blocks.get(block).copied().unwrap_or_default();
        let rest = bytes.get(block * BLOCK..byte).unwrap_or_default();
        before + count_characters(rest)
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0)
                .chain(newlines.map(|at| at + 1))
                .collect()
        })
    }
}

/// A stretch of a source: byte offsets.
#[derive(Debug, Clone)]
pub struct Place {
    source: Arc<Source>,
    range: Range<usize>,
}

impl Place {
    /// A stretch of `source`; clipped to it and to character boundaries.
    pub fn new(source: &Arc<Source>, range: Range<usize>) -> Place {
        let text = source.text();
        let start = floor_char_boundary(text, range.start);
        let end = floor_char_boundary(text, range.end.max(range.start)).max(start);
        Place {
            source: Arc::clone(source),
            range: start..end,
        }
    }

    /// The source it lies in.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The byte range.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The underlined text.
    pub fn text(&self) -> &str {
        self.source
            .text()
            .get(self.range.clone())
            .unwrap_or_default()
    }

    /// 1-based line and column of its start.
    pub fn line_column(&self) -> (usize, usize) {
        self.source.line_column(self.range.start)
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.range == other.range && self.source.name == other.source.name
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = self.line_column();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

/// How many characters begin in a stretch of UTF-8.
fn count_characters(bytes: &[u8]) -> usize {
    const CONTINUES: u8 = 0b1000_0000;
    let begins = |byte: &&u8| **byte & 0b1100_0000 != CONTINUES;
    bytes.iter().filter(begins).count()
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_one() {
        let source = Source::new("a", "一二\n三四五\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column("一".len()), (1, 2));
        assert_eq!(source.line_column("一二\n三".len()), (2, 2));
        assert_eq!(source.line_column(10_000), (3, 1));
    }

    #[test]
    fn columns_of_a_long_line_are_counted_across_blocks() {
        let line = "一a".repeat(3 * BLOCK);
        let source = Source::new("a", format!("头\n{line}\n尾"));
        let start = "头\n".len();
        for pairs in [0, 1, BLOCK / 4, BLOCK / 2 + 1, 3 * BLOCK] {
            assert_eq!(source.line_column(start + 4 * pairs), (2, 2 * pairs + 1));
        }
        assert_eq!(source.line_column(start + line.len() + 1), (3, 1));
    }

    #[test]
    fn a_place_never_cuts_a_character() {
        let source = Source::new("a", "股市");
        let place = Place::new(&source, 1..4);
        assert_eq!(place.text(), "股");
    }
}
