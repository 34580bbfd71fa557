//! The node row: one search that was counted but not timed, as a line of `nodes.csv`. The file is flushed row by row,
//! so that a run can be stopped at any moment and resumed.

use crate::files::rows::{self, Row};
use crate::files::sample::Status;
use crate::text::explain;
use anyhow::{Context, Result};
use c4lab_solver::search::registry::PONS_12;
use c4lab_solver::search::{Goal, Spec};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

pub const SCHEMA_VERSION: u32 = 1;
pub const FILE: &str = "nodes.csv";
pub const PACKED: &str = "nodes.csv.gz";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct NodeRow {
    pub schema_version: u32,
    pub set: String,
    pub set_sha256: String,
    pub position_id: u64,
    pub ply: u32,
    pub goal: Goal,
    pub techniques: Option<String>,
    pub spec: String,
    pub tt_bytes: u64,
    pub status: Status,
    pub expected_score: Option<i32>,
    pub score: Option<i32>,
    pub nodes: u64,
}

pub fn is_in(folder: &Path) -> bool {
    [FILE, PACKED].iter().any(|file| folder.join(file).is_file())
}

crate::row!(NodeRow, FILE, SCHEMA_VERSION);

/// Reads the rows of a folder; a torn last line is dropped.
pub fn read(folder: &Path) -> Result<Vec<NodeRow>> {
    checked(folder, rows::read(folder)?)
}

pub fn checked(folder: &Path, rows: Vec<NodeRow>) -> Result<Vec<NodeRow>> {
    for (index, row) in rows.iter().enumerate() {
        let checked = row.status.check(row.goal, row.score, row.expected_score);
        checked.with_context(|| NodeRow::place(folder, index))?;
    }
    Ok(rows)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCell {
    pub status: Status,
    pub nodes: u64,
}

impl NodeCell {
    /// The natural logarithm of the nodes; a position that is solved before the first node counts as one.
    pub fn log(&self) -> f64 {
        (self.nodes.max(1) as f64).ln()
    }
}

#[derive(Debug, Default)]
pub struct NodeTable {
    /// Cells by position, for each digest of a set and each spec as this build prints it.
    cells: HashMap<(String, String), BTreeMap<u64, NodeCell>>,
    specs: HashMap<String, String>,
    pub unread: Vec<UnreadSpec>,
    pub wrong: usize,
    /// Rows whose nodes differ from those of another row of the same search.
    pub mismatches: usize,
    pub rows: usize,
}

impl NodeTable {
    pub fn of(rows: &[NodeRow]) -> Self {
        let mut table = NodeTable::default();
        rows.iter().for_each(|row| drop(table.enter(row)));
        table
    }

    /// The number of positions of a set that have a row of any spec.
    pub fn positions(&self, set_sha256: &str) -> usize {
        let cells = self.cells.iter().filter(|((set, _), _)| set == set_sha256);
        cells.flat_map(|(_, cells)| cells.keys()).collect::<BTreeSet<_>>().len()
    }

    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.mismatches == 0
    }

    pub fn enter(&mut self, row: &NodeRow) -> Option<String> {
        self.rows += 1;
        let place = || format!("{}, line {}, {}", row.set, row.position_id, row.spec);
        let shown = |score: Option<i32>| score.map_or("none".to_string(), |score| score.to_string());
        let spec = self.as_printed_now(&row.spec);
        let cells = self.cells.entry((row.set_sha256.clone(), spec)).or_default();
        let first = *cells.entry(row.position_id).or_insert(NodeCell { status: row.status, nodes: row.nodes });
        if row.status == Status::Wrong {
            self.wrong += 1;
            let expected = row.expected_score.map(|score| row.goal.of(score));
            return Some(format!("{}: the score is {}, the answer was {}", place(), shown(expected), shown(row.score)));
        }
        (first.nodes != row.nodes).then(|| {
            self.mismatches += 1;
            format!("{}: {} nodes, {} before", place(), row.nodes, first.nodes)
        })
    }

    /// A row's spec with all axes of this build. An axis that is newer than the row has its technique switched off.
    fn as_printed_now(&mut self, spec: &str) -> String {
        if let Some(unread) = self.unread.iter_mut().find(|unread| unread.spec == spec) {
            unread.rows += 1;
            return spec.to_string();
        }
        if let Some(known) = self.specs.get(spec) {
            return known.clone();
        }
        match read_spec(spec) {
            Ok(read) => {
                let now = read.to_string();
                self.specs.insert(spec.to_string(), now.clone());
                now
            }
            Err(reason) => {
                // Line 1 is the header.
                self.unread.push(UnreadSpec { spec: spec.to_string(), reason, line: self.rows + 1, rows: 1 });
                spec.to_string()
            }
        }
    }

    /// The mean logarithm of the nodes of `spec` over all positions of the sets `sets_sha256`; `None` without rows. A
    /// search that reached its limit counts with the limit.
    pub fn mean_log(&self, sets_sha256: &[&str], spec: Spec) -> Option<f64> {
        let text = spec.to_string();
        let cells = sets_sha256.iter().filter_map(|set| self.cells(set, &text)).flat_map(BTreeMap::values);
        let (sum, count) = cells.fold((0.0, 0usize), |(sum, count), cell| (sum + cell.log(), count + 1));
        (count > 0).then(|| sum / count as f64)
    }

    /// An upper bound of the probability that the transposition table answered any search for a wrong position. It does
    /// not include specs that cannot be read ([`unread`](Self::unread)).
    pub fn risk(&self) -> f64 {
        let risk = |((_, spec), cells): (&(String, String), &BTreeMap<u64, NodeCell>)| {
            let nodes = cells.values().map(|cell| cell.nodes).fold(0, u64::saturating_add);
            Some(read_spec(spec).ok()?.risk(nodes))
        };
        self.cells.iter().filter_map(risk).sum()
    }

    pub fn cells(&self, set_sha256: &str, spec: &str) -> Option<&BTreeMap<u64, NodeCell>> {
        self.cells.get(&(set_sha256.to_string(), spec.to_string()))
    }
}

