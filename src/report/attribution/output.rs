//! Output of an attribution: tables, pictures, and the files of its folder and of a record.

use crate::attribution::{AttributionReading, Effect, Step, Worth, changes, name};
use crate::plot::chart::{Bar, bars};
use crate::plot::pictures::Picture;
use crate::record;
use crate::stats::Estimate;
use crate::table::units::three_digits;
use crate::table::{self, Cell, Column, Subject, Table};
use anyhow::Result;
use c4lab_measure::files::atomic;
use c4lab_measure::files::manifest::SetRecord;
use c4lab_measure::files::node_row::{NodeRow, PACKED, read};
use c4lab_measure::files::rows;
use c4lab_measure::text::pluralize;
use c4lab_solver::search::Spec;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Values,
    Square,
    Paths,
}

impl Part {
    pub const SHOWN: [Part; 3] = [Part::Values, Part::Square, Part::Paths];

    const NAMES: [&str; 3] = ["values", "interactions", "paths"];
}

/// The tables of a part; none if its rows are missing.
pub fn tables(reading: &AttributionReading, part: Part) -> Vec<Table> {
    let sets = &reading.manifest.test_sets;
    let by_set = |table: fn(&AttributionReading, &SetRecord, &Worth) -> Table| {
        sets.iter().filter_map(|set| Some(table(reading, set, &reading.worth(set)?))).collect()
    };
    match part {
        Part::Values => by_set(values),
        Part::Square => by_set(interaction_square),
        Part::Paths => reading.paths().iter().map(|(from, to, steps)| path(reading, (*from, *to), steps)).collect(),
    }
}

pub fn markdown(reading: &AttributionReading, parts: &[Part]) -> String {
    let tables = parts.iter().flat_map(|part| tables(reading, *part));
    tables.map(|table| table.markdown()).collect::<Vec<_>>().join("\n")
}

/// The text of a generated block, with the parts that `words` choose; the error is the reason why there is none.
pub(crate) fn splice(words: &[&str], reading: &AttributionReading) -> Result<String, String> {
    let mut parts = Part::SHOWN.to_vec();
    for word in words {
        let names = word.strip_prefix("parts=").ok_or_else(|| format!("{word:?} is not parts="))?;
        parts.clear();
        for name in names.split(',') {
            let index = Part::NAMES.iter().position(|known| *known == name);
            parts.push(Part::SHOWN[index.ok_or_else(|| format!("parts= are of {}", Part::NAMES.join(", ")))?]);
        }
    }
    match markdown(reading, &parts) {
        text if text.is_empty() => Err("the folder has no complete table that the marker asks for".to_string()),
        text => Ok(text),
    }
}

fn about(reading: &AttributionReading, set: &SetRecord, name: &'static str, title: &str) -> Table {
    let goal = reading.attribution().goal;
    let subject = Subject { set: Some(set.name.clone()), goal: Some(goal), apart: None };
    Table::new(name, subject, format!("{}, {}: {title}", set.name, goal.name()), "")
}

fn names(reading: &AttributionReading) -> Vec<&str> {
    reading.attribution().techniques.iter().map(|technique| technique.name.as_str()).collect()
}

fn values(reading: &AttributionReading, set: &SetRecord, worth: &Worth) -> Table {
    let techniques = reading.attribution().techniques.iter().zip(&worth.effects);
    let lines: Vec<(&str, &str, Option<&Effect>)> = techniques
        .map(|(technique, effect)| (technique.name.as_str(), technique.changes.as_str(), Some(effect)))
        .chain([("all", "", None)])
        .collect();
    let left_out = match worth.left_out {
        0 => String::new(),
        count => format!("; {count} left out, since a search reached the limit"),
    };
    let title = format!(
        "{}{left_out}; mean nodes {} without, {} with all",
        pluralize(worth.positions, "position"),
        three_digits(worth.mean_nodes.0),
        three_digits(worth.mean_nodes.1)
    );
    let note = "The factor by which each technique divides the nodes (geometric mean over positions): on average over all orders of switching them on \
                (Shapley), added to the base alone, and added last to all others.";
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    Table { note: note.to_string(), ..about(reading, set, "attribution", &title) }
        .over(&lines)
        .text("technique", "technique", |line| line.0)
        .text("changes", "changes", |line| line.1)
        .ratio("fewer nodes", "shapley", |line| Some(line.2.map_or(worth.all, |effect| effect.value)))
        .number("share", "share", percent, |line| {
            Some(line.2.map_or(1.0, |effect| effect.share)).filter(|share| share.is_finite())
        })
        .ratio("alone", "first", |line| Some(line.2?.first))
        .ratio("last", "last", |line| Some(line.2?.last))
        .table
}

fn interaction_square(reading: &AttributionReading, set: &SetRecord, worth: &Worth) -> Table {
    let names = names(reading);
    let title = "interactions, above 1 if two techniques save more together than apart";
    let note = "The factor that two techniques save together, divided by the factors that they save apart, on average over all orders. \
                Below 1 they overlap: each saves a part of the nodes that the other saves.";
    let lines: Vec<usize> = (0..names.len()).collect();
    let mut table = Table { note: note.to_string(), ..about(reading, set, "interaction-square", title) }
        .over(&lines)
        .text("technique", "technique", |one| names[*one]);
    for (other, name) in names.iter().enumerate() {
        table = table.number(
            name,
            name,
            |ratio| format!("{ratio:.2}"),
            |&one| {
                let pair = (one.min(other), one.max(other));
                Some(worth.interactions.iter().find(|(first, second, _)| (*first, *second) == pair)?.2.value)
            },
        );
    }
    table.table
}

