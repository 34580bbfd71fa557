//! `c4lab play`: a person plays in the terminal, against any variant or program.

mod entry;
mod session;
mod strength;

use crate::matches::player::{Player, SolverPlayer};
use crate::player_args::PlayerArgs;
use anyhow::Result;
use c4lab_cli::drawing::Paint;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::{Exit, Usage, output};
use c4lab_measure::sets::test_set::parse_moves_on;
use c4lab_solver::search::registry::DEFAULT;
use session::Session;
use std::time::SystemTime;
use strength::{Strength, Weakened};

const EXAMPLES: &str = "\
A move is the number of a column. Words do the rest: back, hint, scores, line, board, side, new, help, quit. Everything works \
through a pipe, too: a line is a move or a word.

The opponent is the champion, who knows the first eight stones by heart and makes no mistake, or whoever --against names. It can be \
weakened in two ways that say what they do: --sees 20 lets it search only the last 20 stones of the game, and --own-moves 70 \
lets it choose 70 of 100 moves; the others are any move.

Examples:
  c4lab play
  c4lab play 444 --second --scores                   from a position, with the score of every column
  c4lab play --sees 16                               an opponent that sees the last 16 stones
  c4lab play --against pons-12 --node-limit 100000
  c4lab play --against mine --engine mine='./player'

Exit status: 0 ended by you or by the end of the input, 1 the opponent plays no move, 2 usage, 5 interrupted.";

/// Play against a variant or a program, in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The moves of a position to begin with
    #[arg(value_name = "MOVES", default_value = "-", hide_default_value = true)]
    moves: String,
    /// The opponent: a variant, a program of --engine, `random`, or `random-best` [default: the champion with its book]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// You play the stones of the second player (O)
    #[arg(long)]
    second: bool,
    /// Show the score of every column whenever it is your turn
    #[arg(long)]
    scores: bool,
    /// The opponent searches only the last N stones; before, it takes a win, stops one, and else plays at random
    #[arg(long, value_name = "N")]
    sees: Option<u32>,
    /// Of 100 moves of the opponent, so many are its own; the others are any move
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=100))]
    own_moves: u32,
    /// The seed of moves that are drawn by lot [default: another one every time]
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    players: PlayerArgs,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let start = parse_moves_on(args.players.board, &args.moves).map_err(|error| Usage(error.to_string()))?;
    // What a program writes to stderr is of no use afterwards.
    let folder = tempfile::tempdir()?;
    let (name, player) = match &args.against {
        Some(name) => args.players.player(name, folder.path())?,
        None => {
            let champion = SolverPlayer::new(args.players.referee()?, args.players.goal);
            (DEFAULT.to_string(), Box::new(champion) as Box<dyn Player>)
        }
    };
    let strength = Strength { sees: args.sees, own_moves: args.own_moves };
    let (own, its) = if args.second { ("second, O", "first, X") } else { ("first, X", "second, O") };
    output::print(&format!("You play {own}; {name} plays {its}."), Exit::Success)?;
    if let Some(said) = strength.in_words() {
        output::print(&format!("How strong {name} is: {said}."), Exit::Success)?;
    }
    output::print("", Exit::Success)?;
    let mut session = Session {
        position: start.clone(),
        start,
        side: usize::from(args.second),
        name,
        opponent: Box::new(Weakened::new(player, strength)),
        limits: args.players.limits(interrupt.flag()),
        adviser: args.players.referee()?,
        shows_scores: args.scores,
        seed: args.seed.unwrap_or_else(any_seed),
        game: 0,
        paint: Paint::of_stdout(),
        interrupt: &interrupt,
    };
    session.run()
}

/// A seed that is another one every time.
fn any_seed() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64)
}
