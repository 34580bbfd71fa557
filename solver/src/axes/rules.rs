//! Rules: the proof of V. Allis's nine rules together ("A Knowledge-based Approach of Connect-Four", 1988).
//!
//! The mover M is not the last player ([`crate::axes::zugzwang`]): an even number of squares is empty, and its opponent
//! O answers every stone. Each rule is a way to answer, and stops some lines of M's. If O has rules that go together
//! and stop every line that M could still complete, M completes no four: its score is at most 0. Rows are upper or
//! lower ones, in pairs from the top: on an even height the even rows are upper ones. In a column with an odd number of
//! empty squares, an *odd column*, the playable square is in an upper row.
//!
//! **The answers.** O plays by two steps:
//!
//! 1. If a rule has an answer to M's stone, O plays that answer.
//! 2. Otherwise O plays in an odd column that no rule has set aside. There is one: the number of empty squares is odd
//!    now, so the number of odd columns is odd, too; and columns are set aside in twos, both odd or both even.
//!
//! So O plays in a lower row only as an answer. Rules go together if no square belongs to two of them: then a stone has
//! one answer at most, and an answer spoils no other rule. For each rule it remains to show that the answer can be
//! played, and that a stone of O's by step 2 does not spoil it.
//!
//! ```text
//!         1 claimeven   2 baseinverse   3 vertical   5 lowinverse   6 highinverse   7 baseclaim
//! row 4     . c .         . . . .         . . .        . . . .        . h . h        . . . .
//! row 3     . a .         . . . .         . u .        . u . u        . u . u        . . . .
//! row 2     . o .         . i . .         . v .        . v . v        . v . v        . s . .
//! row 1     . x .         . x . i         . x .        . x . o        . x . o        p b . q
//! ```
//!
//! 1. **Claimeven.** A free square in an upper row (c) above a free one (a). M below is answered above. O never begins
//!    there, since the lower square is in a lower row. It stops lines through the upper square.
//! 2. **Baseinverse.** Two playable squares (i). M in one is answered in the other. O may take one first. It stops
//!    lines through both.
//! 3. **Vertical.** A free square in a lower row (u) above a free one (v). M below is answered above. O may take the
//!    lower one first. It stops lines through both.
//! 4. **Aftereven.** O gets all empty squares of a line by claimevens. It stops lines of M's that hold a square above
//!    each of them, in its column: when such a line is complete, those squares are taken, and O had four before.
//!
//! 5. **Lowinverse.** Two odd columns, each with a vertical at its lowest two free squares. Both columns are set aside.
//!    M in one is answered above: O gets the upper square (u) of the column that M enters first. Then the columns are
//!    set aside no longer, and the vertical of the other column remains. It stops lines through both u, and the lines
//!    of both verticals.
//!    *Higher up*: below the two verticals there may be more verticals, down to the lowest free square. M in one of
//!    them is answered above, and both columns stay odd and set aside. The rule ends when M enters the highest vertical
//!    of a column. By then O has the upper squares of all verticals of that column. So it also stops lines through an
//!    upper square of each column.
//!    *Even columns*: below all that there may be one more free square in each column. M in one is answered in the
//!    other, as in a baseinverse. Then both columns are odd.
//! 6. **Highinverse.** A lowinverse with one more free square on top of each column (h), in an upper row. When M enters
//!    the highest vertical of a column, and is answered in u, a claimeven of u and h remains in the other column. If
//!    that column had no verticals below v, a baseinverse of v and the first column's h remains, too. The rule stops
//!    lines through both u or both h, through u and h of a column, and, if no verticals are below v, through v and the
//!    other column's h. Of the verticals it stops only those below.
//! 7. **Baseclaim.** Three playable squares (p, b, q), b in a lower row, and the square above b (s). M in p is answered
//!    in q, and a claimeven of b and s remains. M in q is answered in b, and M in b in q; then a baseinverse of p and s
//!    remains. If O takes p first, a baseinverse of b and q remains; if it takes q, the claimeven. It stops lines
//!    through p and s, and through b and q.
//!
//! ```text
//!         8 before      9 specialbefore
//! row 4     . . . .       o . . . .
//! row 3     . . s s       x o s . .
//! row 2     o o c v       o x v s .
//! row 1     x x . x       x o x i j
//! ```
//!
//! 8. **Before.** As aftereven, but some of the empty squares of O's line are the lower squares of verticals (v). It
//!    stops lines of M's that hold the upper square of each such vertical, and a square above each claimeven: here,
//!    lines through both s. If M has the upper square of a vertical, O has the lower one, and had it before.
//! 9. **Specialbefore.** As before, but one square (i) is playable, and forms a baseinverse with another (j). It stops
//!    lines of M's that hold j and a square above i, and the squares that the other parts require: here, the line
//!    through both s and j. If M has j, O has i, and i was taken before the squares above it.
//!
//! *Stricter than Allis.* Allis lets inverses stand above squares that other rules or nobody use, and shares squares in
//! some cases. Here lowinverse and highinverse reach down to the lowest empty square, and no rules share squares. Only
//! vertical pairs and baseinverses may be a part of several rules, since they promise each rule the same squares. In
//! return, the proof needs no table of which rules go together, and holds for any height.
//!
//! **The search** takes the line that the fewest rules stop, tries each of these rules, and so on. It gives up after
//! [`STEPS`] steps, so it is deterministic. Then nothing is proven.

