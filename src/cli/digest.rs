//! `arsg digest`: what many texts tell, story by story.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::Outcome;
use super::input::{GrammarArg, InputArgs, SchemaArg, StructureArg, report_skips};
use super::numbers;
use super::terminal::{Output, Terminal, read_input};
use crate::error::{Error, Result};
use crate::json;
use crate::project::Project;
use crate::summarize::Length;
use crate::summarize::digest::{
    DigestJson, DigestLayout, DigestOptions, Digester, Known, LeftOut, Piece, Reading, digest,
    query, to_atom, to_digest_markdown, to_digest_page, to_digest_text, to_rss,
};
use crate::text::Analyzer;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg digest news.jsonl                               stories in order of time, with their sources
  arsg digest news.jsonl --timeline                    one line for each day that matters
  arsg digest news.jsonl --query \"降息 房贷\"             only what is about this
  arsg digest news.jsonl --length 300字                 all of it in 300 characters
  arsg digest news.jsonl --known text.txt              only what is new beside a file that was read
  arsg digest news.jsonl --since 2019-09-10            only what was written since that day
  arsg digest news.jsonl --format html -o digest.html  a page to send to a colleague

Reports of one event are one story; items of roundups are read one by one. A line stands under the day
that it tells of. `先前` names an earlier version, `矛盾` what other texts say against it. Texts that are
not Chinese, and advertisements, are left out and counted.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    #[command(flatten)]
    schema: SchemaArg,
    #[command(flatten)]
    grammar: GrammarArg,
    /// How long all stories are together: characters (300字, 300c), words (300w), EDUs (10) or a share (5%)
    /// (default: at most 400 characters a story)
    #[arg(long, short = 'n', value_name = "N字|Nc|Nw|N|N%")]
    length: Option<Length>,
    /// Stories told at most (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = numbers::whole::<usize>(1, 1000))]
    stories: usize,
    /// Headlines of other texts at most (0 to 10000)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = numbers::whole::<usize>(0, 10000))]
    others: usize,
    /// One line for each day that matters, and nothing else
    #[arg(long)]
    timeline: bool,
    /// Only what was written on this day or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<jiff::civil::Date>,
    /// What was read already: a digest (JSON) or any text; what it says is left out
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Words that the stories are to be about
    #[arg(long, value_name = "WORDS")]
    query: Option<String>,
    /// Phrase vectors that find words near those of --query
    #[arg(long, short, value_name = "MODEL", requires = "query")]
    model: Option<PathBuf>,
    /// Read texts that are not Chinese, too
    #[arg(long)]
    any_language: bool,
    /// Say of every line why it was taken
    #[arg(long)]
    explain: bool,
    /// How the digest is written (--json: as one line of JSON)
    #[arg(long, default_value = "text")]
    format: FormatArg,
    /// Where the digest goes (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    Text,
    Markdown,
    Html,
    Json,
    Atom,
    Rss,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = args.schema.load("finance")?;
    let reader = Analyzer::new(&schema);
    let engine = args.structure.engine(args.grammar.engine()?)?;
    let options = args.options(&reader)?;
    let digester = Digester::new(&engine, &reader).take_foreign(args.any_language);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut number = 0;
    let tally = args.input.work_through(
        terminal,
        "reading",
        |document| digester.read(document, 0),
        |reading, _| {
            match reading {
                Reading::Pieces(own) => pieces.extend(own.into_iter().map(|mut piece| {
                    piece.set_document(number);
                    piece
                })),
                Reading::LeftOut(why) => left_out.push(why),
            }
            number += 1;
            Ok(())
        },
    )?;
    report_skips(terminal, &tally);
    report_left_out(&left_out, terminal);
    let found = digest(pieces, &engine, &options);
    let mut out = Output::open(args.out.as_deref())?;
    out.write(&args.written(&found, terminal)?)?;
    out.finish()?;
    if found.stories.is_empty() {
        terminal.note("there is nothing to tell");
    }
    Ok(Outcome::Fine)
}

impl Args {
    fn options(&self, reader: &Analyzer) -> Result<DigestOptions> {
        let shipped = Project::summary_settings_here()?.options()?;
        let mut known = Known::default();
        for path in &self.known {
            let text = read_input(path)?;
            match serde_json::from_str::<DigestJson>(text.trim()) {
                Ok(digest) => known.read_digest(&digest),
                Err(_) => known.read(&text),
            }
        }
        let model = self
            .model
            .as_deref()
            .map(crate::embed::Model::load)
            .transpose()?;
        let asked = match &self.query {
            Some(words) => query(words, reader, model),
            None => Vec::new(),
        };
        if self.query.is_some() && asked.is_empty() {
            return Err(Error::Usage("`--query`: name at least one word".to_owned()));
        }
        Ok(DigestOptions::default()
            .length(self.length.unwrap_or_default())
            .stories(self.stories)
            .others(if self.query.is_some() { 0 } else { self.others })
            .since(self.since)
            .known(known)
            .query(asked)
            .tastes(shipped.tastes))
    }

    fn written(&self, digest: &DigestJson, terminal: &Terminal) -> Result<String> {
        let how = DigestLayout {
            timeline: self.timeline,
            explain: self.explain,
        };
        let format = if terminal.json {
            FormatArg::Json
        } else {
            self.format
        };
        Ok(match format {
            FormatArg::Text => to_digest_text(digest, how),
            FormatArg::Markdown => to_digest_markdown(digest, how),
            FormatArg::Html => to_digest_page(digest),
            FormatArg::Json => json::line(digest)?,
            FormatArg::Atom => to_atom(digest),
            FormatArg::Rss => to_rss(digest),
        })
    }
}

/// Says how many texts were left out, and why.
pub(super) fn report_left_out(left_out: &[LeftOut], terminal: &Terminal) {
    let mut reasons: Vec<(LeftOut, usize)> = Vec::new();
    let mut sorted = left_out.to_vec();
    sorted.sort_unstable();
    for why in sorted {
        match reasons.last_mut() {
            Some((last, count)) if *last == why => *count += 1,
            _ => reasons.push((why, 1)),
        }
    }
    for (why, count) in reasons {
        let texts = if count == 1 { "text is" } else { "texts are" };
        let told = match why {
            LeftOut::Foreign(script) => format!(
                "{count} {texts} not Chinese but {}, and left out (`--any-language` reads them)",
                script.as_str()
            ),
            LeftOut::Advertisement => format!("{count} {texts} advertisements, and left out"),
            LeftOut::Empty => format!("{count} {texts} without a sentence, and left out"),
        };
        terminal.note(&told);
    }
}
