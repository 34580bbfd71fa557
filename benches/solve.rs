//! Three rungs on fixed positions, from a cleared table. Every iteration is checked: a wrong answer is no time.
//!
//! `cargo bench --bench solve`; with `-- --test` each runs once.

use c4lab::game::Position;
use c4lab::solve::{Goal, Limits, Options, registry};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A variant, a position, its exact score, and the nodes that the variant takes.
const CASES: [(&str, &str, i32, u64); 4] = [
    ("pons-06", "5551357246243572524317677", 5, 603),
    ("pons-09", "41357411232772432666", 2, 58_591),
    ("pons-12", "41357411232772432666", 2, 18_862),
    ("pons-12", "113541175777156", -4, 27_086),
];

fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for (variant, moves, score, nodes) in CASES {
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
