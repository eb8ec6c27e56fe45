//! The grammar's files in the editor: what is wrong with a draft, what it would change, and saving it.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::bench::Bench;
use super::compare::named;
use super::messages::{
    Caller, CaseRow, ChangedText, DraftAsk, EffectAnswer, FileRow, FilesAnswer, Nothing, Problem,
    ReadAnswer, ReadAsk, SaveAnswer,
};
use super::view::view_of_tree;
use crate::automaton::cases::{Case, Verdict, is_case_file, read_cases};
use crate::automaton::{Engine, ParseOptions, Versus, score_versus};
use crate::behavior::read_label;
use crate::diagnostic::{Diagnostic, Source, any_error};
use crate::error::{Error, Result};
use crate::files::{self, Files as _, Memory};
use crate::grammar::Grammar;
use crate::project::{Project, is_path};
use crate::schema::Schema;
use crate::text::Document;
use crate::tree::{ParsevalOptions, Tree};

/// How many texts are parsed to see what a change does.
const LOOKED_AT: usize = 120;
/// How many texts are shown whose trees change.
const SHOWN: usize = 12;
/// How many digits tell the content of a file.
const HASH: usize = 16;

fn hash(text: &str) -> String {
    let hex = blake3::hash(text.as_bytes()).to_hex();
    hex.get(..HASH).unwrap_or_default().to_owned()
}

impl Bench {
    /// The files of the project's grammar, schema and cases.
    pub(super) fn files(&self, _: &Caller, _: Nothing) -> Result<FilesAnswer> {
        let rows = self
            .project_files()
            .into_iter()
            .map(|(path, kind)| FileRow {
                path: self.known_as(&path.display().to_string()),
                kind,
            });
        Ok(FilesAnswer {
            files: rows.collect(),
        })
    }

    /// The files of the grammar, the schema and the cases, and what each is.
    pub(super) fn project_files(&self) -> Vec<(PathBuf, &'static str)> {
        let Some(project) = &self.project else {
            return Vec::new();
        };
        let schema = project.schema().filter(|name| is_path(name));
        let schema = schema.map(|schema| (self.folder.join(schema), "schema"));
        let grammars = self
            .grammar_files()
            .into_iter()
            .map(|file| (file, "grammar"));
        let cases = self.case_files().into_iter().map(|file| (file, "cases"));
        grammars.chain(schema).chain(cases).collect()
    }

