//! Odds: how likely it is that a node needs all its moves.
//!
//! A move is left to another thread in the hope that both are needed: that no move ends the node. Two things tell most about it. The first
//! is how many moves are left. Of 190,000 nodes whose first move did not end them, 96 in a hundred needed all their moves where one more was
//! left after the second, 75 where three were, and 43 where five were (`odds.txt` in `results/2026-11-26-threads`). The second is whose turn
//! it is. Where a question of the root is answered, one side needs one good move of each of its nodes, and the other side all moves. Which
//! side is which is not known before. So each thread counts for each side, anew for each question.
//!
//! ```text
//! a node with six moves:   x        o  o  o  o  o
//!                          failed   |  +--+--+--+-- four more are left: [`Odds::PRIOR`] says 60 %
//!                                   the move in question
//! ```

use crate::axes::lines::children::Lanes;

/// The most moves left that are told apart.
const MOST_LEFT: usize = 7;

/// What a thread has seen of the nodes of a question.
#[derive(Clone, Debug)]
pub(super) struct Odds {
    /// For each side, and each number of moves left: nodes, and those of them that needed all moves.
    seen: [[[u32; 2]; MOST_LEFT + 1]; 2],
}

impl Odds {
    /// Nodes in a hundred that need all moves, by the moves left, before any was seen.
    const PRIOR: [u32; MOST_LEFT + 1] = [100, 95, 86, 74, 60, 42, 30, 30];
    /// It counts as much as so many nodes.
    const PRIOR_NODES: u32 = 20;

    pub(super) fn new() -> Self {
        let of = |percent: u32| [Self::PRIOR_NODES, Self::PRIOR_NODES * percent / 100];
        Odds { seen: [Self::PRIOR.map(of); 2] }
    }

    /// Whether at least `percent` of the nodes with so many stones, and so many moves left after the one in question, need all moves.
    pub(super) fn reach(&self, percent: u32, ply: u32, left: u32) -> bool {
        let [nodes, all] = self.seen[ply as usize % 2][MOST_LEFT.min(left as usize)];
        u64::from(all) * 100 >= u64::from(percent) * u64::from(nodes)
    }

    /// Takes note of a node with so many stones that is done. `met`: a bit for each number of moves that were left when another was begun.
    pub(super) fn learn(&mut self, ply: u32, met: u32, needed_all: bool) {
        for left in Lanes(met) {
            let [nodes, all] = &mut self.seen[ply as usize % 2][MOST_LEFT.min(left)];
            *nodes += 1;
            *all += u32::from(needed_all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Odds;

    #[test]
    fn what_was_seen_outweighs_what_was_thought() {
        let mut odds = Odds::new();
        for ply in [10, 11] {
            let good: Vec<u32> = (0..9).filter(|&left| odds.reach(55, ply, left)).collect();
            assert_eq!(good, [0, 1, 2, 3, 4]);
            assert!((0..32).all(|left| odds.reach(0, ply, left)));
        }
        // Nodes of the side with an even number of stones: with one move left they are ended by it, with six they are not.
        for _ in 0..100 {
            odds.learn(10, 1 << 1, false);
            odds.learn(12, 1 << 6 | 1 << 9, true);
        }
        let good = |odds: &Odds, ply| (0..9).filter(|&left| odds.reach(55, ply, left)).collect::<Vec<u32>>();
        assert_eq!(good(&odds, 10), [0, 2, 3, 4, 6, 7, 8]);
        assert_eq!(good(&odds, 11), [0, 1, 2, 3, 4]);
    }
}
