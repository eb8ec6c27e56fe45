//! Good news or bad: a convolutional classifier trained on weak labels (DESIGN 6.9).
//!
//! A shipped lexicon of finance polarity gives titles their weak labels; the classifier learns from
//! those, from the lexicon's own words in made-up titles, and from titles without news.

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use crate::neural::TextClassifier;
use crate::schema::{ConceptKind, Schema};
use crate::setters::setters;
use crate::summarize::SourceText;

/// Good news, bad news or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Polarity {
    /// -1.
    Bad,
    /// 0.
    Neutral,
    /// 1.
    Good,
}

impl Polarity {
    const ALL: [Polarity; 3] = [Polarity::Bad, Polarity::Neutral, Polarity::Good];

    /// -1, 0 or 1.
    pub fn value(self) -> f64 {
        match self {
            Polarity::Bad => -1.0,
            Polarity::Neutral => 0.0,
            Polarity::Good => 1.0,
        }
    }

    /// The polarity of several on average: each owns a third of the way from -1 to 1.
    pub fn average(all: &[Polarity]) -> Polarity {
        let sum: f64 = all.iter().map(|polarity| polarity.value()).sum();
        match sum / all.len().max(1) as f64 {
            mean if mean < -1.0 / 3.0 => Polarity::Bad,
            mean if mean > 1.0 / 3.0 => Polarity::Good,
            _ => Polarity::Neutral,
        }
    }
}

/// Words of good and bad news (`schemas/lexicon/polarity.toml`).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolarityLexicon {
    good: Words,
    bad: Words,
    neutral: Words,
    turn: Words,
    relief: Words,
    damper: Words,
    example: Titles,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    words: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Titles {
    titles: Vec<String>,
}

const SHIPPED: &str = include_str!("../../schemas/lexicon/polarity.toml");
/// How many characters may stand between a word and what turns it round.
const REACH: usize = 3;
/// How many characters may stand between a word and the relief or damper behind it.
const AFTERMATH: usize = 4;

impl PolarityLexicon {
    /// The shipped lexicon. A test sees to it that it can be read.
    pub fn shipped() -> &'static PolarityLexicon {
        static LEXICON: LazyLock<PolarityLexicon> = LazyLock::new(|| {
            toml::from_str(SHIPPED).unwrap_or_else(|_| PolarityLexicon {
                good: Words::default(),
                bad: Words::default(),
                neutral: Words::default(),
                turn: Words::default(),
                relief: Words::default(),
                damper: Words::default(),
                example: Titles::default(),
            })
        });
        &LEXICON
    }

    /// The weak label of a title: more good words than bad ones, or fewer.
    pub fn label(&self, title: &str) -> Polarity {
        let mut sum = 0;
        let mut rest = title;
        let mut before = String::new();
        while let Some(first) = rest.chars().next() {
            let good = longest(&self.good.words, rest);
            let bad = longest(&self.bad.words, rest);
            let neutral = longest(&self.neutral.words, rest);
            let length = good.max(bad);
            if neutral > length {
                before.push_str(rest.get(..neutral).unwrap_or_default());
                rest = rest.get(neutral..).unwrap_or_default();
                continue;
            }
            if length == 0 {
                before.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
                continue;
            }
            let behind = rest.get(length..).unwrap_or_default();
            let mut polarity = if good > bad { 1 } else { -1 };
            let after: String = behind.chars().take(AFTERMATH + 2).collect();
            let has = |words: &Words| words.words.iter().any(|word| after.contains(word.as_str()));
            let comes_round =
                (polarity < 0 && has(&self.relief)) || (polarity > 0 && has(&self.damper));
            if comes_round || self.is_turned(&before) {
                polarity = -polarity;
            }
            sum += polarity;
            before.push_str(rest.get(..length).unwrap_or_default());
            rest = behind;
        }
        match sum {
            0 => Polarity::Neutral,
            1.. => Polarity::Good,
            _ => Polarity::Bad,
        }
    }

    fn is_turned(&self, before: &str) -> bool {
        let reach = before.chars().rev().take(REACH + 2).collect::<Vec<char>>();
        let near: String = reach.into_iter().rev().collect();
        self.turn
            .words
            .iter()
            .any(|word| near.contains(word.as_str()))
    }

    /// Made-up titles with their labels: what changes, and how.
    fn make_up_titles(&self, schema: &Schema, rng: &mut ChaCha8Rng) -> Vec<(String, Polarity)> {
        const TITLES_A_WORD: usize = 3;
        let concepts = schema.concepts.iter();
        let things: Vec<&str> = concepts
            .flat_map(|concept| {
                let few = match concept.kind {
                    ConceptKind::Object => 4,
                    ConceptKind::Agent => 2,
                };
                concept.words.iter().take(few).map(String::as_str)
            })
            .collect();
        let thing = |rng: &mut ChaCha8Rng| things.choose(rng).copied().unwrap_or("公司");
        let mut titles = Vec::new();
        let kinds = [(&self.good, Polarity::Good), (&self.bad, Polarity::Bad)];
        for (words, polarity) in kinds {
            for word in &words.words {
                titles.push((word.clone(), polarity));
                for _ in 0..TITLES_A_WORD {
                    let (who, what) = (thing(rng), thing(rng));
                    titles.push((format!("{who}{what}{word}"), polarity));
                }
                if let Some(turn) = self.turn.words.choose(rng) {
                    let turned = format!("{}{turn}{word}", thing(rng));
                    let label = self.label(&turned);
                    titles.push((turned, label));
                }
            }
        }
        for title in &self.example.titles {
            titles.push((title.clone(), Polarity::Neutral));
            for _ in 0..TITLES_A_WORD {
                titles.push((format!("{}{title}", thing(rng)), Polarity::Neutral));
                titles.push((format!("{}{}", thing(rng), thing(rng)), Polarity::Neutral));
            }
        }
        titles
    }
}

