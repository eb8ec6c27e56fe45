//! Cases run: does the grammar make what is expected?

use std::sync::Arc;

use super::compare::{Difference, differences, draw_differences, strip_like};
use super::{Case, CaseFile};
use crate::automaton::{Engine, Parse, ParseOptions};
use crate::tree::{Format, Tree, WriteOptions, write};

/// How many trees are counted at most for `:parses(N)`.
pub const MAX_PARSES: usize = 10_000;

/// What a case came to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Verdict {
    /// All is as expected.
    Passed,
    /// Not run: `:skip`.
    Skipped,
    /// Something is not.
    Failed(Failure),
}

/// Why a case failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// There is no tree: the text has no EDUs.
    NoEdus,
    /// The text was segmented otherwise than the tree expects: the EDUs found.
    OtherEdus {
        /// How many the expected tree has.
        expected: usize,
        /// Those of the text.
        found: Vec<Arc<str>>,
    },
    /// Another tree.
    OtherTree {
        /// What differs.
        differences: Vec<Difference>,
        /// Both trees, drawn into one another.
        drawn: String,
    },
    /// No tree is expected yet.
    NothingExpected,
    /// `:strict`, and a step that no rule covers: where.
    Uncovered(String),
    /// `:error`, and rules cover all of it.
    Covered,
    /// `:parses(N)`, and there are more or fewer; none when there are more than can be counted.
    OtherCount {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: Option<usize>,
    },
}

impl Case {
    /// Parses the text and compares.
    pub fn run(&self, engine: &Engine, options: &ParseOptions) -> Verdict {
        if self.asks.skip {
            return Verdict::Skipped;
        }
        let parse = engine.parse_with(&self.document, options);
        match self.failure(engine, &parse, options) {
            Some(failure) => Verdict::Failed(failure),
            None => Verdict::Passed,
        }
    }

    fn failure(&self, engine: &Engine, parse: &Parse, options: &ParseOptions) -> Option<Failure> {
        let uncovered = engine.describe_uncovered(parse);
        if self.asks.error {
            return match (uncovered, parse.tree()) {
                (Some(_), _) | (None, None) => None,
                (None, Some(_)) => Some(Failure::Covered),
            };
        }
        let Some(found) = parse.tree() else {
            return Some(Failure::NoEdus);
        };
        if let (true, Some(said)) = (self.asks.strict, uncovered) {
            return Some(Failure::Uncovered(said));
        }
        if let Some(expected) = self.asks.parses {
            let found = engine.count_parses(&parse.text, options.counting, MAX_PARSES);
            if found != Some(expected) {
                return Some(Failure::OtherCount { expected, found });
            }
        }
        match &self.tree {
            Some(expected) => other_tree(expected, found),
            None if self.asks.parses.is_some() => None,
            None => Some(Failure::NothingExpected),
        }
    }
}

fn other_tree(expected: &Tree, found: &Tree) -> Option<Failure> {
    if expected.edus.len() != found.edus.len() {
        return Some(Failure::OtherEdus {
            expected: expected.edus.len(),
            found: found.edus.iter().map(|edu| Arc::clone(&edu.text)).collect(),
        });
    }
    let differences = differences(expected, found);
    (!differences.is_empty()).then(|| Failure::OtherTree {
        drawn: draw_differences(expected, found),
        differences,
    })
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::NoEdus => f.write_str("the text has no EDUs"),
            Failure::OtherEdus { expected, found } => {
                write!(
                    f,
                    "the tree expects {expected} EDUs, the text has {}:",
                    found.len()
                )?;
                for (at, edu) in found.iter().enumerate() {
                    write!(f, "\n  {} {edu}", at + 1)?;
                }
                Ok(())
            }
            Failure::OtherTree { differences, drawn } => {
                for difference in differences {
                    writeln!(f, "{difference}")?;
                }
                write!(f, "- expected, + found:\n{}", drawn.trim_end())
            }
            Failure::NothingExpected => {
                f.write_str("no tree is expected; `arsg test -u` writes the one that is found")
            }
            Failure::Uncovered(said) => f.write_str(said),
            Failure::Covered => f.write_str("rules cover the text, and `:error` says they do not"),
            Failure::OtherCount { expected, found } => match found {
                Some(found) => write!(f, "{found} trees are possible, not {expected}"),
                None => write!(
                    f,
                    "more than {MAX_PARSES} trees are possible, not {expected}"
                ),
            },
        }
    }
}

/// The file with the trees that are found now, where they are not those expected, and the names
/// of the cases that cannot be updated: a text without EDUs, or a step that no rule covers, is
/// never taken as what should be. Nothing else of the file changes.
pub fn update_cases(
    file: &CaseFile,
    wanted: impl Fn(&Case) -> bool,
    engine: &Engine,
    options: &ParseOptions,
) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut refused = Vec::new();
    let mut done = 0;
    for case in file.cases.iter().filter(|case| wanted(case)) {
        let Verdict::Failed(failure) = case.run(engine, options) else {
            continue;
        };
        let parse = engine.parse_with(&case.document, options);
        let covered = engine.describe_uncovered(&parse).is_none();
        let tree = parse.into_tree().filter(|_| covered && !case.asks.error);
        match (tree, failure) {
            (_, Failure::OtherCount { .. }) | (None, _) => refused.push(case.name.clone()),
            (Some(tree), _) => {
                let before = file.source.text().get(done..case.tree_range.start);
                text.push_str(before.unwrap_or_default());
                text.push_str(&write_expected(tree, case));
                done = case.tree_range.end;
            }
        }
    }
    text.push_str(file.source.text().get(done..).unwrap_or_default());
    (text, refused)
}

/// The tree as its case writes trees, with the blank lines that stood after the old one.
fn write_expected(tree: Tree, case: &Case) -> String {
    let mut tree = match &case.tree {
        Some(old) => strip_like(tree, old),
        None => {
            let bare = Tree::flat(vec![Default::default(); tree.edus.len()]);
            bare.map_or_else(|_| tree.clone(), |bare| strip_like(tree.clone(), &bare))
        }
    };
    tree.id = None;
    let old = case.source().text().get(case.tree_range.clone());
    let old = old.unwrap_or_default();
    let new = write(&tree, Format::Sexp, &WriteOptions::default());
    let blank = if old.trim().is_empty() {
        "\n"
    } else {
        old.get(old.trim_end().len()..).unwrap_or_default()
    };
    let starts_line = case.tree_range.start == 0
        || case
            .source()
            .text()
            .as_bytes()
            .get(case.tree_range.start - 1)
            == Some(&b'\n');
    let lead = if starts_line { "" } else { "\n" };
    format!("{lead}{}{blank}", new.trim_end())
}
