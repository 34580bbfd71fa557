//! Ratios of two variants over the positions that both have, with the intervals that a verdict needs.
//!
//! Two things move a ratio: other positions, and another run of the same ones. On exactly the published positions only
//! the second counts. On a sample both count, and the interval holds both.

use crate::results::{Observed, Outcome, Series, pairs};
use crate::stats::mean_interval;
use crate::stats::{Estimate, Times, over_processes, ratio_of_sums};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Nothing: nodes on the published positions have no error.
    Exact,
    Repetitions,
    Positions,
    Both,
    Processes,
    All,
}

impl Over {
    pub fn word(self) -> &'static str {
        match self {
            Over::Exact => "exact",
            Over::Repetitions => "repetitions",
            Over::Positions => "positions",
            Over::Both => "positions and repetitions",
            Over::Processes => "processes",
            Over::All => "positions and processes",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredRatio {
    pub value: f64,
    /// Its 95 % interval; `None` where there is too little to say.
    pub interval: Option<(f64, f64)>,
    pub over: Over,
}

impl MeasuredRatio {
    pub fn exact(value: f64) -> Self {
        MeasuredRatio { value, interval: Some((value, value)), over: Over::Exact }
    }

    /// A number with the interval that fits its positions. On the `published` ones it is over repetitions, if there are
    /// any. On others it also holds the interval over positions.
    pub fn of(value: f64, published: bool, positions: Option<(f64, f64)>, repetitions: Option<(f64, f64)>) -> Self {
        let (interval, over) = match (published, positions, repetitions) {
            (true, _, Some(repetitions)) => (Some(repetitions), Over::Repetitions),
            (false, Some(positions), Some(repetitions)) => {
                (Some((positions.0.min(repetitions.0), positions.1.max(repetitions.1))), Over::Both)
            }
            (_, positions, _) => (positions, Over::Positions),
        };
        MeasuredRatio { value, interval, over }
    }
}

/// Two variants on the positions that both have, except those where one failed.
#[derive(Debug)]
pub struct Pairing<'a> {
    cells: Vec<(&'a Observed, &'a Observed)>,
    /// Whether both ran in the same way, so that their times may be compared.
    alike: bool,
    seed: u64,
}

impl<'a> Pairing<'a> {
    pub fn of(base: &'a Series, variant: &'a Series, seed: u64) -> Self {
        let both = pairs(base, variant);
        let both = both.filter(|(_, base, variant)| !base.outcome.is_failure() && !variant.outcome.is_failure());
        let cells = both.map(|(_, base, variant)| (base, variant)).collect();
        Pairing { cells, alike: base.run_time == variant.run_time, seed }
    }

    /// Whether both ran in the same way: one at run time and one compiled by itself have no times to compare.
    pub fn is_alike(&self) -> bool {
        self.alike
    }

    pub fn positions(&self) -> usize {
        self.cells.len()
    }

    /// How many of them reached a limit for one or the other.
    pub fn limited(&self) -> usize {
        let limited = |cell: &Observed| cell.outcome == Outcome::Limited;
        self.cells.iter().filter(|(base, variant)| limited(base) || limited(variant)).count()
    }

    pub fn repetitions(&self) -> usize {
        self.cells.iter().map(|(base, variant)| base.times.len().min(variant.times.len())).min().unwrap_or(0)
    }

    pub fn time(&self, published: bool) -> Option<MeasuredRatio> {
        let alike = self.cells.iter().filter(|_| self.alike);
        let times =
            alike.filter_map(|(base, variant)| Some(Times { pair: (base.ns()?, variant.ns()?), batch: base.batch }));
        let times: Vec<Times> = times.collect();
        let sums = ratio_of_sums(&times, self.seed)?;
        let processes = self.by_process();
        if processes.len() > 1 && !published {
            let Estimate { value, interval } = over_processes(sums, &processes);
            return Some(MeasuredRatio { value, interval, over: Over::All });
        }
        let Estimate { value, interval } = sums;
        let repetitions = over_repetitions(&self.by_repetition());
        let spread = repetitions.and_then(|repetitions| repetitions.interval);
        // A number stands in the middle of its own interval: that over repetitions is of whole passes, not of medians.
        let passes = repetitions.map(|repetitions| repetitions.value).filter(|_| published && spread.is_some());
        Some(self.named(MeasuredRatio::of(passes.unwrap_or(value), published, interval, spread)))
    }

