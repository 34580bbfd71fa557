//! `c4lab outcomes`: who wins on the empty boards of many sizes.
//!
//! Every answer is a row of `outcomes.csv`. An outcome is written `+53`: the first player wins with the 53rd stone;
//! `-`: the second player wins; `=`: a draw.

use anyhow::{Context, Result, anyhow, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::{Exit, Interrupt, RunArgs, Usage, complain, values};
use c4lab_measure::clock::{Clock, SystemClock};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::machine::Machine;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::text::{distinct, pluralize};
use c4lab_report::claims::claim::{self, Claim, Unit};
use c4lab_report::claims::finding::Finding;
use c4lab_report::claims::verdict::{Measured, Published, Verdict};
use c4lab_report::extras::{ClaimKind, RowKind};
use c4lab_report::table::units::{grouped, time, whole};
use c4lab_report::table::{Subject, Table};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{DEFAULT, is_searched};
use c4lab_solver::search::{BuildError, Goal, Limits, Name, Options, Stopped, size};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Every answer becomes a row of DIR/outcomes.csv at once. The same command resumes a stopped run with the next board. A board that reached its time limit is solved again under a longer one. Answers are compared with published outcomes (c4lab list claims outcome).

Examples:
  c4lab outcomes                                     every board with a published outcome: hours
  c4lab outcomes --boards 4x4,5x5,6x6 --goal strong  these boards, and with which stone
  c4lab outcomes --time-limit 1m --out runs/boards   all that end within a minute; then again with 1h

Exit status: 0 all solved, 1 failure, 2 usage, 4 an answer contradicts a published outcome, 5 interrupted, or a board reached its limit.";

/// Solve empty boards of many sizes: who wins, and with which stone
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The boards [default: every board with a published outcome, the smallest first]
    #[arg(long, value_name = "WIDTHxHEIGHT,...", value_delimiter = ',')]
    boards: Vec<BoardSize>,
    /// Only one goal [default: weak, then strong]
    #[arg(long, value_parser = values::goal(), value_name = "GOAL")]
    goal: Option<Goal>,
    /// The variant
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = values::variant(), hide_possible_values = true)]
    variant: Name,
    /// The size of the table
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size::parse)]
    tt: u64,
    /// The time limit of a board
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = values::duration)]
    time_limit: Duration,
    #[command(flatten)]
    run: RunArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Args {
    fn tasks(&self, claims: &[Claim]) -> Result<Vec<Task>> {
        if let Some(&board) = self.boards.iter().find(|&&board| !is_searched(board)) {
            return Err(Usage(format!("--boards: {}", BuildError::Board(board))).into());
        }
        let boards = if self.boards.is_empty() { published_boards(claims) } else { distinct(self.boards.clone()) };
        let mut tasks = Vec::new();
        for board in boards {
            for goal in [Goal::Weak, Goal::Strong] {
                if self.goal.is_none_or(|only| only == goal) {
                    let variant = self.variant.clone();
                    tasks.push(Task { board, goal, variant, tt_bytes: self.tt, time: self.time_limit });
                }
            }
        }
        Ok(tasks)
    }
}

pub fn run(args: &Args) -> Result<Exit> {
    let claims = claim::embedded()?;
    let tasks = args.tasks(&claims)?;
    let folder = args.run.folder("outcomes")?;
    let interrupt = Interrupt::listen()?;
    let rows = solve(&tasks, &folder, interrupt.flag(), |row| {
        if !args.run.quiet {
            let found = row.outcome.as_ref().unwrap_or(&row.status);
            let (nodes, took) = (grouped(&row.nodes.to_string()), time(row.wall_ns as f64));
            output::say(format_args!("{} {}: {found}, {nodes} nodes in {took}", row.board, row.goal.name()));
        }
    })?;
    output::show(&args.format.of(&[sheet(&rows, &claims)])?)?;
    let answers = pluralize(rows.len(), "answer");
    let exit = args.run.end(&answers, &folder.join(Row::FILE), rows.len() == tasks.len());
    if rows.iter().any(|row| contradicts(row, &claims)) {
        complain("an answer contradicts a published outcome");
        return Ok(Exit::Wrong);
    }
    let is_limited = rows.iter().any(|row| row.status == LIMITED);
    if is_limited {
        complain("a board reached its limit");
    }
    Ok(if is_limited { Exit::Incomplete } else { exit })
}

