//! The baselines of the paper's Section 8, over the same units as the default method.

use super::graph::rank;
use super::material::{Material, dot};
use super::pick::{Picker, highest, rank_best_first, ranks_in_texts, take_best};
use super::{Line, SourceText, SummaryOptions};

/// Graphs are drawn over at most about so many units: the first ones of every text.
pub(super) const MOST_NODES: usize = 4000;

/// An edge between two units.
pub(super) type Edge = (u32, u32, f64);

/// Lead: the first unit of every text, heavy texts first; then the second of every text, and so on.
pub(super) fn choose_lead(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options);
    let mut by_weight: Vec<usize> = (0..texts.len()).collect();
    by_weight.sort_by(|a, b| texts[*b].weight.total_cmp(&texts[*a].weight));
    let mut turn = vec![0; texts.len()];
    for (place, &text) in by_weight.iter().enumerate() {
        turn[text] = place;
    }
    let scores: Vec<f64> = material
        .candidates
        .iter()
        .map(|c| -((c.place * texts.len() + turn[c.text]) as f64))
        .collect();
    take_best(texts, &material, &scores, options)
}

/// The first unit of every paragraph in text order, then the second ones; heavy texts first.
pub(super) fn choose_openings(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options);
    let most = material.candidates.iter().map(|c| c.paragraph + 1).max();
    let most = most.unwrap_or(1);
    let heaviest = texts.iter().map(|text| text.weight).fold(0.0, f64::max);
    let scores: Vec<f64> = material
        .candidates
        .iter()
        .map(|c| {
            let weight = texts.get(c.text).map_or(0.0, |text| text.weight);
            let light = if heaviest > 0.0 {
                1.0 - weight / heaviest
            } else {
                0.0
            };
            -((c.behind * most + c.paragraph) as f64 + light / 2.0)
        })
        .collect();
    take_best(texts, &material, &scores, options)
}

/// LexRank (Erkan and Radev 2004): the graph of cosines that are not small.
pub(super) fn choose_lexrank(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options).keep_leading(MOST_NODES);
    let vectors = material.vectors();
    let mut edges = Vec::new();
    for (a, left) in vectors.iter().enumerate() {
        for (b, right) in vectors.iter().enumerate().skip(a + 1) {
            let cosine = dot(left, right);
            if cosine >= LEAST_COSINE {
                edges.push((a as u32, b as u32, cosine));
            }
        }
    }
    let ranks = rank(vectors.len(), &edges);
    take_best(texts, &material, &ranks, options)
}

/// Sentences that have less in common are no neighbours.
const LEAST_COSINE: f64 = 0.1;

/// TextRank (Mihalcea and Tarau 2004) with a penalty on what is near to something chosen.
pub(super) fn choose_textrank(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options).keep_leading(MOST_NODES);
    let edges = overlaps(material.candidates.iter().map(|c| c.content.as_slice()));
    let ranks = rank(material.candidates.len(), &edges);
    choose_diverse(texts, &material, ranks, &edges, options)
}

/// TextRank's ranks of sentences that are given as words (numbers): what the benchmark measures.
pub fn similarity_ranks(sentences: &[Vec<u32>]) -> Vec<f64> {
    let edges = overlaps(sentences.iter().map(Vec::as_slice));
    rank(sentences.len(), &edges)
}

/// Edges between sentences with common words: how many, over the logarithms of both lengths.
fn overlaps<'w>(sentences: impl Iterator<Item = &'w [u32]>) -> Vec<Edge> {
    let mut postings = Postings::default();
    let mut lengths: Vec<f64> = Vec::new();
    let mut common: Vec<u32> = Vec::new();
    let mut edges = Vec::new();
    let mut words: Vec<u32> = Vec::new();
    for (at, sentence) in sentences.enumerate() {
        words.clear();
        words.extend_from_slice(sentence);
        words.sort_unstable();
        words.dedup();
        let length = (words.len().max(1) as f64).ln();
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        for &word in &words {
            postings.meet(word, number, &mut common);
        }
        for (other, count) in common
            .iter_mut()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let count = std::mem::take(count);
            let both = length + lengths[other];
            // Two sentences of one word each have no logarithms to share: alike as they are.
            let weight = f64::from(count) / if both > 0.0 { both } else { 1.0 };
            edges.push((other as u32, number, weight));
        }
        lengths.push(length);
        common.push(0);
    }
    edges
}

