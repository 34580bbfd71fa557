//! `c4lab test-sets`: generating test sets and verifying them.

use anyhow::{Context, Result};
use c4lab_cli::output::{self, progress_bar};
use c4lab_cli::solver::options;
use c4lab_cli::values::{one_thread, set, shipped_set, spec, threads};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::files::atomic;
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::draw::Pick;
use c4lab_measure::sets::generate::{Bench, Candidates, generate, score};
use c4lab_measure::sets::originals;
use c4lab_measure::sets::protocol::{Protocol, SETS, SHIPPED_COUNT};
use c4lab_measure::sets::test_set::{TestSet, print_moves};
use c4lab_measure::sets::verify::{self, Severity, Verification, verify};
use c4lab_measure::text::{pluralize, sha256};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{DEFAULT, Entry, compiled_on, takes_any_choice};
use c4lab_solver::search::{BuildError, Goal, Limits, Name, Options, Solve, Spec, size};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Generate test sets, verify their files, or add the original ones
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Generate(GenerateArgs),
    Verify(VerifyArgs),
    /// Keep the original test sets in the user's data folder, where every command finds them as original/NAME
    #[command(after_help = ADD_EXAMPLES)]
    Add {
        /// The folder with files Test_L*_R*
        folder: PathBuf,
    },
}

const ADD_EXAMPLES: &str = "\
The files are those of P. Pons, \"Solving Connect Four\"; their digests are checked. C4LAB_TEST_SETS names another folder to keep them in.

Examples:
  for set in L3_R1 L2_R1 L2_R2 L1_R1 L1_R2 L1_R3; do curl -fsSLO http://blog.gamesolver.org/data/Test_$set; done
  c4lab test-sets add .";

const GENERATE_EXAMPLES: &str = "\
The lines depend only on set, seed, count and --without. Seed 1 makes the shipped sets again. One solver finds every \
score, and a judge confirms that the true score is above SCORE - 1, and not above SCORE. A solver or judge is the name of a \
variant: pons-08, or pons-12[order=centre]. A judge may also be `oracle`, for end-easy of the standard board only: it knows no pruning.

Examples:
  c4lab test-sets generate --set end-easy --out /tmp/sets
  c4lab test-sets generate --set middle-easy --seed 7 --count 100 --judge pons-08
  c4lab test-sets generate --all --out test-sets --tt 512MiB
  c4lab test-sets generate --set begin-easy --seed 2 --count 50 --without begin-easy
  c4lab test-sets generate --by-ply --out test-sets
  c4lab test-sets generate --board 7x7 --set middle-easy --out runs/7x7

A set is written when it is complete. A run that is stopped earlier leaves no file.";

/// Draw positions from a seed by the published protocol, score them twice and write NAME.txt
#[derive(Debug, clap::Args)]
#[command(after_help = GENERATE_EXAMPLES)]
pub struct GenerateArgs {
    /// A set to generate; may be given again
    #[arg(long = "set", value_name = "NAME", value_parser = shipped_set(), required_unless_present_any = ["all", "by_ply"])]
    sets: Vec<&'static Protocol>,
    /// All six sets: this takes hours
    #[arg(long, conflicts_with = "sets")]
    all: bool,
    /// Positions of random play, --count of them for every number of stones, into by-ply.txt
    #[arg(long, conflicts_with_all = ["sets", "all", "without"])]
    by_ply: bool,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of positions [default: 1000; with --by-ply 100 for every number of stones]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Leave out the positions of this set, up to mirror; may be given again
    #[arg(long, value_name = "SET", value_parser = set())]
    without: Vec<String>,
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Number of threads, each with two solvers [default: as many as CPUs]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// The solver that scores the positions
    #[arg(long, visible_alias = "solver", value_name = "NAME", value_parser = spec, default_value = DEFAULT)]
    variant: Spec,
    /// The judge that confirms the scores [default: the variant that shares least with the solver and is fast enough]
    #[arg(long, value_name = "oracle|NAME", value_parser = judge)]
    judge: Option<Choice>,
    /// Size of the table of every solver; the lines do not depend on it [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    tt: Option<u64>,
    /// Columns and rows of the board; stages and distances are in proportion to it
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Oracle,
    Spec(Spec),
}

