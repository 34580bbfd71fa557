use super::*;
use crate::axes::level::{Chosen, Task};
use crate::axes::lines::line::definition::{columns as game, played};
use crate::axes::{Axis, Order};
use crate::game::any_board::{Broad, LongBroad, LongNarrow, Narrow};
use crate::game::{Board, Standard};
use proptest::prelude::*;

/// The node of `board` in a search, with the moves that do not lose at once. `None` if it has an immediate win or at
/// most one move.
fn node<G: Geometry>(board: Board<G>) -> Option<Parent<G::Word>> {
    let moves = squares(board).filter(|&square| !wins_now(board.play_square(square))).sum::<G::Word>();
    let node = Parent { mover: board.mover(), stones: board.stones(), moves };
    (!board.is_won() && !wins_now(board) && moves.count_ones() > 1).then_some(node)
}

fn squares<G: Geometry>(board: Board<G>) -> impl Iterator<Item = G::Word> {
    let g = board.geometry();
    (0..g.width()).map(move |column| board.playable() & g.column(column)).filter(|square| square.has_any())
}

fn wins_now<G: Geometry>(board: Board<G>) -> bool {
    squares(board).any(|square| board.play_square(square).is_won())
}

/// The expected result, found by playing the move of each lane, the replies to it, and the stones after those.
fn by_playing<G: Geometry>(board: Board<G>, node: Parent<G::Word>) -> Outlook<G::Word, G::Room> {
    let g = board.geometry();
    let mut outlook = Outlook::<G::Word, G::Room>::none();
    for lane in 0..g.width() as usize {
        let column = g.column(u32::from(g.centre_first()[lane]));
        if (node.moves & column).is_empty() {
            continue;
        }
        let child = board.play_square(node.moves & column);
        let four = |&square: &G::Word| crate::game::board::has_four(g, child.opponent() | square);
        outlook.threats[lane] = crate::game::word::EachSquare(child.empty()).filter(four).sum();
        outlook.replies[lane] = squares(child).filter(|&reply| !wins_now(child.play_square(reply))).sum();
        match outlook.replies[lane].count_ones() {
            0 => outlook.won |= 1 << lane,
            1 => outlook.forced |= 1 << lane,
            _ => outlook.quiet |= 1 << lane,
        }
    }
    outlook
}

/// A form to examine the children of a node, and the node with the expected result.
struct Checked<'o, G: Geometry> {
    threats: Threats,
    expected: Children<'o, G>,
}

impl<G: Geometry<Word: Laned>> Task for &Checked<'_, G> {
    /// Index `n - 1`: true if some child is too late with `n` stones.
    type Answer = [bool; 4];

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> [bool; 4] {
        let (form, Children { g, node, .. }) = (Form { level, threats: self.threats }, self.expected);
        let outlook = form.look(g, node);
        self.finds(&outlook);
        let of = Children { g, node, outlook: &outlook };
        if zugzwang::plays_last(g, node.stones.count_ones()) {
            self.bounds_alike::<L, false>(form, of);
            self.ranks_alike::<L, true>(form, of);
        } else {
            self.bounds_alike::<L, true>(form, of);
            self.ranks_alike::<L, false>(form, of);
        }
        let wins = threats::winning_squares(g, Threats::Halves, node.stones & !node.mover, g.board() & !node.stones);
        [
            form.any_too_late::<1>(of, wins),
            form.any_too_late::<2>(of, wins),
            form.any_too_late::<3>(of, wins),
            form.any_too_late::<4>(of, wins),
        ]
    }
}

