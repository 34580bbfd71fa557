//! Intervals that follow from a formula: Student's of a mean, Wilson's of a share, and that of a ratio of paired
//! shares.

use crate::stats::Estimate;
use std::f64::consts::FRAC_PI_2;

const Z: f64 = 1.959_963_984_540_054;

/// The number that |t| exceeds with a chance of 5 %, for 1 degree of freedom or more.
///
/// With t = sqrt(degrees) tan(angle) the chance to stay below it is a finite sum of powers of cos(angle) (M.
/// Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4), which grows with the angle: it is
/// bisected.
pub(super) fn student_95(degrees: usize) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if chance_within(middle, degrees) < 0.95 { low = middle } else { high = middle }
    }
    (degrees as f64).sqrt() * low.tan()
}

fn chance_within(angle: f64, degrees: usize) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let is_odd = degrees % 2 == 1;
    // 1 + 1/2 cos^2 + (1 3)/(2 4) cos^4 + ..., or cos + 2/3 cos^3 + (2 4)/(3 5) cos^5 + ...
    let mut term = if is_odd { cos } else { 1.0 };
    let mut sum = if degrees == 1 { 0.0 } else { term };
    for power in (2 + degrees % 2..degrees - degrees.min(1)).step_by(2) {
        term *= cos * cos * (power as f64 - 1.0) / power as f64;
        sum += term;
    }
    if is_odd { (angle + sin * sum) / FRAC_PI_2 } else { sin * sum }
}

/// The 95 % interval of a share, from successes in trials; all shares without a trial (E. B. Wilson, "Probable
/// Inference, the Law of Succession, and Statistical Inference", 1927).
pub fn wilson(successes: usize, trials: usize) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// The ratio of two shares, of pairs (first succeeds, second succeeds): the second's successes divided by the first's;
/// `None` if one has none. Its 95 % interval is symmetric on the logarithm, whose variance for matched pairs is, by the
/// delta method,
///
/// ```text
/// (only first + only second) / (first x second)      counts of pairs
/// ```
pub fn ratio_of_shares(pairs: &[(bool, bool)]) -> Option<Estimate> {
    let count = |of: fn(&(bool, bool)) -> bool| pairs.iter().filter(|pair| of(pair)).count() as f64;
    let (first, second, apart) = (count(|pair| pair.0), count(|pair| pair.1), count(|pair| pair.0 != pair.1));
    if first == 0.0 || second == 0.0 {
        return None;
    }
    let (value, half) = (second / first, Z * (apart / (first * second)).sqrt());
    Some(Estimate { value, interval: Some((value * (-half).exp(), value * half.exp())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::sets::draw::Draw;

    /// To nine digits, of which printed tables have four.
    #[test]
    fn student_agrees_with_known_quantiles() {
        for (degrees, known) in [
            (1, 12.706_204_74),
            (2, 4.302_652_73),
            (3, 3.182_446_31),
            (4, 2.776_445_11),
            (5, 2.570_581_84),
            (9, 2.262_157_16),
            (10, 2.228_138_85),
            (29, 2.045_229_64),
            (30, 2.042_272_46),
            (59, 2.000_995_38),
            (120, 1.979_930_41),
            (1000, 1.962_339_08),
        ] {
            assert!((student_95(degrees) - known).abs() < 1e-7, "{degrees}: {}", student_95(degrees));
        }
        assert!((student_95(1_000_001) - Z).abs() < 1e-5);
    }

    #[test]
    fn wilson_agrees_with_known_intervals() {
        for (successes, trials, low, high) in
            [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (100, 100, 0.9630, 1.0), (90, 100, 0.8256, 0.9448)]
        {
            let found = wilson(successes, trials);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{successes}/{trials}: {found:?}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn pairs_that_agree_have_no_error_and_those_that_differ_have() {
        assert_eq!(ratio_of_shares(&[(true, false)]), None);
        let same = ratio_of_shares(&[(true, true), (false, false)]).unwrap();
        assert_eq!((same.value, same.interval), (1.0, Some((1.0, 1.0))));
        // 40 both, 10 the first alone, 30 the second alone: 70 / 50.
        let pairs = [vec![(true, true); 40], vec![(true, false); 10], vec![(false, true); 30]].concat();
        let found = ratio_of_shares(&pairs).unwrap();
        let half = Z * (40.0f64 / 3500.0).sqrt();
        assert!((found.value - 1.4).abs() < 1e-12 && (found.interval.unwrap().1 / 1.4 - half.exp()).abs() < 1e-9);
    }

    #[test]
    fn the_interval_of_paired_shares_covers() {
        // Of 100 pairs: 0.3 both, 0.1 the first alone, 0.2 the second alone.
        let mut draw = Draw::new(1, "paired shares");
        let mut held = 0;
        for _ in 0..1000 {
            let pairs: Vec<(bool, bool)> = (0..100)
                .map(|_| match draw.below(10) {
                    0..3 => (true, true),
                    3 => (true, false),
                    4..6 => (false, true),
                    _ => (false, false),
                })
                .collect();
            let (low, high) = ratio_of_shares(&pairs).unwrap().interval.unwrap();
            held += usize::from((low..=high).contains(&(0.5 / 0.4)));
        }
        assert!((930..=970).contains(&held), "{held}");
    }
}
