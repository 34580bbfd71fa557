//! Rules: what V. Allis's nine rules together prove ("A Knowledge-based Approach of Connect-Four", 1988).
//!
//! The mover M is not the last player ([`crate::axes::zugzwang`]): an even number of squares is empty, and its opponent O answers every
//! stone. Each rule is a way to answer, and stops some lines of M's. If O has rules that go together and stop every line that M could
//! still complete, M completes no four: its score is at most 0. Rows are upper or lower ones, in pairs from the top: on an even height
//! the even rows are upper ones. A column with an odd number of empty squares, an *odd column*, can be played in in an upper row.
//!
//! **The answers.** O keeps to these:
//!
//! 1. If M's stone asks for an answer by a rule, O plays that answer.
//! 2. Otherwise O plays in an odd column that no rule has set aside. There is one: the number of empty squares is odd now, so the number
//!    of odd columns is, too; and columns are set aside in twos, both odd or both even.
//!
//! So O plays in a lower row only as an answer. Rules go together if no square belongs to two
//! of them: then a stone asks for one answer at most, and an answer spoils no other rule. What is left to show is, for each rule, that an
//! answer can be played, and that it bears a stone of O's by step 2.
//!
//! ```text
//!         1 claimeven   2 baseinverse   3 vertical   5 lowinverse   6 highinverse   7 baseclaim
//! row 4     . c .         . . . .         . . .        . . . .        . h . h        . . . .
//! row 3     . a .         . . . .         . u .        . u . u        . u . u        . . . .
//! row 2     . o .         . i . .         . v .        . v . v        . v . v        . s . .
//! row 1     . x .         . x . i         . x .        . x . o        . x . o        p b . q
//! ```
//!
//! 1. **Claimeven.** A free square in an upper row (c) above a free one (a). M below is answered above. O never begins there, since the lower
//!    square is in a lower row. It stops lines through the upper square.
//! 2. **Baseinverse.** Two squares that can be played in now (i). M in one is answered in the other. O may take one first. It stops lines
//!    through both.
//! 3. **Vertical.** A free square in a lower row (u) above a free one (v). M below is answered above. O may take the one below first. It stops
//!    lines through both.
//! 4. **Aftereven.** All empty squares of a line of O's are got by claimevens. M's lines that hold a square above each of them, in its
//!    column, are stopped: when such a line is complete, those squares are taken, and O had four before.
//!
//! 5. **Lowinverse.** Two odd columns, each with a vertical at its lowest two free squares. Both columns are set aside. M in one is answered
//!    above: O gets the upper square (u) of the column that M enters first. Then the columns are set aside no longer, and the vertical of the
//!    other column remains. It stops lines through both u, and the lines of both verticals.
//!    *Higher up*: below the two verticals there may be more verticals, down to the lowest free square. M in one of them is answered above, and both
//!    columns stay odd and set aside. The rule ends where M enters the highest vertical of a column. By then O has the
//!    upper squares of all verticals of that column. So it stops lines through an upper square of one column and one of the other, too.
//!    *Even columns*: below all that there may be one more free square in each column. M in one is answered in the other, as
//!    in a baseinverse. Then both columns are odd.
//! 6. **Highinverse.** The same with one more free square on top of each column (h), in an upper row. When M enters the highest vertical of a column, and
//!    is answered in u, a claimeven of u and h remains in the other column. If that column had no verticals below v, a baseinverse of v
//!    and the first column's h remains, too. The rule stops lines through both u or both h, through u and h of a column,
//!    and, where no verticals are below v, through v and the other column's h. Of the verticals it stops those below alone.
//! 7. **Baseclaim.** Three squares that can be played in now (p, b, q), b in a lower row, and the square above b (s). M in p is answered in q, and a
//!    claimeven of b and s remains. M in q is answered in b, and M in b in q; then a baseinverse of p and s remains. Where O takes p first, a
//!    baseinverse of b and q remains, and where it takes q, the claimeven. It stops lines through p and s, and through b and q.
//!
//! ```text
//!         8 before      9 specialbefore
//! row 4     . . . .       o . . . .
//! row 3     . . s s       x o s . .
//! row 2     o o c v       o x v s .
//! row 1     x x . x       x o x i j
//! ```
//!
//! 8. **Before.** As aftereven, but some of the empty squares of O's line are the lower squares of verticals (v). M's lines are stopped that hold
//!    the upper square of each such vertical, and a square above each claimeven: here, lines through both s. If M has the upper square of a vertical, O
//!    has the lower one, and had it before.
//! 9. **Specialbefore.** As before, but one square (i) can be played in now, and forms a baseinverse with another (j). M's lines are stopped that hold
//!    j and a square above i, beside what the other squares ask for: here, the line through both s and j. If M has j, O has i, and it
//!    was taken before what lies above it.
//!
//! *What is stricter here.* Allis lets inverses stand above squares that other rules or nobody use, and shares squares in some cases.
//! Here lowinverse and highinverse reach down to the lowest empty square, and no rules share squares. Only vertical pairs and
//! baseinverses may be a part of several rules: they promise the same to all. In return, what is proven needs no table of which rules
//! go together, and holds for any height.
//!
//! **The search** (`cover.rs`) takes the line that the fewest rules stop, tries each of these rules, and so on. It gives up after
//! [`STEPS`] steps, always after the same ones. Then nothing is proven.

