//! Statistics by hand, and properties that hold of any numbers.

use super::*;

type Estimator = fn(&[Pair], u64) -> Option<Estimate>;

const ESTIMATORS: [Estimator; 2] = [ratio_of_sums, geometric_mean];

fn of(values: &[(f64, f64)]) -> Vec<Pair> {
    values.iter().copied().map(Pair::from).collect()
}

/// The values 1 to 7 of the base and 1 to 5 of the variant, in all combinations.
fn varied(count: u32) -> Vec<Pair> {
    (1..=count).map(|i| Pair::from((f64::from(i % 7 + 1), f64::from(i % 5 + 1)))).collect()
}

fn width(estimate: Option<Estimate>) -> f64 {
    let (low, high) = estimate.unwrap().interval.unwrap();
    (high / low).ln()
}

#[test]
fn values_by_hand() {
    let close = |left: f64, right: f64| (left / right - 1.0).abs() < 1e-12;
    let pairs = of(&[(2.0, 1.0), (8.0, 1.0), (4.0, 4.0)]);
    assert!(close(ratio_of_sums(&pairs, 1).unwrap().value, 14.0 / 6.0));
    // The cube root of 2 * 8 * 1.
    assert!(close(geometric_mean(&pairs, 1).unwrap().value, 2.519_842_099_789_746));
    assert!(close(pooled_geometric_mean(&[pairs.clone(), vec![], of(&[(1.0, 1.0)])], 1).unwrap().value, 2.0));
    assert_eq!(mean_ratio(&pairs), geometric_mean(&pairs, 1).map(|mean| mean.value));
    assert_eq!(median_ratio(&pairs), Some(2.0));
    assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0]), median(&[])), (Some(2.0), Some(2.5), None));
    let pairs = of(&[(2.0, 1.0), (1.04, 1.0), (1.0, 1.0), (1.0, 1.04), (1.0, 1.06), (1.0, 3.0)]);
    assert_eq!(tally(&pairs, 0.05), Tally { wins: 1, ties: 3, losses: 2 });
    assert_eq!(tally(&pairs, 0.0), Tally { wins: 2, ties: 1, losses: 3 });
}

/// Mean 3, squares 2, two degrees of freedom: t is 4.302653.
#[test]
fn the_mean_of_repetitions_by_hand() {
    let (low, high) = mean_interval(&[2.0, 3.0, 4.0]).unwrap().interval.unwrap();
    let half = 4.302_652_73 / 3_f64.sqrt();
    assert!((low - 3.0 + half).abs() < 1e-6 && (high - 3.0 - half).abs() < 1e-6, "{low} {high}");
    assert_eq!(mean_interval(&[5.0]), Some(Estimate { value: 5.0, interval: None }));
    assert_eq!(mean_interval(&[5.0, 5.0]), Some(Estimate { value: 5.0, interval: Some((5.0, 5.0)) }));
    assert_eq!(mean_interval(&[]), None);
}

#[test]
fn processes_widen_an_interval_and_move_nothing() {
    let wide = |half: f64| Estimate { value: 2.0, interval: Some((2.0 * (-half).exp(), 2.0 * half.exp())) };
    let scatter = 0.04 * 3_f64.sqrt() / 4.302_652_73;
    let of_each = [-1.0, 0.0, 1.0].map(|step| 2.0 * (step * scatter).exp());
    let (low, high) = over_processes(wide(0.03), &of_each).interval.unwrap();
    let half = |end: f64| (end / 2.0).ln();
    assert!((half(low) + 0.05).abs() < 1e-6 && (half(high) - 0.05).abs() < 1e-6, "{low} {high}");
    for alone in [&[][..], &[1.7]] {
        assert_eq!(over_processes(wide(0.03), alone), wide(0.03));
    }
    // A side that was cut off gets no narrower, and the other no wider for it.
    let cut_off = Estimate { value: 2.0, interval: Some((1.5, 2.05)) };
    let (low, high) = over_processes(cut_off, &[2.0, 2.0, 2.0]).interval.unwrap();
    assert!((low - 1.5).abs() < 1e-12 && (high - 2.05).abs() < 1e-12, "{low} {high}");
    let none = Estimate { value: 2.0, interval: None };
    assert_eq!(over_processes(none, &of_each), none, "too few positions stay too few");
}

