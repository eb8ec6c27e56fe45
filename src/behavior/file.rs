//! Reading labels, with everything that is wrong with them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::json;
use super::label::Label;
use super::labelling::Labelling;
use crate::automaton::Engine;
use crate::diagnostic::{Code, Diagnostic, Place, Source, any_error, report};
use crate::error::{Error, Result};
use crate::files;
use crate::text::Document;

/// A label as far as it could be read, and everything that is wrong with its file.
#[derive(Debug)]
pub struct LabelFile {
    /// The label; none where the file has no header.
    pub label: Option<Label>,
    /// What is wrong. A last line that was cut off is a warning: it is left out.
    pub diagnostics: Vec<Diagnostic>,
    /// How many bytes at the start of the file are whole lines.
    pub(super) intact: u64,
    /// The last line is whole but lacks its end.
    pub(super) unended: bool,
    source: Arc<Source>,
    /// Where the header and every action stand.
    lines: Vec<Range<usize>>,
}

/// The name of a text's label file.
pub fn label_file_name(id: &str) -> String {
    files::name_for_id(id, "label")
}

/// Reads a label file. Fails only when the file itself cannot be read.
pub fn read_label(path: &Path) -> Result<LabelFile> {
    let bytes = files::read_bytes(path)?;
    Ok(LabelFile::read(&bytes, &path.display().to_string()))
}

impl LabelFile {
    /// Reads the bytes of a label file.
    pub fn read(bytes: &[u8], name: &str) -> LabelFile {
        let ended = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
        let (whole, last) = bytes.split_at(ended);
        let last = std::str::from_utf8(last).ok();
        // A line without its end that can be read all the same lost nothing but the end.
        let last = last.filter(|line| match ended {
            _ if line.is_empty() => true,
            0 => json::read_header(line).is_ok(),
            _ => json::read_action(line).is_ok(),
        });
        let text = match std::str::from_utf8(whole) {
            Ok(text) => text.to_owned() + last.unwrap_or_default(),
            Err(_) => String::from_utf8_lossy(whole).into_owned(),
        };
        let source = Source::new(name, text);
        let mut file = LabelFile {
            label: None,
            diagnostics: Vec::new(),
            intact: (ended + last.map_or(0, str::len)) as u64,
            unended: last.is_some_and(|line| !line.is_empty()),
            lines: Vec::new(),
            source,
        };
        if let Err(error) = std::str::from_utf8(whole) {
            let at = error.valid_up_to();
            let message = format!("bad byte at offset {at}: labels are UTF-8");
            file.report(Code::L001, message, at..at);
        }
        file.read_lines();
        if last.is_none() {
            let end = file.source.text().len();
            let message = "the last line was cut off and is left out".to_owned();
            file.report(Code::L003, message, end..end).help =
                Some("do the last action again".to_owned());
        }
        file
    }

    /// The label, unless something is wrong with it.
    pub fn into_result(self) -> Result<Label> {
        match self.label {
            Some(label) if !any_error(&self.diagnostics) => Ok(label),
            _ => Err(Error::Invalid(self.diagnostics)),
        }
    }

    /// Does everything again, as far as that goes, and says what is wrong, with its line.
    pub fn replay(&mut self, engine: &Arc<Engine>) -> Option<Labelling> {
        let label = self.label.clone()?;
        let header = label.header;
        let found = engine.schema();
        if *header.schema_hash != *found.hash {
            let message = if *header.schema == *found.name {
                format!("the schema `{}` has changed since", header.schema)
            } else {
                format!(
                    "labelled with the schema `{}`, read with `{}`",
                    header.schema, found.name
                )
            };
            let place = self.line(0);
            self.report(Code::L007, message, place);
        }
        let mut labelling = Labelling::with_header(engine, header);
        let mut differs = false;
        for (at, recorded) in label.actions.iter().enumerate() {
            let seen = labelling.context();
            let place = self.line(at + 1);
            if let Err(error) = labelling.repeat(recorded) {
                self.report_error(error, place);
                break;
            }
            let other = recorded
                .context
                .as_ref()
                .filter(|context| **context != seen);
            if let (Some(other), false) = (other, differs) {
                differs = true;
                let letters: Vec<&str> = other
                    .nodes()
                    .iter()
                    .zip(seen.nodes())
                    .filter(|(old, new)| old.1 != new.1)
                    .map(|(old, _)| old.0)
                    .collect();
                let message = format!("recorded otherwise: {}", letters.join(", "));
                self.report(Code::L009, message, place).help =
                    Some("words, symbols or attributes are read otherwise now; label the text again if that matters".to_owned());
            }
        }
        Some(labelling)
    }

