//! What a reader asks for.

use super::super::material::tells;
use crate::embed::{Embedder, Model, Role};
use crate::text::{Analyzer, Document};

/// What a word near one that was asked for counts.
const NEAR: f64 = 0.3;
/// Near words of each.
const NEAR_WORDS: usize = 4;

/// The words of a query, as they stand between blanks and as the reader cuts them; with a model, phrases near
/// to them as well.
pub fn query(words: &str, reader: &Analyzer, model: Option<Model>) -> Vec<(String, f64)> {
    let mut asked: Vec<(String, f64)> = Vec::new();
    let mut ask = |word: &str, weight: f64| {
        if !word.is_empty() && !asked.iter().any(|(known, _)| known == word) {
            asked.push((word.to_owned(), weight));
        }
    };
    let marks = ['，', ',', '、', '；', ';'];
    let whole: Vec<&str> = words
        .split(|c: char| c.is_whitespace() || marks.contains(&c))
        .filter(|word| !word.is_empty())
        .collect();
    whole.iter().for_each(|word| ask(word, 1.0));
    for phrase in &whole {
        let document = Document::from_text("", *phrase);
        let analysis = reader.analyze(&document);
        if analysis.words.len() > 1 {
            let parts = analysis.words.iter().filter(|word| tells(word));
            parts.for_each(|word| ask(word.text(&document.text), PART));
        }
    }
    for near in model
        .into_iter()
        .flat_map(|model| near_words(model, &whole))
    {
        ask(&near, NEAR);
    }
    asked
}

/// What a part of a word that was asked for counts.
const PART: f64 = 0.4;

/// The phrases that a model has nearest to words, in each role that knows them.
fn near_words(model: Model, words: &[&str]) -> Vec<String> {
    let embedder = Embedder::new(model);
    let model = embedder.model();
    let mut found = Vec::new();
    for word in words {
        for role in [Role::Agent, Role::Object, Role::State] {
            let Some(number) = model.vocabulary.number(role, word) else {
                continue;
            };
            let phrase = model.vocabulary.phrase(role, number);
            let vector = phrase.and_then(|phrase| embedder.phrase(role, phrase));
            let near = vector.map(|vector| model.near(role, &vector, Some(number), NEAR_WORDS));
            found.extend(
                near.into_iter()
                    .flatten()
                    .map(|near| near.phrase.replace(' ', "")),
            );
        }
    }
    found
}
