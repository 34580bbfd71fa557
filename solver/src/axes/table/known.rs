//! Known: two bounds of a score. A slot with one byte for them keeps one bound, a slot with two keeps both.

use crate::game::Geometry;
use crate::game::score::Score;
use std::fmt::Debug;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub least: Score,
    pub most: Score,
}

impl Known {
    /// Bounds that hold for every score of every board. No table needs to keep them.
    pub const NOTHING: Known = Known { least: -64, most: 63 };

    /// Bounds that hold for every score of a board, and fit the slots of its tables.
    #[inline(always)]
    pub fn any_score<G: Geometry>(g: G) -> Known {
        if g.cells() < 64 { Known { least: -32, most: 31 } } else { Known::NOTHING }
    }

    #[inline(always)]
    pub fn at_least(least: Score) -> Self {
        Known { least, ..Known::NOTHING }
    }

    #[inline(always)]
    pub fn at_most(most: Score) -> Self {
        Known { most, ..Known::NOTHING }
    }

    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Known) -> Self {
        Known { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
}

/// The code of bounds in a slot, below the key; 0 is nothing.
pub trait Code: Copy + Debug + Default + Into<u128> + Send + 'static {
    const BITS: u32;
    /// The largest distance of a score from 0. A bound may lie one below it.
    const LIMIT: Score;

    fn encode(known: Known) -> Self;
    fn decode(self) -> Option<Known>;
    fn of_slot(slot: u128) -> Self;
}

const KIND: Score = 64;

/// One bound as a byte: 64, 128 or 192 for its kind, plus the score, which lies within -32 to 31 on every board that
/// fits 64 bits. The kind is the high two bits of the byte plus 32; 0 is nothing.
///
/// ```text
/// 0   32 ... 95   96 ... 159   160 ... 223
/// -   at most     exactly      at least
/// ```
impl Code for u8 {
    const BITS: u32 = 8;
    const LIMIT: Score = 31;

    /// The score if it is known, else the upper bound if there is one.
    #[inline(always)]
    fn encode(known: Known) -> u8 {
        let Known { least, most } = known;
        let is_one = least == most || least < -32 || most > 31;
        debug_assert!(least <= most && is_one && (least >= -32 || (-32..=31).contains(&most)) && least <= 31);
        // In this order a bound made by `at_least` takes no comparison.
        if most == Known::NOTHING.most {
            (least + 3 * KIND) as u8
        } else if least == Known::NOTHING.least {
            (most + KIND) as u8
        } else {
            (most + 2 * KIND) as u8
        }
    }

    #[inline(always)]
    fn decode(self) -> Option<Known> {
        let kind = (Score::from(self) + 32) / KIND;
        let score = Score::from(self) - kind * KIND;
        match kind {
            0 => None,
            1 => Some(Known::at_most(score)),
            2 => Some(Known { least: score, most: score }),
            _ => Some(Known::at_least(score)),
        }
    }

    #[inline(always)]
    fn of_slot(slot: u128) -> u8 {
        slot as u8
    }
}

/// Both bounds plus 64, a byte each: for scores beyond 31. The bounds are never both -64, so 0 is nothing.
impl Code for u16 {
    const BITS: u32 = 16;
    const LIMIT: Score = 62;

    #[inline(always)]
    fn encode(known: Known) -> u16 {
        debug_assert!(-64 <= known.least && known.most < 64 && known.least <= known.most && known.most > -64);
        ((known.most + 64) as u16) << 8 | (known.least + 64) as u16
    }

    #[inline(always)]
    fn decode(self) -> Option<Known> {
        let bound = |bits: u16| Score::from(bits & 0xff) - 64;
        (self != 0).then(|| Known { least: bound(self), most: bound(self >> 8) })
    }

    #[inline(always)]
    fn of_slot(slot: u128) -> u16 {
        slot as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survive<C: Code>(scores: std::ops::RangeInclusive<Score>) {
        for score in scores {
            for known in [Known::at_most(score), Known { least: score, most: score }, Known::at_least(score)] {
                let code = C::encode(known);
                assert_eq!(C::of_slot(u128::MAX << C::BITS | code.into()).decode(), Some(known), "{score}");
            }
        }
        assert_eq!(C::default().decode(), None);
    }

    #[test]
    fn bounds_survive_their_code() {
        survive::<u8>(-u8::LIMIT - 1..=u8::LIMIT);
        survive::<u16>(-u16::LIMIT - 1..=u16::LIMIT);
        let both = Known { least: -33, most: 33 };
        assert_eq!(u16::encode(both).decode(), Some(both));
    }

    #[test]
    fn bounds_of_a_board_fit_the_tables_that_it_has() {
        use crate::game::{Grid, Standard};
        assert_eq!(Known::any_score(Standard::NEW), Known { least: -32, most: 31 });
        assert_eq!(Known::any_score(Grid::<1, 63, 64>::NEW), Known { least: -32, most: 31 });
    }

    #[test]
    fn two_sources_say_more_than_one() {
        let (one, other) = (Known::at_least(-3), Known { least: -5, most: 2 });
        assert_eq!(one.and(other), Known { least: -3, most: 2 });
        assert_eq!(other.and(Known::NOTHING), other);
    }
}
