#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| c4lab_fuzz::experiment::check(bytes));
