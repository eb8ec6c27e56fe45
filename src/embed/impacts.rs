//! Algorithm 1: cores as vectors, and texts as the sums or the means of their cores.

use std::path::Path;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::model::Composer;
use super::store::{self, Tensor, inconsistent};
use super::{Model, Phrases, Role};
use crate::error::{Error, Result};
use crate::named::named_enum;

named_enum! {
    /// How the cores of a text make its impact.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        Default,
        Serialize,
        Deserialize,
        schemars::JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum ImpactKind {
        /// Their sum, as printed: long texts lie far from short ones, whatever they tell of.
        Sum = "sum",
        /// Their mean: texts of one topic lie near each other, however long they are.
        #[default]
        Mean = "mean",
    }
}

/// Turns cores into vectors. Built once for a model, shared by threads.
#[derive(Debug, Clone)]
pub struct Embedder {
    model: Model,
    composer: Composer,
}

/// The impact of one text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Impact {
    /// The sum of the text's core vectors.
    pub vector: Vec<f32>,
    /// How many cores it has.
    pub cores: u32,
    /// Where the vectors of its parts come from.
    pub origins: Origins,
}

/// How many parts of cores have a vector, and where from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Origins {
    /// Phrases of the model.
    pub known: u64,
    /// Composed from known words.
    pub composed: u64,
    /// Not a word is known: zero.
    pub unknown: u64,
    /// Parts that the core does not have: zero.
    pub missing: u64,
}

/// The impacts of a corpus.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Impacts {
    /// The texts' ids.
    pub ids: Vec<String>,
    /// How many cores each text has.
    pub cores: Vec<u32>,
    /// Where the vectors of all parts come from.
    pub origins: Origins,
    /// The same of each text; empty when the impacts come from a file.
    pub origins_of: Vec<Origins>,
    kind: ImpactKind,
    width: usize,
    vectors: Vec<f32>,
}

/// An impact, one a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg impact")]
pub struct ImpactJson {
    /// The document's id.
    pub doc: String,
    /// How many cores it has.
    pub cores: u32,
    /// Where the vectors of its parts come from.
    pub origins: Origins,
    /// The sum or the mean of its core vectors: 4 w numbers.
    pub impact: Vec<f32>,
}

impl Embedder {
    /// Prepares a model for texts it has not seen.
    pub fn new(model: Model) -> Embedder {
        let composer = Composer::new(&model);
        Embedder { model, composer }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The vector of a core: (t', a', o', s').
    pub fn core(&self, core: &Phrases) -> Vec<f32> {
        let mut vector = vec![0.0; self.model.dimensions()];
        self.add_core(core, &mut vector, &mut Origins::default());
        vector
    }

    /// The impact of a text: the sum of its core vectors, in their order.
    pub fn impact(&self, cores: &[Phrases]) -> Impact {
        let mut impact = Impact {
            vector: vec![0.0; self.model.dimensions()],
            cores: cores.len() as u32,
            origins: Origins::default(),
        };
        for core in cores {
            self.add_core(core, &mut impact.vector, &mut impact.origins);
        }
        impact
    }

    /// The vector of a phrase, composed from its words if need be; none when no word is known.
    pub fn phrase(&self, role: Role, phrase: &super::Phrase) -> Option<Vec<f32>> {
        match self.model.vocabulary.number(role, &phrase.text()) {
            Some(row) => Some(
                self.model.tables[role.index()]
                    .vector(row as usize)
                    .to_vec(),
            ),
            None => self.composer.compose(&self.model, role, phrase),
        }
    }

    fn add_core(&self, core: &Phrases, vector: &mut [f32], origins: &mut Origins) {
        let width = self.model.parameters.width;
        let blocks = vector.chunks_exact_mut(width);
        for ((role, part), block) in Role::ALL.into_iter().zip(core).zip(blocks) {
            let Some(phrase) = part else {
                origins.missing += 1;
                continue;
            };
            let add = |block: &mut [f32], vector: &[f32]| {
                block.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
            };
            if let Some(row) = self.model.vocabulary.number(role, &phrase.text()) {
                origins.known += 1;
                add(block, self.model.tables[role.index()].vector(row as usize));
            } else if let Some(composed) = self.composer.compose(&self.model, role, phrase) {
                origins.composed += 1;
                add(block, &composed);
            } else {
                origins.unknown += 1;
            }
        }
    }
}

impl Origins {
    /// Adds another count.
    pub fn add(&mut self, other: Origins) {
        self.known += other.known;
        self.composed += other.composed;
        self.unknown += other.unknown;
        self.missing += other.missing;
    }

