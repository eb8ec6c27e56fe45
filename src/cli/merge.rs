//! `arsg merge`

use std::path::{Path, PathBuf};

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::diagnostic::plural;
use crate::error::Result;
use crate::grammar::{Grammar, merge, named_path};

/// Merge grammars: counts of the same rule add up
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg merge shard-*.arsg -o all.arsg
  arsg merge general -o mine.arsg           a shipped grammar with all its modules, in one file

The order of the files does not matter. All rules go into one file, modules included; a module that
several grammars use is counted once. Doc comments (##) are kept, plain comments are not. Rules of
the same name that say different things are errors. Weights are kept where all grammars agree on
them; learn the others again. `-o` names the schema as seen from there; without it the path stays
as it is.")]
pub(super) struct Args {
    /// The grammars: files, or shipped ones by name
    #[arg(required = true, value_name = "FILE|NAME")]
    files: Vec<PathBuf>,
    /// Where to write the merged grammar
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut grammars = Vec::with_capacity(args.files.len());
    let mut comments = 0;
    for path in &args.files {
        let loaded = Grammar::load(named_path(path), &args.outside.disk(), None)?;
        comments += loaded.plain_comments();
        grammars.push(loaded.into_result()?);
    }
    let mut merged = merge(&grammars)?;
    if let Some(path) = args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        merged.move_to(path);
    }
    let mut output = Output::open(args.output.as_deref())?;
    output.write(&merged.to_text())?;
    output.finish()?;
    terminal.note(&format!(
        "{} merged into `{}`: {}, {}, {}, {}",
        plural(grammars.len(), "grammar"),
        merged.name,
        plural(merged.productions.len(), "production"),
        plural(merged.preferences.len(), "preference"),
        plural(merged.boundaries.len(), "boundary rule"),
        plural(merged.tables.len(), "table")
    ));
    if grammars.iter().any(|grammar| grammar.name != merged.name) {
        terminal.note("the grammars have different names: the first in the alphabet was taken");
    }
    if comments > 0 {
        let lines = plural(comments, "plain comment");
        terminal.note(&format!("{lines} left out; doc comments (##) are kept"));
    }
    Ok(Outcome::Fine)
}
