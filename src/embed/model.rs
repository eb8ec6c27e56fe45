//! A trained model: four tables with their vocabulary, and how they came about.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::phrase::TimeGrain;
use super::store::{self, Stored, Tensor, inconsistent};
use super::{Epoch, Parameters, Phrase, ROLES, Role, Table, Vocabulary};
use crate::error::Result;

/// A trained model.
#[derive(Debug, Clone)]
pub struct Model {
    /// How it was trained.
    pub parameters: Parameters,
    /// The phrases; their numbers are rows of the tables.
    pub vocabulary: Vocabulary,
    /// The hashes of the corpora it was trained on, the first one first.
    pub corpora: Vec<String>,
    /// How many texts these had.
    pub texts: u64,
    /// The vectors of times, agents, objects and states.
    pub tables: [Table; ROLES],
    /// The epochs of the last training.
    pub history: Vec<Epoch>,
}

/// How much better a model knows the cores it was trained on than others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memorized {
    /// The loss of a held-out core in the best epoch.
    pub held_out: f64,
    /// The loss of a core that was learned, in that epoch.
    pub learned: f64,
}

/// A phrase near another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg near phrase")]
pub struct Near {
    /// The phrase.
    pub phrase: String,
    /// Its distance, by the measure of the training.
    pub distance: f32,
    /// How often it was met.
    pub count: u64,
}

/// The JSON header of a model file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) parameters: Parameters,
    pub(super) corpora: Vec<String>,
    pub(super) texts: u64,
    pub(super) vocabulary: Lists,
}

/// The phrases of a role in the order of their numbers from 1, words separated by spaces, with how
/// often each was met.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lists {
    time: Vec<(String, u64)>,
    agent: Vec<(String, u64)>,
    object: Vec<(String, u64)>,
    state: Vec<(String, u64)>,
}

const KIND: &str = "model";

impl Model {
    /// Writes the model to a safetensors file: `time`, `agent`, `object` and `state` are tables
    /// whose row 0 is the missing phrase; `history` has a row of five numbers an epoch.
    pub fn save(&self, path: &Path) -> Result<()> {
        let header = Header {
            parameters: self.parameters.clone(),
            corpora: self.corpora.clone(),
            texts: self.texts,
            vocabulary: Lists::of(&self.vocabulary),
        };
        let mut tensors = table_tensors("", &self.tables);
        tensors.push(("history".to_owned(), history_tensor(&self.history)));
        store::write(path, KIND, &header, &tensors)
    }

    /// Reads a model file in one go and checks it.
    pub fn load(path: &Path) -> Result<Model> {
        let (header, mut stored): (Header, _) = store::read(path, KIND)?;
        let vocabulary = header.vocabulary.into_vocabulary()?;
        let width = header.parameters.width;
        header
            .parameters
            .check()
            .map_err(|error| inconsistent(&error.to_string()))?;
        let tables = take_tables(&mut stored, "", vocabulary.rows(), width)?;
        Ok(Model {
            history: read_history(&stored.take("history")?)?,
            parameters: header.parameters,
            vocabulary,
            corpora: header.corpora,
            texts: header.texts,
            tables,
        })
    }

    /// The losses of a model that has learned its corpus by heart: held-out cores fare much worse. None
    /// for a model that says something of cores it has not seen, and where none were held out.
    pub fn memorized(&self) -> Option<Memorized> {
        const MUCH: f64 = 2.0;
        let by_loss = |epoch: &&Epoch| (epoch.held_out_loss * 1e6) as u64;
        let best = self.history.iter().min_by_key(by_loss)?;
        let gap = Memorized {
            held_out: best.held_out_loss,
            learned: best.loss,
        };
        (gap.held_out > MUCH * gap.learned).then_some(gap)
    }

    /// Coordinates of a core or an impact: 4 w.
    pub fn dimensions(&self) -> usize {
        ROLES * self.parameters.width
    }

    /// The phrases of a role nearest to a vector, without the phrase numbered `except`; equal
    /// distances in the order of the numbers.
    pub fn near(&self, role: Role, vector: &[f32], except: Option<u32>, count: usize) -> Vec<Near> {
        let table = &self.tables[role.index()];
        let mut all: Vec<(f32, usize)> = (1..table.rows())
            .filter(|row| except != Some(*row as u32))
            .map(|row| {
                (
                    self.parameters.distance.between(vector, table.vector(row)),
                    row,
                )
            })
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let named = all.into_iter().take(count).filter_map(|(distance, row)| {
            let (phrase, count) = self.vocabulary.phrases(role).nth(row - 1)?;
            Some(Near {
                phrase: phrase.text(),
                distance,
                count,
            })
        });
        named.collect()
    }
}

/// Vectors for phrases that a model does not know.
#[derive(Debug, Clone)]
pub(super) struct Composer {
    words: [FxHashMap<Box<str>, u32>; ROLES],
    vectors: [Table; ROLES],
}

