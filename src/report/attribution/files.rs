//! The files of an attribution: what stands in its folder beside the rows, and what a record of it keeps.

use crate::attribution::sheets::{Part, markdown, sheets};
use crate::attribution::{AttributionReading, pictures};
use crate::record;
use crate::table::csv;
use crate::tables::summary::summarise;
use anyhow::Result;
use c4lab_measure::files::atomic;
use c4lab_measure::files::node_row::{NodeRow, PACKED, read};
use flate2::{Compression, GzBuilder};
use std::path::Path;

/// Writes the tables and the pictures of a folder, those whose rows are complete.
pub fn write(folder: &Path, reading: &AttributionReading) -> Result<()> {
    let parts = [
        (Part::Values, "attribution.csv"),
        (Part::Interactions, "interactions.csv"),
        (Part::Paths, "path.csv"),
        (Part::Times, "times.csv"),
    ];
    for (part, file) in parts {
        let sheets = sheets(reading, part);
        if !sheets.is_empty() {
            atomic::write(&folder.join(file), &csv(&sheets)?)?;
        }
    }
    for (index, set) in reading.manifest.test_sets.iter().enumerate() {
        let number = if index == 0 { String::new() } else { format!("-{}", index + 1) };
        for picture in pictures::of_set(reading, set) {
            let title = format!("{}, {}: {}", set.name, reading.attribution().goal.name(), picture.title);
            let file = folder.join(format!("{}{number}.svg", picture.name));
            atomic::write(&file, picture.svg.alone(&title).as_bytes())?;
        }
    }
    Ok(())
}

/// Writes a record of an attribution into `folder`, which must not exist.
pub fn write_record(folder: &Path, reading: &AttributionReading) -> Result<()> {
    record::make(folder)?;
    atomic::write(&folder.join(PACKED), &packed(reading)?)?;
    write(folder, reading)?;
    atomic::write(&folder.join("report.md"), report(reading).as_bytes())?;
    for time in &reading.times {
        let name = time.folder.file_name().unwrap_or_default();
        record::write(&folder.join(name), time, &summarise(&time.results, time.manifest.experiment.seed))?;
    }
    // The manifest comes last: a folder without one is no record.
    reading.manifest.write(folder)
}

/// The rows as a compressed CSV file. Rows of a set that is not shipped lose the expected score.
fn packed(reading: &AttributionReading) -> Result<Vec<u8>> {
    let sets = &reading.manifest.test_sets;
    let packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut writer = csv::Writer::from_writer(packer);
    for row in read(&reading.folder)? {
        let shipped = sets.iter().any(|set| set.shipped && set.sha256 == row.set_sha256);
        writer.serialize(NodeRow { expected_score: row.expected_score.filter(|_| shipped), ..row })?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?.finish()?)
}

fn report(reading: &AttributionReading) -> String {
    let (manifest, binary) = (&reading.manifest, &reading.manifest.binary);
    let runs: Vec<String> = manifest.runs.iter().map(|run| format!("`{}`", run.command.join(" "))).collect();
    let warnings: String = reading.warnings().iter().map(|warning| format!("Warning: {warning}.\n\n")).collect();
    format!(
        "# {}\n\n{}\n\nNodes, counted by c4lab {} ({}), {}, cold tables, every score checked. Commands: {}.\n\n{warnings}{}",
        manifest.attribution.name,
        manifest.attribution.about.trim(),
        binary.version,
        binary.git_rev.as_deref().unwrap_or("not built in git"),
        binary.rustc,
        runs.join(", "),
        markdown(reading, &Part::SHOWN)
    )
}
