//! `c4lab match`: games between two players.

use crate::games_table;
use crate::matches::series::{FILE, GameRow, MatchTerms, play_missing};
use crate::player_args::{PlayerArgs, RowArgs};
use anyhow::Result;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::FormatArg;
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::counted::counted;

const EXAMPLES: &str = "\
A player is a variant (`c4lab list variants`), a program of --engine, `random` (any move), `random-best` (any of the best moves), or \
`random:3:NAME` (three random moves, then those of NAME). A program reads a line with the moves and answers \
with the moves and its column; --answer says what else it may answer. Each opening is played twice, with sides changed. A player \
that plays no move in time, or one that cannot be played, or that ends, loses the game, and the row says why. A variant that reaches \
a limit plays the move nearest to the centre that does not lose at once: a guess, which is counted.

Examples:
  c4lab match champion random --games 20
  c4lab match champion bot-final --games 100 --openings random:4 --move-time 1s
  c4lab match champion mine --engine mine='./player' --move-time 1s --referee
  c4lab match champion pons-08 --node-limit 100000 --openings random:8

Games go to DIR/games.csv one by one; the same command goes on where it was stopped.
Exit status: 0 all played, 1 failure, 2 usage, 5 interrupted.";

/// Play games between two players, from openings that both play from either side
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// One player
    #[arg(value_name = "A")]
    one: String,
    /// The other
    #[arg(value_name = "B")]
    other: String,
    /// Number of games; an even one, so that every opening is played from both sides
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// What openings are: random:N, so many moves of random play
    #[arg(long, value_name = "random:N", default_value = "random:4", value_parser = opening_plies)]
    openings: u32,
    /// Let the champion say which moves gave away a win or a draw
    #[arg(long)]
    referee: bool,
    #[command(flatten)]
    players: PlayerArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    format: FormatArg,
}

fn opening_plies(text: &str) -> Result<u32, String> {
    let plies = text.strip_prefix("random:").and_then(|plies| plies.parse().ok());
    plies.ok_or_else(|| "write random:N, for example random:4".to_string())
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    if args.games == 0 || !args.games.is_multiple_of(2) {
        return Err(Usage(format!(
            "--games {}: an even number, so that every opening is played from both sides",
            args.games
        ))
        .into());
    }
    if args.openings >= args.players.board.cells() {
        let (plies, board) = (args.openings, args.players.board);
        return Err(Usage(format!("--openings random:{plies}: {board} has {} squares", board.cells())).into());
    }
    let interrupt = Interrupt::listen()?;
    let folder = args.rows.folder("match");
    let (one, first) = args.players.player(&args.one, &folder)?;
    let (other, second) = args.players.player(&args.other, &folder)?;
    let names = if one == other { [format!("{one} (A)"), format!("{other} (B)")] } else { [one, other] };
    let terms = MatchTerms {
        board: args.players.board,
        names,
        goal: args.players.goal,
        games: args.games,
        opening_plies: args.openings,
        seed: args.rows.seed,
        limits: args.players.limits(interrupt.flag()),
    };
    let referee = args.referee.then(|| args.players.referee()).transpose()?;
    let bar = args.rows.bar(args.games as u64, "games");
    let played = play_missing(&terms, &folder, &mut [first, second], referee, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let (rows, is_whole) = played?;
    let openings = terms.openings().len();
    if openings < args.games / 2 {
        complain(format_args!(
            "there are {} of {} random moves: they come again",
            counted(openings, "opening"),
            args.openings
        ));
    }
    args.format.sheets(&[games_table::sheet(&terms.names, &rows)])?;
    args.players.tell_reasons("game", rows.iter().filter_map(lost_by), &folder);
    let next = format!("c4lab judge {}", args.players.again(&args.one));
    Ok(args.rows.end(&counted(rows.len(), "game"), &folder.join(FILE), &next, is_whole))
}

/// Who lost a game without its end on the board, and why.
fn lost_by(row: &GameRow) -> Option<String> {
    let loser = if row.result == "1-0" { &row.second } else { &row.first };
    Some(format!("lost by {loser}: {}: {}", row.end, row.reason.as_ref()?))
}
