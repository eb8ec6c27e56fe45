//! The units of all texts side by side, with their words as numbers.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon::{SummaryLexicon, shipped};
use super::readable::{announces, is_nameless, is_sound, leans};
use super::unit::{Unit, units};
use super::{SourceText, SummaryOptions};
use crate::text::words::{List, Punctuation, Tag, Word};

/// A unit that may be chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its text, by its place among those given.
    pub(super) text: usize,
    /// Its EDUs and words.
    pub(super) unit: Unit,
    /// How many candidates of its text stand before it.
    pub(super) place: usize,
    /// All its words but marks, as numbers.
    pub(super) words: Vec<u32>,
    /// Those that carry content, in order.
    pub(super) content: Vec<u32>,
    /// Those that tell what a text is about, be they common or not.
    pub(super) telling: Vec<u32>,
    /// It opens with what leans on the sentence before it.
    pub(super) leans: bool,
    /// It speaks of somebody whom it does not name: clear in its text, an orphan among others.
    pub(super) is_nameless: bool,
    /// The candidate right before it in the text, by its place among the candidates.
    pub(super) before: Option<usize>,
}

/// The candidates of all texts.
#[derive(Debug, Default)]
pub(super) struct Material {
    /// In the order of the texts.
    pub(super) candidates: Vec<Candidate>,
    /// How many different words there are.
    pub(super) vocabulary: usize,
    /// How many EDUs all texts have.
    pub(super) edus: usize,
    /// Whether there are several texts.
    pub(super) is_several: bool,
}

impl Material {
    /// The units of all texts that a reader would understand by themselves; where no text has any of
    /// those, or the paper is followed as printed, whatever there is.
    pub(super) fn gather(texts: &[SourceText], options: &SummaryOptions) -> Material {
        let kind = options.unit.unwrap_or(options.method.default_unit());
        let lexicon = shipped();
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut material = Material::default();
        let read: Vec<(Vec<Unit>, Vec<bool>)> = texts
            .iter()
            .map(|text| {
                let all = units(&text.analysis, kind);
                let sound = all.iter().map(|unit| {
                    if options.method.is_printed() {
                        return true;
                    }
                    let words = &text.analysis.words[unit.words.clone()];
                    // What announces the rest may open a text that is alone.
                    let may_announce = texts.len() == 1 && unit.edus.start == 0;
                    is_sound(text, unit, kind, lexicon)
                        && (may_announce || !announces(text, words, lexicon))
                });
                let sound = sound.collect();
                (all, sound)
            })
            .collect();
        // Verses and tables only speak where nothing else does.
        let any_sound = read.iter().any(|(_, sound)| sound.contains(&true));
        for (at, (text, (all, sound))) in texts.iter().zip(read).enumerate() {
            material.edus += text.analysis.edus.len();
            let mut place = 0;
            let mut before: Option<(usize, usize)> = None;
            for (unit, is_sound) in all.into_iter().zip(sound) {
                let says_something = text.analysis.words[unit.words.clone()]
                    .iter()
                    .any(|word| word.punctuation == Punctuation::None);
                if !says_something || (any_sound && !is_sound) {
                    continue;
                }
                let candidate = candidate(text, at, unit, place, lexicon, &mut numbers);
                let number = material.candidates.len();
                let neighbour = before.filter(|(_, end)| *end == candidate.unit.edus.start);
                before = Some((number, candidate.unit.edus.end));
                material.candidates.push(Candidate {
                    before: neighbour.map(|(number, _)| number),
                    ..candidate
                });
                place += 1;
            }
        }
        material.vocabulary = numbers.len();
        material.is_several = texts.len() > 1;
        material
    }

    /// True when a candidate needs the sentence before it.
    pub(super) fn leans(&self, candidate: &Candidate) -> bool {
        candidate.leans || (self.is_several && candidate.is_nameless)
    }

    /// At most about `most` candidates: the first ones of every text.
    pub(super) fn keep_leading(mut self, most: usize) -> Material {
        let mut depth = 0;
        let mut counts: Vec<usize> = Vec::new();
        for candidate in &self.candidates {
            if counts.len() <= candidate.place {
                counts.resize(candidate.place + 1, 0);
            }
            counts[candidate.place] += 1;
        }
        let mut total = 0;
        for count in counts {
            total += count;
            if total > most && depth > 0 {
                break;
            }
            depth += 1;
        }
        let mut moved = vec![None; self.candidates.len()];
        let mut kept = 0;
        for (at, candidate) in self.candidates.iter().enumerate() {
            if candidate.place < depth {
                moved[at] = Some(kept);
                kept += 1;
            }
        }
        self.candidates.retain(|candidate| candidate.place < depth);
        for candidate in &mut self.candidates {
            candidate.before = candidate.before.and_then(|before| moved[before]);
        }
        self
    }

