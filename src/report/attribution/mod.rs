//! Attribution: the worth of each technique, from node rows of all combinations of techniques.
//!
//! The worth of a combination on a position is minus the natural logarithm of its nodes. All other values are linear in
//! the worths ([`shapley`]). Their means over positions are shown as factors: 2 means half the nodes. Intervals are
//! those of a geometric mean over positions.

pub mod output;
pub mod shapley;

use crate::stats::{Estimate, Pair, geometric_mean, pooled_geometric_mean};
use anyhow::{Context, Result, bail};
use c4lab_measure::attribution::Attribution;
use c4lab_measure::attribution::ablation_path::walk;
use c4lab_measure::attribution::run::AttributionManifest;
use c4lab_measure::files::manifest::{self, SetRecord};
use c4lab_measure::files::node_row::{self, NodeCell, NodeTable, read, read_spec};
use c4lab_measure::files::rows::file_of;
use c4lab_measure::files::sample::Status;
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::{self, PONS_12};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct AttributionReading {
    pub folder: PathBuf,
    pub manifest: AttributionManifest,
    pub table: NodeTable,
    pub combinations: Vec<Spec>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    pub positions: usize,
    /// The number of positions left out, since some combination reached the limit on them.
    pub left_out: usize,
    pub mean_nodes: (f64, f64),
    pub all: Estimate,
    pub effects: Vec<Effect>,
    pub interactions: Vec<(usize, usize, Estimate)>,
}

/// The factor by which a technique divides the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    pub value: Estimate,
    pub share: f64,
    pub first: Estimate,
    pub last: Estimate,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub spec: Spec,
    pub positions: usize,
    /// The number of positions on which `spec` reached the limit. They count with the limit.
    pub limited: usize,
    pub mean_nodes: f64,
    /// The nodes of the step before divided by those of this step; 1 for the first step.
    pub gain: Estimate,
    /// The nodes of the first step divided by those of this step.
    pub total: Estimate,
}

