use super::*;
use crate::axes::Axis;
use crate::axes::level::{Baseline, Chosen, Task};
use crate::axes::lines::line::definition::{columns as game, played};
use crate::axes::order;
use crate::game::any_board::{Broad, LongBroad, LongNarrow, Narrow};
use crate::game::{Board, Standard};
use proptest::prelude::*;

/// The node of a board, as the search meets it, with the moves that do not lose at once. `None` where there is no
/// such node: somebody wins at once, or at most one move is left.
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

/// What a look must find, by playing the move of each lane, the replies to it, and the stones after those.
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

/// Checks that both say the same of every lane with a move.
fn assert_same<G: Geometry>(
    g: G,
    found: &Outlook<G::Word, G::Room>,
    expected: &Outlook<G::Word, G::Room>,
    node: Parent<G::Word>,
    form: (Chosen, Threats),
) {
    let sets = |outlook: &Outlook<G::Word, G::Room>| (outlook.won, outlook.forced, outlook.quiet);
    assert_eq!(sets(found), sets(expected), "{form:?}, {} {node:x?}", g.name());
    for lane in (0..G::Room::LANES).filter(|&lane| node.in_lane(g, lane).has_any()) {
        let of = |outlook: &Outlook<G::Word, G::Room>| (outlook.threats[lane], outlook.replies[lane]);
        assert_eq!(of(found), of(expected), "{form:?}, {} {node:x?}, lane {lane}", g.name());
    }
}

/// Every way to look at children that this build and this processor have: the ways to find winning squares of one
/// board, `wide`, and each level.
fn forms() -> impl Iterator<Item = (Chosen, Threats)> {
    let built = |threats: &Threats| cfg!(feature = "simd") || !threats.is_vector();
    let plain = [Threats::Pairs, Threats::Halves, Threats::Directions, Threats::Children].into_iter().filter(built);
    let levels = Chosen::all().into_iter().map(|level| (level, Threats::Dispatched));
    plain.map(|threats| (Chosen::plain(), threats)).chain(levels)
}

struct Looked<G: Geometry>(G, Threats, Parent<G::Word>);

impl<G: Geometry<Word: Laned>> Task for Looked<G> {
    type Answer = Outlook<G::Word, G::Room>;

    #[inline(always)]
    fn at<L: Level>(self, level: L) -> Outlook<G::Word, G::Room> {
        look(self.0, level, self.1, self.2)
    }
}

struct Bound<'a, G: Geometry, const LAST: bool>(
    G,
    Threats,
    Zugzwang,
    Parent<G::Word>,
    &'a Outlook<G::Word, G::Room>,
    Score,
);

impl<G: Geometry<Word: Laned>, const LAST: bool> Task for Bound<'_, G, LAST> {
    type Answer = Option<Score>;

    #[inline(always)]
    fn at<L: Level>(self, level: L) -> Option<Score> {
        at_most::<G, L, LAST>(self.0, level, self.1, self.2, self.3, self.4, self.5)
    }
}

/// Whether some child is too late with one stone, with two, three and four, at some level.
struct Late<'a, G: Geometry>(G, Threats, Parent<G::Word>, &'a Outlook<G::Word, G::Room>, G::Word);

impl<G: Geometry<Word: Laned>> Task for Late<'_, G> {
    type Answer = [bool; 4];

    #[inline(always)]
    fn at<L: Level>(self, level: L) -> [bool; 4] {
        let Late(g, form, node, outlook, wins) = self;
        [
            any_too_late::<G, L, 1>(g, level, form, node, outlook, wins),
            any_too_late::<G, L, 2>(g, level, form, node, outlook, wins),
            any_too_late::<G, L, 3>(g, level, form, node, outlook, wins),
            any_too_late::<G, L, 4>(g, level, form, node, outlook, wins),
        ]
    }
}

/// What children are sorted by, at some level; the last are the lanes and whether the mover asks for a win.
struct Ranked<'a, G: Geometry, const LAST: bool>(G, Threats, Parent<G::Word>, &'a Outlook<G::Word, G::Room>, u32, bool);

impl<G: Geometry<Word: Laned>, const LAST: bool> Task for Ranked<'_, G, LAST> {
    type Answer = Option<ByLane<u16, G::Room>>;

    #[inline(always)]
    fn at<L: Level>(self, level: L) -> Self::Answer {
        ranks::<G, L, LAST>(self.0, level, self.1, self.2, self.3, self.4, self.5)
    }
}

