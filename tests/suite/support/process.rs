//! Running the real binary.

use assert_cmd::Command;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_c4lab");

pub(crate) type Outcome = (i32, String, String);

/// Runs it to its end with `input` on stdin; a panic is a failed test.
pub(crate) fn run_with(arguments: &[&str], input: &[u8]) -> Outcome {
    let mut command = Command::new(BINARY);
    let output = command.args(arguments).env_remove("COLUMNS").write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let stderr = text(output.stderr);
    assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    (output.status.code().unwrap_or(-1), text(output.stdout), stderr)
}

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    run_with(arguments, b"")
}
