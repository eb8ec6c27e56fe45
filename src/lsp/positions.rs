//! Places as editors count them: lines, and columns in UTF-16 or UTF-8.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind, Range as LineRange};

/// How columns are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// Code units of UTF-16: what every client knows.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

impl Encoding {
    /// Bytes where the client can count them.
    pub(super) fn among(offered: Option<&Vec<PositionEncodingKind>>) -> Encoding {
        let has_bytes = offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        if has_bytes {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf8 => PositionEncodingKind::UTF8,
        }
    }

    fn width(self, letter: char) -> usize {
        match self {
            Encoding::Utf16 => letter.len_utf16(),
            Encoding::Utf8 => letter.len_utf8(),
        }
    }

    /// How wide a text is.
    pub(super) fn columns(self, text: &str) -> u32 {
        let width = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        };
        u32::try_from(width).unwrap_or(u32::MAX)
    }
}

/// A text with the places where its lines begin.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        Lines {
            text,
            starts: std::iter::once(0)
                .chain(newlines.map(|at| at + 1))
                .collect(),
            encoding,
        }
    }

    /// The line and column of a byte.
    pub(super) fn position(&self, byte: usize) -> Position {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= byte).max(1) - 1;
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..byte).unwrap_or_default();
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: self.encoding.columns(before),
        }
    }

    /// The byte of a line and column; a column behind the end of its line is that end.
    pub(super) fn byte(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len();
        };
        let end = self
            .starts
            .get(line + 1)
            .copied()
            .unwrap_or(self.text.len());
        let own = self.text.get(start..end).unwrap_or_default();
        let own = own.trim_end_matches('\n').trim_end_matches('\r');
        let wanted = position.character as usize;
        let mut column = 0;
        for (at, letter) in own.char_indices() {
            if column >= wanted {
                return start + at;
            }
            column += self.encoding.width(letter);
            // A column inside a letter is the letter's start.
            if column > wanted {
                return start + at;
            }
        }
        start + own.len()
    }

    pub(super) fn range(&self, bytes: Range<usize>) -> LineRange {
        LineRange {
            start: self.position(bytes.start),
            end: self.position(bytes.end),
        }
    }

    pub(super) fn bytes(&self, range: LineRange) -> Range<usize> {
        let (start, end) = (self.byte(range.start), self.byte(range.end));
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16_or_bytes() {
        let text = "油价\r\n𠮷a跌\n";
        for (encoding, column) in [(Encoding::Utf16, 3), (Encoding::Utf8, 5)] {
            let lines = Lines::new(text, encoding);
            let byte = text.find('跌').unwrap_or_default();
            let position = lines.position(byte);
            assert_eq!((position.line, position.character), (1, column));
            assert_eq!(lines.byte(position), byte);
            let behind = Position::new(0, 99);
            assert_eq!(
                lines.byte(behind),
                "油价".len(),
                "the mark of the line's end stays out"
            );
            assert_eq!(lines.byte(Position::new(99, 0)), text.len());
        }
        // Half of a letter of two units is the letter's start.
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.byte(Position::new(1, 1)), "油价\r\n".len());
    }
}
