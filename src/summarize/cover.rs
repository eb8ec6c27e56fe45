//! The default method: the concepts that several texts share, each said once, near the centre of the
//! texts, by the units that stand highest in their trees.

use rustc_hash::FxHashMap;

use super::centre::Centre;
use super::material::Material;
use super::pick::{Picker, rank_best_first, ranks_in_texts};
use super::standing::{Tastes, of_text};
use super::{Line, SourceText, SummaryOptions};

/// Chooses greedily what covers most of the concepts not yet covered, times the unit's prior, for its
/// length; then exchanges units as long as the whole gets better. One text shares concepts with
/// nobody: there the prior alone decides.
pub(super) fn choose(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let material = Material::gather(texts, options);
    let priors = priors(texts, &material, &options.tastes);
    let concepts = Concepts::of(&material, &options.tastes);
    let mut tastes = options.tastes.clone();
    if concepts.is_alone {
        // Nothing is gained by the word, so a short unit has no advantage.
        (tastes.centre, tastes.length) = (tastes.own, 0.0);
    }
    let mut cover = Cover {
        ranks: ranks_in_texts(&material, &rank_best_first(&priors)),
        centre: Centre::of(&material),
        covered: vec![0; concepts.worth.len()],
        picker: Picker::new(&material, options),
        scores: vec![0.0; priors.len()],
        material: &material,
        priors,
        concepts,
        tastes,
    };
    cover.fill();
    if !cover.concepts.is_alone && cover.tastes.exchange >= 0.0 {
        cover.exchange();
        cover.fill();
    }
    cover.picker.whole_lines(texts, &cover.ranks, &cover.scores)
}

/// A growing summary.
struct Cover<'m> {
    material: &'m Material,
    priors: Vec<f64>,
    concepts: Concepts,
    tastes: Tastes,
    /// Each candidate's place in its text by its prior.
    ranks: Vec<usize>,
    centre: Centre,
    /// How many of the taken units have each concept.
    covered: Vec<u32>,
    picker: Picker<'m>,
    /// What each taken candidate was taken for.
    scores: Vec<f64>,
}

/// Rounds of exchanges at most; nearly always two settle it.
const MOST_EXCHANGES: usize = 4;
/// A long summary of many texts is left as it is: exchanging would take longer than choosing.
const MOST_COMPARISONS: usize = 2_000_000;

impl Cover<'_> {
    /// Takes the best as long as something fits.
    fn fill(&mut self) {
        let mut refused = vec![false; self.priors.len()];
        while let Some((score, at)) = self.picker.next_best(&mut refused, |open| {
            let gains: Vec<Gain> = open.iter().map(|at| self.gain(*at)).collect();
            best(&gains, self.material, &self.priors, &self.tastes)
        }) {
            self.scores[at] = score;
            self.take(at);
        }
    }

    fn gain(&self, at: usize) -> Gain {
        Gain {
            at,
            cover: self.concepts.gain(at, &self.covered),
            centre: self.centre.gain(at),
        }
    }

    fn take(&mut self, at: usize) {
        self.picker.take(at);
        for concept in &self.concepts.own[at] {
            self.covered[*concept as usize] += 1;
        }
        self.centre.take(at);
    }

    fn put_back(&mut self, at: usize) {
        for concept in &self.concepts.own[at] {
            self.covered[*concept as usize] -= 1;
        }
        self.centre.put_back(at);
        self.picker.put_back(at);
    }

    /// Puts units in place of others where that makes the whole better.
    fn exchange(&mut self) {
        let comparisons = self.picker.taken.len() * self.priors.len();
        if self.picker.taken.len() < 2 || comparisons > MOST_COMPARISONS {
            return;
        }
        let norms = self.measures();
        for _ in 0..MOST_EXCHANGES {
            let mut has_changed = false;
            for old in self.picker.taken.clone() {
                if self.picker.is_leant_on(old) {
                    continue;
                }
                let before = self.worth(self.measures(), norms);
                self.put_back(old);
                let rest = self.measures();
                let mut better: Vec<(f64, usize)> = (0..self.priors.len())
                    .filter(|&at| at != old && self.picker.is_open(at))
                    .map(|at| {
                        let gain = self.gain(at);
                        let with = [
                            rest[0] + gain.cover,
                            self.centre.cosine_with(at),
                            rest[2] + self.standing(at),
                        ];
                        (self.worth(with, norms), at)
                    })
                    .filter(|(worth, _)| *worth > before + LEAST_BETTER)
                    .collect();
                better.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                let candidates = &self.material.candidates;
                let found = better
                    .iter()
                    .find(|(_, at)| !self.picker.repeats(&candidates[*at]));
                match found {
                    Some(&(worth, at)) => {
                        self.scores[at] = worth;
                        self.take(at);
                        has_changed = true;
                    }
                    None => self.take(old),
                }
            }
            if !has_changed {
                break;
            }
        }
    }

    /// The summary's cover, its cosine with the centre, and how high its words stand.
    fn measures(&self) -> [f64; 3] {
        let covered = self.covered.iter().zip(&self.concepts.worth);
        let cover = covered
            .filter(|(count, _)| **count > 0)
            .map(|(_, worth)| worth);
        let standing = self.picker.taken.iter().map(|at| self.standing(*at));
        [cover.sum(), self.centre.cosine(), standing.sum()]
    }

    fn standing(&self, at: usize) -> f64 {
        self.priors[at] * self.material.candidates[at].words.len() as f64
    }

    /// The measures as one, each as a share of what it was.
    fn worth(&self, measures: [f64; 3], norms: [f64; 3]) -> f64 {
        let weights = [
            1.0 - self.tastes.centre,
            self.tastes.centre,
            self.tastes.exchange,
        ];
        let parts = measures.iter().zip(norms).zip(weights);
        parts
            .map(|((measure, norm), weight)| weight * measure / norm.max(f64::MIN_POSITIVE))
            .sum()
    }
}

