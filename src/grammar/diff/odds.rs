//! What a changed count does to probabilities: P(D_j) = n_j / sum n_i among rules of one pattern.

use std::collections::BTreeMap;

use super::super::model::*;
use super::Odds;
use crate::schema::Schema;

/// How many competitors are shown: those that change most.
const COMPETITORS: usize = 3;
/// Smaller changes are not worth a line.
const LEAST_CHANGE: f64 = 0.0005;

/// The rules of each pattern, before and after.
pub(super) struct Tables {
    groups: BTreeMap<String, Group>,
}

/// The rules of one pattern.
#[derive(Default)]
struct Group {
    counts: BTreeMap<String, (Option<u64>, Option<u64>)>,
    /// All instances.
    before: f64,
    after: f64,
    /// The rules that stay and whose probability changes most.
    most_changed: Vec<Odds>,
}

impl Tables {
    /// Where weights decide, counts make no probabilities and there is nothing to tell.
    pub(super) fn new(old: &Grammar, new: &Grammar) -> Tables {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        if old.decide == Decide::Counts && new.decide == Decide::Counts {
            for any in old.rules() {
                let group = groups.entry(pattern(any, &old.schema)).or_default();
                group.entry(any).0 = Some(any.rule().count().get());
                group.before += any.rule().count().get() as f64;
            }
            for any in new.rules() {
                let group = groups.entry(pattern(any, &new.schema)).or_default();
                group.entry(any).1 = Some(any.rule().count().get());
                group.after += any.rule().count().get() as f64;
            }
        }
        groups.values_mut().for_each(Group::rank);
        Tables { groups }
    }

    /// The probability of a rule and of its competitors, before and after, the rule first.
    pub(super) fn around(&self, any: AnyRule<'_>, schema: &Schema) -> Vec<Odds> {
        let Some(group) = self.groups.get(&pattern(any, schema)) else {
            return Vec::new();
        };
        let id = &*any.rule().id;
        let others = group.most_changed.iter().filter(|odds| odds.id != id);
        let others = others.take(COMPETITORS).cloned();
        let own = group.odds(id).filter(|odds| odds.change() >= LEAST_CHANGE);
        own.into_iter().chain(others).collect()
    }
}

impl Group {
    fn entry(&mut self, any: AnyRule<'_>) -> &mut (Option<u64>, Option<u64>) {
        self.counts.entry(any.rule().id.to_string()).or_default()
    }

    fn odds(&self, id: &str) -> Option<Odds> {
        let (old, new) = self.counts.get(id)?;
        Some(Odds {
            id: id.to_owned(),
            old: old.map(|count| count as f64 / self.before),
            new: new.map(|count| count as f64 / self.after),
        })
    }

    fn rank(&mut self) {
        let all = self.counts.keys().filter_map(|id| self.odds(id));
        let stay = all.filter(|odds| odds.old.is_some() && odds.new.is_some());
        let mut ranked: Vec<Odds> = stay.filter(|odds| odds.change() >= LEAST_CHANGE).collect();
        ranked.sort_by(|a, b| b.change().total_cmp(&a.change()).then(a.id.cmp(&b.id)));
        // One more than is shown, as the rule itself may be among them.
        ranked.truncate(COMPETITORS + 1);
        self.most_changed = ranked;
    }
}

impl Odds {
    /// How far the probability moves; what comes or goes moves all the way.
    fn change(&self) -> f64 {
        (self.new.unwrap_or(0.0) - self.old.unwrap_or(0.0)).abs()
    }
}

/// What rules that compete have in common.
pub(crate) fn pattern(any: AnyRule<'_>, schema: &Schema) -> String {
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
        AnyRule::Block(_) => "block".to_owned(),
    }
}
