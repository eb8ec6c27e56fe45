//! `arsg induce`: a grammar from trees.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{SchemaArg, named};
use super::numbers;
use super::outside::Outside;
use super::terminal::{Output, Terminal};
use crate::automaton::{Engine, ParseOptions, Search};
use crate::behavior::{
    self, Example, Induced, Induction, Trial, WrittenRecord, boundary_score, pooled,
    pooled_boundaries, pooled_plain, provenance, score_engine, score_plain,
};
use crate::diagnostic::{Source, plural};
use crate::error::{Error, Result};
use crate::grammar::{Decide, Grammar, Weight, named_path, update_rows};
use crate::schema::Schema;
use crate::stopwatch::Stopwatch;
use crate::tree::Report;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg induce trees/ --docs docs/ --schema general --decide weights -o general.arsg
  arsg induce trees/ --docs docs/ --keep general/written -o mine.arsg   tables under rules
  arsg induce trees/ --docs docs/ --from mine.arsg --update        fit its rows to more trees
  arsg induce trees/ --docs docs/ --tables 10,20,40,80 --folds 5   size against quality
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
    #[command(flatten)]
    outside: Outside,
    /// How the rules of the grammar decide
    #[arg(long, default_value_t = Decide::Weights, value_parser = named::<Decide>(&Decide::NAMES))]
    decide: Decide,
    /// At most N tables but for boundaries; several numbers with --folds show size against quality (0 to 100000)
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = numbers::whole::<usize>(0, 100000))]
    tables: Vec<usize>,
    /// At most so many lines of tables but for boundaries (1 to 10000000)
    #[arg(long, value_name = "LINES", value_parser = numbers::whole::<usize>(1, 10000000))]
    budget: Option<usize>,
    /// With counts: one decision tree for each decision, of at most N rules (1 to 1000000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(1, 1000000))]
    compact: Option<usize>,
    /// Learn where EDUs begin, too
    #[arg(long)]
    boundary: bool,
    /// Learn from the texts as the program divides them, too, so that plain texts are parsed better; such
    /// instances count so much beside those with gold EDUs (0 to 100)
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "1",
          value_parser = numbers::real::<f64>(0.0, 100.0))]
    raw: Option<f64>,
    /// Ask nothing about these: `symbol` makes tables for texts of any schema
    #[arg(long, value_name = "FUNCTION,...", value_delimiter = ',')]
    without: Vec<String>,
    /// Keep the rules and tables of this grammar as they are, and learn what they leave open
    #[arg(long, value_name = "WRITTEN.arsg")]
    keep: Option<PathBuf>,
    /// Learn on top of this grammar: its rules stay, so do rows marked `!`, names, order and comments; the
    /// other rows are fitted anew, each pulled to what it says
    #[arg(long, value_name = "GRAMMAR", conflicts_with_all = ["keep", "tables", "budget", "compact"])]
    from: Option<PathBuf>,
    /// Write the rows back into the files of --from
    #[arg(long, requires = "from", conflicts_with = "out")]
    update: bool,
    /// Write how often each written rule was right and wrong on the trees, as JSON lines
    #[arg(long, value_name = "FILE.jsonl")]
    report: Option<PathBuf>,
    /// Learn from gold trees alone, not from the states that a parser gets into as well: five times as
    /// fast, and a little worse
    #[arg(long)]
    gold_only: bool,
    /// How texts are drawn for folds and curves (0 to 2^64 - 1)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// How texts are parsed that are scored: `best`, `spans=K` ... (see `arsg parse --help`)
    #[arg(long, value_name = "HOW", default_value = "best")]
    search: Search,
    /// Cross-validate in K parts (2 to 1000)
    #[arg(long, value_name = "K", value_parser = numbers::whole::<usize>(2, 1000))]
    folds: Option<usize>,
    /// Learn from so many texts and score on the test trees (1 to 1000000)
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        requires = "test_trees", value_parser = numbers::whole::<usize>(1, 1000000))]
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
    let mut how = args.induction()?;
    let mut out = Output::beside();
    let mut by_folds = None;
    if let Some(parts) = args.folds {
        let by_size = args.tables.len() > 1;
        for most in &args.tables {
            how.weights.most_tables = *most;
            if by_size {
                let line = cross_validate(&how, &all, parts, &schema, terminal);
                out.write(&format!("{}: {line}\n", plural(*most, "table")))?;
            }
        }
        if !by_size {
            let line = cross_validate(&how, &all, parts, &schema, terminal);
            out.write(&format!("{line}\n"))?;
            by_folds = Some(line);
        }
    }
    if !args.curve.is_empty() {
        for trial in how.curve(&all, &args.curve, &held, &schema, |_| {}) {
            out.write(&format!("{}\n", trial_line("curve", &trial)))?;
        }
    }
    let only_scores = args.folds.is_some() || !args.curve.is_empty();
    if args.out.is_none() && !args.update && only_scores {
        out.finish()?;
        return Ok(Outcome::Fine);
    }
    let Induced { grammar, written } = args.learn(&how, &all, &schema, terminal);
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
    if !written.is_empty() {
        tell_written(&written, terminal);
    }
    if let Some(path) = &args.report {
        let mut report = Output::open(Some(path))?;
        for record in &written {
            report.write(&format!("{}\n", serde_json::json!(record)))?;
        }
        report.finish()?;
    }
    if let Some(from) = &how.from {
        terminal.note(&changed_rows(from, &grammar));
    }
    if args.update {
        return update_files(&grammar, terminal);
    }
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

