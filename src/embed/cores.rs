//! The cores of a corpus as vectors, text by text.

use super::{CoreSet, Embedder, Phrases, Quad, Role, Table};

/// The cores of a corpus: every phrase's vector is kept once, a core is four numbers.
#[derive(Debug, Clone)]
pub struct CorpusCores {
    set: CoreSet,
    /// Where the cores of each text end.
    ends: Vec<usize>,
    tables: [Table; super::ROLES],
}

impl CorpusCores {
    /// No texts yet.
    pub fn new(embedder: &Embedder) -> CorpusCores {
        let width = embedder.model().parameters.width;
        CorpusCores {
            set: CoreSet::default(),
            ends: Vec::new(),
            tables: std::array::from_fn(|_| Table::zeros(1, width)),
        }
    }

    /// Adds the cores of the next text.
    pub fn add(&mut self, embedder: &Embedder, cores: &[Phrases]) {
        self.set.add(cores);
        self.ends.push(self.set.quads.len());
        for role in Role::ALL {
            let table = &mut self.tables[role.index()];
            let new = table.rows() as u32..=self.set.vocabulary.len(role) as u32;
            for number in new {
                let phrase = self.set.vocabulary.phrase(role, number);
                let vector = phrase.and_then(|phrase| embedder.phrase(role, phrase));
                table.push(&vector.unwrap_or_default());
            }
        }
    }

    /// The cores of a text, each with its vector (t', a', o', s').
    pub fn of(&self, text: u32) -> impl Iterator<Item = Vec<f32>> + '_ {
        let end = |at: usize| self.ends.get(at).copied().unwrap_or_default();
        let begin = (text as usize).checked_sub(1).map_or(0, end);
        let quads = self.set.quads.get(begin..end(text as usize));
        quads
            .unwrap_or_default()
            .iter()
            .map(|quad| self.vector(quad))
    }

    fn vector(&self, quad: &Quad) -> Vec<f32> {
        let parts = self.tables.iter().zip(quad);
        parts
            .flat_map(|(table, row)| table.vector(*row as usize).iter().copied())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::{Model, Parameters, Phrase, Trainer};

    fn core(parts: [&str; 4]) -> Phrases {
        parts.map(|part| Phrase::new(part.split_whitespace()))
    }

    fn model() -> Option<Model> {
        let mut set = CoreSet::default();
        set.add(&[
            core(["2012-06", "央行", "存款 利率", "下调"]),
            core(["", "", "金价", "上涨"]),
        ]);
        let parameters = Parameters {
            width: 6,
            held_out: 0.0,
            ..Parameters::default()
        };
        Trainer::new(parameters, set, None)
            .ok()
            .map(Trainer::into_model)
    }

    #[test]
    fn cores_come_back_as_the_vectors_that_make_up_the_impact() {
        let embedder = Embedder::new(model().expect("a model"));
        let texts = [
            vec![
                core(["", "", "金价", "上涨"]),
                core(["", "央行", "贷款 利率", "下调"]),
            ],
            vec![],
            vec![core(["2012-06", "外星人", "金价", "上涨"])],
        ];
        let mut cores = CorpusCores::new(&embedder);
        texts.iter().for_each(|text| cores.add(&embedder, text));
        for (number, text) in texts.iter().enumerate() {
            let vectors: Vec<Vec<f32>> = cores.of(number as u32).collect();
            let expected: Vec<Vec<f32>> = text.iter().map(|core| embedder.core(core)).collect();
            assert_eq!(vectors, expected);
        }
        assert_eq!(cores.of(3).count(), 0);
    }
}
