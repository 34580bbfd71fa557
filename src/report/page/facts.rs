//! The head of the page: machine, program, settings and dates of the measurement, its faults and warnings.

use crate::attribution::AttributionReading;
use crate::plot::svg::escape;
use crate::reading::Reading;
use crate::record::named;
use c4lab_measure::files::manifest::{Binary, Manifest};
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::text::pluralize;
use serde::Serialize;

pub(super) fn of_samples(reading: &Reading) -> String {
    let manifest = &reading.manifest;
    let experiment = &manifest.experiment;
    let mut facts = vec![("Measured", dates(manifest))];
    facts.extend(manifest.machines().iter().map(|one| ("Machine", named(one))));
    for one in manifest.binaries() {
        facts.push(("Binary", binary(one)));
        facts.push(("Compiled with", format!("{}; {}; {}", one.rustc, one.flags, one.target)));
    }
    let shards = manifest.shards();
    let is_whole = shards.iter().all(|shard| *shard == Shard::WHOLE);
    let engines = manifest.engines.iter().map(|engine| format!("{} ({})", engine.name, engine.version));
    let rows = reading.results.rows;
    facts.extend([
        ("Shards", if is_whole { String::new() } else { joined(shards.iter().map(Shard::to_string)) }),
        ("Settings", settings(experiment)),
        ("Test sets", joined(manifest.test_sets.iter().map(|set| format!("{} ({})", set.name, set.positions)))),
        ("Engines", joined(engines)),
        ("Samples", format!("{rows} rows; repetitions of a cell: {}", experiment.repetitions)),
    ]);
    let tally = &reading.tally;
    let faults = [
        (tally.wrong, "with a wrong score"),
        (tally.mismatches, "whose node count differs from that of another row of the cell"),
        (tally.failed, "of an engine that failed"),
    ];
    let faults: Vec<String> =
        faults.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} rows {what}")).collect();
    let machines = reading.results.machines.len();
    let several = (machines > 1).then(|| format!("rows of {machines} machines: times are compared within one only"));
    let warnings: Vec<String> = reading.warnings().into_iter().chain(several).collect();
    header((&experiment.name, &experiment.about), &faults, &warnings, facts)
}

pub(super) fn of_attribution(reading: &AttributionReading) -> String {
    let AttributionReading { manifest, table, .. } = reading;
    let facts = vec![
        ("Counted", manifest.runs.first().map_or(String::new(), |run| run.started_at.clone())),
        ("Binary", binary(&manifest.binary)),
        ("Test sets", joined(manifest.test_sets.iter().map(|set| format!("{} ({})", set.name, set.positions)))),
        ("Searches", format!("{} rows, from cold tables, every score checked", table.rows)),
    ];
    header((&manifest.attribution.name, &manifest.attribution.about), &[], &reading.warnings(), facts)
}

fn header(
    (name, about): (&str, &str),
    faults: &[String],
    warnings: &[String],
    facts: Vec<(&'static str, String)>,
) -> String {
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    let facts: String = facts.map(|(name, text)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(&text))).collect();
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"about\">{}</p>\n{}{}<details class=\"facts\"><summary>Machine, program and settings</summary>\n\
         <dl>\n{facts}</dl></details>\n</header>\n",
        escape(name),
        escape(about.trim()),
        list("wrong", "Do not believe these results", faults),
        list("warning", "Reasons to doubt these results", warnings),
    )
}

pub(super) fn manifest(manifest: &impl Serialize) -> serde_json::Result<String> {
    let text = escape(&serde_json::to_string_pretty(manifest)?);
    Ok(format!(
        "<section id=\"manifest\">\n<h2>Manifest</h2>\n<details><summary>manifest.json</summary>\
         <pre tabindex=\"0\">{text}</pre></details>\n</section>\n"
    ))
}

fn list(class: &str, title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    format!("<section class=\"{class}\" aria-label=\"{title}\"><strong>{title}</strong><ul>{items}</ul></section>\n")
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn dates(manifest: &Manifest) -> String {
    let Some(first) = manifest.runs.first() else { return String::new() };
    // Of several machines, the last to begin may not be the last to end.
    let ended = manifest.runs.iter().filter_map(|run| run.ended_at.clone()).max();
    let ended = ended.map_or(String::new(), |ended| format!(" to {ended}"));
    format!("{}{ended}, in {}", first.started_at, pluralize(manifest.runs.len(), "run"))
}

fn binary(binary: &Binary) -> String {
    let revision = binary.git_rev.as_deref().unwrap_or("not built in git");
    let state = if binary.dirty == Some(true) { ", with changes that were not committed" } else { "" };
    let digest = binary.sha256.get(..12).unwrap_or(&binary.sha256);
    let vectors = joined(binary.simd.iter().map(ToString::to_string));
    format!("c4lab {} ({revision}{state}); sha256 {digest}; vector code: {vectors}", binary.version)
}

fn settings(experiment: &Experiment) -> String {
    let time = experiment.time_limit.as_ref().map(|limit| format!("time limit {limit} a cell"));
    let nodes = experiment.node_limit.map(|limit| format!("node limit {limit} a cell"));
    let table = experiment.tt.as_ref().map(|bytes| format!("tables of {bytes} unless the variant names a size"));
    joined([Some(format!("seed {}", experiment.seed)), time, nodes, table].into_iter().flatten())
}
