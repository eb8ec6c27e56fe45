//! `arsg corpus stats` and `arsg corpus split`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::Outcome;
use super::input::{InputArgs, SchemaArg, report_skips};
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::json;
use crate::lexcore::{Extractor, Statistics, TextStatistics};
use crate::text::Analyzer;

#[derive(ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Texts, distinct agents, objects, state changes and times, EDUs a text
    #[command(after_help = "Example:\n  arsg corpus stats news.jsonl --schema finance")]
    Stats {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        schema: SchemaArg,
    },
    /// Training, validation and test set, by a seeded shuffle
    #[command(
        after_help = "Example:\n  arsg corpus split news.jsonl --out parts/ --seed 7
      writes parts/train.jsonl, parts/validation.jsonl, parts/test.jsonl, 8 : 1 : 1"
    )]
    Split {
        #[command(flatten)]
        input: InputArgs,
        /// The folder for the three files
        #[arg(long, short, value_name = "DIR")]
        out: PathBuf,
        /// The seed of the shuffle (0 to 2^64 - 1)
        #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
        seed: u64,
        /// The three shares, whole numbers (0 to 1000000)
        #[arg(long, value_name = "A:B:C", default_value = "8:1:1")]
        shares: String,
    },
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    match args.command {
        Command::Stats { input, schema } => stats(&input, &schema, terminal),
        Command::Split {
            input,
            out,
            seed,
            shares,
        } => split(&input, &out, seed, &shares, terminal),
    }
}

fn stats(input: &InputArgs, schema: &SchemaArg, terminal: &Terminal) -> Result<Outcome> {
    let schema = schema.load("finance")?;
    let analyzer = Analyzer::new(&schema);
    let extractor = Extractor::new(&schema);
    let mut statistics = Statistics::default();
    let tally = input.work_through(
        terminal,
        "counting",
        |document| {
            let analysis = analyzer.analyze(&document);
            let cores = extractor.extract(&document, &analysis);
            TextStatistics::of(&document, analysis.edus.len(), &cores)
        },
        |text, _| {
            statistics.add(text);
            Ok(())
        },
    )?;
    let mut out = Output::open(None)?;
    if terminal.json {
        let rows: serde_json::Map<String, serde_json::Value> = statistics
            .rows()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        out.write(&format!("{}\n", serde_json::Value::from(rows)))?;
    } else {
        for (name, value) in statistics.rows() {
            let places = if value.fract() == 0.0 { 0 } else { 2 };
            out.write(&format!("{name:<24} {value:>10.places$}\n"))?;
        }
    }
    out.finish()?;
    report_skips(terminal, &tally);
    Ok(Outcome::Fine)
}

fn split(
    input: &InputArgs,
    folder: &std::path::Path,
    seed: u64,
    shares: &str,
    terminal: &Terminal,
) -> Result<Outcome> {
    const NAMES: [&str; 3] = ["train", "validation", "test"];
    let shares = parse_shares(shares)?;
    let mut lines = Vec::new();
    let tally = input.work_through(
        terminal,
        "splitting",
        |document| json::line(&document),
        |line, _| {
            lines.push(line?);
            Ok(())
        },
    )?;
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(seed));
    crate::files::disk::make_folder(folder)?;
    let whole: u64 = shares.iter().sum();
    let mut from = 0;
    let mut upto = 0;
    for (name, share) in NAMES.iter().zip(shares) {
        upto += share;
        let to = (lines.len() as u64 * upto / whole) as usize;
        // Inside a part the order of the corpus is kept, so that parts diff well.
        let mut part: Vec<usize> = order[from..to].to_vec();
        part.sort_unstable();
        let path = folder.join(format!("{name}.jsonl"));
        let mut out = Output::open(Some(&path))?;
        for line in part {
            out.write(&lines[line])?;
        }
        out.finish()?;
        terminal.note(&format!("{} {}", to - from, path.display()));
        from = to;
    }
    report_skips(terminal, &tally);
    Ok(Outcome::Fine)
}

/// More exactly nobody can say it.
const LARGEST_SHARE: u64 = 1_000_000;

fn parse_shares(text: &str) -> Result<[u64; 3]> {
    let share = |part: &str| part.parse().ok().filter(|share| *share <= LARGEST_SHARE);
    let parts: Option<Vec<u64>> = text.split(':').map(share).collect();
    match parts.as_deref() {
        Some(&[a, b, c]) if a + b + c > 0 => Ok([a, b, c]),
        _ => Err(Error::Usage(format!(
            "`{text}` is not a split; write three whole numbers (0 to {LARGEST_SHARE}), as 8:1:1"
        ))),
    }
}
