//! Anatomy: what ended the nodes of each variant, how often the table helped, and which move was good enough. From the counting pass.

use crate::results::{Column, Ground};
use crate::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::sheets::units::three_digits;
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
    column: &'a Column,
    anatomy: &'a [AnatomyRow],
) -> impl Iterator<Item = &'a AnatomyRow> {
    anatomy
        .iter()
        .filter(|row| row.set_sha256 == ground.set_sha256 && row.goal == ground.goal && row.variant == column.variant)
}

/// What a variant counted on a ground, over numbers of stones; `None` where it has no node there.
pub fn counts(ground: &Ground, column: &Column, anatomy: &[AnatomyRow], plies: Range<u32>) -> Option<PlyCounts> {
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
pub fn whole(ground: &Ground, anatomy: &[AnatomyRow]) -> Sheet {
    let row = |column: &Column| {
        let counts = counts(ground, column, anatomy, 0..u32::MAX)?;
        let positions = rows_of(ground, column, anatomy).map(|row| row.positions).max().unwrap_or_default();
        let lead = [Value::text(&column.variant), Value::count(positions as usize)];
        Some(lead.into_iter().chain(cells(&counts)).collect())
    };
    let lead = vec![Heading::text("variant", "variant"), Heading::number("n", "positions")];
    sheet("anatomy", ground, "what ended the nodes", lead, ground.columns.iter().filter_map(row).collect())
}

/// A row for each variant and every `band` plies of the nodes.
pub fn by_ply(ground: &Ground, anatomy: &[AnatomyRow], band: u32) -> Sheet {
    let row = |column: &Column, plies: &Range<u32>| {
        let counts = counts(ground, column, anatomy, plies.clone())?;
        let lead =
            [Value::count(plies.start as usize), Value::count(plies.end as usize - 1), Value::text(&column.variant)];
        Some(lead.into_iter().chain(cells(&counts)).collect::<Vec<_>>())
    };
    let rows = bands(ground, anatomy, band)
        .into_iter()
        .flat_map(|plies| ground.columns.iter().filter_map(move |column| row(column, &plies)).collect::<Vec<_>>())
        .collect();
    let lead = vec![
        Heading::number("stones from", "ply_from"),
        Heading::number("to", "ply_to"),
        Heading::text("variant", "variant"),
    ];
    sheet("anatomy-by-ply", ground, "what ended the nodes, by stones on their boards", lead, rows)
}

fn sheet(name: &'static str, ground: &Ground, title: &str, mut headings: Vec<Heading>, rows: Vec<Vec<Value>>) -> Sheet {
    headings.push(Heading::number("nodes", "nodes"));
    headings.extend(NodeEnd::ALL.map(|end| Heading::number(end.name(), &format!("{}_share", end.name()))));
    headings.extend([Heading::number("table hits", "hit_share"), Heading::number("children", "children_per_parent")]);
    headings.extend((1..=FIRST).map(|turn| Heading::number(&format!("move {turn}"), &format!("move_{turn}_share"))));
    Sheet {
        name,
        subject: Subject::of(ground),
        title: format!("{}: {title}", ground.title()),
        note: NOTE.to_string(),
        conclusion: String::new(),
        headings,
        rows,
    }
}

/// The numbers of a row, from nodes to moves.
fn cells(counts: &PlyCounts) -> Vec<Value> {
    let share = |part: u64, whole: u64| {
        let share = (whole > 0).then(|| part as f64 / whole as f64);
        Value::number(share, |share| format!("{:.1} %", 100.0 * share))
    };
    let cutoffs: u64 = counts.cutoffs.iter().sum();
    let children = (counts.parents > 0).then(|| counts.children as f64 / counts.parents as f64);
    let mut cells = vec![Value::number(Some(counts.nodes as f64), three_digits)];
    cells.extend(counts.ends.map(|ended| share(ended, counts.nodes)));
    cells.extend([share(counts.hits, counts.probes), Value::number(children, three_digits)]);
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

    fn shown(sheet: &Sheet) -> Vec<String> {
        sheet.rows.iter().map(|row| row.iter().map(Value::shown).collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn shares_by_hand() {
        let results = results(&[sample("a", 1, 10, 8), sample("b", 1, 10, 8)], &[]);
        let (ground, rows) = (&results.grounds[0], [row(8, 8), row(9, 16), row(12, 16)]);
        let sheet = whole(ground, &rows);
        assert_eq!(shown(&sheet), ["a|2|40.0|50.0 %|0.0 %|0.0 %|0.0 %|0.0 %|50.0 %|25.0 %|2.00|50.0 %|0.0 %|0.0 %"]);
        assert_eq!(sheet.headings.len(), sheet.rows[0].len());
        let sheet = by_ply(ground, &rows, 4);
        let lead: Vec<String> = shown(&sheet).iter().map(|row| row[..10].to_string()).collect();
        assert_eq!((lead, sheet.headings.len()), (vec!["8|11|a|24.".into(), "12|15|a|16".into()], sheet.rows[0].len()));
        assert!(whole(ground, &[AnatomyRow { set_sha256: "other".to_string(), ..row(8, 8) }]).rows.is_empty());
    }
}
