//! `arsg cores`: texts to lexical cores.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{InputArgs, SchemaArg, StructureArg, report_skips};
use super::terminal::{Output, Terminal};
use crate::error::Result;
use crate::json;
use crate::lexcore::{CoreJson, Extractor, PartJson};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg cores text.txt                            a table: when | who | what | how
  arsg cores news.jsonl --json                   one core a line, with character offsets
  arsg cores news.jsonl --schema general         any verb or event, not only those of finance")]
pub(super) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    structure: StructureArg,
    #[command(flatten)]
    schema: SchemaArg,
    /// Where the cores go (default: stdout); a `.jsonl` file gets JSON
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let schema = args.schema.load("finance")?;
    let analyzer = args.structure.reader(&schema)?;
    let extractor = Extractor::new(&schema);
    let as_json = terminal.json
        || args
            .out
            .as_ref()
            .is_some_and(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let mut out = Output::open(args.out.as_deref())?;
    let tally = args.input.work_through(
        terminal,
        "extracting cores",
        |mut document| {
            // Cores are told with places in the text as it came, so the headline stays outside.
            document.title = None;
            let document = analyzer.structured(&document);
            let analysis = analyzer.analyze(&document);
            let cores = extractor.extract(&document, &analysis);
            let cores = CoreJson::of(&document, &cores, &schema);
            if as_json {
                cores.iter().map(json::line).collect()
            } else {
                Ok(table(&document.id, &cores))
            }
        },
        |text: Result<String>, _| out.write(&text?),
    )?;
    out.finish()?;
    report_skips(terminal, &tally);
    Ok(Outcome::Fine)
}

/// For people: a line a core; inherited parts in parentheses, unknown ones a dash.
fn table(id: &str, cores: &[CoreJson]) -> String {
    let cell = |part: &Option<PartJson>| match part {
        None => "-".to_owned(),
        Some(part) if part.inherited => format!("({})", part.text),
        Some(part) => part.text.clone(),
    };
    let mut text = format!("# {id}\n");
    for core in cores {
        let mut time = cell(&core.time);
        if let Some(value) = core.time.as_ref().and_then(|time| time.value.as_ref()) {
            time.push_str(&format!(" = {value}"));
        }
        let denied = if core.negated { "未 " } else { "" };
        let basis = core.basis.as_ref().map_or("", |basis| &basis.text);
        let amount = core.amount.as_ref().map_or("", |amount| &amount.text);
        let state = format!("{basis} {denied}{} {amount}", core.state.text);
        text.push_str(&format!(
            "{:>4}  {time} | {} | {} | {}\n",
            // People count from 1, as in drawings; JSON counts from 0.
            core.edu + 1,
            cell(&core.agent),
            cell(&core.object),
            state.trim()
        ));
    }
    text
}
