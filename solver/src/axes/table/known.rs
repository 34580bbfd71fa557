//! Known: what a table knows of a score. It is two bounds that hold; a slot with one byte for them keeps one.

use crate::game::score::Score;

/// What is known of a score: bounds that hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// At least this.
    pub least: Score,
    /// At most this.
    pub most: Score,
}

/// One bound as a byte: 64, 128 or 192 for its kind, plus the score, which lies within -31 to 31 on every board that
/// fits 64 bits. The kind is the high two bits of the byte plus 32; 0 is nothing.
///
/// ```text
/// 0   33 ... 95   97 ... 159   161 ... 223
/// -   at most     exactly      at least
/// ```
impl Known {
    /// Bounds that hold for every score.
    pub const NOTHING: Known = Known { least: -32, most: 31 };

    const KIND: Score = 64;

    /// The score is at least this.
    #[inline(always)]
    pub fn at_least(least: Score) -> Self {
        Known { least, ..Known::NOTHING }
    }

    /// The score is at most this.
    #[inline(always)]
    pub fn at_most(most: Score) -> Self {
        Known { most, ..Known::NOTHING }
    }

    /// What both say together.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Known) -> Self {
        Known { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// One bound in a byte: the score where it is known, else the upper bound where there is one.
    #[inline(always)]
    pub(super) fn encode(self) -> u8 {
        debug_assert!(self.least <= self.most && (self.least < -31 || self.most > 30 || self.least == self.most));
        // In this order nothing is compared for what is made by `at_least`. A score of 31, the most there is, is kept so too.
        if self.most == Known::NOTHING.most {
            (self.least + 3 * Self::KIND) as u8
        } else if self.least == Known::NOTHING.least {
            (self.most + Self::KIND) as u8
        } else {
            (self.most + 2 * Self::KIND) as u8
        }
    }

    #[inline(always)]
    pub(super) fn decode(code: u8) -> Option<Self> {
        let kind = (Score::from(code) + 32) / Self::KIND;
        let score = Score::from(code) - kind * Self::KIND;
        match kind {
            0 => None,
            1 => Some(Known::at_most(score)),
            2 => Some(Known { least: score, most: score }),
            _ => Some(Known::at_least(score)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_their_byte() {
        for score in -31..=31 {
            for known in [Known::at_most(score), Known { least: score, most: score }, Known::at_least(score)] {
                let decoded = Known::decode(known.encode());
                // No score is above 31: that 31 is the least says that it is the score.
                assert_eq!(decoded, Some(known));
            }
        }
        assert_eq!(Known::decode(0), None);
    }

    #[test]
    fn two_sources_say_more_than_one() {
        let (one, other) = (Known::at_least(-3), Known { least: -5, most: 2 });
        assert_eq!(one.and(other), Known { least: -3, most: 2 });
        assert_eq!(other.and(Known::NOTHING), other);
    }
}
