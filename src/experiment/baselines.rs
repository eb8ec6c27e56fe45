//! The fourth table: summaries by several methods, measured side by side.

use rayon::prelude::*;

use super::{Interval, Table};
use crate::error::Result;
use crate::evaluate::{Classifier, Evaluation, Judge, Tokens};
use crate::schema::Schema;
use crate::summarize::{
    Length, Method, SourceText, SummaryJson, SummaryOptions, contradictions, summarize,
};
use crate::text::Analyzer;

/// What is compared.
#[derive(Debug, Clone)]
pub struct Baselines {
    /// The methods; what the first one gains over the others is told.
    pub methods: Vec<Method>,
    /// The lengths: a table each.
    pub lengths: Vec<Length>,
    /// Everything else about the summaries.
    pub options: SummaryOptions,
    /// What ROUGE counts.
    pub tokens: Tokens,
}

/// What came out.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// For every length a table of measures, and one of what the first method gains.
    pub tables: Vec<Table>,
    /// The first method's summaries of the groups at the last length.
    pub summaries: Vec<SummaryJson>,
}

/// The columns: as a person reads them, all times 100 or points.
type Column = (&'static str, fn(&Evaluation) -> f64);
const COLUMNS: [Column; 10] = [
    ("Score", |e| e.score),
    ("Score_strict", |e| e.score_strict),
    ("S", |e| 100.0 * e.sentiment),
    ("N", |e| 100.0 * e.novelty),
    ("E_paper", |e| 100.0 * e.entities_paper),
    ("E_recall", |e| 100.0 * e.entities_recall),
    ("W", |e| 100.0 * e.overlap),
    ("centroid", |e| 100.0 * e.centroid),
    ("titles", |e| 100.0 * e.titles.unwrap_or_default()),
    ("words", |e| e.words as f64),
];
/// Gains in words say nothing.
const GAINS: usize = COLUMNS.len() - 1;

/// Summarizes every group of texts by every method at every length, and measures the summaries.
/// `done` is told after each group.
pub fn tabulate_baselines(
    groups: &[Vec<SourceText>],
    schema: &Schema,
    classifier: &Classifier,
    how: &Baselines,
    mut done: impl FnMut(),
) -> Result<Comparison> {
    let reader = Analyzer::new(schema);
    // By length, method and group.
    let mut found: Vec<Vec<Vec<Evaluation>>> =
        vec![vec![Vec::new(); how.methods.len()]; how.lengths.len()];
    let mut summaries = Vec::new();
    for group in groups {
        let judge = Judge::new(group, schema, &reader, how.tokens, Some(classifier))?;
        for (at, length) in how.lengths.iter().enumerate() {
            let lines: Vec<Result<SummaryJson>> = how
                .methods
                .par_iter()
                .map(|method| summary(group, *method, *length, &how.options))
                .collect();
            for (method, summary) in lines.into_iter().enumerate() {
                let summary = summary?;
                let units: Vec<&str> = summary.lines.iter().map(|l| l.text.as_str()).collect();
                found[at][method].push(judge.evaluate(&units, Some(classifier))?);
                if method == 0 && at + 1 == how.lengths.len() {
                    summaries.push(summary);
                }
            }
        }
        done();
    }
    let mut tables = Vec::new();
    for (length, found) in how.lengths.iter().zip(&found) {
        tables.extend(tables_of(*length, found, how));
    }
    // What holds for all of them is said once.
    if let Some(first) = tables.first_mut() {
        first.notes.push(about(groups, how));
    }
    Ok(Comparison { tables, summaries })
}

fn summary(
    group: &[SourceText],
    method: Method,
    length: Length,
    options: &SummaryOptions,
) -> Result<SummaryJson> {
    let options = SummaryOptions {
        method,
        length,
        ..options.clone()
    };
    let summary = summarize(group, &options)?;
    let against = contradictions(group, &summary);
    Ok(SummaryJson::of(group, &summary, &against, &options))
}

/// The measures of one length, and what the first method gains over each other.
fn tables_of(length: Length, found: &[Vec<Evaluation>], how: &Baselines) -> [Table; 2] {
    let stem = length.to_string().replace('%', "percent");
    let length = match length {
        Length::Edus(edus) => format!("n = {edus} EDUs"),
        Length::Percent(share) => format!("{share}% of the EDUs"),
        Length::Words(words) => format!("at most {words} words"),
        Length::Characters(characters) => format!("at most {characters} characters"),
        other => format!("length {other}"),
    };
    let head = |columns: &[Column]| -> Vec<String> {
        let names = columns.iter().map(|(name, _)| (*name).to_owned());
        std::iter::once("method".to_owned()).chain(names).collect()
    };
    let name = |at: usize| how.methods.get(at).map_or("", |method| method.as_str());
    let values = |at: usize, value: fn(&Evaluation) -> f64| -> Vec<f64> {
        found.get(at).into_iter().flatten().map(value).collect()
    };
    let mut means = Table::new(
        &format!("baselines-{stem}"),
        &format!("Summaries by several methods, {length}"),
        &[],
    );
    means.head = head(&COLUMNS);
    for at in 0..how.methods.len() {
        let cells = COLUMNS
            .iter()
            .map(|(_, value)| Interval::of(&values(at, *value)).to_text(1));
        means
            .rows
            .push(std::iter::once(name(at).to_owned()).chain(cells).collect());
    }
    let mut gains = Table::new(
        &format!("gains-{stem}"),
        &format!("What {} gains, {length}", name(0)),
        &[],
    );
    gains.head = head(&COLUMNS[..GAINS]);
    for at in 1..how.methods.len() {
        let cells = COLUMNS[..GAINS].iter().map(|(_, value)| {
            Interval::of_gains(&values(0, *value), &values(at, *value)).to_gain(1)
        });
        let over = format!("over {}", name(at));
        gains
            .rows
            .push(std::iter::once(over).chain(cells).collect());
    }
    [means, gains]
}

fn about(groups: &[Vec<SourceText>], how: &Baselines) -> String {
    let texts: usize = groups.iter().map(Vec::len).sum();
    let tokens = match how.tokens {
        Tokens::Words => "words",
        Tokens::Characters => "characters",
    };
    format!(
        "{} groups with {texts} texts; means with 95% intervals over the groups, times 100 but for the two Scores and \
         words; ROUGE counts {tokens}. S, N, E, W and Score as in the paper (weights 20, 25, 25, 30); Score_strict has \
         the recall of entities for E. Random picks do well in N, E and W: look at centroid (the cosine with the \
         centre of the texts) and titles (the share of the words of the titles that a summary has) as well, and \
         compare the same length only.",
        groups.len()
    )
}
