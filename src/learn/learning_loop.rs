//! Algorithms 2 and 4: the loop.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::{Answer, Division, LabelSource, Labelled, Limit, Round, Row, Rules, Transfer};
use crate::error::{Error, Result};
use crate::setters::setters;
use crate::stopwatch::Stopwatch;

/// What the loop can be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoopOptions {
    /// How near is near.
    pub epsilon: f64,
    /// k: the most texts that people label in a round.
    pub k: usize,
    /// The most texts that people label in all.
    pub limit: Limit,
    /// Which labelled texts a near text adds instances to.
    pub transfer: Transfer,
    /// Whether near texts are picked on when the limit is reached, until none is near. The paper
    /// stops at the limit.
    pub pick_on: bool,
    /// The share of the texts (0 to 1) that shall have labels in the end: when people have labelled
    /// as many texts as they should and none is near, the nearest of the others are picked all the
    /// same, a few at a time, each by its nearest labelled text.
    #[serde(default)]
    pub reach: f64,
}

impl LoopOptions {
    /// A loop that stops when people have labelled as many texts as they should; a near text adds
    /// instances to every labelled text that it is near to.
    pub fn new(epsilon: f64, k: usize, limit: Limit) -> LoopOptions {
        LoopOptions {
            epsilon,
            k,
            limit,
            transfer: Transfer::All,
            pick_on: false,
            reach: 0.0,
        }
    }
}

setters! {
    LoopOptions {
        epsilon: f64,
        k: usize,
        limit: Limit,
        transfer: Transfer,
        pick_on: bool,
        reach: f64,
    }
}

/// The share of all texts that is picked at a time where none is nearer than epsilon.
const STRETCH: f64 = 0.1;

/// How far the loop has come.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// Near texts were picked, and far ones chosen; their labels come next.
    Chosen {
        /// Texts picked near.
        near: usize,
        /// Texts to label.
        far: usize,
    },
    /// A round is finished.
    Round(Row),
    /// Labels are missing: these texts wait, the most worth labelling first.
    Waiting(Vec<u32>),
    /// People have labelled as many texts as they should.
    LimitReached,
    /// Every text has a label.
    AllLabelled,
}

/// The loop of picking near and training far.
pub struct LearningLoop<'a, R: Rules> {
    ids: &'a [String],
    impacts: ArrayView2<'a, f32>,
    options: LoopOptions,
    division: Division<'a>,
    rules: R,
    rounds: Vec<Round<R::Label>>,
    rows: Vec<Row>,
    /// Labels that count for the limit, and those of them that a grammar made.
    asked: usize,
    automatic: usize,
}

