//! The interface of every solver: it is reset, and it solves positions within limits.

use crate::axes::table::TableError;
use crate::game::score::Score;
use crate::game::{BoardSize, Position};
use crate::search::anatomy::{PlyCounts, RootWindow};
use crate::search::limits::{Limits, Stopped};
use crate::search::registry;
use crate::search::threads::{Threads, ThreadsError};
use std::fmt;

/// The result that a solver has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Goal {
    /// The exact score.
    #[default]
    Strong,
    /// The sign of the score: who wins.
    Weak,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 2] = [Goal::Strong, Goal::Weak];

    /// Their names, in the same order.
    pub const NAMES: [&str; Goal::ALL.len()] = ["strong", "weak"];

    /// The name on the command line, in experiments and in rows.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The form of an exact score under this goal. A score farther from 0 than the goal's limit is cut off there. So
    /// the goal is symmetric, and a search needs only its [`window`](Self::window).
    pub fn of(self, score: Score) -> Score {
        match self {
            Goal::Strong => score,
            Goal::Weak => score.signum(),
        }
    }

    /// The least and the most score of this goal, on a board whose scores lie within `limit` of 0.
    pub fn window(self, limit: Score) -> (Score, Score) {
        (self.of(-limit), self.of(limit))
    }
}

#[cfg(feature = "serde")]
impl serde_core::Serialize for Goal {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde_core::Deserialize<'de> for Goal {
    fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <String as serde_core::Deserialize>::deserialize(deserializer)?;
        let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
        goal.ok_or_else(|| serde_core::de::Error::unknown_variant(&name, &Goal::NAMES))
    }
}

/// A result: the score under the goal, and the nodes of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The score from the mover's side; -1, 0 or 1 under the weak goal.
    pub score: Score,
    /// Entries of the recursive search function, the root included.
    pub nodes: u64,
}

/// The table's counters of a counting solver, since its last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub probes: u64,
    pub hits: u64,
    /// Bounds found that ended their node.
    pub cutoffs: u64,
    pub stores: u64,
}

/// A solver: a variant of this crate, or one of your own.
///
/// ```
/// use c4lab_solver::{Goal, Limits, Position, Score, Solve, Solved, Solver, Stopped};
///
/// /// Minimax, and nothing else.
/// struct Minimax;
///
/// impl Solve for Minimax {
///     fn reset(&mut self) {}
///
///     fn solve(&mut self, position: &Position, goal: Goal, _: &Limits<'_>) -> Result<Solved, Stopped> {
///         let mut nodes = 0;
///         Ok(Solved { score: goal.of(minimax(position, &mut nodes)), nodes })
///     }
/// }
///
/// fn minimax(position: &Position, nodes: &mut u64) -> Score {
///     *nodes += 1;
///     if position.is_won() {
///         return -((44 - position.ply() as Score) / 2);
///     }
///     let after = |column| {
///         let mut child = position.clone();
///         child.play(column).ok().map(|()| -minimax(&child, nodes))
///     };
///     (0..7).filter_map(after).max().unwrap_or(0) // nothing to play: a draw
/// }
///
/// // It is right if it ever ends, and works with `Solver`.
/// let position: Position = "2553315117217641126654773776646543".parse()?;
/// let mut mine = Solver::from(Box::new(Minimax) as Box<dyn Solve>);
/// assert_eq!(mine.analyze(&position)?, Solver::default().analyze(&position)?);
/// # Ok::<(), c4lab_solver::Error>(())
/// ```
pub trait Solve: Send {
    /// Columns and rows of the boards that it solves.
    fn board_size(&self) -> BoardSize {
        BoardSize::STANDARD
    }

    /// Forgets all earlier positions.
    fn reset(&mut self);

    /// Solves a position of its board size; one of another size is [`Stopped::OtherBoard`]. After a stopped search the
    /// solver can be used again.
    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped>;

    /// True if the exact score is above `bound`. Most solvers find that sooner than the score.
    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        Ok(self.solve(position, Goal::Strong, limits)?.score > bound)
    }

    /// Bytes of the transposition table; 0 without one.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// Sets the number of threads that search a position together; 1 at first. Scores do not depend on threads. Node
    /// counts do, and vary from run to run.
    ///
    /// # Errors
    /// The solver cannot use these threads, or the system refuses them. Then the number is unchanged.
    fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        if threads.count == 1 { Ok(()) } else { Err(ThreadsError::Solver) }
    }

    /// The number of threads that search a position.
    fn threads(&self) -> u32 {
        1
    }

    /// The table's counters; `None` for a solver that counts only nodes.
    fn counters(&self) -> Option<Counters> {
        None
    }

    /// The ends of nodes since the last reset, by the number of stones; empty for a solver that counts only nodes.
    fn anatomy(&self) -> &[PlyCounts] {
        &[]
    }

    /// The windows of the root since the last reset; empty for a solver that counts only nodes.
    fn windows(&self) -> &[RootWindow] {
        &[]
    }
}

/// A boxed solver is a solver.
impl<S: Solve + ?Sized> Solve for Box<S> {
    fn board_size(&self) -> BoardSize {
        (**self).board_size()
    }

    fn reset(&mut self) {
        (**self).reset();
    }

    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        (**self).solve(position, goal, limits)
    }

    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        (**self).exceeds(position, bound, limits)
    }

    fn table_bytes(&self) -> u64 {
        (**self).table_bytes()
    }

    fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        (**self).use_threads(threads)
    }

    fn threads(&self) -> u32 {
        (**self).threads()
    }

    fn counters(&self) -> Option<Counters> {
        (**self).counters()
    }

    fn anatomy(&self) -> &[PlyCounts] {
        (**self).anatomy()
    }

    fn windows(&self) -> &[RootWindow] {
        (**self).windows()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bytes of the table, if the variant does not fix its size.
    pub tt_bytes: u64,
    pub board: BoardSize,
}

impl Options {
    pub const fn with_tt(tt_bytes: u64) -> Self {
        Options { tt_bytes, board: BoardSize::STANDARD }
    }

    /// A table of 64 MiB, for `board`. The largest boards need a larger table: 12x9 needs 512 MiB.
    pub fn on(board: BoardSize) -> Self {
        Options { board, ..Options::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::with_tt(64 << 20)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The spec combines alternatives that exclude each other; the reason.
    Spec(String),
    Table(TableError),
    /// No search was compiled for this board.
    Board(BoardSize),
    /// Only searches of other choices were compiled for this board.
    Choice(BoardSize),
    Threads(ThreadsError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Spec(reason) => f.write_str(reason),
            BuildError::Table(error) => error.fmt(f),
            BuildError::Threads(error) => error.fmt(f),
            BuildError::Board(size) => {
                write!(f, "no search was built for {size}: a board has 4 to 12 columns and 4 to 29 rows")
            }
            BuildError::Choice(size) => {
                let names: Vec<&str> = registry::compiled_on(*size).map(|entry| entry.name).collect();
                write!(f, "no search of this choice was built for {size}: there are {}", names.join(" and "))
            }
        }
    }
}

impl std::error::Error for BuildError {}
