//! Points of the option space against the naive oracle: every pair of options, and some hundred random points
//! (`support/space.rs`). A new arm of an axis is included without a change here.

use crate::support::positions::{Case, cases};
use crate::support::space::solver;
use crate::support::{positions, space};
use c4lab_solver::axes::{Storage, TableSize};
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::any_board::Narrow;
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{PONS_07, PONS_10, PONS_11, PONS_12};
use c4lab_solver::search::{Goal, Limits, Solve, Spec, Stopped};

/// The node limit of a weak point, on positions with more than [`FEW`] empty squares.
const NODES: Limits<'static> = Limits { nodes: Some(30_000), time: None, interrupt: None };
/// With this many empty squares or fewer, every point must finish.
const FEW: u32 = 8;
/// A table that small boards fill many times over.
const TINY: u64 = 4 << 10;
/// About the smallest table that every layout accepts for the standard board.
const SMALL: u64 = 1 << 20;

fn four() -> BoardSize {
    BoardSize::new(4, 4).expect("a board")
}

/// Checks both goals of every case; `cold` clears the table each time.
fn agree(solver: &mut dyn Solve, spec: Spec, cases: &[Case], cold: bool) {
    let mut answered = 0;
    for (case, goal) in cases.iter().flat_map(|case| spec.goals().iter().map(move |&goal| (case, goal))) {
        if cold {
            solver.reset();
        }
        let position = &case.position;
        match solver.solve(position, goal, &NODES) {
            Ok(solved) => {
                assert_eq!(solved.score, goal.of(case.score), "{spec}, {}, {position}, cold: {cold}", goal.name());
                answered += 1;
            }
            Err(stopped) => assert!(position.size().cells() - position.ply() > FEW, "{spec}, {position}: {stopped}"),
        }
    }
    let asked = spec.goals().len() * cases.len();
    assert!(answered >= asked / 2, "{spec}: only {answered} of {asked} answered");
}

/// The points with a table of the size that the test chooses, first cold, then warm.
fn small_points_agree(cases: &[Case]) {
    for spec in space::points().filter(|spec| spec.table_size == TableSize::Chosen) {
        let Some(mut solver) = solver(cases[0].position.size(), spec, TINY) else { continue };
        agree(&mut *solver, spec, cases, true);
        agree(&mut *solver, spec, cases, false);
    }
}

#[test]
fn points_agree_on_4x4_at_every_ply() {
    small_points_agree(&cases::<4, 4>(0..=16, 1));
}

#[test]
#[ignore = "as many again at every ply"]
fn points_agree_on_more_of_4x4() {
    small_points_agree(&cases::<4, 4>(0..=16, 4));
}

#[test]
fn points_agree_on_5x4() {
    small_points_agree(&cases::<5, 4>(8..=20, 1));
}

/// Includes the points with tables of published size. Such a table takes 64 MB: each is built once, and stays warm.
#[test]
fn all_points_agree_late_on_7x6() {
    let cases = cases::<7, 6>(30..=42, 1);
    for spec in space::points() {
        let mut solver = solver(BoardSize::STANDARD, spec, SMALL).expect("both layouts");
        if spec.table_size == TableSize::Chosen {
            agree(&mut *solver, spec, &cases, true);
        }
        agree(&mut *solver, spec, &cases, false);
    }
}

/// A test of any bound, even one beyond all scores, is right, and leaves the table right.
#[test]
fn exceeding_a_bound_is_having_a_higher_score() {
    let cases = cases::<4, 4>(8..=16, 1);
    let reach = four().limit() + 2;
    for spec in space::points().filter(|spec| spec.table_size == TableSize::Chosen) {
        let mut solver = solver(four(), spec, TINY).expect("both layouts");
        for case in &cases {
            for bound in (-reach..=reach).chain([i32::MIN, -100, 100, i32::MAX]) {
                let exceeds = solver.exceeds(&case.position, bound, &Limits::default());
                let answers = spec.goals().contains(&Goal::Strong) || (-1..=0).contains(&bound);
                let expected = if answers { Ok(case.score > bound) } else { Err(Stopped::OtherGoal) };
                assert_eq!(exceeds, expected, "{spec}, {}, {bound}", case.position);
            }
        }
        agree(&mut *solver, spec, &cases, false);
    }
}

