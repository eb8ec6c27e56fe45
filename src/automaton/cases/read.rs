//! Reading case files. Never stops at the first problem.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::{Asks, Case};
use crate::diagnostic::{Code, Diagnostic, Place, Problems, Source, any_error, likely};
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::text::{Document, line_ranges, parse_date};
use crate::tree::{self, Format, Tree};

/// The cases of a file, and everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// The file.
    pub source: Arc<Source>,
    /// The cases that could be read, in order.
    pub cases: Vec<Case>,
    /// All problems, in file order.
    pub diagnostics: Vec<Diagnostic>,
}

impl CaseFile {
    /// The cases, unless there are errors.
    pub fn into_result(self) -> Result<Vec<Case>> {
        if any_error(&self.diagnostics) {
            Err(Error::Invalid(self.diagnostics))
        } else {
            Ok(self.cases)
        }
    }

    /// Relations of expected trees that no grammar of this schema can make: such a case would fail
    /// for ever.
    pub fn unknown_relations(&self, schema: &Schema) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for case in &self.cases {
            let Some(tree) = &case.tree else { continue };
            let pairs = tree.post_order().filter_map(|(_, node)| node.pair());
            let names = pairs.filter_map(|pair| pair.relation.as_deref());
            let unknown: BTreeSet<&str> = names
                .filter(|name| schema.rhetoric(name).is_none())
                .collect();
            for name in unknown {
                problems.push(unknown_relation(name, case, &self.source, schema));
            }
        }
        problems
    }
}

fn unknown_relation(name: &str, case: &Case, source: &Arc<Source>, schema: &Schema) -> Diagnostic {
    let range = case.tree_range.clone();
    let tree = source.text().get(range.clone()).unwrap_or_default();
    let range = match tree.find(&format!("({name} ")) {
        Some(open) => range.start + open + 1..range.start + open + 1 + name.len(),
        None => range,
    };
    let message = format!("the schema has no relation `{name}`");
    let diagnostic = Diagnostic::new(Code::C006, message).at(Place::new(source, range));
    let known: Vec<&str> = schema
        .rhetoric
        .iter()
        .map(|own| own.name.as_str())
        .collect();
    let likely = likely(name, &known);
    let diagnostic = diagnostic.instead(likely.iter().copied());
    diagnostic.help(if likely.is_empty() {
        "`arsg stats SCHEMA.toml` lists the relations".to_owned()
    } else {
        let names: Vec<String> = likely.iter().map(|name| format!("`{name}`")).collect();
        format!("did you mean {}?", names.join(" or "))
    })
}

/// True for regression cases, by the name of the file.
pub fn is_case_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "case")
}

/// Reads a case file from disk.
pub fn read_case_file(path: &Path) -> Result<CaseFile> {
    let text = crate::files::read_text(path)?;
    Ok(read_cases(&Source::new(path.display().to_string(), text)))
}

/// Attributes without a value.
const FLAGS: &[&str] = &["skip", "error", "strict", "raw", "parses(N)"];

/// Reads the cases of a text.
pub fn read_cases(source: &Arc<Source>) -> CaseFile {
    let mut reading = Reading {
        source,
        problems: Problems::new(source),
        cases: Vec::new(),
    };
    let lines: Vec<Range<usize>> = line_ranges(source.text()).collect();
    let mut rest = lines.as_slice();
    while let Some(at) = rest.iter().position(|line| !reading.line(line).is_empty()) {
        rest = &rest[at..];
        if !is_rule(reading.line(&rest[0]), '=') {
            reading.report(
                Code::C001,
                rest[0].clone(),
                "a case begins with a line of `===`",
                "write `===`, the case's name, `===`, its text, `---`, its tree",
            );
            break;
        }
        rest = reading.case(rest);
    }
    CaseFile {
        source: Arc::clone(source),
        cases: reading.cases,
        diagnostics: reading.problems.into_vec(),
    }
}

/// A line of three or more of a mark, and nothing else.
fn is_rule(line: &str, mark: char) -> bool {
    line.chars().count() >= 3 && line.chars().all(|c| c == mark)
}

struct Reading<'s> {
    source: &'s Arc<Source>,
    problems: Problems,
    cases: Vec<Case>,
}

