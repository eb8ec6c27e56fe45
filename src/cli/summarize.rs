//! `arsg summarize`: one summary of many texts, or one of each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use rayon::prelude::*;

use super::Outcome;
use super::digest::report_left_out;
use super::embed::ImpactArg;
use super::input::{
    GrammarArg, InputArgs, SchemaArg, SearchArgs, StructureArg, named, report_skips,
};
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees;
use crate::automaton::Engine;
use crate::diagnostic::Source;
use crate::embed::Model;
use crate::error::{Error, Result};
use crate::json;
use crate::project::Project;
use crate::schema::Schema;
use crate::summarize::digest::LeftOut;
use crate::summarize::{
    Fit, Landscape, Length, Method, Order, Priority, SourceText, SummaryJson, SummaryLayout,
    SummaryOptions, UnitKind, contradictions, summarize, to_markdown, to_page, to_text,
};
use crate::text::{Analyzer, Document, Script, script_of};
use crate::tree::Tree;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg summarize news.jsonl --length 300w              one summary of all texts, at most 300 words
  arsg summarize news.jsonl --cluster=40 -n 300w       clusters of about 40 texts, a summary each
  arsg summarize text.txt --explain                    a text in a fifth of its length, and why so
  arsg summarize docs/ --trees gold/ --method paper    Algorithms 7 and 8 over trees at hand
  arsg summarize docs/ --each --json                   a summary a text, one object a line

