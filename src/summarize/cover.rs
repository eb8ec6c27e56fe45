//! The default method: the concepts that several texts share, each said once, near the centre of the
//! texts, by the units that stand highest in their trees.

use rustc_hash::{FxHashMap, FxHashSet};

use super::centre::Centre;
use super::material::{Candidate, Material};
use super::pick::{Picker, line, ranks_in_texts};
use super::standing::{Tastes, of_text};
use super::trim::{dispensable, without};
use super::{Line, Options, Text};

/// Chooses greedily what covers most of the concepts not yet covered, times the unit's prior, for its
/// length. One text shares concepts with nobody: there the prior alone decides.
pub(super) fn choose(texts: &[Text], options: &Options) -> Vec<Line> {
    let material = Material::gather(texts, options);
    let priors = priors(texts, &material, &options.tastes);
    let concepts = Concepts::of(&material, &options.tastes);
    let mut order: Vec<usize> = (0..priors.len()).collect();
    order.sort_by(|a, b| priors[*b].total_cmp(&priors[*a]).then(a.cmp(b)));
    let ranks = ranks_in_texts(&material, &order);
    let mut picker = Picker::new(&material, options);
    let mut centre = Centre::of(&material);
    let mut tastes = options.tastes.clone();
    if concepts.is_alone {
        // Nothing is gained by the word, so a short unit has no advantage.
        (tastes.centre, tastes.length) = (0.0, 0.0);
    }
    let mut covered: FxHashSet<u32> = FxHashSet::default();
    let mut refused = vec![false; priors.len()];
    while !picker.is_full() {
        let open: Vec<Gain> = (0..priors.len())
            .filter(|&at| !refused[at] && picker.is_open(at))
            .map(|at| Gain {
                at,
                cover: concepts.gain(at, &covered),
                centre: centre.gain(at),
            })
            .collect();
        let Some((score, at)) = best(&open, &material, &priors, &tastes) else {
            break;
        };
        let candidate = &material.candidates[at];
        if picker.repeats(candidate) {
            refused[at] = true;
            continue;
        }
        let edus = trimmed(texts, candidate, options, |words| {
            concepts.density(words, &covered)
        });
        let line = line(texts, candidate, edus, ranks[at], score);
        covered.extend(concepts.own[at].iter().copied());
        centre.take(at);
        picker.take(at, line);
    }
    picker.lines
}

/// What a candidate would add to the summary.
struct Gain {
    at: usize,
    /// The worth of the concepts that it covers first.
    cover: f64,
    /// How much nearer it brings the summary to the centre of the texts.
    centre: f64,
}

/// The candidate of the greatest score: both gains as shares of the greatest there is, times the prior,
/// for its length.
fn best(
    open: &[Gain],
    material: &Material,
    priors: &[f64],
    tastes: &Tastes,
) -> Option<(f64, usize)> {
    let greatest = |gain: fn(&Gain) -> f64| open.iter().map(gain).fold(0.0, f64::max);
    let (cover, centre) = (greatest(|gain| gain.cover), greatest(|gain| gain.centre));
    let share = |gain: f64, greatest: f64| match greatest > 0.0 {
        true => gain / greatest,
        false => 0.0,
    };
    let mut best: Option<(f64, usize)> = None;
    for gain in open {
        let words = material.candidates[gain.at].words.len().max(1) as f64;
        let sum = (1.0 - tastes.centre) * share(gain.cover, cover)
            + tastes.centre * share(gain.centre, centre);
        let score = sum * priors[gain.at] / words.powf(tastes.length);
        if score > 0.0 && best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, gain.at));
        }
    }
    best
}

/// The worth of every candidate before anything is said: tree, place, weight of its text.
fn priors(texts: &[Text], material: &Material, tastes: &Tastes) -> Vec<f64> {
    let heaviest = texts.iter().map(|text| text.weight).fold(0.0, f64::max);
    let candidates = &material.candidates;
    let mut priors = Vec::with_capacity(candidates.len());
    for own in candidates.chunk_by(|a, b| a.text == b.text) {
        let Some(text) = own.first().and_then(|first| texts.get(first.text)) else {
            continue;
        };
        let share = match heaviest > 0.0 {
            true => (text.weight / heaviest).powf(tastes.weight),
            false => 1.0,
        };
        let standings = of_text(text, tastes, own.iter().map(|c| &c.unit.edus));
        for (candidate, standing) in own.iter().zip(standings) {
            priors.push(share * tastes.prior(standing, &candidate.unit, candidate.place));
        }
    }
    priors
}

