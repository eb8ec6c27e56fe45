//! Learning the tables by loss (100).

mod adam;
mod batch;
mod checkpoint;
mod corruption;
mod evaluation;
mod measure;
mod parameters;
mod reading;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use adam::{Adam, Moments};
use batch::Batch;
use corruption::Corruption;
use measure::{L1, L2};
pub use parameters::{AdamKind, Distance, Parameters};

use super::model::Composer;
use super::seed::{Purpose, stream};
use super::{CoreSet, Model, Quad, ROLES, Table, Vocabulary};
use crate::error::{Error, Result};
use crate::stopwatch::Stopwatch;

/// What an epoch came to.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Default,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[schemars(title = "arsg epoch of training")]
pub struct Epoch {
    /// Counted from 1.
    pub epoch: u32,
    /// The mean loss of a training quadruple with its corruptions, met while training.
    pub loss: f64,
    /// The same of the held-out quadruples, behind the epoch; 0 when none are held out.
    pub held_out_loss: f64,
    /// The mean rank of the true state among all states by distance from t + a + o, over the
    /// held-out quadruples (the training ones when none are held out). Ties count half.
    pub mean_rank: f64,
    /// The share of true states among the nearest ten.
    pub hits_at_10: f64,
}

/// A training under way. It moves epoch by epoch, can be written to a file between epochs and
/// taken up again from there, and ends with the same bytes either way.
pub struct Trainer {
    parameters: Parameters,
    vocabulary: Vocabulary,
    corpora: Vec<String>,
    texts: u64,
    training: Vec<Quad>,
    held_out: Vec<Quad>,
    tables: [Table; ROLES],
    adam: Adam,
    engine: Engine,
    history: Vec<Epoch>,
    /// The tables of the best epoch, by held-out loss.
    best: Option<(Epoch, [Table; ROLES])>,
}

/// The held-out loss has fallen when it is less by this share: a flat one ends the training.
const LEAST_FALL: f64 = 0.005;

/// The loss's distance, chosen at run time.
enum Engine {
    L1(Batch<L1>),
    L2(Batch<L2>),
}

impl Trainer {
    /// A new training on the cores of a corpus. With an earlier model, `cores` must go on from its
    /// vocabulary ([`CoreSet::continuing`]): its vectors are the start, and unless
    /// [`Parameters::move_old`] is set they stay as they are, so that old impacts and new ones can
    /// be compared. New phrases begin as what their known words come to, or at random.
    pub fn new(parameters: Parameters, cores: CoreSet, earlier: Option<&Model>) -> Result<Trainer> {
        parameters.check()?;
        if let Some(model) = earlier
            && model.parameters.width != parameters.width
        {
            return Err(Error::Usage(format!(
                "the model has vectors of {} coordinates, {} are asked for",
                model.parameters.width, parameters.width
            )));
        }
        let hash = cores.hash();
        let texts = cores.texts;
        let old = earlier.map_or([0; ROLES], |model| {
            model.vocabulary.rows().map(|rows| rows - 1)
        });
        let CoreSet {
            vocabulary, quads, ..
        } = cores.without_rare(parameters.min_count, old);
        if quads.is_empty() {
            return Err(Error::Empty(
                "no lexical cores to learn from; look at them with `arsg cores`".to_owned(),
            ));
        }
        let rows = vocabulary.rows();
        let tables = start(&parameters, &vocabulary, earlier);
        let moments = rows.map(|rows| Moments::zeros(rows, parameters.width));
        let frozen = if parameters.move_old { [0; ROLES] } else { old };
        let (training, held_out) = hold_out(quads, &parameters);
        let mut corpora = earlier.map_or_else(Vec::new, |model| model.corpora.clone());
        corpora.push(hash);
        Ok(Trainer {
            engine: Engine::new(&parameters),
            adam: Adam::new(parameters.adam, parameters.learning_rate, moments, frozen),
            texts: texts + earlier.map_or(0, |model| model.texts),
            parameters,
            vocabulary,
            corpora,
            training,
            held_out,
            tables,
            history: Vec::new(),
            best: None,
        })
    }

