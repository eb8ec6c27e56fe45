//! How near a summary is to the centre of its texts.

use super::material::Material;

/// The centre of the texts (the mean of their tf-idf vectors, each of length 1) and a growing summary.
pub(super) struct Centre {
    /// The candidates' tf-idf, sorted by word.
    vectors: Vec<Vec<(u32, f64)>>,
    /// The centre, of length 1.
    centre: Vec<f64>,
    /// The sum of what was taken.
    summary: Vec<f64>,
    /// The product of the summary with the centre.
    product: f64,
    /// The square of the summary's length.
    square: f64,
}

impl Centre {
    pub(super) fn of(material: &Material) -> Centre {
        let vectors = material.weights(|candidate| &candidate.telling);
        let mut centre = vec![0.0; material.vocabulary];
        let mut from = 0;
        for own in material.candidates.chunk_by(|a, b| a.text == b.text) {
            let mut sum: Vec<(u32, f64)> = vectors[from..from + own.len()].concat();
            from += own.len();
            sum.sort_by_key(|(word, _)| *word);
            sum.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            let length = length(sum.iter().map(|(_, value)| *value));
            for (word, value) in sum {
                centre[word as usize] += value / length;
            }
        }
        let length = length(centre.iter().copied());
        centre.iter_mut().for_each(|value| *value /= length);
        Centre {
            summary: vec![0.0; centre.len()],
            vectors,
            centre,
            product: 0.0,
            square: 0.0,
        }
    }

    /// The cosine of the summary with the centre.
    pub(super) fn cosine(&self) -> f64 {
        cosine(self.product, self.square)
    }

    /// The same with one more candidate.
    pub(super) fn cosine_with(&self, at: usize) -> f64 {
        let (product, square) = self.with(at);
        cosine(product, square)
    }

    /// How much nearer a candidate brings the summary; never less than 0.
    pub(super) fn gain(&self, at: usize) -> f64 {
        (self.cosine_with(at) - self.cosine()).max(0.0)
    }

    pub(super) fn take(&mut self, at: usize) {
        (self.product, self.square) = self.with(at);
        for (word, value) in &self.vectors[at] {
            self.summary[*word as usize] += value;
        }
    }

    pub(super) fn put_back(&mut self, at: usize) {
        for (word, value) in &self.vectors[at] {
            let sum = &mut self.summary[*word as usize];
            self.product -= value * self.centre[*word as usize];
            self.square -= value * (2.0 * *sum - value);
            *sum -= value;
        }
    }

    fn with(&self, at: usize) -> (f64, f64) {
        let (mut product, mut square) = (self.product, self.square);
        for (word, value) in &self.vectors[at] {
            product += value * self.centre[*word as usize];
            square += value * (value + 2.0 * self.summary[*word as usize]);
        }
        (product, square)
    }
}

fn cosine(product: f64, square: f64) -> f64 {
    // What is left of a sum that was taken apart again may be a hair below 0.
    if square > 0.0 {
        product / square.sqrt()
    } else {
        0.0
    }
}

fn length(values: impl Iterator<Item = f64>) -> f64 {
    let square: f64 = values.map(|value| value * value).sum();
    square.sqrt().max(f64::MIN_POSITIVE)
}
