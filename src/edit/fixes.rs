//! Ways out: what to change so that a problem goes away. Every one of them is tried before it is offered where
//! trying is cheap.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::jump::{Edit, Spot, apply};
use super::scan::is_name_letter;
use super::slots::{ROLES, Slot};
use super::workspace::Workspace;
use crate::diagnostic::{Code, Diagnostic, Source};
use crate::files::sources::normalize;
use crate::grammar::{is_on_shelf, parse, statement_spans};
use crate::schema::{RhetoricKind, Schema, is_name, key};

/// A way out of a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fix {
    /// What it does, as a menu says it.
    pub title: String,
    /// The code of the problem.
    pub code: &'static str,
    /// Where the problem is.
    pub problem: Spot,
    /// What to change.
    pub edits: Vec<Edit>,
    /// True when there is no doubt: it may be done for a whole file at once.
    pub sure: bool,
}

/// How many relations are offered where one is missing.
const MOST_RELATIONS: usize = 3;

impl Workspace {
    /// The ways out of the problems that a stretch of a file touches, the best of each problem first.
    pub fn fixes(&mut self, path: &Path, range: Range<usize>) -> Vec<Fix> {
        let touches = |found: &Diagnostic| {
            let place = found.place.as_ref().map(|place| place.range());
            place.is_some_and(|place| place.start <= range.end && range.start <= place.end)
        };
        self.fixes_of(path, touches)
    }

    /// All changes that are beyond doubt, for the whole file; where two meet, the first one is made.
    pub fn fix_all(&mut self, path: &Path) -> Vec<Edit> {
        let fixes = self.fixes_of(path, |_| true);
        let own = normalize(path);
        let mut edits: Vec<Edit> = Vec::new();
        for fix in fixes.into_iter().filter(|fix| fix.sure) {
            let meets = |edit: &Edit| {
                edits.iter().any(|made| {
                    let (a, b) = (&made.spot.range, &edit.spot.range);
                    a.start < b.end && b.start < a.end || a.start == b.start
                })
            };
            let elsewhere = fix.edits.iter().any(|edit| edit.spot.path != own);
            if !elsewhere && !fix.edits.iter().any(meets) {
                edits.extend(fix.edits);
            }
        }
        edits.sort();
        edits
    }

