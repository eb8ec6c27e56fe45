//! Which file an accepted rule goes into.

use std::path::{Path, PathBuf};

use super::draft::Draft;
use crate::automaton::{Deed, TriedRule};
use crate::error::{Error, Result};
use crate::files::Files;
use crate::grammar::{AnyRule, Grammar};

/// Where a grammar lives: what is accepted is written there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// The grammar: a file, or the name of a shipped one.
    pub grammar: String,
    /// The file that makes the folder a project, `arsg.toml`, if there is one.
    pub project: Option<PathBuf>,
    /// The folder of regression cases, if the project names one.
    pub cases: Option<PathBuf>,
}

/// Where the rules of a project stand that uses a shipped grammar.
const OVERLAY: &str = "grammars/mine.arsg";
/// Where regression cases stand where the project names no folder.
const CASES: &str = "cases";
/// The file of accepted cases.
const CASE_FILE: &str = "fixed.case";

impl Home {
    /// True when the grammar is a shipped one, which nobody can write into.
    pub(super) fn is_shipped(&self) -> bool {
        !self.grammar.contains(['/', '\\', '.'])
    }

    /// The folder of the project, as paths are written.
    pub(super) fn folder(&self) -> PathBuf {
        let folder = self.project.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).to_owned()
    }

    /// The file that accepted cases go into.
    pub(super) fn case_file(&self) -> PathBuf {
        let folder = match &self.cases {
            Some(cases) => cases.clone(),
            None => self.folder().join(CASES),
        };
        match folder.extension() {
            Some(extension) if extension == "case" => folder,
            _ => folder.join(CASE_FILE),
        }
    }

    /// The file of a grammar on top of the shipped one that is used by name.
    pub(super) fn overlay(&self) -> PathBuf {
        self.folder().join(OVERLAY)
    }

    /// The project's file with another grammar in it, and with a folder of cases.
    pub(super) fn project_text(&self, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let sets = |line: &str, key: &str| {
            let rest = line.trim_start().strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let new = format!("grammar = \"{OVERLAY}\"");
        let own = self.grammar.as_str();
        match lines.iter_mut().find(|line| sets(line, "grammar")) {
            Some(line) => {
                // What stands behind the value stays.
                let quoted = [format!("\"{own}\""), format!("'{own}'")];
                let value = quoted.iter().find(|value| line.contains(value.as_str()));
                *line = match value {
                    Some(value) => line.replacen(value.as_str(), &format!("\"{OVERLAY}\""), 1),
                    None => new,
                };
            }
            None => {
                // Keys of a table must not come before it.
                let first_table = lines.iter().position(|line| line.starts_with('['));
                lines.insert(first_table.unwrap_or(lines.len()), new);
            }
        }
        lines.join("\n") + "\n"
    }
}

/// The file of the grammar that a drafted rule fits best: where its kind is at home.
pub(super) fn module_of(
    draft: &Draft,
    grammar: &Grammar,
    home: &Home,
    files: &dyn Files,
) -> Result<PathBuf> {
    module_by(&|any| kinship(draft, any, grammar), grammar, home, files)
}

/// The file of the grammar in which most boundary rules stand.
pub(super) fn boundary_module(
    grammar: &Grammar,
    home: &Home,
    files: &dyn Files,
) -> Result<PathBuf> {
    let is_boundary = |any: AnyRule<'_>| u64::from(matches!(any, AnyRule::Boundary(_)));
    module_by(&is_boundary, grammar, home, files)
}

/// The file whose rules are together nearest of kin.
fn module_by(
    kinship: &dyn Fn(AnyRule<'_>) -> u64,
    grammar: &Grammar,
    home: &Home,
    files: &dyn Files,
) -> Result<PathBuf> {
    let root = PathBuf::from(&home.grammar);
    let is_own = |name: &str| {
        !name.starts_with('<')
            && files.may_read(&root, Path::new(name))
            && Path::new(name).is_file()
    };
    let mut votes: Vec<(String, u64)> = Vec::new();
    for any in grammar.rules() {
        let Some(place) = &any.rule().place else {
            continue;
        };
        let name = place.source().name();
        let weight = kinship(any);
        if weight == 0 || !is_own(name) {
            continue;
        }
        match votes.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += weight,
            None => votes.push((name.to_owned(), weight)),
        }
    }
    // Of equals the first that was read.
    let best = votes
        .iter()
        .rev()
        .max_by_key(|(_, sum)| *sum)
        .map(|(name, _)| PathBuf::from(name));
    let best = best.or_else(|| root.is_file().then_some(root));
    best.ok_or_else(|| {
        Error::Missing(format!(
            "there is no file of `{}` that a rule could be written into",
            home.grammar
        ))
    })
}

/// How near a rule of the grammar stands to a drafted one.
fn kinship(draft: &Draft, other: AnyRule<'_>, grammar: &Grammar) -> u64 {
    match (&draft.rule, other) {
        (TriedRule::Production(own), AnyRule::Production(other)) => {
            let class = |production: &crate::grammar::Production| {
                let rhetoric = production.rhetoric(&grammar.schema);
                rhetoric.map(|rhetoric| rhetoric.class.clone())
            };
            if own.shape.relation == other.shape.relation {
                20
            } else if class(own) == class(other) {
                5
            } else {
                0
            }
        }
        (TriedRule::Preference(own), AnyRule::Preference(other)) => {
            debug_assert!(matches!(draft.deed, Deed::Act(_)));
            let same = own.action == other.action;
            let written = other.rule.named || other.rule.doc.is_some();
            u64::from(same) + u64::from(written)
        }
        _ => 0,
    }
}
