//! N, E, W, the centroid and the titles; the Score.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::reference::{Against, Tokens};
use super::sentiment::{Classifier, Polarity, PolarityLexicon};
use crate::rouge::{likeness, rouge_n};
use crate::schema::Schema;
use crate::summarize::{SourceText, tells};
use crate::text::{Analysis, Analyzer, Document, find_entities};

/// What was measured. Everything but the counts and the scores lies between 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(title = "arsg evaluation")]
pub struct Evaluation {
    /// How many texts it is a summary of.
    pub texts: usize,
    /// What ROUGE counts in N and W.
    pub tokens: Tokens,
    /// How many units it has.
    pub units: usize,
    /// How many words, marks not counted: compare only what has the same length.
    pub words: usize,
    /// Sentiment: 1 when its polarity is that of the texts' titles on average.
    #[serde(rename = "S")]
    pub sentiment: f64,
    /// Novelty of its units.
    #[serde(rename = "N")]
    pub novelty: f64,
    /// Entities as printed in the paper: those of the texts over those of the summary, at most 1.
    #[serde(rename = "E_paper")]
    pub entities_paper: f64,
    /// Entities of the texts that the summary has, each by the number of texts it stands in.
    #[serde(rename = "E_recall")]
    pub entities_recall: f64,
    /// Word overlap: the mean ROUGE-1 F1 with the texts.
    #[serde(rename = "W")]
    pub overlap: f64,
    /// The cosine with the centroid of the texts (tf-idf of words that carry content).
    pub centroid: f64,
    /// The share of the words of the titles that it has, title by title; none without titles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub titles: Option<f64>,
    /// The paper's Score with E_paper, from 0 to 100.
    #[serde(rename = "Score")]
    pub score: f64,
    /// The same with E_recall.
    #[serde(rename = "Score_strict")]
    pub score_strict: f64,
    /// ROUGE against summaries that people wrote, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Against>,
}

/// The paper's weights of S, N, E and W.
pub const WEIGHTS: [f64; 4] = [20.0, 25.0, 25.0, 30.0];

/// The Score of S, N, E and W: always from 0 to 100.
pub fn score(parts: [f64; 4]) -> f64 {
    let whole = |part: f64| {
        if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let sum: f64 = parts
        .iter()
        .zip(WEIGHTS)
        .map(|(part, w)| whole(*part) * w)
        .sum();
    sum.clamp(0.0, WEIGHTS.iter().sum())
}

/// Measures summaries of one set of texts; what concerns the texts alone is computed once.
pub struct Judge<'a> {
    schema: &'a Schema,
    analyzer: &'a Analyzer,
    tokens: Tokens,
    /// The tokens of each text.
    texts: Vec<Vec<String>>,
    /// What the words of the texts weigh by their rarity.
    rarity: FxHashMap<String, f64>,
    centroid: FxHashMap<String, f64>,
    entities: FxHashMap<String, usize>,
    titles: Vec<Vec<String>>,
    polarity: Option<Polarity>,
}

