//! The units of all texts side by side, with their words as numbers.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon::{SummaryLexicon, shipped};
use super::readable::{Setting, announces, is_nameless, is_sound, lean};
use super::shown::{size_of, size_of_text};
use super::unit::{Size, Unit, units};
use super::{SourceText, SummaryOptions};
use crate::text::BlockKind;
use crate::text::words::{List, Punctuation, Tag, Word};

/// What a sentence leans on, to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lean {
    /// Nothing.
    No,
    /// Who or what the text is about: 他表示, 此外. The lede says it.
    Loosely,
    /// The sentence right before it: 这意味着.
    Closely,
}

/// A unit that may be chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its text, by its place among those given.
    pub(super) text: usize,
    /// Its EDUs and words.
    pub(super) unit: Unit,
    /// How many candidates of its text stand before it.
    pub(super) place: usize,
    /// How many blocks with candidates stand before its own in the text, and how many candidates in it.
    pub(super) paragraph: usize,
    pub(super) behind: usize,
    /// It is the first thing that its text says.
    pub(super) is_lede: bool,
    /// How much of it is shown.
    pub(super) size: Size,
    /// All its words but marks, as numbers.
    pub(super) words: Vec<u32>,
    /// Those that carry content, in order.
    pub(super) content: Vec<u32>,
    /// Those that tell what a text is about, be they common or not.
    pub(super) telling: Vec<u32>,
    /// What it leans on in its own text.
    pub(super) lean: Lean,
    /// It speaks of somebody whom it does not name: clear in its text, an orphan among others.
    pub(super) is_nameless: bool,
    /// The candidate right before it in the text, by its place among the candidates.
    pub(super) before: Option<usize>,
    /// The lede of its text, by its place among the candidates.
    pub(super) lede: Option<usize>,
}

/// The candidates of all texts.
#[derive(Debug, Default)]
pub(super) struct Material {
    /// In the order of the texts.
    pub(super) candidates: Vec<Candidate>,
    /// How many different words there are.
    pub(super) vocabulary: usize,
    /// How much the texts are together.
    pub(super) size: Size,
    /// How many texts there are.
    pub(super) texts: usize,
}

impl Material {
    /// The units of all texts that a reader would understand by themselves; where a text that is alone has
    /// none of those, or the paper is followed as printed, whatever there is.
    pub(super) fn gather(texts: &[SourceText], options: &SummaryOptions) -> Material {
        let kind = options.unit.unwrap_or(options.method.default_unit());
        let lexicon = shipped();
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let setting = match texts.len() {
            1 => Setting::Alone,
            _ => Setting::AmongOthers,
        };
        let takes_all = match setting {
            Setting::Alone => options.method.takes_text_as_it_is(),
            Setting::AmongOthers => options.method.is_printed(),
        };
        let read: Vec<Vec<(Unit, bool)>> = texts
            .iter()
            .map(|text| {
                let all = units(&text.analysis, kind);
                let lede = lede(text, &all);
                let sound = |(at, unit): (usize, Unit)| {
                    let is_lede = Some(at) == lede;
                    let words = &text.analysis.words[unit.words.clone()];
                    let is_heading = heads(text, &unit);
                    let is_sound = if takes_all {
                        options.method.is_printed() || !is_heading
                    } else {
                        // What announces the rest may open a text that is alone.
                        is_sound(text, &unit, kind, is_lede, setting, lexicon)
                            && ((setting == Setting::Alone && is_lede)
                                || !announces(text, words, lexicon))
                    };
                    (unit, is_sound)
                };
                all.into_iter().enumerate().map(sound).collect()
            })
            .collect();
        // Verses and tables only speak where nothing else does.
        let mut all = read.iter().flatten();
        let any_sound = all.any(|(_, is_sound)| *is_sound);
        let mut material = Material {
            texts: texts.len(),
            ..Material::default()
        };
        for (at, (text, units)) in texts.iter().zip(read).enumerate() {
            material.size += size_of_text(text);
            let kept = units
                .into_iter()
                .filter(|(unit, is_sound)| (*is_sound || !any_sound) && says_something(text, unit));
            let mut kept: Vec<Unit> = kept.map(|(unit, _)| unit).collect();
            // Headings tell something, too, where there is nothing else.
            if kept.iter().any(|unit| !heads(text, unit)) && !options.method.is_printed() {
                kept.retain(|unit| !heads(text, unit));
            }
            material.add(text, at, kept, lexicon, &mut numbers);
        }
        material.vocabulary = numbers.len();
        material
    }

