//! Checks of the machine before anything else, so that the program ends with a message and not with a signal: that this
//! CPU has the instructions that the binary was compiled for, and that the stack is large enough.
//! `is_x86_feature_detected!` is true for every feature enabled at compile time, so CPUID is read here.

use rustix::process::{Resource, getrlimit};

/// A message that names a missing CPU feature; `None` if the CPU has all of them.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn missing() -> Option<&'static str> {
    use std::arch::x86_64::__cpuid;
    let basic = __cpuid(1).ecx;
    let extended = if __cpuid(0).eax >= 7 { std::arch::x86_64::__cpuid_count(7, 0).ebx } else { 0 };
    let more = if __cpuid(0x8000_0000).eax >= 0x8000_0001 { __cpuid(0x8000_0001).ecx } else { 0 };
    macro_rules! need {
        ($( $name:literal: $register:ident $bit:literal, )+) => {
            $( if cfg!(target_feature = $name) && $register & (1 << $bit) == 0 {
                return Some(concat!(
                    "this binary was compiled for CPUs with ", $name, ", which this one lacks; build for it with ",
                    "RUSTFLAGS=\"-C target-cpu=native\" cargo build --release"
                ));
            } )+
        };
    }
    // Bits as in the Intel manual, volume 2A, CPUID.
    need! {
        "sse3": basic 0,
        "ssse3": basic 9,
        "fma": basic 12,
        "sse4.1": basic 19,
        "sse4.2": basic 20,
        "movbe": basic 22,
        "popcnt": basic 23,
        "avx": basic 28,
        "f16c": basic 29,
        "lzcnt": more 5,
        "bmi1": extended 3,
        "avx2": extended 5,
        "bmi2": extended 8,
        "avx512f": extended 16,
        "avx512dq": extended 17,
        "avx512cd": extended 28,
        "avx512bw": extended 30,
        "avx512vl": extended 31,
    }
    None
}

#[cfg(not(target_arch = "x86_64"))]
pub fn missing() -> Option<&'static str> {
    None
}

/// The least stack of the main thread, in KiB.
const STACK: u64 = 512;

/// A message about a stack that would overflow; `None` if it is large enough.
#[inline(never)]
pub fn short_of_stack() -> Option<String> {
    let limit = getrlimit(Resource::Stack).current? >> 10;
    (limit < STACK).then(|| format!("a stack of {limit} KiB is too small: ulimit -s {STACK}, or more"))
}
