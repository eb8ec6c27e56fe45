//! The lines of a story: each fact once, in order of time, with who tells it.

use std::ops::Range;

use jiff::civil::Date;

use super::super::material::{Candidate, Lean, Material, dot};
use super::super::pick::says_the_same;
use super::super::shown::{show, size_of};
use super::super::standing::of_text;
use super::super::unit::{Budget, Length, Size};
use super::super::{SourceText, SummaryOptions, alone};
use super::event::day;
use super::piece::Piece;
use super::report::{
    AgainstJson, DigestLineJson, EarlierJson, SourceJson, StoryJson, sentence_around, source_of,
};
use super::stories::Story;
use super::versions::{Beside, Claims, Versions};
use super::{DigestOptions, text_of};
use crate::text::words::Tag;

/// Lines of a story that several texts tell, at most.
const MOST_LINES: usize = 8;
/// Of a story that one text tells.
const MOST_ALONE: usize = 4;
/// Characters of a story, where no length is asked for.
const MOST_CHARACTERS: usize = 400;
/// Sentences at least so alike tell one fact.
const SAME_FACT: f64 = 0.45;
/// A sentence at least so like one that was taken is not told again.
const SAID: f64 = 0.38;
/// Units with more words in common than this say the same to a reader.
const SAME_WORDS: f64 = 0.4;
/// Two texts that have more words of a sentence in common than this tell one fact.
const TOLD_ALIKE: f64 = 0.55;
/// The share of the shorter sentence's content that makes it a part of the longer.
const PART: f64 = 0.6;
/// What others tell of a fact adds to its worth.
const SUPPORT: f64 = 0.6;
/// How much nearness to the middle of the story counts beside place.
const MIDDLE: f64 = 0.5;
/// How much a line gains that has what a reader asks for.
const ASKED: f64 = 2.0;

/// A story that is being told.
struct Telling<'a> {
    pieces: Vec<&'a Piece>,
    texts: Vec<SourceText>,
    material: Material,
    /// The candidates' tf-idf, of length 1.
    vectors: Vec<Vec<(u32, f64)>>,
    scores: Vec<f64>,
    options: &'a DigestOptions,
}

/// A line before it is written.
struct Chosen {
    text: usize,
    edus: Range<usize>,
    /// The documents that tell it, by texts of the story; the line's own first.
    tellers: Vec<usize>,
    versions: Versions,
    score: f64,
    why: Vec<String>,
}

/// Tells a story; nothing where a reader knows all of it.
pub(super) fn tell(
    story: &Story,
    all: &[Piece],
    share: Length,
    options: &DigestOptions,
) -> Option<StoryJson> {
    let pieces: Vec<&Piece> = story.members.iter().filter_map(|at| all.get(*at)).collect();
    let texts: Vec<SourceText> = story
        .members
        .iter()
        .filter_map(|at| text_of(all, *at))
        .cloned()
        .collect();
    let how = SummaryOptions::default().tastes(options.tastes.clone());
    let material = Material::gather(&texts, &how);
    let mut telling = Telling {
        vectors: material.vectors(),
        scores: Vec::new(),
        pieces,
        texts,
        material,
        options,
    };
    telling.scores = telling.worth();
    let chosen = telling.choose(share);
    if chosen.is_empty() {
        return None;
    }
    let chosen = telling.settle(chosen);
    Some(telling.written(story, chosen))
}

