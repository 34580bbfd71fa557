//! Functions that find lines of four, and the squares that would complete one.

pub(crate) use crate::boards::Node;
use c4lab_solver::axes::lines::threats::{each_after, winning_squares, winning_squares_of_both};
use c4lab_solver::axes::lines::wins::{has_four, squares_in_fours, squares_in_fours_of_both};
pub(crate) use c4lab_solver::axes::{Threats, Wins};
pub(crate) use c4lab_solver::game::{Geometry, Spaced};

// Functions for four in a row, and for the squares of a four. Functions with equal results have equal checksums, in
// either layout.

/// True if the mover's stones, with one more in every column with a move, have four in a row: some have, some have not.
#[inline(always)]
pub(crate) fn win_check<G: Geometry<Word = u64>>(wins: Wins, node: Node<G>) -> u64 {
    u64::from(has_four(node.board.geometry(), wins, node.board.mover() | node.moves))
}

/// Whether a stone in some column makes four, column by column.
#[inline(always)]
pub(crate) fn win_checks(node: Node) -> u64 {
    let g = node.board.geometry();
    let win = |column| has_four(g, Wins::TwoShifts, node.board.mover() | node.moves & g.column(column));
    (0..7).map(|column| u64::from(win(column)) << column).sum()
}

/// The squares where the mover can still make a four.
#[inline(always)]
pub(crate) fn squares<G: Geometry<Word = u64>>(node: Node<G>) -> u64 {
    squares_in_fours(node.board.geometry(), node.board.mover() | node.board.empty())
}

/// The squares where either side can still make a four, as for a colorless key.
#[inline(always)]
pub(crate) fn squares_of_both<G: Geometry<Word = u64>>(wins: Wins, node: Node<G>) -> u64 {
    let empty = node.board.empty();
    let [mover, opponent] = squares_in_fours_of_both(
        node.board.geometry(),
        wins,
        [node.board.mover() | empty, node.board.opponent() | empty],
    );
    mover ^ opponent.rotate_left(7)
}

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! wins {
    ($each:ident) => {
        crate::lists::hand! {
            $each wins in lines:
            {
                win_check_two_shifts = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::TwoShifts, node);
                win_check_three_shifts = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::ThreeShifts, node);
                win_check_three_shifts_early_exit = 0x5dee_df00_770c_16d5,
                    |node: Node| win_check(Wins::ThreeShiftsEarlyExit, node);
                win_check_lines = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::Lines, node);
                win_check_early_exit = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::EarlyExit, node);
                win_check_squares = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::Squares, node);
            } vectors {
                win_check_directions = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::Directions, node);
            }
            {
                win_checks_of_columns = 0x0c33_3708_e475_06cb, |node: Node| win_checks(node);
                win_check_two_shifts_stride_9 = 0x5dee_df00_770c_16d5,
                    |node: Node<Spaced>| win_check(Wins::TwoShifts, node);
                squares_in_fours_scalar = 0xdb6d_02c5_fd97_e941, |node: Node| squares(node);
                squares_in_fours_of_both_scalar = 0x126c_a16f_e6a7_f482, |node: Node| squares_of_both(Wins::TwoShifts, node);
            } vectors {
                squares_in_fours_of_both_directions = 0x126c_a16f_e6a7_f482, |node: Node| squares_of_both(Wins::Directions, node);
            }
        }
    };
}
pub(crate) use wins;

// Functions that find the squares that would complete four in a row: of one board (`almost_wins_scalar`), of both
// sides (`both_...`), and after each move of a node (`children_...`). A name ends in the value of the axis `threats`;
// `almost_wins_directions` is `directions`, which is almost-wins in a vector. All functions of a kind and a layout
// have the same checksum.

/// The opponent's winning squares, from which a node finds its non-losing moves.
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

/// The mover's winning squares after each move, summed with the column of the move: all children of a node, at most
/// seven. The square of the move is not among them.
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

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! threats {
    ($each:ident) => {
        crate::lists::hand! {
            $each threats in lines:
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
