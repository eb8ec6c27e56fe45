//! Algorithm 8, steps 1 to 3: the texts in the space of impacts, their cubes and what these weigh.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::SourceText;
use crate::embed::{
    CoreSet, CorpusCores, Embedder, ImpactKind, Impacts, Model, Parameters, Phrases, Trainer,
    cluster_points, core_phrases,
};
use crate::error::{Error, Result};
use crate::lexcore::Extractor;
use crate::schema::Schema;
use crate::select::{Cores, Cubes, GridKind, Space, Strategy};

/// Texts as impacts, with their cores. Texts without a single core among them have none, and weigh
/// the same.
#[derive(Debug)]
pub struct Landscape {
    known: Option<(Impacts, CorpusCores)>,
    texts: usize,
}

/// Parts of an edge of the space, as `arsg select` divides it.
const DIVISIONS: [u32; 4] = [3; 4];

/// A model that only has to tell a few texts apart is small and soon trained.
const WIDTH: usize = 50;
const MOST_EPOCHS: u32 = 30;

impl Landscape {
    /// Embeds texts that were read with the schema by a model; without one, one is trained on their
    /// own cores.
    pub fn of(
        texts: &[SourceText],
        schema: &Schema,
        model: Option<Model>,
        seed: u64,
    ) -> Result<Landscape> {
        let parameters = Parameters {
            width: WIDTH,
            epochs: MOST_EPOCHS,
            seed,
            ..Parameters::default()
        };
        let grain = model
            .as_ref()
            .map_or(parameters.grain, |model| model.parameters.grain);
        let extractor = Extractor::new(schema);
        let cores: Vec<Vec<Phrases>> = texts
            .par_iter()
            .map(|text| core_phrases(&text.document, &text.analysis, &extractor, grain))
            .collect();
        let model = match model {
            Some(model) => model,
            None if cores.iter().all(Vec::is_empty) => {
                return Ok(Landscape {
                    known: None,
                    texts: texts.len(),
                });
            }
            None => train_model(&cores, parameters)?,
        };
        let embedder = Embedder::new(model);
        let mut impacts = Impacts::of(embedder.model());
        let mut kept = CorpusCores::new(&embedder);
        for (text, cores) in texts.iter().zip(&cores) {
            impacts.push(text.document.id.clone(), &embedder.impact(cores))?;
            kept.add(&embedder, cores);
        }
        Ok(Landscape {
            known: Some((impacts, kept)),
            texts: texts.len(),
        })
    }

    /// The same with impacts that are sums or means, whatever the model says.
    pub fn with_impact(mut self, kind: ImpactKind) -> Landscape {
        if let Some((impacts, _)) = &mut self.known {
            impacts.set_kind(kind);
        }
        self
    }

    /// The impacts of the texts; none where no text has a core.
    pub fn impacts(&self) -> Option<&Impacts> {
        self.known.as_ref().map(|(impacts, _)| impacts)
    }

    /// All texts in their cubes; an error where no text has a core.
    pub fn space(&self) -> Result<Space<'_>> {
        let (impacts, cores) = self.known.as_ref().ok_or_else(|| {
            Error::Empty("no text has a lexical core; look at them with `arsg cores`".to_owned())
        })?;
        let kind = GridKind::Projected { axes: 1 };
        Space::divide(impacts.vectors(), kind, DIVISIONS, cores)
    }

    /// The texts in clusters of about `size`, by their places; each in text order.
    pub fn clusters(&self, size: usize) -> Vec<Vec<usize>> {
        let Some((impacts, _)) = &self.known else {
            return vec![(0..self.texts).collect()];
        };
        let found = cluster_points(impacts.vectors(), size);
        found
            .into_iter()
            .map(|cluster| cluster.members.iter().map(|text| *text as usize).collect())
            .collect()
    }

    /// Gives texts, which stand at `places` among those embedded, the weights of their cubes: how
    /// many of these texts lie there. One text of each cube, drawn by divergence (Algorithm 31 with
    /// q = 1), is its representative.
    pub fn weigh(&self, texts: &mut [SourceText], places: &[usize], seed: u64) -> Result<()> {
        let Some((impacts, cores)) = &self.known else {
            return Ok(());
        };
        let own: Array2<f32> = impacts.vectors().select(Axis(0), places);
        let (kind, some) = (GridKind::Projected { axes: 1 }, OfSome(cores, places));
        let space = Space::divide(own.view(), kind, DIVISIONS, &some)?;
        for cube in space.cubes() {
            for &text in &cube.texts {
                if let Some(text) = texts.get_mut(text as usize) {
                    text.weight = cube.texts.len() as f64;
                    text.is_representative = false;
                }
            }
        }
        for choice in Cubes::Each(1).choose(&space, seed) {
            if let Some(text) = texts.get_mut(choice.text as usize) {
                text.is_representative = true;
            }
        }
        Ok(())
    }
}

/// The cores of some of the texts.
struct OfSome<'a>(&'a CorpusCores, &'a [usize]);

impl Cores for OfSome<'_> {
    fn each(&self, text: u32, see: &mut dyn FnMut(&[f32])) {
        let place = self
            .1
            .get(text as usize)
            .and_then(|at| u32::try_from(*at).ok());
        if let Some(place) = place {
            self.0.each(place, see);
        }
    }
}

fn train_model(cores: &[Vec<Phrases>], parameters: Parameters) -> Result<Model> {
    let mut set = CoreSet::default();
    cores.iter().for_each(|text| set.add(text));
    let mut trainer = Trainer::new(parameters, set, None)?;
    while !trainer.is_finished() && trainer.train_epoch(|_| ())?.is_some() {}
    Ok(trainer.into_model())
}
