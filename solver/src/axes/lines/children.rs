//! Children: what all moves of a node lead to, seen before any is searched.
//!
//! Each lane holds a column, from the centre out. So among equals the lowest lane is the best guess:
//!
//! ```text
//! lane       0 1 2 3 4 5 6 7
//! column     3 2 4 1 5 0 6 -        seven columns
//! ```
//!
//! For each move it finds the squares that then complete a four of the mover's. From these follow the opponent's
//! replies that do not lose at once. A move that leaves no such reply wins with the mover's next stone. A move that
//! leaves one reply forces it. The other moves are *quiet*.
//!
//! Lanes are the lanes of vectors ([`Threats::Children`], [`Threats::Dispatched`]), or the turns of a loop over the moves
//! (all other ways to find winning squares). All give the same answers ([`Look`]).

use crate::axes::horizon;
use crate::axes::level::Level;
use crate::axes::lines::lanes;
use crate::axes::lines::threats::{self, Threats};
use crate::axes::zugzwang::{self, Sides, Zugzwang};
use crate::game::board::playable;
use crate::game::score::Score;
use crate::game::{Board, Geometry};

/// Lanes of a vector, and the most columns that a node's children may have.
pub const LANES: usize = 8;

/// The lanes of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(pub u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize & (LANES - 1);
        let found = (self.0 != 0).then_some(lane);
        self.0 &= self.0.wrapping_sub(1);
        found
    }
}

/// What the moves of a node lead to, a column in each lane. Lanes without a move hold meaningless values.
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
    /// Lanes whose move leaves two replies or more.
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

    /// The board.
    pub(crate) fn board<G: Geometry>(self) -> Board<G> {
        Board::of_sides(self.mover, self.stones & !self.mover)
    }

    /// The child of a lane, as zugzwang bounds see it.
    #[inline(always)]
    pub(crate) fn child<G: Geometry>(self, outlook: &Outlook, lane: usize) -> Sides {
        let (mover, opponent) = (self.stones & !self.mover, self.mover | self.in_lane::<G>(lane));
        Sides { mover, opponent, threats: outlook.threats[lane] }
    }
}

/// The squares of the column in each lane. A ninth column has no lane: a search refuses such a board.
#[inline(always)]
pub const fn columns<G: Geometry>() -> [u64; LANES] {
    const {
        let (mut columns, mut lane) = ([0; LANES], 0);
        while lane < G::WIDTH as usize && lane < LANES {
            columns[lane] = ((1 << G::HEIGHT) - 1) << (G::CENTRE_FIRST[lane] as u32 * G::STRIDE);
            lane += 1;
        }
        columns
    }
}

/// A way to look at the children of a node. All ways find the same.
pub trait Look: Copy {
    /// Looks at all moves of a node.
    fn look<G: Geometry>(self, node: Parent) -> Outlook;

    /// The least bound on the score of a quiet child that sure squares prove, from the side of that child's mover, if it
    /// is at most `target`. `EVEN` says whether the children have an even number of stones.
    fn at_most<G: Geometry, const EVEN: bool>(
        self,
        zugzwang: Zugzwang,
        node: Parent,
        outlook: &Outlook,
        target: Score,
    ) -> Option<Score>;

    /// Whether the mover of some quiet child has no line within reach of so many stones ([`crate::axes::horizon`]), given
    /// the squares of the parent that complete a four of that mover's.
    fn any_too_late<G: Geometry, const LEFT: u32>(self, node: Parent, outlook: &Outlook, wins: u64) -> bool;

    /// What the children of some lanes are sorted by in [`Order::Sides`](crate::axes::Order::Sides), and 0 in all others, where that is
    /// cheaper than one after the other. `EVEN` says whether the node has an even number of stones.
    #[inline(always)]
    fn ranks<G: Geometry, const EVEN: bool>(
        self,
        _: Parent,
        _: &Outlook,
        _lanes: u32,
        _to_win: bool,
    ) -> Option<[u16; LANES]> {
        None
    }
}

/// What a child is sorted by, given what it is worth, which is below 2^13: among equals the nearest to the centre comes first.
#[inline(always)]
pub fn rank(worth: u32, lane: usize) -> u16 {
    (worth << 3) as u16 | ((LANES - 1) - lane) as u16
}

