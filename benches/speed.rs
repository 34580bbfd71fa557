//! Times by Criterion: the functions of all lists over the stream of boards, probes and stores, and whole solves.
//!
//! `cargo bench --bench speed` runs all benchmarks, `cargo bench --bench speed -- threats/children` those that match
//! the pattern. With `-- --test` each is checked and runs once.
//!
//! Throughput is the time of one evaluation among independent ones, as when a node expands its children. Latency is the
//! time until a result is ready: each input depends on the result before it, by a bit that is always 0, which the
//! compiler does not know (`after`: an `and` and an `xor`, about two cycles). Every input and every result passes
//! through a register, so that the compiler does not vectorise the loop over the inputs.

mod boards;
mod lists;

use boards::{Form, Node, Streams, Undoing, checksum};
use c4lab_solver::game::{Board, Geometry, Position, Standard};
use c4lab_solver::search::{Goal, Limits, Options, registry};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use lists::tables::Layout;
use lists::{lines, nodes, tables};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Benchmarks a list of functions of a node.
macro_rules! time_list {
    ($group:ident in $list:ident: $( $name:ident = $sum:literal, $evaluate:expr; )+) => {
        fn $group(criterion: &mut Criterion, streams: &Streams) {
            use crate::$list::*;
            let mut group = criterion.benchmark_group(stringify!($group));
            $( time(&mut group, streams, (stringify!($name), $sum), $evaluate); )+
            group.finish();
        }
    };
}

/// Benchmarks a list of tables.
macro_rules! time_tables {
    ($group:ident in $list:ident: $( $name:ident = $table:ident, $size:ident, $key:ident; )+) => {
        fn $group(criterion: &mut Criterion) {
            $( time_table::<tables::$name>(criterion, stringify!($name)); )+
        }
    };
}

lines::wins!(time_list);
lines::threats!(time_list);
nodes::keys!(time_list);
nodes::order!(time_list);
nodes::storage!(time_list);
tables::probe!(time_tables);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let streams = boards::streams();
    for group in [wins, threats, keys, order, storage] {
        group(&mut criterion, &streams);
    }
    probe(&mut criterion);
    solve(&mut criterion);
    criterion.final_summary();
}

/// Times `evaluate` over independent inputs. Criterion prints the time of all inputs, and evaluations a second.
fn throughput<I: Copy>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    inputs: &[I],
    mut evaluate: impl FnMut(I) -> u64,
) {
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(format!("{name}/throughput"), |bencher| {
        bencher.iter(|| {
            for &input in inputs {
                black_box(evaluate(input));
            }
        });
    });
}

/// Times `evaluate` if each input waits for the result before it: `after` makes the input depend on a zero.
fn latency<I: Copy>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    inputs: &[I],
    after: impl Fn(I, u64) -> I,
    mut evaluate: impl FnMut(I) -> u64,
) {
    let zero = black_box(0);
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(format!("{name}/latency"), |bencher| {
        bencher.iter(|| inputs.iter().fold(0, |previous, &input| evaluate(after(input, previous & zero))));
    });
}

/// A form of nodes that can wait for a result.
trait After: Form {
    /// This node, dependent on `zero`, which is 0. The compiler must not know that, so that the node waits for it.
    fn after(self, zero: u64) -> Self;
}

impl<G: Geometry<Word = u64>> After for Node<G>
where
    Self: Form,
{
    /// The branch of the check is always predicted, so that it adds nothing to the latency.
    #[inline(always)]
    fn after(self, zero: u64) -> Self {
        let board = Board::from_stones(self.board.geometry(), self.board.mover() ^ zero, self.board.stones() ^ zero)
            .expect("a board");
        Node { board, moves: self.moves ^ zero }
    }
}

impl After for Undoing {
    #[inline(always)]
    fn after(self, zero: u64) -> Self {
        Undoing { boards: &self.boards[zero as usize..], moves: self.moves ^ zero }
    }
}

/// Checks one function by the checksum of its results over the stream, and times it.
fn time<N: After>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    streams: &Streams,
    (name, sum): (&str, u64),
    evaluate: impl Fn(N) -> u64 + Copy,
) {
    let stream = N::of(streams);
    let found = checksum(stream.iter().map(|&node| evaluate(node)));
    assert_eq!(found, sum, "{name}: the checksum of its results is {found:#018x}, not {sum:#018x}");
    throughput(group, name, stream, evaluate);
    latency(group, name, stream, N::after, evaluate);
}

// Probes and stores. `cached`: few keys, whose slots stay in the first or second cache. `random`: more slots than any
// cache holds, in an unpredictable order. The table holds all keys, and every answer is checked before the clock runs.
// Nothing waits for a store, so it has no latency.

const PATTERNS: [(&str, usize); 2] = [("cached", 256), ("random", 1 << 20)];

/// Pseudorandom keys of `bits` bits, at most 112, from a multiplicative generator.
fn random_keys(bits: u32, count: usize) -> Vec<u128> {
    let next = |state: &u64| state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    let states = std::iter::successors(Some(1u64), |state| Some(next(state)));
    let key = |state: u64| u128::from(state >> 15) | u128::from(next(&!state) >> 1) << 49;
    states.map(|state| key(state) & ((1 << bits) - 1)).take(count).collect()
}

fn time_table<L: Layout>(criterion: &mut Criterion, name: &str) {
    let mut group = criterion.benchmark_group("probe");
    for (pattern, count) in PATTERNS {
        group.sample_size(if count > 1000 { 20 } else { 100 });
        let (mut slots, known) = L::filled(&random_keys(L::KEY.bits(Standard::SIZE, Standard::STRIDE), count));
        let name = |what: &str| format!("{what}/{name}/{pattern}");
        throughput(&mut group, &name("probe"), &known, |key| L::probe(&slots, key));
        latency(&mut group, &name("probe"), &known, |key, zero| key ^ u128::from(zero), |key| L::probe(&slots, key));
        throughput(&mut group, &name("store"), &known, |key| {
            L::store(&mut slots, key);
            key as u64
        });
        assert!(known.iter().all(|&key| L::probe(&slots, key) == tables::answer(key)), "stored");
    }
    group.finish();
}

// Whole solves: some variants on fixed positions, with a cleared table. The answer of every iteration is checked.

macro_rules! cases {
    ($group:ident in $list:ident: $( $name:ident = $variant:literal, $moves:literal, $score:literal, $nodes:literal; )+) => {
        const CASES: &[(&str, &str, i32, u64)] = &[$( ($variant, $moves, $score, $nodes) ),+];
    };
}
tables::solve!(cases);

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
