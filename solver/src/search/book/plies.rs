//! Plies: all boards of a ply, up to mirror, on which the game goes on.
//!
//! They are listed by key, and only a program that follows the rules needs to know how: so a book holds no boards, only
//! scores in this order. Keys are words of 64 bits: there are no books of boards that need more.

use crate::game::score::{self, Score};
use crate::game::{Board, Geometry, Position, Word};
use std::marker::PhantomData;

/// The boards of a ply, by their keys, for a board whose size is known at run time.
pub(in crate::search) trait Plies: Send + Sync {
    /// The key of a position, up to mirror.
    fn key(&self, position: &Position) -> u64;

    /// The keys of ply 0.
    fn first(&self) -> Vec<u64>;

    /// The keys of the ply after, sorted.
    fn next(&self, keys: &[u64]) -> Vec<u64>;

    /// The scores of a ply, given the keys and the scores of the next one.
    fn scores(&self, keys: &[u64], next: &[u64], scores_of_next: &[i8]) -> Vec<i8>;
}

/// Those of a geometry.
pub(in crate::search) struct PliesOf<G>(PhantomData<G>);

impl<G: Geometry> PliesOf<G> {
    pub(in crate::search) const NEW: Self = PliesOf(PhantomData);
}

/// The smaller of the keys of a board and of its mirror image.
fn up_to_mirror<G: Geometry>(board: Board<G>) -> u64 {
    board.key().min(board.mirror().key()).low()
}

/// The board of a key that was made here.
fn board<G: Geometry>(key: u64) -> Board<G> {
    Board::from_key(G::Word::of(key.into())).expect("a key of a board")
}

/// The boards after one more stone.
fn children<G: Geometry>(board: Board<G>) -> impl Iterator<Item = Board<G>> {
    (0..G::WIDTH).filter(move |&column| board.can_play(column)).map(move |column| board.play(column))
}

impl<G: Geometry> Plies for PliesOf<G> {
    fn key(&self, position: &Position) -> u64 {
        up_to_mirror(position.board::<G>())
    }

    fn first(&self) -> Vec<u64> {
        vec![up_to_mirror(Board::<G>::EMPTY)]
    }

    fn next(&self, keys: &[u64]) -> Vec<u64> {
        let goes_on = |child: &Board<G>| !child.is_won() && !child.is_full();
        let mut next: Vec<u64> =
            keys.iter().flat_map(|&key| children(board::<G>(key)).filter(goes_on).map(up_to_mirror)).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    fn scores(&self, keys: &[u64], next: &[u64], scores_of_next: &[i8]) -> Vec<i8> {
        let worth = |child: Board<G>| -> Score {
            if child.is_won() {
                return score::win_at::<G>(child.ply() - 1);
            }
            let found = next.binary_search(&up_to_mirror(child));
            found.map_or(0, |index| -Score::from(scores_of_next[index]))
        };
        let best = |&key: &u64| children(board::<G>(key)).map(worth).max().unwrap_or(0);
        keys.iter().map(|key| i8::try_from(best(key)).expect("scores of a board of 64 squares")).collect()
    }
}
