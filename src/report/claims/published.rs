//! The published number: how it is shown, and what counts as reproduced.

use crate::claims::claim::ClaimUnit;
use crate::claims::verdict::{Aim, Side};
use crate::claims::written::figures::Printed;

#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    pub shown: String,
    pub unit: ClaimUnit,
    pub number: Option<f64>,
    pub range: (f64, f64),
    /// What counts as reproduced on exactly the published positions, where there is no sampling error: the printed
    /// digits.
    pub digits: Option<(f64, f64)>,
    pub side: Option<Side>,
}

/// The tolerance of a claim that states none. Of a ratio: a quarter more or less than its effect. Of another number: a quarter more or less
/// than itself. A quarter less is taken by division, so it is a factor of 0.8.
pub const TOLERANCE: f64 = 0.25;

/// What counts as no effect, where none was claimed.
const ABOUT_1: (f64, f64) = (0.95, 1.05);

/// A ratio's range that holds 1 and spans as much says neither sign nor size.
const WIDE: f64 = 100.0;

impl Published {
    pub fn ratio(ratio: f64, tolerance: Option<f64>) -> Self {
        let factor = 1.0 + tolerance.unwrap_or(TOLERANCE);
        let (one, other) = (ratio.powf(1.0 / factor), ratio.powf(factor));
        let range = if ratio == 1.0 { ABOUT_1 } else { (one.min(other), one.max(other)) };
        let side = Side::of((ratio, ratio));
        Published {
            shown: ClaimUnit::Times.shown(ratio),
            unit: ClaimUnit::Times,
            number: Some(ratio),
            range,
            digits: None,
            side,
        }
    }

    pub fn number(value: f64, tolerance: Option<f64>, unit: ClaimUnit) -> Self {
        if unit == ClaimUnit::Times {
            return Self::ratio(value, tolerance);
        }
        let factor = 1.0 + tolerance.unwrap_or(TOLERANCE);
        let range = (value / factor, value * factor);
        Published { shown: unit.shown(value), unit, number: Some(value), range, digits: None, side: None }
    }

    pub fn range((from, to): (Option<f64>, Option<f64>), unit: ClaimUnit) -> Self {
        let shown = match (from, to) {
            (Some(from), Some(to)) => format!("{} to {}", unit.plain(from), unit.shown(to)),
            (Some(from), None) => format!("at least {}", unit.shown(from)),
            (None, Some(to)) => format!("at most {}", unit.shown(to)),
            (None, None) => "anything".to_string(),
        };
        let range = (from.unwrap_or(0.0), to.unwrap_or(f64::INFINITY));
        let side = if unit == ClaimUnit::Times { Side::of(range) } else { None };
        Published { shown, unit, number: None, range, digits: None, side }
    }

    pub fn told(figure: &str) -> Self {
        let (shown, unit, range) = (figure.to_string(), ClaimUnit::Times, (0.0, f64::INFINITY));
        Published { shown, unit, number: None, range, digits: None, side: None }
    }

    pub fn exact(number: f64, unit: ClaimUnit) -> Self {
        let (shown, range) = (unit.shown(number), (number, number));
        Published { shown, unit, number: Some(number), range, digits: None, side: None }
    }

    pub fn printed(printed: &Printed, unit: ClaimUnit) -> Self {
        let range = printed.range();
        let shown = match unit {
            ClaimUnit::Nodes => ClaimUnit::nodes(printed.value, ClaimUnit::decimals(&printed.text)),
            unit => unit.shown(printed.value),
        };
        Published { shown, unit, number: Some(printed.value), range, digits: Some(range), side: None }
    }

    /// The ratio of two printed numbers: by its effect, or to the digits where there is no sampling error.
    pub fn ratio_of(base: &Printed, variant: &Printed) -> Self {
        let ((low, high), (least, most)) = (base.range(), variant.range());
        let digits = Some((low / most, high / least));
        Published { digits, ..Published::ratio(base.value / variant.value, None) }
    }

