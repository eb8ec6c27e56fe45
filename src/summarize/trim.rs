//! Clauses that a chosen sentence can do without.

use std::ops::Range;

use super::SourceText;
use super::readable::is_balanced;
use super::standing::Tastes;
use super::unit::Unit;
use crate::text::segment::carries_predicate;
use crate::text::words::{Punctuation, Word};
use crate::tree::Role;

/// The stretches of EDUs that satellites cover which may go from the unit, in text order, never
/// overlapping. What opens the unit stays, for it names who the rest is about; so does what is not
/// set off by marks on both sides, and what would leave half a quotation or no predicate.
pub(super) fn find_dispensable(
    text: &SourceText,
    unit: &Unit,
    tastes: &Tastes,
) -> Vec<Range<usize>> {
    let Some(tree) = text.tree() else {
        return Vec::new();
    };
    let mut gone: Vec<Range<usize>> = Vec::new();
    // From the root down, so that the widest satellite is found first.
    for (id, node) in tree.post_order().rev() {
        let span = node.span().range();
        let inside = unit.edus.start < span.start && span.end <= unit.edus.end;
        let taken = gone
            .iter()
            .any(|other| other.start < span.end && span.start < other.end);
        if !inside || taken || tree.role(id) != Role::Satellite {
            continue;
        }
        let parent = node.parent().map(|parent| tree.node(parent));
        let relation = parent.and_then(|parent| parent.relation());
        let may_go = relation.is_some_and(|relation| {
            let class = relation.split(['-', '_']).next().unwrap_or_default();
            let known = tastes.dispensable.iter();
            known
                .into_iter()
                .any(|name| **name == **relation || name == class)
        });
        if may_go && is_set_off(text, &span) {
            gone.push(span);
        }
    }
    gone.sort_by_key(|span| span.start);
    let rest: Vec<Word> = words_without(text, unit, &gone);
    if carries_predicate(&rest) && is_balanced(&rest, &text.document.text) {
        gone
    } else {
        Vec::new()
    }
}

/// The EDUs of a unit without those that go.
pub(super) fn without(edus: &Range<usize>, gone: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut from = edus.start;
    for span in gone {
        if from < span.start {
            kept.push(from..span.start);
        }
        from = from.max(span.end);
    }
    if from < edus.end {
        kept.push(from..edus.end);
    }
    kept
}

fn words_without(text: &SourceText, unit: &Unit, gone: &[Range<usize>]) -> Vec<Word> {
    let kept = without(&unit.edus, gone);
    let edus = kept.into_iter().flatten();
    edus.filter_map(|edu| text.analysis.edus.get(edu))
        .flat_map(|edu| &text.analysis.words[edu.words.clone()])
        .copied()
        .collect()
}

/// True when a mark between clauses stands before the span and at its end, and it is whole in itself.
fn is_set_off(text: &SourceText, span: &Range<usize>) -> bool {
    let edus = &text.analysis.edus;
    let before = span.start.checked_sub(1).and_then(|at| edus.get(at));
    let (Some(before), Some(inside)) = (before, edus.get(span.clone())) else {
        return false;
    };
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
        return false;
    };
    let words = &text.analysis.words[first.words.start..last.words.end];
    ends_with_mark(&text.analysis.words[before.words.clone()])
        && ends_with_mark(words)
        && is_balanced(words, &text.document.text)
}

/// A colon or an open list promises more: only commas, semicolons and final marks set off.
fn ends_with_mark(words: &[Word]) -> bool {
    let marks = words.iter().rev().map(|word| word.punctuation);
    marks
        .take_while(|mark| *mark != Punctuation::None)
        .any(|mark| {
            mark.ends_sentence() || matches!(mark, Punctuation::Comma | Punctuation::Semicolon)
        })
}
