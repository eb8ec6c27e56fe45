//! The topic check of Section 8: do texts whose impacts are near share keywords?

mod keywords;

use ndarray::ArrayView2;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

pub use keywords::keywords;

use super::neighbours::distance;
use super::seed::{Purpose, stream};
use super::{ImpactKind, Impacts};

/// What the check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg topic check")]
pub struct TopicCheck {
    /// Texts looked at: all with cores and keywords, or a seeded sample of these.
    pub texts: usize,
    /// Pairs of them.
    pub pairs: usize,
    /// The rank correlation (Spearman) of a pair's distance and its shared keywords; below 0 when
    /// near texts share more.
    pub correlation: f64,
    /// Every text with the share of all texts that is nearest to it.
    pub close: SharedKeywords,
    /// The nearest pairs of all, the same share; texts of few cores are over-represented here,
    /// since their impacts are short.
    pub closest: SharedKeywords,
    /// The distance below which pairs are among the nearest of all.
    pub epsilon: f64,
    /// All pairs, which is what random pairs come to.
    pub random: SharedKeywords,
    /// Every text with its nearest other text.
    pub nearest: SharedKeywords,
    /// Pairs by distance: tenths of all pairs, the nearest first.
    pub tenths: Vec<Tenth>,
}

/// What the check found with sums and with means.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// With sums.
    pub sum: TopicCheck,
    /// With means.
    pub mean: TopicCheck,
}

impl Comparison {
    /// What was found with one of them.
    pub fn of(&self, kind: ImpactKind) -> &TopicCheck {
        match kind {
            ImpactKind::Sum => &self.sum,
            ImpactKind::Mean => &self.mean,
        }
    }

    /// The one by which distance says more of topics.
    pub fn best(&self) -> ImpactKind {
        if self.sum.correlation < self.mean.correlation {
            ImpactKind::Sum
        } else {
            ImpactKind::Mean
        }
    }
}

/// Checks impacts as sums and as means; they are as they were afterwards. None where a check finds
/// nothing to compare.
pub fn compare(
    impacts: &mut Impacts,
    check: impl Fn(ArrayView2<'_, f32>) -> Option<TopicCheck>,
) -> Option<Comparison> {
    let kind = impacts.kind();
    let [sum, mean] = [ImpactKind::Sum, ImpactKind::Mean].map(|kind| {
        impacts.set_kind(kind);
        check(impacts.vectors())
    });
    impacts.set_kind(kind);
    Some(Comparison {
        sum: sum?,
        mean: mean?,
    })
}

/// How much some pairs of texts share.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SharedKeywords {
    /// The pairs.
    pub pairs: usize,
    /// Keywords that both texts have, on average.
    pub shared: f64,
    /// The share of pairs with at least one shared keyword.
    pub any: f64,
    /// Similarity recall: the share of a text's keywords that the other has too, the mean of both
    /// directions.
    pub recall: f64,
}

/// Pairs of about the same distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tenth {
    /// Their mean distance.
    pub distance: f64,
    /// What they share.
    pub keywords: SharedKeywords,
}

/// A pair of texts.
#[derive(Debug, Clone, Copy)]
struct Couple {
    texts: (u32, u32),
    distance: f64,
    shared: u32,
    recall: f64,
}

/// Compares at most `sample` texts (rows of `points` with their keywords) with each other. For each
/// text the nearest `share` (0 to 1) of the others, at least one, are close. None when fewer than two texts have
/// keywords.
pub fn check(
    points: ArrayView2<'_, f32>,
    keywords: &[Vec<String>],
    sample: usize,
    share: f64,
    seed: u64,
) -> Option<TopicCheck> {
    let texts = choose(points, keywords, sample, seed);
    let couples = couples(points, keywords, &texts);
    let last = couples.len().checked_sub(1)?;
    let count =
        ((couples.len() as f64 * share.clamp(0.0, 1.0)).round() as usize).clamp(1, last.max(1));
    let near = (texts.len() as f64 * share.clamp(0.0, 1.0))
        .round()
        .max(1.0) as usize;
    let tenths = (0..10)
        .map(|tenth| &couples[couples.len() * tenth / 10..couples.len() * (tenth + 1) / 10])
        .filter(|part| !part.is_empty())
        .map(|part| Tenth {
            distance: part.iter().map(|couple| couple.distance).sum::<f64>() / part.len() as f64,
            keywords: SharedKeywords::of(part.iter()),
        });
    Some(TopicCheck {
        texts: texts.len(),
        pairs: couples.len(),
        correlation: rank_correlation(&couples),
        epsilon: couples
            .get(count)
            .map_or(f64::INFINITY, |couple| couple.distance),
        close: SharedKeywords::of(near_each(&couples, near).into_iter()),
        closest: SharedKeywords::of(couples.iter().take(count)),
        random: SharedKeywords::of(couples.iter()),
        nearest: SharedKeywords::of(near_each(&couples, 1).into_iter()),
        tenths: tenths.collect(),
    })
}

/// Texts that can be compared, sorted; a seeded sample when there are too many.
fn choose(
    points: ArrayView2<'_, f32>,
    keywords: &[Vec<String>],
    sample: usize,
    seed: u64,
) -> Vec<u32> {
    let rows = points.rows().into_iter().zip(keywords).enumerate();
    let mut texts: Vec<u32> = rows
        .filter(|(_, (point, words))| !words.is_empty() && point.iter().any(|x| *x != 0.0))
        .map(|(number, _)| number as u32)
        .collect();
    texts.shuffle(&mut stream(seed, Purpose::Pairs, 0));
    texts.truncate(sample.max(2));
    texts.sort_unstable();
    texts
}

