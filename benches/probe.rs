//! Probes and stores in every table of `lists/probe.rs`, throughput and latency apart.
//!
//! `cached`: few keys, whose slots stay in the first or second cache. `random`: more slots than any cache holds, in
//! an order that nothing can foresee. All keys are known, and every answer is checked before the clock runs. Nothing
//! waits for a store, so that it has no latency.
//!
//! `cargo bench --bench probe`; with `-- --test` each is checked and runs once.

mod lists;
#[path = "lists/probe.rs"]
mod probe_list;
mod timing;

use c4lab_solver::game::Standard;
use criterion::{Criterion, criterion_group, criterion_main};
use probe_list::Layout;
use timing::{latency, throughput};

const PATTERNS: [(&str, usize); 2] = [("cached", 256), ("random", 1 << 20)];

/// Keys of so many bits, up to 112, without a pattern, from a multiplicative generator.
fn keys(bits: u32, count: usize) -> Vec<u128> {
    let next = |state: &u64| state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    let states = std::iter::successors(Some(1u64), |state| Some(next(state)));
    let key = |state: u64| u128::from(state >> 15) | u128::from(next(&!state) >> 1) << 49;
    states.map(|state| key(state) & ((1 << bits) - 1)).take(count).collect()
}

fn time<L: Layout>(criterion: &mut Criterion, name: &str) {
    let mut group = criterion.benchmark_group("probe");
    for (pattern, count) in PATTERNS {
        group.sample_size(if count > 1000 { 20 } else { 100 });
        let (mut slots, known) = L::filled(&keys(L::KEY.bits(Standard::SIZE, Standard::STRIDE), count));
        let name = |what: &str| format!("{what}/{name}/{pattern}");
        throughput(&mut group, &name("probe"), &known, |key| L::probe(&slots, key));
        latency(&mut group, &name("probe"), &known, |key, zero| key ^ u128::from(zero), |key| L::probe(&slots, key));
        throughput(&mut group, &name("store"), &known, |key| {
            L::store(&mut slots, key);
            key as u64
        });
        assert!(known.iter().all(|&key| L::probe(&slots, key) == probe_list::answer(key)), "stored");
    }
    group.finish();
}

macro_rules! time_tables {
    ($group:ident in $list:ident: $( $name:ident = $table:ident, $size:ident, $key:ident; )+) => {
        fn $group(criterion: &mut Criterion) {
            $( time::<probe_list::$name>(criterion, stringify!($name)); )+
        }
    };
}
probe_list::probe!(time_tables);

criterion_group!(benches, probe);
criterion_main!(benches);
