//! Zugzwang: bounds on a score from squares that one side is sure to get.
//!
//! **Dead lines.** If the mover completes no four even with every empty square, it never wins: its score is at most 0.
//!
//! **The last player** is the side that plays the last stone of a full board: the second player if the number of
//! squares is even, the first player if width and height are both odd. The other side is to move whenever an even
//! number of squares is empty.
//!
//! **Pairs.** Take the rows two by two, from the top down. Each pair has an upper row and a lower one. On an odd height
//! the first row is an upper row without a partner.
//!
//! **Follow-up** (the rule "claimeven" of V. Allis, "A Knowledge-based Approach of Connect-Four", for even heights).
//! With an even number of empty squares, the last player answers a stone in a lower row by the square above it:
//!
//! ```text
//! height 6                     height 5
//! row 6   c c c c c c c
//! row 5   . . . . . . .        row 5   c c c c c c c     c  claimed: an upper row; the last player gets it
//! row 4   c c c c c c c        row 4   . . . . . . .     .  a lower row; the other side gets it, at most
//! row 3   . . . . . . .        row 3   c c c c p c c     p  playable in an upper row: columns with an odd number of
//! row 2   c c p c c p c        row 2   . . . . x . .        empty squares. There are evenly many of them, so the last
//! row 1   . . x . . o .        row 1   p x p o o x p        player answers one of these squares by another
//! ```
//!
//! *Why this holds.* The other side may play in a column with an even number of empty squares. Its stone then lies in a
//! lower row, and the square above it is free for the answer. Or it may play in an *odd* column, one with an odd number
//! of empty squares. Its stone then lies in an upper row. The number of empty squares is even, so the number of odd
//! columns is even: another odd column is left to answer in. Both columns then have an even number of empty squares,
//! and no column becomes odd again on the other side's turn. So the other side plays in upper rows only where it could
//! do so at the start. The last player gets every other empty square of an upper row. The number of the lowest row
//! plays no part: an empty column of odd height is an odd column.
//!
//! If the mover has no four with all squares that are not claimed, its score is at most 0. If the opponent has a four
//! with the claimed squares, the score is at most -1. Take a line whose highest claimed square lies in row r of h.
//! Until the last two stones of the line at least, all squares of its column from row r - 1 up stay empty: h - r + 2 of
//! them. So the win is worth (h - r + 2) / 2, on even and odd heights.
//!
//! **Blocked columns.** If a claimed square completes a four of the opponent's, the mover never gets past it: the
//! square right below it takes the mover's last stone in that column.
//!
//! **Odd threats.** With an odd number of empty squares the mover is the last player, and its opponent the other side.
//! One of the opponent's threats may lie in a lower row, in a column with an odd number of empty squares: on the
//! standard board in an odd row, the first player's. Then the opponent follows up in that column by the lower rows. It
//! follows up in all other columns as above, since they have an even number of empty squares together. When those
//! columns are full, the mover has to play below the threat.
//!
//! ```text
//! row 6   c . c c
//! row 5   . . . .      row 5   c . c c      threat T in a lower row, an upper one playable below it: every square of
//! row 4   c . c c      row 4   . T . .      the column from T up is out of the mover's reach
//! row 3   . T . .      row 3   c p c c
//! row 2   c p c c      row 2   . o . .
//! row 1   . x . .      row 1   p x x p
//! ```
//!
//! If the mover has no four with the squares that are left, it loses, at the latest by T.
//!
//! **Sums.** The mover plays below a threat, or into the column that completes a line, only when all other squares are
//! taken. At that time the squares still empty in all these columns count together. A column that ends at a threat in
//! row r has h - r + 2 of them. A win is worth w if 2w or 2w + 1 squares are empty before the last two stones.
//!
//! **Horizon.** A win that comes too late bounds a score above 0: [`crate::axes::horizon`].
//!
//! **Rules.** Answers in other squares than the one above: [`crate::axes::rules`].

pub mod proof;

