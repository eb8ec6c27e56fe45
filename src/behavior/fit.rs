//! Weights of rules: logistic regression with an L1 penalty, so that most rules fall away.
//!
//! Minimises  sum |w| + C sum_i log(1 + exp(-y_i z_i)),  z_i the sum of the weights of the rules
//! that hold in instance i. One rule after the other is moved by a Newton step inside its trust
//! region (Genkin, Lewis and Madigan's way); rules that want to stay at zero are left out of most
//! rounds. Nothing is random: the same instances give the same weights.

/// Instances seen from the rules: where each of them holds.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// For each rule, the instances in which it holds, in order.
    pub(super) holds: Vec<Vec<u32>>,
    /// How many instances there are.
    pub(super) instances: usize,
    /// How much each of them counts; where nothing is said, 1.
    pub(super) importance: Vec<f64>,
}

impl Columns {
    fn importance(&self, at: usize) -> f64 {
        self.importance.get(at).copied().unwrap_or(1.0)
    }
}

/// How to fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit {
    /// How much instances count against the penalty.
    pub(super) c: f64,
    /// Rounds over all rules at most.
    pub(super) rounds: usize,
    /// Fitting ends when no weight moved more than this in a round over all.
    pub(super) tolerance: f64,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            c: 0.25,
            rounds: 30,
            tolerance: 0.01,
        }
    }
}

/// Rounds over the rules that have weight, between two rounds over those that may get some.
const INNER_ROUNDS: usize = 6;
/// Rounds over the rules that may get weight, between two rounds over all.
const OUTER_ROUNDS: usize = 4;
/// A rule may get weight when its slope has come this near to the penalty.
const NEAR: f64 = 0.6;
/// The odds of an instance are kept within these bounds.
const MAX_ODDS: f64 = 1e12;

/// Weights of rules, and of the rule that always holds, which is not penalised.
#[derive(Debug, Clone, Default)]
pub(super) struct Weights {
    pub(super) rules: Vec<f64>,
    pub(super) always: f64,
}

/// The weights for telling `wanted` instances from the others. Fitting begins at `start`; rules
/// beyond it begin at nothing.
pub(super) fn fit(columns: &Columns, wanted: &[bool], start: Weights, how: Fit) -> Weights {
    let rules = columns.holds.len();
    let mut model = Model {
        weights: start.rules,
        trust: vec![1.0; rules],
        always: start.always,
        odds: Vec::new(),
        wanted,
        columns,
        c: how.c,
    };
    model.weights.resize(rules, 0.0);
    model.odds = odds(columns, &model.weights, model.always);
    for _ in 0..how.rounds {
        let mut moved = model.move_always().abs();
        let mut near: Vec<usize> = Vec::new();
        for (rule, holds) in columns.holds.iter().enumerate() {
            let (step, slope) = model.step(rule, holds);
            moved = moved.max(step.abs());
            if model.weights[rule] != 0.0 || slope.abs() > NEAR {
                near.push(rule);
            }
        }
        if moved < how.tolerance {
            break;
        }
        for _ in 0..OUTER_ROUNDS {
            let mut moved = model.pass(&near, columns);
            let active = near
                .iter()
                .copied()
                .filter(|rule| model.weights[*rule] != 0.0);
            let active: Vec<usize> = active.collect();
            for _ in 0..INNER_ROUNDS {
                let step = model.pass(&active, columns);
                moved = moved.max(step);
                if step < how.tolerance {
                    break;
                }
            }
            if moved < how.tolerance {
                break;
            }
        }
    }
    Weights {
        rules: model.weights,
        always: model.always,
    }
}

/// What weights make of every instance: exp of their sum.
fn odds(columns: &Columns, weights: &[f64], always: f64) -> Vec<f64> {
    let mut sums = vec![always; columns.instances];
    for (holds, weight) in columns
        .holds
        .iter()
        .zip(weights)
        .filter(|(_, w)| **w != 0.0)
    {
        for at in holds {
            sums[*at as usize] += weight;
        }
    }
    sums.iter()
        .map(|sum| sum.exp().clamp(1.0 / MAX_ODDS, MAX_ODDS))
        .collect()
}

/// What weights leave unexplained in every instance: what was done less its probability.
pub(super) fn residuals(columns: &Columns, weights: &Weights, wanted: &[bool]) -> Vec<f64> {
    let odds = odds(columns, &weights.rules, weights.always);
    let target = |wanted: &bool| f64::from(u8::from(*wanted));
    let both = odds.iter().zip(wanted).enumerate();
    both.map(|(at, (odds, wanted))| columns.importance(at) * (target(wanted) - odds / (1.0 + odds)))
        .collect()
}

struct Model<'p> {
    weights: Vec<f64>,
    trust: Vec<f64>,
    always: f64,
    /// exp(z) of every instance.
    odds: Vec<f64>,
    wanted: &'p [bool],
    columns: &'p Columns,
    c: f64,
}