/// Checks that ranks found together are those found one by one.
fn ranked_alike<G: Geometry<Word: Laned>, const LAST: bool>(
    g: G,
    form: (Chosen, Threats),
    node: Parent<G::Word>,
    outlook: &Outlook<G::Word, G::Room>,
) {
    for to_win in [false, true] {
        let lanes = outlook.quiet | outlook.forced;
        let asked = Ranked::<G, LAST>(g, form.1, node, outlook, lanes, to_win);
        let Some(found) = form.0.call(asked) else { continue };
        let mut expected = ByLane::<u16, G::Room>::filled(0);
        for lane in Lanes(lanes) {
            let playable = playable(g, node.stones | node.in_lane(g, lane));
            let child = [outlook.threats[lane], playable, outlook.replies[lane], G::Word::of(lane as u128)];
            let worth = order::weigh_for_side(g, child, LAST, to_win);
            expected[lane] = rank::<G::Room>(worth.low() as u32, lane);
        }
        assert_eq!(found, expected, "{form:?}, {} {node:x?}", g.name());
    }
}

/// Checks that every form finds what playing finds, at every node of a game; then the same for its bounds and ranks.
fn agree<G: Geometry<Word: Laned>>(g: G, game: &[u32]) {
    for board in played(g, game) {
        let Some(node) = node(board) else { continue };
        let expected = by_playing(board, node);
        for form in forms().filter(|(_, threats)| G::Word::BITS == 64 || *threats != Threats::Directions) {
            let outlook = form.0.call(Looked(g, form.1, node));
            assert_same(g, &outlook, &expected, node, form);
            if zugzwang::plays_last(g, board.ply()) {
                zugzwang_alike::<G, false>(g, form, node, &outlook);
                ranked_alike::<G, true>(g, form, node, &outlook);
            } else {
                zugzwang_alike::<G, true>(g, form, node, &outlook);
                ranked_alike::<G, false>(g, form, node, &outlook);
            }
            let empty = g.board() & !node.stones;
            let wins = threats::winning_squares(g, Threats::Halves, board.opponent(), empty);
            let late = |chosen: Chosen, threats| chosen.call(Late(g, threats, node, &outlook, wins));
            let one_by_one = late(Chosen::plain(), Threats::Halves);
            assert_eq!(late(form.0, form.1), one_by_one, "{form:?}, {} {node:x?}", g.name());
        }
    }
}

/// Checks that lanes and turns of a loop give the same bound: the best that [`zugzwang::from_squares`] gives for a quiet
/// child.
fn zugzwang_alike<G: Geometry<Word: Laned>, const LAST: bool>(
    g: G,
    form: (Chosen, Threats),
    node: Parent<G::Word>,
    outlook: &Outlook<G::Word, G::Room>,
) {
    let limit = crate::game::score::limit(g) + 1;
    let children: Vec<Sides<G::Word>> = Lanes(outlook.quiet).map(|lane| node.child(g, outlook, lane)).collect();
    for target in -limit..=limit {
        for &zugzwang in Zugzwang::ALL {
            let bounds = children.iter().filter_map(|&child| zugzwang::from_squares(g, zugzwang, child, target));
            let asked = Bound::<G, LAST>(g, form.1, zugzwang, node, outlook, target);
            let found = form.0.call(asked);
            assert_eq!(found, bounds.min(), "{form:?}, {zugzwang:?}, {target}, {} {node:x?}", g.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn all_forms_find_what_playing_finds(game in game()) {
        agree(Standard::NEW, &game);
        for (width, height) in [(4, 4), (5, 5), (6, 5), (7, 5), (7, 7), (8, 6), (8, 7), (4, 15)] {
            agree(Narrow::sized(width, height), &game);
        }
        for (width, height) in [(9, 6), (10, 5), (12, 4)] {
            agree(Broad::sized(width, height), &game);
        }
        for (width, height) in [(8, 8), (7, 9), (8, 15), (4, 29)] {
            agree(LongNarrow::sized(width, height), &game);
        }
        for (width, height) in [(10, 7), (12, 9)] {
            agree(LongBroad::sized(width, height), &game);
        }
    }
}

#[test]
fn all_forms_agree_on_all_of_4x4() {
    let g = Narrow::sized(4, 4);
    let nodes = crate::game::perft::all_boards(g).into_iter().filter(|&board| node(board).is_some());
    let mut seen = 0;
    for board in nodes {
        seen += 1;
        let node = node(board).expect("a node");
        let expected = by_playing(board, node);
        for form in forms() {
            let outlook = form.0.call(Looked(g, form.1, node));
            assert_same(g, &outlook, &expected, node, form);
        }
    }
    assert!(seen > 10_000, "{seen}");
}

/// ```text
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . O O . . .      the third square on the left or right of X makes two threats: won; 1 or 6 make one: forced
/// . . X X . . .
/// ```
#[test]
fn moves_that_win_force_or_leave_a_choice() {
    let board: Board = crate::game::Position::parse("3344").expect("a position").board(Standard::NEW);
    let node = Parent { mover: board.mover(), stones: board.stones(), moves: board.playable() };
    let outlook = look(Standard::NEW, Baseline, Threats::Halves, node);
    // Lanes are the columns 4 3 5 2 6 1 7.
    assert_eq!(outlook.won, 0b0001100, "columns 5 and 2");
    assert_eq!(outlook.forced, 0b0110000, "columns 6 and 1");
    assert_eq!(outlook.quiet, 0b1000011, "columns 4, 3 and 7");
}
