//! Masks: the sets of squares that a geometry gives, computed once for each board.

use crate::game::room::GROUP;
use crate::game::size::BoardSize;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

/// The length of a table with a mask for each row. No board that is searched has more rows.
pub(super) const ROWS: usize = 32;
/// The length of a table with a mask for each half of the number of squares from a row up to the top.
pub(super) const HALVES: usize = 8;

/// The masks of a board, and tables of masks. The methods of [`Geometry`](crate::game::Geometry) describe
/// them. A mask of a missing row is empty.
pub struct Masks<W> {
    pub(super) size: BoardSize,
    pub(super) stride: u32,
    pub(super) directions: [u32; 4],
    pub(super) board: W,
    pub(super) bottom: W,
    pub(super) column: W,
    pub(super) columns: [[W; GROUP]; 2],
    /// The upper rows of pairs, then the lower ones.
    pub(super) rows_of_pairs: [W; 2],
    pub(super) row_with: [W; ROWS],
    pub(super) rows_from: [W; ROWS],
    pub(super) rows_worth: [W; ROWS],
    pub(super) odd_from: [W; HALVES],
    pub(super) even_from: [W; HALVES],
    pub(super) centre_first: [u8; 16],
    pub(super) centrality: [u8; 16],
    /// The distance up to the mirror image of each lane's column.
    pub(super) across_up: [u8; 16],
    /// The distance down to that image. One of the two distances is 0.
    pub(super) across_down: [u8; 16],
}

macro_rules! masks_in {
    ($($word:ident)+) => {$(
        impl Masks<$word> {
            pub(super) const fn of(size: BoardSize, stride: u32) -> Self {
                let (width, height) = (size.width(), size.height());
                let column = ((1u128 << height) - 1) as $word;
                let mut masks = Masks {
                    size,
                    stride,
                    directions: if width < 4 { [1; 4] } else { [1, stride, stride - 1, stride + 1] },
                    board: 0,
                    bottom: 0,
                    column,
                    columns: [[0; GROUP]; 2],
                    rows_of_pairs: [0; 2],
                    row_with: [0; ROWS],
                    rows_from: [0; ROWS],
                    rows_worth: [0; ROWS],
                    odd_from: [0; HALVES],
                    even_from: [0; HALVES],
                    centre_first: centre_first(width),
                    centrality: [0; 16],
                    across_up: [0; 16],
                    across_down: [0; 16],
                };
                let mut lane = 0;
                while lane < width as usize {
                    let column_of_lane = masks.centre_first[lane] as u32;
                    let image = width - 1 - column_of_lane;
                    masks.centrality[column_of_lane as usize] = 15 - lane as u8;
                    masks.columns[lane / GROUP][lane % GROUP] = column << (column_of_lane * stride);
                    masks.board |= column << (column_of_lane * stride);
                    masks.bottom |= 1 << (column_of_lane * stride);
                    masks.across_up[lane] = (image.saturating_sub(column_of_lane) * stride) as u8;
                    masks.across_down[lane] = (column_of_lane.saturating_sub(image) * stride) as u8;
                    lane += 1;
                }
                let mut row = 0;
                while row < height {
                    masks.add_row(row);
                    row += 1;
                }
                masks
            }

            /// Adds a row to all sets of rows that it belongs to.
            const fn add_row(&mut self, row: u32) {
                // The squares of a column from this row up.
                let (squares, height, mask) = (self.size.height() - row, self.size.height(), self.bottom << row);
                let is_upper = squares % 2 == 1;
                self.rows_of_pairs[!is_upper as usize] |= mask;
                let mut number = 0;
                while number < ROWS as u32 {
                    let index = number as usize;
                    if number == squares {
                        self.row_with[index] = mask;
                    }
                    if number <= row {
                        self.rows_from[index] |= mask;
                    }
                    if row + 2 * number < height + 2 {
                        self.rows_worth[index] |= mask;
                    }
                    if index < HALVES && is_upper && 2 * number <= squares + 1 {
                        self.odd_from[index] |= mask;
                    }
                    if index < HALVES && !is_upper && 2 * number <= squares {
                        self.even_from[index] |= mask;
                    }
                    number += 1;
                }
            }
        }
    )+};
}

masks_in!(u64 u128);

/// Columns from the centre out, the left one first; a board of even width starts right of its middle line.
pub(super) const fn centre_first(width: u32) -> [u8; 16] {
    let (mut order, mut turn) = ([0; 16], 0);
    while turn < width {
        let (centre, step) = (width / 2, turn.div_ceil(2));
        order[turn as usize] = (if turn % 2 == 1 { centre - step } else { centre + step }) as u8;
        turn += 1;
    }
    order
}

// Two sets of masks are equal if they are of one board.

impl<W> Debug for Masks<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.size.fmt(f)
    }
}

impl<W> PartialEq for Masks<W> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl<W> Eq for Masks<W> {}

impl<W> Hash for Masks<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size.hash(state);
    }
}
