//! The lists: a line for every benchmarked evaluator. `speed` times the functions of these lists, `instructions` counts
//! them.

pub(crate) mod lines;
pub(crate) mod nodes;

/// Calls a macro with a list: its group, its module, and its lines. Blocks of lines for any build alternate with blocks
/// for builds with real vectors: emulated vectors are neither timed nor counted.
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
