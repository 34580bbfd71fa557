//! Order: the move order of a node.

use crate::axes::Threats;
use crate::axes::board::storage::SearchBoard;
use crate::axes::history::{self, Squares};
use crate::axes::lines::sets::Counted;
use crate::axes::processor::first_largest;
use crate::axes::zugzwang::plays_last;
use crate::game::room::{ByLane, GROUP, Room};
use crate::game::score::Score;
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

axis! {
    /// In which order a node's moves are searched.
    pub enum Order = "order" {
        /// columns from left to right
        LeftToRight = "left-to-right",
        /// columns from the centre out (Pons, part 5)
        Centre = "centre",
        /// most winning squares created first, ties from the centre out (Pons, part 10)
        Threats = "threats",
        /// winning squares created by where they lie: above a playable square, two on top of each other, in rows of the mover's parity; weights were fitted
        Weighted = "weighted",
        /// as weighted; among equals first what ended most nodes, by square and side (history heuristic; Schaeffer)
        History = "history",
        /// as weighted; among equals first what ended the last node with as many stones (killer heuristic; Akl and Newborn)
        Killers = "killers",
        /// as weighted; with few stones, lines that are still open and the centre count too
        Lines = "lines",
        /// as lines; with few stones, also how many replies to a move the table answers already
        Replies = "replies",
        /// as replies; each side has weights of its own, to win and to hold
        Sides = "sides",
        /// as sides; squares have accounts too: what is searched in vain before a cutoff loses, the more nodes it took, and what brings the cutoff gains
        Learned = "learned",
        /// by an account of each square and side, begun by how many lines lie through it: what ends a node after others gains what they lose (Fhourstones)
        Squares = "squares",
    }
}

/// The weights of winning squares in `order=weighted`: above a playable square, on top of each other, anywhere, in rows
/// of the mover's parity, and playable. They were fitted.
const WEIGHTS: [u32; 5] = [7, 3, 1, 1, 6];

/// The weights of [`WEIGHTS`], then of each reply of the opponent's that does not lose at once. The first index is 0 if
/// the mover tries to win, 1 if it tries to draw or to lose late. The second index is 1 if the mover is the last player
/// (on the standard board the second player).
type BySide = [[[i32; 6]; 2]; 2];

/// The weights of [`Order::Sides`]. To win, squares on top of each other count most after those above a playable square;
/// to hold out they count negatively. Fitted to the nodes of whole searches of 1500 positions like those of
/// middle-medium and 30 like those of begin-medium, drawn from another seed than any set.
const SIDES: BySide =
    [[[22, 14, 5, -4, 8, -3], [24, 19, 2, 7, 12, -2]], [[12, -4, 7, 0, 10, -1], [12, -2, 3, 2, 10, -2]]];
/// In [`Order::Sides`], the weight of each column that is nearer to the centre.
const NEARER: [[i32; 2]; 2] = [[0, 0], [3, 2]];

/// The weights of [`Order::Learned`], in quarters. Fitted together with what squares are worth at first
/// ([`crate::axes::history::Accounts`]), by a separable evolution strategy (T. Schaul and others, SNES) to the logarithm
/// of the nodes of whole searches: 3,479 positions like those of middle-medium and 190 like those of begin-medium, drawn
/// from other seeds than any set.
const LEARNED: BySide =
    [[[92, 56, 24, -23, 42, -12], [95, 68, 13, 27, 47, -4]], [[54, -15, 25, 5, 48, -7], [59, -13, 12, 1, 45, -12]]];
/// In [`Order::Learned`], the weight of a stone on top of the last one.
const ON_TOP: [[i32; 2]; 2] = [[6, 6], [0, 7]];

/// The worth of a child in `order=weighted`, below 2^13. After the move, `squares` complete a four of the mover's, and
/// `playable` are playable. `plays_last` is true if the mover is the last player, who gains by the upper rows of pairs
/// ([`crate::axes::zugzwang`]): on the standard board the second player, by even rows.
#[inline(always)]
fn weigh<G: Geometry>(g: G, [squares, playable]: [G::Word; 2], plays_last: bool) -> u32 {
    let sets = [
        squares & (playable << 1),
        squares & (squares << 1),
        squares,
        squares & g.rows_of_pairs(plays_last),
        squares & playable,
    ];
    let mut worth = 0;
    for (set, weight) in sets.into_iter().zip(WEIGHTS) {
        worth += set.count_ones() * weight;
    }
    worth
}

