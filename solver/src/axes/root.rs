//! Root: how searches with a window add up to a score.

use crate::game::score::Score;

axis! {
    /// How the root asks for the score.
    pub enum Root = "root" {
        /// one search with the full window; [-1, 1] for the weak goal (Pons, parts 3 to 7)
        Window = "window",
        /// one search with the window [-1, 1], whatever is asked of others: who wins, and nothing more (Vandewiele, "any winning path")
        Sign = "sign",
        /// null windows that bisect the range of scores, early wins asked about first (Pons, part 8)
        Bisect = "bisect",
        /// null windows from both ends: early wins and early losses in turn, then the middle, then step by step
        Ends = "ends",
        /// as ends, with fewer wins and losses that count as early; who wins is asked first, and put off where it takes long
        Extremes = "extremes",
        /// null windows at what the last one returned, from 0 (MTD(f); Plaat and others)
        Step = "step",
    }
}

impl Root {
    /// Whether who wins is asked for within the range of all scores: by questions about early wins and losses, too.
    pub fn asks_beyond_who_wins(self) -> bool {
        self == Root::Extremes
    }
}

/// The next bound to ask about when the score is known to lie in `[min, max]`: the middle, or half the far
/// end where that is farther from 0. Large scores are early wins, and those questions are the cheap ones.
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

/// The bounds to ask about by [`Root::Ends`] and [`Root::Extremes`].
///
/// An early win needs a small tree to be found, and a small one to be ruled out. So the bound goes inwards from the
/// best score left and from the worst in turn. This ends when the score lies behind a bound, or when only late wins and
/// losses are left: the sooner, the more nodes it took. Then the bound goes outwards in steps of 1, from where it is or
/// from 0.
///
/// Where who wins is asked for, and no score, the question about 0 is mostly the cheapest, but not where an early win ends the game.
/// So [`Root::Extremes`] asks about 0 (and -1) first then, and puts the question off where it takes more than a few nodes. The
/// earliest wins and losses come next, if there are any left, and 0 again.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// A search that has entered fewer nodes has taken few.
    few: u64,
    /// Scores above it are early while the search has taken few nodes, and after that.
    above: [Score; 2],
    /// After how many nodes a question about who wins is put off, while it may be.
    patience: Option<u64>,
    /// 1 when the score is known to lie behind a bound of early wins, -1 of early losses.
    found: Score,
}

impl Ends {
    /// How far the bound goes at a time.
    const STRIDE: Score = 3;

    /// What a root asks about, given whether the score is asked for or who wins alone.
    pub fn new(root: Root, exact: bool) -> Self {
        let (few, above, patience) = match (root, exact) {
            (Root::Extremes, true) => (300, [7, 10], None),
            (Root::Extremes, false) => (500, [9, Score::MAX], Some(300)),
            _ => (300, [5, 9], None),
        };
        Ends { few, above, patience, found: 0 }
    }

    /// After how many nodes the next question is to be put off; `None` where it is to be answered.
    pub fn patience(&self) -> Option<u64> {
        self.patience
    }

    pub fn put_off(&mut self) {
        self.patience = None;
    }

    /// The next bound to ask about when the score is known to lie in `[min, max]` after so many nodes.
    #[inline(always)]
    pub fn next(&self, min: Score, max: Score, nodes: u64) -> Score {
        debug_assert!(min < max);
        let early = self.above[usize::from(nodes >= self.few)];
        let bound = match self.found {
            _ if self.patience.is_some() => -Score::from(max <= 0),
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

    /// Takes note of the answer: the score lies on the same side of the bound as `value`.
    #[inline(always)]
    pub fn answer(&mut self, bound: Score, value: Score) {
        if value > bound && bound > 0 {
            self.found = 1;
        } else if value <= bound && bound < -1 {
            self.found = -1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_always_split_the_range() {
        for (root, exact) in [(Root::Ends, true), (Root::Extremes, true), (Root::Extremes, false)] {
            for found in -1..=1 {
                for min in -28..28 {
                    for max in min + 1..=28 {
                        for nodes in [0, 1000] {
                            for patience in [None, Some(1)] {
                                let bound = Ends { found, patience, ..Ends::new(root, exact) }.next(min, max, nodes);
                                assert!(min <= bound && bound < max, "[{min}, {max}] -> {bound}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn who_wins_is_asked_before_and_after_early_wins_and_losses() {
        let mut ends = Ends::new(Root::Extremes, false);
        assert_eq!((ends.next(-14, 14, 0), ends.next(-14, 0, 0), ends.patience()), (0, -1, Some(300)));
        ends.put_off();
        assert_eq!((ends.next(-14, 14, 300), ends.next(-14, 9, 300), ends.next(-9, 9, 300)), (11, -12, 0));
        assert_eq!((ends.next(-14, 14, 500), ends.next(-14, 0, 500), ends.patience()), (0, -1, None));
    }

    #[test]
    fn ends_begin_with_early_wins_and_losses() {
        let next = |root, [min, max]: [Score; 2], nodes| Ends::new(root, true).next(min, max, nodes);
        for root in [Root::Ends, Root::Extremes] {
            assert_eq!((next(root, [-14, 14], 0), next(root, [-14, 11], 0), next(root, [-5, 5], 0)), (11, -12, 0));
        }
        assert_eq!((next(Root::Ends, [-9, 8], 0), next(Root::Ends, [-9, 8], 1000)), (-7, 0));
        assert_eq!((next(Root::Ends, [-7, 7], 0), next(Root::Extremes, [-7, 7], 0)), (4, 0));
        assert_eq!((next(Root::Ends, [-10, 10], 1000), next(Root::Extremes, [-10, 10], 1000)), (8, 0));
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

    #[test]
    fn early_wins_are_asked_about_first() {
        assert_eq!(bisect(-21, 21), -10);
        assert_eq!(bisect(-10, 21), 10);
        assert_eq!(bisect(-10, 10), -5);
        assert_eq!(bisect(1, 21), 11);
        assert_eq!(bisect(-21, 0), -11);
        assert_eq!(bisect(-1, 1), 0);
    }
}
