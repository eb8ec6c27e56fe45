//! `arsg induce`: a grammar from trees.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::SchemaArg;
use super::terminal::{Output, Terminal};
use super::trees::read_all;
use crate::behavior::{Example, WeightOptions, by_weights, folds, score};
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::text::{Analyzer, Document, corpus};
use crate::tree::{Report, Tree};

#[derive(ClapArgs)]
pub(super) struct Args {
    /// Trees, one for each document
    #[arg(value_name = "TREES")]
    trees: PathBuf,
    /// The documents of the trees, with their EDUs
    #[arg(long, value_name = "DOCS")]
    docs: PathBuf,
    #[command(flatten)]
    schema: SchemaArg,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cross-validate in so many parts
    #[arg(long, value_name = "K")]
    folds: Option<usize>,
    /// Where to write the grammar
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[arg(long)]
    dev_trees: Option<PathBuf>,
    #[arg(long)]
    dev_docs: Option<PathBuf>,
    #[arg(long)]
    set: Vec<String>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = Arc::new(args.schema.load("general")?);
    let trees = read_all(&args.trees, None, terminal)?;
    let examples = examples(trees, &args.docs, &schema)?;
    let all: Vec<&Example> = examples.iter().collect();
    let mut options = WeightOptions::default();
    for set in &args.set {
        let (k, v) = set.split_once('=').unwrap_or((set, ""));
        match k {
            "ac" => options.action_c = v.parse().unwrap_or(0.25),
            "an" => options.action_count = v.parse().unwrap_or(20),
            "lc" => options.label_c = v.parse().unwrap_or(0.2),
            "ln" => options.label_count = v.parse().unwrap_or(8),
            "lw" => options.least_weight = v.parse().unwrap_or(0.05),
            "err" => options.error_states = v == "1",
            "pairs" => options.pairs = v == "1",
            _ => {}
        }
    }
    let kind = args.set.iter().find_map(|s| s.strip_prefix("kind=")).unwrap_or("weights").to_owned();
    let analyzer = Analyzer::new(&schema);
    let learn = |seen: &[&Example]| {
        let mut grammar = match kind.as_str() {
            "counts" => crate::behavior::by_counts(seen, &schema),
            "trees" => crate::behavior::by_trees(seen, &schema, 400),
            "none" => Default::default(),
            _ => by_weights(seen, &schema, &options),
        };
        if kind == "none" {
            grammar.schema = schema.clone();
            grammar.decide = crate::grammar::Decide::Weights;
        }
        if let Some(c) = args.set.iter().find_map(|s| s.strip_prefix("bc=")) {
            let o = crate::behavior::BoundaryOptions { c: c.parse().unwrap_or(0.3), ..Default::default() };
            grammar.boundaries = crate::behavior::boundaries_by_weights(seen, &analyzer, &schema, &o);
        }
        grammar
    };
    if let Some(parts) = args.folds {
        let mut sum: Vec<Report> = Vec::new();
        for held in folds(all.len(), parts, args.seed) {
            let (held, seen): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|at| held.contains(at));
            let seen: Vec<&Example> = seen.iter().map(|at| all[*at]).collect();
            let held: Vec<&Example> = held.iter().map(|at| all[*at]).collect();
            let grammar = learn(&seen);
            let (p, q) = (grammar.preferences.len(), grammar.productions.len());
            let report = score(grammar, &held, &schema);
            eprintln!("{p}+{q} {}", line(&report));
            sum.push(report);
        }
        let f = |pick: fn(&Report) -> crate::tree::Counts| {
            let (m, g, p) = sum.iter().map(pick).fold((0, 0, 0), |(m, g, p), c| (m + c.matched, g + c.gold, p + c.predicted));
            200.0 * m as f64 / (g + p) as f64
        };
        eprintln!("folds S {:.1} N {:.1} R {:.1}", f(|r| r.original.span), f(|r| r.original.nuclearity), f(|r| r.original.relation));
    }
    let dev = match (&args.dev_trees, &args.dev_docs) {
        (Some(t), Some(d)) => Some(self::examples(read_all(t, None, terminal)?, d, &schema)?),
        _ => None,
    };
    if args.out.is_some() || dev.is_some() {
        let start = std::time::Instant::now();
        let mut grammar = learn(&all);
        grammar.schema_path = "schemas/general.toml".into();
        eprintln!("{}+{} rules in {:?}", grammar.preferences.len(), grammar.productions.len(), start.elapsed());
        if let Some(out) = &args.out {
            let mut output = Output::open(Some(out))?;
            output.write(&grammar.to_text())?;
            output.finish()?;
        }
        if let Some(dev) = &dev {
            if !grammar.boundaries.is_empty() {
                let engine = crate::automaton::Engine::new(grammar.clone());
                let counts = crate::behavior::boundary_score(&dev.iter().collect::<Vec<_>>(), engine.analyzer());
                eprintln!("{} boundary rules, F1 {:.1}", grammar.boundaries.len(), 100.0 * counts.f1());
            }
            let report = score(grammar, &dev.iter().collect::<Vec<_>>(), &schema);
            eprintln!("dev {}", line(&report));
            for (level, figures) in &report.levels {
                eprintln!("  {level:?} S {:.1} R {:.1}", 100.0 * figures.span.f1(), 100.0 * figures.relation.f1());
            }
        }
    }
    Ok(Outcome::Fine)
}

fn line(report: &Report) -> String {
    let f = &report.original;
    format!("S {:.1} N {:.1} R {:.1}", 100.0 * f.span.f1(), 100.0 * f.nuclearity.f1(), 100.0 * f.relation.f1())
}

fn examples(trees: Vec<Tree>, docs: &std::path::Path, schema: &Arc<Schema>) -> Result<Vec<Example>> {
    let mut documents: HashMap<String, Document> = HashMap::new();
    for file in corpus::files_below(&[docs.to_owned()])? {
        for document in corpus::open(&file, None)?.flatten() {
            documents.insert(document.id.clone(), document);
        }
    }
    let analyzer = Analyzer::new(schema);
    let mut examples = Vec::new();
    for tree in trees {
        let id = tree.id.clone().unwrap_or_default();
        let document = documents.remove(&*id).ok_or_else(|| Error::Failed(format!("there is no document `{id}`")))?;
        examples.push(Example::new(document, tree, &analyzer, schema)?);
    }
    Ok(examples)
}
