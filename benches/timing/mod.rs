//! Timing: one function over a list of inputs, by throughput and by latency.
//!
//! Throughput is the time of one evaluation among others that do not wait for it, as when a node expands its children.
//! Latency is the time until a result is there: each input is changed by the result before it, by a bit that is always
//! 0 and that the compiler does not know (`after`: an `and` and an `xor`, about two cycles). Every input and every
//! result passes through a register, so that no loop over the inputs becomes vector code by itself.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Throughput};
use std::hint::black_box;

/// Times `evaluate` over independent inputs. Criterion prints evaluations a second beside the time of all.
pub(crate) fn throughput<I: Copy>(
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

/// Times `evaluate` where each input waits for the result before it: `after` makes an input from one and a zero.
pub(crate) fn latency<I: Copy>(
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
