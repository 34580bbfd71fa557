//! Times by Criterion: the functions of all lists over the stream of boards.
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
use c4lab_solver::game::{Board, Geometry};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use lists::{lines, nodes};
use std::hint::black_box;

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

lines::wins!(time_list);
lines::threats!(time_list);
nodes::keys!(time_list);
nodes::order!(time_list);
nodes::storage!(time_list);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let streams = boards::streams();
    for group in [wins, threats, keys, order, storage] {
        group(&mut criterion, &streams);
    }
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
