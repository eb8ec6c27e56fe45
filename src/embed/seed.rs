//! Randomness that is part of the result: the same on every machine, for any number of threads.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What random numbers are for; each purpose has streams of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// The first values of a table's row.
    Start,
    /// Which cores are held out.
    HeldOut,
    /// The order of an epoch.
    Order,
    /// Corrupted parts.
    Corruption,
    /// Corrupted parts of held-out cores: the same in every epoch.
    HeldOutCorruption,
    /// Random pairs of texts.
    Pairs,
    /// Rows from which principal axes are estimated.
    Axes,
    /// Texts drawn from a cube, or from all.
    Selection,
    /// What a made-up event is about.
    Event,
    /// What a made-up text says.
    MadeText,
}

/// The stream of numbers for one piece of work.
pub(crate) fn stream(seed: u64, purpose: Purpose, index: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = purpose as u8;
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream(index);
    random
}
