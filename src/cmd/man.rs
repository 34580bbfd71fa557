//! Texts that are generated from the declared command line. `c4lab man`: manual pages, one for each command.
//! `c4lab completions`: a script that completes commands, options and names in a shell.

use anyhow::{Context, Result};
use c4lab_cli::Exit;
use c4lab_measure::files::atomic::make_folder;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::Path;

pub const EXAMPLES: &str = "\
Examples:
  c4lab man | man -l -
  c4lab man --out ~/.local/share/man/man1        a page for every command: man c4lab-measure";

/// Writes manual pages. `command` is the whole command line.
pub fn run(out: Option<&Path>, mut command: clap::Command) -> Result<Exit> {
    command.build();
    match out {
        Some(folder) => {
            make_folder(folder)?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("cannot write into {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            io::stdout().lock().write_all(&page)?;
        }
    }
    Ok(Exit::Success)
}

pub const COMPLETION_EXAMPLES: &str = "\
Examples:
  c4lab completions bash > ~/.local/share/bash-completion/completions/c4lab
  c4lab completions zsh > ~/.zfunc/_c4lab
  c4lab completions fish > ~/.config/fish/completions/c4lab.fish";

/// Prints a completion script. `command` is the whole command line.
pub fn completions(shell: Shell, mut command: clap::Command) -> Result<Exit> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "c4lab", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Success)
}
