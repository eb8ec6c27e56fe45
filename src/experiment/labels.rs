//! The third table: what a few labels are worth, chosen as the paper does, by rivals, or at random.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Interval, Picture, Table};
use crate::automaton::Engine;
use crate::behavior::{Example, Induction};
use crate::embed::neighbours::Reach;
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
    /// Whether cubes are also compared with texts far from each other and with texts that the grammar is
    /// least sure of; else with chance only.
    pub rivals: bool,
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

/// A way to choose the texts that are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Representatives of cubes (Algorithm 31).
    Cubes,
    /// Each the farthest from all before it.
    Farthest,
    /// Those that a grammar learned from the ones before is least sure of.
    Uncertain,
    /// Any: what the others are measured against.
    Random,
}

impl Way {
    /// Cubes come first, chance last.
    fn compared(rivals: bool) -> &'static [Way] {
        if rivals {
            &[Way::Cubes, Way::Farthest, Way::Uncertain, Way::Random]
        } else {
            &[Way::Cubes, Way::Random]
        }
    }

    /// Who chose, for the note below the table.
    fn told(self) -> &'static str {
        match self {
            Way::Cubes => "cubes (Algorithm 31)",
            Way::Farthest => "distance (each the farthest from all before it)",
            Way::Uncertain => "doubt (least probable by a grammar learned from those before)",
            Way::Random => "chance",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Way::Cubes => "cubes",
            Way::Farthest => "farthest",
            Way::Uncertain => "uncertain",
            Way::Random => "random",
        }
    }
}

/// Learns grammars from so many of the `seen` texts, which lie in `space` in the same order, chosen by
/// cubes (Algorithm 31), by distance, by what the grammar so far is least sure of, or at random, and scores
/// them on the `held` ones. `done` is told each training.
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
    let ways = Way::compared(how.rivals);
    for (name, _) in MEASURES {
        let ways = ways.iter().map(|way| format!("{name}, {}", way.name()));
        table.head.extend(ways);
        table.head.push(format!("{name}, cubes against random"));
    }
    let mut curves: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ways.len()];
    let sizes: Vec<usize> = how
        .sizes
        .iter()
        .copied()
        .filter(|n| *n <= seen.len())
        .collect();
    for &size in &sizes {
        let mut found: Vec<Vec<Scored>> = vec![Vec::new(); ways.len()];
        for seed in 1..=how.seeds.max(1) {
            for (way, found) in ways.iter().zip(&mut found) {
                let chosen = match way {
                    Way::Cubes => first(Cubes::Each(size).choose(space, seed), size),
                    Way::Farthest => farthest(space, size, seed),
                    Way::Uncertain => uncertain(seen, space, size, seed, schema, how),
                    Way::Random => first(Random(size).choose(space, seed), size),
                };
                let scored = trial(seen, chosen, held, schema, how)?;
                done(&format!(
                    "{size} texts by {}, seed {seed}: S {:.1}",
                    way.name(),
                    scored.span
                ));
                found.push(scored);
            }
        }
        for (curve, found) in curves.iter_mut().zip(&found) {
            let spans: Vec<f64> = found.iter().map(|scored| scored.span).collect();
            curve.push((size as f64, Interval::of(&spans).mean));
        }
        table.rows.push(row(size, &found));
    }
    table.pictures.push(draw_curves(ways, curves));
    let names: Vec<&str> = ways.iter().map(|way| way.told()).collect();
    Ok(table.note(format!(
        "Grammars learned from texts that {} chose, scored on {} others with their gold EDUs: original Parseval (spans, \
         nuclearity, coarse relations), {} draws, means with 95% intervals.",
        names.join(", "),
        held.len(),
        how.seeds.max(1)
    )))
}

/// The numbers of the first so many choices.
fn first(choices: Vec<Choice>, size: usize) -> Vec<usize> {
    let texts = choices.iter().map(|choice| choice.text as usize);
    texts.take(size).collect()
}

/// A text drawn, and then each the farthest from all before it.
fn farthest(space: &Space<'_>, size: usize, seed: u64) -> Vec<usize> {
    let mut chosen: Vec<u32> = Random(1)
        .choose(space, seed)
        .iter()
        .map(|c| c.text)
        .collect();
    let mut reach = Reach::new(space.impacts());
    let mut newest = chosen.clone();
    while chosen.len() < size {
        reach.add(&newest);
        let Some(next) = reach.farthest(1).first().copied() else {
            break;
        };
        newest = vec![next.number];
        chosen.push(next.number);
    }
    chosen.into_iter().map(|text| text as usize).collect()
}

/// Half of the texts as chosen for half of the size, from few drawn ones on; then those that a grammar
/// learned from these is least sure of: whose steps are least probable on the average.
fn uncertain(
    seen: &[Example],
    space: &Space<'_>,
    size: usize,
    seed: u64,
    schema: &Arc<Schema>,
    how: &Labels<'_>,
) -> Vec<usize> {
    const FEW: usize = 3;
    if size <= FEW {
        return first(Random(size).choose(space, seed), size);
    }
    let mut chosen = uncertain(seen, space, size / 2, seed, schema, how);
    let known: Vec<&Example> = chosen.iter().filter_map(|at| seen.get(*at)).collect();
    let engine = Engine::new(how.induction.induce(&known, schema));
    let sure = |example: &Example| {
        let parse = engine.parse_text(Arc::clone(&example.text), &how.induction.parsing);
        let best = parse.derivations.first();
        best.map_or(0.0, |best| {
            let steps = best.steps.iter().map(|step| step.probability().ln());
            steps.sum::<f64>() / best.steps.len().max(1) as f64
        })
    };
    let others = (0..seen.len()).filter(|at| !chosen.contains(at));
    let mut others: Vec<(f64, usize)> = others.map(|at| (sure(&seen[at]), at)).collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let missing = size - chosen.len();
    chosen.extend(others.into_iter().take(missing).map(|(_, at)| at));
    chosen
}

/// The figures of each way, and what cubes gain over chance.
fn row(size: usize, found: &[Vec<Scored>]) -> Vec<String> {
    let mut row = vec![size.to_string()];
    for (_, value) in MEASURES {
        let of: Vec<Vec<f64>> = found
            .iter()
            .map(|way| way.iter().map(value).collect())
            .collect();
        row.extend(of.iter().map(|values| Interval::of(values).to_text(1)));
        if let [cubes, .., random] = of.as_slice() {
            row.push(Interval::of_gains(cubes, random).to_gain(1));
        }
    }
    row
}

fn draw_curves(ways: &[Way], curves: Vec<Vec<(f64, f64)>>) -> Picture {
    let mut chart = Chart::new("Spans found by texts labelled", "texts labelled", "S");
    for (way, curve) in ways.iter().zip(curves) {
        chart = chart.with(Layer::line(way.name(), curve));
    }
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
    mut chosen: Vec<usize>,
    held: &[Example],
    schema: &Arc<Schema>,
    how: &Labels<'_>,
) -> Result<Scored> {
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
