//! Boosted rules: small decision trees, each fitted to what those before it leave open, taken
//! apart into rules of a few literals that all speak.
//!
//! A tree that asks `X`, and then `Y` where X does not hold, says the same as three rules: one for
//! X, one for Y, and one for both that takes back what the second says too much. So every tree
//! becomes rules that name only what holds, and rules of many trees with the same literals become
//! one.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use super::example::Instances;
use super::short_rules::Fitted;
use crate::automaton::logistic;

/// How trees are grown that become rules.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Boost {
    /// How many trees.
    pub rounds: usize,
    /// How many literals are asked one after another.
    pub depth: usize,
    /// The share of its best weight that a leaf gets.
    pub rate: f64,
    /// How often either answer must have been seen.
    pub least_count: usize,
    /// The share of all literals that one tree may ask.
    pub literal_share: f64,
    /// The share of all instances that one tree is fitted to.
    pub instance_share: f64,
    /// What is added to the curvature of a leaf, so that few instances do not decide much.
    pub ridge: f64,
    /// Rules weaker than this are left out.
    pub least_weight: f64,
    /// What draws the literals and the instances of each tree.
    pub seed: u64,
}

impl Default for Boost {
    fn default() -> Boost {
        Boost {
            rounds: 300,
            depth: 3,
            rate: 0.15,
            least_count: 20,
            literal_share: 0.2,
            instance_share: 0.8,
            ridge: 1.0,
            least_weight: 0.03,
            seed: 1,
        }
    }
}

/// Literals that hold together, in order.
type Literals = Vec<u32>;

/// What rules of the same literals come to.
type Sums = BTreeMap<Literals, f64>;

/// The slope and the curvature of the loss, and how many instances.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    slope: f64,
    curvature: f64,
    count: usize,
}

impl Slope {
    fn add(&mut self, slope: f64, curvature: f64) {
        self.slope += slope;
        self.curvature += curvature;
        self.count += 1;
    }

    fn without(self, part: Slope) -> Slope {
        Slope {
            slope: self.slope - part.slope,
            curvature: self.curvature - part.curvature,
            count: self.count - part.count,
        }
    }

    fn gain(self, ridge: f64) -> f64 {
        self.slope * self.slope / (self.curvature + ridge)
    }
}

/// A tree: nodes by number, the children of node n at 2n + 1 (does not hold) and 2n + 2 (holds).
struct Grown {
    asked: Vec<Option<u32>>,
    values: Vec<f64>,
}

impl Boost {
    /// Rules that tell the wanted instances from the others, and the weight of the rule that always
    /// holds.
    pub(super) fn fitted(
        &self,
        instances: &Instances,
        literals: usize,
        wanted: &[bool],
    ) -> (Vec<Fitted>, f64) {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let always = usual(&instances.importance, wanted);
        let mut sums = Sums::from([(Vec::new(), always)]);
        let mut odds = vec![always; wanted.len()];
        let mut slopes = vec![(0.0, 0.0); wanted.len()];
        for _ in 0..self.rounds {
            for (at, slope) in slopes.iter_mut().enumerate() {
                let importance = instances.importance[at];
                let share = logistic(odds[at]);
                let wanted = f64::from(u8::from(wanted[at]));
                *slope = (
                    importance * (wanted - share),
                    importance * share * (1.0 - share),
                );
            }
            let allowed: Vec<bool> = (0..literals)
                .map(|_| random.random::<f64>() < self.literal_share)
                .collect();
            let used: Vec<bool> = (0..wanted.len())
                .map(|_| random.random::<f64>() < self.instance_share)
                .collect();
            let asked: Vec<Literals> = instances
                .holding
                .iter()
                .map(|holding| {
                    let asked = holding.iter().filter(|l| allowed[**l as usize]);
                    asked.copied().collect()
                })
                .collect();
            let (tree, places) = self.tree(&asked, &used, &slopes, literals);
            for (odds, place) in odds.iter_mut().zip(&places) {
                *odds += tree.values[*place];
            }
            for (literals, weight) in tree.rules(0) {
                *sums.entry(literals).or_default() += weight;
            }
        }
        self.rules(sums, instances, wanted)
    }

