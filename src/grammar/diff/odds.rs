//! What a changed count does to probabilities: P(D_j) = n_j / sum n_i among rules of one pattern.

use std::collections::BTreeMap;

use super::super::model::*;
use super::Odds;
use crate::schema::Schema;

/// How many competitors are shown: those that change most.
const COMPETITORS: usize = 3;
/// Smaller changes are not worth a line.
const LEAST_CHANGE: f64 = 0.0005;

/// The count of a rule before and after, where it was there.
#[derive(Default, Clone, Copy)]
struct Counts {
    old: Option<u64>,
    new: Option<u64>,
}

/// The rules of one pattern.
type Group = BTreeMap<String, Counts>;

/// Counts by pattern and rule.
pub(super) struct Tables {
    groups: BTreeMap<String, Group>,
    apply: bool,
}

impl Tables {
    pub(super) fn new(old: &Grammar, new: &Grammar) -> Tables {
        let mut tables = Tables {
            groups: BTreeMap::new(),
            apply: old.decide == Decide::Counts && new.decide == Decide::Counts,
        };
        for any in old.rules() {
            tables.entry(any, &old.schema).old = Some(any.rule().count());
        }
        for any in new.rules() {
            tables.entry(any, &new.schema).new = Some(any.rule().count());
        }
        tables
    }

    fn entry(&mut self, any: AnyRule<'_>, schema: &Schema) -> &mut Counts {
        let group = self.groups.entry(group(any, schema)).or_default();
        group.entry(any.rule().id.to_string()).or_default()
    }

    /// The probability of a rule and of its competitors, before and after, the rule first.
    pub(super) fn around(&self, any: AnyRule<'_>, schema: &Schema) -> Vec<Odds> {
        let Some(group) = self.groups.get(&group(any, schema)).filter(|_| self.apply) else {
            return Vec::new();
        };
        let sum = |side: fn(&Counts) -> Option<u64>| -> f64 {
            let counts = group.values().filter_map(side);
            counts.map(|count| count as f64).sum()
        };
        let (before, after) = (sum(|counts| counts.old), sum(|counts| counts.new));
        let odds = |(id, counts): (&String, &Counts)| Odds {
            id: id.clone(),
            old: counts.old.map(|count| count as f64 / before),
            new: counts.new.map(|count| count as f64 / after),
        };
        let (own, mut others): (Vec<Odds>, Vec<Odds>) = group
            .iter()
            .map(odds)
            .partition(|odds| *odds.id == *any.rule().id);
        let change = |odds: &Odds| (odds.new.unwrap_or(0.0) - odds.old.unwrap_or(0.0)).abs();
        others.retain(|odds| odds.old.is_some() && odds.new.is_some());
        others.retain(|odds| change(odds) >= LEAST_CHANGE);
        others.sort_by(|a, b| change(b).total_cmp(&change(a)).then(a.id.cmp(&b.id)));
        others.truncate(COMPETITORS);
        own.into_iter().chain(others).collect()
    }
}

/// The rules that compete: those with the same pattern.
fn group(any: AnyRule<'_>, schema: &Schema) -> String {
    match any {
        AnyRule::Production(production) => {
            let [a, b] = production.shape.children;
            format!("<- {} {}", a.name(schema), b.name(schema))
        }
        AnyRule::Preference(preference) => {
            let [a, b, c] = preference.pattern.map(|symbol| symbol.name(schema));
            format!("{a} {b} . {c}")
        }
        AnyRule::Boundary(_) => "boundary".to_owned(),
    }
}
