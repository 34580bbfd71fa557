//! Threads that search one position together: after any work and any stop, every score is right.

use crate::support::positions::{Case, random_positions};
use c4lab_solver::axes::Order;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{self, ABLATIONS, CHAMPION, CHAMPION_SCALAR};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec, Stopped, Threads, ThreadsError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

/// Threads that join at the first node.
fn at_once(count: u32) -> Threads {
    Threads { alone: 0, ..Threads::of(count) }
}

fn champion(threads: Threads) -> Box<dyn Solve> {
    let mut solver =
        registry::find("champion").expect("it is there").build(&Options::with_tt(1 << 20)).expect("a table");
    solver.use_threads(threads).expect("threads");
    solver
}

fn some(plies: std::ops::RangeInclusive<u32>, step: usize, most: usize) -> Vec<Case> {
    let all = random_positions().into_iter().flatten().filter(|known| plies.contains(&known.position.ply()));
    all.step_by(step).take(most).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_scores() {
    let positions = some(12..=20, 61, 40);
    assert_eq!(positions.len(), 40);
    for count in [2, 3, 8] {
        let mut solver = champion(at_once(count));
        assert_eq!(solver.threads(), count);
        for (index, known) in positions.iter().enumerate() {
            // Every second time with a warm table.
            if index % 2 == 0 {
                solver.reset();
            }
            let (position, goal) = (&known.position, Goal::ALL[index / 2 % 2]);
            let solved = solver.solve(position, goal, &NONE).expect("no limit");
            assert_eq!(solved.score, goal.of(known.score), "{count} threads, {position}");
            for bound in [known.score - 1, known.score] {
                let above = solver.exceeds(position, bound, &NONE).expect("no limit");
                assert_eq!(above, known.score > bound, "{count} threads, {position}");
            }
        }
    }
}

/// On a board whose table has two words a slot, threads take its buckets in turn. The shared table of two threads has
/// only nodes that both search; that of more threads has all nodes, and grows.
#[test]
fn threads_are_right_on_a_board_of_more_than_64_bits() {
    let board = BoardSize::new(8, 8).expect("a board");
    let build = |threads| {
        let entry = registry::find("champion").expect("it is there");
        let mut solver = entry.build(&Options { board, ..Options::with_tt(4 << 20) }).expect("a table");
        solver.use_threads(threads).expect("threads");
        solver
    };
    // Of the test set 8x8/middle-medium; one thread takes 90,000 to 630,000 nodes for each.
    let known = [
        ("4313474377751431336478433", 1),
        ("734784243671844234131657", -6),
        ("4414445224371657641241", 6),
        ("666546717835336233354877", 4),
        ("4288387126347413643567421475215583", -1),
        ("888211841763221134178148236772", 2),
        ("588155233185854856888667", 0),
        ("33711781335227315835882", -6),
    ];
    let known = known.map(|(moves, score)| Case { position: Position::parse_on(board, moves).expect(moves), score });
    for count in [2, 3, 8] {
        let mut solver = build(at_once(count));
        for (index, known) in known.iter().enumerate() {
            // Every second time with a warm table.
            if index % 2 == 0 {
                solver.reset();
            }
            let solved = solver.solve(&known.position, Goal::Strong, &NONE).expect("no limit");
            assert_eq!(solved.score, known.score, "{count} threads, {}", known.position);
        }
    }
}

/// The table grows during the search, which enters more nodes than a small table waits for.
#[test]
fn a_long_search_is_right_and_leaves_no_trace() {
    let position = Position::parse("44444221").expect("moves");
    let alone = champion(Threads::of(1)).solve(&position, Goal::Strong, &NONE).expect("no limit");
    assert!(alone.nodes > 300_000, "{alone:?}");
    let mut solver = champion(at_once(4));
    assert_eq!(solver.solve(&position, Goal::Strong, &NONE).expect("no limit").score, alone.score);
    // Cleared, on one thread, it takes the nodes of a search on one thread.
    solver.use_threads(Threads::of(1)).expect("one thread");
    solver.reset();
    assert_eq!(solver.solve(&position, Goal::Strong, &NONE), Ok(alone));
    // A search with fewer nodes than its first thread enters alone is that of one thread.
    let mut patient = champion(Threads::of(4).for_long_searches());
    assert_eq!(patient.solve(&position, Goal::Strong, &NONE), Ok(alone));
}

/// Stopped at any point, by any limit: no more nodes than allowed, and the next search is right with the table left.
#[test]
fn stopped_threads_leave_a_table_that_gives_right_scores() {
    let positions = some(13..=18, 41, 50);
    let (mut stopped, mut seed) = (0, 7u64);
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let mut solver = champion(at_once(3));
    for known in &positions {
        solver.reset();
        for _ in 0..4 {
            let most = 1 + draw(5_000);
            match solver.solve(&known.position, Goal::Strong, &Limits { nodes: Some(most), ..NONE }) {
                Ok(solved) => assert!(solved.score == known.score && solved.nodes <= most, "{solved:?}"),
                Err(Stopped::Nodes(nodes)) => {
                    assert!(nodes <= most && nodes + 3 * 256 >= most, "{nodes} of {most}");
                    stopped += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        let flag = AtomicBool::new(false);
        let wait = Duration::from_micros(draw(800));
        let limits = Limits { interrupt: Some(&flag), ..NONE };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(wait);
                flag.store(true, Ordering::Relaxed);
            });
            solver.solve(&known.position, Goal::Strong, &limits)
        });
        assert!(
            answer.is_ok_and(|solved| solved.score == known.score) || matches!(answer, Err(Stopped::Interrupted(_)))
        );
        let _ = solver.solve(&known.position, Goal::Strong, &Limits { time: Some(wait), ..NONE });
        let after = solver.solve(&known.position, Goal::Strong, &NONE).expect("no limit");
        assert_eq!(after.score, known.score, "{}", known.position);
    }
    assert!(stopped > 50, "{stopped}");
}

#[test]
fn what_has_no_threads_says_why() {
    let build = |name: &str, options: &Options| registry::find(name).expect(name).build(options).expect(name);
    let standard = Options::with_tt(1 << 20);
    let mut champion = build("champion", &standard);
    for count in [0, 257, 1000, u32::MAX] {
        assert_eq!(champion.use_threads(Threads::of(count)), Err(ThreadsError::Count(count)));
    }
    assert_eq!(build("pons-12", &standard).use_threads(Threads::of(2)), Err(ThreadsError::Search));
    let full = Spec::parse("table=full,table-bounds=either", CHAMPION_SCALAR).expect("they go together");
    assert_eq!(
        registry::build(full, &standard).expect("a table").use_threads(Threads::of(2)),
        Err(ThreadsError::Table)
    );
    let named = build("champion-order-centre", &standard).use_threads(Threads::of(2));
    assert_eq!(named, Err(ThreadsError::Variant));
    let centre = Spec { order: Order::Centre, ..CHAMPION };
    let at_run_time = registry::build(centre, &standard);
    let of_choice = if ABLATIONS { Ok(()) } else { Err(ThreadsError::Variant) };
    assert_eq!(at_run_time.expect("a table").use_threads(Threads::of(2)), of_choice);
    for name in ["champion", "pons-12"] {
        assert_eq!(build(name, &standard).use_threads(Threads::of(1)), Ok(()));
    }
    // More than there are cores.
    assert_eq!(champion.use_threads(Threads::of(256)), Ok(()));
    let position = Position::parse("44444221").expect("moves");
    assert_eq!(champion.solve(&position, Goal::Weak, &NONE).expect("no limit").score, 1);
}