/// The bytes of the longest of the words that the text begins with.
fn longest(words: &[String], text: &str) -> usize {
    let found = words.iter().filter(|word| text.starts_with(word.as_str()));
    found.map(String::len).max().unwrap_or_default()
}

/// How the classifier is trained.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Training {
    /// Times that it reads all titles.
    pub epochs: usize,
    /// The seed of all that is drawn.
    pub seed: u64,
}

setters! {
    Training {
        epochs: usize,
        seed: u64,
    }
}

impl Default for Training {
    fn default() -> Training {
        Training { epochs: 6, seed: 1 }
    }
}

/// Titles beyond so many teach nothing new.
const MOST_TITLES: usize = 6000;

/// Tells good news from bad: a convolutional classifier over characters.
pub struct Classifier(TextClassifier);

impl Classifier {
    /// Trains on the titles that texts have.
    pub fn of_texts(texts: &[SourceText], schema: &Schema, seed: u64) -> crate::Result<Classifier> {
        let titles = texts
            .iter()
            .filter_map(|text| text.document.title.as_deref());
        let training = Training {
            seed,
            ..Training::default()
        };
        Classifier::train(&titles.collect::<Vec<&str>>(), schema, training)
    }

    /// Trains on the lexicon and on the weak labels of these titles.
    pub fn train<S: AsRef<str>>(
        titles: &[S],
        schema: &Schema,
        training: Training,
    ) -> crate::Result<Classifier> {
        let lexicon = PolarityLexicon::shipped();
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        let mut labelled = lexicon.make_up_titles(schema, &mut rng);
        let titles = titles.iter().map(AsRef::as_ref).take(MOST_TITLES);
        labelled.extend(titles.map(|title| (title.to_owned(), lexicon.label(title))));
        let numbered = labelled
            .into_iter()
            .map(|(title, label)| (title, label as u32));
        let mut numbered: Vec<(String, u32)> = numbered.collect();
        let classes = Polarity::ALL.len();
        TextClassifier::train(&mut numbered, classes, training.epochs, &mut rng).map(Classifier)
    }

    /// The polarity of each text.
    pub fn predict<S: AsRef<str>>(&self, texts: &[S]) -> crate::Result<Vec<Polarity>> {
        let found = self.0.predict(texts)?.into_iter();
        let named = found.map(|class| Polarity::ALL.get(class as usize).copied());
        Ok(named
            .map(|polarity| polarity.unwrap_or(Polarity::Neutral))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_lexicon_can_be_read() {
        assert!(toml::from_str::<PolarityLexicon>(SHIPPED).is_ok());
        let lexicon = PolarityLexicon::shipped();
        for word in &lexicon.good.words {
            assert!(!lexicon.bad.words.contains(word), "{word}");
        }
    }

    #[test]
    fn longer_words_count_and_turns_turn() {
        let label = |title| PolarityLexicon::shipped().label(title);
        assert_eq!(label("沪指大涨3%"), Polarity::Good);
        assert_eq!(label("公司否认破产传闻"), Polarity::Good);
        assert_eq!(label("三季度亏损收窄"), Polarity::Good);
        assert_eq!(label("营收增长不及预期"), Polarity::Bad);
        assert_eq!(label("央行今日开展逆回购"), Polarity::Neutral);
    }

    #[test]
    fn each_polarity_owns_a_third() {
        use Polarity::{Bad, Good, Neutral};
        assert_eq!(Polarity::average(&[Good, Neutral]), Good);
        assert_eq!(Polarity::average(&[Good, Neutral, Neutral]), Neutral);
        assert_eq!(Polarity::average(&[Bad, Bad, Good]), Neutral);
        assert_eq!(Polarity::average(&[]), Neutral);
    }
}
