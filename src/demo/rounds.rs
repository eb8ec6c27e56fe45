//! The rounds of the demo: gold trees play the people who label.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use ndarray::ArrayView2;

use crate::behavior::{Example, by_counts};
use crate::error::{Error, Result};
use crate::grammar::Grammar;
use crate::learn::{
    Answer, LabelSource, LearningLoop, LoopOptions, Progress, Round, Row, Rules, Sizes,
    division_chart, labels_chart,
};
use crate::schema::Schema;

use super::step::DemoPicture;

/// What the rounds came to.
pub(super) struct Learned {
    /// A row a round.
    pub(super) rows: Vec<Row>,
    /// The grammar by counts, as the paper has it.
    pub(super) grammar: Grammar,
    /// The texts that were labelled by hand, by number.
    pub(super) labelled: Vec<u32>,
    /// How it went.
    pub(super) pictures: Vec<DemoPicture>,
}

/// Runs Algorithms 2, 4, 5 and 6 over the impacts of `examples` from `representatives` on.
pub(super) fn learn(
    examples: &[Example],
    impacts: ArrayView2<'_, f32>,
    representatives: &[u32],
    options: LoopOptions,
    schema: &Arc<Schema>,
) -> Result<Learned> {
    let ids: Vec<String> = examples.iter().map(|e| e.id().to_owned()).collect();
    let by_id = examples.iter().map(|e| (e.id(), e)).collect();
    let mut gold = Gold { by_id };
    let rules = Counted::new(schema);
    let mut learner = LearningLoop::begin(&ids, impacts, options, rules, representatives)?;
    loop {
        match learner.step(&mut gold)? {
            Progress::Chosen { .. } | Progress::Round(_) => {}
            Progress::Waiting(_) => {
                return Err(Error::Missing("a gold tree is missing".to_owned()));
            }
            Progress::LimitReached | Progress::AllLabelled => break,
        }
    }
    let rounds: &[Round<&Example>] = learner.rounds();
    let numbers = 0..rounds.len();
    let busiest = numbers.max_by_key(|at| rounds.get(*at).map_or(0, |round| round.near.len()));
    let busiest = busiest.unwrap_or_default();
    let pictures = vec![
        DemoPicture {
            caption:
                "the texts on the two leading axes of their impacts, in the round that picked most"
                    .to_owned(),
            svg: division_chart(impacts, rounds, busiest).to_svg(),
        },
        DemoPicture {
            caption: "what people label, and what is labelled in the end".to_owned(),
            svg: labels_chart(learner.rows()).to_svg(),
        },
    ];
    let chosen = rounds.iter().flat_map(|round| &round.chosen);
    Ok(Learned {
        labelled: chosen.copied().collect(),
        rows: learner.rows().to_vec(),
        grammar: learner.rules().made(),
        pictures,
    })
}

/// The gold trees.
struct Gold<'e> {
    by_id: BTreeMap<&'e str, &'e Example>,
}

impl<'e> LabelSource for Gold<'e> {
    type Label = &'e Example;

    fn label(&mut self, text: &str) -> Result<Answer<&'e Example>> {
        Ok(match self.by_id.get(text) {
            Some(label) => Answer::Labelled {
                label,
                minutes: None,
                automatic: false,
            },
            None => Answer::Waiting,
        })
    }
}

/// The rough rules of labelled texts, each text with the number of times its rules count.
struct Counted<'e, 's> {
    schema: &'s Arc<Schema>,
    texts: BTreeMap<String, (&'e Example, u64)>,
    /// Types of rules come with new texts alone.
    sizes: OnceCell<Sizes>,
}

impl<'e, 's> Counted<'e, 's> {
    fn new(schema: &'s Arc<Schema>) -> Counted<'e, 's> {
        Counted {
            schema,
            texts: BTreeMap::new(),
            sizes: OnceCell::new(),
        }
    }

    /// The grammar as it stands.
    fn made(&self) -> Grammar {
        let texts = self.texts.values();
        let all = texts.flat_map(|(text, times)| std::iter::repeat_n(*text, *times as usize));
        by_counts(&all.collect::<Vec<_>>(), self.schema)
    }
}

impl<'e> Rules for Counted<'e, '_> {
    type Label = &'e Example;

    fn increase(&mut self, text: &str, label: &&'e Example) -> Result<()> {
        self.texts.insert(text.to_owned(), (label, 1));
        self.sizes = OnceCell::new();
        Ok(())
    }

    fn enhance(&mut self, text: &str, times: u64) -> Result<()> {
        if let Some((_, own)) = self.texts.get_mut(text) {
            *own += times;
        }
        Ok(())
    }

    fn sizes(&self) -> Sizes {
        *self.sizes.get_or_init(|| {
            let texts: Vec<&Example> = self.texts.values().map(|(text, _)| *text).collect();
            let grammar = by_counts(&texts, self.schema);
            Sizes {
                productions: grammar.productions.len(),
                precedences: grammar.preferences.len(),
            }
        })
    }

    fn grammar(&mut self) -> Result<String> {
        Ok(self.made().to_text())
    }
}
