//! Children: the boards after all moves of a node, examined before any is searched.
//!
//! Each lane holds a column, from the centre out. So among equal ranks the lowest lane is searched first. Boards of
//! nine columns and more have two groups of eight lanes ([`crate::game::room`]):
//!
//! ```text
//! lane       0 1 2 3 4 5 6 7     8 9 10 11 12 13 14 15
//! column     3 2 4 1 5 0 6 -                              seven columns
//! column     5 4 6 3 7 2 8 1     9 0 -  -  -  -  -  -     ten columns
//! ```
//!
//! For each move it finds the squares that then complete a four of the mover's, and from these the opponent's replies
//! that do not lose at once. A move that leaves no such reply wins with the mover's next stone. A move that leaves one
//! reply forces it. The other moves are *quiet*.
//!
//! Lanes are the lanes of vectors ([`Threats::Children`], [`Threats::Dispatched`]), or the turns of a loop over the
//! moves (all other values of [`Threats`]). All give equal results ([`Look`]).

use crate::axes::horizon;
use crate::axes::level::Level;
use crate::axes::lines::laned::Laned;
use crate::axes::lines::lanes;
use crate::axes::lines::sets::Counted;
use crate::axes::lines::threats::{self, Threats};
use crate::axes::order::{Weighed, Weighing};
use crate::axes::zugzwang::{self, Sides, Zugzwang};
use crate::game::board::playable;
use crate::game::room::{ByLane, GROUP, Room};
use crate::game::score::Score;
use crate::game::{Geometry, Word};

pub const LANES: usize = GROUP;

/// The most lanes that the children of a node take.
pub const MOST_LANES: usize = 2 * GROUP;

#[derive(Clone, Copy, Debug)]
pub struct Lanes(pub u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize & (MOST_LANES - 1);
        let found = (self.0 != 0).then_some(lane);
        self.0 &= self.0.wrapping_sub(1);
        found
    }
}

/// The threats and replies after the moves of a node, one column in each lane; meaningless in lanes without a move.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<W: Word, R: Room> {
    /// Empty squares that complete a four of the mover's after the move.
    pub threats: ByLane<W, R>,
    /// The opponent's replies that do not lose at once.
    pub replies: ByLane<W, R>,
    /// Lanes whose move leaves no reply.
    pub won: u32,
    /// Lanes whose move leaves one reply.
    pub forced: u32,
    /// Lanes whose move leaves two replies or more.
    pub quiet: u32,
}

impl<W: Word, R: Room> Outlook<W, R> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        let none = ByLane::filled(W::NONE);
        Outlook { threats: none, replies: none, won: 0, forced: 0, quiet: 0 }
    }
}

/// A node: the mover's stones, all stones, and the moves to examine, one bit a column.
#[derive(Clone, Copy, Debug)]
pub struct Parent<W> {
    pub mover: W,
    /// All stones; at least two squares are empty.
    pub stones: W,
    /// Playable squares: all or some of them.
    pub moves: W,
}

impl<W: Word> Parent<W> {
    /// The move of `lane`, or 0.
    #[inline(always)]
    pub fn in_lane<G: Geometry<Word = W>>(self, g: G, lane: usize) -> W {
        let group = (lane / LANES) & (G::Room::GROUPS - 1);
        self.moves & g.columns(group)[lane % LANES]
    }
}

/// A node, and what a look at its children found.
#[derive(Clone, Copy, Debug)]
pub struct Children<'o, G: Geometry> {
    pub g: G,
    pub node: Parent<G::Word>,
    pub outlook: &'o Outlook<G::Word, G::Room>,
}

impl<G: Geometry> Children<'_, G> {
    /// The child of `lane`, in the form of zugzwang bounds.
    #[inline(always)]
    pub(crate) fn child(self, lane: usize) -> Sides<G> {
        let Children { g, node, outlook } = self;
        let (mover, opponent) = (node.stones & !node.mover, node.mover | node.in_lane(g, lane));
        Sides { g, mover, opponent, threats: outlook.threats[lane] }
    }

    /// The rank of the child of `lane`. [`Look::ranks`] gives the same of many.
    #[inline(always)]
    pub(crate) fn rank(self, lane: usize, by: Weighing<'_, G::Word>) -> u16
    where
        G::Word: Counted<Word = G::Word>,
    {
        let Children { g, node, outlook } = self;
        let one_move = node.in_lane(g, lane);
        let worth = by.worth(
            g,
            Weighed {
                one_move,
                threats: outlook.threats[lane],
                playable: playable(g, node.stones | one_move),
                replies: outlook.replies[lane],
                aside: G::Word::of(lane as u128),
                square: G::Word::of(by.square(one_move) as u128),
            },
        );
        rank::<G::Room>(worth.low() as u32, lane)
    }
}

/// A way to examine the children of a node. All ways give equal results.
pub trait Look<G: Geometry>: Copy {
    fn look(self, g: G, node: Parent<G::Word>) -> Outlook<G::Word, G::Room>;