    pub fn aim(&self) -> Aim {
        let least = self.side.map_or(1.0, |side| side.nearest(self.range));
        Aim { range: self.range, side: self.side, least: self.number.unwrap_or(least) }
    }

    pub fn exact_aim(&self) -> Aim {
        Aim { range: self.digits.unwrap_or(self.range), ..self.aim() }
    }

    pub fn cannot_fail(&self) -> Option<String> {
        let (low, high) = self.range;
        let open = low <= 0.0 || high.is_infinite();
        let everything = match (low <= 0.0, high.is_infinite()) {
            (false, false) => low <= 1.0 && high >= 1.0 && high / low >= WIDE,
            (true, false) => high >= WIDE,
            (false, true) => low <= 1.0 / WIDE,
            (true, true) => true,
        };
        let of_ratio = self.unit == ClaimUnit::Times && self.number.is_none();
        let span = if open { "reaches a factor of 100 beyond 1" } else { "holds 1 and spans a factor of 100" };
        (of_ratio && everything).then(|| format!("{} {span}", self.shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_a_ratio_is_that_of_its_effect() {
        let twice = Published::ratio(2.0, None);
        assert_eq!((twice.range, twice.shown.as_str()), ((2f64.powf(0.8), 2f64.powf(1.25)), "2.00x"));
        let half = Published::ratio(0.5, None);
        assert!(half.range.0 < 0.5 && 0.5 < half.range.1 && half.range.1 < 1.0, "{half:?}");
        assert_eq!(Published::ratio(1.0, None).range, ABOUT_1);
        let narrow = Published::ratio(2.0, Some(0.1)).range;
        assert!(twice.range.0 < narrow.0 && narrow.1 < twice.range.1);
    }

    #[test]
    fn other_numbers_have_their_tolerance_on_themselves() {
        let count = Published::number(40.0, None, ClaimUnit::Instructions);
        assert_eq!((count.range, count.side, count.shown.as_str()), ((32.0, 50.0), None, "40.0"));
        let range = Published::range((Some(28.0), Some(40.0)), ClaimUnit::Instructions);
        assert_eq!((range.side, range.shown.as_str()), (None, "28.0 to 40.0"));
        assert_eq!(Published::range((Some(50e6), None), ClaimUnit::ASecond).shown, "at least 50,000,000 a second");
    }

    #[test]
    fn printed_numbers_keep_their_digits() {
        let shown = |text: &str| Published::printed(&Printed::parse(text).unwrap(), ClaimUnit::Nodes).shown;
        assert_eq!(["1135000", "74.40", "449.6"].map(shown), ["1,135,000", "74.40", "449.6"]);
        let ratio = Published::ratio_of(&Printed::parse("1699000").unwrap(), &Printed::parse("1135000").unwrap());
        assert_eq!(ratio.shown, "1.50x");
        assert!(ratio.digits.is_some_and(|(low, high)| low < 1.4969 && 1.4969 < high && high - low < 0.005));
    }

    #[test]
    fn a_range_that_holds_everything_cannot_fail() {
        let cannot = |from, to| Published::range((from, to), ClaimUnit::Times).cannot_fail();
        assert_eq!(cannot(Some(1.0), Some(100.0)).unwrap(), "1.00 to 100x holds 1 and spans a factor of 100");
        assert!(cannot(Some(0.001), None).is_some() && cannot(None, Some(1000.0)).is_some());
        for (from, to) in [(Some(1.0), Some(99.0)), (Some(1.0), None), (Some(10.0), None), (None, Some(1.5))] {
            assert_eq!(cannot(from, to), None, "{from:?} {to:?}");
        }
        assert_eq!(cannot(Some(10.0), Some(2000.0)), None, "1 would fail it");
        assert_eq!(Published::range((Some(1.0), Some(500.0)), ClaimUnit::Instructions).cannot_fail(), None);
        assert_eq!(Published::ratio(3.3, None).cannot_fail(), None);
    }
}
