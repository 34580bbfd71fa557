//! The solver for users: a variant with its table and limits.

use crate::game::score::Score;
use crate::game::{BoardSize, NotationError, Position, SizeError};
use crate::search::{
    BuildError, Goal, Limits, Name as Variant, NameError, Options, Solve, Solved, Stopped, Threads, ThreadsError,
    analysis, registry,
};
use std::fmt;

/// Solves positions of one board.
///
/// It keeps its results in its table, so later positions of one game take less time. [`reset`](Self::reset) clears it.
///
/// ```
/// use c4lab_solver::{Position, Solver, Winner};
///
/// let mut solver = Solver::default();
/// let position: Position = "44455554221".parse()?;
/// assert_eq!(solver.score(&position)?, -15); // the opponent wins with its seventh stone
/// assert_eq!(solver.winner(&position)?, Winner::First);
/// assert_eq!(solver.best_line(&position)?, [3, 2]); // columns are counted from 0
/// # Ok::<(), c4lab_solver::Error>(())
/// ```
pub struct Solver {
    solver: Box<dyn Solve>,
    limits: Limits<'static>,
    is_weak: bool,
}

/// The winner if both sides play as well as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The side that played the first stone of the game.
    First,
    /// The other side.
    Second,
    /// Neither.
    Draw,
}

impl Default for Solver {
    /// The fastest solver of the standard board, with a table that grows to 64 MiB.
    fn default() -> Self {
        Self::builder().build().expect("the default variant is built for the standard board")
    }
}

impl Solver {
    /// A solver of another variant or board, or with more memory, threads or limits.
    pub fn builder() -> Builder {
        Builder {
            variant: registry::DEFAULT.parse().expect("it is in the registry"),
            options: Ok(Options::default()),
            threads: 1,
            limits: Limits::default(),
        }
    }

    /// Reads moves on the solver's board; on the standard board equal to `moves.parse()`.
    ///
    /// # Errors
    /// The ply that cannot be played, and the reason.
    pub fn position(&self, moves: &str) -> Result<Position, NotationError> {
        Position::parse_on(self.solver.board_size(), moves)
    }

    /// The exact score, from the side to move: 0 is a draw, and an earlier win scores higher. On 7x6 a win is 22 minus
    /// the number of stones that the winner has at the end; a loss is the negative of the winner's score.
    ///
    /// # Errors
    /// A limit was reached; the position has another board size; the variant finds only the winner.
    pub fn score(&mut self, position: &Position) -> Result<Score, Stopped> {
        Ok(self.solve(position, Goal::Strong)?.score)
    }

    /// The winner. Cheaper than the score.
    ///
    /// # Errors
    /// A limit was reached; the position has another board size.
    pub fn winner(&mut self, position: &Position) -> Result<Winner, Stopped> {
        let score = self.solve(position, Goal::Weak)?.score;
        Ok(match (score, position.ply().is_multiple_of(2)) {
            (0, _) => Winner::Draw,
            (1.., true) | (..0, false) => Winner::First,
            _ => Winner::Second,
        })
    }

    /// The result for either goal, and the number of nodes.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    pub fn solve(&mut self, position: &Position, goal: Goal) -> Result<Solved, Stopped> {
        self.solver.solve(position, goal, &self.limits)
    }

    /// The score after each move, from the side that makes it, by columns from the left; `None` for a full column.
    ///
    /// ```
    /// use c4lab_solver::{Position, Solver};
    /// let position: Position = "111566655246531642367221572524".parse()?;
    /// let scores = Solver::default().analyze(&position)?;
    /// assert_eq!(scores, [Some(1), None, Some(3), Some(-2), None, None, Some(2)]);
    /// # Ok::<(), c4lab_solver::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`score`](Self::score). The limits apply to each move.
    pub fn analyze(&mut self, position: &Position) -> Result<Vec<Option<Score>>, Stopped> {
        let goal = self.goal();
        analysis::columns(&mut *self.solver, position, goal, &self.limits)
    }

    /// The column, from 0, of the best move that is nearest to the centre; `None` if the game is over.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    pub fn best_move(&mut self, position: &Position) -> Result<Option<u32>, Stopped> {
        if position.is_over() {
            return Ok(None);
        }
        let goal = self.goal();
        let score = self.solve(position, goal)?.score;
        analysis::best_move(&mut *self.solver, position, goal, score, &self.limits).map(Some)
    }

    /// A line of best play to the end of the game: columns, from 0.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    pub fn best_line(&mut self, position: &Position) -> Result<Vec<u8>, Stopped> {
        let goal = self.goal();
        let score = self.solve(position, goal)?.score;
        analysis::best_line(&mut *self.solver, position, goal, score, &self.limits)
    }

    /// Forgets all earlier positions: a search then takes the nodes of its first time.
    pub fn reset(&mut self) {
        self.solver.reset();
    }

    fn goal(&self) -> Goal {
        if self.is_weak { Goal::Weak } else { Goal::Strong }
    }
}

