//! How strong the breaks between EDUs are.

use super::domain::{LEVELS, index_of};
use crate::text::words::Punctuation;
use crate::text::{Block, BlockKind};

/// The code of the strongest break: what lies behind the last EDU.
pub(super) const STRONGEST: u8 = (LEVELS.len() - 1) as u8;

/// The break behind an EDU inside a block, by the mark it ends with.
pub(super) fn inside(mark: Punctuation) -> u8 {
    code(match mark {
        Punctuation::Enumeration => "enumeration",
        Punctuation::Comma => "comma",
        Punctuation::Semicolon | Punctuation::Colon | Punctuation::Dash => "semicolon",
        mark if mark.ends_sentence() => "sentence",
        _ => "none",
    })
}

/// The break between two blocks. What a heading opens is tied to it more closely than to what
/// stood before, so opening is weaker than closing.
pub(super) fn between(left: &Block, right: &Block) -> u8 {
    use BlockKind::{Heading, ListItem};
    code(match (left.kind, right.kind) {
        (Heading(level), _) => match level {
            0 => "title-open",
            1 => "section-open",
            2 => "subsection-open",
            _ => "subsubsection-open",
        },
        (_, Heading(level)) => match level {
            0 => "title",
            1 => "section",
            2 => "subsection",
            _ => "subsubsection",
        },
        _ if left.speaker != right.speaker => match left.speaker {
            None => "speaker-open",
            Some(_) => "speaker",
        },
        (ListItem, ListItem) => "paragraph",
        (_, ListItem) => "list-open",
        (ListItem, _) => "list",
        _ => "paragraph",
    })
}

/// For each break, how many EDUs lie behind it before the next break at least as strong.
pub(super) fn reach(levels: &[u8]) -> Vec<u32> {
    let next = next_breaks(levels, |later, own| later >= own);
    let distance = next.iter().enumerate().map(|(at, next)| next - at as u32);
    distance.collect()
}

/// For each break, the last EDU behind it before the next stronger break.
pub(super) fn stretches(levels: &[u8]) -> Vec<u32> {
    next_breaks(levels, |later, own| later > own)
}

/// For each break, the next one behind it that ends what it begins, or the last of all.
fn next_breaks(levels: &[u8], ends: impl Fn(u8, u8) -> bool) -> Vec<u32> {
    let mut next = vec![0; levels.len()];
    // Breaks to the right that no break between them and here ends before, nearest last.
    let mut pending: Vec<usize> = Vec::new();
    for at in (0..levels.len()).rev() {
        while pending
            .last()
            .is_some_and(|later| !ends(levels[*later], levels[at]))
        {
            pending.pop();
        }
        next[at] = pending.last().copied().unwrap_or(levels.len() - 1) as u32;
        pending.push(at);
    }
    next
}

fn code(name: &str) -> u8 {
    index_of(LEVELS, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_counts_to_the_next_break_at_least_as_strong() {
        // 甲，乙。丙，丁，戊。己。
        assert_eq!(reach(&[2, 4, 2, 2, 4, STRONGEST]), [1, 3, 1, 1, 1, 0]);
        assert!(reach(&[]).is_empty());
    }

    #[test]
    fn a_stretch_ends_where_a_stronger_break_is() {
        // 甲，乙。丙，丁，戊。己。
        assert_eq!(stretches(&[2, 4, 2, 2, 4, STRONGEST]), [1, 5, 4, 4, 5, 5]);
        assert!(stretches(&[]).is_empty());
    }

    #[test]
    fn opening_a_block_is_weaker_than_closing_it() {
        let block = |kind| Block::new(kind, 0..0);
        let heading = block(BlockKind::Heading(1));
        let text = block(BlockKind::Paragraph);
        let item = block(BlockKind::ListItem);
        assert!(between(&heading, &text) < between(&text, &heading));
        assert!(between(&text, &item) < between(&item, &text));
        assert!(between(&text, &text) < between(&text, &item));
        assert_eq!(between(&item, &item), between(&text, &text));
    }
}
