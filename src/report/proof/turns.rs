//! The proof of the order: who is the first of a block takes as long as who is not.

use crate::proof::Proof;
use crate::results::Ground;
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::turns::{ASKED, means};

/// Of how many intervals how many may lie beyond by chance.
const ALLOWED: f64 = 0.1;

/// A line for each ground and variant.
pub fn proof(grounds: &[Ground]) -> Proof {
    let (mut rows, mut beyond, mut surely, mut intervals) = (Vec::new(), 0, 0, 0_u32);
    for ground in grounds {
        for (variant, count, mean) in means(ground) {
            beyond += usize::from(!ASKED.contains(&mean.value));
            // An interval that meets what is asked may be noise alone.
            let meets = mean.interval.is_none_or(|(low, high)| low <= *ASKED.end() && high >= *ASKED.start());
            surely += usize::from(!meets);
            intervals += u32::from(mean.interval.is_some());
            rows.push(vec![
                Cell::text(format!("{}, {}", ground.set, ground.goal.name())),
                Cell::text(variant),
                Cell::count(count),
                Cell::number(Some(mean.value), times),
                Cell::interval_of(Some(mean)),
            ]);
        }
    }
    let allowed = (ALLOWED * f64::from(intervals)).round() as usize;
    Proof {
        holds: !rows.is_empty() && surely <= allowed,
        sheet: Table {
            name: "turns",
            subject: Subject { set: None, goal: None, apart: None },
            title: "the first turn of a block beside the others".to_string(),
            note: "Time in the first turn divided by the time in the others, geometric mean over the positions measured in both, with \
                   its interval over positions. 0.99 to 1.01 is asked. Of twenty intervals one may lie wholly beyond by chance; twice as many \
                   are allowed."
                .to_string(),
            conclusion: format!(
                "Of {} means, {beyond} lie beyond 0.99 to 1.01. Of {intervals} intervals, {surely} lie wholly beyond; {allowed} may.",
                rows.len()
            ),
            columns: vec![
                Column::text("set", "set"),
                Column::text("variant", "variant"),
                Column::number("n", "positions"),
                Column::number("geometric mean", "geometric_mean"),
                Column::interval("geometric_mean"),
            ],
            rows,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    /// Forty positions in two passes; who is first takes so many per cent of the other turn.
    fn proof_of(percent: u64) -> Proof {
        let row = |variant: &str, id: u64, repetition: u32, turn: u32| Sample {
            repetition,
            block_order: turn,
            wall_ns: Some((1000 + id % 7) * if turn == 0 { percent + id % 3 - 1 } else { 100 }),
            ..sample(variant, id, 1, 5)
        };
        let of = |id| [row("a", id, 0, 0), row("b", id, 0, 1), row("b", id, 1, 0), row("a", id, 1, 1)];
        let rows: Vec<Sample> = (1..=40).flat_map(of).collect();
        proof(&results(&rows, &["a", "b"]).grounds)
    }

    #[test]
    fn who_is_first_takes_as_long() {
        let proof = proof_of(100);
        assert!(proof.holds);
        assert_eq!(
            proof.sheet.conclusion,
            "Of 2 means, 0 lie beyond 0.99 to 1.01. Of 2 intervals, 0 lie wholly beyond; 0 may."
        );
    }

    #[test]
    fn who_is_surely_faster_in_the_first_turn_breaks_it() {
        let proof = proof_of(95);
        assert!(!proof.holds);
        assert_eq!(
            proof.sheet.conclusion,
            "Of 2 means, 2 lie beyond 0.99 to 1.01. Of 2 intervals, 2 lie wholly beyond; 0 may."
        );
    }
}
