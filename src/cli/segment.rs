//! `arsg segment`: texts to EDUs.

mod blocks;

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{GrammarArg, InputArgs, SchemaArg, StructureArg, report_skips};
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::json;
use crate::text::{Analysis, Analyzer, Document};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg segment text.txt                          one EDU a line, blank line = new paragraph
  arsg segment news.jsonl --out edus.jsonl       documents whose blocks have `edus`
  arsg segment news.jsonl --grammar finance      by the boundary rules of a grammar
  arsg segment news.jsonl --schema finance       clauses that carry one core each
  arsg segment text.txt --blocks                 headings, lists, speakers, and why

Without a grammar or a schema the boundary rules of the shipped grammar `general` decide.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    #[command(flatten)]
    grammar: GrammarArg,
    #[command(flatten)]
    schema: SchemaArg,
    /// Write documents with EDUs as JSON lines to this file (default: EDU-per-line on stdout)
    #[arg(long, short, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    /// Show the words of each EDU with their parts of speech
    #[arg(long, conflicts_with = "out")]
    words: bool,
    /// Show what each line is, how sure that is, and the block rule that decided
    #[arg(long, conflicts_with_all = ["out", "words"])]
    blocks: bool,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    if args.blocks {
        return blocks::run(&args, terminal);
    }
    let analyzer = args.analyzer()?;
    let as_json = terminal.json || args.out.is_some();
    let mut out = Output::open(args.out.as_deref())?;
    let mut first = true;
    let tally = args.input.work_through(
        terminal,
        "segmenting",
        |mut document| {
            let analysis = analyzer.segment(&mut document);
            if args.words {
                return Ok(tagged_words(&document, &analysis) + "\n");
            }
            if as_json {
                json::line(&document)
            } else {
                Ok(edu_lines(&document) + "\n")
            }
        },
        |text, _| {
            if !std::mem::take(&mut first) && !as_json {
                out.write("\n")?;
            }
            out.write(&text?)
        },
    )?;
    out.finish()?;
    report_skips(terminal, &tally);
    Ok(Outcome::Fine)
}

impl Args {
    /// The boundary rules of a grammar, or the profile that a schema declares.
    fn analyzer(&self) -> Result<Analyzer> {
        if self.schema.is_given() && !self.grammar.is_given() {
            return self.structure.reader(&self.schema.load("general")?);
        }
        let engine = self.structure.engine(self.grammar.engine()?)?;
        Ok(engine.into_analyzer())
    }
}

/// One EDU a line, its words with their tags.
fn tagged_words(document: &Document, analysis: &Analysis) -> String {
    let mut text = String::new();
    for edu in &analysis.edus {
        let words = analysis.words[edu.words.clone()]
            .iter()
            .map(|word| format!("{}/{}", word.text(&document.text), word.tag.as_str()));
        text.push_str(&words.collect::<Vec<_>>().join(" "));
        text.push('\n');
    }
    text
}

/// One EDU a line, a blank line between blocks; headings are marked, and read as such again.
fn edu_lines(document: &Document) -> String {
    let mut lines = Vec::new();
    for (at, block) in document.blocks.iter().enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        for edu in block.edus.iter().flatten() {
            let text = document.slice(edu).trim();
            lines.push(format!("{}{text}", block.kind.line_mark()));
        }
    }
    lines.join("\n")
}
