//! What a search found, and samples of it.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use crate::tree::NodeId;

/// A node that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The number of its tree in the treebank, from 0.
    pub tree: usize,
    /// The node.
    pub node: NodeId,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The nodes, in the order of the texts.
    pub hits: Vec<Hit>,
    /// How many nodes had the relation and the roles, whatever the condition said.
    pub looked_at: usize,
    /// How many texts have a hit.
    pub texts: usize,
}

/// So many hits, drawn by a seed and given back in their order; all where there are no more.
pub fn draw(hits: &[Hit], count: usize, seed: u64) -> Vec<Hit> {
    if hits.len() <= count {
        return hits.to_vec();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = index::sample(&mut random, hits.len(), count).into_vec();
    drawn.sort_unstable();
    drawn
        .into_iter()
        .filter_map(|at| hits.get(at).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Edu, Tree};

    #[test]
    fn a_sample_depends_on_its_seed_alone() {
        let edus = (0..40).map(|at| Edu::new(format!("第{at}句。"))).collect();
        let tree = Tree::left_branching(edus).unwrap();
        let hits: Vec<Hit> = tree
            .post_order()
            .map(|(node, _)| Hit { tree: 0, node })
            .collect();
        let one = draw(&hits, 5, 1);
        assert_eq!(one, draw(&hits, 5, 1));
        assert_eq!(one.len(), 5);
        assert!((2..9).any(|seed| draw(&hits, 5, seed) != one));
        assert_eq!(draw(&hits, 500, 1), hits);
    }
}