impl<'a, R: Rules> LearningLoop<'a, R> {
    /// Begins with representatives, the most worth labelling first; those beyond the limit are left
    /// out. `ids` are the texts' names, a row of `impacts` each; `rules` are empty, or written by
    /// hand.
    pub fn begin(
        ids: &'a [String],
        impacts: ArrayView2<'a, f32>,
        options: LoopOptions,
        rules: R,
        representatives: &[u32],
    ) -> Result<LearningLoop<'a, R>> {
        let limit = options.limit.of(ids.len());
        let first = Round {
            texts: ids.len(),
            pairs: 0,
            near: Vec::new(),
            times: Vec::new(),
            chosen: representatives.iter().copied().take(limit).collect(),
            labels: None,
        };
        LearningLoop::go_on(ids, impacts, options, rules, vec![first])
    }

    /// Goes on behind some rounds, by doing them again; there may be more texts than there were.
    pub fn go_on(
        ids: &'a [String],
        impacts: ArrayView2<'a, f32>,
        options: LoopOptions,
        rules: R,
        rounds: Vec<Round<R::Label>>,
    ) -> Result<LearningLoop<'a, R>> {
        if options.epsilon.is_nan() || options.epsilon <= 0.0 {
            return Err(Error::Usage("epsilon must be above 0".to_owned()));
        }
        if options.k == 0 {
            return Err(Error::Usage("k must be above 0".to_owned()));
        }
        if ids.len() != impacts.nrows() {
            return Err(Error::Mismatch(
                "as many ids as impacts are needed".to_owned(),
            ));
        }
        let mut learner = LearningLoop {
            ids,
            impacts,
            options,
            division: Division::new(impacts),
            rules,
            rounds: Vec::new(),
            rows: Vec::new(),
            asked: 0,
            automatic: 0,
        };
        learner.replay(rounds)?;
        Ok(learner)
    }

    /// Takes the next step: picks near and chooses far, or takes in the labels of what was chosen.
    pub fn step(&mut self, annotator: &mut dyn LabelSource<Label = R::Label>) -> Result<Progress> {
        match self.rounds.last() {
            Some(round) if round.labels.is_none() => self.label(annotator),
            _ => self.pick(),
        }
    }

    /// What has happened, round by round.
    pub fn rounds(&self) -> &[Round<R::Label>] {
        &self.rounds
    }

    /// The finished rounds in figures.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The impacts, a text a row.
    pub fn impacts(&self) -> ArrayView2<'a, f32> {
        self.impacts
    }

    /// S1 and S2.
    pub fn division(&self) -> &Division<'a> {
        &self.division
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The grammar as it stands.
    pub fn grammar(&mut self) -> Result<String> {
        self.rules.grammar()
    }

    /// The name of a text.
    pub fn id(&self, text: u32) -> &'a str {
        self.ids.get(text as usize).map_or("", String::as_str)
    }

    /// How many more texts people may label.
    fn left(&self) -> usize {
        let limit = self.options.limit.of(self.ids.len());
        limit.saturating_sub(self.asked)
    }

    /// How many texts more shall have labels in the end.
    fn wanted(&self) -> usize {
        let reach = (self.options.reach.clamp(0.0, 1.0) * self.ids.len() as f64).ceil() as usize;
        reach.saturating_sub(self.division.labelled())
    }

    /// Picks near (Algorithm 5) and chooses far.
    fn pick(&mut self) -> Result<Progress> {
        if self.division.unlabelled() == 0 {
            return Ok(Progress::AllLabelled);
        }
        let left = self.left();
        let wanted = self.wanted();
        if left == 0 && !self.options.pick_on && wanted == 0 {
            return Ok(Progress::LimitReached);
        }
        let watch = Stopwatch::start();
        let mut near = self
            .division
            .near(self.options.epsilon, self.options.transfer);
        if left == 0 && near.texts.is_empty() {
            if wanted == 0 {
                return Ok(Progress::LimitReached);
            }
            let few = (STRETCH * self.ids.len() as f64).ceil() as usize;
            near = self.division.nearest(few.min(wanted));
        }
        let mut round = Round {
            texts: self.ids.len(),
            pairs: near.pairs,
            near: near.texts,
            times: near.times,
            chosen: Vec::new(),
            labels: None,
        };
        self.enhance(&round)?;
        self.division.take_near(&round.near, round.texts);
        // k' = min(|S12|, k); where nothing is near the paper would stand still for ever, so that
        // k texts are labelled then too.
        let k = match usize::try_from(round.pairs) {
            Ok(0) | Err(_) => self.options.k,
            Ok(pairs) => self.options.k.min(pairs),
        };
        let far = self.division.far(k.min(left));
        round.chosen = far.iter().map(|text| text.number).collect();
        tracing::info!(
            near = round.near.len(),
            pairs = round.pairs,
            far = round.chosen.len(),
            took = %watch,
            "picked near and chose far"
        );
        let progress = Progress::Chosen {
            near: round.near.len(),
            far: round.chosen.len(),
        };
        if round.chosen.is_empty() {
            return self.finish(round, Vec::new()).map(Progress::Round);
        }
        self.rounds.push(round);
        Ok(progress)
    }

    /// Asks for the labels of what was chosen, and takes them in when all are there (Algorithm 6).
    fn label(&mut self, annotator: &mut dyn LabelSource<Label = R::Label>) -> Result<Progress> {
        let Some(round) = self.rounds.pop() else {
            return Ok(Progress::AllLabelled);
        };
        let (mut labels, mut waiting) = (Vec::new(), Vec::new());
        for text in &round.chosen {
            match annotator.label(self.id(*text)) {
                Ok(Answer::Labelled {
                    label,
                    minutes,
                    automatic,
                }) => labels.push(Labelled {
                    label,
                    minutes,
                    automatic,
                }),
                Ok(Answer::Waiting) => waiting.push(*text),
                Err(error) => {
                    self.rounds.push(round);
                    return Err(error);
                }
            }
        }
        if !waiting.is_empty() {
            self.rounds.push(round);
            return Ok(Progress::Waiting(waiting));
        }
        self.finish(round, labels).map(Progress::Round)
    }

    /// Algorithm 6, and the round is done.
    fn finish(
        &mut self,
        mut round: Round<R::Label>,
        labels: Vec<Labelled<R::Label>>,
    ) -> Result<Row> {
        let watch = Stopwatch::start();
        for (text, labelled) in round.chosen.iter().zip(&labels) {
            self.rules.increase(self.id(*text), &labelled.label)?;
        }
        self.division
            .label(round.chosen.iter().map(|text| (*text, *text)));
        self.asked += labels.len();
        self.automatic += labels.iter().filter(|labelled| labelled.automatic).count();
        round.labels = Some(labels);
        let row = Row {
            round: self.rows.len(),
            near: round.near.len(),
            far: round.chosen.len(),
            pairs: round.pairs,
            labelled: self.division.labelled(),
            human: self.asked - self.automatic,
            automatic: self.automatic,
            unlabelled: self.division.unlabelled(),
            sizes: self.rules.sizes(),
            minutes: round.minutes(),
        };
        tracing::info!(
            round = row.round,
            labelled = row.labelled,
            unlabelled = row.unlabelled,
            took = %watch,
            "took in the labels of a round"
        );
        self.rounds.push(round);
        self.rows.push(row.clone());
        Ok(row)
    }

    /// A new round, and Algorithm 5: numbers of instances grow, and nothing else.
    fn enhance(&mut self, round: &Round<R::Label>) -> Result<()> {
        self.rules.begin_round(self.rounds.len());
        let before = self.rules.sizes();
        for (text, times) in &round.times {
            self.rules.enhance(self.id(*text), *times)?;
        }
        if self.rules.sizes() == before {
            Ok(())
        } else {
            Err(Error::Internal(
                "enhancement has changed the types of rules, and not their numbers alone"
                    .to_owned(),
            ))
        }
    }

    /// Does rounds again that were done before.
    fn replay(&mut self, rounds: Vec<Round<R::Label>>) -> Result<()> {
        for mut round in rounds {
            let known = |text: &u32| (*text as usize) < self.ids.len();
            let near = round.near.iter().flat_map(|(text, donor)| [text, donor]);
            let times = round.times.iter().map(|(text, _)| text);
            if !near.chain(times).chain(&round.chosen).all(known) {
                return Err(Error::Damaged(
                    "a round names texts that are not there".to_owned(),
                ));
            }
            self.enhance(&round)?;
            if !self.rows.is_empty() {
                self.division.take_near(&round.near, round.texts);
            }
            match round.labels.take() {
                Some(labels) => {
                    self.finish(round, labels)?;
                }
                None => self.rounds.push(round),
            }
        }
        Ok(())
    }
}
