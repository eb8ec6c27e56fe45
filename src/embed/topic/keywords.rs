//! RAKE (Rose et al. 2010) for Chinese: rapid automatic keyword extraction over words.
//!
//! Candidates are runs of content words between function words, marks and numbers. A word scores by
//! its degree (how many words stand beside it in candidates, itself counted) over its frequency,
//! a candidate by the sum of its words; the best third are the key phrases. Whole phrases seldom
//! recur to the letter in Chinese, so it is the words of the key phrases that texts share or not.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::text::words::{List, Tag, Word};
use crate::text::{Analysis, Document};

/// Longer runs are clauses, not keywords.
const MOST_WORDS: usize = 3;
/// A text has so many key phrases at most.
const MOST_PHRASES: usize = 40;

/// The keywords of a text: the words of its key phrases, the best phrase first, each word once.
pub fn keywords(document: &Document, analysis: &Analysis) -> Vec<String> {
    let candidates = candidates(document, analysis);
    let mut scores: FxHashMap<&str, (f64, f64)> = FxHashMap::default();
    for words in &candidates {
        for word in words {
            let (degree, frequency) = scores.entry(word).or_default();
            *degree += words.len() as f64;
            *frequency += 1.0;
        }
    }
    let mut seen = FxHashSet::default();
    let mut ranked: Vec<(f64, &[&str])> = Vec::new();
    for words in &candidates {
        let score = |word: &&str| {
            scores
                .get(word)
                .map_or(0.0, |(degree, count)| degree / count)
        };
        if seen.insert(words.as_slice()) {
            ranked.push((words.iter().map(score).sum(), words));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = ranked.len().div_ceil(3).min(MOST_PHRASES);
    let mut keywords = Vec::new();
    let mut seen = FxHashSet::default();
    for (_, words) in &ranked[..count] {
        for word in *words {
            // A single character alone says nothing.
            if word.chars().nth(1).is_some() && seen.insert(*word) {
                keywords.push((*word).to_owned());
            }
        }
    }
    keywords
}

/// Runs of content words.
fn candidates<'a>(document: &'a Document, analysis: &Analysis) -> Vec<Vec<&'a str>> {
    let mut runs = Vec::new();
    for block in &analysis.blocks {
        let mut run: Vec<&str> = Vec::new();
        let words = analysis.words.get(block.clone()).unwrap_or_default();
        for word in words {
            let text = word.text(&document.text);
            if is_content(word, text) {
                run.push(text);
            } else {
                runs.push(std::mem::take(&mut run));
            }
        }
        runs.push(run);
    }
    runs.retain(|run| (1..=MOST_WORDS).contains(&run.len()));
    runs
}

fn is_content(word: &Word, text: &str) -> bool {
    let named = word.tag.is_nominal()
        || matches!(
            word.tag,
            Tag::Verb | Tag::Adjective | Tag::Idiom | Tag::Distinguisher
        );
    let empty = [
        List::Stop,
        List::Empty,
        List::Light,
        List::Modal,
        List::Speech,
    ];
    let empty = empty.into_iter().any(|list| word.is(list));
    named && !empty && text.chars().all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;
    use crate::text::Analyzer;

    fn keywords_of(text: &str) -> crate::Result<Vec<String>> {
        let schema = embedded_schema("finance")?;
        let document = Document::from_text("a", text);
        let analysis = Analyzer::new(&schema).analyze(&document);
        Ok(keywords(&document, &analysis))
    }

    #[test]
    fn runs_of_content_words_that_stand_together_come_first() -> crate::Result<()> {
        let found = keywords_of(
            "国际金价的波动和美元指数有关。昨日美元指数走强，国际金价在纽约市场大跌。分析师和交易员都在看。",
        )?;
        assert!(!found.is_empty());
        assert!(found.iter().any(|word| word.contains("美元")), "{found:?}");
        assert!(
            found
                .iter()
                .all(|word| !word.contains(['的', '和', '。', '，'])),
            "{found:?}"
        );
        assert_eq!(
            found
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            found.len()
        );
        Ok(())
    }

    #[test]
    fn a_text_without_words_has_no_keywords() -> crate::Result<()> {
        assert!(keywords_of("，，。123 的的的")?.is_empty());
        assert!(keywords_of("")?.is_empty());
        Ok(())
    }
}
