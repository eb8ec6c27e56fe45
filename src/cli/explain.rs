//! `arsg explain`: why a text was parsed as it was.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::{ParsingArgs, report_skips};
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::automaton::explain::{Explainer, ExplanationPage, StepTable, detail_text};
use crate::automaton::{Engine, ParseOptions};
use crate::diagnostic::{likely, plural};
use crate::error::{Error, Result};
use crate::json;
use crate::text::Document;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg explain text.txt --grammar finance              a line for every step
  arsg explain text.txt --node 2-3                     why these EDUs were joined
  arsg explain text.txt --node 2-3 --rival joint-list  what that relation lacked
  arsg explain text.txt --node 2-3 --all               every rule and row that spoke
  arsg explain text.txt --step 4                       everything about a step, shifts included
  arsg explain text.txt --why-not rise-explained@2-3   which part of its reason failed, or who won
  arsg explain text.txt --format html --out why.html   a page where every step unfolds
  arsg explain text.txt --node 2-3 --json

In the table `by` names the preference and the production that decided, `runner-up` the best other
step with its probability and how far it was behind; `!` marks steps that no rule covered.
A and B are the nodes on top of the stack, S the one below, C the next EDU, E the one after;
`A|B` is the break between A and B.")]
pub(super) struct Args {
    #[command(flatten)]
    parsing: ParsingArgs,
    /// Only the text with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Everything about the node over these EDUs (`3-5`), or about the shift of an EDU (`3`)
    #[arg(long, value_name = "I-J", group = "what")]
    node: Option<SpanArg>,
    /// Everything about a step of the table (1 to 10000000)
    #[arg(long, value_name = "N", group = "what", value_parser = numbers::whole::<usize>(1, 10000000))]
    step: Option<usize>,
    /// Why a rule did not decide over these EDUs: `RULE@3-5`
    #[arg(long, value_name = "RULE@I-J", group = "what")]
    why_not: Option<WhyNotArg>,
    /// Weigh what a node became against this: a relation, alone or with its roles (`causal-cause NS`)
    #[arg(long, value_name = "RELATION", conflicts_with = "why_not")]
    rival: Option<String>,
    /// Show all rules and rows that spoke, not only the strongest
    #[arg(long)]
    all: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// Columns of the table (default: those of the terminal, else 140) (20 to 10000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(20, 10000))]
    width: Option<usize>,
    /// Where to write (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    Text,
    Json,
    Html,
}

/// EDUs, counted from 1.
#[derive(Clone, Copy)]
struct SpanArg {
    first: u32,
    last: u32,
}

impl std::str::FromStr for SpanArg {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<SpanArg, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |part: &str| part.trim().parse().ok().filter(|number: &u32| *number > 0);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(SpanArg { first, last }),
            _ => Err("EDUs are numbered from 1: `3-5`, or `3` for one".to_owned()),
        }
    }
}

#[derive(Clone)]
struct WhyNotArg {
    rule: String,
    span: SpanArg,
}

impl std::str::FromStr for WhyNotArg {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<WhyNotArg, String> {
        let Some((rule, span)) = text.rsplit_once('@') else {
            return Err("write the rule's id, `@`, and the EDUs: `rise-explained@3-5`".to_owned());
        };
        Ok(WhyNotArg {
            rule: rule.to_owned(),
            span: span.parse()?,
        })
    }
}

