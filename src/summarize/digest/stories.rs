//! Pieces that tell of one event.

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::lexicon::shipped;
use super::super::material::carries_content;
use super::super::unit::Length;
use super::piece::Piece;
use super::report::{OtherJson, source_of};
use super::{DigestOptions, text_of};
use crate::text::words::{Tag, Word};

/// Pieces that tell of one event.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// In order of time.
    pub(super) members: Vec<usize>,
    /// How many documents tell it.
    pub(super) documents: usize,
    first: Option<Date>,
    last: Option<Date>,
    /// What it is about, of length 1.
    centre: FxHashMap<u32, f64>,
    /// The same, an item of a roundup counted as a part of a report.
    told: f64,
    /// How much of what a reader asks for it has.
    relevance: f64,
}

/// What an item of a roundup counts beside a report.
const ITEM: f64 = 0.4;

/// Terms of a piece that count.
const TERMS: usize = 40;
/// Pieces at least so alike tell of one event.
const ALIKE: f64 = 0.34;
/// A piece of few terms (an item of a roundup) is alike by chance more easily.
const ALIKE_SHORT: f64 = 0.38;
/// Fewer terms make it short.
const FEW_TERMS: usize = 18;
/// A story that nobody has told for so many days is over.
const LONGEST_SILENCE: i32 = 4;
/// Terms that a piece and a story must share.
const SHARED: usize = 4;
/// What a term weighs more where it is a name, or stands in a title or an opening.
const NAME: f64 = 1.6;
const TITLE: f64 = 3.0;
const OPENING: f64 = 1.5;
/// Blocks that open a piece.
const OPENING_BLOCKS: usize = 3;

/// The terms of a piece.
struct Vector {
    /// Sorted by term, of length 1.
    weights: Vec<(u32, f64)>,
    /// The names among them.
    names: FxHashSet<u32>,
}

/// The stories of pieces, each in order of time; those told first come first.
pub(super) fn find(pieces: &[Piece]) -> Vec<Story> {
    let vectors = vectors(pieces);
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|at| {
        let piece = pieces.get(*at);
        // Reports before items of the same day: they have more to be found by.
        (
            piece.and_then(Piece::date),
            piece.is_some_and(|piece| piece.is_item),
            *at,
        )
    });
    let mut stories: Vec<Story> = Vec::new();
    // The stories that have a term.
    let mut index: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for at in order {
        let (Some(piece), Some(vector)) = (pieces.get(at), vectors.get(at)) else {
            continue;
        };
        let found = nearest(vector, piece, &stories, &index, &vectors);
        let number = found.unwrap_or(stories.len());
        if found.is_none() {
            stories.push(Story::default());
        }
        if let Some(story) = stories.get_mut(number) {
            for (term, _) in &vector.weights {
                if !story.centre.contains_key(term) {
                    index.entry(*term).or_default().push(number);
                }
            }
            story.add(at, piece, vector);
        }
    }
    for story in &mut stories {
        let mut documents: Vec<usize> = story
            .members
            .iter()
            .filter_map(|at| pieces.get(*at))
            .map(|piece| piece.document)
            .collect();
        documents.sort_unstable();
        documents.dedup();
        story.documents = documents.len();
        let members = story.members.iter().filter_map(|at| pieces.get(*at));
        let told = members.map(|piece| if piece.is_item { ITEM } else { 1.0 });
        story.told = told.sum::<f64>().min(story.documents as f64);
    }
    stories
}