impl Composer {
    /// A word's vector is its phrase's, where the word alone is one; else the mean of the phrases
    /// that hold it.
    pub(super) fn new(model: &Model) -> Composer {
        let mut composer = Composer {
            words: Default::default(),
            vectors: std::array::from_fn(|_| Table::zeros(0, model.parameters.width)),
        };
        for role in Role::ALL {
            let table = &model.tables[role.index()];
            let numbers = &mut composer.words[role.index()];
            let mut holders: Vec<Vec<u32>> = Vec::new();
            for (row, (phrase, _)) in model.vocabulary.phrases(role).enumerate() {
                for word in phrase.words() {
                    let next = holders.len() as u32;
                    let number = *numbers.entry(word.into()).or_insert(next);
                    if number == next {
                        holders.push(Vec::new());
                    }
                    holders[number as usize].push(row as u32 + 1);
                }
            }
            #[expect(
                clippy::iter_over_hash_type,
                reason = "every word has a place of its own"
            )]
            for (word, number) in numbers.iter() {
                if let Some(row) = model.vocabulary.number(role, word) {
                    holders[*number as usize] = vec![row];
                }
            }
            let means = holders.iter().flat_map(|rows| {
                mean(
                    rows.iter().map(|row| table.vector(*row as usize)),
                    table.width(),
                )
            });
            composer.vectors[role.index()] =
                Table::from_flat(table.width(), &means.collect::<Vec<_>>());
        }
        composer
    }

    /// The mean of the words that are known; for times first the coarser time. None when nothing
    /// is known.
    pub(super) fn compose(&self, model: &Model, role: Role, phrase: &Phrase) -> Option<Vec<f32>> {
        if role == Role::Time {
            let mut name = phrase.spaced();
            while let Some(coarser) = TimeGrain::coarser(name) {
                if let Some(row) = model.vocabulary.number(role, coarser) {
                    return Some(model.tables[role.index()].vector(row as usize).to_vec());
                }
                name = coarser;
            }
        }
        let vectors = &self.vectors[role.index()];
        let words = &self.words[role.index()];
        let known: Vec<u32> = phrase
            .words()
            .filter_map(|word| words.get(word).copied())
            .collect();
        let known_vectors = known.iter().map(|number| vectors.vector(*number as usize));
        (!known.is_empty()).then(|| mean(known_vectors, vectors.width()))
    }
}

fn mean<'a>(vectors: impl ExactSizeIterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let count = vectors.len().max(1) as f64;
    let mut sums = vec![0.0_f64; width];
    for vector in vectors {
        for (sum, x) in sums.iter_mut().zip(vector) {
            *sum += f64::from(*x);
        }
    }
    sums.iter().map(|sum| (sum / count) as f32).collect()
}

impl Lists {
    pub(super) fn of(vocabulary: &Vocabulary) -> Lists {
        let [time, agent, object, state] = Role::ALL.map(|role| {
            let phrases = vocabulary.phrases(role);
            phrases
                .map(|(phrase, count)| (phrase.spaced().to_owned(), count))
                .collect()
        });
        Lists {
            time,
            agent,
            object,
            state,
        }
    }

    pub(super) fn into_vocabulary(self) -> Result<Vocabulary> {
        let mut vocabulary = Vocabulary::default();
        let lists = [self.time, self.agent, self.object, self.state];
        for (role, list) in Role::ALL.into_iter().zip(lists) {
            for (at, (spaced, count)) in list.into_iter().enumerate() {
                let phrase = Phrase::new([spaced.as_str()]);
                let number = phrase.map(|phrase| vocabulary.add(role, phrase, count));
                if number != Some(at as u32 + 1) {
                    return Err(inconsistent(&format!("the phrase `{spaced}` stands twice")));
                }
            }
        }
        Ok(vocabulary)
    }
}

/// The four tables, named by their roles behind a prefix.
pub(super) fn table_tensors(prefix: &str, tables: &[Table; ROLES]) -> Vec<(String, Tensor)> {
    let each = Role::ALL.into_iter().zip(tables);
    each.map(|(role, table)| {
        let shape = [table.rows(), table.width()];
        let tensor = Tensor::from_f32(&shape, table.flat());
        (format!("{prefix}{}", role.as_str()), tensor)
    })
    .collect()
}

/// Reads the four tables back.
pub(super) fn take_tables(
    stored: &mut Stored,
    prefix: &str,
    rows: [usize; ROLES],
    width: usize,
) -> Result<[Table; ROLES]> {
    let mut tables = rows.map(|_| Table::zeros(0, width));
    for role in Role::ALL {
        let name = format!("{prefix}{}", role.as_str());
        let flat = stored.take_f32(&name, rows[role.index()], width)?;
        tables[role.index()] = Table::from_flat(width, &flat);
    }
    Ok(tables)
}

/// Floating point numbers go into an array, since JSON would round them.
pub(super) fn history_tensor(history: &[Epoch]) -> Tensor {
    let rows = history.iter().flat_map(|epoch| {
        [
            f64::from(epoch.epoch),
            epoch.loss,
            epoch.held_out_loss,
            epoch.mean_rank,
            epoch.hits_at_10,
        ]
    });
    Tensor::from_f64(&[history.len(), 5], rows)
}

pub(super) fn read_history(tensor: &Tensor) -> Result<Vec<Epoch>> {
    let numbers = tensor.to_f64().ok_or_else(|| inconsistent("`history`"))?;
    let (rows, _) = numbers.as_chunks::<5>();
    let epochs = rows.iter().map(
        |&[epoch, loss, held_out_loss, mean_rank, hits_at_10]| Epoch {
            epoch: epoch as u32,
            loss,
            held_out_loss,
            mean_rank,
            hits_at_10,
        },
    );
    Ok(epochs.collect())
}

#[cfg(test)]
mod tests;
