//! `arsg stats`

use std::path::{Path, PathBuf};

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::grammar::{Grammar, embedded_grammar, named_path};
use crate::schema::{Schema, embedded_schema, embedded_schema_names};

/// Say how large grammars are and how much they leave open; list the vocabulary of schemas
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg stats grammars/finance.arsg
  arsg stats schemas/finance.toml           the symbols, relations, attributes, cues of a schema
  arsg stats finance                        a shipped grammar and its schema
  arsg stats --json grammars/finance.arsg

Entropy says how open a decision is, in bits, over rules of one pattern and by their instances:
0 is certain, 1 is a fair coin between two.")]
pub(super) struct Args {
    /// Grammars and schemas (.toml); or a shipped name, for both
    #[arg(required = true, value_name = "FILE|NAME")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let mut output = Output::open(None)?;
    let several = args.files.len() > 1;
    for (at, path) in args.files.iter().enumerate() {
        if at > 0 && !terminal.json {
            output.write("\n")?;
        }
        if let Some(name) = shipped(path) {
            output.write(&shown(&embedded_grammar(name)?.stats(), terminal))?;
            if !terminal.json {
                output.write("\n")?;
            }
            output.write(&shown(&embedded_schema(name)?.listing(), terminal))?;
            continue;
        }
        if is_missing(path) && several {
            terminal.fail(&Error::read(path, std::io::ErrorKind::NotFound.into()));
            continue;
        }
        let is_schema = path.extension().is_some_and(|ending| ending == "toml");
        output.write(&if is_schema {
            let loaded = Schema::open(path, &args.outside.disk())?;
            shown(&loaded.into_result()?.listing(), terminal)
        } else {
            let loaded = Grammar::load(named_path(path), &args.outside.disk(), None)?;
            shown(&loaded.into_result()?.stats(), terminal)
        })?;
    }
    output.finish()?;
    Ok(Outcome::Fine)
}

fn is_missing(path: &Path) -> bool {
    path != Path::new("-") && !named_path(path).exists()
}

/// The name of what is shipped, where it is no file's.
fn shipped(path: &Path) -> Option<&'static str> {
    let known = embedded_schema_names().find(|name| path == Path::new(name));
    known.filter(|_| !path.exists())
}

fn shown(figures: &(impl serde::Serialize + std::fmt::Display), terminal: &Terminal) -> String {
    if terminal.json {
        format!("{}\n", serde_json::json!(figures))
    } else {
        figures.to_string()
    }
}
