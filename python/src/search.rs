//! A search: one variant on one board, with a solver and its table for each thread that was needed so far.

use crate::asked::{Asked, whole_number};
use crate::interruptible::interruptible;
use crate::many::{self, Batch, Work};
use crate::position::{board_of, position_of};
use c4lab_solver::axes::table::TableError;
use c4lab_solver::game;
use c4lab_solver::search::{self, Limits, Name, Options, Solve, analysis, size};
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, TryLockError};

create_exception!(
    c4lab,
    Stopped,
    PyRuntimeError,
    "A search reached one of its limits. `nodes` is the number of nodes that it had entered."
);

/// Positions with at most this number of empty squares take microseconds, and are searched without another thread.
const SOON_OVER: u32 = 14;

/// Searches positions of one board with one variant. `c4lab.Solver` is the public class.
#[pyclass(frozen, module = "c4lab._native")]
pub(crate) struct Search {
    name: Name,
    options: Options,
    solvers: Mutex<Vec<Box<dyn Solve>>>,
}

/// The size of a table from Python: `64MiB`, `1GiB`, `40MB`, or a number of bytes.
fn bytes_of(table: &Bound<'_, PyAny>) -> PyResult<u64> {
    let Ok(text) = table.cast::<PyString>() else { return whole_number("table", table) };
    let text = text.to_cow()?;
    size::parse(&text).map_err(|reason| PyValueError::new_err(format!("table {text:?}: {reason}")))
}

/// The Python exception of a search that stopped.
fn raised(stopped: search::Stopped) -> PyErr {
    if matches!(stopped, search::Stopped::OtherGoal) {
        return PyValueError::new_err(stopped.to_string());
    }
    let error = Stopped::new_err(stopped.to_string());
    match Python::attach(|py| error.value(py).setattr("nodes", stopped.nodes())) {
        Ok(()) => error,
        Err(other) => other,
    }
}

impl Search {
    /// Builds one more solver.
    fn build(&self) -> PyResult<Box<dyn Solve>> {
        self.name.build(&self.options).map_err(|error| match error {
            search::BuildError::Table(TableError::OutOfMemory(..)) => PyMemoryError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })
    }

    /// The solvers, or an exception if another thread is searching with them.
    fn solvers(&self) -> PyResult<MutexGuard<'_, Vec<Box<dyn Solve>>>> {
        match self.solvers.try_lock() {
            Ok(solvers) => Ok(solvers),
            // The bounds in a table stay correct after a panic.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this Solver is searching in another thread: make one for each thread, or give it many positions at once",
            )),
        }
    }

    /// Asks a solver about a position from Python. Ctrl-C can stop it.
    fn one<T: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        asked: Asked,
        ask: impl FnOnce(&mut dyn Solve, &game::Position, &Limits<'_>) -> Result<T, search::Stopped> + Send,
    ) -> PyResult<T> {
        let position = position_of(position, self.options.board)?;
        let mut solvers = self.solvers()?;
        let solver = &mut *solvers[0];
        let answer = |stop: &AtomicBool| {
            if !asked.keep {
                solver.reset();
            }
            ask(solver, &position, &asked.limits(stop))
        };
        let left = position.size().cells() - position.ply();
        let answer =
            if left <= SOON_OVER { py.detach(|| answer(&AtomicBool::new(false))) } else { interruptible(py, answer)? };
        answer.map_err(raised)
    }
}

#[pymethods]
impl Search {
    #[new]
    fn new(variant: &str, board: &str, table: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let table_bytes = table.map(bytes_of).transpose()?;
        let name = Name::parse(variant).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let (Some(reason), Some(_)) = (name.ignores_options(), table_bytes) {
            return Err(PyValueError::new_err(format!("table: {} has no size to choose: {reason}", name.text())));
        }
        let board = board_of(board)?;
        let options = Options { board, ..table_bytes.map_or(Options::on(board), Options::with_tt) };
        let search = Search { name, options, solvers: Mutex::default() };
        let first = search.build()?;
        search.solvers()?.push(first);
        Ok(search)
    }