impl Telling<'_> {
    /// The worth of every candidate: its place, its nearness to the middle, how many tell it.
    fn worth(&self) -> Vec<f64> {
        let candidates = &self.material.candidates;
        if let [text] = self.texts.as_slice() {
            return alone::scores(text, &self.material, &self.options.tastes);
        }
        let middle = self.middle();
        let near: Vec<f64> = self
            .vectors
            .iter()
            .map(|vector| dot(vector, &middle))
            .collect();
        let nearest = near.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let mut worth = Vec::with_capacity(candidates.len());
        for own in candidates.chunk_by(|a, b| a.text == b.text) {
            let Some(text) = own.first().and_then(|first| self.texts.get(first.text)) else {
                continue;
            };
            let tastes = &self.options.tastes;
            let standings = of_text(text, tastes, own.iter().map(|c| &c.unit.edus));
            for (candidate, standing) in own.iter().zip(standings) {
                let at = worth.len();
                let standing = if candidate.is_lede { 0.0 } else { standing };
                let place = tastes.prior_alone(standing, candidate.paragraph, candidate.behind);
                let near = near.get(at).copied().unwrap_or_default() / nearest;
                let tellers = self.tellers(at).len() as f64;
                let told = 1.0 + SUPPORT * tellers.ln();
                let asked = 1.0 + ASKED * self.asked(candidate);
                let short = (candidate.words.len().min(SHORT) as f64 / SHORT as f64).powi(2);
                worth.push(place * (1.0 - MIDDLE + MIDDLE * near) * told * asked * short);
            }
        }
        worth
    }

    /// The mean of all candidates, each text counted once.
    fn middle(&self) -> Vec<(u32, f64)> {
        let mut sums: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::new();
        let mut at = 0;
        for own in self.material.candidates.chunk_by(|a, b| a.text == b.text) {
            for _ in own {
                for (word, weight) in self.vectors.get(at).into_iter().flatten() {
                    *sums.entry(*word).or_default() += weight / own.len() as f64;
                }
                at += 1;
            }
        }
        let length = sums.values().map(|w| w * w).sum::<f64>().sqrt();
        sums.into_iter()
            .map(|(word, weight)| (word, weight / length.max(f64::MIN_POSITIVE)))
            .collect()
    }

    /// The share of what a reader asks for that a candidate has.
    fn asked(&self, candidate: &Candidate) -> f64 {
        let query = &self.options.query;
        let all: f64 = query.iter().map(|(_, weight)| weight).sum();
        let Some(text) = self.texts.get(candidate.text).filter(|_| all > 0.0) else {
            return 0.0;
        };
        let shown = show(text, std::slice::from_ref(&candidate.unit.edus));
        let met = query
            .iter()
            .filter(|(word, _)| shown.contains(word.as_str()));
        met.map(|(_, weight)| weight).sum::<f64>() / all
    }

    /// The texts that tell the fact of a candidate, one of each document, its own first.
    fn tellers(&self, at: usize) -> Vec<usize> {
        let candidates = &self.material.candidates;
        let (Some(own), Some(vector)) = (candidates.get(at), self.vectors.get(at)) else {
            return Vec::new();
        };
        let mut tellers = vec![own.text];
        for (other, near) in candidates.iter().zip(&self.vectors) {
            let document = self.document(other.text);
            if tellers.iter().any(|text| self.document(*text) == document) {
                continue;
            }
            let is_same = dot(vector, near) >= SAME_FACT
                || says_the_same(&own.words, &other.words, TOLD_ALIKE);
            if is_same && self.numbers_agree(own, other) {
                tellers.push(other.text);
            }
        }
        tellers
    }

    /// True unless both have numbers, and other ones: the market of another day is another fact.
    fn numbers_agree(&self, left: &Candidate, right: &Candidate) -> bool {
        let (left, right) = (self.numbers(left), self.numbers(right));
        let shared = left.iter().filter(|number| right.contains(number)).count();
        let fewer = left.len().min(right.len());
        fewer == 0 || 2 * shared >= fewer
    }

    /// The numbers of a candidate that are no parts of times, each once.
    fn numbers(&self, candidate: &Candidate) -> Vec<&str> {
        let Some(text) = self.texts.get(candidate.text) else {
            return Vec::new();
        };
        let words = text.analysis.words.get(candidate.unit.words.clone());
        let words = words.unwrap_or_default().iter();
        let mut numbers: Vec<&str> = words
            .filter(|word| word.tag == Tag::Number)
            .map(|word| word.text(&text.document.text))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn document(&self, text: usize) -> usize {
        self.pieces
            .get(text)
            .map_or(usize::MAX, |piece| piece.document)
    }

    /// Takes the best lines that fit and say something new.
    fn choose(&self, share: Length) -> Vec<usize> {
        let is_alone = self.texts.len() == 1;
        let most = if is_alone { MOST_ALONE } else { MOST_LINES };
        let length = match share {
            Length::Usual => {
                let fifth = self.material.size.characters / 5;
                Length::Characters(fifth.clamp(MOST_CHARACTERS / 4, MOST_CHARACTERS))
            }
            other => other,
        };
        let mut budget = Budget::new(length, false, self.material.size, self.texts.len());
        let mut order: Vec<usize> = (0..self.scores.len()).collect();
        order.sort_by(|a, b| self.score(*b).total_cmp(&self.score(*a)).then(a.cmp(b)));
        let mut chosen: Vec<usize> = Vec::new();
        for at in order {
            if chosen.len() >= most || budget.is_spent() {
                break;
            }
            let Some(candidate) = self.material.candidates.get(at) else {
                continue;
            };
            if !self.stands(candidate) || self.is_old(candidate) || self.is_said(at, &chosen) {
                continue;
            }
            if !budget.brings_nearer(candidate.size) {
                break;
            }
            budget.take(candidate.size);
            chosen.push(at);
        }
        chosen
    }

    fn score(&self, at: usize) -> f64 {
        self.scores.get(at).copied().unwrap_or_default()
    }

    /// Among other texts a line says by itself who and what it is about.
    fn stands(&self, candidate: &Candidate) -> bool {
        let lean = self.material.lean(candidate);
        match self.texts.len() {
            1 => lean != Lean::Closely,
            _ => lean == Lean::No || candidate.is_lede,
        }
    }

    /// True for what a reader has read, or what was written before the day asked for.
    fn is_old(&self, candidate: &Candidate) -> bool {
        let Some(text) = self.texts.get(candidate.text) else {
            return true;
        };
        let is_before = self
            .options
            .since
            .is_some_and(|since| text.document.date.is_none_or(|date| date < since));
        is_before || {
            let known = &self.options.known;
            !known.is_empty() && known.has(&show(text, std::slice::from_ref(&candidate.unit.edus)))
        }
    }

    /// True when what was taken says it.
    fn is_said(&self, at: usize, chosen: &[usize]) -> bool {
        let (Some(own), Some(vector)) = (self.material.candidates.get(at), self.vectors.get(at))
        else {
            return true;
        };
        chosen.iter().any(|taken| {
            let (Some(other), Some(near)) = (
                self.material.candidates.get(*taken),
                self.vectors.get(*taken),
            ) else {
                return false;
            };
            says_the_same(&own.words, &other.words, SAME_WORDS)
                || dot(vector, near) >= SAID
                || shares_most(&own.content, &other.content)
        })
    }

    /// Lines with what stands beside them; a line that a later text corrects gives way to it.
    fn settle(&self, chosen: Vec<usize>) -> Vec<Chosen> {
        let claims = Claims::of(&self.texts);
        let index = claims.index();
        let beside = |text: usize, edus: &Range<usize>| {
            claims.beside(text, edus, &index, |text| self.document(text))
        };
        let mut settled: Vec<Chosen> = Vec::new();
        for at in chosen {
            let Some(candidate) = self.material.candidates.get(at) else {
                continue;
            };
            let mut line = Chosen {
                text: candidate.text,
                edus: candidate.unit.edus.clone(),
                tellers: self.tellers(at),
                versions: beside(candidate.text, &candidate.unit.edus),
                score: self.score(at),
                why: self.reasons(candidate),
            };
            let later = line
                .versions
                .later
                .take()
                .and_then(|later| self.candidate_of(&later));
            if let Some(later) = later
                && let Some(newer) = self.material.candidates.get(later)
            {
                // A reader knows the newer one, so the older is no news.
                if self.is_old(newer) {
                    continue;
                }
                let versions = beside(newer.text, &newer.unit.edus);
                if versions.earlier.is_some() && self.stands(newer) {
                    line = Chosen {
                        text: newer.text,
                        edus: newer.unit.edus.clone(),
                        tellers: self.tellers(later),
                        why: self.reasons(newer),
                        versions,
                        ..line
                    };
                }
            }
            let is_there = settled.iter().any(|other| {
                let one = (other.text, &other.edus) == (line.text, &line.edus);
                // Both sides of a contradiction stand beside one line.
                let beside = other.versions.against.iter().any(|against| {
                    against.text == line.text && line.edus.contains(&against.edus.start)
                });
                one || beside
            });
            if !is_there {
                settled.push(line);
            }
        }
        settled
    }

    /// The candidate that holds a claim.
    fn candidate_of(&self, beside: &Beside) -> Option<usize> {
        self.material.candidates.iter().position(|candidate| {
            candidate.text == beside.text && candidate.unit.edus.contains(&beside.edus.start)
        })
    }

    /// Why a line was taken, in words.
    fn reasons(&self, candidate: &Candidate) -> Vec<String> {
        let mut why = Vec::new();
        if candidate.is_lede {
            why.push("opens its text".to_owned());
        } else if candidate.unit.opens_block {
            why.push("opens its paragraph".to_owned());
        }
        let at = self
            .material
            .candidates
            .iter()
            .position(|other| other.text == candidate.text && other.unit == candidate.unit);
        match at.map_or(1, |at| self.tellers(at).len()) {
            0 | 1 => why.push("one text tells it".to_owned()),
            many => why.push(format!("{many} texts tell it")),
        }
        if let Some(tree) = self.texts.get(candidate.text).and_then(SourceText::tree) {
            let path = super::super::path(tree, &candidate.unit.edus);
            why.extend(super::super::report::satellite_steps(&path));
        }
        why
    }

    /// The story as it is told: lines in order of time.
    fn written(&self, story: &Story, mut chosen: Vec<Chosen>) -> StoryJson {
        let day_of = |line: &Chosen| self.day(line.text, &line.edus);
        chosen.sort_by(|a, b| {
            let written = |line: &Chosen| self.texts.get(line.text).and_then(|t| t.document.date);
            day_of(a)
                .cmp(&day_of(b))
                .then(written(a).cmp(&written(b)))
                .then((a.text, a.edus.start).cmp(&(b.text, b.edus.start)))
        });
        let lines: Vec<DigestLineJson> = chosen.iter().filter_map(|line| self.line(line)).collect();
        let mut sources: Vec<SourceJson> = Vec::new();
        let mut documents: Vec<usize> = Vec::new();
        for piece in &self.pieces {
            if !documents.contains(&piece.document) {
                documents.push(piece.document);
                sources.push(source_of(piece));
            }
        }
        let (first, last) = story.days();
        StoryJson {
            headline: self.headline(),
            sources,
            first: first.map(|date| date.to_string()),
            last: last.map(|date| date.to_string()),
            lines,
        }
    }

    /// The title of the text that is nearest to all; titles of reports before those of items.
    fn headline(&self) -> String {
        let middle = self.middle();
        let mut best: Option<((bool, f64), String)> = None;
        for (at, piece) in self.pieces.iter().enumerate() {
            let Some(title) = piece.headline() else {
                continue;
            };
            let letters = title.chars().count();
            let own = self.material.candidates.iter().zip(&self.vectors);
            let own = own.filter(|(candidate, _)| candidate.text == at);
            let near = own
                .map(|(_, vector)| dot(vector, &middle))
                .fold(0.0, f64::max);
            let fair = if (8..=42).contains(&letters) {
                1.0
            } else {
                0.7
            };
            let key = (!piece.is_item, near * fair);
            let is_better = best.as_ref().is_none_or(|(known, _)| {
                key.0.cmp(&known.0).then(key.1.total_cmp(&known.1)).is_gt()
            });
            if is_better {
                best = Some((key, title));
            }
        }
        best.map(|(_, title)| title).unwrap_or_else(|| {
            let first = self.material.candidates.first();
            let text = first.and_then(|first| Some((first, self.texts.get(first.text)?)));
            text.map(|(first, text)| show(text, std::slice::from_ref(&first.unit.edus)))
                .unwrap_or_default()
        })
    }

    fn day(&self, text: usize, edus: &Range<usize>) -> Option<Date> {
        self.texts.get(text).and_then(|text| day(text, edus))
    }

    fn line(&self, line: &Chosen) -> Option<DigestLineJson> {
        let (text, piece) = (self.texts.get(line.text)?, self.pieces.get(line.text)?);
        let stretch = std::slice::from_ref(&line.edus);
        let tellers = line.tellers.iter().filter_map(|at| self.pieces.get(*at));
        let size: Size = size_of(text, stretch);
        let earlier = line.versions.earlier.as_ref().and_then(|beside| {
            let (told, source) = self.told(beside)?;
            Some(EarlierJson {
                text: told,
                states: beside.states.clone(),
                source,
            })
        });
        let against = line
            .versions
            .against
            .iter()
            .take(MOST_AGAINST)
            .filter_map(|beside| {
                let (told, source) = self.told(beside)?;
                Some(AgainstJson {
                    text: told,
                    about: beside.about.clone(),
                    states: beside.states.clone(),
                    source,
                })
            });
        Some(DigestLineJson {
            text: show(text, stretch),
            date: self.day(line.text, &line.edus).map(|date| date.to_string()),
            edus: (line.edus.start, line.edus.end),
            characters: size.characters,
            sources: tellers.map(|piece| source_of(piece)).collect(),
            earlier,
            against: against.collect(),
            why: line.why.clone(),
            score: line.score,
            around: sentence_around(text, &line.edus),
            path: text
                .tree()
                .map(|tree| super::super::path(tree, &line.edus))
                .unwrap_or_default()
                .iter()
                .map(Into::into)
                .collect(),
            id: piece.text.document.id.clone(),
        })
    }

    /// What a claim's sentence shows, and where it stands.
    fn told(&self, beside: &Beside) -> Option<(String, SourceJson)> {
        let text = self.texts.get(beside.text)?;
        let candidate = self.candidate_of(beside);
        let whole = candidate.and_then(|at| self.material.candidates.get(at));
        let edus = whole.map_or(beside.edus.clone(), |candidate| candidate.unit.edus.clone());
        let source = source_of(self.pieces.get(beside.text)?);
        Some((show(text, std::slice::from_ref(&edus)), source))
    }
}

/// True when most of what the shorter one has stands in the longer.
fn shares_most(left: &[u32], right: &[u32]) -> bool {
    let (mut left, mut right) = (left.to_vec(), right.to_vec());
    for words in [&mut left, &mut right] {
        words.sort_unstable();
        words.dedup();
    }
    let shared = left.iter().filter(|word| right.binary_search(word).is_ok());
    let fewer = left.len().min(right.len());
    fewer > 0 && shared.count() as f64 >= PART * fewer as f64
}

/// Sentences of fewer words are slogans as often as news.
const SHORT: usize = 8;
/// Contradictions of a line at most.
const MOST_AGAINST: usize = 2;
