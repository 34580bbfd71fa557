//! Attribution: node rows of all combinations in, what each technique is worth out.
//!
//! The worth of a combination on a position is minus the natural logarithm of its nodes. Everything else is linear in
//! that ([`shapley`]). It is a mean over positions, shown as a factor: 2 means half the nodes. Intervals are those of a
//! geometric mean over positions.

pub mod files;
pub mod partial;
pub mod pictures;
pub mod shapley;
pub mod sheets;

use crate::reading::Reading;
use crate::results::Ground;
use crate::stats::{Estimate, geometric_mean, pooled_geometric_mean};
use crate::tables::comparison::{Comparison, Quantity};
use anyhow::{Context, Result, bail};
use c4lab_measure::attribution::ablation_path::walk;
use c4lab_measure::attribution::manifest::AttributionManifest;
use c4lab_measure::attribution::{Attribution, Technique};
use c4lab_measure::files::folder::Rows;
use c4lab_measure::files::manifest::SetRecord;
use c4lab_measure::files::node_row::{self, NodeCell, NodeTable, read};
use c4lab_measure::files::sample::Status;
use c4lab_measure::files::unread::read_spec;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::{self, PONS_12};
use c4lab_solver::search::{Name, Spec};
use std::path::{Path, PathBuf};

/// How the name of a folder begins that named variants are timed into. It lies in the folder of the attribution.
pub const TIME: &str = "time-";

/// A folder that was read.
#[derive(Debug)]
pub struct AttributionReading {
    /// The folder.
    pub folder: PathBuf,
    /// What was counted, and how.
    pub manifest: AttributionManifest,
    /// The rows.
    pub table: NodeTable,
    /// The spec of every combination.
    pub combinations: Vec<Spec>,
    /// Named variants that were timed.
    pub times: Vec<Reading>,
}

/// What the techniques are worth on a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// Positions that count.
    pub positions: usize,
    /// Positions that are left out: some combination reached the limit on them.
    pub left_out: usize,
    /// Mean nodes without any technique, and with all.
    pub mean_nodes: (f64, f64),
    /// All techniques together.
    pub all: Estimate,
    /// One for each technique.
    pub effects: Vec<Effect>,
    /// Every two techniques, by index.
    pub interactions: Vec<(usize, usize, Estimate)>,
}

/// What a technique is worth: the factor by which it divides the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// On average over all orders.
    pub value: Estimate,
    /// Its part of the logarithm of the whole.
    pub share: f64,
    /// The same where it is added to the base alone.
    pub first: Estimate,
    /// The same where it is added last, to all others.
    pub last: Estimate,
}

/// A step of an ablation path.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where it leads.
    pub spec: Spec,
    /// All positions, limited ones included.
    pub positions: usize,
    /// Positions on which it reached the limit. They count with the limit.
    pub limited: usize,
    /// Mean nodes of a position.
    pub mean_nodes: f64,
    /// The nodes of the step before divided by its nodes; 1 for the first step.
    pub gain: Estimate,
    /// The nodes of the first step divided by its nodes.
    pub total: Estimate,
}

/// Two specs whose nodes and times are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// What is exchanged.
    pub label: String,
    /// The spec whose nodes are divided.
    pub from: Spec,
    /// The spec that they are divided by.
    pub to: Spec,
}

impl AttributionReading {
    /// Reads a folder that `attribute` wrote, or a record of it.
    pub fn open(folder: &Path) -> Result<Self> {
        let rows = read(folder)?;
        let place = folder.display();
        let manifest = AttributionManifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
        if rows.is_empty() {
            bail!("{place}: no row is there yet");
        }
        let combinations = manifest.attribution.combinations().with_context(|| place.to_string())?;
        let (table, times) = (NodeTable::of(&rows), times(folder)?);
        Ok(AttributionReading { folder: folder.to_path_buf(), manifest, table, combinations, times })
    }

