//! Weights of cells: a softmax over outcomes whose scores are sums of the weights of cells that hold,
//! with an L1 penalty, so that most cells fall away.
//!
//! A cell is a question that holds in some instances and a part of what can be done: a relation with
//! its roles, a class of relations, roles alone. Its weight speaks for all outcomes that have the part.
//! One weight after the other is moved by a Newton step inside its trust region; cells that want to stay
//! at zero are left out of most rounds. Nothing is random: the same instances give the same weights.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is to be told apart, and by what.
#[derive(Debug)]
pub(super) struct Decisions {
    /// For each outcome, the parts it has.
    pub(super) parts_of: Vec<Vec<u32>>,
    /// How many parts there are.
    pub(super) parts: usize,
    /// What was done in each instance.
    pub(super) done: Vec<u32>,
    /// How much each instance counts.
    pub(super) importance: Vec<f64>,
    /// What is said of each outcome in each instance before any cell speaks: nothing, or one number for
    /// every instance and outcome.
    pub(super) given: Vec<f32>,
}

/// The instances in which a question holds.
pub(super) type Holds = Vec<u32>;

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellFit {
    /// What a weight costs: the penalty on its absolute value.
    pub penalty: f64,
    /// The penalty on its square.
    pub ridge: f64,
    /// A cell is tried when its question holds in so many instances of its part, or would by chance.
    pub least_count: f64,
}

/// A weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) question: u32,
    pub(super) part: u32,
    pub(super) weight: f64,
}

/// A weight that was learned before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KnownCell {
    pub(super) cell: Cell,
    /// True when nothing but its old value holds it: it is not pulled to nothing.
    pub(super) is_free: bool,
}

/// Cells with their weights, and the weights of parts that always hold.
#[derive(Debug, Clone, Default)]
pub(super) struct FittedCells {
    pub(super) cells: Vec<Cell>,
    pub(super) always: Vec<f64>,
}

/// The penalty comes down to its value in these steps, so that few cells are looked at that fall away
/// again.
const PATH: [f64; 6] = [16.0, 8.0, 4.0, 2.0, 1.4, 1.0];
/// Rounds over all questions on a step of the path, and on the last one.
const ROUNDS: [usize; 2] = [2, 8];
/// Passes over cells that have weight, between two rounds over all questions.
const PASSES: usize = 3;
/// A pass that moves no weight by more than this is the last one, and a round by more than the second.
const STILL: [f64; 2] = [0.04, 0.06];
/// So few new cells are not worth another round.
const FEW: usize = 5;
/// A weight moves at most so far at once.
const TRUST: f64 = 1.0;
/// The share of the penalty that is left once it has chosen cells.
const RELAXED: f64 = 0.4;
/// Passes over weights that were learned before.
const REFIT_PASSES: usize = 24;
/// The penalty on the squares of weights of parts that always hold.
const ALWAYS_RIDGE: f64 = 0.1;
/// Passes over these weights before anything else moves.
const ALWAYS_PASSES: usize = 10;
/// Curvatures and shares are kept above these, so that nothing is divided by zero.
const LEAST_CURVATURE: f64 = 1e-3;
const LEAST_SHARE: f32 = 1e-12;

impl Decisions {
    fn outcomes(&self) -> usize {
        self.parts_of.len()
    }

    fn importance(&self, at: usize) -> f64 {
        self.importance.get(at).copied().unwrap_or(1.0)
    }
}

/// Fits the weights of all cells, from nothing or from weights that were fitted before.
pub(super) fn fit_cells(
    decisions: &Decisions,
    questions: &[Holds],
    how: CellFit,
    start: Option<&FittedCells>,
) -> FittedCells {
    let mut model = Model::new(decisions);
    let mut active: Vec<Moving> = Vec::new();
    let path = match start {
        None => PATH.as_slice(),
        Some(start) => {
            model.always.clone_from(&start.always);
            active.extend(start.cells.iter().map(Moving::from_cell));
            model.recompute(&active, questions);
            &PATH[PATH.len() - 1..]
        }
    };
    for _ in 0..ALWAYS_PASSES {
        model.move_always();
    }
    for (at, factor) in path.iter().enumerate() {
        let how = CellFit {
            penalty: how.penalty * factor,
            ..how
        };
        let [usual, last] = ROUNDS;
        let rounds = if at + 1 == path.len() { last } else { usual };
        for _ in 0..rounds {
            let fresh = model.take_up(&mut active, questions, how);
            let mut moved = 0.0_f64;
            for _ in 0..PASSES {
                let mut step = model.move_always();
                for cell in &mut active {
                    let holds = &questions[cell.question as usize];
                    step = step.max(model.step(cell, holds, how).abs());
                }
                moved = moved.max(step);
                if step < STILL[0] {
                    break;
                }
            }
            active.retain(|cell| cell.weight != 0.0);
            model.recompute(&active, questions);
            if fresh < FEW && moved < STILL[1] {
                break;
            }
        }
    }
    let cells = active.iter().map(|cell| Cell {
        question: cell.question,
        part: cell.part,
        weight: cell.weight,
    });
    let mut cells: Vec<Cell> = cells.collect();
    cells.sort_by_key(|cell| (cell.question, cell.part));
    FittedCells {
        cells,
        always: model.always,
    }
}

