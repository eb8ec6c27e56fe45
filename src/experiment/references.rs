//! Summaries of single texts against what people wrote of them.

use rayon::prelude::*;

use super::{Interval, Table};
use crate::error::{Error, Result};
use crate::evaluate::{Against, Tokens, score_against};
use crate::summarize::{
    Fit, Length, Method, SourceText, SummaryOptions, Tastes, characters, summarize,
};
use crate::text::Analyzer;
use crate::tree::Tree;

/// How a text is summarized in a row of the table.
#[derive(Debug, Clone)]
pub struct Contestant {
    /// What the row is called.
    pub name: String,
    /// How units are chosen.
    pub method: Method,
    /// Which trees it reads.
    pub trees: Trees,
}

/// The trees that a contestant reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trees {
    /// Those of the grammar.
    Parsed,
    /// Those made by hand; texts without one are left out of no row, and have the grammar's.
    Gold,
    /// None: positions and words alone.
    None,
}

/// What single texts are compared by.
#[derive(Debug, Clone)]
pub struct References {
    /// The rows; what the first gains over the others is told.
    pub contestants: Vec<Contestant>,
    /// Everything else about the summaries.
    pub options: SummaryOptions,
    /// What ROUGE counts.
    pub tokens: Tokens,
}

impl References {
    /// The default method with and without trees (and with gold trees, where there are any), first sentences of
    /// paragraphs, Lead, LexRank and TextRank.
    pub fn usual(options: SummaryOptions, has_gold: bool) -> References {
        let row = |name: &str, method, trees| Contestant {
            name: name.to_owned(),
            method,
            trees,
        };
        let mut contestants = vec![
            row("arsg", Method::Arsg, Trees::Parsed),
            row("arsg without trees", Method::Arsg, Trees::None),
        ];
        if has_gold {
            contestants.push(row("arsg with gold trees", Method::Arsg, Trees::Gold));
        }
        contestants.extend([
            row(
                "first sentences of paragraphs",
                Method::Openings,
                Trees::None,
            ),
            row("lead", Method::Lead, Trees::None),
            row("lexrank", Method::LexRank, Trees::None),
            row("textrank", Method::TextRank, Trees::None),
        ]);
        References {
            contestants,
            options,
            tokens: Tokens::Characters,
        }
    }
}

