//! What commands over trees share.

use std::path::Path;

use super::numbers;
use super::terminal::Terminal;
use crate::diagnostic::{Source, any_error, plural};
use crate::error::Result;
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
    /// Columns of the `tree` drawing (default: those of the terminal, else 100) (20 to 10000)
    #[arg(long, value_name = "N", value_parser = numbers::whole::<usize>(20, 10000))]
    width: Option<usize>,
    /// Show rules and probabilities in the `tree` drawing
    #[arg(long)]
    rules: bool,
}

impl DrawingArgs {
    pub(super) fn drawing(&self, color: bool) -> TextDrawing {
        let default = TextDrawing::default();
        TextDrawing {
            width: numbers::columns(self.width, default.width),
            color,
            rules: self.rules,
        }
    }
}

/// Says how many characters of a tree its format could not hold.
pub(super) fn note_unwritable(id: &str, count: usize, format: Format, terminal: &Terminal) {
    if count > 0 {
        let format = format.as_str();
        terminal.note(&format!(
            "`{id}`: {} that {format} cannot hold, written as U+FFFD",
            plural(count, "control character")
        ));
    }
}

/// A file, or stdin for `-`.
pub(super) fn read_input(path: &Path, format: Option<Format>) -> Result<Read> {
    if path != Path::new("-") {
        return read_file(path, format);
    }
    let bytes = crate::files::read_stdin()?;
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