impl AttributionReading {
    pub fn open(folder: &Path) -> Result<Self> {
        let rows = read(folder)?;
        let place = folder.display();
        let manifest = AttributionManifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
        if rows.is_empty() {
            bail!("{place}: no rows yet");
        }
        let combinations = manifest.attribution.combinations().with_context(|| place.to_string())?;
        let table = NodeTable::of(&rows);
        for set in &manifest.test_sets {
            if table.positions(&set.sha256) > manifest.attribution.positions(set.positions) {
                bail!("{place}: rows of more positions of {} than the manifest says", set.name);
            }
        }
        Ok(AttributionReading { folder: folder.to_path_buf(), manifest, table, combinations })
    }

    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.manifest.warnings();
        let risk = self.table.risk();
        if risk > 0.0 {
            warnings
                .push(format!("some specs hash their keys: the chance that a search was wrong is at most {risk:.1e}"));
        }
        for (from, to) in &self.manifest.paths {
            for error in [from, to].into_iter().filter_map(|spec| read_spec(spec).err()) {
                let file = self.folder.join(manifest::FILE);
                warnings.push(format!("{}: the path from {from} to {to} cannot be read: {error}", file.display()));
            }
        }
        if self.is_incomplete() {
            warnings.push(format!("{}: rows are missing, and the tables that need them", self.folder.display()));
        }
        warnings.extend(self.table.unread.iter().map(|unread| unread.warning(&file_of(&self.folder, node_row::FILE))));
        warnings
    }

    /// True if rows of the combinations or of a path are missing. A folder with paths may have no combinations.
    pub fn is_incomplete(&self) -> bool {
        let has_all = || self.combinations.iter().all(|spec| self.cells(*spec).is_some());
        self.manifest.paths.iter().any(|ends| self.steps(ends).is_none())
            || self.manifest.paths.is_empty() && !has_all()
    }

    pub fn attribution(&self) -> &Attribution {
        &self.manifest.attribution
    }

    /// `None` while rows are missing, or if some combination reached a limit on every position.
    pub fn worth(&self, set: &SetRecord) -> Option<Worth> {
        let columns = self.combinations.iter().map(|spec| self.column(set, *spec)).collect::<Option<Vec<_>>>()?;
        let positions = columns.first()?.len();
        let mut rows: Vec<Vec<NodeCell>> =
            (0..positions).map(|index| columns.iter().map(|column| column[index]).collect()).collect();
        rows.retain(|row| row.iter().all(|cell| cell.status == Status::Ok));
        worth(&rows, positions - rows.len(), self.attribution().seed)
    }

    /// The steps of an ablation path; `None` while rows are missing.
    pub fn path(&self, from: Spec, to: Spec) -> Option<Vec<Step>> {
        let sets: Vec<&str> = self.manifest.test_sets.iter().map(|set| set.sha256.as_str()).collect();
        let path = walk(from, to, |specs| {
            let is_there = specs.iter().all(|spec| self.cells(*spec).is_some());
            Ok(is_there.then(|| specs.iter().filter_map(|spec| self.table.mean_log(&sets, *spec)).collect()))
        });
        let path = path.ok()??;
        let columns = path.iter().map(|spec| self.cells(*spec)).collect::<Option<Vec<_>>>()?;
        let (mut steps, seed) = (Vec::new(), self.attribution().seed);
        for (index, spec) in path.into_iter().enumerate() {
            let cells: Vec<&NodeCell> = columns[index].iter().flatten().collect();
            steps.push(Step {
                spec,
                positions: cells.len(),
                limited: cells.iter().filter(|cell| cell.status.is_limited()).count(),
                mean_nodes: cells.iter().map(|cell| cell.nodes as f64).sum::<f64>() / cells.len() as f64,
                gain: ratio(&columns[index.saturating_sub(1)], &columns[index], seed)?,
                total: ratio(&columns[0], &columns[index], seed)?,
            });
        }
        Some(steps)
    }

    /// The ends and steps of the manifest's paths, without paths whose rows are not complete.
    pub fn paths(&self) -> Vec<(Spec, Spec, Vec<Step>)> {
        self.manifest.paths.iter().filter_map(|ends| self.steps(ends)).collect()
    }

    fn steps(&self, (from, to): &(String, String)) -> Option<(Spec, Spec, Vec<Step>)> {
        let (from, to) = (Spec::parse(from, PONS_12).ok()?, Spec::parse(to, PONS_12).ok()?);
        Some((from, to, self.path(from, to)?))
    }

    /// The cells of `spec` on all positions of `set`; `None` while rows are missing.
    fn column(&self, set: &SetRecord, spec: Spec) -> Option<Vec<NodeCell>> {
        let cells = self.table.cells(&set.sha256, &spec.to_string())?;
        let is_whole = cells.len() == self.attribution().positions(set.positions);
        is_whole.then(|| cells.values().copied().collect())
    }

    /// The cells of `spec` on all positions, for each set; `None` while rows are missing.
    fn cells(&self, spec: Spec) -> Option<Vec<Vec<NodeCell>>> {
        self.manifest.test_sets.iter().map(|set| self.column(set, spec)).collect()
    }
}

pub fn name(spec: Spec) -> Option<&'static str> {
    registry::named(spec).map(|entry| entry.name)
}

