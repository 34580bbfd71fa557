//! Verdicts: the interval of a measured number, compared with a published number.
//!
//! The tolerance is on the effect, the logarithm of a ratio. The ratio 1 has no effect; 1/2 and 2 have effects of one
//! size. A published ratio of 2 is reproduced by 0.8 to 1.25 times its effect, so by a measured ratio of 1.74 to 2.38.
//!
//! ```text
//!         ratio:      1         [1.74  published  2.38]
//!                     |              |--|                  reproduced
//!                    |-|                                   no effect: within 2 % of a ratio of 1
//!          |---|      |                                    opposite
//!                     | |--|                               same sign, other size
//!                     |    |-----------|                   undecided: the size is open
//!                  |-----|                                 undecided: the interval holds 1
//! ```
//!
//! The verdicts are tried in this order. A claim without a side is reproduced, another number, or undecided.

use crate::claims::claim::Unit;
use crate::stats::Estimate;
use crate::table::units::four_digits;
use serde::{Deserialize, Serialize};

pub type Interval = (f64, f64);

/// In order from confirmed to unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval lies within the target, the range that counts as reproduced.
    Reproduced,
    /// The interval excludes 1 on the claim's side, and does not meet the target.
    SameSign,
    /// The interval lies within 2 % of 1, and the claimed effect is larger.
    NoEffect,
    /// The interval excludes 1 on the other side.
    Opposite,
    /// The claim has no side, and the interval does not meet the target.
    OtherNumber,
    /// The interval is too wide, or there is none.
    Undecided,
    /// Nothing was measured. The finding has the reason.
    #[default]
    NotTested,
    /// The variant does not exist, or not in this build.
    Waiting,
    /// In older records only: a claim that no measurement can contradict.
    Statement,
}

impl Verdict {
    /// For people. The reason beside it says why a measurement cannot tell.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "agrees",
            Verdict::SameSign => "disagrees: same sign, other size",
            Verdict::NoEffect => "disagrees: no effect",
            Verdict::Opposite => "disagrees: opposite",
            Verdict::OtherNumber => "disagrees: another number",
            Verdict::Undecided | Verdict::NotTested | Verdict::Waiting => "cannot tell",
            Verdict::Statement => "a statement",
        }
    }

    /// True if the measurement contradicts the claim, in sign or in size.
    pub fn contradicts(self) -> bool {
        matches!(self, Verdict::SameSign | Verdict::NoEffect | Verdict::Opposite | Verdict::OtherNumber)
    }
}

/// The number above 0 that `text` prints, and the range of numbers that may be printed so: one unit of the last digit
/// either way, since the number may be rounded or truncated.
///
/// Digits after a decimal point are significant. Final zeros of a whole number may not be. The source prints four or
/// more significant digits ("39900" for 39,907.2, "40396700" for 40,396,714). So zeros count within the first four.
fn printed(text: &str) -> Option<(f64, Interval)> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let zeros = if fraction.is_empty() { whole.len() - whole.trim_end_matches('0').len() } else { 0 };
    let behind_the_fourth = zeros.min(whole.len().saturating_sub(4));
    // A margin for floating point: the error of a sum over 1000 positions is far below any printed unit.
    let unit = 10f64.powi(behind_the_fourth as i32 - fraction.len() as i32) * (1.0 + 1e-9);
    Some((value, (value - unit, value + unit)))
}

/// A published number or range, with the target that reproduces it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// The text that is shown.
    pub shown: String,
    pub unit: Unit,
    /// `None` for a range.
    pub number: Option<f64>,
    /// The target: a claim is reproduced if the interval lies within this range.
    pub range: Interval,
    /// The target on exactly the published positions, where there is no sampling error: by the printed digits.
    pub digits: Option<Interval>,
}

/// The default tolerance: a factor of 1.25 up and 1/1.25 = 0.8 down, on a ratio's effect or on any other number itself.
const TOLERANCE: f64 = 0.25;

/// The target of a published ratio of 1.
const ABOUT_1: Interval = (0.95, 1.05);

/// A ratio within 2 % of 1 is no effect.
const NONE: Interval = (0.98, 1.02);

