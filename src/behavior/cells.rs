//! Weights of cells: a softmax over outcomes whose scores are sums of the weights of cells that hold,
//! with an L1 penalty, so that most cells fall away.
//!
//! A cell is a question that holds in some instances and a part of what can be done: a relation with
//! its roles, a class of relations, roles alone. Its weight speaks for all outcomes that have the part.
//! One weight after the other is moved by a Newton step inside its trust region; cells that want to stay
//! at zero are left out of most rounds. Nothing is random: the same instances give the same weights.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

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

/// A question: the instances in which it holds, and how much its weights cost.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) holds: Vec<u32>,
    pub(super) cost: f64,
}

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
const ROUNDS: [usize; 2] = [3, 10];
/// Passes over cells that have weight, between two rounds over all questions.
const PASSES: usize = 6;
/// A pass that moves no weight by more than this is the last one, and a round by more than the second.
const STILL: [f64; 2] = [0.03, 0.05];
/// So few new cells are not worth another round.
const FEW: usize = 5;
/// A weight moves at most so far at once.
const TRUST: f64 = 1.0;
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

/// Fits the weights of all cells.
pub(super) fn fit_cells(
    decisions: &Decisions,
    questions: &[Question],
    how: CellFit,
) -> FittedCells {
    let mut model = Model::new(decisions);
    for _ in 0..ALWAYS_PASSES {
        model.move_always();
    }
    let mut active: Vec<Moving> = Vec::new();
    for (at, factor) in PATH.iter().enumerate() {
        let how = CellFit {
            penalty: how.penalty * factor,
            ..how
        };
        let [usual, last] = ROUNDS;
        let rounds = if at + 1 == PATH.len() { last } else { usual };
        for _ in 0..rounds {
            let fresh = model.take_up(&mut active, questions, how);
            let mut moved = 0.0_f64;
            for _ in 0..PASSES {
                let mut step = model.move_always();
                for cell in &mut active {
                    let question = &questions[cell.question as usize];
                    step = step.max(model.step(cell, question, how).abs());
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

struct Moving {
    question: u32,
    part: u32,
    weight: f64,
    trust: f64,
}

impl Moving {
    fn new(question: u32, part: u32) -> Moving {
        Moving {
            question,
            part,
            weight: 0.0,
            trust: TRUST,
        }
    }
}

struct Model<'d> {
    decisions: &'d Decisions,
    /// The outcomes that have each part.
    members: Vec<Vec<u32>>,
    /// How probable each outcome is in each instance.
    shares: Vec<f32>,
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
            shares: Vec::new(),
            always: vec![0.0; decisions.parts],
        };
        model.recompute(&[], &[]);
        model
    }

    /// The shares from the weights, anew.
    fn recompute(&mut self, active: &[Moving], questions: &[Question]) {
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
            for at in &questions[cell.question as usize].holds {
                let own = &mut scores[*at as usize * outcomes..][..outcomes];
                for member in members {
                    own[*member as usize] += cell.weight as f32;
                }
            }
        }
        for own in scores.chunks_exact_mut(outcomes) {
            let most = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for score in own.iter_mut() {
                *score = (*score - most).exp();
                sum += *score;
            }
            for score in own.iter_mut() {
                *score = (*score / sum).max(LEAST_SHARE);
            }
        }
        self.shares = scores;
    }

    /// Adds the cells whose weight would not stay at nothing; gives how many are new.
    fn take_up(&self, active: &mut Vec<Moving>, questions: &[Question], how: CellFit) -> usize {
        let known: FxHashSet<(u32, u32)> = active.iter().map(|c| (c.question, c.part)).collect();
        let numbered = questions.par_iter().enumerate();
        let wanting: Vec<(u32, u32)> = numbered
            .flat_map_iter(|(number, question)| {
                let parts = self.wanting(question, how).into_iter();
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
    fn wanting(&self, question: &Question, how: CellFit) -> Vec<u32> {
        let outcomes = self.decisions.outcomes();
        let mut expected = vec![0.0_f32; outcomes];
        let mut seen = vec![0.0_f32; outcomes];
        for at in &question.holds {
            let at = *at as usize;
            let importance = self.decisions.importance(at) as f32;
            let own = &self.shares[at * outcomes..][..outcomes];
            for (sum, share) in expected.iter_mut().zip(own) {
                *sum += importance * share;
            }
            seen[self.decisions.done[at] as usize] += importance;
        }
        let penalty = (how.penalty * question.cost) as f32;
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
    fn step(&mut self, cell: &mut Moving, question: &Question, how: CellFit) -> f64 {
        let penalty = how.penalty * question.cost;
        let (mut gradient, mut curvature) = self.slope(cell.part, question.holds.iter().copied());
        gradient += how.ridge * cell.weight;
        curvature += how.ridge;
        let weight = cell.weight;
        let wish = if gradient + penalty <= curvature * weight {
            -(gradient + penalty) / curvature
        } else if gradient - penalty >= curvature * weight {
            -(gradient - penalty) / curvature
        } else {
            -weight
        };
        if wish == 0.0 {
            return 0.0;
        }
        let step = wish.clamp(-cell.trust, cell.trust);
        cell.trust = (2.0 * step.abs()).max(cell.trust / 2.0).min(TRUST);
        cell.weight = weight + step;
        self.add(cell.part, step, question.holds.iter().copied());
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
            let own = &self.shares[at * outcomes..][..outcomes];
            let share: f32 = members.iter().map(|member| own[*member as usize]).sum();
            let share = f64::from(share).min(1.0);
            let done = members.contains(&self.decisions.done[at]);
            let importance = self.decisions.importance(at);
            gradient += importance * (share - f64::from(u8::from(done)));
            curvature += importance * share * (1.0 - share);
        }
        (gradient, curvature.max(LEAST_CURVATURE))
    }

    /// Adds to a weight: shares follow.
    fn add(&mut self, part: u32, step: f64, holds: impl Iterator<Item = u32>) {
        let outcomes = self.decisions.outcomes();
        let members = &self.members[part as usize];
        let growth = step.exp() as f32 - 1.0;
        for at in holds {
            let own = &mut self.shares[at as usize * outcomes..][..outcomes];
            let mut more = 0.0;
            for member in members {
                let share = &mut own[*member as usize];
                let plus = *share * growth;
                *share += plus;
                more += plus;
            }
            let scale = 1.0 / (1.0 + more);
            for share in own {
                *share *= scale;
            }
        }
    }
}