    fn fixes_of(&mut self, path: &Path, wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Fix> {
        let own = normalize(path);
        if is_on_shelf(&own) {
            return Vec::new();
        }
        let mut fixes = Vec::new();
        for found in self.diagnostics(path) {
            let is_here = found
                .place
                .as_ref()
                .is_some_and(|place| Spot::of(place).path == own);
            if is_here && wanted(&found) {
                fixes.extend(self.fixes_for(&own, &found));
            }
        }
        fixes
    }

    fn fixes_for(&mut self, path: &Path, found: &Diagnostic) -> Vec<Fix> {
        let Some(place) = &found.place else {
            return Vec::new();
        };
        let spot = Spot::of(place);
        let mut fixes = Fixes {
            code: found.code.as_str(),
            spot: spot.clone(),
            found: Vec::new(),
        };
        let is_only = found.instead.len() == 1;
        for word in &found.instead {
            let text = written_like(place.text(), word);
            let edit = Edit::new(path, spot.range.clone(), text);
            fixes.add(format!("write `{word}`"), vec![edit], is_only);
        }
        let source = place.source();
        match found.code {
            Code::G001 | Code::G007 => fixes.advised(path, source, found),
            Code::G009 => fixes.insert(path, spot.range.end, "\"", "close the text"),
            Code::G013 => {
                let line = "schema \"general\"\n";
                fixes.insert(path, 0, line, "take the shipped schema `general`");
            }
            Code::G029 => self.missing_relation(path, &mut fixes),
            Code::G030 | Code::G040 => self.roles(path, found, &mut fixes),
            Code::G033 => fixes.replace(path, "D"),
            Code::G041 | Code::G048 | Code::G058 => fixes.delete_lines(path, source.text()),
            Code::S003 => fixes.missing_key(path, source.text(), found),
            Code::S011 | Code::S017 => fixes.delete_item(path, source.text()),
            _ => {}
        }
        self.declare(path, found, place.text(), &mut fixes);
        fixes.found
    }

    /// Adds a name to the schema that lacks it.
    fn declare(&mut self, path: &Path, found: &Diagnostic, name: &str, fixes: &mut Fixes) {
        let schema = self.schema_of(path);
        let name = name.trim_matches('"');
        let table = match found.code {
            Code::G017 => format!("\n[relation.{}]\n", key(name)),
            Code::G018 | Code::C006 => {
                let class = name.split(['-', '_']).next().unwrap_or(name);
                let is_class = schema.rhetoric.iter().any(|own| own.class == name);
                if is_class {
                    return;
                }
                let (name, class) = (key(name), class.to_owned());
                format!("\n[rhetoric.{name}]\nkind = \"rst\"\nclass = \"{class}\"\n")
            }
            Code::G019 => format!("\n[attribute.{}]\ntype = \"symbol\"\n", key(name)),
            _ => return,
        };
        let Some(own) = schema.sources.first() else {
            return;
        };
        let file = normalize(Path::new(own.name()));
        if is_on_shelf(&file) || !is_name(name) {
            return;
        }
        let Some(source) = self.text(&file) else {
            return;
        };
        let end = source.text().len();
        let gap = if source.text().ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let edit = Edit::new(&file, end..end, format!("{gap}{table}"));
        let shown = file.file_name().unwrap_or_default().to_string_lossy();
        fixes.add(format!("declare `{name}` in `{shown}`"), vec![edit], false);
    }

    /// The commonest relations of the grammar, for a production that has none.
    fn missing_relation(&mut self, path: &Path, fixes: &mut Fixes) {
        let Some(checked) = self.checked(path) else {
            return;
        };
        let grammar = &checked.loaded.grammar;
        let mut counts = vec![0_usize; grammar.schema.rhetoric.len()];
        for production in &grammar.productions {
            if let Some(count) = counts.get_mut(production.shape.relation.index()) {
                *count += 1;
            }
        }
        let names = grammar.schema.rhetoric.iter().map(|own| own.name.as_str());
        let mut ranked: Vec<(usize, &str)> = counts.into_iter().zip(names).collect();
        ranked.sort_by_key(|(count, name)| (std::cmp::Reverse(*count), *name));
        let at = fixes.spot.range.end;
        for (_, name) in ranked.into_iter().take(MOST_RELATIONS) {
            fixes.insert_unsure(path, at, &format!("[{name}]"), &format!("make it `{name}`"));
        }
    }

    /// Roles that the relation of a production allows.
    fn roles(&mut self, path: &Path, found: &Diagnostic, fixes: &mut Fixes) {
        let schema = self.schema_of(path);
        let (Some(scan), Some(source)) = (self.scan(path), self.text(path)) else {
            return;
        };
        let at = fixes.spot.range.start;
        let inside = |span: &&Range<usize>| {
            let (first, last) = (scan.tokens.get(span.start), scan.tokens.get(span.end - 1));
            first.is_some_and(|t| t.start <= at) && last.is_some_and(|t| at < t.end)
        };
        let Some(statement) = scan.statements.iter().find(inside) else {
            return;
        };
        let placed = |wanted: fn(&Slot) -> bool| {
            let own = statement
                .clone()
                .filter_map(|at| scan.slots.get(at).zip(scan.tokens.get(at)));
            own.filter(|(slot, _)| wanted(slot))
                .map(|(_, token)| token.range())
                .collect::<Vec<_>>()
        };
        let text_of = |range: &Range<usize>| source.text().get(range.clone()).unwrap_or_default();
        let relations = placed(|slot| *slot == Slot::Relation);
        let relation = relations.first().map(text_of);
        let symbols = placed(|slot| *slot == Slot::Symbol);
        let roles = placed(|slot| *slot == Slot::Choice(ROLES));
        let [_, left, right] = symbols.as_slice() else {
            return;
        };
        let end = roles
            .last()
            .map_or(right.end, |role| role.end.max(right.end));
        let range = left.start..end;
        let (left, right) = (text_of(left), text_of(right));
        for (x, y) in allowed_roles(&schema, relation, found.code) {
            let text = format!("{left}:{x} {right}:{y}");
            let edit = Edit::new(path, range.clone(), text.clone());
            fixes.add(format!("write `{text}`"), vec![edit], false);
        }
    }
}

/// The roles that a relation allows, the usual ones first.
fn allowed_roles(
    schema: &Schema,
    relation: Option<&str>,
    code: Code,
) -> Vec<(&'static str, &'static str)> {
    let rhetoric = relation.and_then(|name| schema.rhetoric(name));
    match rhetoric.map(|own| own.kind) {
        Some(RhetoricKind::Multinuc) => vec![("N", "N")],
        Some(RhetoricKind::Rst) => vec![("N", "S"), ("S", "N")],
        None if code == Code::G030 => vec![("N", "S"), ("S", "N"), ("N", "N")],
        None => Vec::new(),
    }
}

/// A name as it stood there: a text in quotes keeps them.
fn written_like(old: &str, new: &str) -> String {
    let in_quotes = old.len() > 1 && old.starts_with('"') && old.ends_with('"');
    if in_quotes && !new.starts_with('"') {
        format!("\"{new}\"")
    } else {
        new.to_owned()
    }
}

/// The ways out of one problem.
struct Fixes {
    code: &'static str,
    spot: Spot,
    found: Vec<Fix>,
}

impl Fixes {
    fn add(&mut self, title: String, edits: Vec<Edit>, sure: bool) {
        if self.found.iter().any(|fix| fix.edits == edits) {
            return;
        }
        self.found.push(Fix {
            title,
            code: self.code,
            problem: self.spot.clone(),
            edits,
            sure,
        });
    }

