//! The texts of the demo, read once for all steps.

use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::corpus;
use crate::behavior::Example;
use crate::embed::{CorpusCores, Embedder, Impacts, PhraseReader, Phrases, TimeGrain};
use crate::error::Result;
use crate::schema::{Schema, embedded_schema};
use crate::text::{Analysis, Analyzer, Document};

/// The corpus, read.
pub(super) struct Material {
    pub(super) schema: Arc<Schema>,
    pub(super) analyzer: Analyzer,
    /// The texts with their gold trees.
    pub(super) examples: Vec<Example>,
    pub(super) analyses: Vec<Analysis>,
    /// The phrases of their cores.
    pub(super) phrases: Vec<Vec<Phrases>>,
}

impl Material {
    pub(super) fn read() -> Result<Material> {
        let schema = Arc::new(embedded_schema("finance")?);
        let analyzer = Analyzer::new(&schema);
        let reader = PhraseReader::new(&schema, TimeGrain::default());
        let cases = corpus()?;
        let read: Vec<_> = cases
            .par_iter()
            .map(|case| reader.read(&case.document))
            .collect();
        let (analyses, phrases) = read.into_iter().unzip();
        let mut examples = Vec::with_capacity(cases.len());
        for case in cases {
            if let Some(tree) = case.tree {
                examples.push(Example::new(case.document, tree, &analyzer, &schema)?);
            }
        }
        Ok(Material {
            schema,
            analyzer,
            examples,
            analyses,
            phrases,
        })
    }

    pub(super) fn documents(&self) -> impl Iterator<Item = &Document> {
        self.examples.iter().map(|example| &*example.document)
    }

    /// The texts as vectors, and their cores as vectors.
    pub(super) fn impacts(&self, embedder: &Embedder) -> Result<(Impacts, CorpusCores)> {
        let mut impacts = Impacts::of(embedder.model());
        let mut cores = CorpusCores::new(embedder);
        for (document, phrases) in self.documents().zip(&self.phrases) {
            impacts.push(document.id.clone(), &embedder.impact(phrases))?;
            cores.add(embedder, phrases);
        }
        Ok((impacts, cores))
    }
}
