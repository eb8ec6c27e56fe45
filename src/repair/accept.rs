//! What files become when a proposal is taken: the rule in its module, the text as a regression case.

use std::path::{Path, PathBuf};

use serde::Serialize;
use similar::TextDiff;

use super::correction::{Correction, Wanted};
use super::place::{Home, boundary_module, module_of};
use super::{Answer, Proposal, Repair};
use crate::automaton::Engine;
use crate::automaton::cases::{read_cases, write_case, write_raw_case};
use crate::diagnostic::{Source, any_error};
use crate::error::{Error, Result};
use crate::files::{Disk, Files, Memory, disk};
use crate::grammar::{Grammar, format};
use crate::text::Document;
use crate::tree::{EduSpan, Tree};

/// A file that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// Its text as it is; none for a new file.
    pub before: Option<String>,
    /// Its text as it becomes.
    pub after: String,
}

/// All files that change when proposals are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edits {
    /// The files.
    pub edits: Vec<Edit>,
    /// The names of the cases that are added.
    pub cases: Vec<String>,
}

impl Edit {
    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        let name = self.path.display().to_string();
        let old = match self.before {
            Some(_) => format!("a/{name}"),
            None => "/dev/null".to_owned(),
        };
        let diff = TextDiff::from_lines(before, &self.after);
        let mut diff = diff.unified_diff();
        diff.header(&old, &format!("b/{name}")).to_string()
    }
}

impl Edits {
    /// Writes the files. Nothing is written when one of them is another than it was.
    pub fn write(&self) -> Result<()> {
        for edit in &self.edits {
            let now = if edit.path.exists() {
                Some(crate::files::read_text(&edit.path)?)
            } else {
                None
            };
            if now != edit.before {
                return Err(Error::Busy(format!(
                    "`{}` has changed meanwhile, and nothing was written; ask again",
                    edit.path.display()
                )));
            }
        }
        for edit in &self.edits {
            if let Some(folder) = edit.path.parent().filter(|f| !f.as_os_str().is_empty()) {
                disk::make_folder(folder)?;
            }
            match edit.before {
                Some(_) => crate::files::replace(&edit.path, edit.after.as_bytes())?,
                None => crate::files::create(&edit.path, edit.after.as_bytes())?,
            }
        }
        Ok(())
    }

    /// All changes as one diff.
    pub fn diff(&self) -> String {
        self.edits.iter().map(Edit::diff).collect()
    }

    fn change(&mut self, path: &Path, change: impl FnOnce(&str) -> String) -> Result<()> {
        if let Some(edit) = self.edits.iter_mut().find(|edit| edit.path == *path) {
            edit.after = change(&edit.after);
            return Ok(());
        }
        let before = if path.exists() {
            Some(crate::files::read_text(path)?)
        } else {
            None
        };
        let after = change(before.as_deref().unwrap_or_default());
        self.edits.push(Edit {
            path: path.to_owned(),
            before,
            after,
        });
        Ok(())
    }
}

impl Repair {
    /// What files become when these proposals are taken: their rules stand in the module where their kind is at
    /// home, in the project's own grammar where it uses a shipped one by name; and the text, or the part of it
    /// that shows the correction, is a regression case. Nothing is written.
    pub fn accept(
        &self,
        answer: &Answer,
        numbers: &[usize],
        home: &Home,
        files: &Disk,
    ) -> Result<Edits> {
        if !answer.cuts.is_empty() {
            return self.accept_cuts(answer, numbers, home, files);
        }
        let taken = taken(answer, numbers)?;
        let mut edits = Edits {
            edits: Vec::new(),
            cases: Vec::new(),
        };
        let schema = self.engine.schema();
        for (_, proposal) in &taken {
            for draft in &proposal.drafts {
                let rule = draft.to_text(schema);
                let path = if home.is_shipped() {
                    home.overlay()
                } else {
                    module_of(draft, self.engine.grammar(), home, files)?
                };
                edits.change(&path, |text| appended(text, &rule, home))?;
            }
        }
        name_overlay(&mut edits, home)?;
        self.check(&edits, home, files)?;
        let engine = self.edited_engine(&edits, home, files)?;
        let mut cases = String::new();
        let file = home.case_file();
        let known = if file.exists() {
            crate::files::read_text(&file)?
        } else {
            String::new()
        };
        for (correction, _) in &taken {
            let Some((document, tree)) = self.case_for(answer, correction, &engine) else {
                continue;
            };
            let name = case_name(answer, correction, schema, &known, &edits.cases);
            cases.push('\n');
            cases.push_str(&write_case(&name, &document, &tree));
            edits.cases.push(name);
        }
        if !cases.is_empty() {
            edits.change(&file, |text| {
                let cases = if text.is_empty() {
                    cases.trim_start()
                } else {
                    &cases
                };
                format!("{text}{cases}")
            })?;
        }
        Ok(edits)
    }

