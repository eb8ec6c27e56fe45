//! Files that are no texts: trees, grammars and other things that lie beside texts.

use std::fs::File;
use std::io;
use std::path::Path;

use super::super::document::is_blank;
use super::lines::Lines;

/// What a file that is no text is instead, told from its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Foreign {
    /// A rhetorical tree, in the format of this name.
    Tree(&'static str),
    /// A grammar, or a module of one.
    Grammar,
    /// A schema, or the settings of a project.
    Schema,
    /// What an annotator did to a text.
    Label,
    /// Regression cases.
    Cases,
    /// A page or a drawing.
    Markup,
    /// Bytes that are no text in any encoding.
    Binary,
    /// A file about the folder it lies in, by its name.
    Readme,
}

impl Foreign {
    /// What the beginning of a file shows it to be; none for texts.
    pub(super) fn from_content(head: &str) -> Option<Foreign> {
        let start = head.trim_start_matches(is_blank);
        // A stray byte in a corpus of records damages one of them, not the corpus.
        let has_records = start.starts_with(['{', '[']) || head.contains("<doc>");
        if head.contains('\0') && !has_records {
            return Some(Foreign::Binary);
        }
        if start.starts_with('<') {
            return markup(start);
        }
        if start.starts_with('{') {
            return json(start);
        }
        if let Some(format) = bracketed(start) {
            return Some(Foreign::Tree(format));
        }
        let first = start.lines().next().unwrap_or_default();
        if first.split('\t').count() >= RSD_COLUMNS && first.starts_with('1') {
            return Some(Foreign::Tree("rsd"));
        }
        if is_row_of_equals(first) && start.lines().skip(1).any(is_row_of_equals) {
            return Some(Foreign::Cases);
        }
        written_by_hand(start)
    }

    /// What a file of a folder is, if it is no text.
    pub(super) fn of(path: &Path) -> io::Result<Option<Foreign>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.to_ascii_lowercase().starts_with("readme") {
            return Ok(Some(Foreign::Readme));
        }
        let head = Lines::new(Box::new(File::open(path)?))?.peek()?;
        Ok(Foreign::from_content(&head))
    }

    /// What it is and what can be done with it, after the name of the file.
    pub(super) fn refusal(self) -> String {
        match self {
            Foreign::Tree(format) => {
                format!("is a tree ({format}), no text: `arsg convert` draws it")
            }
            Foreign::Grammar => "is a grammar, no text: `arsg check` looks for mistakes in it, \
                 `--grammar` parses with it"
                .to_owned(),
            Foreign::Schema => "is a schema or other settings (TOML), no text: `arsg stats` lists \
                 the vocabulary of a schema"
                .to_owned(),
            Foreign::Label => {
                "is a label, no text: `arsg induce` and `arsg annotate` read labels".to_owned()
            }
            Foreign::Cases => {
                "holds regression cases: name the file `*.case`, or run them with `arsg test`"
                    .to_owned()
            }
            Foreign::Markup => {
                "is a page or a drawing (HTML, XML), no text: save its text alone".to_owned()
            }
            Foreign::Binary => "holds NUL bytes, so it is no text; save it as plain text (UTF-8, \
                 GB18030, or UTF-16 with its mark)"
                .to_owned(),
            Foreign::Readme => "is about its folder".to_owned(),
        }
    }

    /// Its kind in one word, for counting.
    pub fn as_str(self) -> &'static str {
        match self {
            Foreign::Tree(_) => "tree",
            Foreign::Grammar => "grammar",
            Foreign::Schema => "schema",
            Foreign::Label => "label",
            Foreign::Cases => "case file",
            Foreign::Markup => "drawing",
            Foreign::Binary => "binary file",
            Foreign::Readme => "README",
        }
    }
}

/// The columns of a discourse dependency; news with so many tabs in its first line is a table.
const RSD_COLUMNS: usize = 8;

fn markup(start: &str) -> Option<Foreign> {
    if start.starts_with("<rst") || (start.starts_with("<?xml") && start.contains("<rst")) {
        let is_rs4 = ["<signals", "<secedges", "<sigtypes"];
        let is_rs4 = is_rs4.iter().any(|mark| start.contains(mark));
        return Some(Foreign::Tree(if is_rs4 { "rs4" } else { "rs3" }));
    }
    let opening: String = start.chars().take(14).collect();
    let opening = opening.to_ascii_lowercase();
    let known = ["<?xml", "<!doctype html", "<html", "<svg"];
    let is_known = known.iter().any(|known| opening.starts_with(known));
    is_known.then_some(Foreign::Markup)
}

/// Trees and labels begin with other fields than documents.
fn json(start: &str) -> Option<Foreign> {
    let opening = start.lines().next().unwrap_or_default();
    let has = |field: &str| opening.contains(field);
    if opening.starts_with("{\"label\":") && has("\"annotator\"") {
        return Some(Foreign::Label);
    }
    let is_tree = has("\"edus\":[{") && has("\"nodes\":[");
    is_tree.then_some(Foreign::Tree("json"))
}

