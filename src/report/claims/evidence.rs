//! Evidence: what was measured, for claims to be held against.

use crate::claims::claim::{Claim, Kind, Venue};
use crate::claims::ratios::{MeasuredRatio, Pairing};
use crate::reading::Reading;
use crate::results::{Ground, Observed, Outcome, Results, Series};
use crate::stats::mean_interval;
use crate::tables::instructions::{self, InstructionRow};
use anyhow::Result;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::rows;
use c4lab_measure::run::rate::Rate;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub struct Evidence {
    pub results: Results,
    pub manifest: Option<Manifest>,
    pub counts: Vec<InstructionRow>,
    pub counts_from: String,
    pub rates: Vec<Rate>,
    pub folder: PathBuf,
}

/// The benchmark of the loop alone. Every evaluator is counted together with this loop.
pub(super) const OVERHEAD: (&str, &str) = ("overhead", "stream_alone");

pub use c4lab_measure::run::rate::FILE as RATES;

/// The rates of a folder; none where there is no file of them.
pub fn read_rates(folder: &Path) -> Result<Vec<Rate>> {
    rows::read_any(folder)
}

pub fn write_rates(folder: &Path, rates: &[Rate]) -> Result<()> {
    rows::write(folder, rates)
}

pub fn recorded_counts() -> Option<PathBuf> {
    let entries = std::fs::read_dir("results").ok()?;
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    folders.filter(|folder| folder.join(instructions::FILE).is_file()).max()
}

impl Evidence {
    /// What a folder of samples holds, with the instruction counts of another.
    pub fn of(reading: &Reading, counts: Option<&Path>) -> Result<Self> {
        let mut evidence = Evidence::beside(&reading.folder, counts)?;
        evidence.results = reading.results.clone();
        evidence.manifest = Some(reading.manifest.clone());
        Ok(evidence)
    }

    pub fn beside(folder: &Path, counts: Option<&Path>) -> Result<Self> {
        Ok(Evidence {
            rates: read_rates(folder)?,
            folder: folder.to_path_buf(),
            counts: counts.map_or(Ok(Vec::new()), instructions::read)?,
            counts_from: counts.map_or(String::new(), |counts| counts.display().to_string()),
            ..Evidence::default()
        })
    }

    fn seed(&self) -> u64 {
        self.manifest.as_ref().map_or(1, |manifest| manifest.experiment.seed)
    }

    /// The ground on which a claim's variants were measured. The published set goes before one like it. Of several
    /// machines, the one with the most positions is taken.
    pub fn ground(&self, claim: &Claim, place: &Venue) -> Option<&Ground> {
        let original = format!("original/{}", place.set);
        let names = if place.original { vec![original.as_str(), &place.set] } else { vec![place.set.as_str()] };
        let has = |ground: &&Ground| claim.variants().all(|variant| ground.column(variant).is_some());
        let positions = |ground: &Ground| pairing(ground, claim, 1).map_or(0, |pairing| pairing.positions());
        names.into_iter().find_map(|name| {
            let of = |ground: &&Ground| ground.set == name && ground.goal == place.goal;
            let grounds = self.results.grounds.iter().filter(of).filter(has);
            grounds.max_by_key(|ground| positions(ground)).filter(|ground| positions(ground) > 0)
        })
    }

    /// The claim's base and variant on a ground; a claim of one variant is paired with itself.
    pub fn pairing<'a>(&self, ground: &'a Ground, claim: &Claim) -> Option<Pairing<'a>> {
        pairing(ground, claim, self.seed())
    }

    /// Whether a ground has exactly the published positions, all of them.
    pub fn is_published(&self, ground: &Ground, place: &Venue, positions: usize) -> bool {
        place.original && ground.set == format!("original/{}", place.set) && self.set_size(ground) == Some(positions)
    }

    pub fn set_size(&self, ground: &Ground) -> Option<usize> {
        let sets = &self.manifest.as_ref()?.test_sets;
        sets.iter().find(|set| set.sha256 == ground.set_sha256).map(|set| set.positions)
    }

    /// The mean of a variant's nodes or times over all positions of a ground, or its speed; every one of them answered.
    pub fn mean(&self, ground: &Ground, variant: &str, kind: Kind) -> Option<f64> {
        let column: &Series = ground.column(variant)?;
        let answered = |cell: &Observed| match cell.outcome {
            Outcome::Answered => cell.nodes.zip(cell.ns()),
            _ => None,
        };
        let each: Option<Vec<(f64, f64)>> = column.cells.iter().map(|cell| answered(cell.as_ref()?)).collect();
        let (each, mut nodes, mut ns) = (each?, 0.0, 0.0);
        each.iter().for_each(|cell| (nodes, ns) = (nodes + cell.0, ns + cell.1));
        Some(match kind {
            Kind::MeanTime => ns / each.len() as f64,
            Kind::Speed => nodes / ns * 1e9,
            _ => nodes / each.len() as f64,
        })
    }

    /// Instructions of one evaluation, without the loop around it: `group/function`.
    pub fn instructions(&self, name: &str) -> Option<f64> {
        let (group, function) = name.split_once('/')?;
        let each = |group: &str, function: &str| {
            self.counts.iter().find(|row| row.group == group && row.function == function).map(InstructionRow::each)
        };
        Some(each(group, function)? - each(OVERHEAD.0, OVERHEAD.1)?)
    }

    /// Win checks a second, by a form of the check, and over how many repetitions.
    pub fn rate(&self, wins: &str) -> Option<(MeasuredRatio, usize)> {
        let rates: Vec<f64> = self.rates.iter().filter(|rate| rate.wins == wins).map(Rate::per_second).collect();
        let estimate = mean_interval(&rates)?;
        Some((MeasuredRatio::of(estimate.value, true, None, estimate.interval), rates.len()))
    }
}

fn pairing<'a>(ground: &'a Ground, claim: &Claim, seed: u64) -> Option<Pairing<'a>> {
    let base = ground.column(claim.base.as_ref().unwrap_or(&claim.variant))?;
    let variant = ground.column(&claim.variant)?;
    // The twin takes the same nodes, and its times may be compared.
    Some(Pairing::of(ground.timed_base(base, variant).unwrap_or(base), variant, seed))
}
