//! `c4lab completions`: a script that completes commands, options and names in a shell.

use anyhow::Result;
use c4lab_cli::Exit;
use clap_complete::Shell;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  c4lab completions bash > ~/.local/share/bash-completion/completions/c4lab
  c4lab completions zsh > ~/.zfunc/_c4lab
  c4lab completions fish > ~/.config/fish/completions/c4lab.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command; `command` is the whole command line.
pub fn run(args: &Args, mut command: clap::Command) -> Result<Exit> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "c4lab", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Success)
}