fn judge(text: &str) -> Result<Choice, String> {
    if text == "oracle" { Ok(Choice::Oracle) } else { spec(text).map(Choice::Spec) }
}

/// A judge for `set` that shares no search, move order, zugzwang bounds or table with [`DEFAULT`]. Judges of easier sets
/// use fewer techniques.
fn default_judge(set: &Protocol, board: BoardSize) -> &'static str {
    match set.name {
        // Slots of the other judges hold keys of at most 56 bits.
        _ if board.bits() > 56 => "pons-12-table-wide",
        _ if !takes_any_choice(board) => pons_12_of(board),
        // The oracle plays on the standard board only.
        "end-easy" if board != BoardSize::STANDARD => {
            "pons-12[storage=array,table=full,table-bounds=upper,table-size=chosen]"
        }
        "end-easy" => "oracle",
        "middle-easy" | "middle-medium" => {
            "pons-12[storage=array,anticipation=wins,bounds=upper,order=centre,table=full,table-bounds=upper,table-size=chosen]"
        }
        "begin-hard" => pons_12_of(board),
        _ => "pons-12[storage=array,table=full,table-bounds=upper,table-size=chosen]",
    }
}

/// The variant of pons-12 that is compiled for `board`: its table holds the keys of that board.
fn pons_12_of(board: BoardSize) -> &'static str {
    let is_other = |entry: &&Entry| entry.name != DEFAULT && entry.name.starts_with("pons-12");
    compiled_on(board).find(is_other).map_or("pons-12", |entry| entry.name)
}

const VERIFY_EXAMPLES: &str = "\
Checks form, legality, stones, plies to play, SHA-256 where it is known, duplicates up to mirror, and that nobody \
wins at once. The last is an error in the shipped sets and in files named like one, elsewhere a warning, as duplicates are.

Scores are checked on all cores. The findings and their order do not depend on --threads. Each thread has a table of its own, of 64 MiB unless the name of the variant has another size.

Examples:
  c4lab test-sets verify end-easy middle-easy
  c4lab test-sets verify original/begin-hard my-positions.txt
  c4lab test-sets verify 7x7/middle-easy --scores pons-12-table-wide --sample 20
  c4lab test-sets verify end-easy --scores pons-12
  c4lab test-sets verify begin-easy --scores champion --threads 2
  c4lab test-sets verify begin-hard --scores pons-12 --sample 20 --seed 3

Exit status: 0 nothing but warnings, 1 errors, 4 a wrong score.";

/// Verify test sets: print errors and warnings on stderr, and a verdict for each file on stdout
#[derive(Debug, clap::Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub struct VerifyArgs {
    /// Names of sets, original/NAME, or paths of files
    #[arg(value_name = "FILE", required = true, value_parser = set())]
    files: Vec<String>,
    /// Check the scores too, with this variant
    #[arg(long, value_name = "VARIANT", value_parser = one_thread(), hide_possible_values = true)]
    scores: Option<Name>,
    /// Check the scores of only N lines, drawn from --seed
    #[arg(long, value_name = "N", requires = "scores", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The first line that may be drawn
    #[arg(long, value_name = "LINE", requires = "sample", default_value_t = 1)]
    from: u32,
    /// The seed of the sample
    #[arg(long, requires = "sample", default_value_t = 1)]
    seed: u64,
    /// Number of threads that check scores, each with a solver and a table of its own [default: as many as CPUs]
    #[arg(long, value_name = "N", requires = "scores", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Columns and rows of the board of files: at least 4x4 [default: that of the named set, else 7x6]
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    board: Option<BoardSize>,
}

impl VerifyArgs {
    fn board_of(&self, file: &str) -> BoardSize {
        self.board.or_else(|| TestSet::named_board(file)).unwrap_or(BoardSize::STANDARD)
    }

    /// `count` solvers for `board`; none without `--scores`.
    fn solvers(&self, board: BoardSize, count: usize) -> Result<Vec<Box<dyn Solve>>> {
        let Some(name) = &self.scores else { return Ok(Vec::new()) };
        let built = (0..count).map(|_| name.build(&Options::on(board))).collect::<Result<_, _>>();
        built.with_context(|| format!("--scores {}", name.text()))
    }
}