use crate::axes::lines::line::fours;
use crate::axes::zugzwang::plays_last;
use crate::game::board::playable;
use crate::game::score::Score;
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// The steps of the search for rules that go together. Of 7,779 boards of 7x6 with 8 to 12 stones that can be proven in
/// 3,000 steps, 337 need more.
pub const STEPS: u32 = 40;

/// The most stones of a board that a search tries to prove: with more it would cost more than it saves. A proof takes
/// five microseconds with 12 stones or fewer, and gives at least a draw on one board in nine that nothing else ends
/// (`results/2026-11-25-zugzwang-cuts`).
pub fn most_on_board<G: Geometry>(g: G) -> u32 {
    g.cells() * 2 / 7
}

/// True if the rules prove that the mover's score is at most 0, if that bound serves `target`, and if the proof pays.
#[inline(always)]
pub(crate) fn prove<G: Geometry>(g: G, mover: G::Word, opponent: G::Word, target: Score) -> bool {
    let ply = (mover | opponent).count_ones();
    target >= 0 && ply <= most_on_board(g) && !plays_last(g, ply) && stop_all(g, mover, opponent, STEPS)
}

/// True if the rules prove within `steps` steps that the mover completes no four. Always false if the mover is the last
/// player, and on boards of more than 64 bits, which have more lines than a `Set` holds.
#[inline(never)]
pub fn stop_all<G: Geometry>(g: G, mover: G::Word, opponent: G::Word, mut steps: u32) -> bool {
    let (mover, opponent) = (mover.low(), opponent.low());
    let stones = mover | opponent;
    if G::Word::BITS > u64::BITS || plays_last(g, stones.count_ones()) {
        return false;
    }
    let free = g.board().low() & !stones;
    let Some(lines) = Lines::of(g, mover, free) else { return false };
    let mut list = [Choice::NONE; MOST_CHOICES];
    let mut choices = Choices::new(g, &lines, [free, playable(g, word(g, stones)).low()], &mut list);
    choices.add_simple(g);
    choices.add_columns(g);
    // Most boards have a line that nothing stops.
    let later = choices.sooner_lines(g, opponent).fold(0, |all, (_, later)| all | later);
    if lines.all & !(choices.stopped | later) != 0 {
        return false;
    }
    choices.add_sooner(g, opponent);
    PartialCover { open: lines.all, used: 0, pairs: 0, inverses: 0 }.can_stop_all(choices.list(), &mut steps)
}

#[inline(always)]
fn word<G: Geometry>(_: G, set: u64) -> G::Word {
    G::Word::of(set.into())
}

// The lines that the mover could still complete, by their empty squares.

/// The most lines of a board that fits a word.
const MOST_LINES: usize = 128;

/// A set of the mover's lines, one bit each.
type Set = u128;

/// The mover's lines on a board. A line is left out if its empty squares contain those of another line: a rule that
/// stops the other stops it too.
struct Lines {
    pub all: Set,
    through: [Set; 64],
    /// The lines that hold a square above this one, in its column.
    above: [Set; 64],
}

