//! `arsg evaluate`: how good a summary is.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{SchemaArg, list_paths, text_files};
use super::numbers;
use super::terminal::{Output, Terminal, read_input};
use crate::error::{Error, Result};
use crate::evaluate::{Classifier, Evaluation, Judge, Tokens, score_against};
use crate::json;
use crate::summarize::{SourceText, SummaryJson};
use crate::text::{Analyzer, corpus};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg evaluate summary.txt --texts news.jsonl                  a unit a line against its texts
  arsg summarize news.jsonl --json | arsg evaluate - --texts news.jsonl
  arsg evaluate summary.txt --texts news.jsonl --reference human.txt --tokens words")]
pub(super) struct Args {
    /// The summary: a unit a line, or what `arsg summarize --json` prints; `-` is stdin
    #[arg(value_name = "SUMMARY|-")]
    summary: PathBuf,
    /// The texts it is a summary of: files or folders
    #[arg(long, value_name = "FILE|DIR", required = true, num_args = 1..)]
    texts: Vec<PathBuf>,
    /// Summaries that people wrote of the same texts, for ROUGE
    #[arg(long, value_name = "FILE", num_args = 1..)]
    reference: Vec<PathBuf>,
    /// What ROUGE counts, in N and W and against references
    #[arg(long, default_value = "characters", value_parser = ["words", "characters"])]
    tokens: String,
    #[command(flatten)]
    schema: SchemaArg,
    /// The seed of the sentiment classifier's training (0 to 2^64 - 1)
    #[arg(long, default_value_t = 1, value_parser = numbers::seed())]
    seed: u64,
    /// Where the figures go (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = args.schema.load("finance")?;
    let analyzer = Analyzer::new(&schema);
    let units = units(&read_input(&args.summary)?);
    let texts = texts(&args.texts, &analyzer, terminal)?;
    let classifier = Classifier::of_texts(&texts, &schema, args.seed)?;
    let tokens = match args.tokens.as_str() {
        "words" => Tokens::Words,
        _ => Tokens::Characters,
    };
    let judge = Judge::new(&texts, &schema, &analyzer, tokens, Some(&classifier))?;
    let mut evaluation = judge.evaluate(&units, Some(&classifier))?;
    let references = args.reference.iter().map(|path| read_input(path));
    let references: Vec<String> = references.collect::<Result<_>>()?;
    evaluation.references = score_against(&units.join("\n"), &references, tokens, &analyzer);
    let mut out = Output::open(args.out.as_deref())?;
    out.write(&report(&evaluation, terminal.json)?)?;
    out.finish()?;
    Ok(Outcome::Fine)
}

/// The units of a summary: the lines of its JSON, or of its text.
fn units(summary: &str) -> Vec<String> {
    match serde_json::from_str::<SummaryJson>(summary.trim()) {
        Ok(summary) => summary.lines.into_iter().map(|line| line.text).collect(),
        Err(_) => summary
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
    }
}

fn texts(paths: &[PathBuf], analyzer: &Analyzer, terminal: &Terminal) -> Result<Vec<SourceText>> {
    let mut texts = Vec::new();
    for file in text_files(paths, terminal)? {
        let reader = corpus::open(&file, None)?;
        corpus::process_in_batches(
            reader,
            |document| {
                let analysis = analyzer.analyze(&document);
                SourceText::new(document, analysis)
            },
            |text| {
                texts.extend(text.ok());
                Ok(())
            },
        )?;
    }
    if texts.is_empty() {
        Err(Error::Empty(format!(
            "there is no text in {}",
            list_paths(paths)
        )))
    } else {
        Ok(texts)
    }
}

fn report(evaluation: &Evaluation, json: bool) -> Result<String> {
    if json {
        return json::line(evaluation);
    }
    let e = evaluation;
    let unit = match e.tokens {
        Tokens::Words => "words",
        Tokens::Characters => "characters",
    };
    let mut text = format!(
        "{} units, {} words, of {} texts; ROUGE counts {unit}\n\n\
         S  sentiment     {:.3}\n\
         N  novelty       {:.3}\n\
         E  paper         {:.3}\n\
         E  recall        {:.3}\n\
         W  word overlap  {:.3}\n\
         centroid cosine  {:.3}\n\
         titles covered   {}\n\n\
         Score            {:.1}\n\
         Score_strict     {:.1}\n",
        e.units,
        e.words,
        e.texts,
        e.sentiment,
        e.novelty,
        e.entities_paper,
        e.entities_recall,
        e.overlap,
        e.centroid,
        e.titles
            .map_or("no titles".to_owned(), |titles| format!("{titles:.3}")),
        e.score,
        e.score_strict
    );
    if let Some(found) = &e.references {
        text.push_str("\nagainst references: F1 (precision, recall)\n");
        let rows = [
            ("ROUGE-1", found.rouge1),
            ("ROUGE-2", found.rouge2),
            ("ROUGE-L", found.rouge_l),
        ];
        for (name, rouge) in rows {
            text.push_str(&format!(
                "{name}          {:.3} ({:.3}, {:.3})\n",
                rouge.f1, rouge.precision, rouge.recall
            ));
        }
    }
    Ok(text)
}
