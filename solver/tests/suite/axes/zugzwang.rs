//! Zugzwang: every bound is compared with exact scores, of the oracle or of a search without zugzwang.

use crate::support::draw::Draw;
use crate::support::positions;
use c4lab_solver::axes::lines::laned::Laned;
use c4lab_solver::axes::lines::{threats, wins};
use c4lab_solver::axes::table::slots::{Slots, Wide};
use c4lab_solver::axes::zugzwang::proof::{self, Proof};
use c4lab_solver::axes::zugzwang::{Sides, at_most};
use c4lab_solver::axes::{Axis, Threats, Wins, Zugzwang};
use c4lab_solver::game::any_board::{LongBroad, LongNarrow, Narrow};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{Board, Geometry, Grid, Standard, Word};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{Pons12TableWide, build_on};
use c4lab_solver::search::{Goal, Limits, Options};
use std::collections::HashMap;

/// For each value, how often it proved more than the value before it.
type Fired = [u64; Zugzwang::ALL.len()];

/// A board in the form of zugzwang bounds; `None` if they do not apply: the game is over, or the opponent has a four to
/// complete with its next stone.
fn sides<G: Geometry<Word: Laned>>(board: Board<G>) -> Option<Sides<G>> {
    let g = board.geometry();
    let threats = threats::winning_squares(g, Threats::Pairs, board.opponent(), board.empty());
    let asked = !board.is_won() && !board.is_full() && (threats & board.playable()).is_empty();
    asked.then_some(Sides { g, mover: board.mover(), opponent: board.opponent(), threats })
}

/// A bound holds for every target and is no higher than it; each value proves all that the value before it proves.
fn check<G: Geometry<Word: Laned>>(board: Board<G>, sides: Sides<G>, score: Score, fired: &mut Fired) {
    let g = board.geometry();
    let limit = g.size().limit() + 2;
    for target in -limit..=limit {
        let mut before: Option<Score> = None;
        for (&zugzwang, fired) in Zugzwang::ALL.iter().zip(fired.iter_mut()) {
            let bound = at_most(zugzwang, sides, target);
            let holds = bound.is_none_or(|most| score <= most && most <= target);
            assert!(holds, "{}, {zugzwang:?}, {target}: {bound:?}, and the score is {score}\n{board}", g.name());
            let proof = proof::of(zugzwang, sides, target);
            assert_eq!(proof.as_ref().map(|proof| proof.most), bound, "{}, {zugzwang:?}, {target}\n{board}", g.name());
            if let Some(proof) = &proof {
                check_squares(sides, proof);
            }
            let stronger = before.is_none_or(|before| bound.is_some_and(|most| most <= before));
            assert!(stronger, "{}, {zugzwang:?}, {target}: {bound:?} after {before:?}\n{board}", g.name());
            *fired += u64::from(bound != before);
            before = bound;
        }
    }
}

/// The squares of a proof are those that its rule needs.
fn check_squares<G: Geometry<Word: Laned>>(sides: Sides<G>, proof: &Proof<G::Word>) {
    let free = sides.g.board() & !(sides.mover | sides.opponent);
    let &Proof { rule, claimed, beyond, threats, line, .. } = proof;
    let has_four = |squares| wins::has_four(sides.g, Wins::TwoShifts, squares);
    assert!(((claimed | beyond | threats) & !free).is_empty(), "{proof:?}");
    assert!((claimed & beyond | threats & !sides.threats).is_empty(), "{proof:?}");
    let by_squares = !matches!(rule, Zugzwang::Horizon | Zugzwang::Rules);
    assert!(!by_squares || !has_four(sides.mover | free & !(claimed | beyond)), "{proof:?}");
    let completed = (line & !(sides.opponent | claimed)).is_empty() && line.count_ones() == 4 && has_four(line);
    assert!(completed || line.is_empty() && rule != Zugzwang::Distance, "{proof:?}");
}

/// Every position of a board, by the oracle.
fn check_all<const W: usize, const H: usize>(g: impl Geometry<Word: Laned>) -> Fired {
    let (mut fired, mut oracle) = (Fired::default(), Oracle::<W, H>::default());
    positions::every(g, |position| {
        if let Some(sides) = sides(position.board(g)) {
            check(position.board(g), sides, oracle.score(position.columns()), &mut fired);
        }
    });
    println!("{}: {fired:?}", g.name());
    fired
}

