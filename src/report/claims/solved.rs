//! Solved: what claims about positions that are solved within limits are held against.
//!
//! A base may have been asked for another goal than the variant, on the same positions under the same limits: whether a position is
//! solved in time can be compared, its nodes cannot.

use crate::claims::claim::{Claim, Kind, Venue};
use crate::claims::evidence::Evidence;
use crate::claims::ratios::{MeasuredRatio, Over};
use crate::results::{Ground, Outcome, Series};
use crate::stats::formulas::ratio_of_shares;
use crate::tables::by_ply::solved_from;
use std::collections::HashMap;

/// A variant and its base on the positions of a set.
pub struct SolvedWithin<'a> {
    kind: Kind,
    variant: (&'a Ground, &'a Series),
    base: Option<(&'a Ground, &'a Series)>,
}

impl<'a> SolvedWithin<'a> {
    /// What there is of a claim; `None` where some of it was not measured under its limits.
    pub fn of(claim: &Claim, evidence: &'a Evidence, place: &Venue) -> Option<Self> {
        let experiment = &evidence.manifest.as_ref()?.experiment;
        let is_within = experiment.node_limit == claim.within.nodes && experiment.time_limit == claim.within.time;
        let grounds = || evidence.results.grounds.iter().filter(|ground| ground.set == place.set && is_within);
        let of = |ground: &'a Ground, name: &str| Some((ground, ground.column(name)?));
        let variant = grounds().filter(|ground| ground.goal == place.goal).find_map(|it| of(it, &claim.variant))?;
        let base = match &claim.base {
            None => None,
            Some(name) => {
                let alike = grounds().filter(|ground| ground.goal == place.goal);
                let others = grounds().filter(|ground| ground.goal != place.goal);
                Some(alike.chain(others).find_map(|it| of(it, name))?)
            }
        };
        Some(SolvedWithin { kind: claim.kind, variant, base })
    }

    pub fn positions(&self) -> usize {
        self.variant.1.cells.iter().flatten().count()
    }

    pub fn measured(&self) -> Result<MeasuredRatio, String> {
        match (self.kind, self.base) {
            (Kind::SolvedFrom, None) => Ok(MeasuredRatio::exact(from(self.variant)?)),
            (Kind::SolvedFrom, Some(base)) => Ok(MeasuredRatio::exact(from(base)? / from(self.variant)?)),
            (_, Some(base)) => self.more_than(base),
            (_, None) => Err("there is no base".to_string()),
        }
    }

    fn more_than(&self, base: (&Ground, &Series)) -> Result<MeasuredRatio, String> {
        let base: HashMap<u64, bool> = answered(base).collect();
        let pairs = answered(self.variant).filter_map(|(position, variant)| Some((*base.get(&position)?, variant)));
        let pairs: Vec<(bool, bool)> = pairs.collect();
        let estimate = ratio_of_shares(&pairs).ok_or("one of the two solves none of the positions")?;
        Ok(MeasuredRatio { value: estimate.value, interval: estimate.interval, over: Over::Positions })
    }
}

/// From how many stones on all positions were solved.
fn from((ground, column): (&Ground, &Series)) -> Result<f64, String> {
    let from = solved_from(ground, column);
    from.map(f64::from).ok_or_else(|| format!("{} does not solve all with the most stones", column.variant))
}

/// The positions that were asked about, by their line of the set, and whether they were answered.
fn answered<'a>((ground, column): (&'a Ground, &'a Series)) -> impl Iterator<Item = (u64, bool)> + 'a {
    let cells = ground.places.iter().zip(&column.cells);
    cells.filter_map(|(place, cell)| Some((place.position_id, cell.as_ref()?.outcome == Outcome::Answered)))
}

#[cfg(test)]
mod tests {
    use crate::claims::evidence::Evidence;
    use crate::claims::judge::judge;
    use crate::claims::table::ClaimRow;
    use crate::claims::verdict::Verdict;
    use crate::claims::written::tests::claims;
    use crate::reading::tests::reading;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;
    use c4lab_solver::search::Goal;

    /// Positions that are solved within limits are held against samples with these limits, under any goal of the base.
    #[test]
    fn what_is_solved_within_limits_is_counted() {
        let text = |kind: &str, rest: &str| {
            format!(
                "source = 's'\n[[claims]]\nid = \"c\"\nstatement = \"x\"\nkind = \"{kind}\"\n{rest}\nvariant = \"pons-12\"\n\
                 test-sets = [\"by-ply\"]\ngoals = [\"weak\"]\nnode-limit = 9\n"
            )
        };
        // With 1 to 40 stones: the variant solves from 21 on, the base from 31 on, and one position before.
        let row = |variant: &str, goal: Goal, ply: u64, is_solved: bool| Sample {
            set: "by-ply".to_string(),
            ply: ply as u32,
            goal,
            status: if is_solved { Status::Ok } else { Status::NodeLimit },
            limit_nodes: Some(9),
            ..sample(variant, ply, 10, 9)
        };
        let rows: Vec<Sample> = (1..=40)
            .flat_map(|ply| {
                [row("pons-12", Goal::Weak, ply, ply > 20), row("pons-11", Goal::Strong, ply, ply > 30 || ply == 5)]
            })
            .collect();
        let judged = |kind: &str, rest: &str, limit: Option<u64>| {
            let mut reading = reading(&rows);
            reading.manifest.experiment.node_limit = limit;
            let evidence = Evidence::of(&reading, None).unwrap();
            ClaimRow::from(&judge(&claims(&text(kind, rest))[0], &evidence, None))
        };
        let from = judged("solved-from", "to = 23", Some(9));
        assert_eq!(
            (from.verdict, from.measured, from.positions),
            (Verdict::Reproduced, Some(21.0), Some(40)),
            "{from:?}"
        );
        assert_eq!(judged("solved-from", "to = 20", Some(9)).verdict, Verdict::OtherNumber);
        assert_eq!(judged("solved-from", "to = 23", None).verdict, Verdict::NotTested, "under other limits");
        let ratio = judged("solved-from", "published = 1.0\nbase = \"pons-11\"", Some(9));
        assert_eq!((ratio.verdict, ratio.measured), (Verdict::OtherNumber, Some(31.0 / 21.0)), "{ratio:?}");
        let more = judged("solved-ratio", "from = 1.0\nbase = \"pons-11\"", Some(9));
        assert_eq!((more.verdict, more.measured), (Verdict::Reproduced, Some(20.0 / 11.0)), "{more:?}");
        assert!(more.measured_low.unwrap() > 1.0 && more.interval_over.as_deref() == Some("positions"), "{more:?}");
    }
}