    /// The score and the nodes of a position.
    fn solve(&self, py: Python<'_>, position: &Bound<'_, PyAny>, asked: Asked) -> PyResult<(i32, u64)> {
        let solved =
            self.one(py, position, asked, |solver, position, limits| solver.solve(position, asked.goal, limits))?;
        Ok((solved.score, solved.nodes))
    }

    /// The score of every column; None for a column that cannot be played.
    fn analyze(&self, py: Python<'_>, position: &Bound<'_, PyAny>, asked: Asked) -> PyResult<Vec<Option<i32>>> {
        self.one(py, position, asked, |solver, position, limits| {
            analysis::columns(solver, position, asked.goal, limits)
        })
    }

    /// The column, from 1, of the best move nearest to the centre; None if the game is over.
    fn best_move(&self, py: Python<'_>, position: &Bound<'_, PyAny>, asked: Asked) -> PyResult<Option<u32>> {
        self.one(py, position, asked, |solver, position, limits| {
            if position.is_over() {
                return Ok(None);
            }
            let score = solver.solve(position, asked.goal, limits)?.score;
            analysis::best_move(solver, position, asked.goal, score, limits).map(|column| Some(column + 1))
        })
    }

    /// The columns of a line of best play to the end of the game, from 1.
    fn best_line(&self, py: Python<'_>, position: &Bound<'_, PyAny>, asked: Asked) -> PyResult<Vec<u32>> {
        let line = self.one(py, position, asked, |solver, position, limits| {
            let score = solver.solve(position, asked.goal, limits)?.score;
            analysis::best_line(solver, position, asked.goal, score, limits)
        })?;
        Ok(line.into_iter().map(|column| u32::from(column) + 1).collect())
    }

    /// Many positions on threads. They are lines of text with line ends, or with `grids` boards with a byte for each
    /// square. Returns scores as signed bytes, those of every column with `columns`, and nodes as eight bytes, the
    /// lowest first.
    fn many<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyBytes>,
        shape: (bool, bool),
        asked: Asked,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let (grids, columns) = shape;
        if !self.name.spec().goals().contains(&asked.goal) {
            return Err(raised(search::Stopped::OtherGoal));
        }
        let batch = Batch::new(positions.as_bytes(), grids, self.options.board).map_err(PyValueError::new_err)?;
        let mut solvers = self.solvers()?;
        let threads = threads.clamp(1, batch.len().max(1));
        while solvers.len() < threads {
            solvers.push(self.build()?);
        }
        let work = Work { batch, columns, asked };
        let solvers = &mut solvers[..threads];
        let answers = interruptible(py, |stop| many::answers(&work, solvers, stop))?;
        let answers = answers.map_err(PyValueError::new_err)?;
        let nodes: Vec<u8> = answers.nodes.iter().flat_map(|nodes| nodes.to_le_bytes()).collect();
        let scores: Vec<u8> = answers.scores.iter().map(|score| score.cast_unsigned()).collect();
        Ok((PyByteArray::new(py, &scores), PyByteArray::new(py, &nodes)))
    }

    /// Forgets all earlier positions.
    fn reset(&self) -> PyResult<()> {
        self.solvers()?.iter_mut().for_each(|solver| solver.reset());
        Ok(())
    }

    /// True if a search is running.
    #[getter]
    fn is_busy(&self) -> bool {
        matches!(self.solvers.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// The name of the variant, as it was written.
    #[getter]
    fn variant(&self) -> &str {
        self.name.text()
    }

    /// Columns and rows of the board.
    #[getter]
    fn board(&self) -> String {
        self.options.board.to_string()
    }

    /// The bytes of the table of one thread.
    #[getter]
    fn table_bytes(&self) -> PyResult<u64> {
        Ok(self.solvers()?[0].table_bytes())
    }
}
