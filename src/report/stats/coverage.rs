//! How often the intervals hold the truth, on synthetic positions whose true ratio is known. The methods that were
//! tried and not taken stand beside them. The tables take some minutes:
//! `cargo test --release --lib coverage_tables -- --ignored --nocapture --test-threads 1`.

use crate::stats::{
    RESAMPLES, Times, geometric_mean, mean_ratio, median, over_processes, pooled_geometric_mean, ratio_of_sums,
};
use c4lab_measure::sets::draw::Draw;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::statistics::Statistics;
use std::ops::RangeInclusive;

type Pairs = Vec<(f64, f64)>;
type Interval = (f64, f64);

/// The true ratio.
const TRUTH: f64 = 2.0;

/// Standard normal numbers from a seeded stream (G. Box and M. Muller, 1958).
struct Noise(Draw);

impl Noise {
    fn new(label: &str) -> Self {
        Noise(Draw::new(1, label))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.below(1 << 53) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// A position of log-normal size. `size` is the standard deviation of the logarithm of its size. Base and variant
    /// scatter so that the log ratio has the standard deviation `ratio`.
    fn pair(&mut self, size: f64, ratio: f64) -> (f64, f64) {
        let (size, each) = ((size * self.normal()).exp(), ratio / 2_f64.sqrt());
        (TRUTH * size * (each * self.normal()).exp(), size * (each * self.normal()).exp())
    }

    fn pairs(&mut self, count: usize, size: f64, ratio: f64) -> Pairs {
        (0..count).map(|_| self.pair(size, ratio)).collect()
    }
}

/// How often intervals hold the truth, and how wide they are: the median factor between their ends.
#[derive(Default)]
struct Coverage {
    held: usize,
    factors: Vec<f64>,
    none: usize,
}

impl Coverage {
    fn add(&mut self, interval: Option<Interval>) {
        let Some((low, high)) = interval else {
            self.none += 1;
            return;
        };
        self.held += usize::from(low <= TRUTH && TRUTH <= high);
        self.factors.push(high / low);
    }

    fn percent(&self) -> f64 {
        100.0 * self.held as f64 / self.factors.len() as f64
    }

