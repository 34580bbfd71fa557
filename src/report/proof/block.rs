//! The proof of the block: a pair of variants has the same ratio when it is measured alone and when it is measured among
//! many.

use crate::proof::Proof;
use crate::results::{Ground, Series};
use crate::stats::{Estimate, Times, geometric_mean};
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::comparison::{Comparison, Quantity};
use std::collections::BTreeMap;

/// The pair of every ground of `alone`, and the same two in the ground of `among` with the same set and goal.
pub fn proof(alone: &[Ground], among: &[Ground], seed: u64) -> Proof {
    let (mut rows, mut apart, mut asked, mut count) = (Vec::new(), 0, 0, 0);
    for ground in alone {
        let [base, variant] = ground.columns.as_slice() else { continue };
        let same = |other: &&Ground| (&other.set_sha256, other.goal) == (&ground.set_sha256, ground.goal);
        let Some(other) = among.iter().find(same) else { continue };
        let (Some(their_base), Some(their_variant)) = (other.column(&base.variant), other.column(&variant.variant))
        else {
            continue;
        };
        let one = Comparison::of(ground, base, variant, Quantity::Time, seed);
        let two = Comparison::of(other, their_base, their_variant, Quantity::Time, seed);
        let changes = changes((ground, base, variant), (other, their_base, their_variant));
        let change = geometric_mean(&changes, seed);
        count = count.max(other.columns.len());
        for (name, one, two) in
            [("sums", one.ratio_of_sums, two.ratio_of_sums), ("geometric mean", one.geometric_mean, two.geometric_mean)]
        {
            let (Some(one), Some(two)) = (one, two) else { continue };
            if let Some(agrees) = agrees(one, two) {
                asked += 1;
                apart += usize::from(!agrees);
            }
            let change = change.filter(|_| name != "sums");
            rows.push(vec![
                Cell::text(format!("{}, {}", ground.set, ground.goal.name())),
                Cell::text(name),
                Cell::number(Some(one.value), times),
                Cell::interval_of(Some(one)),
                Cell::number(Some(two.value), times),
                Cell::interval_of(Some(two)),
                Cell::number(change.map(|change| change.value), times),
                change.map_or(Cell::Empty, |change| Cell::interval_of(Some(change))),
            ]);
        }
    }
    let names = alone
        .first()
        .map_or(Vec::new(), |ground| ground.columns.iter().map(|column| column.variant.as_str()).collect());
    Proof {
        holds: asked > 0 && apart == 0,
        sheet: Table {
            name: "block",
            subject: Subject { set: None, goal: None, apart: None },
            title: format!("a pair alone and among {count} variants: {}", names.join(" : ")),
            note: "Time of the first divided by time of the second, measured alone and among many. The two agree where each number \
                   lies within the interval of the other. Change is the same position by position: the ratio alone divided by the \
                   ratio among many."
                .to_string(),
            conclusion: format!("Of {asked} ratios, {} agree within their intervals.", asked - apart),
            columns: vec![
                Column::text("set", "set"),
                Column::text("ratio", "ratio"),
                Column::number("alone", "alone"),
                Column::interval("alone"),
                Column::number("among many", "among"),
                Column::interval("among"),
                Column::number("change", "change"),
                Column::interval("change"),
            ],
            rows,
        },
    }
}

/// Whether each number lies within the interval of the other; `None` where there are too few positions to say.
fn agrees(one: Estimate, two: Estimate) -> Option<bool> {
    let within = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
    Some(within(one.value, two.interval?) && within(two.value, one.interval?))
}

/// On every position that both grounds have, the ratio in one and the ratio in the other. Its batch is that of the first.
fn changes(one: (&Ground, &Series, &Series), other: (&Ground, &Series, &Series)) -> Vec<Times> {
    let ratios = |(ground, base, variant): (&Ground, &Series, &Series)| -> BTreeMap<u64, (f64, Option<u32>)> {
        let pairs = Quantity::Time.pairs(ground, base, variant);
        pairs
            .iter()
            .filter(|paired| !paired.is_short)
            .map(|paired| (paired.line, (paired.times.pair.0 / paired.times.pair.1, paired.times.batch)))
            .collect()
    };
    let (one, other) = (ratios(one), ratios(other));
    let of = |(line, (ratio, batch))| Some(Times { pair: (ratio, other.get(&line)?.0), batch });
    one.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    /// Sixty positions; `b` takes so many per cent of `a`. Somebody else is measured too.
    fn grounds(percent: u64, others: &[&str]) -> Vec<Ground> {
        let of = |id: u64| {
            let ns = 100_000 * (10 + id % 3);
            let pair = [sample("a", id, ns, 5), sample("b", id, ns * (percent + id % 5 - 2) / 100, 5)];
            pair.into_iter().chain(others.iter().map(move |other| sample(other, id, 7 * ns, 5)))
        };
        let rows: Vec<Sample> = (1..=60).flat_map(of).collect();
        results(&rows, &["a", "b"]).grounds
    }

    #[test]
    fn the_same_ratio_in_both_agrees() {
        let proof = proof(&grounds(50, &[]), &grounds(50, &["c", "d"]), 1);
        assert!(proof.holds);
        assert_eq!(proof.sheet.title, "a pair alone and among 4 variants: a : b");
        assert_eq!(proof.sheet.conclusion, "Of 2 ratios, 2 agree within their intervals.");
        assert_eq!(proof.sheet.rows[1][6].shown(), "1.00x");
    }

    #[test]
    fn another_ratio_among_many_does_not() {
        let proof = proof(&grounds(50, &[]), &grounds(54, &["c", "d"]), 1);
        assert!(!proof.holds);
        assert_eq!(proof.sheet.conclusion, "Of 2 ratios, 0 agree within their intervals.");
        assert_eq!(proof.sheet.rows[1][6].shown(), "1.08x");
    }

    #[test]
    fn a_pair_that_is_not_among_the_many_proves_nothing() {
        let among = grounds(50, &["c"]).into_iter().map(|ground| Ground { columns: Vec::new(), ..ground });
        assert!(!proof(&grounds(50, &[]), &among.collect::<Vec<_>>(), 1).holds);
    }
}
