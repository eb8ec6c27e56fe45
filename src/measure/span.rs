//! Nodes of a tree in the making.

use std::sync::Arc;

use super::leaf::{Balance, Text};
use crate::schema::{RelationId, RhetoricId};
use crate::tree::{Roles, Value};

/// How many content words a span is remembered by. Shorter spans are compared exactly, longer
/// ones by the words with the smallest hashes, which are a fair sample.
const SKETCH: usize = 64;

/// Index of a node in its arena: the leaves first, in text order, then what was joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// The node at that place of the arena.
    pub(crate) fn new(index: usize) -> NodeIndex {
        NodeIndex(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The leaf of an EDU, counted from 0.
    pub fn of_edu(edu: u32) -> NodeIndex {
        NodeIndex(edu)
    }

    /// Its place in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A span that has been parsed.
#[derive(Debug, Clone)]
pub struct ParsedSpan {
    /// Its first EDU.
    pub first: u32,
    /// Its last EDU.
    pub last: u32,
    /// Its symbol.
    pub symbol: RelationId,
    /// How its children were joined; leaves have none.
    pub joined: Option<Joined>,
    /// The height of its tree.
    pub height: u32,
    /// The EDU that its nuclei lead to.
    pub head: u32,
    /// The strongest break inside it, an index into the levels.
    pub inner: u8,
    /// The break behind it.
    pub level_after: u8,
    /// Characters, words and verbs.
    pub chars: u32,
    /// Its words.
    pub words: u32,
    /// Its verbs.
    pub verbs: u32,
    /// Brackets left open or closed.
    pub brackets: Balance,
    /// Quotes left open or closed.
    pub quotes: Balance,
    /// A sample of its content words, sorted.
    pub content: Arc<[u32]>,
    /// A sample of the entities it names, sorted.
    pub entities: Arc<[u32]>,
    /// The schema's attributes, by index.
    pub attributes: Arc<[Option<Value>]>,
}

/// How two spans were joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    /// The left one.
    pub left: NodeIndex,
    /// The right one.
    pub right: NodeIndex,
    /// The rhetorical relation.
    pub relation: RhetoricId,
    /// What they are to each other.
    pub roles: Roles,
}

impl ParsedSpan {
    /// The span of one EDU.
    pub fn leaf(text: &Text, at: u32) -> ParsedSpan {
        let leaf = &text.leaves[at as usize];
        ParsedSpan {
            first: at,
            last: at,
            symbol: leaf.symbol,
            joined: None,
            height: 0,
            head: at,
            inner: 0,
            level_after: leaf.level_after,
            chars: leaf.chars,
            words: leaf.words,
            verbs: leaf.verbs,
            brackets: leaf.brackets,
            quotes: leaf.quotes,
            content: Arc::clone(&leaf.content),
            entities: Arc::clone(&leaf.entities),
            attributes: Arc::clone(&leaf.attributes),
        }
    }

    /// Two neighbours as one. Attributes are the caller's.
    pub fn join(
        a: &ParsedSpan,
        b: &ParsedSpan,
        symbol: RelationId,
        joined: Joined,
        samples: bool,
    ) -> ParsedSpan {
        let sample = |left: &Arc<[u32]>, right: &Arc<[u32]>| {
            if samples {
                united(left, right)
            } else {
                Arc::clone(left)
            }
        };
        ParsedSpan {
            first: a.first,
            last: b.last,
            symbol,
            joined: Some(joined),
            height: a.height.max(b.height) + 1,
            head: match joined.roles {
                Roles::SatelliteNucleus => b.head,
                _ => a.head,
            },
            inner: a.inner.max(b.inner).max(a.level_after),
            level_after: b.level_after,
            chars: a.chars.saturating_add(b.chars),
            words: a.words.saturating_add(b.words),
            verbs: a.verbs.saturating_add(b.verbs),
            brackets: a.brackets.then(b.brackets),
            quotes: a.quotes.then(b.quotes),
            content: sample(&a.content, &b.content),
            entities: sample(&a.entities, &b.entities),
            attributes: Arc::clone(&a.attributes),
        }
    }

    /// How many EDUs it has.
    pub fn length(&self) -> u32 {
        self.last - self.first + 1
    }
}

/// The smallest members of both, each once.
fn united(left: &Arc<[u32]>, right: &Arc<[u32]>) -> Arc<[u32]> {
    if right.is_empty() {
        return Arc::clone(left);
    }
    if left.is_empty() {
        return Arc::clone(right);
    }
    let mut both = Vec::with_capacity((left.len() + right.len()).min(SKETCH));
    let (mut l, mut r) = (left.iter().peekable(), right.iter().peekable());
    while both.len() < SKETCH {
        let next = match (l.peek(), r.peek()) {
            (Some(a), Some(b)) if a < b => l.next(),
            (Some(a), Some(b)) if a > b => r.next(),
            (Some(_), Some(_)) => {
                r.next();
                l.next()
            }
            (Some(_), None) => l.next(),
            (None, _) => r.next(),
        };
        match next {
            Some(next) => both.push(*next),
            None => break,
        }
    }
    both.into()
}

/// The share of the smaller set that the two have in common.
pub(super) fn overlap(left: &[u32], right: &[u32]) -> Option<f64> {
    let smaller = left.len().min(right.len());
    if smaller == 0 {
        return None;
    }
    Some(f64::from(common(left, right)) / smaller as f64)
}

/// How many members two sorted sets share.
pub(super) fn common(left: &[u32], right: &[u32]) -> u32 {
    let (mut l, mut r, mut both) = (0, 0, 0);
    while let (Some(a), Some(b)) = (left.get(l), right.get(r)) {
        l += usize::from(a <= b);
        r += usize::from(b <= a);
        both += u32::from(a == b);
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_the_share_of_the_smaller_set() {
        assert_eq!(overlap(&[1, 2, 3, 4], &[3, 4]), Some(1.0));
        assert_eq!(overlap(&[1, 2, 3, 4], &[4, 9]), Some(0.5));
        assert_eq!(overlap(&[], &[4, 9]), None);
        assert_eq!(*united(&[1, 3].into(), &[2, 3, 9].into()), [1, 2, 3, 9]);
    }
}
