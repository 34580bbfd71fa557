//! Key: which positions share an entry of the table.
//!
//! **Exact**: `mover + stones + bottom` (Pons, part 6). It has a single one above each column's stones, and the mover's
//! stones below it. **Mirror**: the lesser of the exact keys of a board and of its mirror image.
//!
//! **Colorless** ("The Wondrous World of Connect Four Bit Boards"): a line of four is *live* for a side while the other
//! has no stone in it. A stone that lies in no live line of its own side is *colourless*: each line through it holds
//! stones of both sides, so its colour does not matter any more. An example:
//!
//! ```text
//! O O X O . . .      * * X O . . .
//! X O X X . O X      * * * X . O *
//! O O X O . O X      * * X O . O *      . empty
//! X X O O . X O  ->  * X O O . X O      * without colour
//! O O O X X O O      * O O * X * *
//! X X X O X X X      * * * * X * *
//! ```
//!
//! (The post draws this board, and marks two stones more: the O in column 6, row 4, and the O in column 7, row 3. With
//! a third O and an empty square they stand in one line, which comes down from the top of column 4.)
//!
//! The key is a three-state code of two parts. The first is the exact key of the board with all colourless stones given
//! to the opponent: it has the squares of all stones, and which are the mover's. The second is the set of colourless
//! stones. The key is injective on *classes*: two boards share it only if they have the same stones, the same
//! colourless ones, and the same colours elsewhere. Then the same lines are live for each side: a line through a
//! colourless stone is dead on both boards, any other line holds the same stones on both. The rest of a game depends on
//! live lines and empty squares alone, so the scores are equal. The converse holds too: live lines determine which
//! stones have which colour. So no key that keeps the stones and forgets dead colours can merge more.
//!
//! If a colourless stone gets the other colour, a line may become live. Then the two boards are in different classes.
//!
//! A third state makes the code wider than a word, by [`Key::bits`]. [`crate::axes::table`] lists the tables that hold
//! it.

use crate::axes::Wins;
use crate::axes::lines::children::Parent;
use crate::axes::lines::wins::squares_in_fours_of_both;
use crate::game::geometry::key_bits;
use crate::game::{Board, BoardSize, Geometry, Word};

axis! {
    /// Which positions the table takes to be the same.
    pub enum Key = "key" {
        /// none but the position itself (Pons, part 6)
        Exact = "exact",
        /// the mirror image too: the lesser of two keys (Connect Four Bit Boards; Fhourstones)
        Mirror = "mirror",
        /// the mirror image too, while less than two fifths of the squares are taken: later, mirror images hardly meet
        MirrorEarly = "mirror-early",
        /// the mirror image too, with fewer than ten stones (Fhourstones)
        MirrorTen = "mirror-ten",
        /// positions that differ in the colours of stones that can be part of no four (Connect Four Bit Boards)
        Colorless = "colorless",
        /// as colorless, and the mirror image too: the lesser of two keys
        ColorlessMirror = "colorless-mirror",
    }
}

impl Key {
    #[inline(always)]
    pub fn is_colorless(self) -> bool {
        matches!(self, Key::Colorless | Key::ColorlessMirror)
    }

    /// The key of boards with `ply` stones.
    #[inline(always)]
    pub fn at<G: Geometry>(self, g: G, ply: u32) -> Key {
        match self {
            Key::MirrorEarly if 5 * ply < 2 * g.cells() => Key::Mirror,
            Key::MirrorTen if ply < 10 => Key::Mirror,
            Key::MirrorEarly | Key::MirrorTen => Key::Exact,
            key => key,
        }
    }

    /// The number of low bits that a key can use on boards of `size` in a layout of `stride`.
    pub const fn bits(self, size: BoardSize, stride: u32) -> u32 {
        let bits = key_bits(size, stride);
        match self {
            Key::Exact | Key::Mirror | Key::MirrorEarly | Key::MirrorTen => bits,
            Key::Colorless | Key::ColorlessMirror => bits + if keeps_sentinels(bits) { bits - 1 } else { size.cells() },
        }
    }
}

