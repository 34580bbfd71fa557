//! Anatomy: what ended the nodes of each variant, how often the table helped, and which move was good enough. From the counting pass.

use crate::results::{Ground, Series};
use crate::table::units::three_digits;
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::run::anatomy::AnatomyRow;
use c4lab_solver::search::{NodeEnd, PlyCounts};
use std::ops::Range;

/// Moves that have a column of their own.
const FIRST: usize = 3;

const NOTE: &str = "Of 100 nodes, so many were ended by: a win or loss seen at once, forced replies that were played out, zugzwang, the number of stones \
                    alone (bound), the table, a search of their moves. Table hits: probes that knew a bound. Children: searched by a node that \
                    searched any. Move 1, 2, 3: of the nodes that a move ended, how many by the first, second, third move that was tried.";

/// The rows of a variant on a ground.
fn rows_of<'a>(
    ground: &'a Ground,
    column: &'a Series,
    anatomy: &'a [AnatomyRow],
) -> impl Iterator<Item = &'a AnatomyRow> {
    anatomy
        .iter()
        .filter(|row| row.set_sha256 == ground.set_sha256 && row.goal == ground.goal && row.variant == column.variant)
}

/// What a variant counted on a ground, over numbers of stones; `None` where it has no node there.
pub fn counts(ground: &Ground, column: &Series, anatomy: &[AnatomyRow], plies: Range<u32>) -> Option<PlyCounts> {
    let mut sum = PlyCounts::default();
    rows_of(ground, column, anatomy).filter(|row| plies.contains(&row.ply)).for_each(|row| sum += row.counts());
    (sum.nodes > 0).then_some(sum)
}

/// The numbers of stones, in bands, that nodes were counted of.
pub fn bands(ground: &Ground, anatomy: &[AnatomyRow], band: u32) -> Vec<Range<u32>> {
    let of = |column| rows_of(ground, column, anatomy).map(|row| row.ply / band);
    let mut bands: Vec<u32> = ground.columns.iter().flat_map(of).collect();
    bands.sort_unstable();
    bands.dedup();
    bands.into_iter().map(|number| number * band..(number * band).saturating_add(band)).collect()
}

/// A row for each variant.
pub fn whole(ground: &Ground, anatomy: &[AnatomyRow]) -> Table {
    let row = |column: &Series| {
        let counts = counts(ground, column, anatomy, 0..u32::MAX)?;
        let positions = rows_of(ground, column, anatomy).map(|row| row.positions).max().unwrap_or_default();
        let lead = [Cell::text(&column.variant), Cell::count(positions as usize)];
        Some(lead.into_iter().chain(cells(&counts)).collect())
    };
    let lead = vec![Column::text("variant", "variant"), Column::number("n", "positions")];
    sheet("anatomy", ground, "what ended the nodes", lead, ground.columns.iter().filter_map(row).collect())
}

/// A row for each variant and every `band` plies of the nodes.
pub fn by_ply(ground: &Ground, anatomy: &[AnatomyRow], band: u32) -> Table {
    let row = |column: &Series, plies: &Range<u32>| {
        let counts = counts(ground, column, anatomy, plies.clone())?;
        let lead =
            [Cell::count(plies.start as usize), Cell::count(plies.end as usize - 1), Cell::text(&column.variant)];
        Some(lead.into_iter().chain(cells(&counts)).collect::<Vec<_>>())
    };
    let rows = bands(ground, anatomy, band)
        .into_iter()
        .flat_map(|plies| ground.columns.iter().filter_map(move |column| row(column, &plies)).collect::<Vec<_>>())
        .collect();
    let lead = vec![
        Column::number("stones from", "ply_from"),
        Column::number("to", "ply_to"),
        Column::text("variant", "variant"),
    ];
    sheet("anatomy-by-ply", ground, "what ended the nodes, by stones on their boards", lead, rows)
}

fn sheet(name: &'static str, ground: &Ground, title: &str, mut columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Table {
    columns.push(Column::number("nodes", "nodes"));
    columns.extend(NodeEnd::ALL.map(|end| Column::number(end.name(), &format!("{}_share", end.name()))));
    columns.extend([Column::number("table hits", "hit_share"), Column::number("children", "children_per_parent")]);
    columns.extend((1..=FIRST).map(|turn| Column::number(&format!("move {turn}"), &format!("move_{turn}_share"))));
    Table {
        name,
        subject: Subject::of(ground),
        title: format!("{}: {title}", ground.title()),
        note: NOTE.to_string(),
        conclusion: String::new(),
        columns,
        rows,
    }
}

/// The numbers of a row, from nodes to moves.
fn cells(counts: &PlyCounts) -> Vec<Cell> {
    let share = |part: u64, whole: u64| {
        let share = (whole > 0).then(|| part as f64 / whole as f64);
        Cell::number(share, |share| format!("{:.1} %", 100.0 * share))
    };
    let cutoffs: u64 = counts.cutoffs.iter().sum();
    let children = (counts.parents > 0).then(|| counts.children as f64 / counts.parents as f64);
    let mut cells = vec![Cell::number(Some(counts.nodes as f64), three_digits)];
    cells.extend(counts.ends.map(|ended| share(ended, counts.nodes)));
    cells.extend([share(counts.hits, counts.probes), Cell::number(children, three_digits)]);
    cells.extend(counts.cutoffs[..FIRST].iter().map(|&count| share(count, cutoffs)));
    cells
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::fixtures::sample;
    use c4lab_solver::search::Goal;

    /// Nodes of the variant `a` with so many stones; half of them were ended by a win, half by a search.
    pub(crate) fn row(ply: u32, nodes: u64) -> AnatomyRow {
        AnatomyRow {
            schema_version: 2,
            set: "s".to_string(),
            set_sha256: "d".to_string(),
            goal: Goal::Strong,
            variant: "a".to_string(),
            positions: 2,
            ply,
            nodes,
            probes: nodes,
            hits: nodes / 4,
            win: nodes / 2,
            forced: 0,
            zugzwang: 0,
            bound: 0,
            table: 0,
            search: nodes / 2,
            parents: nodes / 2,
            children: nodes,
            cutoff_1: nodes / 4,
            cutoff_2: 0,
            cutoff_3: 0,
            cutoff_4: 0,
            cutoff_5: 0,
            cutoff_6: 0,
            cutoff_7: nodes / 4,
        }
    }

    fn shown(sheet: &Table) -> Vec<String> {
        sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn shares_by_hand() {
        let results = results(&[sample("a", 1, 10, 8), sample("b", 1, 10, 8)], &[]);
        let (ground, rows) = (&results.grounds[0], [row(8, 8), row(9, 16), row(12, 16)]);
        let sheet = whole(ground, &rows);
        assert_eq!(shown(&sheet), ["a|2|40.0|50.0 %|0.0 %|0.0 %|0.0 %|0.0 %|50.0 %|25.0 %|2.00|50.0 %|0.0 %|0.0 %"]);
        assert_eq!(sheet.columns.len(), sheet.rows[0].len());
        let sheet = by_ply(ground, &rows, 4);
        let lead: Vec<String> = shown(&sheet).iter().map(|row| row[..10].to_string()).collect();
        assert_eq!((lead, sheet.columns.len()), (vec!["8|11|a|24.".into(), "12|15|a|16".into()], sheet.rows[0].len()));
        assert!(whole(ground, &[AnatomyRow { set_sha256: "other".to_string(), ..row(8, 8) }]).rows.is_empty());
    }
}
