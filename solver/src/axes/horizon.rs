//! Horizon: a win that needs more stones than the mover has left comes too late.
//!
//! A score above `t` is a win with one of the mover's next few stones. Their number follows from `t` and the stones on
//! the board. Zugzwang shows which squares the opponent can keep for itself ([`crate::axes::zugzwang`]). Here the
//! opponent answers by the rules of zugzwang, and the mover's stones are counted for each square that it gets.
//!
//! **Answers above.** The opponent answers every stone by the one above it. Number the empty squares of a column from
//! below. Then the mover gets the first, the third, the fifth, and needs one, two, three stones of its own for them:
//!
//! ```text
//! row 6   .  2  .  .      1, 2, 3   what a square costs: the mover's stones in its column, up to it
//! row 5   3  .  3  2      .         the opponent's
//! row 4   .  1  .  .
//! row 3   2  o  2  1      The second column has an odd number of empty squares: it runs out
//! row 2   .  x  .  x      with the mover's second stone. In all others the last answer is the
//! row 1   1  o  1  o      opponent's.
//! ```
//!
//! The mover does not get past a square where the answer completes a four.
//!
//! **Columns that run out.** A column with an odd number of empty squares, 2k - 1, is filled by the mover's k-th stone
//! in it. No square above is left to answer in. These columns form pairs. The opponent answers with the lowest empty
//! square of the other column of the pair, which then has an even number left. From there on the mover gets the second,
//! the fourth, the sixth square of that column. Such a square costs the k stones of the column that ran out, and one,
//! two, three of its own. The columns are sorted, longest first, and neighbours are paired.
//!
//! **The odd one.** If the number of columns that run out is odd, the longest has no pair. When it runs out, the
//! opponent plays the lowest empty square of a column with an even number of them. In that column the mover then gets
//! the second, the fourth, the sixth. When that column runs out as well, the opponent opens another one in the same
//! way. When the third runs out, nothing is proven.
//!
//! ```text
//! row 6   1  x  4  3      One stone fills the first column. The opponent opens the fourth. Its squares cost the
//! row 5   x  o  .  .      stone in the first column, too. With three stones both are full, and the opponent
//! row 4   o  x  o  2      opens the third.
//! row 3   x  o  x  .
//! ```
//!
//! A column in which an answer completes a four never runs out: the mover would lose first.
//!
//! **Lines.** A line with one empty square is out of reach if that square costs more stones than are left. A line with
//! several is out of reach if one of them costs all stones left or more: the others cost at least one. There is one
//! exception. The cost of a square gained because a column ran out includes the stones of that column, and they may
//! belong to the line. So such a square does not put a line out of reach if it costs exactly the stones left. Vertical
//! lines are not tested: the mover never gets two squares that follow each other in a column.
//!
//! If all lines are out of reach, the mover has no four in time. A four of the opponent's would only end the game
//! sooner.

use crate::axes::Threats;
use crate::axes::level::{Level, Task};
use crate::axes::lines::children::{Children, Form, Look};
use crate::axes::lines::laned::Laned;
use crate::axes::lines::line::fours;
use crate::axes::lines::sets::Sets;
use crate::axes::lines::threats;
use crate::axes::zugzwang::{Sides, plays_last};
use crate::game::board::playable;
use crate::game::score::Score;
use crate::game::{Geometry, Word};

/// The most stones left to the mover for which a win is tested. With more of them, hardly any win comes too late.
pub const MOST_STONES: u32 = 4;

/// The most stones of a board that is tested. With more of them, the search of the node costs less than the test.
fn most_on_board<G: Geometry>(g: G) -> u32 {
    g.cells() * 4 / 5
}

/// True if the mover's score is proven to be at most `target`, which is not negative. Neither side has four.
#[inline(always)]
pub fn too_late<G: Geometry<Word: Laned>>(board: Sides<G>, target: Score) -> bool {
    let ply = (board.mover | board.opponent).count_ones();
    let left = stones_left(board.g, ply, target);
    left <= MOST_STONES && ply <= most_on_board(board.g) && too_late_with(board, left)
}