/// The EDUs of a candidate that are shown: clauses that the tree lets go are dropped where they tell
/// less, word for word, than the sentence does.
fn trimmed(
    texts: &[Text],
    candidate: &Candidate,
    options: &Options,
    density: impl Fn(&[u32]) -> f64,
) -> Vec<std::ops::Range<usize>> {
    let whole = candidate.unit.edus.clone();
    let Some(text) = texts.get(candidate.text) else {
        return vec![whole];
    };
    let mut gone = dispensable(text, &candidate.unit, &options.tastes);
    let all = density(&candidate.words);
    gone.retain(|span| {
        let edus = text.analysis.edus.get(span.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (edus.first(), edus.last()) else {
            return false;
        };
        let marks = |from: usize, to: usize| {
            let words = text.analysis.words.get(from..to).unwrap_or_default();
            let said = |word: &&crate::text::words::Word| {
                word.punctuation == crate::text::words::Punctuation::None
            };
            words.iter().filter(said).count()
        };
        let from = marks(candidate.unit.words.start, first.words.start);
        let to = from + marks(first.words.start, last.words.end);
        let own = candidate.words.get(from..to).unwrap_or_default();
        all == 0.0 || density(own) < all
    });
    without(&whole, &gone)
}

/// What the texts talk about: words that carry content, and pairs of them that stand together.
struct Concepts {
    /// The concepts of each candidate, each once.
    own: Vec<Vec<u32>>,
    /// What each concept is worth.
    worth: Vec<f64>,
    /// The concept that a single word is.
    of_word: FxHashMap<u32, u32>,
    /// Nothing is shared: every candidate is worth the same.
    is_alone: bool,
}

/// A concept must stand in so many texts to be shared.
const SHARED: u32 = 2;

impl Concepts {
    fn of(material: &Material, tastes: &Tastes) -> Concepts {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut texts_of: Vec<(u32, usize)> = Vec::new();
        let mut own = Vec::with_capacity(material.candidates.len());
        for candidate in &material.candidates {
            let words = candidate.content.iter().map(|word| (*word, *word));
            let pairs = candidate.content.windows(2).map(|pair| (pair[0], pair[1]));
            let mut mine: Vec<u32> = Vec::new();
            for key in words.chain(pairs.filter(|(a, b)| a != b)) {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(key).or_insert(next);
                if number as usize == texts_of.len() {
                    texts_of.push((0, usize::MAX));
                }
                let (count, last) = &mut texts_of[number as usize];
                if *last != candidate.text {
                    *last = candidate.text;
                    *count += 1;
                }
                mine.push(number);
            }
            mine.sort_unstable();
            mine.dedup();
            own.push(mine);
        }
        let mut worth = vec![0.0; texts_of.len()];
        let mut of_word = FxHashMap::default();
        for ((left, right), number) in &numbers {
            let (count, _) = texts_of[*number as usize];
            let is_pair = left != right;
            let share = if is_pair {
                tastes.pairs
            } else {
                1.0 - tastes.pairs
            };
            if count >= SHARED {
                worth[*number as usize] = share * f64::from(count - 1);
            }
            if !is_pair {
                of_word.insert(*left, *number);
            }
        }
        Concepts {
            own,
            is_alone: worth.iter().all(|worth| *worth == 0.0),
            worth,
            of_word,
        }
    }

    /// What a candidate adds to what is covered.
    fn gain(&self, at: usize, covered: &FxHashSet<u32>) -> f64 {
        if self.is_alone {
            return 1.0;
        }
        let new = self.own[at]
            .iter()
            .filter(|concept| !covered.contains(concept));
        new.map(|concept| self.worth[*concept as usize]).sum()
    }

    /// What words add to what is covered, word for word.
    fn density(&self, words: &[u32], covered: &FxHashSet<u32>) -> f64 {
        let concepts = words.iter().filter_map(|word| self.of_word.get(word));
        let new = concepts.filter(|concept| !covered.contains(concept));
        let sum: f64 = new.map(|concept| self.worth[*concept as usize]).sum();
        sum / words.len().max(1) as f64
    }
}
