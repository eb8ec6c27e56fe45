//! `arsg induce`: a grammar from trees.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{SchemaArg, named};
use super::terminal::{Output, Terminal};
use crate::automaton::{Engine, ParseOptions, Search};
use crate::behavior::{
    self, Example, Induction, Trial, boundary_score, end_to_end, pooled, pooled_boundaries,
    provenance, score_engine,
};
use crate::diagnostic::plural;
use crate::error::Result;
use crate::grammar::{Decide, Grammar};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;
use crate::tree::Report;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg induce trees/ --docs docs/ --schema general --decide weights -o general.arsg
  arsg induce trees/ --docs docs/ --compact 400 -o small.arsg
  arsg induce trees/ -o mine.arsg --provenance mine.jsonl   which texts speak for each rule
  arsg induce labels/ --schema finance -o mine.arsg         from what annotators did
  arsg induce trees/ --docs docs/ --folds 5                 how well it learns, by cross-validation
  arsg induce trees/ --docs docs/ --test-trees dev/ --test-docs dev-docs/ --curve 5,10,20,40

Trees are paired with documents by id. The same trees, options and seed give the same grammar.")]
pub(super) struct Args {
    /// A folder of trees, or a file: rs3, rs4, dis, rsd, sexp, json; or labels as `arsg annotate`
    /// leaves them
    #[arg(value_name = "TREES")]
    trees: PathBuf,
    /// The documents of the trees, with their EDUs and blocks (default: paragraphs as the trees
    /// know them)
    #[arg(long, value_name = "DOCS")]
    docs: Option<PathBuf>,
    #[command(flatten)]
    schema: SchemaArg,
    /// How the rules of the grammar decide
    #[arg(long, default_value_t = Decide::Weights, value_parser = named::<Decide>(&Decide::NAMES))]
    decide: Decide,
    /// At most N rows of tables in all, or with counts one decision tree a decision of at most N rules
    #[arg(long, value_name = "N")]
    compact: Option<usize>,
    /// Learn where EDUs begin, too
    #[arg(long)]
    boundary: bool,
    /// Learn from gold trees alone, not from the states that a parser gets into as well: five times as
    /// fast, and a little worse
    #[arg(long)]
    gold_only: bool,
    /// How texts are drawn for folds and curves, and what boosted rules may ask
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How texts are parsed that are scored: `usual`, `best`, `vote=N` ... (see `arsg parse --help`)
    #[arg(long, value_name = "HOW", default_value = "usual")]
    search: Search,
    /// Cross-validate in K parts
    #[arg(long, value_name = "K")]
    folds: Option<usize>,
    /// Learn from so many texts and score on the test trees
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        requires = "test_trees"
    )]
    curve: Vec<usize>,
    /// Trees to score the grammar on
    #[arg(long, value_name = "TREES")]
    test_trees: Option<PathBuf>,
    /// Their documents
    #[arg(long, value_name = "DOCS")]
    test_docs: Option<PathBuf>,
    /// What the grammar is called (default: as its schema)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Also write which texts speak for each rule, as JSON lines
    #[arg(long, value_name = "FILE.jsonl")]
    provenance: Option<PathBuf>,
    /// Where to write the grammar (default: stdout, unless only scores are asked for)
    #[arg(long, short, value_name = "FILE.arsg")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = Arc::new(args.schema.load("general")?);
    // Learning may take long: where the grammar goes must be there before it begins.
    let product = args.out.as_deref().map(|path| Output::open(Some(path)));
    let product = product.transpose()?;
    let examples = read_examples(&args.trees, args.docs.as_deref(), &schema, terminal)?;
    let all: Vec<&Example> = examples.iter().collect();
    let held = match &args.test_trees {
        Some(trees) => read_examples(trees, args.test_docs.as_deref(), &schema, terminal)?,
        None => Vec::new(),
    };
    let held: Vec<&Example> = held.iter().collect();
    let how = args.induction();
    let mut out = Output::beside();
    let by_folds = args
        .folds
        .map(|parts| cross_validate(&how, &all, parts, &schema, terminal));
    if let Some(line) = &by_folds {
        out.write(&format!("{line}\n"))?;
    }
    if !args.curve.is_empty() {
        for trial in how.curve(&all, &args.curve, &held, &schema, |_| {}) {
            out.write(&format!("{}\n", trial_line("curve", &trial)))?;
        }
    }
    let only_scores = args.folds.is_some() || !args.curve.is_empty();
    if args.out.is_none() && only_scores {
        out.finish()?;
        return Ok(Outcome::Fine);
    }
    let grammar = args.learn(&how, &all, &schema, terminal);
    let engine = Engine::new(grammar.clone());
    let mut remarks = vec![args.made_from(&all)];
    remarks.extend(by_folds);
    if !held.is_empty() {
        remarks.extend(score_on_held(&engine, &held, &schema, &how));
    }
    for remark in &remarks {
        terminal.note(remark);
    }
    out.finish()?;
    if let Some(path) = &args.provenance {
        write_provenance(path, &engine, &all)?;
    }
    let mut product = match product {
        Some(product) => product,
        None => Output::open(None)?,
    };
    product.write(&with_header(&grammar, &remarks))?;
    product.finish()?;
    if let Some(path) = args.out.filter(|path| path != Path::new("-")) {
        terminal.note(&format!("written to `{}`", path.display()));
    }
    Ok(Outcome::Fine)
}