    /// What scatter over repetitions is called: each process is one, where there are several.
    fn named(&self, ratio: MeasuredRatio) -> MeasuredRatio {
        match ratio.over {
            Over::Repetitions if self.by_process().len() > 1 => MeasuredRatio { over: Over::Processes, ..ratio },
            _ => ratio,
        }
    }

    /// The base's nodes divided by the variant's; without error on the `published` positions.
    pub fn nodes(&self, published: bool) -> Option<MeasuredRatio> {
        let Estimate { value, interval } = ratio_of_sums(&self.node_pairs(), self.seed)?;
        Some(if published { MeasuredRatio::exact(value) } else { MeasuredRatio::of(value, false, interval, None) })
    }

    /// The base's time for a node divided by the variant's, over all positions together. It depends on the positions: its interval, over
    /// repetitions alone, is one of these positions. So it is only asked of a whole set.
    pub fn node_time(&self) -> Option<MeasuredRatio> {
        let (base, variant) = self.node_pairs().iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let nodes = (variant > 0.0 && self.alike).then(|| base / variant)?;
        let Estimate { value, interval } = over_repetitions(&self.by_repetition())?;
        let interval = interval.map(|(low, high)| (low / nodes, high / nodes));
        Some(self.named(MeasuredRatio::of(value / nodes, true, None, interval)))
    }

    fn node_pairs(&self) -> Vec<(f64, f64)> {
        self.cells.iter().filter_map(|(base, variant)| Some((base.nodes?, variant.nodes?))).collect()
    }

    /// The ratio of the sums of times in every process that has all positions.
    fn by_process(&self) -> Vec<f64> {
        let passes = self.cells.iter().flat_map(|(base, _)| &base.passes);
        let processes: BTreeSet<u32> = passes.map(|pass| pass.process).collect();
        let of = |process: u32| {
            let ns = |cell: &Observed| cell.ns_of(|pass| pass.process == process);
            let mut cells = self.cells.iter();
            let sums =
                cells.try_fold((0.0, 0.0), |sum, (base, variant)| Some((sum.0 + ns(base)?, sum.1 + ns(variant)?)));
            sums.map(|(base, variant)| base / variant)
        };
        processes.into_iter().filter_map(of).collect()
    }