    /// What makes the counts doubtful.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.manifest.warnings();
        let risk = self.table.risk();
        if risk > 0.0 {
            warnings
                .push(format!("some specs hash their keys: a search was wrong with a chance of at most {risk:.1e}"));
        }
        for (from, to) in &self.manifest.paths {
            for error in [from, to].into_iter().filter_map(|spec| read_spec(spec).err()) {
                let file = self.folder.join(AttributionManifest::FILE);
                warnings.push(format!("{}: the path from {from} to {to} cannot be read: {error}", file.display()));
            }
        }
        warnings.extend(self.table.unread.iter().map(|unread| unread.warning(&node_row::file(&self.folder))));
        warnings
    }

    /// What was asked.
    pub fn attribution(&self) -> &Attribution {
        &self.manifest.attribution
    }

    /// What the techniques are worth on a set; `None` while rows are missing, or where every position reached a limit.
    pub fn worth(&self, set: &SetRecord) -> Option<Worth> {
        let columns = self.combinations.iter().map(|spec| self.column(set, *spec)).collect::<Option<Vec<_>>>()?;
        let rows = (0..columns.first()?.len()).map(|index| columns.iter().map(|column| column[index]).collect());
        let rows: Vec<Vec<NodeCell>> = rows.collect();
        let whole = |row: &&Vec<NodeCell>| row.iter().all(|cell| cell.status == Status::Ok);
        let kept: Vec<&Vec<NodeCell>> = rows.iter().filter(whole).collect();
        worth(&kept, rows.len() - kept.len(), self.attribution().seed)
    }

    /// The steps of an ablation path; `None` while rows are missing.
    pub fn path(&self, from: Spec, to: Spec) -> Option<Vec<Step>> {
        let sets: Vec<&str> = self.manifest.test_sets.iter().map(|set| set.sha256.as_str()).collect();
        let cost = |specs: &[Spec]| {
            let there = specs.iter().all(|spec| self.cells(*spec).is_some());
            Ok(there.then(|| specs.iter().filter_map(|spec| self.table.mean_log(&sets, *spec)).collect()))
        };
        let path = walk(from, to, cost).ok()??;
        let columns = path.iter().map(|spec| self.cells(*spec)).collect::<Option<Vec<_>>>()?;
        let seed = self.attribution().seed;
        let step = |index: usize| {
            let cells: Vec<&NodeCell> = columns[index].iter().flatten().collect();
            let sum: f64 = cells.iter().map(|cell| cell.nodes as f64).sum();
            Some(Step {
                spec: path[index],
                positions: cells.len(),
                limited: cells.iter().filter(|cell| cell.status.is_limited()).count(),
                mean_nodes: sum / cells.len() as f64,
                gain: pooled(&columns[index.saturating_sub(1)], &columns[index], seed)?,
                total: pooled(&columns[0], &columns[index], seed)?,
            })
        };
        (0..path.len()).map(step).collect()
    }

    /// What was timed side by side: techniques added last, and steps of paths.
    pub fn timed(&self) -> Vec<Contrast> {
        let is_there = |name: String| self.times.iter().any(|time| time.folder.ends_with(&name));
        let last = if is_there(format!("{TIME}last")) { self.added_last() } else { Vec::new() };
        let asked = self.manifest.paths.iter().enumerate();
        let timed = asked.filter(|(index, _)| is_there(format!("{TIME}path-{}", index + 1)));
        let steps = timed.filter_map(|(_, ends)| self.steps(ends)).flat_map(|(_, _, steps)| comparisons(&steps));
        last.into_iter().chain(steps).collect()
    }

    /// The paths that were asked for and are complete: their ends and steps.
    pub fn paths(&self) -> Vec<(Spec, Spec, Vec<Step>)> {
        self.manifest.paths.iter().filter_map(|ends| self.steps(ends)).collect()
    }

    fn steps(&self, (from, to): &(String, String)) -> Option<(Spec, Spec, Vec<Step>)> {
        let (from, to) = (Spec::parse(from, PONS_12).ok()?, Spec::parse(to, PONS_12).ok()?);
        Some((from, to, self.path(from, to)?))
    }

    /// Every technique, added last.
    pub fn added_last(&self) -> Vec<Contrast> {
        let all = self.combinations.len() - 1;
        let last = |(index, technique): (usize, &Technique)| {
            let (from, to) = (self.combinations[all & !(1 << index)], self.combinations[all]);
            Contrast { label: technique.name.clone(), from, to }
        };
        self.attribution().techniques.iter().enumerate().map(last).collect()
    }

    /// The nodes of `from` divided by those of `to`, on a set.
    pub fn node_ratio(&self, set: &SetRecord, from: Spec, to: Spec) -> Option<Estimate> {
        ratio(&self.column(set, from)?, &self.column(set, to)?, self.attribution().seed)
    }

    /// The time of the first divided by that of the second on a set, where both were timed.
    pub fn time_ratio(&self, set: &SetRecord, comparison: &Contrast) -> Option<Estimate> {
        let (from, to) = comparison.timed().ok()?;
        let (from, to) = (from.text(), to.text());
        let grounds = self.times.iter().flat_map(|time| &time.results.grounds);
        let here = grounds.filter(|ground| ground.set_sha256 == set.sha256);
        let of = |ground: &Ground| {
            let (from, to) = (ground.column(from)?, ground.column(to)?);
            Some(Comparison::of(ground, from, to, Quantity::Time, self.attribution().seed).geometric_mean)
        };
        here.filter_map(of).next()?
    }

    /// What a spec took on all positions of a set; `None` while rows are missing.
    fn column(&self, set: &SetRecord, spec: Spec) -> Option<Vec<NodeCell>> {
        let cells = self.table.cells(&set.sha256, &spec.to_string())?;
        let whole = cells.len() == self.attribution().positions(set.positions);
        whole.then(|| cells.values().copied().collect())
    }

    /// What a spec took on all positions of each set; `None` while rows are missing.
    fn cells(&self, spec: Spec) -> Option<Vec<Vec<NodeCell>>> {
        self.manifest.test_sets.iter().map(|set| self.column(set, spec)).collect()
    }
}

