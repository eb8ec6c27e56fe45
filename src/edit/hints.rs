//! What is written beside the text: probabilities behind counts, figures over rules, commands over cases.

use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use super::hover::{Odds, odds};
use super::jump::Spot;
use super::slots::Slot;
use super::workspace::{FileKind, Workspace};
use crate::automaton::cases::read_cases;
use crate::files::sources::normalize;

/// A short text shown behind a byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// Where.
    pub at: usize,
    /// What is shown.
    pub text: String,
    /// Said when a person points at it.
    pub tip: String,
}

/// A line shown over a stretch, which may do something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lens {
    /// What it stands over.
    pub range: Range<usize>,
    /// What it says.
    pub title: String,
    /// What it does.
    pub does: Does,
}

/// What a lens does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Does {
    /// Shows places: the texts in which a rule spoke.
    Show {
        /// The places.
        spots: Vec<Spot>,
    },
    /// Counts how often rules speak.
    Count,
    /// Runs a case, by name.
    Run {
        /// The case.
        case: String,
    },
    /// Takes over the tree that is found for a case.
    Take {
        /// The case.
        case: String,
    },
}

impl Workspace {
    /// Probabilities behind the counts of a stretch, where counts decide.
    pub fn hints(&mut self, path: &Path, range: Range<usize>) -> Vec<Hint> {
        if FileKind::of(path) != FileKind::Grammar {
            return Vec::new();
        }
        let (Some(checked), Some(scan)) = (self.checked(path), self.scan(path)) else {
            return Vec::new();
        };
        let own = normalize(path);
        let mut hints = Vec::new();
        let mut groups = std::collections::BTreeMap::new();
        for any in checked.loaded.grammar.rules() {
            let Some(place) = any.rule().place.as_ref() else {
                continue;
            };
            let start = place.range().start;
            let is_here = range.start <= start && start <= range.end;
            if !is_here || normalize(Path::new(place.source().name())) != own {
                continue;
            }
            let group = crate::grammar::rival_pattern(any, &checked.loaded.grammar.schema);
            let known = groups.entry(group).or_insert_with(|| odds(&checked, any));
            let Some(Odds::Share { all, rivals, .. }) = known else {
                continue;
            };
            if *rivals == 0 {
                continue;
            }
            let first = scan.tokens.partition_point(|token| token.start < start);
            let last = scan.statements.iter().find(|span| span.contains(&first));
            let behind = first..last.map_or(first, |span| span.end);
            let count = behind
                .filter(|at| scan.slots.get(*at) == Some(&Slot::Count))
                .find_map(|at| scan.tokens.get(at));
            let count = count.map_or(place.range().end, |token| token.end);
            let share = any.rule().count().get() as f64 / (*all as f64).max(1.0);
            hints.push(Hint {
                at: count,
                text: format!("P {share:.2}"),
                tip: format!(
                    "{} of {all} instances of its pattern, which {} rules share",
                    any.rule().count(),
                    *rivals + 1
                ),
            });
        }
        hints.sort_by_key(|hint| hint.at);
        hints
    }

    /// What stands over the rules of a grammar or the cases of a case file.
    pub fn lenses(&mut self, path: &Path) -> Vec<Lens> {
        match FileKind::of(path) {
            FileKind::Grammar => self.rule_lenses(path),
            FileKind::Cases => self.case_lenses(path),
            FileKind::Schema => Vec::new(),
        }
    }

    fn rule_lenses(&mut self, path: &Path) -> Vec<Lens> {
        let Some(checked) = self.checked(path) else {
            return Vec::new();
        };
        let own = normalize(path);
        let Some(spoken) = self.spoken(path).cloned() else {
            let tests = self.case_files();
            let root = self.root_of(path);
            let is_tested = tests
                .iter()
                .any(|file| self.grammar_of_cases(file).as_ref() == Some(&root));
            let lens = Lens {
                range: 0..0,
                title: "count how often rules speak".to_owned(),
                does: Does::Count,
            };
            return is_tested.then_some(lens).into_iter().collect();
        };
        let grammar = &checked.loaded.grammar;
        let rules = grammar.rules().map(|any| any.rule());
        let all = rules.chain(grammar.tables.iter().map(|table| &table.rule));
        let mut lenses = Vec::new();
        for rule in all {
            let Some(place) = rule.place.as_ref() else {
                continue;
            };
            if normalize(Path::new(place.source().name())) != own {
                continue;
            }
            let used = spoken.rules.get(&*rule.id);
            let texts = used.map_or(&[][..], |used| &used.texts);
            let spots = texts
                .iter()
                .filter_map(|(file, name)| self.case_spot(file, name));
            lenses.push(Lens {
                range: place.range(),
                title: spoken.tell(&rule.id),
                does: Does::Show {
                    spots: spots.collect(),
                },
            });
        }
        lenses.sort_by_key(|lens| lens.range.start);
        lenses
    }

    /// Where a case begins.
    fn case_spot(&mut self, file: &Path, name: &str) -> Option<Spot> {
        let source = self.text(file)?;
        let cases = read_cases(&source).cases;
        let case = cases.iter().find(|case| case.name == name)?;
        Some(Spot::of(&case.place))
    }

    fn case_lenses(&mut self, path: &Path) -> Vec<Lens> {
        let Some(source) = self.text(path) else {
            return Vec::new();
        };
        let cases = read_cases(&source).cases;
        let lenses = cases.iter().flat_map(|case| {
            let range = case.place.range();
            let name = case.name.clone();
            let run = Lens {
                range: range.clone(),
                title: "run".to_owned(),
                does: Does::Run { case: name.clone() },
            };
            let take = Lens {
                range,
                title: "take the found tree".to_owned(),
                does: Does::Take { case: name },
            };
            [run, take]
        });
        lenses.collect()
    }
}
