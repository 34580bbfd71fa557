//! The verdict: what an interval says of a claim.
//!
//! The tolerance is on the effect. The effect of a ratio is its logarithm: 0 at 1, and as large for a half as for 2. A published ratio of 2 is
//! reproduced where the measured effect is 0.8 to 1.25 of it, so where the ratio is 1.74 to 2.38.
//!
//! ```text
//!         effect:     0         [0.8  published  1.25]
//!                     |              |--|                  reproduced
//!                    |-|                                   no effect: within 2 % of a ratio of 1
//!          |---|      |                                    opposite
//!                     | |--|                               same sign, other size
//!                     |    |-----------|                   undecided: the size is open
//!                  |-----|                                 undecided: it holds 0
//! ```
//!
//! The verdicts are tried in this order. A claim without a side (a count, or a ratio about 1) is reproduced, another number, or undecided.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval lies within what counts as reproduced.
    Reproduced,
    /// It excludes 1 on the claim's side, and does not meet what counts as reproduced.
    SameSign,
    /// It lies within 2 % of 1, and the claim's effect was larger.
    NoEffect,
    Opposite,
    /// A claim without a side, and the interval does not meet what counts as reproduced.
    OtherNumber,
    /// The interval is too wide to say, or there is none.
    Undecided,
    /// Nothing was measured; the reason stands beside it.
    NotTested,
    /// What would test it does not exist, or not on this build.
    Waiting,
    Statement,
}

impl Verdict {
    pub const ALL: [Verdict; 9] = [
        Verdict::Reproduced,
        Verdict::SameSign,
        Verdict::NoEffect,
        Verdict::Opposite,
        Verdict::OtherNumber,
        Verdict::Undecided,
        Verdict::NotTested,
        Verdict::Waiting,
        Verdict::Statement,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::SameSign => "same sign, other size",
            Verdict::NoEffect => "no effect",
            Verdict::Opposite => "opposite",
            Verdict::OtherNumber => "another number",
            Verdict::Undecided => "undecided",
            Verdict::NotTested => "not tested",
            Verdict::Waiting => "waiting for its variant",
            Verdict::Statement => "a statement",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::SameSign => "same-sign",
            Verdict::NoEffect => "no-effect",
            Verdict::Opposite => "opposite",
            Verdict::OtherNumber => "other-number",
            Verdict::Undecided => "undecided",
            Verdict::NotTested => "not-tested",
            Verdict::Waiting => "waiting",
            Verdict::Statement => "statement",
        }
    }

    /// Whether it contradicts the claim, in its sign or in its size.
    pub fn contradicts(self) -> bool {
        matches!(self, Verdict::SameSign | Verdict::NoEffect | Verdict::Opposite | Verdict::OtherNumber)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
}

impl Side {
    pub fn of((low, high): (f64, f64)) -> Option<Side> {
        if low >= 1.0 && high > 1.0 {
            Some(Side::Above)
        } else if high <= 1.0 && low < 1.0 {
            Some(Side::Below)
        } else {
            None
        }
    }

    pub fn holds(self, (low, high): (f64, f64)) -> bool {
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

    /// The end of a range on this side that is nearest to 1.
    pub fn nearest(self, (low, high): (f64, f64)) -> f64 {
        match self {
            Side::Above => low,
            Side::Below => high,
        }
    }
}

pub const NONE: (f64, f64) = (0.98, 1.02);

/// Whether an interval lies within a range, ends included.
pub(super) fn within((low, high): (f64, f64), range: (f64, f64)) -> bool {
    low >= range.0 && high <= range.1
}

/// Whether an interval and a range have nothing in common.
pub(super) fn apart((low, high): (f64, f64), range: (f64, f64)) -> bool {
    high < range.0 || low > range.1
}

/// What counts as reproduced, and what else a verdict needs of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    pub range: (f64, f64),
    /// The side of 1 that a ratio is claimed to lie on. Other numbers have none, and a ratio about 1 has none.
    pub side: Option<Side>,
    /// The ratio that is claimed, or the end of its range that is nearest to 1.
    pub least: f64,
}

