//! What the opponent can choose from: single rules with the squares that they need and the lines that they stop.

use super::lines::{Lines, Set};
use super::{Rule, Rules, word};
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// Choices that are kept. More are not looked at, so that less is proven.
pub(super) const MOST: usize = 400;

/// The number of no pair of columns.
pub(super) const NO_INVERSE: u8 = u8::MAX;

/// One rule, or several that belong together.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// The mover's lines that it stops.
    pub lines: Set,
    /// The lower squares of its vertical pairs: claimevens and verticals. Several choices may share a pair.
    pub pairs: u64,
    /// Its other squares.
    pub squares: u64,
    /// The number of its baseinverse, which several choices may share; else [`NO_INVERSE`].
    pub inverse: u8,
}

impl Choice {
    pub(super) const NONE: Self = Choice { lines: 0, pairs: 0, squares: 0, inverse: NO_INVERSE };
}

/// A board, as the rules see it, and the choices so far.
pub(super) struct Choices<'a> {
    pub lines: &'a Lines,
    pub rules: Rules,
    /// Empty squares.
    pub free: u64,
    /// Empty squares that can be played in now.
    pub playable: u64,
    /// Upper rows.
    pub upper: u64,
    /// The lines that some choice stops.
    pub stopped: Set,
    list: &'a mut [Choice; MOST],
    count: usize,
}

impl<'a> Choices<'a> {
    #[inline]
    pub(super) fn new<G: Geometry>(
        g: G,
        lines: &'a Lines,
        rules: Rules,
        [free, playable]: [u64; 2],
        list: &'a mut [Choice; MOST],
    ) -> Self {
        Choices { lines, rules, free, playable, upper: g.rows_of_pairs(true).low(), stopped: 0, list, count: 0 }
    }

    /// All choices.
    #[inline(always)]
    pub(super) fn list(&self) -> &[Choice] {
        &self.list[..self.count]
    }

    /// Keeps a choice that stops something.
    #[inline]
    pub(super) fn push(&mut self, choice: Choice) {
        if choice.lines != 0 && self.count < MOST {
            self.stopped |= choice.lines;
            self.list[self.count] = choice;
            self.count += 1;
        }
    }

    /// The upper squares of claimevens: free ones in upper rows, above another free one.
    #[inline(always)]
    pub(super) fn claimevens(&self) -> u64 {
        self.free & self.upper & (self.free << 1)
    }

    /// The lower squares of verticals: free ones in upper rows, below another free one.
    #[inline(always)]
    pub(super) fn verticals(&self) -> u64 {
        self.free & self.upper & (self.free >> 1)
    }

    /// The rules of one column, or of squares that can be played in now.
    pub(super) fn add_simple<G: Geometry>(&mut self, g: G) {
        if self.rules.has(Rule::Claimeven) {
            for square in EachSquare(self.claimevens()) {
                self.push(Choice { lines: self.lines.through(square), pairs: square >> 1, ..Choice::NONE });
            }
        }
        if self.rules.has(Rule::Vertical) {
            for square in EachSquare(self.verticals()) {
                self.push(Choice { lines: self.lines.both(square, square << 1), pairs: square, ..Choice::NONE });
            }
        }
        for second in EachSquare(self.playable) {
            for first in EachSquare(self.playable & (second - 1)) {
                if self.rules.has(Rule::Baseinverse) {
                    let (squares, inverse) = (first | second, inverse(g, first, second));
                    self.push(Choice { lines: self.lines.both(first, second), squares, inverse, pairs: 0 });
                }
            }
        }
        if self.rules.has(Rule::Baseclaim) {
            for below in EachSquare(self.playable & !self.upper & (self.free >> 1)) {
                self.add_baseclaims(below);
            }
        }
    }

    /// Baseclaims, given the square in whose column both claims meet.
    fn add_baseclaims(&mut self, below: u64) {
        let (claimed, others) = (below << 1, self.playable & !below);
        for first in EachSquare(others) {
            let with_claimed = self.lines.both(first, claimed);
            if with_claimed == 0 {
                continue;
            }
            for third in EachSquare(others & !first) {
                let with_below = self.lines.both(below, third);
                if with_below != 0 {
                    let squares = first | below | claimed | third;
                    self.push(Choice { lines: with_claimed | with_below, squares, ..Choice::NONE });
                }
            }
        }
    }
}

/// The number of a baseinverse of two columns.
#[inline(always)]
pub(super) fn inverse<G: Geometry>(g: G, first: u64, second: u64) -> u8 {
    let (a, b) = (g.column_of(word(g, first)), g.column_of(word(g, second)));
    let (a, b) = (a.min(b), a.max(b));
    (b * b.saturating_sub(1) / 2 + a) as u8
}
