//! Positions for Python: immutable values.

use c4lab_solver::game::reading::Reader;
use c4lab_solver::game::{self, BoardSize};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

/// A position: moves from the empty board, and the board that they lead to. It is immutable.
///
/// Columns count from 1, as in the notation: "44" is two stones in the middle column of a board of seven. "" and "-"
/// are the empty board. Moves can also be given as numbers, [4, 4].
///
/// Two positions are equal if their moves are equal: "123" and "321" are not, although they lead to one board. Their
/// `key` is equal.
///
/// Args:
///     moves: text with one digit a move, or columns as numbers, or another position.
///     board: columns and rows, as in "7x6".
///
/// Raises:
///     ValueError: a move that cannot be played. The message names the ply and the reason.
///     TypeError: an argument that is neither text, nor numbers, nor a position.
///
/// Example:
///     >>> print(Position("44455554221"))
///     44455554221
///     >>> print(Position("4433").diagram())
///     . . . . . . .
///     . . . . . . .
///     . . . . . . .
///     . . . . . . .
///     . . O O . . .
///     . . X X . . .
#[pyclass(frozen, eq, hash, module = "c4lab")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) game::Position);

/// The size of a board from its text, as "7x6".
pub(crate) fn board_of(text: &str) -> PyResult<BoardSize> {
    text.parse().map_err(|error: game::SizeError| PyValueError::new_err(format!("board: {error}")))
}

/// The position of an argument: text, numbers or a position of `board`.
pub(crate) fn position_of(value: &Bound<'_, PyAny>, board: BoardSize) -> PyResult<game::Position> {
    if let Ok(position) = value.cast::<Position>() {
        let position = &position.get().0;
        if position.size() != board {
            let reason = format!("a position of {}, not of {board}", position.size());
            return Err(PyValueError::new_err(reason));
        }
        return Ok(position.clone());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return read(board, &text.to_cow()?).map_err(PyValueError::new_err);
    }
    let wrong = |what: String| {
        PyTypeError::new_err(format!(
            "a position is text (\"4453\"), a list of columns ([4, 4, 5, 3]) or a Position, not {what}"
        ))
    };
    let mut position = game::Position::start_on(board);
    // The numbers of bytes are no columns.
    let columns = (!value.is_instance_of::<PyBytes>()).then(|| value.try_iter());
    let Some(Ok(columns)) = columns else { return Err(wrong(value.get_type().name()?.to_string())) };
    for (index, column) in columns.enumerate() {
        let column = column?;
        let Ok(column) = column.extract::<i64>() else { return Err(wrong(format!("a list with {}", column.repr()?))) };
        play(&mut position, column).map_err(|reason| PyValueError::new_err(format!("ply {}: {reason}", index + 1)))?;
    }
    Ok(position)
}

/// Reads moves.
pub(crate) fn read(board: BoardSize, text: &str) -> Result<game::Position, String> {
    Reader::on(board).read(text)
}