/// [`too_late`] for `left` stones of the mover's.
#[inline(never)]
fn too_late_with<G: Geometry<Word: Laned>>(board: Sides<G>, left: u32) -> bool {
    let empty = board.g.board() & !(board.mover | board.opponent);
    let wins = || threats::winning_squares(board.g, Threats::Halves, board.mover, empty);
    match left {
        0 => true,
        1 => is_too_late::<G, 1>(board, wins()),
        2 => is_too_late::<G, 2>(board, wins()),
        3 => is_too_late::<G, 3>(board, wins()),
        MOST_STONES => is_too_late::<G, MOST_STONES>(board, wins()),
        _ => false,
    }
}

/// True if a test for a late win pays on boards with `ply` stones: the last player (the second one on the standard
/// board) is to move, and must win with one of its next two to four stones. A win of the other side (the first player
/// on the standard board, who gets the odd squares) is seldom too late (docs/RESULTS.md).
#[inline(always)]
pub fn pays<G: Geometry>(g: G, ply: u32, target: Score) -> bool {
    plays_last(g, ply) && (2..=MOST_STONES).contains(&stones_left(g, ply, target))
}

/// True if the score of some quiet child is proven to be at most `target`, from the side of the child's mover. `target`
/// is not negative. Called only where it [`pays`].
#[inline(always)]
pub fn any_too_late<G: Geometry<Word: Laned>, L: Level>(of: Children<'_, G>, form: Form<L>, target: Score) -> bool {
    let ply = of.node.stones.count_ones() + 1;
    debug_assert!(pays(of.g, ply, target));
    let left = stones_left(of.g, ply, target);
    of.outlook.quiet != 0 && form.level.call(AnyTooLate { of, threats: form.threats, left })
}

struct AnyTooLate<'o, G: Geometry> {
    of: Children<'o, G>,
    threats: Threats,
    left: u32,
}

impl<G: Geometry<Word: Laned>> Task for AnyTooLate<'_, G> {
    type Answer = bool;

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> bool {
        let AnyTooLate { of, threats, left } = self;
        let (form, Children { g, node, .. }) = (Form { level, threats }, of);
        let empty = g.board() & !node.stones;
        let wins = threats::winning_squares(g, Threats::Halves, node.stones & !node.mover, empty);
        match left {
            2 => form.any_too_late::<2>(of, wins),
            3 => form.any_too_late::<3>(of, wins),
            _ => form.any_too_late::<MOST_STONES>(of, wins),
        }
    }
}

/// The stones left to the mover of a board with `ply` stones, if it is to score more than `target`.
#[inline(always)]
fn stones_left<G: Geometry>(g: G, ply: u32, target: Score) -> u32 {
    debug_assert!(target >= 0);
    (g.size().win_at(ply) - target).max(0) as u32
}

/// True if `LEFT` stones of the mover of `board` reach no line. `wins` are the squares that complete a four for it.
#[inline(always)]
pub(super) fn is_too_late<G: Geometry<Word: Laned>, const LEFT: u32>(board: Sides<G>, wins: G::Word) -> bool {
    let race = Race::of(board, wins);
    match race.free.count_ones() % 2 {
        1 => race.in_reach::<G, LEFT, true>(board.g).is_empty(),
        _ => race.in_reach::<G, LEFT, false>(board.g).is_empty(),
    }
}

impl<W: Word> Race<W> {
    /// The race of `board`. `wins` are the squares that complete a four of the mover's.
    #[inline(always)]
    fn of<G: Geometry<Word = W>>(board: Sides<G>, wins: W) -> Self {
        let (g, stones) = (board.g, board.mover | board.opponent);
        let (free, playable) = (g.board() & !stones, playable(g, stones));
        let odd = std::array::from_fn(|class| {
            let odd = (playable & g.row_with(2 * class as u32 + 1)).count_ones() % 2 == 1;
            if odd { W::ALL } else { W::NONE }
        });
        Race { mover: board.mover, free, playable, threats: board.threats, wins: wins & free, odd }
    }
}

/// The sets that decide whether the mover has a four in time: of one board, or of a board in each lane.
pub(super) struct Race<S> {
    pub mover: S,
    pub free: S,
    pub playable: S,
    /// Squares that complete a four of the opponent's.
    pub threats: S,
    /// Squares that complete a four of the mover's.
    pub wins: S,
    /// Entry k - 1 has all bits if an odd number of columns has 2k - 1 empty squares, else none.
    pub odd: [S; MOST_STONES as usize],
}

