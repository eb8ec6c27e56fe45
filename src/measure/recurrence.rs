//! Where the content words of a text come again.

use rustc_hash::FxHashMap;

use super::leaf::Leaf;
use super::level;

/// Where content words stand, and how much they tell.
#[derive(Debug, Clone, Default)]
pub(super) struct Recurrence {
    words: FxHashMap<u32, Places>,
    /// For each EDU, the last one before a break that is stronger than the one behind it.
    ends: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct Places {
    /// EDUs in order.
    edus: Vec<u32>,
    /// How much the word tells: the fewer sentences have it, the more.
    rarity: f64,
}

impl Recurrence {
    pub(super) fn new(leaves: &[Leaf]) -> Recurrence {
        let mut words: FxHashMap<u32, Places> = FxHashMap::default();
        for (at, leaf) in leaves.iter().enumerate() {
            for word in leaf.content.iter() {
                words.entry(*word).or_default().edus.push(at as u32);
            }
        }
        let sentences = leaves.last().map_or(0, |leaf| leaf.sentence + 1);
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each entry is measured by itself"
        )]
        for places in words.values_mut() {
            let sentence = |edu: &u32| leaves[*edu as usize].sentence;
            let having = places.edus.chunk_by(|a, b| sentence(a) == sentence(b));
            places.rarity = f64::ln(f64::from(sentences + 1) / having.count() as f64);
        }
        let levels: Vec<u8> = leaves.iter().map(|leaf| leaf.level_after).collect();
        Recurrence {
            words,
            ends: level::stretches(&levels),
        }
    }

    /// The share of the smaller set of words that two have in common; rare words count more.
    pub(super) fn tie(&self, left: &[u32], right: &[u32]) -> Option<f64> {
        let has = |words: &[u32], word: &u32| words.binary_search(word).is_ok();
        let both = self.told(left.iter().filter(|word| has(right, word)));
        let all = f64::min(self.told(left.iter()), self.told(right.iter()));
        share(both, all)
    }

    /// The share of these words that stand in an EDU or after it, up to a break that is stronger
    /// than the one before it; rare words count more.
    pub(super) fn onward(&self, words: &[u32], from: u32) -> Option<f64> {
        let before = from.checked_sub(1)?;
        let end = *self.ends.get(before as usize)?;
        let (mut again, mut all) = (0.0, 0.0);
        for places in words.iter().filter_map(|word| self.words.get(word)) {
            all += places.rarity;
            let next = places.edus.partition_point(|edu| *edu < from);
            if places.edus.get(next).is_some_and(|edu| *edu <= end) {
                again += places.rarity;
            }
        }
        share(again, all)
    }

    /// How much words tell together.
    fn told<'w>(&self, words: impl Iterator<Item = &'w u32>) -> f64 {
        let known = words.filter_map(|word| self.words.get(word));
        known.map(|places| places.rarity).sum()
    }
}

fn share(part: f64, all: f64) -> Option<f64> {
    (all > 0.0).then(|| f64::min(part / all, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{RelationId, Schema};

    /// One EDU a sentence; breaks behind them and their words.
    fn text(edus: &[(u8, &[u32])]) -> Recurrence {
        let leaves = edus.iter().enumerate().map(|(at, (level, words))| Leaf {
            sentence: at as u32,
            level_after: *level,
            content: (*words).into(),
            ..Leaf::plain(RelationId(0), &Schema::default())
        });
        Recurrence::new(&leaves.collect::<Vec<_>>())
    }

    #[test]
    fn words_come_again_up_to_a_stronger_break() {
        let text = text(&[(3, &[1, 2]), (3, &[7]), (5, &[1, 8]), (5, &[2, 9])]);
        // Of 1 and 2, each in two sentences, 1 stands before the paragraph ends.
        assert_eq!(text.onward(&[1, 2], 1), Some(0.5));
        assert_eq!(text.onward(&[1, 2], 3), Some(0.5));
        assert_eq!(text.onward(&[7], 2), Some(0.0));
        assert_eq!(text.onward(&[], 2), None);
        assert_eq!(text.onward(&[1], 0), None);
        assert_eq!(text.onward(&[1], 9), None);
    }

    #[test]
    fn rare_words_tie_more() {
        let text = text(&[(3, &[1, 2]), (3, &[1, 3]), (3, &[1, 2]), (3, &[1, 4])]);
        let rare = text.tie(&[2, 3], &[2, 4]);
        let common = text.tie(&[1, 3], &[1, 4]);
        assert!(rare > common, "{rare:?} {common:?}");
        assert_eq!(text.tie(&[2], &[2]), Some(1.0));
        assert_eq!(text.tie(&[2], &[]), None);
    }
}