impl Lines {
    /// The lines of a side with `stones`, if the squares `free` are free; `None` if a line is complete.
    #[inline]
    fn of<G: Geometry>(g: G, stones: u64, free: u64) -> Option<Self> {
        // Lines with the fewest empty squares come first, so that no line is kept and dropped later.
        let (mut by_size, mut sizes) = ([[0; MOST_LINES]; 4], [0; 4]);
        for line in each_four(g, stones | free) {
            let empty = line & free;
            let size = (empty.count_ones() as usize).checked_sub(1)?;
            let size = size & 3;
            *by_size[size].get_mut(sizes[size])? = empty;
            sizes[size] += 1;
        }
        let (mut kept, mut count) = ([0; MOST_LINES], 0);
        for (lines, size) in by_size.iter().zip(sizes) {
            let smaller = count;
            for &empty in &lines[..size] {
                if kept[..smaller].iter().all(|&other| other & !empty != 0) {
                    *kept.get_mut(count)? = empty;
                    count += 1;
                }
            }
        }
        let all = if count == MOST_LINES { Set::MAX } else { (1 << count) - 1 };
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

    #[inline(always)]
    fn through(&self, square: u64) -> Set {
        self.through[square.trailing_zeros() as usize & 63]
    }

    #[inline(always)]
    fn both(&self, one: u64, other: u64) -> Set {
        self.through(one) & self.through(other)
    }

    #[inline(always)]
    fn above(&self, square: u64) -> Set {
        self.above[square.trailing_zeros() as usize & 63]
    }
}

/// The squares of each four within a set.
fn each_four<G: Geometry>(g: G, squares: u64) -> impl Iterator<Item = u64> {
    let steps = g.directions();
    // With fewer than four columns, one direction is named four times.
    let count = if steps[1] == steps[0] { 1 } else { 4 };
    steps.into_iter().take(count).flat_map(move |step| {
        EachSquare(fours(squares, step))
            .map(move |first| first | first << step | first << (2 * step) | first << (3 * step))
    })
}

// The opponent's choices: single rules with the squares that they need and the lines that they stop.

/// The most choices that are kept. With more, the proof may fail.
const MOST_CHOICES: usize = 400;

/// Marks a choice without a baseinverse.
const NO_INVERSE: u8 = u8::MAX;

/// One rule, or several rules used together.
#[derive(Clone, Copy)]
struct Choice {
    pub lines: Set,
    /// The lower squares of its vertical pairs: claimevens and verticals. Several choices may share a pair.
    pub pairs: u64,
    pub squares: u64,
    /// The number of its baseinverse, which several choices may share, or [`NO_INVERSE`].
    pub inverse: u8,
}

impl Choice {
    const NONE: Self = Choice { lines: 0, pairs: 0, squares: 0, inverse: NO_INVERSE };
}

/// A board in the form of the rules, and the choices found so far.
struct Choices<'a> {
    pub lines: &'a Lines,
    pub free: u64,
    /// Empty squares that are playable.
    pub playable: u64,
    pub upper: u64,
    pub stopped: Set,
    list: &'a mut [Choice; MOST_CHOICES],
    count: usize,
}

impl<'a> Choices<'a> {
    #[inline]
    fn new<G: Geometry>(
        g: G,
        lines: &'a Lines,
        [free, playable]: [u64; 2],
        list: &'a mut [Choice; MOST_CHOICES],
    ) -> Self {
        Choices { lines, free, playable, upper: g.rows_of_pairs(true).low(), stopped: 0, list, count: 0 }
    }

    #[inline(always)]
    fn list(&self) -> &[Choice] {
        &self.list[..self.count]
    }

    #[inline]
    fn push(&mut self, choice: Choice) {
        if choice.lines != 0 && self.count < MOST_CHOICES {
            self.stopped |= choice.lines;
            self.list[self.count] = choice;
            self.count += 1;
        }
    }

    /// The upper squares of claimevens: free squares in upper rows, above another free one.
    #[inline(always)]
    fn claimevens(&self) -> u64 {
        self.free & self.upper & (self.free << 1)
    }

    /// The lower squares of verticals: free squares in upper rows, below another free one.
    #[inline(always)]
    fn verticals(&self) -> u64 {
        self.free & self.upper & (self.free >> 1)
    }

    /// The rules of one column, or of playable squares.
    fn add_simple<G: Geometry>(&mut self, g: G) {
        for square in EachSquare(self.claimevens()) {
            self.push(Choice { lines: self.lines.through(square), pairs: square >> 1, ..Choice::NONE });
        }
        for square in EachSquare(self.verticals()) {
            self.push(Choice { lines: self.lines.both(square, square << 1), pairs: square, ..Choice::NONE });
        }
        for second in EachSquare(self.playable) {
            for first in EachSquare(self.playable & (second - 1)) {
                let (squares, inverse) = (first | second, inverse(g, first, second));
                self.push(Choice { lines: self.lines.both(first, second), squares, inverse, pairs: 0 });
            }
        }
        for below in EachSquare(self.playable & !self.upper & (self.free >> 1)) {
            self.add_baseclaims(below);
        }
    }

