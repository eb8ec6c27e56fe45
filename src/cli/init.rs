//! `arsg init`: a linguist's project.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::project;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg init my-grammar          a folder with a grammar, cases, texts, trees and labels
  cd my-grammar && arsg test    every command works there at once; its README lists them

Nothing is overwritten: where one of the files is there already, none is written (exit 1).")]
pub(super) struct Args {
    /// The folder, which need not be there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let begun = project::begin(&args.folder)?;
    let mut out = Output::beside();
    if terminal.json {
        let report = serde_json::json!({"folder": begun.folder, "files": begun.files});
        out.write(&format!("{report}\n"))?;
    } else {
        out.write(&format!(
            "{} files in {}\n\n  cd {}\n  arsg test\n  arsg parse texts/today.txt\n\nREADME.md there says what to do next.\n",
            begun.files.len(),
            begun.folder.display(),
            shell_word(&begun.folder.display().to_string()),
        ))?;
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

/// A word as a shell reads it.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
