//! Ways through the configurations: the best step each time, a beam, a draw, the most probable spans.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::run::{Arena, Decider, State};
use super::spans::state_of_best_spans;
use crate::grammar::Action;

/// How the parser chooses among what is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Search {
    /// The most probable step each time; ties by the order of the file.
    #[default]
    Best,
    /// The most probable derivations among so many kept at each step.
    Beam(usize),
    /// Each step drawn by its probability.
    Sample(u64),
    /// The tree whose spans are together most probable, by a beam of so many configurations.
    Spans(usize),
}

/// `best`, `beam=8`, `sample=7` or `spans=8`.
impl std::fmt::Display for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Search::Best => f.write_str("best"),
            Search::Beam(width) => write!(f, "beam={width}"),
            Search::Sample(seed) => write!(f, "sample={seed}"),
            Search::Spans(width) => write!(f, "spans={width}"),
        }
    }
}

/// The widest beam; a wider one finds nothing more and needs memory for every place.
const WIDEST_BEAM: usize = 10_000;

fn beam_width(written: &str) -> Result<usize, String> {
    let width = written.parse().ok();
    let width = width.filter(|width| (1..=WIDEST_BEAM).contains(width));
    width.ok_or_else(|| format!("a beam needs a width (1 to {WIDEST_BEAM}), not `{written}`"))
}

impl std::str::FromStr for Search {
    type Err = String;

    fn from_str(text: &str) -> Result<Search, String> {
        let unknown = || format!("`{text}` is none of `best`, `beam=K`, `sample=SEED`, `spans=K`");
        match text.split_once('=') {
            None if text == "best" => Ok(Search::Best),
            Some(("beam", width)) => beam_width(width).map(Search::Beam),
            Some(("spans", width)) => beam_width(width).map(Search::Spans),
            Some(("sample", seed)) => {
                let seed = seed
                    .parse()
                    .map_err(|_| format!("`{seed}` is not a seed: give a whole number"));
                seed.map(Search::Sample)
            }
            _ => Err(unknown()),
        }
    }
}

/// Derivations less probable than this part of the best one are not worth a place in the beam.
const HOPELESS: f64 = 1e-12;

/// The final states, the most probable first.
pub(super) fn run(search: Search, decider: &mut Decider<'_>, arena: &mut Arena) -> Vec<State> {
    if decider.text.is_empty() {
        return Vec::new();
    }
    match search {
        Search::Best => vec![greedy(decider, arena, |_| None)],
        Search::Beam(width) => beam(width.max(1), decider, arena),
        Search::Spans(width) => vec![state_of_best_spans(width.max(1), decider, arena)],
        Search::Sample(seed) => {
            let mut random = chance(&decider.text.id, seed);
            vec![greedy(decider, arena, |shares| {
                let shares: Vec<f64> = shares.collect();
                draw(&shares, random.random())
            })]
        }
    }
}

/// What draws for a text. Its own name goes into the draw, so that texts of one run differ and the
/// order of a corpus does not matter.
pub(super) fn chance(id: &str, seed: u64) -> ChaCha8Rng {
    let name = blake3::hash(id.as_bytes());
    let own = name.as_bytes().first_chunk();
    ChaCha8Rng::seed_from_u64(seed ^ own.map_or(0, |bytes| u64::from_le_bytes(*bytes)))
}