    /// Baseclaims. `below` is the playable square in whose column both claims meet.
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

#[inline(always)]
fn inverse<G: Geometry>(g: G, first: u64, second: u64) -> u8 {
    let (a, b) = (g.column_of(word(g, first)), g.column_of(word(g, second)));
    let (a, b) = (a.min(b), a.max(b));
    (b * b.saturating_sub(1) / 2 + a) as u8
}

// Rules that set two columns aside: lowinverse and highinverse.

/// A column from its lowest empty square up to the pair that decides the rule.
#[derive(Clone, Copy)]
struct Stack {
    lowest: u64,
    /// The lower square of that pair, in an upper row.
    low: u64,
    /// All squares from the lowest to the upper square of that pair.
    squares: u64,
}

impl Stack {
    /// The upper square of the pair, in a lower row.
    fn high(self) -> u64 {
        self.low << 1
    }

    fn pairs(self, upper: u64) -> u64 {
        self.squares & upper
    }
}

impl Choices<'_> {
    fn stacks<G: Geometry>(&self, g: G, lowest: u64) -> impl Iterator<Item = Stack> + use<G> {
        let column = self.free & g.column(g.column_of(word(g, lowest))).low();
        EachSquare(column & self.verticals()).map(move |low| {
            let squares = column & ((low << 1) | ((low << 1) - 1));
            Stack { lowest, low, squares }
        })
    }