/// Parses the spec of a row. Axes that are newer than the row have their techniques switched off, as in [`PONS_12`].
pub fn read_spec(text: &str) -> Result<Spec, String> {
    Spec::parse_once(text, PONS_12).map_err(explain)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSpec {
    pub spec: String,
    pub reason: String,
    pub line: usize,
    pub rows: usize,
}

impl UnreadSpec {
    pub fn warning(&self, file: &Path) -> String {
        let UnreadSpec { spec, reason, line, rows } = self;
        let short: String = spec.chars().take(200).collect();
        let others = match rows {
            1 => "only this row has it".to_string(),
            rows => format!("{rows} rows have it"),
        };
        format!(
            "{}, line {line}: a spec that this c4lab cannot read: {reason}; {others}, and the risk of its table is \
             unknown: {short}",
            file.display()
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use c4lab_solver::search::registry::PONS_12;

    pub(crate) fn row(spec: &str, position_id: u64, nodes: u64) -> NodeRow {
        NodeRow {
            schema_version: SCHEMA_VERSION,
            set: "s".to_string(),
            set_sha256: "d".to_string(),
            position_id,
            ply: 2,
            goal: Goal::Strong,
            techniques: Some("01".to_string()),
            spec: spec.to_string(),
            tt_bytes: 0,
            status: Status::Ok,
            expected_score: Some(1),
            score: Some(1),
            nodes,
        }
    }

    #[test]
    fn rows_of_before_an_axis_are_found() {
        let now = PONS_12.to_string();
        let before = now.replace("search=moves,", "").replace("zugzwang=none,", "");
        assert!(before.len() < now.len());
        let table = NodeTable::of(&[row(&before, 1, 5)]);
        assert_eq!(table.cells("d", &now).map(BTreeMap::len), Some(1));
    }

    #[test]
    fn wrong_scores_and_moving_nodes_are_found() {
        let mut table = NodeTable::default();
        assert_eq!(table.enter(&row("a", 1, 5)), None);
        assert_eq!(table.enter(&row("a", 1, 6)), Some("s, line 1, a: 6 nodes, 5 before".to_string()));
        let wrong = NodeRow { status: Status::Wrong, score: Some(2), ..row("a", 2, 5) };
        assert!(table.enter(&wrong).unwrap().contains("the score is 1, the answer was 2"));
        assert_eq!((table.rows, table.wrong, table.mismatches, table.is_clean()), (3, 1, 1, false));
        assert_eq!((table.cells("d", "a").unwrap().len(), table.risk()), (2, 0.0));
        let [unread] = table.unread.as_slice() else { panic!("{:?}", table.unread) };
        assert_eq!((unread.spec.as_str(), unread.line, unread.rows), ("a", 2, 3), "unknown, not risk 0");
        let hashed = Spec::parse("table=hashed,table-size=chosen", PONS_12).unwrap().to_string();
        table.enter(&row(&hashed, 1, 1 << 30));
        assert_eq!(table.risk(), 2f64.powi(30 - 56));
        // More nodes than any search has; a damaged file must not cause an overflow.
        table.enter(&row(&hashed, 2, u64::MAX));
        assert!(table.risk() >= 1.0);
    }
}
