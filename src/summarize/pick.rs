//! From chosen units to lines of a summary.

use std::ops::Range;

use super::anchor::path;
use super::material::{Candidate, Lean, Material};
use super::shown::{show, size_of};
use super::unit::{Budget, Fit};
use super::{Line, Order, SourceText, Summary, SummaryOptions};
use crate::rouge::rouge_n;

/// Takes candidates from the best to the worst as long as they fit, skipping what says the same as
/// something taken, and what leans on a sentence that was not taken.
pub(super) fn take_best(
    texts: &[SourceText],
    material: &Material,
    scores: &[f64],
    options: &SummaryOptions,
) -> Vec<Line> {
    let order = rank_best_first(scores);
    let ranks = ranks_in_texts(material, &order);
    let mut picker = Picker::new(material, options);
    for at in order {
        if picker.is_full() {
            break;
        }
        if picker.is_allowed(at) {
            if !picker.brings_nearer(at) {
                break;
            }
            picker.take(at);
        }
    }
    picker.whole_lines(texts, &ranks, scores)
}

/// The places of scores, the highest first; of equal ones the first.
pub(super) fn rank_best_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}

/// The candidate of the highest score, of equal ones the first.
pub(super) fn highest(open: &[usize], score: impl Fn(usize) -> f64) -> Option<(f64, usize)> {
    let scored = open.iter().map(|&at| (score(at), at));
    scored.reduce(|best, other| if other.0 > best.0 { other } else { best })
}

/// Each candidate's place, from 1, among those of its text in the given order.
pub(super) fn ranks_in_texts(material: &Material, order: &[usize]) -> Vec<usize> {
    let texts = material.candidates.iter().map(|c| c.text + 1).max();
    let mut counts = vec![0; texts.unwrap_or_default()];
    let mut ranks = vec![0; material.candidates.len()];
    for &at in order {
        let count = &mut counts[material.candidates[at].text];
        *count += 1;
        ranks[at] = *count;
    }
    ranks
}

/// Chosen lines, what they leave of the budget, and what they forbid.
pub(super) struct Picker<'m> {
    material: &'m Material,
    redundancy: f64,
    /// Nothing is asked of a unit but that it fits.
    takes_all: bool,
    fit: Fit,
    budget: Budget,
    pub(super) taken: Vec<usize>,
    is_taken: Vec<bool>,
}