/// Looks at one child after the other.
#[derive(Clone, Copy, Debug)]
pub struct OneByOne(pub Threats);

impl Look for OneByOne {
    #[inline(always)]
    fn look<G: Geometry>(self, node: Parent) -> Outlook {
        let empty = [0; LANES];
        let mut outlook = Outlook { threats: empty, replies: empty, won: 0, forced: 0, quiet: 0 };
        for lane in 0..G::WIDTH as usize {
            let one_move = node.in_lane::<G>(lane);
            if one_move == 0 {
                continue;
            }
            let (mover, stones) = (node.mover | one_move, node.stones | one_move);
            let squares = threats::winning_squares::<G>(self.0, mover, G::BOARD & !stones);
            let replies = threats::non_losing(playable::<G>(stones), squares);
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

    #[inline(always)]
    fn at_most<G: Geometry, const EVEN: bool>(
        self,
        zugzwang: Zugzwang,
        node: Parent,
        outlook: &Outlook,
        target: Score,
    ) -> Option<Score> {
        let (mut best, last) = (None, const { zugzwang::plays_last::<G>(!EVEN as u32) });
        for lane in Lanes(outlook.quiet) {
            let bound = zugzwang::from_squares::<G>(zugzwang, node.child::<G>(outlook, lane), target);
            best = match (best, bound) {
                (Some(best), Some(bound)) => Some(Score::min(best, bound)),
                _ => best.or(bound),
            };
            if best.is_some_and(|best| !last || best < 0) {
                break;
            }
        }
        best
    }

    #[inline(always)]
    fn any_too_late<G: Geometry, const LEFT: u32>(self, node: Parent, outlook: &Outlook, wins: u64) -> bool {
        Lanes(outlook.quiet).any(|lane| horizon::is_too_late::<G, LEFT>(node.child::<G>(outlook, lane), wins))
    }
}

/// [`Look::look`] as `threats` says.
#[inline(always)]
pub fn look<G: Geometry, L: Level>(level: L, threats: Threats, node: Parent) -> Outlook {
    match threats {
        Threats::Dispatched => level.look().look::<G>(node),
        Threats::Children => lanes::look().look::<G>(node),
        scalar => OneByOne(scalar).look::<G>(node),
    }
}

/// [`Look::ranks`] as `threats` says.
#[inline(always)]
pub fn ranks<G: Geometry, L: Level, const EVEN: bool>(
    level: L,
    threats: Threats,
    node: Parent,
    outlook: &Outlook,
    lanes: u32,
    to_win: bool,
) -> Option<[u16; LANES]> {
    match threats {
        Threats::Dispatched => level.look().ranks::<G, EVEN>(node, outlook, lanes, to_win),
        _ => None,
    }
}

/// [`Look::at_most`] as `threats` says.
#[inline(always)]
pub fn at_most<G: Geometry, L: Level, const EVEN: bool>(
    level: L,
    threats: Threats,
    zugzwang: Zugzwang,
    node: Parent,
    outlook: &Outlook,
    target: Score,
) -> Option<Score> {
    debug_assert!(node.stones.count_ones().is_multiple_of(2) != EVEN);
    if zugzwang == Zugzwang::None || -target > zugzwang::most::<G>() {
        return None;
    }
    match threats {
        Threats::Dispatched => level.look().at_most::<G, EVEN>(zugzwang, node, outlook, target),
        Threats::Children => lanes::look().at_most::<G, EVEN>(zugzwang, node, outlook, target),
        scalar => OneByOne(scalar).at_most::<G, EVEN>(zugzwang, node, outlook, target),
    }
}

/// [`Look::any_too_late`] as `threats` says.
#[inline(always)]
pub fn any_too_late<G: Geometry, L: Level, const LEFT: u32>(
    level: L,
    threats: Threats,
    node: Parent,
    outlook: &Outlook,
    wins: u64,
) -> bool {
    match threats {
        Threats::Dispatched => level.look().any_too_late::<G, LEFT>(node, outlook, wins),
        Threats::Children => lanes::look().any_too_late::<G, LEFT>(node, outlook, wins),
        scalar => OneByOne(scalar).any_too_late::<G, LEFT>(node, outlook, wins),
    }
}

#[cfg(test)]
mod tests;