    /// The epochs so far.
    pub fn history(&self) -> &[Epoch] {
        &self.history
    }

    /// How many quadruples are trained on, and how many held out.
    pub fn sizes(&self) -> (usize, usize) {
        (self.training.len(), self.held_out.len())
    }

    /// True when the last epoch is done, or the held-out loss has not fallen for
    /// [`Parameters::patience`] epochs, by half a percent at least.
    pub fn is_finished(&self) -> bool {
        let done = self.history.len() as u32;
        let (mut least, mut fallen) = (f64::INFINITY, 0);
        for epoch in &self.history {
            if epoch.held_out_loss < least * (1.0 - LEAST_FALL) {
                (least, fallen) = (epoch.held_out_loss, epoch.epoch);
            }
        }
        let stale = self.best.is_some() && done - fallen >= self.parameters.patience;
        done >= self.parameters.epochs || (stale && self.parameters.patience > 0)
    }

    /// Trains one epoch, unless the training is finished; `progress` hears of every batch. A training
    /// whose numbers grow beyond all bounds is an error.
    pub fn train_epoch(&mut self, mut progress: impl FnMut(usize)) -> Result<Option<Epoch>> {
        if self.is_finished() {
            return Ok(None);
        }
        let watch = Stopwatch::start();
        let number = self.history.len() as u32;
        let order = self.order(number);
        let size = self.parameters.batch_size(self.training.len());
        let batches = self.training.len().div_ceil(size) as u64;
        let mut loss = 0.0;
        let mut quads = Vec::with_capacity(size);
        for (at, numbers) in order.chunks(size).enumerate() {
            let training = &self.training;
            numbers
                .par_iter()
                .map(|number| training[*number as usize])
                .collect_into_vec(&mut quads);
            let corruption = Corruption {
                seed: self.parameters.seed,
                purpose: Purpose::Corruption,
                batch: u64::from(number) * batches + at as u64,
                rows: self.vocabulary.rows(),
            };
            let (tables, adam) = (&mut self.tables, &mut self.adam);
            loss += match &mut self.engine {
                Engine::L1(batch) => batch.step(tables, adam, &quads, &corruption),
                Engine::L2(batch) => batch.step(tables, adam, &quads, &corruption),
            };
            progress(quads.len());
        }
        let epoch = self.evaluate(number + 1, loss / self.training.len() as f64);
        self.check_finite(&epoch)?;
        self.history.push(epoch);
        tracing::info!(
            epoch = epoch.epoch,
            cores = self.training.len(),
            loss = epoch.loss,
            took = %watch,
            "trained an epoch"
        );
        let better = |best: &Epoch| epoch.held_out_loss < best.held_out_loss;
        if !self.held_out.is_empty() && self.best.as_ref().is_none_or(|(best, _)| better(best)) {
            self.best = Some((epoch, self.tables.clone()));
        }
        Ok(Some(epoch))
    }

    /// An error where the training has diverged: nothing it would say makes sense any more.
    fn check_finite(&self, epoch: &Epoch) -> Result<()> {
        let figures = [epoch.loss, epoch.held_out_loss, epoch.mean_rank];
        let is_finite = |table: &Table| {
            let rows = (0..table.rows()).into_par_iter();
            rows.all(|row| table.vector(row).iter().all(|value| value.is_finite()))
        };
        if figures.iter().all(|figure| figure.is_finite()) && self.tables.iter().all(is_finite) {
            return Ok(());
        }
        Err(Error::Setting(format!(
            "the training diverged in epoch {}: its vectors grew beyond all bounds; \
             lower the learning rate (it is {}) or the margin (it is {})",
            epoch.epoch, self.parameters.learning_rate, self.parameters.margin
        )))
    }

