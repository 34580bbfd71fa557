//! Root: how searches with a window add up to a score.

use crate::game::score::Score;

axis! {
    /// How the root asks for the score.
    pub enum Root = "root" {
        /// one search with the full window; [-1, 1] for the weak goal (Pons, parts 3 to 7)
        Window = "window",
        /// null windows that bisect the range of scores, early wins asked about first (Pons, part 8)
        Bisect = "bisect",
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

#[cfg(test)]
mod tests {
    use super::*;

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
