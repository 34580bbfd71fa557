//! Running the real binary where a test looks at a whole [`Output`], or ends the process itself.

use std::process::{Command, Output, Stdio};

pub(crate) fn c4lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_c4lab"));
    command.args(arguments).env_remove("COLUMNS").stdin(Stdio::null());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    c4lab(arguments).output().expect("c4lab starts")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
