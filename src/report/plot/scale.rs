//! Scales: from numbers to pixels, with ticks and their labels.

use crate::table::units::three_digits;

/// An axis from `low`, at pixel `from`, to `high`, at pixel `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// The most ticks of an axis, and the least pixels between two.
const TICKS: usize = 8;
const APART: f64 = 42.0;

impl Scale {
    /// A linear axis. A range without width gets width 1.
    pub(super) fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Scale { is_log: false, low, high, from, to }
    }

    /// A logarithmic axis that covers the positive `values` with a little room; from 1 to 10 if there are none.
    pub(super) fn log(values: impl IntoIterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let (low, high) = range(values).unwrap_or((1.0, 10.0));
        // More room for a range of less than 10 %: filling the axis, it would magnify noise.
        let room = (0.04 * (high / low).log10()).max(if high / low < 1.1 { 0.05 } else { 0.0 });
        let factor = 10f64.powf(room);
        Scale { is_log: true, low: low / factor, high: high * factor, from, to }
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The pixel of `value`, or of the nearer end of the axis if `value` is beyond it.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    fn room(&self) -> f64 {
        ((self.to - self.from).abs() / APART).floor().clamp(2.0, TICKS as f64)
    }

    /// Round values between the ends, about as many as have room.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if !self.is_log {
            return self.even();
        }
        let decades = (self.high / self.low).log10();
        if decades >= 2.0 {
            let every = (decades / self.room()).ceil() as i32;
            return self.powers(&[1.0], every);
        }
        let fine = self.powers(&[1.0, 2.0, 5.0], 1);
        if fine.len() >= 3 { fine } else { self.even() }
    }

    /// The `multiples` of the powers of ten whose exponents `every` divides.
    fn powers(&self, multiples: &[f64], every: i32) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
        let values = powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * 10f64.powi(power)));
        values.filter(|value| (self.low..=self.high).contains(value)).collect()
    }

    fn even(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / self.room();
        let unit = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|multiple| multiple * unit);
        let step = step.into_iter().find(|step| *step >= rough * (1.0 - 1e-9)).unwrap_or(10.0 * unit);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// The least and the greatest of the positive values.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let values = values.into_iter().filter(|value| value.is_finite() && *value > 0.0);
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Time,
    Count,
    Ratio,
    Share,
}

impl Unit {
    pub(super) fn tick(self, value: f64) -> String {
        match self {
            Unit::Time => scaled(value, &[(1e9, " s"), (1e6, " ms"), (1e3, " us"), (1.0, " ns")]),
            Unit::Count => scaled(value, &[(1e9, " G"), (1e6, " M"), (1e3, " K"), (1.0, "")]),
            Unit::Ratio if value > 0.0 && value < 1e-3 => format!("{}x", format!("{value:.3e}").replace(".000", "")),
            Unit::Ratio => format!("{}x", trimmed(value)),
            Unit::Share => format!("{} %", trimmed(100.0 * value)),
        }
    }
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // A tick of 1000 us that was computed as 999.9999 is 1 ms.
    let unit = units.iter().find(|unit| value.abs() * (1.0 + 1e-9) >= unit.0).or(units.last());
    unit.map_or(String::new(), |(size, name)| format!("{}{name}", trimmed(value / size)))
}

/// At most four significant digits, without trailing zeros.
fn trimmed(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded >= 1e4 { three_digits(rounded) } else { format!("{}", rounded + 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_lie_where_they_should() {
        let line = Scale::linear((0.0, 50.0), (100.0, 200.0));
        assert_eq!([0.0, 25.0, 50.0, 99.0].map(|value| line.at(value)), [100.0, 150.0, 200.0, 200.0]);
        let log = Scale::log([1.0, 100.0, 10_000.0, f64::NAN, 0.0], (500.0, 100.0));
        assert!((log.at(100.0) - 300.0).abs() < 1e-9, "the middle of the logarithms");
        assert!(log.at(1.0) < 500.0 && log.at(1.0) > 480.0 && log.at(0.0) == 500.0);
        assert_eq!(log.ticks(), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
    }

    #[test]
    fn ticks_of_narrow_and_wide_axes() {
        assert_eq!(Scale::log([1.0, 20.0], (0.0, 500.0)).ticks(), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(Scale::log([1e-3, 1e12], (0.0, 500.0)).ticks(), [1e-3, 1.0, 1e3, 1e6, 1e9, 1e12]);
        let narrow = Scale::log([0.98, 1.02], (0.0, 500.0)).ticks();
        assert!(narrow.len() > 3 && narrow.iter().any(|tick| (tick - 1.0).abs() < 1e-9), "{narrow:?}");
        assert_eq!(Scale::linear((0.0, 1.0), (0.0, 500.0)).ticks().len(), 6);
        assert_eq!(Scale::linear((3.0, 3.0), (0.0, 1.0)).ends(), (3.0, 4.0));
        assert_eq!(Scale::log([1e-3, 1e12], (0.0, 250.0)).ticks(), [1.0, 1e4, 1e8, 1e12]);
        assert_eq!(Scale::log([1e-3, 1e12], (0.0, 100.0)).ticks(), [1.0, 1e9]);
        assert_eq!(Scale::log([], (0.0, 500.0)).ticks(), [1.0, 2.0, 5.0, 10.0]);
    }

    proptest! {
        #[test]
        fn ticks_are_few_and_within(low in -9.0..9.0f64, width in 0.0..15.0f64) {
            let (low, high) = (10f64.powf(low), 10f64.powf(low + width));
            for scale in [Scale::log([low, high], (0.0, 500.0)), Scale::linear((low, high), (500.0, 0.0))] {
                let ticks = scale.ticks();
                prop_assert!((1..=TICKS + 2).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
                let (low, high) = scale.ends();
                let room = 1e-6 * (high - low);
                prop_assert!(ticks.iter().all(|tick| (low - room..=high + room).contains(tick)), "{low} to {high}: {ticks:?}");
            }
        }
    }

    #[test]
    fn ticks_are_short() {
        let times = [0.5, 1.0, 1e3, 2e5, 1e6 - 1e-4, 1e10].map(|ns| Unit::Time.tick(ns));
        assert_eq!(times, ["0.5 ns", "1 ns", "1 us", "200 us", "1 ms", "10 s"]);
        assert_eq!([0.0, 20.0, 1e3, 5e6].map(|count| Unit::Count.tick(count)), ["0", "20", "1 K", "5 M"]);
        assert_eq!(
            [1e-6, 0.2, 1.0, 1.05, 1e4].map(|ratio| Unit::Ratio.tick(ratio)),
            ["1e-6x", "0.2x", "1x", "1.05x", "10,000x"]
        );
        assert_eq!(Unit::Share.tick(0.2), "20 %");
    }
}
