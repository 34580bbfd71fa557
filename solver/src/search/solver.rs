//! What every solver is: it is reset, and it solves positions within limits.

use crate::axes::table::TableError;
use crate::game::score::Score;
use crate::game::{BoardSize, Position};
use crate::search::anatomy::{PlyCounts, RootWindow};
use crate::search::limits::{Limits, Stopped};
use crate::search::registry;
use crate::search::threads::{Threads, ThreadsError};
use std::fmt;

/// What is asked of a solver.
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

    /// The name of each.
    pub const NAMES: [&str; Goal::ALL.len()] = {
        let (mut names, mut index) = ([""; Goal::ALL.len()], 0);
        while index < names.len() {
            names[index] = Goal::ALL[index].name();
            index += 1;
        }
        names
    };

    /// The name on the command line, in experiments and in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Strong => "strong",
            Goal::Weak => "weak",
        }
    }

    /// What an exact score looks like under this goal. It keeps what is within some distance of 0, and cuts off the rest: so it is the
    /// same for both sides, and a search asks for no more than its [`window`](Self::window).
    pub fn of(self, score: Score) -> Score {
        match self {
            Goal::Strong => score,
            Goal::Weak => score.signum(),
        }
    }

    /// The least and the most that it tells apart on a board whose scores lie within `limit` of 0.
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

/// An answer: the score under the goal, and the nodes it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The score from the mover's side; -1, 0 or 1 under the weak goal.
    pub score: Score,
    /// Entries of the recursive search function, the root included.
    pub nodes: u64,
}

/// What a counting solver counted of its table since it was last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Times the table was asked.
    pub probes: u64,
    /// Times it knew a bound.
    pub hits: u64,
    /// Times that bound ended the node.
    pub cutoffs: u64,
    /// Times a bound was written.
    pub stores: u64,
}

/// What every variant does, and a solver of your own: it forgets, and it solves positions within limits.
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
/// // It is right where it ends, and has all that a solver has.
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

    /// Solves a position of its board size; one of another size is [`Stopped::OtherBoard`]. A stopped search leaves the solver fit for
    /// the next one.
    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped>;

    /// Whether the exact score is above `bound`: for most solvers cheaper to say than the score.
    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        Ok(self.solve(position, Goal::Strong, limits)?.score > bound)
    }

    /// Bytes of the transposition table; 0 without one.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// From now on so many threads search a position together. With 1 it searches alone, as every solver does at first. Scores do not depend on
    /// threads; nodes do, and from one run to the next.
    ///
    /// # Errors
    /// It has no such threads, or the system gives none. Then it searches as before.
    fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        if threads.count == 1 { Ok(()) } else { Err(ThreadsError::Solver) }
    }

    /// How many threads search a position.
    fn threads(&self) -> u32 {
        1
    }

    /// What was counted; `None` for a solver that counts nothing but nodes.
    fn counters(&self) -> Option<Counters> {
        None
    }

    /// What became of the nodes since it was last reset, by the number of stones; empty for a solver that counts nothing but nodes.
    fn anatomy(&self) -> &[PlyCounts] {
        &[]
    }

    /// The questions of the root since it was last reset; empty for a solver that counts nothing but nodes.
    fn windows(&self) -> &[RootWindow] {
        &[]
    }
}

/// A solver in a box is one.
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
    /// Bytes of a table whose size is not fixed by the variant.
    pub tt_bytes: u64,
    pub board: BoardSize,
}

impl Options {
    pub const fn with_tt(tt_bytes: u64) -> Self {
        Options { tt_bytes, board: BoardSize::STANDARD }
    }

    /// A table of 64 MiB, for a board. The champion's tells the keys of any board apart.
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
    /// The spec combines alternatives that do not go together; the reason.
    Spec(String),
    Table(TableError),
    /// No search was compiled for this board.
    Board(BoardSize),
    /// Searches of other choices alone were compiled for this board.
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
