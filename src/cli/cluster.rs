//! `arsg cluster`: texts in clusters of about the same size.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::embed::{TextArgs, is_safetensors};
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::embed::{Cluster, ClusterJson, Embedder, Impacts, Model, cluster_points};
use crate::error::{Error, Result};
use crate::json;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg cluster news.jsonl --model news.safetensors              clusters of about 120 texts
  arsg cluster impacts.safetensors --size 50 --json             from impacts at hand")]
pub(super) struct Args {
    #[command(flatten)]
    texts: TextArgs,
    /// The model that turns the texts into impacts
    #[arg(long, short, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Texts a cluster, about (1 to 1000000)
    #[arg(long, default_value_t = 120, value_parser = numbers::whole::<usize>(1, 1000000))]
    size: usize,
    /// Where the clusters go (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let impacts = impacts(&args, terminal)?;
    let found = cluster_points(impacts.vectors(), args.size);
    let mut out = Output::open(args.out.as_deref())?;
    for (at, cluster) in found.iter().enumerate() {
        out.write(&report(&impacts, at + 1, cluster, terminal.json)?)?;
    }
    out.finish()?;
    terminal.note(&format!(
        "{} texts in {} clusters",
        impacts.len(),
        found.len()
    ));
    Ok(Outcome::Fine)
}

fn impacts(args: &Args, terminal: &Terminal) -> Result<Impacts> {
    let one: Option<&Path> = match args.texts.input.paths.as_slice() {
        [path] if is_safetensors(path) => Some(path),
        _ => None,
    };
    if let Some(path) = one {
        let mut impacts = Impacts::load(path)?;
        args.texts.impact.apply(&mut impacts);
        return Ok(impacts);
    }
    let model = args.model.as_deref().ok_or_else(|| {
        Error::Usage("texts need `--model`; impacts at hand are a `.safetensors` file".to_owned())
    })?;
    let embedder = Embedder::new(Model::load(model)?);
    let (impacts, _) = args.texts.impacts(&embedder, terminal, |_, _, _| ())?;
    Ok(impacts)
}

fn report(impacts: &Impacts, number: usize, cluster: &Cluster, json: bool) -> Result<String> {
    let name = |number: &u32| {
        impacts
            .ids
            .get(*number as usize)
            .cloned()
            .unwrap_or_default()
    };
    let docs: Vec<String> = cluster.members.iter().map(name).collect();
    let middle = name(&cluster.middle);
    if !json {
        return Ok(format!(
            "# cluster {number}: {} texts, spread {:.3}, in the middle {middle}\n{}\n",
            docs.len(),
            cluster.spread,
            docs.join("\n")
        ));
    }
    json::line(&ClusterJson {
        cluster: number,
        size: docs.len(),
        middle,
        spread: cluster.spread,
        docs,
    })
}
