//! Functions that find the squares that would complete four in a row: of one board (`almost_wins_scalar`), of both
//! sides (`both_...`), and after each move of a node (`children_...`). A name ends in the value of the axis `threats`;
//! `almost_wins_directions` is `directions`, which is almost-wins in a vector. All functions of a kind and a layout
//! have the same checksum.

pub(crate) use crate::boards::Node;
pub(crate) use c4lab_solver::axes::Threats;
use c4lab_solver::axes::lines::threats::{each_after, winning_squares, winning_squares_of_both};
pub(crate) use c4lab_solver::game::{Geometry, Spaced};

/// The opponent's winning squares: what a node asks to find its non-losing moves.
#[inline(always)]
pub(crate) fn one<G: Geometry<Word = u64>>(threats: Threats, node: Node<G>) -> u64 {
    winning_squares(node.board.geometry(), threats, node.board.opponent(), node.board.empty())
}

#[inline(always)]
pub(crate) fn both(threats: Threats, node: Node) -> u64 {
    let boards = [node.board.mover(), node.board.opponent()];
    let [mover, opponent] =
        winning_squares_of_both(c4lab_solver::game::Standard::NEW, threats, boards, node.board.empty());
    mover ^ opponent.rotate_left(7)
}

/// The mover's winning squares after each move of the board, added up with its column: all children of a node, up to
/// seven. The square of the move itself is not among them.
#[inline(always)]
pub(crate) fn children(threats: Threats, node: Node) -> u64 {
    let (board, mut sum) = (node.board, 0u64);
    each_after(
        c4lab_solver::game::Standard::NEW,
        threats,
        board.mover(),
        board.playable(),
        board.empty(),
        |column, squares| {
            sum = sum.wrapping_add(squares ^ u64::from(column));
        },
    );
    sum
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! threats {
    ($each:ident) => {
        crate::lists::hand! {
            $each threats in threats_list:
            {
                pairs_scalar = 0x7c8c_3fde_dbd0_e896, |node: Node| one(Threats::Pairs, node);
                halves_scalar = 0x7c8c_3fde_dbd0_e896, |node: Node| one(Threats::Halves, node);
                almost_wins_scalar = 0x7c8c_3fde_dbd0_e896, |node: Node| one(Threats::AlmostWins, node);
            } vectors {
                almost_wins_directions = 0x7c8c_3fde_dbd0_e896, |node: Node| one(Threats::Directions, node);
            }
            {
                almost_wins_scalar_stride_9 = 0x8f4c_6395_751e_0147, |node: Node<Spaced>| one(Threats::AlmostWins, node);
            } vectors {
                almost_wins_directions_stride_9 = 0x8f4c_6395_751e_0147, |node: Node<Spaced>| one(Threats::Directions, node);
            }
            {
                both_pairs = 0xa043_7f39_bb79_5ad3, |node: Node| both(Threats::Pairs, node);
                both_halves = 0xa043_7f39_bb79_5ad3, |node: Node| both(Threats::Halves, node);
            } vectors {
                both_players = 0xa043_7f39_bb79_5ad3, |node: Node| both(Threats::Players, node);
            }
            {
                children_pairs = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Pairs, node);
                children_almost_wins = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::AlmostWins, node);
                children_halves = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Halves, node);
            } vectors {
                children_directions = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Directions, node);
                children_moves = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Moves, node);
                children_children = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Children, node);
                children_players = 0x13a0_7dd1_1f38_0bf1, |node: Node| children(Threats::Players, node);
            }
        }
    };
}
pub(crate) use threats;
