//! `arsg embed check`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::super::Outcome;
use super::super::numbers;
use super::super::terminal::{Output, Terminal};
use super::EmbeddedTexts;
use crate::embed::ImpactKind;
use crate::embed::topic::{self, SharedKeywords, TopicCheck};
use crate::error::{Error, Result};
use crate::json;
use crate::plot::{Chart, Layer};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg embed check news.jsonl --model news.safetensors
  arsg embed check news.jsonl --model news.safetensors --impact sum --plot topics.svg

Impacts are looked at as the model makes them, or as --impact says. Then both ways are compared, sums and
means, and the one is recommended by which near texts share more keywords.")]
pub(super) struct Args {
    #[command(flatten)]
    embedded: EmbeddedTexts,
    /// Texts compared, at most (2 to 100000)
    #[arg(long, default_value_t = 1000, value_parser = numbers::whole::<usize>(2, 100000))]
    sample: usize,
    /// The share of texts that counts as close to a text (0 to 1)
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = numbers::real::<f64>(0.0, 1.0))]
    closest: f64,
    /// The seed of the sample (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Draw shared keywords over distance (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let EmbeddedTexts { texts, model } = &args.embedded;
    let embedder = model.load()?;
    let (mut impacts, keywords) = texts.impacts(&embedder, terminal, |document, analysis, _| {
        topic::keywords(document, analysis)
    })?;
    let compared = topic::compare(&mut impacts, |points| {
        topic::check(points, &keywords, args.sample, args.closest, args.seed)
    });
    let kind = impacts.kind();
    let compared = compared
        .ok_or_else(|| Error::Empty("fewer than two texts have cores and keywords".to_owned()))?;
    let found = compared.of(kind);
    let mut out = Output::open(None)?;
    out.write(&if terminal.json {
        json::line(found)?
    } else {
        table(found)
    })?;
    out.finish()?;
    let said = |kind: ImpactKind| {
        let found = compared.of(kind);
        format!(
            "{kind} {:+.3} (nearest texts share {:.1} keywords)",
            found.correlation, found.close.shared
        )
    };
    let best = compared.best();
    terminal.note(&format!(
        "correlation of distance and shared keywords by {} and by {}; any two texts share {:.1}",
        said(ImpactKind::Sum),
        said(ImpactKind::Mean),
        found.random.shared
    ));
    let advice = if best == kind {
        "and what was looked at"
    } else {
        "and not what was looked at: train or call with it"
    };
    terminal.note(&format!("`--impact {best}` is the better one, {advice}"));
    if let Some(path) = &args.plot {
        super::write_plot(path, &plot(found), terminal)?;
    }
    Ok(Outcome::Fine)
}

fn table(found: &TopicCheck) -> String {
    let mut text = format!(
        "{} texts, {} pairs; rank correlation of distance and shared keywords {:.3}\n\n{:<26} {:>9} {:>10} {:>8} {:>12}\n",
        found.texts, found.pairs, found.correlation, "", "pairs", "shared", "any", "recall"
    );
    let mut row = |name: &str, keywords: &SharedKeywords| {
        text.push_str(&format!(
            "{name:<26} {:>9} {:>10.3} {:>7.1}% {:>11.1}%\n",
            keywords.pairs,
            keywords.shared,
            100.0 * keywords.any,
            100.0 * keywords.recall
        ));
    };
    row("nearest text", &found.nearest);
    row("close to a text", &found.close);
    row(
        &format!("nearest of all, < {:.2}", found.epsilon),
        &found.closest,
    );
    row("random", &found.random);
    for (at, tenth) in found.tenths.iter().enumerate() {
        row(
            &format!("tenth {:>2}, at {:.2}", at + 1, tenth.distance),
            &tenth.keywords,
        );
    }
    text
}

fn plot(found: &TopicCheck) -> Chart {
    let tenths: Vec<(f64, f64)> = found
        .tenths
        .iter()
        .map(|tenth| (tenth.distance, tenth.keywords.shared))
        .collect();
    let level = |shared: f64| -> Vec<(f64, f64)> {
        let ends = [found.tenths.first(), found.tenths.last()];
        ends.into_iter()
            .flatten()
            .map(|tenth| (tenth.distance, shared))
            .collect()
    };
    Chart::new(
        "Shared keywords by distance",
        "distance",
        "shared keywords a pair",
    )
    .with(Layer::line("tenths of all pairs", tenths))
    .with(Layer::line("close to a text", level(found.close.shared)))
    .with(Layer::line("random", level(found.random.shared)))
}