/// The folders below an attribution's that variants were timed into, if they have rows.
fn times(folder: &Path) -> Result<Vec<Reading>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(TIME)).collect();
    names.sort_unstable();
    let begun = |place: &PathBuf| Rows::open(place).is_ok_and(|mut rows| rows.next().is_some());
    let places = names.iter().map(|name| folder.join(name)).filter(begun);
    places.map(|place| Reading::open(&place)).collect()
}

/// What may be timed along a path: its steps.
pub fn comparisons(steps: &[Step]) -> Vec<Contrast> {
    let specs: Vec<Spec> = steps.iter().map(|step| step.spec).collect();
    let of = |pair: &[Spec]| Contrast { label: changes(pair[0], pair[1]), from: pair[0], to: pair[1] };
    specs.windows(2).map(of).collect()
}

/// The name of the variant that a spec is.
pub fn name(spec: Spec) -> Option<&'static str> {
    registry::named(spec).map(|entry| entry.name)
}

impl Contrast {
    /// The names of both, as they are timed side by side. Each runs as a type of its own. Where one has none, both run
    /// at run time.
    ///
    /// # Errors
    /// The reason why they are not timed.
    pub fn timed(&self) -> Result<(Name, Name), &'static str> {
        self.from.available().and(self.to.available())?;
        let (from, to) = (Name::of(self.from), Name::of(self.to));
        let [from_runs, to_runs] = [&from, &to].map(|name| name.is_run_time_on(BoardSize::STANDARD));
        Ok(if from_runs == to_runs { (from, to) } else { (from.at_run_time(), to.at_run_time()) })
    }
}

/// What changes from one spec to another.
pub fn changes(from: Spec, to: Spec) -> String {
    to.diff(from).into_iter().map(|(key, value, _)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// What the techniques are worth, from rows of one cell for each combination.
fn worth(rows: &[&Vec<NodeCell>], left_out: usize, seed: u64) -> Option<Worth> {
    let all = rows.first()?.len() - 1;
    let worths: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|cell| -cell.log()).collect()).collect();
    let over = |of: &dyn Fn(&[f64]) -> f64| factor(&worths.iter().map(|row| of(row)).collect::<Vec<_>>(), seed);
    let values: Vec<Vec<f64>> = worths.iter().map(|row| shapley::values(row)).collect();
    let pairs: Vec<Vec<(usize, usize, f64)>> = worths.iter().map(|row| shapley::interactions(row)).collect();
    let whole = over(&|row| row[all] - row[0])?;
    let effect = |technique: usize| {
        let value = factor(&values.iter().map(|of| of[technique]).collect::<Vec<_>>(), seed)?;
        let (first, last) =
            (over(&|row| row[1 << technique] - row[0])?, over(&|row| row[all] - row[all & !(1 << technique)])?);
        Some(Effect { value, share: value.value.ln() / whole.value.ln(), first, last })
    };
    let interaction = |index: usize| {
        let (one, other, _) = pairs[0][index];
        Some((one, other, factor(&pairs.iter().map(|of| of[index].2).collect::<Vec<_>>(), seed)?))
    };
    let mean = |on: usize| rows.iter().map(|row| row[on].nodes as f64).sum::<f64>() / rows.len() as f64;
    Some(Worth {
        positions: rows.len(),
        left_out,
        mean_nodes: (mean(0), mean(all)),
        all: whole,
        effects: (0..values[0].len()).map(effect).collect::<Option<_>>()?,
        interactions: (0..pairs[0].len()).map(interaction).collect::<Option<_>>()?,
    })
}