/// Plays a column, counted from 1.
fn play(position: &mut game::Position, column: i64) -> Result<(), String> {
    let width = position.size().width();
    let from_0 = u32::try_from(column - 1).ok().filter(|column| *column < width);
    let from_0 = from_0.ok_or_else(|| format!("{column} is not a column (1 to {width})"))?;
    position.play(from_0).map_err(|reason| reason.to_string())
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (moves = None, board = "7x6"), text_signature = "(moves='', board='7x6')")]
    fn new(moves: Option<&Bound<'_, PyAny>>, board: &str) -> PyResult<Self> {
        let board = board_of(board)?;
        moves.map_or_else(|| Ok(game::Position::start_on(board)), |moves| position_of(moves, board)).map(Position)
    }

    /// The position of a board as rows of numbers, the top row first: 0 is an empty square, 1 a stone of the first
    /// player, 2 or -1 a stone of the second. The rows may stand one behind another in one list, as Kaggle has them;
    /// `board` says their size. Its moves are some order that leads to the board.
    ///
    /// Raises ValueError if rows have different lengths, a stone floats, the numbers of stones do not fit, or no moves
    /// lead to the board; TypeError if the argument is not rows of whole numbers.
    #[staticmethod]
    #[pyo3(signature = (rows, board = "7x6"))]
    fn from_grid(rows: &Bound<'_, PyAny>, board: &str) -> PyResult<Self> {
        let asked = "rows of whole numbers were asked for, the top row first, or an array of shape (height, width)";
        let rows = match rows.extract::<Vec<i64>>() {
            Ok(flat) if !flat.is_empty() => {
                let size = board_of(board)?;
                let (squares, count) = (flat.len(), size.cells() as usize);
                if squares != count {
                    return Err(PyValueError::new_err(format!("{squares} squares; the board {size} has {count}")));
                }
                flat.chunks(size.width() as usize).map(<[i64]>::to_vec).collect()
            }
            _ => rows.extract::<Vec<Vec<i64>>>().map_err(|_| PyTypeError::new_err(asked))?,
        };
        let width = rows.first().map_or(0, Vec::len);
        if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
            let reason = format!("row {}: {} squares, the first row has {width}", index + 1, row.len());
            return Err(PyValueError::new_err(reason));
        }
        let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX / 2);
        let size = BoardSize::new(size(width), size(rows.len()));
        let size = size.map_err(|error| PyValueError::new_err(format!("board: {error}")))?;
        let cells: Vec<i8> = rows.into_iter().flatten().map(|cell| i8::try_from(cell).unwrap_or(i8::MAX)).collect();
        game::Position::from_grid(size, &cells).map(Position).map_err(PyValueError::new_err)
    }

    /// The position of a row of the data set "Connect-4" of UCI: the squares column by column from the bottom, `x` the
    /// first player, `o` the second, `b` blank; an outcome behind them is passed over.
    ///
    /// Raises ValueError if there are fewer squares, others, or no moves lead to the board.
    #[staticmethod]
    fn from_uci(row: &str) -> PyResult<Self> {
        let (size, squares) = (BoardSize::STANDARD, row.split(',').map(str::trim));
        let cell = |square: &str| ["b", "x", "o"].iter().position(|name| *name == square);
        let cells: Option<Vec<usize>> = squares.take(size.cells() as usize).map(cell).collect();
        let cells = cells.filter(|cells| cells.len() == size.cells() as usize);
        let cells = cells.ok_or_else(|| PyValueError::new_err("42 squares b, x or o were asked for, with commas"))?;
        let (width, height) = (size.width() as usize, size.height() as usize);
        let row = |row: usize| (0..width).map(move |column| column * height + row);
        let rows: Vec<i8> = (0..height).rev().flat_map(row).map(|index| cells[index] as i8).collect();
        game::Position::from_grid(size, &rows).map(Position).map_err(PyValueError::new_err)
    }

    /// The board as rows of numbers, the top row first: 0 is an empty square, 1 the first player, 2 the second.
    fn to_grid(&self) -> Vec<Vec<u32>> {
        let number =
            |square| ['.', 'X', 'O'].into_iter().zip(0..).find(|(sign, _)| *sign == square).map_or(0, |of| of.1);
        self.0.rows().lines().map(|row| row.chars().map(number).collect()).collect()
    }

    /// The position after one more stone in a column, counted from 1. Raises ValueError if the column cannot be played.
    fn play(&self, column: i64) -> PyResult<Self> {
        let mut position = self.0.clone();
        let ply = position.ply() + 1;
        play(&mut position, column).map_err(|reason| PyValueError::new_err(format!("ply {ply}: {reason}")))?;
        Ok(Position(position))
    }

    /// The moves as text, one digit each.
    #[getter]
    fn moves(&self) -> String {
        self.0.to_string()
    }

    /// The moves as columns, counted from 1.
    #[getter]
    fn columns(&self) -> Vec<u32> {
        self.0.columns().iter().map(|&column| u32::from(column) + 1).collect()
    }

    /// Number of stones on the board.
    #[getter]
    fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// Columns and rows, as in "7x6".
    #[getter]
    fn board(&self) -> String {
        self.0.size().to_string()
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> u32 {
        self.0.size().width()
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> u32 {
        self.0.size().height()
    }

    /// A number for the board: equal for all orders of moves that lead to it, and different for every other board of
    /// this size. On boards of up to 64 bits, width * (height + 1), it fits 64 bits.
    #[getter]
    fn key(&self) -> u128 {
        let height = self.height();
        // A column has a bit for each stone, 1 for the first player, and a 1 above them.
        let mut columns = vec![(0, 0); self.width() as usize];
        for (ply, &column) in self.0.columns().iter().enumerate() {
            let (stones, count) = &mut columns[usize::from(column)];
            *stones |= u128::from(ply % 2 == 0) << *count;
            *count += 1;
        }
        let marked = columns.into_iter().map(|(stones, count): (u128, u32)| stones | 1 << count);
        marked.enumerate().fold(0, |key, (index, column)| key | column << (index as u32 * (height + 1)))
    }

    /// The player to move: 1 or 2.
    #[getter]
    fn player(&self) -> u32 {
        self.0.ply() % 2 + 1
    }

    /// The player who has four in a row, 1 or 2, or None.
    #[getter]
    fn winner(&self) -> Option<u32> {
        self.0.is_won().then(|| 2 - self.0.ply() % 2)
    }

    /// True if the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The columns that can be played, counted from 1, from left to right.
    fn legal(&self) -> Vec<u32> {
        let columns = 0..if self.0.is_over() { 0 } else { self.0.size().width() };
        columns.filter(|&column| self.0.can_play(column)).map(|column| column + 1).collect()
    }

    /// True if a column, counted from 1, can be played.
    fn can_play(&self, column: i64) -> bool {
        u32::try_from(column).is_ok_and(|column| self.legal().contains(&column))
    }

    /// True if a stone in a column, counted from 1, wins at once.
    fn wins_by(&self, column: i64) -> bool {
        self.can_play(column) && self.0.wins_by(column as u32 - 1)
    }

    /// The mirror image of the position.
    fn mirror(&self) -> Self {
        Position(self.0.mirror())
    }

    /// The plies to the end of the game with best play, the winning stone included, if the position has this score.
    fn plies_left(&self, score: i32) -> PyResult<u32> {
        let (size, ply) = (self.0.size(), self.0.ply());
        if self.0.is_over() {
            return Ok(0);
        }
        if score == 0 {
            return Ok(size.cells() - ply);
        }
        let (least, most) = (size.least(ply), size.win_at(ply));
        if !(least..=most).contains(&score) {
            let reason = format!("score {score}: with {ply} stones scores lie between {least} and {most}");
            return Err(PyValueError::new_err(reason));
        }
        Ok(size.distance(score, ply))
    }

    /// The board as a drawing, one line for each row: X is the first player, O the second.
    fn diagram(&self) -> String {
        self.0.diagram().trim_end().to_string()
    }

    fn __str__(&self) -> String {
        self.moves()
    }

    fn __repr__(&self) -> String {
        let board =
            if self.0.size() == BoardSize::STANDARD { String::new() } else { format!(", board={:?}", self.board()) };
        format!("Position({:?}{board})", self.moves())
    }

    /// The moves and the board, by which `pickle` copies the position.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String, String)) {
        (slf.get_type(), (slf.get().moves(), slf.get().board()))
    }
}
