//! `arsg diff`

use std::path::Path;

use clap::ValueEnum;

use super::Outcome;
use super::diff_on::OnArgs;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::automaton::annotations;
use crate::error::{Error, Result};
use crate::grammar::{Grammar, diff, embedded_path, named_path, split_revision};

/// Show what changed between two grammars, rule by rule
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg diff                                              in a project: since the last commit
  arsg diff main --on cases                              since the branch `main`; with trees
  arsg diff old.arsg new.arsg
  arsg diff finance new.arsg                             with a shipped grammar
  arsg diff HEAD~1:grammars/finance.arsg grammars/finance.arsg
  arsg diff main:grammars/finance.arsg grammars/finance.arsg --format markdown
  arsg diff old.arsg new.arsg --on cases/                what the change does to trees
  arsg diff main --on cases --format markdown            for a pull request
  arsg diff main --format github                         notes at the changed rules for GitHub

Layout, comments and the order of rules do not count. P(RULE) is the share of a rule's instances
among all rules of its pattern, before and after: what a changed count does to its competitors.

Exit codes: 0 whether or not something changed, 1 a file cannot be read, 3 a grammar has errors.")]
pub(super) struct Args {
    /// The old grammar: a file, a shipped one by name, REVISION:PATH, or a REVISION of the project's
    /// grammar (default: HEAD)
    old: Option<String>,
    /// The new grammar: a file, a shipped one by name, or REVISION:PATH (default: the project's)
    new: Option<String>,
    /// How to print the changes
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    on: OnArgs,
    #[command(flatten)]
    outside: Outside,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    /// For a pull request: the first screen says what changed and whether trees got better
    Markdown,
    /// Notes at the changed rules, as GitHub reads them from a log
    Github,
    Json,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let (old, new) = two_grammars(args.old, args.new, args.outside)?;
    let old = load(&old, &args.outside)?;
    let new = load(&new, &args.outside)?;
    let changes = diff(&old, &new);
    let effect = args.on.compare_trees(&old, &new, terminal)?;
    let json = || match &effect {
        None => serde_json::json!(changes).to_string() + "\n",
        Some(effect) => {
            let both = serde_json::json!({"rules": changes, "trees": effect.to_json()});
            both.to_string() + "\n"
        }
    };
    let trees = || effect.as_ref().map_or_else(String::new, |e| e.to_text());
    let text = match args.format {
        _ if terminal.json => json(),
        Format::Json => json(),
        Format::Text => changes.to_text() + &trees(),
        Format::Markdown => match &effect {
            None => changes.to_markdown(),
            Some(effect) => effect.to_markdown(&changes, &new.schema),
        },
        Format::Github => match &effect {
            None => annotations(&changes, &new),
            Some(effect) => effect.review(&changes, &new.schema).to_annotations(&new),
        },
    };
    let mut output = Output::open(None)?;
    output.write(&text)?;
    output.finish()?;
    Ok(Outcome::Fine)
}

/// What is compared: two grammars, or the project's with what it was.
fn two_grammars(
    old: Option<String>,
    new: Option<String>,
    outside: Outside,
) -> Result<(String, String)> {
    let own = match &new {
        Some(_) => None,
        None => outside.project()?.and_then(|project| project.grammar()),
    };
    let new = new.or(own).ok_or_else(|| {
        let message = "name two grammars; in a project, the one in `arsg.toml` is the new one";
        Error::Usage(message.to_owned())
    })?;
    let old = old.unwrap_or_else(|| "HEAD".to_owned());
    let is_shipped = embedded_path(&old).is_ok();
    let is_file = Path::new(&old).exists() || old.ends_with(".arsg");
    let is_revision = !old.contains(':') && !is_file && !is_shipped;
    if is_revision {
        Ok((format!("{old}:{new}"), new))
    } else {
        Ok((old, new))
    }
}

/// A grammar from a file or from a revision, with the modules and the schema it had there.
fn load(written: &str, outside: &Outside) -> Result<Grammar> {
    match split_revision(written) {
        Some((revision, path)) => Grammar::load(path, &revision, None)?.into_result(),
        None => {
            let path = named_path(Path::new(written));
            Grammar::load(path, &outside.disk(), None)?.into_result()
        }
    }
}
