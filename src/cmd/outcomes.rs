//! `c4lab outcomes`: who wins on the empty boards of many sizes.

use crate::cmd::interrupt::Interrupt;
use crate::cmd::measure::dated;
use crate::cmd::output::{self, FormatArg};
use crate::cmd::values::variant;
use crate::cmd::{Exit, Usage, complain, values};
use anyhow::Result;
use c4lab::lab::counted::counted;
use c4lab::lab::outcomes::outcome_row::{FILE, OutcomeRow};
use c4lab::lab::outcomes::plan::{self, BoardTask};
use c4lab::lab::outcomes::solving::{self, Listener};
use c4lab::lab::outcomes::split::{Contradiction, MOST_PLIES, SplitArgs};
use c4lab::lab::plan::shard::Shard;
use c4lab::lab::run::kept::SAVE_EVERY;
use c4lab::report::claims::written::file;
use c4lab::report::sheets::units::{grouped, time};
use c4lab::report::tables::{outcomes, splits};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::BOARDS;
use c4lab_solver::search::{Goal, Name, size};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Every answer is a row in DIR/outcomes.csv as soon as it is there. The same command goes on where it was stopped, \
also in the middle of a board: its search is saved there every ten minutes. A board that reached its time limit goes on under a longer one. Answers are held against what was published (c4lab list claims outcome).

Examples:
  c4lab outcomes                                     the boards of J. Tromp's table: hours
  c4lab outcomes --boards 4x4,5x5,6x6 --goal strong  some of the plan
  c4lab outcomes --time-limit 1m --out runs/boards   all that end within a minute; then again with 1h
  c4lab outcomes large-boards --boards 8x8 --plies 4 --shard 1/8 --with runs/8x8 --out runs/8x8/shard-1-of-8
                                                     one of eight machines (c4lab campaign emit --outcomes)
  c4lab outcomes large-boards --boards 8x8 --plies 4 --with runs/8x8 --out runs/8x8/whole
                                                     their scores put together
  c4lab outcomes my-boards.toml --out runs/boards    a plan of your own (docs/FORMAT.md)

Exit status: 0 all solved, 1 failure, 2 usage, 4 an answer is not what was published or rows contradict each other, 5 interrupted, or a board reached its limit.";

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
    /// Another time limit of a board than the plan's, or of each position with --plies
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time_limit: Option<Duration>,
    /// How often to save a search into the folder of the rows [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    save_every: Option<Duration>,
    /// Split each board into its positions after so many stones; these are solved one by one, and the board's score follows from theirs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PLIES)))]
    plies: Option<u32>,
    /// Solve only this part of the positions, for one of several machines; without it those that are missing, and the board itself
    #[arg(long, value_name = "INDEX/COUNT", requires = "plies")]
    shard: Option<Shard>,
    /// Also know what was solved into this folder by others, or into the folders that stand in it
    #[arg(long, value_name = "DIR", requires = "plies")]
    with: Vec<PathBuf>,
    /// Solve nothing; say how many positions are solved, and how many are missing
    #[arg(long, requires = "plies", conflicts_with = "shard")]
    status: bool,
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
    /// How boards are split, if they are.
    fn split(&self) -> Option<SplitArgs> {
        self.plies.map(|plies| SplitArgs { plies, shard: self.shard, with: self.with.clone() })
    }

    /// Whether a campaign can choose part and place of it.
    pub(super) fn is_for_a_campaign(&self) -> bool {
        self.plies.is_some() && self.shard.is_none() && self.out.is_none() && self.with.is_empty() && !self.status
    }

    /// What the plan and the command line ask for.
    pub(super) fn tasks(&self) -> Result<Vec<BoardTask>> {
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

/// Tells of rows as they come, unless it is to be quiet.
struct Teller {
    is_quiet: bool,
}

impl Listener for Teller {
    fn row(&mut self, row: &OutcomeRow) {
        if !self.is_quiet {
            let found = row.outcome.as_ref().unwrap_or(&row.status);
            let (nodes, took) = (grouped(&row.nodes.to_string()), time(row.wall_ns as f64));
            let after = if row.is_whole_board() { String::new() } else { format!(" after {}", row.moves) };
            output::say(format_args!("{}{after} {}: {found}, {nodes} nodes in {took}", row.board, row.goal.name()));
        }
    }

    fn saved(&mut self, message: String) {
        if !self.is_quiet || message.starts_with("warning") {
            complain(message);
        }
    }
}

/// Runs it. Rows that contradict each other are a wrong answer.
pub fn run(args: &Args) -> Result<Exit> {
    match solve(args) {
        Err(error) if error.downcast_ref::<Contradiction>().is_some() => {
            complain(format_args!("{error:#}"));
            Ok(Exit::Wrong)
        }
        done => done,
    }
}

fn solve(args: &Args) -> Result<Exit> {
    let (here, absent): (Vec<_>, Vec<_>) = args.tasks()?.into_iter().partition(|task| BOARDS.contains(&task.board));
    if !absent.is_empty() {
        let mut names: Vec<String> = absent.iter().map(|task| task.board.to_string()).collect();
        names.dedup();
        let build = "left out, for this build has no search for them (c4lab list boards)";
        complain(format_args!("{}: {build}: {}", counted(names.len(), "board"), names.join(" ")));
    }
    let claims = file::embedded()?;
    let folder = args.out.clone().unwrap_or_else(|| dated("outcomes"));
    let split = args.split();
    if let Some(split) = split.as_ref().filter(|_| args.status) {
        if args.out.is_none() && args.with.is_empty() {
            return Err(Usage("--status: --with or --out says where the rows are".to_string()).into());
        }
        let status = solving::status(&here, &folder, split)?;
        args.format.sheets(&[splits::sheet(&status)])?;
        return Ok(if status.iter().any(|status| status.needed > 0) { Exit::Incomplete } else { Exit::Success });
    }
    let interrupt = Interrupt::listen()?;
    let every = args.save_every.unwrap_or(SAVE_EVERY);
    let mut teller = Teller { is_quiet: args.quiet };
    let done = solving::solve(&here, &folder, split.as_ref(), (every, interrupt.flag()), &mut teller)?;
    // One table, so that a program can read it: how far a split is, until its boards are solved.
    let is_on_its_way = split.is_some() && (args.shard.is_some() || done.is_missing);
    args.format.sheets(&[if is_on_its_way {
        splits::sheet(&done.splits)
    } else {
        outcomes::sheet(&done.rows, &claims)
    }])?;
    let place = folder.join(FILE);
    if !args.quiet && args.shard.is_none() {
        let own = counted(done.rows.len() - done.of_others, "answer");
        let others =
            if done.of_others == 0 { String::new() } else { format!(", {} by others (--with)", done.of_others) };
        output::say(format_args!("{own} in {}{others}", place.display()));
    }
    if done.rows.iter().any(|row| outcomes::contradicts(row, &claims)) {
        return Ok(Exit::Wrong);
    }
    if done.is_missing {
        let longer = if args.time_limit.is_some() && split.is_some() {
            ", under a longer limit where one was reached"
        } else {
            ""
        };
        complain(format_args!("not finished: the same command goes on with {}{longer}", place.display()));
        return Ok(Exit::Incomplete);
    }
    let is_limited = done.rows.iter().any(|row| row.status == solving::LIMITED);
    Ok(if is_limited || !absent.is_empty() { Exit::Incomplete } else { Exit::Success })
}
