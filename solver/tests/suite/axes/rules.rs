use crate::support::every;
use c4lab_solver::axes::rules::{Rule, Rules, stop_all};
use c4lab_solver::axes::zugzwang::Sides;
use c4lab_solver::game::{Geometry, Grid};
use c4lab_solver::search::oracle::Oracle;

fn check_all<G: Geometry, const W: usize, const H: usize>() {
    let (mut asked, mut draws, mut proven, mut oracle) = (0u64, 0u64, 0u64, Oracle::<W, H>::default());
    let mut needed = [0u64; 9];
    every::every::<G>(|position| {
        let board = position.board::<G>();
        if board.is_won() || board.is_full() || (G::CELLS - board.ply()) % 2 == 1 {
            return;
        }
        let sides = Sides { mover: board.mover(), opponent: board.opponent(), threats: 0 };
        let score = oracle.score(position.columns());
        asked += 1;
        draws += u64::from(score <= 0);
        if stop_all::<G>(sides, Rules::ALL) {
            assert!(score <= 0, "{score}\n{board}");
            proven += 1;
            for rule in Rule::ALL {
                needed[rule as usize] += u64::from(!stop_all::<G>(sides, Rules::ALL.without(rule)));
            }
        }
    });
    println!("{}: {asked} asked, {draws} at most 0, {proven} proven, needed {needed:?}", G::name());
}

#[test]
fn rules_hold_on_all_of_4x4() {
    check_all::<Grid<4, 4, 5>, 4, 4>();
}

#[test]
#[ignore = "long"]
fn rules_hold_on_all_of_5x4() {
    check_all::<Grid<5, 4, 5>, 5, 4>();
}

#[test]
#[ignore = "long"]
fn rules_hold_on_all_of_4x5() {
    check_all::<Grid<4, 5, 6>, 4, 5>();
}
