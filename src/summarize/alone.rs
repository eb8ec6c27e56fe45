//! The default method over a single text: its lede, then what opens its paragraphs, what its title speaks of and
//! what stands high in its tree.

use rustc_hash::FxHashSet;

use super::centre::Centre;
use super::lexicon::shipped;
use super::material::{Candidate, Lean, Material};
use super::pick::{Picker, highest, rank_best_first, ranks_in_texts};
use super::standing::{Tastes, of_text};
use super::{Line, SourceText, SummaryOptions};
use crate::text::BlockKind;
use crate::text::words::Punctuation;

/// Takes units from the best to the worst; a unit that says what was said is passed over.
pub(super) fn choose(texts: &[SourceText], options: &SummaryOptions) -> Vec<Line> {
    let Some(text) = texts.first() else {
        return Vec::new();
    };
    let material = Material::gather(texts, options);
    let scores = scores(text, &material, &options.tastes);
    let ranks = ranks_in_texts(&material, &rank_best_first(&scores));
    let mut picker = Picker::new(&material, options);
    let mut refused = vec![false; scores.len()];
    while let Some((_, at)) = picker.next_best(&mut refused, |open| highest(open, |at| scores[at]))
    {
        picker.take(at);
    }
    picker.whole_lines(texts, &ranks, &scores)
}

/// The worth of every candidate.
pub(super) fn scores(text: &SourceText, material: &Material, tastes: &Tastes) -> Vec<f64> {
    let candidates = &material.candidates;
    let standings = of_text(text, tastes, candidates.iter().map(|c| &c.unit.edus));
    let best = standings.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let centre = Centre::of(material);
    let near: Vec<f64> = (0..candidates.len()).map(|at| centre.gain(at)).collect();
    let nearest = near.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let title = Title::of(text);
    let mut scores = Vec::with_capacity(candidates.len());
    for ((candidate, standing), near) in candidates.iter().zip(standings).zip(near) {
        // What opens a report is its news, whatever the tree makes of it.
        if candidate.is_lede {
            scores.push(LEDE * tastes.prior_alone(best, 0, 0) * (1.0 + tastes.title));
            continue;
        }
        let prior = tastes.prior_alone(standing, candidate.paragraph, candidate.behind);
        let centre = 1.0 - tastes.own + tastes.own * near / nearest;
        let title = 1.0 + tastes.title * title.share_in(text, candidate);
        // 这意味着 means little without the sentence before it.
        let background = if is_background(text, candidate) || candidate.lean == Lean::Closely {
            tastes.background
        } else {
            1.0
        };
        scores.push(prior * centre * title * background);
    }
    scores
}

/// The lede goes before all else.
const LEDE: f64 = 2.0;

fn is_background(text: &SourceText, candidate: &Candidate) -> bool {
    let words = text.analysis.words.get(candidate.unit.words.clone());
    let first = words.and_then(<[_]>::first);
    let rest = first.and_then(|word| text.document.text.get(word.start as usize..));
    rest.is_some_and(|rest| shipped().lists.background.begin(rest))
}

/// The pairs of characters of a title. Words of headlines are cut wrongly too often.
struct Title {
    pairs: FxHashSet<(char, char)>,
}

impl Title {
    fn of(text: &SourceText) -> Title {
        let heading = || {
            let first = text.document.blocks.first()?;
            let is_title = matches!(first.kind, BlockKind::Heading(_));
            is_title.then(|| text.document.block_text(first).to_owned())
        };
        let title = text.document.title.clone().or_else(heading);
        let mut pairs = FxHashSet::default();
        pairs.extend(pairs_of(title.as_deref().unwrap_or_default()));
        Title { pairs }
    }

    /// The share of the title that a candidate has.
    fn share_in(&self, text: &SourceText, candidate: &Candidate) -> f64 {
        if self.pairs.is_empty() {
            return 0.0;
        }
        let words = text.analysis.words.get(candidate.unit.words.clone());
        let (Some(first), Some(last)) = (words.and_then(<[_]>::first), words.and_then(<[_]>::last))
        else {
            return 0.0;
        };
        let own = text
            .document
            .slice(&(first.start as usize..last.end as usize));
        let mut met: Vec<(char, char)> = pairs_of(own)
            .filter(|pair| self.pairs.contains(pair))
            .collect();
        met.sort_unstable();
        met.dedup();
        met.len() as f64 / self.pairs.len() as f64
    }
}

/// Neighbouring characters with no mark between them.
fn pairs_of(text: &str) -> impl Iterator<Item = (char, char)> + '_ {
    let neighbours = text.chars().zip(text.chars().skip(1));
    neighbours.filter(|(a, b)| {
        let says = |c: &char| {
            let mut buffer = [0; 4];
            Punctuation::of(c.encode_utf8(&mut buffer)) == Punctuation::None
        };
        says(a) && says(b)
    })
}
