//! `arsg check`

use std::path::PathBuf;
use std::sync::Arc;

use super::Outcome;
use super::outside::Outside;
use super::terminal::{Output, Terminal, read_input};
use crate::diagnostic::{ErrorFormat, Renderer, plural};
use crate::error::{Error, Result};
use crate::grammar::{Memory, check_paths, named_path};
use crate::schema::Schema;

/// Find every mistake in grammars and schemas
#[derive(clap::Args)]
#[command(after_help = "Examples:
  arsg check                                in a project: its grammars and its schema
  arsg check grammars/finance.arsg
  arsg check grammars schemas/finance.toml --deny-warnings
  arsg check --schema schemas/general.toml - < draft.arsg

Exit codes: 0 no errors (there may be warnings), 1 a file cannot be read, or warnings under
`--deny-warnings`, 2 wrong usage, 3 errors in the files. Every code (G017, ...) has an example and
its message in `tests/diagnostics`.")]
pub(super) struct Args {
    /// Grammars, schemas (.toml), folders of grammars, shipped grammars by name, or `-` (default: the
    /// project's)
    #[arg(value_name = "FILE|NAME")]
    files: Vec<PathBuf>,
    /// The schema to check against, whatever the grammars name
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Let warnings fail, too
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    outside: Outside,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let disk = args.outside.disk();
    let schema = match &args.schema {
        Some(path) => Some(Arc::new(Schema::open(path, &disk)?.into_result()?)),
        None => None,
    };
    let mut files = Memory::over(&disk);
    let named = choose_sources(args.files, args.outside)?.into_iter();
    let named: Vec<PathBuf> = named.map(|path| named_path(&path)).collect();
    let named = without_missing(named, terminal);
    for path in named.iter().filter(|path| path.as_os_str() == "-") {
        files = files.with(path, read_input(path)?);
    }
    let checked = check_paths(&named, &files, schema)?;
    let (errors, warnings) = (checked.errors(), checked.warnings());
    say_links(&checked.links, terminal);
    if terminal.json {
        let renderer = Renderer {
            format: ErrorFormat::Json,
            ..Renderer::default()
        };
        let lines = renderer.render(&checked.diagnostics);
        let diagnostics: Vec<serde_json::Value> = lines
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let report = serde_json::json!({
            "grammars": checked.grammars, "schemas": checked.schemas,
            "errors": errors, "warnings": warnings, "diagnostics": diagnostics,
        });
        let mut output = Output::beside();
        output.write(&format!("{report}\n"))?;
        output.finish()?;
    } else {
        terminal.print_diagnostics(&checked.diagnostics);
        terminal.note(&format!(
            "{} checked: {}, {}",
            counted(checked.grammars.len(), checked.schemas.len()),
            plural(errors, "error"),
            plural(warnings, "warning"),
        ));
    }
    Ok(match (errors, warnings) {
        (0, 0) => Outcome::Fine,
        (0, _) if args.deny_warnings => Outcome::Failure,
        (0, _) => Outcome::Fine,
        _ => Outcome::Invalid,
    })
}

/// The files named, or else those of the project.
pub(super) fn choose_sources(named: Vec<PathBuf>, outside: Outside) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named);
    }
    let own = outside.project()?.map(|project| project.sources());
    own.filter(|own| !own.is_empty()).ok_or_else(|| {
        let message = "no file is named: give a grammar, or a folder of them; \
             in a project, `grammar` in `arsg.toml` names them";
        Error::Usage(message.to_owned())
    })
}

/// The paths of several that lead somewhere; the others are told, and the exit code will say so.
pub(super) fn without_missing(paths: Vec<PathBuf>, terminal: &Terminal) -> Vec<PathBuf> {
    let is_there = |path: &PathBuf| path.as_os_str() == "-" || path.exists();
    // Where nothing is left to work on, the first of them is the error.
    if !paths.iter().any(is_there) {
        return paths;
    }
    let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(is_there);
    for path in missing {
        terminal.fail(&Error::read(path, std::io::ErrorKind::NotFound.into()));
    }
    there
}

/// Says which links were not followed.
pub(super) fn say_links(links: &[PathBuf], terminal: &Terminal) {
    for link in links {
        let link = link.display();
        terminal.note(&format!(
            "`{link}` leads out of its folder and is not followed; name the file itself"
        ));
    }
}

fn counted(grammars: usize, schemas: usize) -> String {
    let some = |number: usize, thing: &str| (number > 0).then(|| plural(number, thing));
    let parts = [some(grammars, "grammar"), some(schemas, "schema")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(" and ")
    }
}
