//! `arsg profile`: how rules fare on gold trees.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::{GrammarArg, SearchArgs};
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::automaton::Engine;
use crate::error::{Error, Result};
use crate::files::checked_out_commit;
use crate::gold::{Treebank, read_gold};
use crate::profile::{History, HistoryLine, Profile};
use crate::project::Project;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg profile                                     the project's grammar on its cases and trees
  arsg profile finance --gold trees --all          every rule, row and mistake
  arsg profile --format html --out profile.html    a page where every rule unfolds
  arsg profile --json
  arsg profile --append history.jsonl --plot history.svg

A rule spoke where its pattern and reason held; it decided where something else would have been done
without it. It did harm where that would have been right, and would be missed where it would have
been wrong. --append keeps one line a commit in a file, for version control.")]
pub(super) struct Args {
    /// The grammar: `general`, `finance`, or a grammar file (default: the project's)
    #[arg(value_name = "GRAMMAR")]
    named: Option<String>,
    /// Gold trees: case files, tree files, folders (default: the project's)
    #[arg(long, value_name = "FILE|DIR")]
    gold: Vec<PathBuf>,
    /// Show every rule, row and mistake, not what fits a screen
    #[arg(long)]
    all: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// Where to write (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Add a line about this commit to a file, and draw what it holds
    #[arg(long, value_name = "FILE")]
    append: Option<PathBuf>,
    /// Draw the lines of that file as a chart
    #[arg(long, value_name = "FILE.svg", requires = "append")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArg,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    outside: Outside,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    Text,
    Json,
    Html,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let project = args.outside.project()?;
    let grammar = match &args.named {
        Some(name) => args.grammar.load_named(name)?,
        None => args.grammar.load()?,
    };
    let engine = Engine::new(grammar);
    let options = args.search.options();
    let corpus = project.as_ref().and_then(Project::corpus);
    let corpus = corpus.filter(|corpus| corpus.exists());
    let gold = match args.gold.as_slice() {
        [] => project.as_ref().map(Project::gold).unwrap_or_default(),
        named => named.to_vec(),
    };
    if gold.is_empty() {
        return Err(Error::Usage(
            "no gold tree is named: give `--gold FILE|DIR`; in a project, its cases and trees count"
                .to_owned(),
        ));
    }
    let read = read_gold(&gold, corpus.as_deref())?;
    let begun = Instant::now();
    let bank = Treebank::new(&engine, read.texts, &options);
    let seconds = begun.elapsed().as_secs_f64();
    if bank.texts.is_empty() {
        return Err(Error::Empty(
            "there is no gold tree to compare with".to_owned(),
        ));
    }
    let profile = Profile::new(&engine, &bank, &options);
    let mut out = Output::open(args.out.as_deref())?;
    let format = if terminal.json {
        FormatArg::Json
    } else {
        args.format
    };
    out.write(&match format {
        FormatArg::Text => profile.to_text(args.all),
        FormatArg::Html => profile.to_html(),
        FormatArg::Json => format!("{}\n", serde_json::json!(profile)),
    })?;
    if let Some(file) = &args.append {
        let speed = (profile.edus as f64 / seconds.max(1e-6)) as u64;
        let drawn = args.append_to(file, &profile, speed)?;
        if format == FormatArg::Text {
            out.write(&format!("\n{drawn}"))?;
        }
    }
    out.finish()?;
    Ok(Outcome::Fine)
}

impl Args {
    /// Adds a line to the file; gives its drawing.
    fn append_to(&self, file: &Path, profile: &Profile, speed: u64) -> Result<String> {
        let text = if file.exists() {
            crate::files::read_text(file)?
        } else {
            String::new()
        };
        let (commit, date) = checked_out_commit().ok_or_else(|| {
            Error::Missing("--append needs a commit to speak of: `git commit` first".to_owned())
        })?;
        let mut history = History::read(&text);
        history.add(HistoryLine::new(profile, &commit, &date, Some(speed)));
        crate::files::replace(file, history.to_lines().as_bytes())?;
        if let Some(plot) = &self.plot {
            crate::files::replace(plot, history.draw_svg().as_bytes())?;
        }
        Ok(history.draw_text())
    }
}
