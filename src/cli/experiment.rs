//! `arsg experiment`: the paper's tables on any corpus.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args as ClapArgs, ValueEnum};
use rayon::prelude::*;

use super::Outcome;
use super::induce::read_documents;
use super::input::{GrammarArg, SchemaArg, is_case_file, named, text_files};
use super::terminal::{Output, Terminal};
use super::trees::read_all;
use crate::automaton::Engine;
use crate::automaton::cases::{Case, read_case_file};
use crate::behavior::{Example, Induction, folds};
use crate::demo;
use crate::embed::Model;
use crate::embed::neighbours::Epsilon;
use crate::error::{Error, Result};
use crate::evaluate::{Classifier, Tokens};
use crate::experiment::{
    Baselines, Drawn, Gold, Labels, RoundSettings, Table, baselines, labels, report_page, rounds,
    statistics,
};
use crate::files;
use crate::grammar::Decide;
use crate::json;
use crate::schema::Schema;
use crate::summarize::{Landscape, Length, Method, Settings, SummaryJson, Text};
use crate::text::{Analyzer, Document, corpus};
use crate::tree::Tree;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg experiment                                  all four tables on the demo corpus
  arsg experiment all --out report/                the same, with report.html, CSV and SVG files
  arsg experiment statistics news.jsonl
  arsg experiment baselines news.jsonl --cluster 40 --length 10,5,300w --out report/
  arsg experiment labels docs/ --trees dis/ --held dev-docs/ --held-trees dev-dis/ \\
      --schema general --sizes 5,10,20 --seeds 5 --cache trainings/

Gold trees come with regression cases, or by `--trees`. Where a text has none, the grammar's own tree
plays the label in `rounds`; `labels` needs gold. A stopped run of `labels` goes on from --cache.")]
pub(super) struct Args {
    /// Which table
    #[arg(value_enum, default_value = "all")]
    what: What,
    /// The texts: files or folders (default: the demo corpus)
    #[arg(value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    schema: SchemaArg,
    #[command(flatten)]
    grammar: GrammarArg,
    /// Phrase vectors of the texts (default: learned from them)
    #[arg(long, short, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Gold trees of the texts, found by their ids
    #[arg(long, value_name = "FILE|DIR")]
    trees: Option<PathBuf>,
    /// labels: texts to score on (default: a third of those with gold trees)
    #[arg(long, value_name = "DOCS", requires = "held_trees")]
    held: Option<PathBuf>,
    /// labels: their gold trees
    #[arg(long, value_name = "FILE|DIR", requires = "held")]
    held_trees: Option<PathBuf>,
    /// baselines: texts a cluster, about (the demo corpus has its events)
    #[arg(long, value_name = "TEXTS", default_value_t = 40)]
    cluster: usize,
    /// baselines: lengths of the summaries
    #[arg(
        long,
        value_name = "N|N%|Nw,...",
        value_delimiter = ',',
        default_value = "10,5,300w"
    )]
    length: Vec<Length>,
    /// baselines: methods; what the first one gains is told
    #[arg(
        long,
        value_name = "METHOD,...",
        value_delimiter = ',',
        default_value = "arsg,paper,lead,textrank,mmr,cnnlm"
    )]
    methods: Vec<String>,
    /// rounds: texts of every cube, or one in so many
    #[arg(long, default_value_t = 3)]
    q: usize,
    /// rounds: texts labelled in a round at most, a column each
    #[arg(
        long,
        value_name = "K,...",
        value_delimiter = ',',
        default_value = "3,6"
    )]
    k: Vec<usize>,
    /// rounds: texts labelled in all at most, as a number and as a percentage
    #[arg(
        long,
        value_name = "N,P",
        value_delimiter = ',',
        num_args = 1,
        default_value = "40,50"
    )]
    limit: Vec<f64>,
    /// rounds: how near is near: a distance, or a share of nearest neighbours
    #[arg(long, default_value = "p20")]
    epsilon: Epsilon,
    /// labels: how many texts are labelled
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "5,10,20"
    )]
    sizes: Vec<usize>,
    /// labels: how the rules of the learned grammars decide
    #[arg(long, default_value_t = Decide::Weights, value_parser = named::<Decide>(&Decide::NAMES))]
    decide: Decide,
    /// labels: where finished trainings are kept
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Draws that figures are means of
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// The seed of everything else
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where Markdown, CSV and SVG files and report.html go; tables are printed as well
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// All four
    All,
    /// What the corpus is made of
    Statistics,
    /// Picking near, training far
    Rounds,
    /// What a few labels are worth, chosen by cubes or by chance
    Labels,
    /// Summaries by several methods
    Baselines,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let bench = Bench::prepare(&args, terminal)?;
    let wants = |what: What| args.what == What::All || args.what == what;
    let mut tables = Vec::new();
    let mut summaries = Vec::new();
    if wants(What::Statistics) {
        tables.push(statistics(&bench.texts, &bench.schema));
    }
    if wants(What::Rounds) {
        tables.push(bench.rounds(&args)?);
    }
    if wants(What::Labels) {
        match bench.labels(&args, terminal) {
            Ok(table) => tables.push(table),
            Err(error) if args.what == What::All => terminal.note(&format!("no labels: {error}")),
            Err(error) => return Err(error),
        }
    }
    if wants(What::Baselines) {
        let found = bench.baselines(&args, terminal)?;
        tables.extend(found.tables);
        summaries = found.summaries;
    }
    print(&tables, terminal)?;
    if let Some(folder) = &args.out {
        bench.write(folder, &tables, &summaries)?;
        terminal.note(&format!("{}", folder.join(PAGE).display()));
    }
    Ok(Outcome::Fine)
}