/// The score of a board and of all below it, by plain minimax. Compares every bound of the value with all rules, and
/// counts the positions with bounds to test and the bounds found. For boards that are too large for the oracle: it
/// takes one word a position.
fn check_below<G: Geometry<Word: Laned>>(
    board: Board<G>,
    solved: &mut HashMap<G::Word, i8>,
    count: &mut [u64; 2],
) -> Score {
    let g = board.geometry();
    if board.is_won() {
        return -g.size().win_at(board.ply() - 1);
    }
    if board.is_full() {
        return 0;
    }
    if let Some(&score) = solved.get(&board.key()) {
        return score.into();
    }
    let moves = (0..g.width()).filter(|&column| board.can_play(column));
    let score = moves.map(|column| -check_below(board.play(column), solved, count)).max().expect("a move");
    solved.insert(board.key(), score as i8);
    if let Some(sides) = sides(board) {
        let limit = g.size().limit();
        for target in -limit..=limit {
            let bound = at_most(Zugzwang::Rules, sides, target);
            let holds = bound.is_none_or(|most| score <= most && most <= target);
            assert!(holds, "{}, {target}: {bound:?}, and the score is {score}\n{board}", g.name());
            count[1] += u64::from(bound.is_some());
        }
        count[0] += 1;
    }
    score
}

/// `count` random positions of each ply, by a search without zugzwang.
fn check_some(g: impl Geometry<Word: Laned>, plies: std::ops::Range<u32>, count: usize) -> Fired {
    // The dynamic variants' search would compile every technique for each geometry.
    let options = Options { board: g.size(), ..Options::with_tt(16 << 20) };
    let mut solver = build_on::<_, Slots<Wide<u16>>>(Pons12TableWide, g, &options).expect("a table");
    let (mut fired, mut draw) = (Fired::default(), Draw::new(1, "claims"));
    for ply in plies {
        for _ in 0..count {
            let position = positions::random(g.size(), &mut draw, ply);
            if let Some(sides) = sides(position.board(g)) {
                let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
                check(position.board(g), sides, solved.score, &mut fired);
            }
        }
    }
    println!("{}: {fired:?}", g.name());
    fired
}

/// Every value but `none` proves a bound on one of the boards.
fn assert_fired(boards: &[Fired]) {
    for &zugzwang in Zugzwang::ALL {
        let fired: u64 = boards.iter().map(|fired| fired[zugzwang as usize]).sum();
        // Rules are for boards with few stones, which are rare here: rules.rs tests them with any number of stones.
        let proves = zugzwang != Zugzwang::None;
        assert!(fired > 0 && proves || fired == 0 && !proves || zugzwang == Zugzwang::Rules, "{zugzwang:?}: {fired}");
    }
}

#[test]
fn bounds_hold_on_all_of_small_boards() {
    assert_fired(&[
        check_all::<4, 4>(Narrow::sized(4, 4)),
        check_all::<4, 3>(Grid::<4, 3, 4>::NEW),
        check_all::<5, 3>(Grid::<5, 3, 4>::NEW),
    ]);
}

#[test]
#[ignore = "every position of 5x4, of 6x3 and of 4x5 takes long"]
fn bounds_hold_on_all_of_larger_boards() {
    assert_fired(&[
        check_all::<5, 4>(Narrow::sized(5, 4)),
        check_all::<6, 3>(Grid::<6, 3, 4>::NEW),
        check_all::<4, 5>(Narrow::sized(4, 5)),
    ]);
}

#[test]
#[ignore = "70 million positions take some minutes and gigabytes"]
fn by_hand_bounds_hold_on_all_of_5x5() {
    let mut count = [0; 2];
    let score = check_below(Board::empty_in(Narrow::sized(5, 5)), &mut HashMap::new(), &mut count);
    println!("5x5/6: {} positions asked about, {} bounds", count[0], count[1]);
    assert_eq!(score, 0, "J. Tromp: a draw");
}

#[test]
fn bounds_hold_on_even_heights() {
    assert_fired(&[
        check_some(Narrow::sized(6, 4), 6..24, 300),
        check_some(Narrow::sized(7, 4), 8..28, 300),
        check_some(Narrow::sized(4, 6), 4..24, 300),
        check_some(Standard::NEW, 18..42, 500),
        check_some(Narrow::sized(8, 6), 24..48, 200),
    ]);
}

#[test]
fn bounds_hold_on_odd_heights() {
    assert_fired(&[
        check_some(Narrow::sized(4, 5), 4..20, 500),
        check_some(Narrow::sized(5, 5), 6..25, 500),
        check_some(Narrow::sized(6, 5), 10..30, 250),
        check_some(Narrow::sized(7, 5), 15..35, 250),
        check_some(Narrow::sized(5, 7), 15..35, 250),
        check_some(Narrow::sized(7, 7), 29..49, 150),
        check_some(Narrow::sized(8, 7), 34..54, 300),
    ]);
}

/// Boards of more than 64 bits; 9x9 has an odd number of squares.
#[test]
fn bounds_hold_on_long_boards() {
    assert_fired(&[
        check_some(LongNarrow::sized(8, 8), 46..62, 400),
        check_some(LongNarrow::sized(7, 9), 45..61, 400),
        check_some(LongBroad::sized(9, 9), 63..79, 400),
    ]);
}