/// The nodes of `from` divided by those of `to`, over the same positions.
fn ratio(from: &[NodeCell], to: &[NodeCell], seed: u64) -> Option<Estimate> {
    geometric_mean(&pairs(from, to), seed)
}

/// The same over several sets.
fn pooled(from: &[Vec<NodeCell>], to: &[Vec<NodeCell>], seed: u64) -> Option<Estimate> {
    let strata: Vec<Vec<(f64, f64)>> = from.iter().zip(to).map(|(from, to)| pairs(from, to)).collect();
    pooled_geometric_mean(&strata, seed)
}

/// Nodes of two specs; a position that is solved before the first node counts as one.
fn pairs(from: &[NodeCell], to: &[NodeCell]) -> Vec<(f64, f64)> {
    from.iter().zip(to).map(|(from, to)| (from.log().exp(), to.log().exp())).collect()
}

/// The factor whose logarithm is the mean of logarithms over positions; `None` without positions.
fn factor(logs: &[f64], seed: u64) -> Option<Estimate> {
    geometric_mean(&logs.iter().map(|log| (log.exp(), 1.0)).collect::<Vec<_>>(), seed)
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
        let worth = worth(&rows[..9].iter().collect::<Vec<_>>(), 1, 1).unwrap();
        let near = |estimate: Estimate, factor: f64| (estimate.value - factor).abs() < 1e-9;
        assert_eq!((worth.positions, worth.left_out, worth.mean_nodes), (9, 1, (64.0, 16.0)));
        assert!(near(worth.all, 4.0) && near(worth.effects[0].first, 2.0) && near(worth.effects[0].last, 0.5));
        assert!(near(worth.effects[1].first, 8.0) && near(worth.effects[1].last, 2.0));
        // (2 x 1/2)^(1/2) and (8 x 2)^(1/2); together 4 of 16 that they would do apart.
        assert!(near(worth.effects[0].value, 1.0) && near(worth.effects[1].value, 4.0), "{worth:?}");
        assert!((worth.effects[1].share - 1.0).abs() < 1e-9 && near(worth.interactions[0].2, 0.25));
        // A position without nodes counts as one node: it moves the mean, and breaks nothing.
        let all = super::worth(&rows.iter().collect::<Vec<_>>(), 0, 1).unwrap();
        assert!(near(all.all, 4f64.powf(0.9)) && near(all.effects[0].value, 1.0), "{all:?}");
        assert_eq!(super::worth(&[], 3, 1), None);
    }

    #[test]
    fn what_has_no_name_is_timed_at_run_time() {
        let of = |text: &str| Spec::parse(text, PONS_12).unwrap();
        let compared = |from: &str, to: &str| {
            let timed = Contrast { label: String::new(), from: of(from), to: of(to) }.timed().unwrap();
            [timed.0.text(), timed.1.text()].map(str::to_string)
        };
        assert_eq!(compared("", "threats=halves"), ["pons-12", "pons-12-threats-halves"]);
        assert_eq!(compared("", "key=mirror,root=window"), ["pons-12[]", "pons-12-root-window[key=mirror]"]);
        assert_eq!(compared("key=mirror,root=window", ""), ["pons-12-root-window[key=mirror]", "pons-12[]"]);
        assert_eq!(changes(PONS_12, of("key=mirror,root=window")), "key=mirror root=window");
    }
}
