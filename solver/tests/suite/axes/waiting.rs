//! Waiting moves: the rule is compared with exact scores, of the oracle or of a search without it.

use crate::support::draw::Draw;
use crate::support::positions;
use c4lab_solver::axes::lines::laned::Laned;
use c4lab_solver::axes::table::slots::{Slots, Wide};
use c4lab_solver::axes::waiting::{decides_nothing, idle};
use c4lab_solver::game::any_board::{LongBroad, LongNarrow, Narrow};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{Geometry, Grid, Position, Standard, Word};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{Pons12TableWide, build_on};
use c4lab_solver::search::{Goal, Limits, Options};

/// The positions with waiting moves, and those where they decide nothing for some bound.
type Found = [u64; 2];

/// All waiting moves have one score, and where they decide nothing the other moves reach what a node is tested for.
fn check<G: Geometry<Word: Laned>>(g: G, position: &Position, score: &mut impl FnMut(&Position) -> Score) -> Found {
    let board = position.board(g);
    if board.is_won() || board.is_full() {
        return [0; 2];
    }
    let idle = idle(g, [board.mover(), board.opponent()], board.playable());
    if idle.is_empty() {
        return [0; 2];
    }
    let [mut waiting, mut others] = [Vec::new(), vec![-g.size().limit() - 1]];
    for column in (0..g.width()).filter(|&column| position.can_play(column)) {
        let mut after = position.clone();
        after.play(column).expect("it can be played");
        let scores = if (g.column(column) & idle).has_any() { &mut waiting } else { &mut others };
        scores.push(-score(&after));
    }
    assert!(waiting.iter().all(|score| *score == waiting[0]), "{}, {position}: {waiting:?}", g.name());
    let (other, all) = (*others.iter().max().expect("one"), score(position));
    let bounds: Vec<Score> = (-1..=1).filter(|&alpha| decides_nothing(idle, board.empty(), alpha)).collect();
    for alpha in &bounds {
        let most = other.max(*alpha.min(&0));
        assert!(all <= most, "{}, {position}, {alpha}: {all}, and without waiting {other}", g.name());
    }
    [1, u64::from(!bounds.is_empty())]
}

fn sum(found: impl Iterator<Item = Found>) -> Found {
    found.fold([0; 2], |[waiting, even], [one, other]| [waiting + one, even + other])
}

/// Every position of a board, by the oracle.
fn check_all<const W: usize, const H: usize>(g: impl Geometry<Word: Laned>) -> Found {
    let (mut found, mut oracle) = (Vec::new(), Oracle::<W, H>::default());
    let size = g.size();
    let mut score = |position: &Position| match position.is_won() {
        true => -size.win_at(position.ply() - 1),
        false => oracle.score(position.columns()),
    };
    positions::every(g, |position| found.push(check(g, position, &mut score)));
    sum(found.into_iter())
}

/// `count` random positions of each ply, by a search that knows no waiting moves.
fn check_some(g: impl Geometry<Word: Laned>, plies: std::ops::Range<u32>, count: usize) -> Found {
    let options = Options { board: g.size(), ..Options::with_tt(16 << 20) };
    let mut solver = build_on::<_, Slots<Wide<u16>>>(Pons12TableWide, g, &options).expect("a table");
    let mut score =
        |position: &Position| solver.solve(position, Goal::Strong, &Limits::default()).expect("no limit").score;
    let mut draw = Draw::new(2, "claims");
    let positions = plies.flat_map(|ply| vec![ply; count]).map(|ply| positions::random(g.size(), &mut draw, ply));
    sum(positions.map(|position| check(g, &position, &mut score)))
}

fn assert_found(boards: &[Found]) {
    println!("{boards:?}");
    assert!(boards.iter().all(|found| found.iter().all(|&count| count > 0)), "{boards:?}");
}

#[test]
fn waiting_moves_are_alike_on_all_of_small_boards() {
    assert_found(&[
        check_all::<4, 4>(Narrow::sized(4, 4)),
        check_all::<4, 3>(Grid::<4, 3, 4>::NEW),
        check_all::<5, 3>(Grid::<5, 3, 4>::NEW),
    ]);
}

#[test]
#[ignore = "every position of 5x4, of 6x3 and of 4x5 takes long"]
fn waiting_moves_are_alike_on_all_of_larger_boards() {
    assert_found(&[
        check_all::<5, 4>(Narrow::sized(5, 4)),
        check_all::<6, 3>(Grid::<6, 3, 4>::NEW),
        check_all::<4, 5>(Narrow::sized(4, 5)),
    ]);
}

/// Even and odd widths and heights, and boards of more than 64 bits.
#[test]
fn waiting_moves_are_alike_on_random_boards() {
    assert_found(&[
        check_some(Standard::NEW, 20..42, 300),
        check_some(Narrow::sized(5, 5), 10..25, 300),
        check_some(Narrow::sized(6, 5), 14..30, 200),
        check_some(Narrow::sized(5, 6), 14..30, 200),
        check_some(Narrow::sized(7, 7), 33..49, 100),
        check_some(LongNarrow::sized(8, 8), 48..64, 100),
        check_some(LongBroad::sized(9, 9), 65..81, 100),
    ]);
}
