//! The statistics: pure functions of pairs and a seed.
//!
//! A pair has the times or nodes of base and variant on one position, measured in the same blocks. A ratio is base
//! divided by variant, so above 1 the variant is better. Intervals are 95 % bootstrap intervals over positions
//! (`bootstrap.rs`): how much a number varies with the sample of positions. Positions of one batch are drawn together,
//! since a disturbance of the machine affects all of them. Intervals of means and shares follow from formulas.

mod bootstrap;

use bootstrap::{Statistic, half_width};
use c4lab_measure::sets::draw::Draw;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;

const Z: f64 = 1.959_963_984_540_054;

pub const RESAMPLES: usize = 2000;

/// The least number of positions, or of batches, on which two variants must differ for an interval.
pub const FEWEST_DIFFERING: usize = 10;

/// Nanoseconds, or nodes, of two variants on one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The line of the position in its set.
    pub line: u64,
    pub base: f64,
    pub variant: f64,
    /// The batch of the position; `None` if the position was measured by itself, or its nodes are counted.
    pub batch: Option<u32>,
    /// Half a resolution of the clock for each time that is short, that is below 20 resolutions; 0 for others.
    pub slack: [f64; 2],
}

impl Pair {
    /// A time below half a resolution counts as half a resolution.
    pub fn ratio(&self) -> f64 {
        self.base.max(self.slack[0]) / self.variant.max(self.slack[1])
    }

    pub fn is_short(&self) -> bool {
        self.slack != [0.0; 2]
    }

    /// The logarithm of the ratio if both short times are half a resolution longer (`sign` 1) or shorter (-1).
    fn log_moved(&self, sign: f64) -> f64 {
        let moved = |ns: f64, slack: f64| (ns.max(slack) + sign * slack).max(slack / 2.0);
        (moved(self.base, self.slack[0]) / moved(self.variant, self.slack[1])).ln()
    }
}

impl From<(f64, f64)> for Pair {
    fn from((base, variant): (f64, f64)) -> Self {
        Pair { line: 0, base, variant, batch: None, slack: [0.0; 2] }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// `None` if too few positions differ ([`FEWEST_DIFFERING`]), if all ratios are equal, or if the interval would
    /// reach from the least ratio of a position to the greatest.
    pub interval: Option<(f64, f64)>,
}

/// The numbers of positions on which the variant is better, about equal, worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: usize,
    pub ties: usize,
    pub losses: usize,
}

/// The ratio of the sums: the gain over the whole set. A position may have no nodes. `None` if a sum is not above 0.
pub fn ratio_of_sums(pairs: &[Pair], seed: u64) -> Option<Estimate> {
    let sound = |value: f64| value.is_finite() && value > 0.0;
    let ratio = sums_ratio(pairs).filter(|ratio| sound(*ratio))?;
    let terms = by_batch(pairs, |pair| (pair.base, pair.variant));
    let half = half_width_if(vec![terms], Statistic::LogOfRatio, differing(pairs), seed);
    Some(within_ratios(around(ratio, half), pairs))
}

/// The sum of the base divided by that of the variant, without an interval; `None` if the latter is 0.
pub fn sums_ratio(pairs: &[Pair]) -> Option<f64> {
    let (base, variant) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.base, sum.1 + pair.variant));
    (variant > 0.0).then(|| base / variant)
}

/// The geometric mean of the ratios of single positions: the gain on the typical position. Fast and slow positions have
/// equal weights. `None` without pairs, or if a number of a pair is not above 0.
pub fn geometric_mean(pairs: &[Pair], seed: u64) -> Option<Estimate> {
    pooled_geometric_mean(&[pairs.to_vec()], seed)
}

/// The geometric mean over the positions of all strata (test sets), each position counting once. Resamples are drawn
/// within each stratum, because the strata were chosen and not drawn. Strata of a few positions are merged. Half a
/// resolution of the clock either way, on all short times alike, widens the interval: all have one cost subtracted.
pub fn pooled_geometric_mean(strata: &[Vec<Pair>], seed: u64) -> Option<Estimate> {
    let value = mean_ratio(&strata.concat())?;
    let terms = strata.iter().map(|pairs| by_batch(pairs, |pair| (pair.ratio().ln(), 1.0))).collect();
    let differing = strata.iter().map(|pairs| differing(pairs)).sum();
    let Estimate { interval, .. } = around(value, half_width_if(terms, Statistic::Mean, differing, seed));
    let [longer, shorter] = [1.0, -1.0].map(|sign| {
        let logs: f64 = strata.iter().flatten().map(|pair| pair.log_moved(sign)).sum();
        (logs / strata.iter().map(Vec::len).sum::<usize>() as f64).exp() / value
    });
    let wider = |(low, high)| (low * longer.min(shorter).min(1.0), high * longer.max(shorter).max(1.0));
    Some(Estimate { value, interval: interval.map(wider) })
}

/// The half width of an interval; `None` if too few positions differ.
fn half_width_if(terms: Vec<Vec<(f64, f64)>>, statistic: Statistic, differing: usize, seed: u64) -> Option<f64> {
    if differing < FEWEST_DIFFERING {
        return None;
    }
    half_width(terms, statistic, &mut Draw::new(seed, "bootstrap"))
}