impl Published {
    /// A single number. `tolerance` is on the effect of a ratio, and on any other number itself.
    pub fn number(value: f64, tolerance: Option<f64>, unit: Unit) -> Self {
        let factor = 1.0 + tolerance.unwrap_or(TOLERANCE);
        let (one, other) = match unit {
            Unit::Times if value == 1.0 => ABOUT_1,
            Unit::Times => (value.powf(1.0 / factor), value.powf(factor)),
            _ => (value / factor, value * factor),
        };
        let range = (one.min(other), one.max(other));
        Published { shown: unit.shown(value), unit, number: Some(value), range, digits: None }
    }

    /// A number that only an equal number reproduces.
    pub fn exact(value: f64, unit: Unit) -> Self {
        Published { range: (value, value), ..Published::number(value, None, unit) }
    }

    pub fn range((from, to): (Option<f64>, Option<f64>), unit: Unit) -> Self {
        let shown = match (from, to) {
            (Some(from), Some(to)) => format!("{} to {}", unit.plain(from), unit.shown(to)),
            (Some(from), None) => format!("at least {}", unit.shown(from)),
            (None, Some(to)) => format!("at most {}", unit.shown(to)),
            (None, None) => "anything".to_string(),
        };
        let range = (from.unwrap_or(0.0), to.unwrap_or(f64::INFINITY));
        Published { shown, unit, number: None, range, digits: None }
    }

    /// A text instead of a number: it is not compared.
    pub fn words(text: &str) -> Self {
        Published { shown: text.to_string(), ..Published::range((None, None), Unit::Times) }
    }

    /// A printed mean of nodes, with the printed digits as its target. `None` if `text` is no number above 0.
    pub fn printed(text: &str) -> Option<Self> {
        let (value, range) = printed(text)?;
        let shown = Unit::nodes(value, Unit::decimals(text));
        Some(Published { shown, unit: Unit::Nodes, number: Some(value), range, digits: Some(range) })
    }

    /// The ratio of two printed numbers. Without sampling error its target is the printed digits, else its effect.
    pub fn printed_ratio(base: &str, variant: &str) -> Option<Self> {
        let ((base, (low, high)), (variant, (least, most))) = (printed(base)?, printed(variant)?);
        let digits = Some((low / most, high / least));
        Some(Published { digits, ..Published::number(base / variant, None, Unit::Times) })
    }

    /// The side of the claimed ratio: 1 above 1, -1 below 1; `None` for a ratio about 1 and for other numbers.
    pub fn side(&self) -> Option<f64> {
        let (low, high) = self.number.map_or(self.range, |number| (number, number));
        match self.unit {
            Unit::Times if low >= 1.0 && high > 1.0 => Some(1.0),
            Unit::Times if high <= 1.0 && low < 1.0 => Some(-1.0),
            _ => None,
        }
    }

    /// True if the claimed effect is larger than 2 %, so that "no effect" contradicts it.
    fn has_effect(&self) -> bool {
        let nearest = if self.side() == Some(1.0) { self.range.0 } else { self.range.1 };
        let least = self.number.unwrap_or(nearest);
        least < NONE.0 || least > NONE.1
    }

    /// The range that counts as reproduced by `measured`.
    fn target(&self, measured: &Measured) -> Interval {
        if measured.over == EXACT { self.digits.unwrap_or(self.range) } else { self.range }
    }

    /// True if no measurement can contradict the claim: a range of ratios that holds 1 and spans a factor of 100.
    pub fn cannot_fail(&self) -> bool {
        let low = if self.range.0 > 0.0 { self.range.0 } else { 1.0 };
        let high = if self.range.1.is_finite() { self.range.1 } else { 1.0 };
        self.unit == Unit::Times && self.number.is_none() && low <= 1.0 && high >= 1.0 && high / low >= 100.0
    }
}

