//! What lies on an annotator's desk: the corpus, its labels, and what this session added.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{clock, engine_named};
use crate::automaton::Engine;
use crate::behavior::{Label, Labelling, RuleInstances, label_file_name, read_label};
use crate::diagnostic::{Diagnostic, ErrorFormat, Renderer, nearest};
use crate::error::{Error, Result};
use crate::files;
use crate::text::Document;
use crate::tree::{Format, WriteOptions, write};

/// What comes after a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Turn {
    /// The next text that is not finished.
    Next,
    /// The text before.
    Previous,
    /// A text by its id.
    To(String),
    /// The end.
    #[default]
    Quit,
}

/// Where finished trees go.
pub(super) struct Export {
    pub(super) folder: PathBuf,
    pub(super) format: Format,
}

/// Which text of how many.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) id: String,
    pub(super) number: usize,
    pub(super) of: usize,
    pub(super) title: Option<String>,
}

/// The first text that could be opened.
pub(super) struct Opened {
    pub(super) at: usize,
    pub(super) labelling: Labelling,
    pub(super) said: Vec<String>,
    /// What is wrong with the labels before it.
    pub(super) passed_over: Vec<Error>,
}

pub(super) struct Desk {
    pub(super) engine: Arc<Engine>,
    pub(super) documents: Vec<Document>,
    pub(super) export: Option<Export>,
    /// Labels are only looked at.
    pub(super) read_only: bool,
    /// The first text was asked for by name.
    pub(super) must_open: bool,
    labels: PathBuf,
    annotator: Option<String>,
    /// Texts whose labels could not be opened; they are passed over.
    passed_over: BTreeSet<usize>,
    /// What was done in this session, by text.
    touched: BTreeMap<usize, Touched>,
}

struct Touched {
    rules: RuleInstances,
    complete: bool,
    seconds: f64,
}

impl Desk {
    pub(super) fn new(
        engine: Arc<Engine>,
        documents: Vec<Document>,
        labels: PathBuf,
        annotator: Option<String>,
    ) -> Desk {
        Desk {
            engine,
            documents,
            export: None,
            read_only: false,
            must_open: false,
            labels,
            annotator,
            passed_over: BTreeSet::new(),
            touched: BTreeMap::new(),
        }
    }

    /// The annotator's name, or another where none is given.
    pub(super) fn named(&self, otherwise: &str) -> String {
        self.annotator
            .clone()
            .unwrap_or_else(|| otherwise.to_owned())
    }