use crate::axes::lines::laned::Laned;
use crate::axes::lines::sets::Sets;
use crate::axes::{horizon, rules};
use crate::game::board::{has_four, playable};
use crate::game::score::Score;
use crate::game::{Geometry, Word};

axis! {
    /// Bounds from squares that one side is sure to get. Each value adds one rule to those before it.
    #[derive(PartialOrd)]
    pub enum Zugzwang = "zugzwang" {
        /// none
        None = "none",
        /// at most 0 where the mover can complete no four with every empty square
        DeadLines = "dead-lines",
        /// at most 0 where it can complete none because the last player (the second one on 7x6) answers every stone by the one above (Allis, claimeven)
        FollowUp = "follow-up",
        /// at most -1, -2, ... where those answers complete a four in time
        Distance = "distance",
        /// a column ends at a square where the last player's answer completes a four
        Blocked = "blocked",
        /// below 0 where a threat in a lower row of a pair (on 7x6 the first player's, in an odd row) leaves the last player without a move
        OddThreat = "odd-threat",
        /// what several blocked columns are worth adds up
        Sums = "sums",
        /// above 0 too: a win that needs more stones than are left to the mover, because of those answers, comes too late
        Horizon = "horizon",
        /// at most 0 on boards with few stones where Allis's nine rules together stop every line of the mover's
        Rules = "rules",
    }
}

/// True if the mover of a board with `ply` stones plays the last stone of a full board.
#[inline(always)]
pub(crate) fn plays_last<G: Geometry>(g: G, ply: u32) -> bool {
    ply.is_multiple_of(2) != g.cells().is_multiple_of(2)
}

/// The ply from which dead lines are looked for. Boards with fewer stones hardly have any.
pub(super) fn dead_lines_from<G: Geometry>(g: G) -> u32 {
    g.cells() * 2 / 3
}

/// `squares` and all squares above them.
#[inline(always)]
pub(crate) fn upwards<G: Geometry, S: Sets<Word = G::Word>>(g: G, mut squares: S) -> S {
    let mut rows = 1;
    // Few boards are higher than 8: they take one more step.
    while rows < G::MOST_HEIGHT && rows < g.height().next_multiple_of(8) {
        squares = squares | ((squares << rows) & squares.splat(g.rows_from(rows)));
        rows *= 2;
    }
    squares
}

#[derive(Clone, Copy, Debug)]
pub struct Sides<G: Geometry> {
    pub g: G,
    pub mover: G::Word,
    pub opponent: G::Word,
    /// Empty squares that complete a four of the opponent's.
    pub threats: G::Word,
}

/// A bound on the mover's score that is at most `target`, if one is proven. Neither side has four.
#[inline(always)]
pub fn at_most<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, target: Score) -> Option<Score> {
    let late = || zugzwang >= Zugzwang::Horizon && target >= 0 && horizon::too_late(board, target);
    let stopped = || zugzwang == Zugzwang::Rules && rules::prove(board.g, board.mover, board.opponent, target);
    from_squares(zugzwang, board, target).or_else(|| late().then_some(target)).or_else(|| stopped().then_some(0))
}

/// The bound of [`at_most`] without horizon and rules: from squares that the opponent is sure to get.
#[inline(always)]
pub(crate) fn from_squares<G: Geometry<Word: Laned>>(
    zugzwang: Zugzwang,
    board: Sides<G>,
    target: Score,
) -> Option<Score> {
    let g = board.g;
    if zugzwang == Zugzwang::None || -target > most(g) {
        return None;
    }
    let stones = board.mover | board.opponent;
    let (free, ply) = (g.board() & !stones, stones.count_ones());
    if !plays_last(g, ply) && zugzwang >= Zugzwang::FollowUp {
        let win = Score::max(-target, 0);
        if win > 0 && zugzwang < Zugzwang::Distance {
            return None;
        }
        let claimed = free & g.rows_of_pairs(true) & !playable(g, stones);
        let blocked = if zugzwang >= Zugzwang::Blocked { upwards(g, board.threats & claimed) } else { G::Word::NONE };
        let proven = !has_four(g, board.mover | free & !(claimed | blocked));
        return (proven && (win == 0 || follow_up_wins(zugzwang, board, win))).then_some(-win);
    }
    if plays_last(g, ply) && zugzwang >= Zugzwang::OddThreat {
        let win = Score::max(-target, 1);
        if odd_threat_worth(zugzwang, board, win).has_any() {
            return Some(-win);
        }
    }
    let dead = target >= 0 && ply >= dead_lines_from(g);
    (dead && !has_four(g, board.mover | free)).then_some(0)
}

