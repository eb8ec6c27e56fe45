//! What the networks share.

use candle_core::{Device, Result, Tensor, Var};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Values drawn evenly around 0 from the seed, as something to be trained: candle's own draws cannot
/// be repeated.
pub(super) fn draw_weights(rng: &mut ChaCha8Rng, rows: usize, columns: usize) -> Result<Var> {
    let reach = (3.0 / columns as f32).sqrt();
    let values: Vec<f32> = (0..rows * columns)
        .map(|_| rng.random_range(-reach..reach))
        .collect();
    Var::from_vec(values, (rows, columns), &Device::Cpu)
}

/// A convolution over rows of words followed by its greatest value over the row:
/// (batch, words, width) to (batch, filters). The filters are (window x width, filters).
pub(super) fn convolve(words: &Tensor, filters: &Tensor, window: usize) -> Result<Tensor> {
    let (batch, length, width) = words.dims3()?;
    let places = length + 1 - window.min(length);
    let views: Vec<Tensor> = (0..window.min(length))
        .map(|shift| words.narrow(1, shift, places))
        .collect::<Result<_>>()?;
    let seen = Tensor::cat(&views, 2)?.reshape((batch * places, window.min(length) * width))?;
    let sums = seen.matmul(filters)?.relu()?;
    sums.reshape((batch, places, ()))?.max(1)
}
