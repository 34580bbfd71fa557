//! A bound as a table keeps it: what a slot knows of a score.

use crate::game::score::Score;

/// What a slot knows of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Unknown,
    /// The score is at most this.
    Upper(Score),
    /// The score is this.
    Exact(Score),
    /// The score is at least this.
    Lower(Score),
}

/// Bound as a byte: 64, 128 or 192 for the kind, plus the score, which lies within -31 to 31 on every board that
/// fits 64 bits (56 squares at most). The kind is the high two bits of the byte plus 32; 0 is [`Bound::Unknown`].
///
/// ```text
/// 0   33 ... 95   97 ... 159   161 ... 223
/// -    upper        exact         lower
/// ```
impl Bound {
    const KIND: Score = 64;

    #[inline(always)]
    pub(in crate::axes) fn encode(self) -> u8 {
        debug_assert!(!matches!(self, Bound::Upper(s) | Bound::Exact(s) | Bound::Lower(s) if s.abs() > 31));
        match self {
            Bound::Unknown => 0,
            Bound::Upper(score) => (score + Self::KIND) as u8,
            Bound::Exact(score) => (score + 2 * Self::KIND) as u8,
            Bound::Lower(score) => (score + 3 * Self::KIND) as u8,
        }
    }

    #[inline(always)]
    pub(in crate::axes) fn decode(code: u8) -> Self {
        let kind = (Score::from(code) + 32) / Self::KIND;
        let score = Score::from(code) - kind * Self::KIND;
        match kind {
            0 => Bound::Unknown,
            1 => Bound::Upper(score),
            2 => Bound::Exact(score),
            _ => Bound::Lower(score),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_their_byte() {
        for score in -31..=31 {
            for bound in [Bound::Upper(score), Bound::Exact(score), Bound::Lower(score)] {
                assert_eq!(Bound::decode(bound.encode()), bound);
            }
        }
        assert_eq!(Bound::decode(Bound::Unknown.encode()), Bound::Unknown);
    }
}
