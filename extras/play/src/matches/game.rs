//! Game: one game from an opening to its end. A player that plays no move, or none that can be played, loses it.

use crate::matches::player::{ChosenMove, Player, Refusal};
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use std::time::{Duration, Instant};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// Four in a row, by whoever played last.
    Four,
    /// The board is full.
    Full,
    /// The player to move lost it: `illegal`, `late`, `crashed`, `memory`, `garbled`; and what happened.
    Forfeit(&'static str, String),
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its moves, those of the opening first.
    pub position: Position,
    /// How it ended.
    pub end: GameEnd,
    /// What each side did, the first player's first.
    pub sides: [SideRecord; 2],
}

/// What one side did in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideRecord {
    /// Moves that it chose.
    pub moves: u32,
    /// Moves that a limit left to a guess.
    pub guesses: u32,
    /// Moves that gave away a win or a draw; counted where a referee looks.
    pub slips: u32,
    /// The longest that it took for a move.
    pub worst: Duration,
}

impl Game {
    /// The side that won: 0 the first player, 1 the second, `None` nobody.
    pub fn winner(&self) -> Option<usize> {
        let to_move = self.position.ply() as usize % 2;
        match self.end {
            GameEnd::Full => None,
            GameEnd::Four | GameEnd::Forfeit(..) => Some(1 - to_move),
        }
    }
}

/// Why a game was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished;

/// Plays a game from a position that is not over. A referee says what each move gives away.
///
/// # Errors
/// It was interrupted.
pub fn play(
    opening: &Position,
    players: [&mut dyn Player; 2],
    limits: &Limits<'_>,
    mut referee: Option<&mut dyn Solve>,
) -> Result<Game, Unfinished> {
    let mut game = Game { position: opening.clone(), end: GameEnd::Full, sides: [SideRecord::default(); 2] };
    let mut value = referee.as_deref_mut().map(|referee| value(referee, opening, limits)).transpose()?;
    loop {
        let to_move = game.position.ply() as usize % 2;
        let begun = Instant::now();
        let chosen = players[to_move].choose(&game.position, limits);
        let side = &mut game.sides[to_move];
        side.worst = side.worst.max(begun.elapsed());
        side.moves += 1;
        let ChosenMove { column, is_guess } = match chosen {
            Ok(choice) => choice,
            Err(Refusal::Interrupted) => return Err(Unfinished),
            Err(Refusal::Late) => {
                let time = limits.time.map_or_else(String::new, |time| format!(" within {time:?}"));
                game.end = GameEnd::Forfeit("late", format!("no move{time}"));
                return Ok(game);
            }
            Err(Refusal::Failed(kind, reason)) => {
                game.end = GameEnd::Forfeit(kind, reason);
                return Ok(game);
            }
        };
        side.guesses += u32::from(is_guess);
        if let Err(reason) = game.position.play(column) {
            game.end = GameEnd::Forfeit("illegal", reason.to_string());
            return Ok(game);
        }
        if let (Some(before), Some(referee)) = (value, referee.as_deref_mut()) {
            let now = self::value(referee, &game.position, limits)?;
            game.sides[to_move].slips += u32::from(-now < before);
            value = Some(now);
        }
        if game.position.is_over() {
            game.end = if game.position.is_won() { GameEnd::Four } else { GameEnd::Full };
            return Ok(game);
        }
    }
}

/// Who wins from a position, from the mover's side.
pub fn value(referee: &mut dyn Solve, position: &Position, limits: &Limits<'_>) -> Result<Score, Unfinished> {
    if position.is_over() {
        return Ok(if position.is_won() { -1 } else { 0 });
    }
    // The limits are the players'; the referee takes the time that it needs.
    let limits = Limits { interrupt: limits.interrupt, ..Limits::default() };
    match referee.solve(position, Goal::Weak, &limits) {
        Ok(solved) => Ok(solved.score),
        Err(Stopped::Interrupted(_)) => Err(Unfinished),
        Err(stopped) => unreachable!("the referee has no limit: {stopped}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::player::SolverPlayer;
    use c4lab_measure::sets::test_set::TestSet;
    use c4lab_solver::search::{Options, registry};

    /// Plays the columns that it is told, from 1, and then what it is told.
    struct Told(Vec<u32>, Refusal);

    impl Player for Told {
        fn begin(&mut self, _: u64, _: usize) {}

        fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
            if self.0.is_empty() {
                return Err(self.1.clone());
            }
            Ok(ChosenMove { column: self.0.remove(0) - 1, is_guess: false })
        }
    }

    fn told(columns: &[u32]) -> Told {
        Told(columns.to_vec(), Refusal::Late)
    }

    fn played(opening: &str, first: &mut Told, second: &mut Told) -> Result<Game, Unfinished> {
        let mut referee = registry::find("champion").unwrap().build(&Options::default()).unwrap();
        play(&Position::parse(opening).unwrap(), [first, second], &Limits::default(), Some(&mut *referee))
    }

    #[test]
    fn four_in_a_row_ends_it_and_gifts_are_counted() {
        let game = played("121212", &mut told(&[1]), &mut told(&[])).unwrap();
        assert_eq!(
            (game.winner(), &game.end, game.position.to_string()),
            (Some(0), &GameEnd::Four, "1212121".to_string())
        );
        assert_eq!((game.sides[0].slips, game.sides[1].moves), (0, 0));
        // A win that is not taken, and one that is.
        let game = played("121212", &mut told(&[7]), &mut told(&[2])).unwrap();
        assert_eq!((game.winner(), game.sides[0].slips, game.sides[1].slips), (Some(1), 1, 0));
    }

    #[test]
    fn whoever_plays_no_move_loses() {
        let end = |first: Told, second: Told| {
            let (mut first, mut second) = (first, second);
            let game = played("444444", &mut first, &mut second).unwrap();
            (game.winner(), game.end)
        };
        assert_eq!(end(told(&[4]), told(&[])), (Some(1), GameEnd::Forfeit("illegal", "column 4 is full".to_string())));
        assert_eq!(end(told(&[1]), told(&[])), (Some(0), GameEnd::Forfeit("late", "no move".to_string())));
        let crash = || Refusal::Failed("crashed", "ended by signal 9".to_string());
        assert_eq!(
            end(Told(Vec::new(), crash()), told(&[])),
            (Some(1), GameEnd::Forfeit("crashed", "ended by signal 9".to_string()))
        );
        let mut stopped = Told(Vec::new(), Refusal::Interrupted);
        assert_eq!(played("444444", &mut stopped, &mut told(&[])), Err(Unfinished));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let set = TestSet::open("by-ply/40").unwrap();
        let item = set.items.iter().find(|item| item.score == 0).expect("a drawn position");
        let solver = || registry::find("champion").unwrap().build(&Options::default()).unwrap();
        let [mut one, mut other] = [(); 2].map(|()| SolverPlayer::new(solver(), Goal::Strong));
        let game = play(&item.position, [&mut one, &mut other], &Limits::default(), Some(&mut *solver())).unwrap();
        assert_eq!((game.winner(), game.end, game.position.ply()), (None, GameEnd::Full, 42));
        assert!(game.sides.iter().all(|side| (side.moves, side.guesses, side.slips) == (1, 0, 0)));
    }
}
