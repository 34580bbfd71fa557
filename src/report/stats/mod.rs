//! The statistics: pure functions of pairs and a seed.
//!
//! A pair is what two variants took on one position, measured in the same blocks: (base, variant). Ratios are base
//! divided by variant, so above 1 the variant is better. Intervals are 95 % bootstrap intervals over positions
//! (`bootstrap.rs`): how far a number would move with other positions like these. Positions of one batch are drawn
//! together: what disturbs the machine for a millisecond disturbs all of them.

mod bootstrap;
pub mod formulas;

use bootstrap::{Statistic, half_width};
use c4lab_measure::sets::draw::Draw;
use std::collections::HashMap;

pub const RESAMPLES: usize = 2000;

/// The fewest positions on which two variants differ that say how far a ratio may lie off; of positions measured in
/// batches, the fewest batches.
pub const FEWEST_DIFFERING: usize = 10;

/// What two variants took on one position, and with which others it was measured.
pub trait InBatch: Copy {
    fn pair(self) -> (f64, f64);
    /// The batch in which it was measured together with others; `None` of what was measured, or counted, by itself.
    fn batch(self) -> Option<u32> {
        None
    }
}

impl InBatch for (f64, f64) {
    fn pair(self) -> (f64, f64) {
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    pub pair: (f64, f64),
    pub batch: Option<u32>,
}

impl InBatch for Times {
    fn pair(self) -> (f64, f64) {
        self.pair
    }

    fn batch(self) -> Option<u32> {
        self.batch
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// The interval; `None` where too few positions differ ([`FEWEST_DIFFERING`]), where all scatter alike, or where it
    /// would reach from the least ratio of a position to the greatest, and so say nothing.
    pub interval: Option<(f64, f64)>,
}

/// On how many positions the variant was better, about the same, worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: usize,
    pub ties: usize,
    pub losses: usize,
}

/// The ratio of the sums: what somebody who waits for the whole set gains. `None` without pairs, or where a number
/// of one is not above 0.
pub fn ratio_of_sums<P: InBatch>(pairs: &[P], seed: u64) -> Option<Estimate> {
    if !usable(pairs) {
        return None;
    }
    let sum = |sum: (f64, f64), pair: (f64, f64)| (sum.0 + pair.0, sum.1 + pair.1);
    let (base, variant) = pairs.iter().map(|pair| pair.pair()).fold((0.0, 0.0), sum);
    let terms = || vec![by_batch(pairs, |pair| pair)];
    let half = || half_width(terms(), Statistic::LogOfRatio, &mut Draw::new(seed, "bootstrap"));
    let half = if differing(pairs) < FEWEST_DIFFERING { None } else { half() };
    Some(within_ratios(around(base / variant, half), pairs))
}

/// The geometric mean of the ratios of single positions: what the typical position gains, a short one counting as much as a
/// long one. `None` as for [`ratio_of_sums`].
///
/// ```
/// use c4lab_report::stats::geometric_mean;
///
/// let four_times_and_as_long = [(40.0, 10.0), (7.0, 7.0)];
/// assert_eq!(geometric_mean(&four_times_and_as_long, 1).map(|mean| mean.value), Some(2.0));
/// ```
pub fn geometric_mean<P: InBatch>(pairs: &[P], seed: u64) -> Option<Estimate> {
    mean_of_logs(&[pairs], seed)
}

/// The geometric mean over the positions of all strata (test sets), each position counting once. Resamples are drawn
/// within each stratum, because the strata were chosen and not drawn. Strata of a few positions are taken together.
pub fn pooled_geometric_mean<P: InBatch>(strata: &[Vec<P>], seed: u64) -> Option<Estimate> {
    mean_of_logs(&strata.iter().map(Vec::as_slice).collect::<Vec<_>>(), seed)
}

fn mean_of_logs<P: InBatch>(strata: &[&[P]], seed: u64) -> Option<Estimate> {
    let strata: Vec<&[P]> = strata.iter().copied().filter(|pairs| !pairs.is_empty()).collect();
    if strata.is_empty() || !strata.iter().all(|pairs| usable(pairs)) {
        return None;
    }
    let log = |pair: (f64, f64)| (pair.0 / pair.1).ln();
    let count: usize = strata.iter().map(|pairs| pairs.len()).sum();
    let sum: f64 = strata.iter().flat_map(|pairs| pairs.iter().map(|pair| log(pair.pair()))).sum();
    let terms = strata.iter().map(|pairs| by_batch(pairs, |pair| (log(pair), 1.0))).collect();
    let differing: usize = strata.iter().map(|pairs| differing(pairs)).sum();
    let half = || half_width(terms, Statistic::Mean, &mut Draw::new(seed, "bootstrap"));
    Some(around((sum / count as f64).exp(), if differing < FEWEST_DIFFERING { None } else { half() }))
}

/// The terms of a bootstrap: one for each batch, the sum of those of its positions, in the order of first mention.
fn by_batch<P: InBatch>(pairs: &[P], term: impl Fn((f64, f64)) -> (f64, f64)) -> Vec<(f64, f64)> {
    let (mut terms, mut places): (Vec<(f64, f64)>, HashMap<u32, usize>) = (Vec::new(), HashMap::new());
    for pair in pairs {
        let place = pair.batch().map_or(terms.len(), |batch| *places.entry(batch).or_insert(terms.len()));
        if place == terms.len() {
            terms.push((0.0, 0.0));
        }
        let (above, below) = term(pair.pair());
        terms[place] = (terms[place].0 + above, terms[place].1 + below);
    }
    terms
}

/// An estimate whose interval covers processes too. `of_each` is the same ratio as each process alone has it.
///
/// To the scatter of positions comes that of processes: the squares of both half widths are added. That of the processes
/// is Student's, of the mean of their logarithms. One process says nothing of others.
pub fn over_processes(estimate: Estimate, of_each: &[f64]) -> Estimate {
    let logs: Vec<f64> = of_each.iter().map(|ratio| ratio.ln()).collect();
    let among = mean_interval(&logs).and_then(|mean| Some(mean.interval?.1 - mean.value));
    let Some(among) = among.filter(|among| among.is_finite()) else { return estimate };
    // Each side by itself: one may have been cut off at the ratios that were seen.
    let value = estimate.value;
    let wider = |(low, high): (f64, f64)| {
        let (down, up) = ((value / low).ln().hypot(among), (high / value).ln().hypot(among));
        (value * (-down).exp(), value * up.exp())
    };
    Estimate { value, interval: estimate.interval.map(wider) }
}

/// The geometric mean of the ratios, without an interval. `None` as for [`ratio_of_sums`].
pub fn mean_ratio<P: InBatch>(pairs: &[P]) -> Option<f64> {
    let logs = || pairs.iter().map(|pair| pair.pair()).map(|pair| (pair.0 / pair.1).ln());
    usable(pairs).then(|| (logs().sum::<f64>() / pairs.len() as f64).exp())
}

/// The median of the ratios of single positions. `None` as for [`ratio_of_sums`].
pub fn median_ratio<P: InBatch>(pairs: &[P]) -> Option<f64> {
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.pair()).map(|pair| pair.0 / pair.1).collect();
    median(&ratios).filter(|_| usable(pairs))
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

/// Counts wins, ties and losses of the variant. What differs by a factor of at most 1 + `tolerance` is a tie.
pub fn tally<P: InBatch>(pairs: &[P], tolerance: f64) -> Tally {
    let mut tally = Tally::default();
    for (base, variant) in pairs.iter().map(|pair| pair.pair()) {
        let count = match (base / variant > 1.0 + tolerance, variant / base > 1.0 + tolerance) {
            (true, _) => &mut tally.wins,
            (_, true) => &mut tally.losses,
            _ => &mut tally.ties,
        };
        *count += 1;
    }
    tally
}

/// The mean of repeated measurements of one thing, with Student's 95 % interval; no interval for fewer than two. The
/// measurements must scatter about their mean without a trend. Repetitions do, positions do not.
pub fn mean_interval(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let interval = (values.len() > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = formulas::student_95(values.len() - 1) * (squares / (count - 1.0) / count).sqrt();
        (mean - half, mean + half)
    });
    Some(Estimate { value: mean, interval })
}