impl Model<'_> {
    /// Moves the weights of some rules once; returns the longest step.
    fn pass(&mut self, rules: &[usize], columns: &Columns) -> f64 {
        let mut moved = self.move_always().abs();
        for rule in rules {
            let (step, _) = self.step(*rule, &columns.holds[*rule]);
            moved = moved.max(step.abs());
        }
        moved
    }

    /// Moves one weight; returns by how much, and the slope it had.
    fn step(&mut self, rule: usize, holds: &[u32]) -> (f64, f64) {
        let (gradient, curvature) = self.slope(holds.iter().map(|at| *at as usize));
        let weight = self.weights[rule];
        let wish = if gradient + 1.0 <= curvature * weight {
            -(gradient + 1.0) / curvature
        } else if gradient - 1.0 >= curvature * weight {
            -(gradient - 1.0) / curvature
        } else {
            -weight
        };
        if wish == 0.0 {
            return (0.0, gradient);
        }
        let step = wish.clamp(-self.trust[rule], self.trust[rule]);
        self.trust[rule] = (2.0 * step.abs()).max(self.trust[rule] / 2.0);
        self.weights[rule] = weight + step;
        let factor = step.exp();
        for at in holds {
            let odds = &mut self.odds[*at as usize];
            *odds = (*odds * factor).clamp(1.0 / MAX_ODDS, MAX_ODDS);
        }
        (step, gradient)
    }

    fn move_always(&mut self) -> f64 {
        let (gradient, curvature) = self.slope(0..self.odds.len());
        let step = (-gradient / curvature).clamp(-1.0, 1.0);
        self.always += step;
        let factor = step.exp();
        for odds in &mut self.odds {
            *odds = (*odds * factor).clamp(1.0 / MAX_ODDS, MAX_ODDS);
        }
        step
    }

    fn slope(&self, holds: impl Iterator<Item = usize>) -> (f64, f64) {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for at in holds {
            let odds = self.odds[at];
            let probability = odds / (1.0 + odds);
            let target = if self.wanted[at] { 1.0 } else { 0.0 };
            let importance = self.columns.importance(at);
            gradient += importance * (probability - target);
            curvature += importance * probability * (1.0 - probability);
        }
        (self.c * gradient, (self.c * curvature).max(1e-9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_instances_apart_gets_weight_and_noise_none() {
        // Rule 0 holds in all wanted instances and few others; rule 1 in every third one,
        // whatever is wanted.
        let wanted: Vec<bool> = (0..400).map(|at| at % 4 == 0).collect();
        let first = (0..400).filter(|at| at % 4 == 0 || at % 20 == 1).collect();
        let second = (0..400).filter(|at| at % 3 == 0).collect();
        let columns = Columns {
            holds: vec![first, second, vec![]],
            instances: 400,
            importance: Vec::new(),
        };
        let how = Fit {
            c: 0.25,
            rounds: 50,
            tolerance: 1e-4,
        };
        let Weights {
            rules: weights,
            always,
        } = fit(&columns, &wanted, Weights::default(), how);
        assert!(weights[0] > 3.0 && always < -2.0, "{weights:?} {always}");
        assert!(weights[1].abs() < 0.2, "{weights:?}");
        assert_eq!(weights[2], 0.0);
    }

    #[test]
    fn the_penalty_balances_the_slope() {
        // At the optimum the slope of every weight that is not zero is 1 against its sign.
        let wanted: Vec<bool> = (0..300).map(|at| at % 3 == 0).collect();
        let holds: Vec<u32> = (0..300).filter(|at| at % 3 == 0 || at % 7 == 0).collect();
        let columns = Columns {
            holds: vec![holds.clone()],
            instances: 300,
            importance: Vec::new(),
        };
        let how = Fit {
            c: 0.5,
            rounds: 200,
            tolerance: 1e-9,
        };
        let Weights {
            rules: weights,
            always,
        } = fit(&columns, &wanted, Weights::default(), how);
        let slope: f64 = holds
            .iter()
            .map(|at| {
                let probability = 1.0 / (1.0 + (-(always + weights[0])).exp());
                probability - f64::from(u8::from(wanted[*at as usize]))
            })
            .sum();
        assert!((how.c * slope + 1.0).abs() < 1e-6, "{slope}");
    }

    #[test]
    fn an_instance_that_counts_twice_is_two_instances() {
        let wanted: Vec<bool> = (0..60).map(|at| at % 3 == 0).collect();
        let holds: Vec<u32> = (0..60).filter(|at| at % 3 == 0 || at % 7 == 0).collect();
        let twice = |at: &u32| at.is_multiple_of(4);
        let once = Columns {
            holds: vec![holds.clone()],
            instances: 60,
            importance: (0..60_u32)
                .map(|at| if twice(&at) { 2.0 } else { 1.0 })
                .collect(),
        };
        // The same instances, those that count twice written out twice.
        let written: Vec<u32> = (0..60).chain((0..60).filter(twice)).collect();
        let both = Columns {
            holds: vec![
                (0..written.len() as u32)
                    .filter(|at| holds.contains(&written[*at as usize]))
                    .collect(),
            ],
            instances: written.len(),
            importance: Vec::new(),
        };
        let wanted_both: Vec<bool> = written.iter().map(|at| wanted[*at as usize]).collect();
        let how = Fit {
            c: 0.5,
            rounds: 200,
            tolerance: 1e-9,
        };
        let first = fit(&once, &wanted, Weights::default(), how);
        let second = fit(&both, &wanted_both, Weights::default(), how);
        assert!(
            (first.rules[0] - second.rules[0]).abs() < 1e-6,
            "{first:?} {second:?}"
        );
    }
}