mod choices;
mod columns;
mod cover;
mod lines;
mod sooner;

use crate::axes::zugzwang::plays_last;
use crate::game::board::playable;
use crate::game::score::Score;
use crate::game::{Geometry, Word};
use choices::{Choice, Choices};
use cover::PartialCover;
use lines::Lines;

/// Steps of the search for rules that go together. Of 7,779 boards of 7x6 with 8 to 12 stones that can be proven in 3,000 steps, 337 need more.
pub const STEPS: u32 = 40;

/// One of the nine rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The upper square of a pair.
    Claimeven,
    /// One of two squares that can be played in now.
    Baseinverse,
    /// One of two squares above each other.
    Vertical,
    /// A line of claimevens comes sooner.
    Aftereven,
    /// One of two squares above verticals.
    Lowinverse,
    /// The same, and what lies above.
    Highinverse,
    /// Two claims that share a square.
    Baseclaim,
    /// A line of claimevens and verticals comes sooner.
    Before,
    /// The same with a baseinverse.
    Specialbefore,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 9] = [
        Rule::Claimeven,
        Rule::Baseinverse,
        Rule::Vertical,
        Rule::Aftereven,
        Rule::Lowinverse,
        Rule::Highinverse,
        Rule::Baseclaim,
        Rule::Before,
        Rule::Specialbefore,
    ];
}

/// Some of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u16);

impl Rules {
    /// All nine.
    pub const ALL: Rules = Rules((1 << Rule::ALL.len()) - 1);

    /// Whether a rule is among them.
    #[inline(always)]
    pub const fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u16 & 1 != 0
    }

    /// All of these but one.
    pub const fn without(self, rule: Rule) -> Self {
        Rules(self.0 & !(1 << rule as u16))
    }
}

/// Boards with more stones are not asked about in a search: it would cost more than it saves. A question takes five microseconds with 12
/// stones or fewer, and proves at least a draw on one board in nine that nothing else ends (`results/2026-11-25-zugzwang-cuts`).
pub fn most_on_board<G: Geometry>(g: G) -> u32 {
    g.cells() * 2 / 7
}

/// Whether the rules prove that the mover's score is at most 0, where that answers a question about `target`, and where it pays to ask.
#[inline(always)]
pub(crate) fn prove<G: Geometry>(g: G, mover: G::Word, opponent: G::Word, target: Score) -> bool {
    let ply = (mover | opponent).count_ones();
    target >= 0 && ply <= most_on_board(g) && !plays_last(g, ply) && stop_all(g, mover, opponent, Rules::ALL)
}

/// Whether some of the rules prove that the mover completes no four. Never, if the mover is the last player, and on boards of more than
/// 64 bits: they have more lines than a set of lines holds.
#[inline(never)]
pub fn stop_all<G: Geometry>(g: G, mover: G::Word, opponent: G::Word, rules: Rules) -> bool {
    G::Word::BITS == u64::BITS && stop_all_within(g, mover.low(), opponent.low(), rules, STEPS)
}

/// The same, with so many steps to find rules that go together.
#[inline(always)]
fn stop_all_within<G: Geometry>(g: G, mover: u64, opponent: u64, rules: Rules, mut steps: u32) -> bool {
    let stones = mover | opponent;
    if plays_last(g, stones.count_ones()) {
        return false;
    }
    let free = g.board().low() & !stones;
    let Some(lines) = Lines::of(g, mover, free) else { return false };
    let mut list = [Choice::NONE; choices::MOST];
    let mut choices = Choices::new(g, &lines, rules, [free, playable(g, word(g, stones)).low()], &mut list);
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

/// A set of squares of a board of up to 64 bits.
#[inline(always)]
fn word<G: Geometry>(_: G, set: u64) -> G::Word {
    G::Word::of(set.into())
}

#[cfg(test)]
mod tests;
