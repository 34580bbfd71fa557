//! Waiting moves: moves into columns through which no line runs any more.
//!
//! A square *matters* to a side if it completes a four, or if a line through it can still be completed. A column is
//! *idle* if none of its empty squares matters to either side. A stone there changes nothing but the side to move.
//!
//! ```text
//! . . O . w O w      w  the two idle columns: no line of X can be completed through these squares, and none of O
//! . . X . w X w
//! . . O . O O X      four waiting moves: an even number. X is to move. To win or to draw it needs none of them, only the
//! . . X . X O O      three columns with a dot; to lose late it needs one of them
//! X X O X O X X
//! O O X X X O O
//! ```
//!
//! A line does not matter to a side if it holds
//!
//! - a square that the side never gets: one above a square where the next stone ends the game (both sides complete a
//!   four there, or one of two squares on top of each other completes a four of the opponent's each); or the upper of
//!   two such squares of the opponent's;
//! - an empty square that completes a four of the side's own: with that stone the game has ended before.
//!
//! Such a line can neither be completed *nor force an answer*. That it is never completed would not be enough: a threat
//! that must be answered is worth a move. A line that is dead stays dead, so an idle column stays idle.
//!
//! **One is enough.** Let X be the rest of the board, and p the number of empty squares of idle columns. A waiting move
//! leads to X with p - 1 of them, whichever it is. So all waiting moves have one score, and one is searched.
//!
//! **An even number decides nothing.** *A win.* Let p be even, and let the mover win within a number of its stones. Then
//! a move in X does so, too. Otherwise a waiting move wins. The opponent answers it by another, since p - 1 is odd: the
//! mover wins X with p - 2 waiting moves, with a stone less. By induction it does so with a first move in X. It plays
//! this move here. Whenever the opponent takes one of the two waiting moves more, the mover takes the other: a stone
//! more, which it has. So a score above 0 needs no waiting move, and without one the score is at most 0.
//! *A draw.* In the same way the mover holds X with p waiting moves if and only if it holds X with none, as long as X has
//! a square. So it does not lose if and only if a move in X does not. A loss can be delayed by waiting: below a draw the
//! rule says nothing.
//!
//! Three empty squares above a stone hold an upright line. So the search looks for idle columns only where moves lie in
//! the upper two rows.

use crate::axes::lines::laned::Laned;
use crate::axes::lines::threats::{Threats, winning_squares};
use crate::axes::zugzwang::upwards;
use crate::game::score::Score;
use crate::game::{Geometry, Word};

axis! {
    /// Which moves into idle columns are searched.
    pub enum Waiting = "waiting" {
        /// all
        All = "all",
        /// one, and for a win or a draw none of an even number
        Needed = "needed",
    }
}

/// The empty squares of idle columns, if one of `moves` lies in such a column. `sides` are the stones of the mover and of
/// the opponent.
#[inline(never)]
pub fn idle<G: Geometry<Word: Laned>>(g: G, sides: [G::Word; 2], moves: G::Word) -> G::Word {
    let free = g.board() & !(sides[0] | sides[1]);
    let mut wins = sides.map(|stones| winning_squares(g, Threats::Halves, stones, free));
    let (mut never, mut over) = ([G::Word::NONE; 2], G::Word::NONE);
    // What lies above the end of the game ends it no more: another look finds less that matters.
    for _ in 0..2 {
        let [mine, theirs] = wins;
        never = [theirs & theirs << 1, mine & mine << 1];
        let ends = mine & theirs | never[0] | never[1];
        if ends.is_empty() {
            break;
        }
        over |= upwards(g, ends << 1 & g.board() & !g.bottom());
        wins = [mine & !over & !never[0], theirs & !over & !never[1]];
    }
    let (mut matters, above) = (wins[0] | wins[1], g.bottom() << g.height());
    let mut idle = G::Word::NONE;
    for side in 0..2 {
        let gets = free & !over & !never[side] & !wins[side];
        let squares = sides[side] | gets;
        for step in g.directions() {
            let pairs = squares & squares >> step;
            let fours = pairs & pairs >> (2 * step);
            let lower = fours | fours << step;
            matters |= (lower | lower << (2 * step)) & gets;
        }
        // A column without such a square does not carry into the bit above it.
        let columns = !((matters & free) + g.board()) & above;
        idle = columns - (columns >> g.height());
        if (moves & idle).is_empty() {
            return G::Word::NONE;
        }
    }
    idle & free
}

/// True if [`idle`] may save a move: two moves lie in the upper two rows, or one that leaves a square above it. On boards
/// with few stones no column is idle; with many the search below is too short.
#[inline(always)]
pub(crate) fn pays<G: Geometry>(g: G, ply: u32, moves: G::Word, alpha: Score) -> bool {
    let top = g.bottom() << (g.height() - 1);
    let high = moves & (top | top >> 1);
    (g.cells() * 3 / 7..=g.cells() * 3 / 4).contains(&ply)
        && (high.has_several() || alpha >= -1 && (high & top >> 1).has_any())
}

/// True if no waiting move is needed for a score above `alpha`: there are evenly many, and `idle` is not all that is free.
#[inline(always)]
pub fn decides_nothing<W: Word>(idle: W, free: W, alpha: Score) -> bool {
    idle.count_ones().is_multiple_of(2) && (alpha >= 0 || alpha == -1 && idle != free)
}