/// Standard normal numbers from a seeded stream (G. Box and M. Muller, 1958).
fn normal(draw: &mut Draw) -> f64 {
    let mut uniform = || (draw.below(1 << 53) as f64 + 0.5) / (1_u64 << 53) as f64;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// Positions of log-normal size, whose true ratio is 2. Both times vary equally, so 2 is also the ratio of the sums.
fn scattered(draw: &mut Draw, count: usize, size: f64, ratio: f64) -> Vec<Pair> {
    let each = ratio / 2_f64.sqrt();
    let mut pair = || {
        let size = (size * normal(draw)).exp();
        Pair::from((2.0 * size * (each * normal(draw)).exp(), size * (each * normal(draw)).exp()))
    };
    (0..count).map(|_| pair()).collect()
}

/// The percentage of intervals that hold the true ratio, 2. Trials without an interval are left out.
fn coverage(trials: u64, mut estimate: impl FnMut(&mut Draw, u64) -> Option<Estimate>) -> f64 {
    let mut draw = Draw::new(1, "coverage");
    let intervals: Vec<(f64, f64)> = (0..trials).filter_map(|seed| estimate(&mut draw, seed)?.interval).collect();
    assert!(2 * intervals.len() as u64 >= trials);
    let held = intervals.iter().filter(|(low, high)| *low <= 2.0 && 2.0 <= *high).count();
    100.0 * held as f64 / intervals.len() as f64
}

/// Trials are seeded: a right method stays within these bounds each time (docs/METHODOLOGY.md has longer simulations).
#[test]
fn intervals_cover_as_much_as_they_say() {
    for (count, size, ratio) in [(10, 1.6, 0.1), (30, 3.1, 1.0), (100, 1.6, 0.1)] {
        let mean = coverage(200, |draw, seed| geometric_mean(&scattered(draw, count, size, ratio), seed));
        assert!((91.0..=98.5).contains(&mean), "geometric mean of {count}: {mean}");
    }
    for (count, size, ratio) in [(20, 1.6, 0.1), (60, 2.3, 0.5)] {
        let sums = coverage(150, |draw, seed| ratio_of_sums(&scattered(draw, count, size, ratio), seed));
        assert!((90.0..=99.0).contains(&sums), "ratio of sums of {count}: {sums}");
    }
    // Many positions are drawn in groups.
    let groups = coverage(20, |draw, seed| ratio_of_sums(&scattered(draw, 3000, 2.3, 0.3), seed));
    assert!(groups >= 86.0, "groups: {groups}");
}

/// If each process or each batch is off by its own factor, intervals over single positions are far too narrow.
#[test]
fn intervals_cover_processes_and_batches() {
    for among in [0.0, 0.02, 0.2] {
        let processes = coverage(60, |draw, seed| {
            let positions = scattered(draw, 40, 1.6, 0.1);
            let off: Vec<f64> = (0..5).map(|_| (among * normal(draw)).exp()).collect();
            let middle = median(&off).unwrap();
            let pooled: Vec<_> = positions.iter().map(|pair| Pair { base: pair.base * middle, ..*pair }).collect();
            let each = off.iter().map(|off| off * mean_ratio(&positions).unwrap()).collect::<Vec<_>>();
            Some(over_processes(geometric_mean(&pooled, seed)?, &each))
        });
        assert!(processes >= 86.0, "processes {among}: {processes}");
    }
    let in_batches = |draw: &mut Draw, numbered: bool, seed| {
        let mut times = Vec::new();
        for number in 0..30 {
            let (off, batch) = ((0.1 * normal(draw)).exp(), numbered.then_some(number));
            let pairs = scattered(draw, 9, 0.5, 0.1);
            times.extend(pairs.into_iter().map(|pair| Pair { base: pair.base * off, batch, ..pair }));
        }
        geometric_mean(&times, seed)
    };
    let [together, apart] = [true, false].map(|numbered| coverage(60, |draw, seed| in_batches(draw, numbered, seed)));
    assert!(together >= 88.0 && apart < 75.0, "{together} {apart}");
}

#[test]
fn pairs_that_cannot_be_divided_have_no_ratio() {
    for values in [&[][..], &[(1.0, 0.0)], &[(0.0, 1.0)], &[(1.0, 2.0), (f64::NAN, 1.0)]] {
        let pairs = of(values);
        assert_eq!(ESTIMATORS.map(|estimator| estimator(&pairs, 1)), [None, None], "{pairs:?}");
        assert_eq!((median_ratio(&pairs), mean_ratio(&pairs)), (None, None), "{pairs:?}");
    }
}

#[test]
fn pairs_that_do_not_vary_have_no_interval() {
    let scaled: Vec<_> = (1..50).map(|i| (0.2 * f64::from(i), 0.1 * f64::from(i))).collect();
    let nine_differ: Vec<_> = (0..40).map(|i| (if i < 9 { f64::from(i % 3 + 2) } else { 1.0 }, 1.0)).collect();
    let ten_differ: Vec<_> = (0..40).map(|i| (if i < 10 { f64::from(i % 3 + 2) } else { 1.0 }, 1.0)).collect();
    for estimator in ESTIMATORS {
        for values in [&scaled[..], &nine_differ, &[(2.0, 1.0); 10], &[(2.0, 1.0)], &[(2.0, 1.0), (3.0, 1.0)]] {
            assert_eq!(estimator(&of(values), 1).unwrap().interval, None, "{values:?}");
        }
        assert!(estimator(&of(&ten_differ), 1).unwrap().interval.is_some());
    }
    assert_eq!(ratio_of_sums(&of(&[(2.0, 1.0); 10]), 1), Some(Estimate { value: 2.0, interval: None }));
}

#[test]
fn estimates_are_a_function_of_their_seed() {
    for estimator in ESTIMATORS {
        for pairs in [varied(50), varied(3000)] {
            assert_eq!(estimator(&pairs, 1), estimator(&pairs, 1));
            assert_ne!(estimator(&pairs, 1), estimator(&pairs, 2));
        }
    }
}

#[test]
fn the_inverse_has_the_inverse_interval() {
    let turned: Vec<Pair> = varied(40).iter().map(|pair| Pair::from((pair.variant, pair.base))).collect();
    for estimator in ESTIMATORS {
        let (low, high) = estimator(&varied(40), 1).unwrap().interval.unwrap();
        let (turned_low, turned_high) = estimator(&turned, 1).unwrap().interval.unwrap();
        assert!((low * turned_high - 1.0).abs() < 1e-9 && (high * turned_low - 1.0).abs() < 1e-9);
    }
}

/// Sets with distant ratios and little variation in each: only drawing within sets gives the narrow interval.
#[test]
fn strata_are_drawn_within() {
    let near = |center: f64| -> Vec<Pair> {
        (0..40).map(|i| Pair::from((center * (1.0 + 0.001 * f64::from(i % 5)), 1.0))).collect()
    };
    let strata = [near(1.0), near(10.0)];
    assert!(width(pooled_geometric_mean(&strata, 1)) < 0.001);
    assert!(width(geometric_mean(&strata.concat(), 1)) > 0.4);
    // Strata of one position are merged, and have an interval together.
    let pairs: Vec<Vec<Pair>> = varied(35).chunks(1).map(<[_]>::to_vec).collect();
    assert!(pooled_geometric_mean(&pairs, 1).unwrap().interval.is_some());
}

/// Each position outweighs all before it, so the interval would be the range of all ratios.
#[test]
fn an_interval_that_is_the_range_of_all_ratios_is_none() {
    let pair = |i: i32| Pair::from((f64::from(i % 3 + 5) * 100_f64.powi(i), 4.0 * 100_f64.powi(i)));
    let estimate = ratio_of_sums(&(0..13).map(pair).collect::<Vec<_>>(), 1).unwrap();
    assert!((estimate.value - 1.25).abs() < 0.01 && estimate.interval.is_none(), "{estimate:?}");
    // One end may be cut off.
    let wide = around(1.1, Some(1.0));
    assert_eq!(within_ratios(wide, &of(&[(1.0, 1.0), (9.0, 1.0)])).interval, Some((1.0, 1.1 * 1_f64.exp())));
}

/// Five positions a batch, all off by one factor: batches vary, positions in a batch do not.
#[test]
fn positions_of_a_batch_are_drawn_together() {
    let noise = |batch: u32| 0.3 * (f64::from(batch) * 2.1).sin();
    let pairs = |batches: u32, numbered: bool| -> Vec<Pair> {
        let base = |place: u32| 1000.0 * (noise(place / 5) + 0.001 * f64::from(place % 5)).exp();
        let batch = |place: u32| numbered.then_some(place / 5);
        (0..5 * batches).map(|place| Pair { batch: batch(place), ..Pair::from((base(place), 1000.0)) }).collect()
    };
    for estimator in ESTIMATORS {
        let [together, apart] = [true, false].map(|numbered| estimator(&pairs(40, numbered), 1).unwrap());
        assert!((together.value / apart.value - 1.0).abs() < 1e-12, "the number is the same");
        let wider = width(Some(together)) / width(Some(apart));
        assert!((1.8..2.8).contains(&wider), "the root of five: {wider}");
        assert_eq!(estimator(&pairs(9, true), 1).unwrap().interval, None, "nine batches are too few");
    }
    let alone: Vec<Pair> = (0..60).map(|at| Pair { batch: Some(at), ..pairs(12, false)[at as usize] }).collect();
    assert_eq!(geometric_mean(&alone, 1), geometric_mean(&pairs(12, false), 1), "batches of one");
}

/// To nine digits, of which printed tables have four.
#[test]
fn student_agrees_with_known_quantiles() {
    let degrees = [1, 2, 3, 5, 10, 30, 120, 1000];
    let known = [
        12.706_204_74,
        4.302_652_73,
        3.182_446_31,
        2.570_581_84,
        2.228_138_85,
        2.042_272_46,
        1.979_930_41,
        1.962_339_08,
    ];
    for (degrees, known) in degrees.into_iter().zip(known) {
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