impl Story {
    fn add(&mut self, at: usize, piece: &Piece, vector: &Vector) {
        let count = self.members.len() as f64;
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each weight is changed by itself"
        )]
        for weight in self.centre.values_mut() {
            *weight *= count / (count + 1.0);
        }
        for (term, weight) in &vector.weights {
            *self.centre.entry(*term).or_default() += weight / (count + 1.0);
        }
        self.members.push(at);
        self.first = self.first.min(piece.date()).or(piece.date());
        self.last = self.last.max(piece.date());
    }

    /// True unless all of it is older.
    pub(super) fn is_since(&self, pieces: &[Piece], since: Option<Date>) -> bool {
        let Some(since) = since else { return true };
        let mut members = self.members.iter().filter_map(|at| pieces.get(*at));
        members.any(|piece| piece.date().is_some_and(|date| date >= since))
    }

    /// Its first and last day.
    pub(super) fn days(&self) -> (Option<Date>, Option<Date>) {
        (self.first, self.last)
    }

    /// How near a piece is to the middle of the story.
    fn nearness(&self, vector: &Vector) -> f64 {
        let products = vector.weights.iter();
        let product: f64 = products
            .filter_map(|(term, weight)| Some(weight * self.centre.get(term)?))
            .sum();
        let mut squares: Vec<f64> = self.centre.values().map(|weight| weight * weight).collect();
        // Sums must not depend on the order of a hash map.
        squares.sort_by(f64::total_cmp);
        product / squares.iter().sum::<f64>().sqrt().max(f64::MIN_POSITIVE)
    }
}

/// The story that a piece goes on with: near enough, of these days, about somebody that both name.
fn nearest(
    vector: &Vector,
    piece: &Piece,
    stories: &[Story],
    index: &FxHashMap<u32, Vec<usize>>,
    vectors: &[Vector],
) -> Option<usize> {
    let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
    for (term, _) in &vector.weights {
        for story in index.get(term).into_iter().flatten() {
            *shared.entry(*story).or_default() += 1;
        }
    }
    let mut near: Vec<usize> = shared
        .into_iter()
        .filter(|(_, count)| *count >= SHARED)
        .map(|(story, _)| story)
        .collect();
    near.sort_unstable();
    let mut best: Option<(f64, usize)> = None;
    for number in near {
        let Some(story) = stories.get(number) else {
            continue;
        };
        let is_over = match (story.last, piece.date()) {
            (Some(last), Some(date)) => (date - last).get_days() > LONGEST_SILENCE,
            _ => false,
        };
        let names_somebody = story.members.iter().any(|member| {
            let member = vectors.get(*member);
            member.is_some_and(|member| !member.names.is_disjoint(&vector.names))
        });
        if is_over || !names_somebody {
            continue;
        }
        let least = if vector.weights.len() < FEW_TERMS {
            ALIKE_SHORT
        } else {
            ALIKE
        };
        let nearness = story.nearness(vector);
        // The middle of a long story is near to much: a piece must be near to a member, too.
        let to_member = story.members.iter().filter_map(|at| vectors.get(*at));
        let closest = to_member
            .map(|member| product(member, vector))
            .fold(0.0, f64::max);
        let is_better = best.is_none_or(|(highest, _)| nearness > highest);
        if nearness >= least && closest >= least && is_better {
            best = Some((nearness, number));
        }
    }
    best.map(|(_, number)| number)
}

fn product(left: &Vector, right: &Vector) -> f64 {
    super::super::material::dot(&left.weights, &right.weights)
}

