//! Claims: every bound that they prove is held against exact scores, of the oracle or of a search without claims.

#[path = "common/draws.rs"]
mod draws;
#[path = "common/every.rs"]
mod every;

use c4lab::axes::claims::{Claimant, at_most};
use c4lab::axes::{Axis, Claims, Table, TableSize, Threats, threats};
use c4lab::game::score::{self, Score};
use c4lab::game::{Board, Geometry, Grid, Standard};
use c4lab::lab::draw::Draw;
use c4lab::solve::oracle::Oracle;
use c4lab::solve::registry::PONS_12;
use c4lab::solve::{Dynamic, Engine, Goal, Limits, Options, Solver, Spec};

/// How often each value proved more than the one before it.
type Fired = [u64; Claims::ALL.len()];

/// A board as claims see it; `None` where they are not asked: the game is over, or the opponent has a four to complete
/// with the next stone.
fn claimant<G: Geometry>(board: Board<G>) -> Option<Claimant> {
    let threats = threats::winning_squares::<G>(Threats::Pairs, board.opponent(), board.empty());
    let asked = !board.is_won() && !board.is_full() && threats & board.playable() == 0;
    asked.then_some(Claimant { mover: board.mover(), opponent: board.opponent(), threats })
}

/// Whatever is asked, a bound holds and is no higher than asked for; and each value proves what the one before it proves.
fn check<G: Geometry>(board: Board<G>, claimant: Claimant, score: Score, fired: &mut Fired) {
    let limit = score::limit::<G>() + 2;
    for target in -limit..=limit {
        let mut before: Option<Score> = None;
        for (&claims, fired) in Claims::ALL.iter().zip(fired.iter_mut()) {
            let bound = at_most::<G>(claims, claimant, target);
            let holds = bound.is_none_or(|most| score <= most && most <= target);
            assert!(holds, "{}, {claims:?}, {target}: {bound:?}, and the score is {score}\n{board}", G::name());
            let stronger = before.is_none_or(|before| bound.is_some_and(|most| most <= before));
            assert!(stronger, "{}, {claims:?}, {target}: {bound:?} after {before:?}\n{board}", G::name());
            *fired += u64::from(bound != before);
            before = bound;
        }
    }
}

/// Every position of a board, by the oracle.
fn check_all<G: Geometry, const W: usize, const H: usize>() -> Fired {
    let (mut fired, mut oracle) = (Fired::default(), Oracle::<W, H>::default());
    every::every::<G>(|position| {
        if let Some(claimant) = claimant(position.board()) {
            check(position.board(), claimant, oracle.score(position.columns()), &mut fired);
        }
    });
    fired
}

/// So many random positions of each ply, by a search without claims.
fn check_some<G: Geometry>(plies: std::ops::Range<u32>, count: usize) -> Fired {
    let spec = Spec { table: Table::Wide, table_size: TableSize::Chosen, ..PONS_12 };
    let mut solver = Engine::new(Dynamic::<G>::new(spec), &Options { tt_bytes: 16 << 20 }).expect("a table");
    let (mut fired, mut draw) = (Fired::default(), Draw::new(1, "claims"));
    for ply in plies {
        for _ in 0..count {
            let position = draws::position::<G>(&mut draw, ply);
            if let Some(claimant) = claimant(position.board()) {
                let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
                check(position.board(), claimant, solved.score, &mut fired);
            }
        }
    }
    fired
}

/// On a board of odd height only dead lines prove anything; on others every value proves something, but none, and sums on
/// a board of 16 squares, where no score is left for two columns that end at threats.
fn assert_fired<G: Geometry>(fired: Fired) {
    println!("{}: {fired:?}", G::name());
    let values = match G::HEIGHT % 2 {
        0 if G::CELLS > 16 => 1..fired.len(),
        0 => 1..fired.len() - 1,
        _ => 1..2,
    };
    for (index, (claims, &fired)) in Claims::ALL.iter().zip(&fired).enumerate() {
        assert_eq!(fired > 0, values.contains(&index), "{}, {claims:?} proves more {fired} times", G::name());
    }
}

#[test]
fn claims_hold_on_all_of_4x4() {
    assert_fired::<Grid<4, 4, 5>>(check_all::<Grid<4, 4, 5>, 4, 4>());
}

#[test]
fn claims_hold_on_all_of_5x4() {
    assert_fired::<Grid<5, 4, 5>>(check_all::<Grid<5, 4, 5>, 5, 4>());
}

#[test]
fn claims_hold_on_6x4() {
    assert_fired::<Grid<6, 4, 5>>(check_some::<Grid<6, 4, 5>>(6..24, 1_000));
}

#[test]
fn claims_hold_on_7x4() {
    assert_fired::<Grid<7, 4, 5>>(check_some::<Grid<7, 4, 5>>(8..28, 1_000));
}

#[test]
fn claims_hold_on_4x6() {
    assert_fired::<Grid<4, 6, 7>>(check_some::<Grid<4, 6, 7>>(4..24, 1_000));
}

#[test]
fn claims_hold_on_7x6() {
    assert_fired::<Standard>(check_some::<Standard>(18..42, 1_000));
}

#[test]
fn claims_hold_on_8x6() {
    assert_fired::<Grid<8, 6, 7>>(check_some::<Grid<8, 6, 7>>(24..48, 500));
}

#[test]
fn claims_hold_on_boards_of_odd_height() {
    assert_fired::<Grid<5, 5, 6>>(check_some::<Grid<5, 5, 6>>(6..25, 1_000));
    assert_fired::<Grid<4, 5, 6>>(check_some::<Grid<4, 5, 6>>(6..20, 1_000));
}