impl From<Box<dyn Solve>> for Solver {
    /// A solver of your own, for both goals.
    fn from(solver: Box<dyn Solve>) -> Self {
        Solver { solver, limits: Limits::default(), is_weak: false }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("board", &self.solver.board_size()).finish_non_exhaustive()
    }
}

/// The parts of a [`Solver`].
///
/// ```
/// use c4lab_solver::{Limits, Position, Solver};
/// use std::time::Duration;
///
/// let second = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
/// let mut solver = Solver::builder().variant("champion[order=centre]".parse()?).table_bytes(16 << 20).limits(second).build()?;
/// assert_eq!(solver.score(&Position::parse("3642756176227637211322113551637574556")?)?, 2);
/// # Ok::<(), c4lab_solver::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    variant: Variant,
    options: Result<Options, SizeError>,
    threads: u32,
    limits: Limits<'static>,
}

impl Builder {
    /// Searches with `variant` instead of the fastest.
    pub fn variant(self, variant: Variant) -> Self {
        Builder { variant, ..self }
    }

    /// Solves positions of a board of `width` columns and `height` rows instead of 7x6.
    pub fn board(self, width: u32, height: u32) -> Self {
        let board = BoardSize::new(width, height);
        Builder { options: self.options.and_then(|options| Ok(Options { board: board?, ..options })), ..self }
    }

    /// The most bytes of the table, for variants that do not fix its size.
    pub fn table_bytes(self, tt_bytes: u64) -> Self {
        Builder { options: self.options.map(|options| Options { tt_bytes, ..options }), ..self }
    }

    /// The number of threads that search a position together. The score does not depend on it.
    pub fn threads(self, threads: u32) -> Self {
        Builder { threads, ..self }
    }

    /// Limits that stop a search without a result.
    pub fn limits(self, limits: Limits<'static>) -> Self {
        Builder { limits, ..self }
    }

    /// Builds the solver.
    ///
    /// # Errors
    /// There is no such board, no search of the variant for it, no memory, or no threads for the variant.
    pub fn build(self) -> Result<Solver, Error> {
        let mut solver = self.variant.build(&self.options?)?;
        if self.threads != 1 {
            solver.use_threads(Threads::of(self.threads))?;
        }
        let is_weak = self.variant.spec().goals() == [Goal::Weak];
        Ok(Solver { solver, limits: self.limits, is_weak })
    }
}

/// Any error of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Moves that cannot be played.
    Position(NotationError),
    /// A variant that does not exist.
    Variant(NameError),
    /// A board that does not exist.
    Board(SizeError),
    /// A solver that cannot be built.
    Build(BuildError),
    /// A search without a result.
    Stopped(Stopped),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Position(error) => error.fmt(f),
            Error::Variant(error) => error.fmt(f),
            Error::Board(error) => error.fmt(f),
            Error::Build(error) => error.fmt(f),
            Error::Stopped(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

macro_rules! from {
    ($( $source:ty => $arm:ident ),+) => {
        $( impl From<$source> for Error {
            fn from(error: $source) -> Self {
                Error::$arm(error)
            }
        } )+
    };
}

from! { NotationError => Position, NameError => Variant, SizeError => Board, BuildError => Build, Stopped => Stopped }

impl From<ThreadsError> for Error {
    fn from(error: ThreadsError) -> Self {
        Error::Build(BuildError::Threads(error))
    }
}
