//! Ablations: each variant changes a technique of the base. Ladders: each variant changes the variant before it.
//!
//! An axis lists its plainest alternative first ([`Spec::axes`]). A variant that changes axes only to plainest
//! alternatives leaves techniques out; one that changes axes only from them adds techniques. Others exchange them.

use crate::plot::chart::{Bar, bars};
use crate::plot::svg::Svg;
use crate::results::{Group, Quantity, Series};
use crate::stats::Estimate;
use crate::table::{Subject, Table};
use crate::tables::comparison::{Beside, Comparison};
use crate::tables::conclusion;
use c4lab_measure::text::distinct;
use c4lab_solver::search::Spec;

/// A choice that differs: axis, value in the base, value in the variant.
type Change = (String, String, String);

fn kind(changes: &[Change]) -> &'static str {
    let axes = Spec::axes();
    let plainest = |axis: &str, value: &str| {
        axes.iter().any(|(name, values)| *name == axis && values.first().is_some_and(|first| first.0 == value))
    };
    if changes.iter().all(|(axis, _, ours)| plainest(axis, ours)) {
        "leave out"
    } else if changes.iter().all(|(axis, base, _)| plainest(axis, base)) {
        "add"
    } else {
        "exchange"
    }
}

/// The differences between two specs of rows. An axis that one of them lacks differs.
fn changes(base: &str, variant: &str) -> Vec<Change> {
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

struct Row<'a> {
    changes: Vec<Change>,
    variant: &'a str,
    nodes: Comparison,
    time: Comparison,
    is_sound: bool,
}

impl Row<'_> {
    fn shown(&self) -> String {
        let shown = self.changes.iter().map(|(axis, theirs, ours)| format!("{axis}: {theirs} -> {ours}"));
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// The variants that change few axes of a base, over groups of one goal, machine and build.
pub struct Ablation<'a> {
    groups: &'a [&'a Group],
    base: &'a str,
    /// The change that costs most time comes first.
    rows: Vec<Row<'a>>,
}

impl<'a> Ablation<'a> {
    /// `most` is the most axes that a variant may change.
    pub fn of(groups: &'a [&'a Group], base: &'a str, most: usize, seed: u64) -> Self {
        let mut rows = Vec::new();
        for variant in distinct(groups.iter().flat_map(|group| &group.series).map(|series| series.variant.as_str())) {
            let both = groups.iter().filter_map(|group| Some((*group, group.named(base)?, group.named(variant)?)));
            let counted: Vec<Beside<'_>> = both.collect();
            let Some((_, first, series)) = counted.first() else { continue };
            let changes = changes(&first.spec, &series.spec);
            if !(1..=most).contains(&changes.len()) {
                continue;
            }
            let timed =
                |&(group, base, series): &Beside<'a>| (group, group.timed_base(base, series).unwrap_or(base), series);
            let timed: Vec<Beside<'_>> = counted.iter().map(timed).collect();
            rows.push(Row {
                changes,
                variant,
                nodes: Comparison::pooled(&counted, Quantity::Nodes, seed),
                time: Comparison::pooled(&timed, Quantity::Time, seed),
                is_sound: timed.iter().all(|(_, base, series)| base.is_sound() && series.is_sound()),
            });
        }
        let worth =
            |row: &Row<'_>| [&row.time, &row.nodes].map(|of| of.geometric_mean.map_or(f64::MAX, |mean| mean.value));
        rows.sort_by(|one, other| worth(one).partial_cmp(&worth(other)).expect("no NaN"));
        Ablation { groups, base, rows }
    }

    pub fn table(&self) -> Table {
        let Ablation { groups, base, rows } = self;
        let means = rows.iter().filter(|row| row.is_sound);
        let means: Vec<(&str, Estimate)> =
            means.filter_map(|row| Some((row.variant, row.time.geometric_mean?))).collect();
        let caveats = groups.iter().map(|group| group.caveats()).max_by_key(String::len).unwrap_or_default();
        let note = format!(
            "Ratios are {base} divided by the variant: if a variant leaves a technique out, a ratio below 1 shows that it helps.{caveats}"
        );
        let (subject, sets) = Subject::pooled(groups);
        Table::new("ablation", subject, format!("{sets}: choices changed in {base}"), note)
            .over(rows)
            .text("", "kind", |row| kind(&row.changes))
            .text("what changes", "changes", Row::shown)
            // Over several sets the columns are many. What changes names the variant, too.
            .when(groups.len() == 1, |table| table.text("variant", "variant", |row| row.variant))
            .count("n", "positions", |row| row.time.positions.max(row.nodes.positions))
            .ratio("nodes", "node_ratio", |row| row.nodes.ratio_of_sums)
            .ratio("time", "time_ratio", |row| row.time.ratio_of_sums)
            .ratio("geometric mean of time", "time_geometric_mean", |row| row.time.geometric_mean)
            .table
            .concluding(conclusion::changes(base, &means))
    }

    /// A bar for each change: the geometric mean of the times of the base divided by those of the variant.
    pub fn picture(&self) -> Svg {
        let bar = |row: &Row<'_>| Bar {
            label: row.shown(),
            value: row.time.geometric_mean.map(|mean| mean.value),
            interval: row.time.geometric_mean.and_then(|mean| mean.interval),
        };
        bars(&self.rows.iter().map(bar).collect::<Vec<_>>(), &format!("times faster than {}", self.base))
    }
}