/// True if 128 bits have room for the key, the set of colourless stones with its sentinels, and a bound.
const fn keeps_sentinels(key_bits: u32) -> bool {
    2 * key_bits - 1 <= 120
}

/// The key of a board that is not won. `wins` is the way to find the squares of lines.
#[inline(always)]
pub fn of<G: Geometry>(key: Key, wins: Wins, board: Board<G>) -> u128 {
    let g = board.geometry();
    match key {
        Key::Exact => board.key().wide(),
        Key::Mirror => board.key().min(g.flip(board.key())).wide(),
        Key::MirrorEarly | Key::MirrorTen => of(key.at(g, board.ply()), wins, board),
        Key::Colorless => join(g, parts(wins, board)),
        Key::ColorlessMirror => {
            let (painted, colorless) = parts(wins, board);
            // The mirror image of the pair is the pair of the mirror image: the lesser pair is the key of both.
            join(g, (painted, colorless).min((g.flip(painted), g.flip(colorless))))
        }
    }
}

/// The stones that can be part of no four of either side.
#[inline(always)]
pub fn colorless<G: Geometry>(wins: Wins, board: Board<G>) -> G::Word {
    let g = board.geometry();
    let open = [g.board() & !board.opponent(), g.board() & !board.mover()];
    let [mover, opponent] = squares_in_fours_of_both(g, wins, open);
    board.stones() & !(mover | opponent)
}

/// The exact key of the board with the colourless stones given to the opponent, and the colourless stones.
#[inline(always)]
fn parts<G: Geometry>(wins: Wins, board: Board<G>) -> (G::Word, G::Word) {
    let g = board.geometry();
    let colorless = colorless(wins, board);
    ((board.mover() & !colorless) + board.stones() + g.bottom(), colorless)
}

/// The painted key in the low bits, the colourless squares above it, without sentinels if there is no room.
#[inline(always)]
fn join<G: Geometry>(g: G, (painted, colorless): (G::Word, G::Word)) -> u128 {
    let squares = if keeps_sentinels(g.key_bits()) { colorless } else { without_sentinels(g, colorless) };
    painted.wide() | squares.wide() << g.key_bits()
}

/// Squares packed column by column.
#[inline(always)]
fn without_sentinels<G: Geometry>(g: G, squares: G::Word) -> G::Word {
    (0..g.width()).fold(G::Word::NONE, |packed, column| {
        packed | ((squares >> (column * g.stride())) & g.column(0)) << (column * g.height())
    })
}

/// The exact or mirrored keys of a node's children, one in each lane. Columns do not carry into each other, so the
/// image of a sum is the sum of the images: the stones are mirrored once, and every move by one shift.
#[derive(Clone, Copy)]
pub struct KeysOfChildren<W, const MIRROR: bool> {
    parent: Parent<W>,
    /// The common part of all children's keys, and its mirror image.
    common: [W; 2],
}

impl<W: Word, const MIRROR: bool> KeysOfChildren<W, MIRROR> {
    #[inline(always)]
    pub fn of<G: Geometry<Word = W>>(g: G, parent: Parent<W>) -> Self {
        let common = (parent.stones & !parent.mover) + parent.stones + g.bottom();
        KeysOfChildren { parent, common: [common, if MIRROR { g.flip(common) } else { W::NONE }] }
    }

    /// The key in a lane; meaningless if the lane has no move.
    #[inline(always)]
    pub fn in_lane<G: Geometry<Word = W>>(self, g: G, lane: usize) -> W {
        let ([common, image], one_move) = (self.common, self.parent.in_lane(g, lane));
        let key = common + one_move;
        if MIRROR { key.min(image + g.across(one_move, lane)) } else { key }
    }
}
