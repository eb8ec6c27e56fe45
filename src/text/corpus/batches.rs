//! Working through a corpus with all cores, in bounded memory and in order.

use rayon::prelude::*;

use super::Skip;
use crate::error::Result;
use crate::stopwatch::Stopwatch;
use crate::text::Document;

/// A batch ends at so many documents, or bytes of text. The first batch is small and each one is
/// twice the one before, so that the first results are there soon.
const FIRST_BATCH: usize = 16;
const BATCH_DOCUMENTS: usize = 512;
const BATCH_BYTES: usize = 8 << 20;

/// Does `work` on every document on all threads and hands the results to `sink` in the order of
/// the corpus, so that the output does not depend on the number of threads. Only a batch of
/// documents is in memory at a time.
pub fn process_in_batches<T: Send>(
    corpus: impl Iterator<Item = std::result::Result<Document, Skip>>,
    work: impl Fn(Document) -> T + Sync,
    mut sink: impl FnMut(std::result::Result<T, Skip>) -> Result<()>,
) -> Result<()> {
    let mut batch = Vec::with_capacity(BATCH_DOCUMENTS);
    let mut bytes = 0;
    let mut most = FIRST_BATCH;
    let mut flush = |batch: &mut Vec<std::result::Result<Document, Skip>>| -> Result<()> {
        let watch = Stopwatch::start();
        let records = batch.len();
        let results: Vec<_> = batch
            .par_drain(..)
            .with_max_len(16)
            .map(|item| item.map(&work))
            .collect();
        tracing::info!(records, took = %watch, "worked through a batch");
        results.into_iter().try_for_each(&mut sink)
    };
    for item in corpus {
        bytes += item.as_ref().map_or(0, |document| document.text.len());
        batch.push(item);
        if batch.len() >= most || bytes >= BATCH_BYTES {
            flush(&mut batch)?;
            bytes = 0;
            most = (most * 2).min(BATCH_DOCUMENTS);
        }
    }
    flush(&mut batch)
}
