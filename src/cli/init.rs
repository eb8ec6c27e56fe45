//! `arsg init`: a linguist's project.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::named;
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::project::{self, Base, Language};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg init my-grammar          a folder with a grammar, cases, texts, trees and labels
  cd my-grammar && arsg test    every command works there at once; its README lists them
  arsg init mine --grammar general              one rule on top of a shipped grammar, with a case
  arsg init mine-zh --grammar general --lang zh   the same with comments in Chinese

Nothing is overwritten: where one of the files is there already, none is written (exit 1).")]
pub(super) struct Args {
    /// The folder, which need not be there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Begin with one rule on top of this shipped grammar, or on top of nothing
    #[arg(long, value_name = "NAME", value_parser = named::<Base>(&Base::NAMES))]
    grammar: Option<Base>,
    /// The language of its comments
    #[arg(long, value_name = "LANGUAGE", default_value = "en", requires = "grammar",
          value_parser = named::<Language>(&Language::NAMES))]
    lang: Language,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let begun = match args.grammar {
        None => project::begin(&args.folder)?,
        Some(base) => project::begin_on(&args.folder, base, args.lang)?,
    };
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