    /// The name of the person at the desk: the one given, else the login name.
    pub(super) fn person(&self) -> String {
        let login = ["USER", "LOGNAME", "USERNAME"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
        self.named(login.as_deref().unwrap_or("annotator"))
    }

    /// The text to begin with.
    pub(super) fn first(&self, wanted: Option<&str>) -> Result<usize> {
        match wanted {
            Some(id) => self.find(id),
            None => Ok(self.unfinished_from(0).unwrap_or(0)),
        }
    }

    pub(super) fn path(&self, at: usize) -> PathBuf {
        self.labels.join(label_file_name(&self.documents[at].id))
    }

    pub(super) fn place(&self, at: usize) -> Place {
        let document = &self.documents[at];
        Place {
            id: document.id.clone(),
            number: at + 1,
            of: self.documents.len(),
            title: document.title.clone(),
        }
    }

    /// Takes a text up where it was left, with what there is to say about its label.
    pub(super) fn open(&self, at: usize) -> Result<(Labelling, Vec<String>)> {
        let (path, name) = (self.path(at), self.person());
        let open = if self.read_only {
            Labelling::open_read_only
        } else {
            Labelling::open
        };
        let resumed = open(&path, &self.engine, &self.documents[at], &name)?;
        let mut said = plain_lines(&resumed.diagnostics);
        let begun_by = &resumed.labelling.label().header.annotator;
        if **begun_by != *name {
            said.push(format!(
                "this label was begun by `{begun_by}` and keeps that name"
            ));
        }
        Ok((resumed.labelling, said))
    }

    /// Opens the first text from a place on whose label is sound. A text that was asked for by name is
    /// opened or nothing is.
    pub(super) fn open_first(&mut self, first: usize) -> Result<Opened> {
        let mut at = first;
        let mut passed_over: Vec<Error> = Vec::new();
        loop {
            let error = match self.open(at) {
                Ok((labelling, said)) => {
                    let before = passed_over.iter().flat_map(describe);
                    return Ok(Opened {
                        at,
                        labelling,
                        said: before.chain(said).collect(),
                        passed_over,
                    });
                }
                Err(error) => error,
            };
            self.pass_over(at);
            let next = self.unfinished_from(at + 1).or(self.unfinished_from(0));
            match next {
                Some(next) if concerns_one(&error) && !self.must_open => at = next,
                _ => return Err(error),
            }
            passed_over.push(error);
        }
    }

    /// Leaves a text out from now on: its label cannot be opened.
    pub(super) fn pass_over(&mut self, at: usize) {
        self.passed_over.insert(at);
    }

    /// Takes up another text than the one that is open.
    pub(super) fn open_other(
        &self,
        open: usize,
        next: usize,
    ) -> Result<(usize, Labelling, Vec<String>)> {
        if next == open {
            return Err(Error::Usage("this text is open already".to_owned()));
        }
        let (labelling, said) = self.open(next)?;
        Ok((next, labelling, said))
    }

    /// Keeps a label that a program made. It may take the place of its own earlier one, never of
    /// anybody else's, and not while somebody works on it.
    pub(super) fn save(&self, at: usize, label: &Label) -> Result<()> {
        label.save_over_own(&self.path(at))
    }

    /// Puts a text down: what it contributed is counted, a finished tree is exported.
    pub(super) fn put_down(&mut self, at: usize, labelling: &Labelling) -> Result<()> {
        let complete = labelling.is_complete() && !labelling.session().text().is_empty();
        self.touched.insert(
            at,
            Touched {
                rules: labelling.instances(),
                complete,
                seconds: labelling.label().seconds(),
            },
        );
        let Some(export) = self.export.as_ref().filter(|_| complete) else {
            return Ok(());
        };
        let folder = &export.folder;
        crate::files::disk::make_folder(folder)?;
        let name = files::name_for_id(labelling.label().id(), export.format.as_str());
        let tree = write(&labelling.tree()?, export.format, &WriteOptions::default());
        files::replace(&folder.join(name), tree.as_bytes())
    }

    /// The text that comes next; none at the end.
    pub(super) fn find_next(&self, at: usize, turn: Turn) -> Result<Option<usize>> {
        let usage = |text: &str| Err(Error::Usage(text.to_owned()));
        match turn {
            Turn::Quit => Ok(None),
            Turn::To(id) => self.find(&id).map(Some),
            Turn::Previous if at == 0 => usage("this is the first text"),
            Turn::Previous => Ok(Some(at - 1)),
            Turn::Next => {
                let behind = self.unfinished_from(at + 1);
                let before = || self.unfinished_from(0).filter(|other| *other < at);
                match behind.or_else(before) {
                    Some(next) => Ok(Some(next)),
                    None => usage("no other text is unfinished"),
                }
            }
        }
    }

    /// The rules of the session's texts but one.
    pub(super) fn rules_of_others(&self, at: usize) -> RuleInstances {
        let mut rules = RuleInstances::default();
        for (_, touched) in self.touched.iter().filter(|(other, _)| **other != at) {
            rules.add(&touched.rules);
        }
        rules
    }

    /// What was done, in a line.
    pub(super) fn summary(&self) -> String {
        let finished = self.touched.values().filter(|t| t.complete).count();
        let seconds: f64 = self.touched.values().map(|t| t.seconds).sum();
        let rules = self.rules_of_others(usize::MAX);
        let new = rules.unknown_to(self.engine.grammar()).len();
        let time = if seconds > 0.0 {
            format!(", {}", clock(seconds))
        } else {
            String::new()
        };
        format!(
            "{finished} of {} texts finished{time}; {} rules, {new} of them new to `{}`; labels in `{}`",
            self.touched.len(),
            rules.len(),
            engine_named(&self.engine),
            self.labels.display(),
        )
    }

    /// The rules of the session as a module of a grammar.
    pub(super) fn write_rules(&self, path: &Path) -> Result<()> {
        let rules = self.rules_of_others(usize::MAX);
        let schema = Arc::clone(&self.engine.grammar().schema);
        let text = format!(
            "# Rules of {} labelled texts, with their counts.\n\n{}",
            self.touched.len(),
            rules.to_text(&schema)
        );
        files::replace(path, text.as_bytes())
    }

    fn find(&self, id: &str) -> Result<usize> {
        let found = self.documents.iter().position(|document| document.id == id);
        found.ok_or_else(|| {
            let known = self.documents.iter().map(|document| document.id.as_str());
            let hint = nearest(id, known)
                .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Error::Usage(format!("there is no text `{id}`{hint}"))
        })
    }

    /// The first text from a place on that has no finished label. A label that cannot be read is
    /// not finished: opening it says why.
    fn unfinished_from(&self, from: usize) -> Option<usize> {
        let mut open = (from..self.documents.len()).filter(|at| !self.passed_over.contains(at));
        open.find(|at| {
            let path = self.path(*at);
            let label = path
                .exists()
                .then(|| read_label(&path).ok()?.into_result().ok());
            !label.flatten().is_some_and(|label| label.is_complete())
        })
    }
}

/// True for what is wrong with one label; the others may be sound.
pub(super) fn concerns_one(error: &Error) -> bool {
    matches!(
        error,
        Error::Invalid(_)
            | Error::Damaged(_)
            | Error::Busy(_)
            | Error::TooLarge(_)
            | Error::Encoding(_)
            | Error::Mismatch(_)
    )
}

/// What is wrong, a line each.
fn describe(error: &Error) -> Vec<String> {
    match error {
        Error::Invalid(diagnostics) => plain_lines(diagnostics),
        other => vec![other.to_string()],
    }
}

fn plain_lines(diagnostics: &[Diagnostic]) -> Vec<String> {
    let renderer = Renderer {
        format: ErrorFormat::Plain,
        ..Renderer::default()
    };
    let said = renderer.render(diagnostics);
    said.lines().map(|line| line.trim().to_owned()).collect()
}