/// How `order=sides` and `order=learned` weigh the children of a node.
#[derive(Clone, Copy, Debug)]
pub struct Weighing<'a, W> {
    pub order: Order,
    pub plays_last: bool,
    /// True if the mover tries to win.
    pub to_win: bool,
    /// What each square is worth in `order=learned`.
    pub squares: &'a Squares,
    /// The move that led to the node, if it is known.
    pub last_move: W,
}

/// A child as these orders see it: in one word, or in each lane of a vector.
#[derive(Clone, Copy, Debug)]
pub struct Weighed<S> {
    pub one_move: S,
    /// Squares that complete a four of the mover's after the move.
    pub threats: S,
    /// Squares that are playable after the move.
    pub playable: S,
    /// The opponent's moves that do not lose at once.
    pub replies: S,
    /// The number of columns nearer to the centre.
    pub aside: S,
    /// What the square of the move is worth ([`Weighing::squares`]).
    pub square: S,
}

impl<W: Word> Weighing<'_, W> {
    #[inline(always)]
    pub fn square(self, one_move: W) -> i16 {
        if self.order == Order::Learned { self.squares[history::index(one_move)] } else { 0 }
    }

    /// The worth of a child, above 0.
    ///
    /// In `order=learned` the sum is above 0 because a square of `threats` never takes away more than 1, replies never
    /// more than 12 each, and the worth of the square of the move is above all of that ([`Accounts`]).
    ///
    /// [`Accounts`]: crate::axes::history::Accounts
    #[inline(always)]
    pub fn worth<G: Geometry<Word = W>, S: Counted<Word = W>>(self, g: G, child: Weighed<S>) -> S {
        let Weighed { one_move, threats, playable, replies, aside, square } = child;
        let [asks, side] = [!self.to_win, self.plays_last].map(usize::from);
        let is_learned = self.order == Order::Learned;
        let [above, stacked, any, parity, forcing, more] = if is_learned { LEARNED } else { SIDES }[asks][side];
        let of_threats = S::weighed([
            (threats & (playable << 1), above),
            (threats & playable, forcing),
            (threats & (threats << 1), stacked),
            (threats, any),
            (threats & threats.splat(g.rows_of_pairs(self.plays_last)), parity),
            (replies, more),
        ]);
        let of_square = if is_learned {
            let is_elsewhere = (one_move & one_move.splat(self.last_move << 1)).where_empty();
            square.plus(!is_elsewhere & square.splat(W::of(ON_TOP[asks][side] as u128)))
        } else {
            // 256 is more than the replies and columns of any board take away.
            square.splat(W::of(256)).plus(aside.times(-NEARER[asks][side]))
        };
        of_threats.plus(of_square)
    }
}

/// The worth of a child: its `squares` and `playable` as in `weigh`. 0 for an order that does not use children.
#[inline(always)]
pub fn worth<G: Geometry>(g: G, order: Order, child: [G::Word; 2], plays_last: bool) -> u32 {
    match order {
        Order::LeftToRight | Order::Centre | Order::Squares => 0,
        Order::Threats => child[0].count_ones(),
        _ => weigh(g, child, plays_last),
    }
}

/// The largest of `numbers`, and the first lane that holds it.
#[inline(always)]
pub fn largest<R: Room>(numbers: &ByLane<u16, R>) -> (u16, usize) {
    let (largest, place) = first_largest(numbers.group(0));
    if R::GROUPS > 1 {
        let (other, other_place) = first_largest(numbers.group(1));
        if other > largest {
            return (other, GROUP + other_place);
        }
    }
    (largest, place)
}

/// The orders `lines`, `replies` and `sides` look closer at moves only if a score at the bound leaves this many of the
/// mover's stones to play. With fewer, the search is too short to pay for the look.
pub const LEAST_AHEAD: Score = 7;
/// They look closer only at nodes with this many stones or fewer.
pub const MOST_STONES: u32 = 22;
/// They look replies up only at nodes with this many stones or fewer.
pub const MOST_STONES_OF_REPLIES: u32 = 20;

