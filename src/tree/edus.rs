//! EDUs, and texts that hold nothing else: one EDU a line.

use std::sync::Arc;

use crate::diagnostic::Source;
use crate::text::{BlockKind, Document};

/// An elementary discourse unit as a tree sees it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Edu {
    /// Its text; empty where a file has numbers only.
    pub text: Arc<str>,
    /// The block (paragraph, heading, item) it stands in, counted from 0.
    pub block: Option<u32>,
    /// The sentence it stands in, counted from 0 over the whole text.
    pub sentence: Option<u32>,
    /// What others say of it (the sixth column of rsd).
    pub features: Option<Arc<str>>,
}

impl Edu {
    /// An EDU of which only the text is known.
    pub fn new(text: impl Into<Arc<str>>) -> Edu {
        Edu {
            text: text.into(),
            ..Edu::default()
        }
    }

    /// The EDUs of a document with their blocks, and sentences where a sentence mark or a block
    /// ends one.
    pub fn of_document(document: &Document) -> Vec<Edu> {
        let edus = document.edus().map(|(block, range)| Edu {
            block: u32::try_from(block).ok(),
            ..Edu::new(document.slice(&range))
        });
        let mut edus: Vec<Edu> = edus.collect();
        number_sentences(&mut edus);
        edus
    }

    /// True when its text ends a sentence, closing quotes and brackets apart.
    pub fn ends_sentence(&self) -> bool {
        let closing = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '”' | '’' | '」' | '』' | '）' | ')' | '"' | '\'' | '】' | '》' | ']'
                )
        };
        let text = self.text.trim_end_matches(closing);
        text.ends_with(['。', '！', '？', '!', '?', '…', '．', '.'])
    }
}

/// Gives every EDU the number of its sentence.
pub(super) fn number_sentences(edus: &mut [Edu]) {
    let mut sentence = 0;
    let mut last: Option<(Option<u32>, bool)> = None;
    for edu in edus {
        if last.is_some_and(|(block, ended)| ended || block != edu.block) {
            sentence += 1;
        }
        edu.sentence = Some(sentence);
        last = Some((edu.block, edu.ends_sentence()));
    }
}

/// Reads EDUs, one a line; a blank line begins a new paragraph.
pub fn read_edus(source: &Source) -> Vec<Edu> {
    let mut edus: Vec<Edu> = Vec::new();
    let mut block = 0;
    let mut blank = false;
    for line in source.text().lines() {
        let line = super::format::one_line(line);
        if line.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
            blank = !edus.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            block += 1;
        }
        let (_, text) = BlockKind::of_line(&line);
        edus.push(Edu {
            block: Some(block),
            ..Edu::new(text)
        });
    }
    number_sentences(&mut edus);
    edus
}

/// One EDU a line, a blank line between paragraphs.
pub(super) fn write_edus(edus: &[Edu]) -> String {
    let mut out = String::new();
    let mut last: Option<&Edu> = None;
    for edu in edus {
        if last.is_some_and(|last| last.block != edu.block) {
            out.push('\n');
        }
        out.push_str(&super::format::one_line(&edu.text));
        out.push('\n');
        last = Some(edu);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs_and_marks_part_sentences() {
        let source = Source::new("a.edus", "因为下雨，\n比赛取消。\n\n\n“改期吧。”\n完\n");
        let edus = read_edus(&source);
        let places: Vec<_> = edus.iter().map(|e| (e.block, e.sentence)).collect();
        assert_eq!(
            places,
            [
                (Some(0), Some(0)),
                (Some(0), Some(0)),
                (Some(1), Some(1)),
                (Some(1), Some(2))
            ]
        );
        assert_eq!(
            write_edus(&edus),
            "因为下雨，\n比赛取消。\n\n“改期吧。”\n完\n"
        );
    }
}