    fn insert(&mut self, path: &Path, at: usize, text: &str, title: &str) {
        self.add(title.to_owned(), vec![Edit::new(path, at..at, text)], true);
    }

    fn insert_unsure(&mut self, path: &Path, at: usize, text: &str, title: &str) {
        self.add(title.to_owned(), vec![Edit::new(path, at..at, text)], false);
    }

    fn replace(&mut self, path: &Path, text: &str) {
        let edit = Edit::new(path, self.spot.range.clone(), text);
        self.add(format!("write `{text}`"), vec![edit], true);
    }

    /// What the help says to write: in the place of what was found, or of the head of the rule; only what
    /// makes the statement readable is offered.
    fn advised(&mut self, path: &Path, source: &Source, found: &Diagnostic) {
        let Some(help) = &found.help else {
            return;
        };
        let text = source.text();
        let range = self.spot.range.clone();
        let spans = statement_spans(text).into_iter();
        let mut around = spans.filter(|span| span.start <= range.start && range.start <= span.end);
        let Some(span) = around.next() else {
            return;
        };
        let written = text.get(span.clone()).unwrap_or_default();
        let head = span.start..span.start + written.lines().next().map_or(0, str::len);
        if text
            .get(range.clone())
            .is_some_and(|there| there.starts_with("//"))
        {
            let edit = Edit::new(path, range.start..range.start + 2, "#");
            self.add("write `#`".to_owned(), vec![edit], true);
            return;
        }
        let mut words = quoted(help);
        if help.starts_with("delete") {
            words.push(String::new());
        }
        for word in words {
            let insert = |at: usize| at..at;
            let places = [
                range.clone(),
                insert(range.end),
                insert(range.start),
                insert(span.end),
                head.clone(),
                span.clone(),
            ];
            let tried = places.into_iter().find_map(|place| {
                let edit = Edit::new(path, place.clone(), apart(text, &place, &word));
                is_readable(&apply(text, std::slice::from_ref(&edit)), span.start).then_some(edit)
            });
            if let Some(edit) = tried {
                let title = match word.as_str() {
                    "" => "delete it".to_owned(),
                    word => format!("write `{word}`"),
                };
                self.add(title, vec![edit], true);
                return;
            }
        }
    }

