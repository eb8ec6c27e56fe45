//! `arsg embed impacts`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use ndarray::{Array2, ArrayView2};

use super::super::Outcome;
use super::super::terminal::{Output, Terminal};
use super::{EmbeddedTexts, is_safetensors};
use crate::embed::{Embedder, ImpactJson, Impacts, Phrases, PrincipalAxes};
use crate::error::{Error, Result};
use crate::json;
use crate::plot::{Chart, Layer};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg embed impacts news.jsonl --model news.safetensors -o impacts.safetensors
  arsg embed impacts text.txt --model news.safetensors          one JSON object a text
  arsg embed impacts news.jsonl -m news.safetensors -o impacts.safetensors --plot view.svg")]
pub(super) struct Args {
    #[command(flatten)]
    embedded: EmbeddedTexts,
    /// Where the impacts go (default: stdout); a `.safetensors` file gets a table, others JSON lines
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the impacts on their two leading principal axes (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the cores on theirs
    #[arg(long, value_name = "FILE")]
    plot_cores: Option<PathBuf>,
}

/// Cores drawn, at most: the first of every text, then the second, and so on.
const MOST_CORES: usize = 1500;
/// Cores remembered of a text for drawing.
const CORES_A_TEXT: usize = 4;

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let EmbeddedTexts { texts, model } = &args.embedded;
    let embedder = model.load()?;
    let keep = if args.plot_cores.is_some() {
        CORES_A_TEXT
    } else {
        0
    };
    let (impacts, seen) = texts.impacts(&embedder, terminal, |document, _, cores| {
        let title = document
            .title
            .clone()
            .unwrap_or_else(|| document.id.clone());
        (title, cores.iter().take(keep).cloned().collect::<Vec<_>>())
    })?;
    write(&impacts, args.out.as_deref())?;
    let (titles, cores): (Vec<String>, Vec<Vec<Phrases>>) = seen.into_iter().unzip();
    if let Some(path) = &args.plot {
        let chart = view("Impacts of texts", "texts", impacts.vectors(), &titles);
        super::write_plot(path, &chart, terminal)?;
    }
    if let Some(path) = &args.plot_cores {
        super::write_plot(path, &core_view(&embedder, &cores)?, terminal)?;
    }
    Ok(Outcome::Fine)
}

fn write(impacts: &Impacts, path: Option<&std::path::Path>) -> Result<()> {
    if let Some(path) = path
        && is_safetensors(path)
    {
        return impacts.save(path);
    }
    let mut out = Output::open(path)?;
    let rows = impacts.vectors();
    for ((id, cores), (row, origins)) in impacts
        .ids
        .iter()
        .zip(&impacts.cores)
        .zip(rows.rows().into_iter().zip(&impacts.origins_of))
    {
        let line = json::line(&ImpactJson {
            doc: id.clone(),
            cores: *cores,
            origins: *origins,
            impact: row.to_vec(),
        })?;
        out.write(&line)?;
    }
    out.finish()
}

/// Points on their two leading principal axes.
fn view(title: &str, name: &str, points: ArrayView2<'_, f32>, labels: &[String]) -> Chart {
    let axes = PrincipalAxes::fit(points, 2);
    let share = |at: usize| axes.variances.get(at).copied().unwrap_or_default();
    let places = points.rows().into_iter().map(|row| {
        let place = axes.project(row);
        let along = |at: usize| place.get(at).copied().unwrap_or_default();
        (along(0), along(1))
    });
    let axis = |at: usize| format!("principal axis {} (variance {:.3})", at + 1, share(at));
    let labels = labels.iter().map(|label| shortened(label)).collect();
    Chart {
        size: (900, 640),
        ..Chart::new(title, axis(0), axis(1))
    }
    .with(Layer::dots(name, 3.0, places.collect()).labelled(labels))
}

fn core_view(embedder: &Embedder, texts: &[Vec<Phrases>]) -> Result<Chart> {
    let nth = |at: usize| texts.iter().filter_map(move |cores| cores.get(at));
    let cores: Vec<&Phrases> = (0..CORES_A_TEXT).flat_map(nth).take(MOST_CORES).collect();
    let flat: Vec<f32> = cores.iter().flat_map(|core| embedder.core(core)).collect();
    let shape = (cores.len(), embedder.model().dimensions());
    let points = Array2::from_shape_vec(shape, flat);
    let points = points.map_err(|error| Error::Internal(error.to_string()))?;
    let labels: Vec<String> = cores
        .iter()
        .map(|[_, agent, object, state]| {
            let named = [object.as_ref().or(agent.as_ref()), state.as_ref()];
            let named: Vec<String> = named
                .into_iter()
                .flatten()
                .map(|part| part.text())
                .collect();
            named.join(" ")
        })
        .collect();
    Ok(view("Lexical cores", "cores", points.view(), &labels))
}

/// The first characters of a title.
fn shortened(title: &str) -> String {
    const MOST: usize = 14;
    match title.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", title.get(..end).unwrap_or_default()),
        None => title.to_owned(),
    }
}