/// `(relation NS 1 2)`, also after its name and after comments, and the trees of the RST Discourse
/// Treebank. News may begin with a bracket as well: `(记者 王伟)`.
fn bracketed(start: &str) -> Option<&'static str> {
    let mut lines = start.lines().map(|line| line.trim_matches(is_blank));
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(';'))?;
    let tree = match first.strip_prefix('@') {
        Some(named) => named.split_once('(').map(|(_, tree)| tree),
        None => first.strip_prefix('('),
    };
    let mut words = tree?.split_whitespace();
    let is_dis = start.contains("rel2par") || start.contains("(leaf ");
    let has_roles = matches!(words.nth(1), Some("NS" | "SN" | "NN"));
    if is_dis {
        Some("dis")
    } else {
        has_roles.then_some("sexp")
    }
}

fn is_row_of_equals(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 3 && line.bytes().all(|byte| byte == b'=')
}

/// Grammars and TOML, by the first lines that are no comments.
fn written_by_hand(start: &str) -> Option<Foreign> {
    let lines = start.lines().map(str::trim);
    let mut said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = said.next()?;
    let (word, rest) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    let rest = rest.trim_start();
    let is_grammar = match word {
        "grammar" => rest.starts_with(char::is_alphabetic) && start.contains("schema"),
        "schema" | "use" => rest.starts_with('"'),
        _ => false,
    };
    if is_grammar {
        return Some(Foreign::Grammar);
    }
    let is_pair = |line: &str| {
        let pair = line.split_once('=');
        pair.is_some_and(|(key, value)| is_key(key) && !value.trim().is_empty())
    };
    let is_table = |line: &str| {
        let name = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        name.is_some_and(|name| is_key(name.trim_matches(['[', ']'])))
    };
    let second = said.next().unwrap_or_default();
    let is_toml = (is_table(first) && is_pair(second))
        || (is_pair(first) && (is_pair(second) || is_table(second)));
    is_toml.then_some(Foreign::Schema)
}

/// `name`, `relation.Rise`, `relation."上涨"`.
fn is_key(key: &str) -> bool {
    let key = key.trim();
    let part = |part: &str| {
        let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        !part.is_empty() && (part.chars().all(bare) || (part.len() > 2 && part.starts_with('"')))
    };
    key.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_told_by_its_content() {
        for (head, expected) in [
            ("<rst>\n\t<header>", Foreign::Tree("rs3")),
            (
                "<?xml version=\"1.0\"?>\n<rst>\n<sigtypes>",
                Foreign::Tree("rs4"),
            ),
            ("(causal-cause SN 1 2)\n", Foreign::Tree("sexp")),
            ("@油价 (causal-cause SN 1 2)\n", Foreign::Tree("sexp")),
            ("; gold\n(causal-cause SN\n  1 2)\n", Foreign::Tree("sexp")),
            (
                "( Root (span 1 2)\n ( Nucleus (leaf 1) (rel2par span)",
                Foreign::Tree("dis"),
            ),
            (
                "{\"id\":\"a\",\"edus\":[{\"text\":\"油价下跌\"}],\"nodes\":[",
                Foreign::Tree("json"),
            ),
            (
                "1\t油价下跌\t_\t_\t_\t_\t0\tROOT\t_\t_\n",
                Foreign::Tree("rsd"),
            ),
            (
                "# legend\n\ngrammar  finance 1.0\nschema   \"finance\"\n",
                Foreign::Grammar,
            ),
            ("schema \"../schemas/finance.toml\"\n", Foreign::Grammar),
            ("# 词汇\n[domain]\nname = \"finance\"\n", Foreign::Schema),
            ("corpus = \"corpus\"\ntrees = \"trees\"\n", Foreign::Schema),
            (
                "[relation.\"上涨\"]\ntriggers = [\"涨\"]\n",
                Foreign::Schema,
            ),
            ("===\n因果\n===\n油价下跌。\n---\n1\n", Foreign::Cases),
            ("{\"label\":1,\"annotator\":\"李\"}", Foreign::Label),
            ("<!DOCTYPE html>\n<html>", Foreign::Markup),
            ("\u{fffd}PNG\r\n\0\0", Foreign::Binary),
        ] {
            assert_eq!(Foreign::from_content(head), Some(expected), "{head}");
        }
    }

    #[test]
    fn texts_that_look_a_little_like_something_else_are_texts() {
        for head in [
            "(记者 王伟)国际油价下跌。\n",
            "<国务院>印发通知。\n",
            "[图] 沪指收跌\n深成指收涨。\n",
            "@央行 今天降息(25个基点)。\n",
            "grammar schools are closing\n",
            "use of force\n",
            "a = 3 时，方程有解。\n",
            "===\n国际油价下跌。\n",
            "# 央行降准\n\n央行宣布降准。\n",
            "{\"id\":\"a\",\"text\":\"油价下跌。\"}\n",
            "{\"id\":\"a\",\"blocks\":[{\"kind\":\"paragraph\",\"edus\":[\"油价下跌。\"]}]}\n",
            "1\t油价\n",
            "",
        ] {
            assert_eq!(Foreign::from_content(head), None, "{head}");
        }
    }
}
