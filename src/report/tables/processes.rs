//! Processes: what each process alone says of every variant beside the base. How far they lie apart is in the intervals
//! of all other tables.

use crate::results::{Ground, Series};
use crate::stats::mean_ratio;
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::summary::ratio;

/// A line for each variant and process; `None` where one process measured everything.
pub fn sheet(ground: &Ground, base: &Series) -> Option<Table> {
    if ground.processes.len() < 2 {
        return None;
    }
    let (mut rows, mut widest) = (Vec::new(), None);
    for variant in ground.columns.iter().filter(|column| column.variant != base.variant) {
        let Some(base) = ground.timed_base(base, variant) else { continue };
        let mut means = Vec::new();
        for (process, pairs) in ground.times_of_processes(base, variant) {
            let mean = mean_ratio(&ground.telling((base, variant), &pairs));
            means.extend(mean);
            rows.push(vec![
                Cell::text(&base.variant),
                Cell::text(&variant.variant),
                Cell::count(process as usize),
                Cell::count(pairs.len()),
                Cell::number(ratio(&pairs), times),
                Cell::number(mean, times),
            ]);
        }
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        let apart = means.iter().copied().fold(0.0, f64::max) / least - 1.0;
        if widest.as_ref().is_none_or(|(most, _)| apart > *most) {
            widest = Some((apart, &variant.variant));
        }
    }
    let said = |(apart, name): (f64, &String)| {
        format!("By the geometric mean, the processes lie {:.1} % apart at most: those of {name}.", 100.0 * apart)
    };
    Some(Table {
        name: "processes",
        subject: Subject::of(ground),
        title: format!("{}: process by process", ground.title()),
        note: format!(
            "Times of the base divided by those of the variant, over the positions that all of these processes have.{}{}",
            ground.said_of_limits(),
            ground.said_of_times()
        ),
        conclusion: widest.filter(|(apart, _)| apart.is_finite()).map_or(String::new(), said),
        columns: vec![
            Column::text("base", "base"),
            Column::text("variant", "variant"),
            Column::number("process", "process"),
            Column::number("n", "positions"),
            Column::number("ratio of sums", "ratio_of_sums"),
            Column::number("geometric mean", "geometric_mean"),
        ],
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::comparison::{Comparison, Quantity};
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    /// Ten positions; beside `a`, `b` is so many times as fast in each process.
    fn rows(faster: &[u64]) -> Vec<Sample> {
        let of = |(process, &faster): (usize, &u64)| {
            let with = move |sample: Sample| Sample { process: process as u32 + 1, ..sample };
            (1..=10).flat_map(move |id| {
                let ns = 1000 * (10 + id % 3);
                [with(sample("a", id, faster * ns, 5)), with(sample("b", id, ns + id % 2, 5))]
            })
        };
        faster.iter().enumerate().flat_map(of).collect()
    }

    #[test]
    fn each_process_has_a_line_and_their_scatter_is_in_the_interval() {
        let results = results(&rows(&[2, 3, 2]), &["a", "b"]);
        let ground = &results.grounds[0];
        let sheet = sheet(ground, &ground.columns[0]).unwrap();
        let shown: Vec<Vec<String>> =
            sheet.rows.iter().map(|row| row[1..5].iter().map(Cell::shown).collect()).collect();
        assert_eq!(shown, [["b", "1", "10", "2.00x"], ["b", "2", "10", "3.00x"], ["b", "3", "10", "2.00x"]]);
        let width = |faster: &[u64]| {
            let results = crate::results::tests::results(&rows(faster), &["a", "b"]);
            let ground = &results.grounds[0];
            let time = Comparison::of(ground, &ground.columns[0], &ground.columns[1], Quantity::Time, 1);
            [time.ratio_of_sums, time.geometric_mean].map(|estimate| {
                let (low, high) = estimate.unwrap().interval.unwrap();
                (high / low).ln()
            })
        };
        let (alone, apart) = (width(&[2]), width(&[2, 3, 2]));
        assert!(alone.iter().zip(&apart).all(|(alone, apart)| *apart > 10.0 * alone), "{alone:?} {apart:?}");
    }

    #[test]
    fn one_process_has_no_table() {
        let results = results(&rows(&[2]), &["a", "b"]);
        assert_eq!(sheet(&results.grounds[0], &results.grounds[0].columns[0]), None);
    }
}
