//! Options that choose a solver, and the solver that they build.

use crate::values::{one_of, variant};
use crate::{Usage, complain};
use anyhow::{Result, anyhow};
use c4lab_measure::text::explain;
use c4lab_solver::axes::{Axis, Layout};
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{BuildError, Goal, Name, Options, Solve, Spec, Threads, ThreadsError, size};

#[derive(Debug, clap::Args)]
pub struct SolverArgs {
    /// The variant (`c4lab list variants`), with changes, a size of its table and threads: NAME[AXIS=VALUE,...]@SIZE,threads=N
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = variant(), hide_possible_values = true)]
    variant: Name,
    /// Changes to that variant, key=value,... (`c4lab list axes`): another way to write NAME[...]
    #[arg(long, value_name = "KEY=VALUE,...")]
    spec: Option<String>,
    /// Size of the table, for variants without a fixed one: 64MiB, 1GiB, 40MB or bytes [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    tt: Option<u64>,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 128
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    pub board: BoardSize,
}

/// How positions are written.
#[derive(Debug, clap::Args)]
pub struct NotationArgs {
    /// The number of the first column: 1, or 0
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1))]
    first_column: u32,
    /// The layout of the numbers MOVER:MASK, the bits of the mover's stones and of all stones
    #[arg(long, value_name = "LAYOUT", default_value = "tight", value_parser = one_of(&Layout::ALL, |layout| layout.value()))]
    layout: Layout,
}

impl NotationArgs {
    /// An error if the layout has no room for the board.
    pub fn check(&self, board: BoardSize) -> Result<()> {
        let why = || Usage(format!("--layout {}: 128 bits have no room for {board}", self.layout.value()));
        if self.reader(board).has_room() { Ok(()) } else { Err(why().into()) }
    }

    pub fn reader(&self, board: BoardSize) -> Reader {
        let reader = Reader { first_column: self.first_column, ..Reader::on(board) };
        if self.layout == Layout::Spaced { reader.spaced() } else { reader }
    }
}

impl SolverArgs {
    /// The variant of `--variant` with the changes of `--spec`.
    pub fn name(&self) -> Result<Name> {
        let Some(changes) = &self.spec else { return Ok(self.variant.clone()) };
        Ok(self.variant.with(changes).map_err(|error| Usage(format!("--spec: {}", explain(error))))?)
    }

    /// The size of the table and the board, for the solver.
    pub fn options(&self) -> Options {
        table(self.tt, self.board)
    }

    /// Builds the solver for `goal`. Warns if it ignores the size of `--tt`, is not available as named, or is not exact.
    pub fn build(&self, goal: Goal) -> Result<Box<dyn Solve>> {
        let name = self.name()?;
        if !name.spec().goals().contains(&goal) {
            return Err(Usage(format!("{} says only who wins: add --goal weak", name.text())).into());
        }
        if let Some(reason) = name.ignores_options().filter(|_| self.tt.is_some()) {
            complain(ignored_size(name.text(), reason));
        }
        let solver = name.build(&self.options()).map_err(|error| match error {
            BuildError::Threads(error) => no_threads(name.text(), &error),
            error => error.into(),
        })?;
        if let Err(reason) = name.available_on(self.board) {
            complain(format_args!("warning: {}: {reason}", name.text()));
        }
        if !name.spec().is_exact() {
            let (name, probes) = (name.text(), name.spec().most_probes());
            let share = if probes == 1 { "n".to_string() } else { format!("{probes} n") };
            complain(format_args!(
                "warning: {name} hashes its keys: a search of n nodes is wrong with a chance of at most {share} / 2^56"
            ));
        }
        Ok(solver)
    }

    /// The number of threads of `--threads`, which is `asked`; 1 without this option.
    pub fn threads(&self, asked: Option<u32>) -> Result<u32> {
        let Some(count) = asked else { return Ok(1) };
        let name = self.name()?;
        if name.says_threads() {
            return Err(Usage(format!("--threads {count}: the name {} has threads already", name.text())).into());
        }
        Threads::of(count).is_possible().map_err(|error| Usage(format!("--threads {count}: {error}")))?;
        Ok(count)
    }

    /// Builds the solver again, for another thread, without the warnings of [`Self::build`].
    pub fn build_again(&self) -> Result<Box<dyn Solve>> {
        Ok(self.name()?.build(&self.options())?)
    }
}

/// The error of a solver without threads. `whom` is the option or name that asked for them. Threads that the system
/// refused are no error of the command line.
pub fn no_threads(whom: &str, error: &ThreadsError) -> anyhow::Error {
    let told = format!("{whom}: {error}");
    if matches!(error, ThreadsError::Refused(..)) { anyhow!(told) } else { Usage(told).into() }
}

fn table(tt: Option<u64>, board: BoardSize) -> Options {
    Options { board, ..tt.map_or(Options::on(board), Options::with_tt) }
}

/// The options of a solver of `spec`. Warns if `spec` ignores `tt`; the warning calls the solver `name`.
pub fn options(spec: Spec, tt: Option<u64>, board: BoardSize, name: &str) -> Options {
    if let Some(reason) = spec.ignores_table_size().filter(|_| tt.is_some()) {
        complain(ignored_size(name, reason));
    }
    table(tt, board)
}

/// The warning that the solver `name` ignores `--tt`.
pub fn ignored_size(name: &str, reason: &str) -> String {
    format!("warning: --tt does not apply to {name}: {reason}")
}