#[derive(Clone, Debug)]
struct Task {
    board: BoardSize,
    goal: Goal,
    variant: Name,
    tt_bytes: u64,
    time: Duration,
}

const SCHEMA_VERSION: u32 = 3;
const SOLVED: &str = "ok";
const LIMITED: &str = "limit";
const EMPTY_BOARD: &str = "-";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    pub board: String,
    /// `-`: the empty board. Rows before schema 3 may be about a position that a board was split into.
    #[serde(default)]
    moves: String,
    goal: Goal,
    pub variant: String,
    compiled: bool,
    tt_bytes: u64,
    status: String,
    score: Option<i32>,
    outcome: Option<String>,
    pub nodes: u64,
    wall_ns: u64,
    cpu_ns: Option<u64>,
    limit_ns: Option<u64>,
    machine: String,
    cpu: Option<String>,
    git_rev: Option<String>,
}

c4lab_measure::row!(Row, "outcomes.csv", SCHEMA_VERSION);

impl Row {
    pub fn found(&self) -> Option<Outcome> {
        self.outcome.as_ref()?.parse().ok()
    }

    /// The time of the search in nanoseconds: processor time if known, because other programs may run, else wall time.
    fn taken(&self) -> u64 {
        self.cpu_ns.unwrap_or(self.wall_ns)
    }

    /// True if the row answers `task`: solved by its variant, or stopped by a limit that is not shorter than the
    /// task's.
    fn answers(&self, task: &Task) -> bool {
        let is_long_enough =
            self.status == SOLVED || self.limit_ns.is_some_and(|limit| u128::from(limit) >= task.time.as_nanos());
        let is_same = self.board == task.board.to_string() && self.goal == task.goal;
        is_same && self.variant == task.variant.text() && is_long_enough
    }
}

/// The rows of a folder for empty boards; none if the folder has no such file.
fn read(folder: &Path) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = rows::read_any(folder)?;
    rows.retain(|row| row.moves.is_empty() || row.moves == EMPTY_BOARD);
    Ok(rows)
}

/// Solves the tasks that `folder` lacks, one after another, and calls `tell` with each new row. Returns the rows of all
/// tasks in their order. After an interrupt, the last rows are missing.
fn solve(tasks: &[Task], folder: &Path, interrupt: &AtomicBool, mut tell: impl FnMut(&Row)) -> Result<Vec<Row>> {
    let (mut file, known) = RowWriter::<Row>::open(folder)?;
    let machine = Machine::read();
    let mut rows = Vec::new();
    for task in tasks {
        if let Some(row) = known.iter().rfind(|row| row.answers(task)) {
            rows.push(row.clone());
            continue;
        }
        let Some(row) = solve_board(task, interrupt, &machine).with_context(|| task.board.to_string())? else { break };
        file.add(&row)?;
        tell(&row);
        rows.push(row);
    }
    Ok(rows)
}

