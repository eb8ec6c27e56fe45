//! Counting what two trees share.

use std::collections::{BTreeMap, HashMap};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::{NodeId, Role, Roles, Tree};
use super::align::{Pairing, Places};
use super::level::{Level, with_sentences};
use super::{Counts, DocumentScore, Figures, Interval, ParsevalOptions, RelationGrain};
use crate::schema::Schema;

/// A relation by its class or by its name.
pub(super) fn class(name: &str, grain: RelationGrain, schema: Option<&Schema>) -> String {
    match (grain, schema) {
        (RelationGrain::Fine, _) => name.to_owned(),
        (RelationGrain::Coarse, Some(schema)) => schema.rhetoric_class(name).to_owned(),
        (RelationGrain::Coarse, None) => name.split('-').next().unwrap_or(name).to_owned(),
    }
}

/// Something that is compared: a stretch of text with its labels.
struct Unit {
    stretch: (usize, usize),
    roles: &'static str,
    relation: String,
    level: Level,
}

/// Two lists of units.
pub(super) struct Comparison {
    gold: Vec<Unit>,
    predicted: Vec<Unit>,
}

impl Comparison {
    /// A stretch that both trees have is of the gold tree's level.
    fn new(gold: Vec<Unit>, mut predicted: Vec<Unit>) -> Comparison {
        let levels: HashMap<_, _> = gold.iter().map(|unit| (unit.stretch, unit.level)).collect();
        for unit in &mut predicted {
            unit.level = levels.get(&unit.stretch).copied().unwrap_or(unit.level);
        }
        Comparison { gold, predicted }
    }

    /// Inner nodes with what joins their children.
    pub(super) fn original(
        pair: &Pairing,
        places: &Places,
        root: bool,
        class: &dyn Fn(&str) -> String,
    ) -> Comparison {
        let units = |tree: &Tree, ends: &[usize]| {
            let edus = with_sentences(tree);
            let inner = tree.post_order().filter_map(|(id, node)| {
                let joined = node.pair()?;
                if node.parent().is_none() && !root {
                    return None;
                }
                Some(Unit {
                    stretch: stretch(tree, ends, id),
                    roles: joined.roles.as_str(),
                    relation: class(joined.relation.as_deref().unwrap_or_default()),
                    level: Level::of(tree, &edus, id),
                })
            });
            inner.collect()
        };
        Comparison::new(
            units(&pair.gold, &places.gold),
            units(&pair.predicted, &places.predicted),
        )
    }

    /// All nodes but the root with what they are to their parents.
    pub(super) fn rst(
        pair: &Pairing,
        places: &Places,
        class: &dyn Fn(&str) -> String,
    ) -> Comparison {
        let units = |tree: &Tree, ends: &[usize]| {
            let edus = with_sentences(tree);
            let mut units = Vec::with_capacity(tree.len());
            for (_, node) in tree.post_order() {
                let Some(joined) = node.pair() else {
                    continue;
                };
                let roles = joined.roles;
                let sides = [
                    (joined.left, roles.left(), joined.left_relation()),
                    (joined.right, roles.right(), joined.right_relation()),
                ];
                let lone = roles != Roles::NucleusNucleus;
                for (id, role, relation) in sides {
                    let name = match role {
                        Role::Nucleus if lone => "span".to_owned(),
                        _ => class(relation.map_or("", |name| name)),
                    };
                    units.push(Unit {
                        stretch: stretch(tree, ends, id),
                        roles: if role == Role::Nucleus { "N" } else { "S" },
                        relation: name,
                        level: Level::of(tree, &edus, id),
                    });
                }
            }
            units
        };
        Comparison::new(
            units(&pair.gold, &places.gold),
            units(&pair.predicted, &places.predicted),
        )
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures_where(|_| true)
    }

    pub(super) fn add_by_level(&self, levels: &mut BTreeMap<Level, Figures>) {
        for level in [Level::Sentence, Level::Paragraph, Level::Text] {
            let figures = self.figures_where(|unit| unit.level == level);
            if figures.span.gold + figures.span.predicted > 0 {
                levels.entry(level).or_default().add(&figures);
            }
        }
    }

    pub(super) fn add_by_relation(&self, relations: &mut BTreeMap<String, Counts>) {
        for unit in &self.gold {
            relations.entry(unit.relation.clone()).or_default().gold += 1;
        }
        let by_stretch = index(&self.gold);
        for unit in &self.predicted {
            let counts = relations.entry(unit.relation.clone()).or_default();
            counts.predicted += 1;
            let found = by_stretch.get(&unit.stretch);
            counts.matched += usize::from(found.is_some_and(|gold| gold.relation == unit.relation));
        }
    }

    fn figures_where(&self, keep: impl Fn(&Unit) -> bool) -> Figures {
        let count = |units: &[Unit]| units.iter().filter(|unit| keep(unit)).count();
        let all = Counts {
            matched: 0,
            gold: count(&self.gold),
            predicted: count(&self.predicted),
        };
        let mut figures = Figures {
            span: all,
            nuclearity: all,
            relation: all,
            full: all,
        };
        let by_stretch = index(&self.gold);
        for unit in self.predicted.iter().filter(|unit| keep(unit)) {
            let Some(gold) = by_stretch.get(&unit.stretch).filter(|gold| keep(gold)) else {
                continue;
            };
            let (roles, relation) = (gold.roles == unit.roles, gold.relation == unit.relation);
            figures.span.matched += 1;
            figures.nuclearity.matched += usize::from(roles);
            figures.relation.matched += usize::from(relation);
            figures.full.matched += usize::from(roles && relation);
        }
        figures
    }
}

fn index(units: &[Unit]) -> HashMap<(usize, usize), &Unit> {
    units.iter().map(|unit| (unit.stretch, unit)).collect()
}

/// From the end of the EDU before to the end of the last one.
fn stretch(tree: &Tree, ends: &[usize], id: NodeId) -> (usize, usize) {
    let range = tree.node(id).span().range();
    let before = range.start.checked_sub(1).and_then(|at| ends.get(at));
    let last = range.end.checked_sub(1).and_then(|at| ends.get(at));
    (before.copied().unwrap_or(0), last.copied().unwrap_or(0))
}

/// Draws as many documents again and again, and takes the middle 95% of the figures.
pub(super) fn draw_intervals(
    documents: &[DocumentScore],
    options: &ParsevalOptions,
) -> Option<[Interval; 4]> {
    if documents.len() < 2 || options.bootstrap == 0 {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut draws: [Vec<f64>; 4] = std::array::from_fn(|_| Vec::with_capacity(options.bootstrap));
    for _ in 0..options.bootstrap {
        let mut sum = Figures::default();
        for _ in documents {
            let drawn = random.random_range(0..documents.len());
            sum.add(&documents[drawn].original);
        }
        for (draws, (_, counts)) in draws.iter_mut().zip(sum.named()) {
            draws.push(counts.f1());
        }
    }
    Some(draws.map(|mut draws| {
        draws.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * (draws.len() - 1) as f64).round() as usize;
            draws.get(place).copied().unwrap_or_default()
        };
        Interval {
            low: at(0.025),
            high: at(0.975),
        }
    }))
}