fn all_of_4x4() -> Vec<Case> {
    let mut oracle = Oracle::<4, 4>::default();
    let mut cases = Vec::new();
    let seen = positions::every(Narrow::sized(4, 4), |position| {
        cases.push(Case { score: oracle.score(position.columns()), position: position.clone() });
    });
    // M. Boeck, arXiv 2507.05267.
    assert_eq!(seen, 161_029);
    cases
}

#[test]
fn strong_points_agree_on_all_of_4x4() {
    strong_points_agree(6, 60);
}

#[test]
#[ignore = "every position again with an empty table"]
fn strong_points_agree_on_all_of_4x4_from_empty_tables() {
    strong_points_agree(1, 1);
}

/// Every `warm`-th position with a table that fills; then every `cold`-th with an empty table.
fn strong_points_agree(warm: usize, cold: usize) {
    let cases = all_of_4x4();
    let array = Spec { storage: Storage::Array, ..PONS_07 };
    let changed = [
        "table=wide,key=colorless",
        "table=wide,key=colorless-mirror,layout=spaced",
        "key=mirror,storage=make-undo",
        "table=hashed,key=colorless,anticipation=both",
        "anticipation=none,bounds=both,order=centre",
        "anticipation=winning-squares",
        "pruning=minimax,bounds=none,root=window,table=full,table-bounds=score,key=mirror,anticipation=none",
        "zugzwang=odd-threat,enhanced-cutoffs=deep,order=weighted,root=step",
        "table=buckets,table-bounds=both,zugzwang=blocked,enhanced-cutoffs=all,root=ends",
        "search=children,table=buckets,table-bounds=both,zugzwang=distance,key=mirror,order=weighted",
        "search=children,table=none,table-bounds=none,zugzwang=odd-threat,root=step",
        "search=children,table=buckets,table-bounds=both,zugzwang=horizon,order=sides,enhanced-cutoffs=together,root=extremes,key=mirror-early",
        "search=children,threats=dispatched,table=buckets,table-bounds=both,zugzwang=horizon,order=replies,enhanced-cutoffs=together,root=ends",
        "search=children,table=wide,zugzwang=sums,order=lines,enhanced-cutoffs=together,key=mirror,root=extremes,late=bare",
        "zugzwang=horizon,order=weighted,root=extremes",
        "order=squares,table=two-level,key=mirror-ten",
        "search=fhourstones,bounds=none,root=window,order=squares,table=two-level,key=mirror-ten",
        "search=fhourstones,bounds=none,root=window,order=weighted,table=wide,key=mirror",
        "search=fhourstones,bounds=none,root=window,order=centre,table=none,table-bounds=none,threats=halves",
    ];
    let changed = changed.map(|changes| {
        Spec::parse(&format!("table-size=chosen,{changes}"), PONS_12)
            .unwrap_or_else(|error| panic!("{changes}: {error}"))
    });
    for spec in [PONS_10, PONS_11, PONS_12, array].into_iter().chain(changed) {
        let spec = Spec { table_size: TableSize::Chosen, ..spec };
        let mut solver = solver(four(), spec, 64 << 10).expect("both layouts");
        for (case, goal) in
            cases.iter().step_by(warm).flat_map(|case| spec.goals().iter().map(move |&goal| (case, goal)))
        {
            let warm = solver.solve(&case.position, goal, &Limits::default()).expect("no limit");
            assert_eq!(warm.score, goal.of(case.score), "{spec}, {}, {}, warm", goal.name(), case.position);
        }
        for (case, goal) in
            cases.iter().step_by(cold).flat_map(|case| spec.goals().iter().map(move |&goal| (case, goal)))
        {
            solver.reset();
            let cold = solver.solve(&case.position, goal, &Limits::default()).expect("no limit");
            assert_eq!(cold.score, goal.of(case.score), "{spec}, {}, {}, cold", goal.name(), case.position);
        }
    }
}