/// The part of what was learned that counts in `order=learned` at a node with `ply` stones where it looks closer, in
/// 128ths of what it counts elsewhere, in eighths: a quarter of it, less with fewer stones, and nothing with 12 stones
/// of 42. What is learned deep in a large tree says little of its root.
pub fn learned_part<G: Geometry>(g: G, ply: u32) -> i32 {
    (ply as i32 - g.cells() as i32 * 2 / 7).clamp(0, 4)
}

/// The worth of a move at a node with few stones, in eighths. `worth` is that of [`worth`]. `lines` counts the lines of
/// four through the square of the move that hold no stone of the opponent's and one or two of the mover's
/// ([`open_lines`]). `half_columns` is the distance from the centre. The table answers `answered` of `replies` replies.
pub fn worth_with_few_stones(worth: u32, lines: u32, half_columns: u32, (answered, replies): (u32, u32)) -> u32 {
    const LINE: u32 = 2;
    const ASIDE: u32 = 2;
    const REPLIES: u32 = 20;
    // No board has more columns than this.
    const WIDEST: u32 = 16;
    8 * (worth + LINE * lines + ASIDE * WIDEST) - 4 * ASIDE * half_columns + 8 * REPLIES * answered / replies.max(1)
}

/// The lines of four without a stone of the opponent's and with one or two of the side's own, each by its lowest square,
/// in a set for each direction.
///
/// ```text
/// . . . . . . .
/// . o . . . . .      of the three lines of the second row that hold no o, those that begin in the third and the fourth
/// . . . x . . .      column do not hold x, which lies below; all four lines of the first row hold x
/// ```
#[inline(always)]
pub fn open_lines<G: Geometry>(g: G, own: G::Word, opponent: G::Word) -> [G::Word; 4] {
    let free = g.board() & !opponent;
    g.directions().map(|step| {
        let open = free & free >> step;
        // Of squares 1 and 2 of a line, one or both are own. Likewise squares 3 and 4.
        let [some, both] = [own | own >> step, own & own >> step];
        let [some_above, both_above] = [some, both].map(|set| set >> (2 * step));
        open & open >> (2 * step) & (some | some_above) & !(both & some_above | some & both_above)
    })
}

/// The number of `lines`, as [`open_lines`] gives them, through `square`.
#[inline(always)]
pub fn lines_through<G: Geometry>(g: G, lines: [G::Word; 4], square: G::Word) -> u32 {
    let mut through = 0;
    for (lines, step) in lines.into_iter().zip(g.directions()) {
        let pair = square | square >> step;
        through += (lines & (pair | pair >> (2 * step))).count_ones();
    }
    through
}

impl Order {
    /// True if the order uses the moves that ended other nodes ([`crate::axes::history`]).
    #[inline(always)]
    pub fn remembers(self) -> bool {
        matches!(self, Order::History | Order::Killers)
    }

    #[inline(always)]
    pub fn looks_closer(self) -> bool {
        matches!(self, Order::Lines | Order::Replies | Order::Sides | Order::Learned)
    }

    #[inline(always)]
    pub const fn looks_replies_up(self) -> bool {
        matches!(self, Order::Replies | Order::Sides | Order::Learned)
    }

    /// True if each side has weights of its own ([`Weighing`]).
    #[inline(always)]
    pub fn weighs_for_sides(self) -> bool {
        matches!(self, Order::Sides | Order::Learned)
    }

    /// True if the order uses the children of moves.
    #[inline(always)]
    pub fn sorts(self) -> bool {
        !matches!(self, Order::LeftToRight | Order::Centre | Order::Squares)
    }

    /// True if no move follows a turn without a move.
    #[inline(always)]
    pub fn ends_at_a_gap(self) -> bool {
        self.sorts() || self == Order::Squares
    }
}

/// The moves of a node, taken one by one in order.
///
/// Moves are found and not sorted, since most nodes end at their first move. The next move is the largest of the
/// numbers of all columns. A number is 0 where there is no move; otherwise it has two parts:
///
/// ```text
/// threats created | centrality: higher is nearer the centre
///             8 bits                                  8 bits
/// ```
pub struct Queue<W: Word, R: Room> {
    moves: W,
    worth: ByLane<u16, R>,
}