impl<'a> Judge<'a> {
    /// Reads the texts. `tokens` are what ROUGE counts in N and W. Without a classifier S is not
    /// measured and counts as 0.
    #[expect(
        clippy::iter_over_hash_type,
        reason = "every word is counted by itself, and a text has it once"
    )]
    pub fn new(
        texts: &[SourceText],
        schema: &'a Schema,
        analyzer: &'a Analyzer,
        tokens: Tokens,
        classifier: Option<&Classifier>,
    ) -> crate::Result<Judge<'a>> {
        let mut frequencies: FxHashMap<String, f64> = FxHashMap::default();
        let mut names: FxHashMap<String, usize> = FxHashMap::default();
        let mut read = Vec::with_capacity(texts.len());
        let mut contents = Vec::with_capacity(texts.len());
        for text in texts {
            let content = content(&text.document, &text.analysis);
            for word in content.keys() {
                *frequencies.entry(word.clone()).or_default() += 1.0;
            }
            contents.push(content);
            for name in names_in(&text.document, &text.analysis, schema) {
                *names.entry(name).or_default() += 1;
            }
            read.push(tokens.of_words(&text.document.text, &text.analysis.words));
        }
        let count = texts.len() as f64;
        let rarity: FxHashMap<String, f64> = frequencies
            .into_iter()
            .map(|(word, texts)| (word, ((1.0 + count) / (1.0 + texts)).ln() + 1.0))
            .collect();
        let mut centroid: FxHashMap<String, f64> = FxHashMap::default();
        for content in contents {
            for (word, value) in weigh(content, &rarity) {
                *centroid.entry(word).or_default() += value;
            }
        }
        let titles: Vec<&str> = texts
            .iter()
            .filter_map(|text| text.document.title.as_deref())
            .collect();
        let polarity = classifier.map(|_| average_polarity(texts));
        Ok(Judge {
            schema,
            analyzer,
            tokens,
            texts: read,
            rarity,
            centroid,
            entities: names,
            titles: titles
                .iter()
                .map(|title| title_words(analyzer, title))
                .filter(|words| !words.is_empty())
                .collect(),
            polarity,
        })
    }

    /// Measures a summary that is given as its units.
    pub fn evaluate<S: AsRef<str>>(
        &self,
        units: &[S],
        classifier: Option<&Classifier>,
    ) -> crate::Result<Evaluation> {
        let mut document = Document::default();
        for unit in units.iter().filter(|unit| !unit.as_ref().trim().is_empty()) {
            document.push_text(crate::text::BlockKind::Paragraph, None, unit.as_ref());
        }
        let analysis = self.analyzer.analyze(&document);
        let units: Vec<Vec<String>> = analysis
            .blocks
            .iter()
            .map(|block| {
                let words = analysis.words.get(block.clone()).unwrap_or_default();
                self.tokens.of_words(&document.text, words)
            })
            .collect();
        let said = Tokens::Words.of_words(&document.text, &analysis.words);
        let sentiment = match (classifier, self.polarity) {
            (Some(classifier), Some(expected)) if !units.is_empty() => {
                let blocks = document.blocks.iter();
                let lines: Vec<&str> = blocks.map(|block| document.block_text(block)).collect();
                let found = Polarity::average(&classifier.predict(&lines)?);
                f64::from(u8::from(found == expected))
            }
            _ => 0.0,
        };
        let novelty = novelty(&units);
        let (entities_paper, entities_recall) = self.entities(&document, &analysis);
        let overlap = self.overlap(&units.concat());
        Ok(Evaluation {
            texts: self.texts.len(),
            tokens: self.tokens,
            units: units.len(),
            words: said.len(),
            sentiment,
            novelty,
            entities_paper,
            entities_recall,
            overlap,
            centroid: self.cosine(content(&document, &analysis)),
            titles: self.title_coverage(&said),
            score: score([sentiment, novelty, entities_paper, overlap]),
            score_strict: score([sentiment, novelty, entities_recall, overlap]),
            references: None,
        })
    }

    /// E as printed (clipped) and as recall (DESIGN 6.8).
    fn entities(&self, document: &Document, analysis: &Analysis) -> (f64, f64) {
        let found = names_in(document, analysis, self.schema);
        let paper = match found.len() {
            0 => 0.0,
            own => (self.entities.len() as f64 / own as f64).min(1.0),
        };
        let all: usize = self.entities.values().sum();
        let met = found.iter().filter_map(|name| self.entities.get(name));
        (paper, met.sum::<usize>() as f64 / all.max(1) as f64)
    }

    /// W: the mean ROUGE-1 F1 of the summary and each text.
    fn overlap(&self, summary: &[String]) -> f64 {
        let scores = self.texts.iter().map(|text| rouge_n(summary, text, 1).f1);
        scores.sum::<f64>() / self.texts.len().max(1) as f64
    }

    fn cosine(&self, summary: FxHashMap<String, f64>) -> f64 {
        let norm = |vector: &FxHashMap<String, f64>| {
            let mut squares: Vec<f64> = vector.values().map(|value| value * value).collect();
            // Sums must not depend on the order of a hash map.
            squares.sort_by(f64::total_cmp);
            squares.iter().sum::<f64>().sqrt()
        };
        let summary = weigh(summary, &self.rarity);
        let mut products: Vec<f64> = summary
            .iter()
            .filter_map(|(word, value)| Some(value * self.centroid.get(word)?))
            .collect();
        products.sort_by(f64::total_cmp);
        let norms = norm(&summary) * norm(&self.centroid);
        if norms > 0.0 {
            (products.iter().sum::<f64>() / norms).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn title_coverage(&self, summary: &[String]) -> Option<f64> {
        let has: FxHashSet<&str> = summary.iter().map(String::as_str).collect();
        let shares = self.titles.iter().map(|title| {
            let met = title.iter().filter(|word| has.contains(word.as_str()));
            met.count() as f64 / title.len() as f64
        });
        let count = self.titles.len();
        (count > 0).then(|| shares.sum::<f64>() / count as f64)
    }
}

/// N: one less the mean likeness of all pairs of units; a single unit repeats nothing.
fn novelty(units: &[Vec<String>]) -> f64 {
    let mut likenesses = 0.0;
    let mut pairs = 0usize;
    for (at, left) in units.iter().enumerate() {
        for right in units.iter().skip(at + 1) {
            likenesses += likeness(left, right);
            pairs += 1;
        }
    }
    match units.len() {
        0 => 0.0,
        _ => (1.0 - likenesses / pairs.max(1) as f64).clamp(0.0, 1.0),
    }
}

/// The polarity of the texts on average: the lexicon labels each by its title, or by its first block
/// without one. The classifier learns from such labels and is not asked for them: it would agree with
/// itself, right or wrong.
fn average_polarity(texts: &[SourceText]) -> Polarity {
    let lexicon = PolarityLexicon::shipped();
    let labels = texts.iter().map(|text| {
        let first = text.document.blocks.first();
        let opening = first.map(|block| text.document.block_text(block));
        let title = text.document.title.as_deref();
        lexicon.label(title.or(opening).unwrap_or_default())
    });
    Polarity::average(&labels.collect::<Vec<_>>())
}

/// How often the words that carry content stand in the text.
fn content(document: &Document, analysis: &Analysis) -> FxHashMap<String, f64> {
    let mut counts: FxHashMap<String, f64> = FxHashMap::default();
    for word in &analysis.words {
        if tells(word) {
            *counts
                .entry(word.text(&document.text).to_owned())
                .or_default() += 1.0;
        }
    }
    counts
}

/// Counts times rarity, made of length 1; words that no text has are left out.
fn weigh(
    counts: FxHashMap<String, f64>,
    rarity: &FxHashMap<String, f64>,
) -> FxHashMap<String, f64> {
    let mut vector: Vec<(String, f64)> = counts
        .into_iter()
        .map(|(word, count)| {
            let rarity = rarity.get(&word).copied().unwrap_or(1.0);
            (word, count * rarity)
        })
        .collect();
    vector.sort_by(|a, b| a.0.cmp(&b.0));
    let norm = vector.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
    vector
        .iter_mut()
        .for_each(|(_, value)| *value /= norm.max(f64::MIN_POSITIVE));
    vector.into_iter().collect()
}

/// The different names in a text.
fn names_in(document: &Document, analysis: &Analysis, schema: &Schema) -> FxHashSet<String> {
    let found = find_entities(&analysis.words, schema).into_iter();
    found
        .map(|entity| document.slice(&entity.range).to_owned())
        .collect()
}

/// The different words of a title that carry content.
fn title_words(analyzer: &Analyzer, title: &str) -> Vec<String> {
    let document = Document::from_text("", title);
    let analysis = analyzer.analyze(&document);
    let mut words: Vec<String> = content(&document, &analysis).into_keys().collect();
    words.sort_unstable();
    words
}
