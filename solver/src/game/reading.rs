//! Positions as people write them: moves, a drawing, or two numbers.
//!
//! ```text
//! 44455   4,4,4,5,5   dddee           moves: columns from 1 (or from 0); up to nine columns also by letters
//!
//! . . . O . . .    OOXO...    **XO... the rows of a drawing, the top row first: X is the first player, O the second,
//! . . X X . . .    XOXX.OX    ***X.O* and * a stone of either, which no four in a row can hold any more
//! OOXO.../XOXX.OX/...                 the rows on one line
//!
//! 832700416:35230302208               the bits of the mover's stones, and of all stones
//! ```

use crate::game::grid::MARKED;
use crate::game::notation::Reason;
use crate::game::{BoardSize, Position};

/// Reads positions of a board.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub size: BoardSize,
    /// The number of the first column: 1, or 0.
    pub first_column: u32,
    /// The bits of a column in `MOVER:MASK`, those above its squares included.
    pub stride: u32,
}

/// The bits of a column that has three sentinels, and not one.
const SPACED: u32 = 2;

impl Reader {
    pub fn on(size: BoardSize) -> Self {
        Reader { size, first_column: 1, stride: size.stride() }
    }

    /// The reader of boards with three sentinel bits above each column.
    #[must_use]
    pub fn spaced(self) -> Self {
        Reader { stride: self.size.stride() + SPACED, ..self }
    }

    /// True if 128 bits hold a board of `MOVER:MASK`.
    pub fn has_room(&self) -> bool {
        (self.size.width() - 1) * self.stride + self.size.height() <= u128::BITS
    }

    /// The position that a text says; `-` and the empty text are the empty board.
    ///
    /// # Errors
    /// The reason, for people.
    pub fn read(&self, text: &str) -> Result<Position, String> {
        let text = text.trim_ascii();
        match text.split_once(':') {
            _ if text.contains('\n') || text.split('/').any(is_row) => self.drawing(&text.replace('/', "\n")),
            Some((mover, mask)) => self.words(number(mover)?, number(mask)?),
            None => self.moves(text),
        }
    }

    fn moves(&self, text: &str) -> Result<Position, String> {
        let names = text.chars().filter(|c| !matches!(c, ',' | ' ' | '\t'));
        if names.clone().next().is_none() && !text.is_empty() {
            return Err("no column".to_string());
        }
        let columns = names.filter(|_| text != "-").map(|name| (name, self.column(name)));
        Position::play_all(self.size, columns).map_err(|error| match (error.reason, self.first_column) {
            (Reason::NotAColumn('0', _), 1) => format!("{error}; with columns from 0: --first-column 0"),
            (Reason::NotAColumn(name, width), 0) => {
                format!("ply {}: {name:?} is not a column (0 to {})", error.ply, width - 1)
            }
            _ => error.to_string(),
        })
    }

    /// The column (from 0) of a name.
    fn column(&self, name: char) -> Option<u32> {
        let digit = name.to_digit(36)?;
        // With ten columns or more, letters go on where digits end.
        digit.checked_sub(if digit >= 10 && self.size.width() < 10 { 10 } else { self.first_column })
    }

    /// A line of numbers above the rows, and one of scores below them, are passed over.
    fn drawing(&self, text: &str) -> Result<Position, String> {
        let lines = text.lines().filter(|line| !line.trim_ascii().is_empty() && !self.is_heading(line));
        let mut rows: Vec<&str> = lines.collect();
        rows.pop_if(|last| self.are_scores(last));
        let (width, height) = (self.size.width() as usize, self.size.height() as usize);
        if rows.len() != height {
            return Err(format!("a drawing of {} rows; the board has {height} (--board)", rows.len()));
        }
        let mut cells = Vec::new();
        for (row, number) in rows.into_iter().zip(1..) {
            let squares: Vec<char> = squares(row).collect();
            if squares.len() != width {
                return Err(format!(
                    "row {number}: {} squares; the board has {width} columns (--board)",
                    squares.len()
                ));
            }
            for (square, column) in squares.into_iter().zip(1..) {
                let cell = cell(square);
                let unknown = || format!("row {number}, column {column}: {square:?} is none of X, O, * and .");
                cells.push(cell.ok_or_else(unknown)?);
            }
        }
        Position::placed(self.size, &cells)
    }

