//! Properties of readers for any bytes, and of the champion for any late position. A target is a function over
//! bytes that panics if a property fails.
//!
//! libFuzzer runs the targets by `target.rs`, with a `[[bin]]` for each in `Cargo.toml`. `tests/suite/fuzzing.rs`
//! includes this file as a module and runs them with the stable compiler. `.ci/mutations` has the files of rows. A new
//! reader is a function here, a line in [`TARGETS`], a `[[bin]]`, and a folder of small examples in `corpus/`.

pub mod champion;
pub mod protocols;
pub mod readers;

/// A target: its name, the function that must not panic, and the number of cases of a test.
pub type Target = (&'static str, fn(&[u8]), u32);

pub const TARGETS: [Target; 7] = [
    ("notation", readers::notation, 20_000),
    ("test_set", readers::test_set, 20_000),
    ("experiment", readers::experiment, 10_000),
    ("attribution", readers::attribution, 10_000),
    ("claims", readers::claims, 10_000),
    ("engine", protocols::engine, 20_000),
    ("champion", champion::check, 200),
];

pub fn target(name: &str) -> Target {
    TARGETS.into_iter().find(|target| target.0 == name).unwrap_or_else(|| panic!("no target {name}"))
}
