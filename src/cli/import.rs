//! `arsg import`: any corpus to document JSON lines, cleaned and accounted for.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{InputArgs, StructureArg};
use super::numbers;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::json;
use crate::schema::embedded_schema;
use crate::text::corpus::{
    Cleaned, Cleaning, Duplicate, Duplicates, Skip, SkipReason, Tally, domain_of,
};
use crate::text::structure::Structure;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg import news.dat --out news.jsonl          SogouCA, in GB18030 or UTF-8
  arsg import news.dat --domain finance          only what a finance site published
  cat text.txt | arsg import - --drop-duplicates
  arsg import texts/ --structure rules           headings, lists and speakers become blocks

Without `--structure` plain text stays plain: the commands that read it later tell what its lines are.")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    /// Where the documents go (default: stdout)
    #[arg(long, short, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    /// Keep only documents whose URL belongs to this domain
    #[arg(long, value_name = "NAME")]
    domain: Option<String>,
    /// Drop lines with fewer characters (0 to 1000000)
    #[arg(long, value_name = "N", default_value_t = Cleaning::default().shortest_line, value_parser = numbers::whole::<usize>(0, 1000000))]
    shortest_line: usize,
    /// Drop lines with more characters (1 to 100000000)
    #[arg(long, value_name = "N", default_value_t = Cleaning::default().longest_line, value_parser = numbers::whole::<usize>(1, 100000000))]
    longest_line: usize,
    /// Drop texts that repeat an earlier one, exactly or nearly (else they are only reported)
    #[arg(long)]
    drop_duplicates: bool,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let cleaning = Cleaning {
        shortest_line: args.shortest_line,
        longest_line: args.longest_line,
    };
    let mut out = Output::open(args.out.as_deref())?;
    let mut duplicates = Duplicates::default();
    let wanted = args.domain.as_deref();
    // Plain text stays plain unless blocks are asked for: what reads it later tells what its lines are.
    let structurer = match args.structure.asked() {
        None | Some(Structure::None) => None,
        Some(_) => Some(args.structure.reader(&embedded_schema("general")?)?),
    };
    let tally = args.input.work_through(
        terminal,
        "importing",
        |document| {
            let url = document.url.clone().unwrap_or_default();
            let id = document.id.clone();
            let other = wanted.is_some_and(|wanted| domain_of(&url) != Some(wanted));
            let cleaned = if other {
                None
            } else {
                let document = match &structurer {
                    Some(reader) => reader.structured(&document).into_owned(),
                    None => document,
                };
                Some(cleaning.clean(document))
            };
            (id, cleaned)
        },
        |(id, cleaned), tally| {
            let Some(Cleaned { document, dropped }) = cleaned else {
                return drop_document(tally, SkipReason::OtherDomain, &id, "");
            };
            for (reason, times) in dropped {
                for _ in 0..times {
                    tally.skip(skip(reason, &id, ""));
                }
            }
            let Some(document) = document else {
                return drop_document(tally, SkipReason::NothingLeft, &id, "");
            };
            if let Some(duplicate) = duplicates.check(&document.id, &document.text) {
                let (reason, detail) = match duplicate {
                    Duplicate::Exact { of } => (SkipReason::ExactDuplicate, format!("of {of}")),
                    Duplicate::Near { of, similarity } => (
                        SkipReason::NearDuplicate,
                        format!("of {of}, {:.0}% alike", 100.0 * similarity),
                    ),
                };
                tally.skip(skip(reason, &id, &detail));
                if args.drop_duplicates {
                    tally.kept -= 1;
                    tally.dropped_duplicates += 1;
                    return Ok(());
                }
            }
            out.write(&json::line(&document)?)
        },
    )?;
    if tally.kept > 0 {
        out.finish()?;
    }
    if terminal.json {
        terminal.print_account(&tally.to_json());
    } else {
        terminal.note(tally.report().trim_end());
    }
    if tally.kept == 0 {
        let message = "no text is kept: every one was dropped, as told above";
        return Err(Error::Empty(message.to_owned()));
    }
    Ok(Outcome::Fine)
}

fn skip(reason: SkipReason, id: &str, detail: &str) -> Skip {
    Skip {
        reason,
        file: id.to_owned(),
        line: 0,
        detail: detail.to_owned(),
    }
}

fn drop_document(tally: &mut Tally, reason: SkipReason, id: &str, detail: &str) -> Result<()> {
    tally.kept -= 1;
    tally.skip(skip(reason, id, detail));
    Ok(())
}
