//! What commands over trees share.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::terminal::Terminal;
use crate::diagnostic::{Source, any_error};
use crate::error::{Error, Result};
use crate::text::corpus;
use crate::tree::{Format, Read, TextDrawing, Tree, decode, read, read_file};

/// A format by its name, as an argument.
#[derive(Clone, Copy)]
pub(super) struct FormatArg(pub(super) Format);

impl std::str::FromStr for FormatArg {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<FormatArg, String> {
        Format::from_name(name)
            .map(FormatArg)
            .ok_or_else(|| format!("known formats are {}", Format::NAMES.join(", ")))
    }
}

/// How trees are drawn as text.
#[derive(clap::Args)]
pub(super) struct DrawingArgs {
    /// Columns of the `tree` drawing (default: those of the terminal, else 100)
    #[arg(long, value_name = "N")]
    width: Option<usize>,
    /// Show rules and probabilities in the `tree` drawing
    #[arg(long)]
    rules: bool,
}

impl DrawingArgs {
    pub(super) fn drawing(&self, color: bool) -> TextDrawing {
        let columns = std::env::var("COLUMNS").ok();
        let columns = columns.and_then(|columns| columns.parse().ok());
        let default = TextDrawing::default();
        TextDrawing {
            width: self.width.or(columns).unwrap_or(default.width),
            color,
            rules: self.rules,
        }
    }
}

/// A file's name from an id, which may hold anything.
pub(super) fn file_name(id: &str, format: Format) -> String {
    let safe = id.replace(['/', '\\', ':', '\0'], "-");
    let safe = safe.trim_start_matches('.');
    let safe = if safe.is_empty() { "tree" } else { safe };
    format!("{safe}.{}", format.as_str())
}

/// A file, or stdin for `-`.
pub(super) fn read_input(path: &Path, format: Option<Format>) -> Result<Read> {
    if path != Path::new("-") {
        return read_file(path, format);
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::read("<stdin>", error))?;
    Ok(match decode(&bytes, "<stdin>") {
        Ok(text) => read(&Source::new("<stdin>", text), format),
        Err(problem) => Read {
            trees: Vec::new(),
            diagnostics: vec![*problem],
        },
    })
}

/// The files below a folder that hold trees by their extension, or all of them.
pub(super) fn tree_files(folder: &Path, all: bool) -> Result<Vec<PathBuf>> {
    let mut files = corpus::files_below(&[folder.to_owned()])?;
    files.retain(|file| {
        let format = Format::from_extension(file);
        all || format.is_some_and(|f| f.is_readable() && f != Format::Edus)
    });
    if files.is_empty() {
        Err(Error::Failed(format!(
            "`{}` holds no tree files",
            folder.display()
        )))
    } else {
        Ok(files)
    }
}

/// All trees of a file or folder; errors in any of them are errors, warnings are printed.
pub(super) fn read_all(
    path: &Path,
    format: Option<Format>,
    terminal: &Terminal,
) -> Result<Vec<Tree>> {
    let files = if path.is_dir() {
        tree_files(path, format.is_some())?
    } else {
        vec![path.to_owned()]
    };
    let mut trees = Vec::new();
    let mut problems = Vec::new();
    for file in files {
        let read = read_input(&file, format)?;
        trees.extend(read.trees);
        problems.extend(read.diagnostics);
    }
    if any_error(&problems) {
        Err(Error::Invalid(problems))
    } else {
        terminal.diagnostics(&problems);
        Ok(trees)
    }
}
