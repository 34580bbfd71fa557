//! The counted functions: every list, as library benchmarks of gungraun.
//!
//! The id of a benchmark, `nodes_4096`, has its number of evaluations.

use super::boards::{Form, Streams, add, streams};
use super::{lines, nodes};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

/// The result of a benchmark for its check: the checksum of its results, and the expected one. The rest is kept so that
/// it is not dropped while instructions are counted.
struct Counted<T> {
    found: u64,
    expected: u64,
    _kept: T,
}

fn must_agree<T>(Counted { found, expected, .. }: Counted<T>) {
    assert_eq!(found, expected, "the checksum of the results is {found:#018x}, not {expected:#018x}");
}

fn stream(sum: u64) -> (Streams, u64) {
    (streams(), sum)
}

#[inline(always)]
fn evaluate<N: Form>((streams, expected): (Streams, u64), function: impl Fn(N) -> u64) -> Counted<Streams> {
    let found = N::of(&streams).iter().fold(0, |sum, &node| add(sum, function(node)));
    Counted { found, expected, _kept: streams }
}

macro_rules! count_list {
    ($group:ident in $list:ident: $( $name:ident = $sum:literal, $function:expr; )+) => {
        $(
            #[library_benchmark]
            #[bench::nodes_4096(args = ($sum), setup = stream, teardown = must_agree)]
            fn $name(stream: (Streams, u64)) -> Counted<Streams> {
                use crate::$list::*;
                evaluate(stream, $function)
            }
        )+
        library_benchmark_group!(name = $group, benchmarks = [$($name),+]);
    };
}

macro_rules! overhead {
    ($each:ident) => {
        $each! {
            overhead in lines:
            stream_alone = 0x42df_5b29_16a0_2947, |node: Node| node.board.stones();
        }
    };
}

overhead!(count_list);
lines::wins!(count_list);
lines::threats!(count_list);
nodes::keys!(count_list);
nodes::order!(count_list);
nodes::storage!(count_list);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = [overhead, wins, threats, keys, order, storage]
);

/// Runs the program of gungraun, which calls the runner or is called by it.
pub(crate) fn run() {
    main();
}

/// Runs the function that `speed` does not have once, without Valgrind, and checks it.
pub(crate) fn check() {
    macro_rules! check_list {
        ($group:ident in $list:ident: $( $name:ident = $sum:literal, $function:expr; )+) => { $( {
            use crate::$list::*;
            println!("Testing {}/{}", stringify!($group), stringify!($name));
            must_agree(evaluate(stream($sum), $function));
        } )+ };
    }
    overhead!(check_list);
}
