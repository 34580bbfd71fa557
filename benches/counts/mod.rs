//! The counted functions: every list, as library benchmarks of gungraun.
//!
//! The id of a benchmark has its number of evaluations: `nodes_4096` has 4096, any other id has one.

use super::boards::{self, COUNT, Form, Streams, add, checksum, streams};
use super::tables::{Layout, answer};
use super::{lines, nodes, tables};
use c4lab_solver::axes::Wins;
use c4lab_solver::axes::table::key;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Options, Solve, registry};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use std::hint::black_box;

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

/// A key of the table for each node of the stream, and the expected checksum of the answers of probes.
fn table<L: Layout>() -> (L::Table, Vec<u128>, u64) {
    let keys: Vec<u128> = boards::nodes().iter().map(|node| key::of(L::KEY, Wins::TwoShifts, node.board)).collect();
    let (slots, known) = L::filled(&keys);
    let known: Vec<u128> = known.into_iter().cycle().take(COUNT).collect();
    let expected = checksum(known.iter().map(|&key| answer(key)));
    (slots, known, expected)
}

#[inline(always)]
fn probe_all<L: Layout>((slots, keys, expected): (L::Table, Vec<u128>, u64)) -> Counted<(L::Table, Vec<u128>)> {
    let found = keys.iter().fold(0, |sum, &key| add(sum, L::probe(&slots, key)));
    Counted { found, expected, _kept: (slots, keys) }
}

/// A whole solve: solver, position, expected score and nodes.
type Case = (Box<dyn Solve>, Position, i32, u64);

fn case(variant: &str, moves: &str, score: i32, nodes: u64) -> Case {
    let solver = registry::find(variant).expect("registered").build(&Options::default()).expect("a table");
    (solver, Position::parse(moves).expect("legal moves"), score, nodes)
}

#[inline(always)]
fn solve_one((mut solver, position, score, nodes): Case) -> Box<dyn Solve> {
    let solved = solver.solve(black_box(&position), Goal::Strong, &Limits::default()).expect("no limit");
    assert_eq!((solved.score, solved.nodes), (score, nodes), "{position}");
    solver
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

macro_rules! count_tables {
    ($group:ident in $list:ident: $( $name:ident = $table:ident, $size:ident, $key:ident; )+) => {
        $(
            #[library_benchmark]
            #[bench::nodes_4096(setup = table::<tables::$name>, teardown = must_agree)]
            fn $name(
                table: (<tables::$name as Layout>::Table, Vec<u128>, u64),
            ) -> Counted<(<tables::$name as Layout>::Table, Vec<u128>)> {
                probe_all::<tables::$name>(table)
            }
        )+
        library_benchmark_group!(name = $group, benchmarks = [$($name),+]);
    };
}

macro_rules! count_solves {
    ($group:ident in $list:ident: $( $name:ident = $variant:literal, $moves:literal, $score:literal, $nodes:literal; )+) => {
        $(
            #[library_benchmark]
            #[bench::cold(args = ($variant, $moves, $score, $nodes), setup = case)]
            fn $name(case: Case) -> Box<dyn Solve> {
                solve_one(case)
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
tables::probe!(count_tables);
tables::solve!(count_solves);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = [overhead, wins, threats, keys, order, storage, probe, solve]
);

/// Runs the program of gungraun, which calls the runner or is called by it.
pub(crate) fn run() {
    main();
}

/// Runs the functions that `speed` does not have once, without Valgrind, and checks them.
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