/// The page with everything.
const PAGE: &str = "report.html";
/// Summaries and trees on the page.
const SHOWN: usize = 3;

/// The texts, read and parsed, with what is known of them.
struct Bench {
    schema: Schema,
    engine: Arc<Engine>,
    texts: Vec<Text>,
    gold: BTreeMap<String, Tree>,
    /// Texts that tell of one event, where that is known.
    events: Vec<Vec<usize>>,
    landscape: Landscape,
}

impl Bench {
    fn prepare(args: &Args, terminal: &Terminal) -> Result<Bench> {
        let schema = args.schema.load("finance")?;
        let engine = Arc::new(args.grammar.engine()?);
        let mut gold = BTreeMap::new();
        let mut events = Vec::new();
        let documents = if args.paths.is_empty() {
            let cases = demo::corpus()?;
            events = events_of(&cases);
            taken(cases, &mut gold)
        } else {
            documents(&args.paths, &mut gold, terminal)?
        };
        if documents.is_empty() {
            return Err(Error::Failed(
                "there is no text to experiment on".to_owned(),
            ));
        }
        if let Some(path) = &args.trees {
            for tree in read_all(path, None, terminal)? {
                if let Some(id) = tree.id.clone() {
                    gold.insert(id.to_string(), tree);
                }
            }
        }
        let reader = Analyzer::new(&schema);
        let bar = terminal.progress("parsing", Some(documents.len() as u64));
        let texts: Vec<Text> = documents
            .into_par_iter()
            .map(|document| {
                let text = Text::parsed(document, &engine, &reader, &Default::default());
                bar.inc(1);
                text
            })
            .collect();
        bar.finish_and_clear();
        let model = args.model.as_deref().map(Model::load).transpose()?;
        Ok(Bench {
            landscape: Landscape::of(&texts, &schema, model, args.seed)?,
            schema,
            engine,
            texts,
            gold,
            events,
        })
    }