    /// Grows a tree; also gives the leaf of every instance.
    fn tree(
        &self,
        asked: &[Literals],
        used: &[bool],
        slopes: &[(f64, f64)],
        literals: usize,
    ) -> (Grown, Vec<usize>) {
        let all = (1 << (self.depth + 1)) - 1;
        let mut tree = Grown {
            asked: vec![None; all],
            values: vec![0.0; all],
        };
        let mut places = vec![0; asked.len()];
        for depth in 0..=self.depth {
            let (first, width) = ((1 << depth) - 1, 1 << depth);
            let mut totals = vec![Slope::default(); width];
            let splits = depth < self.depth;
            let mut parts = vec![Slope::default(); if splits { width * literals } else { 0 }];
            for (at, place) in places.iter().enumerate() {
                if !used[at] || *place < first {
                    continue;
                }
                let node = place - first;
                let (slope, curvature) = slopes[at];
                totals[node].add(slope, curvature);
                if splits {
                    let parts = &mut parts[node * literals..(node + 1) * literals];
                    for literal in &asked[at] {
                        parts[*literal as usize].add(slope, curvature);
                    }
                }
            }
            for (node, total) in totals.iter().enumerate() {
                let place = first + node;
                tree.values[place] = self.rate * total.slope / (total.curvature + self.ridge);
                if splits {
                    let parts = &parts[node * literals..(node + 1) * literals];
                    tree.asked[place] = self.best(*total, parts);
                }
            }
            for (at, place) in places.iter_mut().enumerate() {
                if *place >= first
                    && let Some(literal) = tree.asked[*place]
                {
                    let holds = asked[at].binary_search(&literal).is_ok();
                    *place = 2 * *place + 1 + usize::from(holds);
                }
            }
        }
        (tree, places)
    }

    /// The literal that divides best, where one gains anything.
    fn best(&self, total: Slope, parts: &[Slope]) -> Option<u32> {
        let mut best = (total.gain(self.ridge), None);
        for (literal, part) in parts.iter().enumerate() {
            let rest = total.without(*part);
            if part.count < self.least_count || rest.count < self.least_count {
                continue;
            }
            let gain = part.gain(self.ridge) + rest.gain(self.ridge);
            if gain > best.0 {
                best = (gain, Some(literal as u32));
            }
        }
        best.1
    }

    /// What is worth keeping, without literals that add nothing.
    fn rules(&self, sums: Sums, instances: &Instances, wanted: &[bool]) -> (Vec<Fitted>, f64) {
        let held_where = Where::new(instances, sums.keys().flatten());
        let mut short: BTreeMap<Literals, (f64, Vec<u32>)> = BTreeMap::new();
        for (mut literals, weight) in sums {
            let held = held_where.holding(&literals);
            if held.is_empty() {
                continue;
            }
            let mut at = 0;
            while at < literals.len() {
                let mut fewer = literals.clone();
                fewer.remove(at);
                if held_where.holding(&fewer).len() == held.len() {
                    literals = fewer
                } else {
                    at += 1
                }
            }
            short.entry(literals).or_insert((0.0, held)).0 += weight;
        }
        let always = short.remove(&Vec::new()).map_or(0.0, |(weight, _)| weight);
        let kept = short.into_iter().filter(|(_, (weight, held))| {
            weight.abs() >= self.least_weight && held.len() >= self.least_count
        });
        let fitted = kept.map(|(literals, (weight, held))| Fitted {
            count: held
                .iter()
                .filter(|at| wanted[**at as usize] == (weight > 0.0))
                .count(),
            literals,
            weight,
        });
        (fitted.collect(), always)
    }
}

/// In which instances each of some literals holds.
struct Where {
    all: Vec<u32>,
    of: FxHashMap<u32, Vec<u32>>,
}

impl Where {
    fn new<'l>(instances: &Instances, literals: impl Iterator<Item = &'l u32>) -> Where {
        let mut of: FxHashMap<u32, Vec<u32>> = literals.map(|l| (*l, Vec::new())).collect();
        for (at, holding) in instances.holding.iter().enumerate() {
            for literal in holding {
                if let Some(column) = of.get_mut(literal) {
                    column.push(at as u32);
                }
            }
        }
        let all = (0..instances.len() as u32).collect();
        Where { all, of }
    }

    /// The instances in which all of these hold.
    fn holding(&self, literals: &[u32]) -> Vec<u32> {
        let columns = literals.iter().filter_map(|literal| self.of.get(literal));
        let mut columns: Vec<&Vec<u32>> = columns.collect();
        columns.sort_by_key(|column| column.len());
        let Some((fewest, others)) = columns.split_first() else {
            return self.all.clone();
        };
        let in_all = |at: &u32| others.iter().all(|column| column.binary_search(at).is_ok());
        fewest.iter().copied().filter(in_all).collect()
    }
}

impl Grown {
    /// The same as rules that only name what holds.
    fn rules(&self, place: usize) -> Sums {
        let Some(literal) = self.asked[place] else {
            return Sums::from([(Vec::new(), self.values[place])]);
        };
        let (fails, holds) = (self.rules(2 * place + 1), self.rules(2 * place + 2));
        let mut sums = fails.clone();
        let taken_back = fails
            .into_iter()
            .map(|(literals, weight)| (literals, -weight));
        for (mut literals, weight) in holds.into_iter().chain(taken_back) {
            if let Err(at) = literals.binary_search(&literal) {
                literals.insert(at, literal);
            }
            *sums.entry(literals).or_default() += weight;
        }
        sums
    }
}