/// The verdict on a claim, given the interval of what was measured. A number without error is an interval of no width. Without an interval
/// nothing can be said.
pub fn verdict(aim: &Aim, interval: Option<(f64, f64)>) -> Verdict {
    let Some(interval) = interval.filter(|(low, high)| low <= high) else {
        return Verdict::Undecided;
    };
    let larger = !within((aim.least, aim.least), NONE);
    match aim.side {
        _ if within(interval, aim.range) => Verdict::Reproduced,
        Some(_) if larger && within(interval, NONE) => Verdict::NoEffect,
        Some(side) if side.other().holds(interval) => Verdict::Opposite,
        Some(side) if side.holds(interval) && apart(interval, aim.range) => Verdict::SameSign,
        None if apart(interval, aim.range) => Verdict::OtherNumber,
        _ => Verdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::published::Published;

    fn of(ratio: f64, low: f64, high: f64) -> Verdict {
        verdict(&Published::ratio(ratio, None).aim(), Some((low, high)))
    }

    fn of_range(from: f64, to: f64, low: f64, high: f64) -> Verdict {
        let range = (Some(from), Some(to).filter(|to| to.is_finite()));
        verdict(&Published::range(range, crate::claims::claim::ClaimUnit::Times).aim(), Some((low, high)))
    }

    #[test]
    fn the_tolerance_is_on_the_effect() {
        // 2 to the power of 0.8 and of 1.25, ends included.
        let (low, high) = (2f64.powf(0.8), 2f64.powf(1.25));
        assert_eq!(of(2.0, low, high), Verdict::Reproduced);
        assert_eq!(of(2.0, 2.0, 2.0), Verdict::Reproduced);
        assert_eq!(of(2.0, low - 0.001, 2.0), Verdict::Undecided);
        assert_eq!(of(2.0, 2.0, high + 0.001), Verdict::Undecided);
        assert_eq!(of(2.0, 1.01, low - 0.001), Verdict::SameSign);
        assert_eq!(of(2.0, high + 0.001, 9.0), Verdict::SameSign);
        // A claim below 1 mirrors one above.
        assert_eq!(of(0.5, 1.001 / high, 0.999 / low), Verdict::Reproduced);
        assert_eq!(of(0.5, 0.6, 0.99), Verdict::SameSign);
        assert_eq!(of(0.5, 1.01, 2.0), Verdict::Opposite);
    }

    /// Published: 25 % fewer nodes. Measured: 10.2 % fewer. A fifth of the ratio is most of such an effect.
    #[test]
    fn less_than_half_of_the_effect_is_not_reproduced() {
        assert_eq!(of(1.3333, 1.077, 1.151), Verdict::SameSign);
    }

    /// Published: 3 % faster. An interval that holds 15 % slower and 14 % faster says nothing of it.
    #[test]
    fn a_small_claim_is_not_reproduced_by_a_wide_interval() {
        assert_eq!(of(1.034, 0.85, 1.14), Verdict::Undecided);
        assert_eq!(of(1.034, 0.995, 1.012), Verdict::NoEffect);
        assert_eq!(of(1.034, 1.028, 1.041), Verdict::Reproduced);
    }

    #[test]
    fn within_two_percent_of_1_there_is_no_effect() {
        assert_eq!(of(3.3, 0.98, 1.02), Verdict::NoEffect);
        assert_eq!(of(3.3, 0.979, 1.02), Verdict::Undecided);
        // It comes before the sign.
        assert_eq!(of(3.3, 1.005, 1.015), Verdict::NoEffect);
        assert_eq!(of(3.3, 0.985, 0.995), Verdict::NoEffect);
        assert_eq!(of(3.3, 1.005, 1.03), Verdict::SameSign);
        // An effect of less than 2 % cannot be told from none in this way.
        assert_eq!(of(1.015, 0.999, 1.005), Verdict::Undecided);
    }

    #[test]
    fn what_holds_1_and_more_is_undecided() {
        assert_eq!(of(2.0, 0.9, 1.2), Verdict::Undecided);
        assert_eq!(of(2.0, 0.1, 9.0), Verdict::Undecided);
        assert_eq!(of(2.0, 1.0, 1.6), Verdict::Undecided);
        assert_eq!(of(2.0, f64::NAN, f64::NAN), Verdict::Undecided);
        assert_eq!(verdict(&Published::ratio(2.0, None).aim(), None), Verdict::Undecided);
    }

    #[test]
    fn a_claim_of_no_effect_has_no_side() {
        assert_eq!(of(1.0, 0.95, 1.05), Verdict::Reproduced);
        assert_eq!(of(1.0, 0.94, 1.0), Verdict::Undecided);
        assert_eq!(of(1.0, 1.06, 1.2), Verdict::OtherNumber);
        assert_eq!(of_range(0.9, 1.1, 0.98, 1.02), Verdict::Reproduced);
        assert_eq!(of_range(0.9, 1.1, 1.05, 1.2), Verdict::Undecided);
        assert_eq!(of_range(0.9, 1.1, 1.15, 1.2), Verdict::OtherNumber);
    }

    #[test]
    fn a_published_range_is_taken_as_it_is() {
        assert_eq!(of_range(1.0526, 1.1111, 1.06, 1.11), Verdict::Reproduced);
        assert_eq!(of_range(1.0526, 1.1111, 1.12, 1.2), Verdict::SameSign);
        assert_eq!(of_range(1.0526, 1.1111, 1.1, 1.2), Verdict::Undecided);
        assert_eq!(of_range(1.0526, 1.1111, 0.99, 1.01), Verdict::NoEffect);
        assert_eq!(of_range(10.0, f64::INFINITY, 1.955, 2.011), Verdict::SameSign);
        // At least 1 is a claim of the sign: it has no size that "no effect" could contradict.
        assert_eq!(of_range(1.0, f64::INFINITY, 0.99, 1.01), Verdict::Undecided);
        assert_eq!(of_range(1.0, f64::INFINITY, 0.8, 0.9), Verdict::Opposite);
    }

    #[test]
    fn sides_of_numbers_and_ranges() {
        assert_eq!(Side::of((1.5, 1.5)), Some(Side::Above));
        assert_eq!(Side::of((0.7, 0.7)), Some(Side::Below));
        assert_eq!(Side::of((1.0, 1.0)), None);
        assert_eq!(Side::of((1.0, 100.0)), Some(Side::Above));
        assert_eq!(Side::of((10.0, f64::INFINITY)), Some(Side::Above));
    }

    #[test]
    fn every_verdict_has_its_word_and_its_name() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("{:?}", verdict.name()));
        }
    }
}
