//! The proof of the clock: chains of known length, by our clock and by the system's.

use crate::proof::Proof;
use crate::table::units::{time, times};
use crate::table::{Cell, Column, Subject, Table};
use anyhow::{Context, Result};
use c4lab_measure::clock::{Calibration, middle};
use c4lab_measure::files::atomic;
use c4lab_measure::files::rows::{self, RowsOf};
use c4lab_measure::run::chain::{ChainRow, FILE, LENGTHS_NS};
use std::collections::BTreeMap;
use std::path::Path;

/// The shortest length that is to be measured right.
const FROM_NS: u64 = 200;
/// How far a time, and a ratio of two, may lie off.
const WITHIN: f64 = 0.02;

/// The samples of one length, by round: nanoseconds expected and measured.
type Length = BTreeMap<u32, (f64, f64)>;

/// What the rows say.
pub fn proof(rows: &[ChainRow]) -> Proof {
    let calibration = rows.first().map(ChainRow::clock).unwrap_or_default();
    let of = |length_ns: u64| -> Length {
        let same = rows.iter().filter(|row| row.length_ns == length_ns);
        same.map(|row| (row.round, (row.expected_ns, row.wall_ns as f64))).collect()
    };
    let lengths: Vec<(u64, Length)> = LENGTHS_NS.into_iter().map(|length| (length, of(length))).collect();
    let (mut shown, mut off) = (Vec::new(), Vec::new());
    for (at, (length_ns, samples)) in lengths.iter().enumerate() {
        let ratio = middle_of(samples, |_, (expected, measured)| Some(measured / expected));
        let step =
            lengths.get(at + 1).and_then(|(_, next)| middle_of(samples, |round, one| beside(one, *next.get(&round)?)));
        shown.push(vec![
            Cell::count(samples.len()),
            Cell::number(middle_of(samples, |_, (expected, _)| Some(expected)), time),
            Cell::number(middle_of(samples, |_, (_, measured)| Some(measured)), time),
            Cell::number(ratio, times),
            Cell::number(step, times),
        ]);
        if *length_ns >= FROM_NS {
            off.extend([ratio, step].into_iter().flatten().map(|value| (value - 1.0).abs()));
        }
    }
    let most = off.iter().copied().fold(0.0, f64::max);
    let holds = !off.is_empty() && most <= WITHIN;
    Proof { holds, sheet: sheet(shown, (most, holds), calibration) }
}

/// Writes the rows into a folder.
///
/// # Errors
/// They cannot be written.
pub fn write(folder: &Path, rows: &[ChainRow]) -> Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    atomic::write(&folder.join(FILE), &writer.into_inner()?)
}

/// The rows of a folder.
///
/// # Errors
/// There are none, or they cannot be read.
pub fn read(folder: &Path) -> Result<Vec<ChainRow>> {
    let file = folder.join(FILE);
    let bytes = rows::open(&file).with_context(|| file.display().to_string())?;
    RowsOf::of(&file, Box::new(bytes))?.collect()
}

/// The ratio of two lengths as measured, divided by the true one.
fn beside(one: (f64, f64), next: (f64, f64)) -> Option<f64> {
    Some(next.1 / one.1 / (next.0 / one.0))
}

fn middle_of(samples: &Length, of: impl Fn(u32, (f64, f64)) -> Option<f64>) -> Option<f64> {
    middle(samples.iter().filter_map(|(&round, &sample)| of(round, sample)).collect())
}

fn sheet(rows: Vec<Vec<Cell>>, (most, holds): (f64, bool), calibration: Calibration) -> Table {
    let Calibration { cost_ns, resolution_ns, counter_khz } = calibration;
    let clock = counter_khz.map_or("the system's monotonic clock".to_string(), |khz| {
        format!("the processor's counter at {:.0} MHz", khz as f64 / 1000.0)
    });
    Table {
        name: "chain",
        subject: Subject { set: None, goal: None, apart: None },
        title: "the clock: a search of known length".to_string(),
        note: format!(
            "A chain of steps, each of which needs the one before, is timed as a search is: once, by {clock}; a sample of nothing \
             takes {cost_ns} ns, which are subtracted, and the resolution is {resolution_ns} ns. Expected is what its steps take by \
             the system's monotonic clock. Each number is the mean of the middle half of all rounds. The last column is the time \
             of the next length beside this one, as measured, divided by what is true. From {FROM_NS} ns on, 0.98 to 1.02 is asked \
             of both."
        ),
        conclusion: format!(
            "From {FROM_NS} ns on, times and their ratios lie at most {:.1} % off{}.",
            100.0 * most,
            if holds { "" } else { ", which is more than 2 %" }
        ),
        columns: vec![
            Column::number("samples", "samples"),
            Column::number("expected", "expected_ns"),
            Column::number("measured", "measured_ns"),
            Column::number("measured : expected", "ratio"),
            Column::number("next length", "next_ratio"),
        ],
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_measure::run::chain::SCHEMA_VERSION;

    /// Five rounds; what is measured of an expected time.
    fn rows(measured: impl Fn(u64) -> u64) -> Vec<ChainRow> {
        let row = |round: u32, length_ns: u64| ChainRow {
            schema_version: SCHEMA_VERSION,
            round,
            length_ns,
            steps: length_ns,
            expected_ns: length_ns as f64,
            // One round of five is disturbed.
            wall_ns: if round == 1 { 9 * length_ns } else { measured(length_ns) },
            cost_ns: 30,
            resolution_ns: 2,
            counter_khz: Some(2_000_000),
        };
        (0..5).flat_map(|round| LENGTHS_NS.map(|length_ns| row(round, length_ns))).collect()
    }

    #[test]
    fn a_clock_that_is_right_in_most_rounds_holds() {
        let proof = proof(&rows(|ns| ns + 3));
        assert!(proof.holds, "{}", proof.sheet.conclusion);
        assert_eq!(proof.sheet.rows.len(), LENGTHS_NS.len());
        let shown: Vec<String> = proof.sheet.rows[2].iter().map(Cell::shown).collect();
        assert_eq!(shown[..4], ["5", "200 ns", "203 ns", "1.01x"]);
        assert!(proof.sheet.conclusion.contains("at most 1.5 % off."), "{}", proof.sheet.conclusion);
        assert!(
            proof.sheet.note.contains("counter at 2000 MHz; a sample of nothing takes 30 ns"),
            "{}",
            proof.sheet.note
        );
    }

    #[test]
    fn what_is_off_below_200_ns_is_not_asked() {
        assert!(proof(&rows(|ns| if ns < 200 { 2 * ns } else { ns })).holds);
    }

    #[test]
    fn a_cost_that_is_not_subtracted_and_a_wrong_rate_do_not_hold() {
        assert!(!proof(&rows(|ns| ns + 8)).holds, "4 % of 200 ns");
        assert!(!proof(&rows(|ns| ns * 103 / 100)).holds, "the rate of the counter");
        let two = |ns| if ns > 20_000 { ns * 101 / 100 } else { ns * 985 / 1000 };
        let proof = proof(&rows(two));
        assert!(
            !proof.holds && proof.sheet.conclusion.contains("2.5 % off, which"),
            "two regimes: {}",
            proof.sheet.conclusion
        );
    }

    #[test]
    fn nothing_measured_proves_nothing() {
        assert!(!proof(&[]).holds);
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows(|ns| ns);
        write(folder.path(), &rows).unwrap();
        assert_eq!(read(folder.path()).unwrap(), rows);
        assert!(read(&folder.path().join("none")).unwrap_err().to_string().ends_with("none/chain.csv"));
    }
}
