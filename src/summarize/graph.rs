//! Ranks of the nodes of a graph: PageRank by power iteration.

/// The chance that a walk goes on along an edge.
const DAMPING: f64 = 0.85;
/// The walk has settled when no rank moves by more than this.
const SETTLED: f64 = 1e-6;
/// It settles long before this.
const MOST_ROUNDS: usize = 200;

/// The rank of every node of an undirected graph with weighted edges (a, b, weight), each given once.
/// Ranks sum to the number of nodes; nodes without edges keep what they got by chance.
pub fn rank(nodes: usize, edges: &[(u32, u32, f64)]) -> Vec<f64> {
    let mut degrees = vec![0.0; nodes];
    for &(a, b, weight) in edges {
        degrees[a as usize] += weight;
        degrees[b as usize] += weight;
    }
    let mut ranks = vec![1.0; nodes];
    let mut flows = vec![0.0; nodes];
    let mut next = vec![0.0; nodes];
    for _ in 0..MOST_ROUNDS {
        // A node without edges jumps anywhere.
        let mut stranded = 0.0;
        for ((flow, rank), degree) in flows.iter_mut().zip(&ranks).zip(&degrees) {
            *flow = if *degree > 0.0 { rank / degree } else { 0.0 };
            stranded += if *degree > 0.0 { 0.0 } else { *rank };
        }
        let base = 1.0 - DAMPING + DAMPING * stranded / nodes.max(1) as f64;
        next.fill(base);
        for &(a, b, weight) in edges {
            let (a, b) = (a as usize, b as usize);
            next[a] += DAMPING * weight * flows[b];
            next[b] += DAMPING * weight * flows[a];
        }
        let moves = ranks.iter().zip(&next).map(|(old, new)| (old - new).abs());
        let moved = moves.fold(0.0, f64::max);
        std::mem::swap(&mut ranks, &mut next);
        if moved < SETTLED {
            break;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_star_ranks_first_and_ranks_sum_to_the_nodes() {
        let ranks = rank(5, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
        assert!(ranks[0] > ranks[1] && (ranks[1] - ranks[3]).abs() < 1e-9);
        assert!(ranks[4] < ranks[1]);
        assert!((ranks.iter().sum::<f64>() - 5.0).abs() < 1e-4);
    }

    #[test]
    fn nothing_ranks_nothing() {
        assert!(rank(0, &[]).is_empty());
    }
}