/// The measures of a summary, as a person reads them.
type Measure = (&'static str, fn(&Against) -> f64);
const MEASURES: [Measure; 4] = [
    ("mean", |a| {
        100.0 * (a.rouge1.f1 + a.rouge2.f1 + a.rouge_l.f1) / 3.0
    }),
    ("ROUGE-1", |a| 100.0 * a.rouge1.f1),
    ("ROUGE-2", |a| 100.0 * a.rouge2.f1),
    ("ROUGE-L", |a| 100.0 * a.rouge_l.f1),
];

/// Summarizes every text that has abstracts, at the length of each, and measures the summaries against it; of
/// several abstracts the best counts. `gold` finds the tree by hand of a text.
pub fn tabulate_references(
    texts: &[SourceText],
    gold: impl Fn(&str) -> Option<Tree> + Sync,
    reader: &Analyzer,
    how: &References,
    done: impl Fn() + Sync,
) -> Result<Table> {
    let known: Vec<&SourceText> = texts
        .iter()
        .filter(|text| !text.document.abstracts.is_empty())
        .collect();
    if known.is_empty() {
        let message = "no text has an `abstract` to compare summaries with".to_owned();
        return Err(Error::Missing(message));
    }
    let found: Vec<Vec<Score>> = known
        .par_iter()
        .map(|text| {
            let scores = how.contestants.iter().map(|contestant| {
                let text = contestant.trees.of(text, &gold);
                contestant.score(&text, how, reader)
            });
            let scores = scores.collect();
            done();
            scores
        })
        .collect::<Result<_>>()?;
    let by_row: Vec<Vec<Score>> = (0..how.contestants.len())
        .map(|row| {
            found
                .iter()
                .filter_map(|text| text.get(row).copied())
                .collect()
        })
        .collect();
    Ok(table(&by_row, known.len(), how))
}

impl Trees {
    /// The text with the tree that is read.
    fn of(self, text: &SourceText, gold: impl Fn(&str) -> Option<Tree>) -> SourceText {
        match self {
            Trees::Parsed => text.clone(),
            Trees::None => text.clone().with_tree(None),
            Trees::Gold => match gold(&text.document.id) {
                Some(tree) => text.clone().with_tree(Some(tree)),
                None => text.clone(),
            },
        }
    }
}

/// How one summary fared.
#[derive(Debug, Clone, Copy)]
struct Score {
    against: Against,
    /// Its length over that of the abstract.
    length: f64,
}

impl Contestant {
    fn score(&self, text: &SourceText, how: &References, reader: &Analyzer) -> Result<Score> {
        let mut best: Option<Score> = None;
        for told in &text.document.abstracts {
            let options = SummaryOptions {
                method: self.method,
                length: Length::Characters(characters(told).max(1)),
                fit: how.options.fit.or(Some(Fit::Nearest)),
                tastes: match self.trees {
                    Trees::None => how.options.tastes.clone().step(1.0),
                    _ => how.options.tastes.clone(),
                },
                ..how.options.clone()
            };
            let summary = summarize(std::slice::from_ref(text), &options)?;
            let lines: Vec<&str> = summary.lines.iter().map(|l| l.shown.as_str()).collect();
            let shown = lines.join("\n");
            let against = score_against(&shown, &[told], how.tokens, reader);
            let score = against.map(|against| Score {
                against,
                length: characters(&shown) as f64 / characters(told).max(1) as f64,
            });
            let mean = |score: &Score| MEASURES[0].1(&score.against);
            best = match (best, score) {
                (Some(best), Some(score)) if mean(&best) >= mean(&score) => Some(best),
                (best, score) => score.or(best),
            };
        }
        best.ok_or_else(|| {
            let id = &text.document.id;
            Error::Empty(format!("the abstract of `{id}` says nothing"))
        })
    }
}

impl Tastes {
    /// The same with another cost of satellite steps.
    fn step(self, step: f64) -> Tastes {
        Tastes { step, ..self }
    }
}

fn table(found: &[Vec<Score>], texts: usize, how: &References) -> Table {
    let mut table = Table::new(
        "references",
        "Single texts against abstracts by people, at the length of each",
        &[],
    );
    table.head = std::iter::once("method".to_owned())
        .chain(MEASURES.iter().map(|(name, _)| (*name).to_owned()))
        .chain(["length".to_owned(), "gain of the first".to_owned()])
        .collect();
    let values = |row: usize, value: fn(&Against) -> f64| -> Vec<f64> {
        let scores = found.get(row).into_iter().flatten();
        scores.map(|score| value(&score.against)).collect()
    };
    for (row, contestant) in how.contestants.iter().enumerate() {
        let mut cells = vec![contestant.name.clone()];
        for (_, value) in MEASURES {
            cells.push(Interval::of(&values(row, value)).to_text(1));
        }
        let lengths: Vec<f64> = found
            .get(row)
            .into_iter()
            .flatten()
            .map(|score| 100.0 * score.length)
            .collect();
        cells.push(format!("{:.0}%", Interval::of(&lengths).mean));
        let [(_, mean), ..] = MEASURES;
        cells.push(match row {
            0 => String::new(),
            _ => Interval::of_gains(&values(0, mean), &values(row, mean)).to_gain(1),
        });
        table.rows.push(cells);
    }
    let tokens = match how.tokens {
        Tokens::Words => "words",
        Tokens::Characters => "characters",
    };
    table.note(format!(
        "{texts} texts with abstracts; F1 over {tokens} (no marks), times 100, with 95% intervals over the texts; the \
         mean is that of the three. A summary ends with the sentence that brings it nearest to the abstract's \
         characters; `length` is what came of it. Lead and first sentences are taken as they come, without a filter."
    ))
}
