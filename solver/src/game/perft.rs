//! The number of distinct legal positions after n plies. Won positions are counted and played no further.
//!
//! On 7x6 these are the terms of OEIS A212693. (A chess perft counts paths; the field counts positions.)

use crate::game::board::Board;
use crate::game::geometry::Geometry;
use crate::game::size::BoardSize;

/// The published number of positions on 7x6 by ply, from 0 to 42. Source: OEIS A212693 (J. Tromp).
#[rustfmt::skip]
pub const A212693: [u64; 43] = [
    1, 7, 49, 238, 1120, 4263,
    16422, 54859, 184_275, 558_186, 1_662_623, 4_568_683,
    12_236_101, 30_929_111, 75_437_595, 176_541_259, 394_591_391, 858_218_743,
    1_763_883_894, 3_568_259_802, 6_746_155_945, 12_673_345_045, 22_010_823_988, 38_263_228_189,
    60_830_813_459, 97_266_114_959, 140_728_569_039, 205_289_508_055, 268_057_611_944, 352_626_845_666,
    410_378_505_447, 479_206_477_733, 488_906_447_183, 496_636_890_702, 433_471_730_336, 370_947_887_723,
    266_313_901_222, 183_615_682_381, 104_004_465_349, 55_156_010_773, 22_695_896_495, 7_811_825_938,
    1_459_332_899,
];

/// The bytes needed to count the positions of a ply on 7x6 (up to 42): for the positions of the ply before, and for up
/// to twice as many children as distinct ones.
pub fn bytes_needed(ply: u32) -> u64 {
    let count = |ply: u32| A212693[ply as usize];
    (0..=ply)
        .map(|ply| bytes_of(BoardSize::STANDARD, ply.checked_sub(1).map_or(0, count), count(ply)))
        .max()
        .unwrap_or(0)
}

/// The bytes needed to count the `count` positions of a ply of `board`; the ply before has `before` positions.
pub fn bytes_of(board: BoardSize, before: u64, count: u64) -> u64 {
    // Two words a position.
    let position = if board.bits() > u64::BITS { 32 } else { 16 };
    count.saturating_mul(2).saturating_add(before).saturating_mul(position)
}

/// The number of distinct positions of each ply, one ply a step. It stores one board of two words for each position.
pub fn perft<G: Geometry>(g: G) -> impl Iterator<Item = u64> {
    let mut counted = None;
    std::iter::from_fn(move || {
        // A ply is made only on demand, so that none is made beyond the last one wanted.
        let boards = counted.take().map_or_else(|| vec![Board::empty_in(g)], children);
        let count = boards.len() as u64;
        counted = Some(boards);
        (count > 0).then_some(count)
    })
}

fn children<G: Geometry>(boards: Vec<Board<G>>) -> Vec<Board<G>> {
    let mut children = Vec::new();
    // Children are sorted and thinned whenever they have doubled, to limit duplicates.
    let mut thin_at = 1 << 20;
    for board in boards.into_iter().filter(|board| !board.is_won()) {
        for column in (0..board.geometry().width()).filter(|&column| board.can_play(column)) {
            children.push(board.play(column));
        }
        if children.len() >= thin_at {
            thin(&mut children);
            thin_at = (2 * children.len()).max(1 << 20);
        }
    }
    thin(&mut children);
    children
}

fn thin<G: Geometry>(boards: &mut Vec<Board<G>>) {
    boards.sort_unstable_by_key(|board| (board.mover(), board.stones()));
    boards.dedup();
}

/// Every position of a small board, in the order of plies.
#[cfg(test)]
pub(crate) fn all_boards<G: Geometry>(g: G) -> Vec<Board<G>> {
    let plies = std::iter::successors(Some(vec![Board::empty_in(g)]), |boards| Some(children(boards.clone())));
    plies.take_while(|boards| !boards.is_empty()).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Grid, Spaced, Standard};

    #[test]
    fn positions_by_ply_are_a212693_in_both_layouts() {
        assert_eq!(perft(Standard::NEW).take(9).collect::<Vec<_>>(), A212693[..9]);
        assert_eq!(perft(Spaced::NEW).take(9).collect::<Vec<_>>(), A212693[..9]);
    }

    #[test]
    fn ten_plies_need_less_than_two_gigabytes() {
        assert!(bytes_needed(10) < 2_000_000_000);
        assert!((1..=33).all(|ply| bytes_needed(ply) > bytes_needed(ply - 1)));
        assert!((1..=42).all(|ply| bytes_needed(ply) >= bytes_needed(ply - 1)));
    }

    /// M. Boeck, arXiv 2507.05267: number of legal positions by board size.
    #[test]
    fn totals_of_small_boards() {
        assert_eq!(perft(Grid::<4, 4, 5>::NEW).sum::<u64>(), 161_029);
        assert_eq!(all_boards(Grid::<4, 4, 5>::NEW).len(), 161_029);
        assert_eq!(perft(Grid::<4, 5, 6>::NEW).sum::<u64>(), 1_706_255);
        assert_eq!(perft(Grid::<4, 4, 9>::NEW).sum::<u64>(), 161_029);
    }
}
