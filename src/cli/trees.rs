//! What commands over trees share.

use std::io::Read as _;
use std::path::Path;

use super::terminal::Terminal;
use crate::diagnostic::{Source, any_error};
use crate::error::{Error, Result};
use crate::tree::{self, Format, Read, TextDrawing, Tree, decode, read, read_file};

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

/// Reads all trees of a file, a folder or stdin; errors in any of them are errors, warnings are
/// printed.
pub(super) fn read_all(
    path: &Path,
    format: Option<Format>,
    terminal: &Terminal,
) -> Result<Vec<Tree>> {
    let read = if path.is_dir() {
        tree::read_all(path, format)?
    } else {
        read_input(path, format)?
    };
    if !any_error(&read.diagnostics) {
        terminal.print_diagnostics(&read.diagnostics);
    }
    read.into_trees()
}
