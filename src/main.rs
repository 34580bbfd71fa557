//! The program `c4lab`: the list of its subcommands.

// The subcommands use each other's items. Nothing outside of the program can.
#[allow(unreachable_pub)]
mod cmd;

use anyhow::{Result, anyhow};
use c4lab_cli as cli;
use c4lab_cli::Exit;
use c4lab_measure::files::build_info::VERSION;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  c4lab solve 44455554221 --analyze
  c4lab play
  c4lab serve
  c4lab ablate
  c4lab compare pons-11 pons-12
  c4lab reproduce pons-06-end-easy-strong-nodes
  c4lab check ./my-solver
  c4lab list variants

Meanings of words: c4lab list words

Exit status: 0 all right, 1 failure, 2 usage, 3 a gate failed, 4 a wrong answer or a signature that moved, 5 incomplete.";

/// A laboratory for Connect Four solvers: every technique an option, every score checked, every speed-up measured
#[derive(Debug, Parser)]
#[command(name = "c4lab", version = VERSION, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(cmd::solve::Args),
    List(cmd::list::Args),
    Measure(cmd::measure::Args),
    Ablate(cmd::ablate::Args),
    Merge(cmd::merge::Args),
    Attribute(cmd::attribute::Args),
    Report(cmd::report::Args),
    Compare(cmd::compare::Args),
    Rank(cmd::rank::Args),
    Reproduce(cmd::reproduce::Args),
    Proof(cmd::proof::Args),
    Check(cmd::check::Args),
    #[command(subcommand)]
    Engine(cmd::engine::Command),
    Bench(cmd::bench::Args),
    #[command(subcommand)]
    TestSets(cmd::test_sets::Command),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  c4lab completions bash > ~/.local/share/bash-completion/completions/c4lab
  c4lab completions zsh > ~/.zfunc/_c4lab
  c4lab completions fish > ~/.config/fish/completions/c4lab.fish")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
}

/// The commands and the options of `solve` that the packages of extras/ add.
#[derive(Default)]
struct Extras {
    commands: Vec<cli::Command>,
    solve_options: Vec<&'static cli::SolveOption>,
}

fn extras() -> Extras {
    #[cfg(feature = "extras")]
    {
        let mut extras = c4lab_report::extras::Extras::default();
        c4lab_play::register(&mut extras);
        c4lab_books::register(&mut extras);
        c4lab_boards::register(&mut extras);
        c4lab_report::extras::register(extras);
        let commands = [c4lab_play::commands(), c4lab_books::commands(), c4lab_boards::commands()];
        Extras { commands: commands.into_iter().flatten().collect(), solve_options: vec![&c4lab_books::SOLVE_OPTION] }
    }
    #[cfg(not(feature = "extras"))]
    Extras::default()
}

fn main() -> ExitCode {
    match cmd::cpu::missing().map(str::to_string).or_else(cmd::cpu::short_of_stack) {
        Some(reason) => cli::finish(Err(anyhow!(reason))),
        None => run(),
    }
}

// With a stack of its own, so that `main` needs little to refuse a small one.
#[inline(never)]
fn run() -> ExitCode {
    if let Err(error) = cli::outlive_file_size_limit() {
        cli::complain(error);
        return ExitCode::from(Exit::Failure.status());
    }
    let extras = extras();
    let command = || {
        let command = Cli::command().subcommands(extras.commands.iter().map(|extra| extra.clap.clone()));
        command.mut_subcommand("solve", |solve| solve.args(extras.solve_options.iter().map(|option| (option.arg)())))
    };
    let all = command().try_get_matches().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        // Without colours, because the arguments in it may have commands for the terminal.
        cli::output::say(error.render());
        std::process::exit(error.exit_code());
    });
    let (name, matches) = all.subcommand().expect("clap asks for a command");
    if let Some(extra) = extras.commands.iter().find(|extra| extra.clap.get_name() == name) {
        return cli::finish((extra.run)(matches));
    }
    let wraps = || -> Result<Vec<_>> {
        let wraps = extras.solve_options.iter().map(|option| (option.wrap)(matches));
        Ok(wraps.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    };
    cli::finish(match &Cli::from_arg_matches(&all).unwrap_or_else(|error| error.exit()).command {
        Command::Solve(args) => wraps().and_then(|wraps| cmd::solve::run(args, &wraps)),
        Command::List(args) => cmd::list::run(args),
        Command::Measure(args) => cmd::measure::run(args),
        Command::Ablate(args) => cmd::ablate::run(args),
        Command::Merge(args) => cmd::merge::run(args),
        Command::Attribute(args) => cmd::attribute::run(args),
        Command::Report(args) => cmd::report::run(args),
        Command::Compare(args) => cmd::compare::run(args),
        Command::Rank(args) => cmd::rank::run(args),
        Command::Reproduce(args) => cmd::reproduce::run(args),
        Command::Proof(args) => cmd::proof::run(args),
        Command::Check(args) => cmd::check::run(args),
        Command::Engine(args) => cmd::engine::run(args),
        Command::Bench(args) => cmd::bench::run(args),
        Command::TestSets(args) => cmd::test_sets::run(args),
        Command::Completions { shell } => completions(*shell, command()),
    })
}

/// Prints a completion script. `command` is the whole command line.
fn completions(shell: Shell, mut command: clap::Command) -> Result<Exit> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "c4lab", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Success)
}
