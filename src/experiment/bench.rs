//! All tables over one set of texts, which are read and parsed once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::sizes::{Corpus, table_of_sizes};
use super::{
    Baselines, Comparison, Drawn, GoldLabels, Labels, Material, References, RoundSettings, Sizes,
    Table, report_page, tabulate_baselines, tabulate_labels, tabulate_references, tabulate_rounds,
    tabulate_statistics,
};
use crate::automaton::Engine;
use crate::behavior::{Example, divide_into_folds};
use crate::embed::{ImpactKind, Model};
use crate::error::{Error, Result};
use crate::evaluate::Classifier;
use crate::files;
use crate::schema::Schema;
use crate::summarize::{Landscape, SourceText, SummaryJson, SummaryOptions};
use crate::text::{Analyzer, Document};
use crate::tree::Tree;

/// The name of the page that [`Bench::write_report`] makes.
pub const REPORT_PAGE: &str = "report.html";
/// Summaries and trees on the page.
const SHOWN: usize = 3;
/// One part in so many of the texts with gold trees is scored on.
const HELD_PARTS: usize = 3;

/// The texts of an experiment, read and parsed.
#[derive(Debug)]
pub struct Bench {
    schema: Schema,
    engine: Arc<Engine>,
    texts: Vec<SourceText>,
    gold: BTreeMap<String, Tree>,
    events: Vec<Vec<usize>>,
    landscape: Landscape,
    model: Option<Model>,
    impact: Option<ImpactKind>,
    seed: u64,
}

impl Bench {
    /// Reads and parses the texts on all threads. Without a model, phrase vectors are learned from the
    /// texts. `done` is called for each text.
    pub fn new(
        material: Material,
        schema: Schema,
        engine: Arc<Engine>,
        model: Option<Model>,
        seed: u64,
        done: impl Fn() + Sync,
    ) -> Result<Bench> {
        if material.documents.is_empty() {
            let message = "there is no text to experiment on".to_owned();
            return Err(Error::Empty(message));
        }
        let reader = Analyzer::new(&schema);
        let documents = material.documents.into_par_iter();
        let texts: Vec<SourceText> = documents
            .map(|document| {
                let text =
                    SourceText::read_and_parse(document, &engine, &reader, &Default::default());
                done();
                text
            })
            .collect();
        Ok(Bench {
            landscape: Landscape::of(&texts, &schema, model.clone(), seed)?,
            schema,
            engine,
            texts,
            gold: material.gold,
            events: material.events,
            model,
            impact: None,
            seed,
        })
    }

