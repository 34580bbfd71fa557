//! By ply: what variants take as the board fills, and how often their tables know the answer.

use crate::results::{Ground, Observed, Outcome, Series};
use crate::table::units::{three_digits, time};
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::run::counting::Counts;
use std::ops::RangeInclusive;

/// A row for each variant and every `band` plies. `counts` are those of the folder, where it has any.
pub fn sheet(ground: &Ground, counts: &[Counts], band: u32) -> Table {
    let mut bands: Vec<u32> = ground.places.iter().map(|place| place.ply / band).collect();
    bands.sort_unstable();
    bands.dedup();
    let rows = bands.iter().flat_map(|&number| {
        let part = ground.keep(|_, place| place.ply / band == number);
        let stones = number * band..=(number * band).saturating_add(band - 1);
        part.columns.iter().filter_map(|column| row(&part, column, &stones, counts)).collect::<Vec<_>>()
    });
    Table {
        name: "by-ply",
        subject: Subject::of(ground),
        title: format!("{}: by stones on the board", ground.title()),
        note: "Table hits: probes that knew a bound, of all probes, from the counting pass (`--counters`).".to_string()
            + &ground.said_of_limits()
            + &ground.said_of_times(),
        conclusion: longest(ground, band, &bands),
        columns: vec![
            Column::number("stones from", "ply_from"),
            Column::number("to", "ply_to"),
            Column::text("variant", "variant"),
            Column::number("n", "positions"),
            Column::number("answered", "ok"),
            Column::number("mean time", "mean_ns"),
            Column::number("mean nb pos", "mean_nodes"),
            Column::number("table hits", "hit_share"),
        ],
        rows: rows.collect(),
    }
}

/// The stones that take the largest part of the first variant's time, and what part of theirs others spend there.
fn longest(ground: &Ground, band: u32, bands: &[u32]) -> String {
    let sum = |column: &Series, number: Option<u32>| -> f64 {
        let within = |ply: u32| number.is_none_or(|number| ply / band == number);
        let cells = column.cells.iter().zip(&ground.places).filter(|(_, place)| within(place.ply));
        cells.filter_map(|(cell, _)| cell.as_ref()?.ns()).sum()
    };
    let sound = || ground.columns.iter().filter(|column| column.is_sound());
    let Some(first) = sound().next().filter(|_| bands.len() > 1) else { return String::new() };
    let of_first = |number: &&u32| sum(first, Some(**number));
    let longest = bands.iter().max_by(|one, other| of_first(one).total_cmp(&of_first(other)));
    let Some(&number) = longest else { return String::new() };
    // Shares of other positions cannot be put beside each other.
    let alike =
        |column: &&Series| column.cells.iter().zip(&first.cells).all(|(own, one)| own.is_some() == one.is_some());
    let share = |column: &Series| (sum(column, Some(number)) / sum(column, None), column.variant.clone());
    let mut shares: Vec<(f64, String)> =
        sound().filter(alike).map(share).filter(|(share, _)| share.is_finite()).collect();
    shares.sort_by(|one, other| one.0.total_cmp(&other.0));
    let stones = format!("Positions with {} to {} stones", number * band, (number * band).saturating_add(band - 1));
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    match shares.as_slice() {
        [] => String::new(),
        [(share, variant)] => format!("{stones} take {} of the time of {variant}.", percent(*share)),
        [least, .., most] => format!(
            "{stones} take the largest part of the time of {}: {}. Of all variants they take {} ({}) to {} ({}).",
            first.variant,
            percent(share(first).0),
            percent(least.0),
            least.1,
            percent(most.0),
            most.1
        ),
    }
}

fn row(part: &Ground, column: &Series, stones: &RangeInclusive<u32>, counts: &[Counts]) -> Option<Vec<Cell>> {
    let cells: Vec<&Observed> = column.cells.iter().flatten().collect();
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let ours = counts.iter().filter(|counts| {
        counts.set_sha256 == part.set_sha256
            && counts.goal == part.goal
            && counts.variant == column.variant
            && stones.contains(&counts.ply)
    });
    let (hits, probes) = ours.fold((0.0, 0.0), |sum, ours| (sum.0 + ours.hits as f64, sum.1 + ours.probes as f64));
    let share = (probes > 0.0).then(|| hits / probes);
    let row = vec![
        Cell::count(*stones.start() as usize),
        Cell::count(*stones.end() as usize),
        Cell::text(&column.variant),
        Cell::count(cells.len()),
        Cell::count(cells.iter().filter(|cell| cell.outcome == Outcome::Answered).count()),
        Cell::number(mean(cells.iter().filter_map(|cell| cell.ns()).collect()), time),
        Cell::number(mean(cells.iter().filter_map(|cell| cell.nodes).collect()), three_digits),
        Cell::number(share, |share| format!("{:.1} %", 100.0 * share)),
    ];
    (!cells.is_empty()).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;
    use c4lab_solver::search::Goal;

    #[test]
    fn numbers_that_nobody_counted_do_not_overflow() {
        let results = results(&[Sample { ply: u32::MAX, ..sample("a", 1, 1, 1) }], &[]);
        let counts = Counts {
            set_sha256: "d".to_string(),
            ply: u32::MAX,
            variant: "a".to_string(),
            goal: Goal::Strong,
            probes: u64::MAX,
            hits: u64::MAX,
            ..Counts::default()
        };
        let sheet = sheet(&results.grounds[0], &[counts.clone(), counts], 4);
        let shown: Vec<String> = sheet.rows[0].iter().map(Cell::shown).collect();
        assert_eq!((shown[1].as_str(), shown[7].as_str()), ("4294967295", "100.0 %"));
    }

    #[test]
    fn a_row_for_each_band_and_variant() {
        let at = |ply: u32, sample: Sample| Sample { ply, ..sample };
        let rows = [
            at(8, sample("a", 1, 100, 10)),
            at(11, sample("a", 2, 300, 30)),
            at(12, sample("a", 3, 50, 5)),
            at(12, sample("b", 3, 70, 7)),
        ];
        let results = results(&rows, &["a", "b"]);
        let counts = |ply, hits| Counts {
            set_sha256: "d".to_string(),
            ply,
            variant: "a".to_string(),
            goal: Goal::Strong,
            probes: 8,
            hits,
            ..Counts::default()
        };
        let sheet = sheet(&results.grounds[0], &[counts(8, 1), counts(10, 3), counts(12, 8)], 4);
        let shown: Vec<String> =
            sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(
            shown,
            ["8|11|a|2|2|200 ns|20.0|25.0 %", "12|15|a|1|1|50.0 ns|5.00|100.0 %", "12|15|b|1|1|70.0 ns|7.00|-"]
        );
    }

    #[test]
    fn where_the_time_goes_is_said_of_variants_on_the_same_positions() {
        let at = |ply: u32, sample: Sample| Sample { ply, ..sample };
        let of = |variant: &str, early: u64| [at(8, sample(variant, 1, early, 1)), at(12, sample(variant, 2, 100, 1))];
        let rows: Vec<Sample> = [of("a", 300), of("b", 900)].concat();
        let said = |rows: &[Sample]| sheet(&results(rows, &["a", "b"]).grounds[0], &[], 4).conclusion;
        assert_eq!(
            said(&rows),
            "Positions with 8 to 11 stones take the largest part of the time of a: 75 %. Of all variants they take 75 % (a) to 90 % (b)."
        );
        assert_eq!(said(&rows[..3]), "Positions with 8 to 11 stones take 75 % of the time of a.");
        assert_eq!(said(&rows[..1]), "", "one band is all of it");
    }
}