impl<G: Geometry<Word: Laned>> Checked<'_, G> {
    fn told(&self) -> String {
        format!("{:?}, {} {:x?}", self.threats, self.expected.g.name(), self.expected.node)
    }

    fn finds(&self, found: &Outlook<G::Word, G::Room>) {
        let sets = |outlook: &Outlook<G::Word, G::Room>| (outlook.won, outlook.forced, outlook.quiet);
        let Children { g, node, outlook: expected } = self.expected;
        assert_eq!(sets(found), sets(expected), "{}", self.told());
        for lane in (0..G::Room::LANES).filter(|&lane| node.in_lane(g, lane).has_any()) {
            let of = |outlook: &Outlook<G::Word, G::Room>| (outlook.threats[lane], outlook.replies[lane]);
            assert_eq!(of(found), of(expected), "{}, lane {lane}", self.told());
        }
    }

    /// Checks that lanes and loop turns give the best bound of [`zugzwang::from_squares`] on a quiet child.
    #[inline(always)]
    fn bounds_alike<L: Level, const LAST: bool>(&self, form: Form<L>, of: Children<'_, G>) {
        let limit = of.g.size().limit() + 1;
        let children: Vec<Sides<G>> = Lanes(of.outlook.quiet).map(|lane| of.child(lane)).collect();
        for target in -limit..=limit {
            for &zugzwang in Zugzwang::ALL {
                let bounds = children.iter().filter_map(|&child| zugzwang::from_squares(zugzwang, child, target));
                let found = form.at_most::<LAST>(of, zugzwang, target);
                assert_eq!(found, bounds.min(), "{zugzwang:?}, {target}, {}", self.told());
            }
        }
    }

    #[inline(always)]
    fn ranks_alike<L: Level, const LAST: bool>(&self, form: Form<L>, of: Children<'_, G>) {
        let Children { node, outlook, .. } = of;
        let lanes = outlook.quiet | outlook.forced;
        // Squares that are worth so much that some ranks are the largest of 16 bits.
        let squares = std::array::from_fn(|square| 640 + square as i16 % 8 * 999);
        let last_move = (node.stones & !node.mover).lowest();
        for (order, to_win) in [Order::Sides, Order::Learned].into_iter().flat_map(|one| [(one, false), (one, true)]) {
            let by = Weighing { order, plays_last: LAST, to_win, squares: &squares, last_move };
            let Some(found) = form.ranks(of, lanes, by) else { continue };
            let mut expected = ByLane::<u16, G::Room>::filled(0);
            Lanes(lanes).for_each(|lane| expected[lane] = of.rank(lane, by));
            assert_eq!(found, expected, "{by:?}, {}", self.told());
        }
    }
}

/// Every form that this build and this processor have: the scalar forms, those of `wide`, and each SIMD level.
fn forms() -> impl Iterator<Item = (Chosen, Threats)> {
    let built = |threats: &Threats| cfg!(feature = "simd") || !threats.is_vector();
    let plain = [Threats::Pairs, Threats::Halves, Threats::Directions, Threats::Children].into_iter().filter(built);
    let levels = Chosen::all().into_iter().map(|level| (level, Threats::Dispatched));
    plain.map(|threats| (Chosen::plain(), threats)).chain(levels)
}

/// Checks that every form finds the expected result, and that all give equal bounds and ranks.
fn agree<G: Geometry<Word: Laned>>(board: Board<G>) {
    let (g, Some(node)) = (board.geometry(), node(board)) else { return };
    let expected = by_playing(board, node);
    let expected = Children { g, node, outlook: &expected };
    let by = |(level, threats): (Chosen, Threats)| level.call(&Checked { threats, expected });
    let one_by_one = by((Chosen::plain(), Threats::Halves));
    for form in forms().filter(|(_, threats)| G::Word::BITS == 64 || *threats != Threats::Directions) {
        assert_eq!(by(form), one_by_one, "{form:?}, {} {node:x?}", g.name());
    }
}

fn agree_in_game<G: Geometry<Word: Laned>>(g: G, game: &[u32]) {
    played(g, game).into_iter().for_each(agree);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn all_forms_find_what_playing_finds(game in game()) {
        agree_in_game(Standard::NEW, &game);
        for (width, height) in [(4, 4), (5, 5), (6, 5), (7, 5), (7, 7), (8, 6), (8, 7), (4, 15)] {
            agree_in_game(Narrow::sized(width, height), &game);
        }
        for (width, height) in [(9, 6), (10, 5), (12, 4)] {
            agree_in_game(Broad::sized(width, height), &game);
        }
        for (width, height) in [(8, 8), (7, 9), (8, 15), (4, 29)] {
            agree_in_game(LongNarrow::sized(width, height), &game);
        }
        for (width, height) in [(10, 7), (12, 9)] {
            agree_in_game(LongBroad::sized(width, height), &game);
        }
    }
}

#[test]
fn all_forms_agree_on_4x4() {
    let boards = crate::game::perft::all_boards(Narrow::sized(4, 4));
    assert!(boards.iter().filter(|&&board| node(board).is_some()).count() > 10_000);
    boards.into_iter().step_by(10).for_each(agree);
}
