//! Rules.

mod choices;
mod columns;
mod cover;
mod lines;
mod sooner;

use crate::axes::zugzwang::{Sides, plays_last};
use crate::game::Geometry;
use crate::game::board::playable;
use crate::game::score::Score;
use choices::Choices;
use cover::Chosen;
use lines::Lines;

/// Steps of the search for rules that go together.
pub const STEPS: u32 = 100;

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

/// Boards with more stones are not looked at in a search.
pub const fn most_on_board<G: Geometry>() -> u32 {
    G::CELLS * 10 / 21
}

/// Whether a search should ask whether the score of a board with so many stones is at most this, and the rules say so.
#[inline(always)]
pub(crate) fn prove<G: Geometry>(board: Sides, target: Score) -> bool {
    let ply = (board.mover | board.opponent).count_ones();
    target >= 0 && ply <= most_on_board::<G>() && stop_all::<G>(board, Rules::ALL)
}

/// Whether rules prove that the mover completes no four.
#[inline(never)]
pub fn stop_all<G: Geometry>(board: Sides, rules: Rules) -> bool {
    let stones = board.mover | board.opponent;
    if plays_last::<G>(stones.count_ones()) {
        return false;
    }
    let (free, playable) = (G::BOARD & !stones, playable::<G>(stones));
    let Some(lines) = Lines::of::<G>(board.mover, free) else { return false };
    let mut choices = Choices::new::<G>(&lines, rules, free, playable);
    choices.add_simple::<G>();
    choices.add_columns::<G>();
    choices.add_sooner::<G>(board.opponent);
    Chosen { open: lines.all, used: 0, pairs: 0, inverses: 0 }.can_stop_all(choices.list(), &mut { STEPS })
}