/// The variation that an interval covers. `EXACT` is none: nodes on the published positions have no error. `BOTH` is
/// the hull of the intervals over positions and over repetitions.
pub const EXACT: &str = "exact";
pub const REPETITIONS: &str = "repetitions";
pub const POSITIONS: &str = "positions";
pub const BOTH: &str = "positions and repetitions";
pub const PROCESSES: &str = "processes";
pub const ALL: &str = "positions and processes";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub value: f64,
    /// The 95 % interval; `None` with too few samples.
    pub interval: Option<Interval>,
    /// The variation that the interval covers: [`EXACT`] or one of the constants after it.
    pub over: &'static str,
}

impl Measured {
    pub(super) fn of(Estimate { value, interval }: Estimate, over: &'static str) -> Self {
        Measured { value, interval, over }
    }

    /// A number without error.
    pub fn exact(value: f64) -> Self {
        Measured { value, interval: Some((value, value)), over: EXACT }
    }

    /// The measured share of the published effect, log(measured) / log(published), with its interval: 1 is all of the
    /// effect, 0 none, below 0 the opposite sign. `None` unless the claim is a single ratio with a side.
    pub fn effect(&self, published: &Published) -> Option<(f64, Option<Interval>)> {
        published.side()?;
        let ratio = published.number?;
        let share = |measured: f64| measured.ln() / ratio.ln();
        // If the published ratio is below 1, the higher end has the smaller effect.
        let in_order = |(low, high)| (share(low).min(share(high)), share(low).max(share(high)));
        Some((share(self.value), self.interval.map(in_order)))
    }
}

fn is_within((low, high): Interval, range: Interval) -> bool {
    low >= range.0 && high <= range.1
}

/// The verdict on a claim. A number without error has an interval of width 0. A claim without an interval is undecided.
pub fn verdict(published: &Published, measured: &Measured) -> Verdict {
    let Some(interval) = measured.interval.filter(|(low, high)| low <= high) else {
        return Verdict::Undecided;
    };
    let ((low, high), range) = (interval, published.target(measured));
    let is_apart = high < range.0 || low > range.1;
    let is_on = |side: f64| low.ln() * side > 0.0 && high.ln() * side > 0.0;
    match published.side() {
        _ if is_within(interval, range) => Verdict::Reproduced,
        Some(_) if published.has_effect() && is_within(interval, NONE) => Verdict::NoEffect,
        Some(side) if is_on(-side) => Verdict::Opposite,
        Some(side) if is_on(side) && is_apart => Verdict::SameSign,
        None if is_apart => Verdict::OtherNumber,
        _ => Verdict::Undecided,
    }
}

pub fn why(verdict: Verdict, published: &Published, measured: &Measured) -> String {
    let Some((low, high)) = measured.interval else { return "there is no interval".to_string() };
    let range = published.target(measured);
    if measured.over == EXACT && published.digits.is_some() {
        return match verdict {
            Verdict::Reproduced => "equal to the printed digits".to_string(),
            _ => format!("not within the printed digits, {}", digits(range)),
        };
    }
    let interval = match four_digits(low) {
        number if low < high => format!("interval {number} to {}", four_digits(high)),
        number => format!("{number} without error"),
    };
    let target = match range {
        (low, f64::INFINITY) => format!("at {} or above", four_digits(low)),
        (low, high) if low <= 0.0 => format!("at {} or below", four_digits(high)),
        (low, high) => format!("within {} to {}", four_digits(low), four_digits(high)),
    };
    match verdict {
        Verdict::Reproduced => format!("{interval} lies {target}"),
        Verdict::NoEffect => format!("{interval} lies within 2 % of 1"),
        Verdict::Opposite if high < 1.0 => format!("{interval} lies below 1"),
        Verdict::Opposite => format!("{interval} lies above 1"),
        Verdict::Undecided if published.side().is_some() && low <= 1.0 && high >= 1.0 => format!("{interval} holds 1"),
        Verdict::Undecided => format!("{interval} lies only in part {target}"),
        _ if high < range.0 => format!("{interval} lies below {}", four_digits(range.0)),
        _ => format!("{interval} lies above {}", four_digits(range.1)),
    }
}

