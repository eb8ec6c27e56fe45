//! The table of |S1| by the size of the corpus: what labels and texts are worth in summaries.

use std::sync::Arc;

use rayon::prelude::*;

use super::{GoldLabels, Interval, Table};
use crate::automaton::Engine;
use crate::embed::neighbours::Epsilon;
use crate::error::Result;
use crate::evaluate::{Classifier, Judge, Tokens};
use crate::grammar::{Decide, Grammar};
use crate::learn::{Gain, GrammarRules, LearningLoop, Limit, LoopOptions, Progress};
use crate::schema::Schema;
use crate::select::{Cubes, Strategy};
use crate::summarize::{Landscape, SourceText, SummaryOptions, summarize};
use crate::text::Analyzer;

/// What is varied, and how grammars are learned and summaries made.
#[derive(Debug, Clone)]
pub struct Sizes {
    /// How many texts are labelled: a column each.
    pub labels: Vec<usize>,
    /// How many texts there are: a row each.
    pub texts: Vec<usize>,
    /// How the rules of the learned grammars decide.
    pub decide: Decide,
    /// How near is near.
    pub epsilon: Epsilon,
    /// Texts a cluster, about.
    pub cluster: usize,
    /// What summaries are like.
    pub options: SummaryOptions,
    /// The seed of what is drawn.
    pub seed: u64,
}

/// A corpus of one row.
pub(super) struct Corpus<'c> {
    pub(super) texts: &'c [SourceText],
    pub(super) landscape: &'c Landscape,
    pub(super) gold: &'c GoldLabels,
    /// The grammar whose boundary rules cut the texts, and its schema.
    pub(super) grammar: &'c Grammar,
    /// The schema of the summaries.
    pub(super) schema: &'c Schema,
    pub(super) classifier: &'c Classifier,
}

/// An empty table for these sizes.
pub(super) fn table_of_sizes(how: &Sizes) -> Table {
    let mut table = Table::new("sizes", "Labels by texts: the Score of summaries", &[]);
    table.head = vec!["texts".to_owned()];
    let columns = how.labels.iter().map(|labels| format!("|S1| = {labels}"));
    table.head.extend(columns);
    table
}

impl Corpus<'_> {
    /// A row: for each number of labels the mean Score of the summaries of all clusters.
    pub(super) fn row(&self, how: &Sizes, mut done: impl FnMut(&str)) -> Result<Vec<String>> {
        let mut row = vec![self.texts.len().to_string()];
        for &labels in &how.labels {
            let engine = Engine::new(self.learn(labels, how)?);
            let scores = self.scores(&engine, how)?;
            let score = Interval::of(&scores);
            done(&format!(
                "{} texts, {labels} labels: {} in {} clusters",
                self.texts.len(),
                score.to_text(1),
                scores.len()
            ));
            row.push(score.to_text(1));
        }
        Ok(row)
    }

    /// Algorithm 2 with so many labels.
    fn learn(&self, labels: usize, how: &Sizes) -> Result<Grammar> {
        let schema: &Arc<Schema> = &self.grammar.schema;
        let space = self.landscape.space()?;
        let mut chosen = Cubes::Each(labels).choose(&space, how.seed);
        chosen.truncate(labels);
        let chosen: Vec<u32> = chosen.iter().map(|choice| choice.text).collect();
        let points = space.impacts();
        let epsilon = how.epsilon.measure(points, &chosen).max(f64::MIN_POSITIVE);
        let limit = Limit::Texts(labels);
        let options = LoopOptions::new(epsilon, limit.usual_k(self.texts.len()), limit);
        let rules = GrammarRules::new(schema, &schema.name, how.decide, Gain::Damped);
        let rules = rules.with_cutting(self.grammar)?;
        let ids: Vec<String> = self.texts.iter().map(|t| t.document.id.clone()).collect();
        let options = options.pick_on(true);
        let mut learner = LearningLoop::begin(&ids, points, options, rules, &chosen)?;
        let mut people = self.gold.clone();
        while let Progress::Chosen { .. } | Progress::Round(_) = learner.step(&mut people)? {}
        learner.rules().learned()
    }

    /// Algorithm 8 over the clusters of the texts.
    fn scores(&self, engine: &Engine, how: &Sizes) -> Result<Vec<f64>> {
        let reader = Analyzer::new(self.schema);
        let clusters = self.landscape.clusters(how.cluster);
        let each = clusters.par_iter().map(|places| {
            let texts = places.iter().filter_map(|at| self.texts.get(*at));
            let mut texts: Vec<SourceText> = texts.cloned().collect();
            self.landscape.weigh(&mut texts, places, how.seed)?;
            for text in &mut texts {
                if how.options.method.reads_tree(text) {
                    text.parse(engine, &Default::default());
                }
            }
            let summary = summarize(&texts, &how.options)?;
            let units = summary.lines.iter().map(|line| line.shown.as_str());
            let units: Vec<&str> = units.collect();
            let (schema, judge) = (self.schema, Some(self.classifier));
            let found = Judge::new(&texts, schema, &reader, Tokens::Characters, judge)?;
            Ok(found.evaluate(&units, judge)?.score)
        });
        each.collect()
    }
}
