//! A campaign: one experiment over several machines, and its progress.
//!
//! A cell of the plan is identified by the digest of its set, its line, its variant, its goal, its process and its
//! repetition, so that no solver is needed to find it.

pub mod merge;

use crate::files::manifest::{Manifest, SetRecord};
use crate::files::sample::{CellKey, Sample, Status};
use crate::plan::{Entrant, Plan};
use crate::sets::test_set::TestSet;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::Goal;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The progress of one variant on one set for one goal, in cells of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusLine {
    pub set: String,
    pub goal: Goal,
    pub variant: String,
    pub expected: usize,
    pub answered: usize,
    /// Cells with a row that reached a limit, but without a failed row.
    pub limited: usize,
    pub failed: usize,
    pub missing: usize,
    pub duplicate: usize,
    pub unplanned: usize,
}

pub fn plan_of(folder: &Path) -> Result<Plan> {
    let place = folder.display();
    let manifest = Manifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
    if manifest.experiments().len() > 1 {
        bail!("{place}: merged from several experiments, which have no common plan");
    }
    let plan = Plan::of(manifest.experiment).with_context(|| place.to_string())?;
    let differs = |set: &&TestSet| {
        let same_name = |known: &&SetRecord| known.name == set.name;
        manifest.test_sets.iter().find(same_name).is_some_and(|known| known.sha256 != set.sha256)
    };
    match plan.sets.iter().find(differs) {
        Some(set) => bail!("{place}: the test set {} has changed since", set.name),
        None => Ok(plan),
    }
}

/// The progress of `plan` by its `rows`: a line for each set, goal and variant in the order of the plan, then lines for
/// the rows that are not in the plan.
pub fn status<'a>(plan: &'a Plan, rows: impl Iterator<Item = &'a Sample>) -> Vec<StatusLine> {
    let (mut lines, mut cells) = cells(plan);
    let mut unplanned: BTreeMap<(&str, &str, &str), StatusLine> = BTreeMap::new();
    for row in rows {
        match cells.get_mut(&row.cell()) {
            Some(cell) => cell.seen.push(row.status),
            None => {
                let key = (row.set.as_str(), row.goal.name(), row.variant.as_str());
                unplanned.entry(key).or_insert_with(|| StatusLine::of(&row.set, row.goal, &row.variant)).unplanned += 1;
            }
        }
    }
    cells.values().for_each(|cell| lines[cell.line].enter(&cell.seen));
    for line in unplanned.into_values() {
        match lines.iter_mut().find(|known| known.is_of(&line)) {
            Some(known) => known.unplanned += line.unplanned,
            None => lines.push(line),
        }
    }
    lines
}

/// A planned cell: the index of its line, and the statuses of its rows.
struct Cell {
    line: usize,
    seen: Vec<Status>,
}

/// The lines of `plan`, and its cells, without rows.
fn cells(plan: &Plan) -> (Vec<StatusLine>, HashMap<CellKey<'_>, Cell>) {
    let (mut lines, mut cells) = (Vec::new(), HashMap::new());
    for (index, set) in plan.sets.iter().enumerate() {
        for goal in Goal::ALL {
            for (entrant, name) in plan.entrants.iter().map(Entrant::name).enumerate() {
                let before = cells.len();
                for item in (0..set.items.len()).filter(|&item| plan.takes_part(entrant, index, goal, item)) {
                    for (process, repetition) in plan.passes() {
                        let at = set.items[item].line as u64;
                        let cell = (set.sha256.as_str(), at, name, goal, process, repetition);
                        cells.insert(cell, Cell { line: lines.len(), seen: Vec::new() });
                    }
                }
                if cells.len() > before {
                    lines.push(StatusLine::of(&set.name, goal, name));
                }
            }
        }
    }
    (lines, cells)
}

impl StatusLine {
    fn of(set: &str, goal: Goal, variant: &str) -> Self {
        StatusLine { set: set.to_string(), goal, variant: variant.to_string(), ..StatusLine::default() }
    }

    fn is_of(&self, other: &StatusLine) -> bool {
        (&self.set, self.goal, &self.variant) == (&other.set, other.goal, &other.variant)
    }

