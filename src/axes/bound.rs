//! A bound as a table keeps it: what a slot knows of a score.

use crate::game::score::Score;

/// What a slot knows of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Unknown,
    /// The score is at most this.
    Upper(Score),
    /// The score is at least this.
    Lower(Score),
}

/// Bound as a byte: the score plus 64 in the low seven bits (never 0), the high bit set for a lower bound.
impl Bound {
    const LOWER: u8 = 0x80;
    const OFFSET: Score = 64;

    #[inline(always)]
    pub(super) fn encode(self) -> u8 {
        match self {
            Bound::Unknown => 0,
            Bound::Upper(score) => (score + Self::OFFSET) as u8,
            Bound::Lower(score) => (score + Self::OFFSET) as u8 | Self::LOWER,
        }
    }

    #[inline(always)]
    pub(super) fn decode(code: u8) -> Self {
        let score = Score::from(code & !Self::LOWER) - Self::OFFSET;
        match code {
            0 => Bound::Unknown,
            Self::LOWER.. => Bound::Lower(score),
            _ => Bound::Upper(score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_their_byte() {
        for score in -36..=36 {
            for bound in [Bound::Upper(score), Bound::Lower(score)] {
                assert_eq!(Bound::decode(bound.encode()), bound);
            }
        }
        assert_eq!(Bound::decode(Bound::Unknown.encode()), Bound::Unknown);
    }
}
