//! The grammar editor: what the library says of unsaved texts, asked of one thread that keeps them.

use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::bench::Bench;
use super::messages::{
    Caller, CheckAnswer, ColourJson, CompleteAnswer, CompletionJson, CursorAsk, DraftAsk,
    HoverAnswer, Problem,
};
use crate::edit::Workspace;
use crate::error::{Error, Result};
use crate::files::Disk;

type Job = Box<dyn FnOnce(&mut Workspace) + Send>;

/// A workspace on a thread of its own; it begins with the first question.
#[derive(Default)]
pub(super) struct Editor {
    jobs: Mutex<Option<Sender<Job>>>,
}

impl Editor {
    /// Asks the workspace something.
    fn ask<T: Send + 'static>(
        &self,
        disk: Disk,
        known: Vec<PathBuf>,
        question: impl FnOnce(&mut Workspace) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = channel();
        let job: Job = Box::new(move |workspace| {
            workspace.know(known);
            // Who asked may have gone away.
            let _ = answer.send(question(workspace));
        });
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = jobs.get_or_insert_with(|| begin(disk));
        if let Err(unsent) = sender.send(job) {
            // The thread ended by a mistake of ours; the next one begins anew.
            let sender = begin(disk);
            let _ = sender.send(unsent.0);
            *jobs = Some(sender);
        }
        drop(jobs);
        answered
            .recv()
            .map_err(|_| Error::Internal("the editor's thread ended".to_owned()))
    }
}

fn begin(disk: Disk) -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    std::thread::spawn(move || {
        let mut workspace = Workspace::new(Box::new(disk));
        for job in jobs {
            job(&mut workspace);
        }
    });
    sender
}

/// The byte at a place that is counted in UTF-16, as browsers do.
fn byte_at(text: &str, units: usize) -> usize {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= units {
            return at;
        }
        seen += c.len_utf16();
    }
    text.len()
}

/// The other way round.
fn units_at(text: &str, byte: usize) -> usize {
    text.get(..byte)
        .map_or(0, |before| before.encode_utf16().count())
}

impl Bench {
    fn known_files(&self) -> Vec<PathBuf> {
        let files = self.project_files();
        files.into_iter().map(|(path, _)| path).collect()
    }

    /// Asks about a file with its unsaved text.
    fn ask_editor<T: Send + 'static>(
        &self,
        path: &str,
        text: String,
        question: impl FnOnce(&mut Workspace, &std::path::Path, &str) -> T + Send + 'static,
    ) -> Result<T> {
        let file = self.listed(path)?;
        self.editor
            .ask(self.disk, self.known_files(), move |workspace| {
                workspace.open(&file, text.as_str());
                question(workspace, &file, &text)
            })
    }

    /// A file is on the disk again as it is in the editor.
    pub(super) fn close_in_editor(&self, path: &str) -> Result<()> {
        let file = self.listed(path)?;
        self.editor
            .ask(self.disk, self.known_files(), move |workspace| {
                workspace.close(&file);
                workspace.refresh([file]);
            })
    }

    /// What is wrong with a draft, and its words with their colours.
    pub(super) fn check(&self, _: &Caller, ask: DraftAsk) -> Result<CheckAnswer> {
        self.ask_editor(&ask.path, ask.text, |workspace, file, text| {
            let problems = workspace.problems(file);
            let colours = workspace.colours(file);
            CheckAnswer {
                problems: problems
                    .iter()
                    .map(|one| Problem::of_editor(one, text))
                    .collect(),
                colours: colours
                    .iter()
                    .map(|one| ColourJson {
                        range: (
                            units_at(text, one.range.start),
                            units_at(text, one.range.end),
                        ),
                        colour: one.colour.as_str(),
                    })
                    .collect(),
            }
        })
    }

    /// What can stand at the cursor.
    pub(super) fn complete(&self, _: &Caller, ask: CursorAsk) -> Result<CompleteAnswer> {
        self.ask_editor(&ask.path, ask.text, move |workspace, file, text| {
            let at = byte_at(text, ask.at);
            let found = workspace.complete(file, at).into_iter();
            CompleteAnswer {
                completions: found
                    .filter(|one| !one.snippet)
                    .map(|one| CompletionJson {
                        range: (
                            units_at(text, one.range.start),
                            units_at(text, one.range.end),
                        ),
                        label: one.label,
                        kind: one.kind,
                        detail: one.detail,
                        insert: one.insert,
                    })
                    .collect(),
            }
        })
    }

    /// What a word means.
    pub(super) fn hover(&self, _: &Caller, ask: CursorAsk) -> Result<HoverAnswer> {
        self.ask_editor(&ask.path, ask.text, move |workspace, file, text| {
            let found = workspace.hover(file, byte_at(text, ask.at));
            HoverAnswer {
                text: found.map(|hover| hover.text),
            }
        })
    }

    /// A draft laid out; a statement that cannot be read keeps its layout.
    pub(super) fn laid_out(&self, path: &str, text: String) -> Result<String> {
        self.ask_editor(path, text, |workspace, file, text| {
            let edits = workspace.format(file);
            crate::edit::apply(text, &edits)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_browsers_do() {
        let text = "油价𠮷跌";
        for (at, _) in text.char_indices() {
            assert_eq!(byte_at(text, units_at(text, at)), at);
        }
        assert_eq!(units_at(text, text.len()), 5);
        assert_eq!(byte_at(text, 99), text.len());
    }
}
