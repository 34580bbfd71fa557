//! Player: whoever chooses a move. A variant plays what its search says, a foreign program what it answers, and chance any
//! move, or any of the best ones.

use c4lab_measure::engines::contestant::{Contestant, FailureKind};
use c4lab_measure::engines::foreign::Foreign;
use c4lab_measure::engines::foreign::form::Says;
use c4lab_measure::sets::draw::Draw;
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped, analysis};
use std::time::{Duration, Instant};

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The column, from 0, which may be one that cannot be played.
    pub column: u32,
    /// Whether a limit ended the search that should have found it.
    pub is_guess: bool,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It did not come in time.
    Late,
    /// The program did something else: `crashed`, `memory` or `garbled`, and what.
    Failed(&'static str, String),
    /// The match was interrupted.
    Interrupted,
}

/// Whoever chooses a move.
pub trait Player: Send {
    /// A game begins; players that remember forget. Chance is that of the game.
    fn begin(&mut self, seed: u64, game: usize);

    /// The move in a position that is not over. Limits hold for each search, their time for the move.
    ///
    /// # Errors
    /// There is none.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal>;
}

/// A variant, with what it is asked.
pub struct SolverPlayer {
    solver: Box<dyn Solve>,
    goal: Goal,
}

/// A foreign program, with what it is asked.
pub struct ProgramPlayer {
    program: Foreign,
    goal: Goal,
}

/// Chance: any move, each as likely as the others.
pub struct RandomPlayer(Draw);

/// Chance among the best moves: each that has the highest score is as likely as the others.
pub struct RandomBestPlayer {
    solver: Box<dyn Solve>,
    goal: Goal,
    draw: Draw,
}

impl RandomBestPlayer {
    /// One whose solver says which moves are best under the goal.
    pub fn new(solver: Box<dyn Solve>, goal: Goal) -> Self {
        RandomBestPlayer { solver, goal, draw: RandomPlayer::default().0 }
    }
}

impl SolverPlayer {
    /// A solver, which is asked for exact scores where it knows them.
    pub fn new(solver: Box<dyn Solve>, goal: Goal) -> Self {
        SolverPlayer { solver, goal }
    }
}

impl ProgramPlayer {
    /// A program and the goal that it is asked for.
    pub fn new(program: Foreign, goal: Goal) -> Self {
        ProgramPlayer { program, goal }
    }
}

impl Default for RandomPlayer {
    fn default() -> Self {
        RandomPlayer(Draw::new(0, "random player"))
    }
}

/// The limits of a search that began a while ago; `None` where no time is left.
fn rest<'a>(limits: &Limits<'a>, begun: Instant) -> Option<Limits<'a>> {
    let Some(time) = limits.time else { return Some(*limits) };
    let left = time.checked_sub(begun.elapsed()).filter(|left| *left > Duration::ZERO);
    left.map(|left| Limits { time: Some(left), ..*limits })
}

/// Columns that can be played, from the centre out.
fn playable(position: &Position) -> impl Iterator<Item = u32> {
    position.size().centre_first().filter(|&column| position.can_play(column))
}

/// The position after a move.
fn after(position: &Position, column: u32) -> Position {
    let mut child = position.clone();
    child.play(column).expect("a column with room, and a game that goes on");
    child
}

/// A move where the search did not end: it wins, or does not lose at once if there is such a move; the nearest to the
/// centre.
fn guess(position: &Position) -> u32 {
    let loses = |column: &u32| {
        let child = after(position, *column);
        (0..child.size().width()).any(|reply| child.wins_by(reply))
    };
    let mut columns = playable(position);
    let wins = playable(position).find(|&column| position.wins_by(column));
    let safe = || playable(position).find(|column| !loses(column));
    wins.or_else(safe).or_else(|| columns.next()).expect("a game that goes on")
}