    /// In how many texts each word stands.
    fn text_frequencies(&self, words: Words) -> Vec<u32> {
        let mut counts = vec![0; self.vocabulary];
        let mut last_text = vec![usize::MAX; self.vocabulary];
        for candidate in &self.candidates {
            for &word in words(candidate) {
                let word = word as usize;
                if last_text[word] != candidate.text {
                    last_text[word] = candidate.text;
                    counts[word] += 1;
                }
            }
        }
        counts
    }

    /// The candidates' words as tf-idf, sparse and sorted by word.
    pub(super) fn weights(&self, words: Words) -> Vec<Vec<(u32, f64)>> {
        let frequencies = self.text_frequencies(words);
        let texts: FxHashSet<usize> = self.candidates.iter().map(|c| c.text).collect();
        let texts = texts.len() as f64;
        let candidates = self.candidates.iter();
        candidates
            .map(|candidate| {
                let mut words = words(candidate).to_vec();
                words.sort_unstable();
                let mut vector: Vec<(u32, f64)> = Vec::new();
                for word in words {
                    match vector.last_mut() {
                        Some((last, count)) if *last == word => *count += 1.0,
                        _ => vector.push((word, 1.0)),
                    }
                }
                for (word, value) in &mut vector {
                    let frequency = f64::from(frequencies[*word as usize]);
                    *value *= ((1.0 + texts) / (1.0 + frequency)).ln() + 1.0;
                }
                vector
            })
            .collect()
    }

    /// The same of the content, each of length 1.
    pub(super) fn vectors(&self) -> Vec<Vec<(u32, f64)>> {
        let mut vectors = self.weights(|candidate| &candidate.content);
        for vector in &mut vectors {
            let norm = vector.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|(_, value)| *value /= norm);
        }
        vectors
    }
}

/// Which words of a candidate count.
pub(super) type Words = fn(&Candidate) -> &[u32];

/// The product of two sparse vectors that are sorted by word.
pub(super) fn dot(left: &[(u32, f64)], right: &[(u32, f64)]) -> f64 {
    let (mut a, mut b, mut sum) = (0, 0, 0.0);
    while let (Some(x), Some(y)) = (left.get(a), right.get(b)) {
        match x.0.cmp(&y.0) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                sum += x.1 * y.1;
                a += 1;
                b += 1;
            }
        }
    }
    sum
}

fn candidate<'t>(
    text: &'t SourceText,
    at: usize,
    unit: Unit,
    place: usize,
    lexicon: &SummaryLexicon,
    numbers: &mut FxHashMap<&'t str, u32>,
) -> Candidate {
    let mut words = Vec::new();
    let mut content = Vec::new();
    let mut telling = Vec::new();
    let own = &text.analysis.words[unit.words.clone()];
    for word in own
        .iter()
        .filter(|word| word.punctuation == Punctuation::None)
    {
        let spelling = word.text(&text.document.text);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let number = *numbers.entry(spelling).or_insert(next);
        words.push(number);
        if carries_content(word, spelling, lexicon) {
            content.push(number);
        }
        if tells(word) {
            telling.push(number);
        }
    }
    Candidate {
        text: at,
        place,
        leans: leans(text, own, lexicon),
        is_nameless: is_nameless(text, own, lexicon),
        unit,
        words,
        content,
        telling,
        before: None,
    }
}

/// Names, things, events and what is said of them: what the centroid of texts is made of.
pub(crate) fn tells(word: &Word) -> bool {
    let kind = match word.tag {
        Tag::Verb => !word.is(List::Stop) && !word.is(List::Modal),
        Tag::Adjective | Tag::Idiom => true,
        tag => tag.is_nominal(),
    };
    kind && word.punctuation == Punctuation::None
}

/// Names, things, events and what is said of them; neither times nor the commonest words of news.
fn carries_content(word: &Word, spelling: &str, lexicon: &SummaryLexicon) -> bool {
    let kind = match word.tag {
        Tag::Verb => !word.is(List::Stop) && !word.is(List::Modal) && !word.is(List::Speech),
        Tag::Adjective | Tag::Distinguisher | Tag::Idiom => true,
        Tag::Number => word.is(List::Money) || word.is(List::Percent),
        tag => tag.is_nominal(),
    };
    kind && !word.is(List::Hollow) && !lexicon.lists.common.has(spelling)
}
