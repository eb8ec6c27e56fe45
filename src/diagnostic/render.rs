//! Diagnostics for people (drawn), for editors (one line each), for machines (JSON).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ariadne::{Color, Config, Label, Report, ReportKind};

use super::{Diagnostic, Place, Severity, Source};
use crate::setters::setters;

/// How diagnostics are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorFormat {
    /// Drawn, with the lines they speak of.
    #[default]
    Human,
    /// `file:line:column: error[CODE]: message`, then an indented help line.
    Plain,
    /// One JSON object a line.
    Json,
}

/// Turns diagnostics into text.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Renderer {
    /// The format.
    pub format: ErrorFormat,
    /// Whether the human format is coloured.
    pub color: bool,
    /// Whether all problems of a file are shown, and not the first 50 alone. JSON always
    /// has all.
    pub all: bool,
}

setters! {
    Renderer {
        format: ErrorFormat,
        color: bool,
        all: bool,
    }
}

/// How many problems of one file are shown unless all are asked for.
pub(super) const MOST_SHOWN: usize = 50;

/// Files with a line of more characters are not drawn: their problems are told in plain form.
const LONGEST_DRAWN: usize = 2_000;

impl Renderer {
    /// All diagnostics, in the order given, each ending in a line end.
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let mut out = Vec::new();
        let mut cache = SourceCache::default();
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in diagnostics {
            let place = diagnostic.place.as_ref();
            let count = shown
                .entry(place.map_or("", |place| place.source().name()))
                .or_default();
            *count += 1;
            if *count > MOST_SHOWN && !self.all && self.format != ErrorFormat::Json {
                continue;
            }
            match self.format {
                ErrorFormat::Human => self.human(diagnostic, &mut cache, &mut out),
                ErrorFormat::Plain => out.extend_from_slice(plain(diagnostic).as_bytes()),
                ErrorFormat::Json => {
                    out.extend_from_slice(json(diagnostic).to_string().as_bytes());
                    out.push(b'\n');
                }
            }
        }
        if !self.all && self.format != ErrorFormat::Json {
            for (file, count) in shown.into_iter().filter(|(_, count)| *count > MOST_SHOWN) {
                let more = count - MOST_SHOWN;
                let line = format!("and {more} more in `{file}`; `--all-problems` shows them\n");
                out.extend_from_slice(line.as_bytes());
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    fn human(&self, diagnostic: &Diagnostic, cache: &mut SourceCache, out: &mut Vec<u8>) {
        let Some(place) = &diagnostic.place else {
            out.extend_from_slice(plain(diagnostic).as_bytes());
            return;
        };
        let places = diagnostic.related.iter().map(|(place, _)| place);
        if places
            .chain([place])
            .any(|place| cache.has_long_line(place))
        {
            out.extend_from_slice(plain(diagnostic).as_bytes());
            return;
        }
        // A custom kind would be coloured whatever the configuration says.
        let (kind, color) = match diagnostic.severity() {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        cache.remember(diagnostic);
        let mut report = Report::build(kind, cache.drawn_span(place))
            .with_config(Config::default().with_color(self.color))
            .with_code(diagnostic.code)
            .with_message(&diagnostic.message);
        for (place, message, color) in labels(diagnostic, color) {
            report.add_label(
                Label::new(cache.drawn_span(place))
                    .with_color(color)
                    .with_message(message),
            );
        }
        if let Some(help) = &diagnostic.help {
            report.set_help(help);
        }
        // Writing to memory cannot fail; a drawing that does falls back to the plain form.
        if report.finish().write(&mut *cache, &mut *out).is_err() {
            out.extend_from_slice(plain(diagnostic).as_bytes());
        }
    }
}

/// What is underlined, in the order of the files and their lines: ariadne draws the lines of one file
/// under one header only if they come in order.
fn labels(diagnostic: &Diagnostic, color: Color) -> Vec<(&Place, &str, Color)> {
    // Without any message the text would not be underlined.
    let said = match &diagnostic.label {
        Some(label) => label,
        None => diagnostic.code.meaning(),
    };
    let own = diagnostic.place.iter().map(|place| (place, said, color));
    let related = diagnostic.related.iter();
    let related = related.map(|(place, message)| (place, message.as_str(), Color::Blue));
    let mut labels: Vec<(&Place, &str, Color)> = own.chain(related).collect();
    let mut files: Vec<&str> = Vec::new();
    for (place, ..) in &labels {
        if !files.contains(&place.source().name()) {
            files.push(place.source().name());
        }
    }
    labels.sort_by_key(|(place, ..)| {
        let name = place.source().name();
        let file = files.iter().position(|known| *known == name);
        (file, place.source().line_column(place.range().end).0)
    });
    labels
}

fn plain(diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    if let Some(place) = &diagnostic.place {
        text.push_str(&format!("{place}: "));
    }
    let severity = diagnostic.severity().as_str();
    text.push_str(&format!(
        "{severity}[{}]: {}\n",
        diagnostic.code, diagnostic.message
    ));
    for (related, message) in &diagnostic.related {
        text.push_str(&format!("  {related}: {message}\n"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("  help: {help}\n"));
    }
    text
}

fn json(diagnostic: &Diagnostic) -> serde_json::Value {
    let place = |place: &Place| {
        let (line, column) = place.line_column();
        let range = place.range();
        let (end_line, end_column) = place.source().line_column(range.end);
        serde_json::json!({
            "file": place.source().name(),
            "line": line, "column": column,
            "end_line": end_line, "end_column": end_column,
            "start": range.start, "end": range.end,
            "text": place.text(),
        })
    };
    serde_json::json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity().as_str(),
        "message": diagnostic.message,
        "place": diagnostic.place.as_ref().map(place),
        "label": diagnostic.label,
        "related": diagnostic.related.iter()
            .map(|(at, message)| serde_json::json!({"place": place(at), "message": message}))
            .collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}

/// A span as ariadne wants it: the source's name and a range of characters. (By bytes it would
/// number the lines of a second file wrongly.)
#[derive(Clone)]
struct DrawnSpan {
    name: String,
    range: std::ops::Range<usize>,
}

impl ariadne::Span for DrawnSpan {
    type SourceId = String;

    fn source(&self) -> &String {
        &self.name
    }

    fn start(&self) -> usize {
        self.range.start
    }

    fn end(&self) -> usize {
        self.range.end
    }
}

/// The sources drawn so far, so that a file with a thousand problems is split into lines once.
#[derive(Default)]
struct SourceCache {
    drawn: HashMap<String, ariadne::Source<String>>,
    /// Whether a file has a line that is too long to be drawn.
    has_long_line: HashMap<String, bool>,
}

impl SourceCache {
    fn has_long_line(&mut self, place: &Place) -> bool {
        let source = place.source();
        let is_long =
            |line: &str| line.len() > LONGEST_DRAWN && line.chars().count() > LONGEST_DRAWN;
        let known = self.has_long_line.entry(source.name().to_owned());
        *known.or_insert_with(|| source.text().lines().any(is_long))
    }

    fn remember(&mut self, diagnostic: &Diagnostic) {
        let related = diagnostic.related.iter().map(|(place, _)| place);
        for place in diagnostic.place.iter().chain(related) {
            self.add(place.source());
        }
    }

    /// A place that was remembered, in characters.
    fn drawn_span(&self, place: &Place) -> DrawnSpan {
        let name = place.source().name().to_owned();
        let drawn = self.drawn.get(&name);
        let characters = |byte: usize| {
            let source = drawn?;
            let (line, _, column) = source.get_byte_line(byte)?;
            let text = source.get_line_text(line)?;
            let before = text.get(..column.min(text.len()))?;
            Some(line.offset() + before.chars().count())
        };
        let range = place.range();
        let start = characters(range.start).unwrap_or(0);
        let end = characters(range.end).unwrap_or(start);
        DrawnSpan {
            name,
            range: start..end.max(start),
        }
    }

    fn add(&mut self, source: &Arc<Source>) {
        if !self.drawn.contains_key(source.name()) {
            let drawn = ariadne::Source::from(source.text().to_owned());
            self.drawn.insert(source.name().to_owned(), drawn);
        }
    }
}

impl ariadne::Cache<String> for &mut SourceCache {
    type Storage = String;

    fn fetch(&mut self, id: &String) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        self.drawn.get(id).ok_or("unknown source")
    }

    fn display<'a>(&self, id: &'a String) -> Option<impl std::fmt::Display + 'a> {
        Some(id.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn example() -> Diagnostic {
        let source = Source::new("a.toml", "[relation.上涨]\nparnt = \"变动\"\n");
        let at = source.text().find("parnt").unwrap_or(0);
        Diagnostic::new(Code::S002, "unknown key `parnt`")
            .at(Place::new(&source, at..at + 5))
            .help("did you mean `parent`?")
    }

    #[test]
    fn plain_is_one_line_and_a_help() {
        let renderer = Renderer {
            format: ErrorFormat::Plain,
            ..Renderer::default()
        };
        assert_eq!(
            renderer.render(&[example()]),
            "a.toml:2:1: error[S002]: unknown key `parnt`\n  help: did you mean `parent`?\n"
        );
    }

    #[test]
    fn many_problems_of_one_file_are_counted_after_the_first() {
        let problems: Vec<Diagnostic> = (0..120).map(|_| example()).collect();
        let plain = Renderer {
            format: ErrorFormat::Plain,
            ..Renderer::default()
        };
        let text = plain.render(&problems);
        assert_eq!(text.matches("S002").count(), MOST_SHOWN);
        assert!(text.ends_with("and 70 more in `a.toml`; `--all-problems` shows them\n"));
        let all = Renderer { all: true, ..plain };
        assert_eq!(all.render(&problems).matches("S002").count(), 120);
        let json = Renderer {
            format: ErrorFormat::Json,
            ..plain
        };
        assert_eq!(json.render(&problems).lines().count(), 120);
    }

    #[test]
    fn a_very_long_line_is_not_drawn() {
        let source = Source::new("a.arsg", "，".repeat(5_000));
        let found = Diagnostic::new(Code::G001, "a full-width comma").at(Place::new(&source, 3..6));
        let text = Renderer::default().render(&[found]);
        assert_eq!(text, "a.arsg:1:2: error[G001]: a full-width comma\n");
    }

    #[test]
    fn related_places_stand_under_their_own_lines() {
        let first = Source::new("a.arsg", "股价上涨\n股价下跌\n");
        let second = Source::new("b.arsg", "利率\n利率上调\n央行\n");
        let at = |source: &Arc<Source>, word: &str| {
            let start = source.text().rfind(word).unwrap_or(0);
            Place::new(source, start..start + word.len())
        };
        let found = Diagnostic::new(Code::G026, "twice")
            .at(at(&first, "下跌"))
            .related(at(&first, "上涨"), "above")
            .related(at(&second, "上调"), "elsewhere");
        let text = Renderer::default().render(&[found]);
        assert_eq!(text.matches("a.arsg:2:3").count(), 1, "{text}");
        assert_eq!(text.matches("a.arsg").count(), 1, "{text}");
        assert_eq!(text.matches("b.arsg:2:3").count(), 1, "{text}");
        assert!(text.contains("two rules with the same id"), "{text}");
    }

    #[test]
    fn human_underlines_the_word() {
        let text = Renderer::default().render(&[example()]);
        assert!(text.contains("a.toml:2:1"), "{text}");
        assert!(text.contains("parnt = \"变动\""), "{text}");
        assert!(text.contains("──┬──"), "{text}");
        assert!(
            !text.contains('\u{1b}'),
            "no colour was asked for: {text:?}"
        );
        assert!(text.contains("did you mean `parent`?"), "{text}");
    }
}