fn solve_board(task: &Task, interrupt: &AtomicBool, machine: &Machine) -> Result<Option<Row>> {
    let mut solver = task.variant.build(&Options { tt_bytes: task.tt_bytes, board: task.board })?;
    let position = Position::start_on(task.board);
    let limits = Limits { time: Some(task.time), interrupt: Some(interrupt), ..Limits::default() };
    let mut clock = SystemClock::default();
    let threads = solver.threads();
    let (begun, cpu) = (Instant::now(), clock.cpu_of(threads));
    let answer = solver.solve(&position, task.goal, &limits);
    let wall = begun.elapsed();
    let cpu_ns = clock.cpu_of(threads).zip(cpu).map(|(end, start)| end - start);
    let (score, nodes) = match answer {
        Ok(solved) => (Some(solved.score), solved.nodes),
        Err(Stopped::Time(nodes)) => (None, nodes),
        Err(Stopped::Interrupted(_)) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    Ok(Some(Row {
        schema_version: SCHEMA_VERSION,
        board: task.board.to_string(),
        moves: EMPTY_BOARD.to_string(),
        goal: task.goal,
        variant: task.variant.text().to_string(),
        compiled: !task.variant.is_run_time_on(task.board),
        tt_bytes: solver.table_bytes(),
        status: if score.is_some() { SOLVED } else { LIMITED }.to_string(),
        score,
        outcome: score.map(|score| Outcome::of(&position, task.goal, score).to_string()),
        nodes,
        wall_ns: wall.as_nanos() as u64,
        cpu_ns,
        limit_ns: Some(task.time.as_nanos() as u64),
        machine: machine.id.clone(),
        cpu: machine.cpu.clone(),
        git_rev: git_rev(),
    }))
}

pub static ROWS: RowKind = RowKind {
    name: "outcomes",
    file: Row::FILE,
    tables: |folder| Ok(vec![sheet(&read(folder)?, &claim::embedded()?)]),
};

fn published_of(claims: &[Claim], board: &str) -> Vec<Outcome> {
    claims.iter().filter_map(published).filter(|(of, _)| *of == board).map(|(_, outcome)| outcome).collect()
}

/// True if the board of `row` was solved and its outcome contradicts a published one.
fn contradicts(row: &Row, claims: &[Claim]) -> bool {
    row.found().is_some_and(|found| published_of(claims, &row.board).iter().any(|published| !published.agrees(found)))
}

fn sheet(rows: &[Row], claims: &[Claim]) -> Table {
    let names = distinct(rows.iter().map(|row| row.variant.as_str()));
    let by = if names.is_empty() { String::new() } else { format!(", by {}", names.join(", ")) };
    let note = "+ the first player wins, = a draw, - the second player wins; behind the sign the number of the last stone. Processor time, if it \
                is known, and million nodes a second of this time.";
    let published =
        |row: &Row| -> Vec<String> { published_of(claims, &row.board).iter().map(ToString::to_string).collect() };
    Table::new("outcomes", Subject::default(), format!("Who wins on empty boards{by}"), note)
        .concluding(conclusion(rows, claims))
        .over(rows)
        .text("board", "board", |row| &row.board)
        .number("squares", "squares", whole, |row| Some(f64::from(row.board.parse::<BoardSize>().ok()?.cells())))
        .text("goal", "goal", |row| row.goal.name())
        .text("outcome", "outcome", |row| row.outcome.as_ref().unwrap_or(&row.status))
        .text("published", "published", |row| published(row).join(" "))
        .number("nodes", "nodes", whole, |row| Some(row.nodes as f64))
        .number("time", "cpu_ns", time, |row| Some(row.taken() as f64))
        .number(
            "Mn/s",
            "million_nodes_per_s",
            |speed| format!("{speed:.1}"),
            |row| Some(row.nodes as f64 / row.taken().max(1) as f64 * 1e3),
        )
        .text("table", "table", |row| size::show(row.tt_bytes))
        .table
}

fn conclusion(rows: &[Row], claims: &[Claim]) -> String {
    let solved: Vec<&Row> = rows.iter().filter(|row| row.found().is_some()).collect();
    let boards: HashSet<&str> = solved.iter().map(|row| row.board.as_str()).collect();
    let strong = solved.iter().filter(|row| row.goal == Goal::Strong).count();
    let other = solved.iter().filter(|row| contradicts(row, claims)).count();
    let agree = solved.iter().filter(|row| !published_of(claims, &row.board).is_empty()).count() - other;
    let against = if other == 0 { String::new() } else { format!(" {other} of them contradict it.") };
    format!(
        "{} boards are solved, {strong} of them with the last stone. {agree} answers agree with published outcomes.{against}",
        boards.len()
    )
}

/// The winner of a game, from the first player's side, and the winning stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 1, 0 or -1.
    pub sign: Score,
    /// The number of the winning stone, from 1; `None` for a draw, or if only the winner is known.
    pub last_stone: Option<u32>,
}

impl Outcome {
    pub fn of(position: &Position, goal: Goal, score: Score) -> Self {
        let (board, ply) = (position.size(), position.ply());
        let last_stone = (goal == Goal::Strong && score != 0).then(|| ply + board.distance(score, ply));
        // A score is from the mover's side.
        let sign = if ply.is_multiple_of(2) { score.signum() } else { -score.signum() };
        Outcome { sign, last_stone }
    }

