//! Short rules with fitted weights: candidates, the fit, and what is worth keeping.
//!
//! A rule is one literal, a literal in its cell (a coarse division of all instances), or a pair of
//! literals. Rules that were seen often enough are fitted together; those that the penalty leaves
//! at nothing fall away. Pairs are only tried where the rules fitted so far leave something
//! unexplained.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustc_hash::FxHashMap;

use super::example::Instances;
use super::fit::{Columns, Fit, Weights, fit, residuals};
use super::literals::Literals;

/// A rule in the making: one to three literals, in order.
pub(super) type Key = [u32; 3];
const NO_LITERAL: u32 = u32::MAX;

/// A pair is tried when the penalty would not hold its weight at nothing by this much.
const PAIR_SLOPE: f64 = 1.0;
/// No more pairs than this are tried for one decision.
const MAX_PAIRS: usize = 6_000;

/// A rule that was fitted.
pub(super) struct Fitted {
    pub(super) literals: Vec<u32>,
    /// How often it held where what it speaks for was done.
    pub(super) count: usize,
    pub(super) weight: f64,
}

/// How short rules are made.
pub(super) struct ShortRules<'l> {
    pub(super) literals: &'l Literals,
    /// Ways to divide instances into cells: for each, lists of literals of which one holds.
    pub(super) divisions: Vec<Vec<Vec<u32>>>,
    pub(super) fit: Fit,
    /// How often a rule must have been seen.
    pub(super) least_count: usize,
    /// Rules weaker than this are left out.
    pub(super) least_weight: f64,
    /// Whether pairs are tried.
    pub(super) pairs: bool,
}

/// Rules and the instances in which they hold.
pub(super) type Candidates = Vec<(Key, Vec<u32>)>;

impl ShortRules<'_> {
    /// All single literals and literals in cells that were seen often enough.
    pub(super) fn candidates(&self, instances: &Instances) -> Candidates {
        let mut found: FxHashMap<Key, Vec<u32>> = FxHashMap::default();
        for (at, holding) in instances.holding.iter().enumerate() {
            for literal in holding {
                let single = [*literal, NO_LITERAL, NO_LITERAL];
                found.entry(single).or_default().push(at as u32);
            }
            let within = |list: &Vec<u32>| {
                let holds = |literal: &&u32| holding.binary_search(literal).is_ok();
                list.iter().find(holds).copied()
            };
            for lists in &self.divisions {
                let cell: Vec<u32> = lists.iter().filter_map(within).collect();
                if cell.is_empty() {
                    continue;
                }
                let divides = |literal: &u32| lists.iter().any(|list| list.contains(literal));
                for literal in holding.iter().filter(|literal| !divides(literal)) {
                    let mut rule = [*literal, NO_LITERAL, NO_LITERAL];
                    rule[1..=cell.len()].copy_from_slice(&cell);
                    found.entry(key(rule)).or_default().push(at as u32);
                }
            }
        }
        let often =
            |holds: &Vec<u32>| holds.len() >= self.least_count && holds.len() < instances.len();
        let mut all: Candidates = found
            .into_iter()
            .filter(|(_, holds)| often(holds))
            .collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        drop_twins(all)
    }

    /// Fits the candidates, then with them the pairs that the first fit leaves wanting. Also gives
    /// the weight of the rule that always holds. `strictness` is how much less instances count when
    /// rules are chosen than when those are fitted: below 1 fewer are chosen.
    pub(super) fn fitted(
        &self,
        instances: &Instances,
        candidates: &Candidates,
        wanted: &[bool],
        strictness: f64,
    ) -> (Vec<Fitted>, f64) {
        let mut keys: Vec<Key> = candidates.iter().map(|(key, _)| *key).collect();
        let mut columns = Columns {
            holds: candidates.iter().map(|(_, holds)| holds.clone()).collect(),
            instances: instances.len(),
            importance: instances.importance.clone(),
        };
        if strictness < 1.0 {
            let strict = Fit {
                c: self.fit.c * strictness,
                ..self.fit
            };
            let chosen = fit(&columns, wanted, Weights::default(), strict).rules;
            let is_chosen = |weight: &f64| weight.abs() >= self.least_weight;
            let mut of_keys = chosen.iter().map(is_chosen);
            let mut of_columns = chosen.iter().map(is_chosen);
            keys.retain(|_| of_keys.next().unwrap_or(false));
            columns.holds.retain(|_| of_columns.next().unwrap_or(false));
        }
        let mut weights = fit(&columns, wanted, Weights::default(), self.fit);
        if self.pairs {
            let left = residuals(&columns, &weights, wanted);
            for (key, holds) in self.wanting_pairs(instances, &left) {
                keys.push(key);
                columns.holds.push(holds);
            }
            weights = fit(&columns, wanted, weights, self.fit);
        }
        let always = weights.always;
        let fitted = keys.iter().zip(&columns.holds).zip(&weights.rules);
        let fitted = fitted.filter(|(_, weight)| weight.abs() >= self.least_weight);
        let fitted = fitted.map(|((key, holds), weight)| Fitted {
            literals: key.iter().copied().filter(|l| *l != NO_LITERAL).collect(),
            count: holds
                .iter()
                .filter(|at| wanted[**at as usize] == (*weight > 0.0))
                .count(),
            weight: *weight,
        });
        (fitted.collect(), always)
    }

    /// Pairs of literals whose weight would not stay at nothing.
    fn wanting_pairs(&self, instances: &Instances, left: &[f64]) -> Candidates {
        let pairable = |literal: &u32| self.literals.pairs[*literal as usize];
        let holding: Vec<Vec<u32>> = instances
            .holding
            .iter()
            .map(|holding| holding.iter().copied().filter(pairable).collect())
            .collect();
        let mut sums: FxHashMap<(u32, u32), (f64, u32)> = FxHashMap::default();
        for (holding, left) in holding.iter().zip(left) {
            for pair in pairs(holding) {
                let sum = sums.entry(pair).or_default();
                sum.0 += left;
                sum.1 += 1;
            }
        }
        let mut wanting: Vec<((u32, u32), f64)> = sums
            .into_iter()
            .filter(|(_, (_, count))| *count as usize >= self.least_count)
            .map(|(pair, (sum, _))| (pair, sum.abs()))
            .filter(|(_, sum)| self.fit.c * sum > PAIR_SLOPE)
            .collect();
        wanting.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        wanting.truncate(MAX_PAIRS);
        let places: FxHashMap<(u32, u32), usize> = wanting
            .iter()
            .enumerate()
            .map(|(at, (pair, _))| (*pair, at))
            .collect();
        let mut holds: Vec<Vec<u32>> = vec![Vec::new(); wanting.len()];
        for (at, holding) in holding.iter().enumerate() {
            for pair in pairs(holding) {
                if let Some(place) = places.get(&pair) {
                    holds[*place].push(at as u32);
                }
            }
        }
        let keys = wanting
            .iter()
            .map(|((first, second), _)| [*first, *second, NO_LITERAL]);
        let mut all: Candidates = keys.zip(holds).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        drop_twins(all)
    }
}

