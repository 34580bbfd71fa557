//! What every reader holds for any bytes, and the champion on any late position. A target is a file: a plain function over bytes that
//! panics where something does not hold.
//!
//! Two drivers call these functions. libFuzzer does through `fuzz_targets/`, one line each; `tests/suite/fuzzing.rs` does with the stable
//! compiler, and takes this very file in as a module.
//!
//! A new reader is a file here, a line in [`TARGETS`], a file in `fuzz_targets/` with its `[[bin]]`
//! in `Cargo.toml`, and a folder of small examples in `corpus/`. `tests/suite/fuzzing.rs` says what of it is missing.

pub mod attribution;
pub mod champion;
pub mod claims;
mod complaint;
pub mod counters;
pub mod engine;
pub mod experiment;
pub mod node_rows;
pub mod notation;
pub mod request;
mod rows;
pub mod samples;
pub mod test_set;

/// A target: its name, and what must not panic.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 11] = [
    ("notation", notation::check),
    ("test_set", test_set::check),
    ("experiment", experiment::check),
    ("attribution", attribution::check),
    ("claims", claims::check),
    ("samples", samples::check),
    ("node_rows", node_rows::check),
    ("counters", counters::check),
    ("engine", engine::check),
    ("request", request::check),
    ("champion", champion::check),
];
