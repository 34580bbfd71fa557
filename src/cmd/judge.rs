//! `c4lab judge`: how perfect a player is, by the stones on the board.

use crate::cmd::interrupt::Interrupt;
use crate::cmd::output::{self, print_table};
use crate::cmd::player::PlayerArgs;
use crate::cmd::{Exit, Usage};
use anyhow::Result;
use c4lab::lab::counted::counted;
use c4lab::lab::files::atomic;
use c4lab::lab::matches::judge::{FILE, JudgedRow, Trial, judge};
use c4lab::lab::sets::by_ply;
use c4lab::lab::sets::test_set::TestSet;
use c4lab::report::plot::solved::{Share, shares};
use c4lab::report::stats::wilson::wilson;

const EXAMPLES: &str = "\
The player is asked for a move in positions of random play with every number of stones, whose scores are known. A move keeps the value \
if a win stays a win and a draw a draw; it is fastest if no win is sooner and no loss later. Where every move keeps the value, nothing \
can go wrong: such positions are left out of the share that keeps it. Shares have Wilson's 95 % interval.

Examples:
  c4lab judge random
  c4lab judge bot-final --node-limit 144000
  c4lab judge mine --engine mine='./player' --move-time 1s --per-ply 100

Moves go to DIR/judged.csv one by one, a picture to DIR/judged.svg; the same command goes on where it was stopped.
Exit status: 0 all judged, 1 failure, 2 usage, 5 interrupted.";

/// Ask a player for moves in positions of all numbers of stones, and say how perfect it is
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player: a variant, a program of --engine, or `random`
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The positions: a test set, or a file of one
    #[arg(long, value_name = "SET", default_value = by_ply::NAME)]
    set: String,
    /// The most positions with as many stones
    #[arg(long, value_name = "N", default_value_t = 20)]
    per_ply: usize,
    /// Stones a row of the table
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    band: u32,
    #[command(flatten)]
    players: PlayerArgs,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    if args.per_ply == 0 {
        return Err(Usage("--per-ply 0: at least one".to_string()).into());
    }
    let interrupt = Interrupt::listen()?;
    let folder = args.players.folder("judge");
    let set = TestSet::open_on(args.players.board, &args.set)?;
    let (name, mut player) = args.players.player(&args.player, &folder)?;
    let mut referee = args.players.referee()?;
    let limits = args.players.limits(interrupt.flag());
    let trial = Trial {
        name: &name,
        set: &set,
        per_ply: args.per_ply,
        goal: args.players.goal,
        seed: args.players.seed,
        limits,
    };
    let bar = args.players.bar(0, "moves");
    let judged = judge(&trial, &folder, &mut *player, &mut *referee, |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let (rows, is_whole) = judged?;
    print(&rows, args.band)?;
    atomic::write(&folder.join("judged.svg"), picture(&rows, args.band).as_bytes())?;
    Ok(args.players.end(&counted(rows.len(), "move"), &folder.join(FILE), is_whole))
}

/// The rows of every band of stones, the fewest first.
fn bands(rows: &[JudgedRow], band: u32) -> Vec<(u32, Vec<&JudgedRow>)> {
    let mut bands: Vec<(u32, Vec<&JudgedRow>)> = Vec::new();
    let mut sorted: Vec<&JudgedRow> = rows.iter().collect();
    sorted.sort_by_key(|row| row.ply);
    for row in sorted {
        let from = row.ply / band * band;
        match bands.last_mut().filter(|(last, _)| *last == from) {
            Some((_, rows)) => rows.push(row),
            None => bands.push((from, vec![row])),
        }
    }
    bands
}

/// Those where a move can be a mistake, and of these the ones that are none.
fn kept(rows: &[&JudgedRow]) -> (usize, usize) {
    let matters: Vec<_> = rows.iter().filter(|row| row.matters).collect();
    (matters.iter().filter(|row| row.keeps).count(), matters.len())
}

/// A count of so many, and its share with the interval.
fn shown((count, of): (usize, usize)) -> String {
    if of == 0 {
        return "-".to_string();
    }
    let (low, high) = wilson(count, of);
    let [share, low, high] = [count as f64 / of as f64, low, high].map(|share| 100.0 * share);
    format!("{count} of {of}: {share:.0} % ({low:.0} to {high:.0})")
}

fn print(rows: &[JudgedRow], band: u32) -> Result<()> {
    let line = |stones: String, rows: &[&JudgedRow]| {
        let fastest = (rows.iter().filter(|row| row.fastest).count(), rows.len());
        let guesses = rows.iter().filter(|row| row.status == "guess").count();
        let failed = rows.iter().filter(|row| !["ok", "guess"].contains(&row.status.as_str())).count();
        let worst = rows.iter().map(|row| row.ns).max().unwrap_or_default();
        let counts = [shown(kept(rows)), shown(fastest), guesses.to_string(), failed.to_string()];
        [stones].into_iter().chain(counts).chain([format!("{:.0} ms", worst as f64 / 1e6)]).collect::<Vec<_>>()
    };
    let mut lines: Vec<Vec<String>> =
        bands(rows, band).iter().map(|(from, rows)| line(format!("{from} to {}", from + band - 1), rows)).collect();
    lines.push(line("all".to_string(), &rows.iter().collect::<Vec<_>>()));
    print_table(&["stones", "keeps the value", "fastest", "guesses", "no move", "longest move"], lines)?;
    let mistakes = rows.iter().filter(|row| row.matters && !row.keeps);
    let said = match mistakes.clone().min_by_key(|row| row.ply) {
        None => "no move gave the value away".to_string(),
        Some(first) => {
            let last = mistakes.map(|row| row.ply).max().unwrap_or_default();
            format!("first mistake with {} stones ({}), none with more than {last}", first.ply, first.moves)
        }
    };
    output::print(&said, Exit::Success)?;
    Ok(())
}

/// The shares of moves that keep the value, and of those that are fastest, by stones.
fn picture(rows: &[JudgedRow], band: u32) -> String {
    let point = |from: u32, (count, of): (usize, usize)| {
        (of > 0).then(|| Share { stones: from, share: count as f64 / of as f64, interval: wilson(count, of) })
    };
    let bands = bands(rows, band);
    let keeps = bands.iter().filter_map(|(from, rows)| point(*from, kept(rows))).collect();
    let fastest = |rows: &[&JudgedRow]| (rows.iter().filter(|row| row.fastest).count(), rows.len());
    let fastest = bands.iter().filter_map(|(from, rows)| point(*from, fastest(rows))).collect();
    shares(&[("keeps the value".to_string(), keeps), ("fastest".to_string(), fastest)], "moves").to_string()
}
