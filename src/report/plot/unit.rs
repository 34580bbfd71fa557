//! Units: what stands at the ticks of an axis.

use crate::table::units::three_digits;

/// What an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Nodes, positions: plain counts.
    Count,
    /// One divided by another.
    Ratio,
    /// A part of the whole, 0 to 1.
    Share,
}

impl Unit {
    /// The label of a tick.
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

/// A value in the largest unit that it has one of.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // A tick of 1000 us that was computed as 999.9999 is 1 ms.
    let unit = units.iter().find(|unit| value.abs() * (1.0 + 1e-9) >= unit.0).or(units.last());
    unit.map_or(String::new(), |(size, name)| format!("{}{name}", trimmed(value / size)))
}

/// Four significant digits at most, no zeros behind the point.
fn trimmed(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded >= 1e4 { three_digits(rounded) } else { format!("{}", rounded + 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
