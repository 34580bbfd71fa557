//! Root: the sequence of searches with a window that finds the score.

use crate::game::score::Score;

axis! {
    /// How the root asks for the score.
    pub enum Root = "root" {
        /// one search with the full window, or with [-1, 1] for the weak goal (Pons, parts 3 to 7)
        Window = "window",
        /// one search with the window [-1, 1], which finds the winner and no score (Vandewiele, "any winning path")
        Sign = "sign",
        /// null windows that bisect the range of scores, early wins asked about first (Pons, part 8)
        Bisect = "bisect",
        /// null windows: early wins and early losses in turn, then outwards from the last bound or from 0, in steps of 1
        Ends = "ends",
        /// as ends, but fewer wins and losses count as early; the weak goal tests the winner first, and again later if that takes long
        Extremes = "extremes",
        /// null windows at what the last one returned, from 0 (MTD(f); Plaat and others)
        Step = "step",
    }
}

impl Root {
    /// True if the search for the winner may test bounds beyond -1 and 0, for early wins and losses.
    pub fn asks_beyond_who_wins(self) -> bool {
        self == Root::Extremes
    }
}

/// The next bound to test when the score is known to lie in `[min, max]`: the middle, or half the far end if that is
/// farther from 0. Large scores are early wins, which are cheap to test.
#[inline(always)]
pub fn bisect(min: Score, max: Score) -> Score {
    debug_assert!(min < max);
    let middle = min + (max - min) / 2;
    if middle <= 0 && min / 2 < middle {
        min / 2
    } else if middle >= 0 && max / 2 > middle {
        max / 2
    } else {
        middle
    }
}

/// The bounds that [`Root::Ends`] and [`Root::Extremes`] test.
///
/// An early win takes a small tree to find or to rule out. So the bound moves inwards, in turn from the best score left
/// and from the worst. This ends when the score lies behind a bound, or when only late wins and losses are left. The
/// more nodes it took, the sooner it ends. Then the bound moves outwards in steps of 1, from its last value or from 0.
///
/// If only the winner is wanted, a test of 0 is mostly the cheapest, except if an early win ends the game. So
/// [`Root::Extremes`] tests 0 (and -1) first, and puts the test off if it takes more than a few nodes. It tests the
/// earliest wins and losses left next, and then 0 again.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// A search that has entered fewer nodes counts as short.
    short_below: u64,
    /// Scores above this are early: the first entry while the search is short, the second after that.
    early_above: [Score; 2],
    /// The nodes after which a test of the winner is put off, if it may be.
    put_off_after: Option<u64>,
    /// 1 if the score is known to be an early win, -1 if it is known to be an early loss, else 0.
    early_side: Score,
}

impl Ends {
    /// The step of the bound.
    const STRIDE: Score = 3;

    /// The bounds of `root`. `exact` is true if the score is wanted, false if only the winner is.
    pub fn new(root: Root, exact: bool) -> Self {
        let (short_below, early_above, put_off_after) = match (root, exact) {
            (Root::Extremes, true) => (300, [7, 10], None),
            (Root::Extremes, false) => (500, [9, Score::MAX], Some(300)),
            _ => (300, [5, 9], None),
        };
        Ends { short_below, early_above, put_off_after, early_side: 0 }
    }

    /// The nodes after which the next test is to be put off; `None` if it is to be finished.
    pub fn put_off_after(&self) -> Option<u64> {
        self.put_off_after
    }

    pub fn put_off(&mut self) {
        self.put_off_after = None;
    }

    /// The next bound to test when the score is known to lie in `[min, max]` after `nodes` nodes.
    #[inline(always)]
    pub fn next(&self, min: Score, max: Score, nodes: u64) -> Score {
        debug_assert!(min < max);
        let early = self.early_above[usize::from(nodes >= self.short_below)];
        let bound = match self.early_side {
            _ if self.put_off_after.is_some() => -Score::from(max <= 0),
            1 => min,
            -1 => max - 1,
            _ if max > early && max >= -min => (max - Self::STRIDE).max(early - 1),
            _ if -min > early => (min + Self::STRIDE - 1).min(-early),
            _ if min < 0 && max > 0 => 0,
            _ if min >= 0 => min,
            _ => max - 1,
        };
        bound.clamp(min, max - 1)
    }

    /// Notes the result of a test: the score lies on the same side of `bound` as `value`.
    #[inline(always)]
    pub fn answer(&mut self, bound: Score, value: Score) {
        if value > bound && bound > 0 {
            self.early_side = 1;
        } else if value <= bound && bound < -1 {
            self.early_side = -1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_always_split_the_range() {
        for (root, exact) in [(Root::Ends, true), (Root::Extremes, true), (Root::Extremes, false)] {
            for early_side in -1..=1 {
                for min in -28..28 {
                    for max in min + 1..=28 {
                        for nodes in [0, 1000] {
                            for put_off_after in [None, Some(1)] {
                                let bound =
                                    Ends { early_side, put_off_after, ..Ends::new(root, exact) }.next(min, max, nodes);
                                assert!(min <= bound && bound < max, "[{min}, {max}] -> {bound}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_middle_always_splits_the_range() {
        for min in -21..21 {
            for max in min + 1..=21 {
                let middle = bisect(min, max);
                assert!(min <= middle && middle < max, "[{min}, {max}] -> {middle}");
            }
        }
    }
}
