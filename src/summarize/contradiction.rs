//! What texts say against each other: the same agent, object and time, an opposite state or another number.

use rustc_hash::FxHashMap;

use super::claims::{Claim, Conflict, claims};
use super::{SourceText, Summary};

/// Two EDUs that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The line of the summary, counted from 0.
    pub line: usize,
    /// What the line says: its text and EDU.
    pub said: (usize, usize),
    /// What says the opposite: its text and EDU.
    pub against: (usize, usize),
    /// Who or what both are about.
    pub about: String,
    /// When; empty where neither says it.
    pub when: String,
    /// The two states, or numbers.
    pub states: (String, String),
}

/// What in the texts contradicts the lines of a summary, in the order of the lines.
pub fn contradictions(texts: &[SourceText], summary: &Summary) -> Vec<Contradiction> {
    let mut all: Vec<Claim> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        all.extend(claims(text, at));
    }
    let index = ClaimIndex::of(&all);
    let mut found: Vec<Contradiction> = Vec::new();
    for (number, line) in summary.lines.iter().enumerate() {
        let is_shown = |claim: &&Claim| {
            let (text, edu) = claim.place;
            text == line.text && line.edus.iter().any(|edus| edus.contains(&edu))
        };
        for said in all.iter().filter(is_shown) {
            let against = index.near(said).into_iter().find_map(|at| {
                let other = all.get(at)?;
                let conflict = speak_of_one_thing(said, other).then(|| said.conflict(other))??;
                conflict.is_sure().then_some((other, conflict))
            });
            let Some((against, conflict)) = against else {
                continue;
            };
            let is_told = found
                .iter()
                .any(|known| known.line == number && known.states == conflict.states);
            if !is_told {
                found.push(contradiction(number, said, against, conflict));
            }
        }
    }
    found
}

/// What two sentences say against each other, where a reader knows that both tell of one event.
pub fn contradict(left: &SourceText, right: &SourceText) -> Option<Contradiction> {
    let (left, right) = (claims(left, 0), claims(right, 1));
    left.iter().find_map(|said| {
        let found = right
            .iter()
            .find_map(|against| Some((against, said.conflict(against)?)));
        let (against, conflict) = found?;
        Some(contradiction(0, said, against, conflict))
    })
}

fn contradiction(line: usize, said: &Claim, against: &Claim, conflict: Conflict) -> Contradiction {
    Contradiction {
        line,
        said: said.place,
        against: against.place,
        about: conflict.about,
        when: conflict.when,
        states: conflict.states,
    }
}

/// True when claims of two texts may be of one thing, though nobody has said that the texts tell of one event: what
/// they are about has a name. A text does not contradict itself, and texts of different days tell of different
/// days.
fn speak_of_one_thing(said: &Claim, other: &Claim) -> bool {
    let differs = said.place.0 != other.place.0 && said.written == other.written;
    differs && said.is_named() && other.is_named() && said.may_be_set_against(other)
}

/// Claims by the words they are about.
pub(crate) struct ClaimIndex<'c> {
    by_word: FxHashMap<&'c str, Vec<usize>>,
}

impl<'c> ClaimIndex<'c> {
    pub(crate) fn of(all: &'c [Claim]) -> ClaimIndex<'c> {
        let mut by_word: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, claim) in all.iter().enumerate() {
            for word in claim.keys() {
                by_word.entry(word).or_default().push(at);
            }
        }
        ClaimIndex { by_word }
    }

    /// The claims that share a word with this one, in order. Of words that stand nearly everywhere the first claims
    /// are enough.
    pub(crate) fn near(&self, claim: &Claim) -> Vec<usize> {
        const MOST: usize = 400;
        let mut near: Vec<usize> = claim
            .keys()
            .filter_map(|word| self.by_word.get(word))
            .flat_map(|places| places.iter().copied().take(MOST))
            .collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}
