//! Ablation: one technique at a time. What each variant changes on the base, and what that is worth.
//!
//! An axis lists its plainest alternative first ([`Spec::axes`]). A variant that changes axes only to these leaves
//! techniques out. One that changes axes only from these adds techniques. Any other exchanges some.

use crate::results::{Ground, Series};
use crate::stats::Estimate;
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::comparison::{Comparison, Quantity};
use crate::tables::conclusion;
use c4lab_solver::search::Spec;

/// A choice that differs: axis, value in the base, value in the variant.
pub(super) type Change = (String, String, String);

/// How a variant is made from its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeKind {
    LeaveOut,
    Add,
    Exchange,
}

impl ChangeKind {
    /// Of changes between specs.
    fn of(changes: &[Change]) -> Self {
        let axes = Spec::axes();
        let plainest = |axis: &str, value: &str| {
            axes.iter().any(|(name, values)| *name == axis && values.first().is_some_and(|first| first.0 == value))
        };
        if changes.iter().all(|(axis, _, ours)| plainest(axis, ours)) {
            ChangeKind::LeaveOut
        } else if changes.iter().all(|(axis, base, _)| plainest(axis, base)) {
            ChangeKind::Add
        } else {
            ChangeKind::Exchange
        }
    }

    fn name(self) -> &'static str {
        match self {
            ChangeKind::LeaveOut => "leave out",
            ChangeKind::Add => "add",
            ChangeKind::Exchange => "exchange",
        }
    }
}

/// Where two specs differ, as rows have them: an axis that one of them lacks differs.
pub(super) fn changes(base: &str, variant: &str) -> Vec<Change> {
    let fields = |spec: &str| -> Vec<(String, String)> {
        let field = |part: &str| part.split_once('=').map(|(axis, value)| (axis.to_string(), value.to_string()));
        spec.split(',').filter_map(field).collect()
    };
    let (base, variant) = (fields(base), fields(variant));
    let of = |fields: &[(String, String)], axis: &str| {
        fields.iter().find(|(name, _)| name == axis).map_or(String::new(), |(_, value)| value.clone())
    };
    let ours = variant.iter().map(|(axis, value)| (axis.clone(), of(&base, axis), value.clone()));
    let gone = base.iter().filter(|(axis, _)| variant.iter().all(|(name, _)| name != axis));
    let gone = gone.map(|(axis, value)| (axis.clone(), value.clone(), String::new()));
    ours.chain(gone).filter(|(_, theirs, ours)| theirs != ours).collect()
}

/// Every variant of a ground that changes at most `most` axes of the base.
pub fn sheet(ground: &Ground, base: &Series, most: usize, seed: u64) -> Table {
    let (mut rows, mut means) = (Vec::new(), Vec::new());
    for variant in &ground.columns {
        let changes = changes(&base.spec, &variant.spec);
        if !changes.is_empty() && changes.len() <= most {
            let (row, mean) = row(ground, base, variant, &changes, seed);
            means.extend(mean.map(|mean| (variant.variant.as_str(), mean)));
            rows.push(row);
        }
    }
    Table {
        name: "ablation",
        subject: Subject::of(ground),
        title: format!("{}: one or two choices changed in {}", ground.title(), base.variant),
        note: format!(
            "Ratios are {} divided by the variant: where a technique is left out, below 1 says that it was worth having.{}{}",
            base.variant,
            ground.said_of_limits(),
            ground.said_of_times()
        ),
        conclusion: conclusion::changes(&base.variant, &means),
        columns: vec![
            Column::text("", "kind"),
            Column::text("what changes", "changes"),
            Column::text("variant", "variant"),
            Column::number("n", "positions"),
            Column::number("nodes", "node_ratio"),
            Column::interval("node_ratio"),
            Column::number("time", "time_ratio"),
            Column::interval("time_ratio"),
            Column::number("geometric mean of time", "time_geometric_mean"),
            Column::interval("time_geometric_mean"),
        ],
        rows,
    }
}

fn row(
    ground: &Ground,
    base: &Series,
    variant: &Series,
    changes: &[Change],
    seed: u64,
) -> (Vec<Cell>, Option<Estimate>) {
    let text = |(axis, theirs, ours): &Change| format!("{axis}: {theirs} -> {ours}");
    let of = |base, quantity| Comparison::of(ground, base, variant, quantity, seed);
    let timed = ground.timed_base(base, variant).unwrap_or(base);
    let (nodes, time) = (of(base, Quantity::Nodes), of(timed, Quantity::Time));
    let estimates = [nodes.ratio_of_sums, time.ratio_of_sums, time.geometric_mean].into_iter().flat_map(|estimate| {
        [Cell::number(estimate.map(|estimate| estimate.value), times), Cell::interval_of(estimate)]
    });
    let names = [
        Cell::text(ChangeKind::of(changes).name()),
        Cell::text(changes.iter().map(text).collect::<Vec<_>>().join(", ")),
        Cell::text(&variant.variant),
        Cell::count(if time.positions > 0 { time.positions } else { nodes.positions }),
    ];
    let told = time.geometric_mean.filter(|_| timed.is_sound() && variant.is_sound());
    (names.into_iter().chain(estimates).collect(), told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;
    use c4lab_solver::search::registry::{PONS_05, PONS_11, PONS_12};

    fn of(variant: &str, spec: Spec, ns: u64) -> Sample {
        Sample { spec: spec.to_string(), ..sample(variant, 1, ns, ns / 10) }
    }

    #[test]
    fn changes_are_named_and_sorted_into_kinds() {
        let plain = Spec::parse("order=left-to-right", PONS_12).unwrap();
        let rows =
            [of("pons-12", PONS_12, 100), of("plain", plain, 400), of("pons-11", PONS_11, 110), of("05", PONS_05, 900)];
        let results = results(&rows, &["pons-12"]);
        let ground = &results.grounds[0];
        let shown = |base: &str, most: usize| -> Vec<String> {
            let rows = sheet(ground, ground.column(base).unwrap(), most, 1).rows;
            rows.iter().map(|row| row[..3].iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect()
        };
        assert_eq!(
            shown("pons-12", 1),
            ["leave out|order: threats -> left-to-right|plain", "exchange|table-bounds: either -> upper|pons-11"]
        );
        assert_eq!(shown("plain", 1), ["add|order: left-to-right -> threats|pons-12"]);
        assert_eq!(shown("pons-12", 20).len(), 3);
    }

    #[test]
    fn an_axis_that_one_of_them_lacks_differs() {
        let change = |axis: &str, base: &str, ours: &str| vec![(axis.to_string(), base.to_string(), ours.to_string())];
        assert_eq!(changes("a=1,b=2", "a=1"), change("b", "2", ""));
        assert_eq!(changes("a=1", "a=1,b=2"), change("b", "", "2"));
        assert!(changes("a=1,b=2", "b=2,a=1").is_empty());
    }

    #[test]
    fn ratios_are_base_by_variant() {
        let plain = Spec::parse("order=centre", PONS_12).unwrap();
        let results = results(&[of("pons-12", PONS_12, 100), of("plain", plain, 400)], &["pons-12"]);
        let ground = &results.grounds[0];
        let rows = sheet(ground, &ground.columns[0], 1, 1).rows;
        assert_eq!(rows[0][6].shown(), "0.250x");
        assert_eq!(rows[0].len(), 10);
    }
}
