//! `arsg coverage`: which rules a set of texts uses.

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{ParsingArgs, report_skips};
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::automaton::{BoundaryRules, Coverage, CoverageReport};
use crate::error::Result;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg coverage corpus/ --grammar finance
  arsg coverage cases/ corpus/ --min 30        fails where fewer than 30% of the rules spoke
  arsg coverage --summary --max-fallback 30    figures and a verdict, without the rules
  arsg coverage news.jsonl --json

A rule spoke where its pattern and reason held; it won where what it spoke for was done.
Exit code 1 where --min or --max-fallback is not met.")]
pub(super) struct Args {
    #[command(flatten)]
    parsing: ParsingArgs,
    /// The least share of rules that must have spoken, in percent (0 to 100)
    #[arg(long, value_name = "PERCENT", value_parser = numbers::real::<f64>(0.0, 100.0))]
    min: Option<f64>,
    /// The greatest share of steps that may be made by fallback, in percent (0 to 100)
    #[arg(long, value_name = "PERCENT", value_parser = numbers::real::<f64>(0.0, 100.0))]
    max_fallback: Option<f64>,
    /// Print only the figures, not every rule: for checks that run by themselves
    #[arg(long)]
    summary: bool,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = args.parsing.engine()?;
    let boundaries = BoundaryRules::new(engine.grammar());
    let options = args.parsing.search.options();
    let mut all = Coverage::default();
    let tally = args.parsing.input.work_through(
        terminal,
        "parsing",
        |document| Coverage::of_document(&document, &engine, boundaries.as_ref(), &options),
        |coverage, _| {
            all.add(&coverage);
            Ok(())
        },
    )?;
    let report = all.report(engine.grammar());
    let mut out = Output::beside();
    if terminal.json {
        out.write(&format!("{}\n", serde_json::json!(report)))?;
    } else if args.summary {
        out.write(&report.summary())?;
    } else {
        out.write(&report.to_string())?;
    }
    out.finish()?;
    report_skips(terminal, &tally);
    Ok(args.verdict(&report, terminal))
}

impl Args {
    /// Holds the report against the limits, and says how it came out.
    fn verdict(&self, report: &CoverageReport, terminal: &Terminal) -> Outcome {
        let covered = 100.0 * report.covered;
        let fallback = 100.0 * report.fallback_share();
        let mut outcome = Outcome::Fine;
        if let Some(min) = self.min.filter(|min| covered < *min) {
            terminal.note(&format!("{covered:.1}% of the rules spoke, not {min}%"));
            outcome = Outcome::Failure;
        }
        if let Some(max) = self.max_fallback.filter(|max| fallback > *max) {
            terminal.note(&format!(
                "{fallback:.1}% of the steps are by fallback, more than {max}%"
            ));
            outcome = Outcome::Failure;
        }
        let is_asked = self.min.is_some() || self.max_fallback.is_some();
        if is_asked && outcome == Outcome::Fine {
            terminal.note("coverage is within its limits");
        }
        outcome
    }
}