    /// The outcome as a number: 0 for a draw, otherwise the last stone, or 1 if it is not known. Negative if the second
    /// player wins.
    pub fn number(self) -> f64 {
        f64::from(self.sign) * self.last_stone.map_or(1.0, f64::from)
    }

    pub fn of_number(number: f64) -> Self {
        let last_stone = (number.abs() > 1.0).then_some(number.abs() as u32);
        Outcome { sign: number.partial_cmp(&0.0).map_or(0, |order| order as Score), last_stone }
    }

    pub fn agrees(self, other: Self) -> bool {
        let both = self.last_stone.zip(other.last_stone);
        self.sign == other.sign && both.is_none_or(|(one, other)| one == other)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["-", "=", "+"][(self.sign + 1) as usize])?;
        self.last_stone.map_or(Ok(()), |stone| write!(f, "{stone}"))
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("{text:?} is no outcome: +, =, -, or the last stone behind it, as in +53");
        let sign = match text.chars().next() {
            Some('+') => 1,
            Some('=') => 0,
            Some('-') => -1,
            _ => return Err(form()),
        };
        let stone = match &text[1..] {
            "" => None,
            stone if stone.bytes().all(|byte| byte.is_ascii_digit()) => Some(stone.parse().map_err(|_| form())?),
            _ => return Err(form()),
        };
        // The first player has the odd stones, and a draw has no winning stone.
        let is_possible = stone.is_none_or(|stone: u32| sign != 0 && (stone % 2 == 1) == (sign == 1));
        is_possible.then_some(Outcome { sign, last_stone: stone }).ok_or_else(form)
    }
}

/// Claims about the winner on empty boards.
pub static CLAIMS: ClaimKind = ClaimKind {
    name: NAME,
    title: "Who wins on an empty board, and with which stone",
    unit: UNIT,
    figure: |value| Outcome::of_number(value).to_string(),
    claims,
    judge,
};

const NAME: &str = "outcome";
const UNIT: Unit = Unit::Extra(NAME);

/// The board of a claim of this kind, and its published outcome.
fn published(claim: &Claim) -> Option<(&str, Outcome)> {
    let board = claim.parameters.get("board").filter(|_| claim.kind.name() == NAME)?.as_str()?;
    Some((board, Outcome::of_number(claim.published.number?)))
}

/// The boards with a published outcome that are searched, the smallest first.
fn published_boards(claims: &[Claim]) -> Vec<BoardSize> {
    let boards = claims.iter().filter_map(published).filter_map(|(board, _)| board.parse().ok());
    let mut boards = distinct(boards.filter(|&board| is_searched(board)));
    boards.sort_by_key(|board| board.cells());
    boards
}

/// The parameters of an entry are boards with their outcomes; each becomes a claim.
fn claims(entry: Claim) -> Result<Vec<Claim>> {
    if entry.parameters.is_empty() || !entry.variant.is_empty() || entry.base.is_some() {
        bail!("the parameters of an outcome are boards with their outcomes, and it has neither variant nor base");
    }
    let mut claims = Vec::new();
    for (board, outcome) in &entry.parameters {
        let board: BoardSize = board.parse().map_err(|error| anyhow!("{error}"))?;
        let outcome = outcome.as_str().unwrap_or_default().parse::<Outcome>();
        let outcome = outcome.map_err(|error| anyhow!("{board}: {error}"))?;
        let mut claim = entry.clone();
        claim.id = format!("{}-{board}", entry.id);
        claim.published = Published::exact(outcome.number(), UNIT);
        claim.parameters = [("board".to_string(), board.to_string().into())].into_iter().collect();
        claims.push(claim);
    }
    Ok(claims)
}