    /// The same with impacts that are sums or means, whatever the model says.
    pub fn with_impact(mut self, kind: ImpactKind) -> Bench {
        self.landscape = self.landscape.with_impact(kind);
        self.impact = Some(kind);
        self
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True without texts, which no bench is.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The first table: what the corpus is made of.
    pub fn tabulate_statistics(&self) -> Table {
        tabulate_statistics(&self.texts, &self.schema)
    }

    /// The second table: picking near, training far. Where a text has no gold tree, the grammar's own
    /// tree stands in for the label.
    pub fn tabulate_rounds(&self, settings: &RoundSettings) -> Result<Table> {
        let (gold, labelled, known) = self.labelled();
        let all = labelled.len();
        let landscape = if all == self.texts.len() {
            None
        } else {
            Some(self.landscape_of(&labelled)?)
        };
        let landscape = landscape.as_ref().unwrap_or(&self.landscape);
        let grammar = self.engine.grammar();
        let table = tabulate_rounds(landscape, &gold, &grammar.schema, settings)?;
        let grammar = &grammar.name;
        Ok(if known == all {
            table.note("All labels are gold trees.")
        } else {
            table.note(format!(
                "{known} of {all} labels are gold trees; the others are what the grammar `{grammar}` makes of the texts."
            ))
        })
    }

    /// The table of |S1| by the size of the corpus: for every pair of them a grammar is learned by
    /// Algorithm 2, and the clusters of the texts are summarized with it by Algorithm 8. A smaller corpus
    /// is part of a larger one. `done` is told each figure.
    pub fn tabulate_sizes(&self, how: &Sizes, mut done: impl FnMut(&str)) -> Result<Table> {
        let (gold, labelled, known) = self.labelled();
        let classifier = Classifier::of_texts(&self.texts, &self.schema, self.seed)?;
        let order = divide_into_folds(labelled.len(), labelled.len(), self.seed).concat();
        let mut table = table_of_sizes(how);
        let mut sizes: Vec<usize> = how.texts.iter().map(|n| (*n).min(order.len())).collect();
        sizes.dedup();
        for size in sizes {
            let mut places: Vec<usize> = order.iter().copied().take(size).collect();
            places.sort_unstable();
            let texts: Vec<SourceText> = places.iter().map(|at| labelled[*at].clone()).collect();
            let corpus = Corpus {
                landscape: &self.landscape_of(&texts)?,
                texts: &texts,
                gold: &gold,
                grammar: self.engine.grammar(),
                schema: &self.schema,
                classifier: &classifier,
            };
            table.rows.push(corpus.row(how, &mut done)?);
        }
        Ok(table.note(format!(
            "Summaries by `{}` of clusters of about {} texts: the mean Score with 95% intervals over the clusters. \
             {known} of {} labels are gold trees; the others are what the grammar `{}` makes of the texts.",
            how.options.method,
            how.cluster,
            labelled.len(),
            self.engine.grammar().name
        )))
    }

    /// The label of every text (its gold tree, else the grammar's own), the texts that have one, and how
    /// many labels are gold. A text without a single EDU has nothing to label.
    fn labelled(&self) -> (GoldLabels, Vec<SourceText>, usize) {
        let mut known = 0;
        let mut gold = GoldLabels::default();
        let mut labelled = Vec::new();
        for text in &self.texts {
            let own = self.gold.get(&text.document.id).filter(|tree| {
                text.tree()
                    .is_some_and(|parsed| parsed.edus.len() == tree.edus.len())
            });
            known += usize::from(own.is_some());
            if let Some(tree) = own.or(text.tree()) {
                gold.add(&text.document, tree);
                labelled.push(text.clone());
            }
        }
        (gold, labelled, known)
    }

    /// The third table: what a few labels are worth. Scored on the texts and trees that are held back,
    /// or else on a third of the texts with gold trees.
    pub fn tabulate_labels(
        &self,
        held: Option<(BTreeMap<String, Document>, Vec<Tree>)>,
        how: &Labels<'_>,
        done: impl FnMut(&str),
    ) -> Result<Table> {
        let all: Vec<usize> = (0..self.texts.len())
            .filter(|at| self.gold.contains_key(&self.texts[*at].document.id))
            .collect();
        if all.len() < HELD_PARTS {
            return Err(Error::Missing(
                "texts with gold trees are needed: `--trees`, or regression cases".to_owned(),
            ));
        }
        let (seen, held) = match held {
            Some((documents, trees)) => (all, self.pair_held(documents, trees)?),
            None => {
                let apart = divide_into_folds(all.len(), HELD_PARTS, self.seed);
                let apart = apart.first().cloned().unwrap_or_default();
                let is_held = |at: &usize| apart.binary_search(at).is_ok();
                let places = 0..all.len();
                let held = places.clone().filter(is_held);
                let held = held.map(|at| self.example(all[at]));
                let seen = places.filter(|at| !is_held(at)).map(|at| all[at]);
                (seen.collect(), held.collect::<Result<Vec<Example>>>()?)
            }
        };
        let texts: Vec<SourceText> = seen.iter().map(|at| self.texts[*at].clone()).collect();
        let landscape = self.landscape_of(&texts)?;
        let examples = seen.into_iter().map(|at| self.example(at));
        let examples: Vec<Example> = examples.collect::<Result<_>>()?;
        let schema = &self.engine.grammar().schema;
        tabulate_labels(&examples, &landscape.space()?, &held, schema, how, done)
    }

    /// The texts in groups to be summarized: the events that are known, or else clusters of about that
    /// size.
    pub fn groups(&self, size: usize) -> Result<Vec<Vec<SourceText>>> {
        let places = if self.events.is_empty() {
            self.landscape.clusters(size)
        } else {
            self.events.clone()
        };
        let mut groups = Vec::with_capacity(places.len());
        for places in &places {
            let mut group: Vec<SourceText> =
                places.iter().map(|at| self.texts[*at].clone()).collect();
            self.landscape.weigh(&mut group, places, self.seed)?;
            groups.push(group);
        }
        Ok(groups)
    }

    /// The fourth table: summaries of the groups by several methods. `done` is called for each group.
    pub fn tabulate_baselines(
        &self,
        groups: &[Vec<SourceText>],
        how: &Baselines,
        done: impl Fn() + Sync,
    ) -> Result<Comparison> {
        let classifier = Classifier::of_texts(&self.texts, &self.schema, self.seed)?;
        tabulate_baselines(groups, &self.schema, &classifier, how, done)
    }

    /// How many texts have a summary that a person wrote.
    pub fn with_abstracts(&self) -> usize {
        let texts = self.texts.iter();
        texts
            .filter(|text| !text.document.abstracts.is_empty())
            .count()
    }

    /// The table of single texts: summaries against the abstracts that people wrote. `done` is called for each
    /// text.
    pub fn tabulate_references(
        &self,
        options: &SummaryOptions,
        done: impl Fn() + Sync,
    ) -> Result<Table> {
        let how = References::usual(options.clone(), !self.gold.is_empty());
        let reader = Analyzer::new(&self.schema);
        let gold = |id: &str| self.gold.get(id).cloned();
        tabulate_references(&self.texts, gold, &reader, &how, done)
    }

    /// Writes a Markdown and a CSV file for each table, an SVG file for each picture, and one page with
    /// everything.
    pub fn write_report(
        &self,
        folder: &Path,
        tables: &[Table],
        summaries: &[SummaryJson],
    ) -> Result<()> {
        crate::files::disk::make_folder(folder)?;
        let put = |name: String, text: &str| files::replace(&folder.join(name), text.as_bytes());
        for table in tables {
            put(format!("{}.md", table.name), &table.to_markdown())?;
            put(format!("{}.csv", table.name), &table.to_csv())?;
            for picture in &table.pictures {
                put(format!("{}.svg", picture.name), &picture.svg)?;
            }
        }
        let summaries = summaries
            .get(..SHOWN.min(summaries.len()))
            .unwrap_or_default();
        let title = format!("{} texts: the method in figures", self.texts.len());
        let page = report_page(&title, tables, summaries, &self.trees_to_show());
        put(REPORT_PAGE.to_owned(), &page)
    }

    /// A few trees that can be taken in at a glance.
    fn trees_to_show(&self) -> Vec<Drawn<'_>> {
        let mut drawn: Vec<Drawn<'_>> = Vec::new();
        let texts = self.texts.iter();
        for text in texts.filter(|text| text.analysis.edus.len() > 1) {
            let title = text.document.title.as_deref().unwrap_or(&text.document.id);
            let tree = self.gold.get(&text.document.id).or(text.tree());
            drawn.extend(tree.map(|tree| Drawn { title, tree }));
        }
        drawn.sort_by_key(|drawn| drawn.tree.edus.len());
        let from = drawn.len() / 3;
        drawn.into_iter().skip(from).take(SHOWN).collect()
    }