    fn rounds(&self, args: &Args) -> Result<Table> {
        let mut known = 0;
        let mut gold = Gold::default();
        // A text without a single EDU has nothing to label.
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
        let all = labelled.len();
        let landscape = if all == self.texts.len() {
            None
        } else {
            let model = args.model.as_deref().map(Model::load).transpose()?;
            Some(Landscape::of(&labelled, &self.schema, model, args.seed)?)
        };
        let landscape = landscape.as_ref().unwrap_or(&self.landscape);
        let settings = RoundSettings {
            q: args.q,
            k: args.k.clone(),
            texts: args.limit.first().map_or(0, |limit| *limit as usize),
            percent: args
                .limit
                .get(1)
                .or(args.limit.first())
                .copied()
                .unwrap_or(0.0),
            epsilon: args.epsilon,
            seeds: args.seeds,
        };
        let grammar = self.engine.grammar();
        let table = rounds(landscape, &gold, &grammar.schema, &settings)?;
        let grammar = &grammar.name;
        Ok(if known == all {
            table.note("All labels are gold trees.")
        } else {
            table.note(format!(
            "{known} of {all} labels are gold trees; the others are what the grammar `{grammar}` makes of the texts."
        ))
        })
    }

    fn labels(&self, args: &Args, terminal: &Terminal) -> Result<Table> {
        let schema = Arc::clone(&self.engine.grammar().schema);
        let all: Vec<usize> = (0..self.texts.len())
            .filter(|at| self.gold.contains_key(&self.texts[*at].document.id))
            .collect();
        if all.len() < 3 {
            return Err(Error::Failed(
                "texts with gold trees are needed: `--trees`, or regression cases".to_owned(),
            ));
        }
        let example = |at: usize| {
            let text = &self.texts[at];
            let tree = self.gold.get(&text.document.id).cloned();
            let tree = tree.ok_or_else(|| Error::Failed("a gold tree is missing".to_owned()))?;
            Example::new(text.document.clone(), tree, self.engine.analyzer(), &schema)
        };
        let (seen, held) = match (&args.held, &args.held_trees) {
            (Some(docs), Some(trees)) => {
                let mut documents = read_documents(docs, terminal)?;
                let mut held = Vec::new();
                for tree in read_all(trees, None, terminal)? {
                    let id = tree.id.clone().unwrap_or_default();
                    if let Some(document) = documents.remove(&*id) {
                        let reader = self.engine.analyzer();
                        held.push(Example::new(document, tree, reader, &schema)?);
                    }
                }
                (all, held)
            }
            _ => {
                let apart = folds(all.len(), HELD_PARTS, args.seed);
                let apart = apart.first().cloned().unwrap_or_default();
                let is_held = |at: &usize| apart.binary_search(at).is_ok();
                let places = 0..all.len();
                let held = places.clone().filter(is_held).map(|at| example(all[at]));
                let seen = places.filter(|at| !is_held(at)).map(|at| all[at]);
                (seen.collect(), held.collect::<Result<Vec<Example>>>()?)
            }
        };
        let texts: Vec<Text> = seen.iter().map(|at| self.texts[*at].clone()).collect();
        let model = args.model.as_deref().map(Model::load).transpose()?;
        let landscape = Landscape::of(&texts, &self.schema, model, args.seed)?;
        let examples: Vec<Example> = seen.into_iter().map(example).collect::<Result<_>>()?;
        let how = Labels {
            sizes: args.sizes.clone(),
            seeds: args.seeds,
            induction: Induction {
                decide: args.decide,
                ..Induction::default()
            },
            cache: args.cache.as_deref(),
        };
        let space = landscape.space()?;
        labels(&examples, &space, &held, &schema, &how, |line| {
            terminal.note(line)
        })
    }

    fn baselines(&self, args: &Args, terminal: &Terminal) -> Result<crate::experiment::Comparison> {
        let places = if self.events.is_empty() {
            self.landscape.clusters(args.cluster)
        } else {
            self.events.clone()
        };
        let mut groups = Vec::with_capacity(places.len());
        for places in &places {
            let mut group: Vec<Text> = places.iter().map(|at| self.texts[*at].clone()).collect();
            self.landscape.weigh(&mut group, places, args.seed)?;
            groups.push(group);
        }
        let classifier = Classifier::of_texts(&self.texts, &self.schema, args.seed)?;
        let methods: Option<Vec<Method>> =
            args.methods.iter().map(|name| Method::find(name)).collect();
        let folder = std::env::current_dir().map_err(|error| Error::read(".", error))?;
        let mut options = Settings::of_project(&folder)?.options()?;
        options.seed = args.seed;
        let how = Baselines {
            methods: methods.ok_or_else(|| {
                let known = Method::NAMES.join(", ");
                Error::Usage(format!("`--methods`: known are {known}"))
            })?,
            lengths: args.length.clone(),
            options,
            tokens: Tokens::Characters,
        };
        let bar = terminal.progress("summarizing", Some(groups.len() as u64));
        let found = baselines(&groups, &self.schema, &classifier, &how, || bar.inc(1));
        bar.finish_and_clear();
        found
    }

