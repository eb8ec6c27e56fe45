//! `arsg fmt`

use std::path::{Path, PathBuf};

use super::Outcome;
use super::check::{choose_sources, say_links, without_missing};
use super::outside::Outside;
use super::terminal::{Output, Terminal, read_input};
use crate::diagnostic::Source;
use crate::error::{Error, Result};
use crate::files;
use crate::grammar::{Expanded, expand, format};

/// Lay grammars out canonically; comments and the order of rules stay
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg fmt --check                          in a project: all its grammars
  arsg fmt grammars/finance.arsg            print the formatted grammar
  arsg fmt --write grammars                 format all grammars in a folder
  arsg fmt --check grammars                 say which files would change (exit 1)
  arsg fmt --diff grammars/finance.arsg     show what would change

Between `# fmt: off` and `# fmt: on` nothing is touched.

Exit codes: 0 done; with `--check` and `--diff` 0 nothing would change, 1 something would; 3 a file
has errors of syntax and was left alone.")]
pub(super) struct Args {
    /// Grammars, folders of grammars, or `-` (default: the project's)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only say which files would change
    #[arg(long, conflicts_with_all = ["diff", "write"])]
    check: bool,
    /// Show what would change
    #[arg(long, conflicts_with = "write")]
    diff: bool,
    /// Replace the files
    #[arg(long, short)]
    write: bool,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let Expanded {
        files: mut paths,
        links,
    } = expand(&without_missing(
        choose_sources(args.files, args.outside)?,
        terminal,
    ))?;
    say_links(&links, terminal);
    paths.retain(|path| path.extension().is_none_or(|ending| ending != "toml"));
    let printing = !(args.check || args.diff || args.write);
    if printing && paths.len() > 1 {
        let message = "several files can be formatted with `--write`, `--check` or `--diff` only";
        return Err(Error::Usage(message.to_owned()));
    }
    let mut output = Output::beside();
    let mut changed = 0;
    let mut outcome = Outcome::Fine;
    for path in &paths {
        let text = match read_input(path) {
            Ok(text) => text,
            Err(error) if paths.len() > 1 => {
                terminal.fail(&error);
                continue;
            }
            Err(error) => return Err(error),
        };
        let name = if path == Path::new("-") {
            "<stdin>".to_owned()
        } else {
            path.display().to_string()
        };
        let formatted = match format(&Source::new(name.clone(), text.clone())) {
            Ok(formatted) => formatted,
            // One broken file keeps no other from being formatted.
            Err(Error::Invalid(diagnostics)) => {
                terminal.print_diagnostics(&diagnostics);
                outcome = Outcome::Invalid;
                continue;
            }
            Err(error) => return Err(error),
        };
        if printing {
            output.write(&formatted)?;
            continue;
        }
        if formatted == text {
            continue;
        }
        changed += 1;
        if args.diff {
            output.write(&unified(&name, &text, &formatted))?;
        } else if args.check {
            output.write(&format!("{name}\n"))?;
        } else if path == Path::new("-") {
            output.write(&formatted)?;
        } else {
            files::replace(path, formatted.as_bytes())?;
        }
    }
    output.finish()?;
    if args.write {
        terminal.note(&format!("{changed} of {} changed", paths.len()));
    }
    Ok(match (outcome, args.check || args.diff) {
        (Outcome::Fine, true) if changed > 0 => Outcome::Failure,
        (outcome, _) => outcome,
    })
}

fn unified(name: &str, old: &str, new: &str) -> String {
    similar::TextDiff::from_lines(old, new)
        .unified_diff()
        .header(name, &format!("{name} (formatted)"))
        .to_string()
}