    /// True for the line above a drawing: the names of all columns, apart.
    pub fn is_heading(&self, line: &str) -> bool {
        let names: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_named = |reader: Reader| {
            let is_name = |(name, column): (&&str, u32)| {
                name.len() == 1 && reader.column(name.as_bytes()[0].into()) == Some(column)
            };
            names.iter().zip(0..).all(is_name)
        };
        names.len() == self.size.width() as usize && (is_named(*self) || is_named(Reader::on(self.size)))
    }

    /// True for the line below a drawing: a number or `.` for each column.
    pub fn are_scores(&self, line: &str) -> bool {
        let words = line.split_ascii_whitespace();
        let are_numbers = words.clone().all(|word| word == "." || word.parse::<i32>().is_ok());
        are_numbers && words.count() == self.size.width() as usize && !is_row(line)
    }

    fn words(&self, mover: u128, mask: u128) -> Result<Position, String> {
        let Some(cells) = self.cells(mover, mask) else {
            let others = [("tight", Reader::on(self.size)), ("spaced", Reader::on(self.size).spaced())];
            let fits = others.iter().find(|(_, other)| other.cells(mover, mask).is_some());
            let hint = fits.map_or(String::new(), |(name, _)| format!("; as --layout {name} they are a board"));
            return Err(format!(
                "bits of no board: stones above empty squares, outside of the board or of nobody{hint}"
            ));
        };
        Position::placed(self.size, &cells)
    }

    /// The cells of the grid; `None` if a stone is above an empty square, outside, or the mover's and not in `mask`.
    fn cells(&self, mover: u128, mask: u128) -> Option<Vec<u8>> {
        let (width, height) = (self.size.width(), self.size.height());
        if !self.has_room() {
            return None;
        }
        let bits = |column: u32| ((1 << height) - 1) << (column * self.stride);
        let board: u128 = (0..width).map(bits).sum();
        let is_stacked =
            |column: u32| ((mask & bits(column)) >> (column * self.stride)).wrapping_add(1).is_power_of_two();
        if mask & !board != 0 || mover & !mask != 0 || !(0..width).all(is_stacked) {
            return None;
        }
        let turn = if mask.count_ones().is_multiple_of(2) { [1, 2] } else { [2, 1] };
        let cell = |row: u32, column: u32| {
            let bit = 1 << (column * self.stride + row);
            if mask & bit == 0 { 0 } else { turn[usize::from(mover & bit == 0)] }
        };
        Some((0..height).rev().flat_map(|row| (0..width).map(move |column| cell(row, column))).collect())
    }
}

/// True if a line is a row of a drawing, of any width.
pub fn is_row(line: &str) -> bool {
    squares(line).count() >= 4 && squares(line).all(|square| cell(square).is_some())
}

/// The squares of a row. A stone may stand in brackets.
fn squares(row: &str) -> impl Iterator<Item = char> {
    row.chars().filter(|c| !matches!(c, ' ' | '\t' | '\r' | '|' | '(' | ')' | ','))
}

fn cell(square: char) -> Option<u8> {
    Some(match square {
        '.' | '_' => 0,
        'X' | 'x' => 1,
        'O' | 'o' => 2,
        '*' => MARKED,
        _ => return None,
    })
}

fn number(text: &str) -> Result<u128, String> {
    let text = text.trim_ascii();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| {
        format!("{:?} is no number; two make a position, MOVER:MASK", text.chars().take(20).collect::<String>())
    })
}