impl<'m> Picker<'m> {
    pub(super) fn new(material: &'m Material, options: &SummaryOptions) -> Picker<'m> {
        let is_printed = options.method.is_printed();
        Picker {
            material,
            redundancy: options.likeness_allowed(),
            takes_all: is_printed,
            fit: options.fit_to(material.texts),
            budget: Budget::new(options.length, is_printed, material.size, material.texts),
            taken: Vec::new(),
            is_taken: vec![false; material.candidates.len()],
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.budget.is_spent()
    }

    /// True when the candidate fits and could be taken next, whatever it says.
    pub(super) fn is_open(&self, at: usize) -> bool {
        self.may_stand(at) && self.budget.fits(self.material.candidates[at].size)
    }

    /// True when the candidate may be offered: where the nearest unit ends the summary, whatever its size.
    fn is_offered(&self, at: usize) -> bool {
        match self.fit {
            Fit::AtMost => self.is_open(at),
            Fit::Nearest => self.may_stand(at),
        }
    }

    /// True unless the summary ends before this candidate.
    fn brings_nearer(&self, at: usize) -> bool {
        let size = self.material.candidates[at].size;
        self.fit == Fit::AtMost || self.budget.brings_nearer(size)
    }

    /// True when the candidate may be offered, leans on nothing that is missing and says something new.
    pub(super) fn is_allowed(&self, at: usize) -> bool {
        self.is_offered(at) && !self.repeats(&self.material.candidates[at])
    }

    /// The next to take and its score: the one that `best` finds among those that are open, unless
    /// it repeats what was taken. What repeats is refused and not offered again. Where everything leans
    /// on what is not there, the best is taken all the same: a summary says something.
    pub(super) fn next_best(
        &self,
        refused: &mut [bool],
        best: impl Fn(&[usize]) -> Option<(f64, usize)>,
    ) -> Option<(f64, usize)> {
        if self.is_full() {
            return None;
        }
        loop {
            let mut open: Vec<usize> = (0..refused.len())
                .filter(|&at| !refused[at] && self.is_offered(at))
                .collect();
            if open.is_empty() && self.taken.is_empty() {
                open = (0..refused.len()).filter(|&at| !refused[at]).collect();
            }
            let (score, at) = best(&open)?;
            if !self.brings_nearer(at) {
                return None;
            }
            if !self.repeats(&self.material.candidates[at]) {
                return Some((score, at));
            }
            refused[at] = true;
        }
    }

    /// True when it can be read where it would stand: the sentence that it leans on is shown, or the one that
    /// opens its text and says who and what all of it is about. The lede itself may always stand.
    fn stands(&self, at: usize) -> bool {
        let candidate = &self.material.candidates[at];
        let lean = if self.takes_all {
            Lean::No
        } else {
            self.material.lean(candidate)
        };
        let is_shown = |other: Option<usize>| other.is_some_and(|other| self.is_taken[other]);
        if lean == Lean::No || candidate.is_lede || is_shown(candidate.before) {
            return true;
        }
        // Among lines of other texts the lede is too far away. What opens a paragraph goes on with the text, and
        // not with the last sentence.
        let goes_on =
            !self.material.is_several() && (lean == Lean::Loosely || candidate.unit.opens_block);
        goes_on && is_shown(candidate.lede)
    }

    /// True when something taken says the same.
    pub(super) fn repeats(&self, candidate: &Candidate) -> bool {
        let mut taken = self.taken.iter().map(|at| &self.material.candidates[*at]);
        taken.any(|taken| says_the_same(&candidate.words, &taken.words, self.redundancy))
    }

    pub(super) fn take(&mut self, at: usize) {
        self.budget.take(self.material.candidates[at].size);
        self.taken.push(at);
        self.is_taken[at] = true;
    }

    /// True when a candidate that is not taken can be read where it would stand.
    fn may_stand(&self, at: usize) -> bool {
        !self.is_taken[at] && self.stands(at)
    }

    pub(super) fn put_back(&mut self, at: usize) {
        let candidate = &self.material.candidates[at];
        self.taken.retain(|taken| *taken != at);
        self.is_taken[at] = false;
        let is_untouched = self.taken.is_empty();
        self.budget.give_back(candidate.size, is_untouched);
    }

    /// The lines of all that was taken, each unit whole.
    pub(super) fn whole_lines(
        &self,
        texts: &[SourceText],
        ranks: &[usize],
        scores: &[f64],
    ) -> Vec<Line> {
        let taken = self.taken.iter().map(|&at| {
            let candidate = &self.material.candidates[at];
            let edus = vec![candidate.unit.edus.clone()];
            line(texts, candidate, edus, ranks[at], scores[at])
        });
        taken.collect()
    }

    /// True when something taken would be an orphan without this.
    pub(super) fn is_leant_on(&self, at: usize) -> bool {
        let mut taken = self
            .taken
            .iter()
            .map(|taken| &self.material.candidates[*taken]);
        taken.any(|taken| {
            let leans = self.material.lean(taken) != Lean::No;
            leans && (taken.before == Some(at) || taken.lede == Some(at))
        })
    }
}

/// True when two units are more alike than allowed. At 1 nothing is (the paper).
pub(super) fn says_the_same(left: &[u32], right: &[u32], redundancy: f64) -> bool {
    if redundancy >= 1.0 {
        return false;
    }
    let likeness = rouge_n(left, right, 1);
    // A short unit that lies within a long one says nothing new, though their F1 is low.
    let contained = likeness.precision.max(likeness.recall);
    likeness.f1 > redundancy || contained > CONTAINED.max(redundancy)
}

/// The share of a unit's words that another must have to contain it.
const CONTAINED: f64 = 0.8;

/// The line of a candidate of which `edus` are shown.
pub(super) fn line(
    texts: &[SourceText],
    candidate: &Candidate,
    edus: Vec<Range<usize>>,
    rank: usize,
    priority: f64,
) -> Line {
    line_of(texts, candidate.text, edus, rank, priority)
}

/// The line that shows `edus` of a text.
pub(super) fn line_of(
    texts: &[SourceText],
    text: usize,
    edus: Vec<Range<usize>>,
    rank: usize,
    priority: f64,
) -> Line {
    let Some(source) = texts.get(text) else {
        return Line {
            text,
            edus,
            shown: String::new(),
            words: 0,
            weight: 0.0,
            rank,
            priority,
            path: Vec::new(),
        };
    };
    let around = match (edus.first(), edus.last()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    };
    let path = source.tree().map(|tree| path(tree, &around));
    Line {
        text,
        shown: show(source, &edus),
        words: size_of(source, &edus).words,
        edus,
        weight: source.weight,
        rank,
        priority,
        path: path.unwrap_or_default(),
    }
}

/// The lines in the order asked for. In source order heavy texts come first, of equal ones the one
/// whose best line was chosen first; within a text, text order.
pub(super) fn order_lines(texts: &[SourceText], mut lines: Vec<Line>, order: Order) -> Summary {
    if order == Order::Source {
        let mut first_chosen = vec![usize::MAX; texts.len()];
        for (at, line) in lines.iter().enumerate() {
            if let Some(first) = first_chosen.get_mut(line.text) {
                *first = (*first).min(at);
            }
        }
        let chosen = |line: &Line| first_chosen.get(line.text).copied();
        let start = |line: &Line| line.edus.first().map(|edus| edus.start);
        lines.sort_by(|a, b| {
            let by_weight = b.weight.total_cmp(&a.weight);
            let by_choice = chosen(a).cmp(&chosen(b));
            by_weight.then(by_choice).then(start(a).cmp(&start(b)))
        });
    }
    Summary {
        words: lines.iter().map(|line| line.words).sum(),
        edus: lines
            .iter()
            .flat_map(|line| &line.edus)
            .map(ExactSizeIterator::len)
            .sum(),
        lines,
    }
}
