//! `arsg generate`: made-up texts with gold trees.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::GrammarArg;
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees::FormatArg;
use crate::diagnostic::plural;
use crate::error::Result;
use crate::files::{self, FileNames};
use crate::generate::{Frames, Generator};
use crate::json;
use crate::tree::{Format, Tree, WriteOptions, write};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg generate -n 3                                    three texts, to look at
  arsg generate -n 1000 --seed 1 --out texts.jsonl --trees trees.jsonl
  arsg generate -n 100 --out texts.jsonl --trees made/ --format dis
  arsg generate -n 3 --grammar seed --show              drawn, with their trees

Every text tells of an event, every event belongs to a topic; the URL says which. Its tree is drawn
from the grammar's productions by their counts, its clauses are chosen so that reasons hold and
attributes agree; the grammar parses every text back to its tree. The same number, seed and grammar
give the same bytes on any number of threads.")]
pub(super) struct Args {
    #[command(flatten)]
    grammar: GrammarArg,
    /// How many texts (1 to 10000000)
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = numbers::whole::<u64>(1, 10000000))]
    count: u64,
    /// The seed of all that is drawn (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Clauses, words and topics (default: those shipped for the grammar's schema)
    #[arg(long, value_name = "FILE.toml")]
    frames: Option<PathBuf>,
    /// Where the documents go, as JSON lines (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where the gold trees go: a file of JSON lines, or a folder with a file a tree
    #[arg(long, value_name = "FILE|DIR")]
    trees: Option<PathBuf>,
    /// The format of trees in a folder
    #[arg(long, value_name = "FORMAT", default_value = "rs3")]
    format: FormatArg,
    /// Keep attributes, rules and probabilities in the trees
    #[arg(long)]
    full: bool,
    /// Draw the texts with their trees instead
    #[arg(long, conflicts_with_all = ["out", "trees"])]
    show: bool,
}

/// What is run backwards where no grammar is given: a learned one has rules for any symbols, and
/// none that says what a clause is about.
const HAND_WRITTEN: &str = "seed";

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = Arc::new(args.grammar.engine_or(HAND_WRITTEN)?);
    let frames = match &args.frames {
        Some(path) => Frames::load(path, engine.schema())?,
        None => Frames::embedded(engine.schema())?,
    };
    let generator = Generator::new(engine, frames)?;
    let mut out = Output::open(args.out.as_deref())?;
    let mut trees = TreesOut::open(args.trees.as_deref(), args.format.0)?;
    let bar = terminal.progress("making texts", Some(args.count));
    let (mut planned, mut edus, mut joins) = (0, 0, 0);
    let mut topics: BTreeMap<String, u64> = BTreeMap::new();
    generator.make_each(args.seed, args.count, |mut made| {
        bar.inc(1);
        planned += made.planned;
        edus += made.tree.edus.len();
        joins += made.tree.edus.len().saturating_sub(1);
        *topics.entry(made.topic).or_default() += 1;
        if !args.full {
            made.tree = bare(made.tree);
        }
        if args.show {
            let title = made.document.title.as_deref().unwrap_or_default();
            let tree = write(&made.tree, Format::Tree, &WriteOptions::default());
            return out.write(&format!("{}  {title}\n\n{tree}\n", made.document.id));
        }
        out.write(&json::line(&made.document)?)?;
        trees.write(&made.tree)
    })?;
    bar.finish_and_clear();
    out.finish()?;
    trees.finish()?;
    let mut topics: Vec<(String, u64)> = topics.into_iter().collect();
    topics.sort_by_key(|(_, texts)| std::cmp::Reverse(*texts));
    let topics: Vec<String> = topics
        .iter()
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    terminal.note(&format!(
        "{} with {}; {:.1}% of the nodes above them are as planned; topics: {}",
        plural(args.count as usize, "text"),
        plural(edus, "EDU"),
        100.0 * planned as f64 / joins.max(1) as f64,
        topics.join(", ")
    ));
    Ok(Outcome::Fine)
}

/// A tree without what the grammar said of it.
fn bare(mut tree: Tree) -> Tree {
    let nodes: Vec<_> = tree.post_order().map(|(id, _)| id).collect();
    for id in nodes {
        let node = tree.node_mut(id);
        node.attributes = Default::default();
        node.decision = None;
    }
    tree
}

/// Where trees go.
enum TreesOut {
    Nowhere,
    Lines(Output),
    Folder(PathBuf, Format, FileNames),
}

impl TreesOut {
    /// A path with an ending is a file of lines, any other a folder.
    fn open(path: Option<&Path>, format: Format) -> Result<TreesOut> {
        Ok(match path {
            None => TreesOut::Nowhere,
            Some(path) if path == Path::new("-") || path.extension().is_some() => {
                TreesOut::Lines(Output::open(Some(path))?)
            }
            Some(folder) => {
                crate::files::disk::make_folder(folder)?;
                TreesOut::Folder(folder.to_owned(), format, FileNames::default())
            }
        })
    }

    fn write(&mut self, tree: &Tree) -> Result<()> {
        match self {
            TreesOut::Nowhere => Ok(()),
            TreesOut::Lines(out) => out.write(&write(tree, Format::Json, &WriteOptions::default())),
            TreesOut::Folder(folder, format, names) => {
                let id = tree.id.as_deref().unwrap_or_default();
                let name = names.next(id, format.as_str())?;
                let text = write(tree, *format, &WriteOptions::default());
                files::replace(&folder.join(name), text.as_bytes())
            }
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            TreesOut::Lines(out) => out.finish(),
            _ => Ok(()),
        }
    }
}
