//! Diagnostics for people (drawn), for editors (one line each), for machines (JSON).

use std::collections::HashMap;
use std::sync::Arc;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};

use super::{Diagnostic, Place, Severity, Source};

/// How diagnostics are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
pub struct Renderer {
    /// The format.
    pub format: ErrorFormat,
    /// Whether the human format is coloured.
    pub color: bool,
}

impl Renderer {
    /// All diagnostics, in the order given, each ending in a line end.
    pub fn render(&self, diagnostics: &[Diagnostic]) -> String {
        let mut out = Vec::new();
        let mut cache = SourceCache::default();
        for diagnostic in diagnostics {
            match self.format {
                ErrorFormat::Human => self.human(diagnostic, &mut cache, &mut out),
                ErrorFormat::Plain => out.extend_from_slice(plain(diagnostic).as_bytes()),
                ErrorFormat::Json => {
                    out.extend_from_slice(json(diagnostic).to_string().as_bytes());
                    out.push(b'\n');
                }
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    fn human(&self, diagnostic: &Diagnostic, cache: &mut SourceCache, out: &mut Vec<u8>) {
        let Some(place) = &diagnostic.place else {
            out.extend_from_slice(plain(diagnostic).as_bytes());
            return;
        };
        // A custom kind would be coloured whatever the configuration says.
        let (kind, color) = match diagnostic.severity() {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        // Without any message the text would not be underlined.
        let label = Label::new(DrawnSpan::of(place))
            .with_color(color)
            .with_message(diagnostic.label.as_deref().unwrap_or("here"));
        let mut report = Report::build(kind, DrawnSpan::of(place))
            .with_config(
                Config::default()
                    .with_index_type(IndexType::Byte)
                    .with_color(self.color),
            )
            .with_code(diagnostic.code)
            .with_message(&diagnostic.message)
            .with_label(label);
        for (related, message) in &diagnostic.related {
            report.add_label(
                Label::new(DrawnSpan::of(related))
                    .with_color(Color::Blue)
                    .with_message(message),
            );
        }
        if let Some(help) = &diagnostic.help {
            report.set_help(help);
        }
        cache.remember(diagnostic);
        // Writing to memory cannot fail; a drawing that does falls back to the plain form.
        if report.finish().write(&mut *cache, &mut *out).is_err() {
            out.extend_from_slice(plain(diagnostic).as_bytes());
        }
    }
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

/// A span as ariadne wants it: the source's name and a byte range.
#[derive(Clone)]
struct DrawnSpan {
    name: String,
    range: std::ops::Range<usize>,
}

impl DrawnSpan {
    fn of(place: &Place) -> DrawnSpan {
        DrawnSpan {
            name: place.source().name().to_owned(),
            range: place.range(),
        }
    }
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
}

impl SourceCache {
    fn remember(&mut self, diagnostic: &Diagnostic) {
        let related = diagnostic.related.iter().map(|(place, _)| place);
        for place in diagnostic.place.iter().chain(related) {
            self.add(place.source());
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
            color: false,
        };
        assert_eq!(
            renderer.render(&[example()]),
            "a.toml:2:1: error[S002]: unknown key `parnt`\n  help: did you mean `parent`?\n"
        );
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
