//! The size of a board, known at run time: for positions, test sets, rows and reports.
//!
//! A search takes a [`Geometry`](super::Geometry) with masks; other code takes a size. Its sets of squares are in the
//! tight layout: one sentinel bit above each column, as drawn in [`super::geometry`].

use super::geometry::{MOST_COLUMNS, centre_first};
use std::fmt;
use std::str::FromStr;

/// Columns and rows of a board, whose squares fit a word.
///
/// ```
/// use c4lab_solver::game::BoardSize;
/// let size: BoardSize = "8x7".parse().unwrap();
/// assert_eq!((size.width(), size.height(), size.cells()), (8, 7, 56));
/// assert_eq!(size.to_string(), "8x7");
/// assert_eq!("12x10".parse::<BoardSize>().unwrap_err().to_string(), "12x10: the board does not fit 128 bits: width * (height + 1) <= 128");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// The reason why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeError(String);

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SizeError {}

impl BoardSize {
    /// The most squares and sentinels that a board may have.
    pub const MOST_BITS: u32 = 128;

    pub const STANDARD: BoardSize = BoardSize { width: 7, height: 6 };

    /// The size of `width` columns and `height` rows, or the reason why there is no such board.
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        let bits = height.saturating_add(1).saturating_mul(width);
        let reason = if width == 0 || height == 0 {
            "a board has at least one column and one row".to_string()
        } else if width > MOST_COLUMNS {
            "columns are named 1 to 9, a, b, c: at most 12".to_string()
        } else if bits > Self::MOST_BITS {
            format!("the board does not fit {0} bits: width * (height + 1) <= {0}", Self::MOST_BITS)
        } else {
            return Ok(BoardSize { width: width as u8, height: height as u8 });
        };
        Err(SizeError(format!("{width}x{height}: {reason}")))
    }

    pub(super) const fn of(width: u32, height: u32) -> Self {
        BoardSize { width: width as u8, height: height as u8 }
    }

    pub const fn width(self) -> u32 {
        self.width as u32
    }

    pub const fn height(self) -> u32 {
        self.height as u32
    }

    pub const fn cells(self) -> u32 {
        self.width() * self.height()
    }

    /// Bits of its squares and sentinels in the tight layout: up to 64 take a `u64`, more a `u128`.
    pub const fn bits(self) -> u32 {
        self.width() * self.stride()
    }

    /// Bits from one column to the next in the tight layout.
    pub const fn stride(self) -> u32 {
        self.height() + 1
    }

    /// Columns from the centre out, as in [`Geometry::centre_first`](super::Geometry::centre_first).
    pub fn centre_first(self) -> impl Iterator<Item = u32> {
        centre_first(self.width()).into_iter().take(self.width as usize).map(u32::from)
    }

    pub(super) fn column(self, column: u32) -> u128 {
        ((1 << self.height) - 1) << (column * self.stride())
    }

    /// The four directions of a line, as in [`Geometry::directions`](super::Geometry::directions).
    pub(super) const fn directions(self) -> [u32; 4] {
        let stride = self.stride();
        if self.width < 4 { [1; 4] } else { [1, stride, stride - 1, stride + 1] }
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for BoardSize {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let shown: String = text.chars().take(20).collect();
        let form = || SizeError(format!("{shown:?} is no size of a board: width x height, as in 7x6"));
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        let (width, height) = text.split_once('x').ok_or_else(form)?;
        BoardSize::new(number(width).ok_or_else(form)?, number(height).ok_or_else(form)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_board_says_why() {
        let error = |text: &str| text.parse::<BoardSize>().unwrap_err().to_string();
        for text in ["", "7", "x", "7x", "x6", "7x6x", "-7x6", "+7x6", " 7x6", "7X6", "٧x6", "99999999999x6"] {
            assert!(error(text).contains("is no size of a board"), "{text}");
        }
        assert!(error("0x6").contains("at least one") && error("7x0").contains("at least one"));
        assert!(
            error("13x3").contains("at most 12")
                && error("12x10").contains("128 bits")
                && error("1x128").contains("128 bits")
                && error("12x4294967295").contains("128 bits")
        );
        assert_eq!("1x127".parse(), BoardSize::new(1, 127));
    }
}