pub fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Generate(args) => run_generate(args),
        Command::Verify(args) => run_verify(args),
        Command::Add { folder } => {
            let names: Vec<String> =
                originals::add(folder)?.into_iter().map(|set| format!("original/{}", set.name)).collect();
            let text = format!("added to {}: {}\n", originals::folder()?.display(), names.join(", "));
            output::print(&text, Exit::Success)
        }
    }
}

fn run_generate(args: &GenerateArgs) -> Result<Exit> {
    if args.by_ply {
        return run_by_ply(args);
    }
    let sets = if args.all { SETS.iter().collect() } else { args.sets.clone() };
    let path = |set: &Protocol| args.out.join(format!("{}.txt", set.name));
    // Fails now, not after hours of work, if a file cannot be written.
    sets.iter().try_for_each(|set| atomic::check(&path(set)))?;
    let options = options(args.variant, args.tt, args.board, "the solver");
    let left_out = args.without.iter().map(|name| TestSet::open_on(args.board, name)).collect::<Result<Vec<_>>>()?;
    for set in sets {
        let count = args.count.map_or(SHIPPED_COUNT, |count| count as usize);
        let benches = benches(args, default_judge(set, args.board), &options)?;
        let candidates = Candidates::on(args.board, set, args.seed).without(left_out.iter().flat_map(TestSet::boards));
        let bar = progress_bar(count as u64, set.name);
        let lines = generate(candidates, count, benches, |kept| bar.set_position(kept as u64))?;
        bar.finish_and_clear();
        keep(&path(set), &lines)?;
    }
    Ok(Exit::Success)
}

fn keep(path: &Path, lines: &[(Position, Score)]) -> Result<()> {
    let line = |(position, score): &(Position, Score)| format!("{} {score}\n", print_moves(position));
    let text: String = lines.iter().map(line).collect();
    atomic::write(path, text.as_bytes())?;
    Ok(writeln!(io::stdout().lock(), "{}  {}", sha256(text.as_bytes()), path.display())?)
}

/// A position with fewer stones than this is confirmed by a faster judge, which shares more with the solver.
const EARLY: u32 = 10;

fn run_by_ply(args: &GenerateArgs) -> Result<Exit> {
    let path = args.out.join(format!("{}.txt", by_ply::NAME));
    atomic::check(&path)?;
    let options = options(args.variant, args.tt, args.board, "the solver");
    let count = args.count.map_or(by_ply::COUNT, |count| count as usize);
    let drawn: Vec<Position> =
        by_ply::plies(args.board).flat_map(|ply| by_ply::draw(args.board, args.seed, ply, count)).collect();
    let bar = progress_bar(drawn.len() as u64, by_ply::NAME);
    let (early, late): (Vec<Position>, Vec<Position>) = drawn.into_iter().partition(|it| it.ply() < EARLY);
    let before = early.len();
    let early_judge = if args.board == BoardSize::STANDARD { "champion-search-moves" } else { pons_12_of(args.board) };
    let mut lines = score(early, benches(args, early_judge, &options)?, |done| bar.set_position(done as u64))?;
    let done = |done| bar.set_position((before + done) as u64);
    lines.extend(score(late, benches(args, pons_12_of(args.board), &options)?, done)?);
    bar.finish_and_clear();
    keep(&path, &lines)?;
    Ok(Exit::Success)
}

fn benches(args: &GenerateArgs, default: &str, options: &Options) -> Result<Vec<Bench>> {
    let choice = args.judge.map_or_else(|| judge(default), Ok).expect("default judges are valid");
    let bench = |_| {
        let judge = match choice {
            Choice::Oracle if args.board != BoardSize::STANDARD => {
                let board = args.board;
                let reason = format!("--judge oracle: the oracle knows {} alone, not {board}", BoardSize::STANDARD);
                return Err(Usage(reason).into());
            }
            Choice::Oracle => None,
            Choice::Spec(spec) => Some(build(spec, options).context("the judge")?),
        };
        Ok(Bench { solver: build(args.variant, options).context("the solver")?, judge })
    };
    (0..threads(args.threads)).map(bench).collect()
}