`[summarize]` in the project's `arsg.toml` may set length, priority, redundancy, `[summarize.relations]`
(what satellite steps cost) and `[summarize.tastes]`; what is given here counts more.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    #[command(flatten)]
    schema: SchemaArg,
    #[command(flatten)]
    grammar: GrammarArg,
    #[command(flatten)]
    search: SearchArgs,
    /// Phrase vectors that tell how much the texts weigh (default: learned from the texts)
    #[arg(long, short, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// How units are chosen
    #[arg(long, default_value_t = Method::Arsg, value_parser = named::<Method>(&Method::NAMES))]
    method: Method,
    /// N EDUs, N% of the texts' EDUs, Nw words (marks not counted), Nc or N字 characters; at least one unit
    /// (default: `auto`, a fifth of the characters, at most 200 a text and 600 in all; 10 EDUs for what the paper
    /// prints)
    #[arg(long, short = 'n', value_name = "N|N%|Nw|Nc|auto")]
    length: Option<Length>,
    /// Never longer than that, or to the unit that comes nearest (default: nearest for one text, at-most otherwise)
    #[arg(long, value_parser = named::<Fit>(&Fit::NAMES))]
    fit: Option<Fit>,
    /// What is chosen (default: EDUs for `paper`, sentences otherwise)
    #[arg(long, value_parser = named::<UnitKind>(&UnitKind::NAMES))]
    unit: Option<UnitKind>,
    /// The order of the lines: as in the texts, or as chosen (default: as chosen for what the paper prints)
    #[arg(long)]
    order: Option<OrderArg>,
    /// With `paper`: let every EDU bring what it needs to be read
    #[arg(long)]
    whole: bool,
    /// Skip units whose ROUGE-1 F1 with a chosen one is greater; 1 skips none (default: 0.5, and 1 for what the
    /// paper prints) (0 to 1)
    #[arg(long, value_name = "F1", value_parser = numbers::real::<f64>(0.0, 1.0))]
    redundancy: Option<f64>,
    /// The priority function of `paper`, over weight, rank, place, edus and texts
    /// (default: weight / rank)
    #[arg(long, value_name = "FORMULA")]
    priority: Option<String>,
    /// Rhetorical trees of the texts (a file or folder, any tree format), found by the texts' ids
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "grammar")]
    trees: Option<PathBuf>,
    /// Weights of the texts: lines of `ID<tab>WEIGHT`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "cluster"])]
    weights: Option<PathBuf>,
    /// A summary of each text in place of one of all
    #[arg(long, conflicts_with = "cluster")]
    each: bool,
    /// A summary of each cluster of about so many texts (1 to 1000000)
    #[arg(
        long,
        value_name = "TEXTS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "120",
        value_parser = numbers::whole::<u32>(1, 1000000)
    )]
    cluster: Option<u32>,
    #[command(flatten)]
    impact: ImpactArg,
    /// Read texts that are not Chinese, too
    #[arg(long)]
    any_language: bool,
    /// Say of every line where it comes from, and why it was taken
    #[arg(long)]
    explain: bool,
    /// How the summary is written (--json: as one line of JSON)
    #[arg(long, default_value = "text")]
    format: FormatArg,
    /// The seed of what is drawn and trained (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Where the summary goes (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderArg {
    Source,
    Priority,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    Text,
    Markdown,
    Json,
    Html,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = args.schema.load("finance")?;
    let options = options(&args)?;
    let source = Trees::open(&args, terminal)?;
    if args.each {
        return run_each(&args, &schema, &source, &options, terminal);
    }
    let texts = texts(&args, &schema, &source, terminal)?;
    let mut summaries = Vec::new();
    let mut out = Output::open(args.out.as_deref())?;
    for (at, mut group) in groups(&args, texts, &schema, &options)?
        .into_iter()
        .enumerate()
    {
        source.parse(&mut group, &args, &options, terminal);
        let summary = summarize(&group, &options)?;
        let against = contradictions(&group, &summary);
        let mut summary = SummaryJson::of(&group, &summary, &against, &options);
        summary.cluster = args.cluster.map(|_| at + 1);
        match args.format(terminal) {
            FormatArg::Html => summaries.push(summary),
            format => {
                if at > 0 && format != FormatArg::Json {
                    out.write("\n")?;
                }
                out.write(&written(&summary, format, args.explain)?)?;
            }
        }
    }
    if args.format(terminal) == FormatArg::Html {
        let explain = args.explain;
        out.write(&to_page(&summaries, SummaryLayout { explain }))?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

/// A summary of each text, as the texts come: many at once, none kept.
fn run_each(
    args: &Args,
    schema: &Schema,
    source: &Trees,
    options: &SummaryOptions,
    terminal: &Terminal,
) -> Result<Outcome> {
    let reader = Analyzer::new(schema);
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    let how = args.search.options();
    let format = args.format(terminal);
    let summarized = |document: Document| -> Result<Each> {
        if let Some(script) = args.foreign_script(&document) {
            return Ok(Each::Foreign(script));
        }
        let mut text = source.read(document, &reader);
        if let Some(all) = &weights {
            let weight = all.get(&text.document.id).copied();
            text = text.with_weight(weight.unwrap_or_default());
        }
        if let Trees::Parsed(engine) = source
            && (args.explain || options.method.reads_tree(&text))
        {
            text.parse(engine, &how);
        }
        let bare = text.tree().is_none();
        let group = [text];
        let summary = summarize(&group, options)?;
        let against = contradictions(&group, &summary);
        let summary = SummaryJson::of(&group, &summary, &against, options);
        Ok(match format {
            FormatArg::Html => Each::Summary(Box::new(summary), bare),
            format => Each::Written(written(&summary, format, args.explain)?, bare),
        })
    };
    let mut out = Output::open(args.out.as_deref())?;
    let mut summaries = Vec::new();
    let mut foreign = Vec::new();
    let (mut texts, mut without_tree) = (0, 0);
    let tally = args
        .input
        .work_through(terminal, "summarizing", summarized, |each, _| {
            let bare = match each? {
                Each::Foreign(script) => {
                    foreign.push(LeftOut::Foreign(script));
                    return Ok(());
                }
                Each::Summary(summary, bare) => {
                    summaries.push(*summary);
                    bare
                }
                Each::Written(summary, bare) => {
                    if texts > 0 && format != FormatArg::Json {
                        out.write("\n")?;
                    }
                    out.write(&summary)?;
                    bare
                }
            };
            texts += 1;
            without_tree += usize::from(bare);
            Ok(())
        })?;
    report_skips(terminal, &tally);
    report_left_out(&foreign, terminal);
    args.report_bare(without_tree, texts, terminal);
    if format == FormatArg::Html {
        let explain = args.explain;
        out.write(&to_page(&summaries, SummaryLayout { explain }))?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

/// What became of one text of many.
enum Each {
    /// It is not Chinese.
    Foreign(Script),
    /// Its summary, and whether it has no tree.
    Summary(Box<SummaryJson>, bool),
    /// The same as it is written.
    Written(String, bool),
}

/// Where trees come from.
enum Trees {
    /// They are at hand, by the ids of the texts.
    AtHand(HashMap<String, Tree>),
    /// A grammar makes them.
    Parsed(Box<Engine>),
}

impl Trees {
    fn open(args: &Args, terminal: &Terminal) -> Result<Trees> {
        let Some(path) = &args.trees else {
            return Ok(Trees::Parsed(Box::new(
                args.structure.engine(args.grammar.engine()?)?,
            )));
        };
        let mut by_id = HashMap::new();
        for tree in trees::read_all(path, None, terminal)? {
            if let Some(id) = tree.id.clone() {
                by_id.insert(id.to_string(), tree);
            }
        }
        Ok(Trees::AtHand(by_id))
    }

    fn read(&self, document: Document, reader: &Analyzer) -> SourceText {
        match self {
            Trees::AtHand(by_id) => {
                let analysis = reader.analyze(&document);
                let tree = by_id.get(&document.id).cloned();
                SourceText::new(document, analysis).with_tree(tree)
            }
            Trees::Parsed(engine) => SourceText::read(document, engine, reader),
        }
    }

    /// Parses the texts whose trees the method reads, or all when every line is to be explained.
    fn parse(
        &self,
        texts: &mut [SourceText],
        args: &Args,
        options: &SummaryOptions,
        terminal: &Terminal,
    ) {
        let Trees::Parsed(engine) = self else { return };
        let how = args.search.options();
        let bar = terminal.progress("parsing", Some(texts.len() as u64));
        texts.par_iter_mut().for_each(|text| {
            if args.explain || options.method.reads_tree(text) {
                text.parse(engine, &how);
            }
            bar.inc(1);
        });
        bar.finish_and_clear();
    }
}

impl Args {
    fn format(&self, terminal: &Terminal) -> FormatArg {
        if terminal.json {
            FormatArg::Json
        } else {
            self.format
        }
    }

    /// The script of a text that is left out because it is not Chinese.
    fn foreign_script(&self, document: &Document) -> Option<Script> {
        let script = script_of(&document.text);
        (script != Script::Chinese && !self.any_language).then_some(script)
    }

    /// Says how many texts have no tree, where trees were given.
    fn report_bare(&self, bare: usize, texts: usize, terminal: &Terminal) {
        if self.trees.is_some() && bare > 0 {
            terminal.note(&format!(
                "{bare} of {texts} texts have no tree over their EDUs: positions decide there"
            ));
        }
    }
}

fn options(args: &Args) -> Result<SummaryOptions> {
    let shipped = Project::summary_settings_here()?.options()?;
    Ok(SummaryOptions {
        method: args.method,
        length: args.length.unwrap_or(shipped.length),
        fit: args.fit,
        unit: args.unit,
        order: args.order.map(|order| match order {
            OrderArg::Source => Order::Source,
            OrderArg::Priority => Order::Priority,
        }),
        redundancy: args.redundancy.or(shipped.redundancy),
        whole: args.whole,
        priority: match &args.priority {
            Some(formula) => Priority::read(&Source::new("--priority", formula.as_str()))?,
            None => shipped.priority.clone(),
        },
        seed: args.seed,
        ..shipped
    })
}

fn texts(
    args: &Args,
    schema: &Schema,
    source: &Trees,
    terminal: &Terminal,
) -> Result<Vec<SourceText>> {
    let reader = Analyzer::new(schema);
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    let mut texts = Vec::new();
    let mut foreign = Vec::new();
    let tally = args.input.work_through(
        terminal,
        "reading",
        |document| match args.foreign_script(&document) {
            Some(script) => Err(script),
            None => Ok(source.read(document, &reader)),
        },
        |text, _| {
            let text = match text {
                Ok(text) => text,
                Err(script) => {
                    foreign.push(LeftOut::Foreign(script));
                    return Ok(());
                }
            };
            let weight = weights.as_ref().map(|all| all.get(&text.document.id));
            texts.push(match weight {
                Some(weight) => text.with_weight(weight.copied().unwrap_or_default()),
                None => text,
            });
            Ok(())
        },
    )?;
    report_skips(terminal, &tally);
    report_left_out(&foreign, terminal);
    let bare = texts.iter().filter(|text| text.tree().is_none()).count();
    args.report_bare(bare, texts.len(), terminal);
    Ok(texts)
}

/// The texts of each summary, weighed by their cubes (Algorithm 8) unless their weights are given.
fn groups(
    args: &Args,
    texts: Vec<SourceText>,
    schema: &Schema,
    options: &SummaryOptions,
) -> Result<Vec<Vec<SourceText>>> {
    let is_weighed = args.weights.is_some() || !options.method.reads_weights() || texts.len() < 2;
    if args.cluster.is_none() && is_weighed {
        return Ok(vec![texts]);
    }
    let model = args.model.as_deref().map(Model::load).transpose()?;
    let mut landscape = Landscape::of(&texts, schema, model, args.seed)?;
    if let Some(kind) = args.impact.impact {
        landscape = landscape.with_impact(kind);
    }
    let clusters = match args.cluster {
        Some(size) => landscape.clusters(size as usize),
        None => vec![(0..texts.len()).collect()],
    };
    let mut groups = Vec::with_capacity(clusters.len());
    for places in clusters {
        let members = places.iter().filter_map(|at| texts.get(*at)).cloned();
        let mut group: Vec<SourceText> = members.collect();
        landscape.weigh(&mut group, &places, args.seed)?;
        groups.push(group);
    }
    Ok(groups)
}

fn read_weights(path: &Path) -> Result<HashMap<String, f64>> {
    let text = super::terminal::read_input(path)?;
    let mut weights = HashMap::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let pair = line.rsplit_once('\t');
        let weight = pair.and_then(|(_, weight)| weight.trim().parse::<f64>().ok());
        match (pair, weight.filter(|w| w.is_finite() && *w >= 0.0)) {
            (Some((id, _)), Some(weight)) => weights.insert(id.to_owned(), weight),
            _ => {
                return Err(Error::Damaged(format!(
                    "`{}`, line {}: a weight is written `ID<tab>NUMBER`, and no less than 0",
                    path.display(),
                    number + 1
                )));
            }
        };
    }
    Ok(weights)
}

fn written(summary: &SummaryJson, format: FormatArg, explain: bool) -> Result<String> {
    let how = SummaryLayout { explain };
    Ok(match format {
        FormatArg::Text => to_text(summary, how),
        FormatArg::Markdown => to_markdown(summary, how),
        FormatArg::Html => to_page(std::slice::from_ref(summary), how),
        FormatArg::Json => json::line(summary)?,
    })
}
