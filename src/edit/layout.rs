//! Laying out what is being written: a whole file, a part of it, what was just typed.

use std::ops::Range;
use std::path::Path;

use similar::{DiffTag, TextDiff};

use super::jump::Edit;
use super::scan::{TokenKind, tokens};
use super::workspace::{FileKind, Workspace};
use crate::diagnostic::{Source, half_width};
use crate::files::sources::normalize;
use crate::grammar::{format, statement_spans};

impl Workspace {
    /// What to change so that a grammar file is laid out canonically. A statement that cannot be read keeps
    /// its layout, and no other from being laid out.
    pub fn format(&mut self, path: &Path) -> Vec<Edit> {
        let Some(source) = self.grammar_text(path) else {
            return Vec::new();
        };
        let text = source.text();
        match format(&source) {
            Ok(formatted) => line_edits(path, text, &formatted),
            Err(_) => self.format_range(path, 0..text.len()),
        }
    }

    /// What to change so that the statements that a stretch touches are laid out canonically.
    pub fn format_range(&mut self, path: &Path, range: Range<usize>) -> Vec<Edit> {
        let Some(source) = self.grammar_text(path) else {
            return Vec::new();
        };
        let text = source.text();
        let untouched = switched_off(text);
        let touched = statement_spans(text).into_iter().filter(|span| {
            let inside = |off: &Range<usize>| off.start <= span.start && span.start < off.end;
            span.start <= range.end && range.start <= span.end && !untouched.iter().any(inside)
        });
        let edits = touched.filter_map(|span| format_lines(path, text, span));
        edits.collect()
    }

    /// What to change after a letter was typed that ends at a byte: after a line end the statement above is
    /// laid out, and a full-width mark becomes the plain one that the language knows.
    pub fn format_typed(&mut self, path: &Path, at: usize, typed: &str) -> Vec<Edit> {
        let Some(source) = self.grammar_text(path) else {
            return Vec::new();
        };
        let text = source.text();
        let letter = typed.chars().next_back();
        if letter == Some('\n') {
            let before = text.get(..at).unwrap_or_default().trim_end().len();
            let above = statement_spans(text).into_iter();
            let mut above = above.filter(|span| span.end == before);
            let edit = above.next().and_then(|span| format_lines(path, text, span));
            return edit.into_iter().collect();
        }
        let Some((wide, plain)) = letter.and_then(|wide| Some((wide, half_width(wide)?))) else {
            return Vec::new();
        };
        let start = at.saturating_sub(wide.len_utf8());
        let is_there = text
            .get(start..at)
            .is_some_and(|there| there.starts_with(wide));
        let is_prose = |kind| matches!(kind, TokenKind::Text | TokenKind::Comment | TokenKind::Doc);
        let in_prose = tokens(text)
            .iter()
            .any(|token| is_prose(token.kind) && token.start <= start && start < token.end);
        if !is_there || in_prose {
            return Vec::new();
        }
        vec![Edit::new(&normalize(path), start..at, plain)]
    }

    fn grammar_text(&mut self, path: &Path) -> Option<std::sync::Arc<Source>> {
        if FileKind::of(path) != FileKind::Grammar {
            return None;
        }
        self.text(path)
    }
}

/// The stretches between `# fmt: off` and `# fmt: on`.
fn switched_off(text: &str) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut off: Option<usize> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        match line.trim().trim_start_matches('#').trim() {
            "fmt: off" if line.trim().starts_with('#') => off = off.or(Some(start)),
            "fmt: on" if line.trim().starts_with('#') => {
                stretches.extend(off.take().map(|off| off..start));
            }
            _ => {}
        }
        start += line.len();
    }
    stretches.extend(off.map(|off| off..text.len()));
    stretches
}

/// The lines of a statement laid out; nothing where they are already, or where it cannot be read.
fn format_lines(path: &Path, text: &str, span: Range<usize>) -> Option<Edit> {
    let start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(span.end..)?;
    let end = span.end + rest.find('\n').unwrap_or(rest.len());
    let written = text.get(start..end)?;
    let formatted = format(&Source::new("statement", written)).ok()?;
    let formatted = formatted.trim_end_matches('\n');
    let written = written.trim_end_matches('\r');
    (formatted != written)
        .then(|| Edit::new(&normalize(path), start..start + written.len(), formatted))
}

/// The lines that differ, as edits.
fn line_edits(path: &Path, old: &str, new: &str) -> Vec<Edit> {
    let diff = TextDiff::from_lines(old, new);
    let starts = |text: &str| -> Vec<usize> {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let start = at;
            at += line.len();
            start
        });
        let mut starts: Vec<usize> = lines.collect();
        starts.push(text.len());
        starts
    };
    let (old_starts, new_starts) = (starts(old), starts(new));
    let stretch = |starts: &[usize], lines: Range<usize>, length: usize| {
        let at = |line: usize| starts.get(line).copied().unwrap_or(length);
        at(lines.start)..at(lines.end)
    };
    let path = normalize(path);
    let changes = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let edits = changes.map(|op| {
        let from = stretch(&old_starts, op.old_range(), old.len());
        let to = stretch(&new_starts, op.new_range(), new.len());
        Edit::new(&path, from, new.get(to).unwrap_or_default())
    });
    edits.collect()
}