fn build(spec: Spec, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    knows_scores(spec).map_err(BuildError::Spec)?;
    Name::of(spec).build(options)
}

/// An error if a variant of `spec` finds only who wins.
fn knows_scores(spec: Spec) -> Result<(), String> {
    if spec.goals().contains(&Goal::Strong) {
        return Ok(());
    }
    Err("this variant says only who wins: choose one that finds scores".to_string())
}

const MOST_FINDINGS: usize = 20;

fn run_verify(args: &VerifyArgs) -> Result<Exit> {
    if let Some(name) = &args.scores {
        knows_scores(name.spec()).map_err(|reason| Usage(format!("--scores {}: {reason}", name.text())))?;
    }
    // Fails now, not after a long file, if a solver cannot be built.
    let boards: HashSet<BoardSize> = args.files.iter().map(|file| args.board_of(file)).collect();
    boards.into_iter().try_for_each(|board| args.solvers(board, 1).map(drop))?;
    let pick = args.sample.map(|count| Pick { count: count as usize, seed: args.seed, from: args.from as usize });
    let mut exit = Exit::Success;
    for file in &args.files {
        let board = args.board_of(file);
        // There may be no memory for the tables of two files.
        let mut solvers = args.solvers(board, threads(args.threads))?;
        let outcome = match verify_one(file, board, &mut solvers, pick) {
            Ok(verdict) => report(file, &verdict)?,
            Err(error) => {
                complain(format_args!("{error:#}"));
                output::print(&format!("{file}: FAILED"), Exit::Failure)?
            }
        };
        exit = exit.max(outcome);
    }
    Ok(exit)
}

fn verify_one(
    file: &str,
    board: BoardSize,
    solvers: &mut [Box<dyn Solve>],
    pick: Option<Pick>,
) -> Result<Verification> {
    let bar = progress_bar(0, file);
    let progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let limits = Limits::default();
    let is_judged = !solvers.is_empty();
    let judge = is_judged.then_some(verify::ScoreCheck { solvers, limits, pick, progress: &progress });
    let verdict = verify(file, board, judge);
    bar.finish_and_clear();
    verdict
}

fn report(file: &str, verdict: &Verification) -> Result<Exit> {
    // The worst first, so that no warning displaces an error.
    let mut findings: Vec<_> = verdict.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings.into_iter().take(MOST_FINDINGS) {
        complain(finding.about(file));
    }
    if let Some(more) = verdict.findings.len().checked_sub(MOST_FINDINGS).filter(|&more| more > 0) {
        complain(format_args!("{file}: and {more} more"));
    }
    let [warnings, errors, wrong] =
        [Severity::Warning, Severity::Error, Severity::Wrong].map(|severity| verdict.count(severity));
    let exit = match (errors, wrong) {
        (0, 0) => Exit::Success,
        (_, 0) => Exit::Failure,
        _ => Exit::Wrong,
    };
    let word = if exit == Exit::Success { "ok" } else { "FAILED" };
    let known = if verdict.known { "known" } else { "unknown" };
    let checked = match verdict.checked {
        0 => String::new(),
        checked => format!("{} checked, ", pluralize(checked, "score")),
    };
    let counts = [(verdict.positions, "position"), (errors, "error"), (wrong, "wrong score"), (warnings, "warning")];
    let counts = counts.map(|(count, one)| pluralize(count, one)).join(", ");
    let text = format!("{file}: {word}: {counts}, {checked}SHA-256 {known} {}", verdict.sha256);
    output::print(&text, exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_a_solver_and_a_judge_that_can_be_built() {
        assert!(build(spec(DEFAULT).unwrap(), &Options::with_tt(1 << 20)).is_ok());
        for set in &SETS {
            match judge(default_judge(set, BoardSize::STANDARD)).unwrap() {
                Choice::Oracle => assert_eq!(set.name, "end-easy"),
                Choice::Spec(spec) => {
                    assert!(build(spec, &Options::with_tt(1 << 20)).is_ok())
                }
            }
        }
    }
}