    /// A Markdown and a CSV file a table, an SVG file a picture, and the page.
    fn write(&self, folder: &Path, tables: &[Table], summaries: &[SummaryJson]) -> Result<()> {
        std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        let put = |name: String, text: &str| files::replace(&folder.join(name), text.as_bytes());
        for table in tables {
            put(format!("{}.md", table.name), &table.to_markdown())?;
            put(format!("{}.csv", table.name), &table.to_csv())?;
            for picture in &table.pictures {
                put(format!("{}.svg", picture.name), &picture.svg)?;
            }
        }
        let mut drawn: Vec<Drawn<'_>> = Vec::new();
        for text in self
            .texts
            .iter()
            .filter(|text| text.analysis.edus.len() > 1)
        {
            let title = text.document.title.as_deref().unwrap_or(&text.document.id);
            let tree = self.gold.get(&text.document.id).or(text.tree());
            drawn.extend(tree.map(|tree| Drawn { title, tree }));
        }
        // Small trees can be taken in at a glance.
        drawn.sort_by_key(|drawn| drawn.tree.edus.len());
        let from = drawn.len() / 3;
        let shown = drawn
            .get(from..(from + SHOWN).min(drawn.len()))
            .unwrap_or_default();
        let summaries = summaries
            .get(..SHOWN.min(summaries.len()))
            .unwrap_or_default();
        let title = format!("{} texts: the method in figures", self.texts.len());
        put(
            PAGE.to_owned(),
            &report_page(&title, tables, summaries, shown),
        )
    }
}

/// One part in so many of the texts with gold trees is scored on.
const HELD_PARTS: usize = 3;

fn print(tables: &[Table], terminal: &Terminal) -> Result<()> {
    let mut out = Output::beside();
    for (at, table) in tables.iter().enumerate() {
        if terminal.json {
            out.write(&json::line(table)?)?;
            continue;
        }
        if at > 0 {
            out.write("\n")?;
        }
        out.write(&table.to_markdown())?;
    }
    out.finish()
}

/// The documents of files and folders; regression cases bring their trees.
fn documents(
    paths: &[PathBuf],
    gold: &mut BTreeMap<String, Tree>,
    terminal: &Terminal,
) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for file in text_files(paths, terminal)? {
        if is_case_file(&file) {
            documents.extend(taken(read_case_file(&file)?.into_result()?, gold));
            continue;
        }
        documents.extend(corpus::open(&file, None)?.flatten());
    }
    Ok(documents)
}

/// The documents of cases, their trees set aside.
fn taken(cases: Vec<Case>, gold: &mut BTreeMap<String, Tree>) -> Vec<Document> {
    let cases = cases.into_iter();
    cases
        .map(|case| {
            if let Some(tree) = case.tree {
                gold.insert(case.document.id.clone(), tree);
            }
            case.document
        })
        .collect()
}

/// Cases that stand in one file tell of one event, but for those that stand alone.
fn events_of(cases: &[Case]) -> Vec<Vec<usize>> {
    let mut events: Vec<Vec<usize>> = Vec::new();
    let mut last = None;
    for (at, case) in cases.iter().enumerate() {
        let name = case.source().name().to_owned();
        if name.contains("singles") {
            continue;
        }
        if last.as_ref() != Some(&name) {
            events.push(Vec::new());
            last = Some(name);
        }
        if let Some(event) = events.last_mut() {
            event.push(at);
        }
    }
    events
}
