//! `arsg summarize`: one summary of many texts, or one of each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::{InputArgs, SchemaArg, report_skips};
use super::terminal::{Output, Terminal};
use super::trees;
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::summarize::{
    Length, Method, Options, Order, Priority, SummaryJson, Text, UnitKind, Written, contradictions,
    summarize, to_html, to_markdown, to_text,
};
use crate::text::{Analyzer, Document};
use crate::tree::Tree;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg summarize news.jsonl --length 300w              one summary of all texts, at most 300 words
  arsg summarize text.txt --length 20% --explain       a fifth of a text's EDUs, and why those
  arsg summarize docs/ --trees gold/ --method paper    Algorithms 7 and 8 over trees at hand
  arsg summarize docs/ --each --json                   a summary a text, one object a line")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schema: SchemaArg,
    /// How units are chosen
    #[arg(long, default_value = "arsg", value_parser = names(Method::ALL))]
    method: String,
    /// At most N EDUs, N% of the texts' EDUs, or Nw words (marks not counted); at least one unit
    #[arg(long, short = 'n', value_name = "N|N%|Nw", default_value = "10")]
    length: Length,
    /// What is chosen (default: EDUs for `paper`, sentences otherwise)
    #[arg(long, value_parser = names(UnitKind::ALL))]
    unit: Option<String>,
    /// The order of the lines: as in the texts, or as chosen
    #[arg(long, default_value = "source")]
    order: OrderArg,
    /// Skip units whose ROUGE-1 F1 with a chosen one is greater; 1 skips none
    #[arg(long, value_name = "F1", default_value_t = crate::summarize::DEFAULT_REDUNDANCY)]
    redundancy: f64,
    /// The priority function of `paper`, over weight, rank, place, edus and texts
    #[arg(long, value_name = "FORMULA", default_value = "weight / rank")]
    priority: String,
    /// Rhetorical trees of the texts (a file or folder, any tree format), found by the texts' ids
    #[arg(long, value_name = "FILE|DIR")]
    trees: Option<PathBuf>,
    /// Weights of the texts: lines of `ID<tab>WEIGHT`
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// A summary of each text in place of one of all
    #[arg(long)]
    each: bool,
    /// Say of every line where it comes from
    #[arg(long)]
    explain: bool,
    /// How the summary is written (--json: as one line of JSON)
    #[arg(long, default_value = "text")]
    format: FormatArg,
    /// The seed of what is drawn (`cnnlm`)
    #[arg(long, default_value_t = 1)]
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
    let texts = texts(&args, &schema, terminal)?;
    let format = if terminal.json {
        FormatArg::Json
    } else {
        args.format
    };
    let mut out = Output::open(args.out.as_deref())?;
    let groups: Vec<&[Text]> = match args.each {
        true => texts.chunks(1).collect(),
        false => vec![texts.as_slice()],
    };
    for (at, group) in groups.into_iter().enumerate() {
        let summary = summarize(group, &options)?;
        let against = contradictions(group, &summary, &schema);
        let summary = SummaryJson::of(group, &summary, &against, &options);
        if at > 0 && format != FormatArg::Json {
            out.write("\n")?;
        }
        out.write(&written(&summary, format, args.explain)?)?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

fn options(args: &Args) -> Result<Options> {
    if !(0.0..=1.0).contains(&args.redundancy) {
        return Err(Error::Usage(
            "`--redundancy` lies between 0 and 1".to_owned(),
        ));
    }
    Ok(Options {
        method: Method::find(&args.method).unwrap_or_default(),
        length: args.length,
        unit: args.unit.as_deref().and_then(UnitKind::find),
        order: match args.order {
            OrderArg::Source => Order::Source,
            OrderArg::Priority => Order::Priority,
        },
        redundancy: args.redundancy,
        priority: Priority::read(&Source::new("--priority", args.priority.as_str()))?,
        seed: args.seed,
        ..Options::default()
    })
}

fn texts(args: &Args, schema: &Schema, terminal: &Terminal) -> Result<Vec<Text>> {
    let analyzer = Analyzer::new(schema);
    let tree_of = tree_finder(args.trees.as_deref(), terminal)?;
    let weights = args.weights.as_deref().map(read_weights).transpose()?;
    let mut texts = Vec::new();
    let tally = args.input.each(
        terminal,
        "reading",
        |document| {
            let analysis = analyzer.analyze(&document);
            let tree = tree_of(&document);
            Text::new(document, analysis).with_tree(tree)
        },
        |text, _| {
            let weight = weights.as_ref().map(|all| all.get(&text.document.id));
            texts.push(match weight {
                Some(weight) => text.with_weight(weight.copied().unwrap_or_default()),
                None => text,
            });
            Ok(())
        },
    )?;
    report_skips(terminal, &tally);
    let bare = texts.iter().filter(|text| text.tree().is_none()).count();
    if args.trees.is_some() && bare > 0 {
        terminal.note(&format!(
            "{bare} of {} texts have no tree over their EDUs: positions decide there",
            texts.len()
        ));
    }
    Ok(texts)
}

/// Where trees come from: at present those at hand, by the id of the text.
fn tree_finder(
    path: Option<&Path>,
    terminal: &Terminal,
) -> Result<impl Fn(&Document) -> Option<Tree> + Sync + use<>> {
    let mut by_id: HashMap<String, Tree> = HashMap::new();
    if let Some(path) = path {
        for tree in trees::read_all(path, None, terminal)? {
            if let Some(id) = tree.id.clone() {
                by_id.insert(id.to_string(), tree);
            }
        }
    }
    Ok(move |document: &Document| by_id.get(&document.id).cloned())
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
                return Err(Error::Failed(format!(
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
    let how = Written { explain };
    Ok(match format {
        FormatArg::Text => to_text(summary, how),
        FormatArg::Markdown => to_markdown(summary, how),
        FormatArg::Html => to_html(summary, how),
        FormatArg::Json => {
            let line = serde_json::to_string(summary);
            line.map_err(|error| Error::Failed(error.to_string()))? + "\n"
        }
    })
}

fn names<T>(known: &'static [(&'static str, T)]) -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(known.iter().map(|(name, _)| *name))
}
