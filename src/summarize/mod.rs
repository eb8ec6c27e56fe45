//! Summaries of one text or of many: the paper's Section 7, and what reads the same trees better.
//!
//! A [`SourceText`] is a document that was read, with its rhetorical tree where there is one and its
//! weight among the others (the population of its cube, Algorithm 8). [`summarize`] chooses units of
//! the texts by a [`Method`] and says of every line of the [`Summary`] where it comes from.

mod alone;
mod anchor;
mod baseline;
mod centre;
mod claim_lexicon;
mod claims;
mod cnnlm;
mod contradiction;
mod cover;
pub mod digest;
mod graph;
mod landscape;
mod lexicon;
mod material;
mod paper;
mod pick;
mod quantity;
mod readable;
mod report;
mod settings;
mod shown;
mod standing;
mod unit;
mod write;

pub use anchor::{PathStep, path};
pub use baseline::similarity_ranks;
pub use contradiction::{Contradiction, contradict, contradictions};
pub use graph::rank as page_rank;
pub use landscape::Landscape;
pub(crate) use material::tells;
pub use paper::{Priority, priority_sequence};
pub use report::{ContradictionJson, LineJson, StepJson, SummaryJson, json_schema};
pub use settings::SummarySettings;
pub use shown::characters;
pub use standing::{Tastes, standings};
pub use unit::{Fit, Length, READERS_MOST, READERS_MOST_IN_ALL, Unit, UnitKind, units};
pub(crate) use write::section;
pub use write::{SummaryLayout, to_html, to_markdown, to_page, to_text};

use std::sync::Arc;

use crate::automaton::{self, Engine};
use crate::named::named_enum;
use crate::setters::setters;
use crate::stopwatch::Stopwatch;
use crate::text::{Analysis, Analyzer, Document};
use crate::tree::Tree;

/// A text to be summarized.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// The document.
    pub document: Document,
    /// Its words, sentences and EDUs.
    pub analysis: Analysis,
    /// Its weight among the texts: the number of impacts in its cube (Algorithm 8).
    pub weight: f64,
    /// Whether it stands for its cube: Algorithm 8 takes one text of each.
    pub is_representative: bool,
    tree: Option<Tree>,
    /// What the grammar that gave it its EDUs has read, until it is parsed.
    unparsed: Option<Unparsed>,
}

/// A text as a grammar has read it.
#[derive(Debug, Clone)]
struct Unparsed {
    /// The hash of the grammar.
    grammar: String,
    analysis: Arc<Analysis>,
}

impl SourceText {
    /// A text without a tree, as heavy as any other.
    pub fn new(document: Document, analysis: Analysis) -> SourceText {
        SourceText {
            document,
            analysis,
            weight: 1.0,
            is_representative: true,
            tree: None,
            unparsed: None,
        }
    }

    /// A text with the EDUs that a grammar gives it, and the words that `reader`, made for the
    /// domain, reads in them; not yet parsed.
    pub fn read(mut document: Document, engine: &Engine, reader: &Analyzer) -> SourceText {
        let unparsed = Unparsed {
            grammar: engine.hash().to_owned(),
            analysis: Arc::new(engine.analyzer().segment(&mut document)),
        };
        let analysis = reader.analyze(&document);
        SourceText {
            unparsed: Some(unparsed),
            ..SourceText::new(document, analysis)
        }
    }

    /// Gives it the tree that the grammar finds.
    pub fn parse(&mut self, engine: &Engine, how: &automaton::ParseOptions) {
        let read = self.unparsed.take();
        let measured = match read.filter(|read| read.grammar == engine.hash()) {
            Some(read) => automaton::Text::new(&self.document, &read.analysis, engine.schema()),
            None => engine.read(&self.document),
        };
        let tree = engine.parse_text(Arc::new(measured), how).into_tree();
        self.tree = tree.filter(|tree| tree.edus.len() == self.analysis.edus.len());
    }