/// All pairs, the nearest first.
fn couples(points: ArrayView2<'_, f32>, keywords: &[Vec<String>], texts: &[u32]) -> Vec<Couple> {
    let sets: Vec<FxHashSet<&str>> = texts
        .iter()
        .map(|text| {
            keywords[*text as usize]
                .iter()
                .map(String::as_str)
                .collect()
        })
        .collect();
    let mut couples: Vec<Couple> = (0..texts.len())
        .into_par_iter()
        .flat_map_iter(|a| {
            let point = points.row(texts[a] as usize).to_vec();
            let sets = &sets;
            (a + 1..texts.len()).map(move |b| {
                let shared = sets[a].intersection(&sets[b]).count();
                let recall = |set: &FxHashSet<&str>| shared as f64 / set.len().max(1) as f64;
                Couple {
                    texts: (texts[a], texts[b]),
                    distance: distance(&point, &points.row(texts[b] as usize).to_vec()),
                    shared: shared as u32,
                    recall: (recall(&sets[a]) + recall(&sets[b])) / 2.0,
                }
            })
        })
        .collect();
    couples.par_sort_unstable_by(|a, b| {
        a.distance
            .total_cmp(&b.distance)
            .then(a.texts.cmp(&b.texts))
    });
    couples
}

/// The `count` nearest pairs of every text; a pair that is among both texts' nearest stands twice.
fn near_each(couples: &[Couple], count: usize) -> Vec<&Couple> {
    let mut met: FxHashMap<u32, usize> = FxHashMap::default();
    let mut near = Vec::new();
    for couple in couples {
        for text in [couple.texts.0, couple.texts.1] {
            let met = met.entry(text).or_default();
            if *met < count {
                *met += 1;
                near.push(couple);
            }
        }
    }
    near
}

impl SharedKeywords {
    fn of<'a>(couples: impl ExactSizeIterator<Item = &'a Couple>) -> SharedKeywords {
        let pairs = couples.len();
        let mut sum = SharedKeywords::default();
        for couple in couples {
            sum.shared += f64::from(couple.shared);
            sum.any += f64::from(u8::from(couple.shared > 0));
            sum.recall += couple.recall;
        }
        let count = pairs.max(1) as f64;
        SharedKeywords {
            pairs,
            shared: sum.shared / count,
            any: sum.any / count,
            recall: sum.recall / count,
        }
    }
}

/// Spearman's rank correlation of distance and shared keywords; ties get their mean rank.
fn rank_correlation(couples: &[Couple]) -> f64 {
    let distances = ranks(couples.iter().map(|couple| couple.distance));
    let shared = ranks(couples.iter().map(|couple| f64::from(couple.shared)));
    let mean = (couples.len() as f64 + 1.0) / 2.0;
    let (mut both, mut of_distance, mut of_shared) = (0.0, 0.0, 0.0);
    for (a, b) in distances.iter().zip(&shared) {
        both += (a - mean) * (b - mean);
        of_distance += (a - mean).powi(2);
        of_shared += (b - mean).powi(2);
    }
    if of_distance > 0.0 && of_shared > 0.0 {
        both / (of_distance * of_shared).sqrt()
    } else {
        0.0
    }
}

fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = begin as f64 + (group.len() as f64 + 1.0) / 2.0;
        group.iter().for_each(|at| ranks[*at] = rank);
        begin += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn ties_share_their_ranks() {
        assert_eq!(
            ranks([3.0, 1.0, 3.0, 2.0].into_iter()),
            [3.5, 1.0, 3.5, 2.0]
        );
    }

    #[test]
    fn near_texts_that_share_keywords_are_noticed() {
        let points = Array2::from_shape_fn((40, 6), |(at, axis)| {
            f32::from(u8::from(at % 4 == axis)) * 5.0 + (at * 7 % 5) as f32 * 0.1
        });
        let keywords: Vec<Vec<String>> = (0..40)
            .map(|at| {
                vec![
                    format!("主题{}", at % 4),
                    "市场".to_owned(),
                    format!("词{at}"),
                ]
            })
            .collect();
        let found = check(points.view(), &keywords, 100, 0.2, 1).expect("texts");
        assert_eq!((found.texts, found.pairs), (40, 780));
        assert!(found.correlation < -0.5, "{}", found.correlation);
        assert!(
            (found.nearest.recall - 2.0 / 3.0).abs() < 1e-9,
            "{:?}",
            found.nearest
        );
        assert!(found.close.shared > found.random.shared * 1.3);
        assert_eq!(found.close.any, 1.0, "all talk of the market");
        assert_eq!(found.tenths.len(), 10);
        let again = check(points.view(), &keywords, 12, 0.2, 1).expect("texts");
        assert_eq!(again.texts, 12);
    }

    #[test]
    fn texts_without_keywords_or_cores_cannot_be_compared() {
        let points = Array2::from_shape_fn((3, 2), |(at, _)| at as f32);
        let keywords = vec![vec!["股市".to_owned()], vec!["股市".to_owned()], vec![]];
        assert_eq!(check(points.view(), &keywords, 10, 0.1, 1), None);
    }
}