    /// Deletes the lines of what stands there, with the doc comment above it.
    fn delete_lines(&mut self, path: &Path, text: &str) {
        let start = self.spot.range.start;
        let spans = statement_spans(text).into_iter();
        let mut around = spans.filter(|span| span.start <= start && start < span.end);
        let Some(span) = around.next() else {
            return;
        };
        // A row of a table is one line of its statement.
        let span = match self.code {
            "G058" => self.spot.range.clone(),
            _ => span,
        };
        let line_start = |at: usize| {
            let before = text.get(..at).unwrap_or_default();
            before.rfind('\n').map_or(0, |at| at + 1)
        };
        let mut from = line_start(span.start);
        while from > 0 {
            let above = line_start(from - 1);
            let line = text.get(above..from).unwrap_or_default().trim();
            if !line.starts_with("##") || self.code == "G058" {
                break;
            }
            from = above;
        }
        let rest = text.get(span.end..).unwrap_or_default();
        let to = rest.find('\n').map_or(text.len(), |at| span.end + at + 1);
        let edit = Edit::new(path, from..to, "");
        self.add("delete it".to_owned(), vec![edit], false);
    }

    /// Deletes an item of a list, with its comma.
    fn delete_item(&mut self, path: &Path, text: &str) {
        let Range { start, end } = self.spot.range;
        let rest = text.get(end..).unwrap_or_default();
        let comma = rest.trim_start().strip_prefix(',');
        let to = comma.map_or(end, |after| {
            text.len() - after.trim_start_matches(' ').len()
        });
        let edit = Edit::new(path, start..to, "");
        self.add("delete it".to_owned(), vec![edit], true);
    }

    /// Adds a key below the heading of its table.
    fn missing_key(&mut self, path: &Path, text: &str, found: &Diagnostic) {
        let help = found.help.as_deref().unwrap_or_default();
        let Some(line) = quoted(help).into_iter().find(|line| line.contains('=')) else {
            return;
        };
        let end = self.spot.range.end;
        let rest = text.get(end..).unwrap_or_default();
        let at = rest.find('\n').map_or(text.len(), |at| end + at + 1);
        let edit = Edit::new(path, at..at, format!("{line}\n"));
        self.add(format!("add `{line}`"), vec![edit], false);
    }
}

/// A word with blanks where it would touch another.
fn apart(text: &str, place: &Range<usize>, word: &str) -> String {
    let is_letter = |letter: Option<char>| letter.is_some_and(is_name_letter);
    let before = text
        .get(..place.start)
        .unwrap_or_default()
        .chars()
        .next_back();
    let after = text.get(place.end..).unwrap_or_default().chars().next();
    let left = is_letter(before) && is_letter(word.chars().next());
    let right = is_letter(after) && is_letter(word.chars().next_back());
    let blank = |needed: bool| if needed { " " } else { "" };
    format!("{}{word}{}", blank(left), blank(right))
}

/// What stands between backticks.
fn quoted(help: &str) -> Vec<String> {
    let parts = help.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// True when the statement that begins at a byte can be read.
fn is_readable(text: &str, start: usize) -> bool {
    let spans = statement_spans(text).into_iter();
    let mut around = spans.filter(|span| span.start <= start && start <= span.end);
    let statement = around.next().and_then(|span| text.get(span));
    statement.is_some_and(|statement| {
        let source = Source::new("statement", statement);
        let parsed = parse(&source);
        parsed.diagnostics.is_empty() && !statement.contains("RELATION")
    })
}

/// The edits of some fixes by file, as editors want them.
pub fn by_file(edits: &[Edit]) -> Vec<(PathBuf, Vec<Edit>)> {
    let mut files: Vec<(PathBuf, Vec<Edit>)> = Vec::new();
    for edit in edits {
        match files.iter_mut().find(|(path, _)| *path == edit.spot.path) {
            Some((_, own)) => own.push(edit.clone()),
            None => files.push((edit.spot.path.clone(), vec![edit.clone()])),
        }
    }
    files
}
