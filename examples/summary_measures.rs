//! Measures the methods on clusters of a corpus: `summary_measures ARTICLES.jsonl CLUSTERS.jsonl [WORDS]`.
//!
//! Clusters are lines of `arsg cluster --json`. Prints N, E, W, the centroid cosine and the coverage of
//! the titles, times 100, at a fixed number of words, and what the default method gains over each
//! baseline with 95% intervals (bootstrap over clusters).

use std::collections::HashMap;
use std::path::PathBuf;

use arsg::evaluate::{Evaluation, Judge, Tokens};
use arsg::schema::embedded_schema;
use arsg::summarize::{Length, Method, Options, Text, summarize};
use arsg::text::{Analyzer, corpus};
use rand::{RngExt, SeedableRng};

const RESAMPLES: usize = 2000;

fn main() -> arsg::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [articles, clusters, rest @ ..] = arguments.as_slice() else {
        return Err(arsg::Error::Usage(
            "ARTICLES.jsonl CLUSTERS.jsonl [WORDS [half]]".to_owned(),
        ));
    };
    let words = rest
        .first()
        .and_then(|words| words.parse().ok())
        .unwrap_or(300);
    let half = rest.get(1).map(String::as_str).unwrap_or("all");
    let schema = embedded_schema("finance")?;
    let analyzer = Analyzer::new(&schema);
    let mut texts: HashMap<String, Text> = HashMap::new();
    for document in corpus::open(&PathBuf::from(articles), None)?.flatten() {
        let analysis = analyzer.analyze(&document);
        texts.insert(document.id.clone(), Text::new(document, analysis));
    }
    let lines = std::fs::read_to_string(clusters).map_err(|e| arsg::Error::read(clusters, e))?;
    let mut measured: HashMap<Method, Vec<Evaluation>> = HashMap::new();
    for (number, line) in lines.lines().enumerate() {
        if (half == "even" && number % 2 == 1) || (half == "odd" && number % 2 == 0) {
            continue;
        }
        let cluster: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let ids = cluster["docs"].as_array().cloned().unwrap_or_default();
        let ids = ids.iter().filter_map(|id| texts.get(id.as_str()?));
        let cluster: Vec<Text> = ids.cloned().collect();
        let judge = Judge::new(&cluster, &schema, &analyzer, Tokens::Characters, None)?;
        for (name, method) in Method::ALL {
            if *method == Method::Cnnlm && std::env::var_os("CNNLM").is_none() {
                continue;
            }
            let options = Options {
                method: *method,
                length: Length::Words(words),
                ..options()
            };
            let summary = summarize(&cluster, &options)?;
            let units: Vec<&str> = summary.lines.iter().map(|l| l.shown.as_str()).collect();
            if std::env::var("SHOW").is_ok_and(|shown| shown == *name) {
                println!("## {name}, cluster {}\n{}\n", number + 1, units.join("\n"));
            }
            let found = judge.evaluate(&units, None)?;
            measured.entry(*method).or_default().push(found);
        }
    }
    report(&measured);
    Ok(())
}

/// Tastes may be tried from outside: `TASTES="fall=0.1 pairs=0.5"`.
fn options() -> Options {
    let mut options = Options::default();
    let tried = std::env::var("TASTES").unwrap_or_default();
    for (name, value) in tried.split(' ').filter_map(|pair| pair.split_once('=')) {
        let Ok(value) = value.parse::<f64>() else {
            continue;
        };
        match name {
            "fall" => options.tastes.fall = value,
            "inside" => options.tastes.inside = value,
            "pairs" => options.tastes.pairs = value,
            "centre" => options.tastes.centre = value,
            "length" => options.tastes.length = value,
            "redundancy" => options.redundancy = value,
            _ => eprintln!("no taste is called `{name}`"),
        }
    }
    options
}

type Column = (&'static str, fn(&Evaluation) -> f64);

const COLUMNS: [Column; 7] = [
    ("N", |e| e.novelty),
    ("E_recall", |e| e.entities_recall),
    ("W", |e| e.overlap),
    ("centroid", |e| e.centroid),
    ("titles", |e| e.titles.unwrap_or_default()),
    ("words", |e| e.words as f64 / 100.0),
    ("units", |e| e.units as f64 / 100.0),
];

fn report(measured: &HashMap<Method, Vec<Evaluation>>) {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    println!("| method | {} |", names.join(" | "));
    for (name, method) in Method::ALL {
        let Some(all) = measured.get(method) else {
            continue;
        };
        let cells = COLUMNS.iter().map(|(_, value)| {
            let mean = all.iter().map(value).sum::<f64>() / all.len().max(1) as f64;
            format!("{:.1}", mean * 100.0)
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    let Some(ours) = measured.get(&Method::Arsg) else {
        return;
    };
    println!(
        "\nwhat arsg gains (x100), 95% intervals over {} clusters",
        ours.len()
    );
    for (name, method) in Method::ALL.iter().skip(1) {
        let Some(theirs) = measured.get(method) else {
            continue;
        };
        let cells = COLUMNS.iter().take(5).map(|(column, value)| {
            let gains: Vec<f64> = ours
                .iter()
                .zip(theirs)
                .map(|(a, b)| value(a) - value(b))
                .collect();
            let (low, high) = interval(&gains);
            let mean = gains.iter().sum::<f64>() / gains.len().max(1) as f64;
            format!(
                "{column} {:+.1} [{:+.1}, {:+.1}]",
                mean * 100.0,
                low * 100.0,
                high * 100.0
            )
        });
        println!("{name}: {}", cells.collect::<Vec<_>>().join("  "));
    }
}

fn interval(gains: &[f64]) -> (f64, f64) {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = gains
                .iter()
                .map(|_| gains[rng.random_range(0..gains.len())]);
            drawn.sum::<f64>() / gains.len().max(1) as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means.get((share * RESAMPLES as f64) as usize).copied();
    (at(0.025).unwrap_or_default(), at(0.975).unwrap_or_default())
}