impl Position {
    /// The drawing of the position that [`Reader`] reads: a line for each row, the top row first.
    pub fn rows(&self) -> String {
        self.diagram().replace(' ', "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const READER: Reader = Reader { size: BoardSize::STANDARD, first_column: 1, stride: 7 };
    /// The board of "The Wondrous World of Connect Four Bit Boards", and with its stones without colour marked.
    const POST: &str = "OOXO...\nXOXX.OX\nOOXO.OX\nXXOO.XO\nOOOXXOO\nXXXOXXX\n";
    const MARKED: &str = "**XO...\n***X.O*\n**XO.O*\n*XOO.XO\n*OO*X**\n****X**\n";

    #[test]
    fn moves_are_read_in_every_spelling() {
        let moves = |text: &str| READER.read(text).map(|position| position.to_string());
        for text in ["4435", "4,4,3,5", "4 4 3 5", "ddce", "DDCE", " 4, 4,\t3, 5 "] {
            assert_eq!(moves(text).as_deref(), Ok("4435"), "{text}");
        }
        assert_eq!(READER.read(",").unwrap_err(), "no column");
        assert_eq!(Reader { first_column: 0, ..READER }.read("3324").unwrap().to_string(), "4435");
        assert_eq!([moves(""), moves("-")], [Ok(String::new()), Ok(String::new())]);
        let error = |reader: Reader, text: &str| reader.read(text).unwrap_err();
        assert_eq!(error(READER, "440"), "ply 3: '0' is not a column (1 to 7); with columns from 0: --first-column 0");
        assert_eq!(error(Reader { first_column: 0, ..READER }, "437"), "ply 3: '7' is not a column (0 to 6)");
        assert_eq!(error(READER, "44h"), "ply 3: 'h' is not a column (1 to 7)");
        assert_eq!(error(READER, "44-"), "ply 3: '-' is not a column (1 to 7)");
        let wide = Reader::on(BoardSize::new(12, 4).unwrap());
        assert_eq!(Reader { first_column: 0, ..wide }.read("09ab").unwrap().columns(), [0, 9, 10, 11]);
        assert_eq!(wide.read("9abc").unwrap().columns(), [8, 9, 10, 11], "letters are the columns from the tenth on");
    }

    #[test]
    fn drawings_are_read_and_what_is_none_is_told() {
        let drawn = READER.read(POST).unwrap();
        assert_eq!((drawn.rows().as_str(), drawn.ply()), (POST, 36));
        assert_eq!(READER.read(&POST.trim_end().replace('\n', "/")), Ok(drawn));
        let marked = READER.read(MARKED).unwrap();
        assert_eq!((marked.ply(), &marked.rows()[2..7]), (36, "XO..."));
        let error = |text: &str| READER.read(text).unwrap_err();
        assert_eq!(error(&POST[8..]), "a drawing of 5 rows; the board has 6 (--board)");
        assert!(error(&POST.replacen("...", "....", 1)).starts_with("row 1: 8 squares; the board has 7 columns"));
        assert_eq!(error(&POST.replacen('O', "1", 1)), "row 1, column 1: '1' is none of X, O, * and .");
        assert!(error(&POST.replacen('O', "X", 1)).starts_with("19 stones of the first player and 17 of the second"));
        assert_eq!(error(&POST.replacen("O...", ".O..", 1)), "row 1, column 5: a stone above an empty square");
        let live = format!("{}*......\n", ".......\n".repeat(5));
        assert_eq!(error(&live), "no sides keep every four away from the stones *");
        let two_fours = "XXXX...\nOOOO...\n.......\n.......\n.......\n.......\n";
        assert!(error(two_fours).contains("above an empty square"));
        let fours = format!("{}OOOO...\nXXXX...\n", ".......\n".repeat(4));
        assert_eq!(error(&fours), "no order of moves leads to this board without a win before");
    }

    #[test]
    fn numbers_are_the_bits_of_a_layout() {
        // D. Herzberg's and G. Vandewiele's example.
        let example = READER.read("832700416:35230302208").unwrap();
        assert_eq!((example.ply(), example.words(7)), (12, (832_700_416, 35_230_302_208)));
        assert_eq!(READER.read("0x31a20000 : 0x833e3c000"), Ok(example.clone()));
        let (mover, mask) = example.words(9);
        let spaced = format!("{mover}:{mask}");
        assert_eq!(READER.spaced().read(&spaced), Ok(example));
        assert!(READER.read(&spaced).unwrap_err().ends_with("as --layout spaced they are a board"));
        let large = Reader::on(BoardSize::new(12, 9).unwrap()).spaced();
        assert!(!large.has_room() && large.read("5:15").unwrap_err().ends_with("as --layout tight they are a board"));
        assert!(READER.read("2:2").unwrap_err().starts_with("bits of no board"));
        assert!(READER.read("1:x").unwrap_err().contains("\"x\" is no number"));
    }

    proptest! {
        #[test]
        fn every_form_leads_back(columns in proptest::collection::vec(0u32..9, 0..60), width in 4u32..10, height in 4u32..8) {
            let size = BoardSize::new(width, height).unwrap();
            let mut position = Position::start_on(size);
            for column in columns {
                let _ = position.play(column % width);
            }
            let reader = Reader::on(size);
            let board = |read: Result<Position, String>| read.map(|position| (position.up_to_mirror(), position.rows()));
            let expected = Ok((position.up_to_mirror(), position.rows()));
            prop_assert_eq!(&board(reader.read(&position.rows())), &expected);
            for reader in [reader, reader.spaced()].into_iter().filter(Reader::has_room) {
                let (mover, mask) = position.words(reader.stride);
                prop_assert_eq!(&board(reader.read(&format!("{mover:#x}:{mask}"))), &expected);
            }
            prop_assert_eq!(reader.read(&position.to_string()), Ok(position));
        }
    }
}