/// What stands between the two lines of `===`.
#[derive(Default)]
struct Header {
    name: Option<(String, Range<usize>)>,
    asks: Asks,
    pairs: Vec<(String, String, Range<usize>)>,
}

impl<'s> Reading<'s> {
    fn line(&self, range: &Range<usize>) -> &'s str {
        self.source
            .text()
            .get(range.clone())
            .unwrap_or_default()
            .trim()
    }

    /// Reads the case that begins with the first line; gives the lines after it.
    fn case<'l>(&mut self, lines: &'l [Range<usize>]) -> &'l [Range<usize>] {
        let is_header = |line: &Range<usize>| is_rule(self.line(line), '=');
        let opening = lines[0].clone();
        let Some(closing) = lines.iter().skip(1).position(is_header) else {
            self.report(
                Code::C001,
                opening,
                "a case's name and attributes without their end",
                "close them with a second line of `===`",
            );
            return &[];
        };
        let header = &lines[1..=closing];
        let body = &lines[closing + 2..];
        let end = body.iter().position(is_header).unwrap_or(body.len());
        let (body, rest) = body.split_at(end);
        let header = self.header(header);
        self.body(opening, header, body);
        rest
    }

    fn header(&mut self, lines: &[Range<usize>]) -> Header {
        let mut header = Header::default();
        for range in lines {
            let line = self.line(range);
            match (line.strip_prefix(':'), &header.name) {
                _ if line.is_empty() => {}
                (Some(attribute), _) => self.attribute(attribute, range, &mut header),
                (None, None) => header.name = Some((line.to_owned(), range.clone())),
                (None, Some(_)) => self.report(
                    Code::C001,
                    range.clone(),
                    "a second line of the case's name",
                    "a name is one line; attributes begin with `:`",
                ),
            }
        }
        header
    }

    fn attribute(&mut self, written: &str, range: &Range<usize>, header: &mut Header) {
        let asks = &mut header.asks;
        let count = written
            .strip_prefix("parses(")
            .and_then(|rest| rest.strip_suffix(')'));
        match written {
            "skip" => asks.skip = true,
            "error" => asks.error = true,
            "strict" => asks.strict = true,
            "raw" => asks.raw = true,
            _ if count.is_some() => match count.unwrap_or_default().trim().parse() {
                Ok(count) => asks.parses = Some(count),
                Err(_) => self.report(
                    Code::C003,
                    range.clone(),
                    &format!("`{}` is no number of trees", count.unwrap_or_default()),
                    "write it as `:parses(2)`",
                ),
            },
            _ => {
                match written.split_once(char::is_whitespace) {
                    Some((key, value)) => {
                        let pair = (key.to_owned(), value.trim().to_owned(), range.clone());
                        header.pairs.push(pair);
                    }
                    None => {
                        let message = format!("unknown attribute `:{written}`");
                        let place = self.problems.place(range.clone());
                        let diagnostic = Diagnostic::new(Code::C002, message).at(place);
                        let nearest = crate::diagnostic::nearest(written, FLAGS.iter().copied());
                        let help = match nearest {
                        Some(name) => format!("did you mean `:{name}`?"),
                        None => "without a value there are `:skip`, `:error`, `:strict`, `:raw` and \
                                 `:parses(N)`; anything else needs one: `:source 新合财经`"
                            .to_owned(),
                    };
                        self.problems.push(diagnostic.help(help));
                    }
                }
            }
        }
    }

    fn body(&mut self, opening: Range<usize>, header: Header, lines: &[Range<usize>]) {
        let Some((name, name_range)) = header.name else {
            self.report(
                Code::C001,
                opening,
                "a case without a name",
                "write it on the line after `===`",
            );
            return;
        };
        if self.cases.iter().any(|case| case.name == name) {
            let message = format!("a second case `{name}`");
            self.report(Code::C004, name_range, &message, "give it another name");
            return;
        }
        // A text may hold a line of dashes, a tree cannot: the last one parts them.
        let divider = lines.iter().rposition(|line| is_rule(self.line(line), '-'));
        let Some(divider) = divider else {
            self.report(
                Code::C001,
                name_range,
                &format!("case `{name}` has no line of `---`"),
                "write `---` after its text, and below it the expected tree, if there is one",
            );
            return;
        };
        let (text, tree) = (&lines[..divider], &lines[divider + 1..]);
        let mut document = if header.asks.raw {
            self.raw(&name, text)
        } else {
            self.segmented(&name, text)
        };
        let metadata = self.describe(&mut document, header.pairs);
        let end = lines.last().map_or(opening.end, |line| line.end);
        let tree_range = match (tree.first(), tree.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => end..end,
        };
        let expected = self.tree(&name, &tree_range);
        if let Some(tree) = &expected {
            self.check_edus(&document, header.asks.raw, tree, &tree_range);
        }
        self.cases.push(Case {
            name,
            document,
            tree: expected,
            asks: header.asks,
            metadata,
            place: self.problems.place(name_range),
            tree_range,
        });
    }

    /// Tells a document what is known of it, and gives everything that is.
    fn describe(
        &mut self,
        document: &mut Document,
        pairs: Vec<(String, String, Range<usize>)>,
    ) -> BTreeMap<String, String> {
        let mut metadata = BTreeMap::new();
        for (key, value, range) in pairs {
            match key.as_str() {
                "title" => document.title = Some(value.clone()),
                "url" => document.url = Some(value.clone()),
                "date" => {
                    document.date = parse_date(&value);
                    if document.date.is_none() {
                        let message = format!("`{value}` is no date");
                        self.report(Code::C003, range, &message, "write it as 2019-09-01");
                    }
                }
                _ => {}
            }
            metadata.insert(key, value);
        }
        metadata
    }

    fn raw(&self, name: &str, lines: &[Range<usize>]) -> Document {
        let text: Vec<&str> = lines.iter().map(|line| self.line(line)).collect();
        Document::from_text(name, text.join("\n").trim())
    }

    fn segmented(&self, name: &str, lines: &[Range<usize>]) -> Document {
        Document::from_edu_lines(name, lines.iter().map(|line| self.line(line)))
    }

    /// The expected tree; what is wrong with it is told in the place where it stands.
    fn tree(&mut self, name: &str, range: &Range<usize>) -> Option<Tree> {
        let written = self.source.text().get(range.clone())?;
        if written.trim().is_empty() {
            return None;
        }
        let own = Source::new(self.source.name(), written);
        let read = tree::read(&own, Some(Format::Sexp));
        for mut problem in read.diagnostics {
            let place = problem.place.map_or(0..0, |place| place.range());
            let moved = range.start + place.start..range.start + place.end;
            problem.place = Some(self.problems.place(moved));
            problem.related.clear();
            self.problems.push(problem);
        }
        if read.trees.len() > 1 {
            let message = format!("case `{name}` has {} trees", read.trees.len());
            self.report(
                Code::C005,
                range.clone(),
                &message,
                "a case expects one tree",
            );
        }
        read.trees.into_iter().next()
    }

    /// A tree must be one of the text. Of running text only the parser knows the EDUs.
    fn check_edus(&mut self, document: &Document, raw: bool, tree: &Tree, range: &Range<usize>) {
        if raw {
            return;
        }
        let edus: Vec<&str> = document
            .edus()
            .map(|(_, range)| document.slice(&range))
            .collect();
        if edus.len() != tree.edus.len() {
            let message = format!(
                "the tree has {} EDUs, the text {}",
                tree.edus.len(),
                edus.len()
            );
            self.report(Code::C005, range.clone(), &message, "write one EDU a line");
            return;
        }
        let mut both = edus.iter().zip(&tree.edus).enumerate();
        let other =
            both.find(|(_, (own, edu))| !edu.text.is_empty() && edu.text.trim() != own.trim());
        if let Some((at, (own, edu))) = other {
            let message = format!("EDU {} is `{}` in the tree", at + 1, edu.text);
            let help = format!("in the text it is `{own}`; leaves need only their numbers");
            self.report(Code::C005, range.clone(), &message, &help);
        }
    }

    fn report(&mut self, code: Code, range: Range<usize>, message: &str, help: &str) {
        self.problems.report(code, range, message).help = Some(help.to_owned());
    }
}
