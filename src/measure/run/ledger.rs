//! The ledger: what makes rows worthless. Wrong scores, and node counts that differ between observations of a cell.

use crate::counted::counted;
use crate::files::sample::{Sample, Status};
use crate::plan::table_state::TableState;
use c4lab_solver::search::Goal;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Ledger {
    pub wrong: usize,
    /// Rows whose nodes differ from those of another row of the same cell, or between their own repetitions.
    pub mismatches: usize,
    pub failed: usize,
    /// Nodes by what was measured: a second observation must agree with the first.
    nodes: HashMap<(usize, u64, usize, Goal, u64), u64>,
    names: HashMap<String, usize>,
}

impl Ledger {
    /// Goes through some rows; the complaints are dropped.
    pub fn of(rows: &[Sample]) -> Self {
        let mut ledger = Ledger::default();
        rows.iter().for_each(|row| drop(ledger.enter(row)));
        ledger
    }

    /// Whether no score is wrong and no node count moved. Programs that failed are counted, and do not spoil other
    /// rows.
    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.mismatches == 0
    }

    pub fn summary(&self) -> String {
        let failed =
            if self.failed > 0 { format!(", {} that failed", counted(self.failed, "cell")) } else { String::new() };
        let (wrong, moved) = (counted(self.wrong, "wrong score"), counted(self.mismatches, "differing node count"));
        format!("{wrong}, {moved}{failed}")
    }

    /// Enters a row, and says what is wrong with it, if anything is.
    pub fn enter(&mut self, row: &Sample) -> Option<String> {
        let place = format!("{}, line {}, {} ({})", row.set, row.position_id, row.variant, row.goal.name());
        let shown = |score: Option<i32>| score.map_or("none".to_string(), |score| score.to_string());
        match row.status {
            Status::Wrong => {
                self.wrong += 1;
                let expected = row.expected_score.map(|score| row.goal.of(score));
                Some(format!("{place}: the score is {}, the answer was {}", shown(expected), shown(row.score)))
            }
            Status::Error | Status::Oom | Status::Signal => {
                // A search of ours has nodes whatever happened; one that failed is a foreign program's.
                if row.nodes.is_some() {
                    self.mismatches += 1
                } else {
                    self.failed += 1
                }
                Some(format!("{place}: {}", row.marks.as_deref().unwrap_or("failed")))
            }
            // Warm tables have seen other positions before, and threads never meet twice in the same way: nodes need not agree.
            Status::Ok if row.tt_state == TableState::Cold && row.threads == 1 => self.compare(row, &place),
            _ => None,
        }
    }

    /// The number of a name, given at its first mention.
    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        self.names.get(name).copied().unwrap_or_else(|| *self.names.entry(name.to_string()).or_insert(next))
    }

    fn compare(&mut self, row: &Sample, place: &str) -> Option<String> {
        let (set, position, variant, goal, tt_bytes) = row.subject();
        let key = (self.number(set), position, self.number(variant), goal, tt_bytes);
        let nodes = row.nodes?;
        let first = *self.nodes.entry(key).or_insert(nodes);
        (first != nodes).then(|| {
            self.mismatches += 1;
            format!("{place}: {nodes} nodes, {first} before")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn wrong_scores_and_moving_nodes_are_found() {
        let good = sample("a", 1, 10, 5);
        let rows = [
            good.clone(),
            Sample { repetition: 1, ..good.clone() },
            Sample { repetition: 2, nodes: Some(6), ..good.clone() },
            Sample { nodes: Some(7), tt_state: TableState::Warm, ..good.clone() },
            Sample { nodes: Some(7), threads: 2, ..good.clone() },
            Sample { nodes: Some(8), variant: "b".to_string(), ..good.clone() },
            Sample { status: Status::Wrong, score: Some(-1), ..good.clone() },
            Sample { status: Status::Timeout, score: None, nodes: Some(1), ..good },
        ];
        let mut ledger = Ledger::default();
        let complaints: Vec<String> = rows.iter().filter_map(|row| ledger.enter(row)).collect();
        assert_eq!(
            complaints,
            ["s, line 1, a (strong): 6 nodes, 5 before", "s, line 1, a (strong): the score is 1, the answer was -1"]
        );
        assert_eq!((ledger.wrong, ledger.mismatches, ledger.is_clean()), (1, 1, false));
    }
}