/// Rules that were fitted in two ways, each counting half: what both say goes further than what one
/// of them says alone.
pub(super) fn average_fits(
    (first, always_first): (Vec<Fitted>, f64),
    (second, always_second): (Vec<Fitted>, f64),
) -> (Vec<Fitted>, f64) {
    let mut all: BTreeMap<Vec<u32>, Fitted> = BTreeMap::new();
    for mut rule in first.into_iter().chain(second) {
        rule.weight /= 2.0;
        match all.entry(rule.literals.clone()) {
            Entry::Vacant(place) => {
                place.insert(rule);
            }
            Entry::Occupied(mut same) => {
                let same = same.get_mut();
                if rule.weight.abs() > same.weight.abs() {
                    same.count = rule.count;
                }
                same.weight += rule.weight;
            }
        }
    }
    (
        all.into_values().collect(),
        (always_first + always_second) / 2.0,
    )
}

fn pairs(holding: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    holding.iter().enumerate().flat_map(move |(at, first)| {
        let later = holding.iter().skip(at + 1);
        later.map(move |second| (*first, *second))
    })
}

fn key(mut literals: Key) -> Key {
    literals.sort_unstable();
    literals
}

/// Rules that hold in exactly the same instances say the same: the shortest one stays.
fn drop_twins(rules: Candidates) -> Candidates {
    use std::hash::{Hash as _, Hasher as _};
    let length = |key: &Key| key.iter().filter(|l| **l != NO_LITERAL).count();
    let mut by_instances: FxHashMap<u64, usize> = FxHashMap::default();
    let mut kept: Candidates = Vec::with_capacity(rules.len());
    for (key, holds) in rules {
        let mut hasher = rustc_hash::FxHasher::default();
        holds.hash(&mut hasher);
        match by_instances.get(&hasher.finish()) {
            Some(twin) if kept[*twin].1 == holds => {
                if length(&key) < length(&kept[*twin].0) {
                    kept[*twin].0 = key;
                }
            }
            _ => {
                by_instances.insert(hasher.finish(), kept.len());
                kept.push((key, holds));
            }
        }
    }
    kept
}