fn path(reading: &AttributionReading, (from, to): (Spec, Spec), steps: &[Step]) -> Table {
    let (goal, sets) = (reading.attribution().goal, &reading.manifest.test_sets);
    let sets: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    let title = format!(
        "{}, {}: {}; path from {} to {}",
        sets.join(", "),
        goal.name(),
        pluralize(steps[0].positions, "position"),
        shown(from),
        shown(to)
    );
    let note = "Each step is the change that lowers the mean logarithm of the nodes most. It changes several axes if no single one can \
                change alone. Fewer nodes: geometric mean over positions, compared with the step before. A position that reached the \
                limit counts with the limit.";
    let indices: Vec<usize> = (0..steps.len()).collect();
    let later = |index: usize, of: fn(&Step) -> Estimate| (index > 0).then(|| of(&steps[index]));
    Table::new("path", Subject { set: Some(sets.join(" ")), goal: Some(goal), apart: None }, title, note)
        .over(&indices)
        .count("step", "step", |index| *index)
        .text("change", "change", |&index| match index {
            0 => String::new(),
            _ => changes(steps[index - 1].spec, steps[index].spec),
        })
        .text("variant", "variant", |index| name(steps[*index].spec).unwrap_or(""))
        .number("mean nodes", "mean_nodes", three_digits, |index| Some(steps[*index].mean_nodes))
        .count("limited", "limited", |index| steps[*index].limited)
        .column(Column::number("fewer nodes", "gain"), |index| ratio(later(*index, |step| step.gain)))
        .column(Column::interval("gain"), |index| Cell::interval_of(later(*index, |step| step.gain)))
        .column(Column::number("in all", "total"), |index| ratio(later(*index, |step| step.total)))
        .table
}

fn ratio(estimate: Option<Estimate>) -> Cell {
    Cell::number(estimate.map(|estimate| estimate.value), crate::table::units::times)
}

fn shown(spec: Spec) -> String {
    name(spec).map_or_else(|| spec.to_string(), str::to_string)
}

/// The picture of a set, a bar with its interval for each technique; none while its rows are missing.
pub fn pictures_of_set(reading: &AttributionReading, set: &SetRecord) -> Vec<Picture> {
    let Some(worth) = reading.worth(set) else { return Vec::new() };
    let bar = |(name, Effect { value, .. }): (&str, &Effect)| Bar {
        label: name.to_string(),
        value: Some(value.value),
        interval: value.interval,
    };
    let rows: Vec<Bar> = names(reading).into_iter().zip(&worth.effects).map(bar).collect();
    let values = "The factor by which a technique divides the nodes, on average over all orders of switching on (Shapley), with its 95 % interval. \
                  Right of the line at 1 a technique saves nodes.";
    vec![Picture::new("attribution", "What each technique is worth", values, bars(&rows, "times fewer nodes"))]
}

pub fn pictures_of_paths(reading: &AttributionReading) -> Vec<Picture> {
    let note = "The factor by which each step divides the nodes of the step above it (geometric mean). There are no times here.";
    let picture = |(_, _, steps): &(Spec, Spec, Vec<Step>)| {
        let bar = |pair: &[Step]| Bar {
            label: changes(pair[0].spec, pair[1].spec),
            value: Some(pair[1].gain.value),
            interval: pair[1].gain.interval,
        };
        let rows: Vec<Bar> = steps.windows(2).map(bar).collect();
        Picture::new("path", "Path, step by step", note, bars(&rows, "times fewer nodes than the step before"))
    };
    reading.paths().iter().map(picture).collect()
}

/// Writes the tables and pictures whose rows are complete into `folder`.
pub fn write(folder: &Path, reading: &AttributionReading) -> Result<()> {
    for (part, file) in
        [(Part::Values, "attribution.csv"), (Part::Square, "interactions.csv"), (Part::Paths, "path.csv")]
    {
        let tables = tables(reading, part);
        if !tables.is_empty() {
            atomic::write(&folder.join(file), &table::csv(&tables)?)?;
        }
    }
    for (index, set) in reading.manifest.test_sets.iter().enumerate() {
        let number = if index == 0 { String::new() } else { format!("-{}", index + 1) };
        for picture in pictures_of_set(reading, set) {
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
    let mut rows = read(&reading.folder)?;
    // The expected scores of a set that is not shipped belong to the maker of the set.
    let is_shipped =
        |row: &NodeRow| reading.manifest.test_sets.iter().any(|set| set.shipped && set.sha256 == row.set_sha256);
    rows.iter_mut().filter(|row| !is_shipped(row)).for_each(|row| row.expected_score = None);
    atomic::write(&folder.join(PACKED), &record::packed(&rows::bytes(&rows)?)?)?;
    write(folder, reading)?;
    atomic::write(&folder.join("report.md"), report(reading).as_bytes())?;
    // The manifest comes last: a folder without one is no record.
    reading.manifest.write(folder)
}

fn report(reading: &AttributionReading) -> String {
    let manifest = &reading.manifest;
    format!(
        "# {}\n\n{}\n\nNodes, counted by {}, cold tables, every score checked. Commands: {}.\n\n{}{}",
        manifest.attribution.name,
        manifest.attribution.about.trim(),
        record::program(&manifest.binary),
        record::quoted(manifest.runs.iter().map(|run| &run.command)),
        record::paragraphs(&reading.warnings()),
        markdown(reading, &Part::SHOWN)
    )
}