/// The log-odds of what is wanted.
fn usual(importance: &[f64], wanted: &[bool]) -> f64 {
    let mut sums = [1.0, 1.0];
    for (importance, wanted) in importance.iter().zip(wanted) {
        sums[usize::from(*wanted)] += importance;
    }
    f64::ln(sums[1] / sums[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances of three literals in which either 0 and 1 or neither of them is wanted; 2 says
    /// nothing.
    fn either_both_or_none() -> (Instances, Vec<bool>) {
        let mut instances = Instances::default();
        let mut wanted = Vec::new();
        for at in 0..160_u32 {
            let holding: Vec<u32> = (0..3).filter(|literal| at >> literal & 1 == 1).collect();
            wanted.push(at & 1 == at >> 1 & 1);
            instances.push(holding, 0);
        }
        (instances, wanted)
    }

    fn thorough() -> Boost {
        Boost {
            rounds: 60,
            depth: 2,
            rate: 0.5,
            least_count: 5,
            literal_share: 1.0,
            instance_share: 0.9,
            ..Boost::default()
        }
    }

    fn odds((rules, always): &(Vec<Fitted>, f64), holding: &[u32]) -> f64 {
        let speaks = |rule: &&Fitted| rule.literals.iter().all(|l| holding.contains(l));
        always + rules.iter().filter(speaks).map(|r| r.weight).sum::<f64>()
    }

    #[test]
    fn what_hangs_on_two_literals_together_is_learned() {
        let (instances, wanted) = either_both_or_none();
        let fitted = thorough().fitted(&instances, 3, &wanted);
        for (holding, is_wanted) in instances.holding.iter().zip(&wanted) {
            assert_eq!(odds(&fitted, holding) > 0.0, *is_wanted, "{holding:?}");
        }
        let both = fitted.0.iter().find(|rule| rule.literals == [0, 1]);
        assert!(both.is_some_and(|rule| rule.weight > 1.0 && rule.count == 40));
    }

    #[test]
    fn the_same_seed_gives_the_same_rules() {
        let (instances, wanted) = either_both_or_none();
        let fitted = || thorough().fitted(&instances, 3, &wanted);
        let same = |left: &Fitted, right: &Fitted| {
            left.literals == right.literals && left.weight.to_bits() == right.weight.to_bits()
        };
        let (first, second) = (fitted(), fitted());
        assert_eq!(first.0.len(), second.0.len());
        assert!(first.0.iter().zip(&second.0).all(|(l, r)| same(l, r)));
    }

    #[test]
    fn a_tree_and_its_rules_say_the_same() {
        // Node 0 asks 7; where that fails node 1 asks 3, where it holds node 2 asks 5.
        let mut tree = Grown {
            asked: vec![None; 7],
            values: vec![0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 8.0],
        };
        (tree.asked[0], tree.asked[1], tree.asked[2]) = (Some(7), Some(3), Some(5));
        let rules = tree.rules(0);
        let said = |holding: &[u32]| -> f64 {
            let speaks = |literals: &Literals| literals.iter().all(|l| holding.contains(l));
            rules
                .iter()
                .filter(|(l, _)| speaks(l))
                .map(|(_, w)| w)
                .sum()
        };
        let all: [(&[u32], f64); 6] = [
            (&[], 1.0),
            (&[5], 1.0),
            (&[3], 2.0),
            (&[7], 4.0),
            (&[3, 7], 4.0),
            (&[3, 5, 7], 8.0),
        ];
        for (holding, value) in all {
            assert_eq!(said(holding), value, "{holding:?}");
        }
    }

    #[test]
    fn literals_that_add_nothing_are_left_out() {
        let mut instances = Instances::default();
        let wanted: Vec<bool> = (0..100).map(|at| at % 2 == 0).collect();
        for at in 0..100_u32 {
            // 1 holds wherever 0 does.
            let holding = match at % 2 {
                0 => vec![0, 1],
                _ if at % 5 == 0 => vec![1],
                _ => Vec::new(),
            };
            instances.push(holding, 0);
        }
        let (rules, _) = thorough().fitted(&instances, 2, &wanted);
        assert!(rules.iter().all(|rule| rule.literals != [0, 1]));
        assert!(rules.iter().any(|rule| rule.literals == [0]));
    }

    #[test]
    fn nothing_seen_nothing_said() {
        let (rules, always) = Boost::default().fitted(&Instances::default(), 0, &[]);
        assert!(rules.is_empty());
        assert!(always.is_finite());
    }
}
