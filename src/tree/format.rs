//! The formats, and which one a file is in.

use std::path::Path;
use std::sync::Arc;

use super::{Tree, draw, edus, json, rs3, rsd, sexp};
use crate::diagnostic::{Code, Diagnostic, Place, Source, any_error};
use crate::error::{Error, Result};
use crate::named::named_enum;
use crate::setters::setters;

named_enum! {
    /// A format of trees.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Format {
        /// RSTTool and rstWeb XML.
        Rs3 = "rs3",
        /// rs3 with signals and secondary edges.
        Rs4 = "rs4",
        /// Bracketed trees of the RST Discourse Treebank.
        Dis = "dis",
        /// Discourse dependencies in tab-separated columns.
        Rsd = "rsd",
        /// Bracketed trees that people write by hand.
        Sexp = "sexp",
        /// One JSON object a tree.
        Json = "json",
        /// One EDU a line, without a tree.
        Edus = "edus",
        /// Drawn for terminals; written only.
        Tree = "tree",
        /// Drawn for papers; written only.
        Svg = "svg",
        /// Drawn for browsers; written only.
        Html = "html",
    }
}

impl Format {
    /// True when trees can be read from it.
    pub fn is_readable(self) -> bool {
        !matches!(self, Format::Tree | Format::Svg | Format::Html)
    }

    /// True when one file can hold several trees.
    pub fn holds_many(self) -> bool {
        matches!(self, Format::Sexp | Format::Json | Format::Tree)
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::find(&name.to_ascii_lowercase())
    }

    /// The format that a file's extension stands for.
    pub fn from_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "xml" => None,
            "jsonl" | "ndjson" => Some(Format::Json),
            "lisp" => Some(Format::Dis),
            "edu" | "edus" | "seg" => Some(Format::Edus),
            "htm" => Some(Format::Html),
            other => Format::from_name(other),
        }
    }

    /// The format that a text looks like; one EDU a line when it looks like nothing else.
    pub fn from_content(text: &str) -> Format {
        let start = text.trim_start();
        let first_line = start.lines().next().unwrap_or_default();
        if start.starts_with('<') {
            let is_rs4 = ["<signals", "<secedges", "<sigtypes"];
            return if is_rs4.iter().any(|mark| text.contains(mark)) {
                Format::Rs4
            } else {
                Format::Rs3
            };
        }
        if start.starts_with('{') {
            return Format::Json;
        }
        // `@name (` is a tree with its id; an EDU may begin with `@` as well.
        let mut opening_words = start.lines().take(2).flat_map(str::split_whitespace);
        let is_named = start.starts_with('@') && opening_words.any(|word| word.starts_with('('));
        if is_named || start.starts_with(['(', ';']) {
            let opening: String = start.chars().take(4000).collect();
            let is_dis = opening.contains("rel2par") || opening.contains("(leaf ");
            return if is_dis { Format::Dis } else { Format::Sexp };
        }
        match first_line.split('\t').count() {
            8.. => Format::Rsd,
            _ => Format::Edus,
        }
    }
}

/// What could be read, and everything that is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// The trees; most formats hold exactly one.
    pub trees: Vec<Tree>,
    /// All problems, in file order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Read {
    /// All trees, unless there are errors.
    pub fn into_trees(self) -> Result<Vec<Tree>> {
        if any_error(&self.diagnostics) {
            Err(Error::Invalid(self.diagnostics))
        } else {
            Ok(self.trees)
        }
    }

    /// The one tree, unless there are errors.
    pub fn into_tree(self) -> Result<Tree> {
        let mut trees = self.into_trees()?;
        match (trees.pop(), trees.len()) {
            (Some(tree), 0) => Ok(tree),
            (_, others) => Err(Error::Mismatch(format!(
                "one tree is wanted, and there are {}",
                if others == 0 { 0 } else { others + 1 }
            ))),
        }
    }
}

/// How trees are written.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Write n-ary nodes as the binary nodes inside them.
    pub binary: bool,
    /// How the terminal drawing looks.
    pub drawing: draw::TextDrawing,
}

setters! {
    WriteOptions {
        binary: bool,
        drawing: draw::TextDrawing,
    }
}

/// Reads trees from a text; the format is guessed from the content when not given.
pub fn read(source: &Arc<Source>, format: Option<Format>) -> Read {
    let format = format.unwrap_or_else(|| Format::from_content(source.text()));
    let mut read = match format {
        Format::Rs3 | Format::Rs4 => rs3::read(source),
        Format::Dis => super::dis::read(source),
        Format::Rsd => rsd::read(source),
        Format::Sexp => sexp::read(source),
        Format::Json => json::read(source),
        Format::Edus => flat(source),
        Format::Tree | Format::Svg | Format::Html => Read {
            trees: Vec::new(),
            diagnostics: vec![
                Diagnostic::new(
                    Code::R004,
                    format!(
                        "`{}` is a drawing, and drawings cannot be read",
                        format.as_str()
                    ),
                )
                .help("read the file that the drawing was made from"),
            ],
        },
    };
    if read.trees.is_empty() && !any_error(&read.diagnostics) {
        let place = Place::new(source, 0..0);
        let problem = Diagnostic::new(Code::R005, "there is no EDU").at(place);
        read.diagnostics.push(problem);
    }
    read.diagnostics
        .sort_by_key(|d| d.place.as_ref().map(|place| place.range().start));
    read
}

