//! Parseval: how alike two trees of the same text are.
//!
//! **Original Parseval** (Morey et al. 2017) compares the inner nodes of the binary trees: a span
//! counts when both trees have it, its nuclearity when the roles of the two children agree, its
//! relation when the relation between the children agrees. The root is an inner node and counts
//! (`docs/formats.md` says what changes without it). **RST-Parseval** (Marcu 2000) compares all
//! nodes but the root, leaves included, with what each is to its parent; it gives higher figures.
//! Texts that are segmented differently are compared by the characters that nodes cover.

mod align;
mod level;
mod report;
mod score;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use align::{Pairing, pair_by_id};
pub use level::Level;
pub use report::Breakdown;

use super::edus::Edu;
use super::{JoinError, Tree};
use crate::diagnostic::Diagnostic;
use crate::schema::Schema;
use crate::setters::setters;

/// Which nodes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Definition {
    /// Inner nodes with what joins their children.
    Original,
    /// All nodes but the root with what they are to their parents.
    Rst,
}

/// How fine relations are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelationGrain {
    /// By class: the schema's, else what stands before the first hyphen.
    Coarse,
    /// By name.
    Fine,
}

/// A tree that knows nothing, to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Baseline {
    /// Every EDU joins all that follows.
    RightBranching,
    /// Every EDU joins all that precedes.
    LeftBranching,
}

impl Baseline {
    /// The baseline's tree over these EDUs; all nuclei, no relations.
    pub fn tree(self, edus: Vec<Edu>) -> Result<Tree, JoinError> {
        match self {
            Baseline::RightBranching => Tree::flat(edus),
            Baseline::LeftBranching => Tree::left_branching(edus),
        }
    }
}

/// How to compare.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ParsevalOptions {
    /// How fine relations are told apart.
    pub grain: RelationGrain,
    /// Whether the root counts in original Parseval.
    pub root: bool,
    /// How often documents are drawn again for the confidence intervals; 0 for none.
    pub bootstrap: usize,
    /// The seed of that drawing.
    pub seed: u64,
}

setters! {
    ParsevalOptions {
        grain: RelationGrain,
        root: bool,
        bootstrap: usize,
        seed: u64,
    }
}

impl Default for ParsevalOptions {
    fn default() -> ParsevalOptions {
        ParsevalOptions {
            grain: RelationGrain::Coarse,
            root: true,
            bootstrap: 1000,
            seed: 1,
        }
    }
}

/// How many were matched, of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// In both.
    pub matched: usize,
    /// In the gold tree.
    pub gold: usize,
    /// In the predicted tree.
    pub predicted: usize,
}

impl Counts {
    /// Matched of the predicted.
    pub fn precision(self) -> f64 {
        ratio(self.matched, self.predicted)
    }

    /// Matched of the gold.
    pub fn recall(self) -> f64 {
        ratio(self.matched, self.gold)
    }

    /// The harmonic mean of both; 1 when there is nothing to find and nothing was found.
    pub fn f1(self) -> f64 {
        ratio(2 * self.matched, self.gold + self.predicted)
    }

    fn add(&mut self, other: Counts) {
        self.matched += other.matched;
        self.gold += other.gold;
        self.predicted += other.predicted;
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 1.0,
        whole => part as f64 / whole as f64,
    }
}

/// The four figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// S: the span.
    pub span: Counts,
    /// N: span and nuclearity.
    pub nuclearity: Counts,
    /// R: span and relation.
    pub relation: Counts,
    /// F: span, nuclearity and relation.
    pub full: Counts,
}

impl Figures {
    /// The figures with their letters.
    pub fn named(&self) -> [(&'static str, Counts); 4] {
        [
            ("S", self.span),
            ("N", self.nuclearity),
            ("R", self.relation),
            ("F", self.full),
        ]
    }

    /// Adds the figures of other texts.
    pub fn add(&mut self, other: &Figures) {
        self.span.add(other.span);
        self.nuclearity.add(other.nuclearity);
        self.relation.add(other.relation);
        self.full.add(other.full);
    }
}

/// The figures of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentScore {
    /// Its id.
    pub id: Arc<str>,
    /// How many EDUs the gold tree has.
    pub gold_edus: usize,
    /// How many EDUs the predicted tree has.
    pub predicted_edus: usize,
    /// Original Parseval.
    pub original: Figures,
    /// RST-Parseval.
    pub rst: Figures,
}

/// Original Parseval's R for one relation.
#[derive(Debug, Clone, PartialEq)]
pub struct RelationScore {
    /// The relation or class.
    pub relation: String,
    /// Nodes with that relation; matched when span and relation agree.
    pub counts: Counts,
}

/// A 95% confidence interval of F1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// How it was compared.
    pub grain: RelationGrain,
    /// By document, in order of ids.
    pub documents: Vec<DocumentScore>,
    /// All documents together, original Parseval.
    pub original: Figures,
    /// All documents together, RST-Parseval.
    pub rst: Figures,
    /// Original Parseval by level.
    pub levels: Vec<(Level, Figures)>,
    /// Original Parseval's R by relation, the most frequent first.
    pub relations: Vec<RelationScore>,
    /// Of S, N, R and F of original Parseval; none for fewer than two documents.
    pub intervals: Option<[Interval; 4]>,
}

/// Compares predicted with gold trees. What cannot be compared is left out and reported.
pub fn parseval(
    pairs: &[Pairing],
    options: &ParsevalOptions,
    schema: Option<&Schema>,
) -> (Report, Vec<Diagnostic>) {
    let mut problems = Vec::new();
    let mut documents = Vec::new();
    let mut levels: BTreeMap<Level, Figures> = BTreeMap::new();
    let mut relations: BTreeMap<String, Counts> = BTreeMap::new();
    let class = |name: &str| score::class(name, options.grain, schema);
    for pair in pairs {
        let places = match align::find_places(pair) {
            Ok((places, problem)) => {
                problems.extend(problem);
                places
            }
            Err(problem) => {
                problems.push(*problem);
                continue;
            }
        };
        let original = score::Comparison::original(pair, &places, options.root, &class);
        let rst = score::Comparison::rst(pair, &places, &class);
        original.add_by_level(&mut levels);
        original.add_by_relation(&mut relations);
        documents.push(DocumentScore {
            id: Arc::clone(&pair.id),
            gold_edus: pair.gold.edus.len(),
            predicted_edus: pair.predicted.edus.len(),
            original: original.figures(),
            rst: rst.figures(),
        });
    }
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let mut relations: Vec<RelationScore> = relations
        .into_iter()
        .map(|(relation, counts)| RelationScore { relation, counts })
        .collect();
    relations.sort_by_key(|score| std::cmp::Reverse(score.counts.gold));
    let report = Report {
        grain: options.grain,
        original: total(documents.iter().map(|document| &document.original)),
        rst: total(documents.iter().map(|document| &document.rst)),
        levels: levels.into_iter().collect(),
        relations,
        intervals: score::draw_intervals(&documents, options),
        documents,
    };
    (report, problems)
}

fn total<'a>(figures: impl Iterator<Item = &'a Figures>) -> Figures {
    let mut sum = Figures::default();
    figures.for_each(|one| sum.add(one));
    sum
}