    fn enter(&mut self, seen: &[Status]) {
        self.expected += 1;
        self.duplicate += seen.len().saturating_sub(1);
        *if seen.is_empty() {
            &mut self.missing
        } else if seen.iter().any(|&status| status != Status::Ok && !status.is_limited()) {
            &mut self.failed
        } else if seen.iter().any(|status| status.is_limited()) {
            &mut self.limited
        } else {
            &mut self.answered
        } += 1;
    }

    pub fn total(lines: &[StatusLine]) -> StatusLine {
        let sum = |of: fn(&StatusLine) -> usize| lines.iter().map(of).sum();
        StatusLine {
            expected: sum(|line| line.expected),
            answered: sum(|line| line.answered),
            limited: sum(|line| line.limited),
            failed: sum(|line| line.failed),
            missing: sum(|line| line.missing),
            duplicate: sum(|line| line.duplicate),
            unplanned: sum(|line| line.unplanned),
            ..StatusLine::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;
    use crate::plan::tests::plan;

    fn small() -> Plan {
        let text = "name = \"e\"\nrepetitions = 2\nlimit = 3\n[[runs]]\nvariants = [\"pons-12\", \"pons-10\"]\n\
                    test-sets = [\"a\"]\n[[runs]]\nvariants = [\"pons-10\"]\ntest-sets = [\"a\"]\ngoals = [\"weak\"]\n";
        plan(text)
    }

    fn row(plan: &Plan, variant: &str, position: u64, repetition: u32) -> Sample {
        let set = &plan.sets[0];
        let (name, sha256) = (set.name.clone(), set.sha256.clone());
        Sample { set: name, set_sha256: sha256, repetition, ..sample(variant, position, 10, 5) }
    }

    fn counts(line: &StatusLine) -> [usize; 7] {
        let StatusLine { expected, answered, limited, failed, missing, duplicate, unplanned, .. } = line;
        [expected, answered, limited, failed, missing, duplicate, unplanned].map(|count| *count)
    }

    #[test]
    fn the_cells_of_a_plan_are_counted_by_their_rows() {
        let plan = small();
        let lines = status(&plan, std::iter::empty());
        let names: Vec<_> = lines.iter().map(|line| (line.variant.as_str(), line.goal)).collect();
        assert_eq!(names, [("pons-12", Goal::Strong), ("pons-10", Goal::Strong), ("pons-10", Goal::Weak)]);
        assert!(lines.iter().all(|line| counts(line) == [6, 0, 0, 0, 6, 0, 0]));
        assert_eq!(counts(&StatusLine::total(&lines)), [18, 0, 0, 0, 18, 0, 0]);
        // A cell is what its worst row is.
        let limited = |row: Sample| Sample { status: Status::Timeout, ..row };
        let rows = [
            row(&plan, "pons-12", 1, 0),
            row(&plan, "pons-12", 1, 1),
            // A second observation of a cell.
            limited(row(&plan, "pons-12", 1, 1)),
            limited(row(&plan, "pons-12", 2, 0)),
            Sample { status: Status::Wrong, ..row(&plan, "pons-12", 3, 0) },
            // A position, a pass, a goal, a variant and a set that the plan does not have.
            row(&plan, "pons-12", 4, 0),
            row(&plan, "pons-12", 1, 2),
            Sample { goal: Goal::Weak, ..row(&plan, "pons-12", 1, 0) },
            row(&plan, "pons-11", 1, 0),
            Sample { set_sha256: "other".to_string(), ..row(&plan, "pons-10", 1, 0) },
        ];
        let lines = status(&plan, rows.iter());
        assert_eq!(lines.len(), 5);
        assert_eq!(counts(&lines[0]), [6, 1, 2, 1, 2, 1, 2]);
        assert_eq!(counts(&lines[1]), [6, 0, 0, 0, 6, 0, 1]);
        assert_eq!((lines[3].variant.as_str(), counts(&lines[3])), ("pons-11", [0, 0, 0, 0, 0, 0, 1]));
        assert_eq!((lines[4].variant.as_str(), lines[4].goal), ("pons-12", Goal::Weak));
        assert_eq!(counts(&StatusLine::total(&lines)), [18, 1, 2, 1, 14, 1, 5]);
    }
}
