//! `arsg parse`: texts to trees.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::input::{ParsingArgs, report_skips};
use super::numbers;
use super::terminal::{Output, Terminal};
use super::trees::{DrawingArgs, FormatArg, note_unwritable};
use crate::automaton::{Parse, ParseOptions};
use crate::columns::make_visible;
use crate::diagnostic::plural;
use crate::error::{Error, Result};
use crate::files::{self, FileNames};
use crate::tree::{Format, WriteOptions, count_unwritable, write};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  echo '因为下雨，比赛取消了。' | arsg parse -
  arsg parse text.txt                              with the grammar for texts of any kind
  arsg parse news.jsonl --grammar finance          with the finance grammar
  arsg parse corpus/ --format dis --out parsed/    a file a text
  arsg parse news.jsonl --json > trees.jsonl       one JSON tree a line
  arsg parse text.txt --search beam=8 --n-best 3   the three most probable trees a beam finds

Exit code 1 where --strict is given and no rule covers a step.")]
pub(super) struct Args {
    #[command(flatten)]
    parsing: ParsingArgs,
    /// Show the N most probable trees that a beam finds (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<usize>(1, 1000))]
    n_best: usize,
    /// Fail where no rule covers a step, and show the largest parts that rules made
    #[arg(long)]
    strict: bool,
    /// tree, sexp, json, rs3, rs4, dis, rsd, svg or html
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatArg>,
    /// Where to write: a file, or a folder for a file a text (default: stdout)
    #[arg(long, short, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    drawing: DrawingArgs,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    let engine = args.parsing.engine()?;
    let options = ParseOptions {
        derivations: args.n_best,
        ..args.parsing.search.options()
    };
    let format = args.format(terminal)?;
    let folder = args.folder(format)?;
    let how = WriteOptions {
        binary: false,
        drawing: args.drawing.drawing(terminal.color && args.out.is_none()),
    };
    let mut trees_out = match folder {
        Some(folder) => TreesOut::Folder {
            folder,
            names: FileNames::default(),
        },
        None => TreesOut::File {
            out: Output::open(args.out.as_deref())?,
            path: args.out.as_deref().filter(|out| *out != Path::new("-")),
            is_first: true,
        },
    };
    let mut outcome = Outcome::Fine;
    let work = |document| {
        let parse = engine.parse_with(&document, &options);
        let complaint = args
            .strict
            .then(|| engine.describe_uncovered(&parse))
            .flatten();
        let written = parse
            .derivations
            .iter()
            .map(|d| write(&d.tree, format, &how));
        let written: Vec<String> = written.collect();
        let first = parse.derivations.first();
        let lost = first.map_or(0, |d| count_unwritable(&d.tree, format));
        (written, heading(&parse), complaint, lost)
    };
    let tally = args.parsing.input.work_through(
        terminal,
        "parsing",
        work,
        |(trees, heading, complaint, lost), _| {
            if let Some(complaint) = complaint {
                terminal.print_error(&Error::Unparsed(complaint));
                outcome = Outcome::Failure;
                return Ok(());
            }
            note_unwritable(&heading.id, lost, format, terminal);
            trees_out.write(&trees, &heading, format)
        },
    )?;
    trees_out.finish()?;
    report_skips(terminal, &tally);
    Ok(outcome)
}

impl Args {
    fn format(&self, terminal: &Terminal) -> Result<Format> {
        let (out, json) = (self.out.as_deref(), terminal.json);
        match (self.format, out.and_then(Format::from_extension)) {
            (Some(FormatArg(format)), _) => Ok(format),
            (None, _) if json => Ok(Format::Json),
            (None, Some(format)) => Ok(format),
            (None, None) => match out.filter(|out| out.extension().is_some() && !out.is_dir()) {
                None => Ok(Format::Tree),
                Some(out) => Err(Error::Usage(format!(
                    "`{}` does not say its format; name it with `--format`",
                    out.display()
                ))),
            },
        }
    }

    /// The folder to write to, made if need be; none for one file or stdout.
    fn folder(&self, format: Format) -> Result<Option<&Path>> {
        let Some(out) = self.out.as_deref() else {
            return Ok(None);
        };
        let is_device = out.exists() && !out.is_dir() && !out.is_file();
        let names_file =
            Format::from_extension(out).is_some() || out == Path::new("-") || is_device;
        let many = format.holds_many() || format == Format::Tree;
        if !out.is_dir() && (names_file || many) {
            return Ok(None);
        }
        if out.is_file() {
            return Err(Error::Usage(format!(
                "`{}` is a file; many texts need a folder",
                out.display()
            )));
        }
        crate::files::disk::make_folder(out)?;
        Ok(Some(out))
    }
}

/// Where trees go.
enum TreesOut<'a> {
    /// One file, or stdout.
    File {
        out: Output,
        path: Option<&'a Path>,
        is_first: bool,
    },
    /// A file a tree.
    Folder { folder: &'a Path, names: FileNames },
}

impl TreesOut<'_> {
    /// Writes the trees of one text, the most probable first.
    fn write(&mut self, trees: &[String], heading: &Heading, format: Format) -> Result<()> {
        match self {
            TreesOut::File {
                out,
                path,
                is_first,
            } => {
                let one_at_most = path.filter(|_| !format.holds_many());
                if let Some(file) = one_at_most.filter(|_| !*is_first || trees.len() > 1) {
                    return Err(holds_one(file, format));
                }
                for (number, tree) in trees.iter().enumerate() {
                    if format != Format::Json && !std::mem::take(is_first) {
                        out.write("\n")?;
                    }
                    if format == Format::Tree {
                        out.write(&heading.line(number))?;
                    }
                    out.write(tree)?;
                }
                out.flush()
            }
            TreesOut::Folder { folder, names } => {
                for (number, tree) in trees.iter().enumerate() {
                    let id = match number {
                        0 => heading.id.clone(),
                        rank => format!("{}-{}", heading.id, rank + 1),
                    };
                    let name = names.next(&id, format.as_str())?;
                    files::replace(&folder.join(name), tree.as_bytes())?;
                }
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            TreesOut::File { out, .. } => out.finish(),
            TreesOut::Folder { .. } => Ok(()),
        }
    }
}

fn holds_one(file: &Path, format: Format) -> Error {
    Error::Usage(format!(
        "there are several trees, and `{}` holds one ({}); name a folder to write to",
        file.display(),
        format.as_str()
    ))
}

/// What stands above a drawn tree.
struct Heading {
    id: String,
    edus: usize,
    log_probabilities: Vec<f64>,
    fallbacks: Vec<usize>,
}

fn heading(parse: &Parse) -> Heading {
    Heading {
        id: parse.text.id.to_string(),
        edus: parse.text.len(),
        log_probabilities: parse
            .derivations
            .iter()
            .map(|d| d.log_probability)
            .collect(),
        fallbacks: parse.derivations.iter().map(|d| d.fallbacks()).collect(),
    }
}

impl Heading {
    fn line(&self, number: usize) -> String {
        let log = self.log_probabilities.get(number).copied().unwrap_or(0.0);
        let edus = plural(self.edus, "EDU");
        let id = make_visible(&self.id);
        let mut line = format!("{id}: {edus}, log probability {log:.2}");
        match self.fallbacks.get(number) {
            None | Some(0) => {}
            Some(steps) => line.push_str(&format!(", {} by fallback", plural(*steps, "step"))),
        }
        line.push('\n');
        line
    }
}