/// An exchange must be better by so much.
const LEAST_BETTER: f64 = 1e-6;

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
    let share = |gain: f64, greatest: f64| if greatest > 0.0 { gain / greatest } else { 0.0 };
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
fn priors(texts: &[SourceText], material: &Material, tastes: &Tastes) -> Vec<f64> {
    let heaviest = texts.iter().map(|text| text.weight).fold(0.0, f64::max);
    let candidates = &material.candidates;
    let mut priors = Vec::with_capacity(candidates.len());
    for own in candidates.chunk_by(|a, b| a.text == b.text) {
        let Some(text) = own.first().and_then(|first| texts.get(first.text)) else {
            continue;
        };
        let share = if heaviest > 0.0 {
            (text.weight / heaviest).powf(tastes.weight)
        } else {
            1.0
        };
        let standings = of_text(text, tastes, own.iter().map(|c| &c.unit.edus));
        let best = standings.iter().copied().reduce(f64::min);
        for (candidate, standing) in own.iter().zip(standings) {
            // What opens a report is its news, whatever the tree makes of it.
            let standing = match candidate.place {
                0 => best.unwrap_or(standing),
                _ => standing,
            };
            let prior = share * tastes.prior(standing, &candidate.unit, candidate.place);
            priors.push(if material.is_several() {
                prior * brevity(candidate.words.len())
            } else {
                prior
            });
        }
    }
    priors
}

/// Sentences of fewer words are slogans as often as news.
const SHORT: usize = 10;

/// What is left of the worth of a sentence that is short for a piece of news.
fn brevity(words: usize) -> f64 {
    let share = words.min(SHORT) as f64 / SHORT as f64;
    share * share
}

/// What the texts talk about: words that carry content, and pairs of them that stand together.
struct Concepts {
    /// The concepts of each candidate, each once.
    own: Vec<Vec<u32>>,
    /// What each concept is worth.
    worth: Vec<f64>,
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
        #[expect(
            clippy::iter_over_hash_type,
            reason = "every pair has a place of its own"
        )]
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
        }
        Concepts {
            own,
            is_alone: worth.iter().all(|worth| *worth == 0.0),
            worth,
        }
    }

    /// What a candidate adds to what is covered.
    fn gain(&self, at: usize, covered: &[u32]) -> f64 {
        if self.is_alone {
            return 1.0;
        }
        let new = self.own[at]
            .iter()
            .filter(|concept| covered[**concept as usize] == 0);
        new.map(|concept| self.worth[*concept as usize]).sum()
    }
}
