//! The anatomy of searches: what became of their nodes, by the number of stones. The counting pass writes it to `anatomy.csv`.

use crate::files::rows::{self, Row};
use crate::files::sample::{SCHEMA_VERSION, Sample};
use anyhow::{Result, bail};
use c4lab_solver::search::{Goal, PlyCounts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

pub const FILE: &str = "anatomy.csv";

/// No search of a life counts more. Sums of a file's rows fit a word.
const MOST: u64 = 1 << 48;

/// A row of `anatomy.csv`: the nodes with one number of stones, of all searches of a variant on a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnatomyRow {
    pub schema_version: u32,
    pub set: String,
    pub set_sha256: String,
    pub goal: Goal,
    pub variant: String,
    pub positions: u64,
    pub ply: u32,
    pub nodes: u64,
    pub probes: u64,
    pub hits: u64,
    /// Nodes ended by a win or a loss that is seen without a search.
    pub win: u64,
    pub forced: u64,
    pub zugzwang: u64,
    pub bound: u64,
    pub table: u64,
    pub search: u64,
    pub parents: u64,
    pub children: u64,
    /// Nodes that were ended by the first move that was tried.
    pub cutoff_1: u64,
    pub cutoff_2: u64,
    pub cutoff_3: u64,
    pub cutoff_4: u64,
    pub cutoff_5: u64,
    pub cutoff_6: u64,
    pub cutoff_7: u64,
}

impl AnatomyRow {
    pub fn counts(&self) -> PlyCounts {
        PlyCounts {
            nodes: self.nodes,
            probes: self.probes,
            hits: self.hits,
            ends: [self.win, self.forced, self.zugzwang, self.bound, self.table, self.search],
            parents: self.parents,
            children: self.children,
            cutoffs: [
                self.cutoff_1,
                self.cutoff_2,
                self.cutoff_3,
                self.cutoff_4,
                self.cutoff_5,
                self.cutoff_6,
                self.cutoff_7,
            ],
        }
    }
}

impl Row for AnatomyRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "anatomy";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

/// Reads `anatomy.csv` of a folder; nothing where there is none.
pub fn read(folder: &Path) -> Result<Vec<AnatomyRow>> {
    checked(&folder.join(FILE), rows::read_any(folder)?)
}

/// The rows in the bytes of a file, which need not be on disk.
pub fn parse(file: &Path, bytes: impl BufRead) -> Result<Vec<AnatomyRow>> {
    checked(file, rows::parse(file, bytes)?)
}

fn checked(file: &Path, rows: Vec<AnatomyRow>) -> Result<Vec<AnatomyRow>> {
    for (row, line) in rows.iter().zip(2..) {
        let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = row.counts();
        let single = [row.positions, nodes, probes, hits, parents, children];
        if let Some(count) = single.into_iter().chain(ends).chain(cutoffs).find(|&count| count > MOST) {
            bail!("{}, line {line}: {count} is more than can have been counted", file.display());
        }
    }
    Ok(rows)
}

type CountedGround = (String, String, Goal, String);

#[derive(Debug, Default)]
pub(super) struct Sums {
    of: BTreeMap<CountedGround, (u64, Vec<PlyCounts>)>,
}

impl Sums {
    pub(super) fn add(&mut self, sample: &Sample, plies: &[PlyCounts]) {
        let subject = (sample.set.clone(), sample.set_sha256.clone(), sample.goal, sample.variant.clone());
        let (positions, sums) = self.of.entry(subject).or_default();
        *positions += 1;
        sums.resize(sums.len().max(plies.len()), PlyCounts::default());
        sums.iter_mut().zip(plies).for_each(|(sum, &counts)| *sum += counts);
    }

    /// Writes `anatomy.csv` whole; numbers of stones without a node have no row.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let mut rows = Vec::new();
        for (subject, (positions, plies)) in &self.of {
            let counted = plies.iter().enumerate().filter(|(_, counts)| counts.nodes > 0);
            rows.extend(counted.map(|(ply, counts)| row(subject, *positions, ply as u32, counts)));
        }
        rows::write(folder, &rows)
    }
}

fn row((set, set_sha256, goal, variant): &CountedGround, positions: u64, ply: u32, counts: &PlyCounts) -> AnatomyRow {
    let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = *counts;
    let [win, forced, zugzwang, bound, table, search] = ends;
    let [cutoff_1, cutoff_2, cutoff_3, cutoff_4, cutoff_5, cutoff_6, cutoff_7] = cutoffs;
    AnatomyRow {
        schema_version: SCHEMA_VERSION,
        set: set.clone(),
        set_sha256: set_sha256.clone(),
        goal: *goal,
        variant: variant.clone(),
        positions,
        ply,
        nodes,
        probes,
        hits,
        win,
        forced,
        zugzwang,
        bound,
        table,
        search,
        parents,
        children,
        cutoff_1,
        cutoff_2,
        cutoff_3,
        cutoff_4,
        cutoff_5,
        cutoff_6,
        cutoff_7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn searches_are_added_up_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap(), []);
        let counts =
            PlyCounts { nodes: 3, ends: [1, 0, 0, 0, 0, 2], cutoffs: [1, 0, 0, 0, 0, 0, 1], ..PlyCounts::default() };
        let mut sums = Sums::default();
        let plies = [PlyCounts::default(), counts];
        for id in 1..=2 {
            sums.add(&sample("a", id, 10, 3), &plies);
        }
        sums.add(&sample("b", 1, 10, 3), &plies);
        sums.write(folder.path()).unwrap();
        let rows = read(folder.path()).unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (row.variant.as_str(), row.positions, row.ply, row.nodes)).collect();
        assert_eq!(shown, [("a", 2, 1, 6), ("b", 1, 1, 3)]);
        assert_eq!(rows[1].counts(), counts);
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        let error = parse(Path::new(FILE), text.replacen(",3,", ",999999999999999999,", 1).as_bytes()).unwrap_err();
        assert!(error.to_string().contains("line 3: 999999999999999999 is more than"), "{error:#}");
        let error = parse(Path::new("anatomy.csv"), b"schema_version,set\n2,x\n".as_slice()).unwrap_err();
        assert!(format!("{error:#}").starts_with("anatomy.csv, line "), "{error:#}");
    }
}
