//! The verdict: what an interval says of a claim.
//!
//! ```text
//!                     1      [  published, tolerance  ]
//!                     |           |--|                     reproduced
//!                     |   |---------------|                same direction: outside in part, but beyond 1
//!                     | |--|                               same direction
//!                  |-----|                                 not reproduced: nothing of it is in the range
//!          |---|      |                                    not reproduced
//!                  |------------------|                    undecided: too wide to say
//! ```

use std::fmt;

/// What a measurement says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval lies within the published range.
    Reproduced,
    /// The interval does not, but it lies on the claim's side of 1.
    SameDirection,
    /// What was measured and what was published exclude each other.
    NotReproduced,
    /// The interval is too wide to say.
    Undecided,
    /// Nothing was measured; the reason stands beside it.
    NotTested,
    /// What would test it does not exist, or not on this build.
    Waiting,
}

impl Verdict {
    /// All verdicts, from good to unknown.
    pub const ALL: [Verdict; 6] = [
        Verdict::Reproduced,
        Verdict::SameDirection,
        Verdict::NotReproduced,
        Verdict::Undecided,
        Verdict::NotTested,
        Verdict::Waiting,
    ];

    /// The word as people read it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::SameDirection => "same direction",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Undecided => "undecided",
            Verdict::NotTested => "not tested",
            Verdict::Waiting => "waiting for its variant",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The side of 1 that a ratio lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above: the variant is better.
    Above,
    /// Below.
    Below,
}

impl Side {
    /// The side of a range, if it has one.
    pub fn of((low, high): (f64, f64)) -> Option<Side> {
        if low >= 1.0 && high > 1.0 {
            Some(Side::Above)
        } else if high <= 1.0 && low < 1.0 {
            Some(Side::Below)
        } else {
            None
        }
    }

    /// Whether an interval lies wholly on this side.
    fn holds(self, (low, high): (f64, f64)) -> bool {
        match self {
            Side::Above => low > 1.0,
            Side::Below => high < 1.0,
        }
    }

    fn other(self) -> Side {
        match self {
            Side::Above => Side::Below,
            Side::Below => Side::Above,
        }
    }
}

/// The verdict on a claim with that range and side, given the interval of what was measured. A number without error is
/// an interval of no width. Without an interval nothing can be said.
pub fn verdict(range: (f64, f64), side: Option<Side>, interval: Option<(f64, f64)>) -> Verdict {
    let Some((low, high)) = interval.filter(|(low, high)| low <= high) else {
        return Verdict::Undecided;
    };
    let disjoint = high < range.0 || low > range.1;
    if low >= range.0 && high <= range.1 {
        Verdict::Reproduced
    } else if side.is_some_and(|side| side.holds((low, high))) {
        Verdict::SameDirection
    } else if disjoint || side.is_some_and(|side| side.other().holds((low, high))) {
        Verdict::NotReproduced
    } else {
        Verdict::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: (f64, f64) = (1.6, 2.4);

    fn of(low: f64, high: f64) -> Verdict {
        verdict(TWO, Some(Side::Above), Some((low, high)))
    }

    #[test]
    fn within_the_range_it_is_reproduced_ends_included() {
        assert_eq!(of(1.7, 2.3), Verdict::Reproduced);
        assert_eq!(of(1.6, 2.4), Verdict::Reproduced);
        assert_eq!(of(2.0, 2.0), Verdict::Reproduced);
    }

    #[test]
    fn beyond_1_on_its_side_the_direction_is_the_same() {
        assert_eq!(of(1.59, 2.4), Verdict::SameDirection);
        assert_eq!(of(1.6, 2.41), Verdict::SameDirection);
        assert_eq!(of(1.001, 1.2), Verdict::SameDirection);
        assert_eq!(of(3.0, 4.0), Verdict::SameDirection);
        let half = (0.4, 0.6);
        assert_eq!(verdict(half, Some(Side::Below), Some((0.3, 0.99))), Verdict::SameDirection);
        assert_eq!(verdict(half, Some(Side::Below), Some((1.01, 2.0))), Verdict::NotReproduced);
    }

    #[test]
    fn what_excludes_the_range_and_does_not_exclude_1_is_not_reproduced() {
        assert_eq!(of(0.9, 1.2), Verdict::NotReproduced);
        assert_eq!(of(1.0, 1.2), Verdict::NotReproduced);
        assert_eq!(of(0.5, 0.9), Verdict::NotReproduced);
        // A small claim whose tolerance reaches below 1: the other side of 1 is the other direction.
        assert_eq!(verdict((0.82, 1.24), Some(Side::Above), Some((0.7, 0.9))), Verdict::NotReproduced);
    }

    #[test]
    fn too_wide_is_undecided() {
        assert_eq!(of(0.9, 1.7), Verdict::Undecided);
        assert_eq!(of(0.1, 9.0), Verdict::Undecided);
        assert_eq!(of(1.0, 1.6), Verdict::Undecided);
        assert_eq!(verdict(TWO, Some(Side::Above), None), Verdict::Undecided);
        assert_eq!(of(f64::NAN, f64::NAN), Verdict::Undecided);
    }

    #[test]
    fn a_claim_of_no_impact_has_no_side() {
        let little = (0.9, 1.1);
        assert_eq!(Side::of(little), None);
        assert_eq!(verdict(little, None, Some((0.95, 1.05))), Verdict::Reproduced);
        assert_eq!(verdict(little, None, Some((1.05, 1.2))), Verdict::Undecided);
        assert_eq!(verdict(little, None, Some((1.15, 1.2))), Verdict::NotReproduced);
    }

    #[test]
    fn sides_of_numbers_and_ranges() {
        assert_eq!(Side::of((1.5, 1.5)), Some(Side::Above));
        assert_eq!(Side::of((0.7, 0.7)), Some(Side::Below));
        assert_eq!(Side::of((1.0, 1.0)), None);
        assert_eq!(Side::of((1.0, 100.0)), Some(Side::Above));
        assert_eq!(Side::of((10.0, f64::INFINITY)), Some(Side::Above));
    }
}