    /// The same for boundary rules; the case is the running text.
    fn accept_cuts(
        &self,
        answer: &Answer,
        numbers: &[usize],
        home: &Home,
        files: &Disk,
    ) -> Result<Edits> {
        let mut edits = Edits {
            edits: Vec::new(),
            cases: Vec::new(),
        };
        for number in numbers {
            let proposal = answer.cut_proposal(*number).ok_or_else(|| {
                Error::Missing(format!("there is no proposal {number} to accept"))
            })?;
            let path = if home.is_shipped() {
                home.overlay()
            } else {
                boundary_module(self.engine.grammar(), home, files)?
            };
            edits.change(&path, |text| appended(text, &proposal.rule, home))?;
        }
        name_overlay(&mut edits, home)?;
        self.check(&edits, home, files)?;
        let engine = self.edited_engine(&edits, home, files)?;
        let parse = engine.parse_with(&answer.document, &self.options);
        if let Some(tree) = parse.tree() {
            let file = home.case_file();
            let known = if file.exists() {
                crate::files::read_text(&file)?
            } else {
                String::new()
            };
            let name = free_name(format!("{}: its EDUs", answer.id), &known, &edits.cases);
            let case = write_raw_case(&name, &answer.document, tree);
            edits.cases.push(name);
            edits.change(&file, |text| {
                if text.is_empty() {
                    case
                } else {
                    format!("{text}\n{case}")
                }
            })?;
        }
        Ok(edits)
    }

    /// The grammar as it becomes must load without a word, and what was laid out canonically stays so.
    fn check(&self, edits: &Edits, home: &Home, files: &Disk) -> Result<()> {
        let loaded = load(edits, home, files)?;
        if any_error(&loaded.diagnostics) {
            return Err(Error::Invalid(loaded.diagnostics));
        }
        for edit in &edits.edits {
            if edit
                .path
                .extension()
                .is_none_or(|extension| extension != "arsg")
            {
                continue;
            }
            let laid_out = |text: &str| {
                let source = Source::new(edit.path.display().to_string(), text);
                format(&source).is_ok_and(|formatted| formatted == text)
            };
            let before = edit.before.as_deref().unwrap_or_default();
            if laid_out(before) && !laid_out(&edit.after) {
                return Err(Error::Internal(format!(
                    "a rule in `{}` is not laid out canonically",
                    edit.path.display()
                )));
            }
        }
        Ok(())
    }

    fn edited_engine(&self, edits: &Edits, home: &Home, files: &Disk) -> Result<Engine> {
        Ok(Engine::new(load(edits, home, files)?.into_result()?))
    }

    /// The smallest part of the text that shows a correction: the node alone, its sentences, its paragraphs, the
    /// whole text. The old grammar gets it wrong there, the new one right.
    fn case_for(
        &self,
        answer: &Answer,
        correction: &Correction,
        engine: &Engine,
    ) -> Option<(Document, Tree)> {
        let schema = engine.schema();
        let whole = engine.parse_with(&answer.document, &self.options);
        let tree = whole.tree()?;
        let with_edus = segmented(&answer.document, tree);
        let mut asked = answer.asked.iter();
        if answer.asked.len() > 1 && asked.all(|correction| correction.holds(tree, schema)) {
            return Some((with_edus, tree.clone()));
        }
        let windows = windows(tree, correction.span);
        for window in windows {
            if window == correction.span && correction.wanted == Wanted::NoNode {
                continue;
            }
            let document = part_of(&with_edus, window);
            let here = Correction {
                span: EduSpan {
                    start: correction.span.start - window.start,
                    end: correction.span.end - window.start,
                },
                wanted: correction.wanted,
            };
            let shows = |engine: &Engine| {
                let parse = engine.parse_with(&document, &self.options);
                let tree = parse.into_tree()?;
                Some((here.holds(&tree, schema), tree))
            };
            if let (Some((false, _)), Some((true, tree))) = (shows(&self.engine), shows(engine)) {
                return Some((document, tree));
            }
        }
        correction
            .holds(tree, schema)
            .then(|| (with_edus, tree.clone()))
    }
}

