//! `arsg coverage`: which rules a set of texts uses.

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{GrammarArg, InputArgs, SearchArgs, report_skips};
use super::terminal::{Output, Terminal};
use crate::automaton::{BoundaryRules, Coverage};
use crate::error::Result;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg coverage corpus/ --grammar finance
  arsg coverage cases/ corpus/ --min 30        fails where fewer than 30% of the rules spoke
  arsg coverage news.jsonl --json

A rule spoke where its pattern and reason held; it won where what it spoke for was done.
Exit code 1 where --min or --max-fallback is not met.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    grammar: GrammarArg,
    #[command(flatten)]
    search: SearchArgs,
    /// The least share of rules that must have spoken, in percent
    #[arg(long, value_name = "PERCENT")]
    min: Option<f64>,
    /// The greatest share of steps that may be made by fallback, in percent
    #[arg(long, value_name = "PERCENT")]
    max_fallback: Option<f64>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = args.grammar.engine()?;
    let boundaries = BoundaryRules::new(engine.grammar());
    let options = args.search.options();
    let mut all = Coverage::default();
    let tally = args.input.each(
        terminal,
        "parsing",
        |document| Coverage::of_document(&document, &engine, boundaries.as_ref(), &options),
        |coverage, _| {
            all.add(&coverage);
            Ok(())
        },
    )?;
    let report = all.report(engine.grammar());
    let mut out = Output::open(None)?;
    match terminal.json {
        true => out.write(&format!("{}\n", serde_json::json!(report)))?,
        false => out.write(&report.to_string())?,
    }
    out.finish()?;
    report_skips(terminal, &tally);
    let mut outcome = Outcome::Fine;
    let covered = 100.0 * report.covered;
    if let Some(min) = args.min.filter(|min| covered < *min) {
        terminal.note(&format!("{covered:.1}% of the rules spoke, not {min}%"));
        outcome = Outcome::Failure;
    }
    let fallback = 100.0 * report.fallbacks as f64 / (report.steps.max(1)) as f64;
    if let Some(max) = args.max_fallback.filter(|max| fallback > *max) {
        terminal.note(&format!(
            "{fallback:.1}% of the steps are by fallback, more than {max}%"
        ));
        outcome = Outcome::Failure;
    }
    Ok(outcome)
}
