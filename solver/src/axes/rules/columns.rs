//! Rules that two columns stand aside for: lowinverse and highinverse.

use super::choices::{Choice, Choices, NO_INVERSE};
use super::lines::Set;
use super::{Rule, word};
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// A column from its lowest empty square up to the pair where the rule is decided.
#[derive(Clone, Copy)]
struct Stack {
    /// Its lowest empty square.
    lowest: u64,
    /// The lower square of that pair, in an upper row.
    low: u64,
    /// All squares from the lowest to the upper one of that pair.
    squares: u64,
}

impl Stack {
    /// The upper square of the pair, in a lower row.
    fn high(self) -> u64 {
        self.low << 1
    }

    /// The lower squares of all its pairs.
    fn pairs(self, upper: u64) -> u64 {
        self.squares & upper
    }
}

impl Choices<'_> {
    /// The stacks of a column.
    fn stacks<G: Geometry>(&self, g: G, lowest: u64) -> impl Iterator<Item = Stack> + use<G> {
        let column = self.free & g.column(g.column_of(word(g, lowest))).low();
        EachSquare(column & self.verticals()).map(move |low| {
            let squares = column & ((low << 1) | ((low << 1) - 1));
            Stack { lowest, low, squares }
        })
    }

    /// All lowinverses and highinverses.
    pub(super) fn add_columns<G: Geometry>(&mut self, g: G) {
        if !self.rules.has(Rule::Lowinverse) && !self.rules.has(Rule::Highinverse) {
            return;
        }
        for second in EachSquare(self.playable) {
            for first in EachSquare(self.playable & (second - 1)) {
                // Either both columns have an even number of empty squares, or both an odd one.
                if (first & self.upper == 0) == (second & self.upper == 0) {
                    for left in self.stacks(g, first) {
                        for right in self.stacks(g, second) {
                            self.add_stacks([left, right]);
                        }
                    }
                }
            }
        }
    }

    /// The two rules of two stacks.
    fn add_stacks(&mut self, stacks: [Stack; 2]) {
        let [left, right] = stacks;
        // Without a line through these two, simpler rules mostly do as well; else less is proven.
        if self.lines.both(left.high(), right.high()) == 0 {
            return;
        }
        let mut across: Set = 0;
        for one in EachSquare(left.pairs(self.upper) << 1) {
            for other in EachSquare(right.pairs(self.upper) << 1) {
                across |= self.lines.both(one, other);
            }
        }
        if left.lowest & self.upper == 0 {
            across |= self.lines.both(left.lowest, right.lowest);
        }
        let squares = left.squares | right.squares;
        let verticals = |pairs: u64| EachSquare(pairs).fold(0, |lines, low| lines | self.lines.both(low, low << 1));
        let low = left.low | right.low;
        let pairs = left.pairs(self.upper) | right.pairs(self.upper);
        if self.rules.has(Rule::Lowinverse) {
            let lines = across | verticals(pairs);
            self.push(Choice { lines, pairs: 0, squares, inverse: NO_INVERSE });
        }
        let highest = stacks.map(|stack| stack.high() << 1);
        if self.rules.has(Rule::Highinverse) && highest.iter().all(|&square| square & self.free != 0) {
            let mut lines = across | verticals(pairs & !low) | self.lines.both(highest[0], highest[1]);
            for (stack, other) in [(0, 1), (1, 0)] {
                let (stack, above) = (stacks[stack], [highest[stack], highest[other]]);
                lines |= self.lines.both(stack.high(), above[0]);
                if stack.squares & self.upper == stack.low {
                    lines |= self.lines.both(stack.low, above[1]);
                }
            }
            let squares = squares | highest[0] | highest[1];
            self.push(Choice { lines, pairs: 0, squares, inverse: NO_INVERSE });
        }
    }
}
