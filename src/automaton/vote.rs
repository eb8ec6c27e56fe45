//! Voting: many trees are drawn, and the one whose spans most of them have is built.
//!
//! Taking the most probable step each time is not the way to most right spans: where a choice is
//! close, everything behind it hangs on that choice alone. Drawn trees differ just there, and a span
//! that most of them have is right more often than one that the best tree happens to have.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::run::{Arena, Decider, State};
use super::view::Nodes;
use crate::grammar::{Action, Roles};
use crate::measure::{NodeIndex, ParsedSpan};
use crate::schema::{RelationId, RhetoricId};

/// Steps are drawn by this power of their probability, so that what is improbable is drawn seldom.
const SHARPNESS: f64 = 1.5;

/// The first and the last EDU of a span.
type Extent = (u32, u32);

/// The state whose tree has the spans that most of so many drawn trees have.
pub(super) fn elect_state(
    draws: usize,
    decider: &mut Decider<'_>,
    arena: &mut Arena,
    random: &mut ChaCha8Rng,
) -> State {
    let mut election = Election::new(decider);
    for _ in 0..draws {
        election.draw(random);
    }
    let spans = election.winners();
    follow(&spans, decider, arena)
}

/// What was drawn so far. Nodes that no rule can tell apart are one, and what was decided in a
/// configuration is remembered: most configurations come again and again.
struct Election<'d, 'p> {
    decider: &'d mut Decider<'p>,
    /// The leaves first, in text order.
    nodes: Vec<ParsedSpan>,
    alike: FxHashMap<Looks, Vec<NodeIndex>>,
    /// The probability of shift.
    shifts: FxHashMap<Configuration, f64>,
    /// What A and B become, and how sure its label is.
    joins: FxHashMap<Configuration, (NodeIndex, f64)>,
    /// For every span that was drawn, its votes, and where its right part began. A draw's vote counts
    /// as much as the span's label is sure: what can hardly be labelled is hardly a span.
    votes: BTreeMap<Extent, (f64, Vec<u32>)>,
}

/// S, A, B and the next EDU.
type Configuration = (Option<NodeIndex>, NodeIndex, NodeIndex, u32);

/// What rules can see of a node beside its attributes.
type Looks = (Extent, RelationId, Option<(RhetoricId, Roles)>, [u32; 2]);

fn looks(span: &ParsedSpan) -> Looks {
    let joined = span.joined.map(|joined| (joined.relation, joined.roles));
    let extent = (span.first, span.last);
    (extent, span.symbol, joined, [span.height, span.head])
}

impl<'d, 'p> Election<'d, 'p> {
    fn new(decider: &'d mut Decider<'p>) -> Election<'d, 'p> {
        let leaves = 0..decider.text.len() as u32;
        Election {
            nodes: leaves
                .map(|at| ParsedSpan::leaf(decider.text, at))
                .collect(),
            decider,
            alike: FxHashMap::default(),
            shifts: FxHashMap::default(),
            joins: FxHashMap::default(),
            votes: BTreeMap::new(),
        }
    }

    /// Draws a tree and counts its spans.
    fn draw(&mut self, random: &mut ChaCha8Rng) {
        let edus = self.decider.text.len() as u32;
        let mut stack: Vec<NodeIndex> = Vec::new();
        let mut next = 0;
        while next < edus || stack.len() > 1 {
            let configuration = match stack.as_slice() {
                [.., s, a, b] => Some((Some(*s), *a, *b, next)),
                [a, b] => Some((None, *a, *b, next)),
                _ => None,
            };
            let reduced = configuration
                .filter(|here| next == edus || random.random::<f64>() >= self.shift(*here));
            let Some(here) = reduced else {
                stack.push(NodeIndex::of_edu(next));
                next += 1;
                continue;
            };
            let Some((node, sure)) = self.join(here) else {
                return;
            };
            let made = &self.nodes[node.index()];
            let right = self.nodes[here.2.index()].first;
            let (votes, rights) = self.votes.entry((made.first, made.last)).or_default();
            *votes += sure;
            if let Err(at) = rights.binary_search(&right) {
                rights.insert(at, right);
            }
            stack.truncate(stack.len() - 2);
            stack.push(node);
        }
    }

