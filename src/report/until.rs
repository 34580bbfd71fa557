//! When to stop measuring: how wide the headline intervals are, and what would narrow them.
//!
//! The headline is the geometric mean of a variant's ratios of times, beside the base, in a set under a goal. Its
//! interval speaks of other positions like these. Two things make it wide: positions differ in their ratio, and each ratio is
//! measured with noise. Further positions help against both, further passes only against the noise. So positions are
//! added while a set has more, and then passes, as long as the noise is what is in the way. The third part is the
//! scatter of processes, against which only further processes help.

use crate::results::{Column, Ground, Observed, Results, pairs};
use crate::stats::{Estimate, geometric_mean};
use crate::tables::comparison::{Comparison, Quantity};

/// The geometric mean of a variant beside the base, and how wide its interval is. Half widths are of logarithms: 0.03 is
/// 3 % to either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// The variant, its set and goal, as messages name them.
    pub name: String,
    /// The half width of the interval; `None` where too few positions differ for one.
    pub half: Option<f64>,
    /// What would be left of it after endless passes; `None` where one pass cannot tell.
    pub floor: Option<f64>,
    /// Whether most of that is the scatter of processes.
    pub by_processes: bool,
}

/// How much is measured: passes, and positions of each set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// Passes over the sets.
    pub passes: u64,
    /// Positions of each set, where they may still grow: how many, and how many the largest set has.
    pub positions: Option<(usize, usize)>,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum NextStep {
    /// Every interval is narrow enough.
    Enough,
    /// So many positions of each set.
    Positions(usize),
    /// So many passes.
    Passes(u64),
    /// The most passes are made.
    MostPasses,
    /// There is no time for more.
    NoTime,
    /// No further pass would make those narrow that are still too wide.
    NoUse,
}

/// The headlines of results: every variant without a wrong or failed answer, beside the first of its ground.
pub fn headlines(results: &Results, seed: u64) -> Vec<Headline> {
    let of = |ground: &Ground| {
        let base = ground.columns.first().filter(|base| base.is_sound());
        let others = ground.columns.iter().skip(1).filter(|column| column.is_sound());
        let timed = others.filter_map(|column| Some((ground.timed_base(base?, column)?, column)));
        let timed = timed.filter(|(base, column)| base.variant != column.variant && base.is_sound());
        timed.filter_map(|(base, column)| headline(ground, base, column, seed)).collect::<Vec<_>>()
    };
    results.grounds.iter().flat_map(of).collect()
}

fn headline(ground: &Ground, base: &Column, column: &Column, seed: u64) -> Option<Headline> {
    let whole = Comparison::of(ground, base, column, Quantity::Time, seed).geometric_mean?;
    let times = ground.telling((base, column), &ground.times(base, column));
    let alone = geometric_mean(&times, seed)?;
    // As if every position had been disturbed by itself: the noise that those of a batch share is no scatter of positions.
    let apart: Vec<(f64, f64)> = times.iter().map(|times| times.pair).collect();
    let half = half_width(whole);
    let share = share_of_positions(ground, base, column);
    let floor_of_positions =
        half_width(geometric_mean(&apart, seed)?).zip(share).map(|(half, share)| half * share.sqrt());
    let of_processes =
        half.zip(half_width(alone)).map_or(0.0, |(whole, alone)| (whole * whole - alone * alone).max(0.0).sqrt());
    Some(Headline {
        name: format!("{} on {}", column.variant, ground.title()),
        half,
        floor: floor_of_positions.map(|floor| floor.hypot(of_processes)),
        by_processes: floor_of_positions.is_some_and(|floor| of_processes > floor),
    })
}

fn half_width(estimate: Estimate) -> Option<f64> {
    estimate.interval.map(|(low, high)| (high / low).ln() / 2.0)
}

/// What share of the variance of the positions' log ratios is not noise; `None` after a single pass.
fn share_of_positions(ground: &Ground, base: &Column, column: &Column) -> Option<f64> {
    let told = |pair: &(f64, f64)| !ground.is_short((base, column), pair);
    let cells = || {
        pairs(base, column).filter_map(move |(_, base, variant)| {
            let pair = (base.ns()?, variant.ns()?);
            told(&pair).then_some((pair, base, variant))
        })
    };
    let logs: Vec<f64> = cells().map(|(pair, ..)| (pair.0 / pair.1).ln()).collect();
    let noise: Vec<f64> = cells().filter_map(|(_, base, variant)| noise(base, variant)).collect();
    if noise.is_empty() || logs.len() < 3 {
        return None;
    }
    let noise = noise.iter().sum::<f64>() / noise.len() as f64;
    let all = variance(&logs);
    Some(if all > 0.0 { ((all - noise) / all).clamp(0.0, 1.0) } else { 0.0 })
}