    /// The share of phrases that the model does not know, composed or not.
    pub fn share_unknown(&self) -> f64 {
        let phrases = self.known + self.composed + self.unknown;
        (self.composed + self.unknown) as f64 / phrases.max(1) as f64
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    ids: Vec<String>,
    origins: Origins,
    /// Files that do not say it have sums.
    #[serde(default = "sum")]
    impact: ImpactKind,
}

fn sum() -> ImpactKind {
    ImpactKind::Sum
}

const KIND: &str = "impacts";

impl Impacts {
    /// No impacts yet, of so many coordinates.
    pub fn new(dimensions: usize, kind: ImpactKind) -> Impacts {
        Impacts {
            width: dimensions,
            kind,
            ..Impacts::default()
        }
    }

    /// No impacts yet, as a model makes them.
    pub fn of(model: &Model) -> Impacts {
        Impacts::new(model.dimensions(), model.parameters.impact)
    }

    /// Whether they are sums or means.
    pub fn kind(&self) -> ImpactKind {
        self.kind
    }

    /// Makes sums or means of them.
    pub fn set_kind(&mut self, kind: ImpactKind) {
        if kind == self.kind || self.width == 0 {
            self.kind = kind;
            return;
        }
        let rows = self.vectors.chunks_exact_mut(self.width);
        for (row, cores) in rows.zip(&self.cores) {
            let cores = (*cores).max(1) as f32;
            match kind {
                ImpactKind::Sum => row.iter_mut().for_each(|x| *x *= cores),
                ImpactKind::Mean => row.iter_mut().for_each(|x| *x /= cores),
            }
        }
        self.kind = kind;
    }

    /// Adds a text's impact.
    pub fn push(&mut self, id: impl Into<String>, impact: &Impact) -> Result<()> {
        if impact.vector.len() != self.width {
            return Err(Error::Mismatch("impacts of different lengths".to_owned()));
        }
        self.ids.push(id.into());
        self.cores.push(impact.cores);
        self.origins.add(impact.origins);
        self.origins_of.push(impact.origins);
        let scale = match self.kind {
            ImpactKind::Sum => 1.0,
            ImpactKind::Mean => impact.cores.max(1) as f32,
        };
        self.vectors.extend(impact.vector.iter().map(|x| x / scale));
        Ok(())
    }

    /// How many texts.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True without texts.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The vectors, a text a row.
    pub fn vectors(&self) -> ArrayView2<'_, f32> {
        // `push` and `load` keep both in step.
        let shape = (self.len(), self.width);
        match ArrayView2::from_shape(shape, &self.vectors) {
            Ok(view) => view,
            Err(_) => ArrayView2::from(&[[0.0_f32; 0]; 0]),
        }
    }

    /// Writes the impacts to a safetensors file: `impacts` has a row a text, `cores` the number of
    /// its cores; the ids are in the header.
    pub fn save(&self, path: &Path) -> Result<()> {
        let header = Header {
            ids: self.ids.clone(),
            origins: self.origins,
            impact: self.kind,
        };
        let shape = [self.len(), self.width];
        let tensors = [
            (
                "impacts".to_owned(),
                Tensor::from_f32(&shape, self.vectors.iter().copied()),
            ),
            (
                "cores".to_owned(),
                Tensor::from_u32(&[self.len()], self.cores.iter().copied()),
            ),
        ];
        store::write(path, KIND, &header, &tensors)
    }

    /// Reads impacts and checks them.
    pub fn load(path: &Path) -> Result<Impacts> {
        let (header, mut stored): (Header, _) = store::read(path, KIND)?;
        let tensor = stored.take("cores")?;
        let cores = tensor
            .to_u32()
            .filter(|cores| cores.len() == header.ids.len());
        let cores = cores.ok_or_else(|| inconsistent("`cores` has another shape"))?;
        let width = stored.width("impacts")?;
        let vectors = stored.take_f32("impacts", header.ids.len(), width)?;
        Ok(Impacts {
            ids: header.ids,
            cores,
            origins: header.origins,
            origins_of: Vec::new(),
            kind: header.impact,
            width,
            vectors,
        })
    }
}