/// Leaves out weak cells and fits the others once more, with a smaller penalty: it was there to choose
/// cells, and made all of them weaker than they should be.
pub(super) fn strengthen_cells(
    decisions: &Decisions,
    questions: &[Holds],
    fitted: &mut FittedCells,
    how: CellFit,
    least: f64,
) {
    let how = CellFit {
        penalty: how.penalty * RELAXED,
        ..how
    };
    fitted.cells.retain(|cell| cell.weight.abs() >= least);
    let mut model = Model::new(decisions);
    model.always.clone_from(&fitted.always);
    let mut active: Vec<Moving> = fitted.cells.iter().map(Moving::from_cell).collect();
    model.recompute(&active, questions);
    for _ in 0..REFIT_PASSES {
        let mut moved = model.move_always();
        for cell in &mut active {
            let holds = &questions[cell.question as usize];
            moved = moved.max(model.step(cell, holds, how).abs());
        }
        if moved < STILL[0] {
            break;
        }
    }
    for (cell, moved) in fitted.cells.iter_mut().zip(&active) {
        cell.weight = moved.weight;
    }
    fitted.cells.retain(|cell| cell.weight != 0.0);
    fitted.always = model.always;
}

/// Fits weights that are known anew: each is pulled to what it was, and none is added.
pub(super) fn refit_cells(
    decisions: &Decisions,
    questions: &[Holds],
    known: &[KnownCell],
    how: CellFit,
    pull: f64,
) -> Vec<f64> {
    // The weights were fitted last with what is left of the penalty: with all of it they would shrink.
    let how = CellFit {
        penalty: how.penalty * RELAXED,
        ..how
    };
    let mut model = Model::new(decisions);
    let mut active: Vec<Moving> = known
        .iter()
        .map(|known| Moving {
            pull: Some((known.cell.weight, pull)),
            is_free: known.is_free,
            ..Moving::from_cell(&known.cell)
        })
        .collect();
    model.recompute(&active, questions);
    for _ in 0..REFIT_PASSES {
        let mut moved = 0.0_f64;
        for cell in &mut active {
            let holds = &questions[cell.question as usize];
            moved = moved.max(model.step(cell, holds, how).abs());
        }
        model.recompute(&active, questions);
        if moved < STILL[0] {
            break;
        }
    }
    active.iter().map(|cell| cell.weight).collect()
}

/// How much of the fit each group of questions is worth: what the loss would rise by without it.
pub(super) fn gains(
    decisions: &Decisions,
    questions: &[Holds],
    fitted: &FittedCells,
    groups: &[Vec<Cell>],
) -> Vec<f64> {
    let mut model = Model::new(decisions);
    model.always.clone_from(&fitted.always);
    let active: Vec<Moving> = fitted.cells.iter().map(Moving::from_cell).collect();
    model.recompute(&active, questions);
    let gains = groups.par_iter();
    gains.map(|cells| model.gain(cells, questions)).collect()
}

struct Moving {
    question: u32,
    part: u32,
    weight: f64,
    trust: f64,
    /// The value that it is pulled to, and how strongly.
    pull: Option<(f64, f64)>,
    /// True when it is not pulled to nothing.
    is_free: bool,
}

impl Moving {
    fn from_cell(cell: &Cell) -> Moving {
        Moving {
            weight: cell.weight,
            ..Moving::new(cell.question, cell.part)
        }
    }

    fn new(question: u32, part: u32) -> Moving {
        Moving {
            question,
            part,
            weight: 0.0,
            trust: TRUST,
            pull: None,
            is_free: false,
        }
    }

