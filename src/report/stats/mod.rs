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

/// Nanoseconds, or nodes, of two variants on one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The line of the position in its set.
    pub line: u64,
    pub base: f64,
    pub variant: f64,
    /// The batch in which it was measured together with others; `None` where it was measured, or counted, by itself.
    pub batch: Option<u32>,
    /// Whether one of the two times is below clock resolution: its ratio says little.
    pub is_short: bool,
}

impl Pair {
    pub fn ratio(&self) -> f64 {
        self.base / self.variant
    }
}

/// A pair of values by themselves.
impl From<(f64, f64)> for Pair {
    fn from((base, variant): (f64, f64)) -> Self {
        Pair { line: 0, base, variant, batch: None, is_short: false }
    }
}

/// The pairs above clock resolution: on these rest geometric means, medians, wins and losses.
pub fn above_resolution(pairs: &[Pair]) -> Vec<Pair> {
    pairs.iter().copied().filter(|pair| !pair.is_short).collect()
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

/// The ratio of the sums: how much less time the whole set takes. `None` without pairs, or where a number of one is not
/// above 0.
pub fn ratio_of_sums(pairs: &[Pair], seed: u64) -> Option<Estimate> {
    if !usable(pairs) {
        return None;
    }
    let terms = by_batch(pairs, |pair| (pair.base, pair.variant));
    let half = half_width_if(vec![terms], Statistic::LogOfRatio, differing(pairs), seed);
    Some(within_ratios(around(sums_ratio(pairs)?, half), pairs))
}

/// The sum of the base divided by that of the variant, without an interval; `None` where that of the variant is 0.
pub fn sums_ratio(pairs: &[Pair]) -> Option<f64> {
    let (base, variant) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.base, sum.1 + pair.variant));
    (variant > 0.0).then(|| base / variant)
}

/// The geometric mean of the ratios of single positions: what the typical position gains, a fast one counting as much
/// as a slow one. `None` as for [`ratio_of_sums`].
pub fn geometric_mean(pairs: &[Pair], seed: u64) -> Option<Estimate> {
    pooled_geometric_mean(&[pairs.to_vec()], seed)
}

/// The geometric mean over the positions of all strata (test sets), each position counting once. Resamples are drawn
/// within each stratum, because the strata were chosen and not drawn. Strata of a few positions are taken together.
pub fn pooled_geometric_mean(strata: &[Vec<Pair>], seed: u64) -> Option<Estimate> {
    let value = mean_ratio(&strata.concat())?;
    let terms = strata.iter().map(|pairs| by_batch(pairs, |pair| (pair.ratio().ln(), 1.0))).collect();
    let differing = strata.iter().map(|pairs| differing(pairs)).sum();
    Some(around(value, half_width_if(terms, Statistic::Mean, differing, seed)))
}

/// The half width of an interval, where enough positions differ.
fn half_width_if(terms: Vec<Vec<(f64, f64)>>, statistic: Statistic, differing: usize, seed: u64) -> Option<f64> {
    if differing < FEWEST_DIFFERING {
        return None;
    }
    half_width(terms, statistic, &mut Draw::new(seed, "bootstrap"))
}

/// The terms of a bootstrap: one for each batch, the sum of those of its positions, in the order of first mention.
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

/// An estimate whose interval covers processes too. `of_each` is the same ratio as each process alone has it.
///
/// To the scatter of positions comes that of processes: the squares of both half widths are added. That of the
/// processes is Student's, of the mean of their logarithms. One process says nothing of others.
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
pub fn mean_ratio(pairs: &[Pair]) -> Option<f64> {
    let logs = || pairs.iter().map(|pair| pair.ratio().ln());
    usable(pairs).then(|| (logs().sum::<f64>() / pairs.len() as f64).exp())
}

/// The median of the ratios of single positions. `None` as for [`ratio_of_sums`].
pub fn median_ratio(pairs: &[Pair]) -> Option<f64> {
    median(&pairs.iter().map(Pair::ratio).collect::<Vec<_>>()).filter(|_| usable(pairs))
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
pub fn tally(pairs: &[Pair], tolerance: f64) -> Tally {
    let mut tally = Tally::default();
    for Pair { base, variant, .. } in pairs {
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
fn usable(pairs: &[Pair]) -> bool {
    let sound = |value: f64| value.is_finite() && value > 0.0;
    !pairs.is_empty() && pairs.iter().all(|pair| sound(pair.base) && sound(pair.variant))
}

/// On how many positions, or in how many batches, two variants differ.
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

/// The estimate, with its interval cut off at the least and the greatest ratio of a position: no ratio of their sums
/// lies beyond. Where one position outweighs all others, the bootstrap alone would reach further than any ratio that
/// was seen. An interval that is cut off at both ends says no more than these two ratios, and is none.
fn within_ratios(estimate: Estimate, pairs: &[Pair]) -> Estimate {
    let ratios = pairs.iter().map(Pair::ratio);
    let (least, greatest) =
        ratios.fold((f64::INFINITY, 0.0_f64), |(least, greatest), ratio| (ratio.min(least), ratio.max(greatest)));
    let says_something = |(low, high): &(f64, f64)| *low > least || *high < greatest;
    let interval = estimate.interval.filter(says_something).map(|(low, high)| (low.max(least), high.min(greatest)));
    Estimate { interval, ..estimate }
}

#[cfg(test)]
mod tests;