/// Judges by the most exact answer in the folder: one with the last stone, if there is one.
fn judge(claim: &Claim, folder: &Path) -> Finding {
    let untested = |why: String| Finding::untested(claim, Verdict::NotTested, why);
    let Some((board, published)) = published(claim) else { return untested("no board".to_string()) };
    let rows = match read(folder) {
        Ok(rows) => rows,
        Err(error) => return untested(format!("{error:#}")),
    };
    let of_board = rows.iter().filter(|row| row.board == board);
    let found = of_board.filter_map(|row| Some((row.found()?, row))).max_by_key(|(found, _)| found.last_stone);
    let Some((found, row)) = found else {
        return untested(format!("{board} is not solved: `c4lab outcomes --boards {board}`"));
    };
    let is_less = found.last_stone.is_none() && published.last_stone.is_some() && found.sign == published.sign;
    let (verdict, why) = if is_less {
        (Verdict::Undecided, "the winner is the same; the last stone is not known".to_string())
    } else if published.agrees(found) {
        let nodes = pluralize(row.nodes as usize, "node");
        (Verdict::Reproduced, format!("{} on {board}, {nodes}", row.variant))
    } else {
        (Verdict::OtherNumber, format!("{} finds {found} on {board}", row.variant))
    };
    let finding = Finding::untested(claim, verdict, why).with(claim, Measured::exact(found.number()));
    Finding { set: Some(board.to_string()), ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_report::extras::{self, Extras};

    fn row(board: &str, outcome: Option<&str>) -> Row {
        let (board, outcome) = (board.to_string(), outcome.map(str::to_string));
        Row { board, goal: Goal::Weak, outcome, ..Row::default() }
    }

    #[test]
    fn what_was_published_stands_beside_it() {
        let mut kinds = Extras::default();
        crate::register(&mut kinds);
        extras::register(kinds);
        let claims = claim::embedded().unwrap();
        assert!(claims.iter().any(|claim| claim.kind.name() == "outcome" && claim.id == "tromp-7x6"));
        let boards: Vec<String> = published_boards(&claims).iter().map(ToString::to_string).collect();
        assert_eq!((boards.len(), boards[0].as_str(), boards[45].as_str()), (46, "4x4", "8x9"));
        assert!(!contradicts(&row("4x4", Some("=")), &claims));
        assert!(contradicts(&row("4x4", Some("+")), &claims) && !contradicts(&row("4x4", None), &claims));
        assert!(contradicts(&row("8x7", Some("+51")), &claims) && !contradicts(&row("8x7", Some("+53")), &claims));
        let sheet = sheet(&[row("6x4", Some("-")), row("4x15", Some("="))], &claims);
        assert!(sheet.conclusion.starts_with("2 boards are solved, 0 of them with the last stone. 1 answers agree"));
    }

    #[test]
    fn outcomes_are_read_as_they_are_written() {
        for text in ["+", "=", "-", "+41", "-62", "+7"] {
            let outcome: Outcome = text.parse().unwrap();
            assert_eq!((outcome.to_string().as_str(), Outcome::of_number(outcome.number())), (text, outcome));
        }
        for text in ["", "41", "+42", "-41", "=42", "+x", "+-3", "++", "+99999999999"] {
            assert!(text.parse::<Outcome>().unwrap_err().contains("is no outcome"), "{text}");
        }
    }

    #[test]
    fn a_score_says_who_wins_and_with_which_stone() {
        let of = |board: &str, goal, score| {
            Outcome::of(&Position::start_on(board.parse().unwrap()), goal, score).to_string()
        };
        let after = |moves: &str, score| Outcome::of(&Position::parse(moves).unwrap(), Goal::Strong, score).to_string();
        // The second player loses with the 41st stone after `4`, and wins with the 40th after `1`.
        assert_eq!((after("4", -1), after("1", 2), after("44", 1)), ("+41".into(), "-40".into(), "+41".into()));
        assert_eq!(of("7x6", Goal::Strong, 1), "+41");
        assert_eq!(of("7x6", Goal::Weak, 1), "+");
        assert_eq!(of("6x6", Goal::Strong, -1), "-36");
        assert_eq!(of("7x7", Goal::Strong, 0), "=");
        let [winner, found, other] = ["+", "+41", "+39"].map(|text| text.parse::<Outcome>().unwrap());
        assert!(winner.agrees(found) && found.agrees(winner) && !found.agrees(other));
        assert!(!winner.agrees("=".parse().unwrap()));
    }
}
