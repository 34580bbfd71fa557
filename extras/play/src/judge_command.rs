//! `c4lab judge`: how perfect a player is, by the stones on the board.

use crate::judged_table;
use crate::matches::judge::{FILE, Trial, judge};
use crate::player_args::{PlayerArgs, RowArgs};
use anyhow::Result;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::FormatArg;
use c4lab_cli::{Exit, Usage};
use c4lab_measure::counted::counted;
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::test_set::TestSet;

const EXAMPLES: &str = "\
The player is asked for a move in positions of random play with every number of stones, whose scores are known. A move keeps the value \
if a win stays a win and a draw a draw; it is fastest if no win is sooner and no loss later. Where every move keeps the value, nothing \
can go wrong: such positions are left out of the share that keeps it. Shares have Wilson's 95 % interval.

Examples:
  c4lab judge random
  c4lab judge bot-final --node-limit 144000
  c4lab judge mine --engine mine='./player' --move-time 1s --per-ply 100

Moves go to DIR/judged.csv one by one; the same command goes on where it was stopped.
Exit status: 0 all judged, 1 failure, 2 usage, 5 interrupted.";

/// Ask a player for moves in positions of all numbers of stones, and say how perfect it is
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player: a variant, a program of --engine, `random`, or `random-best`
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
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    format: FormatArg,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    if args.per_ply == 0 {
        return Err(Usage("--per-ply 0: at least one".to_string()).into());
    }
    let interrupt = Interrupt::listen()?;
    let folder = args.rows.folder("judge");
    let set = TestSet::open_on(args.players.board, &args.set)?;
    let (name, mut player) = args.players.player(&args.player, &folder)?;
    let mut referee = args.players.referee()?;
    let limits = args.players.limits(interrupt.flag());
    let trial =
        Trial { name: &name, set: &set, per_ply: args.per_ply, goal: args.players.goal, seed: args.rows.seed, limits };
    let bar = args.rows.bar(0, "moves");
    let moves = judge(&trial, &folder, &mut *player, &mut *referee, |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let (rows, is_whole) = moves?;
    args.format.sheets(&[judged_table::sheet(&rows, args.band)])?;
    let without = rows
        .iter()
        .filter_map(|row| Some(format!("without a move of {name}: {}: {}", row.status, row.reason.as_ref()?)));
    args.players.tell_reasons("position", without, &folder);
    let next = format!("c4lab play --against {}", args.players.again(&args.player));
    Ok(args.rows.end(&counted(rows.len(), "move"), &folder.join(FILE), &next, is_whole))
}
