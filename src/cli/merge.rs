//! `arsg merge`

use std::path::PathBuf;

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::grammar::{Grammar, merge};

/// Merge grammars: counts of the same rule add up
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg merge shard-*.arsg -o all.arsg

The order of the files does not matter. Rules of the same name that say different things are
errors. Weights are kept where all grammars agree on them; learn the others again.")]
pub(super) struct Args {
    /// The grammars
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write the merged grammar
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut grammars = Vec::with_capacity(args.files.len());
    for path in &args.files {
        grammars.push(Grammar::load(path, &args.outside.disk(), None)?.into_result()?);
    }
    let merged = merge(&grammars)?;
    let mut output = Output::open(args.output.as_deref())?;
    output.write(&merged.to_text())?;
    output.finish()?;
    terminal.note(&format!(
        "{} grammars merged: {} productions, {} preferences, {} boundary rules",
        grammars.len(),
        merged.productions.len(),
        merged.preferences.len(),
        merged.boundaries.len()
    ));
    Ok(Outcome::Fine)
}