    /// The grammar's file and its modules: all that lie in its folder.
    fn grammar_files(&self) -> Vec<PathBuf> {
        let grammar = self.project.as_ref().and_then(Project::grammar);
        let Some(grammar) = grammar.filter(|name| is_path(name)) else {
            return Vec::new();
        };
        let main = self.folder.join(grammar);
        let folder = main.parent().unwrap_or(&self.folder).to_owned();
        let below = files::find_files(&[folder])
            .map(|found| found.files)
            .unwrap_or_default();
        let is_grammar = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "arsg");
        let mut found: Vec<PathBuf> = below.into_iter().filter(is_grammar).collect();
        found.sort_by_key(|file| (*file != main, file.clone()));
        found
    }

    fn case_files(&self) -> Vec<PathBuf> {
        let cases = self.project.as_ref().and_then(Project::cases);
        let Some(cases) = cases.map(|cases| self.folder.join(cases)) else {
            return Vec::new();
        };
        let below = files::find_files(&[cases])
            .map(|found| found.files)
            .unwrap_or_default();
        below
            .into_iter()
            .filter(|file| is_case_file(file))
            .collect()
    }

    /// A file of the list. No other file is read or written, whatever the path says.
    pub(super) fn listed(&self, path: &str) -> Result<PathBuf> {
        let listed = self.files(&Caller { name: None }, Nothing {})?;
        let known = listed.files.iter().any(|file| file.path == path);
        let file = self.folder.join(path);
        if !known
            || !self
                .disk
                .may_read(&self.folder.join(crate::project::FILE), &file)
        {
            return Err(Error::Missing(format!(
                "`{path}` is no file of this project's grammar"
            )));
        }
        Ok(file)
    }

    /// What a file of the project holds.
    pub(super) fn read(&self, _: &Caller, ask: ReadAsk) -> Result<ReadAnswer> {
        let text = files::read_text(&self.listed(&ask.path)?)?;
        Ok(ReadAnswer {
            hash: hash(&text),
            text,
        })
    }

    fn told(&self, problems: &[Diagnostic]) -> Vec<Problem> {
        problems
            .iter()
            .take(MOST_PROBLEMS)
            .map(Problem::of)
            .collect()
    }

    /// The project's grammar with a draft in the place of one of its files, and everything that is wrong.
    fn drafted(&self, file: &Path, text: &str) -> Result<(Option<Grammar>, Vec<Diagnostic>)> {
        if is_case_file(file) {
            let source = Source::new(file.display().to_string(), text);
            let read = read_cases(&source);
            let mut problems = read.diagnostics.clone();
            problems.extend(read.unknown_relations(self.engine().schema()));
            return Ok((None, problems));
        }
        let main = self.project.as_ref().and_then(Project::grammar);
        let main = main
            .filter(|name| is_path(name))
            .map(|name| self.folder.join(name));
        let files = Memory::over(&self.disk).with(file, text);
        let is_module = file.extension().is_some_and(|ending| ending == "arsg");
        let Some(main) = main.or_else(|| is_module.then(|| file.to_owned())) else {
            let source = Source::new(file.display().to_string(), text);
            return Ok((None, Schema::load(&source).diagnostics));
        };
        let loaded = Grammar::load(&main, &files, None)?;
        let mut problems = loaded.check();
        if problems.is_empty() {
            problems = loaded.diagnostics.clone();
        }
        // A module that the grammar does not use is checked by itself.
        let is_used = loaded
            .files
            .iter()
            .any(|used| Path::new(used.source.name()) == file);
        if is_module && !is_used {
            problems.extend(Grammar::load(file, &files, None)?.diagnostics);
        }
        let works = !any_error(&problems);
        Ok((works.then_some(loaded.grammar), problems))
    }

    /// What a draft would change: cases that turn, trees that change, figures against trees by hand.
    pub(super) fn effect(&self, _: &Caller, ask: DraftAsk) -> Result<EffectAnswer> {
        let file = self.listed(&ask.path)?;
        let (grammar, problems) = self.drafted(&file, &ask.text)?;
        let old = self.engine();
        let mut answer = EffectAnswer {
            problems: Vec::new(),
            cases: Vec::new(),
            texts: Vec::new(),
            changed: 0,
            looked: 0,
            figures: None,
            gold: 0,
        };
        if any_error(&problems) {
            answer.problems = self.told(&problems);
            return Ok(answer);
        }
        let structure = self
            .project
            .as_ref()
            .and_then(|project| project.settings.structure);
        let new = grammar
            .map(|grammar| Engine::new(grammar).with_structure(structure.unwrap_or_default()));
        let new = new.as_ref().unwrap_or(&old);
        let options = ParseOptions::default();
        let mut texts: Vec<(Document, Option<Tree>)> = self.some_texts(&old);
        let mut cases: Vec<(String, Case)> = Vec::new();
        for path in self.case_files() {
            let text = if path == file {
                ask.text.clone()
            } else {
                files::read_text(&path)?
            };
            let name = self.known_as(&path.display().to_string());
            let read = read_cases(&Source::new(name.as_str(), text));
            texts.extend(
                read.cases
                    .iter()
                    .map(|case| (case.document.clone(), case.tree.clone())),
            );
            cases.extend(read.cases.into_iter().map(|case| (name.clone(), case)));
        }
        answer.cases = cases
            .par_iter()
            .map(|(file, case)| {
                let passes = |verdict: &Verdict| !matches!(verdict, Verdict::Failed(_));
                let after = case.run(new, &options);
                CaseRow {
                    name: case.name.clone(),
                    file: file.clone(),
                    before: passes(&case.run(&old, &options)),
                    after: passes(&after),
                    why: match &after {
                        Verdict::Failed(failure) => Some(failure.to_string()),
                        _ => None,
                    },
                }
            })
            .collect();
        let versus: Vec<Versus> = texts
            .into_par_iter()
            .map(|(document, gold)| Versus::new(&document, &old, new, gold, &options))
            .collect();
        let how = ParsevalOptions {
            bootstrap: 0,
            ..ParsevalOptions::default()
        };
        let figures = score_versus(&versus, &how, new.schema());
        answer.figures = figures
            .old
            .as_ref()
            .zip(figures.new.as_ref())
            .map(|(old, new)| (named(old), named(new)));
        answer.gold = versus.iter().filter(|text| text.gold.is_some()).count();
        answer.looked = versus.len();
        answer.changed = versus.iter().filter(|text| text.is_changed()).count();
        let changed = versus.iter().filter(|text| text.is_changed());
        answer.texts = changed
            .take(SHOWN)
            .map(|text| ChangedText {
                id: text.id.to_string(),
                differences: text.differences.iter().map(|one| one.as_change()).collect(),
                old: text.old.as_ref().map(view_of_tree),
                new: text.new.as_ref().map(view_of_tree),
            })
            .collect();
        Ok(answer)
    }

    /// Texts to try a change on, those with finished labels first.
    fn some_texts(&self, engine: &std::sync::Arc<Engine>) -> Vec<(Document, Option<Tree>)> {
        let ids: Vec<String> = {
            let shelf = self
                .shelf
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            shelf.ids().map(str::to_owned).collect()
        };
        let (mut labelled, mut others) = (Vec::new(), Vec::new());
        for id in ids {
            let label = self.label_files(&id).into_iter().find_map(|file| {
                let mut read = read_label(&file).ok()?;
                let done = read.replay(engine).filter(|done| done.is_complete())?;
                Some((done.document().clone(), done.tree().ok()))
            });
            match label {
                Some(label) => labelled.push(label),
                None => others.push(id),
            }
            if labelled.len() >= LOOKED_AT {
                break;
            }
        }
        for id in others {
            if labelled.len() >= LOOKED_AT {
                break;
            }
            if let Ok(document) = self.document(&id) {
                labelled.push(((*document).clone(), None));
            }
        }
        labelled
    }

    /// Saves a file, laid out, unless somebody changed it meanwhile; a grammar that works is in use then.
    pub(super) fn save(&self, _: &Caller, ask: DraftAsk) -> Result<SaveAnswer> {
        let file = self.listed(&ask.path)?;
        let now = files::read_text(&file)?;
        if hash(&now) != ask.hash {
            let message = format!(
                "`{}` was changed by somebody else since it was opened here",
                ask.path
            );
            return Err(Error::Busy(message));
        }
        let text = self.laid_out(&ask.path, ask.text)?;
        files::replace(&file, text.as_bytes())?;
        self.close_in_editor(&ask.path)?;
        let (_, problems) = self.drafted(&file, &text)?;
        let in_use = !any_error(&problems) && self.renew().is_ok();
        Ok(SaveAnswer {
            hash: hash(&text),
            text,
            in_use,
            problems: self.told(&problems),
        })
    }
}

/// How many problems are told at most.
const MOST_PROBLEMS: usize = 200;
