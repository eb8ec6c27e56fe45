//! `arsg convert`: trees from one format to another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::Outcome;
use super::terminal::{Output, Terminal};
use super::trees::{DrawingArgs, FormatArg, note_unwritable, read_input};
use crate::diagnostic::{any_error, plural};
use crate::error::{Error, Result};
use crate::files::FileNames;
use crate::tree::{Format, Tree, WriteOptions, count_unwritable, tree_files, write};

#[derive(ClapArgs)]
#[command(after_help = "Examples:
  arsg convert text.rs3                         draw it on the terminal
  arsg convert text.rs3 text.svg                draw it for a paper
  arsg convert text.rs3 text.dis --binary       n-ary nodes as right-heavy binary ones
  arsg convert treebank/ out/ --to rsd          a whole folder
  arsg convert - - --from dis --to json < a.dis

Formats: rs3, rs4, dis, rsd, sexp, json, edus (one EDU a line); tree, svg, html (written only).")]
pub(super) struct Args {
    /// A tree file, a folder of them, or `-`
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write: a file, a folder, or `-` (default: stdout)
    #[arg(value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Read as this format (default: by extension, else by content)
    #[arg(long, value_name = "FORMAT")]
    from: Option<FormatArg>,
    /// Write this format (default: by OUT's extension; `tree` on stdout)
    #[arg(long, value_name = "FORMAT")]
    to: Option<FormatArg>,
    /// Write n-ary nodes as the right-heavy binary nodes inside them
    #[arg(long, conflicts_with = "flatten")]
    binary: bool,
    /// Read right-heavy chains of one multi-nuclear relation as n-ary nodes
    #[arg(long)]
    flatten: bool,
    #[command(flatten)]
    drawing: DrawingArgs,
}

pub(super) fn run(args: Args, terminal: &Terminal) -> Result<Outcome> {
    if args.input.is_dir() {
        args.folder(terminal)
    } else {
        args.file(terminal)
    }
}

impl Args {
    fn file(&self, terminal: &Terminal) -> Result<Outcome> {
        let format = self.target(terminal)?;
        let Some(trees) = self.read(&self.input, terminal)? else {
            return Ok(Outcome::Invalid);
        };
        if self.output.is_dir() {
            let mut names = FileNames::default();
            for tree in &trees {
                let name = names.next(tree.id.as_deref().unwrap_or("tree"), format.as_str())?;
                self.save(&self.output, &name, tree, format, terminal)?;
            }
            return Ok(Outcome::Fine);
        }
        if trees.len() > 1 && !format.holds_many() {
            return Err(Error::Usage(format!(
                "`{}` holds {} trees, and a file of format `{}` holds one; name a folder to write to",
                self.input.display(),
                trees.len(),
                format.as_str()
            )));
        }
        let how = self.how(terminal);
        let mut out = Output::open(Some(&self.output))?;
        for (at, tree) in trees.iter().enumerate() {
            if at > 0 && format != Format::Json {
                out.write("\n")?;
            }
            note_lost(tree, format, terminal);
            out.write(&write(tree, format, &how))?;
        }
        out.finish()?;
        Ok(Outcome::Fine)
    }

    /// Every tree file below the folder, to the same place below the output.
    fn folder(&self, terminal: &Terminal) -> Result<Outcome> {
        if self.output == Path::new("-") || self.output.is_file() {
            return Err(Error::Usage("a folder is converted to a folder".to_owned()));
        }
        let Some(FormatArg(format)) = self.to else {
            return Err(Error::Usage(
                "name the format to write with `--to`".to_owned(),
            ));
        };
        let files = tree_files(&self.input, self.from.is_some())?;
        let bar = terminal.progress("converting", Some(files.len() as u64));
        let mut outcome = Outcome::Fine;
        let mut written = 0_usize;
        let mut names: BTreeMap<PathBuf, FileNames> = BTreeMap::new();
        for file in &files {
            bar.inc(1);
            let Some(trees) = self.read(file, terminal)? else {
                outcome = Outcome::Invalid;
                continue;
            };
            let below = file.strip_prefix(&self.input).unwrap_or(file);
            let place = below.parent().unwrap_or(Path::new(""));
            let stem = below.file_stem().unwrap_or_default().to_string_lossy();
            for tree in &trees {
                let name = match trees.len() {
                    1 => &*stem,
                    _ => tree.id.as_deref().unwrap_or("tree"),
                };
                let folder = self.output.join(place);
                let names = names.entry(folder.clone()).or_default();
                let name = names.next(name, format.as_str())?;
                self.save(&folder, &name, tree, format, terminal)?;
                written += 1;
            }
        }
        bar.finish_and_clear();
        terminal.note(&format!(
            "{} of {}",
            plural(written, "tree"),
            plural(files.len(), "file")
        ));
        Ok(outcome)
    }

    fn target(&self, terminal: &Terminal) -> Result<Format> {
        if let Some(FormatArg(format)) = self.to {
            return Ok(format);
        }
        if self.output == Path::new("-") {
            return Ok(if terminal.json {
                Format::Json
            } else {
                Format::Tree
            });
        }
        Format::from_extension(&self.output).ok_or_else(|| {
            Error::Usage(format!(
                "`{}` does not say its format; name it with `--to`",
                self.output.display()
            ))
        })
    }

    /// The trees, or nothing when the file has errors; problems are printed.
    fn read(&self, path: &Path, terminal: &Terminal) -> Result<Option<Vec<Tree>>> {
        let read = read_input(path, self.from.map(|FormatArg(format)| format))?;
        terminal.print_diagnostics(&read.diagnostics);
        if any_error(&read.diagnostics) {
            return Ok(None);
        }
        let trees = read.trees.into_iter();
        Ok(Some(if self.flatten {
            trees.map(Tree::flatten).collect()
        } else {
            trees.collect()
        }))
    }

    fn save(
        &self,
        folder: &Path,
        name: &str,
        tree: &Tree,
        format: Format,
        terminal: &Terminal,
    ) -> Result<()> {
        note_lost(tree, format, terminal);
        crate::files::disk::make_folder(folder)?;
        let how = WriteOptions {
            binary: self.binary,
            drawing: self.drawing.drawing(false),
        };
        crate::files::replace(&folder.join(name), write(tree, format, &how).as_bytes())
    }

    fn how(&self, terminal: &Terminal) -> WriteOptions {
        let on_terminal = terminal.color && self.output == Path::new("-");
        WriteOptions {
            binary: self.binary,
            drawing: self.drawing.drawing(on_terminal),
        }
    }
}

fn note_lost(tree: &Tree, format: Format, terminal: &Terminal) {
    let id = tree.id.as_deref().unwrap_or("tree");
    note_unwritable(id, count_unwritable(tree, format), format, terminal);
}
