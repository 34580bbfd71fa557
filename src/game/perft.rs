//! The number of distinct legal positions after n plies, won ones included and played no further.
//!
//! On 7x6 these are the terms of OEIS A212693. (A chess perft counts paths; the field counts positions.)

use super::board::Board;
use super::geometry::Geometry;

/// Counts the distinct positions of each ply, one ply a step. One key of 8 bytes is held for each position.
///
/// ```
/// use c4lab::game::{Standard, perft::Perft};
/// assert_eq!(Perft::<Standard>::new().take(4).collect::<Vec<_>>(), [1, 7, 49, 238]);
/// ```
#[derive(Debug)]
pub struct Perft<G: Geometry> {
    /// All positions of the ply, sorted; empty after the last ply.
    boards: Vec<Board<G>>,
}

impl<G: Geometry> Perft<G> {
    /// Starts at the empty board.
    pub fn new() -> Self {
        Perft { boards: vec![Board::EMPTY] }
    }
}

impl<G: Geometry> Default for Perft<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Geometry> Iterator for Perft<G> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let count = self.boards.len() as u64;
        if count == 0 {
            return None;
        }
        let mut children = Vec::new();
        // Children are sorted and thinned whenever they have doubled, so that duplicates do not pile up.
        let mut thin_at = 1 << 20;
        for board in self.boards.drain(..).filter(|board| !board.is_won()) {
            for column in (0..G::WIDTH).filter(|&column| board.can_play(column)) {
                children.push(board.play(column));
            }
            if children.len() >= thin_at {
                thin(&mut children);
                thin_at = (2 * children.len()).max(1 << 20);
            }
        }
        thin(&mut children);
        self.boards = children;
        Some(count)
    }
}

fn thin<G: Geometry>(boards: &mut Vec<Board<G>>) {
    boards.sort_unstable();
    boards.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Grid, Spaced, Standard};

    const A212693: [u64; 9] = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275];

    #[test]
    fn positions_by_ply_are_a212693_in_both_layouts() {
        assert_eq!(Perft::<Standard>::new().take(9).collect::<Vec<_>>(), A212693);
        assert_eq!(Perft::<Spaced>::new().take(9).collect::<Vec<_>>(), A212693);
    }

    /// M. Boeck, arXiv 2507.05267: number of legal positions by board size.
    #[test]
    fn totals_of_small_boards() {
        assert_eq!(Perft::<Grid<4, 4, 5>>::new().sum::<u64>(), 161_029);
        assert_eq!(Perft::<Grid<5, 4, 5>>::new().sum::<u64>(), 3_945_711);
        assert_eq!(Perft::<Grid<4, 5, 6>>::new().sum::<u64>(), 1_706_255);
        assert_eq!(Perft::<Grid<4, 4, 9>>::new().sum::<u64>(), 161_029);
    }
}