    /// Says so when the label is not of this text.
    pub(super) fn compare(&mut self, document: &Document) {
        let Some(label) = &self.label else {
            return;
        };
        let old = &label.header.document;
        let texts = |document: &Document| {
            let edus = document.edus();
            edus.map(|(_, range)| document.slice(&range).trim().to_owned())
                .collect::<Vec<String>>()
        };
        let (ours, theirs) = (texts(old), texts(document));
        let first = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        let message = match first {
            _ if old.id != document.id => {
                format!(
                    "this is the label of `{}`, not of `{}`",
                    old.id, document.id
                )
            }
            Some(at) => format!("EDU {} is `{}` in the text", at + 1, theirs[at]),
            None if ours.len() != theirs.len() => format!(
                "the label has {} EDUs, the text has {}",
                ours.len(),
                theirs.len()
            ),
            None => return,
        };
        let place = self.line(0);
        self.report(Code::L008, message, place).help =
            Some("restore the text, or move the label away and begin anew".to_owned());
    }

    fn read_lines(&mut self) {
        let source = Arc::clone(&self.source);
        let lines = crate::text::line_ranges(source.text());
        for range in lines {
            let line = source.text().get(range.clone()).unwrap_or_default();
            if line.trim().is_empty() {
                continue;
            }
            match &mut self.label {
                Some(label) => match json::read_action(line) {
                    Ok(action) => {
                        label.actions.push(action);
                        self.lines.push(range);
                    }
                    Err(fault) => self.fault(Code::L002, fault, range),
                },
                None => match json::read_header(line) {
                    Ok(header) => {
                        let actions = Vec::new();
                        self.label = Some(Label { header, actions });
                        self.lines.push(range);
                    }
                    Err(fault) => {
                        self.fault(Code::L001, fault, range);
                        return;
                    }
                },
            }
        }
        if self.label.is_none() {
            let message = "there is no header".to_owned();
            self.report(Code::L001, message, 0..0).help =
                Some("`arsg annotate` writes labels; the first line names the text".to_owned());
        }
    }

    fn fault(&mut self, code: Code, fault: json::Fault, line: Range<usize>) {
        let range = match fault.at {
            Some(at) => (line.start + at).min(line.end)..line.end,
            None => line,
        };
        let diagnostic = self.report(code, fault.message, range);
        diagnostic.help = (code == Code::L001).then(|| {
            "a label begins with the line of its text; `docs/formats.md` describes it".to_owned()
        });
    }

    /// What an action that cannot be repeated comes to.
    fn report_error(&mut self, error: Error, place: Range<usize>) {
        let Error::Invalid(problems) = error else {
            self.report(Code::L004, error.to_string(), place);
            return;
        };
        for problem in problems {
            let code = match problem.code {
                Code::L005 => Code::L005,
                _ => Code::L006,
            };
            self.report(code, problem.message, place.clone()).help = problem.help;
        }
    }

    fn line(&self, at: usize) -> Range<usize> {
        self.lines.get(at).cloned().unwrap_or(0..0)
    }

    fn report(&mut self, code: Code, message: String, range: Range<usize>) -> &mut Diagnostic {
        let place = Place::new(&self.source, range);
        report(
            &mut self.diagnostics,
            Diagnostic::new(code, message).at(place),
        )
    }
}
