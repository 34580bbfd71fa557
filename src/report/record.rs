//! Records: dated folders of `results/` that keep a run. A record is never edited.
//!
//! A record of instruction counts holds the rows, the manifest and the report. Any other record holds the summary, the
//! manifest, the report, the pictures and the raw samples, compressed. Rows of a set that is not shipped keep their
//! line number, and lose moves and expected score: those belong to the maker of the set.

use crate::plot::pictures;
use crate::reading::Reading;
use crate::table::markdown;
use crate::tables::conclusion;
use crate::tables::instructions::{self, InstructionRow};
use crate::tables::summary::{self, Line, csv, summarise};
use anyhow::{Result, ensure};
use c4lab_measure::engines::record::EngineRecord;
use c4lab_measure::files::atomic;
use c4lab_measure::files::machine::Machine;
use c4lab_measure::files::manifest::{Binary, CountManifest, SetRecord};
use c4lab_measure::files::rows;
use c4lab_measure::files::sample::{self, Rows, Sample, files_of};
use c4lab_measure::run::counting;
use flate2::{Compression, GzBuilder};
use std::io::Write;
use std::path::Path;

/// Writes a record of a run into `folder`, which must not exist. Scores must be right, and node counts equal.
pub fn write(folder: &Path, reading: &Reading) -> Result<()> {
    let (from, manifest) = (&reading.folder, &reading.manifest);
    refuse_wrong(reading, "no record is made")?;
    make(folder)?;
    let lines = &summarise(&reading.results, manifest.experiment.seed);
    let rows = Rows::open(from)?.map(|row| Ok(without_foreign(row?, &manifest.test_sets)));
    for (name, bytes) in files_of(rows)? {
        atomic::write(&folder.join(format!("{name}.gz")), &packed(&bytes)?)?;
    }
    atomic::write(&folder.join("summary.csv"), &csv(lines)?)?;
    for name in ["counters.csv", counting::ANATOMY] {
        let counted = from.join(name);
        if counted.is_file() {
            atomic::write(&folder.join(name), &std::fs::read(&counted)?)?;
        }
    }
    pictures::write(&folder.join("pictures"), &reading.results.groups, lines)?;
    atomic::write(&folder.join("report.md"), report(reading, lines).as_bytes())?;
    // The manifest comes last: a folder without one is no record.
    manifest.write(folder)
}

/// Writes a record of instruction counts into `folder`, which must not exist.
pub fn write_counts(folder: &Path, rows: &[InstructionRow], manifest: &CountManifest) -> Result<()> {
    make(folder)?;
    rows::write(folder, rows)?;
    atomic::write(&folder.join("report.md"), report_of_counts(manifest, rows).as_bytes())?;
    manifest.write(folder)
}

pub(super) fn make(folder: &Path) -> Result<()> {
    refuse_existing(folder)?;
    atomic::make_folder(folder)
}

/// An error if rows of a folder are wrong. `effect` says what is not done with the folder then.
pub fn refuse_wrong(reading: &Reading, effect: &str) -> Result<()> {
    let folder = reading.folder.display();
    ensure!(reading.tally.is_clean(), "{folder}: {effect}: scores are wrong, or node counts differ");
    Ok(())
}

pub fn refuse_existing(folder: &Path) -> Result<()> {
    ensure!(!folder.exists(), "{}: a record is never edited; choose another name", folder.display());
    Ok(())
}

fn without_foreign(sample: Sample, sets: &[SetRecord]) -> Sample {
    let shipped = sets.iter().any(|set| set.shipped && set.sha256 == sample.set_sha256);
    let moves = sample.moves.filter(|_| shipped);
    Sample { moves, expected_score: sample.expected_score.filter(|_| shipped), ..sample }
}

/// Compresses `bytes` without a time stamp: equal contents make equal files.
pub(super) fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

pub(super) fn program(binary: &Binary) -> String {
    let revision = binary.git_rev.as_deref().unwrap_or("not built in git");
    format!("c4lab {} ({revision}), {}", binary.version, binary.rustc)
}

pub(super) fn quoted<'a>(commands: impl Iterator<Item = &'a Vec<String>>) -> String {
    commands.map(|command| format!("`{}`", command.join(" "))).collect::<Vec<_>>().join(", ")
}

pub(super) fn paragraphs(warnings: &[String]) -> String {
    warnings.iter().map(|warning| format!("Warning: {warning}.\n\n")).collect()
}

fn report_of_counts(manifest: &CountManifest, rows: &[InstructionRow]) -> String {
    let (machine, binary) = (&manifest.machine, &manifest.binary);
    let warnings = paragraphs(&manifest.warnings());
    format!(
        "# instructions\n\nCounted on {} (machine {}) by {} with {}, {}, flags `{}`, features {}. Command: \
         `cargo bench --bench instructions`.\n\nInstructions of one evaluation; `overhead` is the loop and the checksum \
         that every evaluator is counted with.\n\n{warnings}{}",
        machine.cpu.as_deref().unwrap_or("an unnamed processor"),
        machine.id,
        manifest.valgrind,
        manifest.runner,
        program(binary),
        binary.flags,
        binary.target_features,
        markdown(&instructions::tables(rows))
    )
}

fn report(reading: &Reading, lines: &[Line]) -> String {
    let (manifest, binary) = (&reading.manifest, &reading.manifest.binary);
    let machines: Vec<String> = manifest.machines().iter().map(named).collect();
    let engine = |engine: &EngineRecord| {
        let EngineRecord { name, version, reset, .. } = engine;
        let clock = if engine.clock.is_ours() { "" } else { "; timed by its own clock" };
        format!("Engine {name}: version `{version}`; between positions: {reset}{clock}.\n\n")
    };
    let engines: String = manifest.engines.iter().map(engine).collect();
    let warnings = paragraphs(&reading.warnings_of(Path::new(sample::FILE)));
    let tables = summary::tables(lines);
    let said = conclusion::of_all(&tables).map_or(String::new(), |said| format!("\n{said}\n"));
    let pooled = summary::pooled(&reading.results.groups);
    let pooled: String = pooled.iter().map(|table| format!("\n{}", table.markdown())).collect();
    format!(
        "# {}\n\n{}\n\nMeasured on {} by {}{}, features {}. Commands: {}.\n\n\
         Times are medians over repetitions, averaged over the positions of a set. Intervals are 95 % bootstrap intervals \
         over positions, and over processes where there are several.\n\n{engines}{warnings}{}{said}{pooled}",
        manifest.experiment.name,
        manifest.experiment.about.trim(),
        machines.join(" and "),
        program(binary),
        manifest.in_links(),
        binary.target_features,
        quoted(manifest.runs.iter().map(|run| &run.command)),
        markdown(&tables)
    )
}

pub(super) fn named(machine: &Machine) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("an unnamed processor");
    let model = machine.cpu_model.as_ref().map_or(String::new(), |model| format!("{model}; "));
    format!("{cpu} ({model}{} cores, machine {})", machine.cores, machine.id)
}
