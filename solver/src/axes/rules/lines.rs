//! The lines that the mover could still complete, by their empty squares.

use crate::axes::lines::line::fours;
use crate::game::Geometry;
use crate::game::word::EachSquare;

/// Lines that are told apart. No board that fits a word has more.
pub(super) const MOST: usize = 128;

/// A set of the mover's lines, a bit each.
pub(super) type Set = u128;

/// The mover's lines of a board. A line whose empty squares are among those of none else: what stops that one stops the other.
pub(super) struct Lines {
    /// All of them.
    pub all: Set,
    /// Those that hold a square.
    through: [Set; 64],
    /// Those that hold a square above it, in its column.
    above: [Set; 64],
}

impl Lines {
    /// The lines of a side with these stones, where these squares are free; `None` if one of them is complete.
    #[inline]
    pub(super) fn of<G: Geometry>(g: G, stones: u64, free: u64) -> Option<Self> {
        // Those with the fewest empty squares first, so that none that is kept falls away later.
        let (mut by_size, mut sizes) = ([[0; MOST]; 4], [0; 4]);
        for line in Fours::of(g, stones | free) {
            let empty = line & free;
            let size = (empty.count_ones() as usize).checked_sub(1)?;
            let size = size & 3;
            *by_size[size].get_mut(sizes[size])? = empty;
            sizes[size] += 1;
        }
        let (mut kept, mut count) = ([0; MOST], 0);
        for (lines, size) in by_size.iter().zip(sizes) {
            let smaller = count;
            for &empty in &lines[..size] {
                if kept[..smaller].iter().all(|&other| other & !empty != 0) {
                    *kept.get_mut(count)? = empty;
                    count += 1;
                }
            }
        }
        let all = if count == MOST { Set::MAX } else { (1 << count) - 1 };
        let mut lines = Lines { all, through: [0; 64], above: [0; 64] };
        for (line, &empty) in kept[..count].iter().enumerate() {
            for square in EachSquare(empty) {
                lines.through[square.trailing_zeros() as usize] |= 1 << line;
            }
        }
        for column in 0..g.width() {
            let mut above = 0;
            for row in (0..g.height()).rev() {
                let square = (column * g.stride() + row) as usize;
                lines.above[square] = above;
                above |= lines.through[square];
            }
        }
        Some(lines)
    }

    /// Those that hold a square, given as a set of one.
    #[inline(always)]
    pub(super) fn through(&self, square: u64) -> Set {
        self.through[square.trailing_zeros() as usize & 63]
    }

    /// Those that hold two squares.
    #[inline(always)]
    pub(super) fn both(&self, one: u64, other: u64) -> Set {
        self.through(one) & self.through(other)
    }

    /// Those that hold a square above this one, in its column.
    #[inline(always)]
    pub(super) fn above(&self, square: u64) -> Set {
        self.above[square.trailing_zeros() as usize & 63]
    }
}

/// All fours within a set, each with its four squares.
pub(super) struct Fours {
    first: [u64; 4],
    steps: [u32; 4],
}

impl Fours {
    /// Those within these squares.
    pub(super) fn of<G: Geometry>(g: G, squares: u64) -> Self {
        let mut first = g.directions().map(|step| fours(squares, step));
        // With fewer than four columns, one direction is named four times.
        let repeated = g.directions()[1] == g.directions()[0];
        if repeated {
            first = [first[0], 0, 0, 0];
        }
        Fours { first, steps: g.directions() }
    }
}

impl Iterator for Fours {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let at = self.first.iter().position(|&first| first != 0)?;
        let (first, step) = (self.first[at] & self.first[at].wrapping_neg(), self.steps[at]);
        self.first[at] ^= first;
        Some(first | first << step | first << (2 * step) | first << (3 * step))
    }
}
