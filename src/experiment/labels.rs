//! The third table: what a few labels are worth, chosen as the paper does or at random.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Interval, Picture, Table};
use crate::behavior::{Example, Induction};
use crate::error::Result;
use crate::files;
use crate::json;
use crate::plot::{Chart, Layer};
use crate::schema::Schema;
use crate::select::{Choice, Cubes, Random, Space, Strategy};

/// What is compared.
#[derive(Debug, Clone)]
pub struct Labels<'a> {
    /// How many texts are labelled: a row each.
    pub sizes: Vec<usize>,
    /// The draws that figures are means of.
    pub seeds: u64,
    /// How a grammar is learned from the labels.
    pub induction: Induction,
    /// Where trainings that were done are kept, so that a run that was stopped goes on.
    pub cache: Option<&'a Path>,
}

/// S, N and R in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Scored {
    #[serde(rename = "S")]
    span: f64,
    #[serde(rename = "N")]
    nuclearity: f64,
    #[serde(rename = "R")]
    relation: f64,
}

/// The measures with their names.
type Measure = (&'static str, fn(&Scored) -> f64);
const MEASURES: [Measure; 3] = [
    ("S", |scored| scored.span),
    ("N", |scored| scored.nuclearity),
    ("R", |scored| scored.relation),
];

/// Learns grammars from so many of the `seen` texts, which lie in `space` in the same order, chosen by
/// cubes (Algorithm 31) or at random, and scores them on the `held` ones. `done` is told each training.
pub fn tabulate_labels(
    seen: &[Example],
    space: &Space<'_>,
    held: &[Example],
    schema: &Arc<Schema>,
    how: &Labels<'_>,
    mut done: impl FnMut(&str),
) -> Result<Table> {
    let mut table = Table::new("labels", "What a few labels are worth", &[]);
    table.head = vec!["texts labelled".to_owned()];
    let columns = |(name, _)| ["cubes", "random", "gain"].map(|way| format!("{name}, {way}"));
    table.head.extend(MEASURES.into_iter().flat_map(columns));
    let mut curves: [Vec<(f64, f64)>; 2] = [Vec::new(), Vec::new()];
    for &size in how.sizes.iter().filter(|size| **size <= seen.len()) {
        let mut found: [Vec<Scored>; 2] = [Vec::new(), Vec::new()];
        for seed in 1..=how.seeds.max(1) {
            let by_cubes = Cubes::Each(size).choose(space, seed);
            let at_random = Random(size).choose(space, seed);
            for (way, choices) in [by_cubes, at_random].into_iter().enumerate() {
                let name = ["cubes", "random"][way];
                let scored = trial(seen, &choices, size, held, schema, how)?;
                done(&format!(
                    "{size} texts by {name}, seed {seed}: S {:.1}",
                    scored.span
                ));
                found[way].push(scored);
            }
        }
        for (way, curve) in curves.iter_mut().enumerate() {
            let spans: Vec<f64> = found[way].iter().map(|scored| scored.span).collect();
            curve.push((size as f64, Interval::of(&spans).mean));
        }
        table.rows.push(row(size, &found));
    }
    table.pictures.push(draw_curves(curves));
    Ok(table.note(format!(
        "Grammars learned from texts that cubes choose (Algorithm 31) or chance, scored on {} others with their \
         gold EDUs: original Parseval (spans, nuclearity, coarse relations), {} draws, means with 95% intervals.",
        held.len(),
        how.seeds.max(1)
    )))
}

/// The figures of texts chosen by cubes and at random, and what is gained.
fn row(size: usize, [by_cubes, at_random]: &[Vec<Scored>; 2]) -> Vec<String> {
    let mut row = vec![size.to_string()];
    for (_, value) in MEASURES {
        let cubes: Vec<f64> = by_cubes.iter().map(value).collect();
        let random: Vec<f64> = at_random.iter().map(value).collect();
        row.push(Interval::of(&cubes).to_text(1));
        row.push(Interval::of(&random).to_text(1));
        row.push(Interval::of_gains(&cubes, &random).to_gain(1));
    }
    row
}

fn draw_curves([cubes, random]: [Vec<(f64, f64)>; 2]) -> Picture {
    let chart = Chart::new("Spans found by texts labelled", "texts labelled", "S")
        .with(Layer::line("cubes", cubes))
        .with(Layer::line("random", random));
    Picture {
        name: "labels".to_owned(),
        caption: "Spans found in texts that were not seen, by the number of texts labelled."
            .to_owned(),
        svg: chart.to_svg(),
    }
}

/// Learns from the chosen texts, or looks up what came of it.
fn trial(
    seen: &[Example],
    choices: &[Choice],
    size: usize,
    held: &[Example],
    schema: &Arc<Schema>,
    how: &Labels<'_>,
) -> Result<Scored> {
    let mut chosen: Vec<usize> = choices.iter().map(|choice| choice.text as usize).collect();
    chosen.truncate(size);
    chosen.sort_unstable();
    let examples: Vec<&Example> = chosen.iter().filter_map(|at| seen.get(*at)).collect();
    let held: Vec<&Example> = held.iter().collect();
    let kept = how
        .cache
        .map(|folder| folder.join(key(&examples, &held, schema, how)));
    if let Some(found) = kept.as_ref().and_then(|path| read(path)) {
        return Ok(found);
    }
    let original = how
        .induction
        .trial(&examples, &held, schema)
        .report
        .original;
    let scored = Scored {
        span: 100.0 * original.span.f1(),
        nuclearity: 100.0 * original.nuclearity.f1(),
        relation: 100.0 * original.relation.f1(),
    };
    if let Some(path) = kept {
        if let Some(folder) = path.parent() {
            crate::files::disk::make_folder(folder)?;
        }
        files::replace(&path, json::line(&scored)?.as_bytes())?;
    }
    Ok(scored)
}

/// What tells a training from any other: its texts, the held ones, the schema, how it learns.
fn key(seen: &[&Example], held: &[&Example], schema: &Schema, how: &Labels<'_>) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    for (mark, texts) in [("seen", seen), ("held", held)] {
        hasher.update(mark.as_bytes());
        for example in texts {
            hasher.update(&(example.id().len() as u64).to_le_bytes());
            hasher.update(example.id().as_bytes());
            hasher.update(example.document.text.as_bytes());
            hasher.update(format!("{:?}", example.oracle.actions()).as_bytes());
        }
    }
    hasher.update(format!("{:?} {:?}", schema.hash, how.induction).as_bytes());
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    PathBuf::from(format!("{}.json", &hasher.finalize().to_hex()[..24]))
}

/// What is kept of a training; a damaged file is as good as none.
fn read(path: &Path) -> Option<Scored> {
    serde_json::from_str(&files::read_text(path).ok()?).ok()
}