    fn add_columns<G: Geometry>(&mut self, g: G) {
        for second in EachSquare(self.playable) {
            for first in EachSquare(self.playable & (second - 1)) {
                // Both columns have an even number of empty squares, or both an odd one.
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

    fn add_stacks(&mut self, stacks: [Stack; 2]) {
        let [left, right] = stacks;
        // Without a line through these two squares, simpler rules mostly prove as much.
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
        let of_lower = across | verticals(pairs);
        let of_higher = across | verticals(pairs & !low);
        self.push(Choice { lines: of_lower, squares, ..Choice::NONE });
        let highest = stacks.map(|stack| stack.high() << 1);
        if highest.iter().all(|&square| square & self.free != 0) {
            let mut lines = of_higher | self.lines.both(highest[0], highest[1]);
            for (stack, other) in [(0, 1), (1, 0)] {
                let (stack, above) = (stacks[stack], [highest[stack], highest[other]]);
                lines |= self.lines.both(stack.high(), above[0]);
                if stack.squares & self.upper == stack.low {
                    lines |= self.lines.both(stack.low, above[1]);
                }
            }
            let squares = squares | highest[0] | highest[1];
            self.push(Choice { lines, squares, ..Choice::NONE });
        }
    }
}

// Rules that give the opponent a four before the mover's: aftereven, before, specialbefore.

/// Some empty squares of a line of the opponent's, each with the rule that gives it to the opponent.
#[derive(Clone, Copy)]
struct Part {
    /// The mover's lines that hold the squares required by the rules of all these squares.
    lines: Set,
    /// Lines that these rules stop by themselves.
    alone: Set,
    /// The lower squares of vertical pairs.
    pairs: u64,
    squares: u64,
    inverse: u8,
}

impl Part {
    fn used(&self) -> u64 {
        self.pairs | self.pairs << 1 | self.squares
    }
}

impl<'a> Choices<'a> {
    /// Adds all of them, for an opponent whose stones are `opponent`.
    fn add_sooner<G: Geometry>(&mut self, g: G, opponent: u64) {
        for (empty, lines) in self.sooner_lines(g, opponent) {
            let none = Part { lines, alone: 0, pairs: 0, squares: 0, inverse: NO_INVERSE };
            self.add_parts(g, empty, empty, none);
        }
    }

    /// The empty squares of each line of the opponent's, with the mover's lines that come later if the opponent gets
    /// them.
    fn sooner_lines<G: Geometry>(&self, g: G, opponent: u64) -> impl Iterator<Item = (u64, Set)> + use<'a, G> {
        let (lines, free) = (self.lines, self.free);
        let below_top = free & !(g.bottom() << (g.height() - 1)).low();
        each_four(g, opponent | below_top).filter_map(move |line| {
            let empty = line & free;
            let later = EachSquare(empty).fold(lines.all, |later, square| later & lines.above(square));
            (empty != 0 && later != 0).then_some((empty, later))
        })
    }

    /// Adds all ways to get the squares `left` of `line`, on top of the squares of `part`.
    fn add_parts<G: Geometry>(&mut self, g: G, line: u64, left: u64, part: Part) {
        if part.lines & !part.alone == 0 {
            return;
        }
        let square = left & left.wrapping_neg();
        if square == 0 {
            let Part { lines, alone, pairs, squares, inverse } = part;
            return self.push(Choice { lines: lines | alone, pairs, squares, inverse });
        }
        let rest = left ^ square;
        if square & self.claimevens() != 0 && part.used() & (square | square >> 1) == 0 {
            let alone = part.alone | self.lines.through(square);
            self.add_parts(g, line, rest, Part { alone, pairs: part.pairs | square >> 1, ..part });
        }
        if square & self.verticals() != 0 && part.used() & (square | square << 1) == 0 {
            let lines = part.lines & self.lines.through(square << 1);
            let alone = part.alone | self.lines.both(square, square << 1);
            self.add_parts(g, line, rest, Part { lines, alone, pairs: part.pairs | square, ..part });
        }
        if part.inverse == NO_INVERSE && square & self.playable != 0 && part.used() & square == 0 {
            for other in EachSquare(self.playable & !line) {
                if g.column_of(word(g, other)) != g.column_of(word(g, square)) && part.used() & other == 0 {
                    let lines = part.lines & self.lines.through(other);
                    let alone = part.alone | self.lines.both(square, other);
                    let squares = square | other;
                    let inverse = inverse(g, square, other);
                    self.add_parts(g, line, rest, Part { lines, alone, squares, inverse, ..part });
                }
            }
        }
    }
}

// The search for choices that go together and stop every line.

#[derive(Clone, Copy)]
struct PartialCover {
    pub open: Set,
    /// All squares of the choices taken.
    pub used: u64,
    /// The lower squares of their vertical pairs.
    pub pairs: u64,
    /// The numbers of their baseinverses, one bit each.
    pub inverses: u128,
}

impl PartialCover {
    /// The squares that `choice` takes alone, without those it shares; `None` if another choice uses one of them.
    #[inline(always)]
    fn takes(&self, choice: &Choice) -> Option<u64> {
        let pairs = choice.pairs & !self.pairs;
        let shared = choice.inverse != NO_INVERSE && self.inverses >> (choice.inverse & 127) & 1 != 0;
        let squares = pairs | pairs << 1 | if shared { 0 } else { choice.squares };
        (squares & self.used == 0).then_some(squares)
    }

    fn with(&self, choice: &Choice, squares: u64) -> Self {
        let inverse = if choice.inverse == NO_INVERSE { 0 } else { 1 << (choice.inverse & 127) };
        PartialCover {
            open: self.open & !choice.lines,
            used: self.used | squares,
            pairs: self.pairs | choice.pairs,
            inverses: self.inverses | inverse,
        }
    }

    /// True if further choices stop all open lines, within `steps` steps. A line with the fewest choices left comes
    /// first.
    fn can_stop_all(&self, choices: &[Choice], steps: &mut u32) -> bool {
        if self.open == 0 {
            return true;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let [mut one, mut two, mut three]: [Set; 3] = [0; 3];
        for choice in choices {
            if self.takes(choice).is_some() {
                three |= two & choice.lines;
                two |= one & choice.lines;
                one |= choice.lines;
            }
        }
        if self.open & !one != 0 {
            return false;
        }
        let fewest = [self.open & !two, self.open & !three, self.open];
        let line = fewest.into_iter().find(|&lines| lines != 0).unwrap_or(0);
        let line = line & line.wrapping_neg();
        choices.iter().filter(|choice| choice.lines & line != 0).any(|choice| {
            self.takes(choice).is_some_and(|squares| self.with(choice, squares).can_stop_all(choices, steps))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Grid, Position, Standard};

    /// More steps than any of these boards takes.
    const ENOUGH: u32 = 1_000_000;

    fn proves(moves: &str) -> bool {
        let board = Position::parse(moves).unwrap().board(Standard::NEW);
        stop_all(Standard::NEW, board.mover(), board.opponent(), ENOUGH)
    }

    /// Positions that are proven, each by a rule that no other replaces.
    #[test]
    fn every_rule_is_needed() {
        for (rule, moves) in [
            ("claimeven, aftereven, before", "47467413"),
            ("baseinverse", "61256652"),
            ("vertical", "2527726571232613"),
            ("lowinverse", "235754147565"),
            ("highinverse", "14645612725465"),
            ("baseclaim", "11335651656557"),
            ("specialbefore", "55156474"),
        ] {
            assert!(proves(moves), "{rule}, {moves}");
        }
    }

    /// Boards that the mover wins, though a rule with one mistake would prove that it completes no four: a baseclaim
    /// that does not take its square (the first three), and a highinverse that stops the vertical lines on top (the
    /// others).
    #[test]
    fn no_rule_proves_too_much() {
        for moves in [
            "32235666",
            "36744733",
            "13263266",
            "621234536376412345651631",
            "5511422463172631114356777566",
            "11236611567411657755427755274633",
        ] {
            assert!(!proves(moves), "{moves}");
        }
        // A highinverse that does not take the squares on top.
        let g = Grid::<6, 5, 6>::NEW;
        let small = Position::parse_on(g.size(), "344516655356161135").unwrap().board(g);
        assert!(!stop_all(g, small.mover(), small.opponent(), ENOUGH));
    }

    fn upper() -> u64 {
        Standard::NEW.rows_of_pairs(true)
    }

    /// How the choices of a rule are added, and how they differ from the choices added with them.
    type Rule = (fn(&mut Choices<'_>), fn(&Choice) -> bool);

    const CLAIMEVEN: Rule = (|choices| choices.add_simple(Standard::NEW), |choice| choice.pairs & !upper() != 0);
    const VERTICAL: Rule = (|choices| choices.add_simple(Standard::NEW), |choice| choice.pairs & upper() != 0);
    const BASEINVERSE: Rule = (|choices| choices.add_simple(Standard::NEW), |choice| choice.inverse != NO_INVERSE);
    const BASECLAIM: Rule = (|choices| choices.add_simple(Standard::NEW), |choice| choice.squares.count_ones() == 4);
    const LOWINVERSE: Rule = (|choices| choices.add_columns(Standard::NEW), |choice| tops(choice) & upper() == 0);
    const HIGHINVERSE: Rule = (|choices| choices.add_columns(Standard::NEW), |choice| tops(choice) & upper() != 0);

    fn tops(choice: &Choice) -> u64 {
        choice.squares & !(choice.squares >> 1)
    }

    /// True if a single choice of the rule stops a line of the mover's.
    fn stops((add, is_of_rule): Rule, moves: &str, line: &str) -> bool {
        let board = Position::parse(moves).unwrap().board(Standard::NEW);
        let square = |name: &[u8]| 1u64 << (u32::from(name[0] - b'a') * Standard::STRIDE + u32::from(name[1] - b'1'));
        let free = Standard::BOARD & !board.stones();
        let squares: u64 = line.split(' ').map(|name| square(name.as_bytes())).sum();
        let lines = Lines::of(Standard::NEW, board.mover(), free).unwrap();
        let wanted = EachSquare(squares & free).fold(lines.all, |wanted, square| wanted & lines.through(square));
        assert!(wanted.is_power_of_two(), "{moves} has no line {line} of the mover's");
        let mut list = [Choice::NONE; MOST_CHOICES];
        let mut choices = Choices::new(Standard::NEW, &lines, [free, board.playable()], &mut list);
        add(&mut choices);
        choices.list().iter().any(|choice| is_of_rule(choice) && choice.lines & wanted != 0)
    }

    /// The drawings of the module's text: after 12, the columns a and b are odd.
    #[test]
    fn each_rule_stops_the_lines_of_its_text() {
        for (rule, moves, stopped, other) in [
            (CLAIMEVEN, "", "a2 b2 c2 d2", "a3 b3 c3 d3"),
            (BASEINVERSE, "", "a1 b1 c1 d1", "a1 b2 c3 d4"),
            (VERTICAL, "", "a1 a2 a3 a4", "a1 b1 c1 d1"),
            (LOWINVERSE, "12", "a3 b3 c3 d3", "a4 b4 c4 d4"),
            (HIGHINVERSE, "12", "a4 b4 c4 d4", "a2 b2 c2 d2"),
            (BASECLAIM, "", "a1 b2 c3 d4", "a3 b3 c3 d3"),
        ] {
            assert!(stops(rule, moves, stopped), "{moves}: {stopped}");
            assert!(!stops(rule, moves, other), "{moves}: {other}");
        }
    }
}
