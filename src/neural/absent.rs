//! What stands in for the neural parts in a build without them.

use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};

/// A classifier that cannot be made.
pub(crate) enum TextClassifier {}

impl TextClassifier {
    pub(crate) fn train(
        _labelled: &mut [(String, u32)],
        _classes: usize,
        _epochs: usize,
        _rng: &mut ChaCha8Rng,
    ) -> Result<TextClassifier> {
        Err(left_out())
    }

    pub(crate) fn predict<S: AsRef<str>>(&self, _texts: &[S]) -> Result<Vec<u32>> {
        match *self {}
    }
}

pub(crate) fn sentence_vectors(
    _sentences: &[&[u32]],
    _vocabulary: usize,
    _seed: u64,
) -> Result<Vec<Vec<f32>>> {
    Err(left_out())
}

fn left_out() -> Error {
    let message = "this build of arsg has no neural parts; build it with the feature `neural`";
    Error::Neural(message.to_owned())
}
