//! Key: which positions the table takes to be the same.
//!
//! **Exact**: `mover + stones + BOTTOM` (Pons, part 6). It has a single one above each column's stones, and the mover's
//! stones below it. **Mirror**: the lesser of the exact keys of a board and of its mirror image.
//!
//! **Colorless** ("The Wondrous World of Connect Four Bit Boards"): a line of four is *live* for a side while the other
//! has no stone in it. A stone that lies in no live line of its own side has no colour any more. Every line through it
//! is dead for its side, by a stone of the other, and dead for the other, by itself. Stones of a live line:
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
//! to the opponent. It says where the stones are, and which are the mover's. The second is the set of colourless
//! stones. The key is injective on *classes*: two boards share it only if they have the same stones, the same
//! colourless ones, and the same colours elsewhere. Then the same lines are live for each side: a line through a
//! colourless stone is dead on both boards, any other line holds the same stones on both. The rest of a game depends on
//! live lines and empty squares alone, so the scores are equal. The converse holds too: live lines say which stones
//! have which colour. So no key that keeps the stones and forgets dead colours can merge more.
//!
//! If a colourless stone is painted in the other colour, a line may come to life. The two boards are in one class only
//! if none does.
//!
//! A third state makes the code wider than a word. [`Key::bits`] says how wide, [`crate::axes::table`] which tables
//! hold it.

use crate::axes::Wins;
use crate::axes::lines::children::Parent;
use crate::axes::lines::wins::squares_in_fours_of_both;
use crate::game::{Board, Geometry, Word};

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
        /// both
        ColorlessMirror = "colorless-mirror",
    }
}

impl Key {
    /// Whether colours are forgotten.
    #[inline(always)]
    pub fn is_colorless(self) -> bool {
        matches!(self, Key::Colorless | Key::ColorlessMirror)
    }

    /// The key that is used for boards with so many stones.
    #[inline(always)]
    pub fn at<G: Geometry>(self, ply: u32) -> Key {
        match self {
            Key::MirrorEarly if 5 * ply < 2 * G::CELLS => Key::Mirror,
            Key::MirrorTen if ply < 10 => Key::Mirror,
            Key::MirrorEarly | Key::MirrorTen => Key::Exact,
            key => key,
        }
    }

    /// Number of low bits that a key can use.
    pub const fn bits<G: Geometry>(self) -> u32 {
        match self {
            Key::Exact | Key::Mirror | Key::MirrorEarly | Key::MirrorTen => G::KEY_BITS,
            Key::Colorless | Key::ColorlessMirror => {
                G::KEY_BITS + if keeps_sentinels::<G>() { G::KEY_BITS - 1 } else { G::CELLS }
            }
        }
    }
}

/// Whether the set of colourless stones keeps its sentinels: where 128 bits then have room for a bound too.
const fn keeps_sentinels<G: Geometry>() -> bool {
    2 * G::KEY_BITS - 1 <= 120
}

/// The key of a board that is not won; `wins` says how the squares of lines are found.
#[inline(always)]
pub fn of<G: Geometry>(key: Key, wins: Wins, board: Board<G>) -> u128 {
    match key {
        Key::Exact => board.key().wide(),
        Key::Mirror => board.key().min(flip::<G>(board.key())).wide(),
        Key::MirrorEarly | Key::MirrorTen => of(key.at::<G>(board.ply()), wins, board),
        Key::Colorless => {
            let (painted, colorless) = parts(wins, board);
            join::<G>(painted, colorless)
        }
        Key::ColorlessMirror => {
            let (painted, colorless) = parts(wins, board);
            // The mirror image of the pair is the pair of the mirror image: the lesser pair stands for both.
            let (other, other_colorless) = (flip::<G>(painted), flip::<G>(colorless));
            if (other, other_colorless) < (painted, colorless) {
                join::<G>(other, other_colorless)
            } else {
                join::<G>(painted, colorless)
            }
        }
    }
}

/// The stones that can be part of no four of either side.
#[inline(always)]
pub fn colorless<G: Geometry>(wins: Wins, board: Board<G>) -> G::Word {
    let open = [G::BOARD & !board.opponent(), G::BOARD & !board.mover()];
    let [mover, opponent] = squares_in_fours_of_both::<G>(wins, open);
    board.stones() & !(mover | opponent)
}

/// The exact key of the board whose colourless stones are the opponent's, and the colourless stones.
#[inline(always)]
fn parts<G: Geometry>(wins: Wins, board: Board<G>) -> (G::Word, G::Word) {
    let colorless = colorless(wins, board);
    ((board.mover() & !colorless) + board.stones() + G::BOTTOM, colorless)
}

/// The painted key in the low bits, the colourless squares above it, without sentinels where there is no room.
#[inline(always)]
fn join<G: Geometry>(painted: G::Word, colorless: G::Word) -> u128 {
    let squares = if const { keeps_sentinels::<G>() } { colorless } else { without_sentinels::<G>(colorless) };
    painted.wide() | squares.wide() << G::KEY_BITS
}

/// Squares packed column by column.
#[inline(always)]
fn without_sentinels<G: Geometry>(squares: G::Word) -> G::Word {
    (0..G::WIDTH).fold(G::Word::NONE, |packed, column| {
        packed | ((squares >> (column * G::STRIDE)) & G::column(0)) << (column * G::HEIGHT)
    })
}

/// The keys of what the moves of a node lead to, lane by lane, exact or mirrored. Columns do not carry into each other, so the image of
/// a sum is the sum of the images: the stones are turned round once, and every move by one shift.
#[derive(Clone, Copy)]
pub struct KeysOfChildren<W, const MIRROR: bool> {
    parent: Parent<W>,
    /// What every child's key has in common, and its mirror image.
    common: [W; 2],
}

impl<W: Word, const MIRROR: bool> KeysOfChildren<W, MIRROR> {
    /// Those of a node.
    #[inline(always)]
    pub fn of<G: Geometry<Word = W>>(parent: Parent<W>) -> Self {
        let common = (parent.stones & !parent.mover) + parent.stones + G::BOTTOM;
        KeysOfChildren { parent, common: [common, if MIRROR { flip::<G>(common) } else { W::NONE }] }
    }

    /// The key in a lane; any number where the lane has no move.
    #[inline(always)]
    pub fn in_lane<G: Geometry<Word = W>>(self, lane: usize) -> W {
        let ([common, image], one_move) = (self.common, self.parent.in_lane::<G>(lane));
        let key = common + one_move;
        if MIRROR { key.min(image + across::<G>(one_move, G::CENTRE_FIRST[lane])) } else { key }
    }
}

/// The mirror image of a square of a column, or of none.
#[inline(always)]
fn across<G: Geometry>(square: G::Word, column: u8) -> G::Word {
    let image = G::WIDTH - 1 - u32::from(column);
    if image >= u32::from(column) {
        square << ((image - u32::from(column)) * G::STRIDE)
    } else {
        square >> ((u32::from(column) - image) * G::STRIDE)
    }
}

/// A word of columns, sentinels included, in a mirror.
#[inline(always)]
fn flip<G: Geometry>(word: G::Word) -> G::Word {
    let column = G::Word::of((2 << G::HEIGHT) - 1);
    (0..G::WIDTH).fold(G::Word::NONE, |flipped, index| {
        flipped | ((word >> (index * G::STRIDE)) & column) << ((G::WIDTH - 1 - index) * G::STRIDE)
    })
}