    /// Where the weight wants to be, when the loss alone would have it at `middle`.
    fn place(&self, middle: f64, curvature: f64, penalty: f64) -> f64 {
        let penalty = if self.is_free { 0.0 } else { penalty };
        let (old, pull) = self.pull.unwrap_or((0.0, 0.0));
        let cost = |weight: f64| {
            let off = weight - middle;
            0.5 * curvature * off * off + penalty * weight.abs() + pull * (weight - old).abs()
        };
        // The least is at a kink, or where the slope is nothing between kinks.
        let mut best = 0.0;
        let slopes = [-1.0, 1.0].map(|to_zero| [-1.0, 1.0].map(|to_old| (to_zero, to_old)));
        let between = slopes
            .as_flattened()
            .iter()
            .map(|(to_zero, to_old)| middle - (to_zero * penalty + to_old * pull) / curvature);
        for weight in std::iter::once(old).chain(between) {
            if cost(weight) < cost(best) {
                best = weight;
            }
        }
        best
    }
}

struct Model<'d> {
    decisions: &'d Decisions,
    /// The outcomes that have each part.
    members: Vec<Vec<u32>>,
    /// For each instance the odds of each outcome, against their sum in `sums`.
    odds: Vec<f32>,
    sums: Vec<f32>,
    always: Vec<f64>,
}

