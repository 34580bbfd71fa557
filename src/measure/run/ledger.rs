//! What makes rows worthless: wrong scores, and rows that contradict one another in a score or a node count, which are
//! the same on every machine, at every moment and in every build. Times are not compared.

use crate::files::sample::{Sample, Status};
use crate::plan::experiment::TableState;
use crate::text::pluralize;
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
            if self.failed > 0 { format!(", {} that failed", pluralize(self.failed, "cell")) } else { String::new() };
        let (wrong, moved) = (pluralize(self.wrong, "wrong score"), pluralize(self.mismatches, "differing node count"));
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

/// Rows that contradict one another: the first row, the later one, and about what.
pub(crate) type Contradiction = (usize, usize, String);

type Search = (usize, u64, usize, Goal, u64);

#[derive(Default)]
struct First {
    names: HashMap<String, usize>,
    expected: HashMap<(usize, u64), (i32, usize)>,
    scores: HashMap<Search, (i32, usize)>,
    /// The nodes that it took, from a cold table and with one thread.
    nodes: HashMap<Search, (u64, usize)>,
}

pub(crate) fn contradictions<'a>(rows: impl Iterator<Item = (usize, &'a Sample)>) -> Vec<Contradiction> {
    let mut first = First::default();
    rows.flat_map(|(number, row)| first.enter(number, row)).collect()
}

impl First {
    /// The number of a name, given at its first mention.
    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        self.names.get(name).copied().unwrap_or_else(|| *self.names.entry(name.to_string()).or_insert(next))
    }

    fn enter(&mut self, number: usize, row: &Sample) -> Vec<Contradiction> {
        let (set, variant) = (self.number(&row.set_sha256), self.number(&row.variant));
        let search = (set, row.position_id, variant, row.goal, row.tt_bytes);
        let place = format!("{}, line {}", row.set, row.position_id);
        let of = format!("{place}, {} ({})", row.variant, row.goal.name());
        let mut found = Vec::new();
        if let Some(expected) = row.expected_score {
            let (known, first) = *self.expected.entry((set, row.position_id)).or_insert((expected, number));
            if known != expected {
                found.push((first, number, format!("{place}: the scores {known} and {expected} are expected")));
            }
        }
        // A foreign program, whose nodes are not known, may be wrong at times: its rows say so, and contradict nobody.
        let answered = row.status == Status::Ok || row.status == Status::Wrong && row.nodes.is_some();
        if let Some(score) = row.score.filter(|_| answered) {
            let (known, first) = *self.scores.entry(search).or_insert((score, number));
            if known != score {
                found.push((first, number, format!("{of}: the scores {known} and {score}")));
            }
        }
        let counts = row.status == Status::Ok && row.tt_state == TableState::Cold && row.threads == 1;
        if let Some(nodes) = row.nodes.filter(|_| counts) {
            let (known, first) = *self.nodes.entry(search).or_insert((nodes, number));
            if known != nodes {
                found.push((first, number, format!("{of}: {known} and {nodes} nodes")));
            }
        }
        found
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

    fn about(rows: &[Sample]) -> Vec<(usize, usize, String)> {
        contradictions(rows.iter().enumerate())
    }

    #[test]
    fn scores_and_nodes_must_agree_and_times_need_not() {
        let good = sample("a", 1, 10, 5);
        let again = |change: &dyn Fn(&mut Sample)| {
            let mut row = good.clone();
            change(&mut row);
            about(&[good.clone(), row])
        };
        assert_eq!(again(&|row| (row.wall_ns, row.machine_id) = (Some(99), "n".to_string())), []);
        assert_eq!(again(&|row| row.nodes = Some(6)), [(0, 1, "s, line 1, a (strong): 5 and 6 nodes".to_string())]);
        assert_eq!(
            again(&|row| row.score = Some(2)),
            [(0, 1, "s, line 1, a (strong): the scores 1 and 2".to_string())]
        );
        assert_eq!(
            again(&|row| row.expected_score = Some(2)),
            [(0, 1, "s, line 1: the scores 1 and 2 are expected".to_string())]
        );
        let wrong = |row: &mut Sample| (row.status, row.score) = (Status::Wrong, Some(-1));
        assert_eq!(again(&wrong).len(), 1, "wrong on one machine, right on another");
        // Other searches, and what has no nodes of its own.
        assert_eq!(again(&|row| (row.nodes, row.variant) = (Some(6), "b".to_string())), []);
        assert_eq!(again(&|row| (row.nodes, row.goal) = (Some(6), Goal::Weak)), []);
        assert_eq!(again(&|row| (row.nodes, row.tt_bytes) = (Some(6), 1)), []);
        assert_eq!(again(&|row| (row.nodes, row.tt_state) = (Some(6), TableState::Warm)), []);
        assert_eq!(again(&|row| (row.nodes, row.threads) = (Some(6), 2)), []);
        let limited = |row: &mut Sample| (row.status, row.nodes, row.score) = (Status::NodeLimit, Some(3), None);
        assert_eq!(again(&limited), []);
    }
}
