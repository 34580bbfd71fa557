//! The effect: how much of a published ratio was measured, and why a verdict was given.

use crate::claims::published::Published;
use crate::claims::ratios::{MeasuredRatio, Over};
use crate::claims::verdict::{Aim, Verdict, apart};
use crate::table::units::{four_digits, three_digits};

/// The share of a published effect: 1 is all of it, 0 is none, below 0 is the other sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectShare {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
}

impl EffectShare {
    /// The effect of what was measured; `None` where no effect was claimed, and of what is no single ratio.
    pub fn of(published: &Published, measured: &MeasuredRatio) -> Option<EffectShare> {
        published.side?;
        let ratio = published.number?;
        let share = |measured: f64| measured.ln() / ratio.ln();
        let interval = measured.interval.map(|ends| in_order(share, ends));
        Some(EffectShare { value: share(measured.value), interval })
    }
}

/// A share of both ends, the lower first: of a ratio below 1 the higher end has the smaller effect.
fn in_order(share: impl Fn(f64) -> f64, (low, high): (f64, f64)) -> (f64, f64) {
    let (one, other) = (share(low), share(high));
    (one.min(other), one.max(other))
}

/// A share as people read it: three digits, and no more than three behind the point.
pub fn shown(share: f64) -> String {
    let small = format!("{share:.3}");
    match small.trim_start_matches('-') {
        "0.000" => "0".to_string(),
        _ if share.abs() < 0.1 => small,
        _ => three_digits(share),
    }
}

/// Why a verdict is what it is: a short phrase with the interval that decided it.
pub fn why(verdict: Verdict, published: &Published, aim: &Aim, measured: &MeasuredRatio) -> String {
    let Some(interval) = measured.interval else { return "there is no interval".to_string() };
    let to_the_digits = published.digits == Some(aim.range) && measured.over == Over::Exact;
    let plain = Phrase { what: "", held: interval, range: aim.range, none: 1.0 };
    match verdict {
        Verdict::Reproduced if to_the_digits => return "equal to the printed digits".to_string(),
        _ if to_the_digits => return format!("not within the printed digits, {}", digits(aim.range)),
        Verdict::NoEffect => return format!("{} lies within 2 % of 1", plain.subject(three_digits)),
        Verdict::Opposite if interval.1 < 1.0 => return format!("{} lies below 1", plain.subject(three_digits)),
        Verdict::Opposite => return format!("{} lies above 1", plain.subject(three_digits)),
        _ => {}
    }
    let effect = EffectShare::of(published, measured).and_then(|effect| effect.interval).zip(published.number);
    let of_effect = effect.map(|(held, ratio)| {
        let range = in_order(|measured| measured.ln() / ratio.ln(), aim.range);
        Phrase { what: "effect", held, range, none: 0.0 }
    });
    of_effect.unwrap_or(plain).said(verdict, aim.side.is_some())
}

#[derive(Clone, Copy)]
struct Phrase {
    /// What it is an interval of, if not of the number itself.
    what: &'static str,
    held: (f64, f64),
    range: (f64, f64),
    none: f64,
}

impl Phrase {
    fn said(self, verdict: Verdict, has_side: bool) -> String {
        let digits = self.digits();
        let subject = self.subject(digits);
        let beyond = if self.held.1 < self.range.0 {
            format!("lies below {}", digits(self.range.0))
        } else {
            format!("lies above {}", digits(self.range.1))
        };
        let (low, high) = self.held;
        match verdict {
            Verdict::Reproduced => format!("{subject} lies {}", self.target(digits)),
            Verdict::Undecided if has_side && low <= self.none && high >= self.none => {
                let beyond = if apart(self.held, self.range) { format!(", and {beyond}") } else { String::new() };
                format!("{subject} holds {}{beyond}", self.none)
            }
            Verdict::Undecided => format!("{subject} lies only in part {}", self.target(digits)),
            _ => format!("{subject} {beyond}"),
        }
    }

    /// The interval in words, or the one number that it is.
    fn subject(self, digits: Digits) -> String {
        let ((low, high), number) = (self.held, self.what.is_empty());
        match digits(low) {
            low_shown if low < high && number => format!("interval {low_shown} to {}", digits(high)),
            low_shown if low < high => format!("interval of the {} {low_shown} to {}", self.what, digits(high)),
            shown if number => format!("{shown} without error"),
            shown => format!("the {} {shown}", self.what),
        }
    }

    fn target(self, digits: Digits) -> String {
        let (low, high) = self.range;
        match (low <= 0.0, high.is_infinite()) {
            (_, true) => format!("at {} or above", digits(low)),
            (true, _) => format!("at {} or below", digits(high)),
            _ => format!("within {} to {}", digits(low), digits(high)),
        }
    }

    /// Three digits, or four where three do not tell an end of the interval from one of the range.
    fn digits(self) -> Digits {
        let ends = [self.held.0, self.held.1].into_iter();
        let mut pairs = ends.flat_map(|held| [(held, self.range.0), (held, self.range.1)]);
        let three: Digits = if self.what.is_empty() { three_digits } else { shown };
        if pairs.any(|(held, end)| held != end && three(held) == three(end)) { four_digits } else { three }
    }
}

type Digits = fn(f64) -> String;

