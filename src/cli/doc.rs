//! `arsg doc`: a whole grammar as a page to read.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::GrammarArg;
use super::numbers;
use super::outside::Outside;
use super::query::bank_of;
use super::terminal::{Output, Terminal};
use crate::error::{Error, Result};
use crate::grammar::{Grammar, named_path};
use crate::query::{gather, show_rules};
use crate::reference::Reference;

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg doc -o grammar.html                       the project's grammar as one page
  arsg doc finance -o finance.html --on cases/   with a passage for every rule
  arsg doc finance -o site/                      site/finance.html and site/finance.md
  arsg doc finance -o finance.md                 for a wiki or a repository
  arsg doc finance --json                        what the page says, for programs

The page has the comment at the top of each file, every rule with its doc comment, tables drawn as tables,
relations with what makes them, and cue classes with their words. It stands by itself.

Exit codes: 0 written, 3 the grammar does not validate.")]
pub(super) struct Args {
    /// A shipped grammar's name or a grammar file (default: the project's)
    #[arg(value_name = "GRAMMAR")]
    name: Option<String>,
    /// Where to write: a file that ends in .html or .md, or a folder for both (default: Markdown on stdout)
    #[arg(long, short, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// Show passages from these trees, regression cases or texts
    #[arg(long, value_name = "FILE|DIR")]
    on: Vec<PathBuf>,
    /// Documents of the trees, where their format does not say where paragraphs end
    #[arg(long, value_name = "FILE|DIR")]
    docs: Option<PathBuf>,
    /// How many passages of each kind (1 to 20)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<usize>(1, 20))]
    count: usize,
    #[command(flatten)]
    outside: Outside,
    #[command(flatten)]
    grammar: GrammarArg,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => args.grammar.name()?,
    };
    let loaded = Grammar::load(named_path(Path::new(&name)), &args.outside.disk(), None)?;
    let mut reference = Reference::of(&loaded);
    let grammar = loaded.into_result()?;
    if !args.on.is_empty() {
        let bank = bank_of(gather(&args.on, args.docs.as_deref())?, &grammar, terminal)?;
        reference.add_examples(show_rules(&bank, &grammar, args.count, |_, is_table| {
            !is_table
        }));
    }
    let Some(out) = &args.out else {
        let mut output = Output::open(None)?;
        output.write(&if terminal.json {
            reference.to_json()?
        } else {
            reference.to_markdown()
        })?;
        output.finish()?;
        return Ok(Outcome::Fine);
    };
    for file in files(out, &grammar.name)? {
        let text = if is_html(&file) {
            reference.to_html()
        } else {
            reference.to_markdown()
        };
        let mut output = Output::open(Some(&file))?;
        output.write(&text)?;
        output.finish()?;
        terminal.note(&format!("written to `{}`", file.display()));
    }
    Ok(Outcome::Fine)
}

fn is_html(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "html" || ending == "htm")
}

/// The files to write: one by its ending, or both in a folder.
fn files(out: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let ending = out.extension().and_then(|ending| ending.to_str());
    match ending.filter(|_| !out.is_dir()) {
        Some("html" | "htm" | "md" | "markdown") => Ok(vec![out.to_owned()]),
        Some(other) => Err(Error::Usage(format!(
            "pages are written as .html or .md, not .{other}; a name without an ending is a folder"
        ))),
        None => {
            crate::files::disk::make_folder(out)?;
            let name = if name.is_empty() { "grammar" } else { name };
            let file = |ending| out.join(crate::files::name_for_id(name, ending));
            Ok(["html", "md"].map(file).into())
        }
    }
}