impl Player for SolverPlayer {
    fn begin(&mut self, _: u64, _: usize) {
        self.solver.reset();
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let begun = Instant::now();
        if let Some(column) = playable(position).find(|&column| position.wins_by(column)) {
            return Ok(ChosenMove { column, is_guess: false });
        }
        let score = self.solver.solve(position, self.goal, limits).map(|solved| solved.score);
        let best = score.and_then(|score| {
            let limits = rest(limits, begun).ok_or(Stopped::Time(0))?;
            analysis::best_move(&mut *self.solver, position, self.goal, score, &limits)
        });
        match best {
            Ok(column) => Ok(ChosenMove { column, is_guess: false }),
            Err(Stopped::Interrupted(_)) => Err(Refusal::Interrupted),
            Err(_) => Ok(ChosenMove { column: guess(position), is_guess: true }),
        }
    }
}

impl ProgramPlayer {
    /// What it says of a position.
    fn ask(&mut self, position: &Position, limits: &Limits<'_>) -> Result<Says, Refusal> {
        self.program.ask(position, self.goal, limits).map_err(|stopped| match stopped {
            Stopped::Time(_) => Refusal::Late,
            Stopped::Interrupted(_) => Refusal::Interrupted,
            _ => {
                let failure = self.program.account().and_then(|account| account.failure.clone());
                let (kind, reason) =
                    failure.map_or_else(Default::default, |failure| (Some(failure.kind), failure.reason));
                match kind {
                    Some(FailureKind::Late) => Refusal::Late,
                    Some(FailureKind::Signal) => Refusal::Failed("crashed", reason),
                    Some(FailureKind::Memory) => Refusal::Failed("memory", reason),
                    _ => Refusal::Failed("garbled", reason),
                }
            }
        })
    }

    /// The best column by scores of all that can be played, the nearest to the centre of equals.
    fn best(position: &Position, score: impl Fn(u32) -> Option<Score>) -> Result<u32, Refusal> {
        let mut best: Option<(Score, u32)> = None;
        for column in playable(position) {
            let missing = || Refusal::Failed("garbled", format!("no score of column {}", name_of_column(column)));
            let score = score(column).ok_or_else(missing)?;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, column));
            }
        }
        Ok(best.expect("a game that goes on").1)
    }
}

impl Player for ProgramPlayer {
    fn begin(&mut self, _: u64, _: usize) {
        self.program.reset();
        // Starting and forgetting take no time of the first move.
        self.program.prepare(&Limits::default());
    }

    /// A program that answers scores of positions is asked for those after every move.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let begun = Instant::now();
        let column = match self.ask(position, limits)? {
            Says::Move(column) => column,
            Says::Scores(scores) => Self::best(position, |column| scores[column as usize])?,
            Says::Score(_) => {
                let mut scores = vec![None; position.size().width() as usize];
                for column in playable(position) {
                    let child = after(position, column);
                    let limits = rest(limits, begun).ok_or(Refusal::Late)?;
                    scores[column as usize] = match () {
                        () if child.is_won() => Some(position.size().win_at(position.ply())),
                        () if child.is_over() => Some(0),
                        () => match self.ask(&child, &limits)? {
                            Says::Score(score) => Some(-score),
                            _ => None,
                        },
                    };
                }
                Self::best(position, |column| scores[column as usize])?
            }
        };
        Ok(ChosenMove { column, is_guess: false })
    }
}

impl Player for RandomPlayer {
    fn begin(&mut self, seed: u64, game: usize) {
        self.0 = Draw::new(seed, &format!("random player {game}"));
    }

    fn choose(&mut self, position: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let columns: Vec<u32> = playable(position).collect();
        Ok(ChosenMove { column: columns[self.0.below(columns.len())], is_guess: false })
    }
}

