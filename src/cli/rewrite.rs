//! `arsg rewrite`: the relations of treebanks changed by rules.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::GrammarArg;
use super::query::treebank;
use super::terminal::{Output, Terminal};
use crate::columns::{fill, widest};
use crate::diagnostic::{Source, plural};
use crate::error::{Error, Result};
use crate::files;
use crate::grammar::load_relabellings;
use crate::query::{Rewriting, gather, rewrite};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg rewrite changes.txt trees/ --dry-run          what would change, node by node
  arsg rewrite changes.txt trees/ --out new-trees/
  arsg rewrite changes.txt trees/ --docs docs/ --dry-run --json

A file of changes, for example:

  ## Two names for one thing are merged.
  change causal-reason to causal-cause
  ## A list whose second part turns against the first is a contrast.
  change joint-list NN to adversative-contrast
    when B.cue in {but, whereas}
  ## Roles are given where they change. A name that is new stands in quotes.
  change elaboration-* NS to \"elaboration-detail\" NS
    when level(A, B) < sentence

Of several changes that fit a node the first is taken. Formulas are those of `arsg query`, and speak of the
trees as they were. Files in which nothing changes are copied byte for byte.

Exit codes: 0 done, 1 a change cannot be made somewhere, 3 the changes or a tree do not validate.")]
pub(super) struct Args {
    /// The file of changes
    #[arg(value_name = "CHANGES")]
    changes: PathBuf,
    /// Files or folders of trees, in any format
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// The folder to write to, each file in its place
    #[arg(long, short, value_name = "DIR", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Write nothing: say what would change
    #[arg(long)]
    dry_run: bool,
    /// Documents of the trees, where their format does not say where paragraphs end
    #[arg(long, value_name = "FILE|DIR")]
    docs: Option<PathBuf>,
    #[command(flatten)]
    grammar: GrammarArg,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let text = files::read_text(&args.changes)?;
    let mut gathered = gather(&args.paths, args.docs.as_deref())?;
    if gathered.trees.is_empty() {
        return Err(Error::Empty("there are texts, but no trees".to_owned()));
    }
    gathered.texts.clear();
    let bank = treebank(gathered, &args.grammar, terminal)?;
    if !bank.notes.is_empty() {
        let message =
            "some trees do not fit their texts, and a part of a treebank is not rewritten";
        return Err(Error::Mismatch(message.to_owned()));
    }
    let source = Source::new(args.changes.display().to_string(), text);
    let rules = load_relabellings(&source, &bank.schema)?;
    let done = rewrite(&bank, &rules);
    for note in &done.notes {
        terminal.note(note);
    }
    let mut out = Output::beside();
    out.write(&if terminal.json {
        report_json(&done)?
    } else {
        report(&done, args.dry_run)
    })?;
    out.finish()?;
    if let (Some(folder), false) = (&args.out, args.dry_run) {
        let written = done.save(&args.paths, folder)?;
        terminal.note(&format!(
            "{} written to `{}`",
            plural(written, "file"),
            folder.display()
        ));
    }
    Ok(if done.refused() > 0 {
        Outcome::Failure
    } else {
        Outcome::Fine
    })
}

fn report_json(done: &Rewriting) -> Result<String> {
    let changes = done.files.iter().flat_map(|file| &file.changes);
    changes.map(crate::json::line).collect()
}

fn report(done: &Rewriting, dry_run: bool) -> String {
    let mut out = String::new();
    let changes: Vec<_> = done.files.iter().flat_map(|file| &file.changes).collect();
    let places: Vec<String> = changes
        .iter()
        .map(|c| format!("{} {}", c.id, c.edus))
        .collect();
    let width = widest(places.iter().map(String::as_str));
    for (place, change) in places.iter().zip(&changes) {
        let gap = fill(place, width);
        let why = change
            .refused
            .as_ref()
            .map_or(String::new(), |why| format!("  not done: {why}"));
        out.push_str(&format!(
            "{place}{gap}  {} -> {}  ({}){why}\n",
            change.from, change.to, change.change
        ));
    }
    if !changes.is_empty() {
        out.push('\n');
    }
    for (at, (text, done, refused)) in done.rules.iter().enumerate() {
        let not = if *refused > 0 {
            format!(", {refused} not done")
        } else {
            String::new()
        };
        out.push_str(&format!(
            "({}) {}{not}  {text}\n",
            at + 1,
            plural(*done, "node")
        ));
    }
    let touched =
        |file: &&crate::query::FileChange| file.changes.iter().any(|c| c.refused.is_none());
    let files = done.files.iter().filter(touched).count();
    let word = if dry_run { "would change" } else { "changed" };
    out.push_str(&format!(
        "\n{} {word} in {} of {}\n",
        plural(done.done(), "node"),
        files,
        plural(done.files.len(), "file")
    ));
    out
}
