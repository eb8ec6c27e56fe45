//! What a file holds, as an outline, and what of it can be folded away.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::declared::{Declared, thing_of};
use super::jump::Spot;
use super::scan::TokenKind;
use super::slots::Slot;
use super::workspace::{FileKind, Workspace};
use crate::automaton::cases::read_cases;

/// Something that a file declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outlined {
    /// Its name.
    pub name: String,
    /// What kind of thing it is: `rule`, `table`, `domain relation`, `case`.
    pub kind: &'static str,
    /// Said beside it: what a rule makes.
    pub detail: String,
    /// All of it.
    pub range: Range<usize>,
    /// Its name, or its head.
    pub head: Range<usize>,
}

/// How long a head may be in an outline.
const LONGEST_DETAIL: usize = 60;

impl Workspace {
    /// What a file declares, in order.
    pub fn outline(&mut self, path: &Path) -> Vec<Outlined> {
        match FileKind::of(path) {
            FileKind::Grammar => self.outline_grammar(path),
            FileKind::Schema => self.outline_schema(path),
            FileKind::Cases => {
                let source = self.text(path);
                let cases = source.map_or_else(Vec::new, |source| read_cases(&source).cases);
                let outlined = cases.into_iter().map(|case| Outlined {
                    name: case.name.clone(),
                    kind: "case",
                    detail: String::new(),
                    range: case.place.range(),
                    head: case.place.range(),
                });
                outlined.collect()
            }
        }
    }

    fn outline_grammar(&mut self, path: &Path) -> Vec<Outlined> {
        let (Some(scan), Some(source)) = (self.scan(path), self.text(path)) else {
            return Vec::new();
        };
        let text = source.text();
        let mut outline = Vec::new();
        for statement in &scan.statements {
            let tokens = scan.tokens.get(statement.clone()).unwrap_or_default();
            let slots = scan.slots.get(statement.clone()).unwrap_or_default();
            let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
                continue;
            };
            let keyword = text.get(first.range()).unwrap_or_default();
            let named = tokens
                .iter()
                .zip(slots)
                .find(|(_, slot)| **slot == Slot::RuleName);
            let kind = match keyword {
                "rule" | "prefer" | "boundary" | "no" | "block" => "rule",
                "table" => "table",
                "grammar" | "schema" | "use" | "start" | "decide" | "fallback" => continue,
                _ => "rule",
            };
            let body = match named {
                Some((name, _)) => name.end,
                None => first.start,
            };
            let head = text.get(body..last.end).unwrap_or_default().trim_start();
            let head = head.lines().next().unwrap_or_default();
            let head = head.split("  ").next().unwrap_or_default();
            let short: String = head.chars().take(LONGEST_DETAIL).collect();
            outline.push(Outlined {
                name: match named {
                    Some((name, _)) => text.get(name.range()).unwrap_or_default().to_owned(),
                    None => short.clone(),
                },
                kind,
                detail: if named.is_some() {
                    short
                } else {
                    String::new()
                },
                range: first.start..last.end,
                head: named.map_or(first.range(), |(name, _)| name.range()),
            });
        }
        outline
    }

    fn outline_schema(&mut self, path: &Path) -> Vec<Outlined> {
        let Some(source) = self.text(path) else {
            return Vec::new();
        };
        let text = source.text();
        let declared = Declared::of(text);
        let entries = declared.entries.iter();
        let line = |at: usize| {
            text.get(..at)
                .and_then(|t| t.rfind('\n'))
                .map_or(0, |at| at + 1)
        };
        let next = declared
            .entries
            .iter()
            .skip(1)
            .map(|entry| line(entry.range.start));
        let ends = next.chain([text.len()]);
        let outlined = entries.zip(ends).map(|(entry, end)| {
            let start = line(entry.range.start);
            let own = text.get(start..end.max(start)).unwrap_or_default();
            // The comments before the next heading belong to that.
            let kept: usize = own.find("\n\n").unwrap_or(own.trim_end().len());
            Outlined {
                name: entry.name.clone(),
                kind: thing_of(&entry.section, "").map_or("", |thing| thing.noun()),
                detail: entry.section.clone(),
                range: start..(start + kept).max(entry.range.end),
                head: entry.range.clone(),
            }
        });
        outlined.collect()
    }

    /// Everything declared in the project whose name has the query in it, capitals aside, with its file.
    pub fn find_symbols(&mut self, query: &str) -> Vec<(Spot, Outlined)> {
        let query = query.to_lowercase();
        let mut files = self.grammars();
        files.extend(self.schema_files());
        files.extend(self.case_files());
        let mut found = Vec::new();
        for file in files {
            for own in self.outline(&file) {
                if own.name.to_lowercase().contains(&query) {
                    let spot = Spot {
                        path: PathBuf::from(&file),
                        range: own.head.clone(),
                    };
                    found.push((spot, own));
                }
            }
        }
        found
    }

    /// What can be folded away: statements and runs of comments of several lines; true for comments.
    pub fn folds(&mut self, path: &Path) -> Vec<(Range<usize>, bool)> {
        let Some(source) = self.text(path) else {
            return Vec::new();
        };
        let text = source.text();
        let spans_lines = |range: &Range<usize>| {
            text.get(range.clone())
                .is_some_and(|own| own.trim_end().contains('\n'))
        };
        let mut folds: Vec<(Range<usize>, bool)> = Vec::new();
        if FileKind::of(path) != FileKind::Grammar {
            let all = self.outline(path).into_iter().map(|own| (own.range, false));
            return all.filter(|(range, _)| spans_lines(range)).collect();
        }
        let Some(scan) = self.scan(path) else {
            return folds;
        };
        for statement in &scan.statements {
            let tokens = scan.tokens.get(statement.clone()).unwrap_or_default();
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                folds.push((first.start..last.end, false));
            }
        }
        let mut run: Option<Range<usize>> = None;
        for token in &scan.tokens {
            let is_comment = matches!(token.kind, TokenKind::Comment | TokenKind::Doc);
            let between = run.as_ref().and_then(|run| text.get(run.end..token.start));
            let goes_on =
                between.is_some_and(|gap| gap.trim().is_empty() && gap.matches('\n').count() == 1);
            match &mut run {
                Some(run) if is_comment && goes_on => run.end = token.end,
                _ => {
                    folds.extend(run.take().map(|run| (run, true)));
                    run = is_comment.then(|| token.range());
                }
            }
        }
        folds.extend(run.map(|run| (run, true)));
        folds.retain(|(range, _)| spans_lines(range));
        folds.sort_by_key(|(range, _)| range.start);
        folds
    }
}
