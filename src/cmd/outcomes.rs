//! `c4lab outcomes`: who wins on the empty boards of many sizes.

use crate::cmd::measure::dated;
use anyhow::Result;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::{self, FormatArg};
use c4lab_cli::values::variant;
use c4lab_cli::{Exit, Usage, complain, values};
use c4lab_measure::counted::counted;
use c4lab_measure::outcomes::outcome_row::{FILE, OutcomeRow};
use c4lab_measure::outcomes::plan::{self, BoardTask};
use c4lab_measure::outcomes::solving;
use c4lab_report::claims::written::file;
use c4lab_report::table::units::{grouped, time};
use c4lab_report::tables::outcomes;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::BOARDS;
use c4lab_solver::search::{Goal, Name, size};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Every answer is a row in DIR/outcomes.csv as soon as it is there. The same command goes on with the board at which it was stopped. A board that reached its time limit is solved again under a longer one. Answers are held against what was published (c4lab list claims outcome).

Examples:
  c4lab outcomes                                     the boards of J. Tromp's table: hours
  c4lab outcomes --boards 4x4,5x5,6x6 --goal strong  some of the plan
  c4lab outcomes --time-limit 1m --out runs/boards   all that end within a minute; then again with 1h
  c4lab outcomes my-boards.toml --out runs/boards    a plan of your own (docs/FORMAT.md)

Exit status: 0 all solved, 1 failure, 2 usage, 4 an answer is not what was published, 5 interrupted, or a board reached its limit.";

/// Solve empty boards of many sizes: who wins, and with which stone
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The plan: `boards`, `large-boards`, or a file
    #[arg(value_name = "PLAN", default_value = "boards")]
    plan: String,
    /// Only these of the plan's boards
    #[arg(long, value_name = "WIDTHxHEIGHT,...", value_delimiter = ',')]
    boards: Vec<BoardSize>,
    /// Only one goal
    #[arg(long, value_parser = values::goal(), value_name = "GOAL")]
    goal: Option<Goal>,
    /// Another variant than the plan's
    #[arg(long, value_name = "NAME", value_parser = variant(), hide_possible_values = true)]
    variant: Option<Name>,
    /// Another size of the table than the plan's
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    tt: Option<u64>,
    /// Another time limit of a board than the plan's
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time_limit: Option<Duration>,
    /// The folder of the rows; one that was begun is resumed [default: runs/outcomes-DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    /// What the plan and the command line ask for.
    fn tasks(&self) -> Result<Vec<BoardTask>> {
        let mut tasks = plan::open(&self.plan)?;
        if let Some(board) = self.boards.iter().find(|&&board| tasks.iter().all(|task| task.board != board)) {
            return Err(Usage(format!("--boards {board}: the plan {} has no such board", self.plan)).into());
        }
        tasks.retain(|task| self.boards.is_empty() || self.boards.contains(&task.board));
        tasks.retain(|task| self.goal.is_none_or(|goal| goal == task.goal));
        if tasks.is_empty() {
            return Err(Usage("nothing of the plan is left".to_string()).into());
        }
        for task in &mut tasks {
            if let Some(variant) = &self.variant {
                task.variant = variant.clone();
            }
            task.tt_bytes = self.tt.unwrap_or(task.tt_bytes);
            task.time = self.time_limit.or(task.time);
        }
        Ok(tasks)
    }
}

/// Tells of a row as it comes.
fn tell(row: &OutcomeRow) {
    let found = row.outcome.as_ref().unwrap_or(&row.status);
    let (nodes, took) = (grouped(&row.nodes.to_string()), time(row.wall_ns as f64));
    output::say(format_args!("{} {}: {found}, {nodes} nodes in {took}", row.board, row.goal.name()));
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    let (here, absent): (Vec<_>, Vec<_>) = args.tasks()?.into_iter().partition(|task| BOARDS.contains(&task.board));
    if !absent.is_empty() {
        let mut names: Vec<String> = absent.iter().map(|task| task.board.to_string()).collect();
        names.dedup();
        let build = "left out, for this build has no search for them (c4lab list boards)";
        complain(format_args!("{}: {build}: {}", counted(names.len(), "board"), names.join(" ")));
    }
    let claims = file::embedded()?;
    let folder = args.out.clone().unwrap_or_else(|| dated("outcomes"));
    let interrupt = Interrupt::listen()?;
    let mut teller = |row: &OutcomeRow| {
        if !args.quiet {
            tell(row);
        }
    };
    let done = solving::solve(&here, &folder, interrupt.flag(), &mut teller)?;
    args.format.sheets(&[outcomes::sheet(&done.rows, &claims)])?;
    let place = folder.join(FILE);
    if !args.quiet {
        output::say(format_args!("{} in {}", counted(done.rows.len(), "answer"), place.display()));
    }
    if done.rows.iter().any(|row| outcomes::contradicts(row, &claims)) {
        return Ok(Exit::Wrong);
    }
    if done.is_missing {
        complain(format_args!("not finished: the same command goes on with {}", place.display()));
        return Ok(Exit::Incomplete);
    }
    let is_limited = done.rows.iter().any(|row| row.status == solving::LIMITED);
    Ok(if is_limited || !absent.is_empty() { Exit::Incomplete } else { Exit::Success })
}
