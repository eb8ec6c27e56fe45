//! A convolutional language model (Yin and Pei 2015), trained without labels on the sentences
//! themselves: it gives every sentence a vector.

use candle_core::{D, Device, Result, Tensor, Var};
use candle_nn::loss::binary_cross_entropy_with_logit;
use candle_nn::{AdamW, Optimizer};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::layers::{convolve, draw_weights};

/// Coordinates of a word and of a sentence.
const WIDTH: usize = 48;
/// Neighbouring words that a filter sees at once.
const WINDOW: usize = 3;
/// Words of a sentence that the model reads; the rest of a longer one is left out.
const LONGEST: usize = 40;
/// Words before the one that is predicted.
const CONTEXT: usize = 4;
/// Words predicted of a sentence in each step.
const PREDICTED: usize = 4;
/// Wrong words that each right one is told from.
const NEGATIVES: usize = 8;
/// Sentences in a step.
const BATCH: usize = 64;
/// Steps at most, so that a large corpus takes no longer than a middling one.
const MOST_STEPS: usize = 240;
/// Times that the model reads a small corpus.
const EPOCHS: usize = 6;
const LEARNING_RATE: f64 = 0.005;

/// The model: word vectors as input and as output, and the filters of the convolution.
struct Model {
    input: Var,
    output: Var,
    filters: Var,
}

impl Model {
    /// Sentences as rows of word numbers, padded with the word 0, to vectors.
    fn sentences(&self, rows: &Tensor) -> Result<Tensor> {
        let (batch, length) = rows.dims2()?;
        let words = self.input.index_select(&rows.flatten_all()?, 0)?;
        convolve(
            &words.reshape((batch, length, WIDTH))?,
            &self.filters,
            WINDOW,
        )
    }

    /// How well words are told from wrong ones, given their sentences and contexts.
    fn loss(&self, step: &Step) -> Result<Tensor> {
        let device = &Device::Cpu;
        let rows = Tensor::from_slice(&step.rows, (step.sentences, LONGEST), device)?;
        let sentences = self.sentences(&rows)?;
        let context = Tensor::from_slice(&step.context, step.context.len(), device)?;
        let context = self.input.index_select(&context, 0)?;
        let context = context
            .reshape((step.sentences, PREDICTED, CONTEXT, WIDTH))?
            .sum(2)?;
        let said = context.broadcast_add(&sentences.unsqueeze(1)?)?;
        let said = (said / (CONTEXT + 1) as f64)?.unsqueeze(2)?;
        let words = Tensor::from_slice(&step.words, step.words.len(), device)?;
        let words = self.output.index_select(&words, 0)?;
        let words = words.reshape((step.sentences, PREDICTED, NEGATIVES + 1, WIDTH))?;
        let scores = words.broadcast_mul(&said)?.sum(D::Minus1)?.flatten_all()?;
        let right: Vec<f32> = (0..scores.elem_count())
            .map(|at| if at % (NEGATIVES + 1) == 0 { 1.0 } else { 0.0 })
            .collect();
        let right = Tensor::from_vec(right, scores.elem_count(), device)?;
        binary_cross_entropy_with_logit(&scores, &right)
    }
}

/// The numbers of one training step.
#[derive(Default)]
struct Step {
    sentences: usize,
    rows: Vec<u32>,
    context: Vec<u32>,
    words: Vec<u32>,
}

impl Step {
    fn push(&mut self, sentence: &[u32], vocabulary: usize, rng: &mut ChaCha8Rng) {
        self.sentences += 1;
        let words: Vec<u32> = sentence.iter().take(LONGEST).map(|word| word + 1).collect();
        for at in 0..LONGEST {
            self.rows.push(words.get(at).copied().unwrap_or_default());
        }
        for _ in 0..PREDICTED {
            let at = rng.random_range(0..words.len().max(1));
            for back in 1..=CONTEXT {
                let before = at.checked_sub(back).and_then(|at| words.get(at));
                self.context.push(before.copied().unwrap_or_default());
            }
            self.words.push(words.get(at).copied().unwrap_or_default());
            for _ in 0..NEGATIVES {
                let wrong = rng.random_range(0..vocabulary) + 1;
                self.words.push(u32::try_from(wrong).unwrap_or_default());
            }
        }
    }
}

/// Trains the model on sentences of word numbers and gives the vector of every sentence, of length 1.
pub(crate) fn sentence_vectors(
    sentences: &[&[u32]],
    vocabulary: usize,
    seed: u64,
) -> crate::Result<Vec<Vec<f32>>> {
    train(sentences, vocabulary, seed)
        .map_err(|error| crate::Error::Neural(format!("the language model failed: {error}")))
}

fn train(sentences: &[&[u32]], vocabulary: usize, seed: u64) -> Result<Vec<Vec<f32>>> {
    if sentences.is_empty() || vocabulary == 0 {
        return Ok(vec![Vec::new(); sentences.len()]);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let model = Model {
        input: draw_weights(&mut rng, vocabulary + 1, WIDTH)?,
        output: draw_weights(&mut rng, vocabulary + 1, WIDTH)?,
        filters: draw_weights(&mut rng, WINDOW * WIDTH, WIDTH)?,
    };
    let parameters = vec![
        model.input.clone(),
        model.output.clone(),
        model.filters.clone(),
    ];
    let mut optimizer = AdamW::new_lr(parameters, LEARNING_RATE)?;
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let steps = (EPOCHS * sentences.len()).div_ceil(BATCH).min(MOST_STEPS);
    let mut next = order.len();
    for _ in 0..steps {
        let mut step = Step::default();
        for _ in 0..BATCH.min(sentences.len()) {
            if next == order.len() {
                order.shuffle(&mut rng);
                next = 0;
            }
            step.push(sentences[order[next]], vocabulary, &mut rng);
            next += 1;
        }
        optimizer.backward_step(&model.loss(&step)?)?;
    }
    let mut vectors = Vec::with_capacity(sentences.len());
    for batch in sentences.chunks(BATCH) {
        let mut rows = Vec::with_capacity(batch.len() * LONGEST);
        for sentence in batch {
            let words = sentence.iter().map(|word| word + 1);
            rows.extend(words.chain(std::iter::repeat(0)).take(LONGEST));
        }
        let rows = Tensor::from_vec(rows, (batch.len(), LONGEST), &Device::Cpu)?;
        let batch: Vec<Vec<f32>> = model.sentences(&rows)?.to_vec2()?;
        vectors.extend(batch.into_iter().map(of_length_one));
    }
    Ok(vectors)
}

fn of_length_one(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_vectors() -> Result<()> {
        let sentences: Vec<Vec<u32>> = (0..20).map(|n| vec![n, n + 1, 30, n % 3]).collect();
        let views: Vec<&[u32]> = sentences.iter().map(Vec::as_slice).collect();
        let first = train(&views, 31, 7)?;
        assert_eq!(first, train(&views, 31, 7)?);
        assert_ne!(first, train(&views, 31, 8)?);
        assert!(first.iter().flatten().all(|value| value.is_finite()));
        Ok(())
    }

    #[test]
    fn sentences_shorter_than_the_window_and_none_at_all_are_no_trouble() -> Result<()> {
        assert!(train(&[], 0, 1)?.is_empty());
        assert_eq!(train(&[&[0], &[]], 1, 1)?.len(), 2);
        Ok(())
    }
}
