//! `arsg experiment`: the paper's tables on any corpus.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::embed::ImpactArg;
use super::input::{GrammarArg, SchemaArg, named, text_files};
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees::read_all;
use crate::behavior::{Induction, read_documents};
use crate::embed::Model;
use crate::embed::neighbours::Epsilon;
use crate::error::{Error, Result};
use crate::evaluate::Tokens;
use crate::experiment::{
    Baselines, Bench, Comparison, Labels, Material, REPORT_PAGE, RoundSettings, Sizes, Table,
};
use crate::grammar::Decide;
use crate::json;
use crate::project::Project;
use crate::summarize::{Length, Method};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg experiment                                  all tables on the demo corpus
  arsg experiment all --out report/                the same, with report.html, CSV and SVG files
  arsg experiment statistics news.jsonl
  arsg experiment sizes news.jsonl --sizes 12,24 --texts 100,400 --cluster 40
  arsg experiment baselines news.jsonl --cluster 40 --length 10,5,300w --out report/
  arsg experiment baselines abstracts.jsonl        single texts with an `abstract`
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
    #[command(flatten)]
    impact: ImpactArg,
    /// Gold trees of the texts, found by their ids
    #[arg(long, value_name = "FILE|DIR")]
    trees: Option<PathBuf>,
    /// labels: texts to score on (default: a third of those with gold trees)
    #[arg(long, value_name = "DOCS", requires = "held_trees")]
    held: Option<PathBuf>,
    /// labels: their gold trees
    #[arg(long, value_name = "FILE|DIR", requires = "held")]
    held_trees: Option<PathBuf>,
    /// baselines: texts a cluster, about (the demo corpus has its events) (default: 40; texts with abstracts are
    /// compared one by one) (1 to 1000000)
    #[arg(long, value_name = "TEXTS", value_parser = numbers::whole::<usize>(1, 1000000))]
    cluster: Option<usize>,
    /// baselines: lengths of the summaries
    #[arg(
        long,
        value_name = "N|N%|Nw|Nc,...",
        value_delimiter = ',',
        default_value = "10,5,300w"
    )]
    length: Vec<Length>,
    /// baselines: methods; what the first one gains is told
    #[arg(
        long,
        value_name = "METHOD,...",
        value_delimiter = ',',
        default_value = "arsg,paper,lead,lead-paper,textrank,textrank-paper,mmr,cnnlm"
    )]
    methods: Vec<String>,
    /// rounds: texts of every cube, or one in so many (1 to 1000000)
    #[arg(long, default_value_t = 3, value_parser = numbers::whole::<usize>(1, 1000000))]
    q: usize,
    /// rounds: texts labelled in a round at most, a column each (1 to 1000000)
    #[arg(
        long,
        value_name = "K,...",
        value_delimiter = ',',
        default_value = "3,6", value_parser = numbers::whole::<usize>(1, 1000000))]
    k: Vec<usize>,
    /// rounds: texts labelled in all at most, as a number and as a percentage (0 to 1000000)
    #[arg(
        long,
        value_name = "N,P",
        value_delimiter = ',',
        num_args = 1,
        default_value = "40,50", value_parser = numbers::real::<f64>(0.0, 1000000.0))]
    limit: Vec<f64>,
    /// rounds, sizes: how near is near: a distance, a percentile of the distances of nearest neighbours (p05),
    /// or of the distances from the representatives (r50)
    #[arg(long, default_value = "r50")]
    epsilon: Epsilon,
    /// labels, sizes: how many texts are labelled (1 to 1000000)
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "5,10,20", value_parser = numbers::whole::<usize>(1, 1000000))]
    sizes: Vec<usize>,
    /// sizes: how many texts there are (default: a quarter, half and all of them) (1 to 10000000)
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = numbers::whole::<usize>(1, 10000000))]
    texts: Vec<usize>,
    /// labels, sizes: how the rules of the learned grammars decide (default: weights for labels, counts for
    /// sizes)
    #[arg(long, value_parser = named::<Decide>(&Decide::NAMES))]
    decide: Option<Decide>,
    /// labels: compare cubes also with texts far from each other and with those the grammar is least sure of
    #[arg(long)]
    rivals: bool,
    /// labels: learn from gold trees only, not from error states: five times as fast, a little worse
    #[arg(long)]
    gold_only: bool,
    /// labels: where finished trainings are kept
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Draws that figures are means of (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::whole::<u64>(1, 1000))]
    seeds: u64,
    /// The seed of everything else (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Where Markdown, CSV and SVG files and report.html go; tables are printed as well
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// All of them
    All,
    /// What the corpus is made of
    Statistics,
    /// Picking near, training far
    Rounds,
    /// Labels by texts: the Score of summaries
    Sizes,
    /// What a few labels are worth, chosen by cubes, by rivals or by chance
    Labels,
    /// Summaries by several methods
    Baselines,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let bench = args.bench(terminal)?;
    let wants = |what: What| args.what == What::All || args.what == what;
    let mut tables = Vec::new();
    let mut summaries = Vec::new();
    if wants(What::Statistics) {
        tables.push(bench.tabulate_statistics());
    }
    if wants(What::Rounds) {
        tables.push(bench.tabulate_rounds(&args.round_settings())?);
    }
    if wants(What::Sizes) {
        tables.push(args.tabulate_sizes(&bench, terminal)?);
    }
    if wants(What::Labels) {
        match args.tabulate_labels(&bench, terminal) {
            Ok(table) => tables.push(table),
            Err(error) if args.what == What::All => terminal.note(&format!("no labels: {error}")),
            Err(error) => return Err(error),
        }
    }
    if wants(What::Baselines) && bench.with_abstracts() > 0 {
        tables.push(args.tabulate_references(&bench, terminal)?);
    }
    // Texts with abstracts are texts for themselves: groups of them are compared when asked for.
    if wants(What::Baselines) && (bench.with_abstracts() < bench.len() || args.is_cluster_given()) {
        let found = args.tabulate_baselines(&bench, terminal)?;
        tables.extend(found.tables);
        summaries = found.summaries;
    }
    print(&tables, terminal)?;
    if let Some(folder) = &args.out {
        bench.write_report(folder, &tables, &summaries)?;
        terminal.note(&format!("{}", folder.join(REPORT_PAGE).display()));
    }
    Ok(Outcome::Fine)
}

