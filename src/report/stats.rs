//! The statistics: pure functions of pairs and a seed.
//!
//! A pair is what two variants took on one position, measured in the same blocks: (base, variant). Ratios are base
//! divided by variant, so above 1 the variant is better. Intervals are 95 % bias-corrected and accelerated
//! bootstrap intervals over positions (B. Efron, "Better Bootstrap Confidence Intervals", 1987).

use crate::lab::draw::Draw;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The interval; `None` where the positions are too few or too alike to say.
    pub interval: Option<(f64, f64)>,
}

/// The ratio of the sums: what somebody who waits for the whole set gains.
pub fn ratio_of_sums(pairs: &[(f64, f64)], seed: u64) -> Option<Estimate> {
    estimate(pairs, seed, |pairs| {
        let (base, variant) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        base / variant
    })
}

/// The middle value, or the mean of the two in the middle; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// A statistic with its interval; `None` without pairs.
fn estimate(pairs: &[(f64, f64)], seed: u64, statistic: impl Fn(&[(f64, f64)]) -> f64) -> Option<Estimate> {
    if pairs.is_empty() {
        return None;
    }
    debug_assert!(pairs.iter().all(|pair| pair.0 > 0.0 && pair.1 > 0.0));
    let value = statistic(pairs);
    let mut draw = Draw::new(seed, "bootstrap");
    let mut resample = pairs.to_vec();
    let mut values: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            resample.fill_with(|| pairs[draw.below(pairs.len())]);
            statistic(&resample)
        })
        .collect();
    values.sort_unstable_by(f64::total_cmp);
    let interval = acceleration(pairs, &statistic).map(|acceleration| corrected(&values, value, acceleration));
    Some(Estimate { value, interval })
}

/// The acceleration of the interval, by leaving out one pair at a time; `None` where nothing varies.
fn acceleration(pairs: &[(f64, f64)], statistic: impl Fn(&[(f64, f64)]) -> f64) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let mut rest = pairs[1..].to_vec();
    let mut values = vec![statistic(&rest)];
    for index in 0..rest.len() {
        rest[index] = pairs[index];
        values.push(statistic(&rest));
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (mean - value).powi(2)).sum();
    let cubes: f64 = values.iter().map(|value| (mean - value).powi(3)).sum();
    (squares > 0.0).then(|| cubes / (6.0 * squares.powf(1.5)))
}

/// The 95 % interval from sorted bootstrap values.
fn corrected(values: &[f64], value: f64, acceleration: f64) -> (f64, f64) {
    let below = values.partition_point(|&resampled| resampled < value) as f64;
    let bias = normal_quantile((below / values.len() as f64).clamp(0.001, 0.999));
    let end = |probability: f64| {
        let z = bias + normal_quantile(probability);
        let share = normal_share(bias + z / (1.0 - acceleration * z));
        values[((share * values.len() as f64) as usize).min(values.len() - 1)]
    };
    (end(0.025), end(0.975))
}

/// The share of the normal distribution below `z`, to 1e-7 (Abramowitz and Stegun, 26.2.17).
fn normal_share(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let tail = series.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = tail * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z >= 0.0 { 1.0 - tail } else { tail }
}

/// The number that a share of the normal distribution lies below, by bisection.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if normal_share(middle) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        let pairs = [(2.0, 1.0), (8.0, 1.0), (4.0, 4.0)];
        assert!((ratio_of_sums(&pairs, 1).unwrap().value - 14.0 / 6.0).abs() < 1e-12);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert!(ratio_of_sums(&[], 1).is_none());
    }

    #[test]
    fn the_normal_distribution() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (2.5758, 0.995)] {
            assert!((normal_share(z) - share).abs() < 1e-6, "{z}");
            assert!((normal_quantile(share) - z).abs() < 1e-4, "{share}");
        }
    }

    #[test]
    fn what_does_not_vary_has_no_interval() {
        assert_eq!(ratio_of_sums(&[(2.0, 1.0); 10], 1).unwrap(), Estimate { value: 2.0, interval: None });
        assert_eq!(ratio_of_sums(&[(2.0, 1.0), (3.0, 1.0)], 1).unwrap().interval, None);
    }

    #[test]
    fn estimates_are_a_function_of_their_seed() {
        let pairs: Vec<(f64, f64)> = (1..50).map(|i| (f64::from(i % 7 + 1), f64::from(i % 5 + 1))).collect();
        assert_eq!(ratio_of_sums(&pairs, 1), ratio_of_sums(&pairs, 1));
        assert_ne!(ratio_of_sums(&pairs, 1), ratio_of_sums(&pairs, 2));
    }

    /// On log-normal pairs around a known ratio the interval must hold it about 19 times out of 20.
    #[test]
    fn the_interval_covers() {
        let mut draw = Draw::new(3, "coverage");
        let mut normal = || (0..12).map(|_| draw.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
        let trials = 300;
        let covered = (0..trials).filter(|&trial| {
            let mut pair = || {
                let size = (0.5 * normal()).exp();
                (2.0 * size * (0.3 * normal()).exp(), size * (0.3 * normal()).exp())
            };
            let pairs: Vec<(f64, f64)> = (0..100).map(|_| pair()).collect();
            let (low, high) = ratio_of_sums(&pairs, trial).unwrap().interval.unwrap();
            (low..high).contains(&2.0)
        });
        let covered = covered.count();
        assert!((270..=297).contains(&covered), "{covered} of {trials}");
    }
}
