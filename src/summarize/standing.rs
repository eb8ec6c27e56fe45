//! How much a unit matters by its place in the tree and in the text.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::SourceText;
use super::lexicon::shipped;
use super::unit::Unit;
use crate::tree::{Role, Tree};

/// What the default method likes. `arsg.toml` may change it; the shipped values were chosen on half
/// of the clusters of a corpus of finance news and looked at on the other half.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Tastes {
    /// What is left of a unit's worth at each satellite step on its path.
    pub step: f64,
    /// What a satellite step costs beyond one, by relation or class of relations.
    #[serde(skip)]
    pub relations: BTreeMap<String, f64>,
    /// What is left of the worth of a unit that does not open its paragraph.
    pub inside: f64,
    /// How fast worth falls with the units that stand before: 1 / (1 + fall x units).
    pub fall: f64,
    /// How much the weight of a text counts: its share of the greatest weight to this power.
    pub weight: f64,
    /// How much pairs of words count beside single words, from 0 to 1.
    pub pairs: f64,
    /// How much nearness to the centre of the texts counts beside their concepts, from 0 to 1.
    pub centre: f64,
    /// How much length counts against a unit: what it adds, over its words to this power.
    pub length: f64,
    /// How much the standing of the units counts when they are exchanged for better ones; below 0
    /// none is exchanged.
    pub exchange: f64,
    /// In a single text: how much nearness to its own centre counts beside the standing of its
    /// units, from 0 to 1.
    pub own: f64,
    /// In a single text: how fast worth falls with the paragraphs that stand before: 1 / (1 + paragraph x
    /// paragraphs).
    pub paragraph: f64,
    /// In a single text: what is left of the worth of a unit that does not open its paragraph.
    pub behind: f64,
    /// In a single text: how much a unit gains that has all words of the title.
    pub title: f64,
    /// In a single text: what is left of the worth of a unit that opens as background does.
    pub background: f64,
}

impl Default for Tastes {
    fn default() -> Tastes {
        Tastes {
            step: 0.9,
            relations: shipped().relations.clone(),
            inside: 0.8,
            fall: 0.15,
            weight: 0.1,
            pairs: 0.4,
            centre: 0.6,
            length: 1.0,
            exchange: 0.3,
            own: 0.2,
            paragraph: 0.15,
            behind: 0.45,
            title: 0.3,
            background: 0.8,
        }
    }
}

impl Tastes {
    /// What a satellite step of this relation costs: one, and what its name or class adds.
    fn cost(&self, relation: Option<&str>) -> f64 {
        let Some(relation) = relation else { return 1.0 };
        let class = relation.split(['-', '_']).next().unwrap_or(relation);
        let extra = self
            .relations
            .get(relation)
            .or_else(|| self.relations.get(class));
        1.0 + extra.copied().unwrap_or_default()
    }

    /// The worth of a unit by its place: satellite steps, paragraph opening, units before it.
    pub(super) fn prior(&self, standing: f64, unit: &Unit, place: usize) -> f64 {
        let inside = if unit.opens_block { 1.0 } else { self.inside };
        self.step.powf(standing) * inside / (1.0 + self.fall * place as f64)
    }
}

impl Tastes {
    /// The worth of a unit of a single text by its place: satellite steps, paragraphs before it, units before it in
    /// its own.
    pub(super) fn prior_alone(&self, standing: f64, paragraph: usize, behind: usize) -> f64 {
        let inside = match behind {
            0 => 1.0,
            units => self.behind / (1.0 + self.fall * (units - 1) as f64),
        };
        self.step.powf(standing) * inside / (1.0 + self.paragraph * paragraph as f64)
    }
}

/// What the satellite steps on each EDU's path from the root cost, by EDU.
pub fn standings(tree: &Tree, tastes: &Tastes) -> Vec<f64> {
    let mut costs = vec![0.0; tree.len()];
    let mut leaves = vec![0.0; tree.edus.len()];
    // Parents stand behind their children, so from the back every parent comes first.
    for (id, node) in tree.post_order().rev() {
        let own = costs[id.index()];
        let Some(pair) = node.pair() else {
            if let Some(leaf) = leaves.get_mut(node.span().start as usize) {
                *leaf = own;
            }
            continue;
        };
        let relation = pair.relation.as_deref();
        for (child, role) in [
            (pair.left, pair.roles.left()),
            (pair.right, pair.roles.right()),
        ] {
            costs[child.index()] = own
                + match role {
                    Role::Nucleus => 0.0,
                    Role::Satellite => tastes.cost(relation),
                };
        }
    }
    leaves
}

/// The standing of stretches of EDUs of a text: that of their best EDU. Without a tree all are alike.
pub(super) fn of_text<'u>(
    text: &SourceText,
    tastes: &Tastes,
    stretches: impl Iterator<Item = &'u Range<usize>>,
) -> Vec<f64> {
    let leaves = text.tree().map(|tree| standings(tree, tastes));
    stretches
        .map(|edus| {
            let costs = leaves.as_ref().and_then(|leaves| leaves.get(edus.clone()));
            let best = costs.unwrap_or_default().iter().copied().reduce(f64::min);
            best.unwrap_or_default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Builder, Edu, Roles};

    #[test]
    fn satellites_cost_steps_and_background_costs_more() -> Result<(), crate::tree::JoinError> {
        let edus = ["去年需求疲软，", "央行昨日降息，", "以支持经济。"];
        let mut builder = Builder::over(edus.map(Edu::new));
        let leaves = builder.leaves();
        let [background, rate, goal] = leaves[..] else {
            return Ok(());
        };
        let act = builder.join(
            rate,
            goal,
            Roles::NucleusSatellite,
            Some("purpose-goal".into()),
        )?;
        let top = builder.join(
            background,
            act,
            Roles::SatelliteNucleus,
            Some("context-background".into()),
        )?;
        let tree = builder.finish(top)?;
        let tastes = Tastes {
            relations: BTreeMap::from([("context".to_owned(), 0.5)]),
            ..Tastes::default()
        };
        assert_eq!(standings(&tree, &tastes), [1.5, 0.0, 1.0]);
        Ok(())
    }
}