/// The terms of all pieces, rare ones heavy.
fn vectors(pieces: &[Piece]) -> Vec<Vector> {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut texts_of: Vec<u32> = Vec::new();
    let counts: Vec<(FxHashMap<u32, f64>, FxHashSet<u32>)> = pieces
        .iter()
        .map(|piece| {
            let (counts, names) = count(piece, &mut numbers);
            texts_of.resize(numbers.len(), 0);
            #[expect(
                clippy::iter_over_hash_type,
                reason = "each term has a count of its own"
            )]
            for term in counts.keys() {
                if let Some(texts) = texts_of.get_mut(*term as usize) {
                    *texts += 1;
                }
            }
            (counts, names)
        })
        .collect();
    let all = pieces.len() as f64;
    let days = Days::of(pieces, &counts, texts_of.len());
    let rarity = |term: u32| {
        let texts = texts_of.get(term as usize).copied().unwrap_or(1);
        let rarity = ((1.0 + all) / (0.5 + f64::from(texts))).ln().max(0.0);
        rarity * days.rarity(term)
    };
    counts
        .into_iter()
        .map(|(counts, names)| {
            let mut weights: Vec<(u32, f64)> = counts
                .into_iter()
                .map(|(term, count)| {
                    let name = if names.contains(&term) { NAME } else { 1.0 };
                    (term, (1.0 + count).ln() * rarity(term) * name)
                })
                .collect();
            weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            weights.truncate(TERMS);
            weights.sort_by_key(|(term, _)| *term);
            let squares: f64 = weights.iter().map(|(_, weight)| weight * weight).sum();
            let length = squares.sqrt().max(f64::MIN_POSITIVE);
            weights.iter_mut().for_each(|(_, weight)| *weight /= length);
            Vector { weights, names }
        })
        .collect()
}

/// On how many days each term was written: what is told every day is no event.
struct Days {
    of_term: Vec<usize>,
    all: usize,
}

/// Of fewer days nothing can be said.
const FEW_DAYS: usize = 6;

impl Days {
    fn of(
        pieces: &[Piece],
        counts: &[(FxHashMap<u32, f64>, FxHashSet<u32>)],
        terms: usize,
    ) -> Days {
        let mut met: Vec<(u32, Option<Date>)> = Vec::new();
        for (piece, (counts, _)) in pieces.iter().zip(counts) {
            met.extend(counts.keys().map(|term| (*term, piece.date())));
        }
        met.sort_unstable();
        met.dedup();
        let mut of_term = vec![0; terms];
        for (term, _) in met {
            if let Some(days) = of_term.get_mut(term as usize) {
                *days += 1;
            }
        }
        let mut all: Vec<Option<Date>> = pieces.iter().map(Piece::date).collect();
        all.sort_unstable();
        all.dedup();
        Days {
            of_term,
            all: all.len(),
        }
    }

    /// From 0, of what is written every day, to 1.
    fn rarity(&self, term: u32) -> f64 {
        if self.all < FEW_DAYS {
            return 1.0;
        }
        let days = self.of_term.get(term as usize).copied().unwrap_or(1) as f64;
        let all = self.all as f64;
        (((1.0 + all) / (0.5 + days)).ln() / (1.0 + all).ln()).clamp(0.0, 1.0)
    }
}

/// How often a piece has each term, openings and titles counted more, and the names among them.
fn count(
    piece: &Piece,
    numbers: &mut FxHashMap<String, u32>,
) -> (FxHashMap<u32, f64>, FxHashSet<u32>) {
    let mut counts: FxHashMap<u32, f64> = FxHashMap::default();
    let mut names = FxHashSet::default();
    let text = &piece.text;
    let title = piece.title.as_deref().unwrap_or_default();
    for (at, block) in text.analysis.blocks.iter().enumerate() {
        let words = text.analysis.words.get(block.clone()).unwrap_or_default();
        let opening = if at < OPENING_BLOCKS { OPENING } else { 1.0 };
        for word in words {
            let spelled = word.text(&text.document.text);
            if !carries_content(word, spelled, shipped()) {
                continue;
            }
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(spelled.to_owned()).or_insert(next);
            let in_title = title.contains(spelled);
            *counts.entry(number).or_default() += if in_title { TITLE } else { opening };
            if is_name(word, spelled) {
                names.insert(number);
            }
        }
    }
    (counts, names)
}

fn is_name(word: &Word, spelled: &str) -> bool {
    match word.tag {
        Tag::Latin => spelled.chars().count() > 1,
        Tag::Abbreviation => true,
        tag => tag.is_proper() || word.concept().is_some(),
    }
}