/// Reads trees from a file; the format comes from `format`, the extension or the content. A tree
/// without an id takes the file's name.
pub fn read_file(path: &Path, format: Option<Format>) -> Result<Read> {
    let bytes = crate::files::read_bytes(path)?;
    let name = path.display().to_string();
    let text = match decode(&bytes, &name) {
        Ok(text) => text,
        Err(problem) => {
            return Ok(Read {
                trees: Vec::new(),
                diagnostics: vec![*problem],
            });
        }
    };
    let format = format.or_else(|| Format::from_extension(path));
    let mut read = read(&Source::new(name, text), format);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    if let ([tree], Some(stem)) = (read.trees.as_mut_slice(), stem) {
        tree.id.get_or_insert_with(|| stem.into());
    }
    Ok(read)
}

/// Writes a tree.
pub fn write(tree: &Tree, format: Format, how: &WriteOptions) -> String {
    let binary;
    let tree = if how.binary {
        binary = tree.clone().binary();
        &binary
    } else {
        tree
    };
    match format {
        Format::Rs3 => rs3::write(tree, false),
        Format::Rs4 => rs3::write(tree, true),
        Format::Dis => super::dis::write(tree),
        Format::Rsd => rsd::write(tree),
        Format::Sexp => sexp::write(tree),
        Format::Json => json::write(tree),
        Format::Edus => edus::write_edus(&tree.edus),
        Format::Tree => draw::draw_text(tree, &how.drawing),
        Format::Svg => draw::draw_svg(tree),
        Format::Html => draw::draw_html(tree),
    }
}

/// Bytes to text: UTF-8, UTF-16 with a byte order mark, or what an XML declaration names. Bytes
/// that do not fit are an error.
pub fn decode(bytes: &[u8], name: &str) -> Result<String, Box<Diagnostic>> {
    let encoding = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None => declared_encoding(bytes, name)?.unwrap_or(encoding_rs::UTF_8),
    };
    let (text, had_errors) = encoding.decode_with_bom_removal(bytes);
    if !had_errors {
        return Ok(text.into_owned());
    }
    let valid = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), str::len);
    let at = if encoding == encoding_rs::UTF_8 {
        format!(": bad byte at offset {valid}")
    } else {
        String::new()
    };
    let label = encoding.name();
    Err(Box::new(
        Diagnostic::new(Code::R002, format!("`{name}` is not {label}{at}"))
            .help("save it as UTF-8, or name its encoding in the XML declaration"),
    ))
}

/// The encoding that `<?xml ... encoding="..."?>` names.
fn declared_encoding(
    bytes: &[u8],
    name: &str,
) -> Result<Option<&'static encoding_rs::Encoding>, Box<Diagnostic>> {
    const LONGEST_DECLARATION: usize = 200;
    let head = bytes.get(..bytes.len().min(LONGEST_DECLARATION));
    let head = String::from_utf8_lossy(head.unwrap_or_default());
    let Some(declaration) = head.trim_start().strip_prefix("<?xml") else {
        return Ok(None);
    };
    let declaration = declaration.split("?>").next().unwrap_or_default();
    let Some((_, value)) = declaration.split_once("encoding") else {
        return Ok(None);
    };
    let value = value.trim_start().trim_start_matches('=').trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let label = quote.and_then(|quote| value.get(1..)?.split(quote).next());
    let Some(label) = label else {
        return Ok(None);
    };
    match encoding_rs::Encoding::for_label(label.as_bytes()) {
        // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
        Some(found) if found == encoding_rs::UTF_16LE || found == encoding_rs::UTF_16BE => Ok(None),
        Some(found) => Ok(Some(found)),
        None => Err(Box::new(
            Diagnostic::new(
                Code::R002,
                format!("`{name}` declares the unknown encoding `{label}`"),
            )
            .help("save it as UTF-8"),
        )),
    }
}

/// Line ends, tabs and runs of spaces become one space; none stays at the ends. Full-width spaces
/// are text.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\n', '\r']) {
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// A text for XML, in quotes or between tags; characters that XML cannot hold are replaced.
pub(super) fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_unwritable_in_xml(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// True for what XML cannot hold, whatever its form.
fn is_unwritable_in_xml(c: char) -> bool {
    (c < ' ' && !matches!(c, '\n' | '\r' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// How many characters of a tree's text a format cannot hold; they are written as U+FFFD.
pub fn count_unwritable(tree: &Tree, format: Format) -> usize {
    if !matches!(format, Format::Rs3 | Format::Rs4 | Format::Svg) {
        return 0;
    }
    let letters = tree.edus.iter().flat_map(|edu| edu.text.chars());
    letters.filter(|c| is_unwritable_in_xml(*c)).count()
}

/// How deep written formats indent: without a limit a chain of 100,000 nodes would be written as
/// ten thousand million spaces.
pub(super) const DEEPEST_INDENT: usize = 100;

fn flat(source: &Arc<Source>) -> Read {
    let edus = edus::read_edus(source);
    let place = Place::new(source, 0..0);
    let count = edus.len();
    let Ok(tree) = Tree::flat(edus) else {
        return Read::default();
    };
    let problem = Diagnostic::new(
        Code::R015,
        format!("there is no tree, only {count} EDUs: they are joined flat"),
    )
    .at(place)
    .help("parse the text for a real tree");
    Read {
        trees: vec![tree],
        diagnostics: if count > 1 { vec![problem] } else { Vec::new() },
    }
}
