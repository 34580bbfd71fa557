//! The proof of the intervals: one variant under two names, each with a table of its own. Nothing differs but where the
//! tables lie, so an interval that excludes 1 is wrong.

use crate::proof::Proof;
use crate::results::{Ground, Series};
use crate::stats::{Estimate, Times, geometric_mean, ratio_of_sums};
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};

/// Of how many intervals how many may exclude 1: 6 of 120 are expected by chance, and more than 12 come in less than one
/// case of a hundred.
const ALLOWED: f64 = 12.0 / 120.0;

/// What each process of each ground says of the second column beside the first.
pub fn proof(grounds: &[Ground], seed: u64) -> Proof {
    let (mut rows, mut estimates) = (Vec::new(), Vec::new());
    for ground in grounds {
        let [one, other] = ground.columns.as_slice() else { continue };
        for (process, pairs) in of_processes(ground, one, other) {
            let sums = ratio_of_sums(&pairs, seed);
            let mean = geometric_mean(&ground.telling((one, other), &pairs), seed);
            let value = |estimate: Option<Estimate>| Cell::number(estimate.map(|estimate| estimate.value), times);
            rows.push(vec![
                Cell::text(format!("{}, {}", ground.set, ground.goal.name())),
                Cell::count(process as usize),
                Cell::count(pairs.len()),
                value(sums),
                Cell::interval_of(sums),
                value(mean),
                Cell::interval_of(mean),
            ]);
            estimates.extend([sums, mean].into_iter().flatten());
        }
    }
    let intervals: Vec<(f64, f64)> = estimates.iter().filter_map(|estimate| estimate.interval).collect();
    let excluding = intervals.iter().filter(|(low, high)| *low > 1.0 || *high < 1.0).count();
    let allowed = (ALLOWED * intervals.len() as f64).round() as usize;
    let names = grounds.first().map(|ground| ground.columns.iter().map(|column| column.variant.as_str()));
    let names = names.map_or(String::new(), |names| names.collect::<Vec<_>>().join(" and "));
    Proof {
        holds: !intervals.is_empty() && excluding <= allowed,
        sheet: Table {
            name: "same",
            subject: Subject { set: None, goal: None, apart: None },
            title: format!("the same under two names: {names}"),
            note: "The two are one search, compiled once; each has a table, which lies elsewhere in memory. Every process measures \
                   them anew, and has an interval over the positions. Of twenty such intervals one excludes 1 by chance; twice as \
                   many are allowed."
                .to_string(),
            conclusion: format!(
                "Of {} intervals, {excluding} exclude 1; {allowed} may. {} are too few.",
                intervals.len(),
                estimates.len() - intervals.len()
            ),
            columns: vec![
                Column::text("set", "set"),
                Column::number("process", "process"),
                Column::number("n", "positions"),
                Column::number("ratio of sums", "ratio_of_sums"),
                Column::interval("ratio_of_sums"),
                Column::number("geometric mean", "geometric_mean"),
                Column::interval("geometric_mean"),
            ],
            rows,
        },
    }
}

/// Times by process; by the one process, where there is one.
fn of_processes(ground: &Ground, one: &Series, other: &Series) -> Vec<(u32, Vec<Times>)> {
    match ground.times_of_processes(one, other) {
        none if none.is_empty() => vec![(1, ground.times(one, other))],
        processes => processes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    /// Forty positions, by each process; beside `a`, `b` takes so many per cent.
    fn rows(percent: &[u64]) -> Vec<Sample> {
        let of = |(process, &percent): (usize, &u64)| {
            let with = move |sample: Sample| Sample { process: process as u32 + 1, ..sample };
            (1..=40).flat_map(move |id| {
                let ns = 100_000 * (10 + id % 3);
                [with(sample("a", id, ns, 5)), with(sample("b", id, ns * (percent + id % 5 - 2) / 100, 5))]
            })
        };
        percent.iter().enumerate().flat_map(of).collect()
    }

    fn proof_of(percent: &[u64]) -> Proof {
        proof(&results(&rows(percent), &["a", "b"]).grounds, 1)
    }

    #[test]
    fn who_is_not_told_from_itself_is_the_same() {
        let proof = proof_of(&[100; 5]);
        assert!(proof.holds);
        assert_eq!(proof.sheet.conclusion, "Of 10 intervals, 0 exclude 1; 1 may. 0 are too few.");
        assert_eq!((proof.sheet.rows.len(), proof.sheet.title.as_str()), (5, "the same under two names: a and b"));
    }

    #[test]
    fn one_process_that_lies_off_is_two_intervals_and_one_too_many() {
        let proof = proof_of(&[100, 100, 104, 100, 100]);
        assert!(!proof.holds);
        assert_eq!(proof.sheet.conclusion, "Of 10 intervals, 2 exclude 1; 1 may. 0 are too few.");
        assert!(proof_of(&[100, 100, 104, 100, 100, 100, 100, 100, 100, 100]).holds, "2 of 20 may");
    }

    #[test]
    fn one_process_is_enough_and_none_proves_nothing() {
        assert_eq!(proof_of(&[100]).sheet.rows.len(), 1);
        assert!(!proof(&[], 1).holds);
    }
}
