//! `arsg show`: what ships inside the binary.

use super::Outcome;
use super::terminal::{Output, Terminal};
use crate::columns::{fill, widest};
use crate::error::Result;
use crate::project::{shipped_file, shipped_files};

/// Print a file that ships with arsg, or list them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg show                         what there is, a line each
  arsg show general                 the default grammar
  arsg show general.toml            its schema
  arsg show chinese                 words that the reader knows
  arsg show finance > mine.arsg     a copy to change; `use \"finance\"` in a grammar needs none

A grammar goes before a schema of the same name; a path (`schemas/general.toml`) names one file.

Exit codes: 0 done, 2 nothing of that name is shipped.")]
pub(super) struct Args {
    /// A grammar, a module, a schema, a word list (default: list them)
    name: Option<String>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let text = match &args.name {
        Some(name) => {
            let file = shipped_file(name)?;
            if terminal.json {
                let shown = serde_json::json!({
                    "name": file.name, "path": file.path, "kind": file.kind, "text": file.text,
                });
                format!("{shown}\n")
            } else {
                file.text.to_owned()
            }
        }
        None if terminal.json => format!("{}\n", serde_json::json!(shipped_files())),
        None => list(),
    };
    let mut output = Output::open(None)?;
    output.write(&text)?;
    output.finish()?;
    Ok(Outcome::Fine)
}

fn list() -> String {
    let files = shipped_files();
    let names = widest(files.iter().map(|file| file.name));
    let lines = files.iter().map(|file| {
        let gap = fill(file.name, names);
        let kind = file.kind.as_str();
        format!("{}{gap}  {kind:<8} {}\n", file.name, file.about())
    });
    lines.collect()
}