    /// The ratio of the sums of times in every repetition; in every process, where there are several.
    fn by_repetition(&self) -> Vec<f64> {
        let processes = self.by_process();
        if processes.len() > 1 {
            return processes;
        }
        let of = |repetition: usize| {
            let add = |sum: (f64, f64), (base, variant): &(&Observed, &Observed)| {
                (sum.0 + base.times[repetition], sum.1 + variant.times[repetition])
            };
            let (base, variant) = self.cells.iter().fold((0.0, 0.0), add);
            base / variant
        };
        (0..self.repetitions()).map(of).collect()
    }
}

/// The geometric mean of a ratio over its repetitions, with Student's interval of the mean of logarithms.
fn over_repetitions(ratios: &[f64]) -> Option<Estimate> {
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let Estimate { value, interval } = mean_interval(&logarithms)?;
    Some(Estimate { value: value.exp(), interval: interval.map(|(low, high)| (low.exp(), high.exp())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    /// Variant a takes twice the time and three times the nodes of b, on `positions`, with a little noise.
    fn rows(positions: u64, repetitions: u32) -> Vec<Sample> {
        let mut rows = Vec::new();
        for position in 1..=positions {
            for repetition in 0..repetitions {
                let (size, noise) = (1000 * position * position, 10 * u64::from(repetition) * position);
                rows.push(Sample { repetition, ..sample("a", position, 2 * size + noise, 30 * position) });
                rows.push(Sample { repetition, ..sample("b", position, size, 10 * position) });
            }
        }
        rows
    }

    fn with<T>(rows: &[Sample], look: impl Fn(&Pairing<'_>) -> T) -> T {
        let results = results(rows, &["a", "b"]);
        let ground = &results.grounds[0];
        look(&Pairing::of(ground.column("a").unwrap(), ground.column("b").unwrap(), 1))
    }

    #[test]
    fn on_the_published_positions_the_interval_is_over_repetitions() {
        with(&rows(9, 3), |pairing| {
            assert_eq!((pairing.positions(), pairing.repetitions(), pairing.limited()), (9, 3, 0));
            let time = pairing.time(true).unwrap();
            let (low, high) = time.interval.unwrap();
            assert_eq!(time.over, Over::Repetitions);
            assert!(low < time.value && time.value < high && high - low < 0.05, "{time:?}");
            let nodes = pairing.nodes(true).unwrap();
            assert_eq!((nodes.value, nodes.interval, nodes.over), (3.0, Some((3.0, 3.0)), Over::Exact));
            let node_time = pairing.node_time().unwrap();
            assert!((node_time.value - 2.0 / 3.0).abs() < 0.01, "{node_time:?}");
        });
    }

    /// One long interruption moves a pass, but no median: the number stays within its printed interval.
    #[test]
    fn a_number_lies_in_its_interval() {
        let mut rows = rows(40, 3);
        rows.iter_mut().filter(|row| row.position_id == 1 && row.repetition == 1).for_each(|row| {
            row.wall_ns = row.wall_ns.map(|ns| if row.variant == "b" { 50_000_000 } else { ns });
        });
        with(&rows, |pairing| {
            let time = pairing.time(true).unwrap();
            let (low, high) = time.interval.unwrap();
            assert!(low < time.value && time.value < high, "{time:?}");
        });
    }

    #[test]
    fn on_a_sample_it_holds_the_interval_over_positions() {
        let mut rows = rows(40, 3);
        rows.iter_mut().filter(|row| row.position_id % 2 == 0).for_each(|row| row.wall_ns = row.wall_ns.map(|_| 5000));
        with(&rows, |pairing| {
            let (published, sampled) = (pairing.time(true).unwrap(), pairing.time(false).unwrap());
            assert_eq!(sampled.over, Over::Both);
            let (narrow, wide) = (published.interval.unwrap(), sampled.interval.unwrap());
            assert!(wide.0 <= narrow.0 && wide.1 >= narrow.1 && wide.1 - wide.0 > 0.01, "{narrow:?} {wide:?}");
        });
    }

    /// Processes lie further apart than their repetitions, and it is they that count.
    #[test]
    fn of_several_processes_each_is_one() {
        let of = |process: u32| {
            rows(40, 2).into_iter().map(move |row| {
                let slower = if row.variant == "a" { u64::from(90 + 10 * process) } else { 100 };
                Sample { process, wall_ns: row.wall_ns.map(|ns| ns * slower / 100), ..row }
            })
        };
        let rows: Vec<Sample> = (1..=3).flat_map(of).collect();
        with(&rows, |pairing| {
            assert_eq!(pairing.by_repetition().len(), 3);
            let (published, sampled) = (pairing.time(true).unwrap(), pairing.time(false).unwrap());
            assert_eq!(
                [published.over, sampled.over, pairing.node_time().unwrap().over],
                [Over::Processes, Over::All, Over::Processes]
            );
            let width = |ratio: MeasuredRatio| ratio.interval.map(|(low, high)| (high / low).ln()).unwrap();
            assert!(width(published) > 0.3 && width(sampled) >= width(published), "{published:?} {sampled:?}");
        });
    }

    #[test]
    fn too_little_has_no_interval() {
        with(&rows(9, 1), |pairing| {
            assert_eq!(pairing.time(true).unwrap().over, Over::Positions);
            assert_eq!(pairing.node_time().unwrap().interval, None);
        });
        // One position says nothing of others, however often it is measured.
        with(&rows(1, 5), |pairing| {
            assert_eq!(pairing.time(false).unwrap().interval, None);
            assert!(pairing.time(true).unwrap().interval.is_some());
        });
    }

    #[test]
    fn limited_positions_are_counted_and_failed_ones_left_out() {
        let mut rows = rows(4, 1);
        rows[0].status = Status::Timeout;
        rows[0].limit_ns = Some(50);
        rows[2].status = Status::Wrong;
        with(&rows, |pairing| assert_eq!((pairing.positions(), pairing.limited()), (3, 1)));
    }
}
