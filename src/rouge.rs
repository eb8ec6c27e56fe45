//! ROUGE-1, ROUGE-2 and ROUGE-L over tokens of any kind, as the `rouge-score` package counts them.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, schemars::JsonSchema)]
pub struct Rouge {
    /// The share of the candidate that the reference has.
    pub precision: f64,
    /// The share of the reference that the candidate has.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

impl Rouge {
    fn of(common: usize, candidate: usize, reference: usize) -> Rouge {
        let precision = common as f64 / candidate.max(1) as f64;
        let recall = common as f64 / reference.max(1) as f64;
        let sum = precision + recall;
        Rouge {
            precision,
            recall,
            f1: if sum > 0.0 {
                2.0 * precision * recall / sum
            } else {
                0.0
            },
        }
    }
}

/// ROUGE-N: runs of `n` tokens that both have, each as often as in the poorer one.
pub fn rouge_n<T: Eq + Hash>(candidate: &[T], reference: &[T], n: usize) -> Rouge {
    let n = n.max(1);
    let mut runs: FxHashMap<&[T], usize> = FxHashMap::default();
    for run in reference.windows(n) {
        *runs.entry(run).or_default() += 1;
    }
    let mut common = 0;
    for run in candidate.windows(n) {
        if let Some(left) = runs.get_mut(run)
            && *left > 0
        {
            *left -= 1;
            common += 1;
        }
    }
    let count = |tokens: &[T]| (tokens.len() + 1).saturating_sub(n);
    Rouge::of(common, count(candidate), count(reference))
}

/// ROUGE-L: the longest sequence of tokens that both have in the same order.
pub fn rouge_l<T: Eq>(candidate: &[T], reference: &[T]) -> Rouge {
    let common = longest_common(candidate, reference);
    Rouge::of(common, candidate.len(), reference.len())
}

/// The mean of the F1 of ROUGE-1, ROUGE-2 and ROUGE-L: how alike two units are to the paper.
pub fn likeness<T: Eq + Hash>(left: &[T], right: &[T]) -> f64 {
    (rouge_n(left, right, 1).f1 + rouge_n(left, right, 2).f1 + rouge_l(left, right).f1) / 3.0
}

/// The length of the longest common subsequence, with one row of the usual table.
fn longest_common<T: Eq>(left: &[T], right: &[T]) -> usize {
    let mut row = vec![0usize; right.len() + 1];
    for a in left {
        let mut diagonal = 0;
        for (at, b) in right.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn runs_count_as_often_as_the_poorer_text_has_them() {
        let (candidate, reference) = (characters("沪指沪指涨"), characters("沪指跌"));
        let one = rouge_n(&candidate, &reference, 1);
        assert_eq!((one.precision, one.recall), (2.0 / 5.0, 2.0 / 3.0));
        let two = rouge_n(&candidate, &reference, 2);
        assert_eq!((two.precision, two.recall), (1.0 / 4.0, 1.0 / 2.0));
    }

    #[test]
    fn the_longest_common_sequence_may_have_gaps() {
        let l = rouge_l(&characters("央行昨日宣布降息"), &characters("央行降息"));
        assert_eq!((l.precision, l.recall), (0.5, 1.0));
        assert!((l.f1 - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_like_nothing() {
        assert_eq!(rouge_n::<char>(&[], &[], 1), Rouge::default());
        assert_eq!(rouge_n(&['涨'], &['涨'], 2), Rouge::default());
        assert_eq!(rouge_l::<char>(&[], &['涨']), Rouge::default());
        assert_eq!(likeness(&characters("降息"), &characters("降息")), 1.0);
    }
}