    /// Both in one.
    pub fn read_and_parse(
        document: Document,
        engine: &Engine,
        reader: &Analyzer,
        how: &automaton::ParseOptions,
    ) -> SourceText {
        let mut text = SourceText::read(document, engine, reader);
        text.parse(engine, how);
        text
    }

    /// With its tree. A tree over other EDUs is none of this text's: positions will have to do.
    pub fn with_tree(mut self, tree: Option<Tree>) -> SourceText {
        let edus = self.analysis.edus.len();
        self.tree = tree.filter(|tree| tree.edus.len() == edus);
        self
    }

    /// With its weight; what is no weight counts as 0.
    pub fn with_weight(mut self, weight: f64) -> SourceText {
        self.weight = if weight.is_finite() {
            weight.max(0.0)
        } else {
            0.0
        };
        self
    }

    /// Its tree, where it could be parsed.
    pub fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref()
    }
}

named_enum! {
    /// How units are chosen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Method {
        /// The same trees read better: fewest satellite steps, paragraph openings, the concepts that
        /// several texts share, no duplicates.
        #[default]
        Arsg = "arsg",
        /// Algorithms 7 and 8 as printed.
        Paper = "paper",
        /// The first units of the texts, heavy texts first.
        Lead = "lead",
        /// Lead as the paper describes it: the first EDUs, whatever they say.
        LeadPaper = "lead-paper",
        /// The first unit of every paragraph, in text order; then the second ones, and so on.
        Openings = "openings",
        /// LexRank: TextRank over the cosines of the units' tf-idf.
        LexRank = "lexrank",
        /// TextRank over the units' common words, with a penalty on what was said.
        TextRank = "textrank",
        /// TextRank as the paper describes it: over all sentences.
        TextRankPaper = "textrank-paper",
        /// Maximal marginal relevance against the centroid of the texts.
        Mmr = "mmr",
        /// TextRank over sentence vectors of a convolutional language model trained on the texts.
        Cnnlm = "cnnlm",
    }
}

impl Method {
    /// True when it reads the tree of a text: all trees, or those of the texts that stand for their
    /// cubes.
    pub fn reads_tree(self, text: &SourceText) -> bool {
        match self {
            Method::Arsg => true,
            Method::Paper => text.is_representative,
            _ => false,
        }
    }

    /// True when it asks how much the texts weigh.
    pub fn reads_weights(self) -> bool {
        matches!(
            self,
            Method::Arsg | Method::Paper | Method::Lead | Method::LeadPaper | Method::Openings
        )
    }

    /// True for what is done as the paper prints it: nothing is filtered, and lines come as they were
    /// chosen.
    pub fn is_printed(self) -> bool {
        matches!(
            self,
            Method::Paper | Method::LeadPaper | Method::TextRankPaper
        )
    }

    /// True when it takes the units of a single text as they come, as peers do: nothing is filtered.
    pub(super) fn takes_text_as_it_is(self) -> bool {
        self.is_printed() || matches!(self, Method::Lead | Method::Openings)
    }

    /// The units it chooses among unless told otherwise: Algorithms 7 and 8 speak of EDUs.
    pub fn default_unit(self) -> UnitKind {
        match self {
            Method::Paper | Method::LeadPaper => UnitKind::Edu,
            _ => UnitKind::Sentence,
        }
    }
}

/// The order of a summary's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Order {
    /// As in the sources: texts by weight and date, units in text order.
    #[default]
    Source,
    /// As chosen.
    Priority,
}

/// What a summary should be like.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SummaryOptions {
    /// How units are chosen.
    pub method: Method,
    /// How long it is.
    pub length: Length,
    /// How it keeps to its length. When not said: one text is told to the nearest unit, and a summary of
    /// several texts, or one as the paper prints it, is never longer.
    pub fit: Option<Fit>,
    /// What is chosen; the method's own unit when not said.
    pub unit: Option<UnitKind>,
    /// The order of the lines; the method's own when not said: as chosen where the paper is followed as
    /// printed, else as in the sources.
    pub order: Option<Order>,
    /// Units whose ROUGE-1 F1 with a chosen one is greater are skipped; 1 skips none. When not said: 1
    /// where the paper is followed as printed, else [`DEFAULT_REDUNDANCY`].
    pub redundancy: Option<f64>,
    /// With the paper's method: an EDU brings what it needs to be read.
    pub whole: bool,
    /// The priority function f of Algorithm 8.
    pub priority: Priority,
    /// What the default method likes.
    pub tastes: Tastes,
    /// The seed of what is drawn (the language model of `cnnlm`).
    pub seed: u64,
}

