//! Timing a list of functions of a node over the stream of boards, each checked before it is timed.

use super::boards::{Form, Node, Streams, Undoing, checksum};
use super::timing::{latency, throughput};
use c4lab_solver::game::{Board, Geometry};
use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

pub(crate) trait After: Form {
    /// The same node where `zero` is 0, which the compiler must not know: the node then waits for it.
    fn after(self, zero: u64) -> Self;
}

impl<G: Geometry<Word = u64>> After for Node<G>
where
    Self: Form,
{
    /// The check within is a branch that is always predicted: it adds nothing to the time until a result is there.
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
pub(crate) fn time<N: After>(
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

macro_rules! time_list {
    ($group:ident in $list:ident: $( $name:ident = $sum:literal, $evaluate:expr; )+) => {
        fn $group(criterion: &mut criterion::Criterion) {
            use crate::$list::*;
            let streams = boards::streams();
            let mut group = criterion.benchmark_group(stringify!($group));
            $( nodes::time(&mut group, &streams, (stringify!($name), $sum), $evaluate); )+
            group.finish();
        }

        criterion::criterion_group!(benches, $group);
        criterion::criterion_main!(benches);
    };
}
pub(crate) use time_list;
