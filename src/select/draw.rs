//! Weighted draws without putting back.

use rand::{Rng, RngExt};

/// Draws `count` of the weighted things one after the other, each with its weight's share of what is
/// left; all of them when there are no more. Weights are positive.
pub(super) fn draw(weights: &[f64], count: usize, random: &mut impl Rng) -> Vec<Drawn> {
    let mut sums = Sums::new(weights);
    let count = count.min(weights.len());
    (0..count)
        .map(|_| {
            let whole = sums.whole();
            let at = sums.find(random.random_range(0.0..1.0) * whole);
            let chance = sums.take(at) / whole;
            Drawn { at, chance }
        })
        .collect()
}

/// A thing that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Drawn {
    pub(super) at: usize,
    /// How probable it was when it was drawn.
    pub(super) chance: f64,
}

/// A tree of sums: node n has the children 2n and 2n + 1, the weights are the last row. Sums are
/// made anew from their children, so that nothing builds up however much is taken out.
struct Sums {
    nodes: Vec<f64>,
    /// Where the last row begins.
    first: usize,
}

impl Sums {
    fn new(weights: &[f64]) -> Sums {
        let first = weights.len().next_power_of_two();
        let mut nodes = vec![0.0; 2 * first];
        nodes[first..first + weights.len()].copy_from_slice(weights);
        for node in (1..first).rev() {
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
        }
        Sums { nodes, first }
    }

    fn whole(&self) -> f64 {
        self.nodes[1]
    }

    /// The thing in whose share of the whole a number falls; never one that was taken.
    fn find(&self, mut number: f64) -> usize {
        let mut node = 1;
        while node < self.first {
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            let goes_right = right > 0.0 && (number >= left || left <= 0.0);
            if goes_right {
                number -= left;
            }
            node = 2 * node + usize::from(goes_right);
        }
        node - self.first
    }

    /// Takes a thing out; its weight.
    fn take(&mut self, at: usize) -> f64 {
        let mut node = self.first + at;
        let weight = std::mem::take(&mut self.nodes[node]);
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node] + self.nodes[2 * node + 1];
        }
        weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn things_come_as_often_as_their_weights_say() {
        let weights = [1.0, 5.0, 0.0625, 3.0];
        let whole: f64 = weights.iter().sum();
        let rounds = 20_000;
        let (mut first, mut pairs) = ([0.0; 4], [[0.0; 4]; 4]);
        for seed in 0..rounds {
            let drawn = draw(&weights, 2, &mut ChaCha8Rng::seed_from_u64(seed));
            assert!((drawn[0].chance - weights[drawn[0].at] / whole).abs() < 1e-12);
            first[drawn[0].at] += 1.0 / rounds as f64;
            pairs[drawn[0].at][drawn[1].at] += 1.0 / rounds as f64;
        }
        for a in 0..4 {
            let chance = weights[a] / whole;
            assert!((first[a] - chance).abs() < 0.01, "{a}: {}", first[a]);
            for b in (0..4).filter(|b| *b != a) {
                let both = chance * weights[b] / (whole - weights[a]);
                assert!(
                    (pairs[a][b] - both).abs() < 0.01,
                    "{a} {b}: {}",
                    pairs[a][b]
                );
            }
            assert_eq!(pairs[a][a], 0.0, "nothing is drawn twice");
        }
    }

    #[test]
    fn all_are_drawn_when_all_are_asked_for() {
        for count in [0, 1, 2, 7, 64, 100] {
            let weights: Vec<f64> = (0..count).map(|at| 1e-3 + (at % 9) as f64 * 1e6).collect();
            let drawn = draw(&weights, 1000, &mut ChaCha8Rng::seed_from_u64(3));
            let mut places: Vec<usize> = drawn.iter().map(|drawn| drawn.at).collect();
            places.sort_unstable();
            assert_eq!(places, (0..count).collect::<Vec<_>>());
        }
    }
}
