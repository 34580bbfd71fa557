//! A target of libFuzzer: it runs the function with the name of this program.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (c4lab_fuzz::target(env!("CARGO_BIN_NAME")).1)(bytes));
