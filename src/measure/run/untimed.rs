//! What every variant searches without a clock before its batch: some positions, up to so many nodes in all. That takes
//! it about a millisecond, longer than a processor remembers what the variant before it did on the batch.

use crate::sets::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Limits, Solved, Stopped};
use std::iter;

const POSITIONS: u64 = 320;
const NODES: u64 = 20_000;
/// Nodes of one search at most: a table that was written to so seldom is emptied slot by slot, and the caches stay.
const NODES_OF_ONE: u64 = 400;
/// Empty squares of a position, where the board has as many and as many stones.
const EMPTY: u32 = 18;
/// Empty squares of the position that foreign programs are asked: no limit of nodes stops them.
const EMPTY_OF_FOREIGN: u32 = 14;

#[derive(Clone, Debug)]
pub struct Untimed {
    positions: Vec<Position>,
    pub foreign: Position,
}

impl Untimed {
    /// Those of a board: the same for ever, for they are drawn from seeds of their own.
    pub fn of(board: BoardSize) -> Self {
        let mut draw = Draw::new(0, "untimed searches");
        let positions = iter::repeat_with(|| position(board, EMPTY, &mut draw)).take(POSITIONS as usize).collect();
        Untimed { positions, foreign: position(board, EMPTY_OF_FOREIGN, &mut Draw::new(0, "untimed")) }
    }

    /// Has `search` search them within limits. It is given a position, and the limits of its search.
    pub fn search<'l>(
        &self,
        limits: &Limits<'l>,
        mut search: impl FnMut(&Position, Limits<'l>) -> Result<Solved, Stopped>,
    ) {
        let mut left = NODES;
        for position in &self.positions {
            let nodes = limits.nodes.unwrap_or(u64::MAX).min(NODES_OF_ONE).min(left);
            let searched = search(position, Limits { nodes: Some(nodes), ..*limits });
            left -= left.min(searched.map_or_else(Stopped::nodes, |solved| solved.nodes));
            if left == 0 || matches!(searched, Err(Stopped::Time(_) | Stopped::Interrupted(_))) {
                return;
            }
        }
    }
}

/// A position with so many empty squares that is not decided at once.
fn position(board: BoardSize, empty: u32, draw: &mut Draw) -> Position {
    let stones = board.cells() - empty.min(board.cells() / 2);
    loop {
        let mut position = Position::start_on(board);
        for _ in 0..stones {
            let quiet = |&column: &u32| position.can_play(column) && !position.wins_by(column);
            let columns: Vec<u32> = (0..board.width()).filter(quiet).collect();
            let Some(column) = columns.get(draw.below(columns.len().max(1))) else { break };
            if position.play(*column).is_err() {
                break;
            }
        }
        let decided = (0..board.width()).any(|column| position.wins_by(column));
        if position.ply() == stones && !decided {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::Goal;
    use c4lab_solver::search::registry;
    use c4lab_solver::search::solver::Options;

    #[test]
    fn every_board_has_its_own_and_they_stay() {
        for board in registry::boards() {
            let Untimed { positions, foreign } = Untimed::of(board);
            assert_eq!(positions.len() as u64, POSITIONS);
            let of_foreign = board.cells() - EMPTY_OF_FOREIGN.min(board.cells() / 2);
            assert_eq!((foreign.ply(), foreign.size()), (of_foreign, board));
            for position in positions {
                assert!(position.ply() == board.cells() - EMPTY.min(board.cells() / 2) && !position.is_over());
            }
        }
        let Untimed { positions, foreign } = Untimed::of(BoardSize::STANDARD);
        assert_eq!([foreign.to_string(), positions[0].to_string(), positions[255].to_string()], PINNED);
    }

    const PINNED: [&str; 3] = ["7262642676742772375621516555", "317717435332441236521166", "356334741134133744174171"];

    /// The searches of a variant, and all of their nodes.
    fn searched(variant: &str, limits: Limits<'_>) -> (u64, u64) {
        let mut solver = registry::find(variant).unwrap().build(&Options::default()).unwrap();
        let (mut searches, mut nodes) = (0, 0);
        Untimed::of(BoardSize::STANDARD).search(&limits, |position, limits| {
            solver.reset();
            let searched = solver.solve(position, Goal::Strong, &limits);
            let of_one = searched.map_or_else(Stopped::nodes, |solved| solved.nodes);
            assert!(of_one <= NODES_OF_ONE);
            (searches, nodes) = (searches + 1, nodes + of_one);
            searched
        });
        (searches, nodes)
    }

    #[test]
    fn a_strong_variant_searches_as_many_nodes_as_a_weak_one() {
        for (variant, least) in [(registry::DEFAULT, 100), ("pons-04", NODES / NODES_OF_ONE)] {
            let (searches, nodes) = searched(variant, Limits::default());
            assert!((least..POSITIONS).contains(&searches) && nodes == NODES, "{variant}: {searches} {nodes}");
        }
    }

    #[test]
    fn a_narrower_limit_stays_and_an_interruption_ends_it() {
        assert_eq!(searched("pons-04", Limits { nodes: Some(2), ..Limits::default() }).0, POSITIONS);
        let over = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert_eq!(searched("pons-12", over).0, 1);
    }
}
