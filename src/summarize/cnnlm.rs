//! CNNLM + TextRank (Yin and Pei 2015): sentence vectors of a convolutional language model that is
//! trained, without labels, on the texts themselves; then TextRank over their cosines.

use super::baseline::{Edge, choose_diverse};
use super::graph::rank;
use super::material::Material;
use super::{Line, SourceText, SummaryOptions};
use crate::neural::sentence_vectors;

/// Every pair of sentences is an edge, so there are fewer nodes than where only common words are.
const MOST_NODES: usize = 1500;

/// Chooses by TextRank over the cosines of the model's sentence vectors.
pub(super) fn choose(texts: &[SourceText], options: &SummaryOptions) -> crate::Result<Vec<Line>> {
    let material = Material::gather(texts, options).keep_leading(MOST_NODES);
    let sentences: Vec<&[u32]> = material
        .candidates
        .iter()
        .map(|candidate| candidate.words.as_slice())
        .collect();
    let vectors = sentence_vectors(&sentences, material.vocabulary, options.seed)?;
    let edges = cosines(&vectors);
    let ranks = rank(vectors.len(), &edges);
    Ok(choose_diverse(texts, &material, ranks, &edges, options))
}

/// The edges between all sentences: their cosines over the mean, since all sentences of one topic are
/// somewhat alike.
fn cosines(vectors: &[Vec<f32>]) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(vectors.len() * vectors.len().saturating_sub(1) / 2);
    for (a, left) in vectors.iter().enumerate() {
        for (b, right) in vectors.iter().enumerate().skip(a + 1) {
            let cosine: f32 = left.iter().zip(right).map(|(x, y)| x * y).sum();
            edges.push((a as u32, b as u32, f64::from(cosine)));
        }
    }
    let mean = edges.iter().map(|(_, _, cosine)| cosine).sum::<f64>() / edges.len().max(1) as f64;
    edges.retain_mut(|(_, _, weight)| {
        *weight -= mean;
        *weight > 0.0
    });
    edges
}
