//! The program `c4lab`: the list of its subcommands.

// The subcommands use each other's items. Nothing outside of the program can.
#[allow(unreachable_pub)]
mod cmd;

use c4lab_cli as cli;
use c4lab_cli::Exit;
use c4lab_measure::files::build_info::VERSION;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  c4lab solve 44455554221 --analyze
  c4lab play
  c4lab serve
  c4lab measure
  c4lab check ./my-solver
  c4lab list variants
  c4lab bench

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
    #[command(after_help = cmd::man::COMPLETION_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, or write a page for every command
    #[command(after_help = cmd::man::EXAMPLES)]
    Man {
        /// The folder to write a page for every command into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The commands and the options of `solve` that the packages of extras/ add.
#[derive(Default)]
struct Extras {
    commands: Vec<cli::command::Command>,
    solve_options: Vec<&'static cli::command::SolveOption>,
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
    if let Some(missing) = cmd::cpu::missing() {
        cli::complain(missing);
        return ExitCode::from(Exit::Failure.status());
    }
    if let Err(error) = cli::interrupt::outlive_file_size_limit() {
        cli::complain(error);
        return ExitCode::from(Exit::Failure.status());
    }
    let extras = extras();
    let command = || {
        let command = Cli::command().subcommands(extras.commands.iter().map(|extra| extra.clap.clone()));
        command.mut_subcommand("solve", |solve| solve.args(extras.solve_options.iter().map(|option| (option.arg)())))
    };
    let all = command().get_matches();
    let (name, matches) = all.subcommand().expect("clap asks for a command");
    if let Some(extra) = extras.commands.iter().find(|extra| extra.clap.get_name() == name) {
        return cli::finish((extra.run)(matches));
    }
    let wraps = || -> anyhow::Result<Vec<_>> {
        let wraps = extras.solve_options.iter().map(|option| (option.wrap)(matches));
        Ok(wraps.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect())
    };
    cli::finish(match &Cli::from_arg_matches(&all).unwrap_or_else(|error| error.exit()).command {
        Command::Solve(args) => wraps().and_then(|wraps| cmd::solve::run(args, &wraps)),
        Command::List(args) => cmd::list::run(args),
        Command::Measure(args) => cmd::measure::run(args),
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
        Command::Completions { shell } => cmd::man::completions(*shell, command()),
        Command::Man { out } => cmd::man::run(out.as_deref(), command()),
    })
}
