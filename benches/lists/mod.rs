//! The lists: every evaluator that is benchmarked, a line each. What times and what counts read the same lists.

pub(crate) mod lines;
pub(crate) mod nodes;
pub(crate) mod tables;

/// Hands a list to a macro: its group, its module, and its lines. Blocks of lines that any build runs alternate with
/// blocks that only a build with real vectors runs: emulated ones are neither timed nor counted.
#[cfg(all(feature = "simd", target_feature = "avx2"))]
macro_rules! hand {
    ($each:ident $group:ident in $list:ident: $( { $($scalar:tt)* } vectors { $($vector:tt)* } )+) => {
        $each! { $group in $list: $( $($scalar)* $($vector)* )+ }
    };
}

#[cfg(not(all(feature = "simd", target_feature = "avx2")))]
macro_rules! hand {
    ($each:ident $group:ident in $list:ident: $( { $($scalar:tt)* } vectors { $($vector:tt)* } )+) => {
        $each! { $group in $list: $( $($scalar)* )+ }
    };
}
pub(crate) use hand;