    fn cell(&self) -> String {
        let none = if self.none > 0 { format!(", {} without", self.none) } else { String::new() };
        format!("{:.1} (x{:.2}{none})", self.percent(), median(&self.factors).unwrap_or(f64::NAN))
    }
}

/// The coverage of each method over trials; `intervals` makes those of one trial.
fn simulate<const N: usize>(trials: u64, mut intervals: impl FnMut(u64) -> [Option<Interval>; N]) -> [Coverage; N] {
    let mut coverages = std::array::from_fn(|_| Coverage::default());
    for trial in 0..trials {
        for (coverage, interval) in coverages.iter_mut().zip(intervals(trial)) {
            coverage.add(interval);
        }
    }
    coverages
}

/// The methods that were not taken for the ratio of sums, over the same resamples: percentile, BCa, bootstrap-t with the
/// delta-method error and equal tails, the same with symmetric ends.
fn others(pairs: &Pairs, seed: u64) -> [Option<Interval>; 4] {
    let ratio = |pairs: &Pairs| {
        let (base, variant) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        (base, variant, base / variant)
    };
    let (base, variant, whole) = ratio(pairs);
    let error = |pairs: &Pairs, (base, _, ratio): (f64, f64, f64)| {
        pairs.iter().map(|pair| (pair.0 - ratio * pair.1).powi(2)).sum::<f64>().sqrt() / base
    };
    let (log, standard_error, mut draw) = (whole.ln(), error(pairs, (base, variant, whole)), Draw::new(seed, "others"));
    let mut resample = pairs.clone();
    let (mut logs, mut errors) = (Vec::new(), Vec::new());
    for _ in 0..RESAMPLES {
        resample.fill_with(|| pairs[draw.below(pairs.len())]);
        let sums = ratio(&resample);
        logs.push(sums.2.ln());
        errors.push((sums.2.ln() - log) / error(&resample, sums).max(1e-300));
    }
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    for values in [&mut logs, &mut errors, &mut sizes] {
        values.sort_unstable_by(f64::total_cmp);
    }
    let at = |values: &[f64], share: f64| values[((share * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
    let left_out: Vec<f64> = pairs.iter().map(|pair| ((base - pair.0) / (variant - pair.1)).ln()).collect();
    let corrected = [0.025, 0.975].map(|share| at(&logs, corrected(share, &logs, log, &left_out)));
    let half = at(&sizes, 0.95) * standard_error;
    let exp = |low: f64, high: f64| Some((low.exp(), high.exp()));
    [
        exp(at(&logs, 0.025), at(&logs, 0.975)),
        exp(corrected[0], corrected[1]),
        exp(log - at(&errors, 0.975) * standard_error, log - at(&errors, 0.025) * standard_error),
        exp(log - half, log + half),
    ]
}

/// The share of the sorted resamples that BCa takes in place of `share` (B. Efron, "Better Bootstrap Confidence Intervals", 1987).
fn corrected(share: f64, sorted: &[f64], value: f64, left_out: &[f64]) -> f64 {
    let normal = Normal::standard();
    let mean = left_out.iter().mean();
    let moment = |power: i32| left_out.iter().map(|value| (mean - value).powi(power)).sum::<f64>();
    let acceleration = moment(3) / (6.0 * moment(2).powf(1.5));
    let below = sorted.partition_point(|&resampled| resampled < value) as f64 / sorted.len() as f64;
    let bias = normal.inverse_cdf(below.clamp(0.001, 0.999));
    let z = bias + normal.inverse_cdf(share);
    normal.cdf(bias + z / (1.0 - acceleration * z))
}

/// Kinds of positions for the geometric mean: the ratio may scatter evenly, be the same on half of the positions, have a long tail,
/// or grow with the size of the position.
const KINDS: [&str; 5] = ["normal, sd 0.1", "normal, sd 1", "half are ties", "long tail", "grows with size"];

fn of_kind(kind: &str, noise: &mut Noise, count: usize) -> Pairs {
    let pair = |_| match kind {
        "normal, sd 0.1" => noise.pair(1.6, 0.1),
        "normal, sd 1" => noise.pair(3.1, 1.0),
        "half are ties" => {
            let ratio = if noise.uniform() < 0.5 { 0.0 } else { 0.5 };
            noise.pair(2.3, ratio)
        }
        "long tail" => {
            let (size, tail) = ((2.3 * noise.normal()).exp(), -noise.uniform().ln() - 1.0);
            (TRUTH * size * (0.5 * tail).exp(), size)
        }
        _ => {
            let (base, variant) = noise.pair(2.3, 0.2);
            (base * variant.powf(0.1), variant)
        }
    };
    (0..count).map(pair).collect()
}

/// Three sets, one a tenth of the positions, whose ratios lie apart and scatter differently; their pooled mean is the truth.
fn three_sets(noise: &mut Noise, count: usize) -> Vec<Pairs> {
    let sets = [(count / 10, 2.0, 0.5), (count * 3 / 10, -1.0, 1.0), (count * 6 / 10, 1.0 / 6.0, 0.2)];
    let shifted = |pairs: Pairs, shift: f64| pairs.iter().map(|pair| (pair.0 * shift.exp(), pair.1)).collect();
    sets.map(|(count, shift, ratio)| shifted(noise.pairs(count, 2.3, ratio), shift)).to_vec()
}

/// Positions whose ratio depends on their size. The true ratio of the sums then depends on long ones that a sample
/// seldom holds.
fn growing(noise: &mut Noise, count: usize, size: f64) -> Pairs {
    let slope: f64 = 0.1;
    // E[size^1.1] / E[size] for a log-normal size.
    let shift = ((1.0 + slope).powi(2) - 1.0) * size * size / 2.0;
    let pair = |(base, variant): (f64, f64), scale: f64| (base * scale.powf(slope) * (-shift).exp(), variant);
    let with_scale = |_| {
        let scale = (size * noise.normal()).exp();
        let (base, variant) = noise.pair(0.0, 0.2);
        pair((base * scale, variant * scale), scale)
    };
    (0..count).map(with_scale).collect()
}

fn interval_of_sums(pairs: &Pairs, seed: u64) -> Option<Interval> {
    ratio_of_sums(pairs, seed)?.interval
}

#[test]
#[ignore = "takes minutes: prints tables of docs/METHODOLOGY.md"]
fn coverage_tables_of_the_ratio_of_sums() {
    println!("\n| positions | size | ratio | percentile | BCa | bootstrap-t | symmetric | **taken** |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for count in [20, 100, 1000] {
        for (size, ratio) in [(1.6, 0.1), (1.6, 0.5), (2.3, 0.1), (2.3, 0.5), (3.1, 0.1), (3.1, 0.5)] {
            let mut noise = Noise::new(&format!("sums {count} {size} {ratio}"));
            let coverages = simulate(1000, |trial| {
                let pairs = noise.pairs(count, size, ratio);
                let [percentile, bca, studentised, symmetric] = others(&pairs, trial);
                [percentile, bca, studentised, symmetric, interval_of_sums(&pairs, trial)]
            });
            println!("| {count} | {size} | {ratio} | {} |", coverages.map(|coverage| coverage.cell()).join(" | "));
        }
    }
    println!("\n| positions | size | one ratio | a ratio that grows with size |\n| --- | --- | --- | --- |");
    for (count, trials) in [(5, 2000), (10, 2000), (20, 2000), (100, 2000), (1000, 1000), (20_000, 1000)] {
        for size in [1.6, 3.1] {
            let mut noise = Noise::new(&format!("more {count} {size}"));
            let [same] = simulate(trials, |trial| [interval_of_sums(&noise.pairs(count, size, 0.3), trial)]);
            let [grows] = simulate(trials, |trial| [interval_of_sums(&growing(&mut noise, count, size), trial)]);
            println!("| {count} | {size} | {} | {} |", same.cell(), grows.cell());
        }
    }
}

#[test]
#[ignore = "takes minutes: prints a table of docs/METHODOLOGY.md"]
fn coverage_tables_of_the_geometric_mean() {
    println!("\n| positions | {} | three sets pooled |", KINDS.join(" | "));
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (count, trials) in [(10, 4000), (30, 4000), (100, 4000), (1000, 2000), (5000, 2000)] {
        let mut cells = Vec::new();
        for kind in KINDS {
            let mut noise = Noise::new(&format!("mean {count} {kind}"));
            let mut interval = |trial| geometric_mean(&of_kind(kind, &mut noise, count), trial)?.interval;
            let [coverage] = simulate(trials, |trial| [interval(trial)]);
            cells.push(coverage.cell());
        }
        let mut noise = Noise::new(&format!("pooled {count}"));
        let mut interval = |trial| pooled_geometric_mean(&three_sets(&mut noise, count), trial)?.interval;
        let [coverage] = simulate(trials, |trial| [interval(trial)]);
        println!("| {count} | {} | {} |", cells.join(" | "), coverage.cell());
    }
}

/// The interval of the geometric mean covers as promised; one in so many of the trials at length are made. They are
/// seeded: this says the same each time.
fn geometric_means_cover(one_in: u64, promised: RangeInclusive<f64>) {
    for (count, trials) in [(10, 2000), (30, 1500), (100, 600)] {
        for (size, ratio) in [(1.6, 0.1), (3.1, 1.0)] {
            let mut noise = Noise::new(&format!("quick mean {count} {size} {ratio}"));
            let interval = |trial| [geometric_mean(&noise.pairs(count, size, ratio), trial).unwrap().interval];
            let [coverage] = simulate(trials / one_in, interval);
            assert!(promised.contains(&coverage.percent()), "{count} {size} {ratio}: {}", coverage.cell());
            assert_eq!(coverage.none, 0);
        }
    }
    let mut noise = Noise::new("quick pooled");
    let interval = |trial| [pooled_geometric_mean(&three_sets(&mut noise, 100), trial).unwrap().interval];
    let [coverage] = simulate(600 / one_in, interval);
    assert!(promised.contains(&coverage.percent()), "{}", coverage.cell());
}

/// The interval of the ratio of sums covers, where a percentile interval does not.
fn ratios_of_sums_cover(kinds: &[(usize, f64, f64)], trials: u64, promised: RangeInclusive<f64>) {
    for &(count, size, ratio) in kinds {
        let mut noise = Noise::new(&format!("quick sums {count} {size} {ratio}"));
        let [percentile, .., taken] = simulate(trials, |trial| {
            let pairs = noise.pairs(count, size, ratio);
            [others(&pairs, trial)[0], interval_of_sums(&pairs, trial)]
        });
        assert!(promised.contains(&taken.percent()), "{count} {size} {ratio}: {}", taken.cell());
        assert!(percentile.percent() < 93.0, "{count} {size} {ratio}: {}", percentile.cell());
        assert!(percentile.percent() + 2.0 < taken.percent(), "{count} {size} {ratio}");
    }
}

/// Above some number of positions groups of them are drawn: they must cover as single ones do, and give the same width.
fn groups_cover(trials: u64, promised: RangeInclusive<f64>, off: f64) {
    let mut noise = Noise::new("quick groups");
    let [sums, mean] = simulate(trials, |trial| {
        let pairs = noise.pairs(3000, 2.3, 0.3);
        [interval_of_sums(&pairs, trial), geometric_mean(&pairs, trial).unwrap().interval]
    });
    for coverage in [&sums, &mean] {
        assert!(promised.contains(&coverage.percent()), "{}", coverage.cell());
    }
    let expected = (2.0 * 1.96 * 0.3 / 3000_f64.sqrt()).exp();
    assert!((median(&mean.factors).unwrap() / expected - 1.0).abs() < off, "{}", mean.cell());
}

/// Forty positions, each measured by so many processes. The logarithms of the processes' ratios scatter by `among`. The
/// interval is that of the tables: over the medians of each position, widened by the scatter of processes.
fn over_several(noise: &mut Noise, processes: usize, among: f64, seed: u64) -> Option<Interval> {
    let offsets: Vec<f64> = (0..processes).map(|_| among * noise.normal()).collect();
    let positions = noise.pairs(40, 1.6, 0.1);
    let mut of_process = |offset: &f64| -> Pairs {
        positions.iter().map(|pair| (pair.0 * (offset + 0.02 * noise.normal()).exp(), pair.1)).collect()
    };
    let each: Vec<Pairs> = offsets.iter().map(&mut of_process).collect();
    let middle = |at: usize| median(&each.iter().map(|pairs| pairs[at].0).collect::<Vec<_>>()).unwrap();
    let pooled: Pairs = positions.iter().enumerate().map(|(at, pair)| (middle(at), pair.1)).collect();
    let means: Vec<f64> = each.iter().map(|pairs| mean_ratio(pairs).unwrap()).collect();
    over_processes(geometric_mean(&pooled, seed).unwrap(), &means).interval
}

/// The interval covers whether processes lie apart or not.
fn processes_are_covered(trials: u64, promised: RangeInclusive<f64>) {
    for processes in [3, 5] {
        for among in [0.0, 0.02, 0.2] {
            let mut noise = Noise::new(&format!("processes {processes} {among}"));
            let [coverage] = simulate(trials, |trial| [over_several(&mut noise, processes, among, trial)]);
            assert!(promised.contains(&coverage.percent()), "{processes} {among}: {}", coverage.cell());
        }
    }
}

/// Batches of positions, each disturbed as a whole: the logarithms of their disturbances scatter by `shared`, and those of their
/// positions by a tenth. Intervals of positions drawn together, and one by one.
fn in_batches(noise: &mut Noise, shared: f64, seed: u64) -> [Option<Interval>; 4] {
    let mut times = Vec::new();
    for batch in 0..30 {
        let off = (shared * noise.normal()).exp();
        let disturbed = |pair: (f64, f64)| Times { pair: (pair.0 * off, pair.1), batch: Some(batch) };
        times.extend(noise.pairs(9, 0.5, 0.1).into_iter().map(disturbed));
    }
    let apart: Pairs = times.iter().map(|times| times.pair).collect();
    [
        ratio_of_sums(&times, seed),
        geometric_mean(&times, seed),
        ratio_of_sums(&apart, seed),
        geometric_mean(&apart, seed),
    ]
    .map(|estimate| estimate.unwrap().interval)
}

/// Where what disturbs the machine disturbs a whole batch, intervals of single positions are too narrow.
fn batches_are_covered(trials: u64, promised: RangeInclusive<f64>) {
    for shared in [0.0, 0.1] {
        let mut noise = Noise::new(&format!("batches {shared}"));
        let coverages = simulate(trials, |trial| in_batches(&mut noise, shared, trial));
        let cells = || coverages.each_ref().map(Coverage::cell);
        assert!(coverages[..2].iter().all(|taken| promised.contains(&taken.percent())), "{shared}: {:?}", cells());
        let apart = coverages[2..].iter().map(Coverage::percent);
        assert!(shared == 0.0 || apart.clone().all(|percent| percent < 70.0), "{shared}: {:?}", cells());
    }
}

#[test]
fn intervals_over_batches_cover() {
    batches_are_covered(60, 87.0..=100.0);
}

#[test]
fn intervals_over_processes_cover() {
    processes_are_covered(40, 85.0..=100.0);
}

#[test]
fn the_interval_of_the_geometric_mean_covers() {
    geometric_means_cover(5, 92.0..=98.0);
}

#[test]
fn the_interval_of_the_ratio_of_sums_covers() {
    ratios_of_sums_cover(&[(20, 1.6, 0.1), (60, 2.3, 0.5), (100, 3.1, 0.1)], 120, 91.0..=98.5);
}

#[test]
fn intervals_from_groups_cover() {
    groups_cover(20, 85.0..=100.0, 0.003);
}

// At length: a right method at 95 % stays within 93 to 97 in all of these. Together they take minutes; the gate runs them.

#[test]
#[ignore = "takes long; the gate runs it"]
fn intervals_over_batches_cover_at_length() {
    batches_are_covered(100, 89.0..=99.0);
}

#[test]
#[ignore = "takes long; the gate runs it"]
fn intervals_over_processes_cover_at_length() {
    processes_are_covered(200, 90.0..=99.9);
}

#[test]
#[ignore = "takes long; the gate runs it"]
fn the_interval_of_the_geometric_mean_covers_at_length() {
    geometric_means_cover(1, 93.0..=97.0);
}

#[test]
#[ignore = "takes long; the gate runs it"]
fn the_interval_of_the_ratio_of_sums_covers_at_length() {
    ratios_of_sums_cover(&[(20, 1.6, 0.1), (100, 2.3, 0.5), (100, 3.1, 0.1)], 200, 91.5..=98.0);
}

#[test]
#[ignore = "takes long; the gate runs it"]
fn intervals_from_groups_cover_at_length() {
    groups_cover(80, 89.0..=99.0, 0.002);
}
