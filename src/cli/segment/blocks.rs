//! `arsg segment --blocks`: what each line of a plain text is, and why.

use super::Args;
use crate::automaton::{BlockRules, block_table, tell_blocks};
use crate::cli::Outcome;
use crate::cli::input::report_skips;
use crate::cli::terminal::{Output, Terminal};
use crate::error::Result;
use crate::json;
use crate::text::structure::Structure;

pub(super) fn run(args: &Args, terminal: &Terminal) -> Result<Outcome> {
    let structure = args.structure.get()?;
    let by_schema = args.schema.is_given() && !args.grammar.is_given();
    let rules = match (structure, by_schema) {
        (Structure::None, _) => None,
        (_, true) => BlockRules::shipped()?,
        (_, false) => BlockRules::new(&args.grammar.load()?),
    };
    let mut out = Output::open(None)?;
    let tally = args.input.work_through(
        terminal,
        "reading",
        |mut document| {
            let blocks = tell_blocks(&mut document, rules.as_ref());
            if terminal.json {
                blocks.iter().map(json::line).collect()
            } else {
                Ok(block_table(&document.id, &blocks))
            }
        },
        |text: Result<String>, _| out.write(&text?),
    )?;
    out.finish()?;
    report_skips(terminal, &tally);
    Ok(Outcome::Fine)
}
