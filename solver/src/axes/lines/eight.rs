//! Eight: the children of a node in the lanes of a vector of any kind; of nine columns and more in two vectors.
//!
//! The formulas are those of the loop over moves in `children.rs`, with equal results.

use crate::axes::horizon::Race;
use crate::axes::lines::children::{Children, LANES, Lanes, Look, Outlook, Parent};
use crate::axes::lines::laned::Laned;
use crate::axes::lines::line;
use crate::axes::lines::sets::{Counted, Sets};
use crate::axes::order::{Weighed, Weighing};
use crate::axes::zugzwang::{self, Zugzwang};
use crate::game::board::playable;
use crate::game::room::{ByLane, Room};
use crate::game::score::Score;
use crate::game::{Geometry, Word};

pub trait Eight: Counted<Word: Laned> {
    /// A value that proves that the processor has these vectors.
    type Level: Copy;
    /// The vector that fills one register.
    type Register: Sets<Word = Self::Word>;
    /// The lanes of a register.
    const REGISTER_LANES: usize;
    /// True if few instructions weigh the squares of all sets of a register ([`Counted::weighed`]).
    const COUNTS: bool = false;

    fn new(level: Self::Level, words: [Self::Word; LANES]) -> Self;
    fn to_array(self) -> [Self::Word; LANES];
    /// Numbers, each in a lane.
    #[inline(always)]
    fn of_numbers(level: Self::Level, numbers: [i16; LANES]) -> Self {
        Self::new(level, numbers.map(|number| Self::Word::of(number as u128)))
    }
    /// The numbers of 31 bits in `lanes`, or the largest of 16 bits where one is larger; and 0 in other lanes.
    #[inline(always)]
    fn numbers(self, lanes: u32) -> [u16; LANES] {
        let words = self.to_array();
        let number = |lane: usize| u16::try_from(words[lane].low()).unwrap_or(u16::MAX);
        std::array::from_fn(|lane| if lanes >> lane & 1 == 0 { 0 } else { number(lane) })
    }
    /// The words of register `index`, counted from 0.
    fn register(level: Self::Level, words: &[Self::Word; LANES], index: usize) -> Self::Register;
}