/// Whether there are pairs, and all their ratios can be had.
fn usable<P: InBatch>(pairs: &[P]) -> bool {
    let sound = |value: f64| value.is_finite() && value > 0.0;
    !pairs.is_empty() && pairs.iter().map(|pair| pair.pair()).all(|pair| sound(pair.0) && sound(pair.1))
}

/// On how many positions, or in how many batches, two variants differ.
fn differing<P: InBatch>(pairs: &[P]) -> usize {
    by_batch(pairs, |pair| (f64::from(u8::from(pair.0 != pair.1)), 1.0)).iter().filter(|term| term.0 > 0.0).count()
}

/// An estimate whose interval reaches `half` to either side of the logarithm of `value`.
fn around(value: f64, half: Option<f64>) -> Estimate {
    Estimate { value, interval: half.map(|half| (value * (-half).exp(), value * half.exp())) }
}

/// The estimate, with its interval cut off at the least and the greatest ratio of a position: no ratio of their sums
/// lies beyond. Where one position outweighs all others, the bootstrap alone would reach further than any ratio that
/// was seen. An interval that is cut off at both ends says no more than these two ratios, and is none.
fn within_ratios<P: InBatch>(estimate: Estimate, pairs: &[P]) -> Estimate {
    let ratios = pairs.iter().map(|pair| pair.pair()).map(|pair| pair.0 / pair.1);
    let (least, greatest) =
        ratios.fold((f64::INFINITY, 0.0_f64), |(least, greatest), ratio| (ratio.min(least), ratio.max(greatest)));
    let says_something = |(low, high): &(f64, f64)| *low > least || *high < greatest;
    let interval = estimate.interval.filter(says_something).map(|(low, high)| (low.max(least), high.min(greatest)));
    Estimate { interval, ..estimate }
}

#[cfg(test)]
mod tests;
