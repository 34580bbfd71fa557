//! The rule behind a zugzwang bound, and the squares that it gives to each side: for drawings, not for searches.
//!
//! It repeats the rules of [`zugzwang`](super) one step at a time, and keeps the squares; an odd threat is found by the
//! search's own function. A test compares the bounds, and checks the squares of each rule.

use super::{Sides, Stops, Zugzwang, at_most, dead_lines_from, odd_threat_worth, plays_last, upwards};
use crate::axes::horizon;
use crate::axes::lines::laned::Laned;
use crate::axes::lines::line::fours;
use crate::game::board::{has_four, playable};
use crate::game::score::Score;
use crate::game::{Geometry, Word};

/// A bound on the score of a board's mover, and the squares that prove it: sets of the board's geometry, or lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<S> {
    /// Columns, from 0, of the moves that lead to the board.
    pub moves: Vec<u32>,
    /// The value of the axis that added the rule.
    pub rule: Zugzwang,
    /// The mover's score is at most this.
    pub most: Score,
    /// Squares that the opponent is sure to get.
    pub claimed: S,
    /// Squares that nobody claims and the mover does not get.
    pub beyond: S,
    /// Threats of the opponent's that close a column to the mover.
    pub threats: S,
    /// A line that the opponent completes with claimed squares; empty if the proof needs none.
    pub line: S,
}

impl<W: Word> Proof<W> {
    fn from_claimed(rule: Zugzwang, most: Score, claimed: W) -> Self {
        Proof { moves: Vec::new(), rule, most, claimed, beyond: W::NONE, threats: W::NONE, line: W::NONE }
    }
}

/// The bound of [`at_most`], with its squares. A bound of [`Zugzwang::Horizon`] or [`Zugzwang::Rules`] has no squares:
/// by the rules the opponent gets one of two squares, not always the same one.
pub fn of<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, target: Score) -> Option<Proof<G::Word>> {
    let g = board.g;
    let most = at_most(zugzwang, board, target)?;
    let stones = board.mover | board.opponent;
    let (free, answered) = (g.board() & !stones, !plays_last(g, stones.count_ones()));
    let follows = zugzwang >= Zugzwang::FollowUp;
    let found = match answered {
        true if follows => follow_up(zugzwang, board, (-target).max(0)),
        false if zugzwang >= Zugzwang::OddThreat => odd_threat(zugzwang, board, (-target).max(1)),
        _ => None,
    };
    let dead = || {
        let is_dead = target >= 0 && stones.count_ones() >= dead_lines_from(g) && !has_four(g, board.mover | free);
        (is_dead && !(answered && follows)).then(|| Proof::from_claimed(Zugzwang::DeadLines, 0, G::Word::NONE))
    };
    let is_late = zugzwang >= Zugzwang::Horizon && target >= 0 && horizon::too_late(board, target);
    let rule = if is_late { Zugzwang::Horizon } else { Zugzwang::Rules };
    Some(found.or_else(dead).unwrap_or_else(|| Proof::from_claimed(rule, most, G::Word::NONE)))
}

/// The proof that the last player answers every stone by the square above it, and wins by `win` or more; 0 for a draw.
fn follow_up<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, win: Score) -> Option<Proof<G::Word>> {
    let g = board.g;
    let stones = board.mover | board.opponent;
    let free = g.board() & !stones;
    let claimed = free & g.rows_of_pairs(true) & !playable(g, stones);
    let threats = board.threats & claimed;
    let blocked = if zugzwang >= Zugzwang::Blocked { upwards(g, threats) } else { G::Word::NONE };
    if has_four(g, board.mover | free & !(claimed | blocked)) {
        return None;
    }
    let needs_stops = has_four(g, board.mover | free & !claimed);
    let mut proof = Proof::from_claimed(Zugzwang::FollowUp, -win, claimed);
    if needs_stops {
        proof = Proof { rule: Zugzwang::Blocked, beyond: blocked & !claimed, threats, ..proof };
    }
    if win == 0 {
        return Some(proof);
    }
    let line = four_of(g, board.opponent | claimed & g.rows_worth(win));
    if line.has_any() {
        let rule = if needs_stops { Zugzwang::Blocked } else { Zugzwang::Distance };
        return Some(Proof { rule, line, ..proof });
    }
    let adds_up = zugzwang >= Zugzwang::Sums
        && threats.has_any()
        && Stops::at(g, threats).win_with(g, board.opponent, claimed, win);
    adds_up.then_some(Proof { rule: Zugzwang::Sums, beyond: blocked & !claimed, threats, ..proof })
}

/// The proof that the mover, the last player, must in the end play below a threat of the other side in a lower row.
fn odd_threat<G: Geometry<Word: Laned>>(zugzwang: Zugzwang, board: Sides<G>, win: Score) -> Option<Proof<G::Word>> {
    let g = board.g;
    let stones = board.mover | board.opponent;
    let (free, playable) = (g.board() & !stones, playable(g, stones));
    let threat = odd_threat_worth(zugzwang, board, win);
    if threat.is_empty() {
        return None;
    }
    let column = g.column_with(threat);
    let claimed = free & g.rows_of_pairs(true) & !playable & !column;
    let blocked = upwards(g, board.threats & claimed);
    let beyond = column & (g.rows_of_pairs(false) | !(threat - G::Word::ONE));
    // In the column of the threat the opponent follows up by the lower rows.
    let claimed = claimed | free & column & g.rows_of_pairs(false) & (threat | (threat - G::Word::ONE));
    let threats = threat | board.threats & claimed & !column;
    let beyond = free & (blocked | beyond) & !claimed;
    let rule = if (threat & g.rows_worth(win)).has_any() { Zugzwang::OddThreat } else { Zugzwang::Sums };
    Some(Proof { beyond, threats, ..Proof::from_claimed(rule, -win, claimed) })
}

fn four_of<G: Geometry>(g: G, squares: G::Word) -> G::Word {
    let line = |step: u32| {
        let first = fours(squares, step).lowest();
        first | first << step | first << (2 * step) | first << (3 * step)
    };
    g.directions().into_iter().map(line).find(|line| line.has_any()).unwrap_or(G::Word::NONE)
}
