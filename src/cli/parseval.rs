//! `arsg parseval`: how good predicted trees are.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::{SchemaArg, text_files};
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees::{FormatArg, read_all};
use crate::diagnostic::any_error;
use crate::error::{Error, Result};
use crate::text::{Document, corpus};
use crate::tree::{
    Baseline, Breakdown, ParsevalOptions, RelationGrain, Tree, pair_by_id, parseval,
};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg parseval gold.rs3 predicted.dis
  arsg parseval gold/ predicted/ --per document,level --docs docs/
  arsg parseval gold/ predicted/ --fine --per relation
  arsg parseval gold/ --baseline right            what a tree that knows nothing reaches
  arsg parseval gold/ predicted.jsonl --json

S span, N span and nuclearity, R span and relation, F all three. Original Parseval compares the
inner nodes of binary trees, the root included; RST-Parseval all nodes but the root.")]
pub(super) struct Args {
    /// Gold trees: a file or a folder
    #[arg(value_name = "GOLD")]
    gold: PathBuf,
    /// Predicted trees: a file or a folder, matched by name
    #[arg(value_name = "PRED", required_unless_present = "baseline")]
    predicted: Option<PathBuf>,
    /// Instead of PRED, a tree that knows nothing, over the gold EDUs
    #[arg(long, value_name = "SIDE", conflicts_with = "predicted")]
    baseline: Option<Side>,
    /// Read both as this format (default: by extension, else by content)
    #[arg(long, value_name = "FORMAT")]
    from: Option<FormatArg>,
    /// Tell relations apart by name, not by class
    #[arg(long)]
    fine: bool,
    /// Break the figures down
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    per: Vec<Per>,
    /// Documents (JSON) that say where sentences and paragraphs are (default: punctuation)
    #[arg(long, value_name = "FILE|DIR")]
    docs: Option<PathBuf>,
    /// Leave the root out of original Parseval
    #[arg(long)]
    no_root: bool,
    /// How often documents are drawn again for the 95% intervals; 0 for none (0 to 100000)
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<usize>(0, 100000))]
    bootstrap: usize,
    /// The seed of that drawing (0 to 2^64 - 1)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    #[command(flatten)]
    schema: SchemaArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Right,
    Left,
}

#[derive(Clone, Copy, ValueEnum)]
enum Per {
    Document,
    Relation,
    Level,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = args.schema.load("general")?;
    let format = args.from.map(|FormatArg(format)| format);
    let mut gold = read_all(&args.gold, format, terminal)?;
    let mut predicted = match (&args.predicted, args.baseline) {
        (Some(path), _) => read_all(path, format, terminal)?,
        (None, Some(side)) => baseline(&gold, side)?,
        (None, None) => return Err(Error::Usage("name the predicted trees".to_owned())),
    };
    if let Some(docs) = &args.docs {
        let documents = documents(docs, terminal)?;
        locate(&mut gold, &documents, terminal);
        locate(&mut predicted, &documents, terminal);
    }
    let (pairs, unpaired) = pair_by_id(gold, predicted);
    let options = ParsevalOptions {
        grain: if args.fine {
            RelationGrain::Fine
        } else {
            RelationGrain::Coarse
        },
        root: !args.no_root,
        bootstrap: args.bootstrap,
        seed: args.seed,
    };
    let (report, problems) = parseval(&pairs, &options, Some(&schema));
    terminal.print_diagnostics(&unpaired);
    terminal.print_diagnostics(&problems);
    if report.documents.is_empty() {
        return Err(Error::Empty("no two trees could be compared".to_owned()));
    }
    let mut out = Output::open(None)?;
    if terminal.json {
        out.write(&format!("{}\n", report.to_json()))?
    } else {
        let per = args.per.iter().map(|per| match per {
            Per::Document => Breakdown::Document,
            Per::Relation => Breakdown::Relation,
            Per::Level => Breakdown::Level,
        });
        out.write(&report.to_text(&per.collect::<Vec<_>>()))?;
    }
    out.finish()?;
    Ok(if any_error(&problems) {
        Outcome::Invalid
    } else {
        Outcome::Fine
    })
}

fn baseline(gold: &[Tree], side: Side) -> Result<Vec<Tree>> {
    let side = match side {
        Side::Right => Baseline::RightBranching,
        Side::Left => Baseline::LeftBranching,
    };
    let tree = |gold: &Tree| {
        let mut tree = side.tree(gold.edus.clone()).ok()?;
        tree.id = gold.id.clone();
        Some(tree)
    };
    let trees: Option<Vec<Tree>> = gold.iter().map(tree).collect();
    trees.ok_or_else(|| Error::Mismatch("a gold tree has no EDUs".to_owned()))
}

fn documents(path: &std::path::Path, terminal: &Terminal) -> Result<HashMap<String, Document>> {
    let mut documents = HashMap::new();
    for file in text_files(&[path.to_owned()], terminal)? {
        for document in corpus::open(&file, None)?.flatten() {
            documents.insert(document.id.clone(), document);
        }
    }
    Ok(documents)
}

/// Trees take sentences and paragraphs from the document of their id.
fn locate(trees: &mut [Tree], documents: &HashMap<String, Document>, terminal: &Terminal) {
    for tree in trees {
        let id = tree.id.clone().unwrap_or_default();
        let found = documents.get(&*id);
        match found.map(|document| tree.locate(document)) {
            Some(true) => {}
            Some(false) => terminal.note(&format!(
                "the document `{id}` has another text than its tree: sentences from punctuation"
            )),
            None => terminal.note(&format!(
                "there is no document `{id}`: sentences from punctuation"
            )),
        }
    }
}