/// For each lane, the number of columns nearer to the centre than its own.
const ASIDE: [u8; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

#[derive(Clone, Copy, Debug)]
pub struct InLanes<E: Eight>(pub E::Level);

/// The gaps in the lines of each board of a vector.
#[inline(always)]
pub fn gaps<G: Geometry, S: Sets>(g: G, boards: S) -> S {
    let [_, across, down, up] = g.directions();
    let across = line::gaps_on_top(boards) | line::gaps_by_halves(boards, across);
    across | (line::gaps_by_halves(boards, down) | line::gaps_by_halves(boards, up))
}

/// The lowest squares of all fours of each board of a vector.
#[inline(always)]
fn fours<G: Geometry, S: Sets>(g: G, stones: S) -> S {
    let [top, across, down, up] = g.directions();
    let (top, across) = (line::fours(stones, top), line::fours(stones, across));
    (top | across) | (line::fours(stones, down) | line::fours(stones, up))
}

#[inline(always)]
fn playable_after<G: Geometry, S: Sets<Word = G::Word>>(g: G, node: Parent<G::Word>, moves: S) -> S {
    (moves + moves.splat(playable(g, node.stones))) & moves.splat(g.board())
}

impl<E: Eight> InLanes<E> {
    #[inline(always)]
    fn look_at<G: Geometry<Word = E::Word>>(
        self,
        g: G,
        node: Parent<E::Word>,
        group: usize,
        outlook: &mut Outlook<E::Word, G::Room>,
    ) {
        let columns = E::new(self.0, *g.columns(group));
        let moves = columns & columns.splat(node.moves);
        let free = !moves & columns.splat(g.board() & !node.stones);
        let threats = gaps(g, columns.splat(node.mover) | moves) & free;
        let playable = playable_after(g, node, moves);
        // As in `threats::non_losing`: one threat must be taken, two cannot be taken, and no reply lies under a threat.
        let forced = threats & playable;
        let one_at_most = forced.but_lowest().where_empty();
        let replies = (forced | (forced.where_empty() & playable)) & !(threats >> 1) & one_at_most;
        let lanes = !moves.zeros() & 0xff;
        let won = replies.zeros() & lanes;
        let forced = replies.but_lowest().zeros() & lanes & !won;
        *outlook.threats.group_mut(group) = threats.to_array();
        *outlook.replies.group_mut(group) = replies.to_array();
        outlook.won |= won << (LANES * group);
        outlook.forced |= forced << (LANES * group);
        outlook.quiet |= (lanes & !won & !forced) << (LANES * group);
    }

    /// [`Look::at_most`] for the quiet children of one group.
    #[inline(always)]
    fn at_most_of<G: Geometry<Word = E::Word>, const LAST: bool>(
        self,
        of: Children<'_, G>,
        zugzwang: Zugzwang,
        target: Score,
        group: usize,
    ) -> Option<Score> {
        let Children { g, node, outlook } = of;
        let quiet = outlook.quiet >> (LANES * group) & 0xff;
        let child = |lane: usize| of.child(LANES * group + lane);
        let columns = E::new(self.0, *g.columns(group));
        let moves = columns & columns.splat(node.moves);
        let free = !moves & columns.splat(g.board() & !node.stones);
        let mover = columns.splat(node.stones & !node.mover);
        let playable = playable_after(g, node, moves);
        let threats = E::new(self.0, *outlook.threats.group(group));
        if !LAST && zugzwang >= Zugzwang::FollowUp {
            let win = Score::max(-target, 0);
            let claimed = free & columns.splat(g.rows_of_pairs(true)) & !playable;
            if win > 0 && zugzwang < Zugzwang::Distance {
                return None;
            }
            // A line of claimed squares alone is worth half of the height at most.
            if win > g.height() as Score / 2
                && (zugzwang < Zugzwang::Sums || (threats & claimed).zeros() & quiet == quiet)
            {
                return None;
            }
            let mut out_of_reach = claimed;
            if zugzwang >= Zugzwang::Blocked {
                out_of_reach = out_of_reach | zugzwang::upwards(g, threats & claimed);
            }
            let proven = fours(g, mover | (free & !out_of_reach)).zeros() & quiet;
            if win == 0 {
                return (proven != 0).then_some(0);
            }
            for lane in Lanes(proven) {
                if zugzwang::follow_up_wins(zugzwang, child(lane), win) {
                    return Some(-win);
                }
            }
            return None;
        }
        if LAST && zugzwang >= Zugzwang::OddThreat {
            let win = Score::max(-target, 1);
            let above = zugzwang::upwards(g, playable & columns.splat(g.rows_of_pairs(true)));
            let odd = threats & columns.splat(g.rows_of_pairs(false)) & above;
            let mut left = !(odd & columns.splat(g.rows_worth(win))).zeros() & quiet;
            if zugzwang >= Zugzwang::Sums {
                // With a blocked column beside it, a threat may be worth more.
                let blocking = threats & columns.splat(g.rows_of_pairs(true)) & !playable;
                left |= !(odd.zeros() | blocking.zeros()) & quiet;
            }
            for lane in Lanes(left) {
                if zugzwang::odd_threat_worth(zugzwang, child(lane), win).has_any() {
                    return Some(-win);
                }
            }
        }
        if target < 0 || node.stones.count_ones() + 1 < zugzwang::dead_lines_from(g) {
            return None;
        }
        (fours(g, mover | free).zeros() & quiet != 0).then_some(0)
    }
}

impl<E: Eight, G: Geometry<Word = E::Word>> Look<G> for InLanes<E> {
    #[inline(always)]
    fn look(self, g: G, node: Parent<G::Word>) -> Outlook<G::Word, G::Room> {
        let mut outlook = Outlook::none();
        for group in 0..G::Room::GROUPS {
            self.look_at(g, node, group, &mut outlook);
        }
        outlook
    }

    #[inline(always)]
    fn at_most<const LAST: bool>(self, of: Children<'_, G>, zugzwang: Zugzwang, target: Score) -> Option<Score> {
        let first = self.at_most_of::<G, LAST>(of, zugzwang, target, 0);
        if G::Room::GROUPS == 1 || first.is_some_and(|bound| bound < 0 || target < 0) {
            return first;
        }
        // A threat in the second group may be worth more than dead lines in the first.
        let second = self.at_most_of::<G, LAST>(of, zugzwang, target, 1);
        match (first, second) {
            (Some(first), Some(second)) => Some(first.min(second)),
            _ => first.or(second),
        }
    }

    #[inline(always)]
    fn ranks(self, of: Children<'_, G>, lanes: u32, by: Weighing<'_, G::Word>) -> Option<ByLane<u16, G::Room>> {
        if !E::COUNTS || G::Room::GROUPS > 1 {
            return None;
        }
        let Children { g, node, outlook } = of;
        let columns = E::new(self.0, *g.columns(0));
        let one_move = columns & columns.splat(node.moves);
        let playable = playable_after(g, node, one_move);
        let threats = E::new(self.0, *outlook.threats.group(0));
        let replies = E::new(self.0, *outlook.replies.group(0));
        let aside = E::new(self.0, ASIDE.map(|columns| E::Word::of(columns.into())));
        let square = |lane| by.square(node.in_lane(g, lane));
        // Written out, so that it stays in registers: a wide load would wait for narrow writes.
        let squares = [square(0), square(1), square(2), square(3), square(4), square(5), square(6), square(7)];
        let square = E::of_numbers(self.0, squares);
        let worth = by.worth(g, Weighed { one_move, threats, playable, replies, aside, square });
        let mut ranks = ByLane::filled(0);
        // As `children::rank`.
        *ranks.group_mut(0) = ((worth << 3) | (aside ^ aside.splat(E::Word::of(LANES as u128 - 1)))).numbers(lanes);
        Some(ranks)
    }

    #[inline(always)]
    fn any_too_late<const LEFT: u32>(self, of: Children<'_, G>, wins: G::Word) -> bool {
        let Children { g, node, outlook } = of;
        let odd = (g.board() & !node.stones).count_ones().is_multiple_of(2);
        let before = playable(g, node.stones);
        for register in 0..LANES * G::Room::GROUPS / E::REGISTER_LANES {
            let (group, part) = (register * E::REGISTER_LANES / LANES, register % (LANES / E::REGISTER_LANES));
            let quiet = outlook.quiet >> (E::REGISTER_LANES * register) & ((1 << E::REGISTER_LANES) - 1);
            if quiet != 0 {
                let columns = E::register(self.0, g.columns(group), part);
                let moves = columns & columns.splat(node.moves);
                let free = !moves & columns.splat(g.board() & !node.stones);
                let race = Race {
                    mover: columns.splat(node.stones & !node.mover),
                    free,
                    playable: playable_after(g, node, moves),
                    threats: E::register(self.0, outlook.threats.group(group), part),
                    wins: free & columns.splat(wins),
                    odd: [
                        odd_after(g, before, moves, 1),
                        odd_after(g, before, moves, 3),
                        odd_after(g, before, moves, 5),
                        odd_after(g, before, moves, 7),
                    ],
                };
                let lines = if odd { race.in_reach::<G, LEFT, true>(g) } else { race.in_reach::<G, LEFT, false>(g) };
                if lines.zeros() & quiet != 0 {
                    return true;
                }
            }
        }
        false
    }
}

/// All bits if the number of columns with `squares` empty squares is odd after the move, else none. `playable` are the
/// playable squares before the move. It changes that number in a column with `squares` or `squares + 1` empty squares.
#[inline(always)]
fn odd_after<G: Geometry, S: Sets<Word = G::Word>>(g: G, playable: G::Word, moves: S, squares: u32) -> S {
    let stays = (moves & moves.splat(g.row_with(squares) | g.row_with(squares + 1))).where_empty();
    if (playable & g.row_with(squares)).count_ones() % 2 == 1 { stays } else { !stays }
}
