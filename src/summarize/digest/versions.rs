//! What becomes of a claim: later versions, and what other sources say against it.

use std::ops::Range;

use super::super::SourceText;
use super::super::claims::{Claim, Conflict, claims};
use super::super::contradiction::ClaimIndex;

/// A claim that goes with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Beside {
    /// Its text, by its place among those of the story.
    pub(super) text: usize,
    /// Its EDUs.
    pub(super) edus: Range<usize>,
    /// What the line says, and what it says.
    pub(super) states: (String, String),
    /// What both are about.
    pub(super) about: String,
}

/// What stands beside a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Versions {
    /// What was said before of the same.
    pub(super) earlier: Option<Beside>,
    /// What was said later of the same.
    pub(super) later: Option<Beside>,
    /// What others say against it on the same day.
    pub(super) against: Vec<Beside>,
}

/// The claims of a story.
pub(super) struct Claims {
    all: Vec<Claim>,
}

impl Claims {
    pub(super) fn of(texts: &[SourceText]) -> Claims {
        let all = texts.iter().enumerate();
        Claims {
            all: all.flat_map(|(at, text)| claims(text, at)).collect(),
        }
    }

    /// What stands beside some EDUs of a text; `document` tells which texts are parts of one document.
    pub(super) fn beside(
        &self,
        text: usize,
        edus: &Range<usize>,
        index: &ClaimIndex<'_>,
        document: impl Fn(usize) -> usize,
    ) -> Versions {
        let mut found = Versions::default();
        let own = self
            .all
            .iter()
            .filter(|claim| claim.place.0 == text && edus.contains(&claim.place.1));
        for said in own {
            for other in index
                .near(said)
                .into_iter()
                .filter_map(|at| self.all.get(at))
            {
                let is_own = document(other.place.0) == document(text);
                if is_own || !said.is_named() || !said.may_be_set_against(other) {
                    continue;
                }
                let Some(conflict) = said.conflict(other).filter(Conflict::is_sure) else {
                    continue;
                };
                let beside = Beside {
                    text: other.place.0,
                    edus: other.place.1..other.end,
                    states: conflict.states,
                    about: conflict.about,
                };
                match other.written.cmp(&said.written) {
                    std::cmp::Ordering::Equal => {
                        let is_known = found.against.iter().any(|b| b.states == beside.states);
                        if !is_known {
                            found.against.push(beside);
                        }
                    }
                    std::cmp::Ordering::Less => {
                        found.earlier.get_or_insert(beside);
                    }
                    std::cmp::Ordering::Greater => {
                        found.later.get_or_insert(beside);
                    }
                }
            }
        }
        found
    }

    pub(super) fn index(&self) -> ClaimIndex<'_> {
        ClaimIndex::of(&self.all)
    }
}