impl<W: Word, R: Room> Queue<W, R> {
    /// A queue of `moves`, a set with one bit a column. [`weigh`](Self::weigh) writes its numbers in place: a copy made
    /// after that would wait for all of the writes.
    #[inline(always)]
    pub fn new(moves: W) -> Self {
        Queue { moves, worth: ByLane::filled(0) }
    }

    /// Writes the numbers, if the order uses the children of moves.
    #[inline(always)]
    pub fn weigh<B: SearchBoard<Geometry: Geometry<Word = W, Room = R>>>(
        &mut self,
        order: Order,
        threats: Threats,
        board: &B,
    ) {
        if !order.sorts() || !self.moves.has_several() {
            return;
        }
        let g = board.geometry();
        if order == Order::Threats {
            board.each_after(threats, self.moves, |column, count| {
                self.worth[column as usize] = (count << 8 | centrality(g, column)) as u16;
            });
            return;
        }
        let plays_last = plays_last(g, board.ply());
        let (playable, moves) = (board.board().playable(), self.moves);
        board.each_square_after(threats, moves, |column, squares| {
            let one_move = moves & g.column(column);
            let playable = (playable + one_move) & g.board();
            let worth = worth(g, order, [squares, playable], plays_last);
            self.worth[column as usize] = (worth.min(255) << 8 | centrality(g, column)) as u16;
        });
    }

    /// Takes the move of turn 0, 1 and so on, up to the last column; 0 if this turn has no move.
    #[inline(always)]
    pub fn take<G: Geometry<Word = W, Room = R>>(&mut self, g: G, order: Order, turn: u32) -> W {
        let column = match order {
            Order::LeftToRight => turn,
            Order::Centre => u32::from(g.centre_first()[turn as usize]),
            _ => return self.take_best(g),
        };
        self.moves & g.column(column)
    }

    /// The moves that [`take_by`](Self::take_by) has not taken.
    #[inline(always)]
    pub fn left(&self) -> W {
        self.moves
    }

    /// Takes the move with the largest `worth`, the leftmost of equals; 0 if none is left.
    #[inline(always)]
    pub fn take_by(&mut self, worth: impl Fn(W) -> i32) -> W {
        let (mut best, mut most) = (W::NONE, i32::MIN);
        for one_move in EachSquare(self.moves) {
            let worth = worth(one_move);
            if worth > most {
                (best, most) = (one_move, worth);
            }
        }
        self.moves ^= best;
        best
    }

    #[inline(always)]
    fn take_best<G: Geometry<Word = W, Room = R>>(&mut self, g: G) -> W {
        if !self.moves.has_several() {
            return std::mem::take(&mut self.moves);
        }
        let (_, column) = largest(&self.worth);
        self.worth[column] = 0;
        let one_move = self.moves & g.column(column as u32);
        self.moves ^= one_move;
        one_move
    }
}