impl<S: Sets> Race<S> {
    #[inline(always)]
    fn all(&self, set: S::Word) -> S {
        self.free.splat(set)
    }

    /// The lowest squares of lines within reach of `LEFT` stones, and the squares that complete one. `ODD` is true if
    /// the number of empty squares is odd.
    #[inline(always)]
    pub(super) fn in_reach<G: Geometry<Word = S::Word>, const LEFT: u32, const ODD: bool>(&self, g: G) -> S {
        let [before, last] = self.answered::<G, LEFT>(g);
        let (gained, no_answer) = self.gained::<G, LEFT, ODD>(g);
        let [_, across, down, up] = g.directions();
        let squares = self.mover | before | gained;
        let lines = |step| fours(squares, step) & self.with_stones::<LEFT>(step);
        let lines = lines(across) | (lines(down) | lines(up));
        (lines | no_answer) | (self.wins & (before | last | gained))
    }

    /// The lowest squares of lines that `LEFT` stones or fewer complete.
    #[inline(always)]
    fn with_stones<const LEFT: u32>(&self, step: u32) -> S {
        let above = self.mover >> step;
        let (one, two) = (self.mover | above, self.mover & above);
        match LEFT {
            1 => (two & (one >> (2 * step))) | (one & (two >> (2 * step))),
            2 => two | (two >> (2 * step)) | (one & (one >> (2 * step))),
            3 => one | (one >> (2 * step)),
            _ => self.all(S::Word::ALL),
        }
    }

    /// The squares that answers above leave to the mover: those for fewer than `LEFT` stones, and those for `LEFT`.
    #[inline(always)]
    fn answered<G: Geometry<Word = S::Word>, const LEFT: u32>(&self, g: G) -> [S; 2] {
        let (none, from_second) = (self.all(S::Word::NONE), self.all(g.rows_from(2)));
        let [mut before, mut last, mut next] = [none, none, self.playable];
        for stones in 0..LEFT.min(G::MOST_HEIGHT.div_ceil(2)) {
            if stones + 1 < LEFT {
                before = before | next;
            } else {
                last = next;
            }
            let passed = next & !((self.threats & (next << 1)) >> 1);
            next = ((passed << 2) & self.free) & from_second;
        }
        [before, last]
    }

    /// The squares that the mover gets where columns run out before its last stone. The second set is not empty if the
    /// opponent may then find no column to play in.
    #[inline(always)]
    fn gained<G: Geometry<Word = S::Word>, const LEFT: u32, const ODD: bool>(&self, g: G) -> (S, S) {
        let none = self.all(S::Word::NONE);
        let mut row = Row {
            plays_in: [none; MOST_STONES as usize + 1],
            alone: self.all(if ODD { S::Word::ALL } else { S::Word::NONE }),
            alone_at: [none; MOST_STONES as usize + 1],
            needs: none,
            pending: none,
            longer: none,
        };
        row.class::<G, LEFT, 4, ODD>(g, self);
        row.class::<G, LEFT, 3, ODD>(g, self);
        row.class::<G, LEFT, 2, ODD>(g, self);
        row.class::<G, LEFT, 1, ODD>(g, self);
        let no_answer = if ODD { self.answer_alone::<G, LEFT>(g, &mut row) } else { none };
        let [mut gained, mut next] = [none, none];
        for plays_in in &row.plays_in[1..LEFT as usize] {
            let from_second = self.all(g.rows_from(2));
            next = (((next << 2) & from_second) | (*plays_in << 1)) & self.free;
            gained = gained | next;
        }
        (gained, no_answer)
    }

