//! Timing a list of functions of a node over the stream of boards, each checked before it is timed.

use super::boards::{Node, checksum};
use super::timing::{latency, throughput};
use c4lab::game::Board;
use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

/// The same node where `zero` is 0, which the compiler must not know: the node then waits for it. The check within is
/// a branch that is always predicted, so that it adds nothing to the time until a result is there.
#[inline(always)]
fn after(node: Node, zero: u64) -> Node {
    let board = Board::from_stones(node.board.mover() ^ zero, node.board.stones() ^ zero).expect("a board");
    Node { board, moves: node.moves ^ zero }
}

/// Checks one function by the checksum of its results over the stream, and times it.
pub(crate) fn time(
    group: &mut BenchmarkGroup<'_, WallTime>,
    stream: &[Node],
    (name, sum): (&str, u64),
    evaluate: impl Fn(Node) -> u64 + Copy,
) {
    let found = checksum(stream.iter().map(|&node| evaluate(node)));
    assert_eq!(found, sum, "{name}: the checksum of its results is {found:#018x}, not {sum:#018x}");
    throughput(group, name, stream, evaluate);
    latency(group, name, stream, after, evaluate);
}

/// The program that times a list.
macro_rules! time_list {
    ($group:ident: $( $name:ident = $sum:literal, $evaluate:expr; )+) => {
        fn $group(criterion: &mut criterion::Criterion) {
            let stream = boards::nodes();
            let mut group = criterion.benchmark_group(stringify!($group));
            $( nodes::time(&mut group, &stream, (stringify!($name), $sum), $evaluate); )+
            group.finish();
        }

        criterion::criterion_group!(benches, $group);
        criterion::criterion_main!(benches);
    };
}
pub(crate) use time_list;
