//! Against summaries that people wrote: ROUGE.

use serde::Serialize;

use crate::rouge::{Rouge, rouge_l, rouge_n};
use crate::text::words::{Punctuation, Word};
use crate::text::{Analyzer, Document};

/// What ROUGE counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Tokens {
    /// The words of the reader (jieba's, joined where news needs it).
    Words,
    /// Characters.
    #[default]
    Characters,
}

impl Tokens {
    /// The tokens of a text; neither marks nor white space count.
    pub fn of(self, text: &str, analyzer: &Analyzer) -> Vec<String> {
        let document = Document::from_text("", text);
        self.of_words(&document.text, &analyzer.analyze(&document).words)
    }

    /// The tokens of words that were read from `text`.
    pub fn of_words(self, text: &str, words: &[Word]) -> Vec<String> {
        let said = words
            .iter()
            .filter(|word| word.punctuation == Punctuation::None)
            .map(|word| word.text(text).to_lowercase());
        match self {
            Tokens::Words => said.collect(),
            Tokens::Characters => {
                let said: Vec<String> = said.collect();
                let characters = said.iter().flat_map(|word| word.chars());
                characters
                    .filter(|c| c.is_alphanumeric())
                    .map(String::from)
                    .collect()
            }
        }
    }
}

/// A summary against references: of several, the best F1 of each measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Against {
    /// What was counted.
    pub tokens: Tokens,
    /// Single tokens.
    pub rouge1: Rouge,
    /// Pairs of tokens.
    pub rouge2: Rouge,
    /// The longest common sequence.
    #[serde(rename = "rougeL")]
    pub rouge_l: Rouge,
}

/// ROUGE of a summary against references; none without a reference.
pub fn score_against<S: AsRef<str>>(
    summary: &str,
    references: &[S],
    tokens: Tokens,
    analyzer: &Analyzer,
) -> Option<Against> {
    let summary = tokens.of(summary, analyzer);
    let mut best: Option<Against> = None;
    for reference in references {
        let reference = tokens.of(reference.as_ref(), analyzer);
        let found = Against {
            tokens,
            rouge1: rouge_n(&summary, &reference, 1),
            rouge2: rouge_n(&summary, &reference, 2),
            rouge_l: rouge_l(&summary, &reference),
        };
        let better = |a: Rouge, b: Rouge| if b.f1 > a.f1 { b } else { a };
        best = Some(match best {
            None => found,
            Some(best) => Against {
                tokens,
                rouge1: better(best.rouge1, found.rouge1),
                rouge2: better(best.rouge2, found.rouge2),
                rouge_l: better(best.rouge_l, found.rouge_l),
            },
        });
    }
    best
}
