//! A convolutional classifier of short texts over their characters.

use candle_core::{D, Device, Result, Tensor, Var};
use candle_nn::{AdamW, Optimizer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use super::layers::{convolve, draw_weights};

/// Coordinates of a character.
const WIDTH: usize = 32;
/// Filters of each window.
const FILTERS: usize = 32;
/// Neighbouring characters that filters see at once.
const WINDOWS: [usize; 3] = [2, 3, 4];
/// Characters of a title that are read.
const LONGEST: usize = 48;
const BATCH: usize = 64;
const LEARNING_RATE: f64 = 0.004;

/// A trained classifier: a text to the number of its class.
pub(crate) struct TextClassifier {
    characters: FxHashMap<char, u32>,
    vectors: Var,
    filters: Vec<Var>,
    output: Var,
}

impl TextClassifier {
    /// Trains on texts with the numbers of their classes.
    pub(crate) fn train(
        labelled: &mut [(String, u32)],
        classes: usize,
        epochs: usize,
        rng: &mut ChaCha8Rng,
    ) -> crate::Result<TextClassifier> {
        fit(labelled, classes, epochs, rng).map_err(report_failure)
    }

    /// The class of each text.
    pub(crate) fn predict<S: AsRef<str>>(&self, texts: &[S]) -> crate::Result<Vec<u32>> {
        let mut found = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let rows: Vec<u32> = batch.iter().flat_map(|t| self.row(t.as_ref())).collect();
            let scores = self.scores(&rows, batch.len()).map_err(report_failure)?;
            let best = scores.argmax(D::Minus1).map_err(report_failure)?;
            found.extend(best.to_vec1::<u32>().map_err(report_failure)?);
        }
        Ok(found)
    }

    /// A text as numbers of characters; 0 pads and stands for the unknown.
    fn row(&self, text: &str) -> Vec<u32> {
        let numbers = text
            .chars()
            .filter(|c| c.is_alphanumeric())
            .map(|c| self.characters.get(&c).copied().unwrap_or_default());
        numbers.chain(std::iter::repeat(0)).take(LONGEST).collect()
    }

    fn scores(&self, rows: &[u32], batch: usize) -> Result<Tensor> {
        let rows = Tensor::from_slice(rows, rows.len(), &Device::Cpu)?;
        let text = self.vectors.index_select(&rows, 0)?;
        let text = text.reshape((batch, LONGEST, WIDTH))?;
        let mut seen = Vec::with_capacity(WINDOWS.len());
        for (filters, window) in self.filters.iter().zip(WINDOWS) {
            seen.push(convolve(&text, filters, window)?);
        }
        Tensor::cat(&seen, 1)?.matmul(&self.output)
    }
}

fn report_failure(error: candle_core::Error) -> crate::Error {
    crate::Error::Neural(format!("the text classifier failed: {error}"))
}

fn fit(
    labelled: &mut [(String, u32)],
    classes: usize,
    epochs: usize,
    rng: &mut ChaCha8Rng,
) -> Result<TextClassifier> {
    let mut characters: FxHashMap<char, u32> = FxHashMap::default();
    for c in labelled.iter().flat_map(|(title, _)| title.chars()) {
        let next = u32::try_from(characters.len() + 1).unwrap_or_default();
        if c.is_alphanumeric() {
            characters.entry(c).or_insert(next);
        }
    }
    let classifier = TextClassifier {
        vectors: draw_weights(rng, characters.len() + 1, WIDTH)?,
        filters: WINDOWS
            .iter()
            .map(|window| draw_weights(rng, window * WIDTH, FILTERS))
            .collect::<Result<_>>()?,
        output: draw_weights(rng, WINDOWS.len() * FILTERS, classes)?,
        characters,
    };
    let mut parameters = vec![classifier.vectors.clone(), classifier.output.clone()];
    parameters.extend(classifier.filters.iter().cloned());
    let mut optimizer = AdamW::new_lr(parameters, LEARNING_RATE)?;
    for _ in 0..epochs {
        labelled.shuffle(rng);
        for batch in labelled.chunks(BATCH) {
            let mut rows = Vec::with_capacity(batch.len() * LONGEST);
            for (title, _) in batch {
                rows.extend(drop_some(classifier.row(title), rng));
            }
            let labels: Vec<u32> = batch.iter().map(|(_, class)| *class).collect();
            let labels = Tensor::from_vec(labels, batch.len(), &Device::Cpu)?;
            let scores = classifier.scores(&rows, batch.len())?;
            let loss = candle_nn::loss::cross_entropy(&scores, &labels)?;
            optimizer.backward_step(&loss)?;
        }
    }
    Ok(classifier)
}

/// Characters are left out now and then, so that no single one is relied on.
fn drop_some(mut row: Vec<u32>, rng: &mut ChaCha8Rng) -> Vec<u32> {
    const LEFT_OUT: f64 = 0.05;
    for number in &mut row {
        if rng.random_bool(LEFT_OUT) {
            *number = 0;
        }
    }
    row
}