/// The square of the standard error of a position's log ratio, from its passes.
fn noise(base: &Observed, variant: &Observed) -> Option<f64> {
    let (count, same) = (base.times.len(), base.times.len() == variant.times.len());
    let ratios = base.times.iter().zip(&variant.times).map(|(base, variant)| (base / variant).ln());
    (same && count > 1).then(|| variance(&ratios.collect::<Vec<_>>()) / count as f64)
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

impl Headline {
    /// Whether its interval is wider than `target` to either side.
    pub fn is_wide(&self, target: f64) -> bool {
        self.half.is_none_or(|half| half > target)
    }

    /// Whether further passes might make it narrow enough.
    fn gains_by_passes(&self, target: f64) -> bool {
        self.half.is_some() && self.floor.is_none_or(|floor| floor < target)
    }

    /// What is said of one that is still too wide.
    pub fn told(&self, target: f64) -> String {
        let percent = |half: f64| format!("{:.1} %", 100.0 * half.exp_m1());
        let Some(half) = self.half else { return format!("{}: too few positions for an interval", self.name) };
        let more = match self.floor.filter(|_| !self.gains_by_passes(target)) {
            Some(floor) => {
                let what = if self.by_processes { "processes" } else { "positions" };
                format!(", and {} after endless passes: only more {what} narrow it", percent(floor))
            }
            None => String::new(),
        };
        format!("{}: {}{more}", self.name, percent(half))
    }
}

/// What comes next. `affords` says how many times as much as is there may be measured yet: 0.5 is half as much again.
pub fn next(headlines: &[Headline], target: f64, amount: Amount, most_passes: u64, affords: f64) -> NextStep {
    let wide: Vec<&Headline> = headlines.iter().filter(|headline| headline.is_wide(target)).collect();
    if wide.is_empty() {
        return NextStep::Enough;
    }
    // At most twice as much at a time: a first guess is a rough one.
    let most = 1.0 + affords.clamp(0.0, 1.0);
    let greatest = |of: &dyn Fn(&Headline) -> f64, wide: &[&Headline]| wide.iter().map(|it| of(it)).fold(1.0, f64::max);
    if let Some((count, whole)) = amount.positions.filter(|(count, whole)| count < whole) {
        let wanted = greatest(&|it| it.half.map_or(2.0, |half| (half / target).powi(2)), &wide);
        let affordable = (count as f64 * most) as usize;
        let next = ((count as f64 * wanted).ceil() as usize).max(count + 1).min(affordable).min(whole);
        return if next > count { NextStep::Positions(next) } else { NextStep::NoTime };
    }
    let gaining: Vec<&Headline> = wide.into_iter().filter(|headline| headline.gains_by_passes(target)).collect();
    if gaining.is_empty() {
        return NextStep::NoUse;
    }
    if amount.passes >= most_passes {
        return NextStep::MostPasses;
    }
    let wanted = greatest(
        &|it| match (it.half, it.floor) {
            (Some(half), Some(floor)) => (half * half - floor * floor) / (target * target - floor * floor),
            _ => 1.0,
        },
        &gaining,
    );
    let affordable = (amount.passes as f64 * most) as u64;
    let next = ((amount.passes as f64 * wanted).ceil() as u64).max(amount.passes + 1).min(affordable).min(most_passes);
    if next > amount.passes { NextStep::Passes(next) } else { NextStep::NoTime }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    fn headline(half: f64, floor: Option<f64>) -> Headline {
        Headline { name: "b on s, strong".to_string(), half: Some(half), floor, by_processes: false }
    }

    fn amount(passes: u64, positions: Option<(usize, usize)>) -> Amount {
        Amount { passes, positions }
    }

    #[test]
    fn positions_come_first_and_then_passes() {
        let step = |headlines: &[Headline], amount| next(headlines, 0.03, amount, 100, 9.0);
        let alone = |headline: &Headline, amount| step(std::slice::from_ref(headline), amount);
        let (narrow, wide) = (headline(0.02, None), headline(0.036, Some(0.0)));
        assert_eq!(alone(&narrow, amount(1, Some((50, 300)))), NextStep::Enough);
        assert_eq!(step(&[], amount(1, None)), NextStep::Enough);
        // 1.2 squared is 1.44.
        assert_eq!(step(&[narrow, wide.clone()], amount(1, Some((50, 300)))), NextStep::Positions(72));
        assert_eq!(alone(&wide, amount(1, Some((50, 60)))), NextStep::Positions(60));
        assert_eq!(alone(&wide, amount(10, Some((60, 60)))), NextStep::Passes(15));
        assert_eq!(alone(&wide, amount(10, None)), NextStep::Passes(15));
        assert_eq!(step(&[headline(0.3, None)], amount(1, None)), NextStep::Passes(2), "one pass knows no noise");
        assert_eq!(step(&[headline(0.3, Some(0.01))], amount(8, None)), NextStep::Passes(16), "twice at most");
        let few = Headline { half: None, floor: None, ..headline(0.0, None) };
        assert_eq!(alone(&few, amount(2, Some((5, 30)))), NextStep::Positions(10));
        assert_eq!(alone(&few, amount(2, None)), NextStep::NoUse, "no pass makes an interval of too few positions");
    }

    #[test]
    fn what_no_pass_narrows_is_said() {
        let stuck = headline(0.05, Some(0.04));
        assert_eq!(next(std::slice::from_ref(&stuck), 0.03, amount(4, None), 100, 9.0), NextStep::NoUse);
        assert_eq!(
            stuck.told(0.03),
            "b on s, strong: 5.1 %, and 4.1 % after endless passes: only more positions narrow it"
        );
        let processes = Headline { by_processes: true, ..stuck.clone() };
        assert!(processes.told(0.03).ends_with("only more processes narrow it"));
        let gaining = headline(0.06, Some(0.01));
        assert_eq!(next(&[stuck, gaining.clone()], 0.03, amount(4, None), 100, 9.0), NextStep::Passes(8));
        assert_eq!(gaining.told(0.03), "b on s, strong: 6.2 %");
    }

    #[test]
    fn passes_and_time_have_an_end() {
        let wide = [headline(0.3, Some(0.0))];
        assert_eq!(next(&wide, 0.03, amount(8, None), 10, 9.0), NextStep::Passes(10));
        assert_eq!(next(&wide, 0.03, amount(10, None), 10, 9.0), NextStep::MostPasses);
        assert_eq!(next(&wide, 0.03, amount(8, None), 100, 0.5), NextStep::Passes(12));
        assert_eq!(next(&wide, 0.03, amount(8, None), 100, 0.1), NextStep::NoTime);
        assert_eq!(next(&wide, 0.03, amount(1, Some((40, 99))), 100, 0.25), NextStep::Positions(50));
        assert_eq!(next(&wide, 0.03, amount(1, Some((40, 99))), 100, 0.0), NextStep::NoTime);
    }

    /// Positions whose ratios differ by `spread`, measured in passes that differ by `noise`.
    fn measured(passes: u32, spread: f64, noise: f64) -> Vec<Sample> {
        let mut rows = Vec::new();
        for id in 1..=40_u64 {
            for pass in 0..passes {
                let truth = spread * (id as f64 * 0.7).sin();
                let off = noise * ((id * 31 + u64::from(pass) * 17) as f64 * 1.3).sin();
                let ns = 1e6 * (truth + off).exp();
                rows.push(Sample { repetition: pass, ..sample("a", id, ns as u64, 5) });
                rows.push(Sample { repetition: pass, ..sample("b", id, 1_000_000, 5) });
            }
        }
        rows
    }

    fn one(rows: &[Sample]) -> Headline {
        let headlines = headlines(&results(rows, &["a", "b"]), 1);
        assert_eq!(headlines.len(), 1);
        headlines[0].clone()
    }

    #[test]
    fn noise_is_told_from_positions_that_differ() {
        assert_eq!(one(&measured(1, 0.3, 0.1)).floor, None);
        let spread = one(&measured(4, 0.3, 0.01));
        assert!(spread.floor.unwrap() > 0.99 * spread.half.unwrap(), "{spread:?}");
        let noisy = one(&measured(4, 0.0, 0.3));
        assert!(noisy.floor.unwrap() < 0.6 * noisy.half.unwrap(), "{noisy:?}");
        assert!(one(&measured(4, 0.3, 0.0)).half > one(&measured(4, 0.1, 0.0)).half);
    }

    #[test]
    fn who_is_wrong_has_no_headline() {
        let mut rows = measured(2, 0.3, 0.1);
        rows.push(Sample { status: Status::Wrong, repetition: 2, ..sample("b", 1, 1, 1) });
        assert!(headlines(&results(&rows, &["a", "b"]), 1).is_empty());
    }
}