    /// The model: the tables of the best epoch, or of the last when nothing is held out.
    pub fn into_model(self) -> Model {
        let tables = match self.best {
            Some((_, tables)) => tables,
            None => self.tables,
        };
        Model {
            parameters: self.parameters,
            vocabulary: self.vocabulary,
            corpora: self.corpora,
            texts: self.texts,
            tables,
            history: self.history,
        }
    }

    /// The order of an epoch follows from the seed and its number alone.
    fn order(&self, epoch: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        order.shuffle(&mut stream(
            self.parameters.seed,
            Purpose::Order,
            u64::from(epoch),
        ));
        order
    }
}

impl Engine {
    fn new(parameters: &Parameters) -> Engine {
        let (margin, negatives) = (parameters.margin, parameters.negatives);
        match parameters.distance {
            Distance::L1 => Engine::L1(Batch::new(margin, negatives)),
            Distance::L2 => Engine::L2(Batch::new(margin, negatives)),
        }
    }
}

/// The tables before the first epoch.
fn start(
    parameters: &Parameters,
    vocabulary: &Vocabulary,
    earlier: Option<&Model>,
) -> [Table; ROLES] {
    let rows = vocabulary.rows();
    let composer = earlier.map(Composer::new);
    super::Role::ALL.map(|role| {
        let at = role.index();
        let mut table = match earlier {
            Some(model) => model.tables[at].clone(),
            None => Table::zeros(1, parameters.width),
        };
        let known = table.rows();
        table.grow(rows[at], parameters.seed, at as u64);
        if earlier.is_none() && parameters.shared_words {
            share_words(&mut table, vocabulary, role, parameters.seed);
        }
        if let (Some(model), Some(composer)) = (earlier, &composer) {
            let new = vocabulary.phrases(role).enumerate().skip(known - 1);
            for (row, (phrase, _)) in new {
                if let Some(vector) = composer.compose(model, role, phrase) {
                    table.row_mut(row + 1)[..parameters.width].copy_from_slice(&vector);
                }
            }
        }
        table
    })
}

/// Lets phrases begin as what their words come to, so that phrases with common words begin near each
/// other: most phrases of a small corpus are met once, and no training tells where they belong.
fn share_words(table: &mut Table, vocabulary: &Vocabulary, role: super::Role, seed: u64) {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for (phrase, _) in vocabulary.phrases(role) {
        for word in phrase.words() {
            let next = numbers.len() + 1;
            numbers.entry(word).or_insert(next);
        }
    }
    let width = table.width();
    let mut words = Table::zeros(1, width);
    words.grow(numbers.len() + 1, seed, (ROLES + role.index()) as u64);
    for (row, (phrase, _)) in vocabulary.phrases(role).enumerate() {
        let own: Vec<usize> = phrase
            .words()
            .filter_map(|word| numbers.get(word).copied())
            .collect();
        // Sums of independent vectors grow with the square root of their number.
        let scale = 1.0 / (own.len().max(1) as f32).sqrt();
        let cells = &mut table.row_mut(row + 1)[..width];
        cells.fill(0.0);
        for word in own {
            let vector = words.vector(word);
            cells
                .iter_mut()
                .zip(vector)
                .for_each(|(cell, x)| *cell += scale * x);
        }
    }
}

/// Training and held-out quadruples, both in the order of the corpus.
fn hold_out(quads: Vec<Quad>, parameters: &Parameters) -> (Vec<Quad>, Vec<Quad>) {
    let wanted = parameters.held_out_of(quads.len());
    let mut order: Vec<u32> = (0..quads.len() as u32).collect();
    order.shuffle(&mut stream(parameters.seed, Purpose::HeldOut, 0));
    let mut out = vec![false; quads.len()];
    for number in order.into_iter().take(wanted) {
        out[number as usize] = true;
    }
    let (held_out, training): (Vec<_>, Vec<_>) =
        quads.into_iter().zip(out).partition(|(_, out)| *out);
    let strip = |pairs: Vec<(Quad, bool)>| pairs.into_iter().map(|(quad, _)| quad).collect();
    (strip(training), strip(held_out))
}

#[cfg(test)]
mod tests;