/// The proposals that are taken, with their corrections.
fn taken<'a>(answer: &'a Answer, numbers: &[usize]) -> Result<Vec<(&'a Correction, &'a Proposal)>> {
    let mut all = Vec::new();
    for number in numbers {
        let found = answer.corrections.iter().zip(&answer.asked);
        let found = found.into_iter().find_map(|(corrected, asked)| {
            let mut own = corrected.proposals.iter();
            Some((asked, own.find(|proposal| proposal.number == *number)?))
        });
        all.push(found.ok_or_else(|| {
            let most = answer.corrections.iter().flat_map(|one| &one.proposals);
            Error::Missing(match most.count() {
                0 => "there is no proposal to accept".to_owned(),
                most => format!("there is no proposal {number}; there are 1 to {most}"),
            })
        })?);
    }
    Ok(all)
}

/// A project that uses a shipped grammar by name gets one of its own on top of it.
fn name_overlay(edits: &mut Edits, home: &Home) -> Result<()> {
    if !home.is_shipped() {
        return Ok(());
    }
    let Some(project) = &home.project else {
        return Err(Error::Usage(format!(
            "`{0}` ships with arsg and cannot be changed; begin a project on top of it: `arsg init DIR --grammar {0}`",
            home.grammar
        )));
    };
    edits.change(project, |text| home.project_text(text))
}

/// A grammar file with one more rule at its end.
fn appended(text: &str, rule: &str, home: &Home) -> String {
    let before = if text.is_empty() {
        format!("grammar  mine 1.0\nuse      \"{}\"\n", home.grammar)
    } else {
        format!("{}\n", text.trim_end())
    };
    format!("{before}\n{rule}")
}

fn load(edits: &Edits, home: &Home, files: &Disk) -> Result<crate::grammar::Loaded> {
    let mut memory = Memory::over(files);
    for edit in &edits.edits {
        memory = memory.with(&edit.path, edit.after.as_str());
    }
    let path = if home.is_shipped() {
        home.overlay()
    } else {
        PathBuf::from(&home.grammar)
    };
    let files: &dyn Files = &memory;
    Grammar::load(path, files, None)
}

/// The document with the EDUs of a tree.
fn segmented(document: &Document, tree: &Tree) -> Document {
    if document.is_segmented() && !document.plain {
        document.clone()
    } else {
        let mut own = crate::behavior::document_of_tree(tree);
        own.id.clone_from(&document.id);
        own.date = document.date;
        own
    }
}

/// Stretches around a node, from small to great: the node, its sentences, its blocks, everything.
fn windows(tree: &Tree, span: EduSpan) -> Vec<EduSpan> {
    let around = |key: &dyn Fn(usize) -> Option<u32>| {
        let (mut start, mut end) = (span.start, span.end);
        while start > 0 && key(start as usize - 1) == key(start as usize) {
            start -= 1;
        }
        while (end as usize) < tree.edus.len() && key(end as usize) == key(end as usize - 1) {
            end += 1;
        }
        EduSpan { start, end }
    };
    let sentence = around(&|at| tree.edus.get(at).and_then(|edu| edu.sentence));
    let block = around(&|at| tree.edus.get(at).and_then(|edu| edu.block));
    let mut all = vec![span, sentence, block];
    all.dedup();
    all
}

/// Some EDUs of a document, with their blocks.
fn part_of(document: &Document, window: EduSpan) -> Document {
    let mut part = Document {
        id: document.id.clone(),
        date: document.date,
        ..Document::default()
    };
    let edus: Vec<_> = document.edus().collect();
    let own = edus.get(window.range()).unwrap_or_default();
    for block in own.chunk_by(|a, b| a.0 == b.0) {
        let Some(of) = block.first().and_then(|(at, _)| document.blocks.get(*at)) else {
            continue;
        };
        let edus = block.iter().map(|(_, range)| document.slice(range));
        part.push_segmented(of.kind, of.speaker.clone(), edus);
    }
    part
}

/// A name that no case of the file has.
fn case_name(
    answer: &Answer,
    correction: &Correction,
    schema: &crate::schema::Schema,
    known: &str,
    taken: &[String],
) -> String {
    let wanted = correction.wanted_text(schema);
    let own = format!(
        "{}: EDUs {} are {wanted}",
        answer.id.trim(),
        correction.span
    );
    free_name(own, known, taken)
}

/// The name, or the name with a number.
fn free_name(own: String, known: &str, taken: &[String]) -> String {
    let read = read_cases(&Source::new("<cases>", known));
    let free = |name: &str| {
        !read.cases.iter().any(|case| case.name == name) && !taken.iter().any(|own| own == name)
    };
    let mut name = own.clone();
    let mut number = 2;
    while !free(&name) {
        name = format!("{own} ({number})");
        number += 1;
    }
    name
}