impl<'d> Model<'d> {
    fn new(decisions: &'d Decisions) -> Model<'d> {
        let mut members = vec![Vec::new(); decisions.parts];
        for (outcome, parts) in decisions.parts_of.iter().enumerate() {
            for part in parts {
                members[*part as usize].push(outcome as u32);
            }
        }
        let mut model = Model {
            decisions,
            members,
            odds: Vec::new(),
            sums: Vec::new(),
            always: vec![0.0; decisions.parts],
        };
        model.recompute(&[], &[]);
        model
    }

    /// The shares from the weights, anew.
    fn recompute(&mut self, active: &[Moving], questions: &[Holds]) {
        let outcomes = self.decisions.outcomes();
        let instances = self.decisions.done.len();
        let mut scores = if self.decisions.given.is_empty() {
            vec![0.0_f32; outcomes * instances]
        } else {
            self.decisions.given.clone()
        };
        let base: Vec<f32> = self
            .decisions
            .parts_of
            .iter()
            .map(|parts| parts.iter().map(|p| self.always[*p as usize]).sum::<f64>() as f32)
            .collect();
        for own in scores.chunks_exact_mut(outcomes) {
            for (score, base) in own.iter_mut().zip(&base) {
                *score += base;
            }
        }
        for cell in active {
            let members = &self.members[cell.part as usize];
            for at in &questions[cell.question as usize] {
                let own = &mut scores[*at as usize * outcomes..][..outcomes];
                for member in members {
                    own[*member as usize] += cell.weight as f32;
                }
            }
        }
        self.sums.clear();
        for own in scores.chunks_exact_mut(outcomes) {
            let most = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for score in own.iter_mut() {
                *score = (*score - most).exp().max(LEAST_SHARE);
            }
            self.sums.push(own.iter().sum());
        }
        self.odds = scores;
    }

    /// What the loss would rise by without some cells.
    fn gain(&self, cells: &[Cell], questions: &[Holds]) -> f64 {
        let outcomes = self.decisions.outcomes();
        // What the cells say of each outcome, in the instances that they speak in.
        let mut said: FxHashMap<u32, Vec<f32>> = FxHashMap::default();
        for cell in cells {
            for at in &questions[cell.question as usize] {
                let own = said.entry(*at).or_insert_with(|| vec![0.0; outcomes]);
                for member in &self.members[cell.part as usize] {
                    own[*member as usize] += cell.weight as f32;
                }
            }
        }
        let mut touched: Vec<(u32, Vec<f32>)> = said.into_iter().collect();
        touched.sort_unstable_by_key(|(at, _)| *at);
        let mut gain = 0.0;
        for (at, said) in touched {
            let at = at as usize;
            let own = &self.odds[at * outcomes..][..outcomes];
            let without: f32 = own
                .iter()
                .zip(&said)
                .map(|(odds, said)| odds * (-said).exp())
                .sum();
            let done = said[self.decisions.done[at] as usize];
            let rise = f64::from((without / self.sums[at]).ln() + done);
            gain += self.decisions.importance(at) * rise;
        }
        gain
    }

    /// Adds the cells whose weight would not stay at nothing; gives how many are new.
    fn take_up(&self, active: &mut Vec<Moving>, questions: &[Holds], how: CellFit) -> usize {
        let known: FxHashSet<(u32, u32)> = active.iter().map(|c| (c.question, c.part)).collect();
        let numbered = questions.par_iter().enumerate();
        let wanting: Vec<(u32, u32)> = numbered
            .flat_map_iter(|(number, holds)| {
                let parts = self.wanting(holds, how).into_iter();
                parts.map(move |part| (number as u32, part))
            })
            .filter(|cell| !known.contains(cell))
            .collect();
        active.extend(
            wanting
                .iter()
                .map(|(question, part)| Moving::new(*question, *part)),
        );
        wanting.len()
    }

    /// The parts of which a weight would not stay at nothing for this question.
    fn wanting(&self, holds: &Holds, how: CellFit) -> Vec<u32> {
        let outcomes = self.decisions.outcomes();
        let mut expected = vec![0.0_f32; outcomes];
        let mut seen = vec![0.0_f32; outcomes];
        for at in holds {
            let at = *at as usize;
            let importance = self.decisions.importance(at) as f32;
            let own = &self.odds[at * outcomes..][..outcomes];
            let scale = importance / self.sums[at];
            for (sum, odds) in expected.iter_mut().zip(own) {
                *sum += scale * odds;
            }
            seen[self.decisions.done[at] as usize] += importance;
        }
        let penalty = how.penalty as f32;
        let mut wanting = Vec::new();
        for (part, members) in self.members.iter().enumerate() {
            let (mut will, mut was) = (0.0, 0.0);
            for member in members {
                will += expected[*member as usize];
                was += seen[*member as usize];
            }
            if (will - was).abs() > penalty && will.max(was) >= how.least_count as f32 {
                wanting.push(part as u32);
            }
        }
        wanting
    }

    /// Moves one weight; gives by how much.
    fn step(&mut self, cell: &mut Moving, holds: &Holds, how: CellFit) -> f64 {
        let (mut gradient, mut curvature) = self.slope(cell.part, holds.iter().copied());
        gradient += how.ridge * cell.weight;
        curvature += how.ridge;
        let weight = cell.weight;
        let wish = cell.place(weight - gradient / curvature, curvature, how.penalty) - weight;
        if wish == 0.0 {
            return 0.0;
        }
        let step = wish.clamp(-cell.trust, cell.trust);
        cell.trust = (2.0 * step.abs()).max(cell.trust / 2.0).min(TRUST);
        cell.weight = weight + step;
        self.add(cell.part, step, holds.iter().copied());
        step
    }

    /// Moves the weights of parts that always hold; gives the longest step.
    fn move_always(&mut self) -> f64 {
        let mut moved = 0.0_f64;
        for part in 0..self.decisions.parts as u32 {
            let all = 0..self.decisions.done.len() as u32;
            let (gradient, curvature) = self.slope(part, all.clone());
            let gradient = gradient + ALWAYS_RIDGE * self.always[part as usize];
            let step = (-gradient / (curvature + ALWAYS_RIDGE)).clamp(-TRUST, TRUST);
            self.always[part as usize] += step;
            self.add(part, step, all);
            moved = moved.max(step.abs());
        }
        moved
    }

    /// The slope and the curvature of the loss along a weight.
    fn slope(&self, part: u32, holds: impl Iterator<Item = u32>) -> (f64, f64) {
        let outcomes = self.decisions.outcomes();
        let members = &self.members[part as usize];
        let (mut gradient, mut curvature) = (0.0_f64, 0.0_f64);
        for at in holds {
            let at = at as usize;
            let own = &self.odds[at * outcomes..][..outcomes];
            let odds: f32 = members.iter().map(|member| own[*member as usize]).sum();
            let share = f64::from(odds / self.sums[at]).min(1.0);
            let done = members.contains(&self.decisions.done[at]);
            let importance = self.decisions.importance(at);
            gradient += importance * (share - f64::from(u8::from(done)));
            curvature += importance * share * (1.0 - share);
        }
        (gradient, curvature.max(LEAST_CURVATURE))
    }

    /// Adds to a weight: odds follow.
    fn add(&mut self, part: u32, step: f64, holds: impl Iterator<Item = u32>) {
        let outcomes = self.decisions.outcomes();
        let members = &self.members[part as usize];
        let growth = step.exp() as f32 - 1.0;
        for at in holds {
            let own = &mut self.odds[at as usize * outcomes..][..outcomes];
            let mut more = 0.0;
            for member in members {
                let odds = &mut own[*member as usize];
                let plus = *odds * growth;
                *odds += plus;
                more += plus;
            }
            self.sums[at as usize] += more;
        }
    }
}