/// Walks to the end; `pick` may choose another than the most probable of the given shares.
fn greedy(
    decider: &mut Decider<'_>,
    arena: &mut Arena,
    mut pick: impl FnMut(&mut dyn Iterator<Item = f64>) -> Option<usize>,
) -> State {
    let mut state = State::START;
    let mut labels = Vec::new();
    loop {
        let possible = decider.possible(arena, &state);
        let action = match (&possible.choice, possible.can_shift) {
            (Some(choice), _) => {
                let mut shares = [choice.shift, 1.0 - choice.shift].into_iter();
                match pick(&mut shares) {
                    Some(0) => Action::Shift,
                    Some(_) => Action::Reduce,
                    None => choice.best(),
                }
            }
            (None, true) => Action::Shift,
            (None, false) if possible.can_reduce => Action::Reduce,
            (None, false) => return state,
        };
        state = match action {
            Action::Shift => decider.shift(arena, &state, &possible),
            Action::Reduce => {
                decider.labels_into(arena, &state, &mut labels);
                let chosen = pick(&mut labels.iter().map(|label| label.probability));
                let chosen = chosen.unwrap_or(0).min(labels.len() - 1);
                decider.reduce(arena, &state, &possible, &labels, chosen)
            }
        };
    }
}

/// The share in which `at`, between 0 and 1, falls.
pub(super) fn draw(shares: &[f64], at: f64) -> Option<usize> {
    let total: f64 = shares.iter().sum();
    let mut left = at * total;
    for (index, share) in shares.iter().enumerate() {
        if left < *share {
            return Some(index);
        }
        left -= share;
    }
    shares.iter().rposition(|share| *share > 0.0)
}

/// A step that a state of the beam may take.
#[derive(Clone, Copy)]
struct Candidate {
    from: usize,
    /// None is shift, else the label's place.
    label: Option<usize>,
    log_probability: f64,
}

/// Every derivation of n EDUs has 2n - 1 steps, so all states of the beam have taken as many.
fn beam(width: usize, decider: &mut Decider<'_>, arena: &mut Arena) -> Vec<State> {
    let mut states = vec![State::START];
    for _ in 1..2 * decider.text.len() {
        states = expanded(&states, decider, arena, |candidates| {
            // Stable: equals stay in the order of their states, shift first.
            candidates.sort_by(|a, b| b.log_probability.total_cmp(&a.log_probability));
            let best = candidates.first().map_or(0.0, |best| best.log_probability);
            candidates.retain(|c| width == usize::MAX || c.log_probability > best + HOPELESS.ln());
            candidates.truncate(width);
        });
    }
    states
}

/// How many derivations there are; nothing when there are more than `limit`.
pub(super) fn count(limit: usize, decider: &mut Decider<'_>, arena: &mut Arena) -> Option<usize> {
    if decider.text.is_empty() {
        return Some(0);
    }
    let mut states = vec![State::START];
    for _ in 1..2 * decider.text.len() {
        states = expanded(&states, decider, arena, |candidates| {
            candidates.truncate(limit.saturating_add(1));
        });
        // Every state leads to a complete tree, so the end has at least as many.
        if states.len() > limit {
            return None;
        }
    }
    Some(states.len())
}

/// The states that are one step further, as far as `keep` keeps their steps.
fn expanded(
    states: &[State],
    decider: &mut Decider<'_>,
    arena: &mut Arena,
    keep: impl FnOnce(&mut Vec<Candidate>),
) -> Vec<State> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut options = Vec::with_capacity(states.len());
    for (from, state) in states.iter().enumerate() {
        let possible = decider.possible(arena, state);
        let mut add = |label, probability: f64| {
            if probability > 0.0 {
                candidates.push(Candidate {
                    from,
                    label,
                    log_probability: state.log_probability + probability.ln(),
                });
            }
        };
        if possible.can_shift {
            add(None, possible.probability(Action::Shift));
        }
        let mut labels = Vec::new();
        let reduce = possible.probability(Action::Reduce);
        if possible.can_reduce && reduce > 0.0 {
            labels = decider.labels(arena, state);
            for (at, label) in labels.iter().enumerate() {
                add(Some(at), reduce * label.probability);
            }
        }
        options.push((possible, labels));
    }
    keep(&mut candidates);
    let next = candidates.iter().map(|candidate| {
        let state = &states[candidate.from];
        let (possible, labels) = &options[candidate.from];
        match candidate.label {
            None => decider.shift(arena, state, possible),
            Some(chosen) => decider.reduce(arena, state, possible, labels, chosen),
        }
    });
    next.collect()
}