/// The largest win that is looked for. Few boards have enough blocked columns for a larger win.
#[inline(always)]
pub(super) fn most<G: Geometry>(g: G) -> Score {
    g.height() as Score
}

/// True if the last player, who answers every stone by the square above, completes a four that is worth `win` or more.
/// The mover is the other side and completes none.
#[inline(always)]
pub(super) fn follow_up_wins<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, win: Score) -> bool {
    let g = board.g;
    let stones = board.mover | board.opponent;
    let claimed = g.board() & !stones & g.rows_of_pairs(true) & !playable(g, stones);
    has_four(g, board.opponent | claimed & g.rows_worth(win))
        || zugzwang >= Zugzwang::Sums && {
            let threats = board.threats & claimed;
            threats.has_any() && Stops::at(g, threats).win_with(g, board.opponent, claimed, win)
        }
}

/// The odd threat of the other side to which the mover, the last player, loses by `win` or more; empty if there is none.
#[inline(always)]
pub(super) fn odd_threat_worth<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, win: Score) -> G::Word {
    let g = board.g;
    let stones = board.mover | board.opponent;
    let free = g.board() & !stones;
    let playable = playable(g, stones);
    let mut threats = board.threats & g.rows_of_pairs(false) & upwards(g, playable & g.rows_of_pairs(true));
    if zugzwang < Zugzwang::Sums {
        threats &= g.rows_worth(win);
    }
    while threats.has_any() {
        let threat = Word::lowest(threats);
        threats ^= threat;
        let column = g.column_with(threat);
        let claimed = free & g.rows_of_pairs(true) & !playable & !column;
        if zugzwang >= Zugzwang::Sums && (threat & g.rows_worth(win)).is_empty() {
            if (board.threats & claimed).is_empty() {
                continue;
            }
            let mut stops = Stops::at(g, board.threats & claimed);
            stops.empty += (column & !(threat - G::Word::ONE)).count_ones() + 1;
            if !stops.win_with(g, board.opponent, claimed, win) {
                continue;
            }
        }
        let blocked = upwards(g, board.threats & claimed);
        let beyond = column & (g.rows_of_pairs(false) | !(threat - G::Word::ONE));
        if !has_four(g, board.mover | free & !(claimed | blocked | beyond)) {
            return threat;
        }
    }
    G::Word::NONE
}

#[derive(Clone, Copy)]
struct Stops<W> {
    /// All squares of the blocked columns.
    columns: W,
    /// The number of squares, from the one below each threat up, that stay empty until the mover can play nowhere else.
    empty: u32,
}

impl<W: Laned> Stops<W> {
    #[inline(always)]
    fn at<G: Geometry<Word = W>>(g: G, threats: W) -> Self {
        let up = upwards(g, threats);
        let tops = up & (g.bottom() << (g.height() - 1));
        // From the sentinel down to the lowest square.
        Stops { columns: (tops << 1) - (tops >> (g.height() - 1)), empty: (up | up >> 1).count_ones() }
    }

    /// True if these columns are worth `win`, alone or with a line that `claimed` squares of other columns complete.
    #[inline(always)]
    fn win_with<G: Geometry<Word = W>>(self, g: G, stones: W, claimed: W, win: Score) -> bool {
        let left = win - self.empty as Score / 2;
        left <= 0 || has_four(g, stones | claimed & g.rows_worth(left) & !self.columns)
    }
}
