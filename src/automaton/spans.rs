//! Expected spans: a beam of configurations, and the tree whose spans are together most probable.
//!
//! Taking the most probable step each time is not the way to most right spans: where a choice is
//! close, everything behind it hangs on that choice alone. So several configurations are kept at each
//! step. Those whose stacks cover the same spans are one from there on, however they came about, so a
//! beam of few configurations holds very many trees. How probable each span is over all of them
//! follows by one sweep back, and the tree is built that has most of it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::run::{Arena, Decider, State};
use super::view::Nodes;
use crate::grammar::{Action, Roles};
use crate::measure::{NodeIndex, ParsedSpan};
use crate::schema::{RelationId, RhetoricId};

/// The first and the last EDU of a span.
type Extent = (u32, u32);

/// How much the label of a span counts beside the step that makes it, in the power of its probability:
/// when ways are compared, and when spans are. Chosen by folds on a treebank.
const LABEL_IN_WAYS: f64 = 0.5;
const LABEL_IN_SPANS: f64 = 0.5;

/// Configurations that are less probable than the best one by more than this, as logarithms, are not
/// worth a place in the beam.
const MARGIN: f64 = 6.0;

/// The state whose tree has the most probable spans, by a beam of so many configurations.
pub(super) fn state_of_best_spans(
    width: usize,
    decider: &mut Decider<'_>,
    arena: &mut Arena,
) -> State {
    let mut lattice = Lattice::new(decider);
    lattice.walk(width);
    let spans = lattice.winners();
    follow(&spans, decider, arena)
}

/// No cell.
const NONE: u32 = u32::MAX;

/// A cell of a stack: a node, what is below it, and a number that tells stacks of other spans apart.
#[derive(Clone, Copy)]
struct Cell {
    node: NodeIndex,
    below: u32,
    mark: u64,
}

/// A configuration.
#[derive(Clone, Copy)]
struct Knot {
    top: u32,
    next: u32,
    /// The logarithm of the probability of all ways that lead here.
    reached: f64,
}

/// A step from one configuration to another.
#[derive(Clone, Copy)]
struct Arc {
    from: u32,
    to: u32,
    log_probability: f64,
    /// What a reduction makes.
    made: Option<Made>,
}

/// What a reduction makes.
#[derive(Clone, Copy)]
struct Made {
    extent: Extent,
    /// Where its right part begins.
    right: u32,
    /// How probable its label is.
    sure: f64,
}

/// What a step leads to: the top of the stack, the next EDU.
type Goal = (u32, u32);

/// S, A, B and the next EDU.
type Configuration = (Option<NodeIndex>, NodeIndex, NodeIndex, u32);

/// What rules can see of a node beside its attributes.
type Looks = (Extent, RelationId, Option<(RhetoricId, Roles)>, [u32; 2]);

fn looks(span: &ParsedSpan) -> Looks {
    let joined = span.joined.map(|joined| (joined.relation, joined.roles));
    let extent = (span.first, span.last);
    (extent, span.symbol, joined, [span.height, span.head])
}

struct Lattice<'d, 'p> {
    decider: &'d mut Decider<'p>,
    /// The leaves first, in text order. Nodes that no rule can tell apart are one.
    nodes: Vec<ParsedSpan>,
    alike: FxHashMap<Looks, Vec<NodeIndex>>,
    /// What was decided in a configuration: most come again and again.
    shifts: FxHashMap<Configuration, f64>,
    joins: FxHashMap<Configuration, (NodeIndex, f64)>,
    cells: Vec<Cell>,
    knots: Vec<Knot>,
    arcs: Vec<Arc>,
}

/// A configuration that may be kept.
struct Wish {
    knot: Knot,
    /// The best single way that leads here.
    best: f64,
    arcs: Vec<Arc>,
}

/// The configurations that a step leads to.
#[derive(Default)]
struct Wishes {
    all: Vec<Wish>,
    /// By the marks of their stacks and the next EDU.
    places: FxHashMap<(u64, u32), usize>,
}

impl Wishes {
    /// Adds a way to a configuration.
    fn add(
        &mut self,
        lattice: &Lattice<'_, '_>,
        from: u32,
        (top, next): Goal,
        log_probability: f64,
        made: Option<Made>,
    ) {
        let reached = lattice.knots[from as usize].reached + log_probability;
        let knot = Knot { top, next, reached };
        let arc = Arc {
            from,
            to: NONE,
            log_probability,
            made,
        };
        let key = (lattice.cells[top as usize].mark, next);
        let Some(at) = self.places.get(&key) else {
            self.places.insert(key, self.all.len());
            self.all.push(Wish {
                knot,
                best: reached,
                arcs: vec![arc],
            });
            return;
        };
        let wish = &mut self.all[*at];
        if reached > wish.best {
            wish.knot.top = top;
            wish.best = reached;
        }
        wish.knot.reached = log_sum(wish.knot.reached, reached);
        wish.arcs.push(arc);
    }

    /// So many of the most probable ones, in the order in which they were found.
    fn best(mut self, width: usize) -> Vec<Wish> {
        let most = self.all.iter().map(|wish| wish.knot.reached);
        let most = most.fold(f64::NEG_INFINITY, f64::max);
        self.all.retain(|wish| wish.knot.reached >= most - MARGIN);
        if self.all.len() > width {
            let mut order: Vec<usize> = (0..self.all.len()).collect();
            let reached = |at: &usize| self.all[*at].knot.reached;
            order.sort_by(|a, b| reached(b).total_cmp(&reached(a)));
            order.truncate(width);
            let mut at = 0;
            self.all.retain(|_| {
                at += 1;
                order.contains(&(at - 1))
            });
        }
        self.all
    }
}