impl Player for RandomBestPlayer {
    fn begin(&mut self, seed: u64, game: usize) {
        self.solver.reset();
        self.draw = Draw::new(seed, &format!("random best player {game}"));
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let scores = match analysis::columns(&mut *self.solver, position, self.goal, limits) {
            Ok(scores) => scores,
            Err(Stopped::Interrupted(_)) => return Err(Refusal::Interrupted),
            Err(_) => return Ok(ChosenMove { column: guess(position), is_guess: true }),
        };
        let most = scores.iter().copied().flatten().max();
        let best: Vec<u32> = playable(position).filter(|&column| scores[column as usize] == most).collect();
        Ok(ChosenMove { column: best[self.draw.below(best.len())], is_guess: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Options, registry};
    use std::collections::BTreeSet;

    fn position(moves: &str) -> Position {
        Position::parse(moves).unwrap()
    }

    fn variant(name: &str, goal: Goal) -> SolverPlayer {
        let solver = registry::find(name).unwrap().build(&Options::with_tt(1 << 20)).unwrap();
        SolverPlayer::new(solver, goal)
    }

    #[test]
    fn a_variant_plays_what_keeps_the_score_and_wins_at_once_where_it_can() {
        let choose = |player: &mut SolverPlayer, moves: &str| player.choose(&position(moves), &Limits::default());
        for (name, goal) in [("champion", Goal::Strong), ("champion", Goal::Weak), ("bot-final", Goal::Weak)] {
            let mut player = variant(name, goal);
            // 4 wins with the last stone; every other move loses.
            let late = "3642756176227637211322113551637574556";
            let scores =
                analysis::columns(&mut *player.solver, &position(late), Goal::Weak, &Limits::default()).unwrap();
            let choice = choose(&mut player, late).unwrap();
            assert_eq!(scores[choice.column as usize], scores.iter().copied().flatten().max(), "{name}");
            assert_eq!(choose(&mut player, "121212").unwrap().column, 0, "{name}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_leaves_a_guess_that_does_not_lose_at_once() {
        let mut player = variant("champion", Goal::Strong);
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let choice = player.choose(&position("13"), &limits).unwrap();
        assert_eq!(
            (choice, player.choose(&position(""), &limits).unwrap().is_guess),
            (ChosenMove { column: 3, is_guess: true }, true)
        );
        assert_eq!(guess(&position("121212")), 0, "a win");
        assert_eq!(guess(&position("71727")), 6, "the only move that does not lose at once");
    }

    #[test]
    fn chance_is_that_of_the_game() {
        let mut player = RandomPlayer::default();
        let mut game = |seed, game| {
            player.begin(seed, game);
            let mut at = position("");
            (0..6).for_each(|_| at.play(player.choose(&at, &Limits::default()).unwrap().column).unwrap());
            at.to_string()
        };
        assert_eq!(game(1, 0), game(1, 0));
        assert!(game(1, 0) != game(1, 1) && game(1, 0) != game(2, 0));
    }

    #[test]
    fn chance_among_the_best_moves_plays_each_of_them_and_no_other() {
        let (at, limits) = (position("4444443333322222"), Limits::default());
        let solver = registry::find("champion").unwrap().build(&Options::with_tt(1 << 20)).unwrap();
        let mut player = RandomBestPlayer::new(solver, Goal::Strong);
        let scores = analysis::columns(&mut *player.solver, &at, Goal::Strong, &limits).unwrap();
        let most = scores.iter().copied().flatten().max();
        let best: BTreeSet<u32> = (0..7).filter(|&column| scores[column as usize] == most).collect();
        assert_eq!(best.len(), 3);
        let mut chosen = |game| {
            player.begin(1, game);
            player.choose(&at, &limits).unwrap().column
        };
        assert_eq!((0..60).map(&mut chosen).collect::<BTreeSet<_>>(), best);
        assert_eq!(chosen(7), chosen(7));
    }

    #[test]
    fn scores_of_all_columns_are_a_move() {
        let scores = [Some(-3), None, Some(2), Some(2), Some(0), Some(0), Some(0)];
        let best = |moves: &str| ProgramPlayer::best(&position(moves), |column| scores[column as usize]);
        assert_eq!(best("222222"), Ok(3), "the nearest to the centre");
        let Err(Refusal::Failed("garbled", reason)) = best("") else { panic!("column 2 can be played") };
        assert_eq!(reason, "no score of column 2");
    }
}
