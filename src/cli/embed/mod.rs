//! `arsg embed`: the first representation.

mod check;
mod impacts;
mod near;
mod pairs;
mod train;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

use super::Outcome;
use super::input::{InputArgs, SchemaArg, report_skips};
use super::terminal::Terminal;
use crate::embed::{Embedder, Impacts, Model, PhraseReader, Phrases};
use crate::error::Result;
use crate::text::{Analysis, Document};
use crate::{Schema, files};

#[derive(ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Learn phrase vectors from the lexical cores of a corpus
    Train(train::Args),
    /// Show the phrases nearest to a phrase
    Near(near::Args),
    /// Turn texts into vectors: their impacts
    Impacts(impacts::Args),
    /// List all pairs of texts whose impacts are nearer than epsilon
    Pairs(pairs::Args),
    /// See whether texts with near impacts share keywords
    Check(check::Args),
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    match args.command {
        Command::Train(args) => train::run(args, terminal),
        Command::Near(args) => near::run(args, terminal),
        Command::Impacts(args) => impacts::run(args, terminal),
        Command::Pairs(args) => pairs::run(args, terminal),
        Command::Check(args) => check::run(args, terminal),
    }
}

#[derive(ClapArgs)]
pub(super) struct ModelArg {
    /// The model, as `arsg embed train` wrote it
    #[arg(long, short, value_name = "MODEL")]
    model: PathBuf,
}

impl ModelArg {
    fn load(&self) -> Result<Embedder> {
        Ok(Embedder::new(Model::load(&self.model)?))
    }
}

/// The impacts of a corpus; `look` gets to see every text while its words are at hand.
pub(super) fn impacts_of<T: Send>(
    embedder: &Embedder,
    input: &InputArgs,
    schema: &Schema,
    terminal: &Terminal,
    look: impl Fn(&Document, &Analysis, &[Phrases]) -> T + Sync,
) -> Result<(Impacts, Vec<T>)> {
    let reader = PhraseReader::new(schema, embedder.model().parameters.grain);
    let mut impacts = Impacts::new(embedder.model().dimensions());
    let mut looks = Vec::new();
    let tally = input.each(
        terminal,
        "embedding",
        |document| {
            let (analysis, cores) = reader.read(&document);
            let seen = look(&document, &analysis, &cores);
            (document.id, embedder.impact(&cores), seen)
        },
        |(id, impact, seen), _| {
            looks.push(seen);
            impacts.push(id, &impact)
        },
    )?;
    report_skips(terminal, &tally);
    Ok((impacts, looks))
}

/// True for files of vectors, by their names.
pub(super) fn is_safetensors(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "safetensors")
}

/// Says how much of the texts the model knows.
pub(super) fn note_origins(impacts: &Impacts, terminal: &Terminal) {
    let origins = impacts.origins;
    let phrases = origins.known + origins.composed + origins.unknown;
    let percent = |count: u64| 100.0 * count as f64 / phrases.max(1) as f64;
    terminal.note(&format!(
        "{} texts, {} phrases: {:.1}% known, {:.1}% composed from known words, {:.1}% unknown",
        impacts.len(),
        phrases,
        percent(origins.known),
        percent(origins.composed),
        percent(origins.unknown),
    ));
}

fn write_plot(path: &Path, chart: &crate::plot::Chart, terminal: &Terminal) -> Result<()> {
    files::replace(path, chart.to_svg().as_bytes())?;
    terminal.note(&format!("plot: {}", path.display()));
    Ok(())
}

/// The schema whose words are read, where none is named.
pub(super) fn load_schema(schema: &SchemaArg) -> Result<Schema> {
    schema.load("finance")
}