/// True if the variants of a group are a ladder: each is nearer to the variant before it than to the first. In an
/// ablation all are equally near to the base, and steps between them mean nothing. Two variants are one step.
pub fn is_ladder(group: &Group) -> bool {
    let distance = |one: &Series, other: &Series| changes(&one.spec, &other.spec).len();
    let Some(base) = group.series.first() else { return false };
    group.series.windows(2).skip(1).all(|pair| distance(&pair[0], &pair[1]) < distance(base, &pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, group_of, sample};
    use c4lab_solver::search::registry::{PONS_05, PONS_11, PONS_12};

    fn of(variant: &str, spec: Spec, ns: u64) -> Sample {
        Sample { spec: spec.to_string(), ..sample(variant, 1, ns, ns / 10) }
    }

    #[test]
    fn changes_are_named_and_sorted_into_kinds() {
        let plain = Spec::parse("order=left-to-right", PONS_12).unwrap();
        let rows =
            [of("pons-12", PONS_12, 100), of("plain", plain, 400), of("pons-11", PONS_11, 110), of("05", PONS_05, 900)];
        let group = &group_of(&rows, &["pons-12"]);
        let shown = |base: &str, most: usize| -> Vec<String> {
            let shown = Ablation::of(&[group], base, most, 1).table().shown();
            shown.iter().map(|row| row[..3].join("|")).collect()
        };
        assert_eq!(
            shown("pons-12", 1),
            ["leave out|order: threats -> left-to-right|plain", "exchange|table-bounds: either -> upper|pons-11"]
        );
        assert_eq!(shown("plain", 1), ["add|order: left-to-right -> threats|pons-12"]);
        assert_eq!(Ablation::of(&[group], "pons-12", 1, 1).table().shown()[0][6], "0.250x", "the base by the variant");
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
    fn rungs_go_on_and_an_ablation_goes_back() {
        let is_ladder_of = |specs: &[&str]| {
            let row = |(index, spec): (usize, &&str)| Sample {
                spec: spec.to_string(),
                ..sample(&format!("v{index}"), 1, 100 - index as u64, 10)
            };
            let rows: Vec<Sample> = specs.iter().enumerate().map(row).collect();
            is_ladder(&group_of(&rows, &[]))
        };
        assert!(is_ladder_of(&["a=0,b=0,c=0", "a=1,b=0,c=0", "a=1,b=1,c=0", "a=1,b=1,c=1"]));
        assert!(!is_ladder_of(&["a=0,b=0,c=0", "a=1,b=0,c=0", "a=0,b=1,c=0", "a=0,b=0,c=1"]));
        assert!(is_ladder_of(&["a=0", "b=1"]), "two variants are one step");
        assert!(!is_ladder_of(&["a=0", "a=0", "a=0"]), "one choice with several tables");
    }
}