/// Says how the rules did that people wrote, and which of them the trees contradict.
fn tell_written(written: &[WrittenRecord], terminal: &Terminal) {
    let right: usize = written.iter().map(|record| record.right).sum();
    let wrong: usize = written.iter().map(|record| record.wrong).sum();
    terminal.note(&format!(
        "{}: right {right} of {} times on the trees",
        plural(written.len(), "written rule"),
        right + wrong
    ));
    for record in written.iter().filter(|record| record.is_contradicted()) {
        let WrittenRecord {
            rule, right, wrong, ..
        } = record;
        terminal.note(&format!(
            "the trees contradict `{rule}`: right {right} of {} times",
            right + wrong
        ));
    }
}

/// How many rows say something else than before.
fn changed_rows(from: &Grammar, grammar: &Grammar) -> String {
    let rows = |grammar: &Grammar| -> Vec<Weight> {
        let rows = grammar.tables.iter().flat_map(|table| &table.rows);
        rows.map(|row| row.weight).collect()
    };
    let (before, after) = (rows(from), rows(grammar));
    let changed = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    let share = 100.0 * changed as f64 / before.len().max(1) as f64;
    format!(
        "{changed} of {} changed ({share:.1}%)",
        plural(before.len(), "row")
    )
}

/// Writes rows back into the files that they were read from.
fn update_files(grammar: &Grammar, terminal: &Terminal) -> Result<Outcome> {
    let rows = grammar.tables.iter().flat_map(|table| &table.rows);
    let mut sources: Vec<Arc<Source>> = Vec::new();
    for place in rows.filter_map(|row| row.place.as_ref()) {
        if !sources
            .iter()
            .any(|known| known.name() == place.source().name())
        {
            sources.push(Arc::clone(place.source()));
        }
    }
    for source in sources {
        let text = update_rows(&source, grammar)?;
        if text == source.text() {
            continue;
        }
        let path = Path::new(source.name());
        let mut file = Output::open(Some(path))?;
        file.write(&text)?;
        file.finish()?;
        terminal.note(&format!("changed `{}`", path.display()));
    }
    Ok(Outcome::Fine)
}

impl Args {
    fn induction(&self) -> Result<Induction> {
        if self.tables.len() > 1 && self.folds.is_none() {
            return Err(Error::Usage(
                "several numbers of tables are compared by folds: give `--folds 5`, or one number"
                    .to_owned(),
            ));
        }
        if self.decide == Decide::Weights && self.compact.is_some() {
            return Err(Error::Usage(
                "`--compact` is for counts; where weights decide, give `--tables N` or `--budget LINES`"
                    .to_owned(),
            ));
        }
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
        how.plain = self.raw.unwrap_or(0.0);
        how.weights.error_states = !self.gold_only;
        how.weights.most_lines = self.budget;
        how.weights.without.clone_from(&self.without);
        if let [most] = self.tables.as_slice() {
            how.weights.most_tables = *most;
        }
        how.kept = self.grammar(self.keep.as_deref())?;
        how.from = self.grammar(self.from.as_deref())?;
        Ok(how)
    }

    /// A grammar to learn on top of.
    fn grammar(&self, path: Option<&Path>) -> Result<Option<Arc<Grammar>>> {
        let Some(path) = path else { return Ok(None) };
        let loaded = Grammar::load(named_path(path), &self.outside.disk(), None)?;
        Ok(Some(Arc::new(loaded.into_result()?)))
    }

    /// Learns the grammar and names it as it shall be called.
    fn learn(
        &self,
        how: &Induction,
        examples: &[&Example],
        schema: &Arc<Schema>,
        terminal: &Terminal,
    ) -> Induced {
        let bar = terminal.progress("learning", Some(1));
        let mut induced = how.induce_watched(examples, schema, &|done, steps| {
            bar.set_length(steps as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let grammar = &mut induced.grammar;
        if let Some(name) = &self.name {
            grammar.name.clone_from(name);
        }
        grammar.schema_path = self.schema.path_from(self.out.as_deref());
        induced
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
    if let Some([span, nuclearity, relation]) = pooled_plain(&trials) {
        line.push_str(&format!(
            ", plain text S {span:.1}  N {nuclearity:.1}  R {relation:.1}"
        ));
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
        if let Ok(report) = score_plain(engine.grammar(), held, schema, &how.parsing) {
            remarks.push(format!("as plain text: {}", figures(&report)));
        }
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
    if let Some(report) = &trial.plain {
        line.push_str(&format!(", plain text {}", figures(report)));
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
