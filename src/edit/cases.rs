//! Cases run as they are being written, and texts parsed with the grammar that is being written.

use std::path::Path;

use serde::Serialize;

use super::jump::Edit;
use super::workspace::Workspace;
use crate::automaton::cases::{Verdict, read_cases, update_cases};
use crate::automaton::explain::{Explainer, explanation_html};
use crate::automaton::{Engine, ParseOptions};
use crate::diagnostic::{Diagnostic, any_error};
use crate::error::{Error, Result};
use crate::files::sources::normalize;
use crate::text::Document;
use crate::tree::{Format, TextDrawing, WriteOptions, draw_text, write};

/// What a case came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseRun {
    /// Its name.
    pub case: String,
    /// `passed`, `failed` or `skipped`.
    pub outcome: &'static str,
    /// Why it failed.
    pub why: Option<String>,
}

/// A text parsed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParsedText {
    /// The tree, drawn with letters.
    pub drawn: String,
    /// The tree as a picture.
    pub svg: String,
    /// A page in which every step unfolds into its reasons.
    pub explained: String,
}

impl Workspace {
    /// Runs the cases of a file whose names are asked for, or all.
    pub fn run_cases(&mut self, path: &Path, wanted: Option<&str>) -> Result<Vec<CaseRun>> {
        let engine = self.engine_for_cases(path)?;
        let file = self.cases_of(path)?;
        let options = ParseOptions::default();
        let cases = file.cases.iter();
        let asked = cases.filter(|case| wanted.is_none_or(|name| case.name == name));
        let runs = asked.map(|case| {
            let (outcome, why) = match case.run(&engine, &options) {
                Verdict::Passed => ("passed", None),
                Verdict::Skipped => ("skipped", None),
                Verdict::Failed(failure) => ("failed", Some(failure.to_string())),
            };
            CaseRun {
                case: case.name.clone(),
                outcome,
                why,
            }
        });
        Ok(runs.collect())
    }

    /// What to change so that a case expects the tree that is found; refused where rules do not cover it.
    pub fn take_tree(&mut self, path: &Path, case: &str) -> Result<Vec<Edit>> {
        let engine = self.engine_for_cases(path)?;
        let file = self.cases_of(path)?;
        let options = ParseOptions::default();
        let (text, refused) = update_cases(&file, |own| own.name == case, &engine, &options);
        if !refused.is_empty() {
            return Err(Error::Usage(format!(
                "`{case}` keeps its tree: rules do not cover its text, or it asks for something else than a tree"
            )));
        }
        let old = file.source.text();
        if text == old {
            return Ok(Vec::new());
        }
        // The one tree that differs stands between what both have in common.
        let start = shared(old.char_indices(), text.chars());
        let (old_rest, new_rest) = (old.get(start..), text.get(start..));
        let (old_rest, new_rest) = (old_rest.unwrap_or_default(), new_rest.unwrap_or_default());
        let backwards = old_rest.chars().rev().zip(new_rest.chars().rev());
        let end: usize = backwards
            .take_while(|(one, other)| one == other)
            .map(|(letter, _)| letter.len_utf8())
            .sum();
        let range = start..old.len() - end;
        let new = new_rest.get(..new_rest.len() - end).unwrap_or_default();
        Ok(vec![Edit::new(&normalize(path), range, new)])
    }

    /// Parses a text with the grammar of a file as it is now.
    pub fn parse_text(&mut self, path: &Path, text: &str) -> Result<ParsedText> {
        let engine = self.engine_of(path)?;
        let document = Document::from_text("selection", text);
        let options = ParseOptions::default();
        let parse = engine.parse_with(&document, &options);
        let steps = engine.steps(&parse.text, &options);
        let explainer = Explainer::new(&engine, &parse.text, &steps, &options);
        let explained = explanation_html(&explainer);
        let Some(tree) = parse.tree() else {
            return Err(Error::Empty("the text has no words to parse".to_owned()));
        };
        Ok(ParsedText {
            drawn: draw_text(tree, &TextDrawing::default()),
            svg: write(tree, Format::Svg, &WriteOptions::default()),
            explained,
        })
    }

    fn cases_of(&mut self, path: &Path) -> Result<crate::automaton::cases::CaseFile> {
        let source = self.text(path).ok_or_else(|| no_file(path))?;
        let file = read_cases(&source);
        if any_error(&file.diagnostics) {
            return Err(Error::Invalid(file.diagnostics));
        }
        Ok(file)
    }

    fn engine_for_cases(&mut self, path: &Path) -> Result<Engine> {
        let grammar = self.grammar_of_cases(path).ok_or_else(|| {
            let message = "no grammar is near: write `grammar = \"PATH\"` in `arsg.toml`";
            Error::Usage(message.to_owned())
        })?;
        self.engine_of(&grammar)
    }

    fn engine_of(&mut self, path: &Path) -> Result<Engine> {
        let checked = self.checked(path).ok_or_else(|| no_file(path))?;
        let errors = checked.problems.iter().filter(|problem| problem.is_error());
        let errors: Vec<Diagnostic> = errors.cloned().collect();
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        Ok(Engine::new(checked.loaded.grammar.clone()))
    }
}

fn no_file(path: &Path) -> Error {
    Error::read(path, std::io::ErrorKind::NotFound.into())
}

/// How many bytes two texts begin with in common.
fn shared(one: std::str::CharIndices<'_>, other: std::str::Chars<'_>) -> usize {
    let mut end = 0;
    for ((at, letter), same) in one.zip(other) {
        if letter != same {
            return at;
        }
        end = at + letter.len_utf8();
    }
    end
}