setters! {
    SummaryOptions {
        method: Method,
        length: Length,
        fit: Option<Fit>,
        unit: Option<UnitKind>,
        order: Option<Order>,
        redundancy: Option<f64>,
        whole: bool,
        priority: Priority,
        tastes: Tastes,
        seed: u64,
    }
}

impl Default for SummaryOptions {
    fn default() -> SummaryOptions {
        SummaryOptions {
            method: Method::default(),
            length: Length::default(),
            fit: None,
            unit: None,
            order: None,
            redundancy: None,
            whole: false,
            priority: Priority::default(),
            tastes: Tastes::default(),
            seed: 1,
        }
    }
}

impl SummaryOptions {
    /// The redundancy asked for, or the method's own.
    pub(super) fn likeness_allowed(&self) -> f64 {
        self.redundancy.unwrap_or(if self.method.is_printed() {
            1.0
        } else {
            DEFAULT_REDUNDANCY
        })
    }

    /// How a summary of so many texts keeps to its length.
    pub(super) fn fit_to(&self, texts: usize) -> Fit {
        self.fit
            .unwrap_or(if texts == 1 && !self.method.is_printed() {
                Fit::Nearest
            } else {
                Fit::AtMost
            })
    }

    /// The order asked for, or the method's own.
    fn lines_order(&self) -> Order {
        self.order.unwrap_or(if self.method.is_printed() {
            Order::Priority
        } else {
            Order::Source
        })
    }
}

/// Above this ROUGE-1 F1 two units say the same to a reader.
pub const DEFAULT_REDUNDANCY: f64 = 0.5;

/// A summary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Its lines, in the order asked for.
    pub lines: Vec<Line>,
    /// How many words it has, marks not counted.
    pub words: usize,
    /// How many EDUs it shows.
    pub edus: usize,
}

/// A line of a summary, with where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The text, by its place among those given.
    pub text: usize,
    /// The EDUs shown, counted from 0 through the text; several stretches where clauses were dropped.
    pub edus: Vec<std::ops::Range<usize>>,
    /// What is shown.
    pub shown: String,
    /// How many words that is, marks not counted.
    pub words: usize,
    /// The weight of its text.
    pub weight: f64,
    /// Its place in its text's own order of priority, from 1.
    pub rank: usize,
    /// What it was chosen by: f of Algorithm 8, or the method's own score.
    pub priority: f64,
    /// The way from the root of the tree down to the nucleus of what is shown; empty without a tree.
    pub path: Vec<PathStep>,
}

/// Summarizes texts.
pub fn summarize(texts: &[SourceText], options: &SummaryOptions) -> crate::Result<Summary> {
    let watch = Stopwatch::start();
    let lines = match options.method {
        Method::Paper => paper::choose(texts, options),
        Method::Arsg if texts.len() == 1 => alone::choose(texts, options),
        Method::Arsg => cover::choose(texts, options),
        Method::Lead | Method::LeadPaper => baseline::choose_lead(texts, options),
        Method::Openings => baseline::choose_openings(texts, options),
        Method::LexRank => baseline::choose_lexrank(texts, options),
        Method::TextRank | Method::TextRankPaper => baseline::choose_textrank(texts, options),
        Method::Mmr => baseline::choose_mmr(texts, options),
        Method::Cnnlm => cnnlm::choose(texts, options)?,
    };
    let summary = pick::order_lines(texts, lines, options.lines_order());
    tracing::info!(
        method = options.method.as_str(),
        texts = texts.len(),
        lines = summary.lines.len(),
        took = %watch,
        "summarized"
    );
    Ok(summary)
}