pub fn changes(from: Spec, to: Spec) -> String {
    to.diff(from).into_iter().map(|(key, value, _)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// The worth of the techniques. Each row has one cell for each combination.
fn worth(rows: &[Vec<NodeCell>], left_out: usize, seed: u64) -> Option<Worth> {
    let all = rows.first()?.len() - 1;
    let worths: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|cell| -cell.log()).collect()).collect();
    let values: Vec<Vec<f64>> = worths.iter().map(|row| shapley::values(row)).collect();
    let pairs: Vec<Vec<(usize, usize, f64)>> = worths.iter().map(|row| shapley::interactions(row)).collect();
    // The factor by which the combination `to` has fewer nodes than `from`.
    let beyond = |from: usize, to: usize| factor(worths.iter().map(|row| row[to] - row[from]), seed);
    let whole = beyond(0, all)?;
    let (mut effects, mut interactions) = (Vec::new(), Vec::new());
    for technique in 0..values[0].len() {
        let value = factor(values.iter().map(|of| of[technique]), seed)?;
        effects.push(Effect {
            value,
            share: value.value.ln() / whole.value.ln(),
            first: beyond(0, 1 << technique)?,
            last: beyond(all & !(1 << technique), all)?,
        });
    }
    for (index, &(one, other, _)) in pairs[0].iter().enumerate() {
        interactions.push((one, other, factor(pairs.iter().map(|of| of[index].2), seed)?));
    }
    let mean = |on: usize| rows.iter().map(|row| row[on].nodes as f64).sum::<f64>() / rows.len() as f64;
    let (positions, mean_nodes) = (rows.len(), (mean(0), mean(all)));
    Some(Worth { positions, left_out, mean_nodes, all: whole, effects, interactions })
}

/// The nodes of `from` divided by those of `to`, over several sets. A position without nodes counts as one node.
fn ratio(from: &[Vec<NodeCell>], to: &[Vec<NodeCell>], seed: u64) -> Option<Estimate> {
    let pairs = |(from, to): (&Vec<NodeCell>, &Vec<NodeCell>)| -> Vec<Pair> {
        from.iter().zip(to).map(|(from, to)| Pair::from((from.log().exp(), to.log().exp()))).collect()
    };
    pooled_geometric_mean(&from.iter().zip(to).map(pairs).collect::<Vec<_>>(), seed)
}

/// The factor whose logarithm is the mean of logarithms over positions; `None` without positions.
fn factor(logs: impl Iterator<Item = f64>, seed: u64) -> Option<Estimate> {
    geometric_mean(&logs.map(|log| Pair::from((log.exp(), 1.0))).collect::<Vec<_>>(), seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(nodes: u64) -> NodeCell {
        NodeCell { status: Status::Ok, nodes }
    }

    /// Nodes by combination: technique 0 halves, technique 1 divides by 8 alone and by 2 after the other.
    #[test]
    fn factors_by_hand() {
        let rows: Vec<Vec<NodeCell>> =
            (0..9).map(|_| [64, 32, 8, 16].map(cell).to_vec()).chain([[0, 1, 1, 1].map(cell).to_vec()]).collect();
        let worth = worth(&rows[..9], 1, 1).unwrap();
        let near = |estimate: Estimate, factor: f64| (estimate.value - factor).abs() < 1e-9;
        assert_eq!((worth.positions, worth.left_out, worth.mean_nodes), (9, 1, (64.0, 16.0)));
        assert!(near(worth.all, 4.0) && near(worth.effects[0].first, 2.0) && near(worth.effects[0].last, 0.5));
        assert!(near(worth.effects[1].first, 8.0) && near(worth.effects[1].last, 2.0));
        // (2 x 1/2)^(1/2) and (8 x 2)^(1/2); together 4 of 16 that they would do apart.
        assert!(near(worth.effects[0].value, 1.0) && near(worth.effects[1].value, 4.0), "{worth:?}");
        assert!((worth.effects[1].share - 1.0).abs() < 1e-9 && near(worth.interactions[0].2, 0.25));
        // A position without nodes counts as one node: it moves the mean, and breaks nothing.
        let all = super::worth(&rows, 0, 1).unwrap();
        assert!(near(all.all, 4f64.powf(0.9)) && near(all.effects[0].value, 1.0), "{all:?}");
        assert_eq!(super::worth(&[], 3, 1), None);
    }

    #[test]
    fn changes_are_named() {
        let to = Spec::parse("key=mirror,root=window", PONS_12).unwrap();
        assert_eq!(changes(PONS_12, to), "key=mirror root=window");
    }
}
