//! Some variants on fixed positions, from a cleared table. Every iteration is checked: a wrong answer is no time.
//!
//! `cargo bench --bench solve`; with `-- --test` each runs once.

mod lists;
#[path = "lists/solve.rs"]
mod solve_list;

use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Options, registry};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};

macro_rules! cases {
    ($group:ident in $list:ident: $( $name:ident = $variant:literal, $moves:literal, $score:literal, $nodes:literal; )+) => {
        const CASES: &[(&str, &str, i32, u64)] = &[$( ($variant, $moves, $score, $nodes) ),+];
    };
}
solve_list::solve!(cases);

fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for &(variant, moves, score, nodes) in CASES {
        let position = Position::parse(moves).expect("legal moves");
        let mut solver = registry::find(variant).expect("registered").build(&Options::default()).expect("a table");
        group.bench_function(format!("{variant}/{moves}"), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut time = Duration::ZERO;
                for _ in 0..iterations {
                    solver.reset();
                    let start = Instant::now();
                    let answer = solver.solve(black_box(&position), Goal::Strong, &Limits::default());
                    time += start.elapsed();
                    let solved = answer.expect("no limit");
                    assert_eq!((solved.score, solved.nodes), (score, nodes), "{variant}, {moves}");
                }
                time
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