impl Args {
    fn induction(&self) -> Induction {
        let mut how = Induction {
            decide: self.decide,
            compact: self.compact,
            boundary: self.boundary,
            seed: self.seed,
            parsing: ParseOptions {
                search: self.search,
                ..ParseOptions::default()
            },
            ..Induction::default()
        };
        how.weights.error_states = !self.gold_only;
        how.boundaries.boost.seed = self.seed;
        how
    }

    /// Learns the grammar and names it as it shall be called.
    fn learn(
        &self,
        how: &Induction,
        examples: &[&Example],
        schema: &Arc<Schema>,
        terminal: &Terminal,
    ) -> Grammar {
        let bar = terminal.progress("learning", Some(1));
        let mut grammar = how.induce_watched(examples, schema, &|done, steps| {
            bar.set_length(steps as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        if let Some(name) = &self.name {
            grammar.name.clone_from(name);
        }
        grammar.schema_path = self.schema.path_from(self.out.as_deref());
        grammar
    }

    fn made_from(&self, examples: &[&Example]) -> String {
        let edus: usize = examples.iter().map(|example| example.text.len()).sum();
        format!(
            "learned by arsg {} from {} with {}, decide {}, seed {}",
            env!("CARGO_PKG_VERSION"),
            plural(examples.len(), "text"),
            plural(edus, "EDU"),
            self.decide,
            self.seed
        )
    }
}

/// How well it learns, by cross-validation.
fn cross_validate(
    how: &Induction,
    examples: &[&Example],
    parts: usize,
    schema: &Arc<Schema>,
    terminal: &Terminal,
) -> String {
    let trials = how.cross_validate(examples, parts, schema, |trial| {
        terminal.note(&trial_line("fold", trial));
    });
    let [span, nuclearity, relation] = pooled(&trials);
    let mut line = format!("{parts} folds: S {span:.1}  N {nuclearity:.1}  R {relation:.1}");
    if let Some(f1) = pooled_boundaries(&trials) {
        line.push_str(&format!(", EDUs F1 {f1:.1}"));
    }
    line
}

/// How well a grammar does on texts it has not seen.
fn score_on_held(
    engine: &Engine,
    held: &[&Example],
    schema: &Arc<Schema>,
    how: &Induction,
) -> Vec<String> {
    let report = score_engine(engine, held, schema, &how.parsing);
    let mut remarks = vec![format!(
        "on {} test texts: {}",
        held.len(),
        figures(&report)
    )];
    if how.boundary {
        let counts = boundary_score(held, engine.analyzer());
        remarks.push(format!("EDUs from raw text: F1 {:.1}", 100.0 * counts.f1()));
        let report = end_to_end(engine, held, schema, &how.parsing);
        remarks.push(format!("end to end from raw text: {}", figures(&report)));
    }
    remarks
}

/// Writes which texts speak for each rule.
fn write_provenance(path: &Path, engine: &Engine, examples: &[&Example]) -> Result<()> {
    let mut out = Output::open(Some(path))?;
    for line in provenance(engine, examples) {
        out.write(&format!("{}\n", serde_json::json!(line)))?;
    }
    out.finish()
}

/// The grammar with what is to be said of it on top.
fn with_header(grammar: &Grammar, remarks: &[String]) -> String {
    let rows: usize = grammar.tables.iter().map(|table| table.rows.len()).sum();
    let counts = [
        (grammar.tables.len(), "table"),
        (rows, "row"),
        (grammar.productions.len(), "production"),
        (grammar.preferences.len(), "preference"),
        (grammar.boundaries.len(), "boundary rule"),
    ];
    let counts = counts.iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, what)| plural(*number, what)).collect();
    let counts = counts.join(", ");
    let lines = remarks.iter().chain([&counts]);
    let header: String = lines.map(|line| format!("# {line}\n")).collect();
    format!("{header}\n{}", grammar.to_text())
}

fn trial_line(what: &str, trial: &Trial) -> String {
    let mut line = format!(
        "{what}: {} texts, {} rules, {}",
        trial.texts,
        trial.rules,
        figures(&trial.report)
    );
    if let Some(counts) = trial.boundaries {
        line.push_str(&format!(", EDUs F1 {:.1}", 100.0 * counts.f1()));
    }
    line
}

fn figures(report: &Report) -> String {
    let percent = |counts: crate::tree::Counts| 100.0 * counts.f1();
    let original = &report.original;
    format!(
        "S {:.1}  N {:.1}  R {:.1}",
        percent(original.span),
        percent(original.nuclearity),
        percent(original.relation)
    )
}

/// Reads trees with their documents, and prints what is worth a remark.
fn read_examples(
    trees: &Path,
    docs: Option<&Path>,
    schema: &Arc<Schema>,
    terminal: &Terminal,
) -> Result<Vec<Example>> {
    let watch = Stopwatch::start();
    let read = behavior::read_examples(trees, docs, schema)?;
    terminal.print_diagnostics(&read.warnings);
    for note in &read.notes {
        terminal.note(note);
    }
    tracing::info!(texts = read.examples.len(), took = %watch, "read trees and documents");
    Ok(read.examples)
}