/// The stories that a reader asks for, the most told first.
pub(super) fn rank(stories: &mut Vec<Story>, pieces: &[Piece], options: &DigestOptions) {
    if !options.query.is_empty() {
        for story in stories.iter_mut() {
            story.relevance = relevance(story, pieces, &options.query);
        }
        let most = stories
            .iter()
            .map(|story| story.relevance)
            .fold(0.0, f64::max);
        stories.retain(|story| story.relevance > 0.0 && story.relevance >= most * LEAST_RELEVANCE);
    }
    stories.sort_by(|a, b| {
        let weight = |story: &Story| {
            let told = (1.0 + story.told).ln();
            told * if options.query.is_empty() {
                1.0
            } else {
                story.relevance
            }
        };
        let first = |story: &Story| story.members.first().copied();
        weight(b)
            .total_cmp(&weight(a))
            .then(b.last.cmp(&a.last))
            .then(first(a).cmp(&first(b)))
    });
}

/// What is far less of what a reader asks for than the best is not told.
const LEAST_RELEVANCE: f64 = 0.25;

/// How much of the query the titles and openings of a story have.
fn relevance(story: &Story, pieces: &[Piece], query: &[(String, f64)]) -> f64 {
    let shares = story.members.iter().filter_map(|at| {
        let piece = pieces.get(*at)?;
        let title = piece.title.as_deref().unwrap_or_default();
        let body = &piece.text.document.text;
        let met = query.iter().map(|(word, weight)| {
            let times = body.matches(word.as_str()).count() as f64;
            let in_title = f64::from(u8::from(title.contains(word.as_str())));
            weight * (2.0 * in_title + (1.0 + times).ln())
        });
        Some(met.sum::<f64>())
    });
    shares.fold(0.0, f64::max)
}

/// How many of the ranked stories are told: those that several texts tell, or the first where there is none; of what
/// a reader asks for, all; of few texts, too.
pub(super) fn told(stories: &[Story], pieces: &[Piece], options: &DigestOptions) -> usize {
    let few = pieces.len() <= FEW_PIECES || !options.query.is_empty() || !options.known.is_empty();
    let several = stories.iter().filter(|story| few || story.documents > 1);
    several
        .count()
        .max(1)
        .min(options.stories)
        .min(stories.len())
}

/// Of so few pieces every one is told.
const FEW_PIECES: usize = 12;

/// How long each story may be.
pub(super) fn shares(stories: &[Story], pieces: &[Piece], options: &DigestOptions) -> Vec<Length> {
    let weights: Vec<f64> = stories
        .iter()
        .map(|s| (s.documents as f64).sqrt())
        .collect();
    let sum: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let share = |all: usize, weight: f64| ((all as f64 * weight / sum).round() as usize).max(1);
    let edus: usize = stories
        .iter()
        .flat_map(|story| &story.members)
        .filter_map(|at| text_of(pieces, *at))
        .map(|text| text.analysis.edus.len())
        .sum();
    let of = |weight: f64| match options.length {
        Length::Usual => Length::Usual,
        Length::Edus(all) => Length::Edus(share(all, weight)),
        Length::Percent(percent) => {
            Length::Edus(share((edus as f64 * percent / 100.0) as usize, weight))
        }
        Length::Words(all) => Length::Words(share(all, weight)),
        Length::Characters(all) => Length::Characters(share(all, weight)),
    };
    weights.into_iter().map(of).collect()
}

/// The headlines of the stories that are not told.
pub(super) fn others(
    stories: &[Story],
    pieces: &[Piece],
    options: &DigestOptions,
) -> Vec<OtherJson> {
    let all = stories.iter().filter_map(|story| {
        let at = story.members.iter().find(|at| {
            let piece = pieces.get(**at);
            piece.is_some_and(|piece| !piece.is_item)
        });
        let piece = pieces.get(*at?)?;
        Some(OtherJson {
            headline: piece.headline()?,
            source: source_of(piece),
        })
    });
    let mut others: Vec<OtherJson> = all.collect();
    others.sort_by(|a, b| b.source.date.cmp(&a.source.date));
    others.truncate(options.others);
    others
}