/// Columns where nobody says.
const WIDTH: usize = 140;

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = args.parsing.engine()?;
    let options = args.parsing.search.options();
    let wanted = |document: &Document| args.id.as_ref().is_none_or(|id| *id == document.id);
    let mut out = Output::open(args.out.as_deref())?;
    let mut told = 0;
    // However many texts there are, they make one page.
    let is_page = args.is_page(terminal);
    let mut page = ExplanationPage::default();
    let mut ids: Vec<String> = Vec::new();
    let tally = args.parsing.input.work_through(
        terminal,
        "explaining",
        |document| {
            let explained = wanted(&document) && !is_page;
            let explained =
                explained.then(|| args.explained(&engine, &document, &options, terminal));
            (document, explained)
        },
        |(document, explained), _| {
            if is_page && wanted(&document) {
                told += 1;
                let text = engine.read(&document);
                let steps = engine.steps(&text, &options);
                page.add(&Explainer::new(&engine, &text, &steps, &options));
            }
            ids.push(document.id);
            match explained {
                // A step or a node is one of one text: the first, unless another is named.
                Some(explained) if told == 0 || !args.asks_about_one() => {
                    told += 1;
                    out.write(&explained?)?;
                    out.flush()
                }
                _ => Ok(()),
            }
        },
    )?;
    if is_page && told > 0 {
        out.write(&page.finish())?;
    }
    out.finish()?;
    report_skips(terminal, &tally);
    match (&args.id, ids.as_slice()) {
        (Some(id), _) if told == 0 => Err(no_such_text(id, &ids)),
        (None, [first, second, ..]) if args.asks_about_one() => {
            terminal.note(&format!(
                "this is about `{first}`, the first of {} texts; `--id` names another, such as `{second}`",
                ids.len()
            ));
            Ok(Outcome::Fine)
        }
        _ => Ok(Outcome::Fine),
    }
}

fn no_such_text(id: &str, known: &[String]) -> Error {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let help = match likely(id, &known).first() {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    };
    Error::Missing(format!("there is no text `{id}`{help}"))
}

impl Args {
    /// True when a step, a node or a rule is asked about, not the whole text.
    fn asks_about_one(&self) -> bool {
        self.node.is_some() || self.step.is_some() || self.why_not.is_some()
    }

    fn explained(
        &self,
        engine: &Engine,
        document: &Document,
        options: &ParseOptions,
        terminal: &Terminal,
    ) -> Result<String> {
        let text = engine.read(document);
        let steps = engine.steps(&text, options);
        let explainer = Explainer::new(engine, &text, &steps, options);
        let format = if terminal.json {
            FormatArg::Json
        } else {
            self.format
        };
        if let Some(why_not) = &self.why_not {
            let span = why_not.span;
            let answer = explainer.why_not(&why_not.rule, span.first, span.last)?;
            return Ok(match format {
                FormatArg::Json => json::line(&answer)?,
                _ => answer.to_string(),
            });
        }
        if let Some(step) = self.step(&explainer)? {
            let rival = self.rival.as_deref();
            let rival = rival.map(|name| explainer.outcome(name)).transpose()?;
            let detail = explainer.detail_against(step, rival.as_ref());
            let detail = detail.ok_or_else(|| self.no_such_step(&explainer, step))?;
            return Ok(match format {
                FormatArg::Json => json::line(&detail)?,
                _ => detail_text(&detail, self.all),
            });
        }
        Ok(match format {
            FormatArg::Html | FormatArg::Text => self.table(&explainer),
            FormatArg::Json => {
                let rows: Vec<_> = explainer.rows().collect();
                json::line(&serde_json::json!({"id": document.id, "steps": rows}))?
            }
        })
    }

    /// True when the answer is a page about whole texts.
    fn is_page(&self, terminal: &Terminal) -> bool {
        self.format == FormatArg::Html && !terminal.json && !self.asks_about_one()
    }

    /// The step that is asked about, if one is.
    fn step(&self, explainer: &Explainer<'_>) -> Result<Option<usize>> {
        let Some(span) = self.node else {
            return Ok(self.step);
        };
        let found = explainer.step_of(span.first, span.last);
        found.map(Some).ok_or_else(|| {
            let id = &explainer.text().id;
            Error::Missing(match explainer.crossed(span.first, span.last) {
                Some(why) => format!("`{id}`: {why}"),
                None => format!("`{id}` has EDUs 1 to {}", explainer.text().len()),
            })
        })
    }

    fn no_such_step(&self, explainer: &Explainer<'_>, step: usize) -> Error {
        let (id, steps) = (&explainer.text().id, explainer.len());
        Error::Missing(format!("`{id}` has steps 1 to {steps}, no step {step}"))
    }

    fn table(&self, explainer: &Explainer<'_>) -> String {
        let table = StepTable {
            width: numbers::columns(self.width, WIDTH),
        };
        let mut out = format!(
            "{}: {}\n",
            explainer.text().id,
            plural(explainer.text().len(), "EDU")
        );
        out.push_str(&table.heading());
        for row in explainer.rows() {
            out.push_str(&table.row(&row));
        }
        out
    }
}