/// The range of the printed digits, with one decimal more than was printed.
fn digits((low, high): Interval) -> String {
    let decimals = (1.0 - (high - low).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{low:.decimals$} to {high:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::Verdict::{NoEffect, Opposite, OtherNumber, Reproduced, SameSign, Undecided};
    use super::*;

    fn sampled(low: f64, high: f64) -> Measured {
        Measured { value: (low * high).sqrt(), interval: Some((low, high)), over: POSITIONS }
    }

    fn ratio(published: f64) -> Published {
        Published::number(published, None, Unit::Times)
    }

    fn range(from: f64, to: f64) -> Published {
        Published::range((Some(from), Some(to).filter(|to| to.is_finite())), Unit::Times)
    }

    #[test]
    fn verdicts_on_intervals_of_ratios() {
        // 2 to the power of 0.8 and of 1.25, ends included: the tolerance is on the effect.
        let (low, high) = (2f64.powf(0.8), 2f64.powf(1.25));
        assert_eq!(ratio(2.0).range, (low, high));
        for (published, low, high, expected) in [
            (ratio(2.0), low, high, Reproduced),
            (ratio(2.0), 2.0, 2.0, Reproduced),
            (ratio(2.0), low - 0.001, 2.0, Undecided),
            (ratio(2.0), 2.0, high + 0.001, Undecided),
            (ratio(2.0), 1.01, low - 0.001, SameSign),
            (ratio(2.0), high + 0.001, 9.0, SameSign),
            // The interval holds 1.
            (ratio(2.0), 0.9, 1.2, Undecided),
            (ratio(2.0), 0.1, 9.0, Undecided),
            (ratio(2.0), 1.0, 1.6, Undecided),
            (ratio(2.0), f64::NAN, f64::NAN, Undecided),
            // A claim below 1 mirrors one above.
            (ratio(0.5), 1.001 / high, 0.999 / low, Reproduced),
            (ratio(0.5), 0.6, 0.99, SameSign),
            (ratio(0.5), 1.01, 2.0, Opposite),
            // Published: 25 % fewer nodes. Measured: 10.2 % fewer. A fifth of the ratio is most of such an effect.
            (ratio(1.3333), 1.077, 1.151, SameSign),
            // Published: 3 % faster. An interval from 15 % slower to 14 % faster decides nothing.
            (ratio(1.034), 0.85, 1.14, Undecided),
            (ratio(1.034), 0.995, 1.012, NoEffect),
            (ratio(1.034), 1.028, 1.041, Reproduced),
            // Within 2 % of 1 there is no effect, which comes before the sign.
            (ratio(3.3), 0.98, 1.02, NoEffect),
            (ratio(3.3), 0.979, 1.02, Undecided),
            (ratio(3.3), 1.005, 1.015, NoEffect),
            (ratio(3.3), 0.985, 0.995, NoEffect),
            (ratio(3.3), 1.005, 1.03, SameSign),
            // A claimed effect of less than 2 % counts as none, so "no effect" cannot contradict it.
            (ratio(1.015), 0.999, 1.005, Undecided),
            // A claim of no effect has no side.
            (ratio(1.0), 0.95, 1.05, Reproduced),
            (ratio(1.0), 0.94, 1.0, Undecided),
            (ratio(1.0), 1.06, 1.2, OtherNumber),
            (range(0.9, 1.1), 0.98, 1.02, Reproduced),
            (range(0.9, 1.1), 1.05, 1.2, Undecided),
            (range(0.9, 1.1), 1.15, 1.2, OtherNumber),
            // A published range is its own target.
            (range(1.0526, 1.1111), 1.06, 1.11, Reproduced),
            (range(1.0526, 1.1111), 1.12, 1.2, SameSign),
            (range(1.0526, 1.1111), 1.1, 1.2, Undecided),
            (range(1.0526, 1.1111), 0.99, 1.01, NoEffect),
            (range(10.0, f64::INFINITY), 1.955, 2.011, SameSign),
            // At least 1 is a claim of the sign: it has no size that "no effect" could contradict.
            (range(1.0, f64::INFINITY), 0.99, 1.01, Undecided),
            (range(1.0, f64::INFINITY), 0.8, 0.9, Opposite),
        ] {
            assert_eq!(verdict(&published, &sampled(low, high)), expected, "{published:?} {low} {high}");
        }
        let none = Measured { interval: None, ..sampled(2.0, 2.0) };
        assert_eq!(verdict(&ratio(2.0), &none), Undecided);
    }

    #[test]
    fn other_numbers_have_their_tolerance_on_themselves() {
        let count = Published::number(40.0, None, Unit::Plain);
        assert_eq!((count.range, count.side(), count.shown.as_str()), ((32.0, 50.0), None, "40.0"));
        let range = Published::range((Some(28.0), Some(40.0)), Unit::Plain);
        assert_eq!((range.side(), range.shown.as_str()), (None, "28.0 to 40.0"));
        assert_eq!(verdict(&range, &Measured::exact(41.0)), OtherNumber);
        let narrow = Published::number(2.0, Some(0.1), Unit::Times).range;
        assert!(2f64.powf(0.8) < narrow.0 && narrow.1 < 2f64.powf(1.25));
    }

    #[test]
    fn without_error_the_printed_digits_decide() {
        let mean = Published::printed("74.40").unwrap();
        assert_eq!(verdict(&mean, &Measured::exact(74.404)), Reproduced);
        assert_eq!(verdict(&mean, &Measured::exact(74.479)), OtherNumber);
        let ratio = Published::printed_ratio("1699000", "1135000").unwrap();
        assert_eq!(ratio.shown, "1.50x");
        assert_eq!(verdict(&ratio, &Measured::exact(1_698_780.339 / 1_135_470.312)), Reproduced);
        assert_eq!(verdict(&ratio, &Measured::exact(1.51)), SameSign);
        assert_eq!(verdict(&ratio, &sampled(1.45, 1.55)), Reproduced, "on a sample by its effect");
    }

    #[test]
    fn units_of_the_last_printed_digit() {
        for (text, value, unit, shown) in [
            ("74.40", 74.4, 0.01, "74.40"),
            ("283.6", 283.6, 0.1, "283.6"),
            ("11024", 11024.0, 1.0, "11,024"),
            ("39900", 39900.0, 10.0, "39,900"),
            ("1731000", 1_731_000.0, 1000.0, "1,731,000"),
            ("453614000", 453_614_000.0, 1000.0, "453,614,000"),
            ("801455", 801_455.0, 1.0, "801,455"),
        ] {
            let Published { number, range: (low, high), shown: found, .. } = Published::printed(text).unwrap();
            assert_eq!((number, found.as_str()), (Some(value), shown));
            assert!(low <= value - unit && value + unit <= high && high - low < 2.01 * unit, "{text}: {low} {high}");
        }
        assert!(["", "0", "-1", "x", "inf"].iter().all(|text| Published::printed(text).is_none()));
    }

    #[test]
    fn the_effect_is_a_share_of_the_published_one() {
        let effect = |published: f64, low: f64, high: f64| sampled(low, high).effect(&ratio(published));
        assert_eq!(effect(4.0, 2.0, 4.0).unwrap().1, Some((0.5, 1.0)));
        assert_eq!(effect(0.25, 0.25, 0.5).unwrap().1, Some((0.5, 1.0)), "the higher ratio is the smaller effect");
        assert!(effect(4.0, 0.5, 0.6).unwrap().0 < 0.0);
        assert_eq!(effect(1.0, 1.0, 1.1), None);
        assert_eq!(Measured::exact(3.0).effect(&Published::range((Some(2.0), None), Unit::Times)), None);
    }

    #[test]
    fn a_range_that_holds_everything_cannot_fail() {
        for (from, to, expected) in [
            (Some(1.0), Some(100.0), true),
            (Some(0.001), None, true),
            (None, Some(1000.0), true),
            (Some(1.0), Some(99.0), false),
            (Some(1.0), None, false),
            (Some(10.0), None, false),
            (None, Some(1.5), false),
            // A ratio of 1 contradicts it.
            (Some(10.0), Some(2000.0), false),
        ] {
            assert_eq!(Published::range((from, to), Unit::Times).cannot_fail(), expected, "{from:?} {to:?}");
        }
        assert!(!Published::range((Some(1.0), Some(500.0)), Unit::Plain).cannot_fail());
    }
}