/// The sentences that have each word: the first ones as bits, so that a short text needs no lists.
#[derive(Default)]
struct Postings {
    first: Vec<u64>,
    rest: Vec<Vec<u32>>,
}

/// Sentences that are kept as bits.
const BITS: u32 = u64::BITS;

impl Postings {
    /// Counts one more common word with every sentence that has it, and adds the sentence to those.
    fn meet(&mut self, word: u32, sentence: u32, common: &mut [u32]) {
        let word = word as usize;
        if self.first.len() <= word {
            self.first.resize(word + 1, 0);
        }
        let mut bits = self.first[word];
        while bits != 0 {
            common[bits.trailing_zeros() as usize] += 1;
            bits &= bits - 1;
        }
        if sentence < BITS {
            self.first[word] |= 1 << sentence;
            return;
        }
        if self.rest.len() <= word {
            self.rest.resize_with(word + 1, Vec::new);
        }
        for other in &self.rest[word] {
            common[*other as usize] += 1;
        }
        self.rest[word].push(sentence);
    }
}

/// Takes the best, and takes from its neighbours what it already said: their share of its rank.
pub(super) fn choose_diverse(
    texts: &[SourceText],
    material: &Material,
    ranks: Vec<f64>,
    edges: &[Edge],
    options: &SummaryOptions,
) -> Vec<Line> {
    let mut degrees = vec![0.0; ranks.len()];
    for &(a, b, weight) in edges {
        degrees[a as usize] += weight;
        degrees[b as usize] += weight;
    }
    let places = ranks_in_texts(material, &rank_best_first(&ranks));
    let mut scores = ranks.clone();
    let mut taken_for = vec![0.0; ranks.len()];
    let mut picker = Picker::new(material, options);
    let mut refused = vec![false; ranks.len()];
    while let Some((score, at)) =
        picker.next_best(&mut refused, |open| highest(open, |at| scores[at]))
    {
        picker.take(at);
        taken_for[at] = score;
        for &(a, b, weight) in edges {
            let (a, b) = (a as usize, b as usize);
            let other = match at {
                _ if a == at => b,
                _ if b == at => a,
                _ => continue,
            };
            scores[other] -= weight / degrees[other] * ranks[at];
        }
    }
    picker.whole_lines(texts, &places, &taken_for)
}

/// How much relevance counts against novelty.
const RELEVANCE: f64 = 0.7;

/// Maximal marginal relevance (Carbonell and Goldstein 1998) against the centroid of the texts.
pub(super) fn choose_mmr(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options);
    let vectors = material.vectors();
    let mut centroid = vec![0.0; material.vocabulary];
    for (word, value) in vectors.iter().flatten() {
        centroid[*word as usize] += value;
    }
    let norm = centroid
        .iter()
        .map(|v| v * v)
        .sum::<f64>()
        .sqrt()
        .max(f64::MIN_POSITIVE);
    let relevance: Vec<f64> = vectors
        .iter()
        .map(|vector| {
            let products = vector.iter().map(|(word, v)| v * centroid[*word as usize]);
            products.sum::<f64>() / norm
        })
        .collect();
    let places = ranks_in_texts(&material, &rank_best_first(&relevance));
    let mut nearest = vec![0.0f64; relevance.len()];
    let mut taken_for = vec![0.0; relevance.len()];
    let mut refused = vec![false; relevance.len()];
    let mut picker = Picker::new(&material, options);
    while let Some((value, at)) = picker.next_best(&mut refused, |open| {
        highest(open, |at| {
            RELEVANCE * relevance[at] - (1.0 - RELEVANCE) * nearest[at]
        })
    }) {
        picker.take(at);
        taken_for[at] = value;
        for (near, vector) in nearest.iter_mut().zip(&vectors) {
            *near = near.max(dot(vector, &vectors[at]));
        }
    }
    picker.whole_lines(texts, &places, &taken_for)
}