    fn view(&self, (s, a, b, next): Configuration) -> Nodes<'_> {
        let edu = |at: u32| {
            let is_leaf = (at as usize) < self.decider.text.len();
            is_leaf.then(|| &self.nodes[at as usize])
        };
        Nodes {
            a: Some(&self.nodes[a.index()]),
            b: Some(&self.nodes[b.index()]),
            c: edu(next),
            s: s.map(|s| &self.nodes[s.index()]),
            e: edu(next + 1),
        }
    }

    /// How probable it is that shift is drawn.
    fn shift(&mut self, here: Configuration) -> f64 {
        if let Some(known) = self.shifts.get(&here) {
            return *known;
        }
        let mut workspace = std::mem::take(&mut self.decider.workspace);
        let choice = self.decider.choose(self.view(here), &mut workspace);
        self.decider.workspace = workspace;
        let [shift, reduce] = [Action::Shift, Action::Reduce]
            .map(|action| choice.probability(action).powf(SHARPNESS));
        let share = shift / (shift + reduce);
        self.shifts.insert(here, share);
        share
    }

    /// The node that A and B become, and how sure its label is; there is always one.
    fn join(&mut self, here: Configuration) -> Option<(NodeIndex, f64)> {
        if let Some(known) = self.joins.get(&here) {
            return Some(*known);
        }
        let mut workspace = std::mem::take(&mut self.decider.workspace);
        let made =
            self.decider
                .join_most_probably(self.view(here), [here.1, here.2], &mut workspace);
        self.decider.workspace = workspace;
        let (made, sure) = made?;
        let alike = self.alike.entry(looks(&made)).or_default();
        let nodes = &mut self.nodes;
        let same = |known: &&NodeIndex| nodes[known.index()].attributes == made.attributes;
        let node = alike.iter().find(same).copied().unwrap_or_else(|| {
            nodes.push(made);
            let new = NodeIndex::new(nodes.len() - 1);
            alike.push(new);
            new
        });
        self.joins.insert(here, (node, sure));
        Some((node, sure))
    }

    /// The spans of the tree with most votes among all that can be put together from what was
    /// drawn.
    fn winners(&self) -> FxHashSet<Extent> {
        let mut by_length: Vec<&Extent> = self.votes.keys().collect();
        by_length.sort_by_key(|(first, last)| (last - first, *first));
        // The votes of the best tree over each span, and where its right part begins.
        let mut best: FxHashMap<Extent, (f64, u32)> = FxHashMap::default();
        for (first, last) in by_length {
            let (own, rights) = &self.votes[&(*first, *last)];
            let votes = |span: Extent| best.get(&span).map_or(0.0, |(votes, _)| *votes);
            let mut top = (0.0, *last);
            for right in rights {
                let below = votes((*first, right - 1)) + votes((*right, *last));
                if top.0 == 0.0 || own + below > top.0 {
                    top = (own + below, *right);
                }
            }
            best.insert((*first, *last), top);
        }
        let mut winners = FxHashSet::default();
        let mut open = vec![(0, self.decider.text.len() as u32 - 1)];
        while let Some(span) = open.pop() {
            if let Some((_, right)) = best.get(&span) {
                winners.insert(span);
                open.extend([(span.0, right - 1), (*right, span.1)]);
            }
        }
        winners
    }
}

/// Builds the tree of the given spans, labelled as the rules say.
fn follow(spans: &FxHashSet<Extent>, decider: &mut Decider<'_>, arena: &mut Arena) -> State {
    let mut state = State::START;
    let mut labels = Vec::new();
    loop {
        let possible = decider.possible(arena, &state);
        let mut stack = arena.stack(&state).map(|at| arena.node(at));
        let top = stack.next().zip(stack.next());
        let wanted = top.is_some_and(|(b, a)| spans.contains(&(a.first, b.last)));
        drop(stack);
        state = if wanted {
            decider.labels_into(arena, &state, &mut labels);
            decider.reduce(arena, &state, &possible, &labels, 0)
        } else if possible.can_shift {
            decider.shift(arena, &state, &possible)
        } else {
            return state;
        };
    }
}