    fn landscape_of(&self, texts: &[SourceText]) -> Result<Landscape> {
        let landscape = Landscape::of(texts, &self.schema, self.model.clone(), self.seed)?;
        Ok(match self.impact {
            Some(kind) => landscape.with_impact(kind),
            None => landscape,
        })
    }

    /// A text with its gold tree.
    fn example(&self, at: usize) -> Result<Example> {
        let text = &self.texts[at];
        let tree = self.gold.get(&text.document.id).cloned();
        let tree = tree.ok_or_else(|| Error::Missing("a gold tree is missing".to_owned()))?;
        self.example_of(text.document.clone(), tree)
    }

    fn example_of(&self, document: Document, tree: Tree) -> Result<Example> {
        let schema = &self.engine.grammar().schema;
        Example::new(document, tree, self.engine.analyzer(), schema)
    }

    /// Trees that are held back with their documents.
    fn pair_held(
        &self,
        mut documents: BTreeMap<String, Document>,
        trees: Vec<Tree>,
    ) -> Result<Vec<Example>> {
        let mut held = Vec::new();
        for tree in trees {
            let id = tree.id.clone().unwrap_or_default();
            if let Some(document) = documents.remove(&*id) {
                held.push(self.example_of(document, tree)?);
            }
        }
        Ok(held)
    }
}