    /// Chooses the opponent's column when the column without a pair runs out: one that outlasts the mover's stones,
    /// else a shorter one, and when that is full one that outlasts them. The result is not empty if there is none.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "`stones` is a number of stones, too")]
    fn answer_alone<G: Geometry<Word = S::Word>, const LEFT: u32>(&self, g: G, row: &mut Row<S>) -> S {
        let none = self.all(S::Word::NONE);
        let enough = row.needs & self.playable;
        let [four, two] = [4, 2].map(|squares| self.playable & self.all(g.row_with(squares)));
        let shorter = four | (four.where_empty() & two);
        let first = self.one(enough | (enough.where_empty() & shorter));
        let runs_out = |half: usize| !(first & self.all(g.row_with(2 * half as u32))).where_empty();
        let [mut needs, mut no_answer] = [none, none];
        let mut second_at = [none; MOST_STONES as usize + 1];
        for stones in 1..LEFT as usize {
            let at = row.alone_at[stones];
            row.plays_in[stones] = row.plays_in[stones] | (first & at);
            no_answer = no_answer | (first.where_empty() & at);
            for half in 1..LEFT as usize - stones {
                second_at[stones + half] = second_at[stones + half] | (at & runs_out(half));
            }
        }
        for stones in 2..LEFT as usize {
            needs = needs | (second_at[stones] & self.all(g.even_from(LEFT - stones as u32)));
        }
        let second = self.one(needs & self.playable & !first);
        for stones in 2..LEFT as usize {
            row.plays_in[stones] = row.plays_in[stones] | (second & second_at[stones]);
            no_answer = no_answer | (second.where_empty() & second_at[stones]);
        }
        no_answer
    }

    /// All bits if the class of `STONES` has an odd number of columns, else none.
    #[inline(always)]
    fn odd<const LEFT: u32, const STONES: u32, const ODD: bool>(&self) -> S {
        if STONES < LEFT {
            return self.odd[STONES as usize - 1];
        }
        let mut odd = self.all(if ODD { S::Word::ALL } else { S::Word::NONE });
        for stones in 1..LEFT as usize {
            odd = odd ^ self.odd[stones - 1];
        }
        odd
    }

    /// One of `columns`: if possible one whose second empty square does not complete a four of the mover's.
    #[inline(always)]
    fn one(&self, columns: S) -> S {
        let harmless = columns & !(self.wins >> 1);
        (harmless | (columns & harmless.where_empty())).lowest()
    }
}

/// The columns with an odd number of empty squares, longest first. Neighbours are paired.
struct Row<S> {
    /// The columns in which the opponent plays, by the number of stones that filled the other column.
    plays_in: [S; MOST_STONES as usize + 1],
    /// All bits until the column without a pair is met.
    alone: S,
    /// All bits at the number of stones that fill the column without a pair.
    alone_at: [S; MOST_STONES as usize + 1],
    /// The rows of columns in which the opponent may play when the column without a pair is full.
    needs: S,
    /// A column that has no neighbour yet.
    pending: S,
    /// The pending column, if the mover needs just one stone more to fill it than for the columns of this class.
    longer: S,
}

impl<S: Sets> Row<S> {
    /// Adds the class of columns that the mover's `STONES`-th stone fills. If `STONES` is `LEFT`, longer columns belong to
    /// it, too.
    #[inline(always)]
    fn class<G: Geometry<Word = S::Word>, const LEFT: u32, const STONES: u32, const ODD: bool>(
        &mut self,
        g: G,
        race: &Race<S>,
    ) {
        if STONES > LEFT {
            return;
        }
        let rows = if STONES == LEFT { g.odd_from(STONES) } else { g.row_with(2 * STONES - 1) };
        let (stones, columns) = (STONES as usize, race.playable & race.all(rows));
        let (empty, mut odd) = (columns.where_empty(), race.odd::<LEFT, STONES, ODD>());
        if ODD {
            let here = self.alone & !empty;
            self.alone = self.alone & empty;
            odd = odd ^ here;
            if STONES < LEFT {
                self.alone_at[stones] = here;
                self.needs = self.needs | (here & race.all(g.even_from(LEFT - STONES)));
            }
        }
        if STONES < LEFT {
            self.plays_in[stones] = self.pending & !empty;
            odd = odd ^ !(self.pending.where_empty() | empty);
            if STONES > 1 && STONES + 1 < LEFT {
                self.plays_in[stones + 1] = self.plays_in[stones + 1] | (columns & !self.longer.where_empty());
            }
            self.pending = self.pending & empty;
        }
        if STONES > 1 {
            self.longer = race.one(columns) & odd;
            self.pending = self.pending | self.longer;
            if STONES < LEFT {
                let rest = columns ^ self.longer;
                self.plays_in[stones] = self.plays_in[stones] | (rest & !rest.but_lowest().where_empty());
            }
        }
    }
}
