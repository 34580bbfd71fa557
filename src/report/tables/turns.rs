//! Turns: whether it matters to a variant that it is the first of its block.
//!
//! A position that was measured in several passes has samples of a variant from its first turn and from others. The
//! order is drawn by lot, so without any influence of the turn both take the same time: 1.

use crate::results::{Ground, Observed, Series};
use crate::stats::{Estimate, Times, geometric_mean, mean_ratio, median};
use crate::table::units::{time, times};
use crate::table::{Cell, Column, Subject, Table};
use std::ops::RangeInclusive;

/// A line for each variant that has positions of both kinds; `None` where no variant has.
pub fn sheet(ground: &Ground) -> Option<Table> {
    let (means, rows): (Vec<(&str, f64)>, Vec<Vec<Cell>>) =
        ground.columns.iter().filter_map(|column| row(ground, column)).unzip();
    let beyond: Vec<&str> =
        means.iter().filter(|(_, mean)| !ASKED.contains(mean)).map(|(variant, _)| *variant).collect();
    (!rows.is_empty()).then(|| Table {
        name: "turns",
        subject: Subject::of(ground),
        title: format!("{}: the first turn of a block beside the others", ground.title()),
        note: "Time in the first turn divided by the time in the others, over the positions measured in both. 1 is asked: 0.99 to 1.01."
            .to_string(),
        conclusion: match beyond.as_slice() {
            [] => "All lie within 0.99 to 1.01.".to_string(),
            names => format!("Beyond 0.99 to 1.01: {}. The turn may matter, or the machine was not quiet.", names.join(", ")),
        },
        columns: vec![
            Column::text("variant", "variant"),
            Column::number("n", "positions"),
            Column::number("first turn, median", "first_ns"),
            Column::number("others, median", "others_ns"),
            Column::number("geometric mean", "geometric_mean"),
        ],
        rows,
    })
}

/// What the first turn may take of the others.
pub const ASKED: RangeInclusive<f64> = 0.99..=1.01;

/// Of each variant with positions of both kinds, how many these are and what the first turn takes of the others.
pub fn means(ground: &Ground) -> Vec<(&str, usize, Estimate)> {
    let of = |column| {
        let pairs = turns(ground, column);
        Some((column.variant.as_str(), pairs.len(), geometric_mean(&pairs, 1)?))
    };
    ground.columns.iter().filter_map(of).collect()
}

/// What a variant took in its first turn and in the others, of positions that are not short.
fn turns(ground: &Ground, column: &Series) -> Vec<Times> {
    let both = |cell: &Observed| {
        let pair = (cell.ns_of(|pass| pass.turn == 0)?, cell.ns_of(|pass| pass.turn > 0)?);
        Some(Times { pair, batch: cell.batch })
    };
    ground.telling((column, column), &column.cells.iter().flatten().filter_map(both).collect::<Vec<_>>())
}

fn row<'a>(ground: &Ground, column: &'a Series) -> Option<((&'a str, f64), Vec<Cell>)> {
    let pairs = turns(ground, column);
    let mean = mean_ratio(&pairs)?;
    let middle = |of: fn((f64, f64)) -> f64| median(&pairs.iter().map(|times| of(times.pair)).collect::<Vec<_>>());
    let row = vec![
        Cell::text(&column.variant),
        Cell::count(pairs.len()),
        Cell::number(middle(|pair| pair.0), time),
        Cell::number(middle(|pair| pair.1), time),
        Cell::number(Some(mean), times),
    ];
    Some(((&column.variant, mean), row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    #[test]
    fn who_is_first_is_put_beside_who_is_not() {
        let of = |variant: &str, id, repetition, turn, ns| Sample {
            repetition,
            block_order: turn,
            ..sample(variant, id, ns, 5)
        };
        let rows = [
            of("a", 1, 0, 0, 120),
            of("b", 1, 0, 1, 70),
            of("a", 1, 1, 1, 100),
            of("b", 1, 1, 0, 70),
            of("a", 2, 0, 0, 300),
            of("a", 2, 1, 2, 240),
            of("a", 2, 2, 3, 260),
            // Never in another turn.
            of("b", 2, 0, 1, 80),
            of("b", 2, 1, 1, 90),
        ];
        let results = results(&rows, &["a", "b"]);
        let sheet = sheet(&results.grounds[0]).unwrap();
        let shown: Vec<Vec<String>> = sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        assert_eq!(shown[0][..5], ["a", "2", "210 ns", "175 ns", "1.20x"]);
        assert_eq!(shown[1][..5], ["b", "1", "70.0 ns", "70.0 ns", "1.00x"]);
    }

    #[test]
    fn one_pass_says_nothing() {
        let results = results(&[sample("a", 1, 10, 5), sample("b", 1, 10, 5)], &["a", "b"]);
        assert_eq!(sheet(&results.grounds[0]), None);
    }
}