/// The low byte of a number: 15 for the column nearest to the centre, then 14, and so on.
#[inline(always)]
fn centrality<G: Geometry>(g: G, column: u32) -> u32 {
    u32::from(g.centrality()[column as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::history::Accounts;
    use crate::axes::lines::line::definition::every;
    use crate::game::any_board::{Broad, LongBroad, LongNarrow, MOST_ROWS, Narrow};
    use crate::game::{Board, BoardSize, Position, Standard};

    /// ```text
    /// . . b . . . .      all columns are empty: the first row is playable
    /// . . . . . . .      a  in the first row, an odd one: the first player's
    /// . . . . . . d      b  in the sixth, above nothing
    /// . . . . . . d      c  in the second, an even one, above a playable square: the second player's
    /// . c . . . . .      d  in the third and the fourth, one on top of the other
    /// . a . a . . .
    /// ```
    #[test]
    fn squares_are_worth_what_the_weights_say() {
        let [playable, stacked, anywhere, parity, forcing] = WEIGHTS;
        let bit = |column: u32, row: u32| 1u64 << (column * 7 + row - 1);
        let worth = |squares: u64| {
            [false, true].map(|plays_last| weigh(Standard::NEW, [squares, Standard::BOTTOM], plays_last))
        };
        assert_eq!(worth(0), [0, 0]);
        assert_eq!(worth(bit(1, 1) | bit(3, 1)), [2 * (anywhere + parity + forcing), 2 * (anywhere + forcing)]);
        assert_eq!(worth(bit(1, 2)), [playable + anywhere, playable + anywhere + parity]);
        assert_eq!(worth(bit(6, 3) | bit(6, 4)), [stacked + 2 * anywhere + parity; 2]);
        assert_eq!(worth(bit(2, 6) | bit(3, 1)), [2 * anywhere + parity + forcing; 2], "no column goes on in the next");
        assert!(worth(Standard::BOARD).iter().all(|&worth| worth < 1 << 12), "as a rank has room for");
    }

    #[test]
    fn open_lines_are_those_that_a_walk_over_the_board_finds() {
        for moves in ["", "4", "44", "3444", "12345671", "4444443", "777777", "44352671", "112233544556"] {
            let board: Board = Position::parse(moves).unwrap().board(Standard::NEW);
            let [own, other] = [board.mover(), board.opponent()];
            let lines = open_lines(Standard::NEW, own, other);
            let is_open = |line: &u64| line & other == 0 && matches!((line & own).count_ones(), 1 | 2);
            let open: Vec<u64> = every(Standard::NEW).into_iter().filter(is_open).collect();
            for square in EachSquare(board.empty()) {
                let through = open.iter().filter(|&line| line & square != 0).count();
                assert_eq!(lines_through(Standard::NEW, lines, square) as usize, through, "{moves} {square:#x}");
            }
        }
    }

    #[test]
    fn what_a_move_is_worth_to_a_side_fits_a_rank() {
        let boards = [0, Standard::BOARD, Standard::BOTTOM, Standard::BOARD ^ Standard::BOTTOM];
        let rows = [0, Standard::BOTTOM, Standard::BOTTOM << 1];
        let (least, most) = ends(Standard::NEW);
        for (threats, playable) in boards.into_iter().flat_map(|board| rows.map(|row| (board, row))) {
            for (plays_last, to_win) in [(false, false), (false, true), (true, false), (true, true)] {
                for (replies, aside, square) in [(0, 0, most), (0, 7, least), (Standard::BOTTOM, 7, least)] {
                    let child = Weighed { one_move: 2, threats, playable, replies, aside, square: square as u64 };
                    for order in [Order::Sides, Order::Learned] {
                        let by = Weighing { order, plays_last, to_win, squares: &[0; 128], last_move: 1 };
                        let worth = by.worth(Standard::NEW, child);
                        assert!(
                            0 < worth && worth < 1 << 13,
                            "{worth} of {child:x?} by {order:?}, {plays_last}, {to_win}"
                        );
                    }
                }
            }
        }
    }

    /// The least and the most that an account can hold.
    fn ends<G: Geometry>(g: G) -> (i32, i32) {
        let mut worth = Vec::new();
        for mover in 0..4 {
            for one_move in EachSquare(g.board()) {
                let (mut accounts, others) = (Accounts::of(g), EachSquare(g.board() & !one_move));
                // A search of 2^63 nodes.
                (0..3).for_each(|_| accounts.cut(mover, one_move, others.map(|other| (other, 63))));
                worth.extend(
                    EachSquare(g.board()).map(|square| i32::from(accounts.squares(mover)[history::index(square)])),
                );
            }
        }
        (worth.iter().copied().min().unwrap(), worth.iter().copied().max().unwrap())
    }

    #[test]
    fn what_a_move_is_worth_in_the_learned_order_is_above_0_on_every_board() {
        let mut boards = 0;
        for (width, height) in (4..=12).flat_map(|width| (4..=MOST_ROWS).map(move |height| (width, height))) {
            let Ok(size) = BoardSize::new(width, height) else { continue };
            let narrow = Narrow::of(size).map(ends).or_else(|| LongNarrow::of(size).map(ends));
            let broad = || Broad::of(size).map(ends).or_else(|| LongBroad::of(size).map(ends));
            let (least, _) = narrow.or_else(broad).expect("a board of some type");
            for [above, stacked, any, parity, forcing, replies] in LEARNED.concat() {
                assert!(above > 0 && forcing > 0 && replies < 0);
                let threats = (any + stacked.min(0) + parity.min(0)).min(0) * size.cells() as i32;
                let worth = least + threats + replies * width as i32;
                assert!(worth > 0, "{size}: {worth}");
            }
            boards += 1;
        }
        assert!(boards > 100, "{boards}");
    }
}
