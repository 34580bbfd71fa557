//! Intervals over positions: a studentised bootstrap.
//!
//! Each resample draws positions with replacement, within each stratum. Its distance from the ratio of the sample is
//! counted in its *own* standard errors. 95 % of the resamples are within some number of them. The interval reaches
//! this number of standard errors of the sample to either side (P. Hall, "On Symmetric Bootstrap Confidence Intervals",
//! 1988).
//!
//! Standard errors are those of the jackknife, which leaves out one position at a time. If a single position makes up
//! most of a sum, the usual (delta-method) error takes its ratio for the truth and is far too small. Leaving the
//! position out shows its weight. Of the methods tried, only this one covers 95 % (docs/METHODOLOGY.md, "How intervals
//! are made"; the simulations are in `src/report/stats/coverage.rs` of revision cf8c828).
//!
//! The work of each resample is written as plain loops. The functions of a range may come from a crate that was not
//! optimised (Cargo.toml, `profile.release`), and each would be a call.

use crate::stats::RESAMPLES;
use c4lab_measure::sets::draw::Draw;

/// The most units of all strata together. More positions are drawn in groups. A power of two whose cube is below 2^32,
/// since three indices come from one random number.
const UNITS: usize = 1024;

/// The least units of a stratum, even with many strata. Also the least positions of a stratum that is not merged.
const FEWEST: usize = 8;

const LEVEL: f64 = 0.95;

const ROUNDING: f64 = 1e-12;

/// The number that is estimated from terms (numerator, denominator).
#[derive(Clone, Copy)]
pub(super) enum Statistic {
    /// The mean over all strata of the numerators; a position's denominator is 1.
    Mean,
    /// The logarithm of the ratio of the sums, of a single stratum.
    LogOfRatio,
}

/// The half width of the 95 % interval around a statistic; `None` if its terms are too few or equal.
pub(super) fn half_width(strata: Vec<Vec<(f64, f64)>>, statistic: Statistic, draw: &mut Draw) -> Option<f64> {
    let strata = merged(strata);
    let units = (UNITS / strata.len().max(1)).max(FEWEST);
    let strata: Vec<Vec<(f64, f64)>> = strata.into_iter().map(|terms| grouped(terms, units, draw)).collect();
    if strata.is_empty() || strata.iter().any(|terms| terms.len() < 3) {
        return None;
    }
    let total: f64 = strata.iter().flatten().map(|term| term.1).sum();
    let strata: Vec<Stratum> = strata.iter().map(|terms| Stratum::new(terms, total, statistic)).collect();
    let standard_error = strata.iter().map(|stratum| stratum.missed_by(&stratum.units).1).sum::<f64>().sqrt();
    if !(standard_error.is_finite() && standard_error > ROUNDING) {
        return None;
    }
    let mut picked = Vec::new();
    let mut errors: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut missed, mut variance) = (0.0, 0.0);
            for stratum in &strata {
                stratum.resample(draw, &mut picked);
                let (difference, square) = stratum.missed_by(&picked);
                missed += difference;
                variance += square;
            }
            // A resample that is one position over and over has no standard error to count its distance in.
            let error = variance.sqrt();
            if error > 1e-9 * standard_error { missed.abs() / error } else { f64::INFINITY }
        })
        .collect();
    let (_, &mut widest, _) = errors.select_nth_unstable_by((LEVEL * RESAMPLES as f64) as usize, f64::total_cmp);
    Some(widest * standard_error).filter(|half| half.is_finite())
}

/// Merges the smallest strata until each has at least [`FEWEST`] positions.
fn merged(mut strata: Vec<Vec<(f64, f64)>>) -> Vec<Vec<(f64, f64)>> {
    strata.retain(|terms| !terms.is_empty());
    strata.sort_by_key(|terms| std::cmp::Reverse(terms.len()));
    while strata.len() > 1 && strata[strata.len() - 1].len() < FEWEST {
        let smallest = strata.pop().unwrap_or_default();
        let index = strata.len() - 1;
        strata[index].extend(smallest);
        strata.sort_by_key(|terms| std::cmp::Reverse(terms.len()));
    }
    strata
}

/// The terms, or, if there are more than `units`, the sums of `units` random groups of terms.
fn grouped(mut terms: Vec<(f64, f64)>, units: usize, draw: &mut Draw) -> Vec<(f64, f64)> {
    if terms.len() <= units {
        return terms;
    }
    draw.shuffle(&mut terms);
    let mut groups = vec![(0.0, 0.0); units];
    for (index, term) in terms.iter().enumerate() {
        let group = &mut groups[index % units];
        group.0 += term.0;
        group.1 += term.1;
    }
    groups
}

/// A position or a group of positions, relative to the ratio of its stratum.
#[derive(Clone, Copy)]
struct Unit {
    /// The numerator less ratio times denominator.
    excess: f64,
    denominator: f64,
}

struct Stratum {
    units: Vec<Unit>,
    ratio: f64,
    share: f64,
    statistic: Statistic,
}

impl Stratum {
    fn new(terms: &[(f64, f64)], total: f64, statistic: Statistic) -> Self {
        let (numerator, denominator) = terms.iter().fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        let ratio = numerator / denominator;
        let unit =
            |&(numerator, denominator): &(f64, f64)| Unit { excess: numerator - ratio * denominator, denominator };
        Stratum { units: terms.iter().map(unit).collect(), ratio, share: denominator / total, statistic }
    }

    /// Draws as many units as there are, with replacement.
    fn resample(&self, draw: &mut Draw, picked: &mut Vec<Unit>) {
        let units = self.units.as_slice();
        // `lots` is at most 2^30. Dividing 32 bits is quicker than drawing again.
        let (lots, base) = (units.len().pow(3), units.len() as u32);
        picked.clear();
        picked.extend_from_slice(units);
        let (picked, mut at) = (picked.as_mut_slice(), 0);
        while at < units.len() {
            let (mut lot, mut left) = (draw.below(lots) as u32, 3);
            while left > 0 && at < units.len() {
                picked[at] = units[(lot % base) as usize];
                lot /= base;
                (at, left) = (at + 1, left - 1);
            }
        }
    }

    /// The difference between the statistics of `picked` and of all units, and the square of the standard error of
    /// `picked`; both as parts of the statistic of all strata.
    fn missed_by(&self, picked: &[Unit]) -> (f64, f64) {
        let mut sum = Unit { excess: 0.0, denominator: 0.0 };
        let mut at = 0;
        while at < picked.len() {
            sum.excess += picked[at].excess;
            sum.denominator += picked[at].denominator;
            at += 1;
        }
        let difference = sum.excess / sum.denominator;
        let ratio = self.ratio + difference;
        let shrink = (picked.len() - 1) as f64 / picked.len() as f64;
        let mut squares = 0.0;
        at = 0;
        while at < picked.len() {
            // The unit relative to the ratio of `picked`, and the change of that ratio without the unit.
            let excess = picked[at].excess - difference * picked[at].denominator;
            let rest = sum.denominator - picked[at].denominator;
            squares += match self.statistic {
                Statistic::Mean => (excess / rest).powi(2),
                // ln(x) - ln(y) is (x - y) / sqrt(x y) but for terms of third order.
                Statistic::LogOfRatio => excess.powi(2) / (rest * (ratio * rest - excess)),
            };
            at += 1;
        }
        match self.statistic {
            Statistic::Mean => (self.share * difference, self.share * self.share * shrink * squares),
            Statistic::LogOfRatio => ((difference / self.ratio).ln_1p(), shrink * squares / ratio),
        }
    }
}
