//! The c4lab command: a table of contents of its subcommands.

// Commands are public to each other; nobody else can see them.
#[allow(unreachable_pub)]
mod cmd;

use c4lab_cli::Exit;
use c4lab_measure::files::build_info::VERSION;
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  c4lab solve 44455554221 --analyze
  c4lab play
  c4lab serve
  c4lab measure
  c4lab check ./my-solver
  c4lab campaign status ladder runs/ladder/shard-*
  c4lab list variants
  c4lab bench

What a word means: c4lab list words

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
    Play(cmd::play::Args),
    List(cmd::list::Args),
    Measure(cmd::measure::Args),
    Campaign(cmd::campaign::Args),
    Merge(cmd::merge::Args),
    Attribute(cmd::attribute::Args),
    Report(cmd::report::Args),
    Compare(cmd::compare::Args),
    Rank(cmd::rank::Args),
    Reproduce(cmd::reproduce::Args),
    Proof(cmd::proof::Args),
    Check(cmd::check::Args),
    Serve(cmd::serve::Args),
    Engine(cmd::engine::Args),
    Bench(cmd::bench::Args),
    Match(cmd::matches::Args),
    Judge(cmd::judge::Args),
    Book(cmd::book::Args),
    Store(cmd::store::Args),
    Bot(cmd::bot::Args),
    Perft(cmd::perft::Args),
    Outcomes(cmd::outcomes::Args),
    TestSets(cmd::test_sets::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

fn main() -> ExitCode {
    if let Some(missing) = cmd::cpu::missing() {
        c4lab_cli::complain(missing);
        return ExitCode::from(Exit::Failure.status());
    }
    if let Err(error) = c4lab_cli::interrupt::outlive_file_size_limit() {
        c4lab_cli::complain(error);
        return ExitCode::from(Exit::Failure.status());
    }
    c4lab_cli::finish(match &Cli::parse().command {
        Command::Solve(args) => cmd::solve::run(args),
        Command::Play(args) => cmd::play::run(args),
        Command::List(args) => cmd::list::run(args),
        Command::Measure(args) => cmd::measure::run(args),
        Command::Campaign(args) => cmd::campaign::run(args),
        Command::Merge(args) => cmd::merge::run(args),
        Command::Attribute(args) => cmd::attribute::run(args),
        Command::Report(args) => cmd::report::run(args),
        Command::Compare(args) => cmd::compare::run(args),
        Command::Rank(args) => cmd::rank::run(args),
        Command::Reproduce(args) => cmd::reproduce::run(args),
        Command::Proof(args) => cmd::proof::run(args),
        Command::Check(args) => cmd::check::run(args),
        Command::Serve(args) => cmd::serve::run(args),
        Command::Engine(args) => cmd::engine::run(args),
        Command::Bench(args) => cmd::bench::run(args),
        Command::Match(args) => cmd::matches::run(args),
        Command::Judge(args) => cmd::judge::run(args),
        Command::Book(args) => cmd::book::run(args),
        Command::Store(args) => cmd::store::run(args),
        Command::Bot(args) => cmd::bot::run(args),
        Command::Perft(args) => cmd::perft::run(args),
        Command::Outcomes(args) => cmd::outcomes::run(args),
        Command::TestSets(args) => cmd::test_sets::run(args),
        Command::Completions(args) => cmd::completions::run(args, Cli::command()),
        Command::Man(args) => cmd::man::run(args, Cli::command()),
    })
}
