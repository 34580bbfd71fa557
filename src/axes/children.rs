//! Children: what all moves of a node lead to, seen before any is searched.
//!
//! A column in each lane, from the centre out, so that among equals the lowest lane is the best guess:
//!
//! ```text
//! lane       0 1 2 3 4 5 6 7
//! column     3 2 4 1 5 0 6 -        seven columns
//! ```
//!
//! For each move: the squares that then complete a four of the mover's, and from these the opponent's replies that do
//! not lose at once. A move that leaves none wins with the stone after next; one that leaves a single reply forces it;
//! the others are *quiet*.
//!
//! Lanes are the lanes of vectors ([`Threats::Children`]) or turns of a loop over the moves that there are (all other
//! ways to find winning squares). Both answer the same.

use super::claims::{self, Claimant, Claims};
use super::lanes;
use super::threats::{self, Threats};
use crate::game::Geometry;
use crate::game::score::Score;

/// Lanes of a vector, and the most columns that a node's children may have.
pub const LANES: usize = 8;

/// What the moves of a node lead to, a column in each lane. Lanes without a move hold nothing to go by.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Empty squares that complete a four of the mover's after the move.
    pub threats: [u64; LANES],
    /// The opponent's replies that do not lose at once.
    pub replies: [u64; LANES],
    /// Lanes whose move leaves no reply.
    pub won: u32,
    /// Lanes whose move leaves one reply.
    pub forced: u32,
    /// Lanes whose move leaves more.
    pub quiet: u32,
}

/// A node: the mover's stones, all stones, and the moves that are looked at, one bit a column.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    /// The mover's stones.
    pub mover: u64,
    /// All stones; at least two squares are empty.
    pub stones: u64,
    /// Playable squares, some or all.
    pub moves: u64,
}

impl Parent {
    /// The move of a lane, or 0.
    #[inline(always)]
    pub fn in_lane<G: Geometry>(self, lane: usize) -> u64 {
        self.moves & columns::<G>()[lane & (LANES - 1)]
    }
}

impl Parent {
    /// The child of a lane, as claims see it.
    #[inline(always)]
    pub(super) fn child<G: Geometry>(self, outlook: &Outlook, lane: usize) -> Claimant {
        let (mover, opponent) = (self.stones & !self.mover, self.mover | self.in_lane::<G>(lane));
        Claimant { mover, opponent, threats: outlook.threats[lane] }
    }
}

/// The squares of the column in each lane.
#[inline(always)]
pub const fn columns<G: Geometry>() -> [u64; LANES] {
    const {
        assert!(G::WIDTH as usize <= LANES, "a column in each lane: at most eight columns");
        let (mut columns, mut lane) = ([0; LANES], 0);
        while lane < G::WIDTH as usize {
            columns[lane] = ((1 << G::HEIGHT) - 1) << (G::CENTRE_FIRST[lane] as u32 * G::STRIDE);
            lane += 1;
        }
        columns
    }
}

/// Looks at all moves of a node.
#[inline(always)]
pub fn look<G: Geometry>(threats: Threats, node: Parent) -> Outlook {
    if threats == Threats::Children {
        return lanes::look::<G>(node);
    }
    let empty = [0; LANES];
    let mut outlook = Outlook { threats: empty, replies: empty, won: 0, forced: 0, quiet: 0 };
    for lane in 0..G::WIDTH as usize {
        let one_move = node.in_lane::<G>(lane);
        if one_move == 0 {
            continue;
        }
        let (mover, stones) = (node.mover | one_move, node.stones | one_move);
        let squares = threats::winning_squares::<G>(threats, mover, G::BOARD & !stones);
        let replies = threats::non_losing((stones + G::BOTTOM) & G::BOARD, squares);
        (outlook.threats[lane], outlook.replies[lane]) = (squares, replies);
        let bit = 1 << lane;
        if replies == 0 {
            outlook.won |= bit;
        } else if replies & (replies - 1) == 0 {
            outlook.forced |= bit;
        } else {
            outlook.quiet |= bit;
        }
    }
    outlook
}

/// The least bound on the score of a quiet child, from its mover's side, that claims prove, if it is at most `target`.
/// `EVEN` says whether the children have an even number of stones.
#[inline(always)]
pub fn at_most<G: Geometry, const EVEN: bool>(
    threats: Threats,
    claims: Claims,
    node: Parent,
    outlook: &Outlook,
    target: Score,
) -> Option<Score> {
    debug_assert!(node.stones.count_ones().is_multiple_of(2) != EVEN);
    if claims == Claims::None || -target > claims::most::<G>() {
        return None;
    }
    if threats == Threats::Children {
        return lanes::at_most::<G, EVEN>(claims, node, outlook, target);
    }
    let (mut quiet, mut best) = (outlook.quiet, None);
    while quiet != 0 {
        let lane = quiet.trailing_zeros() as usize & (LANES - 1);
        quiet &= quiet - 1;
        let bound = claims::at_most::<G>(claims, node.child::<G>(outlook, lane), target);
        best = match (best, bound) {
            (Some(best), Some(bound)) => Some(Score::min(best, bound)),
            _ => best.or(bound),
        };
        if best.is_some_and(|best| EVEN || best < 0) {
            break;
        }
    }
    best
}