    /// The least bound that zugzwang proves on the score of a quiet child, from the side of the child's mover, if it is
    /// at most `target`. `LAST` is true if that mover plays the last stone of a full board.
    fn at_most<const LAST: bool>(self, of: Children<'_, G>, zugzwang: Zugzwang, target: Score) -> Option<Score>;

    /// True if the mover of some quiet child has no line within reach of `LEFT` stones ([`crate::axes::horizon`]).
    /// `wins` are the squares of the parent that complete a four of that mover's.
    fn any_too_late<const LEFT: u32>(self, of: Children<'_, G>, wins: G::Word) -> bool;

    /// The ranks of the children in `lanes`, and 0 in other lanes. `None` if a loop is cheaper.
    #[inline(always)]
    fn ranks(self, _: Children<'_, G>, _lanes: u32, _by: Weighing<'_, G::Word>) -> Option<ByLane<u16, G::Room>> {
        None
    }
}

/// The rank of a child of `worth`, which is above 0. Among equals the child nearest to the centre comes first. A rank has
/// 13 bits for the worth, with sixteen lanes 12: among children that are worth more, too, that child comes first.
#[inline(always)]
pub fn rank<R: Room>(worth: u32, lane: usize) -> u16 {
    (worth << R::LANES.ilog2() | ((R::LANES - 1) - lane) as u32).min(u16::MAX.into()) as u16
}

#[derive(Clone, Copy, Debug)]
pub struct OneByOne(pub Threats);

impl<G: Geometry<Word: Laned>> Look<G> for OneByOne {
    #[inline(always)]
    fn look(self, g: G, node: Parent<G::Word>) -> Outlook<G::Word, G::Room> {
        let mut outlook = Outlook::none();
        for lane in 0..g.width() as usize {
            let one_move = node.in_lane(g, lane);
            if one_move.is_empty() {
                continue;
            }
            let (mover, stones) = (node.mover | one_move, node.stones | one_move);
            let squares = threats::winning_squares(g, self.0, mover, g.board() & !stones);
            let replies = threats::non_losing(playable(g, stones), squares);
            (outlook.threats[lane], outlook.replies[lane]) = (squares, replies);
            let bit = 1 << lane;
            if replies.is_empty() {
                outlook.won |= bit;
            } else if !replies.has_several() {
                outlook.forced |= bit;
            } else {
                outlook.quiet |= bit;
            }
        }
        outlook
    }

    #[inline(always)]
    fn at_most<const LAST: bool>(self, of: Children<'_, G>, zugzwang: Zugzwang, target: Score) -> Option<Score> {
        let (mut best, last) = (None, LAST);
        for lane in Lanes(of.outlook.quiet) {
            let bound = zugzwang::from_squares(zugzwang, of.child(lane), target);
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
    fn any_too_late<const LEFT: u32>(self, of: Children<'_, G>, wins: G::Word) -> bool {
        Lanes(of.outlook.quiet).any(|lane| horizon::is_too_late::<G, LEFT>(of.child(lane), wins))
    }
}

/// The way of a choice: the form of its threats, compiled for a level.
#[derive(Clone, Copy, Debug)]
pub struct Form<L> {
    pub level: L,
    pub threats: Threats,
}

impl<G: Geometry<Word: Laned>, L: Level> Look<G> for Form<L> {
    #[inline(always)]
    fn look(self, g: G, node: Parent<G::Word>) -> Outlook<G::Word, G::Room> {
        match self.threats {
            Threats::Dispatched => self.level.look::<G>().look(g, node),
            Threats::Children => lanes::look::<G::Word>().look(g, node),
            scalar => OneByOne(scalar).look(g, node),
        }
    }

    #[inline(always)]
    fn at_most<const LAST: bool>(self, of: Children<'_, G>, zugzwang: Zugzwang, target: Score) -> Option<Score> {
        debug_assert!(zugzwang::plays_last(of.g, of.node.stones.count_ones() + 1) == LAST);
        if zugzwang == Zugzwang::None || -target > zugzwang::most(of.g) {
            return None;
        }
        match self.threats {
            Threats::Dispatched => self.level.look::<G>().at_most::<LAST>(of, zugzwang, target),
            Threats::Children => lanes::look::<G::Word>().at_most::<LAST>(of, zugzwang, target),
            scalar => OneByOne(scalar).at_most::<LAST>(of, zugzwang, target),
        }
    }

    #[inline(always)]
    fn any_too_late<const LEFT: u32>(self, of: Children<'_, G>, wins: G::Word) -> bool {
        match self.threats {
            Threats::Dispatched => self.level.look::<G>().any_too_late::<LEFT>(of, wins),
            Threats::Children => lanes::look::<G::Word>().any_too_late::<LEFT>(of, wins),
            scalar => OneByOne(scalar).any_too_late::<LEFT>(of, wins),
        }
    }

    #[inline(always)]
    fn ranks(self, of: Children<'_, G>, lanes: u32, by: Weighing<'_, G::Word>) -> Option<ByLane<u16, G::Room>> {
        match self.threats {
            Threats::Dispatched => self.level.look::<G>().ranks(of, lanes, by),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