fn digits((low, high): (f64, f64)) -> String {
    // One digit more than the last that was printed.
    let decimals = (1.0 - (high - low).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{low:.decimals$} to {high:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim::ClaimUnit;
    use crate::claims::verdict::verdict;
    use crate::claims::written::figures::Printed;

    fn measured(low: f64, high: f64) -> MeasuredRatio {
        MeasuredRatio::of((low * high).sqrt(), false, Some((low, high)), None)
    }

    fn said(published: &Published, low: f64, high: f64) -> String {
        let (aim, measured) = (published.aim(), measured(low, high));
        why(verdict(&aim, measured.interval), published, &aim, &measured)
    }

    #[test]
    fn the_effect_is_a_share_of_the_published_one() {
        let effect = EffectShare::of(&Published::ratio(4.0, None), &measured(2.0, 4.0)).unwrap();
        assert_eq!((shown(effect.value).as_str(), effect.interval), ("0.750", Some((0.5, 1.0))));
        let slower = EffectShare::of(&Published::ratio(0.25, None), &measured(0.25, 0.5)).unwrap();
        assert_eq!(slower.interval, Some((0.5, 1.0)), "the higher ratio is the smaller effect");
        assert!(EffectShare::of(&Published::ratio(4.0, None), &measured(0.5, 0.6)).unwrap().value < 0.0);
        assert_eq!(EffectShare::of(&Published::ratio(1.0, None), &measured(1.0, 1.1)), None);
        let range = Published::range((Some(2.0), None), ClaimUnit::Times);
        assert_eq!(EffectShare::of(&range, &measured(2.0, 4.0)), None);
        assert_eq!(
            EffectShare::of(&Published::number(40.0, None, ClaimUnit::Instructions), &measured(33.0, 33.0)),
            None
        );
    }

    #[test]
    fn every_verdict_says_why() {
        let (quarter, small) = (Published::ratio(1.3333, None), Published::ratio(1.034, None));
        assert_eq!(said(&quarter, 1.077, 1.151), "interval of the effect 0.258 to 0.489 lies below 0.800");
        assert_eq!(said(&quarter, 1.5, 1.6), "interval of the effect 1.41 to 1.63 lies above 1.25");
        assert_eq!(said(&quarter, 1.3, 1.4), "interval of the effect 0.912 to 1.17 lies within 0.800 to 1.25");
        assert_eq!(
            said(&quarter, 1.198, 1.262),
            "interval of the effect 0.628 to 0.809 lies only in part within 0.800 to 1.25"
        );
        assert_eq!(said(&small, 0.85, 1.14), "interval of the effect -4.86 to 3.92 holds 0");
        let large = Published::ratio(3.3, None);
        assert_eq!(said(&large, 0.863, 1.158), "interval of the effect -0.123 to 0.123 holds 0, and lies below 0.800");
        assert_eq!(said(&small, 0.995, 1.012), "interval 0.995 to 1.01 lies within 2 % of 1");
        assert_eq!(said(&small, 0.61, 0.68), "interval 0.610 to 0.680 lies below 1");
        let tenfold = Published::range((Some(10.0), None), ClaimUnit::Times);
        assert_eq!(said(&tenfold, 1.95, 2.01), "interval 1.95 to 2.01 lies below 10.0");
        assert_eq!(said(&tenfold, 11.0, 12.0), "interval 11.0 to 12.0 lies at 10.0 or above");
        assert_eq!(said(&tenfold, 9.0, 12.0), "interval 9.00 to 12.0 lies only in part at 10.0 or above");
        assert_eq!(
            said(&Published::ratio(1.0, None), 0.9, 1.0),
            "interval 0.900 to 1.00 lies only in part within 0.950 to 1.05"
        );
        let count = Published::range((Some(28.0), Some(40.0)), ClaimUnit::Instructions);
        let exact = MeasuredRatio::exact(33.08);
        assert_eq!(
            why(Verdict::Reproduced, &count, &count.aim(), &exact),
            "33.1 without error lies within 28.0 to 40.0"
        );
    }

    /// Where three digits do not tell two numbers apart, four stand there.
    #[test]
    fn numbers_that_differ_are_shown_as_different() {
        let range = Published::range((Some(1.1111), Some(1.1765)), ClaimUnit::Times);
        assert_eq!(said(&range, 1.1797, 1.1797), "1.180 without error lies above 1.177");
        assert_eq!(said(&range, 1.108, 1.12), "interval 1.108 to 1.120 lies only in part within 1.111 to 1.177");
        assert_eq!([0.0000029, -0.0123, 0.718, 8.07, -0.0004].map(shown), ["0", "-0.012", "0.718", "8.07", "0"]);
    }

    #[test]
    fn without_error_the_printed_digits_decide() {
        let mean = Published::printed(&Printed::parse("74.40").unwrap(), ClaimUnit::Nodes);
        let said = |value: f64| {
            let measured = MeasuredRatio::exact(value);
            let verdict = verdict(&mean.exact_aim(), measured.interval);
            (verdict, why(verdict, &mean, &mean.exact_aim(), &measured))
        };
        assert_eq!(said(74.404), (Verdict::Reproduced, "equal to the printed digits".to_string()));
        let other = (Verdict::OtherNumber, "not within the printed digits, 74.390 to 74.410".to_string());
        assert_eq!(said(74.479), other);
    }
}