impl Args {
    /// Reads and parses the texts.
    fn bench(&self, terminal: &Terminal) -> Result<Bench> {
        let material = if self.paths.is_empty() {
            Material::of_demo()?
        } else {
            Material::read(&text_files(&self.paths, terminal)?)?
        };
        let mut material = material;
        if let Some(path) = &self.trees {
            material.add_gold(read_all(path, None, terminal)?);
        }
        let bar = terminal.progress("parsing", Some(material.documents.len() as u64));
        let bench = Bench::new(
            material,
            self.schema.load("finance")?,
            Arc::new(self.grammar.engine()?),
            self.model.as_deref().map(Model::load).transpose()?,
            self.seed,
            || bar.inc(1),
        );
        bar.finish_and_clear();
        let bench = bench?;
        Ok(match self.impact.impact {
            Some(kind) => bench.with_impact(kind),
            None => bench,
        })
    }

    fn round_settings(&self) -> RoundSettings {
        let limit = |at: usize| self.limit.get(at).or(self.limit.first()).copied();
        RoundSettings {
            q: self.q,
            k: self.k.clone(),
            texts: limit(0).unwrap_or(0.0) as usize,
            percent: limit(1).unwrap_or(0.0),
            epsilon: self.epsilon,
            seeds: self.seeds,
        }
    }

    fn tabulate_labels(&self, bench: &Bench, terminal: &Terminal) -> Result<Table> {
        let held = match (&self.held, &self.held_trees) {
            (Some(docs), Some(trees)) => {
                let mut notes = Vec::new();
                let documents = read_documents(docs, &mut notes)?;
                notes.iter().for_each(|note| terminal.note(note));
                Some((documents, read_all(trees, None, terminal)?))
            }
            _ => None,
        };
        let mut induction = Induction {
            decide: self.decide.unwrap_or(Decide::Weights),
            ..Induction::default()
        };
        induction.weights.error_states = !self.gold_only;
        let how = Labels {
            sizes: self.sizes.clone(),
            seeds: self.seeds,
            induction,
            rivals: self.rivals,
            cache: self.cache.as_deref(),
        };
        bench.tabulate_labels(held, &how, |line| terminal.note(line))
    }

    fn tabulate_sizes(&self, bench: &Bench, terminal: &Terminal) -> Result<Table> {
        let all = bench.len();
        let options = Project::summary_settings_here()?.options()?;
        let how = Sizes {
            labels: self.sizes.clone(),
            texts: match self.texts.as_slice() {
                [] => vec![all.div_ceil(4), all.div_ceil(2), all],
                some => some.to_vec(),
            },
            decide: self.decide.unwrap_or(Decide::Counts),
            epsilon: self.epsilon,
            cluster: self.cluster_size(),
            options: options.method(Method::Paper).seed(self.seed),
            seed: self.seed,
        };
        bench.tabulate_sizes(&how, |line| terminal.note(line))
    }

    fn is_cluster_given(&self) -> bool {
        self.cluster.is_some()
    }

    fn cluster_size(&self) -> usize {
        self.cluster.unwrap_or(CLUSTER)
    }

    fn tabulate_references(&self, bench: &Bench, terminal: &Terminal) -> Result<Table> {
        let options = Project::summary_settings_here()?.options()?;
        let bar = terminal.progress("summarizing", Some(bench.with_abstracts() as u64));
        let table = bench.tabulate_references(&options, || bar.inc(1));
        bar.finish_and_clear();
        table
    }

    fn tabulate_baselines(&self, bench: &Bench, terminal: &Terminal) -> Result<Comparison> {
        let methods: Option<Vec<Method>> =
            self.methods.iter().map(|name| Method::find(name)).collect();
        let mut options = Project::summary_settings_here()?.options()?;
        options.seed = self.seed;
        let how = Baselines {
            methods: methods.ok_or_else(|| {
                let known = Method::NAMES.join(", ");
                Error::Usage(format!("`--methods`: known are {known}"))
            })?,
            lengths: self.length.clone(),
            options,
            tokens: Tokens::Characters,
        };
        let groups = bench.groups(self.cluster_size())?;
        let bar = terminal.progress("summarizing", Some(groups.len() as u64));
        let found = bench.tabulate_baselines(&groups, &how, || bar.inc(1));
        bar.finish_and_clear();
        found
    }
}

/// Texts of a cluster, about.
const CLUSTER: usize = 40;

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