    /// Adds the candidates of a text.
    fn add<'t>(
        &mut self,
        text: &'t SourceText,
        at: usize,
        units: Vec<Unit>,
        lexicon: &SummaryLexicon,
        numbers: &mut FxHashMap<&'t str, u32>,
    ) {
        let mut lede = None;
        let first = self.candidates.len();
        let content = text.analysis.edus.iter().position(|edu| {
            let block = text.document.blocks.get(edu.block);
            !block.is_some_and(|block| matches!(block.kind, BlockKind::Heading(_)))
        });
        for unit in units {
            let number = self.candidates.len();
            let last = self.candidates.get(first..).and_then(<[_]>::last);
            let same_block = last.is_some_and(|last| last.unit.block == unit.block);
            let (paragraph, behind) = match last {
                None => (0, 0),
                Some(last) if same_block => (last.paragraph, last.behind + 1),
                Some(last) => (last.paragraph + 1, 0),
            };
            let before = last.filter(|last| last.unit.edus.end == unit.edus.start);
            let before = before.map(|_| number - 1);
            let mut candidate = candidate(text, at, unit, lexicon, numbers);
            candidate.is_lede = content == Some(candidate.unit.edus.start);
            lede = lede.or(candidate.is_lede.then_some(number));
            self.candidates.push(Candidate {
                place: number - first,
                paragraph,
                behind,
                before,
                lede,
                ..candidate
            });
        }
    }

    /// True when there are several texts.
    pub(super) fn is_several(&self) -> bool {
        self.texts > 1
    }

    /// What a candidate needs to be understood where it would stand.
    pub(super) fn lean(&self, candidate: &Candidate) -> Lean {
        if self.is_several() && candidate.is_nameless {
            candidate.lean.max(Lean::Loosely)
        } else {
            candidate.lean
        }
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
            candidate.lede = candidate.lede.and_then(|lede| moved[lede]);
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

/// True for a unit of a heading.
fn heads(text: &SourceText, unit: &Unit) -> bool {
    let block = text.document.blocks.get(unit.block);
    block.is_some_and(|block| matches!(block.kind, BlockKind::Heading(_)))
}

fn says_something(text: &SourceText, unit: &Unit) -> bool {
    let words = text.analysis.words.get(unit.words.clone());
    let mut words = words.unwrap_or_default().iter();
    words.any(|word| word.punctuation == Punctuation::None)
}

/// The first unit of a text that is no heading.
fn lede(text: &SourceText, units: &[Unit]) -> Option<usize> {
    let mut all = units.iter();
    all.position(|unit| !heads(text, unit) && says_something(text, unit))
}

fn candidate<'t>(
    text: &'t SourceText,
    at: usize,
    unit: Unit,
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
        place: 0,
        paragraph: 0,
        behind: 0,
        is_lede: false,
        size: size_of(text, std::slice::from_ref(&unit.edus)),
        lean: lean(text, own, lexicon),
        is_nameless: is_nameless(text, own, lexicon),
        unit,
        words,
        content,
        telling,
        before: None,
        lede: None,
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
pub(super) fn carries_content(word: &Word, spelling: &str, lexicon: &SummaryLexicon) -> bool {
    let kind = match word.tag {
        Tag::Verb => !word.is(List::Stop) && !word.is(List::Modal) && !word.is(List::Speech),
        Tag::Adjective | Tag::Distinguisher | Tag::Idiom => true,
        Tag::Number => word.is(List::Money) || word.is(List::Percent),
        tag => tag.is_nominal(),
    };
    kind && !word.is(List::Hollow) && !lexicon.lists.common.has(spelling)
}