/// The logarithm of the sum of two numbers that are given by theirs.
fn log_sum(a: f64, b: f64) -> f64 {
    let (high, low) = (a.max(b), a.min(b));
    if high == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

impl<'d, 'p> Lattice<'d, 'p> {
    fn new(decider: &'d mut Decider<'p>) -> Lattice<'d, 'p> {
        let leaves = 0..decider.text.len() as u32;
        Lattice {
            nodes: leaves
                .map(|at| ParsedSpan::leaf(decider.text, at))
                .collect(),
            decider,
            alike: FxHashMap::default(),
            shifts: FxHashMap::default(),
            joins: FxHashMap::default(),
            cells: Vec::new(),
            knots: Vec::new(),
            arcs: Vec::new(),
        }
    }

    /// Goes through the text, keeping so many configurations at each step.
    fn walk(&mut self, width: usize) {
        let edus = self.decider.text.len() as u32;
        self.knots.push(Knot {
            top: NONE,
            next: 0,
            reached: 0.0,
        });
        let mut front = 0..1u32;
        // Every derivation of n EDUs has 2n - 1 steps.
        for _ in 1..2 * edus {
            let mut wishes = Wishes::default();
            for from in front.clone() {
                let knot = self.knots[from as usize];
                let here = self.configuration(&knot);
                let shift = match here {
                    None => 1.0,
                    Some(_) if knot.next == edus => 0.0,
                    Some(here) => self.shift(here),
                };
                if shift > 0.0 {
                    let made = NodeIndex::of_edu(knot.next);
                    let top = self.push(made, knot.top);
                    wishes.add(self, from, (top, knot.next + 1), shift.ln(), None);
                }
                if let Some(here) = here
                    && shift < 1.0
                    && let Some((node, sure)) = self.join(here)
                {
                    let below = self.cells[self.cells[knot.top as usize].below as usize].below;
                    let top = self.push(node, below);
                    let made = &self.nodes[node.index()];
                    let log = (1.0 - shift).ln() + LABEL_IN_WAYS * sure.ln();
                    let made = Made {
                        extent: (made.first, made.last),
                        right: self.nodes[here.2.index()].first,
                        sure,
                    };
                    wishes.add(self, from, (top, knot.next), log, Some(made));
                }
            }
            let first = self.knots.len() as u32;
            for (number, wish) in wishes.best(width).into_iter().enumerate() {
                self.knots.push(wish.knot);
                self.arcs.extend(wish.arcs.iter().map(|arc| Arc {
                    to: first + number as u32,
                    ..*arc
                }));
            }
            front = first..self.knots.len() as u32;
        }
    }

    fn push(&mut self, node: NodeIndex, below: u32) -> u32 {
        let span = &self.nodes[node.index()];
        let under = self.cells.get(below as usize).map_or(0, |cell| cell.mark);
        let own = u64::from(span.first) << 32 | u64::from(span.last + 1);
        let mark = (under.rotate_left(5) ^ own).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.cells.push(Cell { node, below, mark });
        (self.cells.len() - 1) as u32
    }

    fn configuration(&self, knot: &Knot) -> Option<Configuration> {
        let b = self.cells.get(knot.top as usize)?;
        let a = self.cells.get(b.below as usize)?;
        let s = self.cells.get(a.below as usize).map(|cell| cell.node);
        Some((s, a.node, b.node, knot.next))
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

    /// How probable shift is.
    fn shift(&mut self, here: Configuration) -> f64 {
        if let Some(known) = self.shifts.get(&here) {
            return *known;
        }
        let mut workspace = std::mem::take(&mut self.decider.workspace);
        let choice = self.decider.choose(self.view(here), &mut workspace);
        self.decider.workspace = workspace;
        let share = choice.probability(Action::Shift);
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

    /// How probable each span is over all ways to the end, and where its right parts begin.
    fn votes(&self) -> BTreeMap<Extent, (f64, Vec<u32>)> {
        let mut onward = vec![f64::NEG_INFINITY; self.knots.len()];
        let Some(end) = onward.last_mut() else {
            return BTreeMap::new();
        };
        *end = 0.0;
        let whole = self.knots.last().map_or(0.0, |knot| knot.reached);
        let mut votes: BTreeMap<Extent, (f64, Vec<u32>)> = BTreeMap::new();
        // Arcs stand in the order of their ends, so everything behind an arc is known.
        for arc in self.arcs.iter().rev() {
            let ahead = arc.log_probability + onward[arc.to as usize];
            let own = &mut onward[arc.from as usize];
            *own = log_sum(*own, ahead);
            let share = (self.knots[arc.from as usize].reached + ahead - whole).exp();
            if let Some(Made {
                extent,
                right,
                sure,
            }) = arc.made
            {
                let (votes, rights) = votes.entry(extent).or_default();
                *votes += share * sure.powf(LABEL_IN_SPANS);
                if let Err(at) = rights.binary_search(&right) {
                    rights.insert(at, right);
                }
            }
        }
        votes
    }

    /// The spans of the tree with most votes among all that can be put together from what was
    /// found.
    fn winners(&self) -> FxHashSet<Extent> {
        let all = self.votes();
        let mut by_length: Vec<&Extent> = all.keys().collect();
        by_length.sort_by_key(|(first, last)| (last - first, *first));
        // The votes of the best tree over each span, and where its right part begins.
        let mut best: FxHashMap<Extent, (f64, u32)> = FxHashMap::default();
        for (first, last) in by_length {
            let (own, rights) = &all[&(*first, *last)];
            let votes = |span: Extent| best.get(&span).map_or(0.0, |(votes, _)| *votes);
            let mut top = (-1.0, *last);
            for right in rights {
                let below = votes((*first, right - 1)) + votes((*right, *last));
                if own + below > top.0 {
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
