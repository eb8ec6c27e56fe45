//! `arsg embed`: the first representation.

mod check;
mod impacts;
mod near;
mod pairs;
mod train;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

use super::Outcome;
use super::input::{InputArgs, SchemaArg, named, report_skips};
use super::terminal::Terminal;
use crate::embed::{Embedder, ImpactKind, Impacts, Model, PhraseReader, Phrases};
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
    pub(super) fn load(&self) -> Result<Embedder> {
        Ok(Embedder::new(Model::load(&self.model)?))
    }
}

/// Texts, and the vocabulary by which their cores are found.
#[derive(ClapArgs)]
pub(super) struct TextArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    schema: SchemaArg,
    #[command(flatten)]
    pub(super) impact: ImpactArg,
}

/// How cores make an impact.
#[derive(ClapArgs)]
pub(super) struct ImpactArg {
    /// How the cores of a text make its impact: their mean, or their sum as in the paper (default: what
    /// the model says, else mean)
    #[arg(long, value_name = "HOW", value_parser = named::<ImpactKind>(&ImpactKind::NAMES))]
    pub(super) impact: Option<ImpactKind>,
}

impl ImpactArg {
    /// Makes impacts what is asked for.
    pub(super) fn apply(&self, impacts: &mut Impacts) {
        if let Some(kind) = self.impact {
            impacts.set_kind(kind);
        }
    }
}

impl TextArgs {
    /// The impacts of the texts; `look` gets to see every text while its words are at hand.
    pub(super) fn impacts<T: Send>(
        &self,
        embedder: &Embedder,
        terminal: &Terminal,
        look: impl Fn(&Document, &Analysis, &[Phrases]) -> T + Sync,
    ) -> Result<(Impacts, Vec<T>)> {
        let mut looks = Vec::new();
        let impacts = self.visit_impacts(embedder, terminal, look, |seen| looks.push(seen))?;
        Ok((impacts, looks))
    }

    /// The same; what `look` has seen is handed to `take`, text after text.
    pub(super) fn visit_impacts<T: Send>(
        &self,
        embedder: &Embedder,
        terminal: &Terminal,
        look: impl Fn(&Document, &Analysis, &[Phrases]) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<Impacts> {
        let schema = self.schema()?;
        let reader = PhraseReader::new(&schema, embedder.model().parameters.grain);
        let mut impacts = Impacts::of(embedder.model());
        self.impact.apply(&mut impacts);
        let tally = self.input.work_through(
            terminal,
            "embedding",
            |document| {
                let (analysis, cores) = reader.read(&document);
                let seen = look(&document, &analysis, &cores);
                (document.id, embedder.impact(&cores), seen)
            },
            |(id, impact, seen), _| {
                take(seen);
                impacts.push(id, &impact)
            },
        )?;
        report_skips(terminal, &tally);
        note_origins(&impacts, terminal);
        Ok(impacts)
    }

    fn schema(&self) -> Result<Schema> {
        load_schema(&self.schema)
    }
}

/// Texts with the model that turns them into impacts.
#[derive(ClapArgs)]
pub(super) struct EmbeddedTexts {
    #[command(flatten)]
    pub(super) texts: TextArgs,
    #[command(flatten)]
    pub(super) model: ModelArg,
}

/// True for files of vectors, by their names.
pub(super) fn is_safetensors(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "safetensors")
}

/// Says how much of the texts the model knows.
fn note_origins(impacts: &Impacts, terminal: &Terminal) {
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
fn load_schema(schema: &SchemaArg) -> Result<Schema> {
    schema.load("finance")
}