/// The terms of a bootstrap: one for each batch, the sum over its positions, in the order of first mention.
fn by_batch(pairs: &[Pair], term: impl Fn(&Pair) -> (f64, f64)) -> Vec<(f64, f64)> {
    let (mut terms, mut places): (Vec<(f64, f64)>, HashMap<u32, usize>) = (Vec::new(), HashMap::new());
    for pair in pairs {
        let place = pair.batch.map_or(terms.len(), |batch| *places.entry(batch).or_insert(terms.len()));
        if place == terms.len() {
            terms.push((0.0, 0.0));
        }
        let (above, below) = term(pair);
        terms[place] = (terms[place].0 + above, terms[place].1 + below);
    }
    terms
}

/// Widens the interval of an estimate to cover processes. `of_each` is the ratio in each process alone.
///
/// The squares of two half widths are added: that over positions, and Student's of the mean logarithm over processes,
/// of which one changes nothing.
pub fn over_processes(estimate: Estimate, of_each: &[f64]) -> Estimate {
    let logs: Vec<f64> = of_each.iter().map(|ratio| ratio.ln()).collect();
    let among = mean_interval(&logs).and_then(|mean| Some(mean.interval?.1 - mean.value));
    let Some(among) = among.filter(|among| among.is_finite()) else { return estimate };
    // Each side by itself: one may have been cut off by `within_ratios`.
    let value = estimate.value;
    let wider = |(low, high): (f64, f64)| {
        let (down, up) = ((value / low).ln().hypot(among), (high / value).ln().hypot(among));
        (value * (-down).exp(), value * up.exp())
    };
    Estimate { value, interval: estimate.interval.map(wider) }
}

/// The geometric mean of the ratios, without an interval. `None` as for [`geometric_mean`].
pub fn mean_ratio(pairs: &[Pair]) -> Option<f64> {
    let logs = || pairs.iter().map(|pair| pair.ratio().ln());
    usable(pairs).then(|| (logs().sum::<f64>() / pairs.len() as f64).exp())
}

/// The median of the ratios of single positions. `None` as for [`geometric_mean`].
pub fn median_ratio(pairs: &[Pair]) -> Option<f64> {
    median(&pairs.iter().map(Pair::ratio).collect::<Vec<_>>()).filter(|_| usable(pairs))
}

/// The middle value, or the mean of the two in the middle; `None` without values.
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

/// Counts wins, ties and losses of the variant. Values that differ by a factor of at most 1 + `tolerance` are a tie.
pub fn tally(pairs: &[Pair], tolerance: f64) -> Tally {
    let mut tally = Tally::default();
    for ratio in pairs.iter().map(Pair::ratio) {
        let count = match (ratio > 1.0 + tolerance, 1.0 / ratio > 1.0 + tolerance) {
            (true, _) => &mut tally.wins,
            (_, true) => &mut tally.losses,
            _ => &mut tally.ties,
        };
        *count += 1;
    }
    tally
}

/// The mean of repeated measurements of one thing, with Student's 95 % interval; no interval for fewer than two. The
/// measurements must vary about their mean without a trend, as repetitions do and positions do not.
pub fn mean_interval(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let interval = (values.len() > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = student_95(values.len() - 1) * (squares / (count - 1.0) / count).sqrt();
        (mean - half, mean + half)
    });
    Some(Estimate { value: mean, interval })
}

fn usable(pairs: &[Pair]) -> bool {
    let sound = |value: f64| value.is_finite() && value > 0.0;
    !pairs.is_empty() && pairs.iter().all(|pair| sound(pair.ratio()))
}

/// The number of positions or batches on which two variants differ.
fn differing(pairs: &[Pair]) -> usize {
    by_batch(pairs, |pair| (f64::from(u8::from(pair.base != pair.variant)), 1.0))
        .iter()
        .filter(|term| term.0 > 0.0)
        .count()
}

/// An estimate whose interval reaches `half` to either side of the logarithm of `value`.
fn around(value: f64, half: Option<f64>) -> Estimate {
    Estimate { value, interval: half.map(|half| (value * (-half).exp(), value * half.exp())) }
}

/// Cuts the interval off at the least and the greatest ratio of a position, since every ratio of sums lies between
/// them. If one position outweighs all others, the bootstrap would reach further. An interval that is cut off at both
/// ends is no more than the range of the ratios, and is dropped.
fn within_ratios(estimate: Estimate, pairs: &[Pair]) -> Estimate {
    let ratios = pairs.iter().map(Pair::ratio);
    let (least, greatest) =
        ratios.fold((f64::INFINITY, 0.0_f64), |(least, greatest), ratio| (ratio.min(least), ratio.max(greatest)));
    let says_something = |(low, high): &(f64, f64)| *low > least || *high < greatest;
    let interval = estimate.interval.filter(says_something).map(|(low, high)| (low.max(least), high.min(greatest)));
    Estimate { interval, ..estimate }
}

/// The number that |t| exceeds with a chance of 5 %, for 1 degree of freedom or more.
///
/// With t = sqrt(degrees) tan(angle) the chance to stay below it is a finite sum of powers of cos(angle) (M.
/// Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4), which grows with the angle: it is
/// bisected.
fn student_95(degrees: usize) -> f64 {
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
mod tests;
