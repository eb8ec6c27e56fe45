//! `arsg stats`

use std::path::PathBuf;

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::grammar::Grammar;

/// Say how large grammars are and how much they leave open
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg stats grammars/finance.arsg
  arsg stats --json grammars/finance.arsg")]
pub(super) struct Args {
    /// The grammars
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut output = Output::open(None)?;
    for path in &args.files {
        let stats = Grammar::load(path, &args.outside.disk(), None)?
            .into_result()?
            .stats();
        output.write(&match terminal.json {
            true => format!("{}\n", serde_json::json!(stats)),
            false => stats.to_string(),
        })?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}
